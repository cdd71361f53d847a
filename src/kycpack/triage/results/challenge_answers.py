"""What a check asked for and what came: a code that was to be read out and what was heard, turns of the head and those that were seen."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import own_words
from kycpack.triage.results.result_dates import dates_of, place_of

_ASKED = frozenset({"expected", "asked", "prompt", "prompted", "requested", "shown", "displayed", "required"})
_ANSWERED = frozenset(
    {
        "heard",
        "said",
        "spoken",
        "given",
        "answered",
        "actual",
        "received",
        "recognised",
        "recognized",
        "entered",
        "observed",
        "performed",
        "repeated",
        "detected",
        "read",
    }
)
_TIMES = frozenset({"at", "on", "date", "time", "ms", "seconds"})
_IN_LIST = re.compile(r"\.[0-9]+$")


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
        sides = own & _ASKED, own & _ANSWERED
        if len(sides[0]) + len(sides[1]) != 1 or own & _TIMES or not _is_answer(one):
            continue
        key = path.rpartition(".")[0], frozenset(own - _ASKED - _ANSWERED)
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
