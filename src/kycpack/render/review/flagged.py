"""The red flags, and the payments that each of them rests on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
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
from kycpack.render.origin import Given, calculated, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.payment_keys import Key, key_of, keys_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Paid, Sums, flag_message, short_party
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
_COLUMNS = (
    "account_id",
    "txn_id",
    "booked_on",
    "amount_minor",
    "currency",
    "evidence_id",
    "description_raw",
    *_PARTY,
)
_ALL = 12  # of more payments, only the largest are shown
_LARGEST = 6
_PAYEES = 5
_PAYEE_COLUMNS = (
    TableColumn("Red flag", 2.6),
    TableColumn("Who was paid", 3.0),
    TableColumn("Payments", 1.0, right=True),
    TableColumn("Sum", 1.6, right=True),
)

Row = Mapping[str, Any]


def flags_section(
    flags: Sequence[Row],
    transactions: pd.DataFrame,
    names: ShortNames,
    payers: Mapping[Key, str] = MappingProxyType({}),
    paid: Mapping[str, Paid] = MappingProxyType({}),
) -> Section:
    """Return the section of the red flags, the most serious first, with the payments that decide.

    Args:
        flags: Rows of frame `flags` of one customer.
        transactions: The customer's rows of frame `transactions`.
        names: Short names of the accounts.
        payers: Who paid each credit, by account and id, as the tables of credits name it, where the bank names nobody.
        paid: Who paid the credits of each red flag, from `sums.payers_of`.
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
                f"{sentence_case(text_of(row['message']).partition(': ')[2])}{note}{by.words}",
                transaction_words([(names.of(account), txn) for account, txn in keys_of(row)]),
                joined(row["evidence_ids"]),
            ),
            value_of("flags", code=row["code"], message=row["message"]),
            *by.origins,
        )
        for row, (note, by) in zip(in_order, _notes(in_order, paid), strict=True)
    ]
    blocks: list[Block] = [table(_FLAGS, rows, "No pattern of a red flag was found.")]
    limited: dict[str, list[Row]] = {}
    for row in in_order:
        if basis := text_of(row.get("limit_basis"), ""):
            limited.setdefault(f"The limit of “{_title(row)}”: {basis}.", []).append(row)
    for words, of in limited.items():
        origins = (value_of("flags", code=row["code"], message=row["message"]) for row in of)
        blocks.append(Paragraph(words, Tone.QUIET, tuple(origins)))
    if rows:
        known = _behind(in_order, transactions, payers)
        blocks += [*_paid(in_order, known), *_payments(in_order, known, names)]
    return Section("flags", "Red flags", tuple(blocks))


def _behind(flags: Sequence[Row], transactions: pd.DataFrame, payers: Mapping[Key, str]) -> dict[Key, Row]:
    """Return the payments behind the red flags, by account and id, each with its other party."""
    wanted = {one for flag in flags for one in keys_of(flag)}
    known: dict[Key, Row] = {}
    for row in records(transactions, *(name for name in _COLUMNS if name in transactions.columns)):
        key = key_of(row)
        if key in wanted:
            known.setdefault(key, row | {"party": _party(row, payers.get(key, ""))})
    return known


def _paid(flags: Sequence[Row], known: Mapping[Key, Row]) -> Iterator[Block]:
    """Yield who was paid by the payments out behind each red flag, with the sum of each; the largest first."""
    lines = []
    for flag in flags:
        paid: dict[tuple[str, str], list[Key]] = {}
        for key in dict.fromkeys(keys_of(flag)):
            if key in known and known[key]["amount_minor"] < 0:
                paid.setdefault((known[key]["party"], str(known[key]["currency"])), []).append(key)
        sums = {who: -sum(int(known[key]["amount_minor"]) for key in keys) for who, keys in paid.items()}
        for who in sorted(sums, key=lambda one: (-sums[one], one))[:_PAYEES]:
            cells = (_title(flag), who[0], str(len(paid[who])), money_words(sums[who], who[1]))
            rows = {"account_id": [one for one, _ in paid[who]], "txn_id": [txn for _, txn in paid[who]]}
            origins = (
                count_of("transactions", **rows),
                calculated("sum", "transactions", "amount_minor", **rows),
            )
            first = dict(zip(("account_id", "txn_id"), paid[who][0], strict=True))
            lines.append(resting_on(cells, *origins, value_of("transactions", **first)))
    if lines:
        yield Subheading("Who was paid")
        words = (
            f"The payments out behind each red flag, by who was paid: the {_PAYEES} with the largest sums."
        )
        yield Paragraph(words, Tone.QUIET, (Given("rows of this table"),))
        yield table(_PAYEE_COLUMNS, lines)


