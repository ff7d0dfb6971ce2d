"""An S3-compatible server for tests: moto's, which checks the signatures of requests, and in
front of it what moto lacks: addresses signed in their query, the digests of bodies, clocks, short
pages of lists, uploads in parts that are over, connections that stay open, and faults on demand.

Writes one line of JSON with its address and keys, and ends when its standard input does, as it
does with the process that has started it. Uses botocore, so what it checks signatures with is not
ours.
"""

import datetime
import hashlib
import io
import json
import os
import re
import sys
import threading
import urllib.parse

os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"
# Every list of some objects has several pages.
os.environ["MOTO_S3_DEFAULT_MAX_KEYS"] = "3"

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth  # noqa: E402
from botocore.awsrequest import AWSRequest  # noqa: E402
from botocore.credentials import Credentials  # noqa: E402
from moto.iam.models import iam_backends  # noqa: E402
from moto.moto_server.werkzeug_app import (  # noqa: E402
    DomainDispatcherApplication,
    create_backend_app,
)
from moto.s3.models import s3_backends  # noqa: E402
from moto.sts.models import sts_backends  # noqa: E402
from werkzeug import serving  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

ACCOUNT = "123456789012"
SKEW = 15 * 60
# Uploads in parts on one page of their list.
UPLOADS = 2


def make_key():
    iam = iam_backends[ACCOUNT]["aws"]
    iam.create_user(region_name="us-east-1", user_name="store")
    everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    policy = {"Version": "2012-10-17", "Statement": [everything]}
    iam.put_user_policy("store", "all", json.dumps(policy))
    key = iam.create_access_key("store")
    return key.access_key_id, key.secret_access_key


def make_session():
    """A key that is good for some hours, with its token."""
    everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [everything]})
    iam = iam_backends[ACCOUNT]["aws"]
    role = iam.create_role("guest", "{}", "/", None, "", [], None)
    iam.put_role_policy("guest", "all", policy)
    session = sts_backends[ACCOUNT]["aws"].assume_role(
        "us-east-1", "guest", role.arn, None, 3600, None
    )
    return session.access_key_id, session.secret_access_key, session.session_token


KEY, SECRET = make_key()
SESSION_KEY, SESSION_SECRET, SESSION_TOKEN = make_session()


