"""What is to be done about a case: all steps while nobody has decided, and what a decision that stands settled and left to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.render.document_parts import Block, Paragraph, Subheading
from kycpack.render.review.approval import (
    Terms,
    advised,
    asking,
    awaited,
    is_collected,
    monitoring,
    order_monitoring,
    second_person,
)
from kycpack.render.review.decision import ENDS_CASE, CaseDecision, CaseRecord, stands
from kycpack.render.review.finding_ids import id_ranges
from kycpack.render.review.left_open import (
    held_by,
    is_done,
    is_lifted,
    is_open,
    is_without_verdict,
    may_be_listed,
    name_with,
    never_answered,
    numbers_in,
    open_ids,
    unanswered,
    with_one_owner,
)
from kycpack.render.review.matters import why_of
from kycpack.render.review.pieces import (
    Step,
    action_of,
    by_action,
    in_order,
    pieces_of,
    requests_of,
    rules_of,
)
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.steps import (
    AGREED,
    CONTACTED,
    FREEZE,
    HEADING,
    QUIETLY,
    asks,
    completion,
    contact_waits,
    found_of,
    frozen_if_listed,
    in_full,
    not_released,
    steps_of,
)
from kycpack.render.review.tasks import REPORT, REPORT_UNSEEN
from kycpack.render.wording import sentence_case
from kycpack.triage.levels import ANALYST, rank

_AFTER = "Still to do after this decision"
_UNANSWERED = "Asked for, without a recorded answer at the decision"
_MLRO, _SENIOR = "MLRO", "senior manager"
_NOTHING = "Nothing else has to be done in this case before its next review."
_DISORDER = "Decided before steps that should come first. Before the decision there is no record of"
_NOT_DECIDED = "whether the customer is approved or rejected is not decided"
_WITH_MEASURES = "RISK-ACCEPTED"  # the reason code that says that the text of the decision names measures
_OUTCOMES = {
    "approve": "the customer is approved",
    "reject": "the customer is rejected",
    "hold": f"the case is on hold; {_NOT_DECIDED}.",
    "escalate": f"the case is escalated; {_NOT_DECIDED}.",
}


@dataclass(frozen=True, slots=True)
class ToDo:
    """What is to be done about a case.

    Attributes:
        heading: What stands above the steps.
        settled: What the decision settled, in a sentence; empty without a decision that stands.
        steps: Who does what, in order, numbered if there are several.
        owners: Who has a step, each once.
        people: How many people a decision takes, and which, in the words of the last step, with what an approval waits for; empty if nothing is left to decide.
        waits: What a contact with the customer waits for, in the words of the steps; empty for nothing.
        conditions: What an approval waits for that no finding says, as in `Terms`.
        questions_before: The same of what has to be settled before it, as in `Terms`; empty once a decision closed the case.
        unanswered: What was asked and has no recorded answer although the decision closed the case, in words by who was to find it out.
        out_of_order: That the decision was made in another order than the steps asked for, in sentences; empty if it was not.
    """

    heading: str
    settled: str
    steps: tuple[str, ...]
    owners: tuple[str, ...]
    people: str
    waits: str
    conditions: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    out_of_order: str = ""
    questions_before: tuple[str, ...] = ()

    @property
    def without_steps(self) -> str:
        """What page one says where there is no step: all that the decision settled; empty where there is one."""
        return "" if self.steps else self.settled

    @property
    def beside_decision(self) -> str:
        """What page one says beside the decision of how it was made, unless `without_steps` does."""
        return self.out_of_order if self.steps else ""

    @property
    def first_heading(self) -> str:
        """What stands above the first step on page one."""
        of = f": first of {len(self.steps)} steps" if len(self.steps) > 1 else ""
        return f"{self.heading.partition(',')[0]}{of}"

    @property
    def first(self) -> str:
        """What page one says of the steps: the first in full, and what else is known from the others."""
        return " ".join(filter(None, (*self.steps[:1], self.beside_first)))

    @property
    def beside_first(self) -> str:
        """What page one says beside the first of several steps: what contact with the customer waits for unless that step says so, and who decides."""
        first, *others = self.steps or ("",)
        is_said = CONTACTED in first or AGREED.removeprefix("when ") not in self.waits
        quietly = "" if is_said else f"{sentence_case(QUIETLY)}."
        return " ".join(filter(None, (quietly, self.people))) if others else ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All of it, for the section on the decision."""
        settled = (Paragraph(self.settled),) if self.settled else ()
        steps = (Subheading(self.heading), *map(Paragraph, self.steps)) if self.steps else ()
        asked = (Subheading(_UNANSWERED), *map(Paragraph, self.unanswered)) if self.unanswered else ()
        return (*settled, *asked, *steps)


