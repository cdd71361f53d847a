"""Finds customers who seem to be the same person, across a workspace, by keyed digests instead of names and numbers."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any

import pandas as pd
from sqlalchemy import Connection, delete, or_, select

from kycpack.storage.scratch import Scratch
from kycpack.storage.transactions import upsert
from kycpack.triage.customers.duplicates import (
    ACCOUNT,
    DOCUMENT,
    LIKE_NAME,
    PERSON,
    IdentityKey,
    PastDecision,
    identity_keys,
    like_name_keys,
    like_people,
    may_share_account,
    pairs_of,
    people,
)
from kycpack.triage.customers.same_person import (
    CHECKS,
    SeenCustomer,
    both_ways,
    same_person,
    seen_customers,
    shared_documents,
)
from kycpack.triage.likeness import KINDS as LIKENESSES
from kycpack.triage.likeness import PARTICLE
from kycpack.triage.names.name_forms import NameForm, are_compared
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.rows import portions, put_row, read_json, stored_secret
from kycpack.workspace.schema import alike_customers, cases, identity_marks, ledger_payloads

NEEDED = {
    "customers": ("customer_id", "first_name", "last_name", "date_of_birth_on", "created_at"),
    "documents": (
        "customer_id",
        "session_id",
        "kind",
        "issuing_country",
        "holder_nationality",
        "document_number",
    ),
    "accounts": ("customer_id", "sort_code", "account_number"),
    "results": ("customer_id", *CHECKS),
}
"""The frames that identities are learned from, and their columns: of many customers, the others would fill the memory."""

_TOGETHER = 500
"""How many customers' pairs are written together."""
_SECRET = "document_secret"  # noqa: S105 - the name of a row
_TABLES = (
    "CREATE TABLE keys (kind TEXT, value TEXT, customer_id TEXT, PRIMARY KEY (kind, value, customer_id)) WITHOUT ROWID",
    "CREATE TABLE people (customer_id TEXT PRIMARY KEY, name TEXT, day TEXT) WITHOUT ROWID",
    "CREATE TABLE pairs (one TEXT, other TEXT, kind TEXT, kinds TEXT, PRIMARY KEY (one, other, kind)) WITHOUT ROWID",
)
"""What customers are compared by, in a temporary file, since those of a run may be many."""


def learn_identities(workspace: Workspace, parts: Iterable[Mapping[str, pd.DataFrame]]) -> None:
    """Store what customers can be recognised by, as digests that only this workspace can make, and which customers are similar.

    Each part is stored in a transaction of its own, so that others can write in between.

    Args:
        workspace: The open workspace.
        parts: The frames in `NEEDED` by name, for some customers at a time; all are compared with each other. They replace what
            was stored earlier for the same records and sessions.
    """
    seen = Scratch(*_TABLES)
    for frames in parts:
        with workspace.transaction() as connection:
            secret = bytes.fromhex(stored_secret(connection, _SECRET, secrets.token_hex(32)))
            _keep_marks(connection, secret, frames)
        _take_in(seen, frames)
    _find_pairs(seen)
    ids = (name for (name,) in seen.rows("SELECT customer_id FROM people ORDER BY customer_id"))
    for some in portions(ids, _TOGETHER):
        with workspace.transaction() as connection:
            _keep_pairs(connection, seen, some)


def _take_in(seen: Scratch, frames: Mapping[str, pd.DataFrame]) -> None:
    """Keep what customers are compared by."""
    keys = [(key, customer_id) for customer_id, own in identity_keys(frames).items() for key in own]
    values = [(DOCUMENT, key.value, who) for key, who in keys if key.kind == DOCUMENT]
    values += [(ACCOUNT, key.value[:2], who) for key, who in keys if key.kind == ACCOUNT]
    rows = ((kind, json.dumps(value), who) for kind, value, who in values)
    seen.write("INSERT OR IGNORE INTO keys VALUES (?, ?, ?)", rows)
    seen.write("REPLACE INTO people VALUES (?, ?, ?)", people(frames["customers"]))


def _find_pairs(seen: Scratch) -> None:
    """Keep the pairs who seem to be the same person: those of `same_grounds`, one key or date of birth at a time."""
    of_keys = "SELECT value, customer_id FROM keys WHERE kind = ? ORDER BY value, customer_id"
    put = "INSERT OR IGNORE INTO pairs VALUES (?, ?, ?, ?)"
    for _, group in groupby(seen.rows(of_keys, (DOCUMENT,)), key=itemgetter(0)):
        seen.write(put, ((*pair, DOCUMENT, "[]") for pair in pairs_of(group)))
    born = seen.rows("SELECT day, customer_id, name FROM people WHERE day <> '' ORDER BY day")
    for day, group in groupby(born, key=itemgetter(0)):
        alike, _ = like_people({customer_id: (name, day) for _, customer_id, name in group})
        seen.write(put, ((*pair, PERSON, json.dumps(kinds)) for pair, kinds in alike.items()))
    for _, group in groupby(seen.rows(of_keys, (ACCOUNT,)), key=itemgetter(0)):
        pairs = [pair for pair in pairs_of(group) if _is_pair(seen, *pair) or _may_share_account(seen, *pair)]
        seen.write(put, ((*pair, ACCOUNT, "[]") for pair in pairs))


