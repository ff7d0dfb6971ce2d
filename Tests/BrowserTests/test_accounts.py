"""What customers bought in apps, in a real browser: refunds, subscriptions and families.

    make test-browser
"""

import unittest

from accounts import AccountShop
from shop import BUNDLE, EMAIL, WARD
from storefront import Customer
from test_pages import SCREENSHOTS

LOOKS = [(False, 375), (True, 375), (False, 1280), (True, 1280)]


class AccountTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.shop = AccountShop()
        cls.addClassCleanup(cls.shop.close)

    def customer(self, email, **settings):
        customer = Customer(self.shop, **settings)
        self.addCleanup(customer.close)
        customer.sign_in(email)
        return customer

    def test_every_page_is_accessible_light_and_dark_on_phone_and_desktop(self):
        self.shop.share(WARD)
        order = self.shop.order("chapter1")
        club = self.shop.order("club.monthly")
        subscription = f"/us/account/subscriptions/{club}"
        pages = [
            ("/us/account", "account"), ("/us/account/orders", "orders"),
            (f"/us/account/orders/{order}", "order"),
            (f"/us/account/orders/{order}/refund", "refund"),
            ("/us/account/subscriptions", "subscriptions"), (subscription, "subscription"),
            (f"{subscription}/cancel", "cancel"),
            (f"{subscription}/change?product={BUNDLE}.club.gold", "change"),
            ("/us/account/family", "family"),
        ]
        for dark, width in LOOKS:
            customer = self.customer(EMAIL, dark=dark, width=width, height=900)
            look = f"{width}-{'dark' if dark else 'light'}"
            for path, name in pages:
                with self.subTest(page=name, look=look):
                    customer.open(path)
                    self.assertEqual(customer.problems(), [])
                    customer.picture(SCREENSHOTS / f"store-{name}-{look}.png")
            with self.subTest(page="removing", look=look):
                customer.driver.open(customer.links(".rows a.button")[1])
                self.assertIn("They lose at once", customer.driver.text(".losses"))
                self.assertEqual(customer.problems(), [])
                customer.picture(SCREENSHOTS / f"store-removing-{look}.png")
        narrow = self.customer(EMAIL, width=320, height=640)
        for path, name in pages:
            with self.subTest(page=name, look="narrowest"):
                narrow.open(path)
                self.assertEqual(
                    narrow.driver.run("return document.documentElement.scrollWidth"), 320)

    def test_a_refund_is_asked_for(self):
        email = self.shop.tester("refund")
        self.shop.order("credits5", email)
        customer = self.customer(email)
        driver = customer.driver
        customer.open("/us/account")
        customer.click(".rows a.what")
        self.assertIn("$0.99", driver.text(".order"))
        customer.click("main .actions a.button")
        # A reason has to be chosen; the browser says so.
        driver.type("#comment", "<b>Twice</b>")
        driver.run("document.querySelector('[value=UNSATISFIED_WITH_PURCHASE]').click()")
        driver.press("ask")
        self.assertIn("You asked for a refund", driver.text(".steps"))
        self.assertIn("<b>Twice</b>", driver.text(".steps"))
        self.assertIn("The store decides", driver.text(".steps"))
        self.assertEqual(customer.problems(), [])
        number = self.shop.run("refund", "list", "--waiting").splitlines()[1].split()[0]
        self.shop.run("refund", "approve", number, "--grounds", "So be it.")
        driver.open(driver.url)
        self.assertIn("$0.99 given back", driver.text(".steps"))
        self.assertIn("So be it.", driver.text(".steps"))
        customer.open("/us/account/orders")
        self.assertEqual(driver.text(".rows .mark"), "Refunded")

    def test_a_subscription_is_changed_cancelled_and_resumed(self):
        email = self.shop.tester("club")
        self.shop.order("club.monthly", email)
        customer = self.customer(email)
        driver = customer.driver
        customer.open("/us/account")
        driver.open(customer.links(".choices a")[1])
        customer.click(".rows a.what")
        self.assertIn("$3.99", driver.text(".order"))
        customer.click(".plans li:first-child .offer")
        self.assertIn("Reading Club Gold begins now", driver.text(".consequences"))
        driver.press("yes")
        self.assertIn("$6.99", driver.text(".order"))
        customer.click("main .actions a.danger")
        self.assertIn("then it ends", driver.text(".consequences"))
        driver.press("yes")
        self.assertIn("Ends on", driver.text(".facts"))
        customer.click("main .actions a.primary")
        driver.press("yes")
        self.assertIn("Renews on", driver.text(".facts"))
        self.assertEqual(customer.problems(), [])

    def test_who_was_asked_about_a_higher_price_reads_what_follows(self):
        email = self.shop.tester("reader")
        club = self.shop.order("club.monthly", email)
        self.shop.run(
            "price-consent", "request", "--email", email, "--bundle-id", BUNDLE, "--product-id",
            f"{BUNDLE}.club.monthly", "--price", "4.99")
        path = f"/us/account/subscriptions/{club}"
        customer = self.customer(email)
        driver = customer.driver
        customer.open(path)
        self.assertIn("unless you agree to $4.99 in the app", driver.text(".facts"))
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / "store-price-asked.png")
        customer.click("main .actions a.danger")
        driver.press("yes")
        customer.click("main .actions a.primary")
        self.assertIn("The price can go up to $4.99", driver.text(".consequences"))
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / "store-price-resumed.png")
        driver.press("yes")
        self.assertIn("Renews on", driver.text(".facts"))

    def test_a_member_leaves_the_family(self):
        email = self.shop.tester("child")
        self.shop.share(email, EMAIL)
        self.shop.order("chapter2", EMAIL)
        customer = self.customer(email)
        driver = customer.driver
        customer.open("/us/account")
        self.assertEqual(driver.text(".rows .row:first-child .mark"), "Family")
        driver.open(customer.links(".choices a")[2])
        customer.click(".rows a.button")
        self.assertIn("Sixty Beats to the Turn", driver.text(".losses"))
        driver.press("yes")
        self.assertIn("You share with nobody.", driver.text("main"))
        customer.open("/us/account/orders")
        self.assertEqual(driver.text(".rows .row:first-child .mark"), "No longer shared")


if __name__ == "__main__":
    unittest.main()
