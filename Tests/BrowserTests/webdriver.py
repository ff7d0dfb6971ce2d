"""A browser under remote control: WebDriver (W3C) over HTTP, with the standard library."""

import base64
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class DriverError(Exception):
    pass


class Driver:
    """One chromedriver with one browser. Close it.

    Without `scripts` those of pages do not run; those of tests do.
    """

    def __init__(self, dark=False, width=1000, height=800, profile=None, scripts=True):
        program = shutil.which("chromedriver")
        if program is None:
            raise DriverError("chromedriver is missing; run Scripts/setup.sh browser")
        self.base = f"http://127.0.0.1:{self.start(program)}"
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-device-scale-factor=1",
            f"--window-size={width},{height}", "--lang=en-US", "--no-first-run",
            "--disable-background-networking", "--disable-component-update",
        ]
        if profile:
            arguments.append(f"--user-data-dir={profile}")
        options = {"args": arguments, "binary": shutil.which("chromium")}
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        try:
            answer = self.call(
                "POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        except Exception:
            self.process.kill()
            raise
        self.base += f"/session/{answer['sessionId']}"
        self.emulate(width, height)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if not scripts:
            self.command("Emulation.setScriptExecutionDisabled", value=True)

    def start(self, program):
        """Starts chromedriver; gives its port.

        chromedriver takes a free port of IPv6 and then the same one of IPv4, and ends where somebody else
        has that. It takes another one the next time.
        """
        said = ""
        for _ in range(5):
            self.process = subprocess.Popen(
                [program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for line in self.process.stdout:
                said += line
                started = re.search(r"successfully on port (\d+)", line)
                if started:
                    return started[1]
            self.process.stdout.close()
            self.process.wait()
        raise DriverError(f"chromedriver did not start: {said}")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise DriverError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def command(self, name, /, **parameters):
        """A command of Chromium's own protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def emulate(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=width < 500)

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.call("GET", "/url")

    def all(self, selector):
        found = self.call(
            "POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def one(self, selector):
        found = self.all(selector)
        if len(found) != 1:
            raise DriverError(f"{len(found)} elements match {selector} on {self.url}")
        return found[0]

    def text(self, selector="main"):
        return self.call("GET", f"/element/{self.one(selector)}/text")

    def type(self, selector, text):
        element = self.one(selector)
        self.call("POST", f"/element/{element}/clear", {})
        self.call("POST", f"/element/{element}/value", {"text": text})

    def press(self, answer):
        """Presses the button that stands for an answer, and waits for the next page."""
        button = self.one(f"button[value={answer}]")
        self.turn(lambda: self.call("POST", f"/element/{button}/click", {}))

    def turn(self, action):
        """Does what leads to another page, and waits until that is there."""
        self.run("window.isOld = true")
        action()
        self.wait("return !window.isOld && document.readyState === 'complete'")

    def wait(self, script):
        """Waits until a script gives true; while a page comes, scripts may fail."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except DriverError:
                pass
            time.sleep(0.02)
        raise DriverError(f"{script} did not become true on {self.url}")

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """Gives what the script hands to the function that is its last argument."""
        return self.call(
            "POST", "/execute/async", {"script": script, "args": list(arguments)})

    def focused(self):
        return self.run("return document.activeElement.id || document.activeElement.value || ''")

    def keys(self, text):
        actions = []
        for key in text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {
            "actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def cookies(self):
        return self.call("GET", "/cookie")

    def console(self):
        """What the console has heard since the last time."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def screenshot(self, file, is_whole=True):
        """The whole page, at least as high as the window; or what the window shows."""
        png = self.command(
            "Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        with open(file, "wb") as output:
            output.write(base64.b64decode(png["data"]))

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(timeout=20)
            self.process.stdout.close()
