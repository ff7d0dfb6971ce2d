"""The checker finds what it is for: in a history made by hand and in a recorded one, both of which
are right, each mutation breaks one rule, and that rule is found. What is allowed stays allowed."""

import copy
import json
import math
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import checker
import history

RECORDED = HERE / "Recorded"
EVENT = {"kind": "revocation", "product": "coins"}
CONTENTS = {"chapter": {"Contents/text": "ab"}}


def recorded():
    operations, notes = history.read(RECORDED / "history.jsonl")
    state = json.loads((RECORDED / "state.json").read_text())
    lost = [json.loads((RECORDED / note["lost"]).read_text())
            for note in notes if note["event"] == "restore ends"]
    return checker.Case(
        operations, notes, state, json.loads((RECORDED / "contents.json").read_text()), lost)


class Story:
    """A history that is told one operation after the other."""

    def __init__(self):
        self.lines = []
        self.state = {name: [] for name in (
            "ledger", "finishes", "revocations", "reversals", "periods", "refunds",
            "notifications", "history", "events", "complaints")}
        self.told = 0
        #: What the store had at the backup, and before the restore.
        self.kept, self.lost = None, []

    def begin(self, kind, client="c1", **given):
        number = sum(line["event"] == "invoke" for line in self.lines) + 1
        self.add(op=number, event="invoke", kind=kind, client=client,
                 given={"account": client, **given})
        return number

    def end(self, number, outcome="ok", **got):
        self.add(op=number, event=outcome, got=got)

    def add(self, **line):
        self.lines.append({"time": len(self.lines) + 1, "at": 0, **line})

    def do(self, kind, outcome="ok", client="c1", got=None, **given):
        self.end(self.begin(kind, client, **given), outcome, **(got or {}))

    def entry(self, id, key, product="coins", type="Consumable", price=990, client="c1",
              device="phone", original=None, kind="purchase", charged=None):
        self.state["ledger"].append({
            "id": id, "kind": kind, "environment": "Sandbox", "account": client,
            "product": product, "type": type, "key": key, "device": f"{client}-{device}",
            "quantity": 1, "unit_price": price, "charged": price if charged is None else charged,
            "original": original, "date": id})

    def buy(self, id, key, product="coins", type="Consumable", price=990, device="phone"):
        self.entry(id, key, product, type, price, device=device)
        self.do("buy", got=seen(id, product=product, price=price, key=key), device=device, key=key,
                product=product, quantity=1, price={"thousandths": price})
        self.state["history"].append({"id": id, "account": 1, "app": 1, "revision": id})
        if type != checker.SUBSCRIPTION:
            self.tell("ONE_TIME_CHARGE", id)

    def finish(self, id, device="phone"):
        self.state["finishes"].append({"id": id})
        self.do("finish", transaction=str(id), device=device)

    def tell(self, type, id, state="delivered", answered=200, taken=True, subtype=None):
        self.told += 1
        number = self.told
        self.state["notifications"].append({
            "id": number, "uuid": f"uuid-{number}", "environment": "Sandbox", "type": type,
            "subtype": subtype, "transaction_": id, "state": state, "attempts": 1, "due": None,
            "tries": 1, "successes": int(state == "delivered")})
        self.add(event="notification", uuid=f"uuid-{number}", type=type, subtype=subtype,
                 transaction=str(id), taken=taken, answered=answered)

    def look(self, kind, *found, **given):
        self.do(kind, got={"transactions": list(found)}, **given)

    def happen(self, id, client="c1"):
        """Something that devices should know."""
        self.state["events"].append(
            {"id": id, "account": client, "environment": None, "date": id, **EVENT})

    def hear(self, after, cursor, *events, **given):
        self.do("events", device="phone", after=after, environment="sandbox", got={
            "cursor": cursor, "events": [{"id": id, **EVENT} for id in events]}, **given)

    def back_up(self):
        self.add(event="backup begins", backup=0)
        self.add(event="backup ends", backup=0)
        self.kept = copy.deepcopy(self.state)

    def go_back(self):
        self.add(event="restore begins", backup=0)
        self.add(event="restore ends", backup=0, lost="lost.json")
        self.lost.append(self.state)
        self.state = copy.deepcopy(self.kept)

    def case(self):
        operations, notes = history.parse(copy.deepcopy(self.lines))
        return checker.Case(operations, notes, copy.deepcopy(self.state), CONTENTS,
                            copy.deepcopy(self.lost))


