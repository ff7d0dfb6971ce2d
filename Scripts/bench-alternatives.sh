#!/usr/bin/env bash
# Puts what Scripts/bench-alternatives-requirements.txt lists into .build/alternatives/venv: the shop
# that the store is measured beside.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh api
folder=$PWD/.build/alternatives
requirements=Scripts/bench-alternatives-requirements.txt
if ! cmp -s "$requirements" "$folder/venv/requirements.txt"; then
    rm -rf "$folder/venv"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$folder/venv/requirements.txt"
fi
