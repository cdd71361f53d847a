"""Judging a condition over what was observed: HIT, CLEAR or UNKNOWN.

`all` is the lowest and `any` the highest of CLEAR < UNKNOWN < HIT, which is three-valued logic: what is not known stays not
known unless another part settles it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import CaseFile, Nested, Observation, SessionFile, Unreadable
from kycpack.triage.countries import is_country
from kycpack.triage.levels import CLEAR, HIT, LEVELS, UNKNOWN, weight
from kycpack.triage.paths import LEVEL, matches
from kycpack.triage.policy import Condition, Leaf, Policy, section_of
from kycpack.triage.vocabulary import DATA

_MISSING = {"unknown": UNKNOWN, "clear": CLEAR, "hit": HIT}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of one observation.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        seen: The observation; None where there is none.
        understood: False where it has a value that the policy does not know.
    """

    outcome: str
    seen: Observation | None
    understood: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a condition.

    Attributes:
        outcome: HIT, CLEAR or UNKNOWN.
        leaf: The question that decided.
        judged: The observations with the deciding outcome, the deciding one first; one without an observation where there
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
    """Judges conditions of a policy for one session of one customer.

    Args:
        policy: The policy.
        case: The customer.
        session: The session.
        day: The day as of which country lists are read.
        optional: Sections that nobody looked at and nobody had to; a rule about several sections passes over them.
    """

    def __init__(
        self,
        policy: Policy,
        case: CaseFile,
        session: SessionFile,
        day: dt.date,
        optional: frozenset[str] = frozenset(),
    ) -> None:
        self._optional = optional
        self._policy = policy
        self._day = day
        self._sections = session.sections
        self._by_root: dict[str, list[Observation]] = {}
        for seen in (*session.seen, *case.seen):
            self._by_root.setdefault(seen.path.partition(".")[0], []).append(seen)
        self._results = [seen for seen in session.seen if seen.of_results]
        self._paths: dict[str, tuple[str, ...]] = {}

    def judge(self, condition: Condition) -> Verdict:
        """Return the verdict of a condition."""
        if isinstance(condition, Leaf):
            return self._leaf(condition)
        parts = [self.judge(part) for part in condition.parts]
        choose = min if condition.kind == "all" else max
        outcome = choose((part.outcome for part in parts), key=weight)
        deciding = [part for part in parts if part.outcome == outcome]
        # Where every part hits, the first ones only say that the rule applies; the last one says what was found.
        first = deciding[-1] if condition.kind == "all" and outcome == HIT else deciding[0]
        judged = first.judged
        if condition.kind == "any":
            judged = tuple(one for part in deciding for one in part.judged)
        ids = sorted({entry for part in parts for entry in part.evidence_ids})
        return Verdict(outcome, first.leaf, judged, tuple(ids))

    def _leaf(self, leaf: Leaf) -> Verdict:
        judged = [
            one
            for seen, exact in self._selected(leaf)
            if (one := self._one(leaf, seen, exact=exact)) is not None
        ]
        if not judged:
            return Verdict(self._if_missing(leaf), leaf, (Judgement(self._if_missing(leaf), None),), ())
        outcome = judged[0].outcome if len(judged) == 1 else max((one.outcome for one in judged), key=weight)
        worst = tuple(one for one in judged if one.outcome == outcome)
        ids = {entry for one in worst if one.seen is not None for entry in one.seen.evidence_ids}
        return Verdict(outcome, leaf, worst, tuple(sorted(ids)))

    def _if_missing(self, leaf: Leaf) -> str:
        """Return what an observation that is not there means; in a section that is not there, never clear."""
        section = leaf.path.partition(".")[0]
        if section_of(leaf.path) in self._optional:
            return CLEAR
        if leaf.if_missing == "clear" or leaf.operator in {"unlisted", "forgery"}:
            if section in SECTIONS and section not in self._sections:
                return UNKNOWN
            if section == "**" and not self._sections:
                return UNKNOWN
            return CLEAR
        return _MISSING[leaf.if_missing]

    def _selected(self, leaf: Leaf) -> list[tuple[Observation, bool]]:
        """Return the observations that a question is about, and whether each is just what the pattern means."""
        root = leaf.path.partition(".")[0]
        if "*" in root:
            root = "*"
        pool = self._results if root == "*" else self._by_root.get(root, ())
        if root not in self._paths:
            self._paths[root] = tuple(seen.path for seen in pool)
        places = _places(leaf.path, tuple(leaf.excluded), tuple(leaf.keys_with), self._paths[root])
        return [(pool[place], exact) for place, exact in places]

    def _one(self, leaf: Leaf, seen: Observation, *, exact: bool) -> Judgement | None:
        if leaf.operator == "unlisted":
            return self._unlisted(seen)
        if leaf.operator == "forgery":
            return Judgement(HIT, seen) if self._policy.vocabulary.reads_as_forged(seen) else None
        outcome, understood = self._value(leaf, seen.value)
        if not exact and outcome == CLEAR:
            # A word was expected here and an object or a list stands.
            return Judgement(UNKNOWN, seen, understood=False)
        return Judgement(outcome, seen, understood)

    def _unlisted(self, seen: Observation) -> Judgement | None:
        vocabulary = self._policy.vocabulary
        if vocabulary.is_listed(seen.path):
            return None
        if self._is_unknown(seen.value) and not isinstance(seen.value, Nested) and seen.value is not None:
            return Judgement(UNKNOWN, seen)
        said = vocabulary.read(seen)
        return None if said == DATA else Judgement(said, seen, understood=said != UNKNOWN)

    def _value(self, leaf: Leaf, value: Any) -> tuple[str, bool]:  # noqa: PLR0911 - one return for each thing a value can be
        if leaf.operator == "present":
            filled = isinstance(value, str) and self._policy.vocabulary.is_placeholder(value)
            return (UNKNOWN if filled or self._is_unknown(value) else CLEAR), True
        if leaf.operator in {"in", "equals"} and among(value, _arguments(leaf)):
            return HIT, True
        if self._is_unknown(value):
            return UNKNOWN, not isinstance(value, Nested)
        if leaf.operator == "judged_as":
            return self._policy.vocabulary.judge(leaf.argument, value)
        if leaf.within is not None and not _is_within(value, leaf.within):
            return UNKNOWN, False
        hit = self._is_hit(leaf, value)
        if hit is None:
            return UNKNOWN, False
        if hit:
            return HIT, True
        return (CLEAR, True) if leaf.clear is None or among(value, leaf.clear) else (UNKNOWN, False)

    def _is_unknown(self, value: Any) -> bool:
        if value is None or isinstance(value, Nested | Unreadable):
            return True
        return isinstance(value, str) and value in self._policy.not_processed

    def _is_hit(self, leaf: Leaf, value: Any) -> bool | None:
        if leaf.operator in {"in", "equals"}:
            return False
        if leaf.operator in {"not_in", "not_equals"}:
            return not among(value, _arguments(leaf))
        if leaf.operator == "country":
            return None if not (isinstance(value, str) and is_country(value)) else False
        if leaf.operator == "in_list":
            return (
                self._policy.lists[leaf.argument].holds(value, self._day) if isinstance(value, str) else None
            )
        if leaf.path == LEVEL:
            return LEVELS.index(value) >= LEVELS.index(leaf.argument)
        return _compared(leaf.operator, value, leaf.argument)


