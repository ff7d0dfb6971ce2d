#!/usr/bin/env bash
# Gives a running store requests that schemathesis (schemathesis.io) makes of its descriptions:
# right ones, wrong ones, and what nobody would think of. APPLE_OPENAPI=FILE does the same with
# Apple's own description of App Store Connect's API, for the paths that the store serves.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh api
folder=$PWD/.build/test-api
requirements=Scripts/test-api-requirements.txt
if ! cmp -s "$requirements" "$folder/venv/requirements.txt"; then
    rm -rf "$folder/venv"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$folder/venv/requirements.txt"
fi
swift build --explicit-target-dependency-import-check error --product openstore
PYTHONDONTWRITEBYTECODE=1 "$folder/venv/bin/python" Scripts/test_api.py .build/debug/openstore \
    "$folder" ${APPLE_OPENAPI:+"$APPLE_OPENAPI"}