def to_do_of(
    record: CaseRecord | None,
    newer: Sequence[Reason | Unknown],
    reasons: Sequence[Reason],
    unknowns: Sequence[Unknown],
    terms: Terms,
) -> ToDo:
    """Return what is to be done about a case.

    Args:
        record: What the ledger says about the case.
        newer: The findings of a later run that reopened the case.
        reasons: All rules that were hit, with their numbers in the decision.
        unknowns: What could not be evaluated, in the same way.
        terms: What else the steps depend on, apart from the decision.
    """
    decision = None if record is None else record.decision
    every: tuple[Reason | Unknown, ...] = (*reasons, *unknowns)
    terms = asking(terms, pieces_of(why_of(reasons, unknowns)))
    disorder = _out_of_order(record, every, why_of(reasons, unknowns), terms)
    if decision is not None and is_done(record, every):
        made = tuple(_left_to_do(decision, reasons, unknowns, terms))
        settled = " ".join(
            filter(
                None,
                (
                    _settled(decision, every),
                    "" if made or _is_unsure(decision) else _NOTHING,
                    disorder,
                ),
            )
        )
        quiet = any(step.is_quiet for step in made)
        return ToDo(
            _AFTER,
            settled,
            in_full(made),
            _owners_of(made),
            "",
            AGREED if quiet else "",
            terms.conditions,
            tuple(_requests_of(unanswered(decision, every))),
            _out_of_order(record, every, why_of(reasons, unknowns), terms, with_ids=False),
        )
    why = (*newer, *why_of(reasons, unknowns))
    outcome = decision.outcome if decision is not None and stands(record) else ""
    effect = "" if decision is None else decision.effect
    now = replace(terms, is_held=effect == "hold", is_escalated=effect == "escalate")
    found = found_of(why, now)
    is_escalated = outcome == "escalate" and decision is not None and not decision.standing
    begun = _begun(decision) if decision is not None and (outcome == "hold" or is_escalated) else ""
    made = steps_of(why, now)
    return ToDo(
        HEADING,
        begun or disorder,
        in_full(made),
        _owners_of(made),
        second_person(why, found, now, awaited(why)),
        contact_waits(found),
        terms.conditions,
        out_of_order=disorder,
        questions_before=terms.questions_before,
    )


def _owners_of(steps: Iterable[Step]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.owner for step in steps))


