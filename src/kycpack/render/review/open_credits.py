"""Which credits of no established source the customer is asked about, and which of them no other step asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.render.review.payment_keys import Key, key_of
from kycpack.render.review.sums import short_party
from kycpack.render.wording import is_absent, range_words, text_of
from kycpack.wealth.judge.open_questions import LARGE, large_single, of_no_established_source
from kycpack.wealth.judge.wording import CASH, NO_NAME
from kycpack.wealth.thresholds import Thresholds

_LARGEST = "what the largest credits of no established source are"
_EACH_LARGE = "what each large credit of no established source is"
_LEFT_OUT = " (credits covered by another step are left out)"
_MOST_NAMED = 3
"""Payers that are named, of each currency."""
_ORIGINS = {CASH: " in cash", NO_NAME: " without the name of a payer", "": " without the name of a payer"}


@dataclass(frozen=True, slots=True)
class OpenCredit:
    """A credit of no established source.

    Attributes:
        key: Its account and its transaction id.
        payer: Who paid, as in frame `credits`; empty if it is not known.
        least: Its sum without what was taken back and may be counted twice, in minor units.
        minor: The same with what may be counted twice.
        currency: ISO 4217 code.
        on: The booking date, in words.
    """

    key: Key
    payer: str
    least: int
    minor: int
    currency: str
    on: str


@dataclass(frozen=True, slots=True)
class CreditQuestion:
    """A question about credits of no established source.

    Attributes:
        words: What is asked about all of them.
        credits: The credits that it is about.
    """

    words: str
    credits: tuple[OpenCredit, ...]

    def beside(self, asked: AbstractSet[Key]) -> str:
        """Return what is left to ask, in words, with the largest payers and their sums; empty for nothing.

        Args:
            asked: The accounts and ids of the transactions that other steps ask about.
        """
        left = [one for one in self.credits if one.key not in asked]
        if not self.credits:
            return self.words
        if len(left) == len(self.credits):
            return f"{self.words}, namely {listed([*_by_payer(left, with_rest=self.words != _LARGEST)])}"
        return f"what lies behind {listed([*_by_payer(left)])}{_LEFT_OUT}" if left else ""


def credit_questions(
    limits: pd.DataFrame, credits_: pd.DataFrame, streams: pd.DataFrame, thresholds: Thresholds
) -> tuple[CreditQuestion, ...]:
    """Return what the customer is asked about credits of no established source.

    Args:
        limits: Frame `limits` of the customer, which has the questions of each currency.
        credits_: Frame `credits` of the customer.
        streams: Frame `streams`.
        thresholds: The policy's thresholds.
    """
    asked = [row for row in rows(limits, "code", "part", "currency") if row.code == "nature_not_known"]
    open_ = of_no_established_source(credits_, streams) if asked else credits_
    about: dict[str, list[OpenCredit]] = {}
    for row in asked:
        theirs = open_[(open_["currency"] == row.currency).to_numpy(bool)]
        is_large = row.part == LARGE
        if is_large:
            _, theirs = large_single(theirs, str(row.currency), thresholds)
        about.setdefault(_EACH_LARGE if is_large else _LARGEST, []).extend(map(_credit, _paid(theirs)))
    return tuple(
        CreditQuestion(words, tuple(about[words])) for words in (_LARGEST, _EACH_LARGE) if words in about
    )


def _paid(credits_: pd.DataFrame) -> Iterator[Mapping[Any, Any]]:
    """Yield the credits of which something was kept."""
    columns = ("account_id", "txn_id", "payer", "least_minor", "most_minor", "currency", "booked_on")
    return (row for row in records(credits_, *columns) if row["most_minor"] > 0)


def _credit(row: Mapping[Any, Any]) -> OpenCredit:
    day = "" if is_absent(row["booked_on"]) else day_words(row["booked_on"])
    least, most = (int(row[f"{end}_minor"]) for end in ("least", "most"))
    return OpenCredit(key_of(row), text_of(row["payer"], ""), least, most, str(row["currency"]), day)


def _by_payer(credits_: Sequence[OpenCredit], *, with_rest: bool = True) -> Iterator[str]:
    """Yield the sums of credits by payer, in each currency the largest first, and what all the others come to."""
    for currency in dict.fromkeys(one.currency for one in credits_):
        by_payer: dict[str, list[OpenCredit]] = {}
        for one in credits_:
            if one.currency == currency:
                by_payer.setdefault(_ORIGINS.get(one.payer, f" from {short_party(one.payer)}"), []).append(
                    one
                )
        largest = sorted(by_payer, key=lambda payer: (-sum(one.minor for one in by_payer[payer]), payer))
        named = largest if len(largest) == _MOST_NAMED + 1 else largest[:_MOST_NAMED]
        for payer in named:
            mine = by_payer[payer]
            which = f" on {mine[0].on}" if len(mine) == 1 and mine[0].on else ""
            which += f" ({len(mine):,} credits)" if len(mine) > 1 else ""
            yield f"{_total(mine)}{payer}{which}"
        if with_rest and (
            others := [one for payer in largest if payer not in named for one in by_payer[payer]]
        ):
            yield f"{_total(others)} in {counted(len(others), 'further credit')}"


def _total(credits_: Sequence[OpenCredit]) -> str:
    """Return what credits in one currency come to, as a range if some may be counted twice."""
    return range_words(
        sum(one.least for one in credits_), sum(one.minor for one in credits_), credits_[0].currency
    )
