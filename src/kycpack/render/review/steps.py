"""What has to be done about a case, in order: first the hold, then any decline, last what only an approval needs, each with who does what and what it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from kycpack.models.listed import listed
from kycpack.render.review.approval import (
    IDENTIFIED,
    LIFTED,
    NO_TERMS,
    NOT_DECLINED,
    REPORTED,
    Terms,
    at_last,
    is_collected,
    is_unidentified,
    order_monitoring,
    second_person,
)
from kycpack.render.review.pieces import (
    Found,
    GapTask,
    Piece,
    Step,
    action_of,
    by_action,
    in_brackets,
    in_order,
    is_of_report,
    is_with_mlro,
    named,
    pieces_of,
    requests_of,
    rules_of,
)
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.report_grounds import KNOWN, MAY_BE_REPORTED
from kycpack.render.review.task_kinds import Kind
from kycpack.render.review.task_things import quoted_head
from kycpack.render.review.tasks import REPORT
from kycpack.triage.levels import ANALYST

HEADING = "What to do, in this order"
AGREED = "when the MLRO agrees"
UNTOLD = "The customer must not learn of it."
CONTACTED = "is contacted only if the MLRO agrees"
QUIETLY = f"the customer {CONTACTED}"
FREEZE = "if there is reasonable cause to suspect that any match is this person and its list freezes funds, freeze the funds and report to OFSI as soon as practicable"
ON_OTHER_LISTS = "If it is this person, but on a list that freezes no funds, the MLRO decides what follows."
ON_ANY_LIST = (
    "If it is this person on a list of politically exposed persons, an approval takes senior management, and the source of wealth and of funds has "
    "to be established (MLR 2017 reg. 35); on any other list, the MLRO decides what follows."
)
_WITHDRAWN = (
    "If the provider changes the result, collect the results again, make a new pack, and decide on that."
)
_MATCHED = "the possible matches are settled"
_APPROVED = "senior management has approved"
_NOT_OPENED = f"Until {IDENTIFIED}, no business relationship is established and nothing is approved or paid."
_WITHHELD = (IDENTIFIED, _MATCHED, REPORTED, LIFTED, _APPROVED)
"""What a payment is not released before, besides that its source is shown, in the order in which it is said."""
_KNOWS = "if you know or suspect money laundering or terrorist financing, or have reasonable grounds for knowing or suspecting it"
_STAFF = (
    "Any other member of staff who knows or suspects money laundering or terrorist financing, "
    "or has reasonable grounds for knowing or suspecting it, reports it internally to the"
)
_PAIR = 2
_NOW = "Decide on the report now, on what is known, "
_AGAIN = f"{_NOW}and again when the answers are in. "
_AGAIN_IN_HOLD = (
    f"{_NOW}without waiting for the answers that the hold asks for, and again when the answers are in. "
)
_HOLD_FIRST = "The hold comes first, so that no money moves before it is decided whether to report."


def steps_of(why: Sequence[Reason | Unknown], terms: Terms = NO_TERMS) -> tuple[Step, ...]:
    """Return what has to be done, in the order in which it is done: who does what, with the rules that ask for it in brackets.

    A hold comes before any contact with the customer, so that nobody is tipped off by the order of the steps. A decline waits for
    the MLRO, who says whether the customer may be rejected; before that it is settled what the rejected result means, and whether a
    match of the screening is the person. Whatever else is asked serves an approval, and the decline says that it follows only if the
    customer is not declined. If several findings ask for the same, one person has it: a hold comes before a question, and any other owner before
    the Analyst. What the customer has to complete is one step, and what others look at waits for the new pack. Who decides, and
    whether a second person is needed, comes last; only the monitoring after an approval follows.

    Args:
        why: Everything against approval, the reason of each matter alone; where there is nothing, the decision is all that is left to do.
        terms: What else the steps depend on.
    """
    return tuple(_steps(why, terms))


def _is_on_unknown_list(one: Piece) -> bool:
    """Return whether somebody besides the Analyst finds out on which list a match is, which comes before the customer is asked anything."""
    return one.action == "ask" and one.task.kind == Kind.WHICH_LIST and one.owner != ANALYST


def in_full(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return steps with what follows from each, numbered if there are several."""
    said = [step.text for step in steps]
    return tuple(f"{place}. {step}" for place, step in enumerate(said, 1)) if len(said) > 1 else tuple(said)


