"""Reading a policy from its file; its content is checked before it is used, and nothing in it is evaluated as code."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from kycpack.assets import asset_names, asset_path, asset_text
from kycpack.errors import InputError, PolicyError
from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.countries import CountryList, read_country_list, read_date
from kycpack.triage.diligence import CHECKS, DEFAULT, FACTORS, KINDS, RISKS, Diligence
from kycpack.triage.levels import ACTIONS, ANALYST, LEVELS, OF_SECTION, RECOMMENDED, rank
from kycpack.triage.located_yaml import Node, read_nodes
from kycpack.triage.policies.conditions import read_condition, refuse_what_excludes_itself, words
from kycpack.triage.policies.policy import (
    LegalSource,
    Policy,
    PolicyTest,
    read_decision_rules,
    read_legal_sources,
    sources_of,
)
from kycpack.triage.policies.rules import Rule, Texts, leaves_of
from kycpack.triage.policy_tests import check_policy
from kycpack.triage.results.vocabulary_file import load_vocabulary
from kycpack.wealth.given_thresholds import to_thresholds

DEFAULT_POLICY = "policies/default-uk.yaml"

_TOP = (
    "policy", "levels", "floor", "owners", "rules", "tests", "thresholds", "lists", "not_processed", "samples", "diligence",
    "reason_codes", "decisions", "sources",
)  # fmt: skip
_RULE = ("id", "when", "raise_to", "owner", "reason", "basis")
_MORE = (
    "title", "applies_if", "if_unknown", "if_not_understood", "action", "internal", "each", "gives_way", "from", "until", "series",
    "hit", "clear", "unknown", "not_applicable",
)  # fmt: skip
_COUNTRIES = "countries"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST_DAYS = 3_660
_FILLED = re.compile(r"\{([a-z]*)\}")
_FILLS = frozenset({"value", "label", "note", "shown", "found", "why", "looked", "unseen"})


def load_policy(path: Path | str | None = None) -> Policy:
    """Return a policy from a file, after its own tests have passed.

    A file that was already read in this process is not read again as long as its bytes are the same.

    Args:
        path: The file; None for the default policy that comes with the package.

    Raises:
        PolicyError: The file does not parse, contains something without meaning, or fails one of its own tests; the error
            names file and line.
        TypeError: `path` is not a path.
    """
    given: object = path
    if not isinstance(given, str | Path | None):
        raise TypeError(
            f"policy must be a Policy, the path of its file, or None for the default, not {type(given).__name__}"
        )
    file = default_policy_file() if path is None else Path(path)
    try:
        source = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"cannot be read: {error.strerror}", place=file.name) from None
    try:
        return _load(source)
    except PolicyError:
        # The error names the file; a policy that passes is the same under every name.
        return _tested(source, file.name)


def to_policy(value: Policy | Path | str | None) -> Policy:
    """Return a policy from an object or its file.

    Args:
        value: A policy, its file, or None for the default policy that comes with the package.

    Raises:
        PolicyError: The file is not a policy.
        TypeError: The value is none of these.
    """
    return value if isinstance(value, Policy) else load_policy(value)


def default_policy_file() -> Path:
    """Return the file of the policy that comes with the package."""
    return asset_path(DEFAULT_POLICY)


@lru_cache(maxsize=8)
def _load(source: bytes) -> Policy:
    return _tested(source, "policy")


def _tested(source: bytes, name: str) -> Policy:
    policy = read_policy(source, name)
    failures = check_policy(policy)
    if failures:
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        place, _, failure = failures[0].partition(": ")
        raise PolicyError(f"fails its own test: {failure}{more}", place=place)
    return policy


@lru_cache(maxsize=8)
def read_policy(source: bytes, name: str = "policy") -> Policy:
    """Return a policy from the bytes of its file, without running its tests.

    Args:
        source: The file, YAML in UTF-8.
        name: The policy's name in errors.

    Raises:
        PolicyError: The file does not parse, or contains something without meaning; the error names file and line.
    """
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError:
        raise PolicyError("not UTF-8", place=name) from None
    top = read_nodes(text, name).members(_TOP, ("policy", "levels", "floor", "rules"))
    if top["levels"].plain() != list(LEVELS):
        raise top["levels"].error(f"the levels must be {', '.join(LEVELS)}, in this order")
    head = top["policy"].members(("id", "version", "effective", "title"), ("id", "version", "effective"))
    if not _ID.fullmatch(head["id"].text()):
        raise head["id"].error("an id consists of letters, digits, dots and dashes")
    effective = read_date(head["effective"])
    lists = _lists(top.get("lists"))
    rules = _rules(top["rules"], lists)
    _refuse_what_has_ended(top["rules"], rules, effective)
    sources = read_legal_sources(top.get("sources"))
    _check_bases(top["rules"], sources)
    return Policy(
        id=head["id"].text(),
        version=str(head["version"].scalar()),
        effective=effective.isoformat(),
        digest=hashlib.sha256(source).hexdigest(),
        floor=_floor(top["floor"]),
        owners=_owners(top.get("owners")),
        rules=rules,
        not_processed=frozenset(words(top.get("not_processed")) or ("not_processed",)),
        thresholds=_thresholds(top.get("thresholds")),
        lists=lists,
        diligence=_diligence(top.get("diligence")),
        vocabulary=load_vocabulary(),
        tests=_tests(top.get("tests"), top.get("samples"), {rule.id for rule in rules}, effective),
        decisions=read_decision_rules(
            top.get("reason_codes"), top.get("decisions"), {rule.id for rule in rules}
        ),
        legal_sources=sources,
        source=source,
    )


def _check_bases(node: Node, sources: tuple[LegalSource, ...]) -> None:
    """Refuse a rule whose basis cites none of the policy's sources, if the policy lists them."""
    for item in node.items() if sources else ():
        basis = item.members((*_RULE, *_MORE), _RULE)["basis"]
        if not sources_of(basis.text(), sources):
            raise basis.error("the basis cites none of the `sources` listed")