def seen(id, original=None, **more):
    return {"id": str(id), "original": str(original or id), **more}


def story():
    """Everything once, and all of it right."""
    tale = Story()
    tale.do("sign in", device="phone")
    tale.buy(1, "a")
    tale.happen(1)
    tale.hear(None, 0)
    tale.hear(0, 1, 1)
    lose(tale)
    tale.buy(2, "b", "chapter", "Non-Consumable", 2990)
    tale.buy(3, "c", "badge", "Non-Consumable", 1990)
    tale.buy(4, "d", "monthly", checker.SUBSCRIPTION, 4990)
    tale.state["periods"].append(
        {"id": 4, "original": 4, "expires": 100, "reason": "PURCHASE", "is_paid": 1,
         "period": 4})
    tale.tell("SUBSCRIBED", 4, subtype="INITIAL_BUY")
    tale.entry(5, "renewal", "monthly", checker.SUBSCRIPTION, 4990, original=4)
    tale.state["periods"].append(
        {"id": 5, "original": 4, "expires": 200, "reason": "RENEWAL", "is_paid": 1,
         "period": 5})
    tale.tell("DID_RENEW", 5)
    tale.look("unfinished", seen(1), seen(2), seen(3), seen(4), device="phone")
    for number in (2, 3, 4, 5):
        tale.finish(number)
    tale.look("history", seen(1), seen(2), seen(3), seen(4), seen(5, 4), since=None,
              transaction="1")
    middle = len(tale.lines)
    tale.do("buy", "fail", got={"code": "priceChanged"}, device="phone", key="e", product="coins",
            price={"thousandths": 980}, quantity=1)
    tale.do("buy", "unknown", device="phone", key="f", product="coins", quantity=1,
            price={"thousandths": 990})
    tale.do("download", got={"digests": {"ab": "ab"}, "files": CONTENTS["chapter"]},
            product="chapter", transaction="2", device="phone")
    tale.entry(6, "restore/2", "chapter", "Non-Consumable", 2990, device="tablet", original=2,
               kind="restore", charged=0)
    tale.entry(7, "restore/3", "badge", "Non-Consumable", 1990, device="tablet", original=3,
               kind="restore", charged=0)
    tale.entry(8, "restore/4", "monthly", checker.SUBSCRIPTION, 4990, device="tablet", original=4,
               kind="restore", charged=0)
    tale.look("restore", seen(6, 2, product="chapter"), seen(7, 3, product="badge"),
              seen(8, 4, product="monthly"), device="tablet")
    tale.finish(7, "tablet")
    tale.state["periods"].append(
        {"id": 8, "original": 4, "expires": 200, "reason": "PURCHASE", "is_paid": 0, "period": 5})
    # A refund, one that is declined, and one that is taken back.
    for number, outcome, percentage in ((3, "REFUNDED", 100_000), (1, "DECLINED", None),
                                        (2, "REFUNDED", 50_000)):
        tale.do("refund", transaction=str(number))
        tale.state["refunds"].append({
            "id": number, "transaction_": number, "outcome": outcome, "percentage": percentage,
            "date": 0, "decided": 1})
        tale.tell("CONSUMPTION_REQUEST", number)
        if percentage:
            tale.state["revocations"].append(
                {"id": number, "type": "REFUND_FULL", "percentage": percentage, "date": 50})
        tale.tell("REFUND" if percentage else "REFUND_DECLINED", number)
    tale.do("reverse", client="operator", transaction="2")
    tale.state["reversals"].append({"id": 2, "date": 60})
    tale.tell("REFUND_REVERSED", 2)
    tale.do("info", got=seen(3, revoked=50), transaction="3")
    tale.look("history", seen(3, revoked=50), seen(2), since=middle, transaction="1")
    late = len(tale.lines)
    # What was answered with success, and not written down, was sent again.
    tale.add(event="notification", uuid="uuid-1", type="ONE_TIME_CHARGE", subtype=None,
             transaction="1", taken=False, answered=None)
    for device, found in (("phone", [seen(1)]), ("tablet", [seen(6, 2), seen(8, 4)])):
        tale.look("unfinished", *found, device=device, final=True)
    tale.entry(9, "last/2", "chapter", "Non-Consumable", 2990, device="fresh", original=2,
               kind="restore", charged=0)
    tale.entry(10, "last/4", "monthly", checker.SUBSCRIPTION, 4990, device="fresh", original=4,
               kind="restore", charged=0)
    tale.state["periods"].append(
        {"id": 10, "original": 4, "expires": 200, "reason": "PURCHASE", "is_paid": 0, "period": 5})
    tale.look("restore", seen(9, 2), seen(10, 4), device="fresh", final=True)
    tale.look("history", seen(1), seen(2), seen(3, revoked=50), seen(4), seen(5, 4), since=None,
              transaction="1", final=True)
    tale.look("history", since=late, transaction="1", final=True)
    tale.hear(1, 100, 100, final=True)
    return tale


