"""Unlisted leaves that are plain data and carry no verdict: every word of the name is listed as data, and the value fits the name; no number is one that the name cannot have."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Nested, Unreadable
from kycpack.triage.countries import is_country
from kycpack.triage.results.leaf_details import (
    NAME_DETAILS,
    detail_of,
    in_data_group,
    is_of_person,
    says_match,
)
from kycpack.triage.results.machine_readable import lines_of
from kycpack.triage.results.neutral_facts import is_count_of_files, is_not_borne, is_possible_day
from kycpack.triage.results.trouble_words import holds_data, in_trouble_group
from kycpack.triage.results.vocabulary import Vocabulary, name_words, plain_word, text_words, words_of

# Nobody photographs a document and a face in less time; of the session only, since a provider's total may be that of its machines.
_SHORTEST_SESSION = {
    "ms": 15_000,
    "millis": 15_000,
    "milliseconds": 15_000,
    "seconds": 15,
    "secs": 15,
    "sec": 15,
}
_WORDS = words_of("data_leaves")
_SHORTEST_ACT = {
    "ms": 500,
    "millis": 500,
    "milliseconds": 500,
    "seconds": 3,
    "secs": 3,
    "sec": 3,
    "minutes": 1,
}
_HEIGHTS = ((Decimal("0.9"), Decimal("2.4")), (Decimal(90), Decimal(240)))
_WEIGHTS = (Decimal(30), Decimal(600))
DATE = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2}([T ].*)?)?")
_LONGEST_CODE, _LONGEST_QUIET = 3, 5
FIRST_BEYOND_LATIN = 0x250
_DOMAIN = re.compile(
    r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|co|uk|eu|de|fr|es|it|pl|nl|ie|ch|at|be|se|no|dk|fi|pt|io|example)"
)
_CAMEL = re.compile(r"[a-z]{2,}(?:[A-Z][a-z]+)+")
_OF_CODES = frozenset("@:/=_")
_VOWELS = frozenset("aeiouy")
NAMES = frozenset({"name", "names"})
"""The last words of a name for the name of somebody or something, which may be written in small letters."""
MARK = re.compile(r"\?+|(\w)\1{2,}", re.IGNORECASE)
"""What fills the place of a text, as `XXXX` and `????` do."""


def is_data(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is plain data: every word of its name is listed as data, and no group around it is about trouble.

    Args:
        path: Path of the leaf.
        parts: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its lists of names and forms.
    """
    if isinstance(value, bool | Nested | Unreadable) or not parts:
        return False
    of_screening = path.partition(".")[0] == "screening"
    names = vocabulary["data_names_of_screening" if of_screening else "data_names"]
    if of_screening and _is_searched(path, vocabulary):
        names |= vocabulary["data_names_of_sources"]
    if parts == ["state"] and not in_data_group(path, vocabulary):
        # Elsewhere it says how something stands.
        around = {*name_words(path.rpartition(".")[0])}
        if around.isdisjoint(vocabulary["places_around"]):
            return False
    # No rule judges a second nationality.
    if not vocabulary["further_words"].isdisjoint(parts) and not _WORDS["belonging"].isdisjoint(parts):
        return False
    # Whether the right person did something depends on who did it.
    if (
        parts[-1] == "by"
        and not _WORDS["of_customer"].isdisjoint(parts)
        and not _is_known_actor(value, vocabulary)
    ):
        return False
    is_dated = isinstance(value, str) and DATE.fullmatch(value) is not None
    telling = _telling(parts, value, names, vocabulary, of_screening=of_screening)
    of_somebody = (
        parts[-1:] == ["id"]
        and not _WORDS["whose"].isdisjoint(parts)
        and any(step.isdigit() for step in path.split("."))
    )
    of_past = parts[-1] == "country" and not vocabulary["past_words"].isdisjoint(
        name_words(path.rpartition(".")[0])
    )
    # Pictures in a screening may be those of a person who was found.
    of_files = not of_screening and is_count_of_files(parts, value)
    of_place = parts[-2:] in (["of", "issue"], ["of", "origin"])
    return (
        (parts[-1] in names or is_dated or of_place or of_files)
        and not of_somebody
        and not of_past
        and (not of_screening or _is_of_search(path, parts, vocabulary))
        and telling.issuperset(parts[:-1] if of_files else parts)
        and _has_form(path, parts, value, vocabulary)
        and not in_trouble_group(path, vocabulary)
    )


def _telling(
    parts: list[str], value: Any, names: frozenset[str], vocabulary: Vocabulary, *, of_screening: bool
) -> frozenset[str]:
    """Return the words that the name of plain data with such a value may have."""
    telling = vocabulary["data_names"] | vocabulary["data_words"] | names
    is_dated = isinstance(value, str) and DATE.fullmatch(value) is not None
    if is_dated:
        telling |= vocabulary["residence_words"] | vocabulary["done_words"] | vocabulary["dated_words"]
        if not vocabulary["coming_words"].isdisjoint(parts):
            telling |= {"review"}
    elif parts[-1] in _WORDS["of_texts"]:
        telling |= vocabulary["dated_words"]
    # A date, an id or a version says nothing of the part of the provider's system that it is of.
    is_token = isinstance(value, str) and len(value.split()) == 1 and any(map(str.isdigit, value))
    is_opaque = is_dated or (is_token and parts[-1] in _WORDS["opaque"])
    return telling | vocabulary["system_words"] if is_opaque and not of_screening else telling


