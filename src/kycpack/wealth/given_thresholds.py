"""Thresholds as a policy gives them, checked and put in place of the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from kycpack.errors import PolicyError
from kycpack.wealth.flag_levels import to_levels
from kycpack.wealth.own_payers import to_payers
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds


def to_thresholds(given: Thresholds | Mapping[str, Any] | None) -> Thresholds:
    """Return thresholds with those given in place of the defaults.

    Args:
        given: Thresholds, a mapping of some of their names as it stands in a policy, or None for the defaults.

    Raises:
        PolicyError: A name is not known, or a value is not a number above or at zero.
        TypeError: It is none of these.
    """
    if given is None:
        return DEFAULT_THRESHOLDS
    if isinstance(given, Thresholds):
        return given
    wanted: object = given
    if not isinstance(wanted, Mapping):
        raise TypeError(
            f"thresholds must be Thresholds, a mapping of their names such as `policy.thresholds`, or None, not {type(given).__name__}"
        )
    kinds = {one.name: type(getattr(DEFAULT_THRESHOLDS, one.name)) for one in fields(Thresholds)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        place = f"thresholds.{name}"
        if name not in kinds:
            raise PolicyError("no such threshold", place=place)
        if name in _OF_LISTS:
            values[name] = _OF_LISTS[name](value)
            continue
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            raise PolicyError("expected a number", place=place) from None
        if isinstance(value, bool) or not number.is_finite() or number < 0:
            raise PolicyError("expected a number that is not below zero", place=place)
        if kinds[name] is int and number != int(number):
            raise PolicyError("expected a whole number", place=place)
        values[name] = kinds[name](number)
    return Thresholds(**values)


_OF_LISTS = {"levels": to_levels, "payers": to_payers}
