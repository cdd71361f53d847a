"""Names that are about a further person or thing, and members that are fine by their name and value unless they are about one: a second face in a selfie is bad news, however live or confirmed it is."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
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

_WORDS = words_of("further_people")
_DENIALS = frozenset(map(value_key, (False, 0, "none", "no", "nil", "not detected", "absent")))

BOXES = frozenset({"box", "boxes", "bbox", "bboxes", "roi", "rois", "rect", "rectangle", "rectangles"})
"""What the place of something in a picture is called."""
FURTHER = frozenset(
    {"second", "secondary", "third", "background", "multi", "multiple", "overlay", "other", "another", "additional", "extra", "further"}
)  # fmt: skip
"""Words that say that somebody or something is a further one."""
_ONES = _WORDS["persons"] | {
    "account", "accounts", "device", "devices", "phone", "screen", "applicant", "customer", "user", "selfie", "document", "documents", "photo", "photos",
    "text", "name", "address", "image",
}  # fmt: skip


def is_of_second_one(own: Collection[str]) -> bool:
    """Return whether a name is about a further person or thing, as in `multiplePersonConfirmed` or `sameFace`.

    Args:
        own: The words of the name.
    """
    said = {*own}
    # The same face as whose is not said.
    is_bare = said in ({"same"}, {"same", "face"}, {"same", "device"})
    return is_bare or (
        not (said.isdisjoint(FURTHER) or said.isdisjoint(_ONES)) and said.isdisjoint(_WORDS["features"])
    )


def is_of_second_person(path: str) -> bool:
    """Return whether a group around a leaf is that of a further person in a picture or a recording, as in `secondFace.box`, `face2.box` or `faces.1.box`."""
    *groups, leaf = path.split(".")
    of_identity = groups[:1] == ["identity"]
    # The second entry of a list of faces may be a text, as an id; a second number in one face is a coordinate.
    if leaf.isdecimal() and not _WORDS["listed"].isdisjoint(own_words(groups[-1] if groups else "")[-1:]):
        groups.append(leaf)
    for step, inside in pairwise([*groups, ""]):
        words, own = name_words(step), own_words(step)
        if not _WORDS["persons"].isdisjoint(own) and (is_of_second_one(own) or any(map(_is_further, words))):
            return True
        listed = _WORDS["persons"] | BOXES if of_identity else _WORDS["persons"]
        if _is_further(f"{int(inside) + 1}" if inside.isdecimal() else "") and own[-1:] and own[-1] in listed:
            return True
    return False


def _is_further(number: str) -> bool:
    return number.isdecimal() and int(number) > 1


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
