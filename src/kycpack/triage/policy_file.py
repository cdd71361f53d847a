"""Reading a policy from its file; what it says is checked before it is used, and nothing in it is evaluated as code."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from kycpack.assets import asset_path, asset_text
from kycpack.errors import InputError, PolicyError
from kycpack.triage.countries import CountryList, read_country_list
from kycpack.triage.levels import LEVELS, RECOMMENDED, rank
from kycpack.triage.nodes import Node, read_nodes
from kycpack.triage.paths import LEVEL, is_known
from kycpack.triage.policy import Condition, Group, Leaf, Operator, Policy, PolicyTest, Rule
from kycpack.wealth.thresholds import to_thresholds

DEFAULT = "policies/default-uk.yaml"

_LISTS = ("in", "not_in")
_SCALARS = ("equals", "not_equals")
_NUMBERS = ("above", "at_least", "below", "at_most")
_OPERATORS = (*_LISTS, *_SCALARS, *_NUMBERS, "in_list", "present")
_MODIFIERS = ("clear", "except", "keys_with", "if_missing")
_TOP = ("policy", "levels", "floor", "rules", "tests", "thresholds", "lists", "not_processed", "samples")
_RULE = ("id", "when", "raise_to", "owner", "reason", "basis")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def load_policy(path: Path | str | None = None) -> Policy:
    """Return a policy from a file.

    Args:
        path: The file; None for the default policy that comes with the package.

    Raises:
        PolicyError: The file does not parse, or says something that has no meaning; the error names file and line.
    """
    file = asset_path(DEFAULT) if path is None else Path(path)
    try:
        source = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"cannot be read: {error.strerror}", place=file.name) from None
    return read_policy(source, file.name)


def read_policy(
    source: bytes, name: str = "policy", *, read_list: Callable[[str], str] = asset_text
) -> Policy:
    """Return a policy from the bytes of its file.

    Args:
        source: The file, YAML in UTF-8.
        name: What to call it in errors.
        read_list: Gives the text of a country list by its name below `data/`.

    Raises:
        PolicyError: As for `load_policy`.
    """
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError:
        raise PolicyError("not UTF-8", place=name) from None
    top = read_nodes(text, name).members(_TOP, ("policy", "levels", "floor", "rules"))
    if top["levels"].plain() != list(LEVELS):
        raise top["levels"].error(f"the levels are {', '.join(LEVELS)}, in this order")
    head = top["policy"].members(("id", "version", "effective", "title"), ("id", "version", "effective"))
    if not _ID.fullmatch(head["id"].text()):
        raise head["id"].error("an id is letters, digits, dots and dashes")
    if not _DATE.fullmatch(head["effective"].text()):
        raise head["effective"].error("expected a date, as in 2026-01-01")
    lists = _lists(top.get("lists"), read_list)
    rules = _rules(top["rules"], lists)
    return Policy(
        id=head["id"].text(),
        version=str(head["version"].scalar()),
        effective=head["effective"].text(),
        digest=hashlib.sha256(source).hexdigest(),
        floor=_floor(top["floor"]),
        rules=rules,
        not_processed=_words(top.get("not_processed")) or ("not_processed",),
        thresholds=_thresholds(top.get("thresholds")),
        lists=lists,
        tests=_tests(top.get("tests"), top.get("samples"), {rule.id for rule in rules}),
        source=source,
    )


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


def _rules(node: Node, lists: Mapping[str, CountryList]) -> tuple[Rule, ...]:
    rules: dict[str, Rule] = {}
    for item in node.items():
        entry = item.members(_RULE, _RULE)
        rule_id = entry["id"].text()
        if not _ID.fullmatch(rule_id):
            raise entry["id"].error("an id is letters, digits, dots and dashes")
        if rule_id in rules or rule_id.startswith("OUT-"):
            raise entry["id"].error(f"the id {rule_id} is taken")
        rules[rule_id] = Rule(
            id=rule_id,
            when=_condition(entry["when"], lists),
            raise_to=_level(entry["raise_to"]),
            owner=entry["owner"].text(),
            reason=entry["reason"].text(),
            basis=entry["basis"].text(),
            place=item.place,
        )
        if rules[rule_id].raise_to == LEVELS[0]:
            raise entry["raise_to"].error("a rule raises; approve is where everything starts")
    return tuple(rules.values())


def _condition(node: Node, lists: Mapping[str, CountryList]) -> Condition:
    members = node.members()
    for kind in ("all", "any"):
        if kind in members:
            node.members((kind,))
            parts = tuple(_condition(part, lists) for part in members[kind].items())
            if not parts:
                raise node.error(f"{kind!r} of nothing")
            return Group("all" if kind == "all" else "any", parts)
    return _question(node, lists)


def _question(node: Node, lists: Mapping[str, CountryList]) -> Condition:
    """Read a condition on one path, or on several of which each is asked about by itself."""
    members = node.members(("path", "paths", *_OPERATORS, *_MODIFIERS))
    if ("path" in members) == ("paths" in members):
        raise node.error("a condition has either 'path' or 'paths'")
    if "path" in members:
        return _leaf(node, members["path"], lists)
    parts = tuple(_leaf(node, path, lists) for path in members["paths"].items())
    if not parts:
        raise node.error("'paths' of nothing")
    return Group("any", parts)


def _leaf(node: Node, path: Node, lists: Mapping[str, CountryList]) -> Leaf:
    members = node.members()
    named = [name for name in _OPERATORS if name in members]
    if len(named) != 1:
        raise node.error(f"a condition has one operator of {', '.join(_OPERATORS)}")
    operator = named[0]
    leaf = Leaf(
        path=_path(path),
        operator=cast("Operator", operator),
        argument=_argument(operator, members[operator], lists),
        clear=_values(members["clear"]) if "clear" in members else None,
        excluded=tuple(_path(other) for other in members["except"].items()) if "except" in members else (),
        keys_with=tuple(word.casefold() for word in _words(members.get("keys_with"))),
        if_missing=_missing(members.get("if_missing")),
    )
    about_level = leaf.path == LEVEL
    if about_level != (leaf.argument in LEVELS) or (about_level and operator != "at_least"):
        raise node.error(
            f"{LEVEL} is compared by at_least with one of {', '.join(LEVELS)}, and nothing else is"
        )
    return leaf


def _path(node: Node) -> str:
    path = node.text()
    if not is_known(path):
        raise node.error(f"unknown path {path!r}")
    return path


def _missing(node: Node | None) -> Any:
    word = "unknown" if node is None else node.scalar()
    if node is not None and word not in {"unknown", "clear", "hit"}:
        raise node.error("if_missing is unknown, clear or hit")
    return word


def _argument(operator: str, node: Node, lists: Mapping[str, CountryList]) -> Any:
    if operator in _LISTS:
        return _values(node)
    value = node.scalar()
    if operator == "in_list" and value not in lists:
        raise node.error(f"there is no list {value!r}; there are: {', '.join(lists) or 'none'}")
    if operator == "present" and value is not True:
        raise node.error("present is true")
    if (
        operator in _NUMBERS
        and value not in LEVELS
        and (isinstance(value, bool) or not isinstance(value, int | Decimal))
    ):
        raise node.error(f"{operator} takes a number")
    if value is None:
        raise node.error("null is not a value that a fact can be compared with")
    return value


def _values(node: Node) -> tuple[Any, ...]:
    values = tuple(item.scalar() for item in node.items())
    if None in values:
        raise node.error("null is not a value that a fact can be compared with: what is null is not known")
    return values


def _words(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(item.text() for item in node.items())


def _thresholds(node: Node | None) -> Mapping[str, Any]:
    if node is None:
        return {}
    given = {name: member.scalar() for name, member in node.members().items()}
    for name, value in given.items():
        try:
            to_thresholds({name: value})
        except InputError as error:
            raise node.value[name].error(str(error)) from None
    return given


def _lists(node: Node | None, read_list: Callable[[str], str]) -> dict[str, CountryList]:
    lists: dict[str, CountryList] = {}
    for name, file in ({} if node is None else node.members()).items():
        try:
            lists[name] = read_country_list(read_list(file.text()), file.text())
        except FileNotFoundError:
            raise file.error(f"there is no list {file.text()!r}") from None
    return lists


def _tests(node: Node | None, samples: Node | None, rules: set[str]) -> tuple[PolicyTest, ...]:
    known = {} if samples is None else {name: sample.plain() for name, sample in samples.members().items()}
    tests: list[PolicyTest] = []
    for item in [] if node is None else node.items():
        entry = item.members(("from", "given", "expect", "fired", "not_fired"), ("expect",))
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
                place=item.place,
            )
        )
    return tuple(tests)


def _rule_ids(node: Node | None, rules: set[str]) -> tuple[str, ...]:
    ids = [] if node is None else node.items()
    for item in ids:
        if item.text() not in rules and not item.text().startswith("OUT-"):
            raise item.error(f"there is no rule {item.text()!r}")
    return tuple(item.text() for item in ids)


def merge(base: Any, over: Any) -> Any:
    """Return a document with another laid over it; null takes a member away."""
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    merged = dict(base)
    for name, value in over.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged
