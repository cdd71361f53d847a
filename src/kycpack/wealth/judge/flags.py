"""Red flags: patterns of money that a reviewer has to look at, each with the transactions that raised it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.money import exponent, format_minor
from kycpack.wealth.judge.pass_through import passing_credits, round_trips
from kycpack.wealth.thresholds import Thresholds

FLAG_COLUMNS = ("customer_id", "code", "severity", "message", "txn_ids", "evidence_ids")

SEVERITIES = {
    "near_threshold": "edd",
    "pass_through": "edd",
    "round_trip": "edd",
    "cash_intensive": "review",
    "gambling": "review",
    "crypto": "review",
    "large_unexplained": "review",
    "activity_spike": "review",
}
"""Source: triage policy, wealth red flags: structuring, pass-through and third-party round trips ask for enhanced due diligence."""


@dataclass(frozen=True)
class _Flag:
    customer_id: str
    code: str
    message: str
    rows: pd.DataFrame


def find_flags(credits_: pd.DataFrame, debits: pd.DataFrame, limits: Thresholds) -> pd.DataFrame:
    """Return red flags.

    Args:
        credits_: Frame `credits`.
        debits: As of `large_debits`.
        limits: Thresholds.

    Returns:
        `FLAG_COLUMNS`, by customer and code; `txn_ids` and `evidence_ids` are lists.
    """
    columns = ["customer_id", "account_id", "txn_id", "currency", "disposition", "type", "payer_key"]
    credits_ = credits_.astype(
        dict.fromkeys(columns, object)
    )  # many small questions are slow on arrow strings
    counted = credits_[~credits_["disposition"].isin(["own_transfer", "refund"])]
    flags = [
        *_near_threshold(counted, limits),
        *_large_unexplained(counted, limits),
        *_pass_through(counted, debits, limits),
        *_round_trips(credits_[~_settled(credits_)], debits, limits),
        *_activity_spikes(credits_, limits),
        *_share_of_type(counted, "cash_deposit", "cash_intensive", limits.cash_share, limits.cash_amount),
        *_share_of_type(counted, "gambling", "gambling", limits.gambling_share, limits.flow_amount),
        *_share_of_type(counted, "crypto", "crypto", limits.crypto_share, limits.flow_amount),
    ]
    rows = [
        {
            "customer_id": flag.customer_id,
            "code": flag.code,
            "severity": SEVERITIES[flag.code],
            "message": flag.message,
            "txn_ids": [str(value) for value in flag.rows["txn_id"]],
            "evidence_ids": sorted({str(value) for value in flag.rows["evidence_id"].dropna()}),
        }
        for flag in flags
    ]
    frame = pd.DataFrame(rows, columns=list(FLAG_COLUMNS))
    texts = dict.fromkeys(("customer_id", "code", "severity", "message"), "string")
    return (
        frame.astype(texts)
        .sort_values(["customer_id", "code", "message"], kind="stable")
        .reset_index(drop=True)
    )


def _minor(amount: Decimal, currency: pd.Series) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    table = {code: int(amount.scaleb(exponent(code))) for code in currency.unique()}
    return currency.map(table).to_numpy(dtype=np.int64)


def _near_threshold(credits_: pd.DataFrame, limits: Thresholds) -> Iterator[_Flag]:
    """Several credits just below the amount that would be reported, within some days."""
    amount = credits_["amount_minor"].to_numpy()
    limit = _minor(limits.reporting_limit, credits_["currency"])
    low = _minor(limits.reporting_limit * limits.near_limit_share, credits_["currency"])
    near = credits_[(amount >= low) & (amount < limit)]
    for (customer, currency), rows in near.groupby(["customer_id", "currency"], sort=True):
        days = rows.sort_values(["booked_on", "txn_id"], kind="stable")
        moments = days["booked_on"].to_numpy()
        ends = np.searchsorted(moments, moments + np.timedelta64(limits.near_limit_days, "D"), side="right")
        within = ends - np.arange(len(moments))
        if within.max(initial=0) >= limits.near_limit_count:
            start = int(np.argmax(within))
            hit = days.iloc[start : int(ends[start])]
            yield _Flag(
                str(customer),
                "near_threshold",
                f"{len(hit)} credits just below {limits.reporting_limit:,} {currency} within {limits.near_limit_days} days, "
                f"{format_minor(int(hit['amount_minor'].sum()), str(currency))} in all",
                hit,
            )


def _large_unexplained(credits_: pd.DataFrame, limits: Thresholds) -> Iterator[_Flag]:
    """A single credit, large by itself or beside all others, that nothing explains."""
    if credits_.empty:
        return
    whole = credits_.groupby(["customer_id", "currency"])["amount_minor"].transform("sum").to_numpy()
    amount = credits_["amount_minor"].to_numpy()
    floor = _minor(limits.large_credit, credits_["currency"])
    large = (credits_["disposition"] == "unexplained").to_numpy() & (
        (amount >= floor) & (amount >= float(limits.large_credit_share) * whole) | (amount >= 2 * floor)
    )
    hit = credits_[large]
    for index, row in enumerate(hit.to_dict("records")):
        yield _Flag(
            row["customer_id"],
            "large_unexplained",
            f"a single credit of {format_minor(row['amount_minor'], row['currency'])} on {day_words(row['booked_on'])} is unexplained",
            hit.iloc[index : index + 1],
        )


def _pass_through(credits_: pd.DataFrame, debits: pd.DataFrame, limits: Thresholds) -> Iterator[_Flag]:
    """Several credits that left their account within days."""
    large = credits_["amount_minor"] >= _minor(limits.pass_through_amount, credits_["currency"])
    passing = passing_credits(credits_, debits, large, limits)
    for (customer, currency), rows in passing.groupby(["customer_id", "currency"], sort=True):
        if len(rows) >= limits.pass_through_count:
            yield _Flag(
                str(customer),
                "pass_through",
                f"{len(rows)} credits, {format_minor(int(rows['amount_minor'].sum()), str(currency))} in all, of which at least "
                f"{limits.pass_through_share:.0%} left the account within {limits.pass_through_days} days",
                rows,
            )


def _settled(credits_: pd.DataFrame) -> pd.Series[bool]:
    """Return which credits are own transfers, or refunds by a code or word, so that their way back is explained."""
    by_word = (credits_["disposition"] == "refund") & credits_["pair_txn_id"].isna()
    return (credits_["disposition"] == "own_transfer") | by_word


def _round_trips(credits_: pd.DataFrame, debits: pd.DataFrame, limits: Thresholds) -> Iterator[_Flag]:
    """Money that came from, and went to, one third party in nearly one amount."""
    large = credits_["amount_minor"] >= _minor(limits.round_trip_amount, credits_["currency"])
    for into, out in round_trips(credits_, debits, large, limits):
        row = into.iloc[0]
        yield _Flag(
            str(row["customer_id"]),
            "round_trip",
            f"{format_minor(int(row['amount_minor']), str(row['currency']))} came in on {day_words(row['booked_on'])} and nearly as "
            f"much went to the same party on {day_words(out.iloc[0]['booked_on'])}",
            pd.concat([into, out]),
        )


def _activity_spikes(credits_: pd.DataFrame, limits: Thresholds) -> Iterator[_Flag]:
    """An account that appears later than the customer's others and takes most of the money at once."""
    if credits_.empty:
        return
    opened = credits_.groupby(["customer_id", "account_id"])["booked_on"].transform("min")
    known_since = credits_.groupby("customer_id")["booked_on"].transform("min")
    young = pd.Timedelta(days=limits.new_account_days)
    fresh = (opened - known_since > young) & (credits_["booked_on"] - opened <= young)
    mine = credits_[fresh & ~credits_["disposition"].isin(["own_transfer", "refund"])]
    for (customer, account, currency), rows in mine.groupby(
        ["customer_id", "account_id", "currency"], sort=True
    ):
        total = int(rows["amount_minor"].sum())
        beside = credits_[
            (credits_["customer_id"] == customer)
            & (credits_["currency"] == currency)
            & credits_["booked_on"].between(rows["booked_on"].min(), rows["booked_on"].max())
            & ~credits_["disposition"].isin(["own_transfer", "refund"])
        ]
        whole = int(beside["amount_minor"].sum())
        if (
            total >= int(limits.spike_amount.scaleb(exponent(str(currency))))
            and total >= limits.spike_share * whole
        ):
            yield _Flag(
                str(customer),
                "activity_spike",
                f"account {account}, new in the data, took {format_minor(total, str(currency))} within {limits.new_account_days} days, "
                f"{total / whole:.0%} of all credits in {currency} in that time",
                rows,
            )


def _share_of_type(
    credits_: pd.DataFrame, type_: str, code: str, share: Decimal, floor: Decimal
) -> Iterator[_Flag]:
    mine = credits_[credits_["type"] == type_]
    if mine.empty:
        return
    whole = credits_.groupby(["customer_id", "currency"])["amount_minor"].sum().to_dict()
    for (customer, currency), rows in mine.groupby(["customer_id", "currency"], sort=True):
        total = int(rows["amount_minor"].sum())
        if total >= int(floor.scaleb(exponent(str(currency)))) and total >= share * int(
            whole[(customer, currency)]
        ):
            yield _Flag(
                str(customer),
                code,
                f"{len(rows)} credits of type {type_.replace('_', ' ')}, {format_minor(total, str(currency))}, "
                f"{total / int(whole[(customer, currency)]):.0%} of all credits in {currency}",
                rows,
            )
