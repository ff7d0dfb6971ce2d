"""Hostile texts in every field of every kind of item, looked for in a real browser.

Each page is compared with the one of an item whose texts are plain: the same elements with the
same attributes, or a text has become markup. The pages' policy against scripts is switched off,
so that what got through would run.

    make test-browser
"""

import json
import pathlib
import shutil
import unittest
import urllib.error

from connect import Portal
from shop import ROOT
from storefront import Customer, ItemShop, Shopper

HOSTILE = json.loads(
    (pathlib.Path(__file__).parents[1] / "Support/HostileStrings.json").read_text())
PLAIN = "Plain words"
# Control characters are refused everywhere.
TEXTS = [PLAIN] + ["".join(c for c in text if c >= " ") for text in HOSTILE]
KINDS = [
    "software", "mac-software", "ebook", "album", "song", "music-video", "feature-movie",
    "short-film", "tv-season", "tv-episode", "podcast", "audiobook",
]
REVIEWER = "grace@example.com"

# What would run counts itself.
COUNTER = """
    window.ran = 0;
    for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { window.ran += 1; };
"""
# What the page is made of, but for lists of other items, and links that a publisher gave; and
# what its reviews are made of: those with what can't be seen were refused.
SKELETON = """
    const made = (root, without) => [...root.querySelectorAll("*")]
        .filter((e) => !e.closest(without))
        .map((e) => e.localName + "[" + [...e.attributes].map((a) => a.name)
            .filter((name) => name !== "class").sort().join(" ") + "]");
    for (const script of document.querySelectorAll("script[type='application/ld+json']"))
        JSON.parse(script.textContent);
    const links = [...document.querySelectorAll("[href], [src], [action], [formaction], [poster]")]
        .flatMap((e) => ["href", "src", "action", "formaction", "poster"]
            .filter((name) => e.hasAttribute(name)).map((name) => e[name]));
    return {
        ran: window.ran,
        made: made(document, ".shelf, .outside, .opinions, .badges"),
        reviews: [...document.querySelectorAll(".reviews li")].map((e) => made(e, "nothing")),
        strange: links.filter((link) => !link.startsWith(location.origin + "/")
            && !link.startsWith("https://plain.example/")),
    };
"""

# What a review is made of, with its answer and its buttons.
REVIEW = {
    "article[]", "h3[]", "bdi[]", "p[]", "p[dir]", "div[]", "strong[]", "span[]",
    "span[aria-label role]", "time[datetime]", "button[form name type value]",
}


def number(text, kind):
    """The item of a kind whose texts are this one of the list."""
    return 930_000_000 + 100 * text + KINDS.index(kind)


def item(index, kind, files):
    """A line of an import with a text in each field that takes one."""
    text = TEXTS[index]
    link = "https://plain.example/" + "".join(c for c in text if "!" <= c <= "~")
    line = {
        "kind": kind, "trackName": text, "subtitle": text, "artistName": text,
        "description": text + "\n" + text, "shortDescription": text, "releaseNotes": text,
        "sellerName": text, "sellerUrl": link, "supportUrl": link, "feedUrl": link,
        "copyright": text, "publisher": text, "contentAdvisoryRating": text,
        "advisories": [text, text], "version": text, "minimumOsVersion": text,
        "supportedDevices": [text, text], "features": [text], "composer": text,
        "director": text, "producers": [text], "actors": [text, text], "keywords": [text],
        "languageCodesISO2A": ["EN"], "price": 0.99, "currency": "USD",
        "trackTimeMillis": 60000, "releaseDate": "2024-05-14T08:00:00Z",
        "translations": {"ja_JP": {"title": text, "subtitle": text, "description": text,
                                   "shortDescription": text, "releaseNotes": text}},
    }
    if kind in ("album", "tv-season"):
        line |= {"wrapperType": "collection", "collectionName": text,
                 "collectionType": "Album" if kind == "album" else "TV Season"}
        del line["kind"]
    if kind in ("album", "tv-season", "audiobook"):
        line["collectionId"] = number(index, kind)
    else:
        line["trackId"] = number(index, kind)
    if kind in ("song", "tv-episode"):
        whole = "album" if kind == "song" else "tv-season"
        line |= {"collectionId": number(index, whole), "trackNumber": 1}
    if kind in ("software", "mac-software"):
        line["bundleId"] = f"com.example.hostile{number(index, kind)}"
        line["genreIds"] = ["6018" if kind == "software" else "12001"]
    if kind == "ebook":
        line |= files
    elif kind not in ("album", "tv-season"):
        line["download"] = files["download"]
    return line


class HostileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = ItemShop()
        cls.addClassCleanup(cls.shop.close)
        cls.customer = Customer(cls.shop)
        cls.addClassCleanup(cls.customer.close)
        cls.portal = Portal(cls.shop, width=1280, height=900)
        cls.addClassCleanup(cls.portal.close)
        for driver in (cls.customer.driver, cls.portal.driver):
            driver.command("Page.enable")
            driver.command("Page.setBypassCSP", enabled=True)
            driver.command("Page.addScriptToEvaluateOnNewDocument", source=COUNTER)
        cls.shop.add_items([
            json.dumps(item(index, kind, cls.files(index)))
            for index in range(len(TEXTS)) for kind in KINDS])
        cls.shopper = Shopper(cls.shop, REVIEWER)
        cls.reviewed = set()
        for index, text in enumerate(TEXTS):
            book = number(index, "ebook")
            cls.shopper.buy(book)
            try:
                cls.shopper.review(
                    book, 1 + index % 5, text, f"{text}\n{text}", text[:40].strip())
                cls.reviewed.add(index)
            except urllib.error.HTTPError as error:
                # What can't be seen is refused, and nothing else.
                if error.code != 422 or text.isprintable():
                    raise
        cls.customer.sign_in(REVIEWER)
        cls.portal.become_operator()
        for review in cls.listed_reviews("HELD"):
            cls.portal.driver.open(review)
            cls.portal.tick("decision", "publish")
            cls.portal.press("Decide")

    @classmethod
    def listed_reviews(cls, state):
        """The pages of reviews on the portal, of the newest ones."""
        cls.portal.open(f"/connect/customer-reviews?state={state}")
        return list(dict.fromkeys(cls.portal.driver.run(
            "return [...document.querySelectorAll('main a[href]')].map((a) => a.href)"
            ".filter((a) => /customer-reviews\\/\\d+$/.test(a))")))

    @classmethod
    def files(cls, index):
        """Files whose names are hostile; slashes and what can't be seen are refused."""
        examples = ROOT / "Examples/Bookshop/Shop"
        word = TEXTS[index].replace("/", "∕").replace("\\", "＼")
        word = "".join(c for c in word if c.isprintable())
        word = word.encode()[:200].decode(errors="ignore")
        files = {}
        for field, source in [
                ("artwork", "artworks/ame-no-toshokan.jpg"),
                ("download", "downloads/ame-no-toshokan.epub")]:
            name = f"{index} {word}{pathlib.Path(source).suffix}"
            shutil.copy(examples / source, cls.shop.path / name)
            files[field] = name
        return files

    def look(self, driver, url):
        """Opens a page; what it is made of."""
        driver.open(url)
        found = driver.run(SKELETON)
        self.assertEqual(found["ran"], 0)
        self.assertEqual(found["strange"], [])
        for review in found["reviews"]:
            self.assertEqual(set(review) - REVIEW, set())
        return found["made"]

    def compare(self, driver, address):
        """Each text's page with that of the plain one."""
        plain = None
        for index, text in enumerate(TEXTS):
            url = address(index)
            with self.subTest(url=url, text=text):
                made = self.look(driver, url)
                plain = plain or made
                self.assertEqual(made, plain)

    def test_what_runs_would_be_seen(self):
        driver = self.customer.driver
        driver.open("data:text/html,<img src=x onerror=alert(1)><p>")
        driver.wait("return window.ran === 1")

    def test_products(self):
        for kind in KINDS:
            self.compare(
                self.customer.driver,
                lambda index: f"{self.customer.base}/us/app/id{number(index, kind)}")
        # The text is there as it was given, neither lost nor escaped twice.
        for index, text in enumerate(TEXTS):
            self.customer.open(f"/us/book/id{number(index, 'ebook')}")
            shown = self.customer.driver.run("""
                const text = (selector) => document.querySelector(selector)?.textContent;
                return [text("h1"), text(".subtitle"), text(".maker"), text(".review h3")];""")
            self.assertEqual(shown[:3], [text] * 3)
            self.assertEqual(shown[3], text if index in self.reviewed else None)

    def test_lists(self):
        base = self.customer.base
        for path in ["/us", "/jp", "/us/charts/book", "/us/charts/app", "/us/charts/song",
                     "/us/charts/tv-episode?rank=new", "/us/account", "/us/genre/books/id38"]:
            with self.subTest(path=path):
                made = self.look(self.customer.driver, base + path)
                known = {
                    "html", "head", "meta", "title", "link", "body", "a", "header", "img", "p",
                    "form", "input", "button", "nav", "ul", "ol", "li", "main", "div", "section",
                    "h1", "h2", "span", "bdi", "footer", "time", "strong",
                }
                self.assertEqual({e.split("[")[0] for e in made} - known, set())
                self.assertFalse([e for e in made if "[on" in e or " on" in e or "style" in e])

    def test_searching_and_makers(self):
        driver = self.customer.driver
        for index, text in enumerate(TEXTS):
            with self.subTest(text=text):
                self.customer.open(f"/us/book/id{number(index, 'ebook')}")
                maker = driver.run("return document.querySelector('.maker a').href")
                self.look(driver, maker)
                self.assertEqual(
                    driver.run("return document.querySelector('h1').textContent"), text)
                self.customer.open("/us")
                driver.run("document.querySelector('[name=term]').value = arguments[0]", text)
                driver.turn(lambda: driver.run("document.querySelector('[role=search]').submit()"))
                self.assertEqual(driver.run("return window.ran"), 0)
                self.assertEqual(
                    driver.run("return document.querySelector('[name=term]').value"),
                    " ".join(text.split()))

    def test_buying_and_reviewing(self):
        base = self.customer.base
        driver = self.customer.driver
        self.compare(driver, lambda index: f"{base}/us/buy/{number(index, 'podcast')}")
        self.compare(driver, lambda index: f"{base}/us/buy/{number(index, 'ebook')}")
        for index, text in enumerate(TEXTS):
            with self.subTest(text=text):
                self.look(driver, f"{base}/us/review/{number(index, 'ebook')}")
                self.assertEqual(
                    driver.run("return document.querySelector('#body').value"),
                    f"{text}\n{text}" if index in self.reviewed else "")

    def test_the_page_that_an_app_opens(self):
        device = self.shop.device(REVIEWER)
        for kind in KINDS:
            index = 1 + KINDS.index(kind)
            plain = self.look(
                self.customer.driver, device.ask("item", itemId=number(0, kind))["url"])
            for other in (index, index + len(KINDS), index + 2 * len(KINDS)):
                with self.subTest(kind=kind, text=TEXTS[other]):
                    page = device.ask("item", itemId=number(other, kind))["url"]
                    self.assertEqual(self.look(self.customer.driver, page), plain)

    def test_the_portal(self):
        base = self.portal.base
        driver = self.portal.driver
        for rest in ["", "/texts", "/texts/en_US", "/prices", "/media", "/state"]:
            self.compare(
                driver, lambda index: f"{base}/connect/items/{number(index, 'ebook')}{rest}")
        for kind in KINDS:
            for index in (0, 1, 6, 8):
                with self.subTest(kind=kind, text=TEXTS[index]):
                    self.look(driver, f"{base}/connect/items/{number(index, kind)}")
        reviews = self.listed_reviews("PUBLISHED")
        self.assertGreater(len(reviews), 20)
        self.look(driver, driver.url)
        for index, review in enumerate(reviews):
            self.look(driver, review)
            # The answer that customers read below it is hostile too.
            driver.run(
                "document.querySelector('[name=responseBody]').value = arguments[0]",
                TEXTS[index])
            driver.turn(lambda: driver.run(
                "document.querySelector('[name=responseBody]').form.submit()"))
            self.assertEqual(driver.run("return window.ran"), 0)
        self.look(driver, f"{base}/connect/items")
        answers = set()
        for index in range(len(TEXTS)):
            self.look(
                self.customer.driver,
                f"{self.customer.base}/us/book/id{number(index, 'ebook')}")
            answers.update(self.customer.driver.run(
                "return [...document.querySelectorAll('.response .text')]"
                ".map((e) => e.textContent)"))
        self.assertGreater(len(answers), 20)
        self.assertLessEqual(answers, set(TEXTS))


if __name__ == "__main__":
    unittest.main()
