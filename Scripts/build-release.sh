#!/usr/bin/env bash
# Builds openstore as packages have it, with optimization and Swift's libraries inside, and prints where
# it is.
set -euo pipefail
cd "$(dirname "$0")/.."

# It looks for no library beside itself, and for all functions before it begins.
flags=(-c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now)
swift build --product openstore "${flags[@]}" >&2
echo "$(swift build "${flags[@]}" --show-bin-path)/openstore"
