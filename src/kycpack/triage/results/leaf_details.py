"""What a leaf of the results is, by its path: whether it is listed, and which detail, date or coordinate it gives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import dropwhile, pairwise
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.paths import matches
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    last_group,
    name_words,
    plain_word,
    steps_of,
    words_of,
)

MATCHED = frozenset({"match", "matched", "exactmatch", "fullmatch"})
"""What is said of a detail that was compared and is the same."""
READINGS = frozenset({"viz", "mrz", "ocr", "nfc", "chip", "barcode", "front", "back", "visual", "printed"})
"""Words for the readings of a document."""
BY_VALUE = frozenset({"value", "text", "raw"})
"""Names of members that contain the value of their group."""
NAME_DETAILS = frozenset({"given_name", "family_name", "full_name"})
"""Details that are the name of a person, or a part of it."""

_OF_CONNECTION = {
    "country": "ip_country",
    "countrycode": "ip_country",
    "countryname": "ip_country",
    "countryiso": "ip_country",
    "city": "ip_city",
    "town": "ip_city",
    "ipcountry": "ip_country",
    "ipcountrycode": "ip_country",
    "ipcity": "ip_city",
    "gpscountry": "ip_country",
    "gpscountrycode": "ip_country",
    "networkcountry": "ip_country",
}
_WORDS = words_of("leaf_details")
# What says when a screening was made, in its section or in a group of its run.
_OF_SCREENING = (["date"], ["time"], ["timestamp"], ["created"], ["created", "at"], ["created", "on"])
_DIGITS_OF_DATE = 4
_BARE_NAMES = (["name"], ["names"])


def named(path: str) -> tuple[list[str], str]:
    """Return the names of the groups around a leaf, and its own name; a mere `value` has the name of its group."""
    groups, name = steps_of(path)
    by_group = name in BY_VALUE and groups and groups[-1] not in SECTIONS
    return (groups[:-1], groups[-1]) if by_group else (groups, name)


@lru_cache(maxsize=65_536)
def kind_of(path: str, vocabulary: Vocabulary) -> str:
    """Return the kind of a listed check by its path; empty for any other leaf."""
    kind, pattern = next(
        ((kind, one) for one, kind in vocabulary.check_kinds if matches(one, path) is not None), ("", "")
    )
    is_of_search = not vocabulary["words_of_searches"].isdisjoint(name_words(steps_of(path)[1]))
    return "" if pattern.endswith("*") and is_of_search else kind


@lru_cache(maxsize=65_536)
def is_listed(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether the rules of a policy judge a leaf by its path."""
    return bool(kind_of(path, vocabulary)) or any(
        matches(pattern, path) is not None for pattern in vocabulary.values
    )


