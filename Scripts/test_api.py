"""test_api.py OPENSTORE FOLDER [APPLES-FILE]: starts a store with something in it, and lets
schemathesis compare what it answers with its descriptions.

The store's own identifiers are given to schemathesis as dictionaries, so that requests meet
resources that there are; whatever it makes of them comes out.
"""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).parent.parent
BOOKSHOP = ROOT / "Examples" / "Bookshop"
SEED = 20260101
# Requests of each operation that chance makes, beside those that the tool makes of the description.
EXAMPLES = 8


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Store:
    """A store in a folder of its own, which listens on a free port."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.data = folder / "store"
        shutil.rmtree(self.data, ignore_errors=True)
        self.run(
            "catalog", "import", str(BOOKSHOP / "Bookshop.storekit"), "--bundle-id",
            "com.example.bookshop", "--content", str(BOOKSHOP / "Content"))
        key = json.loads(
            self.run(
                "api-key", "create", "--name", "test-api", "--role", "ADMIN", "--team",
                "Publisher", "-o", str(folder), "--json"))
        self.key = key
        self.log = open(folder / "serve.log", "w")
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--no-request-log", "--data",
             str(self.data)], stdout=self.log, stderr=subprocess.STDOUT)
        self.address = self.wait()

    def run(self, *words):
        return subprocess.run(
            [self.program, *words, "--data", str(self.data)], check=True,
            stdout=subprocess.PIPE, text=True).stdout

    def wait(self):
        for _ in range(200):
            found = re.search(r"http://127\.0\.0\.1:\d+", (self.folder / "serve.log").read_text())
            if found:
                return found[0]
            if self.process.poll() is not None:
                sys.exit("the store ended: see serve.log")
            time.sleep(0.05)
        sys.exit("the store does not begin to listen: see serve.log")

    def token(self):
        """A token of the key, good for as long as App Store Connect allows."""
        now = int(time.time())
        head = {"alg": "ES256", "kid": self.key["id"], "typ": "JWT"}
        claims = {"iss": self.key["issuerId"], "iat": now, "exp": now + 1200,
                  "aud": "appstoreconnect-v1"}
        text = ".".join(base64url(json.dumps(part).encode()) for part in [head, claims])
        der = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key["file"]], input=text.encode(),
            stdout=subprocess.PIPE, check=True).stdout
        return f"{text}.{base64url(raw_signature(der))}"

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            path if path.startswith("http") else self.address + "/connect" + path,
            method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token()}",
                     "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()[:2000]}")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def raw_signature(der):
    """The two numbers of an ECDSA signature, 32 bytes each, as JSON Web Tokens have them."""
    def number(at):
        length = der[at + 1]
        return der[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0"), at + 2 + length
    first, at = number(2)
    second, _ = number(at)
    return first + second


def document(kind, attributes=None, one=None, many=None, included=None):
    """The document of a resource to be made."""
    data = {"type": kind}
    if attributes:
        data["attributes"] = attributes
    relationships = {name: {"data": link(*target)} for name, target in (one or {}).items()}
    for name, targets in (many or {}).items():
        relationships[name] = {"data": [link(*target) for target in targets]}
    if relationships:
        data["relationships"] = relationships
    return {"data": data, **({"included": included} if included else {})}


def link(kind, identifier):
    return {"type": kind, "id": identifier}


def fill(store):
    """Puts one of most things into the store, by the API itself."""
    def make(path, *parts, **more):
        body = document(path.rsplit("/", 1)[1], *parts, **more)
        return store.send("POST", path, body)["data"]["id"]

    def point(path):
        found = store.send("GET", f"{path}/pricePoints?filter[territory]=USA&limit=20")
        return found["data"][3]["id"]

    app = store.send("GET", "/v1/apps")["data"][0]["id"]
    make("/v1/bundleIds", {"name": "Wild", "platform": "IOS", "identifier": "com.example.wild.*"})
    coins = make(
        "/v2/inAppPurchases",
        {"name": "Coins", "productId": "com.example.coins", "inAppPurchaseType": "CONSUMABLE"},
        {"app": ("apps", app)})
    make("/v1/inAppPurchaseLocalizations",
         {"name": "Coins", "locale": "en-US", "description": "A hundred."},
         {"inAppPurchaseV2": ("inAppPurchases", coins)})
    make("/v1/inAppPurchasePriceSchedules", None,
         {"inAppPurchase": ("inAppPurchases", coins), "baseTerritory": ("territories", "USA")},
         {"manualPrices": [("inAppPurchasePrices", "${price}")]},
         [{"type": "inAppPurchasePrices", "id": "${price}", "relationships": {
             "inAppPurchasePricePoint": {"data": link(
                 "inAppPurchasePricePoints", point(f"/v2/inAppPurchases/{coins}"))}}}])
    make("/v1/inAppPurchaseAppStoreReviewScreenshots", {"fileName": "a.png", "fileSize": 1000},
         {"inAppPurchaseV2": ("inAppPurchases", coins)})
    make("/v1/promotedPurchases", {"visibleForAllUsers": True},
         {"app": ("apps", app), "inAppPurchaseV2": ("inAppPurchases", coins)})
    code = make("/v1/inAppPurchaseOfferCodes",
                {"name": "Spring", "customerEligibilities": ["NON_SPENDER"]},
                {"inAppPurchase": ("inAppPurchases", coins)}, {"prices": []})
    make("/v1/inAppPurchaseOfferCodeCustomCodes", {"customCode": "SPRING", "numberOfCodes": 10},
         {"offerCode": ("inAppPurchaseOfferCodes", code)})
    make("/v1/inAppPurchaseOfferCodeOneTimeUseCodes",
         {"numberOfCodes": 10, "expirationDate": "2031-01-31"},
         {"offerCode": ("inAppPurchaseOfferCodes", code)})
    group = make("/v1/subscriptionGroups", {"referenceName": "Reading"}, {"app": ("apps", app)})
    make("/v1/subscriptionGroupLocalizations", {"name": "Reading", "locale": "en-US"},
         {"subscriptionGroup": ("subscriptionGroups", group)})
    monthly = make("/v1/subscriptions", {"name": "Monthly", "productId": "com.example.monthly"},
                   {"group": ("subscriptionGroups", group)})
    owner = {"subscription": ("subscriptions", monthly)}
    make("/v1/subscriptionLocalizations",
         {"name": "Monthly", "locale": "en-US", "description": "All chapters."}, owner)
    make("/v1/subscriptionPrices", None,
         {**owner, "subscriptionPricePoint": (
             "subscriptionPricePoints", point(f"/v1/subscriptions/{monthly}"))})
    make("/v1/subscriptionAvailabilities", {"availableInNewTerritories": True}, owner,
         {"availableTerritories": [("territories", "USA"), ("territories", "JPN")]})
    offer = {"duration": "ONE_WEEK", "offerMode": "FREE_TRIAL", "numberOfPeriods": 1}
    make("/v1/subscriptionIntroductoryOffers", offer, owner)
    make("/v1/subscriptionPromotionalOffers",
         {**offer, "name": "Back", "offerCode": "back"}, owner, {"prices": []})
    code = make("/v1/subscriptionOfferCodes",
                {**offer, "name": "Spring", "customerEligibilities": ["NEW"],
                 "offerEligibility": "STACK_WITH_INTRO_OFFERS"}, owner, {"prices": []})
    make("/v1/subscriptionOfferCodeCustomCodes", {"customCode": "READ", "numberOfCodes": 10},
         {"offerCode": ("subscriptionOfferCodes", code)})
    make("/v1/subscriptionOfferCodeOneTimeUseCodes",
         {"numberOfCodes": 10, "expirationDate": "2031-01-31"},
         {"offerCode": ("subscriptionOfferCodes", code)})


def resources(store):
    """The identifiers that the store has, by type: what links lead to from the lists."""
    found = {}
    seen = set()
    waiting = [
        "/v1/apps", "/v1/bundleIds", "/v1/profiles", "/v1/territories?limit=5",
        "/v2/sandboxTesters",
    ]
    while waiting and len(seen) < 400:
        address = waiting.pop(0)
        if address in seen:
            continue
        seen.add(address)
        try:
            document = store.send("GET", address)
        except SystemExit:
            # A relationship may lead to nothing.
            continue
        data = document["data"]
        for resource in data if isinstance(data, list) else [data]:
            found.setdefault(resource["type"], set()).add(resource["id"])
            for relationship in resource.get("relationships", {}).values():
                link = relationship.get("links", {}).get("related")
                if link:
                    waiting.append(link)
    return {kind: sorted(ids)[:20] for kind, ids in found.items()}


def reference(description, schema):
    while "$ref" in schema:
        schema = description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def bindings(description, path, operation, known):
    """Where in the requests of an operation which identifiers are wanted."""
    bound = {}
    kind = next((part for part in path.split("/")[2:] if part != "v1"), "")
    if "{id}" in path and kind in known:
        bound["path.id"] = kind
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    schema = reference(description, body["schema"]) if body else {}
    data = reference(description, schema.get("properties", {}).get("data", {}))
    if "{id}" in path and kind in known and data.get("properties", {}).get("id"):
        bound["body.data.id"] = kind
    parts = data.get("properties", {}).get("relationships", {}).get("properties", {})
    for name, relationship in parts.items():
        link = relationship.get("properties", {}).get("data", {})
        many = link.get("type") == "array"
        link = reference(description, link["items"] if many else link)
        types = link.get("properties", {}).get("type", {}).get("enum", [])
        if types and types[0] in known:
            middle = "[*]" if many else ""
            bound[f"body.data.relationships.{name}.data{middle}.id"] = types[0]
    return bound


def configuration(description, known):
    """What schemathesis is told, as TOML."""
    lines = [
        f"seed = {SEED}",
        "continue-on-failure = true",
        "[generation]",
        # A client may send any header and cookie, and the store does not look at them.
        "allow-extra-parameters = true",
        "[checks.positive_data_acceptance]",
        # The descriptions do not say all of the rules.
        'expected-statuses = ["2xx", "400", "401", "403", "404", "409", "422", "429"]',
        "[checks.negative_data_rejection]",
        'expected-statuses = ["400", "401", "403", "404", "405", "409", "415", "422"]',
        "[phases.stateful]",
        "enabled = false",
    ]
    for kind, ids in known.items():
        lines += [f"[dictionaries.{kind}]", f"values = {json.dumps(ids)}"]
    for path, item in description["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            bound = bindings(description, path, operation, known)
            if not bound:
                continue
            lines += ["[[operations]]", f"include-path = {json.dumps(path)}",
                      f"include-method = {json.dumps(method.upper())}", "[operations.parameters]"]
            lines += [f'"{name}" = {{ dictionary = "{kind}", probability = 0.8 }}'
                      for name, kind in bound.items()]
    return "\n".join(lines) + "\n"


def try_description(store, folder, name, description, base, known):
    file = folder / f"{name}.json"
    file.write_text(json.dumps(description))
    config = folder / f"{name}.toml"
    config.write_text(configuration(description, known))
    tool = pathlib.Path(sys.executable).parent / "schemathesis"
    print(f"test-api: {name}, {len(description['paths'])} paths", flush=True)
    return subprocess.run(
        [tool, "--config-file", config, "run", file, "--url", base,
         "--header", f"Authorization:Bearer {store.token()}", "--phases",
         "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES),
         # Several threads at once meet a fault in Python 3.11's parser.
         "--workers", "1", "--suppress-health-check", "all", "--no-shrink",
         "--warnings", "off"], cwd=folder).returncode


def served(apples):
    """Apple's description, without the paths that the store does not serve, and with the errors
    that it answers beside Apple's."""
    ours = json.loads((ROOT / "api" / "app-store-connect.json").read_text())["paths"]
    apples["paths"] = {path: item for path, item in apples["paths"].items() if path in ours}
    # As a schema that is not one, it would keep operations from being tried.
    del apples["components"]["schemas"]["AppEvent"]["properties"]["attributes"]["properties"][
        "deepLink"]["format"]
    for path, item in apples["paths"].items():
        for method in set(item) - {"parameters"}:
            for status, response in ours[path][method]["responses"].items():
                item[method]["responses"].setdefault(status, response)
    return apples


def main():
    program, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    store = Store(program, folder)
    failed = []
    try:
        base = store.address + "/connect"
        fill(store)
        known = resources(store)
        print("test-api: the store has " + ", ".join(
            f"{len(ids)} {kind}" for kind, ids in sorted(known.items())))
        descriptions = {
            "app-store-connect": json.loads(
                (ROOT / "api" / "app-store-connect.json").read_text()),
            "openstore": store.send("GET", "/openstore/v1/openapi.json"),
        }
        if len(sys.argv) > 3:
            descriptions = {
                "apple": served(json.loads(pathlib.Path(sys.argv[3]).read_text()))}
        for name, description in descriptions.items():
            if try_description(store, folder, name, description, base, known) != 0:
                failed.append(name)
        if store.process.poll() is not None:
            failed.append("the store ended")
    finally:
        store.stop()
    if failed:
        sys.exit("test-api: " + ", ".join(failed))


main()
