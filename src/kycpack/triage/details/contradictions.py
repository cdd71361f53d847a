"""Members of the results that contradict each other or themselves: a post code or a city of another country, an identity card of another state, an address that is not a home, a wrong check digit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from kycpack.triage.addresses.address_parts import country_of, is_post_box
from kycpack.triage.addresses.places import is_of_another_country, mail_drop, sanctioned_territory
from kycpack.triage.case_file import Observation
from kycpack.triage.details.post_codes import is_form_of_country
from kycpack.triage.results.identity_documents import document_of_another_state, is_card_of_former_residence
from kycpack.triage.results.leaf_details import is_of_person
from kycpack.triage.results.machine_readable import is_sound_zone, lines_of
from kycpack.triage.results.result_dates import place_of
from kycpack.triage.results.vocabulary import Vocabulary, name_words, own_words

_CODE, _COUNTRY = "address.extractedAddress.postalCode", "address.extractedAddress.country"
_CITY = "address.extractedAddress.city"
_TYPE, _ISSUER = "document.document.documentType", "document.document.issuingCountry"
_NATIONALITY = "document.holder.nationality"
_LINES = ("address.extractedAddress.addressLine1", "address.extractedAddress.addressLine2")
_COMPARED = frozenset({_CODE, _COUNTRY, _CITY, _TYPE, _ISSUER, _NATIONALITY, *_LINES})
_PARTS = frozenset(
    {"address", "components", "line", "street", "road", "route", "thoroughfare", "building", "house", "premise", "premises", "place", "formatted", "full"}
    | {"town", "village", "hamlet", "suburb", "district", "borough", "parish", "neighbourhood", "neighborhood", "locality", "sublocality"}
)  # fmt: skip
_OF_OTHERS = frozenset(
    {"issuer", "bill", "provider", "supplier", "company", "bank", "sender", "employer", "utility", "authority", "vendor", "mailing", "billing", "correspondence", "postal"}
)  # fmt: skip
_HOUSES = (["house", "number"], ["street", "number"], ["building", "number"])
_NUMBERS = re.compile(r"[0-9]+[a-z]?")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_Given = dict[str, list[tuple[str, Observation]]]


def contradictions(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield the members of a session's results that contradict another one, or that name a place where nobody lives.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and a description such as `a post code whose form is not that of the address's country (Poland)`.
    """
    given: _Given = {path: [] for path in _COMPARED}
    for one in seen:
        if one.path in _COMPARED and one.of_results and isinstance(one.value, str):
            given[one.path].append((one.value, one))
    yield from _of_address(given)
    lines = ", ".join(line for path in _LINES for line, _ in given[path])
    for one in seen:
        is_part = one.of_results and isinstance(one.value, str) and _is_further_part(one.path)
        if is_part and (drop := _no_home(one.value, None)):
            yield one, f"{drop}, which is not a home, as a part of the address"
        elif is_part and lines and _gives_house(one.path) and not _has_number(lines, one.value):
            yield one, "another house number as a part of the address"
    yield from _of_card(given)


@lru_cache(maxsize=16_384)
def _is_further_part(path: str) -> bool:
    """Return whether a leaf may be a part of the address under a name that nobody has listed; that of an issuer may well be a post box."""
    said = name_words(path)[1:]
    is_part = path.startswith("address.") and path not in _COMPARED and not _PARTS.isdisjoint(said)
    return is_part and _OF_OTHERS.isdisjoint(said)


def _gives_house(path: str) -> bool:
    """Return whether a leaf gives a house number again; beside the listed lines it may be the part that they leave out."""
    return own_words(path) in _HOUSES and not path.startswith("address.extractedAddress.")


def _has_number(lines: str, number: str) -> bool:
    """Return whether the lines of an address have a number, as they have 14 and 14A for `14`; True for what has no digit."""
    said = {*_NUMBERS.findall(lines.casefold())}
    return all(
        any(one == each or one == each.rstrip(_LETTERS) for each in said)
        for one in _NUMBERS.findall(number.casefold())
    )


def _of_address(given: _Given) -> Iterator[tuple[Observation, str]]:
    yield from (
        (one, f"a post code whose form is not that of the address's country ({country_of(country)})")
        for (code, one), (country, _) in product(given[_CODE], given[_COUNTRY])
        if not is_form_of_country(code, country)
    )
    yield from (
        (one, f"a city that is not in the address's country ({country_of(country)})")
        for (city, one), (country, _) in product(given[_CITY], given[_COUNTRY])
        if is_of_another_country(city, country)
    )
    yield from (
        (one, f"an address in a territory under comprehensive sanctions ({territory})")
        for (place, one), (country, _) in product((*given[_CITY], *given[_LINES[0]]), given[_COUNTRY])
        if (territory := sanctioned_territory(place, country))
    )
    lines = [*given[_LINES[0]], *given[_LINES[1]]]
    whole = ", ".join(line for line, _ in lines)
    first_code = next((code for code, _ in given[_CODE]), None)
    if lines and (drop := _no_home(whole, first_code)):
        yield lines[0][1], f"{drop}, which is not a home, as the address"


def _no_home(line: str, postal_code: str | None) -> str:
    """Return why nobody lives at an address or at a part of one, such as `a post box`; empty if nothing says so."""
    return "a post box" if is_post_box(line, postal_code) else mail_drop(line, postal_code or "")


def _of_card(given: _Given) -> Iterator[tuple[Observation, str]]:
    held = (given[_TYPE], given[_ISSUER], given[_NATIONALITY])
    yield from (
        (one, f"a {document} of another country ({country_of(issuer)}) than the nationality")
        for (kind, _), (issuer, _), (nationality, one) in product(*held)
        if (document := document_of_another_state(kind, issuer, nationality))
    )
    yield from (
        (
            one,
            f"an identity card that a foreigner has only as a resident of {country_of(issuer)}, where the proof of address is not",
        )
        for (kind, _), (issuer, one), (nationality, _), (home, _) in product(*held, given[_COUNTRY])
        if is_card_of_former_residence(kind, issuer, nationality, home)
    )


def wrong_check_digits(
    telling: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the last line of each machine-readable zone in which a check digit is wrong.

    Args:
        telling: The leaves of a session's results that no rule judges.
        vocabulary: Says which of them are about the person.
    """
    zones: dict[str, list[tuple[str, Observation]]] = defaultdict(list)
    for one in telling:
        if (
            one.of_results
            and isinstance(one.value, str)
            and "<" in one.value
            and is_of_person(one.path, vocabulary)
        ):
            zones[one.path.rpartition(".")[0]] += [(line, one) for line in lines_of(one.value)]
    for zone in zones.values():
        if zone and not is_sound_zone([line for line, _ in zone]):
            seen = zone[-1][1]
            yield seen, f"a machine-readable line whose check digits are wrong{place_of(seen.path)}"
