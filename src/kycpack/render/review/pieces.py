"""Who has which task for which action: the tasks of all reasons without repetition, and the reasons by what has to be done about each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from kycpack.models.listed import listed
from kycpack.render.review.payment_keys import Key
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.review.task_things import quoted_head
from kycpack.triage.levels import ACTIONS, ANALYST

SENIOR = "senior management"
_MOST_NAMED = 4
_One = TypeVar("_One", bound=Reason | Unknown)
Found = Mapping[str, Mapping[str, Sequence[Reason | Unknown]]]


class Piece(NamedTuple):
    """A task with who has it, for which action, the rules that ask for it, whether it comes before any decline, and whether it gets results."""

    action: str
    owner: str
    task: Task
    rules: tuple[str, ...]
    is_first: bool
    gets_results: bool


class Step(NamedTuple):
    """Who does what, and what follows from it (empty if nothing does); after a decision, whether any contact waits for the MLRO because of it."""

    owner: str
    words: str
    consequence: str = ""
    is_quiet: bool = False

    @property
    def text(self) -> str:
        """Who does what, with what follows."""
        return f"{self.owner}: {self.words}. {self.consequence}".rstrip()


class GapTask(NamedTuple):
    """What has to be done about gaps that no finding is about.

    Attributes:
        owner: Who has to do it.
        words: What it is.
        is_contact: Whether the customer is asked, which may have to wait.
    """

    owner: str
    words: str
    is_contact: bool


def by_action(why: Iterable[Reason | Unknown]) -> dict[str, dict[str, list[Reason | Unknown]]]:
    """Return reasons by what has to be done about each, and by who has to do it."""
    found: dict[str, dict[str, list[Reason | Unknown]]] = {}
    for one in why:
        found.setdefault(action_of(one), {}).setdefault(one.owner or ANALYST, []).append(one)
    return found


def in_order(found: Found, action: str) -> list[str]:
    """Return who has to do something, the Analyst last."""
    return sorted(found.get(action, ()), key=lambda owner: owner == ANALYST)


def rules_of(why: Iterable[Reason | Unknown]) -> str:
    """Return the rules of reasons in brackets, with a space before them; empty for none."""
    return in_brackets(rule for one in why for rule in one.rules)


def pieces_of(why: Sequence[Reason | Unknown]) -> list[Piece]:
    """Return every task once, with its owner; what has to be there before is the Analyst's to get."""
    pieces: dict[tuple[str, tuple[str, ...]], Piece] = {}
    for one in why:
        action, owner = action_of(one), one.owner or ANALYST
        if action in {"internal_report", "complete_session"} or (action == "decline" and not _is_first(one)):
            continue
        asked = "hold" if action == "hold" else "ask"
        for task in one.tasks or (_unnamed(one),):
            first = (_is_first(one) or task.kind == Kind.WHICH_LIST) and not task.before
            mine = (
                []
                if task.before and owner == ANALYST
                else [
                    Piece(
                        asked, owner, task, task.rules or one.rules, first or task.kind == Kind.REPORT, False
                    )
                ]
            )
            if task.before:
                mine.append(Piece("ask", ANALYST, task.before, one.rules, first, gets_results=True))
            for piece in mine:
                key = (piece.task.words, piece.task.things)
                pieces[key] = _stricter(pieces[key], piece) if key in pieces else piece
    return _with_one_owner([*pieces.values()])


def _with_one_owner(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in their order, those that ask about the same transactions with the owner and the action of the strictest one of them."""
    above = who_asks([(*_looseness(one), one.task.txns) for one in pieces])
    return [
        one._replace(action=pieces[place].action, owner=pieces[place].owner)
        for one, place in zip(pieces, above, strict=True)
    ]


def with_one_owner(why: Sequence[_One]) -> tuple[_One, ...]:
    """Return findings in their order, those that ask about the same transactions with the owner of the strictest one of them, as the steps have it."""
    above = who_asks(
        [
            (
                action_of(one) != "hold",
                one.owner == ANALYST,
                frozenset() if is_of_report(one) else frozenset().union(*(task.txns for task in one.tasks)),
            )
            for one in why
        ]
    )
    return tuple(replace(one, owner=why[place].owner) for one, place in zip(why, above, strict=True))


def who_asks(asked: Sequence[tuple[bool, bool, frozenset[Key]]]) -> list[int]:
    """Return for each question the place of the strictest one that asks about some of the same transactions, itself or through others.

    Args:
        asked: Of each whether it holds nothing, whether it is the Analyst's, and the accounts and ids of the transactions.
    """
    above = list(range(len(asked)))
    left = sorted(above, key=lambda place: asked[place][:2])
    while left:
        first, *left = left
        about = asked[first][2]
        while alike := [place for place in left if not about.isdisjoint(asked[place][2])]:
            left = [place for place in left if place not in alike]
            about = about.union(*(asked[place][2] for place in alike))
            for place in alike:
                above[place] = first
    return above


def _looseness(one: Piece) -> tuple[bool, bool]:
    return one.action != "hold", one.owner == ANALYST


def _stricter(one: Piece, other: Piece) -> Piece:
    kept = min((one, other), key=_looseness)
    return kept._replace(
        task=replace(kept.task, txns=one.task.txns | other.task.txns),
        rules=tuple(dict.fromkeys((*one.rules, *other.rules))),
        is_first=one.is_first or other.is_first,
        gets_results=one.gets_results or other.gets_results,
    )


def _is_first(one: Reason | Unknown) -> bool:
    """Return whether a decline waits for it: a question of an internal report, what a rejected result means, or a match of the screening that needs no approval."""
    if one.internal:
        return True
    if action_of(one) == "decline":
        return any(task.kind == Kind.MEANING or task.is_of_lists for task in one.tasks)
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
        words.replace("{}", named(thing for one in mine for thing in one.task.things))
        + in_brackets(rule for one in mine for rule in one.rules)
        for words, mine in alike.items()
    ]
    further = "; further points under “Why”" if len(said) > _MOST_NAMED else ""
    return f"{'; '.join(said[:_MOST_NAMED])}{further}"


def needs_senior(why: Iterable[Reason | Unknown]) -> bool:
    """Return whether an approval takes senior management."""
    return any(action_of(one) == "senior_approval" for one in why)


def in_brackets(rules: Iterable[str]) -> str:
    """Return rules in brackets, with a space before them; empty for none."""
    said = named(rules)
    return f" ({said})" if said else ""


def action_of(one: Reason | Unknown) -> str:
    """Return what has to be done, as the policy names it."""
    return one.action if one.action in ACTIONS[1:] else "ask"


def is_of_report(one: Reason | Unknown) -> bool:
    """Return whether a finding is about an internal report, of which the customer must not learn."""
    return one.internal or action_of(one) == "internal_report"


def is_with_mlro(one: Reason | Unknown) -> bool:
    """Return whether the customer is asked nothing before the MLRO agrees: about an internal report, or a match of the screening that is the MLRO's to settle."""
    is_match = isinstance(one, Reason) and "screening" in one.subjects
    return is_of_report(one) or (
        one.owner == "MLRO" and (is_match or any(task.is_of_lists for task in one.tasks))
    )


def named(words: Iterable[str]) -> str:
    """Return a few things as they stand in a sentence, and how many others are where; empty for none."""
    each = list(dict.fromkeys(words))
    if len(each) > _MOST_NAMED:
        return f"{', '.join(each[:_MOST_NAMED])} and {len(each) - _MOST_NAMED} more under “Why”"
    return listed(each) if each else ""
