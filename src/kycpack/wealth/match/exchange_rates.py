"""Which amounts in two currencies may be one amount that was changed."""

from __future__ import annotations

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


@lru_cache(maxsize=1)
def _per_euro() -> dict[str, tuple[Decimal, Decimal]]:
    document = asset_yaml("lexicon/exchange_rates.yaml")
    return {
        str(code): (Decimal(str(low)), Decimal(str(high)))
        for code, (low, high) in document["per_euro"].items()
    }
