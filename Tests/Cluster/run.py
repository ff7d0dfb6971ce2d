"""Uses one store through three processes, as customers, publishers and operators do: what one process
was told, every other one knows; work is done once, whoever does it; and what one leaves when it is
killed, another one takes up.

    run.py [-v] [NAME]
"""

import base64
import collections
import concurrent.futures
import hashlib
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Faults"), str(HERE.parent / "ServerClients")]

import content
from cluster import Cluster
from parts import Gateway, wait_for
from shop import (
    BADGE, BUNDLE, CHAPTERS, COINS, MONTHLY, PASSWORD, PROGRAMS, Refused, claims)
from store import Device, pem_der, transaction

cluster = publisher = None


class Publisher:
    """A publisher's server, which counts what it is told."""

    def __init__(self):
        self.lock = threading.Lock()
        self.heard = collections.Counter()
        self.said = {}
        publisher = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                said = claims(json.loads(body)["signedPayload"])
                with publisher.lock:
                    publisher.heard[said["notificationUUID"]] += 1
                    publisher.said[said["notificationUUID"]] = said
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/notifications"

    def told_of(self, transaction):
        """The notifications about a transaction, and how often each came."""
        with self.lock:
            return {
                key: self.heard[key] for key, said in self.said.items()
                if "data" in said and claims(
                    said["data"].get("signedTransactionInfo", "e30.e30."),
                ).get("transactionId") == transaction}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Customer(Device):
    """A device that talks to one of the processes, or to nginx."""

    def __init__(self, shop, environment, email, address=None):
        self.address = address
        super().__init__(shop, environment, email)

    def at(self, number):
        """The same device, at another process."""
        copy = object.__new__(Customer)
        copy.__dict__.update(self.__dict__, address=address(number))
        return copy

    def send(self, method, path, body=None):
        base = "/sandbox" if self.environment == "sandbox" else ""
        return ask(method, f"{self.address or cluster.address}{base}/device/v1{path}", body,
                   self.headers)


def ask(method, url, body=None, headers=()):
    """The JSON of an answer; the certificate of nginx is this test's own."""
    request = urllib.request.Request(
        url, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **dict(headers)})
    try:
        with opener().open(request, timeout=80) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode()) from None
    return json.loads(text) if text else None


def opener():
    context = ssl.create_default_context(cafile=str(cluster.certificate[0]))
    return urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))


def address(number):
    """One of the processes, past nginx."""
    return f"http://127.0.0.1:{cluster.servers[number].port}"


def customer(environment="sandbox", number=None):
    return Customer(cluster, environment, cluster.account(environment),
                    None if number is None else address(number))


def in_background(work, *arguments):
    return concurrent.futures.ThreadPoolExecutor(1).submit(work, *arguments)


