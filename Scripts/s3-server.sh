#!/usr/bin/env bash
# Puts what Scripts/s3-server-requirements.txt lists into .build/s3-server/venv: a server that
# speaks S3's protocol, which tests start.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh api
folder=$PWD/.build/s3-server
requirements=Scripts/s3-server-requirements.txt
if ! cmp -s "$requirements" "$folder/venv/requirements.txt"; then
    rm -rf "$folder/venv"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$folder/venv/requirements.txt"
fi
