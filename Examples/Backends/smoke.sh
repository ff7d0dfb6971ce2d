#!/usr/bin/env bash
# A test in the shell: openstore test Shop.storekit -- ./smoke.sh
set -euo pipefail

control=$(jq -r .control <<<"$OPENSTORE_TEST")

ask() { # METHOD PATH [BODY]
    curl --fail-with-body -sS -X "$1" "$control$2" -H 'Content-Type: application/json' ${3:+-d "$3"}
}

bought=$(ask POST /v1/purchases '{"productId": "com.example.shop.monthly"}')
id=$(jq -r '.transactions[-1].transactionId' <<<"$bought")
renewed=$(ask POST /v1/clock '{"advance": 2678400}')
refunded=$(ask POST "/v1/transactions/$id/refund")

test "$(jq '.transactions | length' <<<"$renewed")" = 2
test "$(jq --arg id "$id" '.transactions[] | select(.transactionId == $id) | .revocationDate != null' \
    <<<"$refunded")" = true
echo "bought $id, renewed once, refunded"
