"""Who does what about a gap."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from kycpack.frames.gaps import STANDING_GAPS, GapCode
from kycpack.frames.rows import rows
from kycpack.models.listed import listed
from kycpack.render.review.short_names import ShortNames
from kycpack.triage.levels import ANALYST

_ACCEPTED = "Nobody: accepted with the approval of the policy"
_AGAIN = f"{ANALYST}: collect the evidence again"
_ASK_BANK = "ask the customer, or the bank for statements"
_ASK_PROVIDER = f"{ANALYST}: ask the provider"
_COUNTED_ONCE = f"Nobody: it was put right here; {ANALYST}: tell the provider"
_ENDED = "Nobody: the customer is rejected"
_NOT_ASKED = f"{_ENDED} and is not asked"
_FOR_APPROVAL = frozenset(
    {"risk_not_given", "monitoring_not_ordered", "standard_only", "not_ordered", "not_asked"}
)
"""Gaps that only an approval needs filled; what a rejected customer may still be listed for, and what is about others, is not among them."""

QUESTIONS: tuple[GapCode, ...] = (
    "opening_balance",
    "interest_above_balance",
    "pay_beside_benefit",
    "nature_not_known",
)
"""Gaps that are a question about the money, which the policy may make a finding."""

_ASKED: Mapping[str, str] = {
    "opening_balance": "where the money came from that was in {} before the first transaction",
    "interest_above_balance": "what the interest is paid on",
    "nature_not_known": "what the largest credits of no established source are",
}
"""What the customer is asked; wages beside a benefit are a finding, which has a step of its own."""

_OF_CUSTOMER: Mapping[str, str] = {
    **dict.fromkeys(QUESTIONS, "ask the customer, with evidence"),
    **dict.fromkeys(
        ("silent", "months_missing", "may_be_one_account", "no_transactions", "history_short"), _ASK_BANK
    ),
    "account_limit": "ask whether there are further accounts",
    "no_accounts": "ask the customer to link an account, if bank data is needed",
    "access_expired": "ask the customer to renew the bank access",
    "scope_missing": "ask the customer for bank access that covers it",
    "payment_not_supported": "ask the customer for documents",
}
"""What the Analyst asks the customer, which waits for what any contact with the customer waits for."""

_DUTIES: Mapping[str, str] = {
    **dict.fromkeys(STANDING_GAPS, _ACCEPTED),
    **dict.fromkeys(("refused", "failed", "timeout", "more_not_read", "count_differs", "page_repeated"), _AGAIN),
    **dict.fromkeys(
        (
            "wrong_subject", "account_not_listed", "unreadable", "wrong_type", "given_twice", "amount_missing", "token_expiry_missing",
            "transaction_misfit",
        ),
        _ASK_PROVIDER,
    ),
    **dict.fromkeys(("account_repeated", "transaction_repeated", "transaction_id_reused"), _COUNTED_ONCE),
    "not_asked": f"{ANALYST}: collect it once it can be requested",
    "not_downloaded": f"{ANALYST}: look at the file at the provider",
    "order_not_known": f"{ANALYST}: ask the provider what was ordered",
    "not_ordered": f"{ANALYST}: order it, if it is needed",
    "section_missing": f"{ANALYST}: get the result that was ordered",
    "members_missing": f"{ANALYST}: ask the provider for the details",
    "currency_missing": f"{ANALYST}: ask the provider for the currency",
    "other_currency": f"{ANALYST}: ask the provider for the right currency",
    "same_person": f"{ANALYST}: find out whether it is one person",
    "unprintable": f"{ANALYST}: read the character in the workbook",
    "risk_not_given": f"{ANALYST}: get it from the firm",
    "standard_only": "MLRO: decide whether a deeper screening is needed",
    "matches_not_listed": "MLRO: ask the provider for the matches",
    "monitoring_not_ordered": "MLRO: decide whether to order it",
    "document_shared": "MLRO: find out whose document it is",
    "decided_otherwise": "MLRO: compare the two decisions",
    "rejected_before": "MLRO: look at the rejection and why",
}  # fmt: skip


def questions_of(limits: pd.DataFrame, names: ShortNames) -> tuple[str, ...]:
    """Return what the customer is asked about the money besides what the findings ask, in words.

    Args:
        limits: Frame `limits` of the customer.
        names: Short names of accounts.
    """
    about: dict[str, list[str]] = {}
    for row in rows(limits, "code", "subject"):
        about.setdefault(str(row.code), []).append(names.of(row.subject))
    accounts = listed([*dict.fromkeys(about.get("opening_balance", ["the accounts"]))])
    return tuple(words.replace("{}", accounts) for code, words in _ASKED.items() if code in about)


def duty_of(code: str, waits: str = "", closed_by: str = "") -> str:
    """Return who does what about a gap, in a few words.

    Args:
        code: As in `GapCode`.
        waits: What a contact with the customer waits for, as in `ToDo`; empty for nothing.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`. A rejected customer is not asked, and an
            approved one only at the next review, unless it is about a payment, which is not released without.
    """
    asked = _OF_CUSTOMER.get(code)
    if closed_by == "reject" and (asked or code in _FOR_APPROVAL):
        return _NOT_ASKED if asked else _ENDED
    if closed_by and asked and code != "payment_not_supported":
        waits = "at the next review"
    if asked is None:
        return _DUTIES[code]
    return f"{ANALYST}: {f'{waits}, ' if waits else ''}{asked}"
