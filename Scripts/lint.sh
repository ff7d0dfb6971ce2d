#!/usr/bin/env bash
# Checks the format of the sources, and the rules of Documentation/Contributors/Architecture.md that a
# script can check.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
fail() {
    echo "lint: $1" >&2
    shift
    printf '  %s\n' "$@" >&2
    failed=1
}

folders=(Package.swift Sources Tests)
for folder in Examples Benchmarks; do
    if [ -n "$(find $folder -name '*.swift' -not -path '*/.build/*' -print -quit 2>/dev/null)" ]; then
        while IFS= read -r file; do folders+=("$file"); done \
            < <(find $folder -name '*.swift' -not -path '*/.build/*')
    fi
done
swift format lint --strict --parallel --recursive "${folders[@]}" || failed=1

# matches PATTERN PATH...: lines that match, without comments
matches() {
    local pattern=$1
    shift
    grep -rnE --include='*.swift' "$pattern" "$@" | grep -vE ':[0-9]+: *//' || true
}

# 1. StoreCore knows no I/O, no clock, no randomness, no tasks but in the folder of its database, and only
# records and their queries speak SQL. The database's drivers know no shop.
core() { matches "$1" Sources/Store/StoreCore | grep -v '^Sources/Store/StoreCore/Database/' || true; }
found=$(core '^ *(@[A-Za-z_]+ +)*import ' |
    grep -vE 'import (Foundation|StoreDatabase|StoreKernel|StoreModel)$' || true)
[ -z "$found" ] || fail "StoreCore's subjects import Foundation, StoreDatabase, StoreKernel and StoreModel only" "$found"
found=$(matches '^ *(@[A-Za-z_]+ +)*import ' Sources/Store/StoreCore/Database |
    grep -vE 'import (CStoreSchema|Foundation|Store(Database|Kernel|Model))$' || true)
[ -z "$found" ] || fail "StoreCore reaches its databases by StoreDatabase" "$found"
found=$(matches '^ *(@[A-Za-z_]+ +)*import ' Sources/Store/StoreDatabase |
    grep -vE 'import (CStorePostgres|CStoreSQLite|Foundation|StoreKernel|Synchronization)$' || true)
[ -z "$found" ] || fail "StoreDatabase knows no shop: it imports its databases, Foundation, Synchronization and StoreKernel only" "$found"
found=$(core '(^|[^A-Za-z.])(Date\(\)|Date\.now|UUID\(\)|Task *\{|Task\.detached|FileManager|FileHandle|URLSession|Process\()')
[ -z "$found" ] || fail "time, identifiers, tasks and I/O come into StoreCore as parameters" "$found"
found=$(core '(^|[^A-Za-z])(any SQL(Connection|Row)|SQLValue|connection\.(run|rows?|attempt)\(|repositories\.connection)' |
    grep -vE '/[A-Za-z0-9]*(Repository|Records|Row|Query|Range|Search|Index|Sequence|Condition)[A-Za-z+]*\.swift:' || true)
[ -z "$found" ] || fail "only records and their queries speak SQL: files …Repository, …Records, …Row, …Query, …Search, …Index" "$found"

# 2. Wire and core meet in StoreAPI only.
found=$(matches 'import StoreCore' Sources/Shared/StoreWire)$(matches 'import StoreWire' Sources/Store/StoreCore)
[ -z "$found" ] || fail "StoreWire and StoreCore never import one another" "$found"

# 3. `public` is for apps.
found=$(matches '(^|[^A-Za-z`])(public|open) +(final +|static +|class +|override +|convenience +|weak +|borrowing +|mutating +|nonisolated +|indirect +)*(class|struct|enum|protocol|func|var|let|init|extension|typealias|actor)' \
    Sources/Shared Sources/Store Sources/Commands |
    # Generic code is made for its types in other modules only where it is public and inlinable.
    grep -vE '^Sources/(Shared/StoreKernel/Cache|Store/StoreDatabase/(SQLValue|Records/(ColumnValue|Record)))\.swift:' || true)
[ -z "$found" ] || fail "public occurs only in Sources/Client; use package" "$found"

# 5. A type of the module's name would hide StoreKit.Transaction.
found=$(matches '(class|struct|enum|protocol|typealias|actor) +StoreKit *[:<{=]' Sources/Client/StoreKit)
[ -z "$found" ] || fail "no type is named StoreKit inside the module StoreKit" "$found"

# Text is escaped, taken apart and checked by bytes or scalars. The standard library's and
# Foundation's methods compare grapheme clusters: `"` with U+0301 behind it is no `"` to them.
sign='"([^"\\A-Za-z0-9]|\\[^u]|\\u\{[0-9A-Fa-f]+\})+"'
found=$(
    matches '\.(split\((maxSplits: [^,]+, )?separator: "|components\(separatedBy:|replacing\("|replacingOccurrences\(|has(Prefix|Suffix)\(([^s]|s[^c]|$)|range\(of: "[^"]*"\))' Sources
    matches "\.(contains\($sign\)|(first|last)Index\(of: \")" Sources |
        grep -vE '(unicodeScalars|utf8)(\[[^]]*\])?\.(contains|firstIndex|lastIndex)\(' || true
)
[ -z "$found" ] || fail "use contains(scalar:), split(scalar:), replacing(scalar:with:), hasPrefix(scalars:) of StoreKernel, or .utf8" "$found"

