"""Observations about accounts that may be one, and about months that may be missing from their data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.models.dates import day_words
from kycpack.models.listed import listed as listed_words
from kycpack.triage.case_file import CaseFile
from kycpack.triage.observations.frame_rows import FrameRows
from kycpack.wealth.judge.account_doubts import POSSIBLE, SILENT, AccountDoubt
from kycpack.wealth.judge.stream_calendar import expected_after, stream_calendar
from kycpack.wealth.judge.wording import type_words
from kycpack.wealth.prepare.lexicon import OTHER

_PAIR = 2


def observe_account_doubts(
    given: FrameRows, transactions: pd.DataFrame, cases: Mapping[str, CaseFile], wealth: Any
) -> None:
    """Add the accounts that are or may be one, and the months that may be missing from the data of a busy account.

    Args:
        given: The rows of the other frames.
        transactions: The frame; those before and after a silent time show it.
        cases: The customers.
        wealth: What the credits are made of.
    """
    listed = {(row.customer_id, row.account_id): row for row in given.accounts}
    for doubt in getattr(wealth, "account_doubts", tuple)():
        if doubt.customer_id not in cases:
            continue
        accounts = [row for account in doubt.account_ids if (row := listed.get((doubt.customer_id, account)))]
        if doubt.code == SILENT:
            at_ends = transactions.loc[
                (transactions["customer_id"] == doubt.customer_id)
                & transactions["account_id"].isin(doubt.account_ids)
                & transactions["booked_on"].isin(doubt.ends_on),
                "evidence_id",
            ]
            shown, more = {*at_ends.dropna().astype(str)}, _not_seen(wealth, doubt)
        else:
            shown = {*doubt.evidence_ids, *(row.evidence_id for row in accounts if row.evidence_id)}
            more = _alike(accounts) if doubt.verdict == POSSIBLE else ""
        cases[doubt.customer_id].add(
            f"wealth.{doubt.code}", doubt.verdict, *sorted(shown), note=f"{doubt.words}{more}"
        )


def _not_seen(wealth: Any, doubt: AccountDoubt) -> str:
    """Return which regular payments to the accounts were expected in a silent time and not seen."""
    start, end = doubt.ends_on
    credits_ = wealth.credits
    paid_to = set(credits_.loc[credits_["account_id"].isin(doubt.account_ids), "stream_id"].dropna())
    said = []
    for stream in rows(wealth.streams, "customer_id", "stream_id", "payer", "type"):
        if stream.customer_id == doubt.customer_id and stream.stream_id in paid_to:
            calendar = stream_calendar(wealth, stream.stream_id)
            due = calendar.loc[calendar["kind"] == "missing", "expected_on"].tolist()
            due += expected_after(wealth, stream.stream_id, start, end)
            days = [day_words(day) for day in due if start < day < end]
            what = "payment" if stream.type == OTHER else f"{type_words(stream.type)} payment"
            said += [f"the {what} from {stream.payer} expected on {listed_words(days)}"] if days else []
    return f"; not seen: {'; '.join(said)}" if said else ""


def _alike(accounts: Sequence[Any]) -> str:
    """Return what two accounts that may be one have in common in the list of accounts, beside their payments."""
    if len(accounts) < _PAIR:
        return ""
    one, other = accounts
    same = [
        words
        for words, column in (("bank", "bank_name"), ("holder", "holder_name"), ("currency", "currency"))
        if getattr(one, column) and getattr(one, column) == getattr(other, column)
    ]
    digits = [re.sub("[^0-9]", "", row.account_number or "") for row in accounts]
    same += ["visible digits of the number"] if digits[0] and digits[0] == digits[1] else []
    return f"; the same in both: {listed_words([*same, 'payments'])}"