class ClusterTests(unittest.TestCase):
    def tearDown(self):
        for server in cluster.servers:
            if server.process.poll() is not None:
                server.start()

    # What one process was told, the others know

    def test_purchases_are_known_everywhere(self):
        device = customer(number=0)
        bought = device.buy(BADGE)
        for number in range(3):
            with self.subTest(number):
                self.assertEqual(
                    [one["transactionId"] for one in device.at(number).unfinished()],
                    [bought["transactionId"]])
        device.at(1).finish(bought)
        self.assertEqual(device.at(2).unfinished(), [])
        self.assertEqual([one["originalTransactionId"] for one in device.at(0).restore()],
                         [bought["transactionId"]])

    def test_one_purchase_key_buys_once_wherever_it_is_sent(self):
        device = customer()
        price = device.send("POST", "/products", {"productIds": [COINS]})["products"][0]["price"]
        order = {"purchaseKey": str(uuid.uuid4()), "productId": COINS, "quantity": 1,
                 "confirmedPrice": price}
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(
                lambda number: self.patiently(device.at(number % 3), order), range(12)))
        self.assertEqual(len({one["transactionId"] for one in answers}), 1)
        self.assertEqual(len(device.unfinished()), 1)

    @staticmethod
    def patiently(device, order):
        """As the framework: what the store says it is too busy for is asked again."""
        for _ in range(20):
            try:
                return transaction(device.send("POST", "/purchases", order))
            except Refused as refused:
                if refused.status < 500:
                    raise
        raise AssertionError("the store is busy for ever")

    def test_devices_that_wait_hear_of_what_any_process_did(self):
        device, product, wait = customer(number=0), CHAPTERS[1], 45
        device.buy(product)
        cursor = device.send("GET", "/events")["cursor"]
        begin = time.monotonic()
        answers = [
            in_background(device.at(number).send, "GET", f"/events?after={cursor}&wait={wait}")
            for number in range(3)]
        for number in range(3):
            wait_for("the device that waits", lambda: self.waiting(number, "events"))
        # One of the three processes it, and tells the others.
        self.upload(self.package(product, "1.1", b"news"), product)
        for number, answer in enumerate(answers):
            with self.subTest(number):
                kinds = [one["kind"] for one in answer.result(timeout=60)["events"]]
                self.assertEqual(kinds, ["contentVersion"])
        # Whoever hears nothing looks once more at the end of its wait.
        self.assertLess(time.monotonic() - begin, wait)

    def test_what_is_answered_at_one_process_reaches_who_waits_at_another(self):
        device = customer(number=0)
        signed_out = device.at(0)
        signed_out.headers = {
            key: value for key, value in device.headers.items() if key != "Authorization"}
        prompt = signed_out.send("POST", "/prompts", {"kind": "signIn"})
        signed_out.headers["OpenStore-Prompt"] = prompt["secret"]
        answer = in_background(
            signed_out.at(1).send, "GET", f"/prompts/{prompt['id']}?wait=45")
        wait_for("the device that waits", lambda: self.waiting(1, "prompts"))
        page = urllib.parse.urlsplit(prompt["url"])
        self.fill_in(address(2), page, {
            "email": device.email, "password": PASSWORD, "answer": "signIn"})
        said = answer.result(timeout=60)
        self.assertEqual(said["state"], "signedIn")
        self.assertTrue(said["session"]["token"])

    def fill_in(self, base, page, fields):
        with opener().open(base + page.path, timeout=30) as answer:
            text = answer.read().decode()
            cookies = [one.split(";")[0] for one in answer.headers.get_all("Set-Cookie") or []]
        form = re.search(r'name="form" value="([^"]+)"', text)
        request = urllib.request.Request(
            base + page.path, data=urllib.parse.urlencode({"form": form[1], **fields}).encode(),
            headers={"Cookie": "; ".join(cookies), "Origin": f"{page.scheme}://{page.netloc}"})
        with opener().open(request, timeout=30) as answer:
            return answer.read()

    def waiting(self, number, what):
        return self.figures(number)[f'openstore_http_waiting_requests{{for="{what}"}}'] > 0

    def figures(self, number):
        with urllib.request.urlopen(address(number) + "/metrics", timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        return {
            line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
            for line in lines if not line.startswith("#")}

    def test_everything_is_signed_with_the_same_keys(self):
        device = customer()
        root = cluster.root()
        for number in range(3):
            with self.subTest(number):
                bought = device.at(number).buy(COINS)
                head = json.loads(base64.urlsafe_b64decode(
                    bought["signed"].split(".")[0] + "=="))
                self.assertEqual(base64.b64decode(head["x5c"][-1]), root)
                with urllib.request.urlopen(
                        address(number) + "/.well-known/openstore/root.pem", timeout=30) as answer:
                    self.assertEqual(pem_der(answer.read().decode()), root)

    def test_keys_are_made_anew_while_all_run(self):
        device = customer()
        before = device.buy(COINS)
        said = json.loads(cluster.openstore("certificate", "rotate", "--json"))
        self.assertTrue(said)
        leaves = set()
        for number in range(3):
            bought = device.at(number).buy(COINS)
            leaves.add(self.leaf(bought))
        self.assertEqual(len(leaves), 1)
        self.assertNotIn(self.leaf(before), leaves)

    @staticmethod
    def leaf(bought):
        return json.loads(base64.urlsafe_b64decode(bought["signed"].split(".")[0] + "=="))["x5c"][0]

    # Work is done once, whoever does it

    def test_each_notification_is_sent_once(self):
        device = customer()
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            bought = list(pool.map(lambda number: device.at(number % 3).buy(COINS), range(30)))
        for one in bought:
            wait_for("a notification", lambda: publisher.told_of(one["transactionId"]))
        # Those that were told twice would be there with what comes behind them.
        last = customer().buy(BADGE)
        wait_for("a notification", lambda: publisher.told_of(last["transactionId"]))
        told = [publisher.told_of(one["transactionId"]) for one in bought]
        self.assertEqual([list(one.values()) for one in told], [[1]] * 30)

    def test_daily_jobs_run_in_one_process(self):
        wait_for("the jobs", lambda: all(
            row[1] == "t" for row in self.jobs()) and len(self.jobs()) >= 4)
        runs = collections.Counter()
        for number in range(3):
            for name, count in self.figures(number).items():
                if found := re.fullmatch(r'openstore_job_runs_total\{job="(.+)"\}', name):
                    if found[1].upper() in {row[0] for row in self.jobs()}:
                        runs[found[1]] += int(count)
        # Others of these tests start processes anew, whose figures begin again.
        self.assertTrue(all(count <= 1 for count in runs.values()), runs)

    @staticmethod
    def jobs():
        return cluster.postgres.run("SELECT name, last IS NOT NULL FROM openstore.job")

    def test_a_subscription_is_renewed_once_for_each_period(self):
        device = customer()
        cluster.openstore("tester", "update", device.email, "--month", "3", "--store",
                          address(0), *cluster.credentials)
        bought = device.buy(MONTHLY, finish=True)
        original = bought["transactionId"]

        def periods():
            return cluster.postgres.run(
                "SELECT l.id, l.date, p.expires FROM openstore.ledger l "
                "JOIN openstore.ledger_period p ON p.id = l.id "
                f"WHERE coalesce(l.original, l.id) = {original} ORDER BY l.id")

        wait_for("a renewal", lambda: len(periods()) >= 2, seconds=240)
        found = periods()
        # One period begins where the one before ends.
        self.assertEqual([row[1] for row in found[1:]], [row[2] for row in found[:-1]])
        wait_for("a notification", lambda: publisher.told_of(found[1][0]))
        self.assertEqual(list(publisher.told_of(found[1][0]).values()), [1])

    # Content

    def test_a_package_that_a_killed_process_left_is_processed_by_another(self):
        product = CHAPTERS[0]
        noise = random.Random(8).randbytes(60_000_000)
        package = self.package(product, "1.1", noise)
        device = customer(number=0)
        bought = device.buy(product)
        cursor = device.send("GET", "/events")["cursor"]
        before = [server.log.stat().st_size for server in cluster.servers]
        upload = in_background(self.upload, package, product)
        wait_for("a process that works on the package", lambda: self.worker(before))
        victim = self.worker(before)
        victim.send(signal.SIGKILL)
        victim.wait()
        self.assertEqual(self.state_of_newest(), "UPLOAD_COMPLETE")
        said = upload.result(timeout=300)
        self.assertTrue(said["version"], said)
        self.assertEqual(self.state_of_newest(), "COMPLETE")
        if not victim.start():
            self.fail("the killed process does not begin again")
        for number in range(3):
            with self.subTest(number):
                told = device.at(number).send("GET", f"/events?after={cursor}")["events"]
                self.assertIn("contentVersion", [one["kind"] for one in told])
                self.assertEqual(
                    self.downloaded(device.at(number), bought, product, "1.1")["Contents/noise"],
                    hashlib.sha256(noise).hexdigest())

    @staticmethod
    def package(product, version, noise):
        folder = cluster.path / f"{product}-{version}"
        (folder / "Contents").mkdir(parents=True)
        (folder / "ContentInfo.plist").write_text(
            (cluster.sources / product / "ContentInfo.plist").read_text().replace(
                "<string>1.0<", f"<string>{version}<"))
        (folder / "Contents" / "noise").write_bytes(noise)
        package = folder.with_suffix(".pkg")
        subprocess.run(
            [PROGRAMS / "openstore", "content", "build", folder, "-o", package, "--json"],
            check=True, capture_output=True)
        return package

    @staticmethod
    def worker(before):
        """The server that has said, behind some place in its log, that it works on a package."""
        for server, place in zip(cluster.servers, before):
            if b"processing content" in server.log.read_bytes()[place:]:
                return server
        return None

    @staticmethod
    def state_of_newest():
        return cluster.postgres.run(
            "SELECT state FROM openstore.content_upload ORDER BY created DESC LIMIT 1")[0][0]

    def downloaded(self, device, bought, product, version):
        """The digests of the files, whose bytes come from the bucket."""
        permit = device.send(
            "POST", f"/transactions/{bought['transactionId']}/downloads",
            {"contentIdentifier": product, "version": version})
        said = claims(permit["signedDelivery"])
        grant = {"OpenStore-Grant": permit["grant"]}
        whole = content.manifest(self.fetched(device, said["manifestDigest"], grant))
        blobs = {blob["digest"]: self.fetched(device, blob["digest"], grant)
                 for blob in whole["blobs"]}
        return content.file_digests(whole, blobs)

    def fetched(self, device, digest, grant):
        request = urllib.request.Request(
            f"{device.address}/sandbox/content/{digest}", headers=grant)
        with opener().open(request, timeout=60) as answer:
            self.assertTrue(answer.url.startswith(cluster.objects.address), answer.url)
            data = answer.read()
        self.assertEqual(content.digest(data), digest)
        return data

    @staticmethod
    def upload(package, product):
        return json.loads(cluster.openstore(
            "content", "upload", str(package), "--app", BUNDLE, "--product", product,
            "--store", cluster.plain.address, *cluster.credentials, "--json"))


    # Processes come and go

    def test_who_buys_through_nginx_notices_no_restart(self):
        """Each process is stopped and begins again, one behind the other, as for a new version."""
        device, stop, bought = customer(), threading.Event(), []
        price = device.send("POST", "/products", {"productIds": [COINS]})["products"][0]["price"]

        def buy():
            while not stop.is_set():
                order = {"purchaseKey": str(uuid.uuid4()), "productId": COINS, "quantity": 1,
                         "confirmedPrice": price}
                bought.append(transaction(device.send("POST", "/purchases", order)))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            buyers = [pool.submit(buy) for _ in range(4)]
            for server in cluster.servers:
                server.send(signal.SIGTERM)
                self.assertTrue(server.wait(30))
                self.assertTrue(server.start())
            stop.set()
            for buyer in buyers:
                buyer.result(timeout=60)
        self.assertEqual(
            collections.Counter(one["transactionId"] for one in bought).most_common(1)[0][1], 1)
        rows = cluster.postgres.run(
            "SELECT count(*) FROM openstore.ledger l JOIN openstore.account a ON a.id = l.account "
            f"WHERE a.email = '{device.email}'")
        self.assertEqual(int(rows[0][0]), len(bought))

    def test_a_store_with_one_process_left_sells(self):
        device = customer()
        for server in cluster.servers[:2]:
            server.send(signal.SIGKILL)
            server.wait()
        for _ in range(10):
            device.buy(COINS, finish=True)
        self.assertEqual(device.unfinished(), [])

    def test_a_store_without_its_database_says_so_and_goes_on_when_it_is_back(self):
        device = customer()
        device.buy(COINS)
        cluster.postgres.stop()
        try:
            with self.assertRaises(Refused) as refused:
                device.buy(COINS)
            self.assertEqual(refused.exception.status, 503)
            for number in range(3):
                with self.assertRaises(Refused) as refused:
                    ask("GET", address(number) + "/readyz")
                self.assertEqual(refused.exception.status, 503)
                self.assertEqual(
                    urllib.request.urlopen(address(number) + "/livez", timeout=30).status, 200)
        finally:
            cluster.postgres.start()
        for number in range(3):
            wait_for("a process that is ready", lambda: self.is_ready(number))
            device.at(number).buy(COINS)

    @staticmethod
    def is_ready(number):
        try:
            ask("GET", address(number) + "/readyz")
            return True
        except Refused:
            return False

    # nginx

    def test_links_and_cookies_are_those_of_nginx(self):
        with opener().open(cluster.address + "/us/account", timeout=30) as page:
            text = page.read().decode()
            cookies = page.headers.get_all("Set-Cookie") or []
        self.assertNotIn("http://127.0.0.1:", text)
        self.assertTrue(cookies and all("Secure" in one for one in cookies), cookies)

    def test_a_client_can_not_name_its_requests(self):
        name = f"forged-{uuid.uuid4().hex}"
        headers = {"X-Request-ID": name}
        with opener().open(urllib.request.Request(
                cluster.address + "/livez", headers=headers), timeout=30) as answer:
            self.assertNotEqual(answer.headers["X-Request-ID"], name)

    def test_figures_do_not_go_through_nginx(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            opener().open(cluster.address + "/metrics", timeout=30)
        self.assertEqual(refused.exception.code, 404)


def make_certificate(folder):
    files = (folder / "fullchain.pem", folder / "privkey.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=shop.example.com", "-addext",
         "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
        check=True, capture_output=True)
    return files


def prepare():
    global publisher
    publisher = Publisher()
    cluster.fill()
    made = json.loads(cluster.openstore(
        "api-key", "create", "--name", "cluster", "--role", "ADMIN", "--team", "Publisher", "-o",
        str(cluster.path), "--json"))
    cluster.credentials = ["--key", made["file"], "--issuer", made["issuerId"]]
    cluster.serve()
    # Commands trust what this system trusts, and not a certificate of a test.
    (folder := cluster.path / "plain").mkdir()
    cluster.plain = Gateway(folder, cluster.ports)
    cluster.openstore(
        "app", "update", BUNDLE, "--store", cluster.plain.address, *cluster.credentials, "--notifications",
        publisher.url, "--sandbox-notifications", publisher.url)


def main():
    global cluster
    folder = pathlib.Path(tempfile.mkdtemp(prefix="openstore-cluster-"))
    is_good = False
    try:
        cluster = Cluster(folder, 1, certificate=make_certificate(folder))
        prepare()
        is_good = unittest.main(exit=False).result.wasSuccessful()
    finally:
        if publisher:
            publisher.close()
        if cluster:
            if hasattr(cluster, "plain"):
                cluster.plain.close()
            if not is_good:
                kept = folder.with_name(folder.name + "-kept")
                kept.mkdir()
                for file in [*folder.glob("*.log"), cluster.postgres.log]:
                    shutil.copy(file, kept)
                print(f"Logs are in {kept}.")
            cluster.close()
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
