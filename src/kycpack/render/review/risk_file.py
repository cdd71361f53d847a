"""What the firm's own file says about a customer's risk and the purpose of the relationship, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from kycpack.evidence import Evidence
from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.frames.customers import RISK_PROFILE
from kycpack.frames.gaps import INCOMPLETE, Gap, GapCode
from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import value_of
from kycpack.render.review.compared_values import quoted
from kycpack.render.wording import is_absent, text_of

_ASKED = {
    "country": "country",
    "product": "product",
    "channel": "channel",
    "purpose": "purpose of the relationship",
    "pep": "political exposure",
}
NOT_GIVEN: GapCode = "risk_not_given"


def risk_limits(customers: pd.DataFrame, evidence: Evidence) -> Iterator[Gap]:
    """Yield what the firm's file leaves open, as a row of frame `gaps`; nothing if it says everything.

    Args:
        customers: Frame `customers` of one customer.
        evidence: The customer's evidence, for the entry of the file.
    """
    said = _said(customers)
    entry = next((one.id for one in reversed(evidence.select(RISK_PROFILE))), "")
    if not said:
        message = (
            "No customer risk file was given, so the risk rating, the purpose of the relationship and the level of due diligence "
            "are not stated."
        )
    elif missing := _missing(said):
        message = f"The customer risk file does not give the {listed(missing)}."
    else:
        return
    whose, cause = evidence.customer_id, INCOMPLETE if said else ""
    yield Gap(whose, whose, "customer", NOT_GIVEN, message, entry, cause=cause)


def needed_of_file(customers: pd.DataFrame) -> str:
    """Return what has to be done so that the firm's file is there and says everything, in words; empty if it does.

    Args:
        customers: Frame `customers` of one customer.
    """
    said = _said(customers)
    if not said:
        return "get the customer's risk file from the department that keeps it, and enter it in the register of customers"
    if missing := _missing(said):
        return f"get what the customer's risk file lacks ({listed(missing)}) from the department that keeps it, and enter it in the register of customers"
    return ""


def is_risk_given(customers: pd.DataFrame) -> bool:
    """Return whether the firm's file says anything from which a level of due diligence follows."""
    return bool(_said(customers))


def risk_cell(customers: pd.DataFrame, recommendation: Mapping[Any, Any]) -> Cell:
    """Return what the firm's file says, with the level of due diligence that follows from it, as one sentence; empty if it says nothing.

    Args:
        customers: Frame `customers` of one customer.
        recommendation: The customer's row in frame `recommendations`.
    """
    said = _said(customers)
    if not said:
        return Cell("")
    given = ", ".join(f"{_ASKED[factor]} {quoted(value)}" for factor, value in said.items())
    words = f"By the firm's risk file: {given}. Level of due diligence that the policy requires for this: {recommendation['diligence']}."
    return Cell(words, origins=(value_of("customers"), value_of("recommendations")))


def _missing(said: Mapping[str, str]) -> list[str]:
    return [words for factor, words in _ASKED.items() if factor not in said]


def _said(customers: pd.DataFrame) -> dict[str, str]:
    given = next(iter(records(customers, *(f"risk_{factor}" for factor in RISK_FACTORS))), {})
    return {
        factor: text_of(value)
        for factor, value in zip(RISK_FACTORS, given.values(), strict=False)
        if not is_absent(value) and str(value).strip()
    }
