#!/usr/bin/env bash
# Refuses functions that take the type checker over 300 ms, as the last build with Scripts/build.sh
# found them: the compiler keeps its warnings beside what it made of each file.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -d .build/debug ] || exit 0
found=$(find -L .build/debug -maxdepth 2 -name '*.dia' -print0 |
    xargs -0 -r grep -ahoE "[a-z][a-z ]*'[^']*' took [0-9]+ms to type-check" | sort -u || true)
[ -z "$found" ] && exit 0
echo "lint: give the compiler explicit types, or several statements for one" >&2
printf '%s\n' "$found" | sed 's/^/  /' >&2
exit 1
