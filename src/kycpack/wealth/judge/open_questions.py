"""What the money leaves open: no red flag, but a question that must not pass in silence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.assets import asset_yaml
from kycpack.frames.rows import records, values_of
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.models.money import format_minor, format_range
from kycpack.wealth.judge.account_doubts import maybe_linked_twice
from kycpack.wealth.judge.balance_path import balance_path, opening_balance
from kycpack.wealth.judge.coverage import KNOWN, nature_of_credits
from kycpack.wealth.judge.unexplained import CASH, UNEXPLAINED, unexplained_of
from kycpack.wealth.judge.wording import count_words
from kycpack.wealth.match.exchange_rates import threshold_bounds
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.thresholds import Thresholds

_YEAR_DAYS = 365
_MOST_INTEREST_PERCENT = 10
"""The most interest a year, as a share of the balance: the firm's standard; savings accounts for the public pay less."""

# Selecting rows of whole frames takes many times as long.
_OF_TRANSACTIONS = [
    "account_id", "booked_on", "amount_minor", "currency", "balance_after_minor", "evidence_id",
]  # fmt: skip
_OF_CREDITS = [
    "account_id", "booked_on", "least_minor", "most_minor", "may_be_twice_minor", "currency", "type", "payer", "evidence_id",
]  # fmt: skip
_SPELL_DAYS = 45  # benefits are paid every two or four weeks
_NAMED_SHARE = 10  # of the threshold: an account with less of the money that was there before is not named


class Question(NamedTuple):
    """A question that the money leaves open.

    Attributes:
        code: A code of frame `gaps`.
        account_id: The account that it is about; empty if it is about several.
        message: A plain sentence.
        evidence_ids: The entries that show it; none where that is all of them.
        amount_minor: The largest sum that it may be about, minor units.
        currency: ISO 4217; None without a sum.
    """

    code: Literal[
        "opening_balance",
        "opening_below_limit",
        "interest_above_balance",
        "pay_beside_benefit",
        "nature_not_known",
    ]
    account_id: str
    message: str
    evidence_ids: tuple[str, ...]
    amount_minor: int | None = None
    currency: str | None = None


def open_questions(
    transactions: pd.DataFrame,
    balances: pd.DataFrame | None,
    credits_: pd.DataFrame,
    streams: pd.DataFrame,
    thresholds: Thresholds,
) -> Iterator[Question]:
    """Yield the questions about one customer's money.

    Args:
        transactions: The customer's transactions.
        balances: The customer's rows of frame `balances`, if it was given.
        credits_: The customer's rows of frame `credits`.
        streams: Frame `streams`, with at least the customer's rows.
        thresholds: The policy's thresholds; an opening balance matters from `large_credit` on, interest from `small_credit` on, and
            credits of no known nature from `unknown_total` on, or a single one from `large_credit` on.
    """
    is_counted = (transactions["status"] == "booked") & transactions["booked_on"].notna()
    booked, paid = transactions[_OF_TRANSACTIONS][is_counted], credits_[_OF_CREDITS]
    booked = booked.iloc[np.argsort(booked["booked_on"].to_numpy(), kind="stable")]
    for currency in sorted(set(values_of(booked["currency"].array)) - {pd.NA}):
        mine = booked[booked["currency"] == currency]
        asked = [
            row for row in (() if balances is None else records(balances)) if row["currency"] == currency
        ]
        large, small = (
            threshold_bounds(limit, thresholds.currency, str(currency))[0]
            for limit in (thresholds.large_credit, thresholds.small_credit)
        )
        yield from _opening(mine, asked, credits_, large)
        yield from _interest(mine, asked, paid[paid["currency"] == currency], small)
    yield from pay_beside_benefit(paid)
    yield from _not_known(credits_, streams, thresholds)


