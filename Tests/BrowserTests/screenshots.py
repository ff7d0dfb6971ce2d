"""Pictures of the pages for the documentation: screenshots.py FOLDER"""

import pathlib
import sys

from accounts import AccountShop
from connect import Portal
from demo import Demo
from shop import EMAIL, GUARDIAN, PASSWORD, WARD, Shop
from storefront import KINDS, Customer, ItemShop, Shopper, number
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
    ("connect-refund", False, 1280, "Operator", ["/connect/refunds", "Waiting"]),
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


# Who reviews what is shown, and how.
REVIEWS = [
    ("mara@example.com", "Mara", 5, "A quiet wonder",
     "I began it on the night train and missed my stop.\nTwice, in fact."),
    ("tobias@example.com", "tobias", 4, "Good, with rough edges",
     "The middle drags a little, yet the end is worth all of it."),
    ("hanae@example.com", "Hanae", 5, "Well spent", "Made with care, down to the last detail."),
    ("odile@example.com", "Odile", 3, "Not quite for me",
     "I had hoped for more of the sea and less of the harbour office."),
]
LOOKS = [
    ("desktop-light", False, 1280, 1000), ("desktop-dark", True, 1280, 1000),
    ("phone-light", False, 390, 844), ("phone-dark", True, 390, 844),
]


def take_storefront(folder):
    folder.mkdir(parents=True, exist_ok=True)
    shop = ItemShop()
    try:
        customer = Customer(shop)
        products = {}
        for segment, name in KINDS:
            customer.open_first(segment)
            products[name] = customer.driver.url.removeprefix(customer.base)
        customer.close()
        for email, nickname, rating, title, body in REVIEWS:
            shop.openstore(
                "tester", "create", "--email", email, "--password", PASSWORD,
                "--storefront", "USA", "--data", str(shop.path / "store"))
            shopper = Shopper(shop, email)
            for path in products.values():
                shopper.buy(number(path))
                shopper.review(number(path), rating, title, body, nickname)
        pages = [("home", "/us"), ("chart", "/us/charts/album"), *products.items()]
        for look, dark, width, height in LOOKS:
            customer = Customer(shop, dark=dark, width=width, height=height)
            for name, path in pages:
                customer.open(path)
                customer.picture(folder / f"{name}-{look}.webp", limit=height)
            # As an app opens it in the browser of its customer, who has signed in there.
            prompt = shop.device(EMAIL).ask("item", itemId=int(number(products["album"])))
            customer.driver.open(prompt["url"])
            customer.picture(folder / f"in-app-{look}.webp", limit=height)
            customer.close()
    finally:
        shop.close()


def take_accounts(folder):
    """What customers do about what they bought in apps."""
    shop = AccountShop()
    try:
        for email in (WARD, GUARDIAN):
            shop.share(email)
        order, club = shop.order("chapter1"), shop.order("club.monthly")
        shop.device(WARD).buy("chapter2")
        asked = shop.order("credits10")
        Shopper(shop, EMAIL).send(
            f"/us/account/orders/{asked}/refund", answer="ask", reason="FULFILLMENT_ISSUE",
            comment="I paid twice and got the credits once.\nThe second time the app froze.")
        subscription = f"/us/account/subscriptions/{club}"
        # A tester's request is decided after two minutes: all pictures of it are taken first.
        for pages in [
                [("asked", f"/us/account/orders/{asked}"), ("account", "/us/account")],
                [
                    ("order", f"/us/account/orders/{order}"),
                    ("refund", f"/us/account/orders/{order}/refund"),
                    ("subscriptions", "/us/account/subscriptions"),
                    ("subscription", subscription), ("cancel", f"{subscription}/cancel"),
                    ("family", "/us/account/family"), ("removing", None),
                ]]:
            for look, dark, width, height in LOOKS:
                customer = Customer(shop, dark=dark, width=width, height=height)
                customer.sign_in()
                for name, path in pages:
                    if path:
                        customer.open(path)
                    else:
                        customer.driver.open(customer.links(".rows a.button")[1])
                    customer.picture(folder / f"{name}-{look}.webp", limit=max(height, 1000))
                customer.close()
    finally:
        shop.close()


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    take_storefront(folder / "Storefront")
    take_accounts(folder / "Storefront")
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
