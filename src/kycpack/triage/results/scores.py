"""Scores with their thresholds, limits or bands from the same group."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.trouble_words import is_better_if_high, is_better_if_low, is_known_group
from kycpack.triage.results.vocabulary import (
    LeafGroup,
    Vocabulary,
    name_words,
    own_words,
    value_key,
    words_of,
)

_LEAST = Decimal("0.5")
_GOOD = Decimal("0.9")
GOOD_PICTURE = Decimal("0.8")
"""The least share of its scale with which a picture is good."""
_SLIGHT = Decimal("0.05")
HUNDRED = Decimal(100)
"""The top of a scale in per cent."""
# Highest acceptable limit of a score of trouble, as a share of its scale; a higher limit would let too much pass.
_HIGHEST_LIMIT = Decimal("0.7")
_SCALE_WITH_LIMIT = re.compile(
    r"0 ?(?:-|\u2013|to) ?([0-9]+),? (?:review|flag|alert|refer|referred|high|high risk)(?: from| above| over| at)? ([0-9]+)"
)
_RANGE = re.compile(r"([0-9]+) ?(?:-|\u2013|to) ?([0-9]+)")
_LISTED_SCORES = {
    "facialsimilarity": "identity.faceAnalysis.facialSimilarityScore",
    "similarity": "identity.faceAnalysis.facialSimilarityScore",
    "face": "identity.faceAnalysis.facialSimilarityScore",
    "facematch": "identity.faceAnalysis.facialSimilarityScore",
    "liveness": "identity.authenticityAnalysis.livenessCheckScore",
    "livenesscheck": "identity.authenticityAnalysis.livenessCheckScore",
}
_WORDS = words_of("scores")
_WITHIN = (["passed"], ["pass"], ["ok"], ["accepted"], ["within", "limit"], ["below", "limit"])
_HELD = frozenset({("boolean", True), "passed", "pass", "clear"})
_NUMBER = re.compile(r"\s*([0-9]+(?:[.,][0-9]+)?)\s*(%|/\s*[0-9]+|out of [0-9]+)?\s*")
_LOW_IS_GOOD = re.compile(
    r"0 ?(?:=|is|\(|:) ?(?:lowest|low|no|none)(?: risk)?\)?(?:,|;|-| to| \u2013)? ?(1|10|100|1000) ?(?:=|is|\(|:) ?(?:highest|high|max|maximum)(?: risk)?\)?"
    r"|0 ?(?:-|\u2013|to) ?(1|10|100|1000),? (?:lower is better|higher is worse|higher means more risk|higher is riskier)"
)
_FROM_ZERO = re.compile(r"0(?:\.0+)? ?(?:-|\u2013|to) ?(1|10|100|1000)(?:\.0+)?")
# The lowest fifth of a scale.
_LITTLE = Decimal("0.2")
_Numbers = dict[str, Decimal]


def below_limits(group: LeafGroup) -> Iterator[str]:
    """Yield the scores of trouble in a group and their limit, if all of them are well below it."""
    limits, scores, scales = _of_trouble(group.members, group.vocabulary)
    if len(limits) != 1 or not scores:
        return
    ((place, limit),) = limits.items()
    in_days = all("days" in path.casefold() for path in scores)
    numbers = [*scores.values(), limit]
    top = max(scales.values(), default=None) or (
        Decimal(1) if all(number <= 1 for number in numbers) else HUNDRED
    )
    if any(0 < number < 1 for number in scores.values()) and top == HUNDRED:
        return
    most = limit if in_days else limit / 2
    if all(0 <= number < most for number in scores.values()) and (in_days or limit <= top * _HIGHEST_LIMIT):
        yield from (place, *scores, *scales)
        yield from (
            one.path
            for one in group.members
            if (own_words(one.path) == ["lower", "is", "better"] and one.value is True)
            or (own_words(one.path) in _WITHIN and value_key(one.value) in _HELD)
        )


def _of_trouble(group: Sequence[Observation], vocabulary: Vocabulary) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return the limits, scores and scales of trouble among the members of a group, by path."""
    limits, scores, scales = _Numbers(), _Numbers(), _Numbers()
    for one in group:
        own = {*own_words(one.path)}
        if isinstance(one.value, str) and own & vocabulary["scale_words"] and own & vocabulary["score_words"]:
            if found := _SCALE_WITH_LIMIT.fullmatch(one.value.strip().casefold()):
                scales[one.path], limits[one.path] = Decimal(found[1]), Decimal(found[2])
        elif isinstance(one.value, str) and own == {"scale"} and (most := most_of(one.value)) is not None:
            scales[one.path] = most
        elif not isinstance(one.value, Decimal) or not is_better_if_low(one.path, vocabulary):
            continue
        elif own <= {"max", "maximum", "out", "of", "scale"} and one.value in (1, HUNDRED):
            scales[one.path] = one.value
        elif own & vocabulary["limit_words"]:
            limits[one.path] = one.value
        elif own & vocabulary["score_words"] or own & {"days"}:
            scores[one.path] = one.value
    return limits, scores, scales


