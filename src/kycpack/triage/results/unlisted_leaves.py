"""Reads the leaves of the results that no rule lists: clear, trouble, plain data, or unknown.

A leaf goes through the readers of `_ORDER`, and the first that answers decides:

0. what a search looked for, and how much it searched, is data;
1. a search that found nothing, or a security feature that is there, is clear;
2. a text that is a listed word for trouble is trouble, and one for fine is clear;
3. a value that is listed as fine for its name is clear;
4. an empty list or group is data, and unknown where something was expected in it;
5. a negligible probability of trouble is clear;
6. a name of trouble that is affirmed is trouble, and so is a match below screening; of a name that denies trouble, a denial is; that a check for trouble
   was not made, or that trouble was excluded, is unknown;
7. a good name that is denied is trouble;
8. a name and a value that together say that all is well are clear;
9. plain data is data, unless it stands among findings or is the number of something unknown;
10. a text below screening that says that somebody was found is trouble.

What nobody answers is unknown. Before that, a JSON object in a text is read as its own leaves. After that, a text such as `"0"` or `"true"` is read
again as what it means; a match with nobody knows what, and a verdict under a name of data, are unknown. What a leaf's group says may still settle a
leaf in doubt: `settled_leaves`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.listed_matches import names_matches
from kycpack.triage.case_file import Nested, Observation
from kycpack.triage.levels import CLEAR, HIT, UNKNOWN
from kycpack.triage.results.claims import (
    claims_well,
    is_good_verdict,
    is_plainly_fine,
    is_well_said,
    says_none_found,
)
from kycpack.triage.results.data_groups import is_link, is_plain_in_data_group, leads_to_unknown, needs_review
from kycpack.triage.results.data_kinds import (
    in_usual_form,
    inner_leaves,
    is_extent,
    is_of_kind,
    is_of_request,
    is_unknown_camera,
    is_written_plainly,
    with_name_of_list,
)
from kycpack.triage.results.data_leaves import is_compared_detail, is_data, is_written_as_name, names_somebody
from kycpack.triage.results.described_states import (
    describes_state,
    is_fact_of_person,
    names_fact,
    reports_trouble_for_data,
    stands_for_data,
)
from kycpack.triage.results.further_people import is_feature_seen, is_fine_by_name, is_of_second_person
from kycpack.triage.results.leaf_details import BY_VALUE, detail_of, in_data_group, is_asserted, is_no_detail
from kycpack.triage.results.negated_names import (
    affirms_denial,
    denies_by_name,
    leaves_open,
    names_denial,
    refuses_denial,
)
from kycpack.triage.results.neutral_facts import (
    is_empty_category,
    is_of_channel,
    is_time_of_machine,
    names_lists_searched,
)
from kycpack.triage.results.pictures import marks_unknown_thing
from kycpack.triage.results.plain_claims import may_be_over
from kycpack.triage.results.result_dates import is_unread_day
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
    says_how_trouble_ended,
    turns_meaning,
)
from kycpack.triage.results.verdicts import is_bare_match, is_verdict_in_place_of_data
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    affirms,
    denies,
    name_words,
    plain_word,
    steps_of,
    text_words,
    words_of,
)

DATA = "DATA"
"""The reading of an unlisted leaf that is plain data and carries no verdict."""

_WORDS = words_of("unlisted_leaves")
_GRAVITY = (CLEAR, DATA, UNKNOWN, HIT)
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2})?")
_BY_LANGUAGE = (["labels"], ["label"], ["translations"], ["translation"], ["names"])


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
        is_bare_match(seen.path, seen.value, vocabulary)
        or (may_be_over(seen.path, seen.value) and not is_asserted(seen.path, vocabulary))
        or (not isinstance(seen.value, Decimal) and says_how_trouble_ended(seen.path, vocabulary))
        or (not denies(seen.value) and is_of_second_person(seen.path))
        or stands_for_data(seen.path, seen.value, vocabulary, is_fine=True)
    ):
        return UNKNOWN
    if said == DATA and reports_trouble_for_data(seen.path, seen.value, vocabulary):
        return HIT
    if said == DATA and (
        is_verdict_in_place_of_data(seen.path, seen.value, vocabulary)
        or describes_state(seen.path, seen.value, vocabulary)
        or stands_for_data(seen.path, seen.value, vocabulary, is_fine=False)
    ):
        return UNKNOWN
    return said


class _Leaf(NamedTuple):
    """A leaf with what the readers of `_ORDER` share.

    Attributes:
        path: Its path.
        value: Its value.
        vocabulary: How its name and its value are read.
        parts: The words of its name.
        own: Those without numbers.
        of_screening: Whether it is below screening.
        is_plain: Whether it has the form of plain data.
        is_matched: Whether a name in its path, below screening, is one of a match.
    """

    path: str
    value: Any
    vocabulary: Vocabulary
    parts: list[str]
    own: list[str]
    of_screening: bool
    is_plain: bool
    is_matched: bool

    @property
    def is_troubled(self) -> bool:
        """Whether its name is one of trouble."""
        return self.vocabulary.has_stem(self.parts, "trouble_names")


def _read(seen: Observation, vocabulary: Vocabulary) -> str:
    if isinstance(seen.value, str) and (inner := inner_leaves(seen.path, seen.value)):
        # A detail inside it would not be compared with the listed one.
        known = not any(detail_of(one.path, vocabulary) for one in inner)
        said_within = [read_leaf(one, vocabulary) for one in inner]
        return max([*said_within, CLEAR if known else UNKNOWN], key=_GRAVITY.index)
    leaf = _leaf_of(seen.path, seen.value, vocabulary)
    return next((said for read in _ORDER if (said := read(leaf))), UNKNOWN)


def _leaf_of(path: str, value: Any, vocabulary: Vocabulary) -> _Leaf:
    section, *steps = path.split(".")
    parts = name_words(_name_of(path))
    own = [part for part in parts if not part.isdigit()]
    is_plain = (
        is_fact_of_person(path, own, value, vocabulary)
        if names_fact(own, vocabulary)
        else (
            is_data(path, own, value, vocabulary)
            or is_compared_detail(path, value, vocabulary)
            or is_plain_in_data_group(path, own, value, vocabulary)
            or is_link(path, own, value, vocabulary)
            or is_time_of_machine(path, own, value, vocabulary)
            or is_written_plainly(path, own, value, vocabulary)
            or is_of_channel(path, own, value)
            or is_of_screening_machine(path, own, value, vocabulary)
            or is_of_kind(path, own, value, vocabulary)
        )
        and not (
            is_unknown_camera(path, value, vocabulary)
            or marks_unknown_thing(path, value, vocabulary)
            or leads_to_unknown(path, value, vocabulary)
            or is_no_detail(path, own, value, vocabulary)
            or is_unread_day(path, value, vocabulary)
        )
    )
    of_screening = section == "screening"
    matches = tuple(vocabulary["trouble_names_of_screening"])
    is_matched = of_screening and (
        any("".join(name_words(step)).endswith(matches) for step in steps)
        or any(names_matches(step) and _WORDS["results"].isdisjoint(name_words(step)) for step in steps[:-1])
    )
    return _Leaf(path, value, vocabulary, parts, own, of_screening, is_plain, is_matched)


def _asked_for(leaf: _Leaf) -> str | None:
    is_told = is_of_request(leaf.path, leaf.own, leaf.value) or is_extent(
        leaf.path, leaf.own, leaf.value, leaf.vocabulary
    )
    return DATA if is_told else None


def _none_found(leaf: _Leaf) -> str | None:
    is_clear = (
        says_none_found(leaf.path, leaf.parts, leaf.value, leaf.vocabulary)
        or is_empty_category(leaf.path, leaf.own, leaf.value, leaf.vocabulary)
        or is_feature_seen(leaf.path, leaf.parts, leaf.value, leaf.vocabulary)
    )
    return CLEAR if is_clear else None


def _listed_word(leaf: _Leaf) -> str | None:
    if not isinstance(leaf.value, str) or _is_name(leaf):
        return None
    said, vocabulary = plain_word(leaf.value), leaf.vocabulary
    matches = (
        leaf.vocabulary.kinds["match"].trouble - vocabulary["answers"] if leaf.of_screening else frozenset()
    )
    if said in vocabulary["trouble_values"] or said in matches:
        return HIT
    return CLEAR if said in vocabulary["fine_values"] and not leaf.is_matched else None


def _fine_for_its_name(leaf: _Leaf) -> str | None:
    return CLEAR if is_fine_by_name(leaf.path, "".join(leaf.parts), leaf.value, leaf.vocabulary) else None


def _empty_group(leaf: _Leaf) -> str | None:
    if not isinstance(leaf.value, Nested):
        return None
    path, own, vocabulary = leaf.path, leaf.own, leaf.vocabulary
    # What a search without sources would have found is not known, nor what an empty verdict or list of checks says.
    is_open = (
        (
            leaf.of_screening
            and ("".join(leaf.parts) in _WORDS["searched"] or names_lists_searched(path, own, vocabulary))
        )
        or finds_nothing(path, own, vocabulary)
        or names_denial(path, vocabulary)
        or not vocabulary["verdict_names"].isdisjoint(own[-1:])
        or names_checks_made(own, vocabulary)
        # An entry of a list of matches is one, however little it says.
        or (leaf.is_matched and path.rpartition(".")[2].isdecimal())
    )
    return UNKNOWN if is_open else DATA


def _improbable(leaf: _Leaf) -> str | None:
    is_clear = (
        is_better_if_low(leaf.path, leaf.vocabulary)
        and is_slight_probability(leaf.path, leaf.value)
        and not leaf.of_screening
        and not turns_meaning(leaf.path, leaf.vocabulary)
    )
    return CLEAR if is_clear else None


def _trouble_affirmed(leaf: _Leaf) -> str | None:
    if refuses_denial(leaf.path, leaf.value, leaf.vocabulary):
        return HIT
    if affirms_denial(leaf.path, leaf.value, leaf.vocabulary):
        return CLEAR if denies_by_name(leaf.path, leaf.value, leaf.vocabulary) else None
    if leaf.is_matched and not denies(leaf.value):
        return HIT
    if leaves_open(leaf.path, leaf.value, leaf.vocabulary):
        return UNKNOWN
    # The meaning of a risk score depends on its threshold.
    is_score = not leaf.of_screening and isinstance(leaf.value, Decimal) and _is_score_of_risk(leaf)
    return HIT if leaf.is_troubled and affirms(leaf.value) and not is_score else None


def _good_denied(leaf: _Leaf) -> str | None:
    return HIT if leaf.value is False and leaf.vocabulary.has_stem(leaf.parts, "good_names") else None


def _all_well(leaf: _Leaf) -> str | None:
    path, value, vocabulary = leaf.path, leaf.value, leaf.vocabulary
    is_clear = (
        (not leaf.of_screening and is_plainly_fine(path, leaf.parts, value, vocabulary))
        or is_well_said(path, leaf.parts, value, vocabulary)
        or is_good_verdict(path, leaf.own, value, vocabulary)
        or claims_well(path, leaf.own, value, vocabulary)
        or (
            value is None
            and not _WORDS["notes"].isdisjoint(leaf.own[-1:])
            and not is_of_entry(path, vocabulary)
        )
        or (
            value is None
            and not leaf.of_screening
            and not _WORDS["details_of_trouble"].isdisjoint(leaf.own[-1:])
        )
    )
    return CLEAR if is_clear else None


def _plain_data(leaf: _Leaf) -> str | None:
    is_empty = leaf.value in (None, "")
    if is_empty and not _WORDS["verdicts"].isdisjoint(leaf.own[-1:]):
        return UNKNOWN
    is_plain = leaf.is_plain and (not isinstance(leaf.value, str) or _is_name(leaf) or _is_harmless(leaf))
    if not is_plain and not (is_empty and not (leaf.is_troubled or leaf.of_screening)):
        return None
    is_claimed = not (is_empty or leaf.value == 0) and (
        in_claiming_group(leaf.path, leaf.vocabulary)
        or is_unknown_reference(leaf.path, leaf.vocabulary)
        or is_of_second_person(leaf.path)
    )
    return UNKNOWN if is_claimed else DATA


def _somebody_found(leaf: _Leaf) -> str | None:
    is_hit = leaf.of_screening and says_found(leaf.path, leaf.own, leaf.value, leaf.vocabulary)
    return HIT if is_hit else None


_ORDER: tuple[Callable[[_Leaf], str | None], ...] = (
    _asked_for,
    _none_found,
    _listed_word,
    _fine_for_its_name,
    _empty_group,
    _improbable,
    _trouble_affirmed,
    _good_denied,
    _all_well,
    _plain_data,
    _somebody_found,
)


def _is_name(leaf: _Leaf) -> bool:
    """Return whether a leaf is the name of a person or a place, which may be a word for trouble."""
    return leaf.is_plain and names_somebody(leaf.path, leaf.vocabulary)


def _is_harmless(leaf: _Leaf) -> bool:
    """Return whether no word of a text names trouble or needs a review."""
    return (
        not leaf.vocabulary.has_stem(text_words(leaf.value), "trouble_names")
        and not _asks_for_review(leaf.path, leaf.parts, leaf.value, leaf.vocabulary)
        and not (leaf.of_screening and names_no_list(leaf.value, leaf.vocabulary))
    )


def _name_of(path: str) -> str:
    """Return the name of a member; if it is named after a language, as in `labels.fr`, that of its group."""
    groups, name = steps_of(path)
    if not groups:
        return name
    by_language = bool(_LANGUAGE.fullmatch(name)) and name_words(groups[-1])[-1:] in _BY_LANGUAGE
    by_value = name in BY_VALUE and groups[-1] not in SECTIONS
    return groups[-1] if groups[-1] in _WORDS["by_part"] or by_language or by_value else name


def _is_score_of_risk(leaf: _Leaf) -> bool:
    return is_moderate_fraud_score(leaf.path, leaf.value, leaf.vocabulary) or (
        "risk" in leaf.parts and not leaf.vocabulary["score_words"].isdisjoint(leaf.parts)
    )


def _asks_for_review(path: str, parts: list[str], text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text has a word that needs a review; in the name of a place or a person it may be a part, but not the whole."""
    names_something = not vocabulary["naming_words"].isdisjoint(parts[-1:])
    may_be_name = names_something or in_data_group(path, vocabulary) or holds_data(path, vocabulary)
    if may_be_name and plain_word(text) in vocabulary["names_like_states"] and is_written_as_name(text):
        return False  # somebody is born in Reading
    if not names_something:
        return needs_review(text, vocabulary)
    # A vendor may have such a name.
    is_name = parts[-1] in {"name", "names"} and holds_data(path, vocabulary)
    return plain_word(text) in vocabulary["words_for_a_look"] and not is_name
