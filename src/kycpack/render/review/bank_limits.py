"""Limits of the bank data that only show when it is looked at as of a date: what it does not reach."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd

from kycpack.models.dates import day_words, month_words
from kycpack.render.wording import is_absent

if TYPE_CHECKING:
    from kycpack.frames import Frames

COLUMNS = ("customer_id", "subject", "area", "code", "message", "evidence_id")
_SHORT_DAYS = 180
_SILENT_DAYS = 45
_NAMED_MONTHS = 6


def limits_of(frames: Frames, as_of: datetime) -> pd.DataFrame:
    """Return what the bank data does not reach, in the columns of frame `gaps`.

    Args:
        frames: Frames of one customer.
        as_of: The instant to look from.

    Returns:
        A row for each account without transactions, with months missing, with a short history, silent of late, or whose
        access has expired; for each limit on the number of accounts; and one for accounts that were not linked.
    """
    rows = [*_of_sessions(frames.sessions), *_of_accounts(frames.accounts, frames.transactions, as_of)]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype("string")


def _of_sessions(sessions: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    for row in sessions[sessions["account_limit"].notna()].to_dict("records"):
        message = f"The customer could link at most {row['account_limit']} accounts in this session."
        yield row["customer_id"], row["session_id"], "bank", "account_limit", message, row["evidence_id"]


def _of_accounts(
    accounts: pd.DataFrame, transactions: pd.DataFrame, as_of: datetime
) -> Iterator[tuple[str, ...]]:
    ids = transactions["account_id"].astype("string")
    for row in accounts.to_dict("records"):
        days = transactions.loc[ids == row["account_id"], "booked_on"].dropna().sort_values()
        for code, message in (*_access(row["token_expires_at"], as_of), *_reach(days, as_of)):
            yield row["customer_id"], row["account_id"], "bank", code, message, row["evidence_id"]
    for row in accounts.head(1).to_dict("records"):
        message = "Accounts that the customer did not link cannot be seen."
        yield row["customer_id"], row["customer_id"], "bank", "not_linked", message, row["evidence_id"]


def _access(expires_at: datetime, as_of: datetime) -> Iterator[tuple[str, str]]:
    if not is_absent(expires_at) and expires_at <= as_of:
        yield "access_expired", f"Access to this account expired on {day_words(expires_at)}."


def _reach(days: pd.Series, as_of: datetime) -> Iterator[tuple[str, str]]:
    if days.empty:
        yield "no_transactions", "No transactions of this account were seen, at most its balance."
        return
    first, last = days.iloc[0].date(), days.iloc[-1].date()
    if (last - first).days < _SHORT_DAYS:
        yield (
            "history_short",
            f"The transactions reach over {(last - first).days} days only, from {day_words(first)} to {day_words(last)}.",
        )
    if (as_of.date() - last).days > _SILENT_DAYS:
        yield (
            "silent",
            f"No transactions were seen after {day_words(last)}: the account was quiet, or its data ends there.",
        )
    missing = _missing_months(days)
    if missing:
        named = ", ".join(f"{month_words(year, month)}" for year, month in missing[:_NAMED_MONTHS])
        rest = f" and {len(missing) - _NAMED_MONTHS} more" if len(missing) > _NAMED_MONTHS else ""
        yield "months_missing", f"No transactions in {named}{rest}."


def _missing_months(days: pd.Series) -> list[tuple[int, int]]:
    seen = {12 * day.year + day.month - 1 for day in days}
    return [(month // 12, month % 12 + 1) for month in range(min(seen), max(seen)) if month not in seen]
