"""How the steps of a case end: who decides and records it, with whom, and what is monitored after an approval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from kycpack.models.listed import listed
from kycpack.render.review.open_credits import CreditQuestion
from kycpack.render.review.pieces import (
    Found,
    GapTask,
    Piece,
    Step,
    action_of,
    in_brackets,
    in_order,
    is_of_report,
    named,
    rules_of,
)
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.task_kinds import Kind
from kycpack.render.wording import level_cell
from kycpack.triage.levels import ANALYST, LEVELS, highest, rank

NOT_DECLINED = "only if the customer is not rejected"
LIFTED = "the hold is lifted"
FILE_THERE = "the customer risk file is there"
REPORTED = "the MLRO has decided whether to report"
IDENTIFIED = "the identity is confirmed"
_WAITS = "A rejection waits until the MLRO agrees."
_UNSETTLED = "Until the list of every match is known, nothing is approved or paid."


@dataclass(frozen=True, slots=True)
class Terms:
    """What the steps of a case depend on besides its findings.

    Attributes:
        needed_of_file: What has to be done about the firm's risk file of the customer, in words; empty if it is complete.
        unmonitored: The sessions without monitoring, in words.
        is_held: Whether somebody decided that the case is on hold.
        is_escalated: Whether somebody decided that the case is escalated.
        alone_up_to: The highest level that the policy lets one person approve.
        of_lists: The rules about sanctions and terrorism: whatever is decided on a hit of one takes two people, one of them the MLRO.
        of_pep: The rules about politically exposed persons: an approval takes two people, and so does a false positive.
        next_review: When the next review is due, in words.
        linked: What the customer is asked about accounts held in another name, in words.
        questions: What the customer is asked about the money, in words.
        of_credits: The same of credits of no established source, of which other steps may ask about some.
        gaps: What has to be done about gaps for which nothing else asks.
    """

    needed_of_file: str = ""
    unmonitored: tuple[str, ...] = ()
    is_held: bool = False
    is_escalated: bool = False
    alone_up_to: str = "review"
    of_lists: frozenset[str] = frozenset()
    of_pep: frozenset[str] = frozenset()
    next_review: str = "the next review"
    linked: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    of_credits: tuple[CreditQuestion, ...] = ()
    gaps: tuple[GapTask, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        """What an approval waits for that no finding says, a clause each."""
        explained = (f"the customer has explained {listed(self.asked)}",) if self.asked else ()
        return (*([FILE_THERE] if self.needed_of_file else []), *explained)

    @property
    def asked(self) -> tuple[str, ...]:
        """What the customer is asked that no finding says, in words."""
        return (*self.linked, *self.questions)

    @property
    def questions_before(self) -> tuple[str, ...]:
        """What else has to be settled before an approval and no finding says, each with its owner."""
        monitored = (f"MLRO: {order_monitoring(self)}",) if self.unmonitored else ()
        return (*(f"{one.owner}: {one.words}" for one in self.gaps), *monitored)


NO_TERMS = Terms()


def asking(terms: Terms, pieces: Iterable[Piece]) -> Terms:
    """Return the terms with what is left to ask about credits of no established source beside other tasks.

    Args:
        terms: What the steps of a case depend on besides its findings.
        pieces: All tasks.
    """
    asked = frozenset().union(*(one.task.txns for one in pieces))
    left = (one.beside(asked) for one in terms.of_credits)
    return replace(terms, questions=(*terms.questions, *filter(None, left)), of_credits=())


def at_last(
    why: Sequence[Reason | Unknown], found: Found, pieces: Sequence[Piece], terms: Terms
) -> Iterator[Step]:
    """Yield who decides and records it, with a second person where the policy asks for one, and what follows from an approval."""
    is_held, is_declined, senior = "hold" in found, "decline" in found, found.get("senior_approval", {})
    is_new = bool(terms.needed_of_file) or is_collected(found, pieces)
    on = " on the new pack" if is_new else ""
    owner = _decider(why)
    reported = (REPORTED,) * any(map(is_of_report, why))
    after = f"once {REPORTED}, " if reported and owner != "MLRO" else ""
    said = f"{after}decide{on} whether to approve the customer, and record the decision"
    if senior:
        by, rules = in_order(found, "senior_approval")[0], rules_of(chain(*senior.values()))
        unless = (NOT_DECLINED,) * is_declined + (LIFTED,) * is_held + reported
        when = f"{'' if is_declined else 'once '}{listed(unless)}, " if unless else ""
        recorded = "" if is_declined else ", and record the decision"
        said = f"{when}decide{on} whether to approve, on advice from the {by}{recorded}{rules}"
        owner = "Senior management"
        yield from (
            [Step("MLRO", f"say whether {LIFTED}{advised(found)}")] if is_held and not is_declined else []
        )
    elif is_held:
        said, owner = f"say whether {LIFTED}{advised(found)}, and record the decision", "MLRO"
    if is_declined or (not why and not is_new and not terms.asked and not terms.gaps):
        yield from [Step(owner, said)] if senior else []
        said, owner = "record the decision", in_order(found, "decline")[0] if is_declined else ANALYST
    yield Step(owner, said, second_person(why, found, terms))
    stricter = [one for one in why if isinstance(one, Reason) and _is_watched(one)]
    if stricter and (senior or not is_declined):
        yield monitoring(stricter, terms.next_review, after="after an approval, ")


def is_collected(found: Found, pieces: Iterable[Piece]) -> bool:
    """Return whether results are missing, so that a new pack is made before anybody decides."""
    return "complete_session" in found or any(one.gets_results for one in pieces)


def order_monitoring(terms: Terms) -> str:
    """Return what is decided about the monitoring of sessions that have none."""
    return f"decide whether to order monitoring for {listed(terms.unmonitored)}, which {'has' if len(terms.unmonitored) == 1 else 'have'} none"


def advised(found: Found) -> str:
    """Return on whose advice the MLRO lifts a hold: whoever else has a finding that holds the case."""
    others = [owner for owner in in_order(found, "hold") if owner != "MLRO"]
    return f", on advice from the {listed(others)}" if others else ""


def _decider(why: Iterable[Reason | Unknown]) -> str:
    """Return who decides: the owner of the most serious finding of those that are not the Analyst's, or else the Analyst."""
    above = [one for one in why if not one.internal and one.owner not in {"", ANALYST}]
    return max(above, key=lambda one: rank(one.level)).owner if above else ANALYST


