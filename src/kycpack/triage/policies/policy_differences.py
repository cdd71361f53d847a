"""Describes a policy in words: what a rule checks, and how two policies differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from kycpack.errors import InputError
from kycpack.models.dates import day_words
from kycpack.triage.countries import CountryList
from kycpack.triage.levels import rank
from kycpack.triage.policies.policy import DecisionRules, Policy
from kycpack.triage.policies.rules import Condition, Leaf, Rule

KINDS = ("policy", "rule", "floor", "owner", "threshold", "list", "diligence", "decisions", "not_processed", "tests")  # fmt: skip
"""The kinds of differences, in the order in which they are listed."""

_NAMES = {
    "title": "title", "reason": "reason", "when": "condition", "applies_if": "applies if", "raise_to": "level of a hit",
    "if_unknown": "level when not known", "if_not_understood": "level of a value that is not understood", "owner": "owner",
    "action": "action", "internal": "stays inside the firm", "each": "one finding for each hit",
    "gives_way": "gives way to a later session", "texts": "sentences", "basis": "basis", "first_day": "in force from",
    "last_day": "in force until", "series": "series",
}  # fmt: skip
_OPERATORS = {
    "in": "is one of", "not_in": "is none of", "equals": "equals", "not_equals": "differs from", "above": "is above",
    "at_least": "is at least", "below": "is below", "at_most": "is at most", "in_list": "is on the list",
    "judged_as": "is read as", "country": "is the country",
}  # fmt: skip
_FLAGS = {
    "present": "is missing",
    "unlisted": "has a value that nobody has listed as fine",
    "forgery": "shows a sign of forgery",
}
_MISSING = {
    "unknown": "no value: not known",
    "clear": "no value: nothing found",
    "hit": "no value: a hit",
}


@dataclass(frozen=True, slots=True)
class PolicyDifference:
    """One difference between two policies.

    Attributes:
        kind: One of `KINDS`.
        subject: What differs, such as the id of a rule or the name of a threshold.
        before: What the first policy says; empty if it says nothing.
        now: What the second policy says; empty if it says nothing.
        sentence: The same in words.
        softer: Whether it can make the second policy give a lower level, or require less of a decision. This is judged by the text
            alone; whether a changed condition or threshold is softer is for the backtest to show.
    """

    kind: str
    subject: str
    before: str
    now: str
    sentence: str
    softer: bool = False


def explain_rule(policy: Policy, rule_id: str) -> tuple[tuple[str, str], ...]:
    """Return a rule as labels with words.

    Args:
        policy: The policy.
        rule_id: The rule's id, in upper or lower case.

    Returns:
        Pairs of label and text, in reading order.

    Raises:
        InputError: The policy has no such rule.
    """
    found = [rule for rule in policy.rules if rule.id.casefold() == rule_id.strip().casefold()]
    if not found:
        near = [rule.id for rule in policy.rules if rule.id[:3].casefold() == rule_id.strip()[:3].casefold()]
        named = ", ".join(near or [rule.id for rule in policy.rules])
        raise InputError(f"{policy.id} {policy.version} has no such rule; it has {named}", place="rule")
    rule = found[0]
    rows = [
        ("Rule", rule.id),
        ("Looks at", rule.title),
        ("Hits when", condition_words(rule.when)),
        ("Applies", "always" if rule.applies_if is None else f"only if {condition_words(rule.applies_if)}"),
        ("Meaning of a hit", rule.reason),
        ("A hit raises to", rule.raise_to),
        ("Not known raises to", rule.if_unknown),
        ("A value that is not understood raises to", rule.if_not_understood),
        ("Owner", rule.owner),
        ("Action", rule.action.replace("_", " ")),
        ("Basis", rule.basis),
        ("In force", _period(rule)),
    ]
    if rule.internal:
        rows.append(("Confidential", "its findings stay inside the firm and appear in no customer document"))
    if rule.gives_way:
        later = "a complete session" if rule.gives_way == "complete" else "a document that has not expired"
        rows.append(("Replaced by", f"{later} that comes later"))
    lists = {leaf.argument for leaf in rule.leaves if leaf.operator == "in_list"}
    rows += [("List", f"{name}: {_list_words(policy.lists[name])}") for name in sorted(lists)]
    return tuple(rows)


def policy_differences(before: Policy, now: Policy) -> tuple[PolicyDifference, ...]:
    """Return the differences between two policies, in the order of `KINDS`.

    Args:
        before: The first policy.
        now: The second policy.

    Returns:
        One entry for each difference; none if only comments or the order of lines differ.
    """
    return tuple(_differences(before, now))


def condition_words(condition: Condition) -> str:
    """Return a condition in words."""
    if isinstance(condition, Leaf):
        return _leaf_words(condition)
    parts = [condition_words(part) for part in condition.parts]
    inner = " and ".join(parts) if condition.kind == "all" else " or ".join(parts)
    return f"({inner})" if len(parts) > 1 else inner


def _leaf_words(leaf: Leaf) -> str:
    if leaf.operator in _FLAGS:
        said = _FLAGS[leaf.operator]
    else:
        is_any = leaf.operator == "not_in" and not leaf.argument
        said = "has any value" if is_any else f"{_OPERATORS[leaf.operator]} {_value_words(leaf.argument)}"
    notes = []
    if leaf.clear is not None:
        notes.append(f"fine: {_value_words(leaf.clear)}")
    if leaf.within is not None:
        notes.append(f"makes sense from {leaf.within[0]} to {leaf.within[1]}")
    if leaf.excluded:
        notes.append(f"without {', '.join(leaf.excluded)}")
    if leaf.keys_with:
        notes.append(f"only names with {', '.join(leaf.keys_with)}")
    if leaf.if_missing != "unknown" or leaf.operator == "present":
        notes.append(_MISSING[leaf.if_missing])
    return f"{leaf.path} {said}" + (f" ({'; '.join(notes)})" if notes else "")


def _differences(before: Policy, now: Policy) -> Iterator[PolicyDifference]:
    for name, label in (("id", "Id"), ("version", "Version"), ("effective", "In force from")):
        yield from _changed("policy", label, getattr(before, name), getattr(now, name))
    yield from _rule_differences(before, now)
    for outcome in sorted(before.floor.keys() | now.floor.keys()):
        was, is_now = before.floor.get(outcome, ""), now.floor.get(outcome, "")
        label = {"missing": "a section that is missing", "*": "any other outcome"}.get(outcome, outcome)
        softer = bool(was and is_now) and rank(is_now) < rank(was)
        yield from _changed("floor", label, was, is_now, softer=softer)
    yield from _members("owner", before.owners, now.owners)
    yield from _members("threshold", _flat(before.thresholds), _flat(now.thresholds))
    yield from _members(
        "list",
        {name: _list_words(one) for name, one in before.lists.items()},
        {name: _list_words(one) for name, one in now.lists.items()},
    )
    yield from _members("diligence", _flat(_plain(before.diligence)), _flat(_plain(now.diligence)))
    yield from _members(
        "decisions",
        _flat(_plain(before.decisions)),
        _flat(_plain(now.decisions)),
        softer=_asking_less(before.decisions, now.decisions),
    )
    yield from _changed(
        "not_processed",
        "Words that say that a check did not run",
        ", ".join(sorted(before.not_processed)),
        ", ".join(sorted(now.not_processed)),
    )
    yield from _changed("tests", "Number of the policy's own tests", str(len(before.tests)), str(len(now.tests)))  # fmt: skip


def _rule_differences(before: Policy, now: Policy) -> Iterator[PolicyDifference]:
    old, new = ({rule.id: rule for rule in policy.rules} for policy in (before, now))
    for rule_id in dict.fromkeys((*old, *new)):
        was, is_now = old.get(rule_id), new.get(rule_id)
        if was is None and is_now is not None:
            text = f"Rule {rule_id} is new: {is_now.title}. A hit raises to {is_now.raise_to}."
            yield PolicyDifference("rule", rule_id, "", is_now.title, text)
        elif was is not None and is_now is None:
            text = f"Rule {rule_id} is gone: {was.title}. A hit raised to {was.raise_to}."
            yield PolicyDifference("rule", rule_id, was.title, "", text, softer=True)
        elif was is not None and is_now is not None:
            yield from _rule_changes(was, is_now)


def _rule_changes(was: Rule, is_now: Rule) -> Iterator[PolicyDifference]:
    for name, label in _NAMES.items():
        one, other = getattr(was, name), getattr(is_now, name)
        if one == other:
            continue
        softer = name in {"raise_to", "if_unknown", "if_not_understood"} and rank(other) < rank(one)
        yield from _changed(
            "rule", f"{was.id}, {label}", _member_words(name, one), _member_words(name, other), softer=softer
        )


def _member_words(name: str, value: Any) -> str:
    if name == "texts":
        return "; ".join(getattr(value, each.name) for each in fields(value))
    if name in {"when", "applies_if"}:
        return "always" if value is None else condition_words(value)
    return _value_words(value)


def _asking_less(before: DecisionRules, now: DecisionRules) -> set[str]:
    """Return the members in which the second policy requires less of a decision."""
    listed = ("sanctions", "pep", "senior_approval", "checklist")
    less = {name for name in listed if {*getattr(before, name)} - {*getattr(now, name)}}
    less |= {"alone_up_to"} if rank(now.alone_up_to) > rank(before.alone_up_to) else set()
    return less | ({"override_days"} if now.override_days > before.override_days else set())


def _members(
    kind: str, before: Mapping[str, str], now: Mapping[str, str], softer: Collection[str] = ()
) -> Iterator[PolicyDifference]:
    for name in sorted(before.keys() | now.keys()):
        yield from _changed(kind, name, before.get(name, ""), now.get(name, ""), softer=name in softer)


def _changed(
    kind: str, subject: str, before: str, now: str, *, softer: bool = False
) -> Iterator[PolicyDifference]:
    if before == now:
        return
    label = {"policy": "", "rule": "Rule ", "not_processed": "", "tests": ""}.get(
        kind, f"{kind.capitalize()} "
    )
    about = f"{label}{subject}"
    if not before:
        text = f"{about}: now {now}; it was not set before."
    elif not now:
        text = f"{about}: was {before}; it is not set any more."
    else:
        text = f"{about}: was {before}; now {now}."
    yield PolicyDifference(kind, subject, before, now, text, softer)


def _flat(value: Any, prefix: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        return {
            name: words
            for key, member in value.items()
            for name, words in _flat(member, f"{prefix}.{key}" if prefix else str(key)).items()
        }
    return {prefix: _value_words(value)}


def _plain(value: Any) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _value_words(value: Any) -> str:
    if value is None or value in ("", ()):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return ", ".join(map(str, sorted(value, key=str) if isinstance(value, frozenset) else value))
    return day_words(value) if hasattr(value, "isoformat") else str(value).replace("\n", " ")


def _period(rule: Rule) -> str:
    since = "" if rule.first_day is None else f"from {day_words(rule.first_day)}"
    until = "" if rule.last_day is None else f"until {day_words(rule.last_day)}"
    return " ".join(filter(None, (since, until))) or "on any day"


def _list_words(countries: CountryList) -> str:
    latest = countries.editions[-1]
    return f"{countries.title}, latest edition of {day_words(latest.published)}, {len(latest.names)} codes and names, file {countries.digest[:12]}"
