"""Charts of what moved in the accounts, as the review shows them."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from kycpack.render.review import movements
from kycpack.render.review.short_names import ShortName, ShortNames


def test_balances_stand_in_the_order_of_the_short_names() -> None:
    """And not in that of the ids, which nobody reads: the list of names says A1, A2, and so does the legend."""
    ids = [f"{99 - number}-id" for number in range(11)]
    names = ShortNames(
        tuple(ShortName(f"A{place}", id_, "", None) for place, id_ in enumerate(ids, start=1))  # type: ignore[arg-type]
    )
    booked = [
        SimpleNamespace(account_id=id_, booked_on=pd.Timestamp("2026-03-02"), balance_after_minor=100)
        for id_ in ids
    ]
    assert [one.name for one in movements._balances(booked, names)] == [f"A{place}" for place in range(1, 12)]
