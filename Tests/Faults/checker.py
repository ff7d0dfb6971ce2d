"""The rules that a run must have kept, whatever failed: functions of the clients' history, of what
the publisher's server was told, and of what the store has in the end.

Each rule gives a sentence for each violation. It goes by what clients knew: two operations of which
neither ended before the other began may have happened in either order, and what has an unknown
outcome may have happened at any time behind its beginning, or never.

Where an older backup took the store's place, what happened since that backup is lost: then nothing
is demanded of it but that its numbers name nothing else.
"""

import collections
import dataclasses
import functools
import math

RULES = {}
SUBSCRIPTION = "Auto-Renewable Subscription"
LASTING = {"Non-Consumable", SUBSCRIPTION}


@dataclasses.dataclass(frozen=True)
class Violation:
    rule: str
    text: str

    def __str__(self):
        return f"{self.rule}: {self.text}"


def rule(name):
    def add(function):
        RULES[name] = function
        return function

    return add


def check(case):
    """Everything that is wrong."""
    return [Violation(name, text) for name, function in RULES.items() for text in function(case)]


@dataclasses.dataclass(frozen=True)
class Restore:
    """A backup took the place of what there was: from the first to the last moment of it."""

    begin: int
    end: int
    #: The last moment at which everything that had happened is in the backup.
    kept: int
    #: What the store had before.
    lost: dict


