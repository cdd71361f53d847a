"""A firm's own known payers: lines in its policy, by kind, that take precedence over those in `data/entities/`.

They are part of the policy's file, so that its digest, its approval, a replay and a comparison of two policies cover them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kycpack.errors import PolicyError
from kycpack.wealth.prepare.entities import EntityIndex, load_entities
from kycpack.wealth.prepare.listed_entities import read_lines

SOURCE = "the policy, thresholds.payers"

KINDS: Mapping[str, str | None] = {
    "bank": None,
    "broker": None,
    "car_buyer": "asset_sale",
    "collecting_society": "self_employment",
    "crypto": "crypto",
    "employer": None,
    "gambling": "gambling",
    "gig_platform": "self_employment",
    "government": None,
    "insurer": None,
    "law_firm": None,
    "lender": "loan",
    "letting_agent": "rental_income",
    "letting_platform": "rental_income",
    "marketplace": "business_income",
    "payment_processor": None,
    "payroll": "employment",
    "pension_provider": "pension",
    "registrar": "investment_income",
    "retailer": None,
    "staffing": "employment",
    "state_benefits": "state_benefit",
    "state_paymaster": None,
    "student_finance": "loan",
    "tax_office": "tax_refund",
    "university": None,
}
"""Kinds of payers that a policy may name, and the type of wealth of a credit about which nothing else is known."""


def to_payers(given: Any) -> Mapping[str, str]:
    """Return the payers in a policy: kind -> lines, each a name and its other names, separated by semicolons.

    Raises:
        PolicyError: A kind is not known, or a line contains no name.
    """
    if not isinstance(given, Mapping):
        raise PolicyError("expected lines of payers for each kind", place="thresholds.payers")
    for kind, lines in given.items():
        place = f"thresholds.payers.{kind}"
        if kind not in KINDS:
            raise PolicyError(f"no such kind of payer; there are {', '.join(KINDS)}", place=place)
        if not isinstance(lines, str) or not lines.strip():
            raise PolicyError(
                "expected one line per payer: its name, then any other names after semicolons", place=place
            )
        try:
            index = EntityIndex(read_lines(kind, lines, None, SOURCE), load_entities().words)
        except ValueError as error:
            raise PolicyError(str(error), place=place) from None
        if any(not one.entity.id.partition(".")[2] for one in index.listed):
            raise PolicyError("a payer's name contains no letter", place=place)
    return dict(given)


def entities_with(payers: Mapping[str, str]) -> EntityIndex:
    """Return the index of all known payers; those in the policy take precedence over those that come with the package."""
    return _index(tuple(sorted(payers.items()))) if payers else load_entities()


@lru_cache(maxsize=4)
def _index(payers: tuple[tuple[str, str], ...]) -> EntityIndex:
    shipped = load_entities()
    own = [one for kind, lines in payers for one in read_lines(kind, lines, KINDS[kind], SOURCE)]
    return EntityIndex([*own, *shipped.listed], shipped.words)
