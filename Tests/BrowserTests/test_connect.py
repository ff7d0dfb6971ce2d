"""The portal in a real browser: set up, used by keyboard, and looked at by axe-core.

    make test-browser
"""

import os
import pathlib
import unittest

from connect import AXE, Portal, kind, name
from shop import EMAIL, Shop
from storefront import Shopper

SCREENSHOTS = pathlib.Path(
    os.environ.get("OPENSTORE_SCREENSHOTS", pathlib.Path(__file__).parents[2] / ".build/browser"))
TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"
LOOKS = [(dark, width) for width in (1280, 375) for dark in (False, True)]


class ConnectTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.shop = Shop()
        cls.addClassCleanup(cls.shop.close)
        cls.shop.device(EMAIL).buy("chapter1")
        customer = Shopper(cls.shop, EMAIL)
        customer.send(
            f"/us/account/orders/{customer.last_order()}/refund", answer="ask",
            reason="FULFILLMENT_ISSUE", comment="It stays <b>black</b>.")
        portal = Portal(cls.shop, width=1280)
        cls.addClassCleanup(portal.close)
        portal.become_operator()
        cls.portal = portal
        cls.cookies = portal.driver.cookies()

    def crawl(self):
        """One page of each kind that can be reached from the start."""
        waiting, known, paths = ["/connect/"], {kind("/connect/")}, []
        while waiting:
            path = waiting.pop(0)
            self.portal.open(path)
            status = self.portal.driver.run(
                "return performance.getEntriesByType('navigation')[0].responseStatus")
            self.assertEqual(status, 200, path)
            if not self.portal.driver.run(
                    "return document.contentType").startswith("text/html"):
                continue
            paths.append(path)
            for link in self.portal.links():
                if kind(link) not in known and not link.split("?")[0].endswith(
                        (".csv", ".json", ".xml", ".storekit", ".p8", ".storeprofile")):
                    known.add(kind(link))
                    waiting.append(link)
        return paths

    def test_every_page_is_accessible_light_and_dark_on_phone_and_desktop(self):
        self.assertTrue(AXE.exists(), "axe-core is missing: Scripts/test-browser.sh fetches it")
        paths = self.crawl()
        self.assertGreater(len(paths), 5, paths)
        for dark, width in LOOKS:
            portal = Portal(self.shop, self.cookies, dark=dark, width=width, height=900)
            self.addCleanup(portal.close)
            for path in paths:
                with self.subTest(path=path, dark=dark, width=width):
                    portal.open(path)
                    problems = portal.problems()
                    look = f"{width}-{'dark' if dark else 'light'}"
                    portal.picture(SCREENSHOTS / f"connect-{name(path)}-{look}.png")
                    self.assertEqual(problems, [])

    def test_pages_before_signing_in_are_accessible(self):
        for dark, width in LOOKS:
            portal = Portal(self.shop, dark=dark, width=width, height=900)
            self.addCleanup(portal.close)
            portal.open("/connect/sign-in")
            self.assertEqual(portal.problems(), [])
            portal.picture(
                SCREENSHOTS / f"connect-sign-in-{width}-{'dark' if dark else 'light'}.png")
            portal.type("email", "nobody@example.com")
            portal.type("password", "a wrong password")
            portal.press("Sign In")
            self.assertIn("The email address or the password is wrong.", portal.driver.text())
            self.assertEqual(
                [problem for problem in portal.problems() if "status of 422" not in problem], [])

    def test_pages_fit_into_the_narrowest_window(self):
        portal = Portal(self.shop, self.cookies, width=320, height=640)
        self.addCleanup(portal.close)
        for path in self.crawl():
            with self.subTest(path=path):
                portal.open(path)
                self.assertEqual(
                    portal.driver.run("return document.documentElement.scrollWidth"), 320)

    def test_the_first_stop_of_the_keyboard_leads_to_the_content(self):
        portal = Portal(self.shop, self.cookies, width=1280)
        self.addCleanup(portal.close)
        portal.open("/connect/")
        portal.driver.keys(TAB)
        self.assertEqual(
            portal.driver.run("return document.activeElement.textContent"), "Skip to content")
        portal.driver.keys(ENTER)
        self.assertEqual(portal.driver.focused(), "content")

    def test_menus_close_with_escape_and_without_scripts_everything_is_there(self):
        portal = Portal(self.shop, self.cookies, width=375)
        self.addCleanup(portal.close)
        portal.open("/connect/")
        menu = portal.driver.one("summary[aria-label^='Account']")
        portal.driver.call("POST", f"/element/{menu}/click", {})
        self.assertTrue(portal.driver.run("return document.querySelector('.account').open"))
        portal.driver.keys(ESCAPE)
        self.assertFalse(portal.driver.run("return document.querySelector('.account').open"))
        portal.driver.command("Emulation.setScriptExecutionDisabled", value=True)
        portal.open("/connect/")
        self.assertTrue(portal.driver.all("form[action='/connect/sign-out'] button"))

    def test_signing_out_ends_the_session(self):
        portal = Portal(self.shop, width=1280)
        self.addCleanup(portal.close)
        portal.sign_in()
        self.assertTrue(portal.driver.url.endswith("/connect/"))
        menu = portal.driver.one("summary[aria-label^='Account']")
        portal.driver.call("POST", f"/element/{menu}/click", {})
        button = portal.driver.one("form[action='/connect/sign-out'] button")
        portal.driver.turn(lambda: portal.driver.call("POST", f"/element/{button}/click", {}))
        self.assertTrue(portal.driver.url.endswith("/connect/sign-in"))
        portal.open("/connect/")
        self.assertTrue(portal.driver.url.endswith("/connect/sign-in"))


if __name__ == "__main__":
    unittest.main()
