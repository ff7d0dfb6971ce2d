#!/usr/bin/env bash
# Publishes another version of the first chapter in the shop of open-shop.sh, which may be
# running: new-version.sh 1.1
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?which version, such as 1.1}
chapter=com.example.bookshop.chapter1
content=$(mktemp -d)
trap 'rm -rf "$content"' EXIT
cp -r Examples/Bookshop/Content/$chapter "$content/"
sed -i "s/>1\.0</>$version</" "$content/$chapter/ContentInfo.plist"
echo "This is version $version." >>"$content/$chapter/Contents/chapter.txt"
OPENSTORE_DATA=Examples/.build/shop .build/debug/openstore catalog import \
    Examples/Bookshop/Bookshop.storekit --content "$content"