def slight_scores(group: LeafGroup) -> Iterator[str]:
    """Yield the scores of trouble in a group with a verdict that is clear, if they are shares of at most one in twenty."""
    for one in group.members:
        own = own_words(one.path)
        if (
            isinstance(one.value, Decimal)
            and 0 <= one.value <= _SLIGHT
            and not group.vocabulary["score_words"].isdisjoint(own)
            and is_better_if_low(one.path, group.vocabulary)
        ):
            yield one.path


def thresholds_of_listed(group: LeafGroup) -> Iterator[str]:
    """Yield the thresholds of listed scores in a group of thresholds, if the scores reach them."""
    words = group.vocabulary["threshold_words"]
    if group.path.partition(".")[0] != "identity":
        return
    # In the section itself the name says of which score it is the threshold.
    in_section = group.path == "identity"
    apart = group.named <= words
    # Beside a listed score the threshold is that score's.
    beside = [path for path in _LISTED_SCORES.values() if path.rpartition(".")[0] == group.path]
    for one in group.members:
        named = "".join(part for part in own_words(one.path) if part not in {*words, "score"})
        if not apart and words.isdisjoint(own_words(one.path)):
            continue
        place = _LISTED_SCORES.get(named, "") if named or not beside else beside[0]
        score = group.listed.get(place) if apart or in_section or place in beside else None
        if not isinstance(one.value, Decimal) or not isinstance(score, Decimal):
            continue
        threshold = one.value / HUNDRED if one.value > 1 else one.value
        if _LEAST <= threshold <= score <= 1:
            yield one.path


def low_risks(group: LeafGroup) -> Iterator[str]:
    """Yield the paths of a risk score in the lowest fifth of its scale, and of the members that give the scale.

    Yields nothing unless the members give the scale and say that low is good.
    """
    by_words = {" ".join(own_words(one.path)): one for one in group.members}
    numbers = [
        one for name, one in by_words.items() if name in _WORDS["risks"] and isinstance(one.value, Decimal)
    ]
    if "risk" not in group.named or len(numbers) != 1:
        return
    tops, directions = [], []
    for name, one in by_words.items():
        said = " ".join(str(one.value).casefold().split())
        if name in _WORDS["tops"] and one.value in (1, HUNDRED, 1_000):
            tops.append((one, Decimal(one.value)))
        elif name in _WORDS["tops"] and (found := _LOW_IS_GOOD.fullmatch(said)):
            tops.append((one, Decimal(found[1] or found[2])))
            directions.append(one)
        elif (name == "lower is better" and one.value is True) or (
            name in _WORDS["bands"] and said in {"low", "very low", "minimal"}
        ):
            directions.append(one)
        elif name in _WORDS["tops"] and (found := _FROM_ZERO.fullmatch(said)):
            tops.append((one, Decimal(found[1])))
    if len(tops) == 1 and directions and 0 <= numbers[0].value <= tops[0][1] * _LITTLE:
        yield from {one.path for one in (*numbers, tops[0][0], *directions)}


