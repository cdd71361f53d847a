"""How long records are kept: the classes of records with their law, the end of each customer's relationship, and what is past its date."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

import yaml

from kycpack.assets import asset_path
from kycpack.errors import InputError
from kycpack.workspace.entries.verify_ledger import proposal_digest
from kycpack.workspace.rows import check_id

SCHEMA = "kycpack-retention-1"
STORES = ("packs", "register", "decisions")
"""Where records of a customer can be: folders of packs, the register, and the cases with their ledger."""

State = Literal["due", "kept", "held", "open", "unknown"]
_COLUMNS = ("customer_id", "ended_on", "hold")
_MOST_YEARS = 100


@dataclass(frozen=True, slots=True)
class RecordClass:
    """A class of records.

    Attributes:
        name: Its name.
        title: Its title for readers.
        covers: Which of `STORES` contain it.
        years: Number of years to keep it after the end of the relationship.
        law: The legal basis.
    """

    name: str
    title: str
    covers: tuple[str, ...]
    years: int
    law: str


@dataclass(frozen=True, slots=True)
class RetentionRules:
    """The classes of records, and the SHA-256 of their file."""

    classes: tuple[RecordClass, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Relationship:
    """The firm's data about the relationship with a customer.

    Attributes:
        customer_id: The customer.
        ended_on: The day on which the business relationship ended; None if it continues or the end is not known.
        hold: Reference of a legal hold; empty for none.
    """

    customer_id: str
    ended_on: date | None
    hold: str


@dataclass(frozen=True, slots=True)
class RetentionItem:
    """Records of one class of one customer.

    Attributes:
        customer_id: The customer.
        record_class: The class.
        ended_on: When the relationship ended, if the firm says so.
        due_on: The first day on which they must no longer be kept; None if not known.
        state: `due`, `kept` (not yet due), `held` (a legal hold), `open` (a case is not closed) or `unknown` (no end is known).
        reason: Why they are not erased; empty if they are due.
    """

    customer_id: str
    record_class: RecordClass
    ended_on: date | None
    due_on: date | None
    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """The records past their date on a day.

    Attributes:
        as_of: The day.
        rules: SHA-256 of the rules.
        items: All records checked, by customer and class.
    """

    as_of: date
    rules: str
    items: tuple[RetentionItem, ...]

    @property
    def due(self) -> tuple[RetentionItem, ...]:
        """The records to erase."""
        return tuple(item for item in self.items if item.state == "due")

    @property
    def listed(self) -> list[list[str]]:
        """What is to be erased: customer, class of record, and the day on which the relationship ended, ISO 8601."""
        return [[item.customer_id, item.record_class.name, str(item.ended_on)] for item in self.due]

    @property
    def digest(self) -> str:
        """SHA-256 of the list to erase; two people must have seen the same list."""
        return proposal_digest(str(self.as_of), self.rules, self.listed)

    def customers(self) -> list[dict[str, Any]]:
        """Return the list to erase, one entry per customer, in the form that the ledger records."""
        found: dict[str, dict[str, Any]] = {}
        for item in self.due:
            one = found.setdefault(
                item.customer_id,
                {"customer_id": item.customer_id, "ended_on": str(item.ended_on), "stores": [], "laws": []},
            )
            one["stores"] = sorted({*one["stores"], *item.record_class.covers})
            one["laws"] = sorted({*one["laws"], item.record_class.law})
        return list(found.values())


def load_rules(path: Path | None = None) -> RetentionRules:
    """Read the classes of records.

    Args:
        path: A file of the firm; None for `data/retention.yaml`.

    Raises:
        InputError: It cannot be read, or a class is wrong; every store must be in exactly one class.
    """
    place = "data/retention.yaml" if path is None else str(path)
    try:
        content = (asset_path("retention.yaml") if path is None else path).read_bytes()
        document = yaml.safe_load(content)
        classes = tuple(_record_class(name, given) for name, given in document["classes"].items())
        schema = document["schema"]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=place) from None
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"is not a file of retention rules ({type(error).__name__})", place=place) from None
    if schema != SCHEMA:
        raise InputError(f"is not of the schema {SCHEMA}", place=place)
    if sorted(store for one in classes for store in one.covers) != sorted(STORES):
        raise InputError(f"each of {', '.join(STORES)} has to be covered by exactly one class", place=place)
    return RetentionRules(classes, hashlib.sha256(content).hexdigest())


def read_relationships(path: Path) -> dict[str, Relationship]:
    """Read the firm's data about its customers.

    Args:
        path: UTF-8 CSV with the columns `customer_id`, `ended_on` (ISO 8601, empty while the relationship goes on) and `hold`
            (reference of a legal hold, empty for none).

    Returns:
        By customer.

    Raises:
        InputError: The file cannot be read, lacks a column, or a line is wrong.
    """
    place = path.name
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig")), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot be read as CSV ({type(error).__name__})", place=place) from error
    header = rows[0] if rows else []
    if missing := [name for name in _COLUMNS if header.count(name) != 1]:
        raise InputError(f"needs the column {missing[0]}, once", place=place)
    found: dict[str, Relationship] = {}
    for number, row in enumerate(rows[1:], 2):
        where = f"{place}, line {number}"
        if not row:
            continue
        if len(row) != len(header):
            raise InputError("more or fewer values than columns", place=where)
        given = dict(zip(header, (value.strip() for value in row), strict=True))
        customer_id = check_id(given["customer_id"])
        if customer_id in found:
            raise InputError(f"customer {customer_id} is named twice", place=where)
        found[customer_id] = Relationship(customer_id, _day(given["ended_on"], where), given["hold"])
    return found


def plan_retention(
    known: Mapping[str, Collection[str]],
    relationships: Mapping[str, Relationship],
    rules: RetentionRules,
    as_of: date,
    open_cases: Collection[str] = (),
) -> RetentionPlan:
    """Return for every class of records of every customer whether it is past its date.

    Args:
        known: Which of `STORES` have records, by customer.
        relationships: The firm's data about its customers; records of other customers are kept.
        rules: The classes of records.
        as_of: The day.
        open_cases: Customers with a case that is not closed.
    """
    items = [
        _item(customer_id, one, relationships.get(customer_id), as_of, is_open=customer_id in open_cases)
        for customer_id, stores in sorted(known.items())
        for one in rules.classes
        if set(one.covers) & set(stores)
    ]
    return RetentionPlan(as_of, rules.digest, tuple(items))


def _item(
    customer_id: str, one: RecordClass, said: Relationship | None, as_of: date, *, is_open: bool
) -> RetentionItem:
    ended_on = None if said is None else said.ended_on
    due_on = None if ended_on is None else _after(ended_on, one.years)
    state: State = "due"
    reason = ""
    if said is None:
        state, reason = "unknown", "the firm's file does not name this customer"
    elif said.hold:
        state, reason = "held", f"legal hold {said.hold}"
    elif due_on is None:
        state, reason = "unknown", "no end of the relationship is known"
    elif as_of < due_on:
        state, reason = "kept", f"kept until {due_on}"
    elif is_open:
        state, reason = "open", "a case of this customer is not closed"
    return RetentionItem(customer_id, one, ended_on, due_on, state, reason)


def _after(ended_on: date, years: int) -> date:
    try:
        return ended_on.replace(year=ended_on.year + years)
    except ValueError:  # from 29 February, a year later than which has none
        return date(ended_on.year + years, 3, 1)


def _record_class(name: str, given: Mapping[str, Any]) -> RecordClass:
    years, covers = given["years"], tuple(given["covers"])
    if isinstance(years, bool) or not isinstance(years, int) or not 0 < years <= _MOST_YEARS:
        raise ValueError(years)
    if not covers or set(covers) - set(STORES):
        raise ValueError(covers)
    title, law = given["title"], given["law"]
    if not isinstance(title, str) or not isinstance(law, str) or not law:
        raise TypeError(name)
    return RecordClass(str(name), title, covers, years, law)


def _day(text: str, where: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError("ended_on is not a date as in 2021-05-31", place=where) from None
