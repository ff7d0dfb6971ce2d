"""A store for tests: `openstore test` in a process of its own, and its control.

```python
with TestStore("Shop.storekit") as store:
    bought = store.buy("com.example.shop.monthly")
    store.advance(days=31)
```

It needs nothing but Python's standard library. The program is `openstore` on the search path, or what
`OPENSTORE` names.
"""

import base64
import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request


class TestRefusal(Exception):
    """The store can't do what the test asks for. `error` is a name of StoreKitTest's errors."""

    __test__ = False

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer['error']}: {answer['message']}")
        self.error = answer["error"]


class TestStore:
    """Starts with nothing bought, and is gone afterwards."""

    # It is no class of tests.
    __test__ = False

    def __init__(self, configuration, notifications=None):
        """`notifications`: the URL at which the backend takes notifications."""
        line = [os.environ.get("OPENSTORE", "openstore"), "test", str(configuration),
                "--json", "--quiet"]
        if notifications:
            line += ["--notifications", notifications]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first:
            raise RuntimeError(f"openstore test ended with {self.process.wait()}")
        self.description = json.loads(first)
        self.bundle_id = self.description["bundleId"]
        self.root_certificate = base64.b64decode(self.description["rootCertificate"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    # What a test does. Each answers with `date`, `transactions`, `receipt` and
    # `undeliveredNotifications`, when the backend has got its notifications.

    def buy(self, product, **details):
        """`quantity`, `appAccountToken`, `askToBuy`. Gives the transaction."""
        answer = self.request("POST", "/v1/purchases", {"productId": product, **details})
        return answer["transactions"][-1]

    def transactions(self):
        return self.request("GET", "/v1/transactions")["transactions"]

    def act(self, action, transaction):
        """`refund`, `approve`, `decline`, `resolve`, `enable-auto-renew`, `disable-auto-renew`,
        `request-price-consent`, `consent-to-price` or `decline-price`."""
        return self.request("POST", f"/v1/transactions/{transaction['transactionId']}/{action}")

    def delete(self, transaction):
        return self.request("DELETE", f"/v1/transactions/{transaction['transactionId']}")

    def expire(self, product):
        return self.request("POST", f"/v1/subscriptions/{urllib.parse.quote(product)}/expire")

    def renew(self, product):
        return self.request("POST", f"/v1/subscriptions/{urllib.parse.quote(product)}/renew")

    def advance(self, days=0, seconds=0):
        return self.request("POST", "/v1/clock", {"advance": days * 86400 + seconds})

    def now(self):
        """What the store's clock shows, in milliseconds since 1970."""
        return self.request("GET", "/v1/clock")["date"]

    def change(self, **settings):
        return self.request("PATCH", "/v1/settings", settings)

    def reset(self):
        """Nothing bought, and the settings from the beginning. The clock stays."""
        self.request("DELETE", "/v1/transactions")
        self.request("DELETE", "/v1/settings")

    def request(self, method, path, body=None):
        request = urllib.request.Request(
            self.description["control"] + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise TestRefusal(error.code, json.load(error)) from None
