"""What each account held at first, what came in and went out, and whether that makes the balance that the bank gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Given, calculated, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, money_words
from kycpack.wealth.judge.accounts import current_balances
from kycpack.wealth.judge.balance_path import opening_balance

_COLUMNS = (
    TableColumn("", 0.4),
    TableColumn("Opening balance", 1.6, right=True),
    TableColumn("Credits", 1.6, right=True),
    TableColumn("Payments out", 1.6, right=True),
    TableColumn("Makes", 1.6, right=True),
    TableColumn("The bank's balance", 1.6, right=True),
    TableColumn("Do they agree", 2.0),
)
_INTRODUCTION = (
    "All booked transactions of each account, own transfers and repeated rows included. The opening balance is what was held before the first of "
    "them, according to the balances that the bank gives after transactions; without these it is worked back from the bank's balance."
)
_WORKED_OUT = Given("balance after a transaction, less the transactions up to it, or what follows from it")
_YES = Cell("Yes", Tone.GOOD)
_NO_OPENING = Cell("Not checked: the opening balance is worked back from the bank's balance", Tone.UNKNOWN)
_NO_CLOSING = Cell("Not checked: no balance of the account was seen", Tone.UNKNOWN)


def flow_blocks(frames: Frames, names: ShortNames) -> Iterator[Block]:
    """Yield a table of opening balance, credits, payments out and closing balance, by account and currency; nothing without booked transactions.

    Args:
        frames: Frames of one customer.
        names: Short names of the accounts.
    """
    every = frames.transactions
    booked = every[(every["status"] == "booked") & every["booked_on"].notna()]
    if booked.empty:
        return
    asked = current_balances(frames.balances)
    parts = {
        (names.of(account), str(currency)): _row(str(account), str(currency), mine, asked, names)
        for (account, currency), mine in booked.groupby(["account_id", "currency"], sort=False)
    }
    ordered = sorted(parts, key=lambda one: (len(one[0]), one))
    yield Subheading("Balances, and money in and out, by account")
    yield Paragraph(_INTRODUCTION)
    yield table(_COLUMNS, [parts[one] for one in ordered])


def _row(
    account: str,
    currency: str,
    mine: pd.DataFrame,
    asked: Mapping[str, Mapping[str, Any]],
    names: ShortNames,
) -> tuple[Cell, ...]:
    amount = mine["amount_minor"].to_numpy(np.int64)
    day = mine["booked_on"].to_numpy("datetime64[D]").astype(np.int64)
    after, given = mine["balance_after_minor"].to_numpy(object), asked.get(account)
    held = [dict(given)] if given and given["currency"] == currency else []
    closing = int(held[0]["current_minor"]) if held else None
    opening, is_own = opening_balance(day, amount, after, ()), True
    if opening is None:
        opening, is_own = opening_balance(day, amount, after, held), False
    rows = {"account_id": account, "currency": currency, "status": "booked"}
    into, out = (
        Cell(
            money_words(abs(int(amount[amount * sign > 0].sum())), currency)
            if (amount * sign > 0).any()
            else "None",
            origins=(calculated("sum", "transactions", "amount_minor", **rows, amount_minor=f"{of}0"),),
        )
        for sign, of in ((1, ">"), (-1, "<"))
    )
    made = None if opening is None else opening + int(amount.sum())
    balance = value_of("balances", account_id=account, currency=currency)
    return resting_on(
        (
            Cell(names.of(account), strong=True),
            Cell(DASH if opening is None else money_words(opening, currency), origins=(_WORKED_OUT,)),
            into,
            out,
            Cell(DASH if made is None else money_words(made, currency), origins=(_WORKED_OUT,)),
            Cell(DASH if closing is None else money_words(closing, currency), origins=(balance,)),
            _verdict(made if is_own else None, closing, currency),
        ),
        value_of("accounts", account_id=account),
    )


def _verdict(made: int | None, closing: int | None, currency: str) -> Cell:
    if closing is None:
        return _NO_CLOSING
    if made is None:
        return _NO_OPENING
    if made == closing:
        return _YES
    apart = money_words(abs(closing - made), currency)
    return Cell(
        f"No: the bank's balance is {apart} {'higher' if closing > made else 'lower'}",
        Tone.WATCH,
        origins=(_WORKED_OUT,),
    )
