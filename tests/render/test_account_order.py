"""Accounts have one order: that of their short names, in which they were first listed."""

from __future__ import annotations

import pandas as pd
from tests.triage.test_evaluate import AS_OF

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render.document_parts import Table
from kycpack.render.review.accounts import accounts_section
from kycpack.render.review.short_names import short_names
from kycpack.wealth import derive


def test_the_statement_and_the_review_list_accounts_in_the_order_of_their_short_names(
    specimen: Evidence,
) -> None:
    frames = flatten(specimen)
    twice = pd.concat([frames.accounts.iloc[::-1], frames.accounts.iloc[1:]], ignore_index=True)
    frames = type(frames)(**{**dict(frames.items()), "accounts": twice})
    names = short_names(frames)
    (listed,) = (block for block in accounts_section(frames, names, ()).blocks if isinstance(block, Table))
    wealth = derive(frames.transactions, frames.customers, frames.accounts, frames.balances, as_of=AS_OF)
    customer_id = str(frames.customers["customer_id"].iloc[0])
    stated = [one.account.bank_name for one in wealth.statement(customer_id).accounts]
    assert [row[0].text for row in listed.rows] == ["A1", "A2"]
    assert [row[1].text for row in listed.rows] == ["Meridian Savings", "Harbour Bank"]
    assert stated == ["Meridian Savings", "Harbour Bank"]
