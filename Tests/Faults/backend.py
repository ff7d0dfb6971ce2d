"""The publisher's server, which fails at times, and the store's operator.

The server keeps what it is told, and answers requests for consumption with a wish, so that the
store decides about refunds. The operator decides some of them by commands beside the running store.
"""

import collections
import http.server
import json
import random
import socket
import struct
import threading
import time

from shop import Refused, claims
from wire import Line, Lost

#: What the server does with a notification, out of a hundred; it takes the rest.
FAULTS = {"500": 10, "close": 6, "reset": 4, "slow": 6, "cut": 3, "lost": 3}


class Publisher:
    def __init__(self, seed, history):
        self.seed, self.history = seed, history
        self.lock = threading.Lock()
        self.happened = collections.Counter()
        self.attempts = collections.Counter()
        self.is_faulty = True
        self.is_down = False
        #: Whether it forgets what it takes: planted, never so otherwise.
        self.forgets = False
        #: What consumption is to be told of: environment and transaction.
        self.asked = collections.deque()
        publisher = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                publisher.take(self)

            def log_message(self, *_):
                pass

        http.server.ThreadingHTTPServer.daemon_threads = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/notifications"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def take(self, request):
        begin = self.history.now
        body = request.rfile.read(int(request.headers["Content-Length"]))
        said = claims(json.loads(body)["signedPayload"])
        identifier = said["notificationUUID"]
        with self.lock:
            self.attempts[identifier] += 1
            attempt = self.attempts[identifier]
        kind, dice = None, random.Random(f"{self.seed}/publisher/{said['notificationType']}/"
                                         f"{transaction_of(said)}/{attempt}")
        if self.is_down:
            kind = "reset"
        elif self.is_faulty:
            point = dice.uniform(0, 100)
            for one, share in FAULTS.items():
                if point < share:
                    kind = one
                    break
                point -= share
        if kind:
            with self.lock:
                self.happened[f"publisher: {kind}"] += 1
        if kind == "slow":
            time.sleep(dice.uniform(0.5, 4))
        status = 500 if kind == "500" else 200
        # `lost`: it has taken what it was told, and the store does not hear that.
        is_taken = kind in (None, "slow", "cut", "lost")
        if is_taken and said["notificationType"] == "CONSUMPTION_REQUEST":
            self.asked.append((said["data"]["environment"], transaction_of(said)))
        if self.forgets and attempt == 1 and dice.random() < 0.1:
            is_taken = False
        self.history.note(
            "notification", uuid=identifier, type=said["notificationType"],
            subtype=said.get("subtype"), transaction=transaction_of(said), taken=is_taken,
            begin=begin,
            # Only this makes it a success for the store.
            answered=status if kind in (None, "slow", "500") else None)
        if kind in ("close", "reset", "lost"):
            if kind == "reset":
                request.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.close_connection = True
            request.connection.close()
            return
        if kind == "cut":
            # Less than it promises.
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nshort")
            request.close_connection = True
            return
        request.send_response(status)
        request.send_header("Content-Length", "0")
        request.end_headers()


def transaction_of(said):
    signed = said.get("data", {}).get("signedTransactionInfo")
    return claims(signed)["transactionId"] if signed else None


class Backend(threading.Thread):
    """Tells the store how purchases were used that customers want their money back for."""

    def __init__(self, publisher, proxy, history, token, seed):
        super().__init__(name="backend", daemon=True)
        self.publisher, self.history, self.token = publisher, history, token
        self.line = Line("backend", "127.0.0.1", proxy.port)
        self.dice = random.Random(f"{seed}/backend")
        self.is_stopping = threading.Event()
        self.problem = None

    def run(self):
        try:
            while not self.is_stopping.wait(0.05):
                if not self.publisher.asked:
                    continue
                environment, transaction = self.publisher.asked.popleft()
                # Now and then it is left to the operator, and to the store's rules.
                if self.dice.random() < 0.8:
                    self.tell(environment, transaction)
        except Exception as error:
            self.problem = error

    def tell(self, environment, transaction):
        body = {
            "customerConsented": True, "sampleContentProvided": False,
            "deliveryStatus": "DELIVERED",
            "consumptionPercentage": self.dice.choice([0, 25_000, 60_000]),
            "refundPreference": self.dice.choice(["GRANT_FULL", "GRANT_PRORATED", "DECLINE"])}
        base = "/sandbox" if environment == "Sandbox" else ""
        operation = self.history.begin("consumption", "backend", transaction=transaction)
        while not self.is_stopping.is_set():
            try:
                answer = self.line.ask(
                    "PUT", f"{base}/inApps/v2/transactions/consumption/{transaction}", body,
                    self.token.header())
                self.history.end(operation, "ok" if answer.is_ok else "fail", code=answer.code)
                return
            except Lost:
                self.is_stopping.wait(0.3)
        self.history.end(operation, "unknown")


class Operator(threading.Thread):
    """Decides about refunds, and takes some back, with commands that use the store's folder while
    the store runs; some are killed on the way."""

    def __init__(self, shop, history, seed):
        super().__init__(name="operator", daemon=True)
        self.shop, self.history = shop, history
        self.dice = random.Random(f"{seed}/operator")
        self.is_stopping = threading.Event()
        self.reversed = set()
        self.problem = None

    def run(self):
        try:
            while not self.is_stopping.wait(self.dice.uniform(2, 6)):
                self.act()
        except Exception as error:
            self.problem = error

    def act(self):
        with self.shop.moving:
            self.look()

    def requests(self):
        return json.loads(self.shop.openstore("refund", "list", "--json"))

    def decide_all(self):
        for one in self.requests():
            if one["state"] == "waiting":
                self.decide(one, "decline")

    def look(self):
        try:
            requests = self.requests()
        except Refused:
            return
        waiting = [one for one in requests if one["state"] == "waiting"]
        refunded = [one for one in requests if one["state"] == "refunded"
                    and one["transactionId"] not in self.reversed]
        if waiting and self.dice.random() < 0.7:
            one = self.dice.choice(waiting)
            self.decide(one, self.dice.choice(["grant", "decline"]))
        elif refunded and self.dice.random() < 0.5:
            one = self.dice.choice(refunded)
            self.reversed.add(one["transactionId"])
            self.command(
                "reverse", ["refund", "reverse", str(one["transactionId"])],
                transaction=str(one["transactionId"]))

    def decide(self, request, word):
        self.command(word, ["refund", word, str(request["id"])],
                     transaction=str(request["transactionId"]))

    def command(self, kind, words, **given):
        operation = self.history.begin(kind, "operator", **given)
        try:
            self.shop.openstore(*words)
            self.history.end(operation, "ok")
        except Refused as refused:
            # 1 is a refusal; the rest may have happened before the command ended.
            self.history.end(operation, "unknown", reason=str(refused))
