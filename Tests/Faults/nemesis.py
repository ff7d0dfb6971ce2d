"""What happens to the store's processes, its disk, its database and its network, and when.

The plan follows from the seed. `carry_out` does one thing of it, and leaves everything well.
"""

import collections
import json
import random
import signal
import threading
import time

#: What happens, and how often.
EVENTS = {
    "kill": 8,  # SIGKILL, and again after a while
    "trap": 4,  # SIGILL, as a wrong index or an overflow ends a process
    "kill twice": 2,  # the second time while it starts
    "stop": 2,  # SIGTERM
    "pause": 6,  # SIGSTOP, SIGCONT
    "full disk": 5,
    "full disk and kill": 3,  # and a start, or attempts at one, before there is room
    "parted network": 3,
    "publisher down": 3,
    "restart database": 5,  # where that can be done
    "back up": 4,
    "restore": 3,  # of one of the backups, in the place of what there is
}
#: From so many seconds on there is a restore, whatever the dice say.
LONG = 300


def plan(seed, seconds, servers=1, has_database=False, pause=4):
    """When what happens: seconds since the beginning, event, server, measure between 0 and 1."""
    dice = random.Random(f"{seed}/nemesis")
    kinds = [kind for kind in EVENTS if has_database or kind != "restart database"]
    events, time = [], 2.0
    while time < seconds - 3:
        kind = dice.choices(kinds, [EVENTS[kind] for kind in kinds])[0]
        if kind == "restore" and all(kind != "back up" for _, kind, _, _ in events):
            kind = "back up"
        events.append((round(time, 2), kind, dice.randrange(servers), dice.random()))
        time += dice.uniform(0.4, 2 * pause - 0.4)
    if seconds >= LONG and all(kind != "restore" for at, kind, _, _ in events if at < seconds / 2):
        for place, kind in ((len(events) // 3, "back up"), (len(events) // 2, "restore")):
            events[place] = (events[place][0], kind, *events[place][2:])
    return events


class Nemesis(threading.Thread):
    def __init__(self, shop, proxy, publisher, history, events, restart=None):
        """`restart`: restarts the database, given a measure between 0 and 1."""
        super().__init__(name="nemesis", daemon=True)
        self.shop, self.proxy, self.publisher, self.history = shop, proxy, publisher, history
        self.events, self.restart = events, restart
        self.happened = collections.Counter()
        #: What the shop has kept, by number.
        self.backups = []
        self.is_stopping = threading.Event()
        self.problem = None

    def run(self):
        begin = time.monotonic()
        try:
            for at, kind, number, measure in self.events:
                if self.is_stopping.wait(max(0, at - (time.monotonic() - begin))):
                    break
                self.history.note("fault", kind=kind, server=number, measure=round(measure, 3))
                self.happened[kind] += 1
                self.carry_out(kind, self.shop.servers[number], measure)
        except Exception as error:
            import traceback

            traceback.print_exc()
            self.problem = error
        finally:
            self.heal()

    def carry_out(self, kind, server, measure):
        if kind in ("kill", "trap"):
            self.kill(server, signal.SIGILL if kind == "trap" else signal.SIGKILL)
            time.sleep(measure * 2)
            self.revive(server)
        elif kind == "kill twice":
            self.kill(server)
            threading.Timer(0.05 + measure * 0.6, server.send, [signal.SIGKILL]).start()
            server.start()
            time.sleep(0.7)
            self.kill(server)
            self.revive(server)
        elif kind == "stop":
            server.send(signal.SIGTERM)
            if not server.wait(30):
                raise RuntimeError(
                    f"server {server.number} did not end within 30 seconds of SIGTERM")
            self.revive(server)
        elif kind == "pause":
            server.send(signal.SIGSTOP)
            time.sleep(0.2 + measure * 7)
            server.send(signal.SIGCONT)
        elif kind == "full disk":
            self.shop.disk.fill(int(measure * 64) << 10, self.shop.processes())
            time.sleep(1 + measure * 4)
            self.shop.disk.free(self.shop.processes())
        elif kind == "full disk and kill":
            self.shop.disk.fill(int(measure * 16) << 10, self.shop.processes())
            time.sleep(0.3 + measure)
            self.kill(server)
            # It need not be able to start.
            server.start(seconds=3)
            time.sleep(measure)
            self.shop.disk.free(self.shop.processes())
            if server.process.poll() is not None or server.port is None:
                self.revive(server)
            self.follow()
        elif kind == "parted network":
            self.proxy.is_parted = True
            time.sleep(0.5 + measure * 3)
            self.proxy.is_parted = False
        elif kind == "publisher down":
            self.publisher.is_down = True
            time.sleep(0.5 + measure * 4)
            self.publisher.is_down = False
        elif kind == "restart database":
            self.restart(measure)
        elif kind == "back up":
            self.back_up(measure)
        elif kind == "restore":
            self.go_back(measure)

    def back_up(self, measure):
        number = len(self.backups)
        self.history.note("backup begins", backup=number)
        self.backups.append(self.shop.back_up(number, is_whole=measure < 0.6))
        self.history.note("backup ends", backup=number)

    def go_back(self, measure):
        """One of the backups takes the place of what there is, as where a disk was lost; the
        processes end in good order, or don't."""
        number = int(measure * len(self.backups))
        with self.shop.moving:
            self.history.note("restore begins", backup=number)
            for server in self.shop.servers:
                if measure * 10 % 1 < 0.5:
                    server.send(signal.SIGTERM)
                    server.wait()
                else:
                    self.kill(server)
            lost = self.shop.put_back(self.backups[number])
            file = f"lost-{self.happened['restore']}.json"
            (self.shop.path / file).write_text(json.dumps(lost))
            self.history.note("restore ends", backup=number, lost=file)
        for server in self.shop.servers:
            self.revive(server)

    def kill(self, server, by=signal.SIGKILL):
        server.send(signal.SIGCONT)
        server.send(by)
        server.wait()

    def revive(self, server):
        for _ in range(5):
            if server.start():
                return self.follow()
            self.kill(server)
        raise RuntimeError(f"server {server.number} does not start any more, see {server.log}")

    def follow(self):
        """Servers listen on other ports when they begin again."""
        self.proxy.targets = self.shop.targets

    def heal(self):
        """Everything is well afterwards."""
        self.proxy.is_parted = self.publisher.is_down = False
        self.shop.disk.free(self.shop.processes())
        for server in self.shop.servers:
            server.send(signal.SIGCONT)
            if server.is_wanted and (server.process is None or server.process.poll() is not None):
                server.start()
        self.follow()
