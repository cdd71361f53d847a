"""What has to be done about a case, in order: first the hold, then any decline, last what only an approval needs, each with who does what and what it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kycpack.models.listed import listed
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.tasks import Task, quoted_head
from kycpack.render.wording import action_words
from kycpack.triage.levels import ACTIONS, ANALYST

HEADING = "What to do, in this order"
_MOST_NAMED = 4
_QUIETLY = "the customer is contacted only if the MLRO agrees"
_NOT_DECLINED = "only if the customer is not declined"


class _Piece(NamedTuple):
    """A task with who has it, for which action, the rules that ask for it, and whether it comes before any decline."""

    action: str
    owner: str
    task: Task
    rules: tuple[str, ...]
    is_first: bool


class _Step(NamedTuple):
    """Who does what, and what follows from it; empty if nothing does."""

    text: str
    consequence: str = ""


_Found = Mapping[str, Mapping[str, Sequence[Reason | Unknown]]]


def steps_of(why: Sequence[Reason | Unknown]) -> tuple[str, ...]:
    """Return what has to be done, in the order in which it is done: who does what, with the rules that ask for it in brackets.

    A hold and the question of an internal report come before any contact with the customer and before any decline, so that
    nobody is tipped off by the order of the steps. Before a decline it is also settled whether a match of the screening is the
    person; whatever else is asked serves an approval, and is asked only if the customer is not declined. If several findings ask
    for the same, one person has it: a hold comes before a question, and any other owner before the Analyst.

    Args:
        why: Everything against approval, the reason of each matter alone; where there is nothing, the decision is all that is left to do.
    """
    if not why:
        return (f"{ANALYST}: record the decision.",)
    steps = [f"{step.text}. {step.consequence}".rstrip() for step in _steps(why)]
    return (
        tuple(f"{place}. {step}" for place, step in enumerate(steps, 1)) if len(steps) > 1 else tuple(steps)
    )


def steps_in_short(why: Sequence[Reason | Unknown]) -> str:
    """Return the steps in one paragraph, for a page that a decision leaves little room: each with its first request alone, a hold without any, and none after a decline."""
    if not why:
        return f"{HEADING}: decide on the evidence of this pack ({ANALYST})."
    made = list(_steps(why, short=True))
    quiet = next((step for step in made if _QUIETLY in step.consequence), None)
    steps = (
        f"({place}) {step.text}{f', and {_QUIETLY}' if step is quiet else ''}"
        for place, step in enumerate(made, 1)
    )
    more = f"What is asked {_NOT_DECLINED}, and more, is" if len(list(_steps(why))) > len(made) else "More"
    return f"{HEADING}: {'; '.join(steps)}. {more} in “Decision”."


def _steps(why: Sequence[Reason | Unknown], *, short: bool = False) -> Iterator[_Step]:
    found: dict[str, dict[str, list[Reason | Unknown]]] = {}
    for one in why:
        found.setdefault(_action_of(one), {}).setdefault(one.owner or ANALYST, []).append(one)
    pieces = _pieces(why)
    declined = "decline" in found
    last = ACTIONS.index("decline") + 1 if short and declined else None
    for action in ACTIONS[1:last]:
        if action == "decline" and declined:
            yield from _asks([one for one in pieces if one.is_first], "", short=short)
        if action == "ask":
            conditions = {
                _NOT_DECLINED: declined,
                "once the session is complete": "complete_session" in found,
            }
            waits = " and ".join(words for words, applies in conditions.items() if applies)
            later = [one for one in pieces if not (declined and one.is_first)]
            yield from _asks(later, waits, short=short)
            continue
        for owner in sorted(found.get(action, ()), key=lambda one: one == ANALYST):
            requests = "" if short else _requests(pieces, action, owner)
            yield _step(action, owner, requests, found)


def _asks(pieces: Sequence[_Piece], waits: str, *, short: bool) -> Iterator[_Step]:
    """Yield what each owner has to find out; the Analyst gets what others then judge."""
    owners = dict.fromkeys(one.owner for one in pieces if one.action == "ask")
    for owner in sorted(owners, key=lambda one: one != ANALYST):
        yield _Step(f"{owner}: {f'{waits}, ' if waits else ''}{_requests(pieces, 'ask', owner, short=short)}")


def _pieces(why: Sequence[Reason | Unknown]) -> list[_Piece]:
    """Return every task once, with its owner; what has to be there before is the Analyst's to get."""
    pieces: dict[tuple[str, tuple[str, ...]], _Piece] = {}
    for one in why:
        action, owner = _action_of(one), one.owner or ANALYST
        if action in {"internal_report", "complete_session", "decline"}:
            continue
        asked = "hold" if action == "hold" else "ask"
        for task in one.tasks or (_unnamed(one),):
            first = _is_first(one) and not task.before
            mine = [] if task.before else [_Piece(asked, owner, task, one.rules, first)]
            if task.before:
                mine.append(_Piece("ask", ANALYST, task.before, one.rules, first))
                mine += [_Piece(asked, owner, task, one.rules, first)] if owner != ANALYST else []
            for piece in mine:
                key = (piece.task.words, piece.task.things)
                pieces[key] = _stricter(pieces[key], piece) if key in pieces else piece
    return list(pieces.values())


