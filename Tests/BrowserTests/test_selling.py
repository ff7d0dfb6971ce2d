"""From the first link of a new store to a chapter that an app has bought and downloaded, by
clicks in browsers and, at the end, with the framework.

    make test-browser
"""

import re
import unittest
import zlib

from connect import PASSWORD, Portal
from shop import App, BUNDLE, EMAIL, ROOT, Shop
from shop import PASSWORD as CUSTOMER_PASSWORD

HOLDER = "hanna@example.com"
CHAPTER = f"{BUNDLE}.chapter1"


def picture(width, height):
    """A PNG of one colour."""
    def chunk(kind, data):
        return (len(data).to_bytes(4, "big") + kind + data
                + zlib.crc32(kind + data).to_bytes(4, "big"))
    rows = (b"\0" + b"\x3f\x7b\xff" * width) * height
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


class SellingTests(unittest.TestCase):
    def portal(self, shop, **settings):
        portal = Portal(shop, width=1280, height=900, **settings)
        self.addCleanup(portal.close)
        return portal

    def test_a_chapter_is_set_up_reviewed_bought_and_downloaded(self):
        shop = Shop(is_new=True)
        self.addCleanup(shop.close)
        operator, holder = self.portal(shop), self.portal(shop)
        operator.become_operator()
        self.make_team(operator, holder)
        self.sign_agreements(holder)
        app = self.make_app(holder)
        product = self.make_product(holder, app)
        self.upload_content(holder, shop, product)
        holder.open(f"{product}/review")
        holder.press("Submit for Review")
        self.assertIn("Waiting for Review", holder.driver.text())
        self.approve(operator)
        holder.open(product)
        self.assertIn("Approved", holder.driver.text())
        self.buy(shop)

    def test_a_product_is_set_up_and_submitted_without_scripts(self):
        shop = Shop(is_new=True)
        self.addCleanup(shop.close)
        operator, holder = self.portal(shop), self.portal(shop, scripts=False)
        operator.become_operator()
        self.make_team(operator, holder)
        self.sign_agreements(holder)
        product = self.make_product(holder, self.make_app(holder))
        holder.open(product)
        self.assertIn("Ready to Submit", holder.driver.text())
        holder.open(f"{product}/review")
        holder.press("Submit for Review")
        self.assertIn("Waiting for Review", holder.driver.text())

    def make_team(self, operator, holder):
        operator.open("/connect/teams/new")
        operator.type("name", "Lighthouse Books")
        operator.type("email", HOLDER)
        operator.press("Make the Team")
        link = operator.driver.run("return document.getElementById('secret').value")
        holder.driver.open(link)
        holder.type("name", "Hanna Holder")
        holder.type("password", PASSWORD)
        holder.press("Join")
        self.assertIn("Lighthouse Books", holder.driver.text("body"))

    def sign_agreements(self, holder):
        for kind in ["free", "paid"]:
            holder.open(f"/connect/agreements/{kind}/accept")
            holder.tick("agrees", "true")
            holder.press("Accept")
        holder.open("/connect/agreements/bank")
        holder.type("accountHolder", "Lighthouse Books")
        holder.type("bankName", "Bank of the Coast")
        holder.type("accountNumber", "DE89370400440532013000")
        holder.press("Save")
        holder.open("/connect/agreements/tax")
        holder.type("legalName", "Lighthouse Books Ltd.")
        holder.type("taxId", "12-3456789")
        holder.type("address", "1 Harbour Road")
        holder.press("Save")
        holder.open("/connect/agreements")
        self.assertNotIn("Read and Accept", holder.driver.text())
        self.assertEqual(holder.driver.text().count("Active"), 2)

    def make_app(self, holder):
        holder.open("/connect/identifiers/new")
        holder.type("name", "Lighthouse Reader")
        holder.type("identifier", BUNDLE)
        holder.press("Register")
        holder.open("/connect/apps/new")
        holder.type("name", "Lighthouse Reader")
        holder.type("sku", "LIGHTHOUSE-1")
        holder.press("Create")
        return re.match(r".*(/connect/apps/\d+)", holder.driver.url)[1]

    def make_product(self, holder, app):
        holder.open(f"{app}/products/new")
        holder.tick("inAppPurchaseType", "Non-Consumable")
        holder.type("name", "Chapter 1")
        holder.type("productId", CHAPTER)
        holder.press("Create")
        product = re.match(r".*(/connect/products/\d+)", holder.driver.url)[1]
        self.assertIn("Missing", holder.driver.text())
        holder.open(f"{product}/texts/new")
        holder.choose("locale", "en-US")
        holder.type("name", "The Clock in the Tin")
        holder.type("description", "Who wound the clock?")
        holder.press("Add")
        holder.open(f"{product}/prices/new")
        holder.choose("tier", "2")
        holder.press("Set")
        holder.open(f"{product}/availability")
        holder.press("Save")
        holder.open(f"{product}/screenshot")
        holder.attach("fileName", holder.shop.path / "screen.png", picture(640, 920))
        holder.press("Upload")
        holder.open(f"{product}/screenshot")
        holder.type("reviewNote", "Open the shelf; the chapter is at its top.")
        holder.press("Save")
        return product

    def upload_content(self, holder, shop, product):
        folder = ROOT / "Examples/Bookshop/Content" / CHAPTER
        package = shop.path / "chapter1.pkg"
        shop.openstore("content", "build", str(folder), "-o", str(package))
        holder.open(f"{product}/content")
        holder.press("Host Its Content")
        self.assertIn("Upload a package now.", holder.driver.text())
        holder.attach("package", package)
        holder.press("Upload")
        # The page asks by itself how the processing goes on.
        holder.driver.wait("return document.querySelector('main').textContent.includes('1.0')")
        holder.open(product)
        self.assertIn("Ready to Submit", holder.driver.text())

    def approve(self, operator):
        operator.open("/connect/")
        self.assertIn("Waiting for Review", operator.driver.text())
        operator.open("/connect/review")
        path = operator.driver.run(
            "return [...document.querySelectorAll('main a')].map((a) => a.pathname)"
            ".find((path) => /^\\/connect\\/review\\/.+/.test(path))")
        operator.open(path)
        operator.press("Begin Review")
        operator.tick("decision", "approve")
        operator.press("Decide")
        self.assertIn("Approved", operator.driver.text())

    def buy(self, shop):
        data = ["--data", str(shop.path / "store")]
        shop.make_profile(data)
        shop.openstore(
            "tester", "create", "--email", EMAIL, "--password", CUSTOMER_PASSWORD,
            "--storefront", "USA", *data)
        app = App(
            shop, "--buy", f"{CHAPTER}:1", "--expect", "1", "--install",
            str(shop.path / "installed"))
        self.addCleanup(app.process.kill)
        customer = self.portal(shop)
        customer.driver.open(app.page())
        customer.driver.type("#email", EMAIL)
        customer.driver.type("#password", CUSTOMER_PASSWORD)
        customer.driver.press("signIn")
        customer.driver.open(app.page())
        self.assertIn("The Clock in the Tin", customer.driver.text())
        customer.driver.press("yes")
        output = app.output()
        self.assertIn("purchased", output)
        self.assertEqual(app.process.returncode, 0)
        installed = list((shop.path / "installed").rglob("*"))
        self.assertTrue([file for file in installed if file.is_file()], output)


if __name__ == "__main__":
    unittest.main()