def _steps(why: Sequence[Reason | Unknown], terms: Terms) -> Iterator[Step]:
    found, pieces = found_of(why, terms), pieces_of(why)
    declined = "decline" in found
    first = [one for one in pieces if (one.is_first if declined else _is_on_unknown_list(one))]
    reports = list(_reports(pieces, why, found))
    held = list(_of_holds(pieces, found, is_held=terms.is_held))
    if held and any(_NOW in step.consequence for step in reports):
        held[0] = held[0]._replace(consequence=f"{_HOLD_FIRST} {held[0].consequence}")
    begun = [
        *held[:1],
        *not_released(pieces, why),
        *reports,
        *held[1:],
        *asks(first, {}),
        *frozen_if_listed(first),
    ]
    later = list(_for_approval([one for one in pieces if one not in first], found, why, terms))
    if declined:
        if not reports:
            begun.append(Step(ANALYST, f"{_KNOWS}, report it internally to the MLRO", UNTOLD))
        begun.append(_may_be_declined(found, is_decided=bool(reports)))
        begun.append(_decline(found, len(begun) + 2, len(later), second_person(why, found, terms)))
    yield from (*begun, *later, *at_last(why, found, pieces, terms))


def _for_approval(
    pieces: Sequence[Piece], found: Found, why: Sequence[Reason | Unknown], terms: Terms
) -> Iterator[Step]:
    """Yield what only an approval needs, before anybody decides."""
    if terms.needed_of_file:
        yield Step(ANALYST, terms.needed_of_file)
    yield from completion(pieces, found, until="nothing is approved or paid")
    if terms.asked:
        yield asked_about_money(terms, found)
    yield from about_gaps(terms.gaps, found)
    asked = list(asks(pieces, found))
    if asked and "complete_session" not in found and is_unidentified(why):
        asked[0] = asked[0]._replace(consequence=f"{asked[0].consequence} {_NOT_OPENED}".lstrip())
    yield from asked
    if "decline" not in found:
        yield from frozen_if_listed([one for one in pieces if one.task.kind == Kind.WHICH_LIST])
    if terms.unmonitored:
        yield Step("MLRO", order_monitoring(terms))
    if terms.needed_of_file and not is_collected(found, pieces_of(why)):
        yield Step(ANALYST, "collect the evidence again and make a new pack")


def found_of(why: Sequence[Reason | Unknown], terms: Terms) -> dict[str, dict[str, list[Reason | Unknown]]]:
    """Return reasons by what has to be done about each, and by who has to do it, a hold that was decided is the MLRO's."""
    found = by_action(why)
    if terms.is_held:
        found.setdefault("hold", {"MLRO": []})
    return found


def _of_holds(pieces: Sequence[Piece], found: Found, *, is_held: bool) -> Iterator[Step]:
    """Yield the hold, what is found out meanwhile, and what follows if a match of a list is the person."""
    for owner in (holders := in_order(found, "hold")):
        requests, rules = requests_of(pieces, "hold", owner), rules_of(found["hold"][owner])
        if owner == holders[0]:
            hold = "keep the hold" if is_held else "hold the case"
            yield Step(
                owner,
                f"{hold}; {requests}" if requests else f"{hold}{rules}",
                f"Until the hold is lifted, nothing is approved, paid or rejected, and {QUIETLY}.",
            )
        elif requests:
            yield Step(owner, requests)
        holding = [one for one in pieces if one.action == "hold"]
        if matches := [one for one in holding if one.task.is_of_lists and one.owner == owner]:
            if is_held:
                otherwise = "record that; the hold was decided and stays"
            elif all(one.task.is_of_lists for one in holding):
                otherwise = "record that; the hold stays until the MLRO has decided on it"
            else:
                otherwise = "the hold rests on the other findings alone"
            yield _frozen(owner, matches, f"; if no match is this person, {otherwise}")


def frozen_if_listed(pieces: Sequence[Piece]) -> Iterator[Step]:
    """Yield what follows if a match that somebody asks about, and that does not hold the case, is the person; whom a hold tells so is not told again."""
    told = {one.owner for one in pieces if one.action == "hold" and one.task.is_of_lists}
    asked = [one for one in pieces if one.action == "ask" and one.task.is_of_lists and one.owner not in told]
    for owner in dict.fromkeys(one.owner for one in asked):
        yield _frozen(
            owner,
            [one for one in asked if one.owner == owner],
            "; until that is settled, nothing is approved or paid",
        )


def _frozen(owner: str, matches: Iterable[Piece], otherwise: str = "") -> Step:
    """Return what follows if a match is the person, by the list that it is on."""
    unnamed = any(one.task.kind in {Kind.WHICH_LIST, Kind.COUNTED, Kind.SCREENING} for one in matches)
    others = ON_ANY_LIST if unnamed else ON_OTHER_LISTS
    return Step(owner, f"{FREEZE}{otherwise}", others)


