"""Entries of a list that name a member and give its value, as in `{"label": "documentReadable", "result": "yes"}`: they say what the member `documentReadable` would."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.triage.case_file import Observation
from kycpack.triage.levels import CLEAR
from kycpack.triage.results.leaf_names import own_words
from kycpack.triage.results.scores import good_scores
from kycpack.triage.results.unlisted_leaves import read_leaf
from kycpack.triage.results.vocabulary import Vocabulary

# What a check or a test is called names no claim: that a check of tampering is false may mean that it failed.
_LABELS = frozenset({"label", "name", "key", "insight", "claim", "field", "attribute", "property"})
_VALUES = frozenset({"value", "answer", "detected", "present"})
# A result that is false may be that of a check that failed.
_RESULTS = frozenset({"result", "outcome", "status"})
_YES = frozenset({"yes", "true"})
# The name of a member; a text of any other form describes something.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*")
_LONGEST_NAME = 60


def labelled_entries(group: str, members: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the label and the value of an entry, if a member with that name and value would be clear.

    Args:
        group: Path of the entry.
        members: Its members.
        vocabulary: How a member is read.
    """
    parent, _, place = group.rpartition(".")
    labels = [one for one in members if _is_label(one)]
    values = [one for one in members if _is_value(one) or _is_score(one, vocabulary)]
    names = vocabulary.words["verdict_names"]
    verdicts = [one for one in members if own_words(one.path) and names.issuperset(own_words(one.path))]
    if not place.isdigit() or group.startswith("screening.") or len(labels) != 1 or len(values) != 1:
        return
    (label,), (value,) = labels, values
    named = f"{parent}.{label.value}"
    if _is_score(value, vocabulary):
        scored = {named: [value._replace(path=f"{named}.{own_words(value.path)[-1]}")]}
        if any(good_scores(named, scored, vocabulary, passed=False)):
            yield from (label.path, value.path)
        return
    if any(one.path != value.path for one in verdicts):
        return
    if read_leaf(value._replace(path=named), vocabulary) == CLEAR:
        yield from (label.path, value.path)


def _is_value(seen: Observation) -> bool:
    own = own_words(seen.path)
    affirms = seen.value is True or (isinstance(seen.value, str) and seen.value.strip().casefold() in _YES)
    return len(own) == 1 and (own[0] in _VALUES or (own[0] in _RESULTS and affirms))


def _is_score(seen: Observation, vocabulary: Vocabulary) -> bool:
    own = own_words(seen.path)
    return len(own) == 1 and isinstance(seen.value, Decimal) and own[0] in vocabulary.words["score_words"]


def _is_label(seen: Observation) -> bool:
    own = own_words(seen.path)
    return (
        bool(own)
        and _LABELS.issuperset(own)
        and isinstance(seen.value, str)
        and len(seen.value) <= _LONGEST_NAME
        and _NAME.fullmatch(seen.value) is not None
    )