def lose(tale):
    """A time that a restore takes back, and those who know it."""
    tale.back_up()
    tale.buy(91, "lost")
    tale.finish(1)
    tale.do("sign in", device="tablet")
    tale.look("history", seen(1), seen(91), since=None, transaction="1")
    since = len(tale.lines)
    tale.happen(91)
    tale.hear(1, 91, 91)
    tale.go_back()
    tale.happen(100)
    tale.do("info", "fail", got={"code": 4040010}, transaction="91")
    tale.do("finish", "fail", got={"code": "transactionNotFound"}, transaction="91",
            device="phone")
    tale.do("session", "fail", got={"code": "notSignedIn"}, device="tablet")
    tale.hear(91, 1)
    tale.look("history", seen(1), since=since, transaction="1")
    tale.look("unfinished", seen(1), device="phone")


# What can be found in a right history, to break it there

def row(case, table, wanted=lambda row: True):
    return next(row for row in case.state[table] if wanted(row))


def acknowledged(case, wanted=lambda one, row: True):
    """An acknowledged purchase and its row of the ledger."""
    return next((one, case.ledger[one.got["id"]]) for one in kept(case, "buy")
                if wanted(one, case.ledger[one.got["id"]]))


def kept(case, kind):
    """What was acknowledged and is not lost."""
    return [one for one in case.ok(kind) if case.is_kept(one)]


def drop(case, table, wanted):
    rows = case.state[table]
    rows.remove(next(row for row in rows if wanted(row)))


def look(case, kind, wanted=lambda one: True):
    return next(one for one in case.ok(kind) if wanted(one) and one.got["transactions"])


def lasting(one, row):
    return row["type"] == "Non-Consumable" and row["original"] is None


MUTATIONS = []


def breaks(rule):
    def add(function):
        MUTATIONS.append((rule, function))
        return function

    return add


@breaks("acknowledged purchase missing")
def ledger_loses_a_row(case):
    one, entry = acknowledged(case)
    case.state["ledger"].remove(entry)


@breaks("acknowledged purchase missing")
def ledger_has_another_quantity(case):
    acknowledged(case)[1]["quantity"] += 1


@breaks("acknowledged purchase missing")
def transaction_is_not_found(case):
    one = next(one for one in kept(case, "info") if not case.may_be_lost(one))
    one.outcome, one.got = "fail", {"code": 4040010}


@breaks("purchase doubled")
def nobody_asked_for_it(case):
    _, entry = acknowledged(case)
    case.state["ledger"].append({**entry, "id": 999, "key": "nobody's"})


@breaks("purchase doubled")
def key_twice_in_the_ledger(case):
    _, entry = acknowledged(case)
    case.state["ledger"].append({**entry, "id": 999})


@breaks("purchase doubled")
def key_gives_two_transactions(case):
    one, _ = acknowledged(case)
    other = next(other for other in kept(case, "buy") if other.got["id"] != one.got["id"])
    again = copy.deepcopy(one)
    again.number, again.got = 9999, {**one.got, "id": other.got["id"]}
    case.operations.append(again)


@breaks("purchase doubled")
def owned_product_charged_again(case):
    one, entry = acknowledged(case, lasting)
    other = next(other for other in case.of("buy")
                 if other.client == one.client and other.got.get("id") != one.got["id"])
    case.state["ledger"].append({**entry, "id": 10 ** 18, "key": other.given["key"]})