def low_band(group: LeafGroup) -> Iterator[str]:
    """Yield a risk score and its bands, if the score is in the lowest band."""
    prefix = group.path.removesuffix(".bands")
    bands = {
        own_words(one.path)[-1]: one for one in group.groups.get(f"{prefix}.bands", ()) if own_words(one.path)
    }
    numbers = [
        one
        for one in group.groups.get(prefix, ())
        if isinstance(one.value, Decimal) and {*own_words(one.path)} <= {"value", "score", "risk"}
    ]
    named = [
        one
        for one in group.groups.get(prefix, ())
        if {*own_words(one.path)} <= {"band", "level", "rating", "risk"} and isinstance(one.value, str)
    ]
    low = _RANGE.fullmatch(str(bands["low"].value).strip()) if "low" in bands else None
    if (
        "risk" not in name_words(prefix.rpartition(".")[2])
        or low is None
        or len(numbers) != 1
        or len(named) != 1
    ):
        return
    in_band = Decimal(low[1]) <= numbers[0].value <= Decimal(low[2])
    ranges = [_RANGE.fullmatch(str(one.value).strip()) for one in bands.values()]
    lowest = all(found is not None and Decimal(found[1]) >= Decimal(low[1]) for found in ranges)
    if in_band and lowest and str(named[0].value).strip().casefold() == "low":
        labels = [
            one
            for one in group.groups.get(prefix, ())
            if {*own_words(one.path)} <= {"model", "version", "method", "provider"}
        ]
        yield from (one.path for one in (*numbers, *named, *labels, *bands.values()))


class _Number(NamedTuple):
    """A score or a threshold in a group.

    Attributes:
        path: Path of the leaf.
        stem: The words of its name without those for a score or a threshold.
        value: The number.
        scale: The top of its scale; None if not given.
    """

    path: str
    stem: frozenset[str]
    value: Decimal
    scale: Decimal | None


def good_scores(group: LeafGroup) -> Iterator[str]:
    """Yield the good scores of a group, and the thresholds that no score is below."""
    members = [*group.members]
    parent, _, last = group.path.rpartition(".")
    thresholds_apart = {*name_words(last)} <= group.vocabulary["threshold_words"] and bool(last)
    if thresholds_apart:
        members += group.groups.get(parent, ())
    scores, thresholds, scales = _sorted(members, group, thresholds_apart=thresholds_apart)
    top = next((value for _, value in scales), None)
    good: list[_Number] = []
    for one in scores:
        held = [limit for limit in thresholds if limit.stem in (one.stem, frozenset()) or not one.stem]
        is_sure = _is_of_reading(one.path, group.vocabulary) or _is_of_listed(one.path, group.vocabulary)
        # How well something is to see says nothing of what it is.
        least = GOOD_PICTURE if "quality" in name_words(one.path) else _GOOD
        if (held or group.passed or scales or is_sure) and _is_good(one, held, top, least):
            good.append(one)
    yield from (one.path for one in good)
    for limit in thresholds:
        of_it = [one for one in scores if limit.stem in (one.stem, frozenset()) or not one.stem]
        if of_it and {*of_it} <= {*good}:
            yield limit.path
    if scores and len(good) == len(scores):
        yield from (path for path, _ in scales)


