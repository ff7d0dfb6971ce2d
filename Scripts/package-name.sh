#!/usr/bin/env bash
# package-name.sh MANIFEST: the name by which modules know that they are of one package, as the build with
# this manifest (.build/debug.yaml) gives it: SwiftPM makes it of the folder's name. Samples that were
# built into the same folder are another package.
set -euo pipefail
grep -m1 '"-module-name","StoreModel"' "$1" | grep -om1 '"-package-name","[^"]*"' | cut -d'"' -f4
