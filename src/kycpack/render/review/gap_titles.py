"""The short title of each kind of gap, as on page one; the full sentence is in “What this pack cannot show”."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kycpack.evidence.citations import cited_at_end
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.gaps import BLOCKED, INCOMPLETE, NO_SUCH_STATEMENT, NOT_FOUND, SELDOM, GapCode, thing_of
from kycpack.models.listed import counted, listed
from kycpack.models.money import format_range
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, sentence_case, text_of

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
    "categories_not_seen": "{count} of screening perhaps not searched: {part}",
    "address_date_not_shown": "Proof of address: name and date not given or compared",
    "address_name_not_shown": "Proof of address: name not given or compared",
    "not_listable": "Sessions and payments cannot be listed",
    "list_date_not_visible": "Date of the screening lists not shown",
    "matches_not_visible": "Not shown for {count}: who was matched, and on which list and date",
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
    "risk_not_given": "No customer risk file: purpose, risk rating and level of due diligence not known",
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
    "opening_below_limit": "Where {amount} held at the start came from (below the limit: {part})",
    "interest_above_balance": "Not shown what {amount} of interest is paid on",
    "pay_beside_benefit": "{amount} of pay or pay-like credits alongside a benefit that limits earnings",
    "nature_not_known": "Source of {amount} of credits not established",
    "nature_below_limit": "Source of {amount} of credits not established (below the limit: {part})",
    "nature_in_doubt": "Not counted as known: {amount}, nature stated but {part}",
    "payment_not_supported": "{of}: {amount} not shown to be supported",
    "payee_not_known": "{of}: payee and purpose of {amount} not known",
    "values_not_at_hand": "Values that the later run compared not at hand",
    "unprintable": "Character that no font has, shown as a mark",
}
_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("risk_not_given", INCOMPLETE): "Customer risk file incomplete",
    ("payee_not_known", INCOMPLETE): "{of}: payee of {amount} not known",
    ("months_missing", SELDOM): "{of}: no transactions in {count}, only {part} in all",
    ("refused", NO_SUCH_STATEMENT): _NOT_THERE,
    ("refused", NOT_FOUND): _NOT_THERE,
    ("not_asked", NO_SUCH_STATEMENT): "Not requested, because the statement was not found: {part}",
    ("currency_missing", "statement"): "The service's statement gives no currency",
}
"""The title where a gap has a cause, or an area, that changes it."""
_WITHOUT_PAYMENT = "No payment known, so no record of one requested"
_BOTH: Mapping[frozenset[str], str] = {
    frozenset({"no_accounts", "not_ordered"}): "No bank account linked, and bank access not ordered"
}
"""The title of gaps of two kinds that are one fact."""
_WITHOUT: Mapping[GapCode, str] = {
    "matches_not_listed": "Matches listed, their number not known",
    "categories_not_seen": "Categories of screening perhaps not searched",
    "matches_not_visible": "Not shown for any match: who was matched, and on which list and date",
    "account_limit": "{of}: the number of accounts that could be linked was limited",
    "history_short": "{of}: transactions of only a short time",
    "silent": "{of}: no recent transactions",
    "months_missing": "{of}: months without transactions",
    "may_be_one_account": "{of}: {amount} may be counted twice",
    "opening_balance": "{of}: source of the money before the first transaction not shown",
    "opening_below_limit": "Where {amount} held at the start came from (below the limit)",
    "interest_above_balance": "Not shown what the interest is paid on",
    "pay_beside_benefit": "Pay or pay-like credits alongside a benefit that limits earnings",
    "nature_not_known": "Source of credits not established",
    "nature_below_limit": "Source of credits not established (below the limit)",
    "payment_not_supported": "{of}: not shown to be supported",
    "payee_not_known": "{of}: payee not known",
}
"""The title where the number, the sum or the other account is not known."""
_NOT_GIVEN = {"amount": "an unknown sum", "count": "some", "part": "a part that is not named"}
_NOUNS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("matches_not_listed", "matches_not_visible"), ("match", "matches")),
    **dict.fromkeys(("history_short", "silent"), ("day", "days")),
    "months_missing": ("month", "months"),
    "account_limit": ("account", "accounts"),
    "categories_not_seen": ("further category", "further categories"),
}
_PARTS = {"bank": "bank access", **{section: f"{section} check" for section in SECTIONS}}
_MOST_NAMED = 3
LIMITS: Mapping[GapCode, str] = {
    "list_date_not_visible": "the date of the screening lists",
    "matches_not_visible": "details of any match, which the results only count",
    "monitoring_not_visible": "if monitoring runs",
    "not_linked": "unlinked accounts",
    "not_listable": "sessions and payments whose ids we lack",
}
"""What the service shows of no customer: its limits, in the order of `STANDING_GAPS`."""


def title_of(gaps: Sequence[Any], names: ShortNames) -> str:
    """Return the title of the gaps of one kind, with their sum or the span of their numbers, what they are about, and their evidence.

    Args:
        gaps: Rows of frame `gaps` or `limits` of one kind, or of two that are one fact, the kind that is named first.
        names: Short names of sessions, accounts and payments.
    """
    code: GapCode = gaps[0].code
    mine = [one for one in gaps if one.code == code]
    title = _BOTH.get(frozenset(str(one.code) for one in gaps), template_of(mine[0]))
    amounts, numbers, parts = (
        each if all(map(_has, each := [getattr(one, name) for one in mine])) else []
        for name in ("amount_minor", "number", "part")
    )
    values = {
        "amount": format_range(
            sum(int(one.amount_minor if is_absent(one.least_minor) else one.least_minor) for one in mine),
            sum(map(int, amounts)),
            str(mine[0].currency),
        )
        if amounts
        else "",
        "count": _span([*map(int, numbers)], *_NOUNS[code]) if numbers and code in _NOUNS else "",
        "part": _named([_part_words(one, names) for one in parts]) if parts else "",
    }
    if any(f"{{{name}}}" in title for name, words in values.items() if not words):
        title = _WITHOUT.get(code, title)
    values = {name: words or _NOT_GIVEN[name] for name, words in values.items()}
    named = sentence_case(title.format(of=_named(sorted(names.of(one.subject) for one in mine)), **values))
    more = f": {len(gaps)} gaps" if len(gaps) > 1 else ""
    return f"{with_evidence(named, evidence_of(gaps))}{more}"


def evidence_of(gaps: Iterable[Any]) -> list[str]:
    """Return the ids of the evidence of gaps: those that the sentence of each names, or that of its row."""
    ids = {
        id_
        for one in gaps
        for id_ in cited_at_end(text_of(one.message, "")) or [text_of(one.evidence_id, "")]
    }
    return sorted(ids - {""}, key=lambda id_: (len(id_), id_))


def _has(value: Any) -> bool:
    return not is_absent(value) and str(value) not in {"", "0"}


def _span(numbers: Sequence[int], one: str, many: str) -> str:
    """Return a number with its noun, or from which to which number several gaps go."""
    least, most = min(numbers), max(numbers)
    return f"{least} to {most} {many}" if least < most else counted(most, one, many)


def template_of(gap: Any) -> str:
    """Return the title of a gap, in which braces stand for what it is about."""
    if (gap.code, gap.cause, gap.part) == ("not_asked", BLOCKED, "payments.get"):
        return _WITHOUT_PAYMENT
    return next(
        (title for kind in (gap.cause, gap.area) if (title := _OTHERWISE.get((gap.code, kind)))),
        TITLES[gap.code],
    )


def _part_words(part: str, names: ShortNames) -> str:
    return _PARTS.get(part) or names.of(thing_of(part))


def _named(words: Sequence[str]) -> str:
    """Return words as one phrase, each once, the first few of many."""
    each = [*dict.fromkeys(words)]
    if len(each) > _MOST_NAMED:
        each[_MOST_NAMED - 1 :] = [f"{len(each) - _MOST_NAMED + 1} others"]
    return listed(each)
