"""Requests that may be lost on the way, and tokens of publishers' servers."""

import base64
import http.client
import json
import subprocess
import threading
import time


class Lost(Exception):
    """Whether the store did it, nobody knows."""


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body) if self.body else None

    @property
    def code(self):
        """What is wrong, by the store's word for it; the status where there is none."""
        if self.is_ok:
            return None
        try:
            return self.json.get("code") or self.json["errorCode"]
        except (ValueError, KeyError, AttributeError, TypeError):
            return self.status

    @property
    def is_ok(self):
        return 200 <= self.status < 400


class Line:
    """The way to the store of one who asks one thing after the other."""

    def __init__(self, name, host, port, timeout=5):
        self.name = name
        self.host, self.port = host, port
        self.timeout = timeout
        self.count = 0
        self.connection = None

    @property
    def address(self):
        return f"http://{self.host}:{self.port}"

    def ask(self, method, path, body=None, headers=()):
        """The answer, also where it is a refusal.

        Raises Lost where none came, or one that says that the store has failed."""
        self.count += 1
        headers = {"Fault-Test": f"{self.name}/{self.count}", **dict(headers)}
        if isinstance(body, dict):
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(
                    self.host, self.port, timeout=self.timeout)
            self.connection.request(method, path, body=body, headers=headers)
            response = self.connection.getresponse()
            content = response.read()
            answer = Answer(response.status, response.headers, content)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost(f"{method} {path}: {error!r}") from None
        if answer.headers.get("Connection", "").lower() == "close":
            self.close()
        if answer.status >= 500 or answer.status == 429:
            raise Lost(f"{method} {path}: {answer.status} {answer.body[:200]!r}")
        return answer

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Token:
    """What a publisher's server shows: signed with openssl, which the project needs anyway."""

    def __init__(self, key, bundle, file):
        self.key, self.bundle, self.file = key, bundle, file
        self.lock = threading.Lock()
        self.texts = {}

    def header(self, for_connect=False):
        with self.lock:
            text, end = self.texts.get(for_connect, ("", 0))
            if end < time.time() + 60:
                seconds = 1000 if for_connect else 3000
                end = time.time() + seconds
                text = self._text(seconds, for_connect)
                self.texts[for_connect] = (text, end)
        return {"Authorization": f"Bearer {text}"}

    def _text(self, seconds, for_connect):
        now = int(time.time())
        claims = {"iss": self.key.issuer, "iat": now, "exp": now + seconds,
                  "aud": "appstoreconnect-v1"}
        if not for_connect:
            claims["bid"] = self.bundle
        head = {"alg": "ES256", "kid": self.key.id, "typ": "JWT"}
        text = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
        signed = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.file], input=text.encode(),
            capture_output=True, check=True).stdout
        return f"{text}.{encoded(raw_signature(signed))}"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw_signature(der):
    """The two numbers of an ECDSA signature, 32 bytes each (RFC 7518, 3.4)."""
    numbers, place = b"", 2
    for _ in range(2):
        length = der[place + 1]
        numbers += der[place + 2:place + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        place += 2 + length
    return numbers
