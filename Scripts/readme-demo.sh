#!/usr/bin/env bash
# Puts what the demo prints into README.md. What differs from run to run (port, folder, day,
# fingerprint) is as it was in this one.
set -euo pipefail
cd "$(dirname "$0")/.."

output=$(.build/debug/openstore demo --yes)
DEMO="$output" python3 - <<'PYTHON'
import os, re
text = open("README.md", encoding="utf-8").read()
block = "<!-- demo -->\n```text\n" + os.environ["DEMO"].strip("\n") + "\n```\n<!-- end -->"
text = re.sub(r"<!-- demo -->.*?<!-- end -->", lambda _: block, text, flags=re.S)
open("README.md", "w", encoding="utf-8").write(text)
PYTHON
