#!/usr/bin/env bash
# Compares the public interfaces of the framework with those that are checked in under api/,
# and the table of Apple's symbols with the module. `check-interface.sh --write` brings both
# up to date instead.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=(StoreKit StoreKitTest StoreFoundationAdditions)
for module in "${modules[@]}"; do
    Scripts/build.sh --quiet --target "$module"
done

built=.build/debug
work=.build/interface
rm -rf "$work"
mkdir -p "$work/graph"
target=$(swiftc -print-target-info | python3 -c \
    'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
# Package declarations need that name.
package=$(Scripts/package-name.sh .build/debug.yaml)
flags=(-I "$built/Modules")
for module in CStoreDescriptions CStoreKitEnums CStorePages CStoreReceiptURL CStoreSchema CStoreTexts; do
    flags+=(-Xcc "-fmodule-map-file=$built/$module.build/module.modulemap")
done
for map in Sources/System/*/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
for flag in $(pkg-config --cflags libpq); do flags+=(-Xcc "$flag"); done

for module in "${modules[@]}"; do
    find "Sources/Client/$module" -name '*.swift' | LC_ALL=C sort >"$work/sources"
    # As a whole: otherwise each file pays for all that it imports, six times the work.
    if ! swiftc -typecheck -whole-module-optimization -suppress-warnings -swift-version 6 \
        -module-name "$module" \
        -package-name "$package" "${flags[@]}" \
        -emit-module-interface-path "$work/$module.raw.swiftinterface" \
        "@$work/sources" 2>"$work/errors"; then
        echo "interface: the interface of $module can't be made:" >&2
        cat "$work/errors" >&2
        exit 1
    fi
done
# The table has the symbols of these.
for module in StoreKit CStoreKitEnums; do
    swift-symbolgraph-extract -module-name "$module" -target "$target" "${flags[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$work/graph" \
        >/dev/null
done

exec python3 Scripts/interface.py "$work" "$@"
