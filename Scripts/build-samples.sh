#!/usr/bin/env bash
# build-samples.sh ARGUMENT...: builds the samples as Scripts/build.sh does, into the folder of the package
# that they depend on: what it has built is not built once more, which takes ten times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
exec Scripts/build.sh --package-path Examples --scratch-path "$PWD/.build" "$@"
