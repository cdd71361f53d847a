"""Whether a document can be what it says: its number and its type are no placeholders, its authority issues documents of its country, its holder can have it by nationality and residence, and a personal number that contains a date of birth has the holder's."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import countries_named, country_of
from kycpack.triage.addresses.places import is_of_another_country, without_places
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import words
from kycpack.triage.results.vocabulary import Vocabulary, name_words, steps_of, words_of
from kycpack.triage.results.vocabulary_file import load_vocabulary

_WORDS = words_of("identity_documents")
_SPECIMENS = ("TEST", "SPECIMEN", "SAMPLE", "DUMMY", "EXAMPLE")
_SHORTEST_NUMBER = 5
_FEWEST_SHOWN = 2
_MASKED = re.compile(r"[*\u2022\u25cf#]{2}|\b[xX]{3}|\u2026")
_MASK = re.compile(r"[*\u2022\u25cf#\u2026]|[xX]{2,}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}")
_ONE_DIGIT = re.compile(r"[A-Z]{1,2}([0-9])\1{5,}")  # a series of letters, then only zeros
_LETTERS = re.compile(r"[^\W\d_]+")
_REMARK = re.compile(r"[()\[\]]|[^\W\d_A-Z]{4}")  # a word in small letters, or brackets around one
_RUNS = ("01234567890123456789", "9876543210987654321")

_PARTS = re.compile(r"y+|m+|d+|0+|x+")
_ONE = {"0": r"[0-9]", "x": r"[A-Z0-9]"}

AUTHORITY = "issuing_authority"


@dataclass(frozen=True, slots=True)
class _Cards:
    """The file.

    Attributes:
        nationalities: By country, the nationalities that its card can show.
        residents: Countries that issue cards to foreigners only while they live there.
        within: Words in the type of such a card.
        alone: Its whole type.
        others: Words in the types of other cards.
        passports: Whole types of a passport.
        to_others: Countries that also issue passports to people who are not their citizens.
        lasting: Countries that may issue cards without an end to the old.
        lasting_from: The age from which they may.
    """

    nationalities: dict[str, frozenset[str]]
    residents: frozenset[str]
    within: tuple[str, ...]
    alone: frozenset[str]
    others: tuple[str, ...]
    passports: frozenset[str]
    to_others: frozenset[str]
    lasting: frozenset[str]
    lasting_from: int


@lru_cache(maxsize=4_096)
def document_of_another_state(kind: str, country: str, nationality: str) -> str:
    """Return what a document is if its country issues it only to its citizens, and the holder is not one.

    Args:
        kind: The document's type.
        country: The issuing country, a code or a name.
        nationality: The holder's, a code or the name of a country; any other word is not compared.

    Returns:
        `national identity card` or `passport`; empty for any other document, and for one of the holder's own country.
    """
    issuer, holder = country_name(country_of(country)), country_name(country_of(nationality))
    if issuer is None or holder is None:
        return ""
    cards = _cards()
    if _is_identity_card(kind):
        allowed = cards.nationalities.get(issuer)
        return "national identity card" if allowed is not None and _issuer_of(holder) not in allowed else ""
    is_passport = _letters(kind) in cards.passports and issuer not in cards.to_others
    return "passport" if is_passport and _issuer_of(holder) != _issuer_of(issuer) else ""


@lru_cache(maxsize=4_096)
def is_card_of_former_residence(kind: str, country: str, nationality: str, home: str) -> bool:
    """Return whether a document is an identity card that its country issues to foreign residents, and the holder is a foreigner who lives elsewhere.

    Args:
        kind: The document's type.
        country: The issuing country, a code or a name.
        nationality: The holder's, a code or the name of a country; any other word is not compared.
        home: The country of the proof of address, a code or a name; any other word is not compared.
    """
    issuer, holder, lives_in = (country_name(country_of(text)) for text in (country, nationality, home))
    return (
        issuer in _cards().residents
        and holder is not None
        and lives_in not in {None, issuer}
        and _is_identity_card(kind)
        and _issuer_of(holder) != issuer
    )


@lru_cache(maxsize=4_096)
def may_last_for_ever(kind: str, country: str, age: int) -> bool:
    """Return whether a document is an identity card of a country that may issue it without an end to a person of an age.

    Args:
        kind: The document's type.
        country: The issuing country, a code or a name.
        age: Of the holder, in years.
    """
    cards = _cards()
    return (
        age >= cards.lasting_from
        and country_name(country_of(country)) in cards.lasting
        and _is_identity_card(kind)
    )


@lru_cache(maxsize=1_024)
def _is_identity_card(kind: str) -> bool:
    known, plain = _cards(), _letters(kind)
    is_card = plain in known.alone or any(name in plain for name in known.within)
    return is_card and not any(name in plain for name in known.others)


def _letters(kind: str) -> str:
    return "".join(word.text for word in words(kind) if word.text.isalpha())


@cache
def _cards() -> _Cards:
    known: dict[str, Any] = asset_yaml("countries/identity_cards.yaml")
    return _Cards(
        nationalities={
            country_name(code) or code: frozenset(country_name(one) or one for one in (code, *more))
            for code, more in known["citizens_only"].items()
        },
        residents=frozenset(country_name(code) or code for code in known["residents"]),
        within=tuple(known["within"]),
        alone=frozenset(known["alone"]),
        others=tuple(known["except"]),
        passports=frozenset(known["passports"]),
        to_others=frozenset(country_name(code) or code for code in known["passports_to_others"]),
        lasting=frozenset(country_name(code) or code for code in known["lasting"]),
        lasting_from=known["lasting_from_age"],
    )


@dataclass(frozen=True, slots=True)
class _Authorities:
    """The file.

    Attributes:
        countries: By the words of an authority, the countries whose documents name it.
        abroad: Words of an office abroad.
        ambiguous: Names of countries that are also names of other places.
        documents_of: By country, the country whose documents its authorities issue.
        no_states: Words of those that call themselves issuers and belong to no state.
        invented: Words of an authority that does not exist.
        also_towns: Those of `no_states` that are also towns.
        of_towns: Words of a town's authority.
        of_realms: Words with which those that are no states call themselves one.
    """

    countries: dict[str, frozenset[str]]
    abroad: frozenset[str]
    ambiguous: frozenset[str]
    documents_of: dict[str, str]
    no_states: tuple[str, ...]
    invented: frozenset[str]
    also_towns: frozenset[str]
    of_towns: frozenset[str]
    of_realms: frozenset[str]


@lru_cache(maxsize=1_024)
def is_authority_of(authority: str, country: str) -> bool:
    """Return whether an authority may have issued a document of a country; True if it is not listed and names no country.

    Args:
        authority: As written in the results.
        country: The issuing country, a code or a name.
    """
    known, issuer = _authorities(), country_name(country)
    said = [word.text for word in words(authority)]
    if issuer is None or known.abroad & {*said}:
        return True
    text = f" {' '.join(said)} "
    listed = [countries for name, countries in known.countries.items() if f" {name} " in text]
    named = countries_named(tuple(said))
    plainly = [frozenset(name for spelling, name in named.items() if spelling not in known.ambiguous)]
    issuers = {_issuer_of(name) for countries in listed or plainly for name in countries}
    if not issuers:
        # Consulates abroad are handled above; a town has the authorities of only one country.
        return not any(is_of_another_country(word, _issuer_of(issuer)) for word in said)
    return _issuer_of(issuer) in issuers


@lru_cache(maxsize=1_024)
def is_of_no_state(authority: str) -> bool:
    """Return whether an authority, as written in the results, is known to belong to no state or is invented."""
    said = [word.text for word in words(authority)]
    text, known = f" {' '.join(said)} ", _authorities()
    is_of_town = not known.of_towns.isdisjoint(said) and known.of_realms.isdisjoint(said)
    towns = known.also_towns if is_of_town else frozenset()
    return any(
        f" {name} " in text and name not in towns for name in known.no_states
    ) or not known.invented.isdisjoint(without_places(said))


@lru_cache(maxsize=4_096)
def names_authority(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of the document names the issuing authority, by its own name or as `name` in a group about the authority."""
    around_it, own = steps_of(path)
    groups, name = [name_words(step) for step in around_it], name_words(own)
    if groups[:1] != [["document"]]:
        return False
    is_group = name == ["name"]
    named = "".join([*groups[-1], *name] if is_group else name)
    around = {"".join(one) for one in (groups[:-1] if is_group else groups)}
    return named in vocabulary["authority_names"] and around <= vocabulary["detail_groups"]


