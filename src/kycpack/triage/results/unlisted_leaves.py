"""Reads the leaves of the results that no rule lists: clear, trouble, plain data, or unknown."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Nested, Observation
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.results.bare_matches import is_bare_match, is_verdict_in_place_of_data
from kycpack.triage.results.data_groups import is_link, is_plain_in_data_group, leads_to_unknown, needs_review
from kycpack.triage.results.data_leaves import (
    is_compared_detail,
    is_data,
    is_impossible,
    names_somebody,
)
from kycpack.triage.results.fine_names import is_feature_seen, is_fine_by_name
from kycpack.triage.results.found_records import marks_unknown_thing
from kycpack.triage.results.inner_leaves import inner_leaves
from kycpack.triage.results.leaf_details import BY_VALUE, detail_of
from kycpack.triage.results.leaf_names import WORDS_OF_NAME, name_words, names_finding, steps_of
from kycpack.triage.results.neutral_facts import (
    is_empty_category,
    is_of_channel,
    is_time_of_machine,
    names_lists_searched,
)
from kycpack.triage.results.plain_claims import (
    affirms_well,
    denies_trouble,
    is_alone,
    is_done,
    is_fresh,
    is_long_known,
    is_low_risk,
    is_near,
    is_share,
    is_sure,
    is_whole_match,
    may_be_over,
)
from kycpack.triage.results.remarks import says_all_is_well
from kycpack.triage.results.screening_machines import is_of_screening_machine
from kycpack.triage.results.screening_texts import is_of_entry, says_found
from kycpack.triage.results.shown_things import gives_consent, is_of_second_one, is_shown
from kycpack.triage.results.trouble_words import (
    finds_nothing,
    holds_data,
    in_claiming_group,
    in_trouble_group,
    is_better_if_low,
    is_good_to_miss,
    is_moderate_fraud_score,
    is_plural_of_trouble,
    is_slight_probability,
    is_unknown_reference,
    looks_for_trouble,
    names_checks_made,
    names_no_list,
    speaks_of_trouble,
    turns_meaning,
)
from kycpack.triage.results.vocabulary import Vocabulary, affirms, denies, plain_word, text_words
from kycpack.triage.results.written_forms import (
    in_usual_form,
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
_OF_FINDING = frozenset({"detected", "found", "present", "suspected", "used", "confirmed", "instrument"})
_DENIED_PLAINLY = frozenset({"clear", "free", "no", "failed"})
# When and why there was trouble: without a value there was none.
_DETAILS_OF_TROUBLE = frozenset({"at", "on", "date", "ago", "reason", "reasons", "since", "by"})
_NOTES = frozenset({"note", "notes", "comment", "comments", "remark", "remarks"})
_CONSENTS = frozenset({"consent", "consents"})
_MATCHED_IN_LISTS = frozenset({"media", "database", "databases", "record", "records"})
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
        _denies_trouble(path, parts, value, vocabulary)
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
        (not of_screening and _is_plainly_fine(path, parts, value, vocabulary))
        or _is_well_said(path, parts, value, vocabulary)
        or _claims_well(path, own, value, vocabulary)
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


def _denies_trouble(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf says that a search for trouble found none: by a word for it, or by a count of 0."""
    words = vocabulary.words
    if turns_meaning(path, vocabulary):
        return False
    if isinstance(value, str):
        return plain_word(value) in words["nothing_listed"] and is_good_to_miss(path, vocabulary)
    counted = [part for part in parts if part not in words["count_words"]]
    if parts and not counted:
        counted = name_words(next(reversed(steps_of(path)[0]), ""))
    return (
        (isinstance(value, Decimal) and value == 0)
        and bool(counted)
        and all(
            vocabulary.has_stem([part], "trouble_names")
            or part in words["trouble_names_of_screening"]
            or is_plural_of_trouble(part, vocabulary)
            or (part == "results" and path.startswith("screening."))
            for part in counted
        )
        # No hit of a search that may as well look for what should be there, as in `companySearch.hits`, is no good news.
        and (not all(map(names_finding, counted)) or is_good_to_miss(path, vocabulary))
    )


