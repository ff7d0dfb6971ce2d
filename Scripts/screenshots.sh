#!/usr/bin/env bash
# Takes the pictures of the store's pages that the documentation shows.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh browser
Scripts/build.sh --product openstore
PYTHONDONTWRITEBYTECODE=1 python3 Tests/BrowserTests/screenshots.py Documentation/Images
