#!/usr/bin/env bash
# Uses the store's pages in a real browser; screenshots of them land in .build/browser.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh browser
flags=(--explicit-target-dependency-import-check error)
swift build "${flags[@]}" --product openstore
swift build "${flags[@]}" --product StoreTestApp
PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover --start-directory Tests/BrowserTests "$@"
echo "browser: screenshots are in .build/browser"
