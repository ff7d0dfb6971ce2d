"""A store for the fault test: its processes, its disk, its products and who buys there."""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import state
from content import digest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "ServerClients"))

import store as clients_store
# Also for those who import this module: it knows where the other one is.
from store import (
    BADGE, BUNDLE, COINS, MONTHLY, PASSWORD, PROGRAMS, SEASON, YEARLY, Key, Refused, Store, claims)

#: Products with hosted content.
CHAPTERS = [f"{BUNDLE}.chapter1", f"{BUNDLE}.chapter2"]
#: The largest disk that the store gets.
DISK = 2 << 30
#: The thread that starts servers, as long as there is a test.
spawner = concurrent.futures.ThreadPoolExecutor(1)


class Disk:
    """The file system that the store's folder is on, which can be full.

    Inside a name space for mounts (run.py begins one where it may) it is a small file system in
    memory, which shrinks to what is on it. Elsewhere the servers' processes may not write files
    longer than now."""

    def __init__(self, folder, is_mountable):
        self.folder = folder
        self.is_mounted = is_mountable
        self.is_full = False
        folder.mkdir()
        if is_mountable:
            mount("-t", "tmpfs", "-o", f"size={DISK},mode=700", "none", folder)

    @property
    def kind(self):
        return "a file system in memory" if self.is_mounted else "limited file sizes"

    def fill(self, room, processes):
        """Leaves so many bytes."""
        self.is_full = True
        if self.is_mounted:
            facts = os.statvfs(self.folder)
            used = (facts.f_blocks - facts.f_bfree) * facts.f_frsize
            for spare in range(20):
                # What is written between the two steps makes the first one too small.
                size = used + room + spare * (64 << 10)
                if subprocess.run(["mount", "-o", f"remount,size={size}", self.folder],
                                  capture_output=True).returncode == 0:
                    return
            return
        sizes = [file.stat().st_size for file in self.folder.rglob("*.sqlite*")]
        limit = max(sizes, default=0) + room
        for process in processes:
            limited(process.pid, limit)

    def free(self, processes):
        if not self.is_full:
            return
        self.is_full = False
        if self.is_mounted:
            mount("-o", f"remount,size={DISK}", self.folder)
        for process in processes:
            limited(process.pid, resource.RLIM_INFINITY)

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.folder], capture_output=True)


def mount(*words):
    run("mount", *words)


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(done.returncode, f"{words}: {done.stderr}")


def limited(process, size):
    try:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        pass


class Server:
    """One `openstore serve`, which the nemesis ends, and which begins again."""

    def __init__(self, shop, number, port=0):
        """`port`: where it listens each time; a free one unless given."""
        self.shop = shop
        self.number = number
        self.process = None
        self.port = None
        self.wanted_port = port
        self.is_wanted = True
        self.log = shop.path / f"serve-{number}.log"
        self.lock = threading.Lock()

    def start(self, seconds=180):
        """Begins, and gives whether it listens."""
        with self.lock:
            if not self.is_wanted:
                return False
            begin = self.log.stat().st_size if self.log.exists() else 0
            with open(self.log, "a") as log:
                # It ends with the thread that started it, and takes a full disk for an error, not
                # for its end: Python ignores SIGXFSZ, and lets it be so.
                self.process = spawner.submit(
                    subprocess.Popen,
                    ["setpriv", "--pdeathsig", "KILL", PROGRAMS / "openstore", "serve", "--data",
                     self.shop.folder(self.number), "--listen", f"127.0.0.1:{self.wanted_port}",
                     "--allow-local-notifications", *self.shop.options],
                    stdout=log, stderr=subprocess.STDOUT, restore_signals=False,
                    process_group=0, env=self.shop.environment).result()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with open(self.log, errors="replace") as log:
                log.seek(begin)
                found = re.search(
                    r"^  production +\S+:(\d+)$", log.read(), re.MULTILINE)
            if found:
                self.port = int(found[1])
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.05)
        return False

    def send(self, kind):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(kind)

    def wait(self, seconds=30):
        """Waits for the end; whoever does not come to it is killed, and that is told."""
        if self.process is None:
            return True
        try:
            self.process.wait(timeout=seconds)
            return True
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False

    def end(self):
        with self.lock:
            self.is_wanted = False
            self.send(signal.SIGCONT)
            self.send(signal.SIGKILL)
        self.wait()


