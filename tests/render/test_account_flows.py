"""A reader can add up what each account held, what came in and what went out, and sees whether that makes the bank's balance."""

from __future__ import annotations

import pandas as pd
import pytest

from kycpack.evidence import Evidence
from kycpack.frames import Frames, flatten
from kycpack.models.money import to_minor
from kycpack.render.document_parts import Table
from kycpack.render.origin import Origin
from kycpack.render.review.account_flows import flow_blocks
from kycpack.render.review.short_names import short_names


@pytest.fixture(scope="module")
def frames(specimen: Evidence) -> Frames:
    return flatten(specimen)


@pytest.fixture(scope="module")
def running(frames: Frames) -> Frames:
    """The same with a balance after each transaction, as the bank's balances make them."""
    every = frames.transactions.iloc[::-1].sort_values("booked_on", kind="stable")
    current = frames.balances.set_index("account_id")["current_minor"]
    sums = every.groupby(every["account_id"].astype(str))["amount_minor"]
    after = every["account_id"].astype(str).map(current) - sums.transform("sum") + sums.cumsum()
    transactions = every.assign(balance_after_minor=after.astype("Int64"))
    return type(frames)(**{**dict(frames.items()), "transactions": transactions})


def rows_of(frames: Frames, **changed: pd.DataFrame) -> list[list[str]]:
    made = type(frames)(**{**dict(frames.items()), **changed})
    (shown,) = (block for block in flow_blocks(made, short_names(made)) if isinstance(block, Table))
    return [[cell.text for cell in row] for row in shown.rows]


def minor(words: str) -> int:
    if words == "None":
        return 0
    amount, currency = words.split(" ")
    return to_minor(amount.replace(",", ""), currency)


def test_each_account_is_added_up_from_its_opening_balance(running: Frames) -> None:
    frames, rows = running, rows_of(running)
    assert [row[0] for row in rows] == ["A1", "A2"]
    for _, opening, into, out, makes, _, _ in rows:
        assert minor(opening) + minor(into) - minor(out) == minor(makes)
    assert [row[6] for row in rows] == ["Yes", "Yes"]
    booked = frames.transactions[frames.transactions["status"] == "booked"]
    for sign, place in ((1, 2), (-1, 3)):
        amounts = booked.loc[booked["amount_minor"] * sign > 0, "amount_minor"]
        assert sum(minor(row[place]) for row in rows) == abs(int(amounts.sum()))


def test_a_balance_that_the_transactions_do_not_make_is_said_with_the_difference(running: Frames) -> None:
    frames = running
    agreeing = rows_of(frames)[0]
    made = minor(agreeing[4])
    account = frames.accounts["account_id"].iloc[0]
    mine = frames.balances["account_id"] == account
    for more, said in (
        (0, "Yes"),
        (500, "No: the bank's balance is 5.00 GBP higher"),
        (-7, "0.07 GBP lower"),
    ):
        balances = frames.balances.copy()
        balances.loc[mine, "current_minor"] = made + more
        row = rows_of(frames, balances=balances)[0]
        assert row[6].endswith(said)
    assert rows_of(frames, balances=frames.balances[~mine])[0][5:] == [
        "–",
        "Not checked: no balance of the account was seen",
    ]


def test_an_opening_balance_that_is_worked_back_is_not_said_to_agree(frames: Frames) -> None:
    for _, opening, into, out, makes, given, said in rows_of(frames):
        assert minor(opening) + minor(into) - minor(out) == minor(makes) == minor(given)
        assert said == "Not checked: the opening balance is worked back from the bank's balance"
    for row in rows_of(frames, balances=frames.balances.iloc[:0]):
        assert (row[1], row[4], row[5]) == ("–", "–", "–")
        assert row[6] == "Not checked: no balance of the account was seen"


def test_the_sums_are_those_of_the_rows_that_they_name(running: Frames) -> None:
    (shown,) = (block for block in flow_blocks(running, short_names(running)) if isinstance(block, Table))
    for row in shown.rows:
        for cell, sign in ((row[2], 1), (row[3], -1)):
            if cell.text == "None":
                continue
            (origin,) = (one for one in cell.origins if isinstance(one, Origin) and one.operation == "sum")
            of = {name: values for name, values in origin.rows.items() if name != "amount_minor"}
            mine = running.transactions[running.transactions[list(of)].astype(str).isin(of).all(axis=1)]
            amounts = mine.loc[mine["amount_minor"] * sign > 0, "amount_minor"]
            assert minor(cell.text) == abs(int(amounts.sum()))


def test_without_booked_transactions_there_is_no_table(frames: Frames) -> None:
    none = type(frames)(**{**dict(frames.items()), "transactions": frames.transactions.iloc[:0]})
    assert not list(flow_blocks(none, short_names(none)))
