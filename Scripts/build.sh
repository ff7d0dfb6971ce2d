#!/usr/bin/env bash
# build.sh ARGUMENT...: `swift build` as everything here builds, so that one command's work serves
# the next. It warns of a function that takes the type checker over 300 ms.
set -euo pipefail
cd "$(dirname "$0")/.."
exec swift build --explicit-target-dependency-import-check error \
    -Xswiftc -Xfrontend -Xswiftc -warn-long-function-bodies=300 "$@"
