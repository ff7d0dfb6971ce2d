#!/usr/bin/env python3
"""Writes Documentation/Backends/NotificationPayloads.md: a payload for each type of notification,
as a publisher's server got it from a running store. Takes twenty minutes, and needs openssl.

It starts a store, lets testers subscribe, cancel, fail to pay and ask for refunds, and keeps the first
payload of each type and subtype.
"""

import base64
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from store import BUNDLE, COINS, MONTHLY, ROOT, YEARLY, Store, claims, configuration, send

PAGE = ROOT / "Documentation/Backends/NotificationPayloads.md"
WEEKLY = f"{BUNDLE}.weekly"
HEAD = """# Notification payloads

A payload for each type, as a backend got it from a store in the sandbox: `signedPayload` decoded, and in it
`signedTransactionInfo` and `signedRenewalInfo` decoded, which are signed texts (JWS) in the original. In production
`data` has `appAppleId` as well. [Notifications](Notifications.md) says when each is sent.
`Tests/ServerClients/payloads.py` records this page.
"""
#: The types, in the order of the page.
WANTED = [
    ("SUBSCRIBED", "INITIAL_BUY"), ("SUBSCRIBED", "RESUBSCRIBE"), ("DID_RENEW", None),
    ("DID_RENEW", "BILLING_RECOVERY"), ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"),
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"),
    ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"),
    ("DID_CHANGE_RENEWAL_PREF", None), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD"),
    ("DID_FAIL_TO_RENEW", None), ("GRACE_PERIOD_EXPIRED", None), ("EXPIRED", "VOLUNTARY"),
    ("EXPIRED", "BILLING_RETRY"), ("EXPIRED", "PRODUCT_NOT_FOR_SALE"),
    ("EXPIRED", "PRICE_INCREASE"), ("PRICE_INCREASE", "PENDING"), ("PRICE_INCREASE", "ACCEPTED"),
    ("ONE_TIME_CHARGE", None), ("CONSUMPTION_REQUEST", None), ("REFUND", None),
    ("REFUND_DECLINED", None), ("REFUND_REVERSED", None), ("REVOKE", None),
    ("RENEWAL_EXTENDED", None), ("RENEWAL_EXTENSION", "SUMMARY"), ("TEST", None)]


