"""The store of `openstore demo --serve`: a publisher who has been selling for six weeks."""

import pathlib
import re
import shutil
import signal
import subprocess

from shop import PROGRAMS, Refused


class Demo:
    """`openstore demo --yes --serve` on a free port of this machine. Close it."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAMS / "openstore", "demo", "--yes", "--serve"],
            stdout=subprocess.PIPE, text=True)
        self.people, self.address, self.password, self.folder = {}, None, None, None
        table = False
        for line in self.process.stdout:
            words = re.split(r"\s{2,}", line.strip())
            if words[0].endswith("/connect/"):
                self.address = words[0].removesuffix("/connect/")
            if words[0] == "data":
                self.folder = pathlib.Path(words[1]).parent
            if "the password is" in line:
                self.password = line.split()[-1]
            if table:
                # The role may be there twice: the first one is of the team that sells.
                self.people.setdefault(words[1], words[0])
            table = table or words[0] == "EMAIL"
            if words[-1] == "Harbour Games":
                break
        else:
            raise Refused("the demo did not come to its end")

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.process.stdout.close()
        if self.folder and self.folder.name.startswith("openstore-demo-"):
            shutil.rmtree(self.folder)