def _out_of_order(
    record: CaseRecord | None,
    every: Sequence[Reason | Unknown],
    why: Sequence[Reason | Unknown],
    terms: Terms,
    *,
    with_ids: bool = True,
) -> str:
    """Return which steps the case asked for before a decision about the customer that was made without a record of them, in a sentence; empty for none.

    Args:
        record: What the ledger says about the case.
        every: All rules that were hit and all that could not be evaluated, with their numbers in the decision.
        why: The same as the steps have it, with what is one matter together.
        terms: What else the steps depend on.
        with_ids: Whether it names the findings without an answer, which page one does beside a decision that stands.
    """
    decision = record.decision if record else None
    if record is None or decision is None or record.is_before or decision.outcome not in ENDS_CASE:
        return ""
    found, pieces = by_action(why), pieces_of(why)
    reports = found.get("internal_report", {}).get(_MLRO, [])
    first = [*found.get("hold", {}).get(_MLRO, []), *reports]
    said = []
    if first and not name_with(decision, _MLRO):
        said.append(f"the {_MLRO}'s part{rules_of(first)}")
    elif reports:
        said.append(f"the {_MLRO}'s decision on a report{rules_of(reports)}")
    if asked := never_answered(decision, every):
        about = f"any answer about {id_ranges(numbers_in(one.number for one in asked))}"
        said.append(about if with_ids else "the answers due")
    is_new = bool(terms.needed_of_file) or is_collected(found, pieces)
    if is_new and not (decision.outcome == "reject" and "decline" in found):
        said.append("evidence collected again")
    without = " or of ".join(said)
    return f"{_DISORDER} {without}." if said else ""


def _requests_of(why: Sequence[Reason | Unknown]) -> Iterator[str]:
    """Yield what somebody was to find out about findings, by who it was."""
    pieces = pieces_of(with_one_owner(why))
    for action, owner in dict.fromkeys((one.action, one.owner) for one in pieces):
        yield f"{owner}: {requests_of(pieces, action, owner)}."


def _begun(decision: CaseDecision) -> str:
    return f"Settled by decision {decision.decision_id}: {_OUTCOMES[decision.outcome]}"


def _settled(decision: CaseDecision, why: Sequence[Reason | Unknown]) -> str:
    """Return what a decision settled: the outcome and its findings, and how many it left open or did not have."""
    opened = open_ids(decision, why)
    count, left = len(decision.findings), len(opened)
    unsure = sum(one.verdict == "inconclusive" and one.finding_id not in opened for one in decision.findings)
    settled = (
        f"{count - left} of {counted(count, 'finding')}" if left else f"all {count} findings that it numbers"
    )
    found = f", with a verdict on {'its finding' if count == 1 else settled}" if count > left else ""
    found += f", {'' if count == 1 else f'{unsure} of them '}inconclusive" if unsure else ""
    open_ = f"; {counted(left, 'finding')} {'is' if left == 1 else 'are'} left open" if left else ""
    without = sum(is_without_verdict(one) for one in why)
    has = "has" if without == 1 else "have"
    new = f" {counted(without, 'point')} of this pack {has} no verdict in it." if without else ""
    return f"{_begun(decision)}{found}{open_}.{new}"


def _is_unsure(decision: CaseDecision) -> bool:
    return any(each.verdict == "inconclusive" for each in decision.findings)


