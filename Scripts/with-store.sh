#!/bin/sh
# with-store.sh COMMAND...: runs a command beside a fresh store that listens on a free port.
set -eu

folder=$(mktemp -d)
export OPENSTORE_DATA="$folder/store" OPENSTORE_PROFILE="$folder/embedded.storeprofile"
export XDG_STATE_HOME="$folder/state" XDG_CACHE_HOME="$folder/cache"
export XDG_CONFIG_HOME="$folder/config"

openstore catalog import Examples/Bookshop/Bookshop.storekit \
    --content Examples/Bookshop/Content --bundle-id com.example.bookshop
openstore tester create --email ada@example.com --password correct-horse --storefront USA

: >"$folder/banner"
openstore serve --listen 127.0.0.1:0 --no-request-log >"$folder/banner" &
store=$!
trap 'kill $store; wait $store || true; rm -rf "$folder"' EXIT
until address=$(grep -o 'http://[0-9.:]*$' "$folder/banner"); do
    kill -0 $store
    sleep 0.1
done

openstore profile create --bundle-id com.example.bookshop --store "$address" \
    -o "$OPENSTORE_PROFILE"
"$@"