def _level(node: Node) -> str:
    level = node.scalar()
    if level not in LEVELS:
        raise node.error(f"unknown level {level!r}; the levels are {', '.join(LEVELS)}")
    return str(level)


def _floor(node: Node) -> Mapping[str, str]:
    floor = {outcome: _level(level) for outcome, level in node.members().items()}
    for outcome, softest in (*RECOMMENDED.items(), ("missing", "review"), ("*", "review")):
        given = floor.setdefault(outcome, softest)
        if rank(given) < rank(softest):
            place = node.value[outcome]
            raise place.error(
                f"{outcome} may not be softer than {softest}, which the service itself recommends"
            )
    return floor


def _owners(node: Node | None) -> Mapping[str, str]:
    given = (
        {} if node is None else {name: owner.text() for name, owner in node.members((*SECTIONS, "*")).items()}
    )
    return {"*": ANALYST, **given}


def _rules(node: Node, lists: Mapping[str, CountryList]) -> tuple[Rule, ...]:
    rules: dict[str, Rule] = {}
    for item in node.items():
        entry = item.members((*_RULE, *_MORE), _RULE)
        rule = _rule(item, entry, lists)
        if rule.id in rules or rule.id.startswith((OF_SECTION, "POL-")):
            raise entry["id"].error(f"the id {rule.id} is already used")
        rules[rule.id] = rule
    if not rules:
        raise node.error("a policy has at least one rule")
    return tuple(rules.values())


def _refuse_what_has_ended(node: Node, rules: tuple[Rule, ...], effective: dt.date) -> None:
    """Refuse a rule that ends before the policy takes effect, unless another rule of its series goes on from there."""
    going_on = {
        rule.series for rule in rules if rule.series and (rule.last_day is None or rule.last_day >= effective)
    }
    for item, rule in zip(node.items(), rules, strict=True):
        if rule.last_day is not None and rule.last_day < effective and rule.series not in going_on:
            raise item.value["until"].error(
                "the rule ends before the policy takes effect, so it can never fire"
            )


def _rule(item: Node, entry: Mapping[str, Node], lists: Mapping[str, CountryList]) -> Rule:
    if not _ID.fullmatch(entry["id"].text()):
        raise entry["id"].error("an id consists of letters, digits, dots and dashes")
    reason = entry["reason"].text()
    title = entry["title"].text() if "title" in entry else reason
    soft = _level(entry["if_unknown"]) if "if_unknown" in entry else "review"
    odd = _level(entry["if_not_understood"]) if "if_not_understood" in entry else soft
    rule = Rule(
        id=entry["id"].text(),
        when=read_condition(entry["when"], lists),
        applies_if=read_condition(entry["applies_if"], lists) if "applies_if" in entry else None,
        raise_to=_level(entry["raise_to"]),
        if_unknown=soft,
        if_not_understood=odd,
        owner=entry["owner"].text(),
        action=_one_of(entry.get("action"), ACTIONS) or "none",
        internal=_flag(entry.get("internal")),
        each=_flag(entry.get("each")),
        gives_way=_one_of(entry.get("gives_way"), ("complete", "renewal")),
        title=title,
        reason=reason,
        texts=_texts(entry, title, reason),
        basis=entry["basis"].text(),
        first_day=read_date(entry["from"]) if "from" in entry else None,
        last_day=read_date(entry["until"]) if "until" in entry else None,
        series=entry["series"].text() if "series" in entry else "",
        place=item.place,
    )
    if rule.applies_if is not None:
        refuse_what_excludes_itself(entry["applies_if"], (rule.applies_if, rule.when))
    if LEVELS[0] in {rule.raise_to, soft, odd}:
        name = (
            "raise_to"
            if rule.raise_to == LEVELS[0]
            else "if_unknown"
            if soft == LEVELS[0]
            else "if_not_understood"
        )
        raise entry[name].error("a rule raises the level; approve is the starting level")
    if rule.first_day is not None and rule.last_day is not None and rule.first_day > rule.last_day:
        raise entry["until"].error("the rule ends before it starts, so it can never fire")
    if rule.about_level and any(leaf.argument == LEVELS[0] for leaf in leaves_of(rule.when)):
        raise entry["when"].error("every customer is at approve or above")
    return rule