class Listener:
    """The publisher's server."""

    def __init__(self):
        self.heard = {}
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.end_headers()
                listener.hear(claims(json.loads(body)["signedPayload"]))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/notifications"

    def hear(self, said):
        data = said.get("data", {})
        for name in ("signedTransactionInfo", "signedRenewalInfo"):
            if name in data:
                data[name] = claims(data[name])
        kind = (said["notificationType"], said.get("subtype"))
        self.heard.setdefault(kind, said)

    def wait(self, kind, subtype=None, seconds=600):
        end = time.monotonic() + seconds
        while (kind, subtype) not in self.heard:
            if time.monotonic() > end:
                print(f"not heard: {kind} {subtype}", file=sys.stderr)
                return
            time.sleep(0.2)


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(key, bundle=None):
    """A token of Connect's API, or with an app one of the App Store Server API."""
    now = int(time.time())
    body = {"iss": key.issuer, "iat": now, "exp": now + 600, "aud": "appstoreconnect-v1"}
    if bundle:
        body["bid"] = bundle
    head = {"alg": "ES256", "kid": key.id, "typ": "JWT"}
    text = ".".join(encoded(json.dumps(part).encode()) for part in (head, body))
    with tempfile.NamedTemporaryFile() as file:
        file.write(key.pem)
        file.flush()
        der = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", file.name], input=text.encode(),
            capture_output=True, check=True).stdout
    numbers, place = b"", 2
    for _ in range(2):
        length = der[place + 1]
        numbers += der[place + 2:place + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        place += 2 + length
    return {"Authorization": f"Bearer {text}.{encoded(numbers)}"}


class Shop(Store):
    def fill(self):
        whole = configuration()
        group = whole["subscriptionGroups"][0]
        weekly = json.loads(json.dumps(group["subscriptions"][0]))
        weekly |= {"productID": WEEKLY, "displayPrice": "1.99", "groupNumber": 3,
                   "recurringSubscriptionPeriod": "P1W", "referenceName": "Weekly"}
        group["subscriptions"].append(weekly)
        file = self.path / "shop.storekit"
        file.write_text(json.dumps(whole))
        self.openstore(
            "catalog", "import", str(file), "--bundle-id", BUNDLE, "--name", "Shop", "--approve")

    def connect(self, method, path, body=None, key=None):
        return send(method, self.address + "/connect" + path, body, token(key or self.publisher))

    def server(self, method, path, body=None):
        return send(method, self.url() + path, body, token(self.publisher, BUNDLE))


def refund(shop, transaction, answer):
    shop.openstore("refund", "request", transaction, "--reason", "UNSATISFIED_WITH_PURCHASE")
    if answer:
        waiting = json.loads(shop.openstore("refund", "list", "--json"))
        number = str(waiting[0]["id"])
        shop.openstore("refund", answer, number)


def subscriber(shop, product=WEEKLY):
    device = shop.device()
    shop.publish("tester", "update", device.email, "--month", "3")
    return device, device.buy(product)["originalTransactionId"]


def act(shop, listener):
    app = shop.app_id()
    shop.publish("app", "update", BUNDLE, "--sandbox-notifications", listener.url)
    server = shop.server
    server("POST", "/inApps/v1/notifications/test")
    listener.wait("TEST")

    coins = shop.device()
    bought = [coins.buy(COINS) for _ in range(3)]
    listener.wait("ONE_TIME_CHARGE")
    number = bought[0]["transactionId"]
    refund(shop, number, "approve")
    listener.wait("REFUND")
    shop.openstore("refund", "reverse", number)
    listener.wait("REFUND_REVERSED")
    refund(shop, bought[1]["transactionId"], "decline")
    listener.wait("REFUND_DECLINED")
    listener.wait("CONSUMPTION_REQUEST")

    # One who changes their mind.
    ada, first = subscriber(shop)
    listener.wait("SUBSCRIBED", "INITIAL_BUY")
    of_ada = ["--email", ada.email]
    shop.openstore("subscription", "cancel", first, *of_ada)
    listener.wait("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    shop.openstore("subscription", "resume", first, *of_ada)
    listener.wait("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
    shop.openstore("subscription", "change", first, "--product-id", MONTHLY, *of_ada)
    listener.wait("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    shop.openstore("subscription", "change", first, "--product-id", WEEKLY, *of_ada)
    listener.wait("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    shop.openstore("subscription", "change", first, "--product-id", MONTHLY, *of_ada)
    listener.wait("DID_CHANGE_RENEWAL_PREF", None)
    server("PUT", f"/inApps/v1/subscriptions/extend/{first}", {
        "extendByDays": 1, "extendReasonCode": 1, "requestIdentifier": "outage-1"})
    listener.wait("RENEWAL_EXTENDED")
    server("POST", "/inApps/v1/subscriptions/extend/mass", {
        "extendByDays": 1, "extendReasonCode": 1, "requestIdentifier": "outage-2",
        "productId": YEARLY, "storefrontCountryCodes": ["USA"]})
    listener.wait("RENEWAL_EXTENSION", "SUMMARY")

    # One who leaves a family.
    member = shop.account()
    shop.openstore("family", "add", "--email", member, "--organizer", ada.email)
    time.sleep(3)
    shop.openstore("family", "remove", "--email", member)
    listener.wait("REVOKE", seconds=60)

    # Those who cancel, who can't pay, whose price rises, whose product is gone.
    grace = shop.connect("GET", f"/v1/apps/{app}/subscriptionGracePeriod")["data"]["id"]
    shop.connect("PATCH", f"/v1/subscriptionGracePeriods/{grace}", {"data": {
        "type": "subscriptionGracePeriods", "id": grace, "attributes": {
            "optIn": True, "sandboxOptIn": True, "duration": "THREE_DAYS",
            "renewalType": "ALL_RENEWALS"}}})
    cancels, cancelled = subscriber(shop)
    shop.openstore("subscription", "cancel", cancelled, "--email", cancels.email)
    poor, _ = subscriber(shop)
    later, _ = subscriber(shop)
    for one in (poor, later):
        shop.publish("tester", "update", one.email, "--payment-failure", "all")
    asked, _ = subscriber(shop, MONTHLY)
    shop.openstore(
        "price-consent", "request", "--email", asked.email, "--bundle-id", BUNDLE, "--product-id",
        MONTHLY, "--price", "5.99")
    listener.wait("PRICE_INCREASE", "PENDING")
    agrees, _ = subscriber(shop)
    shop.openstore(
        "price-consent", "request", "--email", agrees.email, "--bundle-id", BUNDLE, "--product-id",
        WEEKLY, "--price", "2.99")
    for consent in agrees.send("GET", "/events")["consents"]:
        agrees.send("POST", f"/consents/{consent['id']}", {"agreed": True})
    listener.wait("PRICE_INCREASE", "ACCEPTED")
    listener.wait("EXPIRED", "VOLUNTARY")
    cancels.buy(WEEKLY)
    listener.wait("SUBSCRIBED", "RESUBSCRIBE")
    listener.wait("DID_RENEW")
    listener.wait("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
    listener.wait("GRACE_PERIOD_EXPIRED")
    shop.publish("tester", "update", poor.email, "--payment-failure", "none")
    listener.wait("DID_RENEW", "BILLING_RECOVERY")
    shop.connect("PATCH", f"/v1/subscriptionGracePeriods/{grace}", {"data": {
        "type": "subscriptionGracePeriods", "id": grace, "attributes": {
            "optIn": False, "sandboxOptIn": False}}})
    shop.publish("tester", "update", poor.email, "--payment-failure", "all")
    listener.wait("DID_FAIL_TO_RENEW")
    listener.wait("EXPIRED", "PRICE_INCREASE")
    listener.wait("EXPIRED", "BILLING_RETRY")
    subscriber(shop)
    weekly = next(
        one["id"]
        for group in shop.connect("GET", f"/v1/apps/{app}/subscriptionGroups")["data"]
        for one in shop.connect(
            "GET", f"/v1/subscriptionGroups/{group['id']}/subscriptions")["data"]
        if one["attributes"]["productId"] == WEEKLY)
    shop.connect("POST", "/v1/subscriptionAvailabilities", {"data": {
        "type": "subscriptionAvailabilities", "attributes": {"availableInNewTerritories": False},
        "relationships": {
            "subscription": {"data": {"type": "subscriptions", "id": weekly}},
            "availableTerritories": {"data": []}}}})
    listener.wait("EXPIRED", "PRODUCT_NOT_FOR_SALE")


def page(heard):
    """The page: what a type adds to a common payload is easier to see where members are in order."""
    parts = [HEAD]
    for kind in WANTED:
        name, subtype = kind
        title = f"`{name}`" + (f", `{subtype}`" if subtype else "")
        text = json.dumps(heard[kind], indent=2, ensure_ascii=False)
        parts.append(f"## {title}\n\n```json\n{text}\n```\n")
    return "\n".join(parts)


def main():
    listener = Listener()
    with Shop(["--allow-local-notifications"]) as shop:
        made = json.loads(shop.openstore(
            "api-key", "create", "--name", "commands", "--role", "ADMIN", "--team", "Publisher",
            "-o", str(shop.path), "--json"))
        as_publisher = ["--key", made["file"], "--issuer", made["issuerId"]]
        shop.publish = lambda *words: shop.openstore(
            *words, "--store", shop.address, *as_publisher)
        act(shop, listener)
    lost = [kind for kind in WANTED if kind not in listener.heard]
    if lost:
        sys.exit(f"payloads: not heard: {lost}")
    PAGE.write_text(page(listener.heard), encoding="utf-8")


if __name__ == "__main__":
    main()
