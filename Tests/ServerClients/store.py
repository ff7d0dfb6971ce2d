"""A store on this machine, filled for tests of programs that were written for Apple's servers: an
app with a product of each type, testers and customers who buy, and the files that devices and
publishers get.

```python
with Store() as store:
    device = store.device()
    device.buy(MONTHLY)
    print(device.receipt())
```

`OPENSTORE_TEST_STORE` names the folder of a store that runs already (run.py starts one):
`Store()` is that one then, and stays when it is closed.
"""

import base64
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("OPENSTORE_PROGRAMS", ROOT / ".build" / "debug"))
BUNDLE = "com.example.shop"
COINS = f"{BUNDLE}.coins"
BADGE = f"{BUNDLE}.badge"
SEASON = f"{BUNDLE}.season"
MONTHLY = f"{BUNDLE}.monthly"
YEARLY = f"{BUNDLE}.yearly"
GROUP = "22222222"
TEAM = "Publisher"
PASSWORD = "correct-horse"
# What Apple's servers are called, and where the store has the same.
HOSTS = {
    "https://buy.itunes.apple.com": "",
    "https://sandbox.itunes.apple.com": "/sandbox",
    "https://api.storekit.apple.com": "",
    "https://api.storekit.itunes.apple.com": "",
    "https://api.storekit-sandbox.apple.com": "/sandbox",
    "https://api.storekit-sandbox.itunes.apple.com": "/sandbox",
}


class Refused(Exception):
    """The store said no, or a command ended with an error."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body


@dataclasses.dataclass(frozen=True)
class Key:
    """A key of Connect's API, which is one for the App Store Server API too."""

    id: str
    issuer: str
    pem: bytes