def _is_pair(seen: Scratch, one: str, other: str) -> bool:
    return seen.value("SELECT 1 FROM pairs WHERE one = ? AND other = ?", (one, other)) is not None


def _may_share_account(seen: Scratch, one: str, other: str) -> bool:
    rows = seen.rows("SELECT * FROM people WHERE customer_id IN (?, ?)", (one, other))
    return may_share_account({customer_id: (name, day) for customer_id, name, day in rows}, one, other)


def _keep_marks(connection: Connection, secret: bytes, frames: Mapping[str, pd.DataFrame]) -> None:
    """Store the marks of the customers in some frames, in place of the earlier ones."""
    keys, forms = identity_keys(frames), like_name_keys(frames["customers"])
    for customer_id, one in seen_customers(frames).items():
        own = keys.get(customer_id, [])
        sessions = {key.session_id for key in own if key.kind == DOCUMENT}
        shown_again = (identity_marks.c.kind == DOCUMENT) & identity_marks.c.session_id.in_(sessions)
        of_names = (identity_marks.c.kind == PERSON) | identity_marks.c.kind.startswith(
            LIKE_NAME, autoescape=True
        )
        connection.execute(
            delete(identity_marks).where(
                identity_marks.c.customer_id == customer_id, or_(of_names, shown_again)
            )
        )
        marks = [
            {
                "kind": _written(key),
                "mark": _mark(secret, key.kind, key.value),
                "customer_id": customer_id,
                "session_id": key.session_id,
            }
            for key in (*own, *forms.get(customer_id, ()))
        ]
        if marks:
            connection.execute(upsert(connection, identity_marks).on_conflict_do_nothing(), marks)
        put_row(connection, schema.seen_customers, {"customer_id": customer_id, **asdict(one)})


def _keep_pairs(connection: Connection, seen: Scratch, customer_ids: Sequence[str]) -> None:
    """Store the pairs of some customers, in order, with those after them; a digest of a name only shows equality.

    Earlier pairs of customers who were both compared now are removed if they are no longer similar.
    """
    table = alike_customers
    held = connection.execute(select(table).where(table.c.customer_id.in_(customer_ids))).all()
    for row in held:
        pair = (row.customer_id, row.other_customer_id)
        is_compared = seen.value("SELECT 1 FROM people WHERE customer_id = ?", pair[1:]) is not None
        if is_compared and not _is_pair(seen, *pair):
            is_row = (table.c.customer_id == pair[0]) & (table.c.other_customer_id == pair[1])
            connection.execute(delete(table).where(is_row))
    first_to_last = "SELECT * FROM pairs WHERE one BETWEEN ? AND ? ORDER BY one, other"
    found = seen.rows(first_to_last, (customer_ids[0], customer_ids[-1]))
    for (one, other), grounds in groupby(found, key=itemgetter(0, 1)):
        said = json.dumps({kind: json.loads(kinds) for _, _, kind, kinds in grounds}, sort_keys=True)
        put_row(connection, table, {"customer_id": one, "other_customer_id": other, "grounds": said})


