"""Points in a picture: the corners of a document, the landmarks of a face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import own_words, steps_of
from kycpack.triage.results.trouble_words import in_claiming_group, in_trouble_group, is_known_group
from kycpack.triage.results.vocabulary import Vocabulary

_SHAPES = frozenset(
    {"corner", "corners", "polygon", "landmark", "landmarks", "vertex", "vertices", "points", "keypoints", "contour", "outline", "quad", "cropped", "crop"}
    | {"bounding", "bounds", "box"}
)  # fmt: skip
_PARTS = frozenset(
    {"top", "bottom", "left", "right", "center", "centre", "eye", "eyes", "nose", "mouth", "chin", "ear", "tip", "corner", "of", "upper", "lower"}
)  # fmt: skip
_AXES = frozenset({"x", "y", "z"})
_FURTHER = frozenset({"second", "third", "other", "another", "additional", "extra", "further", "background"})
_FURTHER_ENTRY = re.compile(r"(?:faces|persons|people)\.[1-9]")


def picture_points(group: str, members: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the numbers of a point, as in `corners: [[12, 44], ...]` or `landmarks.leftEye: {"x": 120, "y": 88}`.

    Points around something that nobody knows, as a `stain` or a second face, may be bad news.

    Args:
        group: Path of the point.
        members: Its members.
        vocabulary: Its words of groups.
    """
    inside = f"{group}.x"
    steps = [step for step in steps_of(inside)[0] if step not in SECTIONS]
    named = {part for step in steps for part in own_words(step)}
    shapes = named & _SHAPES
    rest = named - _SHAPES - _PARTS
    if (
        not shapes
        # Two numbers that are called points may be scores.
        or (shapes == {"points"} and not group.rpartition(".")[2].isdigit())
        or not rest.isdisjoint(_FURTHER)
        or not is_known_group(rest, vocabulary)
        or _FURTHER_ENTRY.search(group)
        or group.startswith("screening")
        or in_trouble_group(inside, vocabulary)
        or in_claiming_group(
            ".".join([*(step for step in steps if not {*own_words(step)} <= _SHAPES | _PARTS), "x"]),
            vocabulary,
        )
    ):
        return
    is_point = all(isinstance(one.value, Decimal) and {*own_words(one.path)} <= _AXES for one in members)
    if members and is_point and len(members) in {2, 3}:
        yield from (one.path for one in members)