@breaks("charge without entitlement")
def refused_and_charged(case):
    one, entry = acknowledged(case, lambda one, row: not case.is_revoked(row))
    for other in case.ok("buy"):
        if other.given["key"] == one.given["key"]:
            other.outcome, other.got = "fail", {"code": "priceChanged"}


@breaks("charge without entitlement")
def last_history_lacks_it(case):
    one = next(one for one in case.final("history").values())
    one.got["transactions"] = [
        seen for seen in one.got["transactions"] if "revoked" in seen]


@breaks("charge without entitlement")
def last_restore_lacks_it(case):
    one = next(one for one in case.final("restore", "fresh").values() if one.got["transactions"])
    one.got["transactions"].pop()


@breaks("charge without entitlement")
def last_list_lacks_what_is_unfinished(case):
    for device in ("phone", "tablet"):
        for one in case.final("unfinished", device).values():
            for seen in one.got["transactions"]:
                if case.ledger[seen["id"]]["charged"]:
                    one.got["transactions"].remove(seen)
                    return
    raise StopIteration


@breaks("charge without entitlement")
def subscription_bought_again_is_not_restored(case):
    one, entry = acknowledged(
        case, lambda one, row: one.given["account"] in case.final("restore", "fresh"))
    entry.update(type=checker.SUBSCRIPTION, original=None)
    again = {"original": entry["id"], "expires": 999, "reason": "PURCHASE", "is_paid": 1}
    for identifier in (entry["id"], 10 ** 18):
        case.state["periods"].append({**again, "id": identifier, "period": identifier})
    case.state["ledger"].append({**entry, "id": 10 ** 18, "original": entry["id"]})
    case.state["revocations"] = [
        {"id": entry["id"], "type": "REFUND_FULL", "percentage": 100_000, "date": 0}]
    case.state["reversals"] = []
    account = one.given["account"]
    case.final("history")[account].got["transactions"].append(seen(10 ** 18))
    case.state["finishes"].append({"id": 10 ** 18})
    restored = case.final("restore", "fresh")[account]
    restored.got["transactions"] = [
        seen for seen in restored.got["transactions"] if seen["original"] != one.got["id"]]


@breaks("entitlement without charge")
def given_for_nothing(case):
    acknowledged(case)[1].update(charged=0, original=None)


@breaks("entitlement without charge")
def restored_without_a_row(case):
    look(case, "restore", case.is_kept).got["transactions"].append(seen(999))


@breaks("entitlement without charge")
def somebody_elses(case):
    _, entry = acknowledged(case)
    entry["account"] = "somebody else"


@breaks("wrong charge")
def more_than_confirmed(case):
    acknowledged(case, lambda one, row: row["charged"])[1]["charged"] += 10


@breaks("wrong charge")
def more_than_was_said(case):
    acknowledged(case, lambda one, row: row["charged"])[0].got["price"] += 10


@breaks("period charged twice")
def same_period_again(case):
    period = row(case, "periods", lambda row: row["is_paid"]
                 and not case.is_revoked(case.ledger[str(row["id"])]))
    entry = case.ledger[str(period["id"])]
    case.state["ledger"].append({**entry, "id": 999, "key": "again"})
    case.state["periods"].append({**period, "id": 999, "period": 999, "reason": "RENEWAL"})


@breaks("finished purchase unfinished again")
def finish_is_lost(case):
    one = kept(case, "finish")[0]
    drop(case, "finishes", lambda row: str(row["id"]) == one.given["transaction"])


@breaks("finished purchase unfinished again")
def finished_comes_again(case):
    last = case.ok("unfinished")[-1]
    last.got["transactions"].append(seen(kept(case, "finish")[0].given["transaction"]))


@breaks("unfinished purchase forgotten")
def list_lacks_one(case):
    for one in case.ok("unfinished"):
        for found in one.got["transactions"]:
            source = case.received.get(found["id"])
            if source and case.knows(one, source[0]) and min(
                    case.finishes_begin[found["id"]],
                    case.refunds_begin[found["original"]]) > one.end:
                one.got["transactions"].remove(found)
                return
    raise StopIteration


