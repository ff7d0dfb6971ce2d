#!/usr/bin/env bash
# Gives a running store requests that schemathesis (schemathesis.io) makes of its descriptions:
# right ones, wrong ones, and what nobody would think of. APPLE_OPENAPI=FILE does the same with
# Apple's own description of App Store Connect's API, for the paths that the store serves. Then lets
# the libraries that backends use speak to a store, unmodified (Tests/ServerClients).
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/server-clients.sh
folder=$PWD/.build/test-api
Scripts/build.sh --product openstore
PYTHONDONTWRITEBYTECODE=1 "$folder/venv/bin/python" Scripts/test_api.py .build/debug/openstore \
    "$folder" ${APPLE_OPENAPI:+"$APPLE_OPENAPI"}
PYTHONDONTWRITEBYTECODE=1 "$folder/venv/bin/python" Tests/ServerClients/run.py
# The sample of a backend that tests itself.
OPENSTORE=$PWD/.build/debug/openstore PYTHONDONTWRITEBYTECODE=1 "$folder/venv/bin/python" -m pytest \
    -q -p no:cacheprovider --rootdir Examples/Backends Examples/Backends
.build/debug/openstore test Examples/Backends/Shop.storekit --quiet -- Examples/Backends/smoke.sh