class Front:
    """What stands before moto."""

    def __init__(self, inner):
        self.inner = inner
        self.lock = threading.Lock()
        self.faults = []
        self.seen = []
        self.begun = {}
        self.over = set()

    def __call__(self, environ, start):
        path = environ["PATH_INFO"]
        if path.startswith("/-/"):
            return self.control(path, environ, start)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length) if length else b""
        environ["wsgi.input"] = io.BytesIO(body)
        method, query = environ["REQUEST_METHOD"], environ.get("QUERY_STRING", "")
        with self.lock:
            self.seen.append(
                {
                    "method": method,
                    "path": path,
                    "query": query,
                    "range": environ.get("HTTP_RANGE", ""),
                    "port": int(environ["REMOTE_PORT"]),
                    "headers": {k: v for k, v in environ.items() if k.startswith("HTTP_")},
                }
            )
            fault = next((f for f in self.faults if self.fits(f, method, path, query)), None)
            if fault:
                fault["times"] -= 1
        if fault and not fault.get("after") and "cutAfter" not in fault:
            return self.fail(fault, environ, start)
        refusal = self.check(environ, body) or self.check_upload(query)
        if refusal:
            return self.refuse(start, *refusal, method)
        status, headers, answer = self.ask(environ)
        self.note_end(method, query, status, answer)
        if fault and "cutAfter" not in fault:
            return self.fail(fault, environ, start)
        answer = self.paged(method, query, self.dated(method, query, answer))
        headers = [(k, v) for k, v in headers if k.lower() != "content-length"] + [
            ("Content-Length", str(len(answer)) if method != "HEAD" else headers_length(headers))
        ]
        start(status, headers)
        if not fault:
            return [answer]
        return self.cut(answer[: fault["cutAfter"]], environ)

    def ask(self, environ):
        said = []
        pieces = self.inner(environ, lambda status, headers, *_: said.append((status, headers)))
        answer = b"".join(pieces)
        return said[0][0], said[0][1], answer

    @staticmethod
    def cut(beginning, environ):
        yield beginning
        environ["werkzeug.socket"].shutdown(2)

    def check_upload(self, query):
        """Of an upload that is over S3 knows nothing any longer; moto does."""
        upload = urllib.parse.parse_qs(query).get("uploadId", [""])[0]
        with self.lock:
            if upload in self.over:
                return 404, "NoSuchUpload", "The upload may have been aborted or completed."
        return None

    def note_end(self, method, query, status, answer):
        upload = urllib.parse.parse_qs(query).get("uploadId", [""])[0]
        is_completed = method == "POST" and b"CompleteMultipartUploadResult" in answer
        is_aborted = method == "DELETE" and status.startswith("2")
        if upload and (is_completed or is_aborted):
            with self.lock:
                self.over.add(upload)

    @staticmethod
    def paged(method, query, answer):
        """Gives the list of uploads in parts in pages; moto knows one."""
        said = urllib.parse.parse_qs(query, keep_blank_values=True)
        if method != "GET" or "uploads" not in said:
            return answer
        uploads = re.findall(rb"<Upload>.*?</Upload>", answer, flags=re.S)

        def place(upload):
            key = re.search(rb"<Key>([^<]*)", upload).group(1).decode()
            return key, re.search(rb"<UploadId>([^<]*)", upload).group(1).decode()

        after = (said.get("key-marker", [""])[0], said.get("upload-id-marker", [""])[0])
        left = sorted((u for u in uploads if place(u) > after), key=place)
        page = left[:UPLOADS]
        markers = "<IsTruncated>false</IsTruncated>"
        if len(left) > UPLOADS:
            key, upload = place(page[-1])
            markers = (
                f"<IsTruncated>true</IsTruncated><NextKeyMarker>{key}</NextKeyMarker>"
                f"<NextUploadIdMarker>{upload}</NextUploadIdMarker>"
            )
        body = b"".join(page) + markers.encode()
        return b"<ListMultipartUploadsResult>" + body + b"</ListMultipartUploadsResult>"

    def dated(self, method, query, answer):
        """Gives uploads in parts the time at which they began; moto says 2010 of all."""
        if method == "POST" and query.startswith("uploads"):
            with self.lock:
                for upload in re.findall(rb"<UploadId>([^<]*)", answer):
                    self.begun[upload] = self.now()
        if method != "GET" or "uploads=" not in query:
            return answer

        def date(match):
            upload = re.search(rb"<UploadId>([^<]*)", match.group(0)).group(1)
            moment = self.begun[upload].strftime("%Y-%m-%dT%H:%M:%S.000Z").encode()
            return re.sub(rb"<Initiated>[^<]*", b"<Initiated>" + moment, match.group(0))

        return re.sub(rb"<Upload>.*?</Upload>", date, answer, flags=re.S)

    @staticmethod
    def fits(fault, method, path, query):
        return (
            fault["times"] > 0
            and fault.get("method", method) == method
            and fault.get("path", "") in path
            and fault.get("query", "") in query
        )

    def fail(self, fault, environ, start):
        if fault.get("cut"):
            environ["werkzeug.socket"].shutdown(2)
            raise ConnectionResetError
        body = fault.get("body", "<Error><Code>SlowDown</Code><Message>x</Message></Error>")
        body = body.encode() * fault.get("repeat", 1)
        headers = {"Content-Length": str(len(body))} | fault.get("headers", {})
        start(f"{fault.get('status', 503)} X", list(headers.items()))
        if int(headers["Content-Length"]) != len(body):
            return self.cut(body, environ)
        return [body if environ["REQUEST_METHOD"] != "HEAD" else b""]

    @staticmethod
    def refuse(start, status, code, message, method):
        body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
        start(f"{status} X", [("Content-Length", str(len(body)))])
        return [body if method != "HEAD" else b""]

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc)

    def check(self, environ, body):
        query = urllib.parse.parse_qs(environ.get("QUERY_STRING", ""))
        if "X-Amz-Signature" in query:
            return self.check_query(environ, query)
        if "HTTP_AUTHORIZATION" not in environ:
            return 403, "AccessDenied", "Access Denied"
        said = environ.get("HTTP_X_AMZ_CONTENT_SHA256")
        if not said:
            return 400, "MissingSecurityHeader", "x-amz-content-sha256 is missing"
        if said != "UNSIGNED-PAYLOAD" and said != hashlib.sha256(body).hexdigest():
            return 400, "XAmzContentSHA256Mismatch", "The provided hash is another one."
        then = parse(environ["HTTP_X_AMZ_DATE"])
        if abs((self.now() - then).total_seconds()) > SKEW:
            return 403, "RequestTimeTooSkewed", "The difference is too large."
        return None

    def check_query(self, environ, query):
        """Checks the signature as S3 does, then signs the request anew for moto."""
        url = "http://" + environ["HTTP_HOST"] + environ["RAW_URI"]
        then = parse(query["X-Amz-Date"][0])
        lifetime = int(query["X-Amz-Expires"][0])
        if (self.now() - then).total_seconds() > lifetime:
            return 403, "AccessDenied", "Request has expired"
        keys = {KEY: (SECRET, None), SESSION_KEY: (SESSION_SECRET, SESSION_TOKEN)}
        secret, token = keys.get(query["X-Amz-Credential"][0].split("/")[0], (None, None))
        if secret is None:
            return 403, "InvalidAccessKeyId", "Unknown"
        if query.get("X-Amz-Security-Token", [None])[0] != token:
            return 400, "InvalidToken", "The token is another one."
        plain = "&".join(
            part
            for part in environ["QUERY_STRING"].split("&")
            if not part.startswith("X-Amz-Signature=")
        )
        request = AWSRequest(
            method=environ["REQUEST_METHOD"], url=url.partition("?")[0] + "?" + plain
        )
        request.headers["host"] = environ["HTTP_HOST"]
        request.context["timestamp"] = query["X-Amz-Date"][0]
        region = query["X-Amz-Credential"][0].split("/")[2]
        # The token stands in the query as it is, so that it is signed like anything else there.
        signer = S3SigV4QueryAuth(Credentials("", secret), "s3", region)
        wanted = signer.signature(
            signer.string_to_sign(request, signer.canonical_request(request)), request
        )
        if wanted != query["X-Amz-Signature"][0]:
            return 403, "SignatureDoesNotMatch", "The signature is another one."
        kept = [p for p in plain.split("&") if p and not p.startswith("X-Amz-")]
        fresh = AWSRequest(
            method=environ["REQUEST_METHOD"],
            url=url.partition("?")[0] + ("?" + "&".join(kept) if kept else ""),
        )
        S3SigV4Auth(Credentials(KEY, SECRET), "s3", region).add_auth(fresh)
        environ["QUERY_STRING"] = "&".join(kept)
        environ["RAW_URI"] = environ["REQUEST_URI"] = (
            environ["RAW_URI"].partition("?")[0] + ("?" + "&".join(kept) if kept else "")
        )
        for name, value in fresh.headers.items():
            environ["HTTP_" + name.upper().replace("-", "_")] = value
        return None

    def control(self, path, environ, start):
        length = int(environ.get("CONTENT_LENGTH") or 0)
        said = json.loads(environ["wsgi.input"].read(length) or b"{}") if length else {}
        answer = {}
        with self.lock:
            if path == "/-/fault":
                self.faults.append(said)
            elif path == "/-/seen":
                answer = [r for r in self.seen if r["path"].startswith(said["path"])]
            elif path == "/-/age":
                # Makes objects, and uploads in parts, older than they are.
                past = datetime.timedelta(seconds=said["seconds"])
                bucket = s3_backends[ACCOUNT]["aws"].buckets["contract"]
                for name, key in bucket.keys.items():
                    if name.startswith(said["prefix"]):
                        key.last_modified -= past
                for upload in bucket.multiparts.values():
                    if upload.key_name.startswith(said["prefix"]):
                        self.begun[upload.id.encode()] -= past
        body = json.dumps(answer).encode()
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]


