"""What has to be done about a case, in order: first the hold, then any decline, last what only an approval needs, each with who does what and what it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from kycpack.models.listed import listed
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.tasks import Kind, Task, quoted_head
from kycpack.triage.levels import ACTIONS, ANALYST

HEADING = "What to do, in this order"
_MOST_NAMED = 4
QUIETLY = "the customer is contacted only if the MLRO agrees"
FREEZE = "if there is reasonable cause to suspect that it is this person and the list freezes funds, freeze the funds and report to OFSI"
_FREEZE = "if there is reasonable cause to suspect a true match, freeze the funds and report to OFSI"
_DECLINE = "decline the customer"
_NOT_DECLINED = "only if the customer is not declined"
FILE = "get the customer risk file, or what it does not give, from the firm and add it to the register"


class Piece(NamedTuple):
    """A task with who has it, for which action, the rules that ask for it, whether it comes before any decline, and whether it gets results."""

    action: str
    owner: str
    task: Task
    rules: tuple[str, ...]
    is_first: bool
    gets_results: bool


class Step(NamedTuple):
    """Who does what, what follows from it, and what stands on a page with little room; empty if nothing follows, or for the same words."""

    text: str
    consequence: str = ""
    brief: str = ""


Found = Mapping[str, Mapping[str, Sequence[Reason | Unknown]]]


def steps_of(
    why: Sequence[Reason | Unknown], *, lacks_file: bool = False, is_held: bool = False
) -> tuple[str, ...]:
    """Return what has to be done, in the order in which it is done: who does what, with the rules that ask for it in brackets.

    A hold comes before any contact with the customer, so that nobody is tipped off by the order of the steps. A decline waits for
    the MLRO, who says whether the case may be declined; before that it is settled what the rejected result means, and whether a
    match of the screening is the person. Whatever else is asked serves an approval, and is asked only if the customer is not
    declined. If several findings ask for the same, one person has it: a hold comes before a question, and any other owner before
    the Analyst. What the customer has to complete is one step, and what others look at waits for the new pack.

    Args:
        why: Everything against approval, the reason of each matter alone; where there is nothing, the decision is all that is left to do.
        lacks_file: Whether the firm's risk file of the customer is missing or incomplete.
        is_held: Whether somebody decided that the case is on hold.
    """
    return in_full(_steps(why, lacks_file=lacks_file, is_held=is_held))


def in_full(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return steps with what follows from each, numbered if there are several."""
    said = [f"{step.text}. {step.consequence}".rstrip() for step in steps]
    return tuple(f"{place}. {step}" for place, step in enumerate(said, 1)) if len(said) > 1 else tuple(said)


def in_one_sentence(steps: Sequence[Step], *, brief: bool = False) -> str:
    """Return steps as one sentence with their numbers, without what follows from them, except that the customer is not contacted."""
    quiet = next((step for step in steps if QUIETLY in step.consequence), None)
    return "; ".join(
        f"({place}) {(brief and step.brief) or step.text}{f', and {QUIETLY}' if step is quiet else ''}"
        for place, step in enumerate(steps, 1)
    )


def steps_in_short(
    why: Sequence[Reason | Unknown], *, lacks_file: bool = False, is_held: bool = False
) -> str:
    """Return the steps in one paragraph with the numbers of `steps_of`, for a page that a decision leaves little room: each in brief, and none after a decline."""
    if not why and not lacks_file and not is_held:
        return f"{HEADING}: decide on the evidence of this pack ({ANALYST})."
    made = list(_steps(why, lacks_file=lacks_file, is_held=is_held))
    last = next((place for place, step in enumerate(made, 1) if _DECLINE in step.text), len(made))
    more = f"What is asked {_NOT_DECLINED}, and more, is" if last < len(made) else "More"
    return f"{HEADING}: {in_one_sentence(made[:last], brief=True)}. {more} in “Decision”."