def is_compared_detail(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf repeats a detail that is always compared with the listed one; a name must not contain a word of a verdict."""
    if not isinstance(value, str):
        return isinstance(value, Decimal) and detail_of(path, vocabulary) == "birth_year"
    if says_match(path, value, vocabulary):
        return False
    if "<" in value and is_of_person(path, vocabulary) and lines_of(value):
        return True
    detail = detail_of(path, vocabulary)
    if detail == "sex":
        return plain_word(value) in vocabulary.sexes
    if detail in NAME_DETAILS and value[:1].isdigit():
        return False
    of_query = bool(detail) and path.startswith("screening.")
    # No rule compares a town that nobody knows.
    is_described = detail == "ip_city" and not is_written_as_name(value)
    return (detail in _WORDS["compared"] or of_query) and (
        detail == "full_address"
        or not (is_described or not vocabulary["verdict_words"].isdisjoint(text_words(value)))
    )


def names_somebody(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf names a person or a place, whose name may be a word for trouble."""
    own = name_words(path.rpartition(".")[2])
    return (
        in_data_group(path, vocabulary)
        and not path.startswith("document.document.")
        and not (own and own[-1] in _WORDS["describing"])
    )


def _has_form(path: str, parts: list[str], value: Any, vocabulary: Vocabulary) -> bool:  # noqa: PLR0911 - one return for each form
    """Return whether a value fits its name: a date has digits, a type is a known one."""
    form = vocabulary.forms.get(parts[-1], "")
    if not isinstance(value, str):
        return value is None or (
            not is_impossible(path, parts, value, vocabulary)
            and (
                form == "digits"
                or (parts[-1] in vocabulary["number_names"] and value > 0)
                or is_count_of_files(parts, value)
            )
        )
    if not value.strip():
        return True
    if DATE.fullmatch(value):
        return is_possible_day(value)
    # A code in one word, as `eyeLeft`, is read as its words.
    words = name_words(value) if _CAMEL.fullmatch(value) else text_words(value)
    if is_not_borne(path, parts[-1], value, vocabulary):
        return True
    if form == "digits":
        return any(one.isdigit() for one in value) or _is_code(parts, value, vocabulary)
    if form == "places":
        return "." in value or "/" in value
    if form == "codes":
        of_something = not vocabulary["data_codes"].isdisjoint(parts[:-1])
        return of_something and max(map(len, words), default=0) <= _LONGEST_CODE
    if parts[-1] == "vendor" and not in_data_group(path, vocabulary):
        return vocabulary["verdict_words"].isdisjoint(words)
    if form == "words" or (parts[-1] == "name" and path.startswith("document.document.")):
        return are_known(words, vocabulary, with_codes=parts[-1] not in vocabulary["spelt_names"]) and (
            _is_among_data(path, vocabulary) or _wrong_elsewhere(vocabulary).isdisjoint(words)
        )
    # The member `name` of a section may be the name of a finding.
    named = parts != ["name"] or path.count(".") > 1 or path.partition(".")[0] not in SECTIONS
    return in_data_group(path, vocabulary) or (
        named
        and vocabulary["verdict_words"].isdisjoint(words)
        and (
            (parts[-1] in vocabulary["naming_words"] and is_written_as_name(value))
            or (_is_among_data(path, vocabulary) and (parts[-1] in NAMES or is_written_as_name(value)))
            or all(is_known_or_name(token, vocabulary) for token in value.split())
            # One word for who or what made something, as in `provider: northbank-kyc`.
            or (
                parts[-1] in vocabulary["maker_names"]
                and len(value.split()) == 1
                and _wrong_elsewhere(vocabulary).isdisjoint(words)
            )
        )
    )


def is_written_as_name(text: str) -> bool:
    """Return whether a text has a letter that is no small one, or a digit: names of people and places have one, and `échoué` has none."""
    return any(each.isalnum() and not each.islower() for each in text)


def _is_among_data(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is in a group that holds data; anywhere else a bare word may be a verdict."""
    return in_data_group(path, vocabulary) or holds_data(path, vocabulary)


@cache
def _wrong_elsewhere(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that are data of a person or a device, as amber eyes are, and a verdict anywhere else."""
    return vocabulary["verdict_words"] | vocabulary["denied_words"] | vocabulary["words_for_a_look"]


def _is_code(parts: list[str], value: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text without digits is a code and describes nothing: its parts are short or have no vowel, or it is a firm's id in one word."""
    said = text_words(value)
    if parts[-1:] == ["id"] and not _WORDS["firms"].isdisjoint(parts):
        wrong = vocabulary["words_for_a_look"] | vocabulary["verdict_words"]
        return len(said) == 1 and wrong.isdisjoint(said) and not vocabulary.has_stem(said, "trouble_names")
    return (
        parts[-1] in _WORDS["codes"]
        and value.isupper()
        and any(len(word) > _LONGEST_CODE for word in said)
        and all(len(word) <= _LONGEST_CODE or _VOWELS.isdisjoint(word) for word in said)
    )


def _is_known_actor(value: Any, vocabulary: Vocabulary) -> bool:
    return isinstance(value, str) and (
        are_known(text_words(value), vocabulary) or any(map(str.isdigit, value))
    )


def are_known(words: list[str], vocabulary: Vocabulary, *, with_codes: bool = True) -> bool:
    """Return whether a text has only words known as plain data, such as a type or a side, and short codes; none may be a verdict.

    Args:
        words: The words of the text.
        vocabulary: Its words known as plain data.
        with_codes: Whether any two or three letters may be a code, as under `currency`; under `type` they have to be listed or a country's code, for `ban` is none.
    """
    known = vocabulary["data_texts"]
    wrong = (vocabulary["verdict_words"] | vocabulary["trouble_values"]) - known
    return wrong.isdisjoint(words) and all(
        word in known
        or len(word) <= 1
        or (
            len(word) <= _LONGEST_CODE
            and word.isascii()
            and (with_codes or word in vocabulary["short_texts"] or is_country(word))
        )
        for word in words
    )


def is_known_or_name(token: str, vocabulary: Vocabulary) -> bool:
    """Return whether a part of a text is a name, a code or a known word: any other word in lower case describes something."""
    is_code = any(each.isdigit() or each in _OF_CODES for each in token) or _DOMAIN.fullmatch(token)
    # A long word in capitals is a word like one in lower case.
    is_loud = token.isupper() and len(token) > _LONGEST_QUIET
    if is_code or (token != token.casefold() and not is_loud):
        return all(ord(each) < FIRST_BEYOND_LATIN for each in token)
    known = _known_words(vocabulary)
    return token.isascii() and all(len(word) <= _LONGEST_CODE or word in known for word in text_words(token))


@cache
def _known_words(vocabulary: Vocabulary) -> frozenset[str]:
    return (
        vocabulary["data_texts"]
        | vocabulary["holding_groups"]
        | vocabulary["data_names"]
        | vocabulary["plain_words"]
    )


def _is_of_search(path: str, parts: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of the screening is about the search, and not about a person it found, as an id in a list of people is."""
    steps = path.split(".")
    groups = [step for step in steps[1:-1] if not step.isdigit()]
    return (
        all(
            plain_word(step) in vocabulary["data_groups_of_screening"]
            or not vocabulary["searched_words"].isdisjoint(name_words(step))
            for step in groups
        )
        and (not any(map(str.isdigit, steps)) or _is_searched(path, vocabulary))
        and vocabulary["trouble_names_of_screening"].isdisjoint(parts)
    )


def _is_searched(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf below screening is about what was searched, as in `sourcesSearched`."""
    around = [{*name_words(step)} for step in path.split(".")[1:]]
    searched, sources = vocabulary["searched_words"], vocabulary["data_names_of_sources"]
    return any(searched & step and (sources & step or len(step) == 1) for step in around)


def is_impossible(path: str, parts: list[str], value: Decimal, vocabulary: Vocabulary) -> bool:  # noqa: PLR0911 - one return for each kind of number
    """Return whether a number is impossible for its name: no pages, a fractional id, a person three centimetres tall, a video of no length.

    Args:
        path: Path of the leaf.
        parts: The words of its name.
        value: The number.
        vocabulary: Its words of times and of what a person does.
    """
    last, around = parts[-1], name_words(path)
    timed = not vocabulary["timed_groups"].isdisjoint(around)
    unit = next(
        (part for part in (*reversed(parts), *around) if part in _SHORTEST_ACT), "ms" if timed else ""
    )
    is_session = parts[:-1] in (
        [],
        ["duration"],
        ["total"],
        ["total", "duration"],
        ["session"],
        ["session", "duration"],
    )
    if (
        unit in _SHORTEST_SESSION
        and is_session
        and not _WORDS["whole_sessions"].isdisjoint(around)
        and _WORDS["of_machines"].isdisjoint(around)
    ):
        return value < _SHORTEST_SESSION[unit]
    if unit and _WORDS["pieces"].isdisjoint(around) and not vocabulary["acts_of_person"].isdisjoint(around):
        return value < _SHORTEST_ACT[unit]
    if last == "fps" or "accuracy" in parts or (parts == ["frames"] and path.startswith("identity.")):
        return value <= 1
    if last in _WORDS["elapsed"]:
        return value < 0
    if last in _WORDS["counted"] or "page" in parts:
        return value <= 0
    if last in _WORDS["whole"]:
        return value != value.to_integral_value()
    if ".holder." not in path:
        return False
    of_height, of_weight = "height" in parts, "weight" in parts
    return (of_height and not any(low <= value <= high for low, high in _HEIGHTS)) or (
        of_weight and not _WEIGHTS[0] <= value <= _WEIGHTS[1]
    )
