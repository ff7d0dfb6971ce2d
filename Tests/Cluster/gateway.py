"""Whom nginx (Deployment/nginx.conf) asks where a process ends, with stand-ins for the processes: a
request that one of them has read is no other's.

    gateway.py [-v] [NAME]
"""

import contextlib
import http.client
import pathlib
import socket
import struct
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from parts import PATIENCE, Gateway, free_port

#: One for each location that hands requests on.
PATHS = ["/us", "/device/v1/events", "/connect/openstore/v1/uploads/1/parts/0"]
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
LAST_ANSWER = ANSWER.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


class Process:
    """A stand-in that reads each request whole, notes it in a list, and ends as it is told to."""

    def __init__(self, heard, ending, answered=0):
        """`answered`: so many requests of a connection are answered before one ends it."""
        self.heard, self.ending, self.answered = heard, ending, answered
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as file, contextlib.suppress(OSError):
            for count in range(self.answered + 1):
                line = file.readline()
                if not line:
                    return
                length = int(http.client.parse_headers(file).get("Content-Length", 0))
                if len(file.read(length)) < length:
                    return
                self.heard.append((self.port, line.split()[0].decode()))
                if count < self.answered:
                    connection.sendall(ANSWER)
            self.ending(connection)

    def close(self):
        # The thread that waits in `accept` holds the socket.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def answers(connection):
    connection.sendall(LAST_ANSWER)


def closes(connection):
    pass


def resets(connection):
    # As the system does for a process that is killed with bytes unread.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def breaks_off(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")


class GatewayTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="openstore-gateway-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.heard = []

    def process(self, ending, **options):
        process = Process(self.heard, ending, **options)
        self.addCleanup(process.close)
        return process

    def gateway(self, ports):
        gateway = Gateway(self.folder, ports)
        self.addCleanup(gateway.close)
        return gateway

    @staticmethod
    def ask(gateway, method, path):
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body=b"body" if method == "POST" else None)
            return connection.getresponse().status

    def test_a_request_that_ends_a_process_is_given_to_no_other(self):
        for ending in (closes, resets, breaks_off):
            gateway = self.gateway([self.process(ending).port for _ in range(3)])
            for path in PATHS:
                for method in ("GET", "POST"):
                    with self.subTest(ending.__name__, path=path, method=method):
                        self.heard.clear()
                        self.assertEqual(self.ask(gateway, method, path), 502)
                        self.assertEqual([one for _, one in self.heard], [method])

    def test_nor_where_its_connection_was_used_before(self):
        gateway = self.gateway(
            [self.process(closes, answered=1).port for _ in range(3)])
        for path in PATHS:
            for method in ("GET", "POST"):
                with self.subTest(path=path, method=method):
                    # Each process has a connection that is kept, and is used in turn.
                    said = []
                    self.heard.clear()
                    while 502 not in said and len(said) < 100:
                        said.append(self.ask(gateway, method, path))
                    self.assertEqual(said[-1], 502)
                    self.assertEqual(len(self.heard), len(said))

    def test_where_no_connection_can_be_made_another_process_is_asked(self):
        last = self.process(answers)
        # Nobody listens at the others.
        gateway = self.gateway([free_port(), free_port(), last.port])
        # Bodies that are handed on as they come can't be sent twice.
        for path in PATHS[:2]:
            for method in ("GET", "POST"):
                with self.subTest(path=path, method=method):
                    self.heard.clear()
                    self.assertEqual(self.ask(gateway, method, path), 200)
                    self.assertEqual(self.heard, [(last.port, method)])


if __name__ == "__main__":
    unittest.main()
