#!/usr/bin/env bash
# check-bodies.sh [MILLISECONDS]: refuses functions that took the type checker longer (BODY_LIMIT, or
# 300), as the last build with Scripts/build.sh found them: the compiler keeps its warnings beside what
# it made of each file. On a machine with other work the same function takes twice as long.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-${BODY_LIMIT:-300}}
[ -d .build/debug ] || exit 0
found=$({ grep -rla --include='*.dia' 'ms to type-check' .build/debug/ || true; } |
    while read -r file; do
        # Files that were compiled together have each other's warnings, which may be old.
        grep -qa "/$(basename "$file" .dia).swift" "$file" || continue
        grep -aoE "[a-z][a-z ]*'[^']*' took [0-9]+ms to type-check" "$file" || true
    done | sort -u | awk -v limit="$limit" -F' took ' '$2 + 0 > limit')
[ -z "$found" ] && exit 0
printf '%s\n' "$found" |
    sed 's/$/; give the compiler explicit types, or several statements for one/; s/^/lint: /' >&2
exit 1