def in_data_group(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is in a group of data, such as the holder or the address."""
    return any(path.startswith(f"{group}.") for group in vocabulary["data_groups"])


def is_reading(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is part of another reading of the identity document, such as its chip, and not of another document.

    Every group of the document's section is one, unless its name says that it is about something else, such as a visa.
    """
    groups = [name_words(step) for step in steps_of(path)[0]]
    if groups[:1] not in ([], [["document"]]):
        return False
    around = [part for step in groups for part in step]
    return vocabulary["other_documents"].isdisjoint(around)


@lru_cache(maxsize=65_536)
def detail_of(path: str, vocabulary: Vocabulary) -> str:  # noqa: C901, PLR0911 - one return for each kind of place
    """Return the detail of the person or the document that an unlisted leaf repeats, such as `born_on`; empty if none."""
    around_it, own = steps_of(path)
    of_search = path.startswith("screening.")
    while len(around_it) > 1 and (
        own in BY_VALUE or (not of_search and _is_variant(name_words(own), vocabulary))
    ):
        *around_it, own = around_it
    groups = [name_words(step) for step in around_it]
    name = _without_search(groups, name_words(own))
    if found := _of_connection(groups, name, vocabulary):
        return found
    if vocabulary.details.get("".join(name)) == "time_zone" and groups[:1] != [["screening"]]:
        return "time_zone"
    if not is_of_person(path, vocabulary):
        return ""
    if groups[:1] == [["screening"]] and "".join(name) in {"country", "countrycode", "countryofresidence"}:
        return "screened_country"
    if groups[:1] == [["screening"]] and name in (["name"], ["term"], ["query"]):
        return "full_name"
    if groups[:1] == [["address"]] and _ends_residence(groups[1:], name, vocabulary):
        return "lives_until"
    plain, last = _plain_name(groups, name, vocabulary)
    bare = list(dropwhile(vocabulary["detail_qualifiers"].__contains__, plain))
    if bare in (_BARE_NAMES[:1] if of_search else _BARE_NAMES):
        # In `document.document` it is the name of the document, such as `Reisepass`.
        is_qualified = bare != name and vocabulary["named_things"].isdisjoint(last[-1:])
        of_somebody = vocabulary["detail_groups"] | vocabulary["named_groups"]
        if last == ["document"] and groups[:2] == [["document"], ["document"]]:
            return ""
        if is_qualified or "".join(last) in of_somebody:
            return "full_name"
    names = ([*(part for step in groups[-1:] for part in step), *name], name, plain, bare)
    detail = next((one for each in names if (one := vocabulary.details.get("".join(each)))), "")
    around = {part for step in (*groups, name) for part in step}
    # A chip has a number of its own.
    is_of_chip = plain == ["number"] and not _WORDS["chips"].isdisjoint(around)
    of_reading = groups[:1] in ([["document"]], [["identity"]]) and not READINGS.isdisjoint(around)
    if not detail and of_reading and not is_of_chip:
        detail = vocabulary.details_of_readings.get("".join(plain), "")
    # Elsewhere a post code belongs to another place, and a place is that of birth or of issue.
    is_other = (detail == "postcode" and groups[:1] not in ([], [["address"]])) or (
        detail == "captured_in" and around.isdisjoint(vocabulary["capture_words"])
    )
    return "" if is_other else detail


def _is_variant(words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether a name only says in which script, language or reading something is given, as in `fullName.latin`."""
    said = vocabulary["detail_variants"] | vocabulary["detail_languages"]
    return bool(words) and said.issuperset(words)


def _plain_name(
    groups: Sequence[list[str]], name: list[str], vocabulary: Vocabulary
) -> tuple[list[str], list[str]]:
    """Return the words of a name without those for a script, a language or a reading, as in `firstNameLatin1`, and those of the nearest group that is not named after one.

    A part of a name in a group of names, as in `names.native.first`, is read with that word.
    """
    if groups[:1] == [["screening"]]:
        return name, groups[-1]
    last = next((step for step in reversed(groups) if not _is_variant(step, vocabulary)), [])
    variants = vocabulary["detail_variants"]
    plain = [
        word
        for before, word in pairwise(["", *name])
        if word not in variants and not (word.isdigit() and before in variants)
    ] or name
    if len(plain) > 1 and plain[-1] in vocabulary["detail_languages"]:
        plain = plain[:-1]
    is_part = last in _BARE_NAMES and _WORDS["parts_of_names"].issuperset(plain)
    return [*plain, "name"] if is_part else plain, last


@lru_cache(maxsize=65_536)
def is_of_person(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether an unlisted leaf may be about the person, and not about somebody or something else that its path names."""
    section, *groups = path.split(".")[:-1] or [""]
    searched = vocabulary["searched_groups"]
    of_query = bool(groups) and all(plain_word(group) in searched for group in groups)
    if section == "screening" and not (of_query or _is_searched_detail(path, vocabulary)):
        return False
    around = name_words(path.rpartition(".")[0])
    return vocabulary["details_of_others"].isdisjoint(around) and not is_listed(path, vocabulary)


@lru_cache(maxsize=65_536)
def moment_of(path: str, vocabulary: Vocabulary) -> str:
    """Return what an unlisted leaf gives the date of: `issued`, `started`, `ended`, `happened`, `captured`, `modified` or `recorded`; empty if none."""
    if not vocabulary["coming_words"].isdisjoint(name_words(path)) or is_listed(path, vocabulary):
        return ""
    groups, name = steps_of(path)
    own = name_words(name)
    if groups[:1] == ["screening"] and own in _OF_SCREENING and _WORDS["runs"].issuperset(groups[1:]):
        return "happened"
    around = name_words(groups[-1]) if groups and groups[-1] not in SECTIONS else []
    # A proof of address may be a file that was made before.
    is_picture = groups[:1] in (["document"], ["identity"]) and not vocabulary["picture_words"].isdisjoint(
        around[-1:]
    )
    was_made = is_picture and own[:1] in (["created"], ["recorded"])
    if was_made or (not vocabulary["taken_words"].isdisjoint(own) and "issue" not in own):
        return "captured"
    living = vocabulary["residence_words"]
    bare = [part for part in own if part not in living]
    moment = vocabulary.moments.get("".join(bare), "")
    if moment == "started" and (bare != own or (groups and not living.isdisjoint(name_words(groups[-1])))):
        # A residence began at any time before the session.
        return "recorded"
    if around[:1] in (["captures"], ["captured"]):
        return "captured"
    # The provider's own bill is no document of the customer.
    is_own = len(groups) == 1 and not vocabulary["machine_groups"].isdisjoint(name_words(groups[0]))
    # In `bill.date` the group says of what it is the date.
    found = vocabulary.moments.get("".join(own)) or vocabulary.moments.get("".join([*around, *own]), "")
    return "" if is_own and found == "issued" else found


def is_asserted(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is in a group of which each member says whether something holds, as in `mrzChecksums.dateOfBirth`."""
    named = [word for word in name_words(last_group(path)) if not word.isdigit()]
    asserting = vocabulary["asserting_groups"]
    return bool(named) and named[-1] in asserting and (asserting | READINGS).issuperset(named)


def says_match(path: str, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is the result of comparing or checking a detail, as in `comparison: {"name": "match"}`, and not the detail."""
    said = plain_word(text)
    passed = (vocabulary["fine_values"] | vocabulary["good_words"]) - vocabulary["found_texts"]
    detail = detail_of(path, vocabulary)
    if detail == "document_number" and said in passed:
        return True
    # Somebody may be called Pass or SHARP.
    is_result = said in MATCHED or (said in passed and (detail not in NAME_DETAILS or text.islower()))
    return is_result and is_asserted(path, vocabulary)


def is_no_detail(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a value cannot be what its name says and may be a result: the text of a date without one, or one letter or 0 in a group of checks.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its names of details, and its groups of checks.
    """
    text = value.strip() if isinstance(value, str) else ""
    if text and (not _WORDS["days"].isdisjoint(own[-1:]) or own[:2] == ["date", "of"]):
        return sum(map(str.isdigit, text)) < _DIGITS_OF_DATE
    is_short = len(text) == 1 or value == 0
    return is_short and vocabulary.compared_words.issuperset(own) and is_asserted(path, vocabulary)


@lru_cache(maxsize=65_536)
def dates_list(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether an unlisted leaf gives the date of the lists that were searched."""
    around, own = steps_of(path)
    name = name_words(own)
    if not name or path.startswith("address.") or is_listed(path, vocabulary):
        return False
    is_of_lists = not vocabulary["dated_lists"].isdisjoint(
        [*name, *(part for step in around for part in name_words(step))]
    )
    if path.startswith("screening."):
        is_day = name[-1] in vocabulary["list_days"]
        is_dated = (is_day and is_of_lists) or name in (["version"], ["edition"])
    else:
        is_dated = name[-1] in {"version", "edition", "updated", "refreshed"} and is_of_lists
    return is_dated and moment_of(path, vocabulary) not in {"happened", "started", "ended"}


@lru_cache(maxsize=65_536)
def is_new_contact(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether an unlisted leaf says since when a telephone number, an address of mail or its domain is there."""
    own = "".join(name_words(steps_of(path)[1]))
    return not vocabulary["contact_words"].isdisjoint(name_words(path)) and own in vocabulary["first_words"]


@lru_cache(maxsize=65_536)
def axis_of(path: str, vocabulary: Vocabulary) -> str:
    """Return which coordinate an unlisted leaf is, `latitude` or `longitude`; empty if none."""
    if path.startswith("screening.") or is_listed(path, vocabulary):
        return ""
    return vocabulary.axes.get("".join(name_words(steps_of(path)[1])), "")


def _ends_residence(groups: Sequence[list[str]], name: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a leaf in the address section gives the end of the residence, by the words of its groups and its name."""
    living = vocabulary["residence_words"]
    end = "".join(part for part in name if part not in living)
    around = {part for step in (*groups, name) for part in step}
    return not around.isdisjoint(living) and end in vocabulary["residence_ends"]


def _of_connection(groups: Sequence[list[str]], name: list[str], vocabulary: Vocabulary) -> str:
    """Return the detail that a member of a connection, a telephone number or an account gives, which must be in the country of the address; empty if none."""
    around = {part for step in groups for part in step}
    if groups[:1] == [["screening"]]:
        return ""
    if not around.isdisjoint(_WORDS["phones"]) and "".join(name) in _WORDS["of_phone"]:
        return "phone_country"
    if not _WORDS["accounts"].isdisjoint([*around, *name]) and "".join(name) in _WORDS["of_account"]:
        return "account_country"
    is_of_connection = not around.isdisjoint(vocabulary["connection_words"])
    return _OF_CONNECTION.get("".join(name), "") if is_of_connection else ""


def _without_search(groups: Sequence[list[str]], name: list[str]) -> list[str]:
    """Return the words of a name below screening without those at its ends that say that it was searched, as in `searchedName`."""
    if groups[:1] != [["screening"]]:
        return name
    bare = list(dropwhile(_WORDS["searched"].__contains__, name))
    return list(dropwhile(_WORDS["searched"].__contains__, reversed(bare)))[::-1] or name


def _is_searched_detail(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf below screening is itself named after what was searched, as `searchedName` is, or gives the id of the customer or the session."""
    groups, own = steps_of(path)
    name = name_words(own)
    if groups != ["screening"]:
        return False
    bare = _without_search([groups], name)
    detail = vocabulary.details.get("".join(bare))
    return detail in _WORDS["own_ids"] or (
        bare != name and (bare in (["name"], ["term"]) or detail is not None)
    )