@breaks("restore incomplete")
def restore_lacks_one(case):
    for one in case.ok("restore"):
        for found in one.got["transactions"]:
            source = case.received.get(found["original"])
            if source and case.knows(one, source[0]) and one.given["device"] != source[0].given[
                    "device"] and case.refunds_begin[found["original"]] > one.end:
                one.got["transactions"].remove(found)
                return
    raise StopIteration


def taken_back(case):
    """Something that a client has read is taken back, and stays so."""
    return next((identifier, one) for identifier, told in case.revoked_seen.items()
                for one in told
                if case.is_kept(one) and case.reversals_begin[identifier] == math.inf
                and one is not case.final("history")[one.given["account"]]
                and case.ledger[identifier]["original"] is None)


@breaks("refunded but entitled")
def restored_after_the_refund(case):
    identifier, one = taken_back(case)
    late = [other for other in case.ok("restore")
            if other.client == one.client and other.begin > one.end]
    late[-1].got["transactions"].append(seen(identifier))


@breaks("refunded but entitled")
def downloaded_after_the_refund(case):
    identifier, one = taken_back(case)
    other = copy.deepcopy(case.ok("download")[0])
    other.begin, other.end = one.end + 1, one.end + 2
    other.given["transaction"] = identifier
    case.operations.append(other)


@breaks("refunded but entitled")
def last_list_has_it(case):
    identifier, one = taken_back(case)
    case.final("unfinished", "phone")[one.given["account"]].got["transactions"].append(
        seen(identifier))


@breaks("refunded but entitled")
def refund_is_forgotten(case):
    identifier, one = taken_back(case)
    for found in case.final("history")[one.given["account"]].got["transactions"]:
        if found["id"] == identifier:
            del found["revoked"]


@breaks("refund lost")
def request_is_lost(case):
    one = kept(case, "refund")[0]
    case.state["refunds"] = [row for row in case.state["refunds"]
                             if str(row["transaction_"]) != one.given["transaction"]]


@breaks("refund lost")
def granted_and_not_taken_back(case):
    del case.state["revocations"][0]


@breaks("money back twice")
def granted_again(case):
    granted = row(case, "refunds", lambda row: row["outcome"] == "REFUNDED")
    case.state["refunds"].append({**granted, "id": 999})


@breaks("money back twice")
def nobody_decided(case):
    _, entry = acknowledged(case, lambda one, row: str(row["id"]) not in case.revocations)
    case.state["revocations"].append(
        {"id": entry["id"], "type": "REFUND_FULL", "percentage": 100_000, "date": 0})


@breaks("money back twice")
def more_than_decided(case):
    revocation = case.state["revocations"][0]
    revocation["percentage"] = 100_000 if revocation["percentage"] != 100_000 else 1


@breaks("history skips or repeats")
def history_skips(case):
    for one in case.ok("history"):
        for found in one.got["transactions"]:
            source = case.received.get(found["id"])
            if source and source[0].kind == "buy" and case.knows(one, source[0]) and (
                    one.given["since"] is None) and found["id"] == found["original"]:
                one.got["transactions"].remove(found)
                return
    raise StopIteration


@breaks("history skips or repeats")
def history_repeats(case):
    one = look(case, "history", lambda one: not case.ok("reverse") or not any(
        case.reversals_begin[case.first(found["id"])] < one.end
        for found in one.got["transactions"][:1]))
    one.got["transactions"].append(dict(one.got["transactions"][0]))


@breaks("history skips or repeats")
def history_repeats_what_was_read_before(case):
    later, before = next(
        (later, before) for later in case.ok("history") for before in case.ok("history")
        if later.given["since"] is not None and before.client == later.client
        and before.end == later.given["since"] and case.knows(later, before)
        and before.got["transactions"])
    found = next(found for found in reversed(before.got["transactions"])
                 if found["id"] not in checker.ids(later) and found["id"] not in case.reversals)
    later.got["transactions"].append(dict(found))


@breaks("nothing to tell was written down")
def notification_is_missing(case):
    del case.state["notifications"][0]


@breaks("nothing to tell was written down")
def notification_is_there_twice(case):
    first = case.state["notifications"][0]
    case.state["notifications"].append({**first, "id": 999})


@breaks("notification not delivered")
def nothing_arrived(case):
    uuid = case.state["notifications"][0]["uuid"]
    case.notes = [note for note in case.notes if note.get("uuid") != uuid]


