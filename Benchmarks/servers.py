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
    """Requests per second by wrk, the median of three rounds."""
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
    rates = []
    for _ in range(ROUNDS):
        text = subprocess.run(
            ["wrk", "-t2", f"-c{CLIENTS}", f"-d{SECONDS}s", "--timeout", "30s", "-s", file,
             store.address + path], capture_output=True, text=True, check=True).stdout
        count, duration, errors = map(int, re.search(r"RESULT (\d+) (\d+) (\d+)", text).groups())
        if errors:
            raise SystemExit(f"{path}: {errors} errors\n{text}")
        rates.append(count / duration * 1e6)
    return statistics.median(rates)


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


def page_times(store, transaction, headers):
    """Milliseconds of pages at the beginning and at the end of a history, medians."""
    def page(revision):
        query = f"?revision={revision}" if revision else ""
        start = time.perf_counter()
        answer = send(
            "GET", f"{store.url()}/inApps/v2/history/{transaction}{query}", headers=headers)
        return (time.perf_counter() - start) * 1000, answer

    first = statistics.median(page(None)[0] for _ in range(50))
    revision, pages = None, 0
    while True:
        _, answer = page(revision)
        pages += 1
        if not answer["hasMore"]:
            break
        revision = answer["revision"]
    last = statistics.median(page(revision)[0] for _ in range(50))
    return first, last, pages


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
        constant = load(store, "/.well-known/openstore/root.der")
        aim = "0.4"
        for name, rate in [
            ("GET /inApps/v1/transactions/{id}", load(
                store, f"/sandbox/inApps/v1/transactions/{coins['transactionId']}",
                headers=headers)),
            ("POST /verifyReceipt, two purchases", load(
                store, "/sandbox/verifyReceipt", "POST", body=plain)),
            ("POST /verifyReceipt, a subscription", load(
                store, "/sandbox/verifyReceipt", "POST", body=renewable)),
        ]:
            rows.append((name, f"{rate:,.0f}", f"{constant:,.0f}", "per second",
                         f"{rate / constant:.2f}", aim))
        short = store.device().buy(COINS)["transactionId"]
        lengthen(store, short, SHORT)
        short_first, short_last, _ = page_times(store, short, headers)
        long = store.device().buy(COINS)["transactionId"]
        lengthen(store, long, LONG)
        long_first, long_last, pages = page_times(store, long, headers)
        for name, value, baseline in [
            (f"History of {LONG:,}, first page, beside {SHORT:,}", long_first, short_first),
            (f"The same, last of {pages:,} pages", long_last, short_last),
        ]:
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
