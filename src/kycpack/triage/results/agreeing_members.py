"""Members that agree: counts of what was asked and passed, a limit and its number, what a check asked for and what came, an estimated age and the date of birth, a name and the holder's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from kycpack.triage.case_file import Observation
from kycpack.triage.results.described_states import is_judged_as_data
from kycpack.triage.results.result_dates import dates_of, place_of
from kycpack.triage.results.vocabulary import LeafGroup, own_words, text_words, words_of

_LEAST = Decimal("0.5")
_WORDS = words_of("agreeing_members")
_IN_LIST = re.compile(r"\.[0-9]+$")
_YEARS_APART = 10


def own_names(group: LeafGroup) -> Iterator[str]:
    """Yield the words for a verdict among data of the document, the address or the person that are the holder's own name or the address's town: somebody may be called Valid."""
    if group.path.partition(".")[0] not in _WORDS["with_data"]:
        return
    name = {
        word
        for path in ("document.holder.firstName", "document.holder.lastName")
        for word in text_words(str(group.listed.get(path, "")))
    }
    city = text_words(str(group.listed.get("address.extractedAddress.city", "")))
    for one in group.members:
        if not isinstance(one.value, str) or not is_judged_as_data(one.path, one.value, group.vocabulary):
            continue
        own, said = {*own_words(one.path)}, text_words(one.value)
        if said and (
            (own <= _WORDS["names"] and name.issuperset(said)) or (own <= _WORDS["cities"] and said == city)
        ):
            yield one.path


def equal_counts(group: LeafGroup) -> Iterator[str]:
    """Yield the counts of questions asked and passed, if they are equal, and counts of sources, if there are enough."""
    yield from _of_and_done(group.members)
    numbers = {
        "".join(own_words(one.path)): one
        for one in group.members
        if isinstance(one.value, Decimal) and one.value > 0
    }

    def named(words: str) -> Observation | None:
        return next((one for name, one in numbers.items() if name in group.vocabulary[words]), None)

    asked, passed, mark = named("asked_counts"), named("passed_counts"), numbers.get("passmark")
    if asked is not None and passed is not None and asked.value == passed.value:
        yield from (asked.path, passed.path)
    if mark is not None and passed is not None and passed.value >= mark.value:
        yield mark.path
    confirming, needed = named("source_counts"), named("needed_counts")
    if confirming is not None and needed is not None and confirming.value >= needed.value > 1:
        yield from (confirming.path, needed.path)


def _of_and_done(group: Sequence[Observation]) -> Iterator[str]:
    """Yield two counts of one thing, the total and the number done or correct, if they are equal."""
    found: dict[frozenset[str], dict[bool, list[Observation]]] = {}
    for one in group:
        own = {*own_words(one.path)}
        if (
            not isinstance(one.value, Decimal)
            or one.value <= 0
            or len(own & (_WORDS["of"] | _WORDS["right"])) != 1
        ):
            continue
        if one.path.startswith("screening.") and not own.isdisjoint({"matched", "matching", "equal"}):
            continue
        found.setdefault(frozenset(own - _WORDS["of"] - _WORDS["right"]), {}).setdefault(
            not own.isdisjoint(_WORDS["right"]), []
        ).append(one)
    for stem, sides in found.items():
        if {*sides} == {True, False} and len({one.value for side in sides.values() for one in side}) == 1:
            yield from (one.path for side in sides.values() for one in side)
            yield from (one.path for one in group if _is_least(one, stem, sides[True][0].value))


def _is_least(seen: Observation, stem: frozenset[str], reached: Decimal) -> bool:
    """Return whether a number is the least that a count has to reach, at least half of what it reached, and no more than that."""
    own = {*own_words(seen.path)}
    named = own - stem
    return (
        isinstance(seen.value, Decimal)
        and bool(named)
        and stem < own
        and named <= {"minimum", "min", "least", "needed"}
        and reached * _LEAST <= seen.value <= reached
    )


def limits_of_fine(group: LeafGroup) -> Iterator[str]:
    """Yield the upper limits of numbers that are fine themselves and not above them, as in `{"attempt": 1, "maxAttempts": 3}`."""
    numbers = {
        frozenset(part.removesuffix("s") for part in own_words(one.path)): one
        for one in group.members
        if isinstance(one.value, Decimal) and own_words(one.path)
    }
    for words, one in numbers.items():
        counted = numbers.get(words - _WORDS["most"])
        if (
            counted is not None
            and counted is not one
            and counted.path in group.fine
            and counted.value <= one.value
        ):
            yield one.path


class _Pair(NamedTuple):
    """What was asked for and what came, each in the order of the results."""

    asked: list[Observation]
    answered: list[Observation]

    @property
    def is_equal(self) -> bool:
        return [_plain(one) for one in self.asked] == [_plain(one) for one in self.answered]


def answers_as_expected(seen: Sequence[Observation]) -> Iterator[str]:
    """Yield the paths of what a check asked for and of what came, where both are the same.

    Args:
        seen: The observations of one session.
    """
    for pair in _pairs(seen):
        if pair.is_equal:
            yield from (one.path for one in (*pair.asked, *pair.answered))


def other_answers(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield what came where a check had asked for something else.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and a description such as `an answer that was not asked for under “challenge” in the section “identity”`.
    """
    for pair in _pairs(seen):
        if not pair.is_equal:
            one = pair.answered[0]
            yield one, f"an answer that was not asked for{place_of(_IN_LIST.sub('', one.path))}"


