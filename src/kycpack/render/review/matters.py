"""Matters: the reasons about one entry of the evidence, of which the strictest one governs who acts and what is done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.answer_members import SECTIONS
from kycpack.models.listed import counted, listed
from kycpack.render.review.finding_ids import place_of
from kycpack.render.review.open_matches import SCREENING_CATEGORIES
from kycpack.render.review.pieces import needs_senior, with_one_owner
from kycpack.render.review.reasons import (
    DECISION_ON_REPORT,
    NOT_ESTABLISHED,
    NOT_KNOWN,
    Reason,
    Unknown,
    with_evidence,
)
from kycpack.render.review.task_kinds import Kind
from kycpack.render.review.tasks import tasks_of_matter
from kycpack.render.wording import level_cell
from kycpack.triage.levels import ANALYST, PLAIN, rank, strictness
from kycpack.triage.paths import UNNAMED_MATCHES
from kycpack.triage.policies.policy import SANCTIONS, DecisionRules

_MOST_NAMED = 3
_LONGEST_HEAD = 60
"""Characters of what a reason says before its values."""
_RULES = DecisionRules()
"""Without a list of rules of its own, these know a match on sanctions or terrorism by what it is about."""
_VALUES_APART = re.compile("[,;] (?=“)")
_RESULTS = frozenset(
    SECTIONS
)  # red flags that rest on the same pages of transactions are matters of their own


def matters_of(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return the reason that governs each matter, with the lesser ones listed under it.

    A lesser reason only asks for a review and an answer, is about the same part of the results, and rests on no other evidence.
    One that asks for more, such as a hold or an internal report, is a matter of its own, and so is a match in a category beside one whose list is not named.

    Args:
        reasons: The reasons, as returned by `reasons_of`.
    """
    under: dict[int, list[Reason]] = {}
    for place, one in enumerate(reasons):
        at = _place_of(reasons, place)
        under.setdefault(at, [])
        under[at] += [one] if at != place else []
    return tuple(
        replace(
            reasons[place],
            also=_also(reasons[place], lesser),
            tasks=tasks_of_matter(
                reasons[place].tasks, (task for one in lesser for task in one.tasks), _asks_which_list(lesser)
            ),
        )
        for place, lesser in sorted(under.items())
    )


def _asks_which_list(lesser: Iterable[Reason]) -> tuple[str, ...]:
    """Return the strictest of some reasons that asks on which list a match is, as a step names it; nothing if none does."""
    asking = [one for one in lesser if any(task.kind == Kind.WHICH_LIST for task in one.tasks)]
    return max(asking, key=_weight).rules if asking else ()


def why_of(reasons: Sequence[Reason], unknowns: Sequence[Unknown]) -> tuple[Reason | Unknown, ...]:
    """Return the matters and what could not be evaluated, the highest level first, and within a level in the order of the decision."""
    why: tuple[Reason | Unknown, ...] = (*matters_of(reasons), *unknowns)
    in_order = sorted(why, key=lambda one: (-rank(one.level), place_of(one.number)))
    return with_one_owner(in_order)


def values_once(why: Iterable[Reason | Unknown]) -> tuple[Reason | Unknown, ...]:
    """Return reasons in their order, those about a comparison with the labels of the ones above in place of values that stand there."""
    made: list[Reason | Unknown] = []
    for one in why:
        bare = CITED_AT_END.sub("", one.impersonal) if isinstance(one, Reason) else ""
        if bare and isinstance(one, Reason):
            said = CITED_AT_END.sub("", one.text).removeprefix(f"{bare}: ")
            whole = [re.compile(rf"{re.escape(each)}(?!\w)") for each in _VALUES_APART.split(said)]
            above = [next((other.label for other in made if each.search(other.text)), "") for each in whole]
            if all(above):
                said = f"{bare}: values in {listed([*dict.fromkeys(above)])}"
                made.append(replace(one, text=with_evidence(said, one.evidence)))
                continue
        made.append(one)
    return tuple(made)


def headline_of(reasons: tuple[Reason, ...], unknowns: tuple[Unknown, ...], otherwise: str) -> str:
    """Return the text beside the level: the reason for it and, for a rejection, anything that must also be escalated.

    The text is used outside the pack, in the index of a run and in lists, so it does not identify a person, and what stays inside the firm is not in it.
    """
    shown = [one for one in reasons if not one.internal]
    missed = [one for one in unknowns if not one.internal]
    if missed and (not shown or rank(missed[0].level) > rank(shown[0].level)):
        return missed[0].text
    if not shown:
        return otherwise
    top, *others = shown
    hidden = next((one for one in others if one.level == "escalate" and top.level != "escalate"), None)
    if hidden is None:
        return _outside(top)
    owner = f" to {hidden.owner}" if hidden.owner else ""
    return f"{_outside(top)}. Also {level_cell('escalate').text.lower()}{owner}: {_outside(hidden)}"


