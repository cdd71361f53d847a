"""The level of due diligence that a customer needs, by the country, product, channel and purpose in the firm's own file.

Diligence changes which checks are required and when the next review is due. It never changes a level.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kycpack.errors import InputError
from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.levels import rank

KINDS = ("simplified", "standard", "enhanced")
FACTORS = ("country", "product", "channel", "purpose")
RISKS = ("low", "medium", "high")
PEP_KINDS = ("none", "domestic", "foreign", "former", "relative", "associate")
CHECKS = (*SECTIONS, "bank")
_COLUMNS = ("customer_id", *FACTORS, "pep")


@dataclass(frozen=True, slots=True)
class Diligence:
    """What a policy says about due diligence.

    Attributes:
        risks: Risk (low, medium, high) by factor and value; `*` for any other value.
        required: The checks that each kind of diligence requires, of document, address, identity, screening and bank.
        review_days: How long after a review the next one is due, by kind of diligence.
    """

    risks: Mapping[str, Mapping[str, str]]
    required: Mapping[str, tuple[str, ...]]
    review_days: Mapping[str, int]

    def kind(self, risk: Mapping[str, str]) -> str:
        """Return the level of due diligence that a customer needs.

        Args:
            risk: What the firm's file says, by factor; a missing factor counts as medium.

        Returns:
            enhanced if any risk is high, simplified if every factor is known and low, standard otherwise.
        """
        found = [self._risk(factor, risk.get(factor)) for factor in FACTORS]
        if "high" in found or risk.get("pep", "none") not in {"none", ""}:
            return "enhanced"
        return "simplified" if all(one == "low" for one in found) else "standard"

    def _risk(self, factor: str, value: str | None) -> str:
        known = self.risks.get(factor, {})
        if value is None:
            return "medium"
        return known.get(value.strip().casefold(), known.get("*", "medium"))

    def next_review(self, kind: str, level: str, day: dt.date) -> dt.date:
        """Return when the next review is due.

        Args:
            kind: The level of due diligence that the customer needs.
            level: The recommended level; from `edd` upwards the period for enhanced due diligence applies.
            day: The day of this review.
        """
        counted = "enhanced" if rank(level) >= rank("edd") else kind
        return day + dt.timedelta(days=self.review_days[counted])


DEFAULT = Diligence(
    risks={},
    required={
        "simplified": ("document", "screening"),
        "standard": ("document", "address", "identity", "screening"),
        "enhanced": ("document", "address", "identity", "screening", "bank"),
    },
    review_days={"simplified": 1_095, "standard": 730, "enhanced": 365},
)


def read_risk_file(rows: Sequence[Mapping[str, str]], name: str = "risk file") -> dict[str, dict[str, str]]:
    """Return what the firm's file says about each customer's risk.

    Args:
        rows: Its rows, with customer_id, country, product, channel, purpose and pep (none, domestic, foreign, former, relative,
            associate); an empty value is not known.
        name: What to call it in errors.

    Raises:
        InputError: A column is not known, a customer is missing or given twice, or a kind of PEP is not known; the error
            names the row and never a value.
    """
    read: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, start=2):
        place = f"{name}, row {number}"
        if unknown := [column for column in row if column not in _COLUMNS]:
            raise InputError(f"unknown column {unknown[0]!r}; known are {', '.join(_COLUMNS)}", place=place)
        customer_id = (row.get("customer_id") or "").strip()
        if not customer_id:
            raise InputError("customer_id is missing", place=place)
        if customer_id in read:
            raise InputError("the customer is given twice", place=place)
        said = {factor: (row.get(factor) or "").strip() for factor in (*FACTORS, "pep")}
        if said["pep"] and said["pep"].casefold() not in PEP_KINDS:
            raise InputError(f"pep is one of {', '.join(PEP_KINDS)}", place=place)
        read[customer_id] = {factor: value for factor, value in said.items() if value}
    return read