def _is_of_reading(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a score is how sure the reading of a text is; such scores have one scale.

    Of something with an unknown name, as in `maskClassification`, it may be bad news that a machine is sure.
    """
    parts = {*name_words(path)}
    named = [part for part in parts if not part.isdigit() and part not in _WORDS["how_sure"]]
    known = is_known_group(named, vocabulary)
    return (
        known
        and not parts.isdisjoint(_WORDS["how_sure"])
        and (
            not parts.isdisjoint(_WORDS["of_reading"])
            or any({"reading", "confidence"} <= {*name_words(step)} for step in path.split("."))
        )
    )


def _is_of_listed(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a score is of what the service itself scores or checks, and a high one is good, as in `authenticityAnalysis.livenessConfidence`."""
    group, _, name = path.rpartition(".")
    around = {part for part in name_words(group) if not part.isdigit()}
    own = {*name_words(name)}
    known = vocabulary.listed_words | vocabulary["score_words"] | vocabulary["picture_groups"]
    said = own | {part for step in group.split(".")[1:] for part in name_words(step)}
    # Two things may be too similar: `document.similarity` may compare it with a forged one. An address is compared with the customer's.
    is_open = (
        not own.isdisjoint(_WORDS["of_comparing"])
        and said.isdisjoint(_WORDS["compared"])
        and "address" not in around
    )
    return (
        not is_open
        and path.partition(".")[0] in SECTIONS
        and not path.startswith("screening.")
        and around <= known
        and own <= known | vocabulary["better_if_high"]
        and not own.isdisjoint(vocabulary["better_if_high"])
    )


def _is_good(score: _Number, held: Sequence[_Number], top: Decimal | None, least: Decimal) -> bool:
    """Return whether a score reaches its thresholds, each at least half of its scale; without a threshold, whether it is at least a share of its scale."""
    top = score.scale or top
    if top is None:
        whole = score.value == score.value.to_integral_value()
        limits = [limit.value for limit in held]
        if score.value <= 1 and (held or not whole) and all(value <= 1 for value in limits):
            top = Decimal(1)
        elif 1 < score.value <= HUNDRED and all(1 < value <= HUNDRED for value in limits):
            top = HUNDRED
        else:
            return False
    if not 0 <= score.value <= top:
        return False
    shares = [limit.value / (limit.scale or top) for limit in held]
    share = score.value / top
    return all(_LEAST <= one <= share for one in shares) if held else share >= least


def _sorted(
    members: Sequence[Observation], group: LeafGroup, *, thresholds_apart: bool
) -> tuple[list[_Number], list[_Number], list[tuple[str, Decimal]]]:
    """Return the scores, thresholds and scales among the members of a group."""
    vocabulary = group.vocabulary
    scores: list[_Number] = []
    thresholds: list[_Number] = []
    scales: list[tuple[str, Decimal]] = []
    in_scores = not group.named.isdisjoint({"scores", "confidences", "confidence", "quality"})
    for one in members:
        own = own_words(one.path)
        parts = {*own}
        number = _number(one.value, own)
        is_scale = bool(parts & vocabulary["scale_words"]) and parts <= {
            *vocabulary["scale_words"],
            *vocabulary["score_words"],
        }
        if is_scale and (most := most_of(one.value)) is not None:
            scales.append((one.path, most))
        if number is None or not own:
            continue
        value, scale = number
        apart = thresholds_apart and one.path.rpartition(".")[0] == group.path
        if apart or parts & vocabulary["threshold_words"]:
            stem = frozenset(parts - vocabulary["threshold_words"] - vocabulary["score_words"])
            thresholds.append(_Number(one.path, stem, value, scale))
        elif (in_scores or parts & vocabulary["score_words"]) and is_better_if_high(
            one.path, group.vocabulary
        ):
            stem = frozenset(parts - vocabulary["score_words"])
            scores.append(_Number(one.path, stem, value, scale))
    return scores, thresholds, scales


def _number(value: Any, own: Sequence[str]) -> tuple[Decimal, Decimal | None] | None:
    """Return a number and the top of its scale; None if the value is not a number."""
    percent = HUNDRED if {*own} & {"percent", "percentage", "pct"} else None
    if isinstance(value, Decimal):
        return value, percent
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    number, of = Decimal(found[1].replace(",", ".")), (found[2] or "").strip()
    if not of:
        return number, percent
    return number, HUNDRED if of == "%" else Decimal(re.sub(r"[^0-9]", "", of))


def most_of(value: Any) -> Decimal | None:
    """Return the top of a scale, such as `0-100`, `percent` or 1."""
    if isinstance(value, Decimal):
        return value if value > 0 else None
    text = value.strip().casefold() if isinstance(value, str) else ""
    if text in {"percent", "percentage", "%", "pct"}:
        return HUNDRED
    found = re.fullmatch(r"0(?:[.,]0+)?\s*(?:-|\u2013|to|\.\.|/)\s*([0-9]+)(?:[.,]0+)?", text)
    return Decimal(found[1]) if found and int(found[1]) > 0 else None
