"""What clients did and heard, in the order in which it happened.

Each operation has an invocation, and later an end: `ok`, `fail` (the store said no, and nothing
happened) or `unknown` (whether it happened, nobody told). Both get the next number of one clock
that all clients share: what ended before another thing began is known to lie before it.
"""

import dataclasses
import json
import math
import os
import threading
import time


@dataclasses.dataclass
class Operation:
    number: int
    kind: str
    client: str
    #: What it was asked with, and what the answer said.
    given: dict
    begin: int
    end: float = math.inf
    outcome: str = "unknown"
    got: dict = dataclasses.field(default_factory=dict)
    #: Seconds since the beginning of the run.
    at: float = 0

    @property
    def is_ok(self):
        return self.outcome == "ok"

    def __str__(self):
        words = {"buy": "key", "finish": "transaction", "refund": "transaction",
                 "download": "product", "info": "transaction", "restore": "device",
                 "unfinished": "device", "reverse": "transaction"}
        what = self.given.get(words.get(self.kind, ""), "")
        return (f"{self.client}'s {self.kind} {what} (operation {self.number}, "
                f"times {self.begin} to {self.end}, {self.at:.1f} s)")


class History:
    """The history as it is written: a line for each beginning and each end."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "a", encoding="utf-8")
        self.lock = threading.Lock()
        self.clock = 0
        self.operations = 0
        self.start = time.monotonic()
        self.counts = {}
        self.is_closed = False
        # Lines are on disk soon, and none waits for a disk.
        self.syncing = threading.Thread(target=self._sync, daemon=True)
        self.syncing.start()

    def begin(self, kind, client, **given):
        with self.lock:
            self.operations += 1
            number = self.operations
            self._write({"op": number, "event": "invoke", "kind": kind, "client": client,
                         "given": given})
        return number, kind

    def end(self, operation, outcome, **got):
        number, kind = operation
        with self.lock:
            self._write({"op": number, "event": outcome, "got": got})
            counts = self.counts.setdefault(kind, {"ok": 0, "fail": 0, "unknown": 0})
            counts[outcome] += 1

    def note(self, event, **what):
        """Something that belongs to no operation: a fault, or what was sent to the publisher."""
        with self.lock:
            self._write({"event": event, **what})

    @property
    def now(self):
        with self.lock:
            return self.clock

    def close(self):
        self.is_closed = True
        self.syncing.join()
        with self.lock:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()

    def _write(self, line):
        self.clock += 1
        at = round(time.monotonic() - self.start, 3)
        self.file.write(json.dumps({"time": self.clock, "at": at, **line}) + "\n")

    def _sync(self):
        while not self.is_closed:
            time.sleep(0.2)
            with self.lock:
                self.file.flush()
            os.fsync(self.file.fileno())


def read(path):
    """The operations of a file, and its notes."""
    with open(path, encoding="utf-8") as file:
        return parse(json.loads(line) for line in file)


def parse(lines):
    operations, notes = {}, []
    for line in lines:
        if line["event"] == "invoke":
            operations[line["op"]] = Operation(
                line["op"], line["kind"], line["client"], line["given"], line["time"],
                at=line["at"])
        elif "op" in line:
            operation = operations[line["op"]]
            operation.end = line["time"]
            operation.outcome = line["event"]
            operation.got = line["got"]
            # Of what has an unknown outcome, nobody knows when it happens.
            if operation.outcome == "unknown":
                operation.end = math.inf
        else:
            notes.append(line)
    return list(operations.values()), notes
