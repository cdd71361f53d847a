"""What the money leaves open: no red flag, but a question that must not pass in silence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kycpack.frames.gaps import IF_ONE_ACCOUNT
from kycpack.frames.rows import records, rows, values_of
from kycpack.models.dates import day_words
from kycpack.models.listed import listed
from kycpack.models.money import format_minor, format_range
from kycpack.wealth.judge.accounts import maybe_linked_twice
from kycpack.wealth.judge.balance_path import balance_path, opening_balance
from kycpack.wealth.judge.coverage import KNOWN, nature_of_credits, natures_of
from kycpack.wealth.judge.pay_beside_benefits import pay_beside, worth_in_pounds
from kycpack.wealth.judge.support import CLAIMED_BY, support_of_single
from kycpack.wealth.judge.unexplained import CASH, UNEXPLAINED, largest_of
from kycpack.wealth.match.exchange_rates import rate_words, threshold_bounds
from kycpack.wealth.thresholds import Thresholds

_YEAR_DAYS = 365
_MOST_INTEREST_PERCENT = 10
"""The most interest a year, as a share of the balance: the firm's standard; savings accounts for the public pay less."""

# Selecting rows of whole frames takes many times as long.
_OF_TRANSACTIONS = [
    "account_id", "booked_on", "amount_minor", "currency", "balance_after_minor", "evidence_id",
]  # fmt: skip
_OF_CREDITS = [
    "account_id", "booked_on", "least_minor", "most_minor", "may_be_twice_minor", "currency", "type", "payer", "disposition", "evidence_id",
]  # fmt: skip
_SINGLE = (UNEXPLAINED, "one_off")
_NOT = "not established"
LARGE = "large credits"
"""The part of a question that is about single large credits."""
_NAMED_SHARE = 10  # of the threshold: an account with less of the money that was there before is not named


class Question(NamedTuple):
    """A question that the money leaves open.

    Attributes:
        code: A code of frame `gaps`.
        account_id: The account that it is about; empty if it is about several.
        message: A plain sentence.
        evidence_ids: The entries that show it.
        amount_minor: The largest sum that it may be about, minor units.
        currency: ISO 4217; None without a sum.
        least_minor: The least sum, where that is not the same.
        part: `LARGE` if it is about single large credits; which limit a sum is below; otherwise empty.
    """

    code: Literal[
        "opening_balance",
        "opening_below_limit",
        "interest_above_balance",
        "pay_beside_benefit",
        "nature_not_known",
        "nature_below_limit",
    ]
    account_id: str
    message: str
    evidence_ids: tuple[str, ...]
    amount_minor: int | None = None
    currency: str | None = None
    part: str = ""
    least_minor: int | None = None


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
    twice = {frozenset(doubt.account_ids) for doubt in maybe_linked_twice(credits_)}
    held = []
    for currency in sorted(set(values_of(booked["currency"].array)) - {pd.NA}):
        asked = [
            row for row in (() if balances is None else records(balances)) if row["currency"] == currency
        ]
        held.append(_held_before(booked[booked["currency"] == currency], asked, twice, thresholds))
    is_large, may_be_large = (sum(one.share(of_all=of_all) for one in held) >= 1 for of_all in (False, True))
    for one in held:
        named = one.large_ones if is_large else []
        # Where no account has much of a large sum, all of them are asked about.
        if is_large and not named and (one.share() >= 1 or not any(other.large_ones for other in held)):
            named = [*one.found]
        rate = rate_words(thresholds.currency, one.currency)
        yield from _opening(one, named, rate, is_large=is_large, may_be_large=may_be_large)
        small = threshold_bounds(thresholds.small_credit, thresholds.currency, one.currency)[0]
        yield from _interest(one.booked, one.asked, paid[paid["currency"] == one.currency], small)
    yield from pay_beside_benefit(paid)
    yield from _not_known(credits_, streams, thresholds)


class _Held(NamedTuple):
    """What the accounts of one currency held before the first transactions that were seen.

    Attributes:
        currency: ISO 4217 code.
        booked: Its booked transactions.
        asked: Its rows of frame `balances`.
        found: Account -> minor units, and the row of the first transaction.
        doubtful: The same of accounts that may be others, which are not counted with them.
        large: The threshold in this currency, minor units; 0 if no rate is known.
    """

    currency: str
    booked: pd.DataFrame
    asked: list[dict[str, Any]]
    found: dict[str, tuple[int, int]]
    doubtful: dict[str, tuple[int, int]]
    large: int

    def share(self, *, of_all: bool = False) -> Fraction:
        """Return the sum as a share of the threshold, with the doubtful accounts or without."""
        total = sum(minor for minor, _ in (self.found | self.doubtful if of_all else self.found).values())
        return Fraction(total, self.large) if self.large else Fraction(total > 0)

    @property
    def large_ones(self) -> list[str]:
        """The accounts with at least a tenth of the threshold."""
        return self.large_ones_of(self.found)

    def large_ones_of(self, accounts: dict[str, tuple[int, int]]) -> list[str]:
        """Return those of some accounts that have at least a tenth of the threshold."""
        return [one for one, (minor, _) in accounts.items() if _NAMED_SHARE * minor >= self.large]


