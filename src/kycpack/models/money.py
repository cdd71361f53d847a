"""Money: exact decimals on the wire, integers of minor units inside."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from typing import Annotated, Any

import iso4217
from pydantic import BeforeValidator

from kycpack.errors import InputError

_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,10})?")


def known_currency(code: str) -> bool:
    """Return whether a code is an ISO 4217 currency with minor units (precious metals and test codes have none)."""
    return _exponent(code) is not None


def exponent(currency: str) -> int:
    """Return the number of decimals of a currency, as in 2 for GBP, 0 for JPY.

    Raises:
        InputError: The code is not an ISO 4217 currency with minor units.

    Source: ISO 4217, list one.
    """
    decimals = _exponent(currency)
    if decimals is None:
        raise InputError("not an ISO 4217 currency code")
    return decimals


def to_minor(amount: Decimal | str | int, currency: str) -> int:
    """Return an amount in minor units of its currency.

    Args:
        amount: Exact amount in major units; text is a plain decimal such as `-12.50`.
        currency: ISO 4217 code.

    Raises:
        InputError: The amount is not a decimal or has more decimals than the currency, or the currency is unknown.
    """
    value = read_decimal(amount)
    minor = value.scaleb(exponent(currency))
    if minor != minor.to_integral_value():
        raise InputError(f"more decimals than {currency} has")
    return int(minor)


def from_minor(minor: int, currency: str) -> Decimal:
    """Return minor units as an amount in major units with all decimals of its currency, as in `Decimal("12.50")`."""
    return Decimal(int(minor)).scaleb(-exponent(currency))


ROUNDING = (
    "Averages and medians are rounded to the smallest unit of the currency, and half a unit is rounded up."
)
"""How `divided` rounds, in words."""


def divided(minor: int, by: int) -> int:
    """Return an amount divided by a number of payments or months, rounded to the minor unit; half of one is rounded up, as calculators do.

    Args:
        minor: Minor units, not negative.
        by: More than 0.
    """
    return (2 * minor + by) // (2 * by)


def format_minor(minor: int, currency: str) -> str:
    """Return minor units as text for people, as in `-1,234.50 GBP`."""
    return f"{from_minor(minor, currency):,} {currency}"


def format_range(least_minor: int, most_minor: int, currency: str) -> str:
    """Return an amount in words, or the range of it if it is not sure, as in `7,500.00 to 15,000.00 GBP`."""
    most = format_minor(most_minor, currency)
    least = format_minor(least_minor, currency).removesuffix(f" {currency}")
    return most if least_minor == most_minor else f"{least} to {most}"


def read_decimal(value: Any) -> Decimal:
    """Return a JSON number or decimal string as `Decimal`.

    Raises:
        InputError: The value is a float, a boolean, not finite, or not a plain decimal.
    """
    if isinstance(value, bool):
        raise InputError("expected a decimal number, got a boolean")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InputError("expected a finite number")
        return value
    if isinstance(value, int) or (isinstance(value, str) and _DECIMAL.fullmatch(value)):
        return Decimal(value)
    raise InputError(f"expected a decimal number or decimal string, got {type(value).__name__}")


def _read_amount(value: Any) -> Decimal:
    try:
        return read_decimal(value)
    except InputError as error:
        raise ValueError(str(error)) from None


Amount = Annotated[Decimal, BeforeValidator(_read_amount)]
"""A field that takes a JSON number or a decimal string, never a float."""


@cache
def _exponent(code: str) -> int | None:
    try:
        decimals = iso4217.Currency(code).exponent
    except ValueError:
        return None
    return None if decimals is None else int(decimals)
