#!/usr/bin/env bash
# check-bodies.sh [--again] [MILLISECONDS]: refuses functions that took the type checker longer (BODY_LIMIT, or
# 300), as the last build with Scripts/build.sh found them: the compiler keeps its warnings beside what
# it made of each file. On a machine with other work the same function takes twice as long: --again
# compiles the files of such functions once more, alone, and refuses what is slow in both builds.
set -euo pipefail
cd "$(dirname "$0")/.."

again=0
[ "${1:-}" != --again ] || { again=1; shift; }
limit=${1:-${BODY_LIMIT:-300}}
[ -d .build/debug ] || exit 0

# A line for each function: the file's name, a tab, what the compiler said.
slow() {
    { grep -rla --include='*.dia' 'ms to type-check' .build/debug/ || true; } |
        while read -r file; do
            # Files that were compiled together have each other's warnings, which may be old.
            source=$(basename "$file" .dia).swift
            grep -qa "/$source" "$file" || continue
            { grep -aoE "[a-z][a-z ]*'[^']*('s? [^']*)*' took [0-9]+ms to type-check" "$file" || true; } |
                sed "s/^/$source\t/"
        done | sort -u | awk -v limit="$limit" -F' took ' '$2 + 0 > limit'
}

found=$(slow)
if [ -n "$found" ] && [ "$again" = 1 ]; then
    cut -f1 <<<"$found" | sort -u | while read -r source; do
        find Sources Tests -name "$source" -exec touch {} +
    done
    Scripts/build.sh --build-tests --jobs 1 >/dev/null
    found=$(slow)
fi
[ -z "$found" ] && exit 0
sed 's/\t/: /; s/$/; give the compiler explicit types, or several statements for one/; s/^/lint: /' <<<"$found" >&2
exit 1
