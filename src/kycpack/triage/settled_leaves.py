"""Leaves of the results that say nothing by themselves and are fine by what stands beside them: a score with its threshold, the name of a check that was passed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from kycpack.triage.case_file import Observation
from kycpack.triage.leaf_names import name_words
from kycpack.triage.levels import CLEAR, UNKNOWN
from kycpack.triage.vocabulary import Vocabulary

_LEAST = Decimal("0.5")
_GOOD = Decimal("0.9")
_HUNDRED = Decimal(100)
_NUMBER = re.compile(r"\s*([0-9]+(?:[.,][0-9]+)?)\s*(%|/\s*[0-9]+|out of [0-9]+)?\s*")


def settled_leaves(
    seen: Sequence[Observation], telling: Sequence[Observation], vocabulary: Vocabulary
) -> frozenset[str]:
    """Return the paths of the leaves that what stands beside them settles.

    Args:
        seen: The observations of one session.
        telling: Those of them of which no rule judges the path.
        vocabulary: How they are read.
    """
    said = {one: vocabulary.read(one) for one in telling if one.of_results}
    open_ = [one for one, outcome in said.items() if outcome == UNKNOWN]
    if not open_:
        return frozenset()
    groups: dict[str, list[Observation]] = defaultdict(list)
    for one in seen:
        if one.of_results:
            groups[one.path.rpartition(".")[0]].append(one)
    found: set[str] = set()
    for group in {one.path.rpartition(".")[0] for one in open_}:
        passed = _is_passed(groups[group], said, vocabulary)
        found |= {*_scores(group, groups, vocabulary, passed=passed)}
        if passed:
            found |= {*_labels(groups[group], said, vocabulary)}
    return frozenset(found & {one.path for one in open_})


def _is_passed(group: Sequence[Observation], said: Mapping[Observation, str], vocabulary: Vocabulary) -> bool:
    """Tell whether a group has a verdict, and each of its verdicts is clear; those that a rule judges say nothing of what stands beside them."""
    names = {*vocabulary.words["verdict_names"]}
    counted = {*vocabulary.words["trouble_names_of_screening"], *vocabulary.words["count_words"]}
    verdicts = {
        said[one]
        for one in group
        if one in said
        and _own(one)
        and ({*_own(one)} <= names or (isinstance(one.value, Decimal) and {*_own(one)} <= counted))
    }
    return verdicts == {CLEAR}


def _labels(
    group: Sequence[Observation], said: Mapping[Observation, str], vocabulary: Vocabulary
) -> Iterator[str]:
    """Yield the leaves of a group that only name the check that was passed."""
    around = {*name_words(_last_group(group[0].path))}
    if group[0].path.startswith("screening.") and around.isdisjoint(
        vocabulary.words["data_names_of_sources"]
    ):
        return
    for one in group:
        own = {*_own(one)}
        named = bool(own) and own <= {*vocabulary.words["label_names"]} and isinstance(one.value, str)
        if named and said.get(one) == UNKNOWN and vocabulary.may_name_check(str(one.value)):
            yield one.path


class _Number(NamedTuple):
    """A number among others.

    Attributes:
        path: Of the leaf.
        stem: The words of its name that say of what it is, without those that say that it is a score or a threshold.
        value: The number.
        scale: The most that it can be; None where nothing says so.
    """

    path: str
    stem: frozenset[str]
    value: Decimal
    scale: Decimal | None


def _scores(
    group: str, groups: Mapping[str, Sequence[Observation]], vocabulary: Vocabulary, *, passed: bool
) -> Iterator[str]:
    """Yield the scores of a group that are good, with what they are held against: of a threshold only where no score is below it."""
    members = [*groups[group]]
    parent, _, last = group.rpartition(".")
    thresholds_apart = {*name_words(last)} <= {*vocabulary.words["threshold_words"]} and bool(last)
    if thresholds_apart:
        members += groups.get(parent, ())
    scores, thresholds, scales = _sorted(members, group, vocabulary, thresholds_apart=thresholds_apart)
    top = next((value for _, value in scales), None)
    good: list[_Number] = []
    for one in scores:
        held = [limit for limit in thresholds if limit.stem in (one.stem, frozenset()) or not one.stem]
        if (held or passed or scales) and _is_good(one, held, top):
            good.append(one)
    yield from (one.path for one in good)
    for limit in thresholds:
        of_it = [one for one in scores if limit.stem in (one.stem, frozenset()) or not one.stem]
        if of_it and {*of_it} <= {*good}:
            yield limit.path
    if scores and len(good) == len(scores):
        yield from (path for path, _ in scales)


def _is_good(score: _Number, held: Sequence[_Number], top: Decimal | None) -> bool:
    """Tell whether a score is at least what is asked of it, and at least half of its scale; without a threshold, at least nine tenths of it."""
    top = score.scale or top
    if top is None:
        whole = score.value == score.value.to_integral_value()
        least = [limit.value for limit in held]
        if score.value <= 1 and (held or not whole) and all(value <= 1 for value in least):
            top = Decimal(1)
        elif 1 < score.value <= _HUNDRED and all(1 < value <= _HUNDRED for value in least):
            top = _HUNDRED
        else:
            return False
    if not 0 <= score.value <= top:
        return False
    shares = [limit.value / (limit.scale or top) for limit in held]
    share = score.value / top
    return all(_LEAST <= one <= share for one in shares) if held else share >= _GOOD


def _sorted(
    members: Sequence[Observation], group: str, vocabulary: Vocabulary, *, thresholds_apart: bool
) -> tuple[list[_Number], list[_Number], list[tuple[str, Decimal]]]:
    """Return the scores, thresholds and scales among the members of a group."""
    words = vocabulary.words
    scores: list[_Number] = []
    thresholds: list[_Number] = []
    scales: list[tuple[str, Decimal]] = []
    in_scores = not {*name_words(_last_group(f"{group}."))}.isdisjoint({"scores", "confidences"})
    for one in members:
        own = _own(one)
        parts = {*own}
        number = _number(one.value, own)
        is_scale = bool(parts & {*words["scale_words"]}) and parts <= {
            *words["scale_words"],
            *words["score_words"],
        }
        if is_scale and (most := _most(one.value)) is not None:
            scales.append((one.path, most))
        if number is None or not own:
            continue
        value, scale = number
        apart = thresholds_apart and one.path.rpartition(".")[0] == group
        if apart or parts & {*words["threshold_words"]}:
            stem = frozenset(parts - {*words["threshold_words"]} - {*words["score_words"]})
            thresholds.append(_Number(one.path, stem, value, scale))
        elif (in_scores or parts & {*words["score_words"]}) and vocabulary.is_better_if_high(one.path):
            stem = frozenset(parts - {*words["score_words"]})
            scores.append(_Number(one.path, stem, value, scale))
    return scores, thresholds, scales


def _number(value: Any, own: Sequence[str]) -> tuple[Decimal, Decimal | None] | None:
    """Return a number and the most that it can be; None where a value is none."""
    percent = _HUNDRED if {*own} & {"percent", "percentage", "pct"} else None
    if isinstance(value, Decimal):
        return value, percent
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    number, of = Decimal(found[1].replace(",", ".")), (found[2] or "").strip()
    if not of:
        return number, percent
    return number, _HUNDRED if of == "%" else Decimal(re.sub(r"[^0-9]", "", of))


def _most(value: Any) -> Decimal | None:
    """Return the end of a scale, as of `0-100`, `percent` or 1."""
    if isinstance(value, Decimal):
        return value if value > 0 else None
    text = value.strip().casefold() if isinstance(value, str) else ""
    if text in {"percent", "percentage", "%", "pct"}:
        return _HUNDRED
    found = re.fullmatch(r"0(?:[.,]0+)?\s*(?:-|\u2013|to|\.\.|/)\s*([0-9]+)(?:[.,]0+)?", text)
    return Decimal(found[1]) if found and int(found[1]) > 0 else None


def _own(seen: Observation) -> list[str]:
    return [part for part in name_words(seen.path.rpartition(".")[2]) if not part.isdigit()]


def _last_group(path: str) -> str:
    return next((step for step in reversed(path.split(".")[:-1]) if not step.isdigit()), "")
