"""Compares details of the person and the document that unlisted members of the results repeat."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from kycpack.triage.addresses.address_likeness import PostalAddress, compare_addresses
from kycpack.triage.addresses.places import is_of_another_country, is_zone_of_another_country
from kycpack.triage.case_file import Observation
from kycpack.triage.countries import country_name, country_of_people, is_country
from kycpack.triage.details.doubtful_names import parts_by_script
from kycpack.triage.likeness import (
    ALIAS,
    DECEASED,
    DIFFERENT,
    EQUAL,
    GENERATION,
    MANY_NAMES,
    NOT_A_NAME,
    SECOND_PERSON,
    SLIP,
)
from kycpack.triage.names.person_names import compare_names
from kycpack.triage.results.identity_documents import (
    AUTHORITY,
    hides_characters,
    is_authority_of,
    is_number_of,
    letters_of,
    names_authority,
)
from kycpack.triage.results.leaf_details import NAME_DETAILS, detail_of, is_of_person, is_reading, says_match
from kycpack.triage.results.machine_readable import details_of
from kycpack.triage.results.result_dates import dates_of, is_unread_day, place_of
from kycpack.triage.results.vocabulary import Vocabulary, name_words, plain_word, steps_of, text_words

AGREE = "agree"
_LISTED = {
    "born_on": "document.holder.dateOfBirth",
    "birth_year": "document.holder.dateOfBirth",
    "expires_on": "document.document.expirationDate",
    "document_number": "document.document.documentNumber",
    "nationality": "document.holder.nationality",
    "issuing_country": "document.document.issuingCountry",
    "postcode": "address.extractedAddress.postalCode",
    "ip_country": "address.extractedAddress.country",
    "phone_country": "address.extractedAddress.country",
    "account_country": "address.extractedAddress.country",
    "ip_city": "address.extractedAddress.country",
    "captured_in": "address.extractedAddress.country",
    "time_zone": "address.extractedAddress.country",
    AUTHORITY: "document.document.issuingCountry",
}
# Details that no listed member gives: the first one counts.
_IDS = ("applicant_id", "person_id", "subject_id", "user_id")
_ENDS = {"expires_on": "a date of expiry", "lives_until": "an end of residence"}
_OF_DOCUMENT = frozenset({"document_number", "issuing_country", "expires_on"})
_WORDS = {
    "given_name": "given name",
    "family_name": "family name",
    "full_name": "name",
    "born_on": "date of birth",
    "birth_year": "year of birth",
    "personal_number": "date of birth in the personal number",
    "document_number": "document number",
    "nationality": "nationality",
    "issuing_country": "issuing country",
    "expires_on": "date of expiry",
    "postcode": "post code",
    "sex": "sex",
    "full_address": "address",
    "ip_country": "country of the connection",
    "screened_country": "country of the person who was screened",
    "phone_country": "country of the telephone number",
    "account_country": "country of the bank account",
    "ip_city": "country's town of the connection",
    "captured_in": "country of a picture",
    "time_zone": "country's time zone",
    "applicant_id": "applicant id",
    "person_id": "person id",
    "subject_id": "subject id",
    "user_id": "user id",
    "customer_id": "customer's id",
    "session_id": "session's id",
    AUTHORITY: "country's issuing authority",
}
_LABELS = frozenset({"field", "name", "label", "key", "attribute", "element", "item"})
# All given names in a list except the first.
_FURTHER = re.compile(r"\.[1-9][0-9]*$")
# Kinds of likeness with which a name given again may be that of somebody else.
_OF_ANOTHER = frozenset({SLIP, GENERATION, DECEASED, SECOND_PERSON, ALIAS, NOT_A_NAME, MANY_NAMES})
_SEXES = frozenset({"F", "M", "X"})
_FILE = re.compile(r"[^\s.]\.[a-z]{3,4}$")
_PROOFS = frozenset(
    {"bill", "statement", "letter", "invoice", "agreement", "payslip", "document", "facture", "rechnung"}
)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CODE = re.compile(r"[A-Z]{3}")


def differing_details(
    seen: Sequence[Observation],
    telling: Sequence[Observation],
    vocabulary: Vocabulary,
    day: dt.date,
    ids: Mapping[str, str],
) -> Iterator[tuple[Observation, str]]:
    """Yield repeated details that differ from the document and the proof of address, and expiry dates and ends of residence in the past.

    Args:
        seen: The observations of one session.
        telling: Those whose path no rule judges, or that name an authority or a file.
        vocabulary: Says which members repeat a detail.
        day: The day of the review.
        ids: The ids of the customer and the session, as `customer_id` and `session_id`.

    Yields:
        The observation, and a description such as `another date of birth under “chip” in the section “document”`.
    """
    labels = _labels(telling, vocabulary)
    again = [
        (detail, value, one)
        for one in telling
        if one.of_results and isinstance(one.value, str | Decimal)
        for detail, value in _details(_under_label(one.path, labels, vocabulary), one.value, vocabulary)
    ]
    if not again:
        return
    listed = {one.path: one.value for one in seen if one.of_results and isinstance(one.value, str)}
    listed |= ids
    for detail, value, _ in again:
        if detail in ("sex", *_IDS) and (detail != "sex" or value in _SEXES):
            listed.setdefault(detail, value)
    for detail, value, one in again:
        dates = dates_of(value) if detail in _ENDS else ()
        if dates and all(date < day for date in dates):
            yield one, f"{_ENDS[detail]} that has passed{place_of(one.path)}"
        elif not _agrees(
            detail, value, listed, is_reading=_is_reading(detail, one.path, vocabulary)
        ) or _is_unread(one, labels, vocabulary):
            yield one, f"another {_WORDS[detail]}{place_of(one.path)}"


def _labels(telling: Sequence[Observation], vocabulary: Vocabulary) -> dict[str, str]:
    """Return the details that entries of lists name, by the entry's path, as in `fields: [{"field": "lastName", "mrz": "BYRON"}]`."""
    return {
        group: one.value
        for one in telling
        if isinstance(one.value, str)
        and (group := one.path.rpartition(".")[0]).rpartition(".")[2].isdigit()
        and _LABELS.issuperset(name_words(one.path.rpartition(".")[2]))
        and "".join(name_words(one.value)) in vocabulary.details
    }


