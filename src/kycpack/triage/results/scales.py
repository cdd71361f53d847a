"""Risk scores and measures of image quality whose scale says which end is good."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import last_group, name_words, own_words
from kycpack.triage.results.scores import HUNDRED, most_of
from kycpack.triage.results.trouble_words import is_known_group
from kycpack.triage.results.vocabulary import Vocabulary

_LITTLE, _GOOD_PICTURE = Decimal("0.2"), Decimal("0.8")
_FLAWS = (["glare"], ["blur"], ["noise"])
# A picture in the middle of these scales is a normal one.
_NORMAL_TONE = Decimal("0.3")
_TONES = frozenset({"brightness", "contrast", "saturation", "exposure", "luminance"})
# What only a picture has, whatever its group is called.
_OF_PICTURES = frozenset({"sharpness", "brightness", "contrast", "exposure", "saturation", "illumination"})
_SLIGHT = Decimal("0.1")
_RISKS = frozenset({"value", "score", "risk score", "risk", "points"})
_TOPS = frozenset({"max", "maximum", "scale", "scale max", "max score", "out of", "range"})
_BANDS = frozenset({"band", "level", "rating", "risk level", "risk band", "category", "class"})
_LOW_IS_GOOD = re.compile(
    r"0 ?(?:=|is|\(|:) ?(?:lowest|low|no|none)(?: risk)?\)?(?:,|;|-| to| \u2013)? ?(1|10|100|1000) ?(?:=|is|\(|:) ?(?:highest|high|max|maximum)(?: risk)?\)?"
    r"|0 ?(?:-|\u2013|to) ?(1|10|100|1000),? (?:lower is better|higher is worse|higher means more risk|higher is riskier)"
)
_FROM_ZERO = re.compile(r"0(?:\.0+)? ?(?:-|\u2013|to) ?(1|10|100|1000)(?:\.0+)?")


def low_risks(group: str, members: Sequence[Observation]) -> Iterator[str]:
    """Yield the paths of a risk score in the lowest fifth of its scale, and of the members that give the scale.

    Yields nothing unless the members give the scale and say that low is good.

    Args:
        group: Path of the group.
        members: Its members.
    """
    by_words = {" ".join(own_words(one.path)): one for one in members}
    numbers = [one for name, one in by_words.items() if name in _RISKS and isinstance(one.value, Decimal)]
    if "risk" not in name_words(last_group(f"{group}.")) or len(numbers) != 1:
        return
    tops, directions = [], []
    for name, one in by_words.items():
        said = " ".join(str(one.value).casefold().split())
        if name in _TOPS and one.value in (1, HUNDRED, 1_000):
            tops.append((one, Decimal(one.value)))
        elif name in _TOPS and (found := _LOW_IS_GOOD.fullmatch(said)):
            tops.append((one, Decimal(found[1] or found[2])))
            directions.append(one)
        elif (name == "lower is better" and one.value is True) or (
            name in _BANDS and said in {"low", "very low", "minimal"}
        ):
            directions.append(one)
        elif name in _TOPS and (found := _FROM_ZERO.fullmatch(said)):
            tops.append((one, Decimal(found[1])))
    if len(tops) == 1 and directions and 0 <= numbers[0].value <= tops[0][1] * _LITTLE:
        yield from {one.path for one in (*numbers, tops[0][0], *directions)}


def picture_measures(
    group: str, groups: Mapping[str, Sequence[Observation]], vocabulary: Vocabulary, *, passed: bool
) -> Iterator[str]:
    """Yield the paths of how sharp, complete and bright a picture is, if all of these are good, and of their scale.

    A measure for which low is better counts only if the scale says that on it, higher is better.

    Args:
        group: Path of the group.
        groups: The members of each group of the results.
        vocabulary: Its words for pictures.
        passed: Whether the group has a verdict and it is clear; then a measure need only not be low.
    """
    words = vocabulary.words
    members = groups.get(group, ())
    named = {*name_words(group)}
    of_pictures = not named.isdisjoint(words["picture_groups"])
    if group.startswith("screening") or not (of_pictures or is_known_group(named, vocabulary)):
        return
    around = [one for place in (group, *_parents(group)) for one in groups.get(place, ())]
    scales = [
        one
        for one in around
        if {*own_words(one.path)} <= words["scale_words"] | {"direction"} and own_words(one.path)
    ]
    turned = any("higher is better" in str(one.value).casefold() for one in scales)
    if any("lower is better" in str(one.value).casefold() for one in scales):
        return
    overall = frozenset({"overall"} if "quality" in name_words(last_group(f"{group}.")) else ())
    measured = [
        one
        for one in members
        if isinstance(one.value, Decimal)
        and own_words(one.path)
        and {*own_words(one.path)} <= (words["picture_measures"] if of_pictures else _OF_PICTURES) | overall
    ]
    plain = [
        one
        for one in measured
        if turned or words["better_if_low"].isdisjoint(own_words(one.path)) or "no" in own_words(one.path)
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
        if passed:
            return _LITTLE
        return _NORMAL_TONE if {*own_words(one.path)} <= _TONES else _GOOD_PICTURE

    if plain and tops <= {top} and all(least(one) * top <= one.value <= top for one in plain):
        yield from (one.path for one in plain)
        if len(plain) == len(measured):
            yield from (one.path for one in scales)


def _parents(group: str) -> Iterator[str]:
    while group := group.rpartition(".")[0]:
        yield group