def _texts(entry: Mapping[str, Node], title: str, reason: str) -> Texts:
    for name in ("hit", "clear", "unknown", "not_applicable"):
        for fill in _FILLED.findall(entry[name].text()) if name in entry else ():
            if fill not in _FILLS:
                raise entry[name].error(
                    f"{{{fill}}} cannot be filled in; the known names are {', '.join(sorted(_FILLS))}"
                )
    given = {
        name: node.text()
        for name, node in entry.items()
        if name in {"hit", "clear", "unknown", "not_applicable"}
    }
    return Texts(
        hit=given.get("hit", f"{reason}: {{label}} {{value}}"),
        clear=given.get("clear", f"{title}: nothing found"),
        unknown=given.get("unknown", f"{title}: not known. {{why}}"),
        not_applicable=given.get("not_applicable", f"{title}: not looked at"),
    )


def _one_of(node: Node | None, known: tuple[str, ...]) -> str:
    if node is None:
        return ""
    if node.scalar() not in known:
        raise node.error(f"expected one of {', '.join(known)}")
    return str(node.scalar())


def _flag(node: Node | None) -> bool:
    return node is not None and node.boolean()


def _thresholds(node: Node | None) -> Mapping[str, Any]:
    if node is None:
        return {}
    given: dict[str, Any] = {}
    for name, member in node.members().items():
        given[name] = (
            {kind: text.text() for kind, text in member.members().items()}
            if name in ("levels", "payers")
            else member.scalar()
        )
    for name, value in given.items():
        try:
            to_thresholds({name: value})
        except InputError as error:
            raise node.value[name].error(str(error)) from None
    return given


def _lists(node: Node | None) -> dict[str, CountryList]:
    lists: dict[str, CountryList] = {}
    for name, file in ({} if node is None else node.members()).items():
        if file.text() not in asset_names(_COUNTRIES):
            raise file.error(
                f"there is no list {file.text()!r}; a list is a file of data/{_COUNTRIES}/, such as {_COUNTRIES}/fatf-call-for-action.yaml"
            )
        lists[name] = read_country_list(asset_text(file.text()), file.text())
    return lists


def _diligence(node: Node | None) -> Diligence:
    if node is None:
        return DEFAULT
    top = node.members(("risks", "required", "review_days"), ("risks", "required", "review_days"))
    risks = {
        factor: {value.casefold(): _one_of(risk, RISKS) for value, risk in values.members().items()}
        for factor, values in top["risks"].members(FACTORS).items()
    }
    required = {
        kind: tuple(_one_of(check, CHECKS) for check in checks.items())
        for kind, checks in top["required"].members(KINDS, KINDS).items()
    }
    days = {kind: entry.scalar() for kind, entry in top["review_days"].members(KINDS, KINDS).items()}
    for kind, count in days.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST_DAYS:
            raise top["review_days"].value[kind].error(f"expected a number of days from 1 to {_MOST_DAYS}")
    return Diligence(risks, required, days)


def _tests(
    node: Node | None, samples: Node | None, rules: set[str], effective: Any
) -> tuple[PolicyTest, ...]:
    known = {} if samples is None else {name: sample.plain() for name, sample in samples.members().items()}
    tests: list[PolicyTest] = []
    for item in [] if node is None else node.items():
        entry = item.members(("from", "given", "expect", "fired", "not_fired", "on"), ("expect",))
        start = entry["from"].text() if "from" in entry else None
        if start is not None and start not in known:
            raise entry["from"].error(f"there is no sample {start!r}")
        given = entry["given"].members() if "given" in entry else {}
        merged = merge(
            known[start] if start is not None else {},
            {name: member.plain() for name, member in given.items()},
        )
        tests.append(
            PolicyTest(
                given=merged,
                expect=_level(entry["expect"]),
                fired=_rule_ids(entry.get("fired"), rules),
                not_fired=_rule_ids(entry.get("not_fired"), rules),
                day=read_date(entry["on"]) if "on" in entry else effective,
                place=item.place,
            )
        )
    return tuple(tests)


def _rule_ids(node: Node | None, rules: set[str]) -> tuple[str, ...]:
    ids = [] if node is None else node.items()
    for item in ids:
        if item.text() not in rules and not item.text().startswith(OF_SECTION):
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in ids)


def merge(base: Any, over: Any) -> Any:
    """Return a document with another one merged over it; null removes a member."""
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    merged = dict(base)
    for name, value in over.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged
