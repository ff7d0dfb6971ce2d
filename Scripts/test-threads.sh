#!/usr/bin/env bash
# test-threads.sh [FILTER]: runs the framework's tests, or those that the filter names, under the thread
# sanitizer, in a build of its own; fails for every report. TEST_STRESS_SECONDS says for how long
# eight threads use the public interface (10). Filters of other suites need TEST_TARGETS with their
# names.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/threads
reports=$PWD/$scratch/reports
export TEST_TARGETS=${TEST_TARGETS-StoreKitTests}
DEBUG_INFO=dwarf Scripts/build.sh --build-tests --sanitize=thread --scratch-path "$scratch" --quiet
mutex=$PWD/$scratch/thread_mutex.so
clang -shared -fPIC -O1 -Wall -Werror -D_GNU_SOURCE -o "$mutex" Scripts/thread_mutex.c
rm -f "$reports".*
export TEST_STRESS_SECONDS=${TEST_STRESS_SECONDS:-10}
# Reports go to a file for each process; the tests' own outcome is the exit code.
LD_PRELOAD=$mutex TSAN_OPTIONS="log_path=$reports exitcode=0" swift test --skip-build --parallel \
    --sanitize=thread --scratch-path "$scratch" --filter "${1:-^StoreKitTests\.}"
if compgen -G "$reports.*" >/dev/null; then
    cat "$reports".* >&2
    echo "threads: the sanitizer reports $(cat "$reports".* | grep -c '^WARNING')" >&2
    exit 1
fi
echo "threads: nothing reported"
