"""What has to be done about a case, in order: first the hold, last the decline, each with who does it and what it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kycpack.models.listed import listed
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.wording import action_words
from kycpack.triage.levels import ACTIONS, ANALYST

HEADING = "What to do, in this order"
_MOST_NAMED = 4
_QUIETLY = "the customer is contacted only if the MLRO agrees"


def steps_of(why: Sequence[Reason | Unknown]) -> tuple[str, ...]:
    """Return the actions that the policy requires, in the order in which they are taken, a sentence or two each.

    A hold and the question of an internal report come before any contact with the customer and before any decline, so that
    nobody is tipped off by the order of the steps.

    Args:
        why: Everything against approval, the reason of each matter alone; where there is nothing, the decision is all that is left to do.
    """
    if not why:
        return (f"The {ANALYST} records the decision.",)
    found = _by_action(why)
    steps = [step for action in ACTIONS if action in found for step in _sentences(action, found)]
    if len(steps) < 2:
        return tuple(steps)
    places = ("First", *["Then"] * (len(steps) - 2), "Last")
    return tuple(f"{place}: {step[:1].lower()}{step[1:]}" for place, step in zip(places, steps, strict=True))


def steps_in_short(why: Sequence[Reason | Unknown]) -> str:
    """Return the actions in their order in one sentence, for a page that a decision leaves little room."""
    if not why:
        return f"{HEADING}: decide on the evidence of this pack ({ANALYST})."
    found = _by_action(why)
    named = (
        f"{action_words(action)} ({'; '.join(f'{owner}: {_listed(rules)}' for owner, rules in found[action].items())})"
        for action in ACTIONS
        if action in found
    )
    return f"{HEADING}: {', '.join(named)}. In full in “Decision”."


def _by_action(why: Sequence[Reason | Unknown]) -> dict[str, dict[str, list[str]]]:
    """Return the rules by action and owner."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in why:
        action = next((each for each in ACTIONS[1:] if action_words(each) == one.action), "ask")
        found.setdefault(action, {}).setdefault(one.owner or ANALYST, []).append(one.rule)
    return found


def _sentences(action: str, found: Mapping[str, Mapping[str, Sequence[str]]]) -> list[str]:
    """Return the steps of an action, one for each owner; what several owners clarify needs no order."""
    owners = sorted(found[action].items(), key=lambda one: one[0] == ANALYST)
    if action == "ask":
        (owner, rules), *others = owners
        more = (f", and the {other} {_listed(theirs)}" for other, theirs in others)
        first = "Once the session is complete, the" if "complete_session" in found else "The"
        return [f"{first} {owner} clarifies {_listed(rules)}{''.join(more)}."]
    return [_sentence(action, owner, _listed(rules), found) for owner, rules in owners]


def _sentence(action: str, owner: str, rules: str, found: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    match action:
        case "hold":
            return (
                f"The {owner} puts the case on hold ({rules}). Until the hold is lifted, nothing is approved, paid or declined, "
                f"and {_QUIETLY}."
            )
        case "internal_report":
            quietly = "" if "hold" in found else f", and {_QUIETLY}"
            return (
                f"Whoever knows or suspects something reports it internally to the {owner} ({rules}), who as nominated officer decides "
                f"on a report to the National Crime Agency. The customer must not learn of it{quietly}."
            )
        case "complete_session":
            asked = f"The {owner} asks the customer to complete the session ({rules})"
            asked += ", if the MLRO agrees" if {"hold", "internal_report"} & set(found) else ""
            return f"{asked}. Until it is complete, no business relationship is established and nothing is approved or paid."
        case "senior_approval":
            return f"Senior management decides whether to approve the relationship, on advice from the {owner} ({rules})."
        case _:
            return f"The {owner} declines the customer ({rules}), {_before_declining(found)}."


def _before_declining(found: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    report = "decided on an internal report" if "internal_report" in found else ""
    report = report or "said whether an internal report is needed"
    if "hold" not in found:
        return f"but not before the MLRO has {report}"
    holder = min(found["hold"], key=lambda owner: owner == ANALYST)
    whose = "" if holder == "MLRO" else "the MLRO has "
    return f"but not before the {holder} has lifted the hold and {whose}{report}"


def _listed(rules: Sequence[str]) -> str:
    named = list(dict.fromkeys(rules))
    if len(named) > _MOST_NAMED:
        return f"{', '.join(named[:_MOST_NAMED])} and others under “Why”"
    return listed(named)
