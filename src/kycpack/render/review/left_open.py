"""What a decision leaves open: a hold whose lifting is not recorded, the question of an internal report, and what was passed on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Given
from kycpack.render.palette import Tone
from kycpack.render.review.decision import (
    ENDS_CASE,
    WHY_IN_SECTION,
    CaseDecision,
    CaseRecord,
    decision_lines,
    news_lines,
    stands,
)
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.finding_ids import id_ranges
from kycpack.render.review.pieces import Piece, action_of, pieces_of
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.sums import SAME_PAYMENTS
from kycpack.render.review.task_kinds import Kind
from kycpack.render.review.task_things import quoted_head
from kycpack.triage import Policy
from kycpack.triage.levels import ANALYST, UNKNOWN
from kycpack.triage.policies.policy import is_among

_MLRO = "MLRO"
_ENDS_HOLD = "it ends what is in force"
_NO_REPORT = "Not recorded: whether a report to the NCA was considered."
_NOT_SHOWN = "Do not show this review to the customer: that could be tipping off."
_NUMBERS = re.compile(r"F-([0-9]+)(?: to F-([0-9]+))?")


def left_open(
    record: CaseRecord | None, reasons: Sequence[Reason], unknowns: Sequence[Unknown]
) -> tuple[Cell, ...]:
    """Return what page one of a decided case says is still open, a line each; nothing without a decision.

    Args:
        record: What the ledger says about the case.
        reasons: All rules that were hit, with their numbers in the decision.
        unknowns: What could not be evaluated, in the same way.
    """
    decision = None if record is None else record.decision
    if decision is None:
        return ()
    said = []
    # The hold that ended rested on a match too that is of somebody else.
    held = _holding(reasons) if is_lifted(decision) else held_by(decision, reasons)
    held = [one for one in held if one.number]
    if held and _closed_the_case(decision):
        said.append(_hold_words(decision, held))
    every: tuple[Reason | Unknown, ...] = (*reasons, *unknowns)
    done = is_done(record, every)
    if done and (asked := unanswered(decision, every)):
        ids = numbers_in(one.number for one in asked) & _unsettled(decision)
        without = f"Due before the decision, without a recorded answer: {id_ranges(ids)} (see “Decision”)."
        said.append(
            Cell(
                " ".join(filter(None, (without, _accepted_words(decision, ids), _not_due(decision, every)))),
                Tone.ALARM,
            )
        )
    open_ = _open_words(decision, every) if done else []
    quiet = [_NOT_SHOWN] if open_ or any(one.internal for one in reasons) else []
    report = [_NO_REPORT] if decision.outcome == "reject" else []
    if lines := [*open_, *report, *quiet]:
        said.append(Cell(" ".join(lines), Tone.ALARM))
    return tuple(replace(each, strong=True, origins=(Given(FROM_RECORD),)) for each in said)


def decided_cells(
    record: CaseRecord | None, left: Iterable[Cell], why: Sequence[Reason | Unknown], how: str = ""
) -> tuple[Cell, ...]:
    """Return what page one says of the decision, a line each; the section on it has the rest.

    Args:
        record: What the ledger says about the case.
        left: What the decision leaves open, as returned by `left_open`.
        why: All rules that were hit and all that could not be evaluated, with their numbers in the decision.
        how: In what other order it was made than the steps asked for, as in `ToDo.beside_decision`.
    """
    sentence, *others = decision_lines(record)
    if record is not None and record.decision is not None:
        sentence = f"{sentence}. {how}".rstrip()
        without = sum(map(is_without_verdict, why))
        new = [f"{counted(without, 'point')} of this pack without a verdict"] if without else []
        if verdicts := ", ".join(filter(None, (record.decision.verdict_counts, *new))):
            see = "" if others[0].endswith(WHY_IN_SECTION) else " (see “Decision”)"
            reason = record.decision.coded_reason
            said = (
                others[0].replace(reason, f"{reason}{_rests_on(record.decision, why)}", 1).removesuffix(".")
            )
            because = f"{said}. Verdicts: {verdicts}{see}."
            others = [because, *filter(None, [record.decision.outside_in_short]), *others[1:]]
    if (record is None or record.decision is None) and any(one.internal for one in why):
        left = (*left, Cell(_NOT_SHOWN, Tone.ALARM, strong=True))
    cells = (Cell(sentence), *left, *_news_cells(record), *map(Cell, others))
    return tuple(replace(each, origins=(Given(FROM_RECORD),)) for each in cells)


def with_about(record: CaseRecord | None, policy: Policy) -> CaseRecord | None:
    """Return a record whose decision says which rules its reason code is about, unless it was made under another policy.

    Args:
        record: What the ledger says about the case.
        policy: The policy of the pack.
    """
    decision = record.decision if record else None
    if (
        record is None
        or decision is None
        or decision.policy.partition(" (")[0] != f"{policy.id} {policy.version}"
    ):
        return record
    about = policy.decisions.grounds.get(decision.reason_code, ())
    return replace(record, decision=replace(decision, about=about))


def _rests_on(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> str:
    """Return on which findings the reason of a rejection rests, the first with what was found unless it was overtaken, as the end of a sentence; only those that its code is about, and where the policy rejects on some of them, these alone; empty for none."""
    unknown = numbers_in(one.number for one in why if isinstance(one, Unknown) and UNKNOWN in decision.about)
    stands = [
        each
        for each in decision.findings
        if each.verdict in {"accepted", "true_match"}
        and (is_among(each.rule_id, decision.about) or each.finding_id in unknown)
    ]
    rejecting = numbers_in(one.number for one in why if one.level == decision.level == "reject")
    stands = [each for each in stands if each.finding_id in rejecting] or stands
    if decision.outcome != "reject" or not stands:
        return ""
    first, *others = stands
    if others and decision.reopening:
        return f", because of {id_ranges(each.finding_id for each in stands)}"
    also = f" and {id_ranges(each.finding_id for each in others)}" if others else ""
    return f", because of {first.finding_id} {quoted_head(first.sentence)}{also}"


def _news_cells(record: CaseRecord | None) -> list[Cell]:
    """Return what has come since a decision: in strong letters that it has to be decided again, and by whom; and what a later run found."""
    news = news_lines(record)
    found = record.since if record is not None and record.newer else ()
    parts = (" ".join(news[: len(news) - len(found)]), " ".join(found))
    return [Cell(said, strong=not place) for place, said in enumerate(parts) if said]


def is_done(record: CaseRecord | None, why: Iterable[Reason | Unknown]) -> bool:
    """Return whether nobody has to decide: the last decision stands, closed the case, and had everything that this evidence shows, if it rests on other evidence.

    Args:
        record: What the ledger says about the case.
        why: All rules that were hit and all that could not be evaluated, with their numbers in the decision.
    """
    decision = None if record is None else record.decision
    if record is None or decision is None or not stands(record):
        return False
    if decision.standing or decision.outcome not in ENDS_CASE:
        return False
    return not record.is_before or not any(is_without_verdict(one) for one in why)


def is_without_verdict(one: Reason | Unknown) -> bool:
    """Return whether a decision did not have something that is a matter for the case."""
    return not one.number and not one.internal


def held_by(decision: CaseDecision, reasons: Iterable[Reason]) -> list[Reason]:
    """Return the reasons that hold the case, without those that are about somebody else."""
    dismissed = _dismissed(decision)
    return [one for one in _holding(reasons) if not one.number or numbers_in([one.number]) - dismissed]


def _holding(reasons: Iterable[Reason]) -> list[Reason]:
    return [one for one in reasons if one.action == "hold" and not one.internal]


def open_ids(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> set[str]:
    """Return the findings that a decision did not settle: those that it passed on, and possible matches, holds and payments without a shown source that it left as they were.

    Args:
        decision: The decision.
        why: All reasons and all that could not be evaluated, with their numbers in the decision.
    """
    reasons = [one for one in why if isinstance(one, Reason)]
    held = [] if is_lifted(decision) else held_by(decision, reasons)
    unsettled = numbers_in(
        one.number
        for one in why
        if one in held
        or one.subjects == {"screening"}
        or may_be_listed(one)
        or any(task.kind == Kind.PAYMENT for task in one.tasks)
    )
    return {
        each.finding_id
        for each in decision.findings
        if each.verdict in {"", "escalated"}
        or (each.verdict == "inconclusive" and each.finding_id in unsettled)
    }


def is_open(one: Reason | Unknown, left: AbstractSet[str]) -> bool:
    """Return whether something is among the findings that a decision left open, as returned by `open_ids`, or the decision did not have it."""
    return is_without_verdict(one) or bool(numbers_in([one.number]) & left)


def may_be_listed(one: Reason | Unknown) -> bool:
    """Return whether something may be a match of a person whose funds have to be frozen."""
    return any(task.is_of_lists for task in one.tasks)


def _closed_the_case(decision: CaseDecision) -> bool:
    return decision.outcome in ENDS_CASE and bool(decision.second_by or not decision.second_needed)


def is_lifted(decision: CaseDecision) -> bool:
    """Return whether a hold that the case had on record ended with the decision, by two people of whom one is the MLRO."""
    ends = any(each.startswith(_ENDS_HOLD) for each in decision.second_needed)
    return ends and bool(decision.second_by) and name_with(decision, _MLRO) != ""


def name_with(decision: CaseDecision, role: str) -> str:
    """Return who took part in a decision with a role, as in `MLRO`; empty if nobody did."""
    people = ((decision.second_by, decision.second_role), (decision.decided_by, decision.decider_role))
    return next((name for name, roles in people if name and role in roles), "")


def _dismissed(decision: CaseDecision) -> set[str]:
    """Return the findings that two people, of whom one is the MLRO, found to be about somebody else; nothing is held for these."""
    if not decision.second_by or not name_with(decision, _MLRO):
        return set()
    return {each.finding_id for each in decision.findings if each.verdict == "false_positive"}


def unanswered(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return what was due before a decision that closed the case and has no recorded answer in it, and that is not still open.

    A rejection that the policy asks for does not wait for what only another decision needs. A verdict that accepts a finding says that the result is right, and not what was asked about it; of a match it says whose it is.

    Args:
        decision: The decision.
        why: All reasons and all that could not be evaluated, with their numbers in the decision.
    """
    return _without_answer(decision, why, _unsettled(decision) - open_ids(decision, why))