def _lists(listed: Sequence[Reason]) -> str:
    """Return on what kind of list the matches of some reasons are: whether it freezes funds is not known from the screening."""
    unnamed, named = (
        in_brackets(dict.fromkeys(one.rule_id for one in listed if _is_unnamed(one) == wanted))
        for wanted in (True, False)
    )
    if not unnamed:
        return f"a list that may freeze funds{named}"
    if not named:
        return f"a list that is not named, which may be a list that freezes funds{unnamed}"
    return f"a list that may freeze funds{named} or one that is not named and may be such a list{unnamed}"


def _is_unnamed(one: Reason) -> bool:
    return any(task.kind == Kind.WHICH_LIST for task in one.tasks)


def second_person(
    why: Sequence[Reason | Unknown], found: Found, terms: Terms, waits: Sequence[str] = ()
) -> str:
    """Return how many people a decision takes, and why, in a sentence or two; nobody rejects before the MLRO says so where the policy rejects or a report is open.

    Args:
        why: Everything against approval.
        found: The same by action and owner.
        terms: What else the steps depend on.
        waits: What an approval waits for and no step says beside it, as returned by `awaited`; it stands in place of the level, which the last step gives.
    """
    case = [one for one in why if not one.internal]
    is_senior = "senior_approval" in found
    listed = [one for one in case if isinstance(one, Reason) and one.rule_id in terms.of_lists]
    is_listed = bool(listed)
    is_with_mlro = "decline" in found or any(map(is_of_report, why))
    if "hold" in found or is_listed or terms.is_escalated:
        by_whom = ", one of them the MLRO" if is_listed else ""
        also = " An approval also takes a senior manager." if is_senior else ""
        because = "it ends the hold" if "hold" in found else "it ends the escalation"
        if is_listed:
            because = f"a possible match may be this person, on {_lists(listed)}"
        elif "MLRO" in found.get("hold", ()):
            because += "; both wait until the MLRO agrees"
        elif is_with_mlro and "hold" not in found:
            also += f" {_WAITS}"
        # One person may reject a case that is not on hold yet, whatever asks for the hold.
        is_later = "hold" in found and not (is_listed or terms.is_held or terms.is_escalated)
        either = f"{'Once the hold is recorded, an' if is_later else 'An'} approval or a rejection"
        return f"{either} takes two people{by_whom}, because {because}.{also}"
    said = [_who_approves(case, terms, waits, is_senior=is_senior, is_with_mlro=is_with_mlro)]
    if is_with_mlro:
        # A match that is called a false positive takes two people also where the customer is rejected.
        one = "A rejection takes one person, once the MLRO agrees."
        said.append(_WAITS if _is_pep(case, terms) else one)
    top = highest(one.level for one in case)
    if rank(top) > rank(terms.alone_up_to) and _waits_for_session([one for one in case if one.level == top]):
        now = level_cell(top).text.lower()
        said.append(
            f"Until the session is complete the level is {now}, by the firm's standard in its policy; the new pack sets it again."
        )
    if any(task.kind == Kind.WHICH_LIST for one in case for task in one.tasks):
        said.append(_UNSETTLED)
    return " ".join(said)


