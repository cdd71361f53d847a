"""The benefits that the Department for Work and Pensions names by a code in the texts of its payments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kycpack.assets import asset_yaml


def with_benefit(payer: str) -> str:
    """Return a payer with the benefit that its code means in brackets, as in `DWP SP (State Pension)`; other payers unchanged.

    Args:
        payer: The name of a payer.
    """
    office, _, code = payer.partition(" ")
    benefit = _codes().get(code.strip().upper()) if office.upper() == "DWP" else None
    return f"{payer} ({benefit})" if benefit else payer


@cache
def _codes() -> Mapping[str, str]:
    codes: Mapping[str, str] = asset_yaml("lexicon/benefit_codes.yaml")["codes"]
    return codes