class Case:
    """A history and the store's last state, looked up in every way that a rule needs."""

    def __init__(self, operations, notes, state, contents=None, lost=()):
        """`lost`: the store's state before each restore."""
        self.operations, self.notes, self.state = operations, notes, state
        #: The files of each product with hosted content, by path, with their SHA-256.
        self.contents = contents or {}
        self.lost = list(lost)
        begins = {(note["event"], note["backup"]): note["time"] for note in notes
                  if note["event"] == "backup begins"}
        starts = [note["time"] for note in notes if note["event"] == "restore begins"]
        ends = [note for note in notes if note["event"] == "restore ends"]
        self.restores = [
            Restore(start, note["time"], begins["backup begins", note["backup"]], before)
            for start, note, before in zip(starts, ends, self.lost)]

    # What was lost

    def line(self, moment):
        """The spans of time whose events the store has at a moment, the last one first."""
        spans = []
        while True:
            before = [one for one in self.restores if one.begin < moment]
            spans.append((before[-1].end if before else -math.inf, moment))
            if not before:
                return spans
            moment = before[-1].kept

    def is_in(self, one, moment):
        """Whether what was done surely happened in a span that the store has at the moment."""
        return any(start < one.begin and one.end < end for start, end in self.line(moment))

    def is_kept(self, one):
        """Whether what was acknowledged has to be there in the end."""
        return self.is_in(one, math.inf)

    def is_whole(self, one):
        """Whether it was done without a restore in between."""
        return not any(restore.begin < one.end and one.begin < restore.end
                       for restore in self.restores)

    def knows(self, one, source):
        """Whether the answer to one operation has to know of another one."""
        return source.end < one.begin and self.is_whole(one) and self.is_in(source, one.begin)

    def belong_together(self, one, other):
        """Whether neither was lost before the other."""
        first, last = sorted((one, other), key=lambda each: each.begin)
        if not self.is_whole(first) or not self.is_whole(last):
            return False
        return first.end >= last.begin or self.knows(last, first)

    def may_be_lost(self, one):
        """Whether the store may rightly know nothing of the transaction that was asked about."""
        identifier = one.given.get("transaction")
        if identifier in self.received:
            return not self.knows(one, self.received[identifier][0])
        return bool(self.restores)

    def of(self, *kinds):
        return [one for one in self.operations if one.kind in kinds]

    def ok(self, *kinds):
        return [one for one in self.of(*kinds) if one.is_ok]

    def final(self, kind, device=None):
        """The last look at everything of each account, when all was well: by account."""
        return {one.given["account"]: one for one in self.ok(kind)
                if one.given.get("final") and device in (None, one.given.get("device"))
                and one.given.get("since") is None}

    @functools.cached_property
    def ledger(self):
        return {str(row["id"]): row for row in self.state["ledger"]}

    @functools.cached_property
    def finishes(self):
        return {str(row["id"]) for row in self.state["finishes"]}

    @functools.cached_property
    def revocations(self):
        return {str(row["id"]): row for row in self.state["revocations"]}

    @functools.cached_property
    def reversals(self):
        return {str(row["id"]) for row in self.state["reversals"]}

    @functools.cached_property
    def periods(self):
        return {str(row["id"]): row for row in self.state["periods"]}

    @functools.cached_property
    def accounts(self):
        return {one.given["account"] for one in self.operations if "account" in one.given}

    @functools.cached_property
    def originals(self):
        """The first purchases of others, also of such that are lost."""
        return {str(row["id"]): str(row["original"])
                for state in (*self.lost, self.state) for row in state["ledger"] if row["original"]}

    def first(self, identifier):
        """The purchase that another one belongs to."""
        return self.originals.get(identifier, identifier)

    def taken(self, row):
        """What was paid for the entry, and whose refund takes it back: the period that it stands
        for, or the first purchase."""
        period = self.periods.get(str(row["id"]))
        return str(period["period"] if period else row["original"] or row["id"])

    @functools.cached_property
    def last_periods(self):
        """The last paid period of each subscription, by its first one."""
        return {str(row["original"]): str(row["id"]) for row in self.state["periods"]
                if row["is_paid"]}

    def is_revoked(self, row):
        fact = self.taken(row)
        return fact in self.revocations and fact not in self.reversals

    @functools.cached_property
    def refunds_begin(self):
        """When somebody first asked for money, by the first purchase."""
        return self.earliest("refund", "grant")

    @functools.cached_property
    def reversals_begin(self):
        return self.earliest("reverse")

    def earliest(self, *kinds):
        begin = collections.defaultdict(lambda: math.inf)
        for one in self.of(*kinds):
            first = self.first(one.given["transaction"])
            begin[first] = min(begin[first], one.begin)
        return begin

    @functools.cached_property
    def finishes_begin(self):
        begin = collections.defaultdict(lambda: math.inf)
        for one in self.of("finish"):
            begin[one.given["transaction"]] = min(begin[one.given["transaction"]], one.begin)
        return begin

    @functools.cached_property
    def finishes_told(self):
        """Acknowledged finishes of each transaction."""
        told = collections.defaultdict(list)
        for one in self.ok("finish"):
            told[one.given["transaction"]].append(one)
        return told

    def was_finished(self, identifier, one):
        """A finish that the store has to know of at an operation."""
        return next(
            (told for told in self.finishes_told[identifier] if self.knows(one, told)), None)

    @functools.cached_property
    def received(self):
        """What devices got, each once: the operation and what it said."""
        known = {}
        for one in self.ok("buy", "restore"):
            found = [one.got] if one.kind == "buy" else one.got["transactions"]
            for seen in found:
                if seen["id"] not in known:
                    known[seen["id"]] = (one, seen)
        return known

    @functools.cached_property
    def revoked_seen(self):
        """When clients read that something is taken back, by its identifier."""
        seen_at = collections.defaultdict(list)
        for one in self.ok("info", "history"):
            for seen in [one.got] if one.kind == "info" else one.got["transactions"]:
                if "revoked" in seen:
                    seen_at[seen["id"]].append(one)
        return seen_at

    def was_revoked(self, identifier, one):
        """An answer that said so, which the store has to know of at an operation."""
        return next(
            (seen for seen in self.revoked_seen.get(identifier, []) if self.knows(one, seen)), None)


# Purchases


@rule("acknowledged purchase missing")
def purchase_missing(case):
    for one in case.ok("buy"):
        row = case.ledger.get(one.got["id"])
        if row is None:
            if case.is_kept(one):
                yield f"{one} gave transaction {one.got['id']}, which the ledger lacks"
        elif (row["key"], row["account"], row["product"], row["quantity"]) != (
                one.given["key"], one.given["account"], one.given["product"],
                one.given["quantity"]):
            yield f"{one} gave transaction {one.got['id']}, which is another purchase: {row}"
    for one in case.of("info", "finish", "consumption"):
        if one.outcome == "fail" and not case.may_be_lost(one):
            yield (f"{one} was refused with {one.got.get('code')}, though the transaction was "
                   "acknowledged")


