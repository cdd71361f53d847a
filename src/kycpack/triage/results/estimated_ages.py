"""Ages in the results, which have to be close to the age from the date of birth."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import last_group, name_words, own_words
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.vocabulary import Vocabulary

_YEARS_APART = 10
_BIRTH = "document.holder.dateOfBirth"
_BOUNDS = frozenset(
    {"low", "high", "lower", "upper", "bound", "bounds", "min", "max", "minimum", "maximum", "from", "to"}
)


def near_age(
    group: str,
    members: Sequence[Observation],
    listed: Mapping[str, Any],
    vocabulary: Vocabulary,
    day: dt.date,
) -> Iterator[str]:
    """Yield the holder's age, and an estimated age with its margin, that are close to the age from the date of birth."""
    born = dates_of(str(listed.get(_BIRTH, "")))
    around = {*name_words(last_group(f"{group}."))}
    estimates, margins = vocabulary.words["estimate_words"], vocabulary.words["margin_words"]
    for one in members:
        own = {*own_words(one.path)}
        is_estimate = "age" in own | around and bool((own | around) & (estimates - {"age", "value", "years"}))
        is_age = own == {"age"} and "holder" in around
        if not ((is_estimate or is_age) and born and isinstance(one.value, Decimal)):
            continue
        if is_age:
            # A year's difference is a birthday between the check and the review.
            yield from (one.path for date in born if (day - date).days // 365 - one.value in (0, 1))
            continue
        is_near = any(abs(one.value - (day - date).days // 365) <= _YEARS_APART for date in born)
        if (own <= margins and one.value <= _YEARS_APART) or (own <= estimates | _BOUNDS and is_near):
            yield one.path
