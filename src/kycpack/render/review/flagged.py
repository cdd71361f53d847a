"""The red flags, and the payments that each of them rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums, short_party
from kycpack.render.wording import (
    DASH,
    joined,
    level_cell,
    money_words,
    sentence_case,
    text_of,
    transaction_words,
)
from kycpack.triage.levels import rank

_FLAGS = (
    TableColumn("Red flag", 1.3),
    TableColumn("Calls for", 1.1),
    TableColumn("What was seen", 4.0),
    TableColumn("Transactions", 1.8),
    TableColumn("Evidence", 1.0),
)
_PAYMENTS = (
    TableColumn("Red flag", 2.2),
    TableColumn("Booked on", 1.2),
    TableColumn("In or out", 0.8),
    TableColumn("Amount", 1.4, right=True),
    TableColumn("Other party", 2.0),
    TableColumn("Transaction", 1.6),
    TableColumn("Evidence", 1.0),
)
_PARTY = ("counterparty_name", "merchant_name")  # the first that is given
_COLUMNS = ("account_id", "txn_id", "booked_on", "amount_minor", "currency", "evidence_id", *_PARTY)
_ALL = 12  # of more payments, only the largest are shown
_LARGEST = 6

Row = Mapping[str, Any]


def flags_section(flags: Sequence[Row], transactions: pd.DataFrame, names: ShortNames) -> Section:
    """Return the section of the red flags, the most serious first, with the payments that decide.

    Args:
        flags: Rows of frame `flags` of one customer.
        transactions: The customer's rows of frame `transactions`.
        names: Short names of the accounts.
    """
    if transactions.empty:
        words = "No bank transactions were seen, so red flags could not be looked for."
        return Section("flags", "Red flags", (Paragraph(words, Tone.UNKNOWN),))
    in_order = sorted(flags, key=lambda row: -rank(str(row["severity"])))
    rows = [
        resting_on(
            (
                Cell(_title(row), strong=True),
                level_cell(str(row["severity"])),
                f"{sentence_case(text_of(row['message']).partition(': ')[2])}{note}",
                transaction_words([(names.of(account), txn) for account, txn in _ids(row)]),
                joined(row["evidence_ids"]),
            ),
            value_of("flags", code=row["code"], message=row["message"]),
        )
        for row, note in zip(in_order, _notes(in_order), strict=True)
    ]
    blocks: list[Block] = [table(_FLAGS, rows, "No red flag was found.")]
    if rows:
        blocks += _payments(in_order, transactions, names)
    return Section("flags", "Red flags", tuple(blocks))


def _payments(flags: Sequence[Row], transactions: pd.DataFrame, names: ShortNames) -> Iterator[Block]:
    """Yield the payments behind the red flags, each once, with their days, amounts and evidence."""
    wanted = {one for flag in flags for one in _ids(flag)}
    known: dict[tuple[str, str], Row] = {}
    for row in records(transactions, *(name for name in _COLUMNS if name in transactions.columns)):
        key = str(row["account_id"]), str(row["txn_id"])
        if key in wanted:
            known.setdefault(key, row)
    shown: dict[tuple[str, str], list[Row]] = {}
    for flag in flags:
        found = [one for one in _ids(flag) if one in known]
        if len(found) > _ALL:
            found = sorted(found, key=lambda one: -abs(known[one]["amount_minor"]))[:_LARGEST]
        for key in sorted(found, key=lambda one: (known[one]["booked_on"], one[1])):
            shown.setdefault(key, []).append(flag)
    lines = []
    for key, behind in shown.items():
        one = known[key]
        cells = (
            Cell("; ".join(dict.fromkeys(map(_title, behind)))),
            Cell(text_of(one["booked_on"])),
            Cell("In" if one["amount_minor"] > 0 else "Out"),
            Cell(money_words(abs(one["amount_minor"]), one["currency"])),
            Cell(_party(one)),
            Cell(f"{names.of(one['account_id'])} {one['txn_id']}"),
            Cell(text_of(one.get("evidence_id"), DASH)),
        )
        origins = (value_of("flags", code=each["code"], message=each["message"]) for each in behind)
        lines.append(resting_on(cells, value_of("transactions", account_id=key[0], txn_id=key[1]), *origins))
    yield Subheading("Payments behind the red flags")
    yield Paragraph(
        "Each payment is listed once, with every red flag that it is shown for. If a red flag rests on many payments, the largest are "
        "shown; all of them are in the workbook, sheet flags.",
        Tone.QUIET,
    )
    yield table(_PAYMENTS, lines)


def _notes(flags: Sequence[Row]) -> list[str]:
    messages = [text_of(flag["message"]) for flag in flags]
    flagged = {said: frozenset(map(str, flag["txn_ids"])) for said, flag in zip(messages, flags, strict=True)}
    return Sums(flagged=flagged).notes_of(messages)


def _title(flag: Row) -> str:
    return text_of(flag["message"]).partition(":")[0]


def _party(row: Row) -> str:
    """Return who paid or was paid, as the bank names it."""
    return next((short_party(name) for key in _PARTY if (name := text_of(row.get(key), ""))), DASH)


def _ids(flag: Row) -> list[tuple[str, str]]:
    return [(str(one), str(txn)) for one, txn in zip(flag["account_ids"], flag["txn_ids"], strict=True)]
