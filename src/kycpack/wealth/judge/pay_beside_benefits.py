"""Pay, and what may be pay, that came in while a benefit was paid that limits work or earnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.assets import asset_yaml
from kycpack.frames.rows import rows
from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.models.money import divided, format_range, to_minor
from kycpack.wealth.judge.wording import count_words
from kycpack.wealth.match.exchange_rates import threshold_bounds
from kycpack.wealth.prepare.lexicon import OTHER
from kycpack.wealth.prepare.plain_text import to_plain_text

_SPELL_DAYS = 45  # benefits and pay come at least every month
_WEEK_DAYS = 7
_MOST_NAMED = 3  # payments that are not counted
_FEWEST_DAYS = _WEEK_DAYS  # over which pay is averaged: a limit is one for a week
_RATE_OF = 10_000  # pounds: the rate of a currency has digits enough
_OUT_OF_WORK = "an out-of-work benefit, which wages can end or reduce"
PAY = ("employment", "self_employment", "business_income")
"""Types of credits that a benefit may limit."""
_KINDS = {
    "employment": "payments of wages",
    "self_employment": "payments for self-employed work or trade",
    OTHER: "credits whose nature is not established,",
}
"""What came in beside a benefit."""


class _Benefits(NamedTuple):
    words: Mapping[str, Sequence[str]]
    limits: Mapping[str, Mapping[date, Decimal]]  # pounds a week, from a day on
    least_payment: Decimal  # pounds


class Beside(NamedTuple):
    """A benefit that limits work or earnings, and the pay that came in while it was paid.

    Attributes:
        benefit: Its name.
        limit: What it limits, in words.
        paid: Its rows of frame `credits`.
        pay: The rows of frame `credits` that are pay, or may be.
        apart: The rows of further credits of the same payers that are pay or may be, and came in at other times.
    """

    benefit: str
    limit: str
    paid: pd.DataFrame
    pay: pd.DataFrame
    apart: pd.DataFrame

    @property
    def pay_words(self) -> str:
        """The number and the sums of the payments, by what is known of them."""
        return listed([_part_words(kind, part) for kind, part in _by_kind(self.pay)])

    @property
    def apart_words(self) -> str:
        """What is not counted of the same payers, in brackets; empty if nothing is left out."""
        if self.apart.empty:
            return ""
        count, days, paid = len(self.apart), self.apart["booked_on"], self.paid["booked_on"]
        in_order = self.apart.sort_values("booked_on", kind="stable")
        said = listed(
            [
                f"{format_range(int(row.least_minor), int(row.most_minor), str(row.currency))} on {day_words(row.booked_on)}"
                for row in rows(in_order, "least_minor", "most_minor", "currency", "booked_on")
            ]
        )
        if count > _MOST_NAMED:
            said = f"{_sum_words(self.apart)} in all, between {day_words(days.min())} and {day_words(days.max())}"
        places = {
            f"before the first payment of the benefit, on {day_words(paid.min())}": days < paid.min(),
            f"since the benefit ended, last paid on {day_words(paid.max())}": days >= paid.max(),
            "long between two of its payments": (days >= paid.min()) & (days < paid.max()),
        }
        where = listed([words for words, there in places.items() if there.any()])
        payers = "payer" if len({*self.apart["payer"]}) == 1 else "payers"
        more = counted(
            count, f"more payment of the same {payers} is", f"more payments of the same {payers} are"
        )
        return f" ({more} not counted: {said}, {where})"


def questioned_pay(credits_: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which credits are pay, or what may be pay, that `pay_beside_benefit` asks about.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    return credits_.index.isin([at for one in pay_beside(credits_) for at in one.pay.index])


def limited_benefits(credits_: pd.DataFrame) -> npt.NDArray[np.object_]:
    """Return for each credit the name of the benefit that it is of, if that limits work or earnings; empty for any other.

    Args:
        credits_: Rows of frame `credits`, of any number of customers.
    """
    found = np.full(len(credits_), "", dtype=object)
    mine = (credits_["type"] == "state_benefit").to_numpy(dtype=bool, na_value=False)
    payers = list(map(str, credits_["payer"].to_numpy(object)[mine]))
    each = list(dict.fromkeys(payers))
    benefit = {
        payer: _benefit_of(name, _benefits()) for payer, name in zip(each, to_plain_text(each), strict=True)
    }
    found[mine] = [benefit[payer] for payer in payers]
    return found


def pay_beside(credits_: pd.DataFrame) -> Iterator[Beside]:
    """Yield each benefit that limits work or earnings, with what came in while it was paid and was, or may have been, more than it allows.

    Args:
        credits_: The customer's rows of frame `credits`.
    """
    of = limited_benefits(credits_)
    if not any(of):
        return
    known = _benefits()
    pay = credits_[_may_be_pay(credits_, known.least_payment)]
    for benefit in sorted(set(of) - {""}):
        paid = credits_[of == benefit]
        between = _within_spells(pay["booked_on"], paid["booked_on"])
        within = between | _since_paid(pay["booked_on"], paid["booked_on"], credits_["booked_on"].max())
        beside = pay[within]
        limits = known.limits.get(benefit)
        limit = (
            _OUT_OF_WORK
            if limits is None
            else _above_limit(beside, limits) or _above_limit(pay[between], limits)
        )
        if len(beside) > 1 and limit:
            apart = pay[~within]
            yield Beside(benefit, limit, paid, beside, apart[apart["payer"].isin(set(beside["payer"]))])


def _may_be_pay(credits_: pd.DataFrame, least_payment: Decimal) -> npt.NDArray[np.bool_]:
    """Return which credits are pay, or of no established nature and large enough to be pay from somebody who pays again and again."""
    least = {one: _in_pounds(least_payment, one)[0] for one in set(credits_["currency"].astype(str))}
    large = credits_["most_minor"] >= credits_["currency"].astype(str).map(least).astype("int64")
    unknown = (credits_["type"] == OTHER) & (credits_["disposition"] == "stream") & large
    return np.asarray(unknown | credits_["type"].isin(PAY), dtype=np.bool_)


def _by_kind(pay: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [
        (kind, pay[mine])
        for kind in _KINDS
        if (mine := pay["type"].replace("business_income", "self_employment") == kind).any()
    ]


def _part_words(kind: str, part: pd.DataFrame) -> str:
    number = count_words(int((part["may_be_twice_minor"] == 0).sum()), len(part))
    payers = f" from {counted(part['payer'].nunique(), 'payer')}" if kind == OTHER else ""
    return f"{number} {_KINDS[kind]}{payers}, {_sum_words(part)} in all"


def _sum_words(part: pd.DataFrame) -> str:
    """Return the sum of some credits in each currency."""
    sums = part.groupby("currency")[["least_minor", "most_minor"]].sum()
    return listed([format_range(int(low), int(most), str(one)) for one, low, most in sums.itertuples()])


def _above_limit(pay: pd.DataFrame, limits: Mapping[date, Decimal]) -> str:
    """Return how pay goes beyond a weekly limit on average, in words; empty if it does not.

    Pay is for the days since the last pay day, so that the first one does not count.
    """
    starts = pd.DatetimeIndex(list(limits))
    limited = pay[pay["booked_on"] >= starts[0]]
    alone = [(str(currency), mine) for currency, mine in limited.groupby("currency")]
    together = [("GBP", _converted(limited))] if len(alone) > 1 else []
    for currency, mine in (*alone, *together):
        each = mine.groupby("booked_on")[["least_minor", "most_minor"]].sum()
        each["days"] = each.index.to_series().diff().dt.days
        is_long = bool((each["days"] > _SPELL_DAYS).any())
        each = each[each["days"] <= _SPELL_DAYS]
        days = int(each["days"].sum())
        if days < _FEWEST_DAYS:
            continue
        pounds = [list(limits.values())[at] for at in starts.searchsorted(each.index, side="right") - 1]
        allowed = sum(
            _in_pounds(limit, currency)[0] * of for limit, of in zip(pounds, each["days"], strict=True)
        )
        low, most = (int(each[f"{end}_minor"].sum()) for end in ("least", "most"))
        if most * _WEEK_DAYS > allowed:
            least, greatest = (to_minor(limit, "GBP") for limit in (min(pounds), max(pounds)))
            a_week = [divided(end * _WEEK_DAYS, days) for end in (low, most)]
            average = format_range(a_week[0], a_week[1], currency)
            before = each.index[0] - pd.Timedelta(days=int(each["days"].iloc[0]))
            leaving_out = (
                f", without times of more than {_SPELL_DAYS} days between payments" if is_long else ""
            )
            if together and mine is together[0][1]:
                leaving_out += ", all currencies together at the exchange rates of the thresholds"
            return (
                f"which allows earnings of {format_range(least, greatest, 'GBP')} a week at most, after deductions; "
                f"this comes to {average} a week on average ({format_range(low, most, currency)} in the {_weeks(days)} "
                f"after the payment of {day_words(before)}, up to {day_words(each.index[-1])}{leaving_out})"
            )
    return ""


def _converted(pay: pd.DataFrame) -> pd.DataFrame:
    """Return pay with all sums in pounds; where no rate is known, any sum is above all limits."""
    rate = {one: max(_in_pounds(Decimal(_RATE_OF), one)[0], 1) for one in set(pay["currency"].astype(str))}
    of_each = pay["currency"].astype(str).map(rate)
    ends = {
        f"{end}_minor": pay[f"{end}_minor"] * to_minor(Decimal(_RATE_OF), "GBP") // of_each
        for end in ("least", "most")
    }
    return pay.assign(**ends)


def _weeks(days: int) -> str:
    weeks, rest = divmod(days, _WEEK_DAYS)
    return counted(weeks, "week") + (f" and {counted(rest, 'day')}" if rest else "")


def _within_spells(days: pd.Series, paid: pd.Series) -> npt.NDArray[np.bool_]:
    """Return which days lie between two payments of a benefit that follow each other: where a longer time lies between them, it ended and began again."""
    each = np.sort(paid.to_numpy("datetime64[D]").astype(np.int64))
    place = np.searchsorted(each, days.to_numpy("datetime64[D]").astype(np.int64), side="right")
    inside = (place > 0) & (place < len(each))
    gap = each[np.minimum(place, len(each) - 1)] - each[np.maximum(place - 1, 0)]
    return np.asarray(inside & (gap <= _SPELL_DAYS), dtype=np.bool_)


def _since_paid(days: pd.Series, paid: pd.Series, last_seen: pd.Timestamp) -> npt.NDArray[np.bool_]:
    """Return which days follow the last payment of a benefit that has not ended, as far as the credits go: its next payment may still come."""
    is_paid_on = (last_seen - paid.max()).days <= _SPELL_DAYS
    return np.asarray((days >= paid.max()) & is_paid_on, dtype=np.bool_)


def _benefit_of(name: str, known: _Benefits) -> str:
    """Return the benefit with a limit that a payer's name names; empty if none."""
    padded = f" {name} "
    return next(
        (benefit for benefit, words in known.words.items() if any(f" {one} " in padded for one in words)), ""
    )


@cache
def _benefits() -> _Benefits:
    said = asset_yaml("lexicon/benefits_beside_pay.yaml")
    limited = said["earnings_limits"]
    words = said["out_of_work"] | {benefit: one["words"] for benefit, one in limited.items()}
    limits = {
        benefit: {date.fromisoformat(day): Decimal(pounds) for day, pounds in one["a_week"].items()}
        for benefit, one in limited.items()
    }
    return _Benefits(words, limits, Decimal(said["least_payment"]))


def worth_in_pounds(minor: int, currency: str) -> float:
    """Return about what a sum is worth in pounds, for a comparison; next to nothing if no rate is known."""
    return minor / _in_pounds(Decimal(1), currency)[1]


def _in_pounds(limit: Decimal, currency: str) -> tuple[int, int]:
    """Return what a limit in pounds may come to in another currency, minor units."""
    return threshold_bounds(limit, "GBP", currency)
