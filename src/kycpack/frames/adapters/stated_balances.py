"""Carries the opening and closing balances of statements into their rows, so that what is missing shows as a break."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kycpack.errors import InputError
from kycpack.frames.adapters.statement_file import ClosingBreak, Reject, StatementRow
from kycpack.models.money import known_currency, to_minor

_AMOUNT = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class StatedBalances:
    """The balances that one statement states for its booked entries.

    Args:
        currency: ISO 4217 code.
        opening_minor: Opening balance, minor units.
        closing_minor: Closing balance, minor units.
        closing_line: Line of the closing balance.
    """

    currency: str
    opening_minor: int
    closing_minor: int
    closing_line: int


def read_balance(written: str, currency: str) -> int | None:
    """Return a balance in minor units; None if it is not an amount in this currency, so that nothing can be checked against it."""
    if not known_currency(currency) or _AMOUNT.fullmatch(written) is None:
        return None
    try:
        return to_minor(written, currency)
    except InputError:
        return None


def carry_balances(
    rows: Sequence[StatementRow], rejects: Sequence[Reject], stated: Mapping[int, StatedBalances]
) -> tuple[tuple[StatementRow, ...], tuple[ClosingBreak, ...]]:
    """Return the rows with a running balance, and the statements that do not come to their closing balance.

    The last booked row of a statement has its closing balance, so that entries that are missing in it show between two rows.

    Args:
        rows: The rows of the file.
        rejects: Its rejects; if there are any, the entries of a statement are not complete, and nothing is carried.
        stated: The balances by number of the statement; without a statement's balances its rows stay as they are.
    """
    if rejects:
        return tuple(rows), ()
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if row.status == "booked" and row.statement in stated:
            places[row.statement].append(place)
    carried, breaks = list(rows), []
    for statement, balances in sorted(stated.items()):
        balance = balances.opening_minor
        booked = places[statement]
        if any(rows[place].currency != balances.currency for place in booked):
            continue
        for place in booked:
            balance += rows[place].amount_minor
            carried[place] = replace(rows[place], balance_after_minor=balance)
        if balance != balances.closing_minor:
            breaks.append(
                ClosingBreak(balances.closing_line, balances.currency, balance, balances.closing_minor)
            )
            if booked:
                carried[booked[-1]] = replace(carried[booked[-1]], balance_after_minor=balances.closing_minor)
    return tuple(carried), tuple(breaks)
