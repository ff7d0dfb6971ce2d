"""The store's pages in a real browser: what customers see, press and type.

    make test-browser
"""

import os
import pathlib
import unittest

from shop import App, EMAIL, GUARDIAN, PASSWORD, Shop, WARD, contrast
from webdriver import Driver

SCREENSHOTS = pathlib.Path(
    os.environ.get("OPENSTORE_SCREENSHOTS", pathlib.Path(__file__).parents[2] / ".build/browser"))
TAB, ENTER = "\ue004", "\ue007"


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.shop = Shop()
        cls.addClassCleanup(cls.shop.close)

    def browser(self, **settings):
        driver = Driver(**settings)
        self.addCleanup(driver.close)
        return driver

    def assertQuiet(self, driver):
        """Nothing was blocked, missing or wrong."""
        self.assertEqual([entry["message"] for entry in driver.console()], [])

    def sign_in(self, driver, email=EMAIL):
        device = self.shop.device()
        prompt = device.ask("signIn")
        driver.open(prompt["url"])
        driver.type("#email", email)
        driver.type("#password", PASSWORD)
        driver.press("signIn")
        return device.state(prompt)

    def test_signing_in_confirming_and_cancelling(self):
        driver = self.browser()
        answer = self.sign_in(driver)
        self.assertEqual(answer["state"], "signedIn")
        self.assertEqual(answer["session"]["email"], EMAIL)
        self.assertIn("Signed In", driver.text())

        device = self.shop.device(EMAIL)
        prompt = device.confirm("credits10")
        driver.open(prompt["url"])
        self.assertIn("Confirm Your In-App Purchase", driver.text())
        self.assertIn("$1.99", driver.text(".item"))
        self.assertIn("[Environment: Sandbox]", driver.text())
        # This browser has shown who it is.
        self.assertEqual(driver.all("#password"), [])
        driver.press("yes")
        self.assertIn("Confirmed", driver.text())
        self.assertEqual(device.state(prompt), {"state": "yes"})

        prompt = device.confirm()
        driver.open(prompt["url"])
        driver.press("no")
        self.assertIn("Cancelled", driver.text())
        self.assertEqual(device.state(prompt), {"state": "no"})
        self.assertQuiet(driver)

    def test_an_answer_is_not_sent_twice_by_reloading(self):
        driver = self.browser()
        device = self.shop.device(EMAIL)
        prompt = device.confirm()
        driver.open(prompt["url"])
        driver.type("#password", PASSWORD)
        driver.press("yes")
        answers = self.shop.requests("method=POST", "/sandbox/prompts/")
        self.assertTrue(answers)
        driver.turn(lambda: driver.call("POST", "/refresh", {}))
        self.assertIn("Confirmed", driver.text())
        self.assertEqual(self.shop.requests("method=POST", "/sandbox/prompts/"), answers)
        # Addresses of pages stay out of the log.
        self.assertEqual(self.shop.requests(prompt["url"][-20:]), [])
        self.assertQuiet(driver)

    def test_redeeming_with_the_keyboard(self):
        driver = self.browser()
        device = self.shop.device(EMAIL)
        prompt = device.ask("redeem")
        driver.open(prompt["url"])
        self.assertEqual(driver.focused(), "code")
        driver.keys("SPRING26" + TAB + TAB)
        self.assertEqual(driver.focused(), "password")
        driver.turn(lambda: driver.keys(PASSWORD + ENTER))
        self.assertIn("Code Sent", driver.text())
        self.assertEqual(device.state(prompt), {"state": "code", "code": "SPRING26"})

        # The Return key means the first button, also where the page has one to sign out.
        prompt = device.ask("redeem")
        driver.open(prompt["url"])
        driver.turn(lambda: driver.keys("AUTUMN26" + ENTER))
        self.assertEqual(device.state(prompt), {"state": "code", "code": "AUTUMN26"})
        self.assertQuiet(driver)

    def test_a_wrong_password_is_said_and_not_shown(self):
        driver = self.browser()
        device = self.shop.device(EMAIL)
        prompt = device.confirm()
        driver.open(prompt["url"])
        driver.type("#password", "wrong")
        driver.press("yes")
        self.assertIn("wrong", driver.text("[role=alert]"))
        self.assertEqual(driver.run("return document.querySelector('#password').value"), "")
        driver.screenshot(SCREENSHOTS / "confirm-problem.png")
        # Of the console's lines only the status of the page itself.
        lines = [entry["message"] for entry in driver.console()]
        self.assertTrue(all("422" in line for line in lines), lines)
        driver.type("#password", PASSWORD)
        driver.press("yes")
        self.assertEqual(device.state(prompt), {"state": "yes"})

    def test_the_cookie_is_out_of_reach_of_scripts(self):
        driver = self.browser()
        self.sign_in(driver)
        [cookie] = driver.cookies()
        self.assertEqual(cookie["name"], "openstore-sandbox")
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        self.assertEqual(driver.run("return document.cookie"), "")

    def test_another_site_can_neither_frame_nor_answer(self):
        driver = self.browser()
        self.sign_in(driver)
        device = self.shop.device(EMAIL)
        prompt = device.confirm()
        # The same machine under another name is another site.
        other = self.shop.address.replace("127.0.0.1", "localhost")
        driver.open(f"{other}/healthz")
        driver.run(
            "const frame = document.createElement('iframe'); frame.src = arguments[0];"
            "document.body.append(frame);"
            "return new Promise(done => frame.onload = () => done())", prompt["url"])
        self.assertTrue(
            any("frame" in entry["message"].lower() for entry in driver.console()))
        driver.turn(lambda: driver.run(
            "const form = document.createElement('form'); form.method = 'post';"
            "form.action = arguments[0]; const field = document.createElement('input');"
            "field.name = 'answer'; field.value = 'yes'; form.append(field);"
            "document.body.append(form); form.submit()", prompt["url"]))
        self.assertIn("Not Taken", driver.text())
        self.assertEqual(device.state(prompt), {"state": "pending"})

    def test_an_app_buys_through_the_browser(self):
        driver = self.browser()
        app = App(self.shop, "--buy", "com.example.bookshop.chapter1:1", "--expect", "1")
        self.addCleanup(app.process.kill)
        driver.open(app.page())
        self.assertIn("Lighthouse Books", driver.text())
        driver.type("#email", EMAIL)
        driver.type("#password", PASSWORD)
        driver.press("signIn")
        driver.open(app.page())
        self.assertIn("The Clock in the Biscuit Tin", driver.text())
        driver.press("yes")
        self.assertIn("Confirmed", driver.text())
        output = app.output()
        self.assertIn("purchased", output)
        self.assertIn("done", output)
        self.assertEqual(app.process.returncode, 0)
        self.assertQuiet(driver)

    def test_a_guardian_approves_what_an_app_asks_for(self):
        driver = self.browser()
        page = self.shop.approval(GUARDIAN)
        driver.open(page)
        self.assertIn("Permission to Buy", driver.text())
        self.assertIn(f"{WARD} wants to buy", driver.text())
        self.assertIn("$1.99", driver.text(".item"))
        self.assertEqual(driver.focused(), "password")
        driver.type("#password", PASSWORD)
        driver.press("yes")
        self.assertIn("Approved", driver.text())
        driver.screenshot(SCREENSHOTS / "approved.png")
        self.assertEqual(driver.all("button"), [])
        # The password was for one purchase; a browser that is signed in needs none.
        page = self.shop.approval(GUARDIAN, "chapter2")
        driver.open(page)
        self.assertEqual(len(driver.all("#password")), 1)
        self.sign_in(driver, GUARDIAN)
        driver.open(page)
        driver.screenshot(SCREENSHOTS / "approval-known.png")
        self.assertEqual(driver.all("#password"), [])
        self.assertIn(GUARDIAN, driver.text(".known"))
        driver.press("no")
        self.assertIn("Declined", driver.text())
        driver.turn(lambda: driver.call("POST", "/refresh", {}))
        self.assertIn("Declined", driver.text())
        # Addresses of pages stay out of the log.
        self.assertEqual(self.shop.requests(page[-20:]), [])
        self.assertTrue(self.shop.requests("method=POST", "/sandbox/approvals/…"))
        self.assertQuiet(driver)

    def test_every_page_in_every_look(self):
        """Nothing overflows, texts can be read, and no console error appears."""
        device = self.shop.device(EMAIL)
        german = self.shop.device("anna@example.de")
        pages = {
            "sign-in": lambda: device.ask("signIn"),
            "confirm": lambda: device.confirm(),
            "confirm-german": lambda: german.confirm("chapter2", 1),
            "redeem": lambda: device.ask("redeem"),
            "consent": lambda: device.consent(1990, 2990),
            "approval": lambda: {"url": self.shop.approval(GUARDIAN, "credits10")},
            "approval-open": lambda: {"url": self.shop.approval(None, "credits10")},
        }
        for dark, width in [(False, 1000), (True, 1000), (False, 360), (True, 360)]:
            look = f"{'dark' if dark else 'light'}-{width}"
            driver = self.browser(dark=dark, width=width, height=760)
            for name, ask in pages.items():
                with self.subTest(page=name, look=look):
                    driver.open(ask()["url"])
                    driver.screenshot(SCREENSHOTS / f"{name}-{look}.png")
                    self.check_look(driver)
            with self.subTest(page="confirm, signed in", look=look):
                self.sign_in(driver)
                driver.screenshot(SCREENSHOTS / f"signed-in-{look}.png")
                self.check_look(driver)
                prompt = device.confirm()
                driver.open(prompt["url"])
                driver.screenshot(SCREENSHOTS / f"confirm-known-{look}.png")
                self.check_look(driver)
            self.assertQuiet(driver)

    def check_look(self, driver):
        wide, window = driver.run(
            "return [document.documentElement.scrollWidth, window.innerWidth]")
        self.assertLessEqual(wide, window)
        texts = driver.run("""
            const found = [];
            for (const element of document.querySelectorAll('h1,p,dt,dd,label,button,input,span')) {
                if (element.type === 'hidden') continue;
                if (!element.textContent.trim() && element.tagName !== 'INPUT') continue;
                let ground = element, colour;
                do {
                    colour = getComputedStyle(ground).backgroundColor;
                    ground = ground.parentElement;
                } while (colour === 'rgba(0, 0, 0, 0)' && ground);
                found.push([element.textContent || element.id, getComputedStyle(element).color,
                    colour]);
            }
            return found""")
        self.assertGreater(len(texts), 3)
        for text, colour, ground in texts:
            self.assertGreaterEqual(contrast(colour, ground), 4.5, f"{text}: {colour} on {ground}")
        for button in driver.all("button:not(.quiet)"):
            box = driver.call("GET", f"/element/{button}/rect")
            self.assertGreaterEqual(box["height"], 44)


if __name__ == "__main__":
    unittest.main(verbosity=2)