def _issuer_of(name: str) -> str:
    """Return the country whose documents the authorities of a country or territory issue; both are names in ISO 3166-1."""
    return _authorities().documents_of.get(name, name)


@cache
def _authorities() -> _Authorities:
    known: dict[str, Any] = asset_yaml("countries/issuing_authorities.yaml")
    return _Authorities(
        countries={
            name: frozenset(country_name(code) or code for code in entry["countries"])
            for entry in known["authorities"]
            for name in entry["names"]
        },
        abroad=frozenset(known["abroad"]),
        ambiguous=frozenset(known["ambiguous"]),
        documents_of={
            country_name(code) or code: country_name(issuer) or issuer
            for code, issuer in known["documents_of"].items()
        },
        no_states=tuple(known["no_states"]),
        invented=frozenset(known["invented"]),
        also_towns=frozenset(known["also_towns"]),
        of_towns=frozenset(known["of_towns"]),
        of_realms=frozenset(known["of_realms"]),
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """How the numbers of a country are written.

    Attributes:
        patterns: Each with groups `y`, `m` and `d`.
        months: Numbers that may be added to the month.
        days: Numbers that may be added to the day.
    """

    patterns: tuple[re.Pattern[str], ...]
    months: tuple[int, ...]
    days: tuple[int, ...]


@lru_cache(maxsize=4_096)
def is_number_of(number: str, country: str, births: Collection[str]) -> bool:
    """Return whether a personal number may belong to somebody born on one of the given days; True if its form is not known.

    Args:
        number: As written in the results.
        country: The country that issued it, a code or a name.
        births: Possible dates of birth, as ISO dates.
    """
    form = _forms().get(country_name(country) or "")
    text = letters_of(number)
    found = [match for pattern in (form.patterns if form else ()) if (match := pattern.fullmatch(text))]
    if form is None or not found or not births:
        return True
    dates = [
        (match["y"], month, day)
        for match in found
        for month in (int(match["m"]) - more for more in form.months)
        for day in (int(match["d"]) - more for more in form.days)
        if 1 <= month <= 12 and 1 <= day <= 31
    ]
    return not dates or any(_is_day(one, birth) for one in dates for birth in births)


def _is_day(date: tuple[str, int, int], birth: str) -> bool:
    year, month, day = birth.split("-")
    return year.endswith(date[0]) and date[1:] == (int(month), int(day))


@cache
def _forms() -> dict[str, _Form]:
    return {
        country_name(code) or code: _Form(
            tuple(re.compile(_pattern(form)) for form in entry["forms"]),
            (0, *entry.get("months", ())),
            (0, *entry.get("days", ())),
        )
        for code, entry in asset_yaml("countries/personal_numbers.yaml")["numbers"].items()
    }


def _pattern(form: str) -> str:
    """Return the regular expression of a form, such as `(?P<y>[0-9]{2})` for `yy`."""
    parts = _PARTS.findall(form)
    return "".join(
        f"{_ONE[part[0]]}{{{len(part)}}}" if part[0] in _ONE else f"(?P<{part[0]}>[0-9]{{{len(part)}}})"
        for part in parts
    )


def number_form(number: str) -> str:  # noqa: PLR0911 - one return for each form
    """Return whether a value can be the number of a document: plausible, masked, empty, too_short, no_digits, date or placeholder.

    A masked number such as `****4821` shows only its end, so whether the whole number is real is not known; it does not count as too short.
    """
    plain = letters_of(number)
    if not plain:
        return "empty"
    if _MASKED.search(number):
        return "masked" if len(letters_of(_MASK.sub("", number))) >= _FEWEST_SHOWN else "empty"
    if _DATE.fullmatch(number.strip()):
        return "date"
    if (
        len(set(plain)) == 1
        or _ONE_DIGIT.fullmatch(plain)
        or plain in _WORDS["placeholders"]
        or plain.startswith(_SPECIMENS)
        or any(plain in run for run in _RUNS)
    ):
        return "placeholder"
    if len(plain) < _SHORTEST_NUMBER:
        return "too_short"
    has_digits = any(character.isdigit() for character in plain)
    if has_digits and _REMARK.search(number):
        return "placeholder"
    return "plausible" if has_digits else "no_digits"


def hides_characters(text: str) -> bool:
    """Return whether a text has masked characters, as in `****4821`."""
    return _MASK.search(text) is not None


@lru_cache(maxsize=1_024)
def type_form(text: str) -> str:
    """Return whether a text can be the type of an identity document: plausible, placeholder, or not_known."""
    plain = letters_of(text)
    if (
        not plain
        or plain in _WORDS["placeholders"]
        or plain.startswith(_SPECIMENS)
        or not re.search(r"[^\W\d_]", plain)
    ):
        return "placeholder"
    return "plausible" if _is_document_type(text, load_vocabulary()) else "not_known"


def _is_document_type(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a word of a text begins like the name of an identity document."""
    parts = [part for word in _LETTERS.findall(text) for part in (name_words(word) or [word.casefold()])]
    wrong = vocabulary["no_document_words"] | vocabulary["verdict_words"]
    return not wrong & {*parts} and any(
        part.startswith(tuple(vocabulary["document_types"])) for part in parts
    )


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in capitals."""
    return "".join(character for character in text.upper() if character.isalnum())
