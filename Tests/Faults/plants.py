"""Faults of the store itself, planted from outside: each has to be found by the rule beside it."""

import re
import signal
import sqlite3
import uuid

PLANTS = {
    "lost log": "acknowledged purchase missing",
    "numbers put back": "number given twice",
    "fresh keys": "purchase doubled",
    "dropped purchase": "acknowledged purchase missing",
    "dropped finish": "finished purchase unfinished again",
    "dropped refund": "refund lost",
    "dropped notification": "nothing to tell was written down",
    "second charge": "purchase doubled",
    "changed content": "wrong digest",
    "deaf publisher": "notification not delivered",
}


def begin(name, run):
    """What is planted before anything happens."""
    if name == "lost log":
        # As where a commit is answered before it is on disk, and the machine goes down. Nobody else
        # may have the database open then: whoever closes it last would bring the log into it.
        def lose(kind, server, measure):
            run.operator.is_stopping.set()
            run.operator.join()
            run.nemesis.kill(server)
            # The catalog and the accounts stay: they were brought into the database before.
            for file in run.shop.data.glob("store.sqlite-*"):
                file.unlink()
            run.nemesis.revive(server)

        with sqlite3.connect(run.shop.data / "store.sqlite") as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        run.nemesis.carry_out = lose
        run.nemesis.events = [(run.options.seconds / 2, "kill", 0, 0)]
    elif name == "numbers put back":
        # As a restore that takes the numbers of the backup for the last ones.
        put_back = run.shop.put_back

        def put_numbers_back(kept):
            lost = put_back(kept)
            with sqlite3.connect(run.shop.data / "store.sqlite") as database:
                for table in ("ledger", "device_event"):
                    database.execute(
                        f"UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM {table}) "
                        "WHERE name = ?", [table])
                database.execute("""
                    UPDATE history_counter SET last = (SELECT max(h.revision) FROM history h
                        WHERE h.account = history_counter.account AND h.app = history_counter.app)
                    """)
                database.execute("DELETE FROM restoration")
            database.close()
            return lost

        run.shop.put_back = put_numbers_back
        run.nemesis.events = [(run.options.seconds * part, kind, 0, 0)
                              for part, kind in ((0.3, "back up"), (0.6, "restore"))]
    elif name == "fresh keys":
        repeat = run.proxy._repeat

        # As where a framework, or whoever carries requests, repeats them as new ones.
        def change(request, name, delay):
            key = str(uuid.uuid4()).encode()
            repeat(re.sub(rb'("purchaseKey": ")[^"]+', rb"\g<1>" + key, request), name, delay)

        run.proxy._repeat = change
    elif name == "changed content":
        files = [file for file in (run.shop.data / "content").rglob("*")
                 if file.is_file() and file.stat().st_size > 300_000]
        with open(files[0], "r+b") as file:
            file.seek(100_000)
            byte = file.read(1)[0]
            file.seek(100_000)
            file.write(bytes([byte ^ 1]))
    elif name == "deaf publisher":
        # It says that it has taken what it has not.
        run.publisher.forgets = True


def end(name, run):
    """What is planted when all is over."""
    changes = {
        "dropped purchase": """
            DELETE FROM ledger WHERE id = (SELECT max(id) FROM ledger
                WHERE kind = 'purchase' AND id NOT IN (SELECT id FROM ledger_finish))""",
        "dropped finish": """
            DELETE FROM ledger_finish WHERE id = (SELECT max(id) FROM ledger_finish)""",
        "dropped refund": "DELETE FROM ledger_revocation",
        "dropped notification": """
            DELETE FROM notification WHERE id = (
                SELECT max(id) FROM notification WHERE type = 'ONE_TIME_CHARGE')""",
        "second charge": """
            INSERT INTO ledger SELECT (SELECT max(id) + 1 FROM ledger), kind, environment, account,
                app, bundle_id, product_id, product_type, purchase_key || '-again', device,
                quantity, unit_price, charged, currency, storefront, original, original_date,
                application_username, date
            FROM ledger WHERE kind = 'purchase' AND original IS NULL LIMIT 1""",
    }
    if name not in changes:
        return
    for server in run.shop.servers:
        server.send(signal.SIGTERM)
        server.wait()
    database = sqlite3.connect(run.shop.data / "store.sqlite")
    for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%is_kept'"
    ).fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute(changes[name])
    database.commit()
    database.close()
