#!/usr/bin/env bash
# Builds for release and measures; Benchmarks/README.md gets the table.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh bench
swift build -c release --product openstore --explicit-target-dependency-import-check error
swift build -c release --package-path Benchmarks
work="$PWD/Benchmarks/.build/work"
cd Benchmarks
.build/release/StoreBench "$OLDPWD/.build/release/openstore" "$work" "${SECONDS_EACH:-5}"