@rule("purchase doubled")
def purchase_doubled(case):
    answers = collections.defaultdict(list)
    for one in case.ok("buy"):
        told = answers[one.given["account"], one.given["key"]]
        for before in told:
            if before.got["id"] != one.got["id"] and case.belong_together(before, one):
                yield (f"{before} gave {before.got['id']}, {one} gave {one.got['id']} under the "
                       "same key")
        told.append(one)
    keys = {(one.given["account"], one.given["key"]) for one in case.of("buy")}
    rows = collections.Counter()
    charged = collections.defaultdict(list)
    for row in case.state["ledger"]:
        if row["kind"] != "purchase" or row["account"] not in case.accounts:
            continue
        key = (row["account"], row["key"])
        rows[key] += 1
        if rows[key] == 2:
            yield f"{row['account']}'s key {row['key']} is twice in the ledger"
        period = case.periods.get(str(row["id"]))
        if key not in keys and not (period and period["reason"] == "RENEWAL"):
            yield (f"transaction {row['id']} charges {row['account']} for {row['product']} under "
                   f"the key {row['key']}, which no client used")
        if row["charged"] and row["type"] == "Non-Consumable":
            charged[row["account"], row["product"]].append(row)
    for (account, product), several in charged.items():
        for before, after in zip(several, several[1:]):
            revocation = case.revocations.get(str(before["id"]))
            if revocation is None or revocation["date"] > after["date"]:
                yield (f"{account} paid for {product} with transactions {before['id']} and "
                       f"{after['id']}, the first of which was not taken back before")


@rule("charge without entitlement")
def charge_without_entitlement(case):
    outcomes = collections.defaultdict(list)
    for one in case.of("buy"):
        outcomes[one.given["account"], one.given["key"]].append(one)
    history, restored = case.final("history"), case.final("restore", "fresh")
    for row in case.state["ledger"]:
        if row["kind"] != "purchase" or not row["charged"]:
            continue
        identifier, account = str(row["id"]), row["account"]
        told = outcomes[account, row["key"]]
        what = (f"transaction {identifier} ({account}, {row['product']}, key {row['key']}) "
                "is charged")
        # A purchase that was taken back is refused when it is asked for again.
        if told and all(one.outcome == "fail" and one.got.get("code") != "purchaseRevoked"
                        for one in told):
            yield f"{what}, but {told[-1]} was refused with {told[-1].got.get('code')}"
        if case.is_revoked(row):
            continue
        if account in history and identifier not in ids(history[account]):
            yield f"{what}, but the last {history[account]} lacks it"
        # Of a subscription the last period is restored.
        lasts = row["type"] in LASTING and case.last_periods.get(
            case.first(identifier), identifier) == identifier
        if account in restored and lasts and case.first(identifier) not in originals(
                restored[account]):
            yield f"{what}, but the last {restored[account]} lacks it"
        if identifier in case.finishes:
            continue
        device = row["device"].rpartition("-")[2]
        unfinished = case.final("unfinished", device).get(account)
        if unfinished and identifier not in ids(unfinished):
            yield f"{what} and not finished, but the last {unfinished} lacks it"


@rule("entitlement without charge")
def entitlement_without_charge(case):
    for one in case.ok("buy", "restore", "unfinished", "history", "info"):
        for seen in [one.got] if one.kind in ("buy", "info") else one.got["transactions"]:
            row = case.ledger.get(seen["id"])
            if row is None:
                if case.is_kept(one):
                    yield f"{one} gave transaction {seen['id']}, of which the ledger knows nothing"
                continue
            if row["account"] != one.given["account"]:
                yield f"{one} gave transaction {seen['id']} of {row['account']}"
            paid = case.ledger.get(case.taken(row))
            if paid is None or not paid["charged"]:
                yield f"{one} gave transaction {seen['id']}, for which nobody was charged"


@rule("wrong charge")
def wrong_charge(case):
    for one in case.ok("buy"):
        row = case.ledger.get(one.got["id"])
        if row is None:
            continue
        if row["charged"] not in (0, row["unit_price"] * row["quantity"]):
            yield f"{one} is charged {row['charged']} for {row['quantity']} at {row['unit_price']}"
        if row["charged"] and one.got["price"] != row["charged"]:
            yield f"{one} was told {one.got['price']}, and charged {row['charged']}"


