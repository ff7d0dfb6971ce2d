"""Uploads of somebody whose session ends meanwhile, and who presses twice, in a real browser.

    make test-browser
"""

import os
import pathlib
import sqlite3
import struct
import unittest
import zlib

from connect import Portal
from shop import BUNDLE, Shop


def png(width, height):
    """A picture that can't be packed: as large as its pixels are many."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    rows = b"".join(b"\0" + os.urandom(width * 3) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


class SignedOutTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Shop()
        cls.addClassCleanup(cls.shop.close)
        with sqlite3.connect(cls.shop.path / "store" / "store.sqlite") as database:
            cls.product, = database.execute(
                "SELECT id FROM product WHERE product_id = ?", [f"{BUNDLE}.chapter1"]).fetchone()
        database.close()
        cls.portal = Portal(cls.shop, width=1280)
        cls.addClassCleanup(cls.portal.close)
        cls.portal.become_operator()
        cls.page = f"/connect/products/{cls.product}"
        cls.portal.open(f"{cls.page}/content")
        cls.portal.press("Host Its Content")

    def setUp(self):
        self.portal.sign_in()

    def sign_out_elsewhere(self):
        self.portal.driver.command("Network.clearBrowserCookies")

    def click(self, selector):
        button = self.portal.driver.one(selector)
        self.portal.driver.call("POST", f"/element/{button}/click", {})

    def wait_for(self, words):
        self.portal.driver.wait(
            "return document.querySelector('form .progress span')?.textContent"
            f".includes('{words}')")

    def test_a_package_is_not_sent_for_whom_the_store_does_not_know(self):
        self.portal.open(f"{self.page}/content")
        self.portal.attach("package", self.shop.path / "a.pkg", os.urandom(3000))
        self.sign_out_elsewhere()
        self.click("form[data-package] button[type=submit]")
        self.wait_for("Sign in again")

    def test_a_picture_is_not_sent_for_whom_the_store_does_not_know(self):
        self.portal.open(f"{self.page}/screenshot")
        self.portal.attach("fileName", self.shop.path / "out.png", png(640, 920))
        self.sign_out_elsewhere()
        self.click("form[data-upload] button[type=submit]")
        self.wait_for("Sign in again")

    def test_a_picture_is_sent_once_however_often_one_presses(self):
        self.portal.open(f"{self.page}/screenshot")
        picture = png(640, 920)
        self.portal.attach("fileName", self.shop.path / "twice.png", picture)
        before = len(self.shop.requests("PUT", "/screenshot"))
        self.portal.driver.turn(lambda: self.portal.driver.run(
            "const form = document.querySelector('form[data-upload]');"
            "for (let press = 0; press < 3; press++) form.requestSubmit();"))
        self.assertIn("twice.png, 640 × 920", self.portal.driver.text())
        parts = -(-len(picture) // (512 << 10))
        self.assertEqual(len(self.shop.requests("PUT", "/screenshot")) - before, parts)

    def test_who_watches_a_package_is_told_that_the_session_has_ended(self):
        self.portal.open(f"{self.page}/content")
        self.sign_out_elsewhere()
        # The page of a package that is being processed, whose end nobody can see any more.
        self.portal.driver.run(
            "document.querySelector('main').insertAdjacentHTML('beforeend',"
            f" '<div id=watched data-poll=\"{self.page}/content/uploads/1\"></div>');"
            "const script = document.createElement('script');"
            "script.src = document.querySelector('script[src]').src;"
            "document.head.append(script);")
        self.portal.driver.wait(
            "return document.querySelector('#watched [role=alert]')?.textContent"
            ".includes('Sign in again')")


if __name__ == "__main__":
    unittest.main()
