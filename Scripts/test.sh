#!/usr/bin/env bash
# Builds everything once and runs every suite.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests --explicit-target-dependency-import-check error
swift build --package-path Examples --build-tests --explicit-target-dependency-import-check error
Scripts/check-linking.sh
swift test --skip-build --parallel
# The samples, with customers at a terminal and the store that was built above.
OPENSTORE="$PWD/.build/debug/openstore" swift test --package-path Examples --skip-build
