"""Names that are about a further person or thing: a second face in a selfie is bad news, however live or confirmed it is."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from kycpack.triage.results.vocabulary import name_words, own_words, words_of

BOXES = frozenset({"box", "boxes", "bbox", "bboxes", "roi", "rois", "rect", "rectangle", "rectangles"})
"""What the place of something in a picture is called."""
FURTHER = frozenset(
    {"second", "secondary", "third", "background", "multi", "multiple", "overlay", "other", "another", "additional", "extra", "further"}
)  # fmt: skip
"""Words that say that somebody or something is a further one."""
_WORDS = words_of("further_people")
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