def _opening(
    booked: pd.DataFrame, asked: list[dict[str, Any]], credits_: pd.DataFrame, large: int
) -> Iterator[Question]:
    """Yield the accounts in which there was money before the first transaction, if all of it together is a large sum; or that it is not."""
    twice = {frozenset(doubt.account_ids) for doubt in maybe_linked_twice(credits_)}
    found: dict[str, tuple[int, int]] = {}
    accounts, (day, amount, after) = booked["account_id"].to_numpy(object), _arrays(booked)
    for account in dict.fromkeys(accounts.tolist()):
        if any({str(account), other} in twice for other in found):
            continue
        mine = np.flatnonzero(accounts == account)
        held = [row for row in asked if row["account_id"] == account]
        opening = opening_balance(day[mine], amount[mine], after[mine], held)
        if opening is not None and opening > 0:
            found[str(account)] = opening, int(mine[0])
    total = sum(minor for minor, _ in found.values())
    if total < large:
        if total:
            currency = str(booked["currency"].iloc[0])
            message = (
                f"{format_minor(total, currency)} was in the linked accounts before the first transactions that were seen. The policy asks where such "
                f"money came from if it is {format_minor(large, currency)} or more in all."
            )
            shown = booked["evidence_id"].iloc[[first for _, first in found.values()]]
            yield Question("opening_below_limit", "", message, _entries(shown), total, currency)
        return
    for account, (minor, first) in found.items():
        if _NAMED_SHARE * minor >= large:
            message = (
                f"{format_minor(minor, booked['currency'].iloc[first])} was in account {account} before the first transaction that was seen, on "
                f"{day_words(booked['booked_on'].iloc[first])}: where it came from is not shown and has to be explained."
            )
            shown, currency = booked["evidence_id"].iloc[[first]], str(booked["currency"].iloc[first])
            yield Question("opening_balance", account, message, _entries(shown), minor, currency)


def _interest(
    booked: pd.DataFrame, asked: list[dict[str, Any]], credits_: pd.DataFrame, small: int
) -> Iterator[Question]:
    """Yield interest of the last year that is out of proportion to what the accounts held."""
    last = booked["booked_on"].max()
    start = max(booked["booked_on"].min(), last - timedelta(days=_YEAR_DAYS - 1))
    paid = credits_[(credits_["type"] == "interest") & (credits_["booked_on"] >= start)]
    total = int(paid["most_minor"].sum())
    if total < small:
        return
    path = balance_path(booked["account_id"].to_numpy(object), *_arrays(booked), asked)
    if path.held is None:
        return
    first, end = (int(day.to_datetime64().astype("datetime64[D]").astype(np.int64)) for day in (start, last))
    each = np.arange(first, end + 1)
    average = int(path.held[np.searchsorted(path.days, each, side="right") - 1].mean())
    days = len(each)
    if 100 * total * _YEAR_DAYS <= _MOST_INTEREST_PERCENT * average * days:
        return
    currency = str(booked["currency"].iloc[0])
    message = (
        f"Interest of {format_range(int(paid['least_minor'].sum()), total, currency)} was paid in between {day_words(start)} and {day_words(last)}, but the linked accounts "
        f"held {format_minor(average, currency)} on average in that time. What it is paid on has to be explained."
    )
    yield Question("interest_above_balance", "", message, _entries(paid["evidence_id"]), total, currency)


def pay_beside_benefit(credits_: pd.DataFrame) -> Iterator[Question]:
    """Yield a question about each out-of-work benefit that came in while wages did.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    for benefit, mine, beside in _wages_beside(credits_):
        first, last = beside["booked_on"].min(), beside["booked_on"].max()
        sums = beside.groupby("currency")[["least_minor", "most_minor"]].sum()
        ranges = [format_range(int(low), int(most), str(one)) for one, low, most in sums.itertuples()]
        number = count_words(int((beside["may_be_twice_minor"] == 0).sum()), len(beside))
        message = (
            f"{number} payments of wages, {listed(ranges)} in all, came in between {day_words(first)} and {day_words(last)}, while {benefit} was paid, an "
            "out-of-work benefit, which wages can end or reduce. This has to be explained."
        )
        shown = _entries(pd.concat([beside["evidence_id"], mine["evidence_id"]]))
        most, currency = max((int(most), str(one)) for one, _, most in sums.itertuples())
        yield Question("pay_beside_benefit", str(mine["account_id"].iloc[0]), message, shown, most, currency)


def beside_benefit_words(credits_: pd.DataFrame) -> tuple[str, ...]:
    """Return what a statement says where `pay_beside_benefit` asks: what came in, in a sentence that suspects nobody.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    return tuple(
        f"Wages came in while {benefit} was paid: the payments do not show how the two go together."
        for benefit, _, _ in _wages_beside(credits_)
    )


