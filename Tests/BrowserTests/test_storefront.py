"""The store's pages for customers in a real browser, without scripts of their own.

    make test-browser
"""

import unittest

from shop import EMAIL
from storefront import KINDS, Customer, ItemShop, number
from test_pages import ENTER, SCREENSHOTS, TAB

LOOKS = [(False, 375), (True, 375), (False, 1280), (True, 1280)]


class StorefrontTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.shop = ItemShop()
        cls.addClassCleanup(cls.shop.close)

    def customer(self, **settings):
        customer = Customer(self.shop, **settings)
        self.addCleanup(customer.close)
        return customer

    def test_every_kind_is_accessible_light_and_dark_on_phone_and_desktop(self):
        for dark, width in LOOKS:
            customer = self.customer(dark=dark, width=width, height=900)
            look = f"{width}-{'dark' if dark else 'light'}"
            for segment, name in KINDS:
                with self.subTest(kind=name, look=look):
                    customer.open_first(segment)
                    self.assertEqual(customer.problems(), [])
                    customer.picture(SCREENSHOTS / f"store-{name}-{look}.png")
            for path, name in [
                    ("/us", "home"), ("/us/charts/album", "chart"), ("/us/find?term=a", "find"),
                    ("/us/find?term=nothing+like+it", "nothing"), ("/us/countries", "countries"),
                    ("/us/account", "sign-in")]:
                with self.subTest(page=name, look=look):
                    customer.open(path)
                    self.assertEqual(customer.problems(), [])
                    customer.picture(SCREENSHOTS / f"store-{name}-{look}.png")

    def test_pages_fit_into_the_narrowest_window(self):
        customer = self.customer(width=320, height=640)
        for segment, name in KINDS:
            with self.subTest(kind=name):
                customer.open_first(segment)
                self.assertEqual(
                    customer.driver.run("return document.documentElement.scrollWidth"), 320)

    def test_samples_play(self):
        customer = self.customer()
        for segment in ["song", "album", "music-video", "movie", "tv-episode", "audiobook"]:
            with self.subTest(kind=segment):
                customer.open_first(segment)
                # As by somebody's hand, without which browsers play no sound.
                played = customer.driver.command(
                    "Runtime.evaluate", awaitPromise=True, userGesture=True, expression="""
                        new Promise((done) => {
                            const player = document.querySelector("audio, video");
                            if (!player) { done("there is no player"); return; }
                            player.addEventListener("timeupdate", () => {
                                if (player.currentTime > 0) done("played");
                            });
                            player.play().catch((error) => done(String(error)));
                        })""")
                self.assertEqual(played["result"]["value"], "played")

    def test_searching_leads_to_an_item(self):
        customer = self.customer()
        customer.open_first("book")
        title = customer.driver.text("h1")
        customer.open("/us")
        customer.driver.type("input[name=term]", title)
        customer.driver.turn(lambda: customer.driver.keys(ENTER))
        self.assertIn("/us/find?term=", customer.driver.url)
        self.assertIn(title, customer.driver.text(".rows li:first-child .name"))
        customer.driver.open(customer.links(".rows a.what")[0])
        self.assertEqual(customer.driver.text("h1"), title)

    def test_buying_downloading_and_signing_out(self):
        customer = self.customer()
        customer.open_first("book")
        item = number(customer.driver.url)
        product = customer.driver.url
        self.assertEqual(customer.fetch(f"/us/downloads/{item}")[1].get_content_type(), "text/html")
        customer.click(".offer.large")
        customer.driver.type("#email", EMAIL)
        customer.driver.type("#password", "wrong")
        customer.driver.press("signIn")
        self.assertIn("wrong", customer.driver.text("[role=alert]"))
        customer.driver.type("#email", EMAIL)
        customer.driver.type("#password", "correct-horse")
        customer.driver.press("signIn")
        self.assertIn(EMAIL, customer.driver.text("main"))
        customer.picture(SCREENSHOTS / "store-buy.png")
        customer.driver.press("buy")
        self.assertIn("It is yours", customer.driver.text("h1"))
        customer.picture(SCREENSHOTS / "store-bought.png")
        status, headers, body = customer.fetch(f"/us/downloads/{item}")
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        self.assertEqual(len(body), int(headers["Content-Length"]))
        customer.driver.open(product)
        self.assertEqual(customer.driver.text(".offer.large"), "Download")
        customer.open("/us/account")
        self.assertTrue(customer.driver.all(".rows .row"))
        # The console says what was answered with 422, and nothing else.
        problems = [line for line in customer.problems() if "422" not in line]
        self.assertEqual(problems, [])
        customer.driver.press("forget")
        self.assertIn("Sign in", customer.driver.text("h1"))

    def test_reviewing_voting_and_sorting(self):
        customer = self.customer()
        customer.sign_in()
        customer.open_first("audiobook")
        product = customer.driver.url
        item = number(product)
        customer.open(f"/us/buy/{item}")
        customer.driver.press("buy")
        customer.open(f"/us/review/{item}")
        # Stars by keyboard, as any choice.
        customer.driver.run("document.querySelector('input[name=rating]').focus()")
        customer.driver.keys(" ")
        customer.driver.keys("\ue014" * 3)
        self.assertEqual(
            customer.driver.run("return document.querySelector('[name=rating]:checked').value"),
            "4")
        customer.driver.type("#title", "<b>Good</b>")
        customer.driver.type("#body", "First line\nsecond line")
        customer.driver.type("#nickname", "Ada")
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / "store-review.png")
        customer.driver.press("save")
        self.assertIn("#reviews", customer.driver.url)
        self.assertIn("<b>Good</b>", customer.driver.text(".reviews"))
        other = self.customer()
        other.sign_in("tim@example.com")
        other.driver.open(product)
        button = other.driver.all(".votes button")[0]
        other.driver.turn(lambda: other.driver.call("POST", f"/element/{button}/click", {}))
        self.assertIn("1 of 1 found this helpful", other.driver.text(".reviews"))
        other.open(f"/us/buy/{item}")
        other.driver.press("buy")
        other.open(f"/us/review/{item}")
        other.driver.run("document.querySelector('[name=rating][value=\"1\"]').click()")
        other.driver.type("#title", "Bad")
        other.driver.type("#nickname", "Tim")
        other.driver.press("save")
        other.driver.open(product + "?sort=mostcritical")
        self.assertEqual(other.driver.text(".reviews li:first-child h3"), "Bad")
        other.driver.open(product + "?sort=mostfavorable")
        self.assertEqual(other.driver.text(".reviews li:first-child h3"), "<b>Good</b>")
        self.assertEqual(other.problems(), [])

    def test_the_page_that_an_app_opens_signs_in_buys_downloads_and_is_done(self):
        for dark, width in LOOKS:
            look = f"{width}-{'dark' if dark else 'light'}"
            with self.subTest(look=look):
                self.try_prompt(dark, width, look)

    def try_prompt(self, dark, width, look):
        device = self.shop.device()
        customer = self.customer(dark=dark, width=width, height=900)
        driver = customer.driver
        customer.open_first("album")
        album = number(driver.url)
        customer.open_first("book")
        book = number(driver.url)
        prompt = device.ask("item", itemId=int(book))
        driver.open(prompt["url"])
        self.assertEqual(driver.text("h1"), "The Lamplighter’s Atlas")
        self.assertIn("Shown by Lighthouse Books", driver.text())
        # Links stay on the page; what leaves the app is a button that says so.
        self.assertTrue(all(
            link.startswith(prompt["url"]) for link in customer.links("main a[href]")))
        self.assertTrue(all(
            "(opens the store)" in text for text in driver.run(
                "return [...document.querySelectorAll('button[form=leave]')]"
                ".map((b) => b.textContent)")))
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / f"prompt-item-{look}.png")
        # By keyboard alone; a wrong password is said, and the address is still there.
        driver.run("document.querySelector('#email').focus()")
        driver.keys(EMAIL + TAB + "wrong")
        driver.turn(lambda: driver.keys(ENTER))
        self.assertIn("wrong", driver.text("[role=alert]"))
        self.assertEqual(driver.run("return document.querySelector('#email').value"), EMAIL)
        self.assertEqual([p for p in customer.problems() if "422" not in p], [])
        customer.picture(SCREENSHOTS / f"prompt-item-wrong-{look}.png")
        driver.type("#password", "correct-horse")
        driver.press("buy")
        self.assertEqual(driver.text(".offer.large"), "Download")
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / f"prompt-item-bought-{look}.png")
        self.assertEqual(device.state(prompt), {"state": "pending"})
        # The button stays in sight however far down somebody has read.
        driver.run("scrollTo(0, document.body.scrollHeight)")
        box = driver.run(
            "return document.querySelector('button[value=done]').getBoundingClientRect().top")
        self.assertTrue(0 <= box < 60, box)
        path = driver.run("return document.querySelector('.offer.large').pathname")
        status, headers, _ = customer.fetch(path.removeprefix("/sandbox"))
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        driver.press("done")
        self.assertEqual(driver.text("h1"), "Done")
        self.assertEqual(device.state(prompt), {"state": "done"})

        # What has parts is downloaded part by part, on the page too.
        whole = device.ask("item", itemId=int(album))
        driver.open(whole["url"])
        if driver.all("button[value=buy]"):
            driver.press("buy")
        self.assertEqual(len(driver.all(".tracks .offer")), len(driver.all(".tracks li")))
        self.assertTrue(all(
            link.startswith((f"{customer.base}/us/downloads/", whole["url"]))
            for link in customer.links("main a[href]")))
        self.assertEqual(customer.problems(), [])
        customer.picture(SCREENSHOTS / f"prompt-album-{look}.png")
        driver.press("forget")
        self.assertTrue(driver.all("#password"))
        driver.press("done")
        self.assertEqual(device.state(whole), {"state": "done"})

    def test_the_keyboard_reaches_everything(self):
        customer = self.customer()
        customer.open_first("app")
        customer.driver.keys(TAB)
        self.assertEqual(
            customer.driver.run("return document.activeElement.textContent"), "Skip to content")
        customer.driver.keys(ENTER)
        self.assertEqual(customer.driver.focused(), "content")
        seen = set()
        for _ in range(120):
            customer.driver.keys(TAB)
            seen.add(customer.driver.run(
                "return document.activeElement.className || document.activeElement.localName"))
        self.assertIn("offer large", seen)
        self.assertIn("tile", seen)


if __name__ == "__main__":
    unittest.main()
