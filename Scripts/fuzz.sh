#!/usr/bin/env bash
# Gives whatever reads bytes from outside changed ones, FUZZ_SECONDS for each target (45), and fails
# where one crashes, answers wrongly, takes too much memory, or does not come back. FUZZ_JOBS targets
# run at once (one for each processor).
# `fuzz.sh package launch` runs these targets; `fuzz.sh --check` only looks whether all compile, with
# the modules of the tests' build. What was found lies in .build/fuzz/found and is run
# again with
#   .build/fuzz/package FILE
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-45}
jobs=${FUZZ_JOBS:-$(nproc)}
scratch=.build/fuzz
# What the targets write, in memory.
temporary=$(mktemp -d -p /dev/shm openstore-fuzz.XXXXXX)
trap 'rm -rf "$temporary"' EXIT
# A process of libFuzzer reads so many inputs; Foundation loses some bytes with each broken property
# list.
round=500000
flags=(--scratch-path "$scratch/build" -c release -Xswiftc -sanitize=fuzzer
    -Xswiftc -enable-testing)

framework="StoreKit StoreKernel StoreDelivery StoreSecurity StoreTransport StoreTexts StoreWire StoreModel CStoreKitEnums CStoreReceiptURL
    CStoreTexts"
store="StoreServer StoreAPI StoreBackup StoreContent StoreCore StoreDatabase StoreFeed StoreHTTP StorePackage
    StorePages StorePictures StoreMetadata CStorePages CStoreDescriptions CStoreSchema"
authority="SampleAuthority SampleKeys"
# The name; the megabytes that it may take; its sources beside NAMEFuzz and Fuzzing; its modules.
targets=(
    "package  |  256 | | StorePackageSamples StorePackage StoreMetadata StoreModel StoreKernel"
    "app      |  256 | | StorePackageSamples StorePackage StoreMetadata StoreModel StoreKernel"
    "manifest |  256 | | StoreDelivery StoreSecurity StoreModel StoreKernel"
    "metadata |  256 | | StoreMetadata StoreModel StoreKernel"
    "receipt  |  256 | $authority | StoreSecurity StoreKernel"
    "statement|  512 | $authority | $framework"
    "device   |  512 | FuzzDevice ProductGlance SampleAnswers $authority | $framework"
    "state    |  512 | FuzzDevice SampleAnswers $authority | $framework"
    "launch   |  512 | FuzzDevice ProductGlance SampleAnswers $authority | $framework"
    "header   |  256 | $authority | $framework StoreHTTP"
    "customer |  512 | FuzzDevice SampleAnswers $authority | StoreKitTest StoreCommands $store
        $framework"
    "text     |  512 | | StoreCommands $store $framework"
    "request  | 1024 | | StoreTestSupport StorePackageSamples $store $framework"
    "backend  |  512 | FuzzSocket $authority | $store $framework"
    "picture  | 1024 | | StorePictures StoreCore StoreDatabase CStoreSchema StoreModel StoreKernel"
)

