"""Conditions of a policy's rules: reads them from its file, and evaluates them on the observations to HIT, CLEAR or UNKNOWN.

`all` is the lowest and `any` the highest of CLEAR < UNKNOWN < HIT, which is three-valued logic: an unknown
remains unknown unless another part decides the result.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, cast

from kycpack.triage.case_file import Observation
from kycpack.triage.countries import CountryList
from kycpack.triage.levels import CLEAR, HIT, LEVELS, weight
from kycpack.triage.located_yaml import Node
from kycpack.triage.paths import LEVEL, UNNAMED_MATCHES, covers, is_known, matches, words_of
from kycpack.triage.policies.questions import Asked, QuestionAnswer, Questions, among, compared, outcome_of
from kycpack.triage.policies.rules import Condition, Group, Leaf, Operator, arguments_of
from kycpack.triage.results.vocabulary import KINDS

_LISTS = ("in", "not_in")
_SCALARS = ("equals", "not_equals")
_NUMBERS = ("above", "at_least", "below", "at_most")
_FLAGS = ("present", "unlisted", "forgery", "country")
_OPERATORS = (*_LISTS, *_SCALARS, *_NUMBERS, *_FLAGS, "in_list", "judged_as")
# The range of numbers in observations; a condition with a number outside it is never met, or always.
_RANGES: tuple[tuple[str, int, int], ...] = (
    ("identity.faceAnalysis.facialSimilarityScore", 0, 1),
    ("identity.authenticityAnalysis.livenessCheckScore", 0, 1),
    ("screening.matchCount", 0, 1_000_000),
    (UNNAMED_MATCHES, 0, 1_000_000),
    ("bank.history_days", 0, 36_600),
    ("bank.access_days", -36_600, 36_600),
    ("expiry.document_days", -36_600, 36_600),
    ("session.age_days", -36_600, 36_600),
    ("age.*", 0, 150),
)
_SCORES = frozenset(path for path, _, highest in _RANGES if highest == 1)


class Judgement(NamedTuple):
    """The result for one observation.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        seen: The observation; None if there is none.
        understood: False where it has a value that the policy does not know.
    """

    outcome: str
    seen: Observation | None
    understood: bool = True


class Verdict(NamedTuple):
    """The result of a condition.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        leaf: The question that decided.
        judged: The observations with the deciding outcome, the deciding one first; one entry without an observation if there
            is none.
        evidence_ids: The entries of everything that decided a question, in order.
    """

    outcome: str
    leaf: Leaf
    judged: tuple[Judgement, ...]
    evidence_ids: tuple[str, ...]

    @property
    def understood(self) -> bool:
        """Whether no deciding observation has a value that the policy does not know."""
        return all(one.understood for one in self.judged)


class Judge:
    """Evaluates conditions of a policy for one session of one customer.

    Args:
        questions: The policy's.
        day: The day as of which country lists are read.
        sections: Sections that the results have.
        optional: Sections that were not checked and did not have to be; a rule about several sections skips them.
    """

    def __init__(
        self, questions: Questions, day: dt.date, sections: Iterable[str], optional: frozenset[str]
    ) -> None:
        self.optional = optional
        self._questions, self._day = questions, day
        self._outcomes = list(questions.if_missing(frozenset(sections), optional))
        self._heard: dict[int, list[tuple[QuestionAnswer, Observation]]] = {}

    def hear(self, observations: Iterable[Observation]) -> None:
        """Answer every question for further observations."""
        answers, heard, outcomes, day = self._questions.answers, self._heard, self._outcomes, self._day
        for seen in observations:
            for said in answers(seen.path, seen.value, seen.of_results, day):
                number, outcome = said.number, said.outcome
                before = heard.get(number)
                if before is None:
                    heard[number], outcomes[number] = [(said, seen)], outcome
                else:
                    before.append((said, seen))
                    if outcome != outcomes[number] and weight(outcome) > weight(outcomes[number]):
                        outcomes[number] = outcome

    def clear(self) -> frozenset[int]:
        """Return the indices of the rules that are in force, apply, and are clear because the check was made."""
        return self._questions.clear(tuple(self._outcomes), self._day)

    def judge(self, asked: Asked) -> Verdict:
        """Return the verdict of a condition."""
        if isinstance(asked, int):
            return self._leaf(asked)
        kind, conditions = asked
        outcome = outcome_of(asked, self._outcomes)
        parts = [self.judge(part) for part in conditions]
        deciding = [part for part in parts if part.outcome == outcome]
        # If every part is a hit, the first ones only mean that the rule applies; the last one says what was found.
        first = deciding[-1] if kind == "all" and outcome == HIT else deciding[0]
        judged = first.judged
        if kind == "any":
            judged = tuple(one for part in deciding for one in part.judged)
        # The evidence of a hit or an unknown is what decided; the evidence that all is clear is everything that was checked.
        shown = parts if outcome == CLEAR else deciding
        ids = sorted({entry for part in shown for entry in part.evidence_ids})
        return Verdict(outcome, first.leaf, judged, tuple(ids))

    def _leaf(self, number: int) -> Verdict:
        leaf, outcome = self._questions.leaves[number], self._outcomes[number]
        worst = [(said, seen) for said, seen in self._heard.get(number, ()) if said.outcome == outcome]
        if not worst:
            return Verdict(outcome, leaf, (Judgement(outcome, None),), ())
        ids = {entry for _, seen in worst for entry in seen.evidence_ids}
        judged = tuple(Judgement(outcome, seen, said.understood) for said, seen in worst)
        return Verdict(outcome, leaf, judged, tuple(sorted(ids)))


def read_condition(node: Node, lists: Mapping[str, CountryList]) -> Condition:
    """Return a condition.

    Args:
        node: Its place in the file.
        lists: The policy's country lists.

    Raises:
        PolicyError: The condition has no meaning, or can never be met; the error names file and line.
    """
    members = node.members()
    for kind in ("all", "any"):
        if kind in members:
            node.members((kind,))
            parts = tuple(read_condition(part, lists) for part in members[kind].items())
            if not parts:
                raise node.error(f"{kind!r} is empty")
            if kind == "all":
                refuse_what_excludes_itself(node, parts)
            return Group("all" if kind == "all" else "any", parts)
    return _question(node, lists)


def words(node: Node | None) -> tuple[str, ...]:
    """Return a list of words; empty if there is no list."""
    return () if node is None else tuple(item.text() for item in node.items())


def _question(node: Node, lists: Mapping[str, CountryList]) -> Condition:
    """Read a condition on one path, or on several that are each checked separately."""
    members = node.members(
        ("path", "paths", *_OPERATORS, "clear", "within", "except", "keys_with", "if_missing")
    )
    if ("path" in members) == ("paths" in members):
        raise node.error("a condition has either 'path' or 'paths'")
    if "path" in members:
        return _leaf(node, members["path"], lists)
    parts = tuple(_leaf(node, path, lists) for path in members["paths"].items())
    if not parts:
        raise node.error("'paths' is empty")
    return Group("any", parts)


def _leaf(node: Node, path: Node, lists: Mapping[str, CountryList]) -> Leaf:
    members = node.members()
    named = [name for name in _OPERATORS if name in members]
    if len(named) != 1:
        raise node.error(f"a condition has exactly one of these operators: {', '.join(_OPERATORS)}")
    operator = named[0]
    leaf = Leaf(
        path=_path(path),
        operator=cast("Operator", operator),
        argument=_argument(operator, members[operator], lists),
        clear=_values(members["clear"]) if "clear" in members else None,
        within=_within(members["within"]) if "within" in members else None,
        excluded=tuple(_path(other) for other in members["except"].items()) if "except" in members else (),
        keys_with=tuple(word.casefold() for word in words(members.get("keys_with"))),
        if_missing=_missing(members.get("if_missing")),
    )
    _refuse_what_never_hits(node, leaf)
    if leaf.within and leaf.within[0] < 0 and leaf.path in _SCORES:
        raise members["within"].error("the scale of a score begins at 0 or above")
    for number in _numbers(leaf):
        _refuse_what_is_out_of_range(members[operator], leaf, number)
    about_level = leaf.path == LEVEL
    if about_level != (leaf.argument in LEVELS) or (about_level and operator != "at_least"):
        raise node.error(
            f"{LEVEL} is only compared by at_least with one of {', '.join(LEVELS)}, and nothing else is compared with these"
        )
    return leaf


def _refuse_what_never_hits(node: Node, leaf: Leaf) -> None:
    for pattern in leaf.excluded:
        if covers(pattern, leaf.path):
            raise node.error(f"'except' leaves nothing of {leaf.path}")
    if leaf.operator == "in" and not leaf.argument and leaf.if_missing != "hit":
        raise node.error("an empty 'in' can never be met")
    if leaf.operator in (*_LISTS, *_SCALARS, *_NUMBERS) and (
        both := [value for value in leaf.clear or () if _may_hit(leaf, value)]
    ):
        raise node.error(f"{both[0]!r} is both a hit and clear")
    can_say = words_of(leaf.path)
    if can_say is None or leaf.path == LEVEL:
        return
    known = ", ".join(sorted(str(word).lower() for word in can_say))
    if leaf.operator in {"in", "equals"} and (
        never := [value for value in arguments_of(leaf) if value not in can_say]
    ):
        raise node.error(f"{leaf.path} is never {never[0]!r}; it is one of {known}")
    if leaf.if_missing != "hit" and not any(_may_hit(leaf, word) for word in can_say):
        raise node.error(f"{leaf.path} is one of {known}, so the rule can never fire")


def _numbers(leaf: Leaf) -> tuple[Any, ...]:
    """Return the numbers that an observation is compared with."""
    return tuple(filter(_is_number, arguments_of(leaf)))


def _refuse_what_is_out_of_range(node: Node, leaf: Leaf, number: Any) -> None:
    """Refuse a comparison with a number that the observation can never have, or never pass; `within` gives a score a different scale."""
    known = next(
        (
            (low, high)
            for pattern, low, high in _RANGES
            if matches(pattern, leaf.path) is not None or matches(leaf.path, pattern) is not None
        ),
        None,
    )
    lowest, highest = leaf.within or known or (number, number)
    if not lowest <= number <= highest:
        raise node.error(f"{number} is out of range: {leaf.path} is from {lowest} to {highest}")
    if (leaf.within or known) and number == {"above": highest, "below": lowest}.get(leaf.operator):
        raise node.error(
            f"{leaf.path} is from {lowest} to {highest}, so it is never {leaf.operator} {number}"
        )


def refuse_what_excludes_itself(node: Node, parts: Sequence[Condition]) -> None:
    """Refuse conditions that all have to be met, and that no value of one observation meets; a pattern may match several observations.

    Args:
        node: Their place in the file.
        parts: The conditions.

    Raises:
        PolicyError: No value meets them all; the error names file and line.
    """
    asked: dict[str, list[Leaf]] = {}
    for part in (needed for one in parts for needed in _needed(one)):
        if isinstance(part, Leaf) and "*" not in part.path and part.if_missing != "hit":
            asked.setdefault(part.path, []).append(part)
    for path, leaves in asked.items():
        if len(leaves) > 1 and not _can_all_be_met(leaves):
            raise node.error(f"{path} cannot meet all of these conditions, so the rule can never fire")


def _needed(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that all have to be met for one to be met."""
    if isinstance(condition, Group) and (condition.kind == "all" or len(condition.parts) == 1):
        for part in condition.parts:
            yield from _needed(part)
    else:
        yield condition