def _pairs(seen: Sequence[Observation]) -> Iterator[_Pair]:
    """Yield the pairs of two members of one group whose names differ only in the word for asking or for answering."""
    found: dict[tuple[str, frozenset[str]], tuple[dict[str, list[Observation]], dict[str, list[Observation]]]]
    found = defaultdict(lambda: (defaultdict(list), defaultdict(list)))
    for one in seen:
        if not one.of_results or one.path.startswith("screening."):
            continue
        path = _IN_LIST.sub("", one.path)
        own = {*own_words(path)}
        sides = own & _WORDS["asked"], own & _WORDS["answered"]
        if len(sides[0]) + len(sides[1]) != 1 or own & _WORDS["times"] or not _is_answer(one):
            continue
        key = path.rpartition(".")[0], frozenset(own - _WORDS["asked"] - _WORDS["answered"])
        found[key][0 if sides[0] else 1][path].append(one)
    for asked, answered in found.values():
        if len(asked) == len(answered) == 1:
            yield _Pair(*(next(iter(side.values())) for side in (asked, answered)))


def _is_answer(seen: Observation) -> bool:
    """Return whether a value can be compared: a text that is no time, or a whole number, since a share is a score."""
    if isinstance(seen.value, str):
        return bool(seen.value.strip()) and not dates_of(seen.value)
    return isinstance(seen.value, Decimal) and seen.value == seen.value.to_integral_value()


def _plain(seen: Observation) -> str:
    return "".join(str(seen.value).split()).casefold()


def near_age(group: LeafGroup) -> Iterator[str]:
    """Yield the holder's age, and an estimated age with its margin, that are close to the age from the date of birth."""
    born = dates_of(str(group.listed.get("document.holder.dateOfBirth", "")))
    around = group.named
    estimates, margins = group.vocabulary["estimate_words"], group.vocabulary["margin_words"]
    for one in group.members:
        own = {*own_words(one.path)}
        is_estimate = "age" in own | around and bool((own | around) & (estimates - {"age", "value", "years"}))
        is_age = "age" in own and own <= _WORDS["ages"] and (own != {"age"} or "holder" in around)
        if not ((is_estimate or is_age) and born and isinstance(one.value, Decimal)):
            continue
        if is_age:
            # A year's difference is a birthday between the check and the review.
            yield from (one.path for date in born if (group.day - date).days // 365 - one.value in (0, 1))
            continue
        is_near = any(abs(one.value - (group.day - date).days // 365) <= _YEARS_APART for date in born)
        if (own <= margins and one.value <= _YEARS_APART) or (
            own <= estimates | _WORDS["bounds"] and is_near
        ):
            yield one.path