@rule("period charged twice")
def period_doubled(case):
    known = {}
    for row in case.state["periods"]:
        if not row["is_paid"]:
            continue
        entry = case.ledger.get(str(row["id"]))
        if entry is None or case.is_revoked(entry):
            continue
        before = known.setdefault((row["original"], row["expires"]), row)
        if before is not row:
            yield (f"the periods {before['id']} and {row['id']} of subscription "
                   f"{row['original']} end at the same moment")


# Finishing and restoring


def ids(one):
    return {seen["id"] for seen in one.got["transactions"]}


def originals(one):
    return {seen["original"] for seen in one.got["transactions"]}


@rule("finished purchase unfinished again")
def finished_again(case):
    for one in case.ok("finish"):
        if one.given["transaction"] not in case.finishes and case.is_kept(one):
            yield f"{one} was acknowledged, and the store does not know of it"
    for one in case.ok("unfinished"):
        for identifier in ids(one):
            told = case.was_finished(identifier, one)
            if told:
                yield (f"{one} gives transaction {identifier}, whose finish was acknowledged at "
                       f"{told.end}")


@rule("unfinished purchase forgotten")
def unfinished_forgotten(case):
    for one in case.ok("unfinished"):
        given = ids(one)
        for identifier, (source, seen) in case.received.items():
            if (source.client, source.given["device"]) != (one.client, one.given["device"]):
                continue
            if case.knows(one, source) and identifier not in given and min(
                    case.finishes_begin[identifier],
                    case.refunds_begin[seen["original"]]) > one.end:
                yield f"{one} lacks transaction {identifier}, which {source} gave"


@rule("restore incomplete")
def restore_incomplete(case):
    bought = [(source, seen) for source, seen in case.received.values()
              if source.kind == "buy" and seen["id"] == seen["original"]]
    for one in case.ok("restore"):
        given = {seen["original"] for seen in one.got["transactions"]}
        for source, seen in bought:
            if source.client != one.client or not case.knows(one, source):
                continue
            row = case.ledger.get(seen["id"])
            if row is None or row["type"] not in LASTING or seen["id"] in given:
                continue
            if sum(case.first(str(period["id"])) == seen["id"] and period["is_paid"]
                   for period in case.state["periods"]) > 1:
                # Which one was its last period then is not known.
                continue
            if row["type"] == SUBSCRIPTION and not case.is_kept(one):
                # Nor what has become of it in the time that is lost.
                continue
            # A device does not restore what it has itself not finished.
            is_here = source.given["device"] == one.given["device"]
            if is_here and not case.was_finished(seen["id"], one):
                continue
            if case.refunds_begin[seen["id"]] > one.end:
                yield (f"{one} lacks {seen['product']}, transaction {seen['id']}, which {source} "
                       "gave")


# Refunds


@rule("refunded but entitled")
def refunded_but_entitled(case):
    for one in case.ok("restore", "unfinished", "download"):
        for identifier in (ids(one) if one.kind != "download" else [one.given["transaction"]]):
            row = case.ledger.get(identifier)
            if row is None:
                continue
            seen = case.was_revoked(case.taken(row), one)
            if seen and case.reversals_begin[case.first(identifier)] > one.end:
                yield f"{one} gives transaction {identifier}, which {seen} said is taken back"
            if one.given.get("final") and case.is_revoked(row):
                yield f"{one} gives transaction {identifier}, which is taken back"
    for one in case.ok("info", "history"):
        for seen in [one.got] if one.kind == "info" else last_of_each(one):
            before = case.was_revoked(seen["id"], one)
            if "revoked" not in seen and before and (
                    case.reversals_begin[case.first(seen["id"])] > one.end):
                yield f"{one} does not say any more what {before} said: that it is taken back"


def last_of_each(one):
    return {seen["id"]: seen for seen in one.got["transactions"]}.values()


@rule("refund lost")
def refund_lost(case):
    asked = collections.Counter(str(row["transaction_"]) for row in case.state["refunds"])
    for one in case.ok("refund"):
        if not asked[one.given["transaction"]] and case.is_kept(one):
            yield f"{one} was acknowledged, and the store does not know of it"
    for row in case.state["refunds"]:
        if row["outcome"] == "REFUNDED" and str(row["transaction_"]) not in case.revocations:
            yield (f"request {row['id']} was granted, and transaction {row['transaction_']} is not "
                   "taken back")
    for one in case.ok("reverse"):
        if one.given["transaction"] not in case.reversals and case.is_kept(one):
            yield f"{one} was acknowledged, and the store does not know of it"