def not_released(pieces: Sequence[Piece], why: Iterable[Reason | Unknown]) -> Iterator[Step]:
    """Yield which payments are not released, and before what: their source is shown, and whatever else is open about the customer."""
    open_ = {**dict.fromkeys(chain.from_iterable(map(_withheld_for, why)))}
    further = [said for said in _WITHHELD if said in open_]
    for owner in dict.fromkeys(one.owner for one in pieces if one.task.kind == Kind.PAYMENT):
        mine = [one for one in pieces if one.task.kind == Kind.PAYMENT and one.owner == owner]
        which = named(thing for one in mine for thing in one.task.things)
        rules = in_brackets(rule for one in mine for rule in one.rules)
        yield Step(owner, f"do not release {which} until {listed(['its source is shown', *further])}{rules}")


def _withheld_for(one: Reason | Unknown) -> Iterator[str]:
    """Yield what has to be settled about a finding before a payment is released."""
    action = action_of(one)
    if action == "hold":
        yield LIFTED
    if action == "senior_approval":
        yield _APPROVED
    if is_of_report(one):
        yield REPORTED
        return
    if "screening" in one.subjects or any(task.is_of_lists for task in one.tasks):
        yield _MATCHED
    if is_unidentified([one]):
        yield IDENTIFIED


def _reports(pieces: Sequence[Piece], why: Sequence[Reason | Unknown], found: Found) -> Iterator[Step]:
    """Yield who decides on a report, before the customer hears anything: at once, and where something is asked as well, again when it is answered."""
    is_asked = any(one.task.kind != Kind.REPORT for one in pieces) or "complete_session" in found
    again = (_AGAIN_IN_HOLD if "hold" in found else _AGAIN) * is_asked
    for owner, mine in found.get("internal_report", {}).items():
        grounds = (task.words for one in mine for task in one.tasks if task.kind == Kind.REPORT)
        said = next(grounds, f"{REPORT}{rules_of(mine)}")
        yield Step(owner, said, f"{again}{_reported_to(owner, found)}")
    of_money = [one for one in why if isinstance(one, Reason) and one.path.startswith(MAY_BE_REPORTED)]
    known = f"; {KNOWN}" + named(quoted_head(one.text) for one in of_money) if of_money else ""
    for one in pieces:
        if one.task.kind == Kind.REPORT:
            said = f"{one.task.words}{known}{rules_of(of_money)}"
            yield Step(one.owner, said, f"{again}{_reported_to(one.owner, found)}")


def _may_be_declined(found: Found, *, is_decided: bool) -> Step:
    """Return who says whether the customer may be rejected, and unless a step before it decides on a report, decides on one that staff make."""
    reported = "" if is_decided else f"if a suspicion is reported, {REPORT}; "
    held = f"{LIFTED} and " if "hold" in found else ""
    return Step(
        "MLRO", f"{reported}say {'in any case ' * bool(reported)}whether {held}the customer may be rejected"
    )


def _reported_to(owner: str, found: Found) -> str:
    """Return that staff report internally to the owner, and that the customer must not learn of a report, nor be contacted without the MLRO, unless the hold says so."""
    untold = UNTOLD if "hold" in found else f"{UNTOLD.rstrip('.')} and {CONTACTED}."
    return f"{untold} {_STAFF} {owner}."


def _decline(found: Found, first: int, count: int, people: str) -> Step:
    """Return who declines the customer, when, with whom, and which steps follow only if that is not done: so many, from the first of them."""
    owner, why = in_order(found, "decline")[0], [*chain(*found["decline"].values())]
    because = listed([quoted_head(one.text) for one in why])
    waits = f"once the MLRO has {'lifted the hold and ' if 'hold' in found else ''}said that the customer may be rejected"
    if owner == "MLRO":
        waits = f"{'once the hold is lifted and ' if 'hold' in found else ''}if the customer may be rejected"
    elif "one of them the MLRO" in people:
        waits += ", with the MLRO as one of the two people"
    last = f"{'and' if count == _PAIR else 'to'} {first + count - 1}"
    which = f"Steps {first} {last} follow" if count > 1 else f"Step {first} follows"
    return Step(
        owner,
        f"reject the customer because of {because}{rules_of(why)}, {waits}",
        f"{which} {NOT_DECLINED}." if count else "",
    )


