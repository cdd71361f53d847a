"""Finds customers who seem to be the same person, by document, by name and date of birth, and by bank account. They are never merged.

Each customer has keys by which they can be recognised. Each pair of customers names both ids, says what they have in common, and
where the two were treated differently: another level, another decision, or one was rejected before the other applied.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.triage.countries import country_code
from kycpack.triage.likeness import DIFFERENT, WORDS
from kycpack.triage.names.name_forms import NameForm, name_forms
from kycpack.triage.names.person_names import compare_names, read_name
from kycpack.triage.results.identity_documents import letters_of, number_form

DOCUMENT, PERSON, ACCOUNT = "document", "name and date of birth", "bank account"
KINDS = (DOCUMENT, PERSON, ACCOUNT)
"""The kinds of keys, the strongest first, in the words of a finding."""

LIKE_NAME = "like name and date of birth"
"""A form that similar names share, with a date of birth."""

_SHORTEST_ACCOUNT = 6  # digits of an account number that is not masked
_MASKS = frozenset("*•·")

COLUMNS = (
    "customer_id", "other_customer_id", "strength", "grounds", "level", "other_level", "outcome", "other_outcome",
    "conflict", "returned", "sentence",
)  # fmt: skip
"""The columns of the frame."""

NEEDED = ("customers", "documents", "accounts", "recommendations")
"""The frames that are compared."""

LARGEST_GROUP = 400
"""Largest number of customers with one date of birth whose names are compared in pairs; a larger group shares a placeholder."""


@dataclass(frozen=True, slots=True)
class PastDecision:
    """The last decision about a customer.

    Attributes:
        outcome: approve, hold, escalate or reject.
        decided_at: When, ISO 8601 UTC.
    """

    outcome: str
    decided_at: str


@dataclass(frozen=True)
class SamePersonPairs:
    """What was found.

    Attributes:
        pairs: One row per pair, the strongest first, with the columns in `COLUMNS`.
        not_compared: Dates of birth that too many customers share; their names were compared by equality only.
    """

    pairs: pd.DataFrame
    not_compared: tuple[dt.date, ...] = field(default=())


def find_duplicates(
    frames: Mapping[str, pd.DataFrame], decisions: Mapping[str, PastDecision] | None = None
) -> SamePersonPairs:
    """Return the pairs of customers who seem to be the same person.

    A shared document is strong evidence, and so are two grounds together. Name and date of birth alone make it possible. A shared
    bank account counts only together with a name or a date of birth, since accounts may be held jointly.

    Args:
        frames: The frames in `NEEDED` by name, for many customers.
        decisions: Earlier decisions about customers, by id.

    Returns:
        Each pair once, the smaller id first.
    """
    pairs, crowded = same_grounds(frames)
    levels = {
        str(row.customer_id): str(row.level)
        for row in rows(frames["recommendations"], "customer_id", "level")
    }
    created = {
        str(row.customer_id): "" if pd.isna(row.created_at) else pd.Timestamp(row.created_at).isoformat()
        for row in rows(frames["customers"], "customer_id", "created_at")
    }
    found = [_row(pair, why, levels, decisions or {}, created) for pair, why in pairs.items()]
    found.sort(key=lambda row: (row["strength"] != "strong", row["customer_id"], row["other_customer_id"]))
    return SamePersonPairs(pd.DataFrame(found, columns=list(COLUMNS)), crowded)


def same_grounds(
    frames: Mapping[str, pd.DataFrame],
) -> tuple[dict[tuple[str, str], dict[str, tuple[str, ...]]], tuple[dt.date, ...]]:
    """Return why two customers seem to be the same person, by pair.

    Args:
        frames: The frames `customers`, `documents` and `accounts` by name, for many customers.

    Returns:
        The grounds by pair, the smaller id first, each with the kinds of difference between the names (none if they are equal); and
        the dates of birth that too many customers share.
    """
    grounds: dict[tuple[str, str], dict[str, tuple[str, ...]]] = defaultdict(dict)
    keys = [(key, customer_id) for customer_id, own in identity_keys(frames).items() for key in own]
    for pair in pairs_of((key.value, who) for key, who in keys if key.kind == DOCUMENT):
        grounds[pair][DOCUMENT] = ()
    known = {customer_id: (name, day) for customer_id, name, day in people(frames["customers"])}
    alike, crowded = like_people(known)
    for pair, kinds in alike.items():
        grounds[pair][PERSON] = kinds
    for pair in pairs_of((key.value[:2], who) for key, who in keys if key.kind == ACCOUNT):
        if pair in grounds or may_share_account(known, *pair):
            grounds[pair][ACCOUNT] = ()
    return grounds, crowded


def ground_words(grounds: Mapping[str, Sequence[str]]) -> str:
    """Describe what two customers have in common, as in `the same identity document and the same bank account`.

    Args:
        grounds: The kinds of keys, each with the kinds of difference between the names.
    """
    said = []
    for ground in KINDS:
        if ground not in grounds:
            continue
        kinds = [WORDS[kind] for kind in grounds[ground] if kind in WORDS]
        if kinds:
            said.append(f"the same date of birth and like names ({'; '.join(kinds)})")
        else:
            said.append(f"the same {'identity document' if ground == DOCUMENT else ground}")
    return " and ".join(said)


def _row(
    pair: tuple[str, str],
    why: Mapping[str, Sequence[str]],
    levels: Mapping[str, str],
    decisions: Mapping[str, PastDecision],
    created: Mapping[str, str],
) -> dict[str, Any]:
    one, other = pair
    named = [ground for ground in KINDS if ground in why]
    outcomes = [decisions[each].outcome if each in decisions else None for each in pair]
    known_levels = [levels.get(each) for each in pair]
    returned = _returned(pair, decisions, created)
    conflict = ", ".join(
        f"{what} {mine} and {theirs}"
        for what, (mine, theirs) in (("recommended", known_levels), ("decided", outcomes))
        if None not in {mine, theirs} and mine != theirs
    )
    parts = (
        f"Customers {one} and {other} have {ground_words(why)}",
        conflict,
        f"{returned} came after the other was rejected" if returned else "",
    )
    return {
        "customer_id": one,
        "other_customer_id": other,
        "strength": "strong" if DOCUMENT in why or len(why) > 1 else "possible",
        "grounds": ", ".join(named),
        "level": known_levels[0],
        "other_level": known_levels[1],
        "outcome": outcomes[0],
        "other_outcome": outcomes[1],
        "conflict": conflict,
        "returned": returned,
        "sentence": f"{'; '.join(filter(None, parts))}.",
    }


def _returned(
    pair: tuple[str, str], decisions: Mapping[str, PastDecision], created: Mapping[str, str]
) -> str:
    """Return the customer who applied after the other one was rejected; empty if neither did."""
    for rejected, other in (pair, pair[::-1]):
        past = decisions.get(rejected)
        if past is None or past.outcome != "reject" or not created.get(other):
            continue
        if dt.datetime.fromisoformat(created[other]) > dt.datetime.fromisoformat(past.decided_at):
            return other
    return ""


def pairs_of(keyed: Iterable[tuple[Any, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of customers with an equal key, the smaller id first."""
    groups: dict[Any, set[str]] = defaultdict(set)
    for key, customer_id in keyed:
        groups[key].add(customer_id)
    for group in groups.values():
        yield from combinations(sorted(group), 2)