@rule("money back twice")
def money_back_twice(case):
    granted = collections.defaultdict(list)
    for row in case.state["refunds"]:
        if row["outcome"] == "REFUNDED":
            granted[str(row["transaction_"])].append(row)
    for transaction, rows in granted.items():
        if len(rows) > 1:
            yield (f"transaction {transaction} was given back by the requests "
                   f"{', '.join(str(row['id']) for row in rows)}")
    for transaction, revocation in case.revocations.items():
        rows = granted[transaction]
        if not rows:
            yield f"transaction {transaction} is taken back, and nobody decided so"
        elif rows[0]["percentage"] != revocation["percentage"]:
            yield (f"of transaction {transaction} {revocation['percentage']} thousandths of a per "
                   f"cent were given back, and {rows[0]['percentage']} decided")


# The history that publishers' servers read


@rule("history skips or repeats")
def history_pages(case):
    reads = sorted(case.ok("history"), key=lambda one: one.begin)
    for one in reads:
        account, since = one.given["account"], one.given.get("since")
        given = ids(one)
        for identifier, (source, seen) in case.received.items():
            if source.kind == "buy" and source.given["account"] == account and (
                    seen["id"] == seen["original"] and case.knows(one, source)
                    and identifier not in given and (since is None or source.begin > since)):
                yield f"{one} skips transaction {identifier}, which {source} gave"
        shown = {}
        if since is not None:
            before = [read for read in reads
                      if read.given["account"] == account and read.end <= since]
            # Whoever has read what is lost is given everything.
            if not all(case.knows(one, read) for read in before[-1:]):
                before = []
            for read in before:
                shown.update({seen["id"]: standing(seen) for seen in read.got["transactions"]})
        if not case.is_whole(one):
            # Where a restore falls between two pages, the next one begins anew.
            continue
        for seen in one.got["transactions"]:
            is_back = case.reversals_begin[case.first(seen["id"])] < one.end
            if shown.get(seen["id"]) == standing(seen) and not is_back:
                yield f"{one} repeats transaction {seen['id']}, of which nothing has changed"
            shown[seen["id"]] = standing(seen)


@rule("change missed")
def change_missed(case):
    """Who only ever asks for what is new knows everything in the end."""
    for account, full in case.final("history").items():
        reads = sorted((one for one in case.ok("history")
                        if one.given["account"] == account and one is not full),
                       key=lambda one: one.begin)
        if not reads or reads[-1].given.get("since") is None or reads[-1].begin < full.begin:
            continue
        known = {}
        for read in reads:
            known.update({seen["id"]: seen.get("revoked") for seen in read.got["transactions"]})
        for seen in last_of_each(full):
            if seen["id"] not in ids(reads[-1]) and known.get(
                    seen["id"], "nothing") != seen.get("revoked"):
                yield (f"{reads[-1]} ends with {known.get(seen['id'], 'nothing')} known of "
                       f"transaction {seen['id']}, of which {full} says {seen.get('revoked')}")


def standing(seen):
    return seen.get("revoked"), seen.get("upgraded"), seen.get("expires")


# Notifications


@rule("nothing to tell was written down")
def notification_not_written(case):
    told = collections.Counter()
    for row in case.state["notifications"]:
        # Another product from the next period on is told of the running one.
        is_upgrade = (row["type"], row["subtype"]) == ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
        told["UPGRADE" if is_upgrade else row["type"], str(row["transaction_"])] += 1

    def expect(kinds, transaction, why, times=1):
        found = sum(told[kind, str(transaction)] for kind in kinds)
        if found != times:
            yield (f"{why} is told {found} times as {' or '.join(kinds)}, not {times}: "
                   f"transaction {transaction}")

    for row in case.state["ledger"]:
        if row["kind"] != "purchase":
            continue
        period = case.periods.get(str(row["id"]))
        if period is None and row["original"] is None:
            yield from expect(["ONE_TIME_CHARGE"], row["id"], "a purchase")
        elif period and period["is_paid"]:
            kinds = ["DID_RENEW"] if period["reason"] == "RENEWAL" else [
                "SUBSCRIBED", "UPGRADE"]
            yield from expect(kinds, row["id"], "a subscription's period")
    asked, declined = collections.Counter(), collections.Counter()
    for row in case.state["refunds"]:
        asked[row["transaction_"]] += 1
        declined[row["transaction_"]] += row["outcome"] == "DECLINED"
    for transaction, count in asked.items():
        yield from expect(["CONSUMPTION_REQUEST"], transaction, "a request for a refund", count)
        yield from expect(
            ["REFUND_DECLINED"], transaction, "a declined refund", declined[transaction])
    for transaction in case.revocations:
        yield from expect(["REFUND"], transaction, "a refund")
    for transaction in case.reversals:
        yield from expect(["REFUND_REVERSED"], transaction, "a refund that was taken back")