map_flags() {
    local map flag
    maps=()
    for map in Sources/System/*/module.modulemap "$1"/CStore*.build/module.modulemap; do
        maps+=(-Xcc "-fmodule-map-file=$map")
    done
    for flag in $(pkg-config --cflags libpq); do maps+=(-Xcc "$flag"); done
}

# fuzz_sources NAME SOURCES
fuzz_sources() {
    local source
    sources=("Fuzz/${1^}Fuzz.swift" Fuzz/Fuzzing.swift)
    for source in $2; do
        sources+=("$(find Fuzz Tests/Support/StoreFuzzSeeds -name "$source.swift")")
    done
}

if [ "${1:-}" = --check ]; then
    products=$(swift build -c debug --show-bin-path)
    package=$(Scripts/package-name.sh .build/debug.yaml)
    map_flags "$products"
    failed=0
    for target in "${targets[@]}"; do
        IFS='|' read -r name _ more _ <<<"${target//$'\n'/ }"
        name=${name// /}
        fuzz_sources "$name" "$more"
        swiftc -typecheck -swift-version 6 -parse-as-library -package-name "$package" \
            -module-name "${name^}Fuzz" -I "$products/Modules" "${maps[@]}" "${sources[@]}" ||
            failed=1
    done
    exit "$failed"
fi

chosen=()
needed=()
for target in "${targets[@]}"; do
    IFS='|' read -r name megabytes sources modules <<<"${target//$'\n'/ }"
    name=${name// /}
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    chosen+=("$target")
    for module in $modules; do
        [[ " ${needed[*]} " == *" $module "* ]] || needed+=("$module")
    done
done

# Only modules: a program of ours would have two beginnings.
for module in "${needed[@]}"; do
    swift build "${flags[@]}" --target "$module" 2>&1 | grep -vE '^\[|^Build|^$' || true
done
Scripts/build.sh --product StoreFuzzSeeds 2>&1 | grep -vE '^\[|^Build|^$' || true
rm -rf "$scratch/seeds"
"$(swift build -c debug --show-bin-path)/StoreFuzzSeeds" "$scratch/seeds"

products=$(swift build "${flags[@]}" --show-bin-path)
package=$(Scripts/package-name.sh "$scratch/build/release.yaml")
map_flags "$products"
libraries=(-Xlinker --as-needed -larchive -lz -lzstd -lcrypto -lssl -lexpat -lcurl -lsqlite3 -lpq
    -lmicrohttpd -lgd)

# module_objects FOLDER: without those of sources that are gone, whose objects stay.
module_objects() {
    if [ -f "$1/output-file-map.json" ]; then
        grep -oE '"object": *"[^"]+\.o"' "$1/output-file-map.json" | cut -d'"' -f4 |
            while read -r object; do [ ! -f "$object" ] || echo "$object"; done
    else
        find "$1" -name '*.o'
    fi
}

# link NAME SOURCES MODULES
link() {
    local objects=() name
    fuzz_sources "$1" "$2"
    for name in $3; do
        mapfile -t -O "${#objects[@]}" objects < <(module_objects "$products/$name.build")
    done
    swiftc -O -swift-version 6 -parse-as-library -sanitize=fuzzer -package-name "$package" \
        -module-name "${1^}Fuzz" -I "$products/Modules" "${maps[@]}" \
        "${sources[@]}" "${objects[@]}" "${libraries[@]}" -o "$scratch/$1"
}

# figure NAME FIGURE: a number of libFuzzer's at the end of the log.
figure() {
    grep -aoE "$2: *[0-9]+" "$scratch/$1.log" | grep -oE '[0-9]+$' || echo 0
}

# run NAME MEGABYTES: in rounds, until the seconds are over.
run() {
    local end=$((SECONDS + seconds)) runs=0 peak=0 most
    mkdir -p "$scratch/corpus/$1" "$scratch/seeds/$1"
    while ((SECONDS < end)); do
        # The runtime's own report of a crash would take the signal by which libFuzzer keeps the
        # input.
        TMPDIR="$temporary" SWIFT_BACKTRACE=enable=no "$scratch/$1" -runs="$round" \
            -max_total_time=$((end - SECONDS)) -max_len=65536 -timeout=5 -rss_limit_mb="$2" \
            -detect_leaks=0 -artifact_prefix="$scratch/found/$1-" -print_final_stats=1 \
            "$scratch/corpus/$1" "$scratch/seeds/$1" >"$scratch/$1.log" 2>&1 || return 1
        runs=$((runs + $(figure "$1" number_of_executed_units)))
        most=$(figure "$1" peak_rss_mb)
        peak=$((most > peak ? most : peak))
    done
    echo "fuzz: $1 held for $runs inputs in $seconds seconds, with at most $peak MB"
}

mkdir -p "$scratch/found"
for target in "${chosen[@]}"; do
    IFS='|' read -r name megabytes sources modules <<<"${target//$'\n'/ }"
    link "${name// /}" "$sources" "$modules"
done

# try NAME MEGABYTES: runs it and says what failed.
try() {
    run "$@" && return
    tail -n 40 "$scratch/$1.log" >&2
    echo "fuzz: $1 failed; see $scratch/$1.log" >&2
    return 1
}

failed=0
running=0
for target in "${chosen[@]}"; do
    if ((running == jobs)); then
        wait -n || failed=1
        running=$((running - 1))
    fi
    IFS='|' read -r name megabytes _ _ <<<"${target//$'\n'/ }"
    try "${name// /}" "${megabytes// /}" &
    running=$((running + 1))
done
while ((running > 0)); do
    wait -n || failed=1
    running=$((running - 1))
done
exit "$failed"