def _held_before(
    booked: pd.DataFrame, asked: list[dict[str, Any]], twice: set[frozenset[str]], thresholds: Thresholds
) -> _Held:
    found: dict[str, tuple[int, int]] = {}
    doubtful: dict[str, tuple[int, int]] = {}
    accounts, (day, amount, after) = booked["account_id"].to_numpy(object), _arrays(booked)
    for account in dict.fromkeys(accounts.tolist()):
        mine = np.flatnonzero(accounts == account)
        held = [row for row in asked if row["account_id"] == account]
        opening = opening_balance(day[mine], amount[mine], after[mine], held)
        if opening is not None and opening > 0:
            is_twice = any({str(account), other} in twice for other in found)
            (doubtful if is_twice else found)[str(account)] = opening, int(mine[0])
    currency = str(booked["currency"].iloc[0])
    large = threshold_bounds(thresholds.large_credit, thresholds.currency, currency)[0]
    return _Held(currency, booked, asked, found, doubtful, large)


def _opening(
    held: _Held, named: list[str], rate: str, *, is_large: bool, may_be_large: bool
) -> Iterator[Question]:
    """Yield the accounts of one currency in which there was money before the first transaction and has to be explained, and what others held.

    What was in an account that may be another one is not counted with it; a range says what it comes to with that.

    Args:
        held: What the accounts held.
        named: The accounts whose money has to be explained.
        rate: By which rate the threshold is applied.
        is_large: Whether what all accounts of all currencies held is a large sum.
        may_be_large: Whether it is one with what the doubtful ones held.
    """
    booked, doubtful, large = held.booked, held.doubtful, held.large
    found = dict(held.found)
    for account in named:
        minor, first = found.pop(account)
        message = (
            f"{format_minor(minor, booked['currency'].iloc[first])} was in account {account} before the first transaction that was seen, on "
            f"{day_words(booked['booked_on'].iloc[first])}: where it came from is not shown and has to be explained."
        )
        shown, currency = booked["evidence_id"].iloc[[first]], str(booked["currency"].iloc[first])
        yield Question("opening_balance", account, message, _entries(shown), minor, currency)
    if found or doubtful:
        rest, further = (sum(minor for minor, _ in each.values()) for each in (found, doubtful))
        currency = str(booked["currency"].iloc[0])
        sums, limit = format_range(rest, rest + further, currency), format_minor(large, currency)
        why, part, depends = (
            f"The policy asks where such money came from if it is {limit} or more in all{rate}.",
            f"under {limit} in all",
            may_be_large,
        )
        if is_large and found:
            sure = "What is counted for sure" if doubtful else "That"
            part, depends = f"less than a tenth of {limit} in each", bool(held.large_ones_of(doubtful))
            why = f"{sure} is {part}, so it need not be explained{rate}."
        elif is_large or not large:
            why, part, depends = "Whether it has to be explained depends on that.", "nothing", True
        which = "further linked accounts" if named else "the linked accounts"
        with_it = ""
        if doubtful:
            with_it = f": the larger sum counts {listed([*doubtful])} as well, which may be counted already under another id"
        message = f"{sums} was in {which} before the first transactions that were seen{with_it}. {why}"
        shown = booked["evidence_id"].iloc[[first for _, first in (found | doubtful).values()]]
        part = f"{part}{IF_ONE_ACCOUNT}" if depends else part
        least = rest if doubtful else None
        yield Question(
            "opening_below_limit", "", message, _entries(shown), rest + further, currency, part, least
        )


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
    if 100 * total * _YEAR_DAYS <= _MOST_INTEREST_PERCENT * average * len(each):
        return
    currency = str(booked["currency"].iloc[0])
    message = (
        f"Interest of {format_range(int(paid['least_minor'].sum()), total, currency)} was paid in between {day_words(start)} and {day_words(last)}, but the linked accounts "
        f"held {format_minor(average, currency)} on average in that time. What it is paid on has to be explained."
    )
    yield Question("interest_above_balance", "", message, _entries(paid["evidence_id"]), total, currency)


