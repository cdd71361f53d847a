"""Customers who seem to be one person: found by document, by name and date of birth, and by bank account; never merged.

Each pair names both ids, says what is alike, and where the two were treated differently: another level, another decision, or a
rejection of one before the other came.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.triage.likeness import DIFFERENT
from kycpack.triage.names import compare_names
from kycpack.triage.session_observations import number_form

COLUMNS = (
    "customer_id", "other_customer_id", "strength", "grounds", "level", "other_level", "outcome", "other_outcome",
    "conflict", "returned", "sentence",
)  # fmt: skip
"""The columns of the frame."""

NEEDED = ("customers", "documents", "accounts", "recommendations")
"""The frames that are compared."""

DOCUMENT, PERSON, ACCOUNT = "document", "name and date of birth", "bank account"
LARGEST_GROUP = 400
"""Customers with one date of birth whose names are compared pair by pair; a larger group is a placeholder's."""

_SHORTEST_ACCOUNT = 6  # digits of an account number that is not masked
_MASKS = frozenset("*•·")


@dataclass(frozen=True, slots=True)
class PastDecision:
    """What was decided on a customer last.

    Attributes:
        outcome: approve, hold, escalate or reject.
        decided_at: When, ISO 8601 UTC.
    """

    outcome: str
    decided_at: str


@dataclass(frozen=True)
class Duplicates:
    """What was found.

    Attributes:
        pairs: One row a pair, the strongest first: the columns of `COLUMNS`.
        not_compared: Dates of birth that too many customers share; their names were compared by equality only.
    """

    pairs: pd.DataFrame
    not_compared: tuple[dt.date, ...] = field(default=())


def find_duplicates(
    frames: Mapping[str, pd.DataFrame], decisions: Mapping[str, PastDecision] | None = None
) -> Duplicates:
    """Return the pairs of customers who seem to be one person.

    A shared document is a strong ground; so are two grounds together. Name and date of birth alone are a possible one. A shared
    bank account counts beside a name or a date of birth only: people hold accounts jointly.

    Args:
        frames: The frames in `NEEDED` by name, of many customers.
        decisions: What was decided on customers before, by id.

    Returns:
        The pairs, each once, with the smaller id first.
    """
    grounds: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in _pairs(_documents(frames["documents"])):
        grounds[pair].add(DOCUMENT)
    people, crowded = _people(frames["customers"])
    for pair in people:
        grounds[pair].add(PERSON)
    known = _known(frames["customers"])
    for pair in _pairs(_accounts(frames["accounts"])):
        if pair in grounds or _alike(known, *pair):
            grounds[pair].add(ACCOUNT)
    levels = {
        str(row.customer_id): str(row.level)
        for row in rows(frames["recommendations"], "customer_id", "level")
    }
    created = {
        str(row.customer_id): "" if pd.isna(row.created_at) else pd.Timestamp(row.created_at).isoformat()
        for row in rows(frames["customers"], "customer_id", "created_at")
    }
    found = [_row(pair, why, levels, decisions or {}, created) for pair, why in grounds.items()]
    found.sort(key=lambda row: (row["strength"] != "strong", row["customer_id"], row["other_customer_id"]))
    return Duplicates(pd.DataFrame(found, columns=list(COLUMNS)), crowded)


def _row(
    pair: tuple[str, str],
    why: set[str],
    levels: Mapping[str, str],
    decisions: Mapping[str, PastDecision],
    created: Mapping[str, str],
) -> dict[str, Any]:
    one, other = pair
    named = [ground for ground in (DOCUMENT, PERSON, ACCOUNT) if ground in why]
    outcomes = [decisions[each].outcome if each in decisions else None for each in pair]
    known_levels = [levels.get(each) for each in pair]
    returned = _returned(pair, decisions, created)
    conflicts = []
    if None not in known_levels and known_levels[0] != known_levels[1]:
        conflicts.append(f"recommended {known_levels[0]} and {known_levels[1]}")
    if None not in outcomes and outcomes[0] != outcomes[1]:
        conflicts.append(f"decided {outcomes[0]} and {outcomes[1]}")
    sentence = f"Customers {one} and {other} have the same {' and the same '.join(named)}"
    if conflicts:
        sentence += f"; {', '.join(conflicts)}"
    if returned:
        sentence += f"; {returned} came after the other was rejected"
    return {
        "customer_id": one,
        "other_customer_id": other,
        "strength": "strong" if DOCUMENT in why or len(why) > 1 else "possible",
        "grounds": ", ".join(named),
        "level": known_levels[0],
        "other_level": known_levels[1],
        "outcome": outcomes[0],
        "other_outcome": outcomes[1],
        "conflict": ", ".join(conflicts),
        "returned": returned,
        "sentence": f"{sentence}.",
    }