@rule("notification not delivered")
def notification_not_delivered(case):
    arrived = collections.defaultdict(list)
    for note in case.notes:
        if note["event"] == "notification":
            arrived[note["uuid"]].append(note)
    for row in case.state["notifications"]:
        notes = arrived.pop(row["uuid"], [])
        what = f"notification {row['id']} ({row['type']}, transaction {row['transaction_']})"
        if not any(note["taken"] for note in notes):
            yield (f"{what} has not arrived in {len(notes)} attempts; the store calls it "
                   f"{row['state']}")
        if row["state"] == "delivered" and not any(note["answered"] == 200 for note in notes):
            yield f"{what} is called delivered, and was never answered with success"
        if row["state"] == "failed" and (not row["tries"] or row["successes"]):
            yield (f"{what} is called failed after {row['tries']} attempts, "
                   f"{row['successes']} of them with success")
        for note in notes:
            if (note["type"], note["transaction"]) != (
                    row["type"], str(row["transaction_"]) if row["transaction_"] else None):
                yield f"{what} arrived as {note['type']} of transaction {note['transaction']}"
    for uuid, notes in arrived.items():
        if any(start < note.get("begin", note["time"]) and note["time"] < end
               for note in notes for start, end in case.line(math.inf)):
            yield (f"{notes[0]['type']} of transaction {notes[0]['transaction']} ({uuid}) arrived, "
                   "and the store knows nothing of it")


# Numbers, and what devices hear

#: What a number stands for, as long as it stands for anything.
NAMED = {
    "ledger": ("id", ["kind", "account", "product", "key", "date"]),
    "refunds": ("id", ["transaction_", "date"]),
    "notifications": ("id", ["uuid"]),
    "events": ("id", ["account", "kind", "product", "date"]),
}


@rule("number given twice")
def number_given_twice(case):
    states = [*case.lost, case.state]
    for table, (number, parts) in NAMED.items():
        known = {}
        for state in states:
            for row in state.get(table, []):
                what = tuple(row[part] for part in parts)
                before = known.setdefault(row[number], what)
                if before != what:
                    yield f"{table} {row[number]} was {before} before a restore, and is {what}"
                    known[row[number]] = what
    # A later change of a transaction gives it another revision, and the first one to nobody.
    known = {}
    for state in states:
        for row in state.get("history", []):
            place = row["account"], row["app"], row["revision"]
            before = known.setdefault(place, row["id"])
            if before != row["id"]:
                yield (f"revision {row['revision']} of account {row['account']} was transaction "
                       f"{before}'s before a restore, and is {row['id']}'s")
                known[place] = row["id"]


@rule("somebody else's taken")
def somebody_elses(case):
    for one in case.ok("finish", "info"):
        row = case.ledger.get(one.given["transaction"])
        known = case.received.get(one.given["transaction"])
        if row is not None and known is not None and (
                row["account"], row["product"]) != (one.given["account"], known[1]["product"]):
            yield (f"{one} was of {known[1]['product']}, and the ledger has {row['product']} of "
                   f"{row['account']} there")


@rule("event missed")
def event_missed(case):
    events = {row["id"]: row for row in case.state.get("events", [])}
    devices = collections.defaultdict(list)
    for one in sorted(case.ok("events"), key=lambda one: one.begin):
        devices[one.client, one.given["device"]].append(one)
    for heard in devices.values():
        told = {event["id"] for one in heard for event in one.got["events"]}
        for one in heard:
            yield from foreign_events(case, one, events)
            yield from lost_cursor(case, one)
        last = heard[-1]
        if not last.given.get("final"):
            continue
        for number, row in events.items():
            if number > heard[0].got["cursor"] and is_for(row, last) and number not in told:
                yield f"{last} and those before it lack event {number}, {row['kind']}"