# Sessions have much the same observations, so most questions are about places that are known from another session.
@lru_cache(maxsize=8_192)
def _places(
    pattern: str, excluded: tuple[str, ...], words: tuple[str, ...], paths: tuple[str, ...]
) -> tuple[tuple[int, bool], ...]:
    """Return the places of the paths that a question is about, and whether each is just what the pattern means."""
    return tuple(
        (place, exact)
        for place, path in enumerate(paths)
        if (exact := matches(pattern, path)) is not None
        and all(matches(other, path) is None for other in excluded)
        and (not words or _has_word(path, words))
    )


def _arguments(leaf: Leaf) -> tuple[Any, ...]:
    return leaf.argument if isinstance(leaf.argument, tuple) else (leaf.argument,)


def among(value: Any, values: Sequence[Any]) -> bool:
    """Tell whether a value is among others; true is not 1, and 0.0 is 0."""
    return any(_same(value, other) for other in values)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, int | Decimal) and isinstance(other, int | Decimal):
        return value == other
    return isinstance(value, str) and value == other


def _is_within(value: Any, bounds: tuple[Any, Any]) -> bool:
    return isinstance(value, Decimal) and bounds[0] <= value <= bounds[1]


def _compared(operator: str, value: Any, argument: Any) -> bool | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return bool(
        {
            "above": value > argument,
            "at_least": value >= argument,
            "below": value < argument,
            "at_most": value <= argument,
        }[operator]
    )


def _has_word(path: str, words: Sequence[str]) -> bool:
    last = path.rpartition(".")[2].casefold()
    return any(word in last for word in words)