@breaks("notification not delivered")
def called_delivered(case):
    uuid = case.state["notifications"][0]["uuid"]
    for note in case.notes:
        if note.get("uuid") == uuid:
            note["answered"] = None


@breaks("notification not delivered")
def called_failed(case):
    case.state["notifications"][0].update(state="failed", tries=2, successes=1)


@breaks("notification not delivered")
def arrived_as_another(case):
    next(note for note in case.notes if note["event"] == "notification")["type"] = "TEST"


@breaks("notification not delivered")
def told_of_nothing(case):
    case.notes.append({"event": "notification", "time": 10 ** 9, "uuid": "nobody's",
                       "type": "REFUND", "transaction": "1", "taken": True, "answered": 200})


def given_before(case, table):
    """A row that a restore took back, with a number that nothing has now."""
    known = {row["id"] for row in case.state[table]}
    return next(row for row in case.lost[0][table] if row["id"] not in known)


@breaks("number given twice")
def lost_transaction_is_another(case):
    case.state["ledger"].append({**given_before(case, "ledger"), "key": "another"})


@breaks("number given twice")
def lost_event_is_another(case):
    case.state["events"].append({**given_before(case, "events"), "kind": "another"})


@breaks("number given twice")
def lost_notification_is_another(case):
    case.state["notifications"].append(
        {**given_before(case, "notifications"), "uuid": "another"})


@breaks("number given twice")
def lost_revision_is_another(case):
    case.state["history"].append({**given_before(case, "history"), "id": 999})


@breaks("somebody else's taken")
def finish_is_of_another_product(case):
    one = next(one for one in kept(case, "finish") if one.given["transaction"] in case.received)
    case.ledger[one.given["transaction"]]["product"] = "another"


def hears(case, wanted=lambda one: True):
    return next(one for one in case.ok("events") if wanted(one))


@breaks("event missed")
def event_is_skipped(case):
    number = next(event["id"] for one in kept(case, "events") for event in one.got["events"]
                  if checker.is_for(row(case, "events", lambda row: row["id"] == event["id"]), one))
    for one in case.ok("events"):
        one.got["events"] = [event for event in one.got["events"] if event["id"] != number]


@breaks("event missed")
def event_is_somebody_elses(case):
    one = hears(case, lambda one: case.is_kept(one) and one.got["events"])
    row(case, "events", lambda row: row["id"] == one.got["events"][0]["id"])["account"] = "nobody"


@breaks("event missed")
def event_of_nothing(case):
    hears(case, case.is_kept).got["events"].append({"id": 999, **EVENT})


@breaks("event missed")
def goes_on_behind_a_lost_event(case):
    one = hears(case, lambda one: one.given["after"] is not None
                and one.got["cursor"] < one.given["after"])
    one.got["cursor"] = one.given["after"]


@breaks("change missed")
def never_told_of_a_refund(case):
    identifier, _ = taken_back(case)
    for one in case.ok("history"):
        if one is not case.final("history")[one.given["account"]]:
            one.got["transactions"] = [
                found for found in one.got["transactions"] if found["id"] != identifier]


@breaks("wrong digest")
def chunk_is_another(case):
    digests = case.ok("download")[0].got["digests"]
    digests[next(iter(digests))] = "0" * 64


@breaks("wrong digest")
def file_is_another(case):
    files = case.ok("download")[0].got["files"]
    files[next(iter(files))] = "0" * 64


@breaks("refused without reason")
def list_is_refused(case):
    one = kept(case, "unfinished")[0]
    one.outcome, one.got = "fail", {"code": "internalError"}


@breaks("refused without reason")
def content_is_refused(case):
    one = next(one for one in kept(case, "download") if case.refunds_begin[
        case.first(one.given["transaction"])] > one.end)
    one.outcome, one.got = "fail", {"code": "contentNotFound"}


@breaks("refused without reason")
def right_price_is_refused(case):
    one, _ = acknowledged(case)
    one.outcome, one.got = "fail", {"code": "priceChanged"}


@breaks("session lost")
def signed_in_and_refused(case):
    signed = kept(case, "sign in")[0]
    place = signed.client, signed.given["device"]
    one = next(one for one in case.operations if one.is_ok and case.knows(one, signed)
               and (one.client, one.given.get("device")) == place)
    one.outcome, one.got = "fail", {"code": "notSignedIn"}