def pay_beside_benefit(credits_: pd.DataFrame) -> Iterator[Question]:
    """Yield a question about each benefit that limits work or earnings, and came in while pay or what may be pay did.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    for one in pay_beside(credits_):
        first, last = one.pay["booked_on"].min(), one.pay["booked_on"].max()
        message = (
            f"{one.pay_words}, came in between {day_words(first)} and {day_words(last)}, while {one.benefit} was paid{one.apart_words}, {one.limit}. "
            "This has to be explained."
        )
        shown = _entries(pd.concat([one.pay["evidence_id"], one.paid["evidence_id"]]))
        sums = one.pay.groupby("currency")["most_minor"].sum()
        most = {str(currency): int(minor) for currency, minor in sums.items()}
        currency = max(most, key=lambda of: worth_in_pounds(most[of], of))
        yield Question(
            "pay_beside_benefit",
            str(one.paid["account_id"].iloc[0]),
            message,
            shown,
            most[currency],
            currency,
        )


def _not_known(credits_: pd.DataFrame, streams: pd.DataFrame, thresholds: Thresholds) -> Iterator[Question]:
    """Yield each currency with credits, without own transfers, of no established source: whether they are most of the credits and no small sum, or a large single one is among them, or neither."""
    open_ = of_no_established_source(credits_, streams)
    for currency, mine in nature_of_credits(credits_, streams).groupby("currency", sort=False):
        of = str(currency)
        sums = mine[["least_minor", "total_minor"]]
        least_whole, total = map(int, sums.sum())
        least_unknown, unknown = map(int, sums[mine["nature"] != KNOWN].sum())
        if not unknown:
            continue
        surely = None if least_unknown == unknown else least_unknown
        theirs = open_[(open_["currency"] == of).to_numpy(bool)]
        entries = _entries(theirs["evidence_id"])
        part, whole = (format_range(*ends, of) for ends in ((least_unknown, unknown), (least_whole, total)))
        least, _ = threshold_bounds(thresholds.unknown_total, thresholds.currency, of)
        if unknown >= max(least, 1) and 2 * unknown > total:
            said = f"The source of most of the credits is not established: {part} of {whole}"
            if unknown == total:
                said = f"The source of none of the credits is established: {whole} in all"
            message = f"{said}. The largest have to be explained."
            yield Question("nature_not_known", "", message, entries, unknown, of, "", surely)
            continue
        large, single = large_single(theirs, of, thresholds)
        if not single.empty:
            found = largest_of(of, single)
            which, it = ("a large credit", "it is") if found.count == 1 else ("large credits", "they are")
            beside = (
                f", among credits of {part} in all whose nature is not known"
                if unknown > int(single["most_minor"].sum())
                else ""
            )
            message = f"The nature of {which} is {_how_little(single)}: {found.words}{beside}. What {it} has to be explained."
            yield Question("nature_not_known", "", message, entries, unknown, of, LARGE, surely)
        else:
            limits = (format_minor(limit, of) for limit in (least, large))
            asked = "{} or more and more than half of the credits, or if a single one that is neither cash nor in a stream is {} or more".format(
                *limits
            )
            message = (
                f"The source of {part} of {whole} of credits is not established. The policy asks about such credits if they are {asked}"
                f"{rate_words(thresholds.currency, of)}."
            )
            below = "not more than half of all" if unknown >= least else f"under {format_minor(least, of)}"
            yield Question("nature_below_limit", "", message, entries, unknown, of, below, surely)


def _how_little(single: pd.DataFrame) -> str:
    """Return how little is known of the nature of single credits, in words that follow `is`."""
    said = {
        _NOT
        if row.disposition == UNEXPLAINED
        else "contradicted"
        if row.doubtful
        else CLAIMED_BY.get(support_of_single(row), _NOT)
        for row in rows(single, "disposition", "type", "doubtful", "evidence_level")
    }
    return " or ".join(sorted(said))


def of_no_established_source(credits_: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Return one customer's credits of no established source, without own transfers.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: Frame `streams`, with at least the customer's rows.
    """
    natures = np.array([nature for nature, _ in natures_of(credits_, streams)], dtype=object)
    open_: pd.DataFrame = credits_[
        (natures != KNOWN) & (credits_["disposition"] != "own_transfer").to_numpy(bool)
    ]
    return open_


def large_single(open_: pd.DataFrame, currency: str, thresholds: Thresholds) -> tuple[int, pd.DataFrame]:
    """Return from which sum on a single credit in a currency is asked about, minor units, and which are.

    Args:
        open_: The credits in the currency of no established source.
        currency: ISO 4217.
        thresholds: The policy's thresholds.
    """
    large, _ = threshold_bounds(thresholds.large_credit, thresholds.currency, currency)
    is_single = open_["disposition"].isin(_SINGLE) & (open_["type"] != CASH)
    return large, open_[is_single & (open_["most_minor"] >= large)]


def _arrays(booked: pd.DataFrame) -> tuple[Any, Any, Any]:
    """Return the day, in days since 1970-01-01, the amount, and the balance after each transaction."""
    day = booked["booked_on"].to_numpy("datetime64[D]").astype(np.int64)
    return day, booked["amount_minor"].to_numpy(np.int64), booked["balance_after_minor"].to_numpy(object)


def _entries(column: pd.Series) -> tuple[str, ...]:
    return tuple(sorted(set(column.dropna().astype(str))))
