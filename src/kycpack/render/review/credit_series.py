"""Credits as stacks of a chart by month: credits of known nature, of unknown nature, and unexplained ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kycpack.frames.rows import records
from kycpack.render.charts import Month, Series
from kycpack.render.review.movements import sums_by_month
from kycpack.render.wording import is_absent
from kycpack.wealth.judge.coverage import KNOWN, natures_of

if TYPE_CHECKING:
    import pandas as pd

_NO_INCOME = frozenset({"own_transfer", "refund", "duplicate", "pending"})
Row = Mapping[str, Any]


def credit_series(
    credits_: pd.DataFrame, streams: pd.DataFrame, name_of: Callable[[Row], str], most: int
) -> list[Series]:
    """Return the stacks of one customer's credits in one currency, without own transfers and refunds.

    Credits of known nature are at the bottom, unexplained credits at the top.

    Args:
        credits_: Rows of frame `credits`.
        streams: The customer's rows of frame `streams`.
        name_of: Returns the name of a stream in the legend, from its row.
        most: Number of the largest streams that have a stack of their own.
    """
    columns = ("stream_id", "disposition", "booked_on", "amount_minor")
    income = [
        row | {"nature": nature}
        for row, (nature, _) in zip(records(credits_, *columns), natures_of(credits_, streams), strict=True)
        if row["disposition"] not in _NO_INCOME
    ]
    by_stream: dict[str, list[Row]] = defaultdict(list)
    for row in income:
        if not is_absent(row["stream_id"]):
            by_stream[str(row["stream_id"])].append(row)
    largest = sorted(by_stream, key=lambda one: (-_sum(by_stream[one]), one))[:most]
    names = {str(row["stream_id"]): name_of(row) for row in records(streams)}
    known = [one for one in largest if _is_known(by_stream[one])]
    unknown = [one for one in largest if one not in known]
    found = [Series(names[one], credits_by_month(by_stream[one])) for one in known]
    over = [Series(names[one], credits_by_month(by_stream[one]), "unknown") for one in unknown]
    rest = [row for row in income if str(row["stream_id"]) not in largest]
    unexplained = [row for row in rest if row["disposition"] == "unexplained"]
    explained = [row for row in rest if row["disposition"] != "unexplained"]
    left = credits_by_month(row for row in explained if row["nature"] == KNOWN)
    not_known = credits_by_month(row for row in explained if row["nature"] != KNOWN)
    stacks = [
        *found,
        Series("Other credits, nature known", left, "rest"),
        *over,
        Series("Other credits, nature not known", not_known, "unknown"),
        Series("Unexplained", credits_by_month(unexplained), "unexplained"),
    ]
    return [one for one in stacks if one.by_month]


def _sum(rows: Iterable[Row]) -> int:
    return sum(int(row["amount_minor"]) for row in rows)


def _is_known(rows: list[Row]) -> bool:
    return 2 * _sum(row for row in rows if row["nature"] == KNOWN) > _sum(rows)


def credits_by_month(rows: Iterable[Row]) -> dict[Month, int]:
    """Return the sums of credits in minor units, by month."""
    return sums_by_month((row["booked_on"], row["amount_minor"]) for row in rows)