class Store:
    """`openstore serve` on a free port of this machine, and what the publisher does there."""

    def __init__(self, serve=()):
        """`serve`: further options of `openstore serve`."""
        given = os.environ.get("OPENSTORE_TEST_STORE")
        self.serve_options = list(serve)
        self.process = None
        self.is_guest = given is not None
        self.temporary = None if given else tempfile.TemporaryDirectory(prefix="openstore-clients-")
        self.path = pathlib.Path(given or self.temporary.name)
        self.data = self.path / "store"
        if given:
            self.address = (self.path / "address").read_text().strip()
        else:
            self.fill()
            self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # The program

    def openstore(self, *words):
        """Runs a command on the store's folder, and gives what it writes."""
        done = subprocess.run(
            [PROGRAMS / "openstore", *words, "--data", str(self.data)], capture_output=True,
            text=True)
        if done.returncode != 0:
            raise Refused(done.returncode, f"openstore {' '.join(words)}: {done.stderr}")
        return done.stdout

    def start(self, listen="127.0.0.1:0"):
        log = self.path / "serve.log"
        start = log.stat().st_size if log.exists() else 0
        self.log = open(log, "a")
        self.process = subprocess.Popen(
            [PROGRAMS / "openstore", "serve", "--data", str(self.data), "--listen", listen,
             *self.serve_options], stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(600):
            text = log.read_text()[start:]
            if found := re.search(r"^  production +(\S+)$", text, re.MULTILINE):
                self.address = found[1]
                (self.path / "address").write_text(self.address)
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Refused(0, "the store does not begin to listen: " + text)

    def stop(self):
        """Ends the program; the folder stays, and `start` goes on with it."""
        self.process.terminate()
        self.process.wait(timeout=60)
        self.log.close()

    def close(self):
        if self.is_guest:
            return
        self.stop()
        self.temporary.cleanup()

    def url(self, environment="sandbox"):
        """Where the store has what Apple has on two hosts."""
        return self.address + ("/sandbox" if environment == "sandbox" else "")

    # What there is

    def fill(self):
        file = self.path / "shop.storekit"
        file.write_text(json.dumps(configuration()))
        self.openstore(
            "catalog", "import", str(file), "--bundle-id", BUNDLE, "--name", "Shop", "--approve")

    def root(self):
        """The store's root certificate, DER."""
        return pem_der((self.data / "keys" / "root.pem").read_text())

    def key(self, role="ADMIN", team=TEAM):
        """A fresh key of the team's."""
        made = json.loads(
            self.openstore(
                "api-key", "create", "--name", "clients", "--role", role, "--team", team, "-o",
                str(self.path), "--json"))
        return Key(made["id"], made["issuerId"], pathlib.Path(made["file"]).read_bytes())

    def connect(self, method, path, body=None, key=None):
        """A request to Connect's API, as its publisher makes it."""
        # Only here: the fault test, which comes with nothing but Python, uses the rest of this file.
        import jwt

        key = key or self.publisher
        now = int(time.time())
        token = jwt.encode(
            {"iss": key.issuer, "iat": now, "exp": now + 600, "aud": "appstoreconnect-v1"},
            key.pem, "ES256", {"kid": key.id})
        return send(
            method, self.address + "/connect" + path, body, {"Authorization": f"Bearer {token}"})

    @property
    def publisher(self):
        if not hasattr(self, "_publisher"):
            self._publisher = self.key()
        return self._publisher

    def app_id(self):
        """The number of the app, which Apple's servers call `appAppleId`."""
        return int(self.connect("GET", "/v1/apps")["data"][0]["id"])

    def shared_secret(self):
        """A fresh secret, by which a server has the app's receipts verified."""
        answer = self.connect("POST", "/openstore/v1/sharedSecrets", {"data": {
            "type": "sharedSecrets", "relationships": {
                "app": {"data": {"type": "apps", "id": str(self.app_id())}}}}})
        return answer["data"]["attributes"]["secret"]

    def profile(self, environment="sandbox"):
        file = self.path / f"{environment}-{os.getpid()}.storeprofile"
        if not file.exists():
            self.openstore(
                "profile", "create", "--bundle-id", BUNDLE, "--type",
                "development" if environment == "sandbox" else "store", "--store", self.address,
                "-o", str(file))
        return file.read_text().strip()

    def forget_profiles(self):
        """Has profiles made anew, as a publisher does when the key that signed them was revoked."""
        for file in self.path.glob(f"*-{os.getpid()}.storeprofile"):
            file.unlink()

    def account(self, environment="sandbox", storefront="USA"):
        """The address of a fresh account."""
        email = f"buyer-{uuid.uuid4().hex[:12]}@example.com"
        self.openstore(
            "tester" if environment == "sandbox" else "customer", "create", "--email", email,
            "--password", PASSWORD, "--storefront", storefront)
        return email

    def device(self, environment="sandbox", email=None):
        """A device with the app, on which somebody is signed in: whoever has the address, or
        somebody new."""
        return Device(self, environment, email or self.account(environment))


class Device:
    """Speaks the device interface, as the framework does."""

    identifier = bytes(range(16))

    def __init__(self, store, environment, email):
        self.store = store
        self.environment = environment
        self.email = email
        self.headers = {
            "OpenStore-Profile": store.profile(environment),
            "OpenStore-Device": f"device-{uuid.uuid4().hex}",
        }
        session = self.send("POST", "/session", {"email": email, "password": PASSWORD})
        self.headers["Authorization"] = f"Bearer {session['token']}"

    def send(self, method, path, body=None):
        return send(
            method, f"{self.store.url(self.environment)}/device/v1{path}", body, self.headers)

    def buy(self, product, quantity=1, account_token=None, finish=False):
        """Buys at the price of the day, and gives what the signed transaction says, with the
        signed transaction itself as `signed`."""
        known = self.send("POST", "/products", {"productIds": [product]})["products"][0]
        order = {
            "purchaseKey": str(uuid.uuid4()), "productId": product, "quantity": quantity,
            "confirmedPrice": known["price"],
        }
        if account_token:
            order["applicationUsername"] = account_token
        bought = transaction(self.send("POST", "/purchases", order))
        if finish:
            self.finish(bought)
        return bought

    def finish(self, bought):
        self.send("POST", f"/transactions/{bought['transactionId']}/finish")

    def restore(self):
        answer = self.send("POST", "/restores", {"restoreKey": str(uuid.uuid4())})
        return [transaction(one) for one in answer["transactions"]]

    def unfinished(self):
        answer = self.send("GET", "/transactions/unfinished")
        return [transaction(one) for one in answer["transactions"]]

    def receipt(self, version="1.0"):
        """The app receipt as it stands now: base64 of its DER."""
        return self.send("POST", "/receipt", {
            "deviceIdentifier": base64.b64encode(self.identifier).decode(),
            "applicationVersion": version})["receipt"]


def transaction(answer):
    signed = answer["signedTransaction"]
    return {**claims(signed), "signed": signed}


def claims(signed):
    """What a JWS says, whoever has signed it."""
    body = signed.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


def send(method, url, body=None, headers=()):
    """Sends JSON, and gives the JSON of a success; None where there is none."""
    request = urllib.request.Request(
        url, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **dict(headers)})
    # What these tests send to the store themselves goes past a proxy that clients are to use.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=60) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode()) from None
    return json.loads(text) if text else None


def pem_der(pem):
    body = pem.split("-----BEGIN CERTIFICATE-----")[1].split("-----END CERTIFICATE-----")[0]
    return base64.b64decode(body)


def configuration():
    """The shop as Xcode would write it down."""
    def texts(name):
        return [{"locale": "en_US", "displayName": name, "description": f"{name} of the shop"}]

    def product(identifier, kind, price, name, shareable=False):
        return {
            "productID": identifier, "type": kind, "displayPrice": price, "referenceName": name,
            "familyShareable": shareable, "internalID": "11111111", "localizations": texts(name)}

    def subscription(identifier, level, price, period, name):
        return {
            **product(identifier, "RecurringSubscription", price, name, shareable=True),
            "groupNumber": level, "recurringSubscriptionPeriod": period,
            "subscriptionGroupID": GROUP, "adHocOffers": [], "codeOffers": []}

    return {
        "identifier": "0A1B2C3D", "version": {"major": 3, "minor": 0},
        "settings": {"_locale": "en_US", "_storefront": "USA"},
        "products": [
            product(COINS, "Consumable", "0.99", "Coins"),
            product(BADGE, "NonConsumable", "1.99", "Badge", shareable=True)],
        "nonRenewingSubscriptions": [
            product(SEASON, "NonRenewingSubscription", "4.99", "Season")],
        "subscriptionGroups": [{
            "id": GROUP, "name": "Reading", "localizations": [],
            "subscriptions": [
                subscription(MONTHLY, 2, "4.99", "P1M", "Monthly"),
                subscription(YEARLY, 1, "49.99", "P1Y", "Yearly")]}],
    }
