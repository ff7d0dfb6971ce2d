"""Pictures of the pages for the documentation: screenshots.py FOLDER"""

import pathlib
import sys

from connect import Portal
from shop import EMAIL, Shop
from webdriver import Driver


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    shop = Shop()
    try:
        device = shop.device(EMAIL)
        pages = [
            ("page-sign-in", False, lambda: device.ask("signIn")),
            ("page-confirm", False, lambda: device.confirm()),
            ("page-confirm-dark", True, lambda: device.confirm()),
            ("page-redeem", False, lambda: device.ask("redeem")),
        ]
        for name, dark, ask in pages:
            driver = Driver(dark=dark, width=560, height=700)
            try:
                driver.open(ask()["url"])
                # A blinking cursor would make each picture another one.
                driver.run("document.activeElement.blur()")
                driver.screenshot(folder / f"{name}.png")
            finally:
                driver.close()
        portal_pages(shop, folder)
    finally:
        shop.close()


def portal_pages(shop, folder):
    """The portal, after some purchases."""
    for product in ["chapter1", "credits10", "credits5", "credits10"]:
        shop.device(EMAIL).buy(product)
    operator = Portal(shop, width=1280, height=800)
    try:
        operator.become_operator()
        cookies = operator.driver.cookies()
        operator.open("/connect/apps/1/products?search=chapter1")
        product = operator.driver.run(
            "return [...document.querySelectorAll('main a')].map((a) => a.pathname)"
            ".find((path) => /^\\/connect\\/products\\/[0-9]+$/.test(path))")
        operator.open("/connect/sandbox?search=ada")
        tester = operator.driver.run(
            "return [...document.querySelectorAll('main a')].map((a) => a.pathname)"
            ".find((path) => /^\\/connect\\/sandbox\\/[0-9]+$/.test(path))")
    finally:
        operator.close()
    for name, path, dark, width, height in [
            ("connect-product", product, False, 1280, 800),
            ("connect-prices", product + "/prices", False, 1280, 800),
            ("connect-tester-dark", tester, True, 1280, 900),
            ("connect-sales", "/connect/sales?environment=sandbox", False, 1280, 1100),
            ("connect-phone", "/connect/", False, 375, 720)]:
        portal = Portal(shop, cookies, dark=dark, width=width, height=height)
        try:
            portal.open(path)
            portal.driver.run("document.activeElement.blur()")
            portal.driver.screenshot(folder / f"{name}.png", height)
        finally:
            portal.close()


main(pathlib.Path(sys.argv[1]))
