"""Who does what about a gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from kycpack.frames.gaps import (
    BELOW_LIMIT,
    BLOCKED,
    IF_ONE_ACCOUNT,
    NO_SUCH_STATEMENT,
    STANDING_GAPS,
    GapCode,
)
from kycpack.frames.rows import records, rows
from kycpack.models.listed import listed
from kycpack.render.review.approval import NOT_DECLINED
from kycpack.render.review.open_credits import CreditQuestion
from kycpack.render.review.payment_keys import Key
from kycpack.render.review.pieces import GapTask, pieces_of
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.risk_file import NOT_GIVEN
from kycpack.render.review.short_names import ShortNames, names_id
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.levels import ANALYST, HIT, UNKNOWN
from kycpack.triage.paths import PAYMENT_SUPPORT, QUESTIONS_OF_MONEY, UNNAMED_MATCHES


class Duty(NamedTuple):
    """Who does what about a gap, in a few words."""

    owner: str
    words: str

    @property
    def text(self) -> str:
        """Both, as the table of gaps has them."""
        return f"{self.owner}: {self.words}"


NOBODY = "No action"
_ACCEPTED = Duty(NOBODY, "a limit of the service, accepted when the policy was approved")
_AGAIN = Duty(ANALYST, "collect the evidence again")
_ASK_BANK = "ask the customer, or the bank, for statements"
_ASK_PROVIDER = Duty(ANALYST, "ask the provider")
_COUNTED_ONCE = Duty(NOBODY, "it was put right here")
MATCHES: tuple[GapCode, ...] = ("matches_not_visible", "list_date_not_visible")
_ENDED = Duty(NOBODY, "the customer is rejected")
_NOT_ASKED = Duty(NOBODY, "the customer is rejected and is not asked")
_ORDER = "order it"
_LOOK = "look at the document"
NEEDS = "the level of due diligence needs"
"""How the condition begins under which something is done, where the level of due diligence decides."""
_SAID_TWICE = (
    f"ask the customer to link an account; {ANALYST}: {_ORDER}, if {NEEDS} it",
    "order bank access and ask the customer to link an account",
)
SETTLED = "the decision settled the matches (how: “Screening”)"
"""Why nothing has to be done about a gap of the matches once a decision says whose they are."""
_OF_SETTLED = frozenset({"matches_not_visible", "matches_not_listed", "list_date_not_visible"})
_SMALL = "it is less than the policy asks about"
_SMALL_ONCE = f"{_SMALL}; if the accounts that may be one are two, the customer is asked"
_SAID = {BLOCKED: "no payment is known, so there is none to request", BELOW_LIMIT: _SMALL}
"""Why nothing has to be done about a gap, by its cause."""
_ONCE_COMPLETE = Duty(ANALYST, "collect it once the session, or one in its place, is complete")
"""Who requests what cannot be requested yet; a session that is not complete has a step of its own."""
_FOR_APPROVAL = frozenset(
    {
        "risk_not_given",
        "monitoring_not_ordered",
        "standard_only",
        "not_ordered",
        "not_asked",
        "categories_not_seen",
        "address_date_not_shown",
        "address_name_not_shown",
    }
)
"""Gaps that only an approval needs filled; what a rejected customer may still be listed for, and what is about others, is not among them."""

QUESTIONS: tuple[GapCode, ...] = (
    "opening_balance",
    "interest_above_balance",
    "pay_beside_benefit",
    "nature_not_known",
)
"""Gaps that are a question about the money, which the policy may make a finding."""

_COMPARED: GapCode = "values_not_at_hand"
_OF_CREDITS: GapCode = "nature_not_known"
_ASKED: Mapping[str, str] = {
    "opening_balance": "where the money came from that was in {} before the first transaction",
    "interest_above_balance": "what the interest is paid on",
}
"""What the customer is asked; what credits of no established source are is in `open_credits`, and pay beside a benefit is a finding, which has a step of its own."""

_OF_CUSTOMER: Mapping[str, str] = {
    **dict.fromkeys(QUESTIONS, "ask the customer, with evidence"),
    **dict.fromkeys(
        ("silent", "months_missing", "may_be_one_account", "no_transactions", "history_short"), _ASK_BANK
    ),
    "account_limit": "ask whether there are further accounts",
    "no_accounts": f"if {NEEDS} bank data, ask the customer to link an account",
    "access_expired": "ask the customer to renew the bank access",
    "scope_missing": "ask the customer for bank access that covers it",
    "payment_not_supported": "ask the customer for documents",
}
"""What the Analyst asks the customer, which waits for what any contact with the customer waits for."""

_WITH_STEP: tuple[GapCode, ...] = ("risk_not_given", "monitoring_not_ordered", "pay_beside_benefit")
"""Gaps that have a step of their own."""
_OF_ACCOUNT: tuple[GapCode, ...] = ("silent", "months_missing", "may_be_one_account")
_FOUND_BY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("silent", "months_missing"), ("wealth.silent_account",)),
    "may_be_one_account": ("wealth.linked_twice",),
    **dict.fromkeys(("payment_not_supported", "amount_missing"), (PAYMENT_SUPPORT,)),
    **dict.fromkeys(("access_expired", "token_expiry_missing"), ("bank.access_days",)),
    "no_accounts": ("requested.bank", "diligence.bank"),
    "order_not_known": ("requested.",),
    "standard_only": ("session.screening_depth",),
    "matches_not_listed": ("screening.matchCount", UNNAMED_MATCHES),
}
"""How the path of a finding begins that asks for what is missing, so that its step is enough; for a section, see `_of_part`."""
_OF_SESSION: tuple[GapCode, ...] = (
    "order_not_known", "standard_only", "matches_not_listed", "not_ordered", "section_missing", "members_missing",
)  # fmt: skip
"""Gaps of a session, for which no finding about another session asks, and of which a later session may have replaced the finding."""

_DUTIES: Mapping[str, Duty] = {
    **dict.fromkeys(STANDING_GAPS, _ACCEPTED),
    **dict.fromkeys(("refused", "failed", "timeout", "more_not_read", "count_differs", "page_repeated"), _AGAIN),
    **dict.fromkeys(
        (
            "wrong_subject", "account_not_listed", "unreadable", "wrong_type", "given_twice", "amount_missing", "token_expiry_missing",
            "transaction_misfit", "transaction_id_reused",
        ),
        _ASK_PROVIDER,
    ),
    **dict.fromkeys(("account_repeated", "transaction_repeated"), _COUNTED_ONCE),
    "not_asked": Duty(ANALYST, "collect it once it can be requested"),
    "opening_below_limit": Duty(NOBODY, _SMALL),
    "not_downloaded": Duty(ANALYST, "look at the file at the provider"),
    "order_not_known": Duty(ANALYST, "ask the provider what was ordered"),
    "not_ordered": Duty(ANALYST, f"{_ORDER}, if {NEEDS} it"),
    "section_missing": Duty(ANALYST, "get the result that was ordered"),
    "members_missing": Duty(ANALYST, "ask the provider for the details"),
    "currency_missing": Duty(ANALYST, "ask the provider for the currency"),
    "other_currency": Duty(ANALYST, "ask the provider for the right currency"),
    "same_person": Duty(ANALYST, "find out whether it is one person"),
    "unprintable": Duty(NOBODY, "the workbook has the character"),
    "address_date_not_shown": Duty(ANALYST, "ask the provider for the name and the date on the proof of address, or " + _LOOK),
    "address_name_not_shown": Duty(ANALYST, "ask the provider for the name on the proof of address, or " + _LOOK),
    "payee_not_known": Duty(ANALYST, "ask the department that created the payment for its payee and purpose"),
    _COMPARED: Duty(ANALYST, "read the values in that run's pack, or make this pack again where it is at hand"),
    "nature_below_limit": Duty(NOBODY, f"{_SMALL}, unless a finding says otherwise"),
    "nature_in_doubt": Duty(NOBODY, "the findings under “Why” ask about it"),
    "screened_name_not_shown": Duty(ANALYST, "ask the provider which name was screened"),
    "risk_not_given": Duty(ANALYST, "get it from the department that keeps it"),
    "standard_only": Duty("MLRO", "decide whether a deeper screening is needed"),
    "categories_not_seen": Duty("MLRO", "ask the provider whether the categories of screening that are not in the results were searched, or record why it is accepted that they were not"),
    "matches_not_listed": Duty("MLRO", "ask the provider for the matches"),
    "monitoring_not_ordered": Duty("MLRO", "decide whether to order it"),
    "document_shared": Duty("MLRO", "find out whose document it is"),
    "decided_otherwise": Duty("MLRO", "compare the two decisions"),
    "rejected_before": Duty("MLRO", "look at the rejection and why"),
}  # fmt: skip


EXPLAINED_FIRST = frozenset({NOT_GIVEN, _OF_CREDITS, *_ASKED})
"""The codes of the gaps that an approval waits for: the firm's risk file, and what the customer has to explain."""


