"""Amounts in two currencies: which may be a conversion of the other and which is larger, at any rate of the period, and the value of a threshold, at one rate."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import ROUND_UP, Decimal
from functools import lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.models.dates import day_words
from kycpack.models.money import exponent, known_currency

ABOVE_ALL = 2**62
"""Larger than any sum in minor units."""

_RATE_DIGITS = Decimal("1e-10")
"""So many that a printed threshold is its amount times the printed rate, to the minor unit."""


def may_be_changed(sent: int, sent_currency: str, received: int, received_currency: str) -> bool | None:
    """Return whether one amount may be another amount converted into its currency; None if no rate is known.

    Args:
        sent: Minor units that went out.
        sent_currency: ISO 4217.
        received: Minor units that came in.
        received_currency: ISO 4217.

    Source: the bounds in `data/lexicon/exchange_rates.yaml`.
    """
    bounds = _per_euro()
    if sent_currency not in bounds or received_currency not in bounds or sent <= 0:
        return None
    ratio = Decimal(received).scaleb(-exponent(received_currency)) / Decimal(sent).scaleb(
        -exponent(sent_currency)
    )
    least = bounds[received_currency][0] / bounds[sent_currency][1]
    most = bounds[received_currency][1] / bounds[sent_currency][0]
    return least <= ratio <= most


def largest(sums: Mapping[str, int]) -> str | None:
    """Return the currency whose sum is worth more than each of the others at any rate within the bounds; None if that is undecided.

    Args:
        sums: ISO 4217 code -> minor units.
    """
    bounds = _per_euro()
    if not sums or not set(sums) <= set(bounds):
        return None
    worth = {
        code: tuple(Decimal(sum_).scaleb(-exponent(code)) / rate for rate in reversed(bounds[code]))
        for code, sum_ in sums.items()
    }
    return next(
        (one for one in worth if all(worth[one][0] > worth[other][1] for other in worth if other != one)),
        None,
    )


# A threshold is needed for each of a customer's payments.
@lru_cache(maxsize=4_096)
def threshold_bounds(amount: Decimal, base: str, currency: str) -> tuple[int, int]:
    """Return the lowest and the highest value that a threshold may have in another currency, minor units.

    Args:
        amount: The threshold, major units of its own currency.
        base: Its currency, ISO 4217.
        currency: ISO 4217 code of the sums that are compared with it.

    Returns:
        Two equal values: the threshold's own, or what it comes to at the rate for thresholds. If no rate is known, 0 and `ABOVE_ALL`: every sum may be above it, and below it.
    """
    if currency != base or not known_currency(currency):
        rates = _document()["of_thresholds"]
        if base not in rates or currency not in rates:
            return 0, ABOVE_ALL
        amount = amount * Decimal(str(rates[currency])) / Decimal(str(rates[base]))
    same = int(amount.scaleb(exponent(currency)))
    return same, same


def rate_words(base: str, currency: str) -> str:
    """Return how sums in a currency were compared with thresholds in another one, as the end of a sentence; empty for the same currency."""
    if currency == base:
        return ""
    if threshold_bounds(Decimal(1), base, currency)[1] == ABOVE_ALL:
        return f"; no exchange rate between {base} and {currency} is known, so sums in {currency} are treated as above every threshold in {base}"
    rates, of = _document()["exchange_rates"], _document()["of_thresholds"]
    # Rounded up, so that a threshold times the rate is not below a whole minor unit that it comes to.
    rate = (Decimal(str(of[currency])) / Decimal(str(of[base]))).quantize(_RATE_DIGITS, rounding=ROUND_UP)
    return (
        f"; thresholds in {base} are applied at the average exchange rate of {rates['year_of_thresholds']} (1 {base} as {rate:,} {currency}, the result rounded down; "
        f"list of {day_words(date.fromisoformat(rates['version']))})"
    )


@lru_cache(maxsize=512)
def round_unit(currency: str) -> int:
    """Return the sum to which people round in a currency where they would round to one pound: the power of ten of major units of about that value, in minor units."""
    if not known_currency(currency):
        return 1
    unit = Decimal(1).scaleb(exponent(currency))
    rates = _document()["of_thresholds"]
    if currency in rates:
        unit = unit.scaleb((Decimal(str(rates[currency])) / Decimal(str(rates["GBP"]))).adjusted())
    return max(int(unit), 1)


def currency_of(country: str) -> str | None:
    """Return the currency used in a country, given by its code with or without a region, if `data/lexicon/exchange_rates.yaml` has it."""
    found: str | None = _document()["of_country"].get(country.partition("-")[0])
    return found


@lru_cache(maxsize=1)
def _per_euro() -> dict[str, tuple[Decimal, Decimal]]:
    return {
        str(code): (Decimal(str(low)), Decimal(str(high)))
        for code, (low, high) in _document()["per_euro"].items()
    }


@lru_cache(maxsize=1)
def _document() -> dict[str, Any]:
    document: dict[str, Any] = asset_yaml("lexicon/exchange_rates.yaml")
    return document
