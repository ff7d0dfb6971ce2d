#!/usr/bin/env bash
# Builds the samples and a store that sells the bookshop and a magazine to them, with a storefront to
# browse, and runs the store until Control-C. What was bought is kept for the next time, in Examples/.build/shop.
set -euo pipefail
cd "$(dirname "$0")/.."

address=127.0.0.1:${1:-8080}
samples=Examples/.build/debug
export OPENSTORE_DATA=Examples/.build/shop

swift build --product openstore
swift build --package-path Examples
openstore=.build/debug/openstore

$openstore catalog import Examples/Bookshop/Bookshop.storekit --content Examples/Bookshop/Content
$openstore catalog import Examples/Subscriptions/Magazine.storekit
$openstore item import Examples/Bookshop/Shop/items.jsonl
if [ ! -e $OPENSTORE_DATA/testers ]; then
    $openstore tester create --email ada@example.com --password correct-horse --storefront USA
    $openstore tester create --email haruki@example.com --password correct-horse --storefront JPN
    touch $OPENSTORE_DATA/testers
fi
$openstore profile create --bundle-id com.example.bookshop --data "$OPENSTORE_DATA" \
    --store "http://$address" -o $samples/embedded.storeprofile
$openstore profile create --bundle-id com.example.magazine --data "$OPENSTORE_DATA" \
    --store "http://$address" -o $samples/magazine.storeprofile
echo "The storefront is at http://$address/us"
exec $openstore serve --listen "$address" --no-request-log
