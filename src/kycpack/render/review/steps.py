"""What has to be done about a case, in order: first the hold, last the decline, each with who does what and what it waits for."""

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


class _Piece(NamedTuple):
    """A task with who has it, for which action, and the rules that ask for it."""

    action: str
    owner: str
    task: Task
    rules: tuple[str, ...]


class _Step(NamedTuple):
    """Who does what, and what follows from it; empty if nothing does."""

    text: str
    consequence: str = ""


_Found = Mapping[str, Mapping[str, Sequence[Reason | Unknown]]]


def steps_of(why: Sequence[Reason | Unknown]) -> tuple[str, ...]:
    """Return what has to be done, in the order in which it is done: who does what, with the rules that ask for it in brackets.

    A hold and the question of an internal report come before any contact with the customer and before any decline, so that
    nobody is tipped off by the order of the steps. If several findings ask for the same, one person has it: a hold comes before
    a question, and any other owner before the Analyst.

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
    """Return the steps in one paragraph, each with its first request alone and a hold without any, for a page that a decision leaves little room."""
    if not why:
        return f"{HEADING}: decide on the evidence of this pack ({ANALYST})."
    steps = (f"({place}) {step.text}" for place, step in enumerate(_steps(why, short=True), 1))
    return f"{HEADING}: {'; '.join(steps)}. More in “Decision”."


def _steps(why: Sequence[Reason | Unknown], *, short: bool = False) -> Iterator[_Step]:
    found: dict[str, dict[str, list[Reason | Unknown]]] = {}
    for one in why:
        found.setdefault(_action_of(one), {}).setdefault(one.owner or ANALYST, []).append(one)
    pieces = _pieces(why)
    for action in ACTIONS[1:]:
        if action == "ask":
            # The Analyst gets what others then judge.
            owners = dict.fromkeys(one.owner for one in pieces if one.action == action)
            waits = "once the session is complete, " if "complete_session" in found else ""
            for owner in sorted(owners, key=lambda one: one != ANALYST):
                yield _Step(f"{owner}: {waits}{_requests(pieces, action, owner, short=short)}")
            continue
        for owner in sorted(found.get(action, ()), key=lambda one: one == ANALYST):
            requests = "" if short else _requests(pieces, action, owner)
            yield _step(action, owner, requests, found)


def _pieces(why: Sequence[Reason | Unknown]) -> list[_Piece]:
    """Return every task once, with its owner; what has to be there before is the Analyst's to get."""
    pieces: dict[tuple[str, tuple[str, ...]], _Piece] = {}
    for one in why:
        action, owner = _action_of(one), one.owner or ANALYST
        if action in {"internal_report", "complete_session", "decline"}:
            continue
        asked = "hold" if action == "hold" else "ask"
        for task in one.tasks or (_unnamed(one),):
            mine = [] if task.before else [_Piece(asked, owner, task, one.rules)]
            if task.before:
                mine.append(_Piece("ask", ANALYST, task.before, one.rules))
                mine += [_Piece(asked, owner, task, one.rules)] if owner != ANALYST else []
            for piece in mine:
                key = (piece.task.words, piece.task.things)
                pieces[key] = _stricter(pieces[key], piece) if key in pieces else piece
    return list(pieces.values())


def _stricter(one: _Piece, other: _Piece) -> _Piece:
    kept = min((one, other), key=lambda each: (each.action != "hold", each.owner == ANALYST))
    return kept._replace(rules=tuple(dict.fromkeys((*one.rules, *other.rules))))


def _unnamed(one: Reason | Unknown) -> Task:
    if isinstance(one, Unknown):
        return Task("find out what could not be evaluated: {}", (quoted_head(one.titles[0]),))
    return Task("find out what stands behind {}", (quoted_head(one.text),))


def _step(action: str, owner: str, requests: str, found: _Found) -> _Step:
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
                f"{owner}: ask the customer to complete the session{rules}{agreed}",
                "Until it is complete, no business relationship is established and nothing is approved or paid.",
            )
        case "senior_approval":
            return _Step(f"Senior management: decide whether to approve, on advice from the {owner}{rules}")
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
