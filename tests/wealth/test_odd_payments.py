"""Payments of an odd kind: whatever is alike, missing or one-sided, wealth is derived and every flag says something of its own payments."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pandas as pd
import pytest
from tests.wealth.cash_trades import trades
from tests.wealth.covers import covers
from tests.wealth.flag_parts import SEED
from tests.wealth.handled import handled
from tests.wealth.losses import losses
from tests.wealth.schemes import schemes

from kycpack.wealth import derive

_Change = Callable[[pd.DataFrame], pd.DataFrame]


def _over_accounts(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the payments of the stories in turn over three accounts, with the same ids in each."""
    place = pd.Series(range(len(rows)), index=rows.index)
    return rows.assign(account_id="A" + (place % 3 + 1).astype(str), txn_id="T" + (place // 3).astype(str))


def _one_sided(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the payments with all credits in one account and all debits in another."""
    return rows.assign(account_id=(rows["amount_minor"] > 0).map({True: "A1", False: "A2"}))


CHANGES: dict[str, _Change] = {
    "no texts": lambda rows: rows.assign(description_raw="", counterparty_name=None),
    "texts of blanks and signs": lambda rows: rows.assign(description_raw=" -/ ", counterparty_name=" "),
    "one text": lambda rows: rows.assign(description_raw="CASH", counterparty_name="CASH"),
    "one name": lambda rows: rows.assign(description_raw="LENA MARSH LOAN", counterparty_name="LENA MARSH"),
    "one amount": lambda rows: rows.assign(amount_minor=rows["amount_minor"].gt(0) * 200_000 - 100_000),
    "one row": lambda rows: rows.tail(1),
    "debits alone": lambda rows: rows.assign(amount_minor=-rows["amount_minor"].abs()),
    "credits alone": lambda rows: rows.assign(amount_minor=rows["amount_minor"].abs()),
    "one day": lambda rows: rows.assign(booked_on=pd.Timestamp("2026-03-02")),
    "an account without credits": _one_sided,
    "two currencies": lambda rows: rows.assign(
        currency=["GBP" if one % 2 else "EUR" for one in range(len(rows))]
    ),
    "a currency without decimals": lambda rows: rows.assign(currency="JPY"),
    "zero amounts": lambda rows: rows.assign(amount_minor=0),
    "amounts of one minor unit": lambda rows: rows.assign(amount_minor=rows["amount_minor"].gt(0) * 2 - 1),
    "huge amounts": lambda rows: rows.assign(amount_minor=rows["amount_minor"] * 10_000_000),
    "ids equal over accounts": _over_accounts,
}


@pytest.fixture(scope="module")
def every() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Transactions and accounts of one customer a story."""
    stories = [
        one
        for make, step in ((trades, 8), (covers, 4), (handled, 6), (losses, 6), (schemes, 8))
        for one in islice(make(SEED), 0, None, step)
    ]
    rows, accounts = (
        pd.concat(
            [story[part].assign(customer_id=f"C{number}") for number, story in enumerate(stories)],
            ignore_index=True,
        )
        for part in (2, 3)
    )
    return rows, accounts


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_odd_payments_stop_nothing(change: _Change, every: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    rows, accounts = every
    changed = pd.concat([change(some) for _, some in rows.groupby("customer_id")], ignore_index=True)
    wealth = derive(changed, accounts=accounts, as_of="2026-06-27")
    assert (
        wealth.credits["customer_id"].nunique()
        == changed.loc[changed["amount_minor"] > 0, "customer_id"].nunique()
    )
    for flag in wealth.flags.to_dict("records"):
        assert flag["txn_ids"]
        assert (
            len(flag["txn_ids"])
            == len(flag["account_ids"])
            == flag["facts"]["credits"] + flag["facts"]["debits"]
        )
        assert "  " not in flag["message"], flag["message"]