def _can_all_be_met(leaves: Sequence[Leaf]) -> bool:
    """Return whether one value may meet conditions on words and numbers; others are taken to be met."""
    wanted = [arguments_of(leaf) for leaf in leaves if leaf.operator in {"in", "equals"}]
    if wanted:
        return any(all(_may_hit(leaf, value) for leaf in leaves) for value in wanted[0])
    numbers = [(leaf.operator, leaf.argument) for leaf in leaves if _is_number(leaf.argument)]
    lowest = max(
        ((number, name == "above") for name, number in numbers if name in {"above", "at_least"}), default=None
    )
    highest = min(
        ((number, name != "below") for name, number in numbers if name in {"below", "at_most"}), default=None
    )
    if lowest is None or highest is None or lowest[0] < highest[0]:
        return True
    return lowest[0] == highest[0] and not lowest[1] and highest[1]


def _may_hit(leaf: Leaf, value: Any) -> bool:
    """Return whether a value may be a hit; operators that need more than the value are taken to hit."""
    if leaf.operator in {"in", "equals"}:
        return among(value, arguments_of(leaf))
    if leaf.operator in {"not_in", "not_equals"}:
        return not among(value, arguments_of(leaf))
    if leaf.operator in _NUMBERS and leaf.path != LEVEL:
        return compared(leaf.operator, value, leaf.argument) is True
    return True


