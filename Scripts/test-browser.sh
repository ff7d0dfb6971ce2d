#!/usr/bin/env bash
# Uses the store's pages in a real browser; screenshots of them land in .build/browser.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh browser
Scripts/build.sh --product openstore
Scripts/build.sh --product StoreTestApp

# axe-core, as PyPI carries it: one file, which pages are looked at with.
if [ ! -f .build/axe/axe_selenium_python/node_modules/axe-core/axe.min.js ]; then
    python3 -m venv .build/browser-python
    echo "axe-selenium-python==2.1.6 --hash=sha256:21d10014c0bc3c999c1bfab54b9ef6a5d67f200ffca3db3629e0b315b3f1f136" >.build/browser-python/axe.txt
    .build/browser-python/bin/pip install --quiet --no-deps --require-hashes --target .build/axe \
        --requirement .build/browser-python/axe.txt
fi
run() {
    PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover --start-directory Tests/BrowserTests "$@"
}
if [ $# -gt 0 ]; then
    run "$@"
else
    # The hostile texts take as long as all others, and a browser keeps one processor busy.
    log=.build/browser-hostile.log
    run --pattern 'test_hostile.py' >"$log" 2>&1 &
    hostile=$!
    failed=0
    run --pattern 'test_[!h]*.py' || failed=1
    wait "$hostile" || failed=1
    cat "$log"
    [ "$failed" = 0 ]
fi
echo "browser: screenshots are in .build/browser"
