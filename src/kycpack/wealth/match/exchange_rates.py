"""Which amounts in two currencies may be one amount that was changed, and which of two is the larger whatever the rate of the day."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from kycpack.assets import asset_yaml
from kycpack.models.money import exponent


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


def currency_of(country: str) -> str | None:
    """Return the currency that is paid with in a country, where `data/lexicon/exchange_rates.yaml` has it."""
    found: str | None = asset_yaml("lexicon/exchange_rates.yaml")["of_country"].get(country)
    return found


@lru_cache(maxsize=1)
def _per_euro() -> dict[str, tuple[Decimal, Decimal]]:
    document = asset_yaml("lexicon/exchange_rates.yaml")
    return {
        str(code): (Decimal(str(low)), Decimal(str(high)))
        for code, (low, high) in document["per_euro"].items()
    }