def _path(node: Node) -> str:
    path = node.text()
    if not is_known(path):
        raise node.error(f"unknown path {path!r}")
    return path


def _missing(node: Node | None) -> Any:
    word = "unknown" if node is None else node.scalar()
    if node is not None and word not in {"unknown", "clear", "hit"}:
        raise node.error("if_missing must be unknown, clear or hit")
    return word


def _within(node: Node) -> tuple[Any, Any]:
    bounds = [item.scalar() for item in node.items()]
    if len(bounds) != 2 or not all(_is_number(bound) for bound in bounds) or bounds[0] > bounds[1]:
        raise node.error("within takes the lowest and the highest number")
    return bounds[0], bounds[1]


def _argument(operator: str, node: Node, lists: Mapping[str, CountryList]) -> Any:
    if operator in _LISTS:
        return _values(node)
    value = node.scalar()
    if operator == "in_list" and value not in lists:
        raise node.error(f"there is no list {value!r}; there are: {', '.join(lists) or 'none'}")
    if operator in _FLAGS and value is not True:
        raise node.error(f"{operator} must be true")
    if operator == "judged_as" and value not in KINDS:
        raise node.error(f"judged_as must be {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if operator in _NUMBERS and value not in LEVELS and not _is_number(value):
        raise node.error(f"{operator} takes a number")
    if value is None:
        raise node.error("null cannot be compared with anything")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _values(node: Node) -> tuple[Any, ...]:
    values = tuple(item.scalar() for item in node.items())
    if None in values:
        raise node.error("null cannot be compared with anything: it means not known")
    return values