def questions_of(limits: pd.DataFrame, names: ShortNames) -> tuple[str, ...]:
    """Return what the customer is asked about the money besides what the findings ask and besides credits of no established source, in words.

    Args:
        limits: Frame `limits` of the customer.
        names: Short names of accounts.
    """
    about: dict[str, list[str]] = {}
    for row in rows(limits, "code", "subject"):
        about.setdefault(_ASKED.get(str(row.code), ""), []).append(names.of(row.subject))
    return tuple(
        words.replace("{}", listed([*dict.fromkeys(about[words])]))
        for words in _ASKED.values()
        if words in about
    )


def tasks_of_gaps(gaps: pd.DataFrame, findings: pd.DataFrame, names: ShortNames) -> tuple[GapTask, ...]:
    """Return what has to be done about gaps for which neither a finding nor another step asks.

    Args:
        gaps: The gaps, in the columns of frame `gaps`.
        findings: Frame `findings` of the customer.
        names: Short names of accounts.
    """
    about: dict[GapTask, list[str]] = {}
    found = [
        (
            str(row["path"]),
            text_of(row["sentence"], ""),
            text_of(row["session_id"], ""),
            is_absent(row["superseded_by"]),
        )
        for row in records(findings, "outcome", "path", "sentence", "session_id", "superseded_by")
        if str(row["outcome"]) in {HIT, UNKNOWN}
    ]
    for row in rows(
        gaps, "area", "code", "message", "subject", "part", "cause", "evidence_id", "least_minor"
    ):
        if row.code in {*_WITH_STEP, _OF_CREDITS, *_ASKED} or row.cause == BLOCKED or _is_found(row, found):
            continue
        owner, words = duty_of(str(row.code), said=_said_of(row, gaps))
        if owner != NOBODY:
            task = GapTask(owner, words, row.code in _OF_CUSTOMER)
            named = names.of(row.subject) if words == _ASK_BANK else ""
            if row.code == "not_ordered":
                named = "bank access" if row.part == "bank" else f"the {row.part} check"
            elif words.endswith(_LOOK):
                named = row.part
            about.setdefault(task, []).extend([named] if named else [])
    return tuple(_about(task, [*dict.fromkeys(of)]) if of else task for task, of in about.items())