def _left_to_do(
    decision: CaseDecision, reasons: Sequence[Reason], unknowns: Sequence[Unknown], terms: Terms
) -> Iterator[Step]:
    """Yield what is left to do after an approval or a rejection: what it did not settle, the hold, a report, and what follows from it."""
    held = [] if is_lifted(decision) else held_by(decision, reasons)
    left = open_ids(decision, (*reasons, *unknowns))
    rejected = decision.outcome == "reject"
    hits = [one for one in reasons if is_open(one, left) or action_of(one) == "complete_session"]
    why = why_of(hits, [one for one in unknowns if is_open(one, left)])
    if rejected:
        why = tuple(
            one
            for one in why
            if may_be_listed(one) or (action_of(one) == "hold" and one.subjects == {"screening"})
        )
    found, pieces = by_action(why), pieces_of(why)
    yield from not_released(pieces, why)
    for owner in in_order(found, "hold"):
        requests = requests_of(pieces, "hold", owner)
        yield Step(owner, requests) if held else Step(owner, requests, f"Meanwhile {QUIETLY}.", is_quiet=True)
        if matches := [one for one in found["hold"][owner] if may_be_listed(one)]:
            yield Step(owner, f"{FREEZE}{rules_of(matches)}")
    if rejected:
        yield from asks(pieces, {})
        yield from frozen_if_listed(pieces)
    yield from _frozen(decision, reasons)
    if held:
        yield Step(
            _MLRO,
            f"say whether the hold is lifted{advised(by_action(held))}, and record it{rules_of(held)}",
            f"Until it is lifted, nothing is paid or released, and {QUIETLY}.",
            is_quiet=True,
        )
    yield from _reports((*reasons, *unknowns), rejected=rejected)
    if rejected:
        lifted = "has lifted the hold and agrees" if held else "agrees"
        yield Step(
            ANALYST,
            f"carry out no transaction for the customer; once the {_MLRO} {lifted}, end the business relationship or do not begin it; "
            "give the customer no reason that could be tipping off",
        )
        return
    if terms.needed_of_file:
        yield Step(ANALYST, terms.needed_of_file)
    waits = {**found, **by_action(held), **by_action(one for one in reasons if one.internal)}
    waits.pop("decline", None)
    yield from completion(pieces, waits, until="nothing is paid")
    yield from asks(pieces, waits)
    if terms.unmonitored:
        yield Step(_MLRO, order_monitoring(terms))
    yield from _watched(decision, (*reasons, *unknowns), terms)


def _with_verdict(
    decision: CaseDecision, why: Iterable[Reason | Unknown], verdict: str
) -> list[Reason | Unknown]:
    """Return what has one verdict and no other."""
    given = {each.finding_id for each in decision.findings if each.verdict == verdict}
    return [one for one in why if one.number and numbers_in([one.number]) <= given]


def _frozen(decision: CaseDecision, reasons: Sequence[Reason]) -> Iterator[Step]:
    """Yield what a match of a list requires that the decision rests on as that of the person."""
    as_the_person = {
        each.finding_id for each in decision.findings if each.verdict in {"true_match", "accepted"}
    }
    matches = [one for one in reasons if may_be_listed(one) and numbers_in([one.number]) & as_the_person]
    for owner, mine in by_action(matches).get("hold", {}).items():
        yield Step(
            owner,
            f"freeze the funds if the list requires it, and report to OFSI as soon as practicable, unless that has been done{rules_of(mine)}",
        )


def _reports(why: Sequence[Reason | Unknown], *, rejected: bool) -> Iterator[Step]:
    """Yield who decides on a report, which no case records."""
    quiet = [one for one in why if one.internal]
    hits = [one for one in quiet if isinstance(one, Reason)]
    said = f"{REPORT}{rules_of(hits)}, if that has not been decided yet"
    if not hits and not rejected:
        said = REPORT_UNSEEN
    for owner in [_MLRO] if rejected else dict.fromkeys(one.owner or _MLRO for one in hits or quiet):
        yield Step(owner, f"{said}; the customer must not learn of it", is_quiet=True)


def _watched(decision: CaseDecision, why: Sequence[Reason | Unknown], terms: Terms) -> Iterator[Step]:
    """Yield what an approval with enhanced due diligence requires: senior management and closer monitoring; and the measures with which a risk was accepted."""
    others = _with_verdict(decision, why, "false_positive")
    stricter = [
        one for one in why if one not in others and not one.internal and rank(one.level) >= rank("edd")
    ]
    senior = [one for one in stricter if action_of(one) == "senior_approval"]
    if senior and not name_with(decision, _SENIOR):
        yield Step(
            "Senior management",
            f"say whether the approval stands, which no senior manager is recorded to have given{rules_of(senior)}",
        )
    ends = decision.reopens_on
    until = f"the approval ends on {day_words(date.fromisoformat(ends))}" if ends else terms.next_review
    if decision.reason_code == _WITH_MEASURES:
        yield Step(ANALYST, f"carry out the measures that the decision names, until {until}")
    if stricter:
        yield monitoring(stricter, until)
