"""What the portal's script adds, and that the same can be done without it.

    make test-browser
"""

import re
import unittest

from connect import Portal
from shop import Shop
from test_selling import picture

RELEASE, BACKSPACE, ENTER, CONTROL, ESCAPE = "\ue000", "\ue003", "\ue007", "\ue009", "\ue00c"


class ScriptTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Shop()
        cls.addClassCleanup(cls.shop.close)
        portal = Portal(cls.shop, width=1280)
        cls.addClassCleanup(portal.close)
        portal.become_operator()
        cls.cookies = portal.driver.cookies()
        portal.open("/connect/apps")
        cls.app = next(
            link for link in portal.links() if re.fullmatch(r"/connect/apps/\d+", link))
        portal.open(f"{cls.app}/products")
        cls.product = next(
            link for link in portal.links() if re.fullmatch(r"/connect/products/\d+", link))

    def portal(self, **settings):
        portal = Portal(self.shop, self.cookies, width=1280, height=900, **settings)
        self.addCleanup(portal.close)
        return portal

    @staticmethod
    def rows(portal):
        return portal.driver.run(
            "return [...document.querySelectorAll('main tbody tr')].map((r) => r.innerText)")

    def test_a_list_is_searched_while_one_types(self):
        portal = self.portal()
        portal.open(f"{self.app}/products")
        everything = self.rows(portal)
        self.assertGreater(len(everything), 1)
        portal.driver.run("window.isOld = true")
        portal.driver.type("#search", "chapter1")
        portal.driver.wait("return document.querySelectorAll('main tbody tr').length === 1")
        self.assertIn("chapter1", self.rows(portal)[0])
        # The page is the same, the address one that can be kept, and it is said what was found.
        self.assertTrue(portal.driver.run("return window.isOld"))
        self.assertTrue(portal.driver.url.endswith("?search=chapter1"), portal.driver.url)
        self.assertNotEqual(portal.driver.text("[role=search] [role=status]").strip(), "")
        self.assertEqual(portal.driver.focused(), "search")
        portal.driver.type("#search", "no such product")
        portal.driver.wait("return document.querySelectorAll('main tbody tr').length === 0")
        # Everything is chosen and deleted, as people do.
        field = portal.driver.one("#search")
        portal.driver.call(
            "POST", f"/element/{field}/value", {"text": f"{CONTROL}a{RELEASE}{BACKSPACE}"})
        portal.driver.wait(
            f"return document.querySelectorAll('main tbody tr').length === {len(everything)}")
        self.assertEqual(self.rows(portal), everything)

    def test_a_list_is_searched_without_scripts(self):
        portal = self.portal(scripts=False)
        portal.open(f"{self.app}/products")
        portal.driver.type("#search", "chapter1")
        portal.press("Search")
        self.assertIn("search=chapter1", portal.driver.url)
        rows = self.rows(portal)
        self.assertEqual(len(rows), 1)
        self.assertIn("chapter1", rows[0])
        portal.press("Show All")
        self.assertGreater(len(self.rows(portal)), 1)

    def attach_screenshot(self, portal):
        portal.open(f"{self.product}/screenshot")
        portal.attach("fileName", self.shop.path / "screen.png", picture(640, 920))
        portal.press("Upload")
        portal.open(f"{self.product}/screenshot")

    @staticmethod
    def has_screenshot(portal):
        return bool(portal.driver.all("form[action$='/screenshot/delete']"))

    def click(self, portal, selector):
        element = portal.driver.one(selector)
        portal.driver.call("POST", f"/element/{element}/click", {})

    def test_what_takes_something_away_is_asked_in_a_dialog(self):
        portal = self.portal()
        self.attach_screenshot(portal)
        button = "form[action$='/screenshot/delete'] button"
        self.click(portal, button)
        self.assertIn("Remove the screenshot?", portal.driver.text("dialog"))
        # The answer that changes nothing has the focus; afterwards the button has it again.
        self.assertEqual(portal.driver.focused(), "no")
        self.assertEqual(
            portal.driver.run("return document.querySelector('dialog').matches(':modal')"), True)
        self.click(portal, "dialog button[value=no]")
        portal.driver.wait("return !document.querySelector('dialog')")
        self.assertTrue(
            portal.driver.run("return document.activeElement.matches(arguments[0])", button))
        portal.driver.keys(ENTER)
        portal.driver.wait("return !!document.querySelector('dialog')")
        portal.driver.keys(ESCAPE)
        portal.driver.wait("return !document.querySelector('dialog')")
        portal.open(f"{self.product}/screenshot")
        self.assertTrue(self.has_screenshot(portal))
        self.click(portal, button)
        portal.driver.turn(lambda: self.click(portal, "dialog button[value=yes]"))
        self.assertFalse(self.has_screenshot(portal))

    def test_what_takes_something_away_needs_no_script(self):
        portal = self.portal(scripts=False)
        self.attach_screenshot(portal)
        self.assertTrue(self.has_screenshot(portal))
        portal.driver.turn(
            lambda: self.click(portal, "form[action$='/screenshot/delete'] button"))
        self.assertFalse(portal.driver.all("dialog"))
        self.assertFalse(self.has_screenshot(portal))


if __name__ == "__main__":
    unittest.main()