def headers_length(headers):
    return next((v for k, v in headers if k.lower() == "content-length"), "0")


def parse(text):
    moment = datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ")
    return moment.replace(tzinfo=datetime.timezone.utc)


class NothingLeft:
    """Keeps werkzeug from reading, and dropping, the next request of a connection behind the
    answer to the last one: it believes that it closes each."""

    EVENT_READ = 1

    def DefaultSelector(self):
        return self

    def register(self, *_):
        pass

    def unregister(self, *_):
        pass

    def select(self, timeout=None):
        return []

    def close(self):
        pass


serving.selectors = NothingLeft()


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def send_header(self, name, value):
        # The body of each request is read to its end, so that another one can follow it.
        if (name, value) != ("Connection", "close"):
            super().send_header(name, value)

    def log(self, *_):
        pass


def main():
    s3_backends[ACCOUNT]["aws"].create_bucket("contract", "us-east-1")
    front = Front(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, front, threaded=True, request_handler=Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    greeting = {
        "address": address,
        "key": KEY,
        "secret": SECRET,
        "sessionKey": SESSION_KEY,
        "sessionSecret": SESSION_SECRET,
        "sessionToken": SESSION_TOKEN,
    }
    print(json.dumps(greeting), flush=True)
    sys.stdin.read()
    os._exit(0)


main()
