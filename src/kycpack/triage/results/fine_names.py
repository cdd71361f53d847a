"""Members that are fine by their name and value, as `eyesOpen: true` is, if nothing around them says that they are about somebody else."""

from __future__ import annotations

from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.results.trouble_words import in_trouble_group, is_known_group
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    group_words,
    name_words,
    own_words,
    plain_word,
    steps_of,
    value_key,
    words_of,
)

_WORDS = words_of("fine_names")
_DENIALS = frozenset(map(value_key, (False, 0, "none", "no", "nil", "not detected", "absent")))


def is_fine_by_name(path: str, plain: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a member has a value that is listed as fine for its name, alone or after the name of its group.

    Args:
        path: Path of the member.
        plain: Its name in plain form.
        value: Its value.
        vocabulary: Its names with the values that are fine.
    """
    groups, _ = steps_of(path)
    within = "".join(name_words(groups[-1])) if groups else ""
    key = value_key(value)
    if in_trouble_group(path, vocabulary) or not any(
        key in vocabulary.fine_names.get(one, ()) for one in (plain, within + plain)
    ):
        return False
    # Denied trouble is none, whoever it would be about.
    return key in _DENIALS or not _is_of_others(groups, vocabulary)


def _is_of_others(groups: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a group is named after somebody else or after something that nobody knows."""
    own = groups[1:] if groups[:1] and groups[0] in SECTIONS else groups
    unlisted = [step for step in own if "".join(name_words(step)) not in vocabulary.fine_names]
    around = [part for step in unlisted for part in own_words(step)]
    others = _WORDS["others"] | vocabulary["words_of_others"] | vocabulary["further_words"]
    return not (others.isdisjoint(around) and is_known_group(around, vocabulary))


def is_feature_seen(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf says that a security feature of a document is present; the group may name the feature.

    Args:
        path: Path of the leaf.
        parts: The words of its name.
        value: Its value.
        vocabulary: Its security features, and the words that may stand beside them.
    """
    if {*parts} <= vocabulary["feature_states"]:
        parts = [*group_words(path), *parts]
    features = vocabulary["security_features"].intersection(parts)
    return (
        bool(features)
        and {*parts} - features
        <= _WORDS["of_features"] | vocabulary["feature_words"] | vocabulary["check_words"]
        and (value is True or (isinstance(value, str) and plain_word(value) in vocabulary["feature_seen"]))
    )
