"""What has to be done about a case, in order: first the hold, last the decline, each with who does it and what it waits for."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.wording import action_words
from kycpack.triage.levels import ACTIONS, ANALYST

HEADING = "What to do, in this order"
_MOST_NAMED = 4
_QUIETLY = " Contact the customer only if the MLRO agrees, and do not mention the hold or a report."


def steps_of(why: Sequence[Reason | Unknown]) -> tuple[str, ...]:
    """Return the actions that the policy requires, in the order in which they are taken, a sentence or two each.

    A hold and the question of an internal report come before any contact with the customer and before any decline, so that
    nobody is tipped off by the order of the steps.

    Args:
        why: Everything against approval, the reason of each matter alone.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for one in why:
        action = next((each for each in ACTIONS[1:] if action_words(each) == one.action), "ask")
        found.setdefault(action, {}).setdefault(one.owner or ANALYST, []).append(one.rule)
    steps = [
        _sentence(action, owner, _listed(rules), found)
        for action in ACTIONS
        for owner, rules in sorted(found.get(action, {}).items(), reverse=True)
    ]
    if len(steps) < 2:
        return tuple(steps)
    places = ("First", *["Then"] * (len(steps) - 2), "Last")
    return tuple(f"{place}: {step[:1].lower()}{step[1:]}" for place, step in zip(places, steps, strict=True))


def _sentence(action: str, owner: str, rules: str, found: dict[str, dict[str, list[str]]]) -> str:
    match action:
        case "hold":
            return f"The {owner} puts the case on hold ({rules}). While it is on hold, nothing is approved, paid or declined."
        case "internal_report":
            return f"The {owner} considers an internal report ({rules}). The customer must not learn of it."
        case "senior_approval":
            wait = f" This waits until the {_holder(found)} has lifted the hold." if "hold" in found else ""
            return f"Senior management decides whether to approve the relationship, on advice from the {owner} ({rules}).{wait}"
        case "decline":
            return f"The {owner} declines the customer ({rules}). {_before_declining(found)}"
        case _:
            return f"The {owner} clarifies {rules}.{_QUIETLY if found.keys() & {'hold', 'internal_report'} else ''}"


def _before_declining(found: dict[str, dict[str, list[str]]]) -> str:
    report = "the MLRO has decided on an internal report" if "internal_report" in found else ""
    if "hold" in found:
        report = report or "the MLRO has said whether an internal report is needed"
        return f"This waits until the {_holder(found)} has lifted the hold and {report}."
    return f"This waits until {report or 'the MLRO has said whether an internal report is needed'}."


def _holder(found: dict[str, dict[str, list[str]]]) -> str:
    """Return who lifts the hold: the owner with the most authority."""
    return max(found["hold"], key=lambda owner: owner != ANALYST)


def _listed(rules: Sequence[str]) -> str:
    named = list(dict.fromkeys(rules))
    if len(named) > _MOST_NAMED:
        return f"{', '.join(named[:_MOST_NAMED])} and others under “Why”"
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
