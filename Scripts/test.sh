#!/usr/bin/env bash
# Builds everything once and runs every suite: those that keep both processors busy by
# themselves one after the other, the rest together.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/s3-server.sh
swift build --build-tests --explicit-target-dependency-import-check error
swift build --package-path Examples --build-tests --explicit-target-dependency-import-check error
Scripts/check-linking.sh
# What lint could not look at: the libraries of the program.
Scripts/check-deployment.sh

# Clients of a store whose processes, disk and network fail, for a minute. They wait most of the time,
# and the state machine beside them measures none.
Scripts/test-faults.sh 60 --seed 1 >.build/faults.log 2>&1 &
faults=$!
trap 'kill "$faults" 2>/dev/null || true' EXIT
swift test --skip-build --parallel --filter '^StoreKitStateTests\.'
failed=0
wait "$faults" || failed=$?
trap - EXIT
cat .build/faults.log
[ "$failed" -eq 0 ]

# Those that measure time or memory, start hundreds of processes, or wait on sockets: too many
# at once keep each other waiting. Before the others of their module.
alone=('^StoreKitTests\.' '^EndToEndTests\.DownloadFaults'
    '^EndToEndTests\.HostilePackageTests' '^EndToEndTests\.' '^StoreHTTPTests\.'
    '^StoreAPITests\.' '^StorePagesTests\.' '^StoreServerTests\.')
rest=(--skip '^StoreKitStateTests\.')
for suite in "${alone[@]}"; do
    swift test --skip-build --parallel --filter "$suite" "${rest[@]}"
    rest+=(--skip "$suite")
done
swift test --skip-build --parallel "${rest[@]}"
# The samples, with customers at a terminal and the store that was built above.
OPENSTORE="$PWD/.build/debug/openstore" swift test --package-path Examples --skip-build
# What the article on testing shows: an app's own tests, beside a store of their own.
PATH="$PWD/.build/debug:$PATH" Scripts/with-store.sh \
    swift test --skip-build --filter StoreKitSourceTests.PurchaseTests 2>&1 |
    tee .build/purchase-tests.log
# A filter that finds nothing passes too.
grep -q 'Suite PurchaseTests passed' .build/purchase-tests.log