@breaks("no answer though all is well")
def last_look_without_an_answer(case):
    one = next(one for one in case.operations if one.given.get("final"))
    one.outcome, one.got = "unknown", {}


@breaks("database")
def database_complains(case):
    case.state["complaints"].append("integrity: row 7 missing from index ledger_by_device")


@breaks("database")
def finish_of_nothing(case):
    case.state["finishes"].append({"id": 999})


@breaks("database")
def belongs_to_somebody_else(case):
    one, entry = acknowledged(case)
    for row in case.state["ledger"]:
        if row["original"] is not None:
            row["original"] = 999
            return


# What must not be found

ALLOWED = []


def allowed(function):
    ALLOWED.append(function)
    return function


@allowed
def an_unknown_purchase_has_happened(tale):
    """Nobody heard of it, and it was told to the publisher."""
    tale.entry(11, "f")
    tale.tell("ONE_TIME_CHARGE", 11)
    for line in tale.lines:
        if line["event"] == "ok" and len(line["got"].get("transactions", [])) == 5:
            line["got"]["transactions"].append(seen(11))
        if line["event"] == "ok" and line["got"].get("transactions") == [seen(1)]:
            line["got"]["transactions"].append(seen(11))


@allowed
def a_list_that_was_asked_for_while_a_finish_was_under_way(tale):
    tale.buy(20, "z", "season", "Non-Renewing Subscription", 4990)
    finish = tale.begin("finish", transaction="20", device="phone")
    tale.look("unfinished", seen(1), device="phone")
    tale.look("unfinished", seen(1), seen(20), device="phone")
    tale.end(finish)
    tale.state["finishes"].append({"id": 20})
    tale.look("history", *[seen(number) for number in (1, 2, 4)], seen(3, revoked=50), seen(5, 4),
              seen(20), since=None, transaction="1", final=True)


@allowed
def a_restore_while_a_refund_was_under_way(tale):
    tale.buy(20, "z", "other", "Non-Consumable", 990, device="tablet")
    refund = tale.begin("refund", transaction="20")
    tale.look("restore", seen(9, 2), seen(10, 4), device="fresh", final=True)
    tale.end(refund)
    tale.state["refunds"].append({"id": 20, "transaction_": 20, "outcome": "REFUNDED",
                                  "percentage": 100_000, "date": 0, "decided": 1})
    tale.state["revocations"].append(
        {"id": 20, "type": "REFUND_FULL", "percentage": 100_000, "date": 90})
    tale.tell("CONSUMPTION_REQUEST", 20)
    tale.tell("REFUND", 20)


@allowed
def bought_again_after_a_refund(tale):
    tale.buy(60, "z", "badge", "Non-Consumable", 1990)
    tale.entry(61, "last/60", "badge", "Non-Consumable", 1990, device="fresh", original=60,
               kind="restore", charged=0)
    tale.finish(60)
    tale.look("restore", seen(9, 2), seen(10, 4), seen(61, 60), device="fresh", final=True)
    tale.look("history", *[seen(number) for number in (1, 2, 4, 60)], seen(3, revoked=50),
              seen(5, 4), since=None, transaction="1", final=True)


@allowed
def asked_for_again_after_a_refund(tale):
    tale.do("buy", "fail", got={"code": "purchaseRevoked"}, device="phone", key="c",
            product="badge", quantity=1, price={"thousandths": 1990})


@allowed
def a_finish_without_an_answer(tale):
    tale.do("finish", "unknown", transaction="1", device="phone")
    tale.look("unfinished", device="phone")


@allowed
def a_lost_purchase_is_sold_again(tale):
    """Under the same key, with another number."""
    tale.buy(60, "lost")
    tale.look("unfinished", seen(1), seen(60), device="phone", final=True)
    tale.look("history", *[seen(number) for number in (1, 2, 4, 60)], seen(3, revoked=50),
              seen(5, 4), since=None, transaction="1", final=True)


@allowed
def a_notification_that_came_twice(tale):
    tale.add(event="notification", uuid="uuid-1", type="ONE_TIME_CHARGE", subtype=None,
             transaction="1", taken=True, answered=200)


# What a restore does not excuse