def completion(pieces: Sequence[Piece], found: Found, *, until: str) -> Iterator[Step]:
    """Yield that the customer is asked to complete a session, with every rule that asks for it.

    Args:
        pieces: All tasks.
        found: What they wait for, by action and owner.
        until: What does not happen before.
    """
    mine = [one for one in pieces if one.task.kind == Kind.COMPLETION]
    for owner, reasons in found.get("complete_session", {}).items():
        which = named(thing for one in mine for thing in one.task.things) or "the session"
        asking = {rule for one in (*reasons, *mine) for rule in one.rules}
        rules = in_brackets(sorted(asking, key=lambda rule: (rule.rpartition("-")[0], len(rule), rule)))
        waits = waits_of(found, owner)
        yield Step(
            owner,
            f"{f'{waits}, ' if waits else ''}ask the customer to complete {which}{rules}",
            f"Until it is complete, no business relationship is established and {until}.",
        )


def asks(pieces: Sequence[Piece], found: Found) -> Iterator[Step]:
    """Yield what each owner has to find out; where results are missing, a new pack is made once everything was asked, so that the answers are in it.

    Args:
        pieces: All tasks.
        found: What they wait for, by action and owner; empty for nothing.
    """
    completing = "complete_session" in found
    apart = {Kind.REPORT, *([Kind.COMPLETION] if completing else [])}
    left = [one for one in pieces if one.action == "ask" and one.task.kind not in apart]
    yield from _asked([one for one in left if not one.task.before], found)
    if is_collected(found, pieces):
        once = "once the session is complete" if completing else "once they are there"
        yield Step(ANALYST, f"collect the results {once}, and make a new pack")
    yield from _asked([one for one in left if one.task.before], found)


def _asked(pieces: Sequence[Piece], found: Found) -> Iterator[Step]:
    """Yield what each owner has to find out, the Analyst first, and what takes no contact with the customer before what waits for the MLRO's consent to it."""
    for owner in sorted({one.owner: None for one in pieces}, key=lambda one: one != ANALYST):
        waits = waits_of(found, owner)
        for waiting in (False, True):
            mine = [
                one for one in pieces if one.owner == owner and bool(waits and one.task.is_contact) is waiting
            ]
            meant = any(one.task.kind == Kind.MEANING for one in mine)
            said = f"{f'{waits}, ' * waiting}{requests_of(mine, 'ask', owner)}"
            yield from [Step(owner, said, _WITHDRAWN if meant else "")] if mine else []


def asked_about_money(terms: Terms, found: Found) -> Step:
    """Return what the customer is asked about the accounts and the money, which no finding says.

    Args:
        terms: What is asked.
        found: What it waits for, by action and owner.
    """
    waits = waits_of(found)
    asked = f"{f'{waits}, ' if waits else ''}ask the customer {listed(terms.asked)}"
    places = (("“Linked accounts”", terms.linked), ("“What this pack cannot show”", terms.questions))
    return Step(ANALYST, f"{asked}, with evidence (see {listed([place for place, of in places if of])})")


def about_gaps(tasks: Sequence[GapTask], found: Found) -> Iterator[Step]:
    """Yield what each owner does about the gaps for which nothing else asks; what the customer is asked waits for what any contact does.

    Args:
        tasks: What has to be done.
        found: What it waits for, by action and owner.
    """
    for owner, is_contact in dict.fromkeys((one.owner, one.is_contact) for one in tasks):
        waits = waits_of(found) if is_contact else ""
        words = [one.words for one in tasks if (one.owner, one.is_contact) == (owner, is_contact)]
        said = f"{waits}, " if waits else ""
        yield Step(owner, f"{said}{'; '.join(words)} (see “What this pack cannot show”)")


def waits_of(found: Found, owner: str = ANALYST) -> str:
    """Return what an owner's requests that only serve an approval wait for: for the MLRO, while the case is on hold, a report is decided on, or a match is open with the MLRO."""
    every = chain.from_iterable(chain(*owners.values()) for owners in found.values())
    is_quiet = "hold" in found or any(map(is_with_mlro, every))
    return AGREED if owner != "MLRO" and is_quiet else ""


def contact_waits(found: Found) -> str:
    """Return what a contact with the customer waits for where no step before says whether the customer is declined."""
    waits = waits_of(found)
    if "decline" in found:
        return f"{NOT_DECLINED}{waits and ' and the MLRO agrees'}"
    return waits


def with_consent(why: Iterable[Reason | Unknown], waits: str) -> tuple[Reason | Unknown, ...]:
    """Return everything against approval; of what the Analyst asks about money, the reasons say that the MLRO agrees first, where the steps do.

    Args:
        why: Everything against approval.
        waits: What a contact with the customer waits for, as returned by `contact_waits`.
    """
    consent = AGREED if AGREED.removeprefix("when ") in waits else ""
    return tuple(
        replace(one, asked=consent)
        if isinstance(one, Reason)
        and one.path.startswith(MAY_BE_REPORTED)
        and (one.owner, action_of(one)) == (ANALYST, "ask")
        else one
        for one in why
    )
