"""Customers with their devices, each in a thread: everything they do follows from the seed.

A client does what the framework does: a purchase has a key, and is asked for under that key until
its outcome is known; a finish and a restore are repeated as well. Now and then a device is lost
before that: then the outcome stays unknown.
"""

import random
import re
import threading
import time
import urllib.parse
import uuid

import content
from shop import BADGE, CHAPTERS, COINS, MONTHLY, PASSWORD, SEASON, YEARLY, claims
from wire import Line, Lost

#: What a client does next, and how often.
DEEDS = {
    "buy": 34, "buy again": 3, "buy at a wrong price": 2, "finish": 12, "unfinished": 9,
    "restore": 7, "download": 7, "refund": 7, "info": 6, "history": 10, "new history": 3,
    "events": 6,
}
WANTED = {COINS: 10, BADGE: 3, SEASON: 2, MONTHLY: 1, YEARLY: 1, CHAPTERS[0]: 3, CHAPTERS[1]: 3}
DEVICES = ["phone", "phone", "phone", "tablet"]
REASONS = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "OTHER"]


class Ended(Exception):
    """The time for it is over."""


class Client(threading.Thread):
    def __init__(self, number, shop, proxy, history, token, seed):
        super().__init__(name=f"c{number}", daemon=True)
        self.shop, self.proxy, self.history, self.token = shop, proxy, history, token
        self.environment = "sandbox" if number % 2 == 0 else "production"
        self.email = f"c{number}@example.com"
        self.dice = random.Random(f"{seed}/client/{number}")
        #: How long it waits depends on what fails; what it does next does not depend on that.
        self.pauses = random.Random(f"{seed}/pauses/{number}")
        self.line = Line(self.name, "127.0.0.1", proxy.port)
        self.base = "/sandbox" if self.environment == "sandbox" else ""
        self.sessions = {}
        self.prices = {}
        self.cookies = {}
        #: What it has, by the identifier: product, device, whether finished.
        self.bought = {}
        #: Orders whose outcome it does not know.
        self.open = []
        self.revision = None
        #: The last event that each device has heard of.
        self.cursors = {}
        self.is_stopping = threading.Event()
        self.is_settling = False
        self.problem = None

    def prepare(self):
        self.shop.openstore(
            "tester" if self.environment == "sandbox" else "customer", "create", "--email",
            self.email, "--password", PASSWORD, "--storefront", "USA")

    def run(self):
        try:
            while not self.is_stopping.is_set():
                try:
                    self.act()
                except Ended:
                    pass
                self.rest(0.02, 0.3)
            self.line.close()
        except Exception as error:
            import traceback

            traceback.print_exc()
            self.problem = error

    def settle(self, line):
        """What a customer does when everything is well again: asks for what is open, and looks at
        everything."""
        self.line, self.is_settling = line, True
        for order in self.open:
            self.order(*order)
        for device in ("phone", "tablet", "fresh"):
            if device == "fresh":
                self.restore(device)
            self.list_unfinished(device)
        for device in self.cursors:
            while self.hear(device):
                pass
        for transaction, one in list(self.bought.items()):
            if one["kind"] == "purchase":
                self.look_up(transaction)
        for product in CHAPTERS:
            self.download(product)
        if self.bought:
            # All of it, and what is new since the last time.
            before = self.revision
            self.read_history(False)
            self.revision = before
            if before:
                self.read_history(True)

    def act(self):
        deed = self.dice.choices(list(DEEDS), list(DEEDS.values()))[0]
        if deed == "buy":
            self.buy()
        elif deed == "buy again":
            self.buy(again=True)
        elif deed == "buy at a wrong price":
            self.buy(cheaper=True)
        elif deed == "unfinished":
            self.list_unfinished(self.device())
        elif deed == "restore":
            self.restore(self.device())
        elif deed == "events":
            self.hear(self.device())
        elif deed == "download":
            self.download(self.dice.choice(CHAPTERS))
        elif self.bought:
            known = self.dice.choice(list(self.bought))
            if deed == "finish":
                open_ones = [key for key, one in self.bought.items() if not one["is_finished"]]
                if open_ones:
                    self.finish(self.dice.choice(open_ones))
            elif deed == "refund":
                if self.bought[known]["kind"] == "purchase":
                    self.ask_for_refund(known)
            elif deed == "info":
                self.look_up(known)
            else:
                self.read_history(deed == "new history")

    # What carries requests

    def device(self):
        return self.dice.choice(DEVICES)

    def rest(self, least, most):
        self.is_stopping.wait(self.pauses.uniform(least, most))

    def repeat(self, ask, most=None):
        """Asks until there is an answer.

        Gives how often it asked as well. Raises Ended where the run ends before that, or where it
        has asked `most` times."""
        pause, count = 0.1, 0
        end = time.monotonic() + 60
        while True:
            try:
                count += 1
                return ask(), count
            except Lost as error:
                is_over = time.monotonic() > end if self.is_settling else self.is_stopping.is_set()
                if is_over or count == most:
                    raise Ended(str(error)) from None
                self.rest(pause / 2, pause)
                pause = min(pause * 1.6, 2)

    def send(self, device, method, path, body=None):
        headers = {
            "OpenStore-Profile": self.shop.profile(self.environment),
            "OpenStore-Device": f"{self.name}-{device}"}
        if device not in self.sessions and path != "/session":
            self.sign_in(device)
        if device in self.sessions:
            headers["Authorization"] = f"Bearer {self.sessions[device]}"
        answer = self.line.ask(method, f"{self.base}/device/v1{path}", body, headers)
        if answer.code == "notSignedIn" and self.sessions.pop(device, None):
            # The customer signs in again, and what was wanted goes on.
            self.history.end(
                self.history.begin("session", self.name, device=device), "fail", code=answer.code)
            raise Lost("the session has ended")
        return answer

    def sign_in(self, device):
        operation = self.history.begin("sign in", self.name, device=device)
        try:
            answer = self.send(
                device, "POST", "/session", {"email": self.email, "password": PASSWORD})
        except Lost:
            self.history.end(operation, "unknown")
            raise
        if not answer.is_ok:
            self.history.end(operation, "fail", code=answer.code)
            raise Lost(f"the store lets {self.email} not in: {answer.body}")
        self.sessions[device] = answer.json["token"]
        self.history.end(operation, "ok")

    def do(self, kind, ask, read, most=None, **given):
        """An operation: asked until there is an answer, read, and written down.

        `read` gives what belongs into the history. Gives that, or None for a refusal."""
        operation = self.history.begin(
            kind, self.name, environment=self.environment, account=self.email,
            final=self.is_settling, **given)
        try:
            answer, attempts = self.repeat(ask, most)
        except Ended as error:
            self.history.end(operation, "unknown", reason=str(error))
            raise
        if not answer.is_ok:
            self.history.end(
                operation, "fail", code=answer.code, status=answer.status, attempts=attempts)
            return None
        got = read(answer)
        self.history.end(operation, "ok", attempts=attempts, **got)
        return got

    # Buying

    def price(self, device, product):
        if product not in self.prices:
            got = self.do(
                "products",
                lambda: self.send(device, "POST", "/products", {"productIds": [product]}),
                lambda answer: answer.json["products"][0]["price"], device=device)
            if got is None:
                raise Ended("the price is not told")
            self.prices[product] = got
        return self.prices[product]

    def buy(self, again=False, cheaper=False):
        device = self.device()
        product = self.dice.choices(list(WANTED), list(WANTED.values()))[0]
        price = self.price(device, product)
        quantity = self.dice.choice([1, 1, 2, 3]) if product == COINS else 1
        key = str(uuid.UUID(int=self.dice.getrandbits(128), version=4))
        most = 1 if self.dice.random() < 0.05 else None
        if cheaper:
            changed = {name: value - 10 if isinstance(value, int) else value
                       for name, value in price.items()}
            self.order(device, product, quantity, key, changed, most)
            price = self.dice.choice([price, changed])
        self.order(device, product, quantity, key, price, most)
        if again:
            # A late copy of the app asks once more.
            self.order(device, product, quantity, key, price, most)
        if most is None and self.dice.random() < 0.4 and self.bought:
            self.finish(list(self.bought)[-1])

    def order(self, device, product, quantity, key, price, most):
        order = {"purchaseKey": key, "productId": product, "quantity": quantity,
                 "confirmedPrice": price}

        def read(answer):
            said = claims(answer.json["signedTransaction"])
            self.keep(said, device, "purchase")
            return seen(said)

        try:
            self.do("buy", lambda: self.send(device, "POST", "/purchases", order), read, most,
                    device=device, product=product, quantity=quantity, key=key, price=price)
        except Ended:
            if most is None and not self.is_settling:
                self.open.append((device, product, quantity, key, price, None))
            raise

    def keep(self, said, device, kind):
        self.bought.setdefault(said["transactionId"], {
            "product": said["productId"], "device": device, "is_finished": False, "kind": kind})

    def finish(self, transaction):
        one = self.bought[transaction]
        by_server = self.dice.random() < 0.15

        def ask():
            if by_server:
                return self.serve("POST", f"/v1/transactions/{transaction}/finish")
            return self.send(one["device"], "POST", f"/transactions/{transaction}/finish")

        got = self.do("finish", ask, lambda _: {}, transaction=transaction, device=one["device"])
        one["is_finished"] = True
        if got is None:
            # The store has lost it.
            self.bought.pop(transaction)

    # Looking

    def pages(self, ask):
        """Transactions of all pages; a page that was lost is asked for again."""
        found, after = [], None
        while True:
            answer, _ = self.repeat(lambda: ask(after))
            if not answer.is_ok:
                return answer
            found += [claims(one["signedTransaction"]) for one in answer.json["transactions"]]
            after = answer.json.get("next")
            if after is None:
                return Found(found)

    def list_unfinished(self, device):
        def ask(after):
            query = f"?after={after}" if after else ""
            return self.send(device, "GET", "/transactions/unfinished" + query)

        self.do("unfinished", lambda: self.pages(ask),
                lambda answer: {"transactions": [seen(one) for one in answer.found]},
                device=device)

    def hear(self, device):
        """The events behind the last one that the device knows; gives whether there may be more.

        Who is sent back to earlier events looks at everything, as the framework does."""
        after = self.cursors.get(device)
        query = f"?after={after}" if after is not None else ""
        got = self.do(
            "events", lambda: self.send(device, "GET", "/events" + query),
            lambda answer: {"cursor": answer.json["cursor"], "events": [
                {"id": one["id"], "kind": one["kind"], "product": one.get("productId")}
                for one in answer.json["events"]]},
            device=device, after=after)
        if got is None:
            return False
        self.cursors[device] = got["cursor"]
        if after is not None and got["cursor"] < after:
            self.list_unfinished(device)
        return got["cursor"] != after

    def restore(self, device):
        key = str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

        def ask(after):
            body = {"restoreKey": key} | ({"after": after} if after else {})
            return self.send(device, "POST", "/restores", body)

        def read(answer):
            for one in answer.found:
                self.keep(one, device, "restore")
            return {"transactions": [seen(one) for one in answer.found]}

        got = self.do("restore", lambda: self.pages(ask), read, device=device, key=key)
        if not self.is_settling:
            for one in (got or {}).get("transactions", []):
                if self.dice.random() < 0.7:
                    self.finish(one["id"])

    def serve(self, method, path, body=None):
        """As the publisher's server asks."""
        return self.line.ask(method, f"{self.base}/inApps{path}", body, self.token.header())

    def look_up(self, transaction):
        got = self.do(
            "info", lambda: self.serve("GET", f"/v1/transactions/{transaction}"),
            lambda answer: seen(claims(answer.json["signedTransactionInfo"])),
            transaction=transaction)
        if got is None:
            self.bought.pop(transaction)

    def read_history(self, goes_on):
        """All pages of the history, or those since the last time."""
        purchases = [key for key, one in self.bought.items() if one["kind"] == "purchase"]
        if not purchases:
            return
        transaction = self.dice.choice(purchases)
        start, since = self.revision if goes_on and self.revision else (None, None)

        def ask():
            found, revision = [], start
            while True:
                query = "?" + urllib.parse.urlencode({"revision": revision}) if revision else ""
                answer, _ = self.repeat(
                    lambda: self.serve("GET", f"/v2/history/{transaction}{query}"))
                if not answer.is_ok:
                    return answer
                page = answer.json
                found += [claims(one) for one in page["signedTransactions"]]
                revision = page["revision"]
                if not page["hasMore"]:
                    return Found(found, revision)

        def read(answer):
            self.next_revision = answer.revision
            return {"transactions": [seen(one) for one in answer.found]}

        if self.do("history", ask, read, transaction=transaction, since=since) is not None:
            # What the next one must have began behind the last page; what this one must have
            # ended before the first.
            self.revision = (self.next_revision, self.history.clock)

    # Refunds, on the pages that customers have

    def ask_for_refund(self, transaction):
        address = f"{self.base}/us/account/orders/{order_id(int(transaction))}/refund"
        reason = self.dice.choice(REASONS)
        # A second request behind a lost one would be another one, or be refused for the first.
        self.do(
            "refund",
            lambda: self.fill_in(address, {"reason": reason, "comment": "", "answer": "ask"}),
            lambda _: {}, 1, transaction=transaction, reason=reason)

    def fill_in(self, address, fields):
        """Sends a form as its page gives it out, after signing in where the page wants that.

        What only looks is repeated."""
        page, _ = self.repeat(lambda: self.browse("GET", address))
        if page.status in (302, 303):
            self.repeat(lambda: self.sign_in_page(page.headers["Location"]))
            page, _ = self.repeat(lambda: self.browse("GET", address))
        answer = self.submit(page, address, fields)
        if answer.is_ok and "/account/orders/" not in answer.headers.get("Location", ""):
            raise Lost(f"the form was answered with {answer.status}")
        return answer

    def sign_in_page(self, address):
        page = self.browse("GET", address)
        self.submit(
            page, page.path, {"email": self.email, "password": PASSWORD, "answer": "signIn"})

    def submit(self, page, address, fields):
        found = re.search(rb'name="form" value="([^"]+)"', page.body)
        if not found:
            return page if page.status >= 400 else Refusal(page)
        body = urllib.parse.urlencode({"form": found[1].decode(), **fields})
        return self.browse("POST", address, body)

    def browse(self, method, path, body=None):
        path = path.removeprefix(self.line.address)
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Origin": self.line.address, "Host": self.line.address.removeprefix("http://")}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer = self.line.ask(method, path, body, headers)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        answer.path = path
        return answer

    # Content

    def download(self, product):
        """Fetches the content of a product by ranges, and puts the files together."""
        owned = [key for key, one in self.bought.items() if one["product"] == product]
        if not owned:
            return
        transaction = self.dice.choice(owned)
        device = self.bought[transaction]["device"]

        def permit():
            return self.send(
                device, "POST", f"/transactions/{transaction}/downloads",
                {"contentIdentifier": product, "version": "1.0"})

        def fetch(answer):
            expected = claims(answer.json["signedDelivery"])
            grant = {"OpenStore-Grant": answer.json["grant"]}
            digests = {}
            data = self.fetch(expected["manifestDigest"], expected["manifestLength"], grant)
            digests[expected["manifestDigest"]] = content.digest(data)
            whole, blobs = content.manifest(data), {}
            for blob in whole["blobs"]:
                data = self.fetch(blob["digest"], blob["length"], grant)
                digests[blob["digest"]] = content.digest(data)
                blobs[blob["digest"]] = data
            files = {}
            if all(key == value for key, value in digests.items()):
                files = content.file_digests(whole, blobs)
            return {"digests": digests, "files": files}

        operation = self.history.begin(
            "download", self.name, environment=self.environment, account=self.email,
            final=self.is_settling, product=product, transaction=transaction, device=device)
        try:
            answer, _ = self.repeat(permit)
            if not answer.is_ok:
                return self.history.end(operation, "fail", code=answer.code, status=answer.status)
            self.history.end(operation, "ok", **fetch(answer))
        except Ended as error:
            self.history.end(operation, "unknown", reason=str(error))
        except Broken as error:
            self.history.end(operation, "ok", digests={"a range": str(error)}, files={})

    def fetch(self, digest, length, grant):
        """The bytes of a digest, in ranges of the dice's size."""
        data = bytearray()
        while len(data) < length:
            end = min(length, len(data) + self.dice.choice([70_000, 200_000, 1_000_000]))
            asked = f"bytes={len(data)}-{end - 1}"
            answer, _ = self.repeat(lambda: self.fetch_range(digest, asked, grant))
            said = answer.headers.get("Content-Range", "")
            if answer.status != 206 or said != f"bytes {len(data)}-{end - 1}/{length}" or len(
                    answer.body) != end - len(data):
                raise Broken(f"{asked} of {digest} gave {answer.status}, {said}, "
                             f"{len(answer.body)} bytes: {answer.body[:100]!r}")
            data += answer.body
        return bytes(data)

    def fetch_range(self, digest, asked, grant):
        answer = self.line.ask(
            "GET", f"{self.base}/content/{digest}", headers={"Range": asked, **grant})
        if answer.status != 307:
            return answer
        # From the bucket, which is not shown the grant. Expired addresses are asked for again.
        place = urllib.parse.urlsplit(answer.headers["Location"])
        line = Line(self.name, place.hostname, place.port)
        try:
            answer = line.ask("GET", f"{place.path}?{place.query}", headers={"Range": asked})
        finally:
            line.close()
        if answer.status == 403:
            raise Lost(f"the bucket says {answer.body[:200]!r}")
        return answer


