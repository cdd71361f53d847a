"""Personal numbers, in countries where they contain the date of birth."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.countries import country_name
from kycpack.triage.results.document_forms import letters_of

_FILE = "countries/personal_numbers.yaml"
_PARTS = re.compile(r"y+|m+|d+|0+|x+")
_ONE = {"0": r"[0-9]", "x": r"[A-Z0-9]"}
_MONTHS, _DAYS = range(1, 13), range(1, 32)


@dataclass(frozen=True, slots=True)
class _Form:
    """How the numbers of a country are written.

    Attributes:
        patterns: Each with groups `y`, `m` and `d`.
        months: Numbers that may be added to the month.
        days: Numbers that may be added to the day.
    """

    patterns: tuple[re.Pattern[str], ...]
    months: tuple[int, ...]
    days: tuple[int, ...]


@lru_cache(maxsize=4_096)
def is_number_of(number: str, country: str, births: Collection[str]) -> bool:
    """Return whether a personal number may belong to somebody born on one of the given days; True if its form is not known.

    Args:
        number: As written in the results.
        country: The country that issued it, a code or a name.
        births: Possible dates of birth, as ISO dates.
    """
    form = _forms().get(country_name(country) or "")
    text = letters_of(number)
    found = [match for pattern in (form.patterns if form else ()) if (match := pattern.fullmatch(text))]
    if form is None or not found or not births:
        return True
    dates = [
        (match["y"], month, day)
        for match in found
        for month in (int(match["m"]) - more for more in form.months)
        for day in (int(match["d"]) - more for more in form.days)
        if month in _MONTHS and day in _DAYS
    ]
    return not dates or any(_is_day(one, birth) for one in dates for birth in births)


def _is_day(date: tuple[str, int, int], birth: str) -> bool:
    year, month, day = birth.split("-")
    return year.endswith(date[0]) and date[1:] == (int(month), int(day))


@cache
def _forms() -> dict[str, _Form]:
    known: dict[str, Any] = asset_yaml(_FILE)
    return {
        country_name(code) or code: _Form(
            tuple(re.compile(_pattern(form)) for form in entry["forms"]),
            (0, *entry.get("months", ())),
            (0, *entry.get("days", ())),
        )
        for code, entry in known["numbers"].items()
    }


def _pattern(form: str) -> str:
    """Return the regular expression of a form, such as `(?P<y>[0-9]{2})` for `yy`."""
    parts = _PARTS.findall(form)
    return "".join(
        f"{_ONE[part[0]]}{{{len(part)}}}" if part[0] in _ONE else f"(?P<{part[0]}>[0-9]{{{len(part)}}})"
        for part in parts
    )
