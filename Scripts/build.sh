#!/usr/bin/env bash
# build.sh ARGUMENT...: `swift build` for debugging as all scripts here call it, so that the work of
# one serves the next.
#
# Measured on all tests, in processor time: no debug information saves 8 % (DEBUG_INFO=dwarf brings it
# back, for a debugger), and not verifying what the compiler gives to LLVM 4 %. A function that takes
# the type checker over 300 ms is a warning here, and `make lint` refuses it.
set -euo pipefail
cd "$(dirname "$0")/.."
exec swift build --explicit-target-dependency-import-check error \
    -debug-info-format "${DEBUG_INFO:-none}" -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify \
    -Xswiftc -Xfrontend -Xswiftc -warn-long-function-bodies=300 "$@"
