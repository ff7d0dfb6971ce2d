#!/usr/bin/env bash
# Builds openstore and openstore-downloads as packages have them, with optimization and Swift's libraries
# inside, and prints where the first is; the second is beside it.
set -euo pipefail
cd "$(dirname "$0")/.."

# It looks for no library beside itself, and for all functions before it begins.
flags=(-c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now)
for product in openstore openstore-downloads; do swift build --product "$product" "${flags[@]}" >&2; done
echo "$(swift build "${flags[@]}" --show-bin-path)/openstore"