class Shop(Store):
    """The store of the other tests of clients, with hosted content, and with servers that end."""

    def __init__(self, path, seed, servers=1, database=None, is_mountable=False):
        self.path = path
        self.seed = seed
        self.is_guest = False
        self.temporary = None
        self.disk = Disk(path / "disk", is_mountable)
        self.data = self.folder(0)
        # The store on another database: every command has to know it.
        self.options = ["--database", database] if database else []
        self.environment = dict(os.environ)
        self.database = database
        self.servers = [Server(self, number) for number in range(servers)]
        #: What stands in front of the servers, for those who use it.
        self.gateway = None
        self.sources = path / "content"
        #: Held while the store's data is replaced: no command may work on it then.
        self.moving = threading.Lock()

    def folder(self, number):
        """What a server has for itself."""
        return self.disk.folder / f"store-{number}"

    def openstore(self, *words):
        done = subprocess.run(
            [PROGRAMS / "openstore", *words, "--data", str(self.data), *self.options],
            capture_output=True, text=True, process_group=0, env=self.environment)
        if done.returncode != 0:
            raise Refused(
                done.returncode, f"openstore {' '.join(words)}: {done.stderr}{done.stdout}")
        return done.stdout

    def fill(self):
        """Products, and content that does not compress, so that it takes some time."""
        whole = clients_store.configuration()
        for number, product in enumerate(CHAPTERS):
            whole["products"].append({
                "productID": product, "type": "NonConsumable", "displayPrice": "2.99",
                "referenceName": f"Chapter {number + 1}", "familyShareable": False,
                "internalID": "11111111", "localizations": [{
                    "locale": "en_US", "displayName": f"Chapter {number + 1}",
                    "description": "A chapter of the shop"}]})
            folder = self.sources / product / "Contents"
            folder.mkdir(parents=True)
            (folder.parent / "ContentInfo.plist").write_text(
                '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
                "<key>ContentVersion</key><string>1.0</string>"
                f"<key>IAPProductIdentifier</key><string>{product}</string></dict></plist>")
            dice = random.Random(f"{self.seed}/content/{product}")
            (folder / "noise").write_bytes(dice.randbytes(400_000 + 300_000 * number))
            (folder / "text").write_text(f"What is told in chapter {number + 1}.\n" * 2000)
        file = self.path / "shop.storekit"
        file.write_text(json.dumps(whole))
        self.openstore(
            "catalog", "import", str(file), "--content", str(self.sources), "--bundle-id", BUNDLE,
            "--name", "Shop", "--approve")

    def file_digests(self, product):
        """What a device must have of a product's content."""
        folder = self.sources / product
        return {str(file.relative_to(folder)): digest(file.read_bytes())
                for file in folder.rglob("*") if file.is_file()}

    def back_up(self, number, is_whole):
        """Keeps what the store has now, while it runs: as a backup, or its rows alone, which a
        standby has that lags.

        Gives what `put_back` takes."""
        if is_whole:
            said = json.loads(self.openstore(
                "backup", "--to", str(self.path / "backups"), "--json"))
            return said["backup"]
        file = self.path / f"rows-{number}"
        if self.database:
            run("pg_dump", "-Fc", "-n", "openstore", "-f", file, self.database)
        else:
            with sqlite3.connect(self.data / "store.sqlite") as rows, sqlite3.connect(file) as copy:
                rows.backup(copy)
            rows.close()
            copy.close()
        return file

    def put_back(self, kept):
        """Puts what was kept in the place of what the store has, none of whose processes runs.

        Gives what is lost by that, as `state.read` does."""
        lost = state.read(self)
        is_whole = pathlib.Path(kept).is_dir()
        if self.database:
            run("psql", "-X", "-q", self.database, "-c", "DROP SCHEMA openstore CASCADE")
        if is_whole:
            shutil.rmtree(self.data)
            self.openstore("restore", "--from", str(kept))
            return lost
        if self.database:
            run("pg_restore", "-d", self.database, kept)
        else:
            for file in self.data.glob("store.sqlite*"):
                file.unlink()
            shutil.copy(kept, self.data / "store.sqlite")
            (self.data / "store.sqlite").chmod(0o600)
        self.openstore("doctor", "--after-failover", "--quick")
        return lost

    def complaints(self):
        """What `openstore doctor` finds broken."""
        done = subprocess.run(
            [PROGRAMS / "openstore", "doctor", "--json", "--store",
             f"http://127.0.0.1:{self.servers[0].port}", "--data", str(self.data), *self.options],
            capture_output=True, text=True, env=self.environment)
        if done.returncode not in (0, 2):
            raise Refused(done.returncode, done.stderr)
        said = json.loads(done.stdout)
        return [f"doctor: {one['check']}: {one['what']}, {one['place']}"
                for one in said["findings"] if one["severity"] == "broken"]

    def serve(self):
        for server in self.servers:
            if not server.start():
                raise Refused(0, f"the store does not begin to listen, see {server.log}")
        self.address = f"http://127.0.0.1:{self.servers[0].port}"

    @property
    def ports(self):
        return [server.port for server in self.servers]

    @property
    def targets(self):
        """The ports that clients use."""
        return [self.gateway.port] if self.gateway else self.ports

    def processes(self):
        return [one.process for one in self.servers if one.process is not None]

    def end(self):
        for server in self.servers:
            server.end()

    def keep(self, folder):
        """Copies what is on the disk that ends with the test."""
        shutil.copytree(self.data, folder, dirs_exist_ok=True)

    def close(self):
        self.end()
        self.disk.close()
