"""Amounts in two currencies: which may be one that was changed, which is the larger, and what a threshold comes to, whatever the rate of the day."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.models.dates import day_words
from kycpack.models.money import exponent, format_minor, known_currency, to_minor

ABOVE_ALL = 2**62
"""What no sum of minor units reaches."""

_THOUSAND = 1_000


def may_be_changed(sent: int, sent_currency: str, received: int, received_currency: str) -> bool | None:
    """Return whether one amount may be another one changed into its currency; None where no rate is known.

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
    """Return the currency whose sum is worth more than each of the others at any rate within the bounds; None where that is open.

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


# A threshold is asked for at each of a customer's payments.
@lru_cache(maxsize=4_096)
def threshold_bounds(amount: Decimal, base: str, currency: str) -> tuple[int, int]:
    """Return what a threshold comes to in another currency at least and at most, minor units.

    Args:
        amount: The threshold, major units of its own currency.
        base: Its currency, ISO 4217.
        currency: The currency of the sums that are held against it.

    Returns:
        The bounds at any rate that there was; twice the same in its own currency. Where no rate is known, 0 and `ABOVE_ALL`: every sum may be above it, and below it.
    """
    if currency == base and known_currency(currency):
        same = int(amount.scaleb(exponent(currency)))
        return same, same
    bounds = _per_euro()
    if base not in bounds or currency not in bounds:
        return 0, ABOVE_ALL
    unit = exponent(currency)
    low = amount * bounds[currency][0] / bounds[base][1]
    high = amount * bounds[currency][1] / bounds[base][0]
    return int(low.scaleb(unit)), min(math.ceil(high.scaleb(unit)), ABOVE_ALL)


def rate_words(base: str, currency: str) -> str:
    """Return how sums in a currency were held against thresholds of another one, as the end of a sentence; empty for the same one."""
    if currency == base:
        return ""
    low, high = threshold_bounds(Decimal(_THOUSAND), base, currency)
    if high == ABOVE_ALL:
        return f"; no exchange rate between {base} and {currency} is known here, so sums in {currency} are held as above every threshold in {base}"
    told = asset_yaml("lexicon/exchange_rates.yaml")["exchange_rates"]
    return (
        f"; thresholds in {base} are held at the lowest exchange rate of {told['period']} ({format_minor(to_minor(_THOUSAND, base), base)} as "
        f"{format_minor(low, currency)}, list of {day_words(date.fromisoformat(told['version']))})"
    )


@lru_cache(maxsize=512)
def round_unit(currency: str) -> int:
    """Return what people round sums to in a currency where they do to one pound: the power of ten of major units that is worth about as much, minor units."""
    if not known_currency(currency):
        return 1
    unit = Decimal(1).scaleb(exponent(currency))
    bounds = _per_euro()
    if currency in bounds:
        (low, high), (least, most) = bounds[currency], bounds["GBP"]
        unit = unit.scaleb((low * high / (least * most)).sqrt().adjusted())
    return max(int(unit), 1)


def currency_of(country: str) -> str | None:
    """Return the currency that is paid with in a country, where `data/lexicon/exchange_rates.yaml` has it."""
    found: str | None = _document()["of_country"].get(country)
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
