"""Something between clients and the store that delays, resets, swallows and repeats.

It reads each request whole before it decides. What happens to a request follows from the seed and
from the request's name, which clients send as `Fault-Test: CLIENT/NUMBER`: the same seed does the
same to the same request, however threads are scheduled. The store does not see that header.
"""

import collections
import random
import socket
import struct
import threading
import time

#: How often each happens, out of a hundred; the rest goes through.
FAULTS = {
    "delay": 5,  # before the store gets it
    "late answer": 3,
    "trickle": 2,  # the answer, in small pieces
    "reset": 2,  # before the store gets it
    "cut request": 2,  # the store gets a part of it
    "lost answer": 5,  # reset behind the store's answer
    "cut answer": 3,  # reset within it
    "silence": 0.5,  # accepted, never delivered, never answered
    "swallowed": 1,  # delivered, never answered
    "duplicate": 6,  # at once, over another connection
    "late duplicate": 4,  # seconds later
}
#: A half-open connection ends after so many seconds, if the client has not gone before.
HALF_OPEN = 20
NAME = b"fault-test:"


class Proxy:
    def __init__(self, seed):
        self.seed = seed
        #: Ports of the servers; connections go to one that the request's name picks.
        self.targets = []
        self.happened = collections.Counter()
        self.is_faulty = True
        #: While it is so, nobody is let through: the network is parted.
        self.is_parted = False
        self.unnamed = 0
        self.lock = threading.Lock()
        self.late = 0
        self.is_open = True
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.is_open = False
        self.listener.close()

    def settle(self, seconds=60):
        """Lets everything through from now on, and waits until every late repetition was sent."""
        self.is_faulty = self.is_parted = False
        end = time.monotonic() + seconds
        while self.late and time.monotonic() < end:
            time.sleep(0.05)

    def fault(self, name):
        """What happens to a request, with a generator for its measures."""
        dice = random.Random(f"{self.seed}/proxy/{name}")
        point = dice.uniform(0, 100)
        for kind, share in FAULTS.items():
            if point < share:
                return kind, dice
            point -= share
        return None, dice

    def _accept(self):
        while self.is_open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        server = None
        try:
            client.settimeout(60)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting = b""
            while True:
                request, waiting = read_message(client, waiting)
                if request is None:
                    return
                name, request = unnamed(request)
                if self.is_parted:
                    self._count("parted")
                    return reset(client)
                if name is None:
                    with self.lock:
                        self.unnamed += 1
                        name = f"unnamed/{self.unnamed}"
                kind, dice = self.fault(name) if self.is_faulty else (None, None)
                if kind:
                    self._count(kind)
                server = self._carry(client, server, request, name, kind, dice)
                if server is None:
                    return
        except (OSError, ValueError):
            pass
        finally:
            for end in (client, server):
                if end is not None:
                    end.close()

    def _carry(self, client, server, request, name, kind, dice):
        """Brings one request to the store and its answer back.

        Gives the connection to the store if it can carry another one."""
        if kind == "delay":
            time.sleep(dice.uniform(0.05, 2))
        if kind == "reset":
            reset(client)
            return None
        if kind == "silence":
            wait_for_end(client)
            return None
        server = server or self._connect(name)
        if kind == "cut request":
            server.sendall(request[:dice.randrange(1, len(request))])
            time.sleep(dice.uniform(0, 0.2))
            server.close()
            reset(client)
            return None
        if kind == "duplicate":
            self._repeat(request, name, 0)
        if kind == "late duplicate":
            self._repeat(request, name, dice.uniform(0.2, 8))
        server.sendall(request)
        answer, rest = read_message(server, b"", is_answer=True)
        if answer is None or rest:
            server.close()
            reset(client)
            return None
        if kind == "late answer":
            time.sleep(dice.uniform(0.05, 3))
        if kind == "lost answer":
            server.close()
            reset(client)
            return None
        if kind == "swallowed":
            server.close()
            wait_for_end(client)
            return None
        if kind == "cut answer":
            client.sendall(answer[:dice.randrange(1, len(answer))])
            server.close()
            reset(client)
            return None
        if kind == "trickle":
            size = max(1, len(answer) // 20)
            for start in range(0, len(answer), size):
                client.sendall(answer[start:start + size])
                time.sleep(0.02)
        else:
            client.sendall(answer)
        return server

    def _connect(self, name):
        port = random.Random(f"{self.seed}/target/{name}").choice(self.targets)
        server = socket.create_connection(("127.0.0.1", port), timeout=40)
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return server

    def _repeat(self, request, name, delay):
        """Delivers the same bytes over a connection of their own; nobody hears the answer."""
        with self.lock:
            self.late += 1

        def deliver():
            try:
                time.sleep(delay)
                with self._connect(name + "/again") as server:
                    server.sendall(request)
                    read_message(server, b"", is_answer=True)
            except (OSError, ValueError):
                pass
            finally:
                with self.lock:
                    self.late -= 1

        threading.Thread(target=deliver, daemon=True).start()

    def _count(self, kind):
        with self.lock:
            self.happened[kind] += 1


def unnamed(request):
    """The request's name, and the request without it."""
    head, mark, body = request.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    names = [line for line in lines if line.lower().startswith(NAME)]
    if not names:
        return None, request
    kept = [line for line in lines if line not in names]
    return names[0][len(NAME):].strip().decode(), b"\r\n".join(kept) + mark + body


def read_message(end, read, is_answer=False):
    """A request or an answer as it came, and what came behind it; None at the end."""
    while b"\r\n\r\n" not in read:
        piece = end.recv(65536)
        if not piece:
            return None, b""
        read += piece
    head, _, body = read.partition(b"\r\n\r\n")
    length = 0
    has_length = False
    for line in head.split(b"\r\n")[1:]:
        field, _, value = line.partition(b":")
        if field.lower() == b"content-length":
            length, has_length = int(value), True
    status = head.split(b" ", 2)[1] if is_answer else b""
    if is_answer and not has_length and status not in (b"204", b"304"):
        # It lasts until the connection ends.
        while piece := end.recv(65536):
            read += piece
        return read, b""
    whole = len(head) + 4 + length
    pieces, count = [read], len(read)
    while count < whole:
        piece = end.recv(min(1 << 20, whole - count))
        if not piece:
            return None, b""
        pieces.append(piece)
        count += len(piece)
    read = b"".join(pieces)
    return read[:whole], read[whole:]


def reset(end):
    """Ends a connection as a crash does: the other side gets RST."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.close()


def wait_for_end(end):
    """Says nothing until the other side goes."""
    end.settimeout(HALF_OPEN)
    while end.recv(65536):
        pass
