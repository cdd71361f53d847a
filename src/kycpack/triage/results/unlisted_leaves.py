"""Reads the leaves of the results that no rule lists: clear, trouble, plain data, or unknown."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Nested, Observation
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.results.bare_matches import is_bare_match, is_verdict_in_place_of_data
from kycpack.triage.results.claims import claims_well, is_plainly_fine, is_well_said, says_none_found
from kycpack.triage.results.data_groups import is_link, is_plain_in_data_group, leads_to_unknown, needs_review
from kycpack.triage.results.data_leaves import (
    is_compared_detail,
    is_data,
    names_somebody,
)
from kycpack.triage.results.fine_names import is_feature_seen, is_fine_by_name
from kycpack.triage.results.leaf_details import BY_VALUE, detail_of
from kycpack.triage.results.leaf_names import WORDS_OF_NAME, name_words, steps_of
from kycpack.triage.results.neutral_facts import (
    is_empty_category,
    is_of_channel,
    is_time_of_machine,
    names_lists_searched,
)
from kycpack.triage.results.pictures import marks_unknown_thing
from kycpack.triage.results.plain_claims import (
    may_be_over,
)
from kycpack.triage.results.screening_leaves import is_of_entry, is_of_screening_machine, says_found
from kycpack.triage.results.trouble_words import (
    finds_nothing,
    holds_data,
    in_claiming_group,
    is_better_if_low,
    is_moderate_fraud_score,
    is_slight_probability,
    is_unknown_reference,
    names_checks_made,
    names_no_list,
    turns_meaning,
)
from kycpack.triage.results.vocabulary import Vocabulary, affirms, denies, plain_word, text_words
from kycpack.triage.results.written_forms import (
    in_usual_form,
    inner_leaves,
    is_unknown_camera,
    is_written_plainly,
    with_name_of_list,
)

DATA = "DATA"
"""The reading of an unlisted leaf that is plain data and carries no verdict."""

_SEARCHED = frozenset(
    {"sources", "sourcessearched", "listssearched", "searchedlists", "datasets", "databases", "listschecked"}
)
_GRAVITY = (CLEAR, DATA, UNKNOWN, HIT)
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2})?")
_BY_LANGUAGE = (["labels"], ["label"], ["translations"], ["translation"], ["names"])
_BY_PART = frozenset({"versions"})
# When and why there was trouble: without a value there was none.
_DETAILS_OF_TROUBLE = frozenset({"at", "on", "date", "ago", "reason", "reasons", "since", "by"})
_NOTES = frozenset({"note", "notes", "comment", "comments", "remark", "remarks"})
# The second entry of a list of who was seen in one picture.
_FURTHER_FACE = re.compile(r"^identity\.(?:.*\.)?(?:faces|persons|people)\.[1-9]")


def read_leaf(seen: Observation, vocabulary: Vocabulary) -> str:
    """Return the reading of an unlisted leaf.

    Args:
        seen: The leaf and its value.
        vocabulary: How its name and its value are read.

    Returns:
        HIT, CLEAR, UNKNOWN or `DATA`.
    """
    said = _read(with_name_of_list(seen), vocabulary)
    if said in (UNKNOWN, HIT) and (usual := in_usual_form(seen)) is not None:
        meant = _read(usual, vocabulary)
        said = meant if said == UNKNOWN or (meant == CLEAR and not usual.value) else said
    if said == CLEAR and (
        is_bare_match(seen.path, seen.value, vocabulary) or may_be_over(seen.path, seen.value)
    ):
        return UNKNOWN
    if said == DATA and is_verdict_in_place_of_data(seen.path, seen.value, vocabulary):
        return UNKNOWN
    return said


def _read(seen: Observation, vocabulary: Vocabulary) -> str:  # noqa: C901, PLR0911 - one return for each kind of reading
    if isinstance(seen.value, str) and (inner := inner_leaves(seen.path, seen.value)):
        # A detail inside it would not be compared with the listed one.
        known = not any(detail_of(one.path, vocabulary) for one in inner)
        said_within = [read_leaf(one, vocabulary) for one in inner]
        return max([*said_within, CLEAR if known else UNKNOWN], key=_GRAVITY.index)
    path, value, words = seen.path, seen.value, vocabulary.words
    parts = name_words(_name_of(path))
    own = [part for part in parts if not part.isdigit()]
    plain = "".join(parts)
    of_screening = path.partition(".")[0] == "screening"
    is_troubled = vocabulary.has_stem(
        [part for part in parts if part not in words["good_words"]], "trouble_names"
    )
    is_matched = of_screening and any(_is_match(step, vocabulary) for step in path.split(".")[1:])
    is_plain = (
        is_data(path, own, value, vocabulary)
        or is_compared_detail(path, value, vocabulary)
        or is_plain_in_data_group(path, own, value, vocabulary)
        or is_link(path, own, value, vocabulary)
        or is_time_of_machine(path, own, value, vocabulary)
        or is_written_plainly(path, own, value, vocabulary)
        or is_of_channel(path, own, value)
        or is_of_screening_machine(path, own, value, vocabulary)
    ) and not (
        is_unknown_camera(path, value, vocabulary)
        or marks_unknown_thing(path, value, vocabulary)
        or leads_to_unknown(path, value, vocabulary)
    )
    if (
        says_none_found(path, parts, value, vocabulary)
        or is_empty_category(path, own, value, vocabulary)
        or is_feature_seen(path, parts, value, vocabulary)
    ):
        return CLEAR
    if isinstance(value, str) and not (is_plain and names_somebody(path, vocabulary)):
        said = plain_word(value)
        if said in words["trouble_values"] or (
            of_screening and said in vocabulary.kinds["match"].trouble - words["answers"]
        ):
            return HIT
        if said in words["fine_values"] and not is_matched:
            return CLEAR
        is_plain = (
            is_plain
            and not vocabulary.has_stem(text_words(value), "trouble_names")
            and not _asks_for_review(path, parts, value, vocabulary)
            and not (of_screening and names_no_list(value, vocabulary))
        )
    if is_fine_by_name(path, plain, value, vocabulary):
        return CLEAR
    if isinstance(value, Nested):
        # What a search without sources would have found is not known, nor what an empty verdict or list of checks says.
        is_open = (
            (of_screening and (plain in _SEARCHED or names_lists_searched(path, own, vocabulary)))
            or finds_nothing(path, own, vocabulary)
            or not words["verdict_names"].isdisjoint(own[-1:])
            or names_checks_made(own, vocabulary)
        )
        return UNKNOWN if is_open else DATA
    if _is_improbable(path, value, vocabulary):
        return CLEAR
    # The meaning of a risk score depends on its threshold.
    is_score = not of_screening and isinstance(value, Decimal) and _is_score_of_risk(path, value, vocabulary)
    if (is_troubled and affirms(value) and not is_score) or (is_matched and not denies(value)):
        return HIT
    if value is False and vocabulary.has_stem(parts, "good_names"):
        return HIT
    if (
        (not of_screening and is_plainly_fine(path, parts, value, vocabulary))
        or is_well_said(path, parts, value, vocabulary)
        or claims_well(path, own, value, vocabulary)
        or (value is None and not _NOTES.isdisjoint(own[-1:]) and not is_of_entry(path, vocabulary))
        or (value is None and not of_screening and not _DETAILS_OF_TROUBLE.isdisjoint(own[-1:]))
    ):
        return CLEAR
    if is_plain or (value in (None, "") and not (is_troubled or of_screening)):
        is_claimed = value not in (None, "", 0) and (
            in_claiming_group(path, vocabulary)
            or is_unknown_reference(path, vocabulary)
            or _FURTHER_FACE.search(path) is not None
        )
        return UNKNOWN if is_claimed else DATA
    return HIT if of_screening and says_found(path, own, value, vocabulary) else UNKNOWN


def _name_of(path: str) -> str:
    """Return the name of a member; if it is named after a language, as in `labels.fr`, that of its group."""
    groups, name = steps_of(path)
    if not groups:
        return name
    by_language = bool(_LANGUAGE.fullmatch(name)) and name_words(groups[-1])[-1:] in _BY_LANGUAGE
    by_value = name in BY_VALUE and groups[-1] not in SECTIONS
    return groups[-1] if groups[-1] in _BY_PART or by_language or by_value else name


def _is_improbable(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a number is a negligible probability of trouble."""
    return (
        is_better_if_low(path, vocabulary)
        and is_slight_probability(path, value)
        and not path.startswith("screening.")
        and not turns_meaning(path, vocabulary)
    )


def _is_match(step: str, vocabulary: Vocabulary) -> bool:
    plain = "".join(WORDS_OF_NAME.findall(step)).casefold()
    return plain.endswith(tuple(vocabulary.words["trouble_names_of_screening"]))


def _is_score_of_risk(path: str, value: Decimal, vocabulary: Vocabulary) -> bool:
    parts = name_words(_name_of(path))
    return is_moderate_fraud_score(path, value, vocabulary) or (
        "risk" in parts and not vocabulary.words["score_words"].isdisjoint(parts)
    )


def _asks_for_review(path: str, parts: list[str], text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text has a word that needs a review; in the name of a place or a person it may be a part, but not the whole."""
    if vocabulary.words["naming_words"].isdisjoint(parts[-1:]):
        return needs_review(text, vocabulary)
    # A vendor may have such a name.
    is_name = parts[-1] in {"name", "names"} and holds_data(path, vocabulary)
    return plain_word(text) in vocabulary.words["words_for_a_look"] and not is_name
