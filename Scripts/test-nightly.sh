#!/usr/bin/env bash
# test-nightly.sh [SEED]: what is too long for each change, with other random seeds each time. The seed is the
# day's number unless it is given, is printed first, and repeats the run. A step that fails does not
# keep the others from running.
set -uo pipefail
cd "$(dirname "$0")/.."

seed=${1:-$(($(date +%s) / 86400))}
failed=()
step() {
    local name=$1
    shift
    echo "nightly: $name"
    "$@" || failed+=("$name: $*")
}

echo "nightly: seed $seed; Scripts/test-nightly.sh $seed repeats it"
export TEST_SEED=$((seed * 10000))
step 'state machine, 5,000 runs' env TEST_RUNS=5000 Scripts/test.py StoreKitStateTests
step 'downloads, 1,000 of them' env TEST_DOWNLOADS=1000 TEST_HANG=7200 \
    Scripts/test.py EndToEndTests.DownloadFaults
step 'downloads, app and agent killed, 500 of them' env TEST_DOWNLOADS=500 TEST_HANG=7200 \
    Scripts/test.py EndToEndTests.AgentFaults
step 'an app of 200 MB, updated' env TEST_APP_BYTES=200000000 TEST_HANG=7200 \
    Scripts/test.py EndToEndTests.AppInstalls
step 'a million requests' env TEST_REQUESTS=1000000 TEST_HANG=7200 \
    Scripts/test.py StoreServerTests.GeneratedRequestTests
step 'every scalar, hostile terms, ten thousand restored transactions' \
    env TEST_EXHAUSTIVE=1 TEST_TERMS=2000 TEST_TRANSACTIONS=10000 \
    Scripts/test.py StoreCoreTests.SearchTextTests DriverContractTests.HostileTerm StoreKitTests.Restoring
step 'a thousand test sessions' env TEST_SESSIONS=1000 TEST_HANG=7200 \
    Scripts/test.py StoreKitTestTests.SessionTests
step 'deaths at each moment' env TEST_EXHAUSTIVE=1 Scripts/test.py EndToEndTests.Uploads
step 'eight threads, ten minutes under the thread sanitizer' env TEST_STRESS_SECONDS=600 \
    Scripts/test-threads.sh '^StoreKitTests\.ManyThreads'
step 'fault test, ten minutes' Scripts/test-faults.sh 600 --seed "$seed"
step 'fault test of a cluster, ten minutes' Scripts/test-faults.sh 600 --seed "$seed" --cluster
step 'release' make test-release
step 'package in a clean root' make test-package
step 'cluster' make test-cluster
step 'planted faults' make test-faults-planted
# The corpus stays in .build/fuzz, and grows from night to night.
step 'fuzzing' env FUZZ_SECONDS=900 make fuzz

if [ ${#failed[@]} -gt 0 ]; then
    printf 'nightly: failed with seed %s: %s\n' "$seed" "${failed[@]}" >&2
    exit 1
fi
echo "nightly: everything held with seed $seed"
