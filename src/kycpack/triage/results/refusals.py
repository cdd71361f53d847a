"""Decisions of the provider beside the outcome of a section, as in `decision.status: declined`: a refusal there is one whatever the outcome says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.vocabulary import name_words, plain_word, words_of

_WORDS = words_of("refusals")
_ANSWER, _RED = "answer", "red"


def refusals(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield the decisions in a session's results that refuse the customer, apart from the outcomes of the service's own sections.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and its description.
    """
    for one in seen:
        if not one.of_results or not isinstance(one.value, str):
            continue
        said = plain_word(one.value)
        refuses = said in _WORDS["refused"] or (said == _RED and _ANSWER in name_words(one.path))
        if refuses and _is_decision(one.path):
            yield one, "a decision of the provider that refuses the customer"


@lru_cache(maxsize=16_384)
def _is_decision(path: str) -> bool:
    """Return whether a leaf is the decision on a section or on all of the results."""
    # A decision may be a list of one.
    steps = path.rstrip("0123456789.").split(".")
    own = steps[1:] if steps[0] in SECTIONS else steps
    if not own or (steps[0] in SECTIONS and own == ["outcome"]):
        return False
    words = [name_words(step) for step in own]
    said = {part for step in words for part in step}
    return all(words) and said <= _WORDS["decisions"] and not said.isdisjoint(_WORDS["decided"])