def _asks_for_review(path: str, parts: list[str], text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text has a word that needs a review; in the name of a place or a person it may be a part, but not the whole."""
    if vocabulary.words["naming_words"].isdisjoint(parts[-1:]):
        return needs_review(text, vocabulary)
    # A vendor may have such a name.
    is_name = parts[-1] in {"name", "names"} and holds_data(path, vocabulary)
    return plain_word(text) in vocabulary.words["words_for_a_look"] and not is_name


def _is_plainly_fine(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a name is only about trouble and the value denies it, or only about something good and the value affirms it."""
    words = vocabulary.words
    if turns_meaning(path, vocabulary):
        return False
    steps = [name_words(step) for step in path.split(".")]
    said = plain_word(value) if isinstance(value, str) else None
    if said in words["well_values"]:
        return not any(vocabulary.has_stem(step, "trouble_names") for step in steps)
    telling = {*parts} - words["plain_words"]
    if value is True:
        matching = telling & words["matching_words"]
        return (
            bool(telling)
            and telling - matching <= words["good_words"] | words["feature_words"]
            # That a face is present says nothing of whose it is.
            and not telling.isdisjoint(words["good_words"] | matching | words["security_features"])
            and not is_of_second_one(parts)
            and (not matching or {*parts} - matching <= vocabulary.compared_words)
            and not any(vocabulary.has_stem(step, "trouble_names") for step in steps[:-1])
            and not looks_for_trouble(path, vocabulary)
        )
    if said in words["nothing_found"]:
        said_of = words["good_words"] | words["done_words"] | words["check_words"] | words["matching_words"]
        of_check = said_of.isdisjoint(telling) or telling <= words["check_words"] | words["data_words"]
        telling -= words["check_words"]
        if of_check and any(vocabulary.has_stem([part], "trouble_names") for part in telling):
            return True
    elif value is not False:
        return False
    return (
        bool(telling)
        and all(
            vocabulary.has_stem([part], "trouble_names") and part not in words["good_words"]
            for part in telling
        )
        and (not all(map(names_finding, telling)) or is_good_to_miss(path, vocabulary))
    )


def _is_well_said(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text says that all is well, under a name that does not reverse its meaning."""
    if (
        not isinstance(value, str)
        or turns_meaning(path, vocabulary)
        or vocabulary.has_stem(parts, "trouble_names")
        or in_trouble_group(path, vocabulary)
    ):
        return False
    of_search = looks_for_trouble(path, vocabulary)
    # A bare `confirmed` is good only under a name for which that is known.
    if plain_word(value) in vocabulary.remarks.matching and (
        of_search
        or not vocabulary.compared_words.issuperset(parts)
        or not _MATCHED_IN_LISTS.isdisjoint(parts)
    ):
        return False
    return says_all_is_well(value, vocabulary.remarks, of_search=of_search)


def _claims_well(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:  # noqa: C901, PLR0911 - one return for each kind of claim
    """Return whether a name and its value say in plain words that a check was made or passed, or that there is no trouble."""
    words = vocabulary.words
    last = name_words(next(reversed(steps_of(path)[0]), ""))
    if not own or not (words["turning_words"] - _DENIED_PLAINLY).isdisjoint(name_words(path)):
        return False
    of_search = looks_for_trouble(path, vocabulary)
    around = [
        part
        for step in path.split(".")[:-1]
        if step not in SECTIONS
        for part in name_words(step)
        if not part.isdigit() and len(part) > 1
    ]
    if path.startswith("address."):
        around.append("address")
    # In `injectionAttack.detected` the group says what was detected.
    of_group = {*own} <= _OF_FINDING or (
        bool(last) and {*last} <= words["denied_words"] - words["turning_words"]
    )
    whole = [*last, *own] if of_group else own
    to_miss = is_good_to_miss(path, vocabulary)
    if any(denies_trouble(name, around, value, vocabulary, to_miss=to_miss) for name in (own, whole)):
        return True
    if is_low_risk(own, name_words(path), value, vocabulary):
        return True
    if speaks_of_trouble(path, own, vocabulary):
        return False
    if not of_search and (is_alone(own, value) or is_shown(own, around, value) or gives_consent(own, value)):
        return True
    if value is True:
        if is_of_second_one(own):
            return False
        if not _CONSENTS.isdisjoint(last):
            return words["denied_words"].isdisjoint(own)
        # It is good if an address is in such a register.
        of_search = of_search and words["good_registers"].isdisjoint(around)
        return affirms_well(own, around, last, vocabulary, of_search=of_search)
    searched = words["searched_words"]
    if (
        of_search
        and (not searched.isdisjoint(own) or (bool(last) and searched.issuperset(last)))
        and {*own} <= searched | words["data_names_of_sources"] | {"articles"}
    ):
        if isinstance(value, str):
            return vocabulary.may_name_check(value, of_register=True) and not names_no_list(value, vocabulary)
        return isinstance(value, Decimal) and value > 0 and not is_impossible(path, own, value, vocabulary)
    return (
        (of_search and is_done(own, value, vocabulary))
        or is_near(own, value)
        or is_sure(own, value, vocabulary)
        or is_fresh(path, own, value)
        or is_long_known(
            own,
            last if path.count(".") > 1 or path.partition(".")[0] not in SECTIONS else [],
            value,
            vocabulary,
        )
        or (not of_search and is_whole_match(own, around, value, vocabulary))
        or is_share(path, own, value)
    )
