#!/usr/bin/env bash
# Puts what Scripts/test-api-requirements.txt lists into .build/test-api/venv: the programs that ask
# the store as Apple's servers are asked.
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
