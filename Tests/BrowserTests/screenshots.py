"""Pictures of the pages for the documentation: screenshots.py FOLDER"""

import pathlib
import sys

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
    finally:
        shop.close()


main(pathlib.Path(sys.argv[1]))
