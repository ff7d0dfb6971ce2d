"""Measures what publishers' servers ask of the store, beside a constant answer of the same server:
transactions, receipts, and the pages of long histories. Called by `Scripts/bench.sh servers`; writes
its table into README.md."""

import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests" / "ServerClients"))

import jwt
from store import BADGE, COINS, MONTHLY, Store, send

SECONDS = int(os.environ.get("SECONDS_EACH", "5"))
ROUNDS = 3
CLIENTS = 32
LONG, SHORT = 100_000, 1_000


def token(store):
    key = store.publisher
    return jwt.encode(
        {"iss": key.issuer, "aud": "appstoreconnect-v1", "bid": "com.example.shop",
         "exp": int(time.time()) + 3600}, key.pem, "ES256", {"kid": key.id})


def load(store, path, method="GET", headers=(), body=None):
    """Requests per second by wrk."""
    script = [f'wrk.method = "{method}"']
    script += [f'wrk.headers["{name}"] = "{value}"' for name, value in dict(headers).items()]
    if body is not None:
        script.append(f"wrk.body = [==[{body}]==]")
    script.append("""
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\\n", summary.requests, summary.duration,
    e.connect + e.read + e.write + e.status + e.timeout))
end""")
    file = store.path / "load.lua"
    file.write_text("\n".join(script))
    text = subprocess.run(
        ["wrk", "-t2", f"-c{CLIENTS}", f"-d{SECONDS}s", "--timeout", "30s", "-s", file,
         store.address + path], capture_output=True, text=True, check=True).stdout
    count, duration, errors = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", text).groups())
    if errors:
        raise SystemExit(f"{path}: {errors} errors\n{text}")
    return count / duration * 1e6


def beside_constant(store, *request, **rest):
    """A request and a constant answer in turns, so that both see the same machine: the median rates
    of both, and the median of their ratios."""
    rounds = [
        (load(store, *request, **rest), load(store, "/.well-known/openstore/root.der"))
        for _ in range(ROUNDS)]
    return (statistics.median(one for one, _ in rounds),
            statistics.median(constant for _, constant in rounds),
            statistics.median(one / constant for one, constant in rounds))


def lengthen(store, transaction, count):
    """Gives the account of a transaction so many purchases more, as rows of the ledger."""
    store.stop()
    statement = f"""
        INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id, product_type,
            purchase_key, device, quantity, unit_price, charged, currency, storefront, date)
        SELECT kind, environment, account, app, bundle_id, product_id, product_type,
            printf('bench-purchase-%09d', value), device, quantity, unit_price, charged, currency,
            storefront, date + value
        FROM ledger, generate_series(1, {count - 1}) WHERE id = {transaction};"""
    subprocess.run(
        ["sqlite3", store.data / "store.sqlite", statement], check=True, capture_output=True)
    store.start()


class History:
    """The pages of an account's history, as a server reads them."""

    def __init__(self, store, transaction, headers):
        self.url = f"{store.url()}/inApps/v2/history/{transaction}"
        self.headers = headers
        self.last, self.pages = None, 1
        while (answer := self.page(self.last))["hasMore"]:
            self.last, self.pages = answer["revision"], self.pages + 1

    def page(self, revision):
        return send("GET", self.url + (f"?revision={revision}" if revision else ""),
                    headers=self.headers)

    def milliseconds(self, revision):
        start = time.perf_counter()
        self.page(revision)
        return (time.perf_counter() - start) * 1000


def main():
    rows = []
    with Store(serve=["--no-request-log"]) as store:
        headers = {"Authorization": f"Bearer {token(store)}"}
        device = store.device()
        coins = device.buy(COINS)
        device.buy(BADGE)
        plain = json.dumps({"receipt-data": device.receipt()})
        subscriber = store.device()
        subscriber.buy(MONTHLY)
        renewable = json.dumps(
            {"receipt-data": subscriber.receipt(), "password": store.shared_secret()})
        for name, request, rest in [
            ("GET /inApps/v1/transactions/{id}",
             f"/sandbox/inApps/v1/transactions/{coins['transactionId']}", {"headers": headers}),
            ("POST /verifyReceipt, two purchases", "/sandbox/verifyReceipt",
             {"method": "POST", "body": plain}),
            ("POST /verifyReceipt, a subscription", "/sandbox/verifyReceipt",
             {"method": "POST", "body": renewable}),
        ]:
            rate, constant, ratio = beside_constant(store, request, **rest)
            rows.append((name, f"{rate:,.0f}", f"{constant:,.0f}", "per second",
                         f"{ratio:.2f}", "0.4"))
        transactions = []
        for count in [SHORT, LONG]:
            transactions.append(store.device().buy(COINS)["transactionId"])
            lengthen(store, transactions[-1], count)
        # Each start of the store gives it another port.
        short, long = (History(store, one, headers) for one in transactions)
        for name, of_short, of_long in [
            (f"History of {LONG:,}, first page, beside {SHORT:,}", None, None),
            (f"The same, last of {long.pages:,} pages", short.last, long.last),
        ]:
            # In turns, as above.
            times = [(long.milliseconds(of_long), short.milliseconds(of_short))
                     for _ in range(100)]
            value = statistics.median(one for one, _ in times)
            baseline = statistics.median(other for _, other in times)
            rows.append((name, f"{value:.2f}", f"{baseline:.2f}", "ms",
                         f"{value / baseline:.2f}", "1"))
    table = "| what | measured | baseline | unit | ratio | aim |\n|---|---:|---:|---|---:|---|\n"
    table += "".join("| " + " | ".join(row) + " |\n" for row in rows)
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())[1]
    text = (f"{datetime.date.today()}, {os.cpu_count()} cores ({model}), {CLIENTS} clients, "
            f"{SECONDS} seconds each, medians of three rounds:\n\n{table}")
    print(text)
    readme = HERE / "README.md"
    whole = readme.read_text()
    readme.write_text(re.sub(
        r"<!-- servers -->\n.*?<!-- end servers -->",
        lambda _: f"<!-- servers -->\n{text}<!-- end servers -->", whole, flags=re.DOTALL))


main()