def like_people(
    known: Mapping[str, tuple[str, str]],
) -> tuple[dict[tuple[str, str], tuple[str, ...]], tuple[dt.date, ...]]:
    """Return the pairs with the same date of birth and similar names, each with the kinds of difference, and the dates that too many customers share."""
    born: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for customer_id, (name, day) in known.items():
        if day and name:
            born[day].append((customer_id, name))
    pairs: dict[tuple[str, str], tuple[str, ...]] = {}
    crowded = []
    for day, group in born.items():
        if len(group) > LARGEST_GROUP:
            crowded.append(dt.date.fromisoformat(day))
            same = pairs_of((" ".join(sorted(name.casefold().split())), who) for who, name in group)
            pairs |= dict.fromkeys(same, ())
            continue
        for (one, name), (other, other_name) in combinations(sorted(group), 2):
            found = compare_names(name, other_name)
            if found.verdict != DIFFERENT:
                pairs[one, other] = found.kinds
    return pairs, tuple(sorted(crowded))


def may_share_account(known: Mapping[str, tuple[str, str]], one: str, other: str) -> bool:
    """Return whether two holders of an account may be the same person: similar names, or the same date of birth."""
    (name, day), (other_name, other_day) = known.get(one, ("", "")), known.get(other, ("", ""))
    if day and other_day:
        return day == other_day
    return bool(name and other_name) and compare_names(name, other_name).verdict != DIFFERENT


