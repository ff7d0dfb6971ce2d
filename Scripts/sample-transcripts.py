#!/usr/bin/env python3
"""Puts what the samples print into Examples/README.md, by using them at a terminal in front of a
store with the bookshop, as the text there says. Needs `openstore` and the samples built.

Where the store is differs from run to run; the text has the address of open-shop.sh instead.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
OPENSTORE = ROOT / ".build/debug/openstore"
SAMPLES = ROOT / ".build/debug"
README = ROOT / "Examples/README.md"
ADDRESS = "http://127.0.0.1:8080"
BUY = [("Buy? [y/n] ", "y")]
SUBSCRIBE = [("Subscribe? [y/n] ", "y")]
SIGN_IN = [("Email: ", "ada@example.com"), ("Password: ", "correct-horse")]
DONE = "Return when you are done: "
# The marker in the text, the sample, and what its customer answers to what.
SESSIONS = [
    ("consumables", "Consumables",
     [("q quits: ", "1")] + SIGN_IN + BUY + [("q quits: ", "s"), ("q quits: ", "q")]),
    ("chapters", "HostedNonConsumables",
     [("q quits: ", "1")] + BUY + [("A number opens it.", None), ("q quits: ", "q")]),
    ("new-version", "HostedNonConsumables",
     [("q quits: ", "u"), ("A number opens it.", None), ("q quits: ", "q")]),
    ("product-view", "ProductView",
     [("q quits: ", "lamplighter"), ("q quits: ", "1"), (DONE, "b")] + BUY
     + [(DONE, "d"), (DONE, ""), ("Return goes back. ", ""), ("q quits: ", "q")]),
    ("magazine", "Subscriptions",
     [("q quits: ", "1")] + SUBSCRIBE + [("q quits: ", "2")] + SUBSCRIBE
     + [("q quits: ", "a"), ("q quits: ", "q")]),
]


def free_port():
    """A port with as many digits as the text's, so that frames around addresses stay frames."""
    for port in range(8080, 10000):
        with socket.socket() as line:
            try:
                line.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise SystemExit("every port from 8080 to 9999 is taken")


class Store:
    def __init__(self, folder):
        self.folder = folder
        self.openstore(
            "catalog", "import", "Examples/Bookshop/Bookshop.storekit",
            "--content", "Examples/Bookshop/Content")
        self.openstore("catalog", "import", "Examples/Subscriptions/Magazine.storekit")
        self.openstore("item", "import", "Examples/Bookshop/Shop/items.jsonl")
        self.openstore(
            "tester", "create", "--email", "ada@example.com", "--password", "correct-horse",
            "--storefront", "USA")
        self.process = subprocess.Popen(
            [OPENSTORE, "serve", "--data", folder / "store", "--listen", f"127.0.0.1:{free_port()}",
             "--no-request-log"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.strip().startswith("production"):
                self.address = line.split()[-1]
                break
        for app in ["bookshop", "magazine"]:
            self.openstore(
                "profile", "create", "--bundle-id", f"com.example.{app}", "--store", self.address,
                "-o", folder / f"{app}.storeprofile")

    def openstore(self, *words):
        subprocess.run(
            [OPENSTORE, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "OPENSTORE_DATA": str(self.folder / "store")})

    def publish(self, version):
        """What new-version.sh does with the shop of open-shop.sh."""
        name = "com.example.bookshop.chapter1"
        content = self.folder / "content"
        shutil.copytree(ROOT / "Examples/Bookshop/Content" / name, content / name)
        information = content / name / "ContentInfo.plist"
        information.write_text(information.read_text().replace(">1.0<", f">{version}<"))
        with open(content / name / "Contents/chapter.txt", "a") as text:
            text.write(f"This is version {version}.\n")
        self.openstore(
            "catalog", "import", "Examples/Bookshop/Bookshop.storekit", "--content", content)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.process.stdout.close()


def use(store, program, answers):
    """What a terminal shows while a customer answers; None answers nothing."""
    app = "magazine" if program == "Subscriptions" else "bookshop"
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(store.folder / "home"), "TERM": "xterm",
        "NO_COLOR": "1", "OPENSTORE_PROFILE": str(store.folder / f"{app}.storeprofile"),
    }
    for name in ["LD_LIBRARY_PATH", "LANG"]:
        if name in os.environ:
            environment[name] = os.environ[name]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(SAMPLES / program, [program], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    screen, seen = "", 0
    left = list(answers)
    end = time.monotonic() + 120
    while True:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            raise SystemExit(f"{program} does not say {left[0][0]!r}; it said:\n{screen}")
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        screen += data.decode(errors="replace")
        while left and left[0][0] in screen[seen:]:
            question, answer = left.pop(0)
            seen = screen.index(question, seen) + len(question)
            if answer is not None:
                os.write(terminal, (answer + "\n").encode())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if left or code != 0:
        raise SystemExit(f"{program} ended with {code}, waiting for {left}; it said:\n{screen}")
    return tidy(screen).replace(store.address, ADDRESS)


def tidy(screen):
    """The lines as they stand at the end: a bar that was drawn over is gone."""
    lines = []
    for line in screen.replace("\r\n", "\n").split("\n"):
        line = line.split("\r\x1b[K")[-1]
        lines.append(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line).rstrip())
    text = "\n".join(lines).strip("\n")
    # When a period ends differs from run to run.
    return re.sub(r"Renews on [^.\n]*[AP]M\.", "Renews on Nov 26, 2026 at 9:41 AM.", text)


def main():
    text = README.read_text(encoding="utf-8")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="openstore-samples-"))
    (folder / "home").mkdir()
    store = Store(folder)
    try:
        for marker, program, answers in SESSIONS:
            if marker == "new-version":
                store.publish("1.1")
            block = f"<!-- {marker} -->\n```text\n{use(store, program, answers)}\n```\n<!-- end -->"
            text, count = re.subn(
                rf"<!-- {marker} -->.*?<!-- end -->", lambda _: block, text, flags=re.S)
            if count != 1:
                raise SystemExit(f"Examples/README.md has {count} places for {marker}")
    finally:
        store.close()
        shutil.rmtree(folder)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