def _payments(flags: Sequence[Row], known: Mapping[Key, Row], names: ShortNames) -> Iterator[Block]:
    """Yield the payments behind the red flags, each once, with their days, amounts and evidence."""
    shown: dict[Key, None] = {}
    flags_of: dict[Key, list[Row]] = {}
    for flag in flags:
        for key in dict.fromkeys(keys_of(flag)):
            flags_of.setdefault(key, []).append(flag)
        found = [one for one in keys_of(flag) if one in known]
        if len(found) > _ALL:
            found = _largest(found, known)
        for key in sorted(found, key=lambda one: (known[one]["booked_on"], one[1])):
            shown.setdefault(key)
    lines = []
    for key in shown:
        one, behind = known[key], flags_of[key]
        cells = (
            Cell("; ".join(dict.fromkeys(map(_title, behind)))),
            Cell(text_of(one["booked_on"])),
            Cell("In" if one["amount_minor"] > 0 else "Out"),
            Cell(money_words(abs(one["amount_minor"]), one["currency"])),
            Cell(one["party"]),
            Cell(f"{names.of(one['account_id'])} {one['txn_id']}"),
            Cell(text_of(one.get("evidence_id"), DASH)),
        )
        origins = (value_of("flags", code=each["code"], message=each["message"]) for each in behind)
        lines.append(resting_on(cells, value_of("transactions", account_id=key[0], txn_id=key[1]), *origins))
    yield Subheading("Payments behind the red flags")
    yield Paragraph(
        "Each payment is listed once, with every red flag that it belongs to. If a red flag rests on many payments, the largest in "
        "and out are shown; all of them are in the workbook, sheet flags.",
        Tone.QUIET,
    )
    yield table(_PAYMENTS, lines)


def _largest(keys: Sequence[Key], known: Mapping[Key, Row]) -> list[Key]:
    """Return the largest payments in and out, one of each in turn: where there are both, the one side does not hide the other."""
    ordered = sorted(keys, key=lambda one: -abs(known[one]["amount_minor"]))
    sides = ([one for one in ordered if (known[one]["amount_minor"] > 0) == is_in] for is_in in (True, False))
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*sides))
    return [*filter(None, in_turn)][:_LARGEST]


def _notes(flags: Sequence[Row], paid: Mapping[str, Paid]) -> list[tuple[str, Paid]]:
    """Return what each red flag says of another one with its payments, and who paid: the flag that has them may stand after it."""
    messages = [flag_message(flag) for flag in flags]
    flagged: dict[str, frozenset[Key]] = {}
    for message, flag in zip(messages, flags, strict=True):
        flagged[message] = flagged.get(message, frozenset()) | frozenset(keys_of(flag))
    ranks = [rank(str(flag["severity"])) for flag in flags]
    places = sorted(range(len(flags)), key=lambda at: (-ranks[at], -len(flagged[messages[at]])))
    sums = Sums(flagged=flagged, paid=paid)
    said = sums.notes_of([messages[at] for at in places])
    notes = {
        place: (note, sums.paid_by(messages[place], earlier))
        for place, (note, earlier) in zip(places, said, strict=True)
    }
    return [notes[at] for at in range(len(flags))]


def _title(flag: Row) -> str:
    return text_of(flag["message"]).partition(":")[0]


def _party(row: Row, payer: str) -> str:
    """Return who paid or was paid, as the bank names it; otherwise the payer of the credit, or the text of the payment out."""
    otherwise = payer or text_of(row.get("description_raw"), "")
    named = (text_of(row.get(key), "") for key in _PARTY)
    return short_party(next(filter(None, named), otherwise) or DASH)
