#!/usr/bin/env bash
# Builds for release and measures; Benchmarks/README.md gets the tables. `bench.sh store`,
# `bench.sh client`, `bench.sh content`, `bench.sh connect` and `bench.sh storefront` measure one
# part.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1:-}
# What only the client's part measures needs no load generator.
if [ "$part" = client ]; then Scripts/setup.sh; else Scripts/setup.sh bench; fi
swift build -c release --product openstore --explicit-target-dependency-import-check error
# SwiftPM would not see files that were added to the package beside this one since the last time.
rm -f Benchmarks/.build/release.yaml
swift build -c release --package-path Benchmarks
work="$PWD/Benchmarks/.build/work"
cd Benchmarks
.build/release/StoreBench "$OLDPWD/.build/release/openstore" "$work" "${SECONDS_EACH:-5}" $part