def _steps(why: Sequence[Reason | Unknown], *, lacks_file: bool, is_held: bool) -> Iterator[Step]:
    found, pieces = by_action(why), pieces_of(why)
    declined = "decline" in found
    if is_held:
        found.setdefault("hold", {"MLRO": []})
    yield from _of_holds(pieces, found, is_held=is_held)
    yield from not_released(pieces)
    if declined:
        yield from asks([one for one in pieces if one.is_first], {})
        if "internal_report" not in found:
            yield Step(
                f"{ANALYST}: report to the MLRO internally if you know or suspect anything, or have reasonable grounds to",
                "The customer must not learn of it.",
                f"{ANALYST}: report any suspicion to the MLRO",
            )
    for owner in found.get("internal_report", ("MLRO",) if declined else ()):
        yield _report(owner, found)
    if declined:
        yield _decline(found)
    later = [one for one in pieces if not (declined and one.is_first)]
    if lacks_file:
        yield Step(f"{ANALYST}: {_NOT_DECLINED + ', ' if declined else ''}{FILE}")
    yield from completion(later, found, until="nothing is approved or paid")
    yield from asks(later, found)
    yield from _at_last(found)


def by_action(why: Iterable[Reason | Unknown]) -> dict[str, dict[str, list[Reason | Unknown]]]:
    """Return reasons by what has to be done about each, and by who has to do it."""
    found: dict[str, dict[str, list[Reason | Unknown]]] = {}
    for one in why:
        found.setdefault(action_of(one), {}).setdefault(one.owner or ANALYST, []).append(one)
    return found


def _of_holds(pieces: Sequence[Piece], found: Found, *, is_held: bool) -> Iterator[Step]:
    """Yield the hold, what is found out meanwhile, and what follows if a match of a list is the person."""
    for owner in (holders := in_order(found, "hold")):
        requests, rules = requests_of(pieces, "hold", owner), rules_of(found["hold"][owner])
        if owner == holders[0]:
            hold = f"{owner}: {'keep the hold' if is_held else 'hold the case'}"
            yield Step(
                f"{hold}; {requests}" if requests else f"{hold}{rules}",
                f"Until the hold is lifted, nothing is approved, paid or declined, and {QUIETLY}.",
                f"{hold}{rules}",
            )
        elif requests:
            yield Step(f"{owner}: {requests}", brief=f"{owner}: {_first_of(requests)}")
        holding = [one for one in pieces if one.action == "hold"]
        if any(one.task.is_of_lists for one in holding if one.owner == owner):
            if is_held:
                otherwise = "record that; the hold was decided and stays"
            elif all(one.task.is_of_lists for one in holding):
                otherwise = "lift the hold"
            else:
                otherwise = "the hold rests on the other findings alone"
            yield Step(
                f"{owner}: {FREEZE}; if it is another person, {otherwise}", brief=f"{owner}: {_FREEZE}"
            )


def not_released(pieces: Sequence[Piece]) -> Iterator[Step]:
    """Yield which payments are not released before their source is shown."""
    for owner in dict.fromkeys(one.owner for one in pieces if one.task.kind == Kind.PAYMENT):
        mine = [one for one in pieces if one.task.kind == Kind.PAYMENT and one.owner == owner]
        which = _listed(thing for one in mine for thing in one.task.things)
        rules = _in_brackets(rule for one in mine for rule in one.rules)
        yield Step(f"{owner}: do not release {which} until its source is shown{rules}")


def _report(owner: str, found: Found) -> Step:
    said = f"{owner}: decide as nominated officer whether to report to the National Crime Agency"
    brief = f"{owner}: decide on a report to the National Crime Agency"
    declined = ", and say whether the case may be declined" if "decline" in found else ""
    if "internal_report" not in found:
        return Step(f"{said}{declined}", brief=f"{brief}{declined}")
    quietly = "" if "hold" in found else f", and {QUIETLY}"
    return Step(
        f"{said}{declined}{rules_of(found['internal_report'][owner])}",
        f"Whoever knows or suspects something, or has reasonable grounds to, reports it internally to the {owner}. The customer must not learn of it{quietly}.",
        f"{brief}{declined}{rules_of(found['internal_report'][owner])}",
    )


