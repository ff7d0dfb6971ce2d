"""The whole way on the page that an app shows, by keyboard alone, 320 pixels wide and without
scripts, and once as most customers see it.

    make test-browser
"""

import json
import shutil
import unittest

from connect import OWN_CHECKS
from shop import EMAIL, PASSWORD, ROOT
from storefront import Customer, ItemShop, Shopper
from test_pages import ENTER, SCREENSHOTS, TAB

PILOT = 910000099
READERS = 11


class PilotShop(ItemShop):
    """A store with a paid app that has a support page and many reviews. Close it."""

    def fill(self, data):
        super().fill(data)
        for number in range(READERS):
            self.openstore(
                "tester", "create", "--email", f"reader{number}@example.com", "--password",
                PASSWORD, "--storefront", "USA", *data)

    def add_pilot(self):
        folder = ROOT / "Examples/Bookshop/Shop"
        line = next(
            line for line in (folder / "items.jsonl").read_text().splitlines()
            if '"trackId": 910000001' in line)
        pilot = json.loads(line)
        pilot.update(
            trackId=PILOT, bundleId="com.example.pilot", trackName="Harbour Pilot",
            priceTier=3, supportUrl=f"{self.address}/us/countries")
        del pilot["translations"]
        for name in ["artworks", "downloads", "screenshots"]:
            shutil.copytree(folder / name, self.path / name)
        self.add_items([json.dumps(pilot)])
        for number in range(READERS):
            reader = Shopper(self, f"reader{number}@example.com")
            reader.buy(PILOT)
            reader.review(
                PILOT, number % 5 + 1, f"Opinion {number}", "Read it and sailed.", f"Reader {number}")


class InAppTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.shop = PilotShop()
        cls.addClassCleanup(cls.shop.close)
        cls.shop.add_pilot()

    def reach(self, selector):
        """Goes on with the keyboard until what has the focus matches."""
        for _ in range(400):
            self.driver.keys(TAB)
            if self.driver.run(
                    "return document.activeElement.matches(arguments[0])", selector):
                return
        self.fail(f"the keyboard does not reach {selector} on {self.driver.url}")

    def go(self, selector, key=ENTER):
        self.reach(selector)
        self.driver.turn(lambda: self.driver.keys(key))

    def look(self, name):
        """Nothing is wrong with the page, and it fits. What finds more needs scripts itself."""
        found = self.customer.problems() if self.runs_scripts else self.driver.run(OWN_CHECKS)
        self.assertEqual([line for line in found if "422" not in line], [])
        self.assertEqual(
            self.driver.run("return document.documentElement.scrollWidth"),
            self.driver.run("return innerWidth"))
        self.customer.picture(SCREENSHOTS / f"in-app-{name}-{self.width}.png")

    def fill(self, selector, text):
        self.reach(selector)
        self.driver.run("document.activeElement.select()")
        self.driver.keys(text)

    def begin(self, width, scripts=True):
        self.width, self.runs_scripts = width, scripts
        self.customer = Customer(self.shop, width=width, height=900, scripts=scripts)
        self.addCleanup(self.customer.close)
        self.driver = self.customer.driver
        self.device = self.shop.device()

    def show(self):
        prompt = self.device.ask("item", itemId=self.found())
        self.driver.open(prompt["url"])
        return prompt

    def found(self):
        """What the app finds with the store's search."""
        status, _, body = self.customer.fetch(
            "/search?term=harbour+pilot&media=software&country=US")
        self.assertEqual(status, 200)
        return json.loads(body)["results"][0]["trackId"]

    def test_the_whole_way_by_keyboard_on_the_narrowest_screen_without_scripts(self):
        self.begin(width=320, scripts=False)
        self.walk(EMAIL)

    def test_the_whole_way_on_a_desktop_with_scripts(self):
        self.begin(width=1280)
        self.walk("tim@example.com")

    def walk(self, email):
        driver = self.driver
        prompt = self.show()
        self.assertEqual(driver.text("h1"), "Harbour Pilot")
        for words in ["Screenshots", "Description", "What’s New", "Information", "Support"]:
            self.assertIn(words, driver.text())
        self.look("page")

        # Further reviews.
        self.go(".choices a[href*=mostcritical]")
        self.assertIn("sort=mostcritical", driver.url)
        self.go(".paging a[rel=next]")
        self.assertIn("Page 2 of 2", driver.text())
        self.assertEqual(len(driver.all(".review")), READERS - 10)

        # Buying, with the password, and having it.
        self.fill("#email", email)
        self.fill("#password", PASSWORD)
        self.go("button[value=buy]")
        self.assertEqual(driver.text(".offer.large"), "Download")
        self.look("bought")
        path = driver.run("return document.querySelector('.offer.large').pathname")
        self.reach(".offer.large")
        status, headers, body = self.customer.fetch(path.removeprefix("/sandbox"))
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        self.assertEqual(len(body), int(headers["Content-Length"]))

        # A vote, and a review that is changed and removed.
        self.go(".votes button[value$=yes]")
        self.assertIn("found this helpful", driver.text(".reviews"))
        self.review("4", "Steady", "Write a Review")
        self.assertIn("Edit Your Review", driver.text())
        self.review("2", "Less steady", "Edit Your Review")
        self.go(".choices a[href*=mostrecent]")
        self.assertEqual(driver.text(".reviews li:first-child h3"), "Less steady")
        self.assertNotIn("Steady\n", driver.text(".reviews"))
        self.go(".own a")
        self.look("review")
        self.go("button[value=remove]")
        self.assertIn("Write a Review", driver.text())
        self.assertEqual(self.device.state(prompt), {"state": "pending"})

        # Another item is in the store: the page has ended, and the app hears so.
        self.reach(".tile")
        title = driver.run("return document.activeElement.querySelector('.name').textContent")
        driver.turn(lambda: driver.keys(ENTER))
        self.assertEqual(driver.text("h1"), title)
        self.assertTrue(driver.url.startswith(self.customer.base + "/us/"))
        self.assertTrue(driver.all("form.search"))
        self.assertEqual(self.device.state(prompt), {"state": "done"})
        driver.open(prompt["url"])
        self.assertIn("return to the app", driver.text())

        # So is the way to the publisher's support.
        again = self.show()
        self.go(".outside button[value$='#support']")
        self.assertTrue(driver.url.endswith(f"id{PILOT}#support"))
        self.assertEqual(self.device.state(again), {"state": "done"})
        self.go("#support")
        self.assertEqual(driver.url, f"{self.shop.address}/us/countries")

        # Back in the app.
        last = self.show()
        self.go("button[value=done]")
        self.assertEqual(driver.text("h1"), "Done")
        self.assertEqual(self.device.state(last), {"state": "done"})

    def review(self, stars, title, link):
        driver = self.driver
        self.reach(".own a")
        self.assertEqual(driver.run("return document.activeElement.textContent"), link)
        driver.turn(lambda: driver.keys(ENTER))
        self.reach("input[name=rating]")
        # A group of choices is moved through with the arrows, from its first or chosen one.
        driver.keys(" ")
        now = int(driver.run("return document.querySelector('[name=rating]:checked').value"))
        steps = int(stars) - now
        driver.keys(("\ue014" if steps > 0 else "\ue012") * abs(steps))
        self.assertEqual(
            driver.run("return document.querySelector('[name=rating]:checked').value"), stars)
        self.fill("#title", title)
        self.fill("#body", "Written inside of the app.")
        self.fill("#nickname", "Ada")
        self.go("button[value=save]")


if __name__ == "__main__":
    unittest.main()
