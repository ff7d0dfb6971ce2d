#!/usr/bin/env bash
# Runs the framework's tests under the thread sanitizer, in a build of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/threads
reports=$PWD/$scratch/reports
swift build --build-tests --sanitize=thread --scratch-path "$scratch" --quiet \
    --explicit-target-dependency-import-check error
rm -f "$reports".*
TSAN_OPTIONS="log_path=$reports exitcode=0" swift test --skip-build --parallel \
    --sanitize=thread --scratch-path "$scratch" --filter '^StoreKitTests\.'
python3 Scripts/thread_reports.py "$reports".*
