"""Where something lies in a picture, and how good the picture is: corners, landmarks and boxes, and measures such as sharpness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.further_people import BOXES, FURTHER, is_of_second_person
from kycpack.triage.results.scores import GOOD_PICTURE, HUNDRED, most_of
from kycpack.triage.results.trouble_words import in_claiming_group, in_trouble_group, is_known_group
from kycpack.triage.results.vocabulary import (
    LeafGroup,
    Vocabulary,
    last_group,
    name_words,
    own_words,
    steps_of,
    text_words,
    words_of,
)

_WORDS = words_of("pictures")
_LITTLE = Decimal("0.2")
_FLAWS = (["glare"], ["blur"], ["noise"])
# A picture in the middle of these scales is a normal one.
_NORMAL_TONE = Decimal("0.3")
_SLIGHT = Decimal("0.1")
_PER_CENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?) ?%")


def picture_points(group: LeafGroup) -> Iterator[str]:
    """Yield the numbers of a point, as in `corners: [[12, 44], ...]` or `landmarks.leftEye: {"x": 120, "y": 88}`.

    Points around something that nobody knows, as a `stain` or a second face, may be bad news.
    """
    inside = f"{group.path}.x"
    steps = [step for step in steps_of(inside)[0] if step not in SECTIONS]
    named = {part for step in steps for part in own_words(step)}
    shapes = named & _WORDS["shapes"]
    rest = named - _WORDS["shapes"] - _WORDS["parts"]
    if (
        not shapes
        # Two numbers that are called points may be scores.
        or (shapes == {"points"} and not group.path.rpartition(".")[2].isdigit())
        or not rest.isdisjoint(FURTHER)
        or not is_known_group(rest, group.vocabulary)
        or is_of_second_person(inside)
        or group.path.startswith("screening")
        or in_trouble_group(inside, group.vocabulary)
        or in_claiming_group(
            ".".join(
                [
                    *(step for step in steps if not {*own_words(step)} <= _WORDS["shapes"] | _WORDS["parts"]),
                    "x",
                ]
            ),
            group.vocabulary,
        )
    ):
        return
    is_point = all(
        isinstance(one.value, Decimal) and {*own_words(one.path)} <= _WORDS["axes"] for one in group.members
    )
    if group.members and is_point and len(group.members) in {2, 3}:
        yield from (one.path for one in group.members)


def box_sides(group: LeafGroup) -> Iterator[str]:
    """Yield the place and size of a box in a picture, if both its width and its height are given.

    What lies in a box with an unknown name, as in `stain`, or in that of a `secondFace`, may be bad news.
    """
    named = {part for part in name_words(group.path) if not part.isdigit()}
    is_further = not named.isdisjoint(FURTHER) or is_of_second_person(f"{group.path}.x")
    # Changes and errors are known as groups, and bad news in a picture.
    is_bad = not named.isdisjoint(group.vocabulary["denied_words"])
    if is_further or is_bad or not is_known_group(named - BOXES, group.vocabulary):
        return
    numbers = {" ".join(own_words(one.path)): one for one in group.members if isinstance(one.value, Decimal)}
    if any(size <= {*numbers} for size in ({"width", "height"}, {"w", "h"})):
        yield from (one.path for name, one in numbers.items() if name in _WORDS["sides"])
    # Its four numbers as a list.
    unnamed = [one for one in group.members if isinstance(one.value, Decimal) and not own_words(one.path)]
    if _is_box(last_group(f"{group.path}.")) and len(unnamed) == len(group.members) == 4:
        yield from (one.path for one in group.members)


def _is_box(step: str) -> bool:
    return not BOXES.isdisjoint(name_words(step)[-1:])


def marks_unknown_thing(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of a box in a picture may mark something bad: nobody knows what the box is named after, or a text in it has an unknown word.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words of groups and of data.
    """
    groups, _ = steps_of(path)
    if not any(_is_box(step) for step in groups):
        return False
    if isinstance(value, str):
        return not vocabulary["data_texts"].issuperset(text_words(value))
    named = [part for step in groups for part in own_words(step)]
    return not is_known_group({*named} - BOXES, vocabulary)


def picture_measures(group: LeafGroup) -> Iterator[str]:
    """Yield the paths of how sharp, complete and bright a picture is, if all of these are good, and of their scale.

    A measure for which low is better counts only if the scale says that on it, higher is better.
    """
    vocabulary = group.vocabulary
    members = [_in_per_cent(one) for one in group.members]
    named = {*name_words(group.path)}
    of_pictures = not named.isdisjoint(vocabulary["picture_groups"])
    if group.path.startswith("screening") or not (of_pictures or is_known_group(named, vocabulary)):
        return
    scales = [
        one
        for one in group.around
        if {*own_words(one.path)} <= vocabulary["scale_words"] | {"direction"} and own_words(one.path)
    ]
    turned = any("higher is better" in str(one.value).casefold() for one in scales)
    if any("lower is better" in str(one.value).casefold() for one in scales):
        return
    overall = frozenset({"overall"} if "quality" in group.named else ())
    measured = [
        one
        for one in members
        if isinstance(one.value, Decimal)
        and own_words(one.path)
        and {*own_words(one.path)}
        <= (vocabulary["picture_measures"] if of_pictures else _WORDS["of_pictures"]) | overall
    ]
    plain = [
        one
        for one in measured
        if turned
        or vocabulary["better_if_low"].isdisjoint(own_words(one.path))
        or "no" in own_words(one.path)
    ]
    top = HUNDRED if any(one.value > 1 for one in plain) else Decimal(1)
    if not scales:
        # The share of a picture that is blurred or dazzled, as it is called: nearly none.
        yield from (
            one.path for one in measured if own_words(one.path) in _FLAWS and 0 <= one.value <= _SLIGHT
        )
    tops = {
        most
        for one in scales
        if (most := most_of(one.value) or most_of(str(one.value).partition(",")[0])) is not None
    }

    def least(one: Observation) -> Decimal:
        if group.passed:
            return _LITTLE
        return _NORMAL_TONE if {*own_words(one.path)} <= _WORDS["tones"] else GOOD_PICTURE

    if plain and tops <= {top} and all(least(one) * top <= one.value <= top for one in plain):
        yield from (one.path for one in plain)
        if len(plain) == len(measured):
            yield from (one.path for one in scales)


def _in_per_cent(seen: Observation) -> Observation:
    """Return a measure whose text is a share in per cent, as `82%`, with its number."""
    found = _PER_CENT.fullmatch(seen.value.strip()) if isinstance(seen.value, str) else None
    return seen._replace(value=Decimal(found[1])) if found else seen
