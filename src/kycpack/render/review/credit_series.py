"""Credits as stacks of a chart by month, by their nature, as in the bar on page one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.render.charts import NATURE_FILLS, Month, Series
from kycpack.render.palette import DOUBTED
from kycpack.render.review.movements import sums_by_month
from kycpack.render.review.payment_keys import Key, key_of
from kycpack.render.review.shares import DOUBTED_WORDS, NATURE_WORDS
from kycpack.render.review.weak_natures import weak_kind, weak_words
from kycpack.render.wording import is_absent
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, KNOWN, natures_of

NO_INCOME = frozenset({"own_transfer", "refund", "duplicate", "pending"})
"""Dispositions that the charts of credits by month leave out."""

Row = Mapping[str, Any]


def credit_series(
    credits_: pd.DataFrame,
    streams: pd.DataFrame,
    name_of: Callable[[Row], str],
    most: int,
    doubted: AbstractSet[Key] = frozenset(),
) -> list[Series]:
    """Return the stacks of one customer's credits in one currency, without own transfers, refunds and what was taken back.

    Credits of known nature are at the bottom, irregular ones of unknown nature at the top.

    Args:
        credits_: Rows of frame `credits`.
        streams: The customer's rows of frame `streams`.
        name_of: Returns the name of a stream in the legend, from its row.
        most: Number of the largest streams that have a stack of their own.
        doubted: The account and the transaction of each credit of known nature that is in doubt, as in `Shares`.
    """
    columns = (
        "account_id",
        "txn_id",
        "stream_id",
        "disposition",
        "booked_on",
        "most_minor",
        "type",
        "evidence_level",
        "doubtful",
    )
    income = [
        row | {"nature": nature}
        for row, nature in zip(
            records(credits_, *columns), shown_natures(credits_, streams, doubted), strict=True
        )
        if row["disposition"] not in NO_INCOME and row["most_minor"]
    ]
    by_stream: dict[str, list[Row]] = defaultdict(list)
    for row in income:
        if not is_absent(row["stream_id"]):
            by_stream[str(row["stream_id"])].append(row)
    largest = sorted(by_stream, key=lambda one: (-_sum(by_stream[one]), one))[:most]
    names = {str(row["stream_id"]): name_of(row) for row in records(streams)}
    nature = {one: nature_of_most(by_stream[one]) for one in largest}
    stacks = []
    for kind in NATURE_FILLS:
        stacks += [
            Series(names[one], credits_by_month(by_stream[one]), kind)
            for one in largest
            if nature[one] == kind
        ]
        rest = [row for row in income if row["nature"] == kind and str(row["stream_id"]) not in nature]
        weak = weak_words(map(weak_kind, rest)) if kind == CASH_OR_NAMED else ""
        stacks.append(
            Series(
                f"Other credits: {weak or NATURE_WORDS.get(kind, DOUBTED_WORDS)}",
                credits_by_month(rest),
                kind,
            )
        )
    return [one for one in stacks if one.by_month]


def shown_natures(credits_: pd.DataFrame, streams: pd.DataFrame, doubted: AbstractSet[Key]) -> Iterator[str]:
    """Yield the nature of each credit as page one counts it: a known one that is in doubt is `DOUBTED`."""
    ids = records(credits_, "account_id", "txn_id")
    for row, (nature, _) in zip(ids, natures_of(credits_, streams), strict=True):
        yield DOUBTED if key_of(row) in doubted else nature


def _sum(rows: Iterable[Row]) -> int:
    return sum(int(row["most_minor"]) for row in rows)


def nature_of_most(rows: Sequence[Row]) -> str:
    """Return the nature of most of the money; it is known only if that is more than half.

    Args:
        rows: Credits with their `nature`, and `most_minor` in minor units.
    """
    sums = {nature: _sum(row for row in rows if row["nature"] == nature) for nature in NATURE_FILLS}
    if 2 * sums[KNOWN] > sum(sums.values()):
        return KNOWN
    return max((nature for nature in NATURE_FILLS if nature != KNOWN), key=sums.__getitem__)


def credits_by_month(rows: Iterable[Row]) -> dict[Month, int]:
    """Return the sums of credits in minor units, without what was taken back, by the month of the credit."""
    return sums_by_month((row["booked_on"], row["most_minor"]) for row in rows)
