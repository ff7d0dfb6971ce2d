"""The portal of a store, in a browser whose person is signed in."""

import os
import pathlib
import re

from shop import ROOT, Refused
from webdriver import Driver

OPERATOR = "olga@example.com"
PASSWORD = "correct-horse-battery"
AXE = pathlib.Path(os.environ.get(
    "OPENSTORE_AXE",
    ROOT / ".build/axe/axe_selenium_python/node_modules/axe-core/axe.min.js"))

# What axe does not look at: WCAG 2.2's size of targets (2.5.8; links within sentences are
# excepted), pages that scroll sideways and tabs that are cut off (1.4.10), and what screen readers find their way by.
OWN_CHECKS = r"""
const problems = [];
if (document.documentElement.scrollWidth > innerWidth)
    problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${innerWidth}`);
for (const tabs of document.querySelectorAll(".tabs"))
    if (tabs.scrollWidth > tabs.clientWidth)
        problems.push(`tabs are cut off: ${tabs.scrollWidth} wide in ${tabs.clientWidth}`);
const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0
    && !element.closest(".unseen, .skip");
for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!shown(element) || element.type === "hidden") continue;
    const inText = getComputedStyle(element).display === "inline"
        && element.closest("p, li, td, th, dd, label, .hint");
    const box = element.getBoundingClientRect();
    if (!inText && (box.width < 24 || box.height < 24)
        && !(element.labels && [...element.labels].some((l) => l.getBoundingClientRect().height >= 24)))
        problems.push(`a target of ${box.width} x ${box.height}: ${element.outerHTML.slice(0, 120)}`);
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    problems.push(`the id ${id} comes twice`);
for (const item of document.querySelectorAll("dt, dd"))
    if (!item.parentElement.matches("dl, dl > div"))
        problems.push(`a ${item.localName} outside of a dl: ${item.textContent.slice(0, 40)}`);
if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
if (document.querySelectorAll("main").length !== 1) problems.push("not one main");
for (const link of document.querySelectorAll("a[href^='#'], [aria-describedby], [aria-labelledby]"))
    for (const name of ["href", "aria-describedby", "aria-labelledby"])
        for (const id of (link.getAttribute(name) || "").split(" "))
            if (id && (name !== "href" || id.startsWith("#"))
                && !document.getElementById(id.replace(/^#/, "")))
                problems.push(`${name} leads to nothing: ${id}`);
return problems;
"""


class Portal:
    """A browser on the portal. Close it."""

    def __init__(self, shop, cookies=(), **settings):
        self.shop = shop
        self.driver = Driver(**settings)
        self.base = shop.address
        for cookie in cookies:
            self.driver.command(
                "Network.setCookie", name=cookie["name"], value=cookie["value"],
                url=self.base, httpOnly=True, sameSite="Strict")

    def close(self):
        self.driver.close()

    def open(self, path):
        self.driver.open(self.base + path)

    def type(self, name, text):
        self.driver.type(f"#field-{name}", text)

    def choose(self, name, value):
        self.driver.run(
            "const field = document.getElementById('field-' + arguments[0]);"
            "field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', { bubbles: true }));", name, value)

    def tick(self, name, value):
        field = self.driver.one(f"input[name='{name}'][value='{value}']")
        self.driver.call("POST", f"/element/{field}/click", {})

    def attach(self, name, file, data=None):
        """Chooses a file of the disk; writes it first where its bytes are given."""
        if data is not None:
            file.write_bytes(data)
        field = self.driver.one(f"#field-{name}")
        self.driver.call("POST", f"/element/{field}/value", {"text": str(file)})

    def press(self, title):
        """Presses the button, or follows the link, with this title in the page's content."""
        found = self.driver.run(
            "const all = [...document.querySelectorAll('main a, main button, dialog button')]"
            ".filter((e) => e.checkVisibility() && e.textContent.trim() === arguments[0]);"
            "if (all.length > 0) all[0].setAttribute('data-pressed', '');"
            "return all.length;", title)
        if found != 1:
            raise Refused(f"{found} buttons are called {title} on {self.driver.url}")
        element = self.driver.one("[data-pressed]")
        self.driver.turn(lambda: self.driver.call("POST", f"/element/{element}/click", {}))

    def follow(self, title):
        """Opens what the first link with these words in the page's content leads to."""
        address = self.driver.run(
            "const all = [...document.querySelectorAll('main a')];"
            "const same = all.find((e) => e.textContent.trim() === arguments[0])"
            " || all.find((e) => e.textContent.includes(arguments[0]))"
            " || all.find((e) => e.closest('tr, li')?.textContent.includes(arguments[0]));"
            "return same ? same.href : null;", title)
        if address is None:
            raise Refused(f"no link is called {title} on {self.driver.url}")
        self.driver.open(address)

    def become_operator(self):
        """Opens the link that a new store prints."""
        self.driver.open(self.shop.first_link)
        self.type("name", "Olga Operator")
        self.type("email", OPERATOR)
        self.type("password", PASSWORD)
        self.press("Become the Operator")

    def sign_in(self, email=OPERATOR, password=PASSWORD):
        self.open("/connect/sign-in")
        self.type("email", email)
        self.type("password", password)
        self.press("Sign In")

    def problems(self):
        """What axe and our own checks find on the page."""
        self.driver.run(AXE.read_text() + "; return null;")
        found = self.driver.run_later("""
            const done = arguments[arguments.length - 1];
            // This axe is older than groups of a dl; our own checks know them.
            const rules = { dlitem: { enabled: false } };
            axe.run(document, { resultTypes: ["violations"], rules }).then(
                (results) => done(results.violations.map((rule) => rule.id + ": " + rule.help + " "
                    + rule.nodes.map((node) => node.target.join(" ") + " " + node.any.concat(
                        node.all, node.none).map((check) => check.message).join("; ")).join(" | "))),
                (error) => done(["axe: " + error]));
        """)
        console = [entry["message"] for entry in self.driver.console()]
        return found + self.driver.run(OWN_CHECKS) + console

    def picture(self, file, limit=None):
        """The whole page, however long it is, or its beginning up to a limit in pixels."""
        self.driver.run("document.activeElement.blur()")
        width = self.driver.run("return innerWidth")
        height = self.driver.run("return innerHeight")
        whole = self.driver.run("return document.documentElement.scrollHeight")
        self.driver.emulate(width, min(whole, limit or whole))
        self.driver.screenshot(file, is_whole=limit is None)
        self.driver.emulate(width, height)

    def links(self):
        """The pages of the portal that this one leads to."""
        return self.driver.run(
            "return [...document.querySelectorAll('a[href]')].filter((a) => !a.download)"
            ".map((a) => new URL(a.href)).filter((u) => u.origin === location.origin"
            " && u.pathname.startsWith('/connect/')).map((u) => u.pathname + u.search)")


def kind(path):
    """The route that a path is of: pages of two apps are of one kind."""
    path, _, query = path.partition("?")
    parts = [
        "*" if re.search(r"\d", part) or "." in part or len(part) > 30 else part
        for part in path.split("/")]
    names = sorted(pair.split("=")[0] for pair in query.split("&") if pair)
    # Pages of a list, and ways to sort it, are one kind.
    names = [name for name in names if name not in ("page", "sort", "search", "cursor", "next")]
    return "/".join(parts) + ("?" + ",".join(names) if names else "")


def name(path):
    """What a page's pictures are called."""
    return re.sub(r"[^a-z0-9]+", "-", kind(path).replace("*", "x").lower()).strip("-")
