"""Reads the vocabulary of results documents from its file."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from functools import cache, lru_cache

from kycpack.assets import asset_text
from kycpack.triage.located_yaml import Node, read_nodes
from kycpack.triage.results.vocabulary import (
    KINDS,
    Kind,
    RemarkWords,
    Vocabulary,
    name_words,
    plain_word,
    value_key,
)

FILE = "policies/results-vocabulary.yaml"

_FORMS = ("digits", "words", "places", "codes")
_AS_WRITTEN = frozenset({"phrases_for_a_look", "data_groups", "placeholders", "document_types"})
_TOP = (
    "id", "version", "kinds", "checks", "values", "fine_values", "well_values", "fine_names", "trouble_values", "trouble_names",
    "trouble_names_of_screening", "sanctions_stems", "sanctions_lists", "good_names", "forgery", "genuine_words", "document_words", "data_groups", "data_names", "data_names_of_screening",
    "data_groups_of_screening", "system_words", "data_forms", "data_texts", "spelt_names", "short_texts", "data_codes", "verdict_words", "data_words", "check_words", "placeholders", "document_types",
    "no_document_words", "plain_words", "good_words", "nothing_found", "finding_groups", "neutral_groups", "forged_texts", "likely_words", "places_around", "found_texts", "failed_searches", "not_found_texts", "turning_words", "number_names", "score_words", "threshold_words", "scale_words", "better_if_low", "better_if_high", "verdict_names", "label_names", "searched_words", "limit_words", "feature_states", "register_names", "register_topics", "asserting_groups", "long_known_words", "good_to_find", "asked_counts", "passed_counts", "source_counts", "needed_counts", "estimate_words", "margin_words", "good_registers", "past_words", "done_words", "done_alone", "ongoing_words", "group_words", "beside_denied", "ends_of_trouble", "more_good", "denied_words", "found_words", "searched_groups", "connection_words", "living_words", "not_lived_in", "dated_lists", "list_days", "data_names_of_sources", "matching_words", "compared_words", "security_features", "feature_words", "feature_seen", "searches_for_trouble", "searches_of_anything", "nothing_listed", "count_words", "words_of_searches", "details", "details_of_readings", "detail_qualifiers", "detail_variants", "detail_languages", "detail_groups", "named_groups", "named_things", "sexes", "details_of_others", "other_documents", "capture_words",
    "residence_words", "residence_ends", "moments", "taken_words", "coming_words", "contact_words", "first_words", "axes",
    "holding_groups", "judging_words", "naming_words", "long_texts", "picture_words", "picture_groups", "picture_measures", "maker_names", "camera_words", "camera_names", "measure_words", "timed_groups", "acts_of_person", "capability_words", "dated_words", "machine_groups", "machine_things", "troubled_dates", "counted_things", "counting_deeds", "credit_things", "words_for_a_look", "states_in_order", "remark_words", "names_like_states", "state_words", "words_of_states", "phrases_for_a_look", "answers", "further_words", "words_of_others",
    "authority_names", "facts_of_person", "work_words", "ordinary_in_work", "public_functions", "trouble_in_work", "captures", "file_words", "file_names", "role_names", "remarks",
)  # fmt: skip


@cache
def load_vocabulary() -> Vocabulary:
    """Return the vocabulary that comes with the package, read once a process."""
    return read_vocabulary(asset_text(FILE), FILE)


@lru_cache(maxsize=8)
def read_vocabulary(text: str, name: str) -> Vocabulary:
    """Return a vocabulary from its file.

    Args:
        text: The file's text, YAML.
        name: Name of the file in errors.

    Raises:
        PolicyError: It does not parse; the error names file and line.
    """
    top = read_nodes(text, name).members(_TOP, _TOP)
    kinds = {kind: _kind(kind, node) for kind, node in top["kinds"].members(KINDS, KINDS).items()}
    checks = top["checks"].members()
    for node in checks.values():
        if node.scalar() not in kinds:
            raise node.error(f"a check is one of {', '.join(kinds)}")
    apart = {
        "id",
        "version",
        "kinds",
        "checks",
        "values",
        "fine_names",
        "data_forms",
        "details",
        "details_of_readings",
        "sexes",
        "moments",
        "axes",
        "captures",
        "remarks",
    }
    lists = [name for name in _TOP if name not in apart]
    return Vocabulary(
        version=str(top["version"].scalar()),
        digest=hashlib.sha256(text.encode()).hexdigest(),
        kinds=kinds,
        check_kinds=tuple((pattern, str(node.scalar())) for pattern, node in checks.items()),
        values=tuple(item.text() for item in top["values"].items()),
        words={name: _words(top[name], keep=name in _AS_WRITTEN) for name in lists},
        forms={
            word: form
            for form, node in top["data_forms"].members(_FORMS, _FORMS).items()
            for word in _words(node, keep=False)
        },
        fine_names={
            "".join(name_words(name)): frozenset(value_key(item.scalar()) for item in node.items())
            for name, node in top["fine_names"].members().items()
        },
        details=_by_name(top["details"]),
        details_of_readings=_by_name(top["details_of_readings"]),
        sexes=_by_word(top["sexes"]),
        moments=_by_name(top["moments"]),
        axes=_by_word(top["axes"]),
        captures=_by_word(top["captures"]),
        remarks=_remark_words(top["remarks"]),
    )


def _kind(name: str, node: Node) -> Kind:
    members = node.members(("fine", "trouble"), ("fine", "trouble"))
    fine, trouble = (
        frozenset(value_key(item.scalar()) for item in members[part].items()) for part in ("fine", "trouble")
    )
    if fine & trouble:
        raise node.error("a word is both fine and trouble")
    return Kind(name, fine, trouble)


def _remark_words(node: Node) -> RemarkWords:
    names = tuple(field.name for field in fields(RemarkWords))
    members = node.members(names, names)
    return RemarkWords(**{name: frozenset(item.text() for item in members[name].items()) for name in names})


def _by_word(node: Node) -> dict[str, str]:
    return {word: name for name, words in node.members().items() for word in _words(words, keep=False)}


def _by_name(node: Node) -> dict[str, str]:
    """Return words by the ASCII letters of a name, as those of the results are read."""
    return {"".join(name_words(word)): name for word, name in _by_word(node).items()}


def _words(node: Node, *, keep: bool) -> frozenset[str]:
    return frozenset(item.text() if keep else plain_word(item.text()) for item in node.items())
