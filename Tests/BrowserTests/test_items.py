"""Items that apps show on a page of the store, in a real browser, which may be closed.

    make test-browser
"""

import time
import unittest

from shop import EMAIL, PASSWORD
from storefront import Customer, ItemShop

BOOK = 910000010


class ItemTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = ItemShop()
        cls.addClassCleanup(cls.shop.close)

    def shown(self, **settings):
        """A device, an item's prompt, and a browser in front of its page with a second tab."""
        device = self.shop.device()
        prompt = device.ask("item", itemId=BOOK, ct="tests")
        customer = Customer(self.shop, **settings)
        self.addCleanup(customer.close)
        driver = customer.driver
        first = driver.call("GET", "/window")
        self.other = driver.call("POST", "/window/new", {"type": "tab"})["handle"]
        driver.call("POST", "/window", {"handle": first})
        driver.open(prompt["url"])
        return device, prompt, customer

    def test_a_closed_tab_is_heard_of_within_seconds(self):
        device, prompt, customer = self.shown()
        self.assertIn("Lamplighter", customer.driver.text("h1"))
        self.assertEqual(customer.driver.console(), [])
        start = time.monotonic()
        customer.driver.call("DELETE", "/window")
        customer.driver.call("POST", "/window", {"handle": self.other})
        self.assertEqual(device.state(prompt, wait=45), {"state": "left"})
        self.assertLess(time.monotonic() - start, 25)
        customer.driver.open(prompt["url"])
        self.assertIn("This page was closed", customer.driver.text())

    def test_signing_in_buying_and_loading_again_are_no_closing(self):
        device, prompt, customer = self.shown()
        driver = customer.driver
        driver.type("#email", EMAIL)
        driver.type("#password", "wrong")
        driver.press("signIn")
        self.assertIn("wrong", driver.text("[role=alert]"))
        driver.type("#email", EMAIL)
        driver.type("#password", PASSWORD)
        driver.press("signIn")
        driver.press("buy")
        self.assertIn("Download", driver.text())
        driver.turn(lambda: driver.call("POST", "/refresh", {}))
        self.assertEqual(device.state(prompt, wait=20), {"state": "pending"})
        driver.press("done")
        self.assertEqual(device.state(prompt), {"state": "done"})
        self.assertEqual([line for line in customer.problems() if "422" not in line], [])

    def test_a_page_whose_app_has_dismissed_it_says_so_by_itself(self):
        device, prompt, customer = self.shown()
        device.abandon(prompt)
        customer.driver.wait("return document.body.innerText.includes('No Longer Needed')")

    def test_without_scripts_it_is_a_page_all_the_same(self):
        device, prompt, customer = self.shown(scripts=False)
        self.assertIn("Lamplighter", customer.driver.text("h1"))
        customer.driver.call("DELETE", "/window")
        customer.driver.call("POST", "/window", {"handle": self.other})
        # Nobody sees that: the page has its half hour.
        self.assertEqual(device.state(prompt, wait=20), {"state": "pending"})


if __name__ == "__main__":
    unittest.main()