def _decline(found: Found) -> Step:
    owner, why = in_order(found, "decline")[0], [*chain(*found["decline"].values())]
    because = listed([quoted_head(one.text) for one in why])
    waits = f"once the MLRO has {'lifted the hold and ' if 'hold' in found else ''}said that the case may be declined"
    if owner == "MLRO":
        waits = f"{'once the hold is lifted and ' if 'hold' in found else ''}if the case may be declined"
    return Step(f"{owner}: {_DECLINE} because of {because}{rules_of(why)}, {waits}")


def completion(pieces: Sequence[Piece], found: Found, *, until: str) -> Iterator[Step]:
    """Yield that the customer is asked to complete a session, with every rule that asks for it.

    Args:
        pieces: All tasks.
        found: What they wait for, by action and owner.
        until: What does not happen before.
    """
    mine = [one for one in pieces if one.task.kind == Kind.COMPLETION]
    for owner, reasons in found.get("complete_session", {}).items():
        which = _listed(thing for one in mine for thing in one.task.things) or "the session"
        rules = _in_brackets(rule for one in (*reasons, *mine) for rule in one.rules)
        waits = _waits(found, owner)
        yield Step(
            f"{owner}: {f'{waits}, ' if waits else ''}ask the customer to complete {which}{rules}",
            f"Until it is complete, no business relationship is established and {until}.",
        )


def asks(pieces: Sequence[Piece], found: Found) -> Iterator[Step]:
    """Yield what each owner has to find out; the Analyst gets what others then judge, in a new pack where results are missing.

    Args:
        pieces: All tasks.
        found: What they wait for, by action and owner; empty for nothing.
    """
    completing = "complete_session" in found
    left = [one for one in pieces if not (completing and one.task.kind == Kind.COMPLETION)]
    once = "once the session is complete" if completing else "once they are there"
    collect = Step(f"{ANALYST}: collect the results {once}, and make a new pack")
    is_collected = completing or any(one.gets_results for one in pieces)
    if completing:
        yield collect
    owners = dict.fromkeys(one.owner for one in left if one.action == "ask")
    for owner in sorted({ANALYST: None, **owners}, key=lambda one: one != ANALYST):
        if owner in owners:
            waits = _waits(found, owner)
            after = f"{waits}, " if waits else ""
            requests = requests_of(left, "ask", owner)
            yield Step(f"{owner}: {after}{requests}", brief=f"{owner}: {after}{_first_of(requests)}")
        if owner == ANALYST and is_collected and not completing:
            yield collect


def _at_last(found: Found) -> Iterator[Step]:
    """Yield who decides, and what follows from an approval."""
    is_held, is_declined, senior = "hold" in found, "decline" in found, found.get("senior_approval", {})
    if is_held and not is_declined:
        yield Step(f"MLRO: say whether the hold is lifted{'' if senior else ', and record the decision'}")
    if senior:
        owner, rules = in_order(found, "senior_approval")[0], rules_of(chain(*senior.values()))
        unless = (_NOT_DECLINED,) * is_declined + ("the hold is lifted",) * is_held
        when = f"{'' if is_declined else 'once '}{listed(unless)}, " if unless else ""
        yield Step(f"Senior management: {when}decide whether to approve, on advice from the {owner}{rules}")
        yield Step(f"{owner}: after an approval, monitor the business relationship more closely{rules}")
    if not found:
        yield Step(f"{ANALYST}: record the decision")


def _waits(found: Found, owner: str) -> str:
    """Return what an owner's requests that only serve an approval wait for; a customer who is held is asked only if the MLRO agrees."""
    is_quiet = owner != "MLRO" and bool({"hold", "internal_report"} & set(found))
    if "decline" in found:
        return f"{_NOT_DECLINED}{' and the MLRO agrees' if is_quiet else ''}"
    return "when the MLRO agrees" if is_quiet else ""