@dataclass(frozen=True, slots=True)
class IdentityKey:
    """One detail by which a customer can be recognised.

    Attributes:
        kind: One of `KINDS`, or `LIKE_NAME`.
        value: A document's country and number; a date of birth and the words of a name; an account's sort code, its number and
            the holder's date of birth, which distinguishes the holders of a joint account.
        session_id: The session that shows the document; empty for the other kinds.
        form: For a similar name, the form that the value contains.
    """

    kind: str
    value: tuple[str, ...]
    session_id: str = ""
    form: NameForm | None = None


def identity_keys(frames: Mapping[str, pd.DataFrame]) -> dict[str, list[IdentityKey]]:
    """Return the keys by which each customer can be recognised.

    Args:
        frames: The frames `customers`, `documents` and `accounts` by name, of one customer or of many. Masked numbers and placeholders such as `000000000`
            are left out.
    """
    found: dict[str, list[IdentityKey]] = {}
    for customer_id, key in (*_documents(frames["documents"]), *_people_and_accounts(frames)):
        found.setdefault(customer_id, []).append(key)
    return found


def like_name_keys(customers: pd.DataFrame) -> dict[str, list[IdentityKey]]:
    """Return the forms of each customer's name that similar names share, with the date of birth; empty if that is not known.

    Args:
        customers: The frame of customers.
    """
    return {
        customer_id: [IdentityKey(LIKE_NAME, (day, *form.value), form=form) for form in name_forms(name)]
        for customer_id, name, day in people(customers)
        if day
    }


def _documents(documents: pd.DataFrame) -> Iterator[tuple[str, IdentityKey]]:
    wanted = ("customer_id", "session_id", "kind", "issuing_country", "holder_nationality", "document_number")
    for row in rows(documents, *wanted):
        number = "" if pd.isna(row.document_number) else str(row.document_number)
        if row.kind != "identity" or _MASKS & set(number) or number_form(number) != "plausible":
            continue
        # A document that does not name its country is most likely of that of which its holder is a national.
        named = (row.issuing_country, row.holder_nationality)
        country = next((code for one in named if not pd.isna(one) and (code := country_code(str(one)))), "")
        yield str(row.customer_id), IdentityKey(DOCUMENT, (country, letters_of(number)), str(row.session_id))


def _people_and_accounts(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, IdentityKey]]:
    born: dict[str, str] = {}
    for customer_id, name, day in people(frames["customers"]):
        born[customer_id] = day
        words = sorted({word.text for word in read_name(name).words})
        if day and words:
            yield customer_id, IdentityKey(PERSON, (day, *words))
    for row in rows(frames["accounts"], "customer_id", "sort_code", "account_number"):
        number = "" if pd.isna(row.account_number) else str(row.account_number)
        if _MASKS & set(number) or sum(map(str.isdigit, number)) < _SHORTEST_ACCOUNT:
            continue
        sort_code = "" if pd.isna(row.sort_code) else "".join(filter(str.isdigit, str(row.sort_code)))
        customer_id = str(row.customer_id)
        yield customer_id, IdentityKey(ACCOUNT, (sort_code, letters_of(number), born.get(customer_id, "")))


def people(customers: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield the customers: id, whole name, and date of birth as ISO 8601, empty if it is not known.

    Args:
        customers: The frame of customers.
    """
    for row in rows(customers, "customer_id", "first_name", "last_name", "date_of_birth_on"):
        name = " ".join(str(part) for part in (row.first_name, row.last_name) if not pd.isna(part))
        day: Any = row.date_of_birth_on
        yield (
            str(row.customer_id),
            name,
            "" if pd.isna(day) else pd.Timestamp(day).date().isoformat(),
        )