def _under_label(path: str, labels: Mapping[str, str], vocabulary: Vocabulary) -> str:
    """Return the path that a member of an entry would have if its list were a group and the entry's label its name; what a reading is called is left out."""
    group, _, name = path.rpartition(".")
    if group not in labels:
        return path
    is_reading = plain_word(name) in vocabulary["detail_groups"] | vocabulary["done_words"]
    return f"{group.rpartition('.')[0]}.{labels[group]}.{'value' if is_reading else name}"


def _is_unread(one: Observation, labels: Mapping[str, str], vocabulary: Vocabulary) -> bool:
    """Return whether an entry's label says that a member is a date, and it is not one."""
    path = _under_label(one.path, labels, vocabulary)
    return path != one.path and is_unread_day(path, one.value, vocabulary)


def _is_reading(detail: str, path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a detail belongs to the same document; an expiry date at the top is that of the results."""
    return is_reading(path, vocabulary) and (detail != "expires_on" or "." in path)


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def _details(path: str, given: str | Decimal, vocabulary: Vocabulary) -> tuple[tuple[str, str], ...]:
    """Return the details that a leaf repeats, each with its value; lines of a machine-readable zone give several."""
    value = f"{given:f}" if isinstance(given, Decimal) else given
    scores = vocabulary["score_words"]
    if isinstance(given, Decimal) and not scores.isdisjoint(name_words(path.rpartition(".")[0])):
        # It is how sure the reading of the detail is.
        return ()
    if says_match(path, value, vocabulary):
        # The result of a comparison of the detail, or of a check of it.
        return ()
    if detail := AUTHORITY if names_authority(path, vocabulary) else detail_of(path, vocabulary):
        # A number under a person's name is the confidence of its reading, and a date is when it was given.
        is_name = detail in NAME_DETAILS
        is_further = detail == "given_name" and _FURTHER.search(path) is not None
        if is_name and (value[:1].isdigit() or is_further or _names_proof(path, value, vocabulary)):
            return ()
        return ((detail, _sex(value, vocabulary) if detail == "sex" else value),)
    if "<" not in value or not is_of_person(path, vocabulary):
        return ()
    return tuple(details_of(value))


def _names_proof(path: str, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a `name` in a group such as `proofOfAddress` is that of the document or its file, as `Utility bill` is."""
    said = text_words(text)
    return name_words(steps_of(path)[1]) == ["name"] and (
        _FILE.search(text) is not None
        or (bool(said) and said[-1] in _PROOFS and vocabulary["data_texts"].issuperset(said))
    )


def _sex(text: str, vocabulary: Vocabulary) -> str:
    """Return the letter of a sex in any language; the first letter of any other text."""
    return vocabulary.sexes.get(plain_word(text)) or letters_of(text)[:1]


def _agrees(detail: str, value: str, listed: dict[str, str], *, is_reading: bool) -> bool:
    """Return whether a detail agrees with the listed one; other rules deal with what cannot be compared."""
    if detail in NAME_DETAILS:
        return _is_name_of_holder(detail, value, listed)
    if detail in _IDS:
        return _is_person_of_ours(value, listed.get(detail, ""), listed.get("customer_id", ""))
    if detail in _AGAINST_SEVERAL:
        return _AGAINST_SEVERAL[detail](value, listed)
    known = listed.get(_LISTED.get(detail, detail), "")
    if not value.strip() or not known.strip() or hides_characters(value) or hides_characters(known):
        return True
    # Another document, such as a visa, has its own number and dates.
    return (detail in _OF_DOCUMENT and not is_reading) or _COMPARED[detail](value, known)


def _is_name_of_holder(detail: str, value: str, listed: dict[str, str]) -> bool:
    first, last = listed.get("document.holder.firstName", ""), listed.get("document.holder.lastName", "")
    if not (first and last):
        return True
    # A word in another script may say that the person has died, so the words of each script have to be the name.
    parts = parts_by_script(value)
    if len(parts) > 1:
        known = {"given_name": first, "family_name": last}.get(detail, f"{first} {last}")
        return all(_is_same_name(part, known) for part in parts)
    whole = {"given_name": f"{value} {last}", "family_name": f"{first} {value}"}.get(detail, value)
    return _is_same_name(whole, f"{first} {last}")


def _is_same_name(one: str, other: str) -> bool:
    found = compare_names(one, other)
    return found.verdict != DIFFERENT and _OF_ANOTHER.isdisjoint(found.kinds)


def _is_same_address(one: str, listed: dict[str, str]) -> bool:
    parts = (
        listed.get(f"address.extractedAddress.{name}")
        for name in ("addressLine1", "city", "postalCode", "country")
    )
    return compare_addresses(PostalAddress(one, None, None, None), PostalAddress(*parts)).verdict == EQUAL


def _is_same_day(one: str, other: str) -> bool:
    found, known = dates_of(one), dates_of(other)
    return not (found and known) or bool(found & known)


def _is_same_year(one: str, other: str) -> bool:
    known = {str(date.year) for date in dates_of(other)}
    return not known or one.strip() in known


def _is_same_country(one: str, other: str) -> bool:
    found, known = country_of_people(one), country_of_people(other)
    is_code_of_none = _CODE.fullmatch(one) is not None and not is_country(one)
    return not is_code_of_none and (found is None or known is None or found == known)


def _is_same_nationality(one: str, other: str) -> bool:
    """Return whether a nationality is that of the document; False for a text that is not known as one."""
    found = country_of_people(one)
    return is_country(one) if found is None else country_of_people(other) in {None, found}


def _is_in_country(one: str, other: str) -> bool:
    """Return whether a connection is in a country; False for a text that is not a country."""
    found, known = country_name(one), country_name(other)
    return found is not None and (known is None or found == known)


def _is_taken_in_country(one: str, other: str) -> bool:
    """Return whether a place that ends with its country, as in `Leeds, GB`, is in a country; other places are not compared."""
    _, comma, country = one.rpartition(",")
    return not comma or _is_same_country(country.strip(), other)


def _is_id_of_ours(one: str, other: str) -> bool:
    """Return whether an id may be the customer's or the session's; an id of another form is a provider's own."""
    return one.strip().casefold() == other.strip().casefold() or _form_of_id(one) != _form_of_id(other)


def _is_person_of_ours(value: str, first: str, ours: str) -> bool:
    """Return whether the id of a person is the one given first, and may be the customer's: not that of another of the firm's customers."""
    return letters_of(value) == letters_of(first or value) and (not ours or _is_id_of_ours(value, ours))


def _form_of_id(text: str) -> str:
    """Return the form of an id: a UUID, or its letters up to the first digit and its length."""
    plain = text.strip().casefold()
    return "uuid" if _UUID.fullmatch(plain) else f"{re.split(r'[0-9]', plain)[0]} {len(plain)}"


def _is_same_number(one: str, other: str) -> bool:
    found, known = letters_of(one), letters_of(other)
    # A number read by machine may end with its check digit.
    return found == known or (found[:-1] == known and found[-1:].isdigit())


def _is_number_of_birth(number: str, listed: dict[str, str]) -> bool:
    given_by = listed.get(_LISTED["issuing_country"]) or listed.get(_LISTED["nationality"], "")
    births = frozenset(date.isoformat() for date in dates_of(listed.get(_LISTED["born_on"], "")))
    return is_number_of(number, given_by, births)


def _is_country_of_person(country: str, listed: dict[str, str]) -> bool:
    given = [
        listed[path]
        for path in (
            "document.holder.nationality",
            "document.document.issuingCountry",
            "address.extractedAddress.country",
        )
        if listed.get(path, "").strip()
    ]
    return not country.strip() or not given or any(_is_same_country(country, known) for known in given)


_AGAINST_SEVERAL: dict[str, Callable[[str, dict[str, str]], bool]] = {
    "personal_number": _is_number_of_birth,
    "full_address": lambda line, listed: (
        not listed.get("address.extractedAddress.addressLine1") or _is_same_address(line, listed)
    ),
    "screened_country": _is_country_of_person,
}
_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "born_on": _is_same_day,
    "birth_year": _is_same_year,
    "expires_on": _is_same_day,
    "document_number": _is_same_number,
    "nationality": _is_same_nationality,
    "issuing_country": _is_same_country,
    "postcode": _is_same_number,
    "sex": lambda sex, other: sex not in _SEXES or sex == other,
    "ip_country": _is_in_country,
    "phone_country": lambda code, country: code.strip("+ ").isdecimal() or _is_in_country(code, country),
    "account_country": _is_in_country,
    "ip_city": lambda city, country: not is_of_another_country(city, country),
    "captured_in": _is_taken_in_country,
    "time_zone": lambda zone, country: not is_zone_of_another_country(zone, country),
    "customer_id": _is_id_of_ours,
    "session_id": _is_id_of_ours,
    AUTHORITY: is_authority_of,
}
