"""Who does what about a gap."""

from __future__ import annotations

from collections.abc import Mapping

from kycpack.frames.gaps import STANDING_GAPS, GapCode
from kycpack.triage.levels import ANALYST

_ASK = f"{ANALYST}: ask the customer, with evidence"
_ASK_BANK = f"{ANALYST}: ask the customer, or the bank for statements"
_ACCEPTED = "Nobody: accepted with the approval of the policy"
_COUNTED_ONCE = f"Nobody: it was put right here; {ANALYST}: tell the provider"
_JUDGED = f"{ANALYST}, or whom “Findings” names"

QUESTIONS: tuple[GapCode, ...] = (
    "opening_balance",
    "interest_above_balance",
    "pay_beside_benefit",
    "nature_not_known",
)
"""Gaps that are a question about the money, which the policy may make a finding."""

_DUTIES: Mapping[str, str] = {
    **dict.fromkeys(STANDING_GAPS, _ACCEPTED),
    **dict.fromkeys(QUESTIONS, _ASK),
    "account_limit": f"{ANALYST}: ask whether there are further accounts",
    "silent": _ASK_BANK,
    "months_missing": _ASK_BANK,
    "may_be_one_account": _ASK_BANK,
    "not_downloaded": f"{ANALYST}: look at the file at the provider",
    "account_repeated": _COUNTED_ONCE,
    "transaction_repeated": _COUNTED_ONCE,
    "transaction_id_reused": _COUNTED_ONCE,
    "unprintable": f"{ANALYST}: read the character in the workbook",
    "risk_not_given": f"{ANALYST}: get it from the firm",
    "monitoring_not_ordered": "MLRO: decide whether to order it",
}


def duty_of(code: str) -> str:
    """Return who does what about a gap, in a few words; what a rule of the policy reads is the owner's of its finding.

    Args:
        code: As in `GapCode`.
    """
    return _DUTIES.get(code, _JUDGED)