def _is_pep(case: Iterable[Reason | Unknown], terms: Terms) -> bool:
    return any(isinstance(one, Reason) and one.rule_id in terms.of_pep for one in case)


def is_unidentified(why: Iterable[Reason | Unknown]) -> bool:
    """Return whether anything is open about the document or the identity, or a session is not complete."""
    return any(
        one.subjects & {"document", "identity"} or action_of(one) == "complete_session"
        for one in why
        if not is_of_report(one)
    )


def awaited(why: Sequence[Reason | Unknown]) -> tuple[str, ...]:
    """Return what an approval waits for, whoever gives it: the decision on a report, and the identity."""
    return (*(REPORTED,) * any(map(is_of_report, why)), *(IDENTIFIED,) * is_unidentified(why))


def _who_approves(
    case: Sequence[Reason | Unknown],
    terms: Terms,
    waits: Sequence[str],
    *,
    is_senior: bool,
    is_with_mlro: bool,
) -> str:
    """Return how many people an approval takes, and why, and what it waits for; and a rejection, where it is one person as well and no word of the MLRO is needed."""
    approval = f"Once {listed(waits)}, an approval" if waits else "An approval"
    if is_senior:
        return "An approval takes two people, one of them a senior manager."
    if _is_pep(case, terms):
        return f"{approval} takes two people, because the customer may be politically exposed."
    top = highest(one.level for one in case)
    alone, level = (level_cell(one).text.lower() for one in (terms.alone_up_to, top))
    if rank(top) > rank(terms.alone_up_to):
        return f"{approval} takes two people{'' if waits else f', because the level is above {alone}'}."
    may = (
        f"One person may reject, or approve once {listed(waits)}"
        if waits
        else "One person may approve or reject"
    )
    if top == LEVELS[0] and terms.conditions:
        may = "One person may reject, or approve once the conditions are met"
    if is_with_mlro:
        may = f"{approval} takes one person"
    named = "the level" if level == alone else f"the level ({level})"
    return f"{may}." if waits else f"{may}, because {named} is not above {alone}."


def _waits_for_session(why: Sequence[Reason | Unknown]) -> bool:
    """Return whether nothing but a session that is not complete, and the results that it lacks, speaks against approval."""
    open_ = [action_of(one) == "complete_session" for one in why]
    lacking = [bool(one.tasks) and all(task.before for task in one.tasks) for one in why]
    return any(open_) and all(map(max, open_, lacking))


def _is_watched(one: Reason) -> bool:
    """Return whether a finding asks for closer monitoring after an approval; a match of the screening that holds the case is settled before it."""
    is_match = one.subjects == {"screening"} or any(task.is_of_lists for task in one.tasks)
    is_held = action_of(one) == "hold" and rank(one.level) >= rank("edd") and not is_match
    return is_held or action_of(one) == "senior_approval"


def monitoring(stricter: Sequence[Reason | Unknown], until: str, *, after: str = "") -> Step:
    """Return who monitors the business relationship more closely, what is looked at, and until when.

    Args:
        stricter: What asks for enhanced due diligence.
        until: Until when, in words.
        after: What comes before it.
    """
    owner = min((one.owner or ANALYST for one in stricter), key=lambda one: one == ANALYST)
    flags = dict.fromkeys(
        thing for one in stricter for task in one.tasks if task.kind == Kind.CREDITS for thing in task.things
    )
    payments = f"payments, above all those like {named(flags)}" if flags else "payments"
    screened = " and screening results" * any("screening" in one.subjects for one in stricter)
    comma = "," * bool(flags)
    return Step(
        owner,
        f"{after}monitor {payments}{comma * bool(screened)}{screened}{comma} more closely until {until}{rules_of(stricter)}",
    )
