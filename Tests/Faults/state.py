"""What the store has in the end, read from its database."""

import json
import os
import sqlite3
import subprocess

QUERIES = {
    "ledger": """
        SELECT l.id, l.kind, l.environment, a.email AS account, l.product_id AS product,
            l.product_type AS type, l.purchase_key AS "key", l.device, l.quantity, l.unit_price,
            l.charged, l.original, l.date
        FROM ledger l JOIN account a ON a.id = l.account ORDER BY l.id""",
    "finishes": "SELECT id FROM ledger_finish ORDER BY id",
    "revocations": "SELECT id, type, percentage, date FROM ledger_revocation ORDER BY id",
    "reversals": "SELECT id, date FROM ledger_reversal ORDER BY id",
    "periods":
        "SELECT id, original, expires, reason, is_paid, period FROM ledger_period ORDER BY id",
    "refunds": """
        SELECT id, transaction_id AS transaction_, outcome, percentage, date, decided
        FROM refund_request ORDER BY id""",
    "history": "SELECT id, account, app, revision FROM history ORDER BY id",
    "events": """
        SELECT e.id, a.email AS account, e.environment,
            CASE WHEN e.is_subscription = 1 THEN 'subscription' ELSE e.kind END AS kind,
            e.product_id AS product, e.date
        FROM device_event e LEFT JOIN account a ON a.id = e.account ORDER BY e.id""",
    "notifications": """
        SELECT n.id, n.uuid, n.environment, n.type, n.subtype, n.transaction_id AS transaction_,
            n.state, n.attempts, n.due,
            (SELECT count(*) FROM notification_attempt t WHERE t.notification = n.id) AS tries,
            (SELECT count(*) FROM notification_attempt t
                WHERE t.notification = n.id AND t.result = 'SUCCESS') AS successes
        FROM notification n ORDER BY n.id""",
}
#: What the database says about itself; each row is a complaint.
CHECKS = {
    "integrity": "PRAGMA integrity_check",
    "foreign keys": "PRAGMA foreign_key_check",
}


def read(shop):
    """Everything that the checker looks at."""
    if shop.database:
        return read_postgres(shop.database)
    return read_sqlite(shop.data / "store.sqlite")


def read_sqlite(file):
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30) as database:
        database.row_factory = sqlite3.Row
        state = {name: [dict(row) for row in database.execute(query)]
                 for name, query in QUERIES.items()}
        state["complaints"] = [
            f"{name}: {tuple(row)}" for name, query in CHECKS.items()
            for row in database.execute(query) if tuple(row) != ("ok",)]
    database.close()
    return state


def read_postgres(url):
    """The same over psql; PostgreSQL checks foreign keys itself."""
    state = {"complaints": []}
    for name, query in QUERIES.items():
        done = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url, "-c",
             f"SELECT coalesce(json_agg(q), '[]') FROM ({query}) q"],
            capture_output=True, text=True, env=os.environ | {
                "PGOPTIONS": "-c search_path=openstore"})
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        state[name] = json.loads(done.stdout)
    return state
