#!/usr/bin/env bash
# Builds for release and measures; Benchmarks/README.md gets the tables. `bench.sh store`,
# `bench.sh renewals`, `bench.sh scale`, `bench.sh growth`, `bench.sh alternatives`, `bench.sh client`, `bench.sh
# content`, `bench.sh connect`, `bench.sh storefront`, `bench.sh servers`, `bench.sh signing` and
# `bench.sh sessions` measure one part; `bench.sh soak` takes hours, and is no part of all.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1:-}
# What only these parts measure needs no load generator.
case "$part" in
client | signing | sessions) Scripts/setup.sh ;;
*) Scripts/setup.sh bench ;;
esac
swift build -c release --product openstore --explicit-target-dependency-import-check error
if [ -z "$part" ] || [ "$part" = servers ]; then
    Scripts/server-clients.sh
    OPENSTORE_PROGRAMS="$PWD/.build/release" .build/test-api/venv/bin/python Benchmarks/servers.py
    if [ "$part" = servers ]; then exit; fi
fi
case "$part" in
'' | signing) swift build -c release --product StoreSigningBench ;;
esac
case "$part" in
'' | alternatives)
    Scripts/bench-alternatives.sh
    export OSCAR_PROGRAMS="$PWD/.build/alternatives/venv/bin"
    ;;
esac
# SwiftPM would not see files that were added to the package beside this one since the last time.
rm -f Benchmarks/.build/release.yaml
swift build -c release --package-path Benchmarks
work="$PWD/Benchmarks/.build/work"
cd Benchmarks
.build/release/StoreBench "$OLDPWD/.build/release/openstore" "$work" "${SECONDS_EACH:-5}" $part
