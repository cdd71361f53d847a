"""Short names of sessions, accounts and payments, so that a table shows `S1` instead of 36 characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.render.document_parts import Cell, Table, TableColumn, resting_on, table
from kycpack.render.origin import Origin, value_of
from kycpack.render.wording import is_absent, text_of


@dataclass(frozen=True, slots=True)
class ShortName:
    """A short name, the id it stands for, its description for the reader, and the row that the description comes from."""

    name: str
    id: str
    about: str
    origin: Origin


@dataclass(frozen=True)
class ShortNames:
    """The short names of one review.

    Attributes:
        names: The short names, in the order of the legend.
    """

    names: tuple[ShortName, ...]

    def of(self, id_: Any, absent: str = "\u2013") -> str:
        """Return the short name of an id; an id without a short name is returned unchanged, and a missing id as a dash."""
        if is_absent(id_):
            return absent
        return self._by_id.get(str(id_), str(id_))

    def within(self, text: str) -> str:
        """Return a text of our own with every id replaced by its short name."""
        if not any(id_ in text for id_ in self._by_id):
            return text
        return self._ids.sub(lambda match: self._by_id[match[1]], text)

    def ids_in(self, text: str) -> tuple[str, ...]:
        """Return the ids with a short name that a text of our own names, in its order."""
        return tuple(dict.fromkeys(self._ids.findall(text))) if self.names else ()

    def legend(self) -> Table:
        """Return the table that explains the short names."""
        rows = [
            resting_on((Cell(one.name, strong=True), one.id, one.about), one.origin) for one in self.names
        ]
        columns = (TableColumn("Short name", 0.8), TableColumn("Id", 2.6), TableColumn("What it is", 3.4))
        return table(columns, rows, "No session, account or payment is known.")

    @cached_property
    def _by_id(self) -> Mapping[str, str]:
        return {one.id: one.name for one in self.names}

    @cached_property
    def _ids(self) -> re.Pattern[str]:
        longest_first = sorted(self._by_id, key=lambda id_: (-len(id_), id_))
        return re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, longest_first)) + r")(?![\w-])")


def names_id(text: str, id_: Any) -> bool:
    """Return whether a text of our own names an id; an absent one is not missed."""
    given = text_of(id_, "")
    return not given or re.search(rf"(?<![\w-]){re.escape(given)}(?![\w-])", text) is not None


def short_names(frames: Frames) -> ShortNames:
    """Return the short names of a customer (C1), of sessions (S1), accounts (A1) and payments (P1), in the order of the frames."""
    found = [
        ShortName("C1", str(id_), "The customer", value_of("customers", customer_id=id_))
        for id_ in frames.customers["customer_id"].head(1)
    ]
    for name, key, about, needed in (
        ("sessions", "session_id", _session, ("created_at",)),
        ("accounts", "account_id", _account, ("bank_name", "sort_code", "account_number", "currency")),
        ("payments", "payment_id", _payment, ("created_at",)),
    ):
        letter, frame = name[0].upper(), getattr(frames, name)
        first: dict[Any, dict[str, Any]] = {}
        for row in records(frame, key, *needed):
            first.setdefault(None if is_absent(row[key]) else row[key], row)
        found += [
            ShortName(f"{letter}{place}", str(id_), about(row), value_of(name, **{key: id_}))
            for place, (id_, row) in enumerate(first.items(), 1)
            if id_ is not None
        ]
    return ShortNames(tuple(found))


def account_numbers(accounts: pd.DataFrame) -> ShortNames:
    """Return the numbers of accounts, masked as the service gave them, for a text without a legend of short names.

    Args:
        accounts: Frame `accounts` of one customer; an account whose number is not known, or is another one's too, keeps its id.
    """
    numbers = {str(row["account_id"]): masked_number(row) for row in records(accounts)}
    times = Counter(numbers.values())
    return ShortNames(
        tuple(
            ShortName(number, id_, "Bank account", value_of("accounts", account_id=id_))
            for id_, number in numbers.items()
            if number and times[number] == 1
        )
    )


def masked_number(row: Mapping[Any, Any] | pd.Series[Any]) -> str:
    """Return the sort code and account number of an account, masked as the service gave them; empty if neither is known."""
    return " ".join(str(part) for part in (row["sort_code"], row["account_number"]) if not is_absent(part))


def _session(row: Mapping[Any, Any]) -> str:
    return f"Onboarding session of {text_of(row['created_at'], 'an unknown date')}"


def _account(row: Mapping[Any, Any]) -> str:
    parts = (text_of(row["bank_name"], "Bank not known"), masked_number(row), text_of(row["currency"], ""))
    return "Bank account, " + ", ".join(part for part in parts if part)


def _payment(row: Mapping[Any, Any]) -> str:
    return f"Payment of {text_of(row['created_at'], 'an unknown date')}"
