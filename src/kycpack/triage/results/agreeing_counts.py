"""Counts of one group that agree: what was asked and what was passed, the sources that confirm and how many have to, and a limit that a number keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import own_words
from kycpack.triage.results.vocabulary import Vocabulary

_LEAST = Decimal("0.5")
_MOST = frozenset({"max", "maximum", "limit", "allowed", "permitted"})
_OF = frozenset({
    "asked", "requested", "total", "compared", "checked", "run", "required", "planned", "expected", "of", "all",
})  # fmt: skip
_RIGHT = frozenset(
    {
        "correct",
        "equal",
        "matched",
        "agree",
        "agreed",
        "agreeing",
        "matching",
        "passed",
        "done",
        "completed",
        "succeeded",
        "finished",
        "achieved",
        "answered",
        "reached",
    }
)


def equal_counts(group: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the counts of questions asked and passed, if they are equal, and counts of sources, if there are enough."""
    yield from _of_and_done(group)
    numbers = {
        "".join(own_words(one.path)): one for one in group if isinstance(one.value, Decimal) and one.value > 0
    }

    def named(words: str) -> Observation | None:
        return next((one for name, one in numbers.items() if name in vocabulary.words[words]), None)

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
        if not isinstance(one.value, Decimal) or one.value <= 0 or len(own & (_OF | _RIGHT)) != 1:
            continue
        if one.path.startswith("screening.") and not own.isdisjoint({"matched", "matching", "equal"}):
            continue
        found.setdefault(frozenset(own - _OF - _RIGHT), {}).setdefault(not own.isdisjoint(_RIGHT), []).append(
            one
        )
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


def limits_of_fine(group: Sequence[Observation], fine: Collection[str]) -> Iterator[str]:
    """Yield the upper limits of numbers that are fine themselves and not above them, as in `{"attempt": 1, "maxAttempts": 3}`.

    Args:
        group: The members of a group.
        fine: Paths of the leaves that are fine.
    """
    numbers = {
        frozenset(part.removesuffix("s") for part in own_words(one.path)): one
        for one in group
        if isinstance(one.value, Decimal) and own_words(one.path)
    }
    for words, one in numbers.items():
        counted = numbers.get(words - _MOST)
        if counted is not None and counted is not one and counted.path in fine and counted.value <= one.value:
            yield one.path