def shared_by(connection: Connection, customer_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the register's entry of shared documents, as from `shared_documents`, for those of the customers who share one."""
    wanted = set(customer_ids)
    known: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for row in _marks_of(connection, wanted, [DOCUMENT]):
        known.setdefault(str(row.customer_id), []).append(((str(row.mark),), str(row.session_id)))
    return {one: entry for one, entry in shared_documents([known]).items() if one in wanted}


def same_person_of(connection: Connection, customer_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the register's `same_person` entry for those of the customers who seem to be the same person as another customer."""
    wanted = set(customer_ids)
    pairs = list(_pairs(connection, wanted))
    people = {customer_id for pair in pairs for customer_id in pair[:2]}
    seen, decisions = _seen(connection, people), past_decisions(connection, people)
    grounds = both_ways(pairs)
    found = {one: same_person(one, grounds[one], seen, decisions) for one in sorted(wanted & grounds.keys())}
    return {one: body for one, body in found.items() if body is not None}


def _pairs(connection: Connection, wanted: set[str]) -> Iterator[tuple[str, str, str, Sequence[str]]]:
    """Yield the pairs that include one of the customers: both ids, the kind of key, and the kinds of difference.

    An account counts only together with a document, a similar name, or a date of birth, which is part of its key if known.
    """
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    forms: dict[str, dict[str, NameForm]] = defaultdict(dict)
    for row in _marks_of(connection, wanted):
        customer_id, mark = str(row.customer_id), str(row.mark)
        form = _form(str(row.kind))
        if form is None:
            holders[str(row.kind), mark].add(customer_id)
        else:
            forms[mark][customer_id] = form
    for (kind, _), group in holders.items():
        for mine in group & wanted:
            for other in group - {mine}:
                yield mine, other, kind, ()
    for (mine, other), kinds in _like_names(forms.values(), wanted).items():
        yield mine, other, PERSON, kinds
    for some in portions(sorted(wanted), 250):  # each id is a value of the query twice
        either = alike_customers.c.customer_id.in_(some) | alike_customers.c.other_customer_id.in_(some)
        for row in connection.execute(select(alike_customers).where(either)):
            for kind, kinds in read_json(row.grounds, "grounds").items():
                yield row.customer_id, row.other_customer_id, kind, kinds


def _like_names(
    groups: Iterable[Mapping[str, NameForm]], wanted: set[str]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the pairs that include one of the customers and share a form of the name, with the smallest set of kinds of difference."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for group in groups:
        for one, other in combinations(sorted(group), 2):
            if {one, other} & wanted and are_compared(group[one], group[other]):
                together = {*group[one].kinds, *group[other].kinds}
                if len(together) > 1:
                    together.discard(PARTICLE)  # for a whole name: only the order, or particles, differ
                kinds = tuple(kind for kind in LIKENESSES if kind in together)
                best = found.get((one, other))
                if best is None or _rank(kinds) < _rank(best):
                    found[one, other] = kinds
    return found


def _rank(kinds: Sequence[str]) -> tuple[int, list[int]]:
    return len(kinds), [LIKENESSES.index(kind) for kind in kinds]


def _written(key: IdentityKey) -> str:
    """Return the stored kind of a key; for a form of a name, with the kinds of difference and whether it is the whole name."""
    if key.form is None:
        return key.kind
    return ":".join((key.kind, "whole" if key.form.whole else "part", *key.form.kinds))


def _form(written: str) -> NameForm | None:
    """Return the form of a name that a stored kind describes, without its value; None for other kinds."""
    kind, *rest = written.split(":")
    return NameForm(tuple(rest[1:]), whole=rest[0] == "whole", value=()) if kind == LIKE_NAME else None


def _marks_of(connection: Connection, wanted: set[str], kinds: Sequence[str] = ()) -> Iterator[Any]:
    """Yield the marks of some customers and the equal marks of others; of all kinds if none is given."""
    for some in portions(sorted(wanted)):
        mine = select(identity_marks.c.mark).where(identity_marks.c.customer_id.in_(some))
        mine = mine.where(identity_marks.c.kind.in_(kinds)) if kinds else mine
        yield from connection.execute(select(identity_marks).where(identity_marks.c.mark.in_(mine)))


def _seen(connection: Connection, people: set[str]) -> dict[str, SeenCustomer]:
    table = schema.seen_customers
    return {
        row.customer_id: SeenCustomer(row.created_at, row.checks)
        for some in portions(sorted(people))
        for row in connection.execute(select(table).where(table.c.customer_id.in_(some)))
    }


def past_decisions(
    connection: Connection, customer_ids: Iterable[str] | None = None
) -> dict[str, PastDecision]:
    """Return the last decision about each customer, made by one person alone or approved by a second person.

    A decision counts even if its case was reopened later: that somebody was rejected remains true.

    Args:
        connection: A connection to the workspace.
        customer_ids: The customers; all if None.
    """
    query = (
        select(cases.c.customer_id, ledger_payloads.c.payload)
        .join(cases, cases.c.case_id == ledger_payloads.c.case_id)
        .where(ledger_payloads.c.kind.in_(["case.decided", "case.approved"]))
        .order_by(ledger_payloads.c.seq)
    )
    if customer_ids is None:
        parts = [query]
    else:
        parts = [query.where(cases.c.customer_id.in_(some)) for some in portions(sorted(set(customer_ids)))]
    found = {}
    for part in parts:
        for customer_id, text in connection.execute(part):
            entry = read_json(text, "payload")
            if entry["data"]["state"] == "closed":
                found[str(customer_id)] = PastDecision(entry["data"]["outcome"], entry["at"])
    return found


def _mark(secret: bytes, kind: str, value: Sequence[str]) -> str:
    # A document's mark depends only on its value, so that marks of earlier versions still match.
    said = json.dumps(list(value) if kind == DOCUMENT else [kind, *value])
    return hmac.new(secret, said.encode(), hashlib.sha256).hexdigest()
