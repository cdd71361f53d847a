"""Limits of the bank data that depend on the date of the review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

import pandas as pd

from kycpack.evidence import Evidence
from kycpack.frames import Frames
from kycpack.frames.gaps import SELDOM, Gap, GapCode
from kycpack.frames.rows import columns_of, frame_of, plain_rows, records
from kycpack.models.dates import day_words, month_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor
from kycpack.render.review.accounts import booking_days, latest_by_account
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import masked_number
from kycpack.render.wording import is_absent
from kycpack.wealth.judge.accounts import maybe_linked_twice

COLUMNS = Gap._fields
_DTYPES = {"number": "Int64", "amount_minor": "Int64", "least_minor": "Int64"}
_SHORT_DAYS = 180
_MONTH_DAYS, _FEW_A_MONTH = 30.44, 2
SILENT_DAYS = 45


def limits_of(evidence: Evidence, frames: Frames, credits_: pd.DataFrame, as_of: datetime) -> pd.DataFrame:
    """Return the limits of the bank data, in the columns of frame `gaps`.

    Args:
        evidence: Evidence of one customer.
        frames: Its frames.
        credits_: Frame `credits` of the customer.
        as_of: The as-of instant of the review.

    Returns:
        A row for each account without transactions, with missing months, with a short history, without recent
        transactions, or with expired access; for each account whose credits may be counted twice; for each limit on the
        number of accounts; and one row for accounts that were not linked.
    """
    found = [
        *_of_sessions(frames.sessions),
        *_counted_twice(credits_),
        *_of_accounts(frames.accounts, frames.transactions, _answers(evidence), as_of),
    ]
    return frame_of(columns_of(COLUMNS, found), _DTYPES)


def with_more(limits: pd.DataFrame, found: Sequence[Gap]) -> pd.DataFrame:
    """Return frame `limits` with further rows."""
    if not found:
        return limits
    return frame_of(columns_of(COLUMNS, [*plain_rows(limits, *COLUMNS), *found]), _DTYPES)


def _of_sessions(sessions: pd.DataFrame) -> Iterator[Gap]:
    for row in records(sessions, "customer_id", "session_id", "account_limit", "evidence_id"):
        if is_absent(row["account_limit"]):
            continue
        most, evidence_id = row["account_limit"], row["evidence_id"]
        message = f"The customer could link at most {most} accounts in this session."
        yield Gap(
            row["customer_id"], row["session_id"], "bank", "account_limit", message, evidence_id, number=most
        )


def _answers(evidence: Evidence) -> dict[str, list[str]]:
    """Return the entries of the answers with the transactions of each account, also of those that have none."""
    found: dict[str, list[str]] = {}
    for entry in evidence.select("bank_accounts.transactions"):
        if entry.outcome == "answered":
            found.setdefault(str(entry.subject.get("account_id")), []).append(entry.id)
    return found


def citing(message: str, entries: Sequence[str]) -> str:
    """Return a message that names the entries which show it, where they are more than the one of its row."""
    return f"{with_evidence(message, entries)}." if len(entries) > 1 else message


def _counted_twice(credits_: pd.DataFrame) -> Iterator[Gap]:
    """Yield the accounts with credits that may repeat credits of another account or of the same account."""
    for doubt in maybe_linked_twice(credits_):
        (account, *other), own = doubt.account_ids, doubt.own_minor
        moved = f"; {format_minor(own, doubt.currency)} of it is own transfers" if own else ""
        message = citing(f"{doubt.words}{moved}.", doubt.evidence_ids)
        evidence_id = next(iter(doubt.evidence_ids), "")
        yield Gap(
            doubt.customer_id, account, "bank", "may_be_one_account", message, evidence_id,
            "".join(other), amount_minor=doubt.total_minor, currency=doubt.currency,
        )  # fmt: skip


def _of_accounts(
    accounts: pd.DataFrame, transactions: pd.DataFrame, answers: Mapping[str, Sequence[str]], as_of: datetime
) -> Iterator[Gap]:
    booked = booking_days(transactions)
    listed = latest_by_account(accounts)
    numbers = Counter(masked_number(row) for row in listed.values())
    for account_id, row in listed.items():
        days = sorted(booked.get(account_id, ()))
        number = masked_number(row)
        alone = f"account {number}" if number else "this account"
        account = alone if numbers[number] == 1 or not number else f"{alone} ({account_id})"
        for code, message in _access(row["token_expires_at"], account, as_of):
            yield Gap(row["customer_id"], account_id, "bank", code, message, row["evidence_id"])
        seen = answers.get(account_id) or [row["evidence_id"]]
        seldom = _seldom(days)
        for code, message, times in _reach(days, account, as_of):
            rare = seldom if code == "months_missing" else ""
            said = (
                f"{message} It has only {rare} in all, so that a month without one may be usual."
                if rare
                else message
            )
            yield Gap(
                row["customer_id"], account_id, "bank", code, citing(said, seen), seen[0], rare, SELDOM if rare else "",
                number=times,
            )  # fmt: skip
    for row in records(accounts.head(1)):
        message = "Accounts that the customer did not link cannot be seen."
        yield Gap(row["customer_id"], row["customer_id"], "bank", "not_linked", message, row["evidence_id"])


def _access(expires_at: datetime, account: str, as_of: datetime) -> Iterator[tuple[GapCode, str]]:
    if not is_absent(expires_at) and expires_at <= as_of:
        yield "access_expired", f"Access to {account} expired on {day_words(expires_at)}."


def _reach(days: Sequence[date], account: str, as_of: datetime) -> Iterator[tuple[GapCode, str, int | None]]:
    if not days:
        yield "no_transactions", f"No transactions of {account} were seen.", None
        return
    first, last = days[0], days[-1]
    if (last - first).days < _SHORT_DAYS:
        span = (
            f"cover only {counted((last - first).days, 'day')}, from {day_words(first)} to {day_words(last)}"
        )
        words = f"are all of one day, {day_words(first)}" if first == last else span
        yield "history_short", f"The transactions of {account} {words}.", max((last - first).days, 1)
    if (as_of.date() - last).days > SILENT_DAYS:
        yield (
            "silent",
            f"No transactions of {account} were seen after {day_words(last)}: it was quiet, or its data ends there.",
            (as_of.date() - last).days,
        )
    missing = _missing_months(days)
    if missing:
        count = counted(len(missing), "month")
        spans = ", ".join(map(_span_words, _spans(missing)))
        yield (
            "months_missing",
            f"No transactions of {account} were seen in {count} of the period that its data covers: {spans}.",
            len(missing),
        )


def _seldom(days: Sequence[date]) -> str:
    """Return how many transactions an account has, in words, if that is fewer than two a month of its data; empty for any other."""
    months = (days[-1] - days[0]).days / _MONTH_DAYS if days else 0
    return counted(len(days), "transaction") if len(days) < _FEW_A_MONTH * months else ""


def _missing_months(days: Sequence[date]) -> list[int]:
    """Return the months without a transaction, as numbers counted from year 0."""
    seen = {12 * day.year + day.month - 1 for day in days}
    return [month for month in range(min(seen), max(seen)) if month not in seen]


def _spans(months: list[int]) -> Iterator[tuple[int, int]]:
    """Return the first and the last month of each run of months."""
    starts = [month for month in months if month - 1 not in months]
    ends = [month for month in months if month + 1 not in months]
    return zip(starts, ends, strict=True)


def _span_words(span: tuple[int, int]) -> str:
    first, last = (month_words(month // 12, month % 12 + 1) for month in span)
    return first if first == last else f"{first} to {last}"
