#!/usr/bin/env bash
# Plants each fault of Tests/PlantedFaults into a copy of the sources, and demands that the
# state machine finds it. `planted-faults.sh NAME...` does so for some of them.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${RUNS:-2000}
steps=${STEPS:-120}
work="$PWD/.build/planted-faults"
memory=/dev/shm
[ -w "$memory" ] || memory=/tmp

faults=("$@")
if [ ${#faults[@]} -eq 0 ]; then
    for patch in Tests/PlantedFaults/*.patch; do faults+=("$(basename "$patch" .patch)"); done
fi

# A copy, with a build of its own, so that nothing planted stays behind.
mkdir -p "$work"
rm -rf "$work/tree"
mkdir "$work/tree"
cp -a Package.swift Sources "$work/tree/"
mkdir "$work/tree/Tests"
cp -a Tests/. "$work/tree/Tests/"

build() {
    swift build --package-path "$work/tree" --scratch-path "$work/build" \
        --product StoreStateMachine >"$work/build.log" 2>&1 ||
        { cat "$work/build.log" >&2; exit 1; }
}

missed=0
printf '%-50s %s\n' "fault" "caught"
for fault in "${faults[@]}"; do
    patch="$PWD/Tests/PlantedFaults/$fault.patch"
    patch -d "$work/tree" -p1 --quiet <"$patch"
    build
    if SWIFT_DETERMINISTIC_HASHING=1 "$work/build/debug/StoreStateMachine" \
        1 "$runs" "$steps" "$memory" >"$work/$fault.log" 2>&1; then
        printf '%-50s %s\n' "$fault" "NOT in $runs runs"
        missed=1
    else
        what=$(grep -m 1 '^VIOLATION' "$work/$fault.log" || tail -n 1 "$work/$fault.log")
        printf '%-50s %s\n' "$fault" "${what#VIOLATION }"
    fi
    patch -d "$work/tree" -p1 --quiet --reverse <"$patch"
done
exit $missed