def also_words(why: Sequence[Reason | Unknown], headline: str) -> str:
    """Return what else decides who must act, in short, and how many more reasons are as grave as the first, as it stands below the headline; empty for nothing.

    Args:
        why: Everything against approval, the highest level first.
        headline: As returned by `headline_of`.
    """
    above = [one for one in why if (_outside(one) if isinstance(one, Reason) else one.text) in headline]
    rest = [one for one in why if one not in above]
    owners = {ANALYST, "", *(one.owner for one in above)}
    seniors = [one for one in rest if needs_senior([one])] if not needs_senior(above) else []
    others = [one for one in rest if one.owner not in owners]
    first = [
        next(one for one in others if one.owner == owner)
        for owner in dict.fromkeys(one.owner for one in others)
    ]
    deciding = [*seniors, *(one for one in first if one not in seniors)]
    said = [*dict.fromkeys(map(_in_short, deciding))]
    if more := sum(one.level == why[0].level for one in rest if one not in deciding):
        said.append(f"{counted(more, 'other reason')} at this level")
    return f"Also: {'; '.join(said)}." if said else ""


def _in_short(one: Reason | Unknown) -> str:
    """Return what a reason says first, with its label; a decision on a report, or many checks by their number, as such."""
    label = one.label.removesuffix(NOT_KNOWN).rstrip()
    if one.internal and isinstance(one, Reason):
        said = DECISION_ON_REPORT
    elif isinstance(one, Unknown):
        is_source = one.result == NOT_ESTABLISHED
        said = f"{one.title} {one.result if is_source else 'could not be evaluated'}"
    else:
        head, colon, _ = one.text.partition(": ")
        said = head if colon and len(head) <= _LONGEST_HEAD else f"{one.title} not clear"
    return said if label in {"", DECISION_ON_REPORT} else f"{said} ({label})"


def _outside(reason: Reason) -> str:
    return reason.impersonal or reason.text


def with_rule_above(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return all reasons in their order, the lesser ones with the rule, owner and action of the reason that governs their matter."""
    governing = [reasons[_place_of(reasons, place)] for place in range(len(reasons))]
    return tuple(
        one if one is above else replace(one, above=above.rule_id, owner=above.owner, action=above.action)
        for one, above in zip(reasons, governing, strict=True)
    )


def _place_of(reasons: Sequence[Reason], place: int) -> int:
    """Return the place of the reason that governs the matter of the reason at a place; its own if it does itself."""
    one = reasons[place]
    above = [
        at
        for at, other in enumerate(reasons)
        if at != place and _governs(other, one) and not _is_apart(other, one, reasons)
    ]
    if not above:
        return place
    return _place_of(reasons, max(above, key=lambda at: (*_weight(reasons[at]), -at)))


def _is_apart(other: Reason, one: Reason, reasons: Iterable[Reason]) -> bool:
    """Return whether a reason is a match whose list is not named and the other one a match in a category; one on sanctions or terrorism, which the same people settle, has both."""
    if other.path == UNNAMED_MATCHES:
        return one.path.startswith(SCREENING_CATEGORIES) or any(_names(one, each) for each in reasons)
    return one.path == UNNAMED_MATCHES and _RULES.subject(other.rule_id, other.path) != SANCTIONS


def _governs(other: Reason, one: Reason) -> bool:
    return (
        (one.level == "review" or one.path == UNNAMED_MATCHES)
        and one.action in {other.action, *PLAIN}
        and not (one.internal or other.internal)
        and bool(one.subjects)
        and one.subjects <= _RESULTS
        and one.subjects <= other.subjects
        and set(one.evidence) <= set(other.evidence)
        and (_weight(other) > _weight(one) or (_weight(other) == _weight(one) and _names(other, one)))
    )


def _weight(one: Reason) -> tuple[int, bool, bool]:
    return strictness(one.level, one.action, one.owner)


def _names(outcome: Reason, one: Reason) -> bool:
    """Return whether the sentence of a section's outcome names a check with its value."""
    rule, check = one.check
    return outcome.rule_id == rule and any(f"{before}{check}" in outcome.text for before in (": ", ", "))


def _also(above: Reason, lesser: Sequence[Reason]) -> tuple[str, ...]:
    """Return the lesser reasons of a matter, each in a line; one whose value is said above has its title for a sentence."""
    lines = []
    for one in lesser[:_MOST_NAMED]:
        is_said_above = _names(above, one) and not one.text.count("; ")
        said = one.title if is_said_above else one.text
        lines.append(" · ".join((f"also: {one.label}", level_cell(one.level).text, said)))
    if len(lesser) > _MOST_NAMED:
        named = ", ".join(f"{one.label} ({one.title})" for one in lesser[_MOST_NAMED:])
        lines.append(f"also: {named} · {level_cell('review').text}, in “Findings”")
    return tuple(lines)
