"""A store with the bookshop's catalog, run by the built program, and a device of it."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.error
import urllib.request
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("OPENSTORE_PROGRAMS", ROOT / ".build" / "debug"))
BUNDLE = "com.example.bookshop"
EMAIL = "ada@example.com"
WARD = "tim@example.com"
GUARDIAN = "grace@example.com"
PASSWORD = "correct-horse"


class Refused(Exception):
    pass


class Shop:
    """`openstore serve` on a free port of this machine. Close it.

    `is_new` makes a store in which nothing is set up.
    """

    def __init__(self, is_new=False):
        self.folder = tempfile.TemporaryDirectory(prefix="openstore-browser-")
        self.path = pathlib.Path(self.folder.name)
        data = ["--data", str(self.path / "store")]
        if not is_new:
            self.fill(data)
        self.serve(data)
        if not is_new:
            self.make_profile(data)

    def fill(self, data):
        self.openstore(
            "catalog", "import", str(ROOT / "Examples/Bookshop/Bookshop.storekit"),
            "--bundle-id", BUNDLE, "--name", "Lighthouse Books", *data)
        for email, storefront in [
                (EMAIL, "USA"), ("anna@example.de", "DEU"), (WARD, "USA"), (GUARDIAN, "USA")]:
            self.openstore(
                "tester", "create", "--email", email, "--password", PASSWORD,
                "--storefront", storefront, *data)

    def serve(self, data):
        self.log = open(self.path / "log", "w")
        self.process = subprocess.Popen(
            [PROGRAMS / "openstore", "serve", *data, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.address = self.first_link = None
        for line in self.process.stdout:
            if line.strip().startswith("production"):
                self.address = line.split()[-1]
            if "/connect/first/" in line:
                self.first_link = line.split()[-1]
            if self.address and (self.first_link or not line.strip()):
                break
        else:
            raise Refused("the store did not start")

    def make_profile(self, data):
        self.profile = self.path / "embedded.storeprofile"
        self.openstore(
            "profile", "create", "--bundle-id", BUNDLE, "--store", self.address,
            "-o", str(self.profile), *data)

    @staticmethod
    def openstore(*words):
        done = subprocess.run(
            [PROGRAMS / "openstore", *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(f"{words}: {done.stderr}")
        return done.stdout

    def device(self, email=None):
        return Device(self, email)

    def approval(self, guardian, product="chapter1"):
        """The page of something that an account asks to buy."""
        self.openstore(
            "tester", "update", WARD, "--ask-to-buy", "on",
            "--guardian", guardian or "none", "--data", str(self.path / "store"))
        device = self.device(WARD)
        return device.base + device.buy(product)["approvalPage"]

    def requests(self, *words):
        """The lines of the log about requests that hold all these words."""
        lines = (self.path / "log").read_text().splitlines()
        return [
            line for line in lines
            if "event=request" in line and all(word in line for word in words)]

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()


class Device:
    """Speaks the device interface, as the framework does."""

    def __init__(self, shop, email=None):
        self.shop = shop
        self.base = shop.address + "/sandbox"
        self.headers = {
            "OpenStore-Profile": shop.profile.read_text().strip(),
            "OpenStore-Device": "browser-tests", "Content-Type": "application/json",
        }
        if email:
            session = self.send(
                "POST", "/device/v1/session", {"email": email, "password": PASSWORD})
            self.headers["Authorization"] = f"Bearer {session['token']}"

    def send(self, method, path, body=None, **headers):
        request = urllib.request.Request(
            self.base + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={**self.headers, **headers})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise Refused(error.read().decode()) from None
        return json.loads(text) if text else None

    def ask(self, kind, **fields):
        return self.send("POST", "/device/v1/prompts", {"kind": kind, **fields})

    def confirm(self, product="chapter1", quantity=1):
        identifier = f"{BUNDLE}.{product}"
        known = self.send("POST", "/device/v1/products", {"productIds": [identifier]})
        return self.ask(
            "confirm", productId=identifier, quantity=quantity,
            price=known["products"][0]["price"])

    def buy(self, product):
        identifier = f"{BUNDLE}.{product}"
        known = self.send("POST", "/device/v1/products", {"productIds": [identifier]})
        return self.send("POST", "/device/v1/purchases", {
            "purchaseKey": str(uuid.uuid4()), "productId": identifier, "quantity": 1,
            "confirmedPrice": known["products"][0]["price"]})

    def consent(self, old, new, currency="USD"):
        return self.ask(
            "consent", productId=f"{BUNDLE}.chapter1",
            currentPrice={"thousandths": old, "currency": currency},
            newPrice={"thousandths": new, "currency": currency})

    def state(self, prompt, wait=0):
        return self.send(
            "GET", f"/device/v1/prompts/{prompt['id']}?wait={wait}",
            **{"OpenStore-Prompt": prompt["secret"]})

    def abandon(self, prompt):
        self.send(
            "DELETE", f"/device/v1/prompts/{prompt['id']}",
            **{"OpenStore-Prompt": prompt["secret"]})


class App:
    """A real app whose sheet is the browser's: it opens what `BROWSER` names, which here
    writes the address down instead."""

    def __init__(self, shop, *words):
        home = shop.path / "home"
        home.mkdir(exist_ok=True)
        self.pages = shop.path / "pages"
        os.mkfifo(self.pages)
        browser = shop.path / "browser"
        browser.write_text(f"#!/bin/sh\nexec printf '%s\\n' \"$1\" >'{self.pages}'\n")
        browser.chmod(0o755)
        self.process = subprocess.Popen(
            [PROGRAMS / "StoreTestApp", *words], stdout=subprocess.PIPE, text=True,
            env={
                "PATH": os.environ["PATH"], "HOME": str(home), "OPENSTORE_SHEET": "browser",
                "OPENSTORE_PROFILE": str(shop.profile), "BROWSER": str(browser),
            })

    def page(self):
        """The address of the next page that the app opens."""
        with open(self.pages) as pages:
            return pages.readline().strip()

    def output(self):
        text, _ = self.process.communicate(timeout=60)
        return text


def contrast(first, second):
    """The contrast of two colours as WCAG 2 defines it."""
    def luminance(colour):
        channels = [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
        linear = [
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
            for value in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    lighter, darker = sorted([luminance(first), luminance(second)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