class RestoreTests(unittest.TestCase):
    def broken(self, tale):
        return {one.rule for one in checker.check(tale.case())}

    def test_what_was_bought_before_the_backup_has_to_be_there(self):
        tale = Story()
        tale.buy(1, "a")
        tale.back_up()
        tale.go_back()
        self.assertEqual(set(), self.broken(tale))
        tale.state["ledger"].clear()
        self.assertIn("acknowledged purchase missing", self.broken(tale))

    def test_what_was_bought_after_the_restore_has_to_be_there(self):
        tale = Story()
        tale.back_up()
        tale.go_back()
        tale.buy(1, "a")
        self.assertEqual(set(), self.broken(tale))
        tale.state["ledger"].clear()
        self.assertIn("acknowledged purchase missing", self.broken(tale))

    def test_what_was_bought_while_the_backup_was_made_may_be_lost(self):
        tale = Story()
        number = tale.begin("buy", device="phone", key="a", product="coins", quantity=1,
                            price={"thousandths": 990})
        tale.back_up()
        tale.end(number, **seen(1, product="coins", price=990, key="a"))
        tale.go_back()
        self.assertEqual(set(), self.broken(tale))

    def test_a_history_with_a_restore_between_two_pages_begins_anew(self):
        for is_between in (True, False):
            tale = Story()
            tale.buy(1, "a")
            tale.back_up()
            number = tale.begin("history", transaction="1", since=None)
            if is_between:
                tale.go_back()
            tale.end(number, transactions=[seen(1), seen(1)])
            if not is_between:
                tale.go_back()
            self.assertEqual(
                set() if is_between else {"history skips or repeats"}, self.broken(tale))

    def test_who_was_at_another_backup_in_between_hears_what_that_one_lacked(self):
        for heard in ([1, 2], [2], []):
            tale = Story()
            tale.back_up()
            first = copy.deepcopy(tale.state)
            tale.hear(None, 0)
            tale.happen(1)
            tale.happen(2)
            tale.back_up()
            tale.kept, second = first, tale.kept
            tale.go_back()
            tale.happen(50)
            tale.hear(0, 50, 50)
            tale.kept = second
            tale.go_back()
            tale.hear(50, 0)
            tale.hear(0, 2, *heard, final=True)
            self.assertEqual(
                set() if heard == [1, 2] else {"event missed"}, self.broken(tale))

    def test_a_backup_of_the_time_that_was_lost_brings_it_back(self):
        tale = Story()
        tale.back_up()
        first = copy.deepcopy(tale.kept)
        tale.buy(1, "a")
        tale.add(event="backup begins", backup=1)
        tale.add(event="backup ends", backup=1)
        second = copy.deepcopy(tale.state)
        tale.go_back()
        tale.buy(50, "b")
        for backup, state in ((1, second), (0, first)):
            tale.add(event="restore begins", backup=backup)
            tale.add(event="restore ends", backup=backup, lost="lost.json")
            tale.lost.append(tale.state)
            tale.state = copy.deepcopy(state)
            self.assertEqual(set(), self.broken(tale))
            if backup == 1:
                tale.state["ledger"].clear()
                self.assertIn("acknowledged purchase missing", self.broken(tale))
                tale.state = copy.deepcopy(state)


class CheckerTests(unittest.TestCase):
    def assertRight(self, case):
        self.assertEqual([], [str(one) for one in checker.check(case)])

    def test_what_is_right_passes(self):
        self.assertRight(story().case())
        self.assertRight(recorded())

    def test_what_is_allowed_passes(self):
        for change in ALLOWED:
            with self.subTest(change.__name__):
                tale = story()
                change(tale)
                self.assertRight(tale.case())

    def test_each_mutation_breaks_its_rule(self):
        for make in (lambda: story().case(), recorded):
            for rule, change in MUTATIONS:
                with self.subTest(change.__name__):
                    case = make()
                    change(case)
                    # What was looked up before the change is looked up again.
                    broken = checker.Case(
                        case.operations, case.notes, case.state, case.contents, case.lost)
                    self.assertIn(rule, {one.rule for one in checker.check(broken)})

    def test_each_rule_has_a_mutation(self):
        self.assertEqual(set(checker.RULES), {rule for rule, _ in MUTATIONS})


if __name__ == "__main__":
    unittest.main()