def never_answered(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return what was due before a decision that closed the case and has no recorded answer in it, with what that left open.

    Args:
        decision: As for `unanswered`.
        why: As for `unanswered`.
    """
    return _without_answer(decision, why, _unsettled(decision))


def _not_due(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> str:
    """Return which findings without a recorded answer a rejection did not have to wait for, and why, in a sentence; empty for none."""
    asked = _unsettled(decision) - open_ids(decision, why)
    ids = numbers_in(one.number for one in _without_answer(decision, why, asked, is_due=False)) & asked
    was, these = ("was", "it") if len(ids) == 1 else ("were", "these")
    return (
        f"{id_ranges(ids)} {was} not due: answers about {these} are needed before an approval, not before a rejection."
        if ids
        else ""
    )


def _without_answer(
    decision: CaseDecision, why: Sequence[Reason | Unknown], asked: AbstractSet[str], *, is_due: bool = True
) -> list[Reason | Unknown]:
    is_declined = decision.outcome == "reject" and any(action_of(one) == "decline" for one in why)
    due = {_about(one) for one in pieces_of(why) if not is_declined or one.is_first or one.action == "hold"}
    accepted = {each.finding_id for each in decision.findings if each.verdict == "accepted"}
    return [
        one
        for one in why
        if _closed_the_case(decision)
        and (mine := numbers_in([one.number]) & asked)
        and (pieces := pieces_of([one]))
        and any(_about(each) in due for each in pieces) is is_due
        and not (mine <= accepted and (may_be_listed(one) or one.subjects == {"screening"}))
    ]


def _about(one: Piece) -> tuple[str, tuple[str, ...]]:
    return one.task.words, one.task.things


def with_one_owner(why: Sequence[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return findings, those about payments of another one with the owner and the action of that, so that nobody is asked about one payment twice."""
    by_title = {quoted_head(one.text): one for one in why if isinstance(one, Reason)}

    def governing(one: Reason) -> Reason:
        return next((by_title[title] for title in SAME_PAYMENTS.findall(one.text) if title in by_title), one)

    return [
        replace(one, owner=above.owner, action=above.action)
        if isinstance(one, Reason) and (above := governing(one)) is not one
        else one
        for one in why
    ]


def _unsettled(decision: CaseDecision) -> set[str]:
    """Return the findings of which a decision does not say that they are about somebody else, or about the person."""
    return {each.finding_id for each in decision.findings if each.verdict in {"", "accepted", "inconclusive"}}


def _hold_words(decision: CaseDecision, held: Sequence[Reason]) -> Cell:
    named = _named(decision, numbers_in(one.number for one in held))
    if is_lifted(decision):
        return Cell(
            f"This decision, in which {name_with(decision, _MLRO)} took part as the MLRO, ended the hold for {named}."
        )
    return Cell(
        f"{decision.title.text} while the hold was not recorded as lifted: {named}. The lifting of the hold by the MLRO is not "
        "recorded in this case.",
        Tone.ALARM,
    )


def _accepted_words(decision: CaseDecision, ids: AbstractSet[str]) -> str:
    """Return which findings without a recorded answer were accepted all the same; empty for none."""
    mine = [
        each.finding_id for each in decision.findings if each.verdict == "accepted" and each.finding_id in ids
    ]
    was = "was" if len(mine) == 1 else "were"
    return f"{id_ranges(mine)} {was} accepted as correct all the same." if mine else ""


def _open_words(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> list[str]:
    """Return the sentence on what the decision did not settle."""
    left = open_ids(decision, why)
    if not left:
        return []
    mine = [one for one in why if numbers_in([one.number]) & left]
    owners = sorted({one.owner or ANALYST for one in mine}, key=lambda one: (one != _MLRO, one == ANALYST))
    about = dict.fromkeys(quoted_head(one.text) for one in mine if isinstance(one, Reason) and not one.above)
    otherwise = next(each.sentence for each in decision.findings if each.finding_id in left)
    first = next(iter(about), quoted_head(otherwise))
    return [
        f"Still open: {owners[0] if owners else _MLRO}: settle {first} ({_named(decision, left)}); do not tell the customer why."
    ]


def numbers_in(said: Iterable[str]) -> set[str]:
    """Return the ids that texts such as `F-2, F-4 to F-9` name."""
    return {
        f"F-{number}"
        for text in said
        for first, last in _NUMBERS.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def _named(decision: CaseDecision, ids: Iterable[str]) -> str:
    by_rule: dict[str, list[str]] = {}
    wanted = set(ids)
    for each in decision.findings:
        if each.finding_id in wanted:
            by_rule.setdefault(each.rule_id, []).append(each.finding_id)
    return listed([f"{id_ranges(found)} {rule}" for rule, found in by_rule.items()])
