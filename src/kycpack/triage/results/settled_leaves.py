"""Leaves of the results that are fine because of other leaves in their group: a score with its threshold or limit, the name of a check that was passed, counts that agree, an address where the customer lived before."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from kycpack.triage.case_file import Observation
from kycpack.triage.countries import country_name
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.results.agreeing_members import (
    answers_as_expected,
    equal_counts,
    limits_of_fine,
    near_age,
    own_names,
)
from kycpack.triage.results.data_groups import is_plain_data, needs_review
from kycpack.triage.results.data_leaves import DATE, is_written_as_name
from kycpack.triage.results.group_claims import (
    echoes,
    empty_counts,
    found_records,
    labelled_entries,
    matched_details,
    named_checks,
    named_engines,
    translations,
)
from kycpack.triage.results.identity_documents import letters_of
from kycpack.triage.results.neutral_facts import neutral_counts
from kycpack.triage.results.pictures import box_sides, picture_measures, picture_points
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.scores import (
    below_limits,
    good_scores,
    low_band,
    low_risks,
    slight_scores,
    thresholds_of_listed,
)
from kycpack.triage.results.screening_leaves import searched_lists, searched_names
from kycpack.triage.results.unlisted_leaves import read_leaf
from kycpack.triage.results.vocabulary import (
    LeafGroup,
    Vocabulary,
    affirms,
    name_words,
    own_words,
    plain_word,
    text_words,
    words_of,
)

_WORDS = words_of("settled_leaves")
_STARTS = ("from", "since", "movedin", "movein", "start", "startdate", "fromdate", "moveindate")
_ENDS = ("to", "until", "movedout", "moveout", "end", "enddate", "todate", "moveoutdate")

_DAYS = (["date"], ["at"], ["on"])
_BARE = (["result"], ["outcome"], ["status"], ["value"], ["answer"])


def settled_leaves(
    seen: Sequence[Observation], telling: Sequence[Observation], vocabulary: Vocabulary, day: dt.date
) -> frozenset[str]:
    """Return the paths of the leaves that other leaves in their group show to be fine.

    Args:
        seen: The observations of one session.
        telling: Those whose path no rule judges.
        vocabulary: How they are read.
        day: The day of the review.
    """
    said = {one: read_leaf(one, vocabulary) for one in telling if one.of_results}
    doubtful = {one.path.rpartition(".")[0] for one, outcome in said.items() if outcome in (UNKNOWN, HIT)}
    if not doubtful:
        return frozenset()
    groups: dict[str, list[Observation]] = defaultdict(list)
    for one in seen:
        if one.of_results:
            groups[one.path.rpartition(".")[0]].append(one)
    found = {*answers_as_expected(seen)}
    fine = {one.path for one, outcome in said.items() if outcome == CLEAR}
    listed = {one.path: one.value for one in seen if one.of_results}
    for path in doubtful:
        passed = _is_passed(groups[path], said, vocabulary)
        group = LeafGroup(path, groups, vocabulary, listed, fine, passed, day)
        for settles in _SETTLES:
            found.update(settles(group))
        if passed:
            of_trouble = {one.path for one in group.members if _may_name_trouble_found(one, group)}
            for settles in _SETTLES_IF_PASSED:
                found.update({*settles(group)} - of_trouble)
    # A leaf that looks like trouble on its own may be the name of a check that was passed, or a score below its limit.
    return frozenset(found & {one.path for one in said})


def _is_passed(group: Sequence[Observation], said: Mapping[Observation, str], vocabulary: Vocabulary) -> bool:
    """Return whether a group has verdicts and all of them are clear; verdicts that a rule judges do not count."""
    names = vocabulary["verdict_names"]
    found = vocabulary["found_words"]
    matching = vocabulary["trouble_names_of_screening"]
    counted = matching | vocabulary["count_words"]
    verdicts = {
        said[one]
        for one in group
        if one in said
        and own_words(one.path)
        and (
            ({*own_words(one.path)} <= names and not _names_check(one, group, vocabulary))
            or (
                isinstance(one.value, Decimal | bool)
                and {*own_words(one.path)} <= counted
                and not matching.isdisjoint(own_words(one.path))
            )
            or (said[one] == CLEAR and {*own_words(one.path)} <= found)
        )
    }
    return verdicts == {CLEAR}


def _names_check(one: Observation, group: Sequence[Observation], vocabulary: Vocabulary) -> bool:
    """Return whether a member named `check` only names it, because the verdict is beside it."""
    others = {frozenset(own_words(other.path)) for other in group if other is not one}
    return (
        own_words(one.path) == ["check"]
        and isinstance(one.value, str)
        and vocabulary.may_name_check(one.value)
        and any(other and other <= vocabulary["verdict_names"] for other in others)
    )


def _features(group: LeafGroup) -> Iterator[str]:
    """Yield the leaves of a group that names a security feature of the document and says that it is present."""
    labels = [
        one
        for one in group.members
        if isinstance(one.value, str)
        and {*own_words(one.path)} <= {"feature", "name", "element", "type", "label", "check"}
        and own_words(one.path)
    ]
    seen = [
        one
        for one in group.members
        if {*own_words(one.path)} <= group.vocabulary["feature_states"] and own_words(one.path)
    ]
    if (
        labels
        and seen
        and all(one.value is True for one in seen)
        and all(group.vocabulary.is_feature(str(one.value)) for one in labels)
    ):
        yield from (one.path for one in (*labels, *seen))


def _tellings(group: LeafGroup) -> Iterator[str]:
    """Yield the leaves that only give more details of a check that was passed; a score without a value is not one of them."""
    judged = group.vocabulary["score_words"] | group.vocabulary["verdict_names"]
    counts = group.vocabulary["trouble_names_of_screening"]
    found_none = any(one.value == 0 and not counts.isdisjoint(own_words(one.path)) for one in group.members)
    for one in group.members:
        own = own_words(one.path)
        if found_none and own[-1:] in _DAYS and isinstance(one.value, str) and dates_of(one.value):
            # It is the date of a screening that found nobody.
            yield one.path
        is_when = own[-1:] in _DAYS and group.vocabulary["done_words"].issuperset(own[:-1])
        if is_when and isinstance(one.value, str) and DATE.fullmatch(one.value) and len(own) > 1:
            yield one.path
        is_code = isinstance(one.value, Decimal) and own[-1:] == ["code"]
        if (
            not one.path.startswith("screening.")
            and (one.value is not None or judged.isdisjoint(own))
            and (is_code or is_plain_data(one.path, own, one.value, group.vocabulary))
        ):
            yield one.path


def _agreeing(group: LeafGroup) -> Iterator[str]:
    """Yield the verdicts of a group that say the same as its low score of trouble, as `genuine` does."""
    if not any(below_limits(group)):
        return
    good = (group.vocabulary["good_words"] & group.vocabulary["well_values"]) | _WORDS["original"]
    for one in group.members:
        own = {*own_words(one.path)}
        is_verdict = own and own <= group.vocabulary["verdict_names"]
        if is_verdict and isinstance(one.value, str) and plain_word(one.value) in good:
            yield one.path


def _labels(group: LeafGroup) -> Iterator[str]:
    """Yield the leaves of a group that only name a check that was passed."""
    names = group.vocabulary["label_names"]
    of_sources = not group.named.isdisjoint(group.vocabulary["data_names_of_sources"])
    if group.path.partition(".")[0] == "screening" and not of_sources:
        names = frozenset({"alias"})
    topics = group.vocabulary["register_names"]
    found = group.vocabulary["found_words"]
    if any(one.value is True and found.issuperset(own_words(one.path)) for one in group.members):
        # To be found in a register of the deceased is bad news.
        topics = frozenset()
    for one in group.members:
        own = {*own_words(one.path)}
        if (
            isinstance(one.value, str)
            and own
            and own <= names
            and group.vocabulary.may_name_check(one.value, of_register=own <= topics)
        ):
            yield one.path


def _may_name_trouble_found(seen: Observation, group: LeafGroup) -> bool:
    """Return whether a text may name trouble that was found, beside a bare yes as in `{"name": "tampering", "result": true}`; `tampering check` names the check that passed."""
    if not isinstance(seen.value, str) or not any(
        affirms(one.value) and own_words(one.path)[-1:] in _BARE for one in group.members
    ):
        return False
    said = own_words(seen.value)
    if not group.vocabulary["check_words"].isdisjoint(said[-1:]):
        return False
    sought = group.vocabulary.trouble_sought
    return group.vocabulary.has_stem(said, "trouble_names") or not sought.isdisjoint(said)


def _earlier_addresses(group: LeafGroup) -> Iterator[str]:
    """Yield the members of an address where the customer lived before, or of the present one if it is that of the proof of address.

    Rules about countries of residence look at its country. A word that asks for a look, as `prison`, leaves it open.
    """
    named = [part for part in name_words(group.path) if not part.isdigit()]
    if not group.path.rpartition(".")[2].isdigit() or not {"address", "addresses"} & {*named}:
        return
    if not _WORDS["past"] & {*named} or not {*named} <= _WORDS["past"] | {
        "address",
        "addresses",
        "residence",
        "residences",
    }:
        return
    by_name = {"".join(own_words(one.path)): one for one in group.members}
    ended = [one for name, one in by_name.items() if name in _ENDS and one.value is not None]
    if not ended and not _is_present(group):
        return
    if all(_is_part(one, group) for one in group.members):
        yield from (one.path for one in group.members)


def _is_part(seen: Observation, group: LeafGroup) -> bool:
    own, value = own_words(seen.path), seen.value
    name = "".join(own)
    if name in _ENDS and value is None:
        return True
    if not isinstance(value, str):
        return False
    if name in _STARTS or name in _ENDS:
        return any(date <= group.day for date in dates_of(value))
    if "country" in own and _WORDS["country"].issuperset(own):
        return country_name(value) is not None
    wrong = (group.vocabulary["verdict_words"] | group.vocabulary["trouble_values"]) - _WORDS[
        "words_of_streets"
    ]
    return (
        _WORDS["parts"].issuperset(own)
        and is_written_as_name(value)
        and wrong.isdisjoint(text_words(value))
        and not group.vocabulary.has_stem(text_words(value), "trouble_names")
        and not needs_review(value, group.vocabulary)
    )


def _is_present(group: LeafGroup) -> bool:
    """Return whether an entry without an end is the address of the proof, by its post code and its line."""
    given = {letters_of(one.value) for one in group.members if isinstance(one.value, str)}
    known = [
        letters_of(str(group.listed.get(path) or ""))
        for path in ("address.extractedAddress.addressLine1", "address.extractedAddress.postalCode")
    ]
    return all(one and one in given for one in known)


_SETTLES: tuple[Callable[[LeafGroup], Iterable[str]], ...] = (
    # Numbers: a score with its threshold, limit, scale or band; a count with another count.
    good_scores,
    below_limits,
    _agreeing,
    thresholds_of_listed,
    low_band,
    low_risks,
    limits_of_fine,
    equal_counts,
    neutral_counts,
    empty_counts,
    near_age,
    # Pictures: how good they are, and where something lies in them.
    picture_measures,
    picture_points,
    box_sides,
    # Names: a label with its value, a detail with its match, a list that was searched.
    _features,
    labelled_entries,
    matched_details,
    named_checks,
    named_engines,
    translations,
    found_records,
    searched_lists,
    searched_names,
    _earlier_addresses,
    own_names,
    echoes,
)
"""What may settle a leaf, in any order: each yields the paths of the members that it shows to be fine."""

_SETTLES_IF_PASSED: tuple[Callable[[LeafGroup], Iterable[str]], ...] = (_labels, _tellings, slight_scores)
"""What settles a leaf only in a group whose verdicts are all clear."""