# A function that is the whole value of a mutex gets another layer with each reading (see Listener).
found=$(matches 'Mutex<\(*@Sendable' Sources Tests)
[ -z "$found" ] || fail "a function in a mutex is a field of a struct, or StoreKernel's Listener" "$found"

# What came from outside ends no process: what traps on it has a form that gives nil, throws or clamps.
found=$(matches '(^|[^A-Za-z.])(U?Int(8|16|32|64)?\(([^():]|\([^()]*\))*(timeInterval|\.rounded\())' Sources)
[ -z "$found" ] || fail "a number with a fraction becomes an integer by exactly: or clamping:" "$found"
found=$(matches '(^|[^A-Za-z])(try!|as! )|\.(first|last|min\(\)|max\(\)|randomElement\(\))!|unsafelyUnwrapped' Sources)
[ -z "$found" ] || fail "no try!, no as!, and no first! of what may be empty" "$found"
found=$(
    matches '([Hh]andle|standard(Error|Output))\.write\((Data|data|bytes)|readDataToEndOfFile|readData\(ofLength|availableData|seek\(toFileOffset|(truncate|synchronize|close)File\(' Sources
    # These two make and read their own text; the demo's app writes prices as apps do.
    matches '(Date|Number)Formatter\(' Sources |
        grep -vE '/(FileAnswer|HTTPDate|Money|BookshopApp)\.swift:' || true
    matches 'String\(format: [^"]' Sources
)
[ -z "$found" ] || fail "use what throws: write(contentsOf:), readToEnd(); HTTPDate, Money or a FormatStyle; a format that is a literal" "$found"
found=$(matches '(^|[^A-Za-z.])(fatalError|assert|assertionFailure)\(' Sources)
[ -z "$found" ] || fail "misuse traps by precondition, with a sentence" "$found"

# 6. Target names are unique in the graph of whoever depends on us.
names=$(grep -oE '(target|Target|systemLibrary)\( *(name: *"[A-Za-z]+")' Package.swift | grep -oE '"[A-Za-z]+"' | tr -d '"')
names+=" $(grep -A1 -E '(arget|systemLibrary)\($' Package.swift | grep -oE 'name: "[A-Za-z]+"' | grep -oE '"[A-Za-z]+"' | tr -d '"')"
for name in $names; do
    case $name in
    Store* | CStore* | openstore | openstore-downloads | *Tests) ;;
    *) fail "target names begin with Store or CStore" "$name" ;;
    esac
done

# Nothing of ours is named by its lack of meaning.
found=$(find Sources Tests \( -iname '*util*' -o -iname '*helper*' -o -iname '*misc*' -o -iname '*manager*' -o -iname '*impl.swift' \) -print)
[ -z "$found" ] || fail "names say meaning" "$found"

# Public declarations of the framework carry doc comments (swift format checks them), and
# an unchecked Sendable carries its proof within three lines.
found=$(grep -rnE -A3 '@unchecked Sendable' Sources --include='*.swift' |
    awk -v RS='--\n' '!/Sendable:/ { print }' | head -n 5)
[ -z "$found" ] || fail "@unchecked Sendable needs a comment that begins with \"Sendable:\"" "$found"

# Commands stay out of the entry point.
lines=$(wc -l <Sources/Commands/openstore/OpenStoreMain.swift)
[ "$lines" -lt 20 ] || fail "openstore's entry point has under 20 lines" "$lines lines"

# Units of systemd are valid, and the image has the libraries that the program wants.
Scripts/check-deployment.sh || failed=1

# What was built last took the type checker no long time anywhere.
Scripts/check-bodies.sh || failed=1

# A function does one thing.
Scripts/check-lengths.py || failed=1

# Names are those of the glossary, and no two modules have the same one.
Scripts/check-names.py || failed=1

# The schema and Swift have the same words.
Scripts/check-enumerations.py || failed=1

# The threat model names tests that there are.
Scripts/check-threats.py || failed=1

# Texts that customers read are there in every language, with their values.
Scripts/texts.py --check || failed=1

# The reference is what the sources say; what the program says is compared by make test.
Scripts/reference.py --sources || failed=1

# Planted faults fit the sources, so that they can be planted.
for patch in Tests/PlantedFaults/*.patch; do
    patch -p1 --dry-run --quiet <"$patch" >/dev/null ||
        fail "a planted fault no longer fits: mend its patch" "$patch"
done

[ $failed -eq 0 ] && echo "lint: format and design rules hold"
exit $failed
