"""Pictures of the pages for the documentation: screenshots.py FOLDER"""

import pathlib
import sys

from connect import Portal
from demo import Demo
from shop import EMAIL, Shop
from webdriver import Driver

# Name, whether it is dark, width, who looks, and the links from page to page.
CONNECT = [
    ("connect-product", False, 1280, "App Manager",
     ["/connect/apps", "Bookshop", "In-App Purchases", "Chapter 3"]),
    ("connect-prices", False, 1280, "App Manager",
     ["/connect/apps", "Bookshop", "In-App Purchases", "Chapter 1", "Prices"]),
    ("connect-review", False, 1280, "Reviewer", ["/connect/review", "chapter2"]),
    ("connect-tester-dark", True, 1280, "Developer", ["/connect/sandbox", "Timo"]),
    ("connect-sales", False, 1280, "Account Holder", ["/connect/sales"]),
    ("connect-phone", False, 375, "Account Holder", ["/connect/"]),
]


def take_connect(folder):
    demo = Demo()
    try:
        for name, dark, width, role, (path, *links) in CONNECT:
            portal = Portal(demo, dark=dark, width=width, height=900)
            try:
                portal.sign_in(demo.people[role], demo.password)
                portal.open(path)
                for link in links:
                    portal.follow(link)
                portal.picture(folder / f"{name}.png", limit=1200)
            finally:
                portal.close()
    finally:
        demo.close()


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    take_connect(folder)
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
