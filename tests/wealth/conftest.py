"""Transactions for tests of this room, and strategies for laws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import pytest
from tests.wealth.covers import covers
from tests.wealth.flag_parts import SEED, Stories, derived
from tests.wealth.handled import handled
from tests.wealth.landlords import landlords
from tests.wealth.losses import losses
from tests.wealth.money_patterns import patterns
from tests.wealth.schemes import schemes
from tests.wealth.tills import tills
from tests.wealth.trusted import trusted

Row = dict[str, Any]


@pytest.fixture(scope="session")
def ledger() -> Callable[..., pd.DataFrame]:
    """Make a frame of the normal form from (date, minor units, text) and what else a row says."""

    def make(*rows: tuple[Any, ...], **everywhere: Any) -> pd.DataFrame:
        filled: list[Row] = []
        for number, row in enumerate(rows):
            booked_on, amount_minor, text, *rest = row
            filled.append(
                {
                    "customer_id": "C1",
                    "account_id": "A1",
                    "txn_id": f"T{number:04d}",
                    "booked_on": booked_on,
                    "amount_minor": amount_minor,
                    "currency": "GBP",
                    "description_raw": text,
                }
                | everywhere
                | (rest[0] if rest else {})
            )
        columns = [
            "customer_id",
            "account_id",
            "txn_id",
            "booked_on",
            "amount_minor",
            "currency",
            "description_raw",
        ]
        extra = [name for row in filled for name in row if name not in columns]
        return pd.DataFrame(filled, columns=[*columns, *dict.fromkeys(extra)])

    return make


@pytest.fixture(scope="session")
def made() -> Stories:
    return derived(partial(patterns, SEED, per_kind=2))


@pytest.fixture(scope="session")
def kept() -> Stories:
    """Tills and landlords, honest and not."""
    return derived(
        partial(tills, SEED),
        partial(tills, SEED, weeks=17),
        partial(landlords, SEED),
        partial(landlords, SEED + 1),
    )


@pytest.fixture(scope="session")
def schemed() -> Stories:
    """Payrolls, loans, collections and feasts, honest and not."""
    return derived(partial(schemes, SEED))


@pytest.fixture(scope="session")
def lost() -> Stories:
    """People who are deceived, shared refunds and sums that answer each other, and what looks like them."""
    return derived(partial(losses, SEED, per_kind=2))


@pytest.fixture(scope="session")
def entrusted() -> Stories:
    """People who handle other people's money, and honest ones who look like them."""
    return derived(partial(handled, SEED, per_kind=2))


@pytest.fixture(scope="session")
def covered() -> Stories:
    """Trades, loans and pay that are a cover, and honest ones."""
    return derived(partial(covers, SEED))


@pytest.fixture(scope="session")
def held_in_trust() -> Stories:
    """People who are trusted with other people's money or cash, and honest ones."""
    return derived(partial(trusted, SEED))