def _returned(
    pair: tuple[str, str], decisions: Mapping[str, PastDecision], created: Mapping[str, str]
) -> str:
    """Return the customer who came after the other one was rejected; empty where neither did."""
    for rejected, other in (pair, pair[::-1]):
        past = decisions.get(rejected)
        if past is None or past.outcome != "reject" or not created.get(other):
            continue
        if dt.datetime.fromisoformat(created[other]) > dt.datetime.fromisoformat(past.decided_at):
            return other
    return ""


def _documents(documents: pd.DataFrame) -> Iterator[tuple[Any, str]]:
    wanted = ("customer_id", "kind", "issuing_country", "document_number")
    for row in rows(documents, *wanted):
        number = "" if pd.isna(row.document_number) else str(row.document_number)
        if row.kind != "identity" or _MASKS & set(number) or number_form(number) != "plausible":
            continue
        plain = "".join(character for character in number.upper() if character.isalnum())
        country = "" if pd.isna(row.issuing_country) else str(row.issuing_country).strip().upper()[:2]
        yield (country, plain), str(row.customer_id)


def _accounts(accounts: pd.DataFrame) -> Iterator[tuple[Any, str]]:
    for row in rows(accounts, "customer_id", "sort_code", "account_number"):
        number = "" if pd.isna(row.account_number) else str(row.account_number)
        plain = "".join(character for character in number.upper() if character.isalnum())
        if _MASKS & set(number) or sum(map(str.isdigit, plain)) < _SHORTEST_ACCOUNT:
            continue
        sort_code = "" if pd.isna(row.sort_code) else "".join(filter(str.isdigit, str(row.sort_code)))
        yield (sort_code, plain), str(row.customer_id)


def _pairs(keyed: Iterable[tuple[Any, str]]) -> Iterator[tuple[str, str]]:
    groups: dict[Any, set[str]] = defaultdict(set)
    for key, customer_id in keyed:
        groups[key].add(customer_id)
    for group in groups.values():
        yield from combinations(sorted(group), 2)


def _people(customers: pd.DataFrame) -> tuple[list[tuple[str, str]], tuple[dt.date, ...]]:
    """Return the pairs with one date of birth and like names, and the dates too many customers share."""
    born: dict[dt.date, list[tuple[str, str]]] = defaultdict(list)
    for customer_id, (name, day) in _known(customers).items():
        if day is not None and name:
            born[day].append((customer_id, name))
    pairs: list[tuple[str, str]] = []
    crowded = []
    for day, people in born.items():
        if len(people) > LARGEST_GROUP:
            crowded.append(day)
            same = _pairs((" ".join(sorted(name.casefold().split())), who) for who, name in people)
            pairs += list(same)
            continue
        pairs += [
            (one, other)
            for (one, name), (other, other_name) in combinations(sorted(people), 2)
            if _like(name, other_name)
        ]
    return pairs, tuple(sorted(crowded))


def _known(customers: pd.DataFrame) -> dict[str, tuple[str, dt.date | None]]:
    wanted = ("customer_id", "first_name", "last_name", "date_of_birth_on")
    return {
        str(row.customer_id): (
            " ".join(str(part) for part in (row.first_name, row.last_name) if not pd.isna(part)),
            None if pd.isna(row.date_of_birth_on) else pd.Timestamp(row.date_of_birth_on).date(),
        )
        for row in rows(customers, *wanted)
    }


def _alike(known: Mapping[str, tuple[str, dt.date | None]], one: str, other: str) -> bool:
    """Return whether two holders of one account may be one person: like names, or one date of birth."""
    (name, day), (other_name, other_day) = known.get(one, ("", None)), known.get(other, ("", None))
    if day is not None and other_day is not None:
        return day == other_day
    return bool(name and other_name) and _like(name, other_name)


def _like(name: str, other: str) -> bool:
    return compare_names(name, other).verdict != DIFFERENT
