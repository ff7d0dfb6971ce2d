"""The store's pages for customers, in a browser."""

import base64
import html
import re
import urllib.error
import urllib.parse
import urllib.request

from connect import AXE, OWN_CHECKS
from shop import EMAIL, PASSWORD, ROOT, Refused, Shop
from webdriver import Driver

# The kinds of pages: the chart that leads to one, what it is called there where the chart has
# others too, and the name of its pictures.
KINDS = [
    ("app", "app"), ("app:Mac App", "mac-app"), ("book", "book"), ("album", "album"),
    ("song", "song"), ("music-video", "music-video"), ("movie", "film"),
    ("movie:Short Film", "short-film"), ("tv-season", "tv-season"), ("tv-episode", "tv-episode"),
    ("podcast", "podcast"), ("audiobook", "audiobook"),
]


class ItemShop(Shop):
    """A store with the bookshop's items of every kind. Close it."""

    def fill(self, data):
        super().fill(data)
        self.openstore(
            "item", "import", str(ROOT / "Examples/Bookshop/Shop/items.jsonl"), *data)

    def add_items(self, lines):
        """Imports items into the running store."""
        file = self.path / "items.jsonl"
        file.write_text("".join(line + "\n" for line in lines))
        self.openstore("item", "import", str(file), "--data", str(self.path / "store"))


class Customer:
    """A browser in the store's sandbox. Close it."""

    def __init__(self, shop, **settings):
        self.shop = shop
        self.driver = Driver(**settings)
        self.base = shop.address + "/sandbox"

    def close(self):
        self.driver.close()

    def open(self, path):
        self.driver.open(self.base + path)

    def links(self, selector="main a[href]"):
        return self.driver.run(
            "return [...document.querySelectorAll(arguments[0])].map((a) => a.href)", selector)

    def open_first(self, segment):
        """Opens the page of the best item of a kind."""
        segment, _, kind = segment.partition(":")
        self.open(f"/us/charts/{segment}")
        links = self.driver.run(
            "return [...document.querySelectorAll('.rows a.what')]"
            ".filter((a) => a.querySelector('.by').textContent.startsWith(arguments[0]))"
            ".map((a) => a.href)", kind)
        if not links:
            raise Refused(f"the store has no {segment}")
        self.driver.open(links[0])

    def click(self, selector):
        element = self.driver.one(selector)
        self.driver.turn(lambda: self.driver.call("POST", f"/element/{element}/click", {}))

    def sign_in(self, email=EMAIL):
        self.open("/us/account")
        self.driver.type("#email", email)
        self.driver.type("#password", PASSWORD)
        self.driver.press("signIn")

    def problems(self):
        """What axe and our own checks find on the page, and what the console has heard."""
        self.driver.run(AXE.read_text() + "; return null;")
        found = self.driver.run_later("""
            const done = arguments[arguments.length - 1];
            const rules = { dlitem: { enabled: false } };
            axe.run(document, { resultTypes: ["violations"], rules }).then(
                (results) => done(results.violations.map((rule) => rule.id + ": " + rule.help + " "
                    + rule.nodes.map((node) => node.target.join(" ") + " " + node.any.concat(
                        node.all, node.none).map((check) => check.message).join("; ")).join(" | "))),
                (error) => done(["axe: " + error]));
        """)
        console = [entry["message"] for entry in self.driver.console()]
        return found + self.driver.run(OWN_CHECKS) + console

    def fetch(self, path):
        """What is at a path, with the browser's cookies: status, headers, bytes."""
        cookies = "; ".join(f"{c['name']}={c['value']}" for c in self.driver.cookies())
        request = urllib.request.Request(self.base + path, headers={"Cookie": cookies})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def picture(self, file, limit=None):
        """The page, or its beginning up to a limit in pixels, with all of its pictures; as WebP
        where the file is called so."""
        self.driver.run("document.activeElement.blur()")
        width = self.driver.run("return innerWidth")
        height = self.driver.run("return innerHeight")
        whole = self.driver.run("return document.documentElement.scrollHeight")
        self.driver.emulate(width, min(whole, limit or whole))
        self.driver.run(
            "for (const image of document.images) image.loading = 'eager'; return null;")
        self.driver.wait(
            "return [...document.images].every((i) => i.complete && i.naturalWidth > 0)")
        if file.suffix == ".webp":
            shot = self.driver.command("Page.captureScreenshot", format="webp", quality=82)
            file.write_bytes(base64.b64decode(shot["data"]))
        else:
            self.driver.screenshot(file, is_whole=limit is None)
        self.driver.emulate(width, height)


class Shopper:
    """A customer without a browser's window: sends the forms that pages have."""

    def __init__(self, shop, email):
        self.base = shop.address + "/sandbox"
        self.origin = shop.address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.send("/us/account", answer="signIn", email=email, password=PASSWORD)

    def get(self, path):
        with self.opener.open(self.base + path, timeout=60) as response:
            return response.read().decode()

    def send(self, path, **fields):
        """Fills in the form of a page."""
        page = self.get(path)
        for name, value in re.findall(
                r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', page):
            fields.setdefault(name, html.unescape(value))
        request = urllib.request.Request(
            self.base + path, data=urllib.parse.urlencode(fields).encode(),
            headers={"Origin": self.origin})
        with self.opener.open(request, timeout=60) as response:
            return response.read().decode()

    def buy(self, item):
        """Gets an item, unless it came with an album or a season."""
        if 'value="buy"' in self.get(f"/us/buy/{item}"):
            self.send(f"/us/buy/{item}", answer="buy")

    def last_order(self):
        """The order of what was bought in an app last."""
        return re.search(r"/account/orders/(M\w{10})\"", self.get("/us/account/orders"))[1]

    def review(self, item, rating, title, body, nickname):
        self.send(
            f"/us/review/{item}", answer="save", rating=rating, title=title, body=body,
            nickname=nickname)


def number(url):
    """The number of the item that a page is about."""
    return re.search(r"/id(\d+)", url)[1]