class Broken(Exception):
    """An answer about content that no store may give."""


class Found:
    """An answer of several pages."""

    is_ok = True

    def __init__(self, found, revision=None):
        self.found, self.revision = found, revision


class Refusal:
    """A page without the form that was wanted."""

    is_ok = False

    def __init__(self, page):
        self.status = page.status
        note = re.search(rb'class="(?:note|problem)[^>]*>([^<]+)', page.body)
        self.code = note[1].decode() if note else "no form"


def seen(said):
    """What of a signed transaction the checker looks at."""
    kept = {
        "id": "transactionId", "original": "originalTransactionId", "product": "productId",
        "quantity": "quantity", "price": "price", "key": "purchaseKey",
        "revoked": "revocationDate", "percentage": "revocationPercentage", "upgraded": "isUpgraded",
        "expires": "expiresDate"}
    return {name: said[field] for name, field in kept.items() if field in said}


def order_id(transaction):
    """The order as customers read it: the number of its transaction in another dress."""
    bits, mask = 50, (1 << 50) - 1

    def mixed(value):
        return value ^ value >> bits // 2

    code = mixed(mixed(transaction & mask) * 0x25A3D9E1B6C75 & mask)
    letters = "0123456789BCDFGHJKLMNPQRSTVWXYZA"
    return "M" + "".join(letters[code >> 5 * place & 31] for place in reversed(range(10)))
