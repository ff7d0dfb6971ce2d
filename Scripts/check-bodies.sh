#!/usr/bin/env bash
# check-bodies.sh [MILLISECONDS]: refuses functions that took the type checker longer (300), as the
# last build with Scripts/build.sh found them: the compiler keeps its warnings beside what it made of
# each file. As the same function takes twice as long on a machine with other work, files with such a
# function are compiled again, up to twice, and only what is slow each time is refused.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-300}
[ -d .build/debug ] || exit 0

# slow: a line "FILE.dia<tab>function 'name' took 310ms to type-check" for each slow function
slow() {
    { grep -rla --include='*.dia' 'ms to type-check' .build/debug/ || true; } |
        while read -r file; do
            # Files that were compiled together have each other's warnings, which may be old.
            grep -qa "/$(basename "$file" .dia).swift" "$file" || continue
            { grep -aoE "[a-z][a-z ]*'[^']*' took [0-9]+ms to type-check" "$file" || true; } |
                sed "s|^|$file\t|"
        done | sort -u | awk -v limit="$limit" -F' took ' '$2 + 0 > limit'
}

found=$(slow)
for _ in 1 2; do
    [ -n "$found" ] || exit 0
    while read -r file; do
        find Sources Tests -name "$(basename "$file" .dia).swift" -exec touch {} +
    done < <(cut -f1 <<<"$found" | sort -u)
    Scripts/build.sh --build-tests >/dev/null 2>&1 || break
    found=$(slow)
done
[ -z "$found" ] && exit 0
cut -f2 <<<"$found" |
    sed 's/$/; give the compiler explicit types, or several statements for one/; s/^/lint: /' >&2
exit 1
