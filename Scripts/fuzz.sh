#!/usr/bin/env bash
# Gives the readers of packages, manifests, metadata, receipts and signed statements changed bytes,
# FUZZ_SECONDS each (45), and fails where one crashes, takes more than 256 MB, or does not come back. `fuzz.sh package`
# runs one of them. What was found lies in .build/fuzz/found and is run again with
#   .build/fuzz/package FILE
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-45}
scratch=.build/fuzz
flags=(--scratch-path "$scratch/build" -c release -Xswiftc -sanitize=fuzzer)

# Only modules: a program of ours would have two beginnings.
for target in StorePackageSamples StoreDelivery StoreSheets; do
    swift build "${flags[@]}" --target "$target" 2>&1 | grep -vE '^\[|^Build|^$' || true
done
Scripts/build.sh --product StoreFuzzSeeds 2>&1 | grep -vE '^\[|^Build|^$' || true
"$(swift build -c debug --show-bin-path)/StoreFuzzSeeds" "$scratch/seeds"

products=$(swift build "${flags[@]}" --show-bin-path)
package=$(grep -oE '"-package-name","[^"]*"' "$scratch/build/release.yaml" | head -n 1 |
    cut -d'"' -f4)
maps=()
for map in Sources/System/*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done

# link NAME SOURCES MODULE... -- LIBRARY...
link() {
    local name=$1 sources=($2) objects=()
    shift 2
    while [ "$1" != -- ]; do
        objects+=("$products/$1.build"/*.o)
        shift
    done
    shift
    swiftc -O -swift-version 6 -parse-as-library -sanitize=fuzzer -package-name "$package" \
        -module-name "${name^}Fuzz" -I "$products/Modules" "${maps[@]}" \
        "${sources[@]}" "${objects[@]}" "$@" -o "$scratch/$name"
}
link package Fuzz/PackageFuzz.swift StorePackageSamples StorePackage StoreModel -- -larchive -lz
link manifest Fuzz/ManifestFuzz.swift StoreDelivery StoreSecurity StoreModel -- -lzstd -lcrypto
link sheet Fuzz/SheetFuzz.swift StoreSheets StoreModel -- -lexpat
seeds=Tests/Support/StoreFuzzSeeds
authority="$seeds/SampleAuthority.swift $seeds/SampleKeys.swift"
link receipt "Fuzz/ReceiptFuzz.swift $authority" StoreSecurity -- -lcrypto
link statement "Fuzz/StatementFuzz.swift $authority" StoreSecurity -- -lcrypto

mkdir -p "$scratch/found"
for name in package manifest sheet receipt statement; do
    [ $# -eq 0 ] || [ "$1" = "$name" ] || continue
    mkdir -p "$scratch/corpus/$name"
    if ! "$scratch/$name" -max_total_time="$seconds" -max_len=65536 -timeout=5 \
        -rss_limit_mb=256 -detect_leaks=0 -artifact_prefix="$scratch/found/$name-" \
        -print_final_stats=1 "$scratch/corpus/$name" "$scratch/seeds/$name" \
        >"$scratch/$name.log" 2>&1; then
        tail -n 40 "$scratch/$name.log" >&2
        echo "fuzz: $name failed; see $scratch/$name.log" >&2
        exit 1
    fi
    runs=$(grep -oE 'number_of_executed_units: *[0-9]+' "$scratch/$name.log" | grep -oE '[0-9]+')
    peak=$(grep -oE 'peak_rss_mb: *[0-9]+' "$scratch/$name.log" | grep -oE '[0-9]+')
    echo "fuzz: $name held for $runs inputs in $seconds seconds, with at most $peak MB"
done