def _about(task: GapTask, of: Sequence[str]) -> GapTask:
    """Return a task with the accounts that it is about, with what is to be ordered, or with the documents to look at."""
    if task.words.endswith(_LOOK):
        return task._replace(words=_naming(task.words, listed(of)))
    if task.words.startswith(_ORDER):
        return task._replace(words=task.words.replace(_ORDER, f"order {listed(of)}", 1))
    return task._replace(words=f"{task.words} of {listed(of)}")


def _naming(words: str, documents: str) -> str:
    """Return who does what with the documents of the pack that are to be looked at; unchanged where the pack has none."""
    return f"{words.removesuffix(_LOOK)}look at {documents}" if documents and words.endswith(_LOOK) else words


def _is_found(gap: Any, found: Sequence[tuple[str, str, str, bool]]) -> bool:
    """Return whether a finding asks for what is missing; of each: path, sentence, session or empty, and whether it stands."""
    starts = (f"gaps.{gap.area}.{gap.code}", *_FOUND_BY.get(gap.code, ()), *_of_part(gap))
    return any(
        path.startswith(starts)
        and (gap.code not in _OF_ACCOUNT or all(names_id(said, one) for one in (gap.subject, gap.part)))
        and (session in {"", str(gap.subject)} if gap.code in _OF_SESSION else stands)
        for path, said, session, stands in found
    )


def _of_part(gap: Any) -> tuple[str, ...]:
    """Return how the path of a finding begins that asks for the section of the results, or the bank data, of which a gap says that it is missing."""
    if gap.part == "bank":
        return "requested.bank", "diligence.bank"
    missing = gap.code in {"section_missing", "members_missing", "not_ordered"}
    return (f"requested.{gap.part}", f"{gap.part}.") if missing and gap.part else ()


