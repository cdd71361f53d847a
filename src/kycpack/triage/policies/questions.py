"""The questions that the rules of a policy ask, and their answers for one observation.

Many customers have equal observations, so the answers for a path and a value are cached.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Nested, Observation, Unreadable
from kycpack.triage.countries import CountryList, is_country
from kycpack.triage.levels import CLEAR, HIT, LEVELS, UNKNOWN, weight
from kycpack.triage.paths import LEVEL, matches
from kycpack.triage.policies.rules import Condition, Leaf, Rule, arguments_of, section_of
from kycpack.triage.results.leaf_details import is_listed, kind_of
from kycpack.triage.results.trouble_words import may_read_as_forged, reads_as_forged, tells_of_forgery
from kycpack.triage.results.unlisted_leaves import DATA, read_leaf
from kycpack.triage.results.vocabulary import Vocabulary

_COMPARISONS = {"above": gt, "at_least": ge, "below": lt, "at_most": le}
_MISSING = {"unknown": UNKNOWN, "clear": CLEAR, "hit": HIT}
_REMEMBERED = 65_536

Asked = int | tuple[str, tuple["Asked", ...]]
"""A condition with questions given by number: one question, or `all` or `any` of several conditions."""


@dataclass(frozen=True, slots=True)
class AskedRule:
    """A rule with its index in the policy, and its conditions with questions given by number."""

    place: int
    rule: Rule
    applies_if: Asked | None
    when: Asked


class QuestionAnswer(NamedTuple):
    """The answer to a question for an observation.

    Attributes:
        number: The question.
        outcome: HIT, CLEAR or UNKNOWN.
        understood: False where the observation has a value that the policy does not know.
    """

    number: int
    outcome: str
    understood: bool


class Questions:
    """The questions of some rules, each with a number.

    Args:
        rules: The rules, in order.
        vocabulary: How values of the results are read.
        lists: Dated country lists by name.
        not_processed: Words that mean that a check did not run.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        vocabulary: Vocabulary,
        lists: Mapping[str, CountryList],
        not_processed: frozenset[str],
    ) -> None:
        self._vocabulary, self._lists, self._not_processed = vocabulary, lists, not_processed
        found: list[Leaf] = []
        self.rules = tuple(
            AskedRule(
                place,
                rule,
                None if rule.applies_if is None else _numbered(rule.applies_if, found),
                _numbered(rule.when, found),
            )
            for place, rule in enumerate(rules)
        )
        self.places = {rule.id: place for place, rule in enumerate(rules)}
        self._by_subject = {
            (level, customer): tuple(
                asked
                for asked in self.rules
                if (asked.rule.about_level, asked.rule.about_customer) == (level, customer)
            )
            for level in (False, True)
            for customer in (False, True)
        }
        self.of_level = frozenset(rule.id for rule in rules if rule.about_level)
        self.leaves = tuple(found)
        self.lists = frozenset(leaf.argument for leaf in found if leaf.operator == "in_list")
        self.answers = lru_cache(_REMEMBERED, typed=True)(self._answers)
        self.if_missing = lru_cache(_REMEMBERED // 64)(self._if_missing)
        self.clear = lru_cache(_REMEMBERED // 64)(self._clear)
        self._about = lru_cache(_REMEMBERED // 4)(self._leaves_about)
        self._left_out = lru_cache(_REMEMBERED // 64)(self._places_left_out)
        self._of_applying = frozenset(n for asked in self.rules for n in numbers_of(asked.applies_if))
        self._rule_of = {
            number: asked.place
            for asked in self.rules
            for number in (*numbers_of(asked.applies_if), *numbers_of(asked.when))
        }

    def about(self, *, level: bool) -> tuple[tuple[AskedRule, ...], tuple[AskedRule, ...]]:
        """Return the rules about the recommended level, or all others: those about the customer, and those about a session."""
        return self._by_subject[level, True], self._by_subject[level, False]

    def _answers(self, path: str, value: Any, of_results: bool, day: dt.date) -> tuple[QuestionAnswer, ...]:  # noqa: FBT001 - part of the key of what is remembered
        """Return the answers of all questions that are about an observation.

        Args:
            path: Path of the observation.
            value: Its value.
            of_results: Whether it is a leaf of a results document.
            day: The day of the review, as of which country lists are read.
        """
        seen = Observation(path, value, of_results=of_results)
        about = self._about(path, of_results)
        answers = [self._answer(number, seen, day, exact=exact) for number, exact in about]
        return tuple([answer for answer in answers if answer is not None])

    def left_out(self, answers: Iterable[QuestionAnswer]) -> frozenset[int]:
        """Return the places of the rules that do not apply to a customer, because of what was observed.

        Args:
            answers: The answers about all observations.
        """
        outcomes: dict[int, str] = {}
        for answer in answers:
            if answer.number in self._of_applying:
                outcomes[answer.number] = max(
                    outcomes.get(answer.number, answer.outcome), answer.outcome, key=weight
                )
        return self._left_out(frozenset(outcomes.items()))

    def _places_left_out(self, answered: frozenset[tuple[int, str]]) -> frozenset[int]:
        # What was not observed may still make a rule apply.
        outcomes = dict.fromkeys(range(len(self.leaves)), HIT) | dict(answered)
        return frozenset(
            asked.place
            for asked in self.rules
            if asked.applies_if is not None and outcome_of(asked.applies_if, outcomes) == CLEAR
        )

    def are_clear(self, answers: Iterable[QuestionAnswer], left_out: frozenset[int]) -> bool:
        """Return whether no rule that asks about an observation can be anything but clear by it.

        Args:
            answers: The answers about the observation.
            left_out: As returned by `left_out`.
        """
        return all(answer.outcome == CLEAR or self._rule_of[answer.number] in left_out for answer in answers)

    def _if_missing(self, sections: frozenset[str], optional: frozenset[str]) -> tuple[str, ...]:
        """Return the outcome of every question when nothing that it is about was observed.

        Args:
            sections: The sections that the results have.
            optional: Sections that were not checked and did not have to be.
        """
        return tuple(_absence(leaf, sections, optional) for leaf in self.leaves)

    def _clear(self, outcomes: tuple[str, ...], day: dt.date) -> frozenset[int]:
        """Return the indices of the rules that are in force, apply, and are clear because the check was made.

        Args:
            outcomes: The outcome of each question.
            day: The day of the review.
        """
        return frozenset(
            asked.place
            for asked in self.rules
            if outcome_of(asked.when, outcomes) == CLEAR
            and (asked.applies_if is None or outcome_of(asked.applies_if, outcomes) == HIT)
            and asked.rule.in_force(day)
        )

    def _leaves_about(self, path: str, of_results: bool) -> tuple[tuple[int, bool], ...]:  # noqa: FBT001 - part of the key of what is remembered
        """Return the questions about a path, and whether each matches exactly this path."""
        passed_over = {
            *(("unlisted",) if is_listed(path, self._vocabulary) else ()),
            *(() if may_read_as_forged(path, self._vocabulary) else ("forgery",)),
        }
        return tuple(
            (number, exact)
            for number, leaf in enumerate(self.leaves)
            if leaf.operator not in passed_over
            and (exact := is_about(leaf, path, of_results=of_results)) is not None
        )

    def _answer(self, number: int, seen: Observation, day: dt.date, *, exact: bool) -> QuestionAnswer | None:
        leaf = self.leaves[number]
        if leaf.operator == "unlisted":
            return self._unlisted(number, seen)
        if leaf.operator == "forgery":
            return (
                QuestionAnswer(number, HIT, understood=True)
                if reads_as_forged(seen, self._vocabulary) or self._tells_of_forgery(seen)
                else None
            )
        outcome, understood = self._value(leaf, seen.value, day)
        if not exact and outcome == CLEAR:
            # An object or a list is in place of a word.
            return QuestionAnswer(number, UNKNOWN, understood=False)
        return QuestionAnswer(number, outcome, understood)

    def _unlisted(self, number: int, seen: Observation) -> QuestionAnswer | None:
        if self._is_unknown(seen.value) and not isinstance(seen.value, Nested) and seen.value is not None:
            return QuestionAnswer(number, UNKNOWN, understood=True)
        said = read_leaf(seen, self._vocabulary)
        return None if said == DATA else QuestionAnswer(number, said, said != UNKNOWN)

    def _tells_of_forgery(self, seen: Observation) -> bool:
        """Return whether a leaf that judges and is not fine tells of forgery in a code or a few words, as in `DOC-WAS-FORGED`."""
        if not isinstance(seen.value, str) or not tells_of_forgery(seen.value, self._vocabulary):
            return False
        if is_listed(seen.path, self._vocabulary):
            kind = kind_of(seen.path, self._vocabulary)
            return bool(kind) and self._vocabulary.judge(kind, seen.value)[0] != CLEAR
        return read_leaf(seen, self._vocabulary) in {UNKNOWN, HIT}

    def _value(self, leaf: Leaf, value: Any, day: dt.date) -> tuple[str, bool]:  # noqa: PLR0911 - one return for each thing a value can be
        if leaf.operator == "present":
            filled = isinstance(value, str) and self._vocabulary.is_placeholder(value)
            return (UNKNOWN if filled or self._is_unknown(value) else CLEAR), True
        if leaf.operator in {"in", "equals"} and among(value, arguments_of(leaf)):
            return HIT, True
        if self._is_unknown(value):
            return UNKNOWN, not isinstance(value, Nested | Unreadable)
        if leaf.operator == "judged_as":
            return self._vocabulary.judge(leaf.argument, value)
        if leaf.within is not None and not _is_within(value, leaf.within):
            return UNKNOWN, False
        hit = self._is_hit(leaf, value, day)
        if hit is None:
            return UNKNOWN, False
        if hit:
            return HIT, True
        return (CLEAR, True) if leaf.clear is None or among(value, leaf.clear) else (UNKNOWN, False)

    def _is_unknown(self, value: Any) -> bool:
        is_unprocessed = isinstance(value, str) and value in self._not_processed
        return value is None or isinstance(value, Nested | Unreadable) or is_unprocessed

    def _is_hit(self, leaf: Leaf, value: Any, day: dt.date) -> bool | None:
        if leaf.operator in {"in", "equals"}:
            return False
        if leaf.operator in {"not_in", "not_equals"}:
            return not among(value, arguments_of(leaf))
        if leaf.operator == "country":
            return None if not (isinstance(value, str) and is_country(value)) else False
        if leaf.operator == "in_list":
            return self._lists[leaf.argument].holds(value, day) if isinstance(value, str) else None
        if leaf.path == LEVEL:
            return LEVELS.index(value) >= LEVELS.index(leaf.argument)
        return compared(leaf.operator, value, leaf.argument)


def outcome_of(asked: Asked, outcomes: Sequence[str] | Mapping[int, str]) -> str:
    """Return the outcome of a condition.

    Args:
        asked: The condition.
        outcomes: The outcome of each question.
    """
    if isinstance(asked, int):
        return outcomes[asked]
    choose = min if asked[0] == "all" else max
    return choose([outcome_of(part, outcomes) for part in asked[1]], key=weight)


def numbers_of(asked: Asked | None) -> tuple[int, ...]:
    """Return the numbers of the questions of a condition; none without one."""
    if asked is None:
        return ()
    return (asked,) if isinstance(asked, int) else tuple(n for part in asked[1] for n in numbers_of(part))


def _numbered(condition: Condition, found: list[Leaf]) -> Asked:
    """Return a condition with numbers for its questions, and add the questions to a list."""
    if isinstance(condition, Leaf):
        found.append(condition)
        return len(found) - 1
    return condition.kind, tuple(_numbered(part, found) for part in condition.parts)


def is_about(leaf: Leaf, path: str, *, of_results: bool) -> bool | None:
    """Return whether a question is about a path; see `paths.matches`.

    Args:
        leaf: The question.
        path: The path.
        of_results: Whether it is a path of the results, which a question about any section may be about.
    """
    if "*" in leaf.path.partition(".")[0] and not of_results:
        return None
    exact = matches(leaf.path, path)
    if exact is None or any(matches(other, path) is not None for other in leaf.excluded):
        return None
    return exact if not leaf.keys_with or _has_word(leaf.path, path, leaf.keys_with) else None


def _absence(leaf: Leaf, sections: frozenset[str], optional: frozenset[str]) -> str:
    """Return the outcome of a missing observation; never clear if its section is missing."""
    section = leaf.path.partition(".")[0]
    if section_of(leaf.path) in optional:
        return CLEAR
    if leaf.if_missing == "clear" or leaf.operator in {"unlisted", "forgery"}:
        if section in SECTIONS and section not in sections:
            return UNKNOWN
        return UNKNOWN if section == "**" and not sections else CLEAR
    return _MISSING[leaf.if_missing]


def among(value: Any, values: Sequence[Any]) -> bool:
    """Return whether a value is among others; true does not equal 1, and 0.0 equals 0."""
    return any(_same(value, other) for other in values)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, int | Decimal) and isinstance(other, int | Decimal):
        return value == other
    return isinstance(value, str) and value == other


def _is_within(value: Any, bounds: tuple[Any, Any]) -> bool:
    return isinstance(value, Decimal) and bounds[0] <= value <= bounds[1]


def compared(operator: str, value: Any, argument: Any) -> bool | None:
    """Return the result of a comparison of numbers; None if the value is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return bool(_COMPARISONS[operator](value, argument))


def _has_word(pattern: str, path: str, words: Sequence[str]) -> bool:
    """Return whether the last name of a path contains one of some words, or any name that `**` alone or the end of `watchlist.*` leaves open."""
    steps = path.split(".")
    is_open = pattern == "**" or pattern.endswith(".*")
    named = steps[pattern.count(".") :] if is_open else steps[-1:]
    return any(word in step.casefold() for step in named for word in words)
