"""Thresholds from a policy, checked and combined with the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from kycpack.errors import PolicyError
from kycpack.models.money import known_currency
from kycpack.wealth.flag_levels import to_levels
from kycpack.wealth.own_payers import to_payers
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds

_MOST_DAYS, _MOST, _LARGEST_FACTOR, _LARGEST_AMOUNT = 3_660, 100_000, 100, 1_000_000_000_000
_SMALLEST_AMOUNT = 10  # of a default; a smaller default is a multiple


def to_thresholds(given: Thresholds | Mapping[str, Any] | None) -> Thresholds:
    """Return the thresholds: the given ones, and the defaults for the others.

    Args:
        given: Thresholds, a mapping of some of their names as written in a policy, or None for the defaults.

    Raises:
        PolicyError: A name is not known, or a value is not a number in its range: a share is above 0 and at most 1, an amount is above 0.
        TypeError: The argument is none of these.
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
        if name in _OTHERS:
            values[name] = _OTHERS[name](value)
            continue
        values[name] = kinds[name](_number(name, value, kinds[name], place))
    return Thresholds(**values)


def _number(name: str, value: object, kind: type, place: str) -> Decimal:
    """Return a threshold's number, checked."""
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise PolicyError("expected a number", place=place) from None
    if isinstance(value, bool) or not number.is_finite():
        raise PolicyError("expected a number", place=place)
    if kind is int and number != int(number):
        raise PolicyError("expected a whole number", place=place)
    words, lowest, highest = _range(name)
    if not lowest <= number <= highest or number == 0:
        raise PolicyError(f"{number:f} is out of range: expected {words}", place=place)
    return number


def _range(name: str) -> tuple[str, int, int]:
    """Return the kind of threshold in words, and its valid range; 0 is never in it."""
    default = getattr(DEFAULT_THRESHOLDS, name)
    if name.endswith("_days"):
        return f"a number of days from 1 to {_MOST_DAYS}", 1, _MOST_DAYS
    if isinstance(default, int):
        return f"a number from 1 to {_MOST}", 1, _MOST
    if default < 1:
        return "a share above 0 and at most 1, such as 0.2 for 20%", 0, 1
    if default < _SMALLEST_AMOUNT:
        return f"a multiple above 0 and at most {_LARGEST_FACTOR}", 0, _LARGEST_FACTOR
    return f"an amount above 0 and at most {_LARGEST_AMOUNT}", 0, _LARGEST_AMOUNT


def _to_currency(given: object) -> str:
    """Return the currency of the amounts, checked."""
    if not isinstance(given, str) or not known_currency(given):
        raise PolicyError("expected an ISO 4217 currency code, such as GBP", place="thresholds.currency")
    return given


_OTHERS = {"currency": _to_currency, "levels": to_levels, "payers": to_payers}