def _stricter(one: _Piece, other: _Piece) -> _Piece:
    kept = min((one, other), key=lambda each: (each.action != "hold", each.owner == ANALYST))
    return kept._replace(
        rules=tuple(dict.fromkeys((*one.rules, *other.rules))), is_first=one.is_first or other.is_first
    )


def _is_first(one: Reason | Unknown) -> bool:
    """Return whether a decline waits for it: a question of an internal report, or a match of the screening that needs no approval."""
    if one.internal:
        return True
    return one.subjects == {"screening"} and _action_of(one) != "senior_approval"


def _unnamed(one: Reason | Unknown) -> Task:
    if isinstance(one, Unknown):
        return Task("find out what could not be evaluated: {}", (quoted_head(one.titles[0]),))
    return Task("find out what stands behind {}", (quoted_head(one.text),))


def _step(action: str, owner: str, requests: str, found: _Found) -> _Step:
    unless = f"{_NOT_DECLINED}, " if "decline" in found else ""
    rules = _in_brackets(rule for one in found[action][owner] for rule in one.rules)
    match action:
        case "hold":
            return _Step(
                f"{owner}: hold the case{f'; {requests}' if requests else rules}",
                f"Until the hold is lifted, nothing is approved, paid or declined, and {_QUIETLY}.",
            )
        case "internal_report":
            quietly = "" if "hold" in found else f", and {_QUIETLY}"
            return _Step(
                f"{owner}: decide as nominated officer whether to report to the National Crime Agency{rules}",
                f"Whoever knows or suspects something reports it internally to the {owner}. The customer must not learn of it{quietly}.",
            )
        case "complete_session":
            agreed = ", if the MLRO agrees" if {"hold", "internal_report"} & set(found) else ""
            return _Step(
                f"{owner}: {unless}ask the customer to complete the session{rules}{agreed}",
                "Until it is complete, no business relationship is established and nothing is approved or paid.",
            )
        case "senior_approval":
            return _Step(
                f"Senior management: {unless}decide whether to approve, on advice from the {owner}{rules}"
            )
        case _:
            because = listed([quoted_head(one.text) for one in found[action][owner]])
            return _Step(
                f"{owner}: decline the customer because of {because}{rules}, {_before_declining(found)}"
            )


def _requests(pieces: Sequence[_Piece], action: str, owner: str, *, short: bool = False) -> str:
    """Return what somebody has to find out for an action; requests that differ only in what they are about are one."""
    alike: dict[str, list[_Piece]] = {}
    for one in pieces:
        if (one.action, one.owner) == (action, owner):
            alike.setdefault(one.task.words, []).append(one)
    said = [
        words.replace("{}", _listed(thing for one in mine for thing in one.task.things))
        + _in_brackets(rule for one in mine for rule in one.rules)
        for words, mine in alike.items()
    ]
    if short:
        return said[0]
    further = "; further points under “Why”" if len(said) > _MOST_NAMED else ""
    return f"{'; '.join(said[:_MOST_NAMED])}{further}"


def _in_brackets(rules: Iterable[str]) -> str:
    named = _listed(rules)
    return f" ({named})" if named else ""


def _before_declining(found: _Found) -> str:
    report = "decided on an internal report" if "internal_report" in found else ""
    report = report or "said whether an internal report is needed"
    if "hold" not in found:
        return f"but not before the MLRO has {report}"
    holder = min(found["hold"], key=lambda owner: owner == ANALYST)
    whose = "" if holder == "MLRO" else "the MLRO has "
    return f"but not before the {holder} has lifted the hold and {whose}{report}"


def _action_of(one: Reason | Unknown) -> str:
    return next((each for each in ACTIONS[1:] if action_words(each) == one.action), "ask")


def _listed(words: Iterable[str]) -> str:
    named = list(dict.fromkeys(words))
    if len(named) > _MOST_NAMED:
        return f"{', '.join(named[:_MOST_NAMED])} and others under “Why”"
    return listed(named) if named else ""
