"""The short title of each kind of gap, as on page one; the full sentence is in “What this pack cannot show”."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.gaps import BLOCKED, INCOMPLETE, NO_SUCH_STATEMENT, NOT_FOUND, GapCode, thing_of
from kycpack.models.listed import counted, listed
from kycpack.models.money import format_minor
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, sentence_case

_NOT_THERE = "Not found: {part}"
TITLES: Mapping[GapCode, str] = {
    "refused": "Refused: {part}",
    "failed": "Failed: {part}",
    "timeout": "No answer in time: {part}",
    "not_asked": "Not requested: {part}",
    "not_downloaded": "File of a picture or document not in the evidence",
    "no_accounts": "No bank account linked",
    "order_not_known": "{of}: not known what was ordered",
    "not_ordered": "{of}: {part} not ordered",
    "monitoring_not_ordered": "Monitoring not ordered",
    "standard_only": "Screening of sanctions alone ordered, not of PEPs or adverse media",
    "section_missing": "{of}: no result of the {part}",
    "members_missing": "{of}: details missing in the {part}",
    "matches_not_listed": "{count} counted and not shown",
    "screened_name_not_shown": "Not shown which name was screened",
    "categories_not_seen": "{count} of screening not in the results",
    "not_listable": "Sessions and payments cannot be listed",
    "list_date_not_visible": "Date of the screening lists not shown",
    "matches_not_visible": "List and date of {count} not shown",
    "monitoring_not_visible": "Not shown whether monitoring is running",
    "wrong_subject": "Answer about somebody or something else, left out",
    "account_not_listed": "{of}: not on the list of bank accounts",
    "other_currency": "{of}: amounts in another currency than the account",
    "unreadable": "{of}: an answer cannot be read",
    "wrong_type": "{of}: a value is not what was expected",
    "given_twice": "{of}: a value is given more than once",
    "currency_missing": "{of}: no currency given",
    "amount_missing": "{of}: no readable amount",
    "token_expiry_missing": "{of}: end of the bank access not given",
    "scope_missing": "{of}: bank access without transactions",
    "more_not_read": "{of}: there is more than was read",
    "count_differs": "{of}: another number than was read is stated",
    "page_repeated": "{of}: a page repeats another, so data is missing",
    "account_repeated": "Bank account given twice, kept once",
    "transaction_misfit": "{of}: a transaction cannot be read",
    "transaction_repeated": "{of}: a transaction given twice, kept once",
    "transaction_id_reused": "{of}: one id on two transactions",
    "risk_not_given": "No customer risk file",
    "document_shared": "Another customer has the same document",
    "same_person": "Another customer may be the same person",
    "decided_otherwise": "Maybe the same person, decided otherwise",
    "rejected_before": "Maybe the same person, rejected before",
    "account_limit": "{of}: at most {count} could be linked",
    "not_linked": "Accounts that were not linked are not seen",
    "access_expired": "{of}: bank access expired",
    "no_transactions": "{of}: no transactions seen",
    "history_short": "{of}: transactions of only {count}",
    "silent": "{of}: no transactions in the last {count}",
    "months_missing": "{of}: no transactions in {count}",
    "may_be_one_account": "{of} and {part} may be one account: {amount} may be counted twice",
    "opening_balance": "{of}: source of the first {amount} not shown",
    "opening_below_limit": "Where {amount} held before the first transactions came from (below the limit)",
    "interest_above_balance": "Not shown what {amount} of interest is paid on",
    "pay_beside_benefit": "{amount} of pay or possible pay beside a benefit that limits pay",
    "nature_not_known": "Source of {amount} of credits not established",
    "payment_not_supported": "{of}: {amount} not shown to be supported",
    "unprintable": "Character that no font has, shown as a mark",
}
_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("risk_not_given", INCOMPLETE): "Customer risk file incomplete",
    ("refused", NO_SUCH_STATEMENT): _NOT_THERE,
    ("refused", NOT_FOUND): _NOT_THERE,
    ("currency_missing", "statement"): "The service's statement gives no currency",
}
"""The title where a gap has a cause, or an area, that changes it."""
_WITHOUT_PAYMENT = "No payment known, so no record of one requested"
_BOTH: Mapping[frozenset[str], str] = {
    frozenset({"no_accounts", "not_ordered"}): "No bank account linked, and bank access not ordered"
}
"""The title of gaps of two kinds that are one fact."""
_ALONE: Mapping[GapCode, str] = {
    "matches_not_listed": "Matches listed, their number not known",
    "matches_not_visible": "List and date of the matches not shown",
    "may_be_one_account": "{of}: {amount} may be counted twice",
}
"""The title where the number, or the other account, is not known."""
_NOUNS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("matches_not_listed", "matches_not_visible"), ("match", "matches")),
    **dict.fromkeys(("history_short", "silent"), ("day", "days")),
    "months_missing": ("month", "months"),
    "account_limit": ("account", "accounts"),
    "categories_not_seen": ("category", "categories"),
}
_PARTS = {"bank": "bank access", **{section: f"{section} check" for section in SECTIONS}}
_MOST_NAMED = 3


def title_of(gaps: Sequence[Any], names: ShortNames) -> str:
    """Return the title of the gaps of one kind, with the largest number, what they are about, and their evidence.

    Args:
        gaps: Rows of frame `gaps` or `limits` of one kind, or of two that are one fact, the kind that is named first.
        names: Short names of sessions, accounts and payments.
    """
    largest = max(gaps, key=_size)
    code: GapCode = largest.code
    title = _BOTH.get(frozenset(str(one.code) for one in gaps), template_of(largest))
    count, amount = (
        "" if is_absent(value) or not value else value for value in (largest.number, largest.amount_minor)
    )
    if code in _ALONE and not (count or largest.part):
        title = _ALONE[code]
    # One that has a number is shown alone; others are named together.
    shown = [largest] if "{count}" in title or "{amount}" in title else gaps
    said = title.format(
        of=_named([names.of(one.subject) for one in shown]),
        part=_named([_part_words(one.part, names) for one in shown]),
        count=counted(int(count), *_NOUNS[code]) if count and code in _NOUNS else "",
        amount=format_minor(int(amount), str(largest.currency)) if amount else "",
    )
    ids = sorted({str(one.evidence_id) for one in shown if one.evidence_id})
    more = f"; {counted(len(gaps), 'gap')}" if len(gaps) > 1 else ""
    return f"{with_evidence(sentence_case(said), ids if len(ids) <= _MOST_NAMED else ())}{more}"


def template_of(gap: Any) -> str:
    """Return the title of a gap, in which braces stand for what it is about."""
    if (gap.code, gap.cause, gap.part) == ("not_asked", BLOCKED, "payments.get"):
        return _WITHOUT_PAYMENT
    return next(
        (title for kind in (gap.cause, gap.area) if (title := _OTHERWISE.get((gap.code, kind)))),
        TITLES[gap.code],
    )


def _size(gap: Any) -> tuple[int, ...]:
    return tuple(0 if is_absent(value) else int(value) for value in (gap.amount_minor, gap.number))


def _part_words(part: str, names: ShortNames) -> str:
    return _PARTS.get(part) or names.of(thing_of(part))


def _named(words: Sequence[str]) -> str:
    """Return words as one phrase, each once, the first few of many."""
    each = [*dict.fromkeys(words)]
    if len(each) > _MOST_NAMED:
        each[_MOST_NAMED - 1 :] = [f"{len(each) - _MOST_NAMED + 1} others"]
    return listed(each)
