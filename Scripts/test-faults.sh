#!/usr/bin/env bash
# test-faults.sh [SECONDS [OPTION...]]: many clients use the store that was built, while processes,
# disk and network fail; what they were told is then compared with what the store has. `--seed N`
# does the same again, Tests/Faults/run.py --help tells the other options.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ " $* " == *" --cluster "* ]]; then
    Scripts/setup.sh cluster
    Scripts/s3-server.sh
fi
python3 Tests/Faults/test_checker.py --quiet
exec python3 Tests/Faults/run.py --seconds "${1:-600}" "${@:2}"