def askers_of(why: Sequence[Reason | Unknown], questions: Sequence[CreditQuestion]) -> Mapping[str, str]:
    """Return who asks for what the gaps of a code lack where a step of somebody besides the Analyst asks for it, by the code.

    Args:
        why: Everything against approval, as in `why_of`.
        questions: What the customer is asked about credits of no established source.
    """
    found = {
        code: one.owner
        for code in _OF_CUSTOMER
        for one in why
        if isinstance(one, Reason)
        and one.owner not in {"", ANALYST}
        and one.path.startswith(_FOUND_BY.get(code, f"{QUESTIONS_OF_MONEY}{code}"))
    }
    mine = frozenset[Key]().union(*(one.task.txns for one in pieces_of(why) if one.owner == "MLRO"))
    asked = {each.key for one in questions for each in one.credits}
    if asked & mine:
        found[_OF_CREDITS] = "MLRO" if asked <= mine else f"{ANALYST} and MLRO"
    return found


def in_one(duties: Iterable[str]) -> str:
    """Return who does what about gaps that are one fact, each once, and a condition of two of them once."""
    return "; ".join(dict.fromkeys(duties)).replace(*_SAID_TWICE)


def duties_of(
    gaps: pd.DataFrame,
    waits: str = "",
    matches: str = "",
    closed_by: str = "",
    askers: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Duty]:
    """Yield who does what about each gap.

    Args:
        gaps: The gaps, in the columns of frame `gaps`.
        waits: As for `duty_of`.
        matches: As for `duty_of`.
        closed_by: As for `duty_of`.
        askers: As returned by `askers_of`.
    """
    for row in rows(gaps, "area", "code", "cause", "part"):
        said = _said_of(row, gaps, matches)
        if row.cause == BLOCKED and row.area != "payment":
            yield _ENDED if closed_by == "reject" else _ONCE_COMPLETE
            continue
        asker = askers.get(str(row.code), ANALYST)
        duty = duty_of(str(row.code), waits, matches=matches, closed_by=closed_by, said=said, asker=asker)
        yield duty._replace(words=_naming(duty.words, row.part))


def _said_of(gap: Any, gaps: pd.DataFrame, matches: str = "") -> str:
    """Return why nothing has to be done about a gap of which the code alone does not say so; empty for any other gap."""
    if matches == NOBODY and gap.code in _OF_SETTLED:
        return SETTLED
    if gap.area == "statement" and gap.code == "currency_missing":
        return "the provider's statements never give one"
    if gap.cause == NO_SUCH_STATEMENT and "no_accounts" in set(gaps["code"]):
        return "without a linked account there is no statement"
    if gap.code == "opening_below_limit" and text_of(gap.part, "").endswith(IF_ONE_ACCOUNT):
        return _SMALL_ONCE
    return _SAID.get(gap.cause, "")


def duty_of(
    code: str,
    waits: str = "",
    *,
    matches: str = "",
    closed_by: str = "",
    said: str = "",
    asker: str = ANALYST,
) -> Duty:
    """Return who does what about a gap.

    Args:
        code: As in `GapCode`.
        waits: What a contact with the customer waits for, as in `ToDo`; empty for nothing.
        matches: Who has to settle the matches of the screening; empty for nobody.
        closed_by: The outcome of the decision that closed the case, as in `ReviewedCase.closed_by`. A rejected customer is not asked, and an
            approved one only at the next review, unless it is about a payment, which is not released without.
        said: Why nothing has to be done; empty if the code says who has to do what.
        asker: Who asks the customer; the MLRO waits for no consent.
    """
    if said:
        return Duty(NOBODY, said)
    if code in MATCHES and matches:
        return Duty(matches, "get it from the provider for each possible match")
    asked = _OF_CUSTOMER.get(code)
    if closed_by == "reject" and (asked or code in _FOR_APPROVAL):
        return _NOT_ASKED if asked else _ENDED
    if closed_by and asked and code != "payment_not_supported":
        waits = f"at the next review, and {waits}" if waits else "at the next review"
    if asked is not None:
        is_mine = asker == "MLRO" and not closed_by
        when = NOT_DECLINED * (NOT_DECLINED in waits) if is_mine else waits
        return Duty(asker, f"{when}, {asked}" if when else asked)
    owner, words = _DUTIES[code]
    # What serves an approval alone is not done for a customer who is declined.
    is_later = NOT_DECLINED in waits and owner != NOBODY and code != _COMPARED
    unless = f"{NOT_DECLINED}, " if is_later else ""
    return Duty(owner, f"{unless}{words}")