def in_order(found: Found, action: str) -> list[str]:
    """Return who has to do something, the Analyst last."""
    return sorted(found.get(action, ()), key=lambda owner: owner == ANALYST)


def rules_of(why: Iterable[Reason | Unknown]) -> str:
    """Return the rules of reasons in brackets, with a space before them; empty for none."""
    return _in_brackets(rule for one in why for rule in one.rules)


def pieces_of(why: Sequence[Reason | Unknown]) -> list[Piece]:
    """Return every task once, with its owner; what has to be there before is the Analyst's to get."""
    pieces: dict[tuple[str, tuple[str, ...]], Piece] = {}
    for one in why:
        action, owner = action_of(one), one.owner or ANALYST
        if action in {"internal_report", "complete_session"} or (action == "decline" and not _is_first(one)):
            continue
        asked = "hold" if action == "hold" else "ask"
        for task in one.tasks or (_unnamed(one),):
            first = _is_first(one) and not task.before
            mine = (
                []
                if task.before and owner == ANALYST
                else [Piece(asked, owner, task, one.rules, first, False)]
            )
            if task.before:
                mine.append(Piece("ask", ANALYST, task.before, one.rules, first, gets_results=True))
            for piece in mine:
                key = (piece.task.words, piece.task.things)
                pieces[key] = _stricter(pieces[key], piece) if key in pieces else piece
    return list(pieces.values())


def _stricter(one: Piece, other: Piece) -> Piece:
    kept = min((one, other), key=lambda each: (each.action != "hold", each.owner == ANALYST))
    return kept._replace(
        rules=tuple(dict.fromkeys((*one.rules, *other.rules))),
        is_first=one.is_first or other.is_first,
        gets_results=one.gets_results or other.gets_results,
    )


def _is_first(one: Reason | Unknown) -> bool:
    """Return whether a decline waits for it: a question of an internal report, what a rejected result means, or a match of the screening that needs no approval."""
    if one.internal:
        return True
    if action_of(one) == "decline":
        return any(task.kind == Kind.MEANING for task in one.tasks)
    return one.subjects == {"screening"} and action_of(one) != "senior_approval"


def _unnamed(one: Reason | Unknown) -> Task:
    if isinstance(one, Unknown):
        return Task("find out what could not be evaluated: {}", (quoted_head(one.titles[0]),))
    return Task("find out what stands behind {}", (quoted_head(one.text),))


def requests_of(pieces: Iterable[Piece], action: str, owner: str) -> str:
    """Return what somebody has to find out for an action; requests that differ only in what they are about are one."""
    alike: dict[str, list[Piece]] = {}
    for one in pieces:
        if (one.action, one.owner) == (action, owner):
            alike.setdefault(one.task.words, []).append(one)
    said = [
        words.replace("{}", _listed(thing for one in mine for thing in one.task.things))
        + _in_brackets(rule for one in mine for rule in one.rules)
        for words, mine in alike.items()
    ]
    further = "; further points under “Why”" if len(said) > _MOST_NAMED else ""
    return f"{'; '.join(said[:_MOST_NAMED])}{further}"


def _first_of(requests: str) -> str:
    """Return the first of several requests, as `requests_of` gives them."""
    return requests.partition("; ")[0]


def _in_brackets(rules: Iterable[str]) -> str:
    named = _listed(rules)
    return f" ({named})" if named else ""


def action_of(one: Reason | Unknown) -> str:
    """Return what has to be done, as the policy names it."""
    return one.action if one.action in ACTIONS[1:] else "ask"


def _listed(words: Iterable[str]) -> str:
    named = list(dict.fromkeys(words))
    if len(named) > _MOST_NAMED:
        return f"{', '.join(named[:_MOST_NAMED])} and others under “Why”"
    return listed(named) if named else ""
