#!/usr/bin/env bash
# An app links what it needs: no SQL, no HTTP server, no archive library.
set -euo pipefail
cd "$(dirname "$0")/.."

for app in StoreTestApp openstore-downloads Consumables HostedNonConsumables ProductView Subscriptions; do
    libraries=$(ldd ".build/debug/$app")
    if found=$(grep -E 'libsqlite3|libpq|libmicrohttpd|libarchive' <<<"$libraries"); then
        echo "$app, which uses StoreKit only, links what an app must not need:" >&2
        echo "$found" >&2
        exit 1
    fi
done
echo "linking: an app with StoreKit links no SQL, HTTP server or archive library"