def questioned_wages(credits_: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which credits are wages that `pay_beside_benefit` asks about.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    return credits_.index.isin([at for _, _, beside in _wages_beside(credits_) for at in beside.index])


def _wages_beside(credits_: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """Yield each out-of-work benefit, its payments, and the wages that came in while it was paid."""
    wages = credits_[credits_["type"] == "employment"]
    paid = credits_[credits_["type"] == "state_benefit"]
    of = np.array([_out_of_work(name) for name in to_plain_text(list(map(str, paid["payer"])))], dtype=object)
    for benefit in sorted(set(of) - {""}):
        mine = paid[of == benefit]
        beside = wages[_within_spells(wages["booked_on"], mine["booked_on"])]
        if len(beside) > 1:
            yield benefit, mine, beside


def _not_known(credits_: pd.DataFrame, streams: pd.DataFrame, thresholds: Thresholds) -> Iterator[Question]:
    """Yield each currency in which most of the credits, without own transfers, are of no established source and no small sum, or in which a large single one is."""
    for currency, mine in nature_of_credits(credits_, streams).groupby("currency", sort=False):
        of = str(currency)
        sums = mine[["least_minor", "total_minor"]]
        least_whole, total = map(int, sums.sum())
        least_unknown, unknown = map(int, sums[mine["nature"] != KNOWN].sum())
        least, _ = threshold_bounds(thresholds.unknown_total, thresholds.currency, of)
        if unknown >= max(least, 1) and 2 * unknown > total:
            part, whole = (
                format_range(*ends, of) for ends in ((least_unknown, unknown), (least_whole, total))
            )
            said = f"The source of most of the credits is not established: {part} of {whole}"
            if unknown == total:
                said = f"The source of none of the credits is established: {whole} in all"
            message = f"{said}. The largest have to be explained."
            yield Question("nature_not_known", "", message, (), unknown, of)
            continue
        large, _ = threshold_bounds(thresholds.large_credit, thresholds.currency, of)
        single = credits_[
            (credits_["currency"] == of)
            & (credits_["disposition"] == UNEXPLAINED)
            & (credits_["type"] != CASH)
            & (credits_["most_minor"] >= large)
        ]
        for found in unexplained_of(single):
            which, it = ("a large credit", "it is") if found.count == 1 else ("large credits", "they are")
            beside = (
                f", among credits of {format_range(least_unknown, unknown, of)} in all whose nature is not known"
                if unknown > int(single["most_minor"].sum())
                else ""
            )
            message = f"The nature of {which} is not established: {found.words}{beside}. What {it} has to be explained."
            shown = _entries(single["evidence_id"])
            yield Question("nature_not_known", "", message, shown, int(single["most_minor"].max()), of)


def _within_spells(days: pd.Series, paid: pd.Series) -> npt.NDArray[np.bool_]:
    """Return which days lie between two payments of a benefit that follow each other: where a longer time lies between them, it ended and began again."""
    each = np.sort(paid.to_numpy("datetime64[D]").astype(np.int64))
    day = days.to_numpy("datetime64[D]").astype(np.int64)
    place = np.searchsorted(each, day, side="right")
    inside = (place > 0) & (place < len(each))
    gap = each[np.minimum(place, len(each) - 1)] - each[np.maximum(place - 1, 0)]
    return np.asarray(inside & (gap <= _SPELL_DAYS), dtype=np.bool_)


def _out_of_work(name: str) -> str:
    """Return the out-of-work benefit that a payer's name names; empty if none."""
    padded = f" {name} "
    return next((benefit for benefit, words in _benefits() if any(f" {one} " in padded for one in words)), "")


@cache
def _benefits() -> tuple[tuple[str, tuple[str, ...]], ...]:
    said = asset_yaml("lexicon/out_of_work_benefits.yaml")["benefits"]
    return tuple((str(benefit), tuple(words)) for benefit, words in said.items())


def _arrays(booked: pd.DataFrame) -> tuple[Any, Any, Any]:
    """Return the day, in days since 1970-01-01, the amount, and the balance after each transaction."""
    day = booked["booked_on"].to_numpy("datetime64[D]").astype(np.int64)
    return day, booked["amount_minor"].to_numpy(np.int64), booked["balance_after_minor"].to_numpy(object)


def _entries(column: pd.Series) -> tuple[str, ...]:
    return tuple(sorted(set(column.dropna().astype(str))))
