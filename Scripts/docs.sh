#!/usr/bin/env bash
# Builds the documentation of StoreKit into .build/docs: the catalog and what the sources say.
# A warning fails it.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/build.sh --quiet --target StoreKit

built=.build/debug
graph=.build/docs-graph
output=.build/docs
rm -rf "$graph" "$output"
mkdir -p "$graph"
target=$(swiftc -print-target-info | python3 -c \
    'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
flags=(-I "$built/Modules")
for module in CStoreKitEnums CStoreReceiptURL CStoreTexts; do
    flags+=(-Xcc "-fmodule-map-file=$built/$module.build/module.modulemap")
done
for map in Sources/System/*/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
# Apple's enums come from a C module, which apps see as part of StoreKit. Swift's tool has them
# without their comments, clang's with them, under the same identifiers.
swift-symbolgraph-extract -module-name StoreKit -target "$target" "${flags[@]}" \
    -minimum-access-level public -skip-synthesized-members \
    -experimental-allowed-reexported-modules=CStoreKitEnums -output-dir "$graph" >/dev/null
clang -extract-api --product-name=CStoreKitEnums -x c-header \
    "$PWD/Sources/Client/CStoreKitEnums/include/CStoreKitEnums.h" -o "$graph.enums.json"
python3 - "$graph/StoreKit.symbols.json" "$graph.enums.json" <<'END'
import json
import sys

graph, enums = (json.load(open(file)) for file in sys.argv[1:])
comments = {
    symbol["identifier"]["precise"]: symbol["docComment"]
    for symbol in enums["symbols"] if "docComment" in symbol
}
found = 0
for symbol in graph["symbols"]:
    comment = comments.get(symbol["identifier"]["precise"])
    if comment:
        symbol["docComment"] = comment
        found += 1
if not found:
    sys.exit("docs: no comment of the enums belongs to a symbol of StoreKit")
json.dump(graph, open(sys.argv[1], "w"))
END

# The manifest in the articles is one that SwiftPM reads.
swift package --package-path Tests/StoreKitSourceTests/Documentation/Manifest \
    dump-package >/dev/null

# The tags of Scripts/test-documents.py are none of the language's name, which colours a block.
catalog=.build/docs-catalog/StoreKit.docc
rm -rf "$catalog"
mkdir -p "$(dirname "$catalog")"
cp -r Sources/Client/StoreKit/StoreKit.docc "$catalog"
find "$catalog" -name '*.md' -exec sed -i -E 's/^( *```(sh|http)) \[.*\]$/\1/' {} +

docc convert "$catalog" --additional-symbol-graph-dir "$graph" \
    --fallback-display-name StoreKit --fallback-bundle-identifier org.openstorekit.StoreKit \
    --warnings-as-errors --output-path "$output"

echo "The documentation is in $output. To read it:"
echo "  python3 -m http.server --bind 127.0.0.1 --directory $output 8000"
echo "and open http://127.0.0.1:8000/documentation/storekit/"