def is_for(row, one):
    """Whether the event is for the one who asks."""
    if row["account"] is not None:
        return row["account"] == one.given["account"]
    return row["environment"].lower() == one.given["environment"]


def foreign_events(case, one, events):
    for event in one.got["events"]:
        row = events.get(event["id"])
        if row is None:
            if case.is_kept(one):
                yield f"{one} gave event {event['id']}, of which the store knows nothing"
        elif not is_for(row, one) or (event["kind"], event["product"]) != (
                row["kind"], row["product"]):
            yield f"{one} gave event {event}, which is another: {row}"


def lost_cursor(case, one):
    """Who knows an event that is lost is sent back."""
    after = one.given["after"]
    if after is None or not case.is_whole(one):
        return
    count = sum(restore.end < one.begin for restore in case.restores)
    *before, now = [{row["id"] for row in state.get("events", [])}
                    for state in [*case.lost, case.state][:count + 1]]
    if after not in now and any(after in lost for lost in before) and one.got["cursor"] >= after:
        yield f"{one} goes on behind event {after}, which is lost"


# Content, sessions, answers and the database itself


@rule("wrong digest")
def wrong_digest(case):
    for one in case.ok("download"):
        for expected, got in one.got["digests"].items():
            if expected != got:
                yield f"{one}: {expected} is {got}"
        files = case.contents.get(one.given["product"])
        if files is not None and one.got["files"] != files:
            yield f"{one} gave other files than were uploaded: {one.got['files']}"


@rule("refused without reason")
def refused_without_reason(case):
    # Clients offer the price, or less.
    prices = collections.Counter()
    offered = collections.defaultdict(set)
    for one in case.of("buy"):
        price = one.given["price"]["thousandths"]
        prices[one.given["product"]] = max(price, prices[one.given["product"]])
        offered[one.given["account"], one.given["key"]].add(price)
    for row in case.state["ledger"]:
        prices[row["product"]] = max(row["unit_price"], prices[row["product"]])
    for one in case.of("products", "buy", "restore", "unfinished", "history", "download"):
        if one.outcome != "fail":
            continue
        code = one.got.get("code")
        if one.kind in ("history", "download") and case.may_be_lost(one):
            continue
        if not case.is_whole(one):
            # One page was the lost store's, the next one is another's.
            continue
        if one.kind == "buy":
            # A key that was refused once stays so.
            is_wrong = offered[one.given["account"], one.given["key"]] != {
                prices[one.given["product"]]}
            if code == "purchaseRevoked" or code == "priceChanged" and is_wrong:
                continue
        if one.kind == "download" and case.refunds_begin[
                case.first(one.given["transaction"])] < one.end:
            continue
        yield f"{one} was refused with {code}"


@rule("session lost")
def session_lost(case):
    begun = collections.defaultdict(list)
    for one in case.ok("sign in"):
        begun[one.client, one.given["device"]].append(one)
    for one in case.operations:
        if one.outcome != "fail" or one.got.get("code") != "notSignedIn":
            continue
        before = [other for other in begun[one.client, one.given.get("device")]
                  if other.end < one.begin]
        if before and case.knows(one, before[-1]):
            yield f"{one} was refused, though {one.client} is signed in"


@rule("no answer though all is well")
def silence(case):
    for one in case.operations:
        if one.given.get("final") and one.outcome == "unknown":
            yield f"{one} has no outcome: {one.got.get('reason')}"


@rule("database")
def database(case):
    yield from case.state["complaints"]
    for table, rows in [("finish", case.finishes), ("revocation", case.revocations),
                        ("period", case.periods)]:
        for identifier in rows:
            if identifier not in case.ledger:
                yield f"a {table} is of transaction {identifier}, which the ledger lacks"
    for row in case.state["ledger"]:
        first = case.ledger.get(str(row["original"]))
        if row["original"] and (first is None or first["account"] != row["account"]):
            yield (f"transaction {row['id']} belongs to {row['original']}, which is another "
                   "account's")
    for identifier in case.reversals:
        if identifier not in case.revocations:
            yield f"a refund of transaction {identifier} was taken back that never was"
