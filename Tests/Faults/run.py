"""Lets many clients buy, finish, restore, refund and download while network, disk and processes
fail, and checks afterwards that nothing was lost, doubled or wrong.

    run.py --seed 7 --seconds 60
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Cluster")]

import checker
import history
import nemesis
import plants
import state
from backend import Backend, Operator, Publisher
from clients import Client
from cluster import Cluster
from proxy import Proxy
from shop import BUNDLE, CHAPTERS, Key, Shop
from wire import Line, Token

#: What run.py says to itself behind `unshare`.
MOUNTABLE = "OPENSTORE_FAULTS_MOUNTABLE"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, help="a random one unless given")
    parser.add_argument("--seconds", type=float, default=60, help="how long things fail")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--servers", type=int, default=1, help="processes; needs --database")
    parser.add_argument("--database", help="where the store has its data: postgres://…")
    parser.add_argument("--restart-database", metavar="COMMAND", help="restarts it")
    parser.add_argument(
        "--cluster", action="store_true",
        help="a PostgreSQL, an object store, three servers and nginx of its own")
    parser.add_argument(
        "--keep", metavar="DIR", help="keep histories and logs there, also of a good run")
    parser.add_argument("--calm", action="store_true", help="let nothing fail, to measure that")
    parser.add_argument(
        "--plant", choices=sorted(plants.PLANTS),
        help="do what no store survives; the run has to find it")
    parser.add_argument("--check", metavar="DIR", help="check once more what a run has kept")
    return parser.parse_args()


def in_name_space():
    """Begins again where this may mount: what is mounted there ends with it."""
    if MOUNTABLE in os.environ:
        return os.environ[MOUNTABLE] == "1"
    words = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    tried = subprocess.run(
        [*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    os.environ[MOUNTABLE] = "1" if tried.returncode == 0 else "0"
    if tried.returncode == 0:
        os.execvp(words[0], [*words, sys.executable, *sys.argv])
    return False


class Run:
    def __init__(self, options, folder, is_mountable):
        self.options, self.folder = options, folder
        self.seed = options.seed
        self.shop, self.restart = self.make_shop(is_mountable)
        self.history = history.History(folder / "history.jsonl")
        self.proxy = Proxy(self.seed)
        self.publisher = Publisher(self.seed, self.history)
        self.threads = []
        #: Notifications that had to be asked for again.
        self.resent = 0

    def make_shop(self, is_mountable):
        """The shop, and what restarts its database, given a measure between 0 and 1."""
        options = self.options
        if options.cluster:
            shop = Cluster(self.folder, self.seed, options.servers, is_mountable)
            return shop, shop.restart_database
        shop = Shop(self.folder, self.seed, options.servers, options.database, is_mountable)
        command = options.restart_database
        return shop, command and (lambda _: subprocess.run(
            command, shell=True, capture_output=True, timeout=120))

    def prepare(self):
        self.shop.fill()
        self.contents = {product: self.shop.file_digests(product) for product in CHAPTERS}
        (self.folder / "contents.json").write_text(json.dumps(self.contents))
        made = json.loads(self.shop.openstore(
            "api-key", "create", "--name", "faults", "--role", "ADMIN", "--team", "Publisher", "-o",
            str(self.folder), "--json"))
        key = Key(made["id"], made["issuerId"], pathlib.Path(made["file"]).read_bytes())
        self.token = Token(key, BUNDLE, made["file"])
        self.clients = [
            Client(number, self.shop, self.proxy, self.history, self.token, self.seed)
            for number in range(self.options.clients)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(Client.prepare, self.clients))
        self.shop.serve()
        self.proxy.targets = self.shop.targets
        self.direct = self.shop.address
        self.shop.openstore(
            "app", "update", BUNDLE, "--store", self.direct, "--key", made["file"], "--issuer",
            key.issuer, "--notifications", self.publisher.url, "--sandbox-notifications",
            self.publisher.url)
        # Devices know the store by its proxy.
        self.shop.address = self.proxy.address
        for environment in ("sandbox", "production"):
            self.shop.profile(environment)

    def go(self):
        seconds = self.options.seconds
        events = nemesis.plan(
            self.seed, seconds, self.options.servers, bool(self.restart))
        if self.options.calm:
            self.proxy.is_faulty = self.publisher.is_faulty = False
            events = []
        self.nemesis = nemesis.Nemesis(
            self.shop, self.proxy, self.publisher, self.history, events, self.restart)
        if self.options.plant:
            plants.begin(self.options.plant, self)
        self.backend = Backend(
            self.publisher, self.proxy, self.history, self.token, self.seed)
        self.operator = Operator(self.shop, self.history, self.seed)
        self.threads = [*self.clients, self.backend, self.operator, self.nemesis]
        self.history.start = time.monotonic()
        for thread in self.threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(thread.problem for thread in self.threads):
                break
            progress(self)
            time.sleep(0.5)
        for thread in self.threads:
            thread.is_stopping.set()
        for thread in self.threads:
            # On a machine that is busy with other things, commands take their time.
            thread.join(timeout=300)
            if thread.is_alive():
                raise RuntimeError(f"{thread.name} does not come to its end")
        self.fail_for_problems()

    def fail_for_problems(self):
        for thread in self.threads:
            if thread.problem:
                raise RuntimeError(f"{thread.name} failed: {thread.problem!r}")

    def settle(self):
        """All is well again: what was late arrives, what failed is asked for again."""
        progress(self, "settling")
        self.nemesis.heal()
        self.proxy.settle()
        self.publisher.is_faulty = False
        port = self.shop.ports[0]
        # Who was asked how a purchase was used and has not said so says it now.
        self.backend.line = Line("backend", "127.0.0.1", port, timeout=60)
        self.backend.is_stopping.clear()
        while self.publisher.asked:
            environment, transaction = self.publisher.asked.popleft()
            self.backend.tell(environment, transaction)
        # The store would decide by itself, and might do so between two looks of a client.
        self.operator.decide_all()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(
                lambda client: client.settle(Line(client.name, "127.0.0.1", port, timeout=60)),
                self.clients))
        self.deliver(Line("operator", "127.0.0.1", port, timeout=60))

    def deliver(self, line):
        """Has the store send what did not arrive.

        What failed is marked so, and is sent again when somebody asks for it: production's own next
        attempt comes after an hour, the sandbox makes none. What was being sent by a process that
        was killed is sent by itself, a minute later."""
        asked = set()
        end = time.monotonic() + 150
        while time.monotonic() < end:
            rows = state.read(self.shop)["notifications"]
            left = [row for row in rows if row["state"] != "delivered"]
            if not left:
                return
            progress(self, f"{len(left)} notifications to deliver")
            soon = (time.time() + 90) * 1000
            for row in left:
                is_over = row["state"] == "failed" or (row["due"] or 0) > soon
                if is_over and row["id"] not in asked and row["tries"]:
                    asked.add(row["id"])
                    self.resend(line, row["id"])
            time.sleep(0.5)

    def resend(self, line, identifier):
        self.resent += 1
        body = {"data": {"type": "notificationReplays", "relationships": {"notification": {
            "data": {"type": "notifications", "id": str(identifier)}}}}}
        answer = line.ask("POST", "/connect/openstore/v1/notificationReplays", body,
                          self.token.header(for_connect=True))
        if not answer.is_ok:
            raise RuntimeError(f"notification {identifier}: {answer.status} {answer.body}")

    def check(self):
        progress(self, "checking")
        self.history.close()
        if self.options.plant:
            plants.end(self.options.plant, self)
        last = state.read(self.shop)
        last["complaints"] += self.shop.complaints()
        (self.folder / "state.json").write_text(json.dumps(last))
        operations, notes = history.read(self.history.path)
        self.last = last
        return checker.check(checker.Case(
            operations, notes, last, self.contents, lost_states(notes, self.folder)))

    def end(self):
        for thread in self.threads:
            thread.is_stopping.set()
        self.shop.close()
        self.proxy.close()
        self.publisher.close()

    def report(self):
        print(f"\n{'OPERATION':<16}{'OK':>8}{'REFUSED':>9}{'UNKNOWN':>9}")
        for kind, counts in sorted(self.history.counts.items()):
            print(f"{kind:<16}{counts['ok']:>8}{counts['fail']:>9}{counts['unknown']:>9}")
        faults = collections.Counter(self.nemesis.happened)
        faults.update(self.proxy.happened)
        faults.update(self.publisher.happened)
        print(f"\n{'FAULT':<24}{'TIMES':>6}")
        for kind, count in faults.most_common():
            print(f"{kind:<24}{count:>6}")
        print(f"\n{len(self.last['ledger'])} entries of the ledger, "
              f"{len(self.last['revocations'])} refunds, "
              f"{len(self.last['notifications'])} notifications, "
              f"{self.resent} of them asked for again; "
              f"a full disk was {self.shop.disk.kind}")


def progress(run, what=None):
    if sys.stderr.isatty():
        done = sum(counts["ok"] for counts in run.history.counts.values())
        seconds = time.monotonic() - run.history.start
        text = f"{seconds:.0f} s, {done} operations" + (f", {what}" if what else "")
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def tell(violations):
    for name, count in collections.Counter(one.rule for one in violations).items():
        print(f"\nVIOLATED, {count} times: {name}")
        for one in [one for one in violations if one.rule == name][:5]:
            print(f"  {one.text}")
    print(f"\n{len(violations)} violations." if violations else "\nNo rule is violated.")


def lost_states(notes, folder):
    """What the store had each time when a backup took its place."""
    return [json.loads((folder / note["lost"]).read_text())
            for note in notes if note["event"] == "restore ends"]


def check_again(folder):
    """What the checker says of a run that was kept, and of its store as it is now; as it was where
    that is in PostgreSQL."""
    operations, notes = history.read(folder / "history.jsonl")
    contents = json.loads((folder / "contents.json").read_text())
    file = folder / "store" / "store.sqlite"
    last = state.read_sqlite(file) if file.exists() else json.loads(
        (folder / "state.json").read_text())
    violations = checker.check(
        checker.Case(operations, notes, last, contents, lost_states(notes, folder)))
    tell(violations)
    return 1 if violations else 0


def main():
    options = arguments()
    if options.check:
        sys.exit(check_again(pathlib.Path(options.check)))
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1, 1_000_000)
        sys.argv += ["--seed", str(options.seed)]
    if options.cluster:
        if options.database or options.restart_database:
            sys.exit("--cluster brings its own database.")
        options.servers = 3
    if options.servers > 1 and not (options.database or options.cluster):
        sys.exit("Several processes need a database that they share: --database.")
    if options.plant and (options.database or options.cluster):
        sys.exit("--plant changes a store in SQLite.")
    is_mountable = in_name_space()
    # As Control-C: everything that was begun is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"seed {options.seed}, {options.clients} clients, {options.seconds:g} seconds",
          flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"openstore-faults-{options.seed}-"))
    run, is_good = None, False
    try:
        run = Run(options, folder, is_mountable)
        durations = []
        for step in (run.prepare, run.go, run.settle, run.check):
            begin = time.monotonic()
            violations = step()
            durations.append(f"{step.__name__} {time.monotonic() - begin:.0f} s")
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        run.report()
        print(", ".join(durations))
        is_good = not violations
        tell(violations)
    finally:
        if run is not None:
            if not is_good or options.keep:
                kept = pathlib.Path(options.keep) if options.keep else folder.with_name(
                    folder.name + "-kept")
                try:
                    kept.mkdir(parents=True, exist_ok=True)
                    run.shop.disk.free(run.shop.processes())
                    run.shop.end()
                    run.shop.keep(kept / "store")
                    for file in folder.iterdir():
                        if file.is_file():
                            shutil.copy(file, kept)
                    print(f"Histories, logs and the store's folder are in {kept}.")
                except OSError as error:
                    print(f"What there is could not be kept: {error}")
            run.end()
        shutil.rmtree(folder, ignore_errors=True)
        if not is_good:
            print(f"Again: {shlex.join(['python3', *sys.argv])}", flush=True)
    # Threads that wait for nothing any more don't hold the program up.
    sys.stdout.flush()
    os._exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
