"""A package of content on its way through the portal, in a real browser.

    make test-browser
"""

import os
import pathlib
import re
import sqlite3
import unittest

from connect import Portal
from shop import BUNDLE, Shop

CHAPTER = f"{BUNDLE}.chapter1"


class UploadTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Shop()
        cls.addClassCleanup(cls.shop.close)
        with sqlite3.connect(cls.shop.path / "store" / "store.sqlite") as database:
            app, product = database.execute(
                "SELECT app, id FROM product WHERE product_id = ?", [CHAPTER]).fetchone()
        database.close()
        cls.page = f"/connect/products/{product}/content"
        cls.portal = Portal(cls.shop, width=1280)
        cls.addClassCleanup(cls.portal.close)
        cls.portal.become_operator()
        cls.portal.open(cls.page)
        cls.portal.press("Host Its Content")

    def package(self, version, size):
        folder = self.shop.path / version
        (folder / "Contents").mkdir(parents=True)
        (folder / "ContentInfo.plist").write_text(
            "<plist version='1.0'><dict><key>ContentVersion</key>"
            f"<string>{version}</string><key>IAPProductIdentifier</key>"
            f"<string>{CHAPTER}</string></dict></plist>")
        (folder / "Contents" / "noise").write_bytes(os.urandom(size))
        file = self.shop.path / f"chapter-{version}.pkg"
        self.shop.openstore("content", "build", str(folder), "-o", str(file))
        return file

    def choose(self, file):
        field = self.portal.driver.one("form[data-package] input[type=file]")
        self.portal.driver.call("POST", f"/element/{field}/value", {"text": str(file)})

    def send(self):
        button = self.portal.driver.one("form[data-package] button[type=submit]")
        self.portal.driver.call("POST", f"/element/{button}/click", {})

    def wait_for_version(self, version):
        self.portal.driver.wait(
            "return [...document.querySelectorAll('tbody th')]"
            f".some((cell) => cell.textContent === '{version}')")
        self.assertIn("Ready to Submit", self.portal.driver.text())

    def throttle(self, throughput):
        self.portal.driver.command("Network.enable")
        self.portal.driver.command(
            "Network.emulateNetworkConditions", offline=False, latency=0,
            downloadThroughput=-1, uploadThroughput=throughput)

    def test_an_upload_goes_on_after_the_page_was_left(self):
        file = self.package("1.0", 6_000_000)
        driver = self.portal.driver
        self.portal.open(self.page)
        self.choose(file)
        self.throttle(2_000_000)
        self.send()
        driver.wait(
            "return Number(document.querySelector('form .progress progress')?.value) > 30"
            " && document.querySelector('form .progress span').textContent.includes('Uploading')")
        self.portal.open(self.page)
        self.throttle(-1)
        text = driver.text()
        self.assertIn("have arrived", text)
        arrived = re.search(r"([\d.]+) MB of 6 MB have arrived", text)
        self.assertTrue(arrived, text)
        before = len(self.shop.requests("PUT", "/parts/"))
        self.choose(file)
        driver.turn(self.send)
        self.wait_for_version("1.0")
        parts = len(self.shop.requests("PUT", "/parts/")) - before
        # Only what was missing was sent again.
        self.assertLess(parts, 6)

    def test_a_package_that_is_none_is_refused_with_its_reason(self):
        file = self.shop.path / "broken.pkg"
        file.write_bytes(os.urandom(3000))
        self.portal.open(self.page)
        self.choose(file)
        self.portal.driver.turn(self.send)
        self.portal.driver.wait(
            "return document.querySelector('main').textContent.includes('was refused')")

    def test_a_file_with_another_name_is_not_taken(self):
        file = self.shop.path / "picture.png"
        file.write_bytes(b"no package")
        self.portal.open(self.page)
        self.choose(file)
        self.send()
        self.portal.driver.wait(
            "return document.querySelector('form .progress span')?.textContent"
            ".includes('must end in .pkg')")


if __name__ == "__main__":
    unittest.main()
