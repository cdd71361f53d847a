"""Members of the results that contradict each other or themselves: a post code, a city or coordinates of another country, a further country of residence, an identity card of another state, an address that is not a home, a wrong check digit."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from itertools import product
from typing import Any

from kycpack.assets import asset_text, asset_yaml
from kycpack.triage.addresses.address_parts import country_of, is_post_box
from kycpack.triage.addresses.places import is_of_another_country, mail_drop, sanctioned_territory
from kycpack.triage.case_file import CaseFile, Observation
from kycpack.triage.countries import all_countries, country_name
from kycpack.triage.located_yaml import read_nodes
from kycpack.triage.results.identity_documents import (
    document_of_another_state,
    hides_characters,
    is_card_of_former_residence,
)
from kycpack.triage.results.leaf_details import axis_of, is_listed, is_of_person
from kycpack.triage.results.machine_readable import is_sound_zone, lines_of
from kycpack.triage.results.result_dates import place_of
from kycpack.triage.results.vocabulary import Vocabulary, name_words, own_words, steps_of

_POST_CODES = "countries/post_codes.yaml"
_SIGNS = {"N": "[0-9]", "A": "[A-Z]", "X": "[A-Z0-9]", " ": "[ -]?", "-": "[ -]"}
_DASHES = re.compile(r"\s*[\u2010-\u2015\u2212-]\s*")
# A code may be written with its town, as in `8000 Aarhus`; part of a longer code does not count.
_BEFORE, _AFTER = r"(?<![A-Z0-9])(?<![0-9][ -])", r"(?![A-Z0-9])(?![ -][0-9])(?![ -][A-Z]{1,2}\b)"

_EXTENTS = "countries/extents.yaml"
_IN_PAIR = re.compile(
    r"(?:^|\.)(?:gps|coordinates|coords|position|latlng|latlon|lnglat)\.([01])$", re.IGNORECASE
)
_TOLERANCE = Decimal("0.5")  # degrees: half an hour's drive across a border

Box = tuple[Decimal, Decimal, Decimal, Decimal]
"""The western, southern, eastern and northern edge of a part of a country, in degrees."""

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
        if not _is_form_of_country(code, country)
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


@lru_cache(maxsize=16_384)
def _is_form_of_country(code: str, country: str) -> bool:
    """Return whether a post code may be one of a country; True if it has no digit, is masked, or the country is not listed.

    Args:
        code: As written, with or without the country's letters or the town.
        country: A code or a name.
    """
    form = _forms_of_codes().get(country_of(country))
    written = " ".join(_DASHES.sub("-", unicodedata.normalize("NFKC", code)).upper().split())
    if form is None or not re.search("[0-9]", written) or hides_characters(code):
        return True
    return form.search(written) is not None


@lru_cache(maxsize=1_024)
def has_no_codes(country: str) -> bool:
    """Return whether a country has no post codes.

    Args:
        country: A code or a name.
    """
    return country_of(country) in _without_codes()


@cache
def _without_codes() -> frozenset[str]:
    names = all_countries().editions[-1].names
    return frozenset(names[alpha2.casefold()] for alpha2 in asset_yaml(_POST_CODES)["without"])


@cache
def _forms_of_codes() -> dict[str, re.Pattern[str]]:
    known: dict[str, Any] = asset_yaml(_POST_CODES)
    names = all_countries().editions[-1].names
    made: dict[str, re.Pattern[str]] = {}
    for alpha2, forms in known["forms"].items():
        name = names[alpha2.casefold()]
        own = {short.upper() for short, other in names.items() if other == name and len(short) in {2, 3}}
        before = "|".join(sorted({*own, *known["prefixes"].get(alpha2, ())}))
        of_form = "|".join("".join(_SIGNS[sign] for sign in form) for form in forms)
        made[name] = re.compile(rf"{_BEFORE}(?:(?:{before})[ -]?)?(?:{of_form}){_AFTER}")
    return made


def distant_coordinates(
    seen: Sequence[Observation], telling: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the latitudes of points outside the country of the proof of address.

    Args:
        seen: The observations of one session.
        telling: Those whose path no rule judges, or that name an authority or a file.
        vocabulary: Says which members are coordinates.

    Yields:
        The latitude, and a description such as `coordinates outside the country of the address under “device” in the section “identity”`.
    """
    found: dict[str, dict[str, Observation]] = {}
    for one in telling:
        axis = axis_of(one.path, vocabulary) if one.of_results else ""
        if not axis and one.of_results and (pair_of := _IN_PAIR.search(one.path)):
            axis = ("latitude", "longitude")[int(pair_of[1])]
        if axis:
            found.setdefault(one.path.rpartition(".")[0], {})[axis] = one
    if not found:
        return
    country = next((one.value for one in seen if one.of_results and one.path == _COUNTRY), None)
    boxes = read_extents().get(country_name(country) or "") if isinstance(country, str) else None
    for pair in found.values():
        latitude, longitude = (_degrees(pair.get(axis)) for axis in ("latitude", "longitude"))
        if boxes is None or latitude is None or longitude is None:
            continue
        # In a list of two, either may come first.
        orders = [(latitude, longitude)]
        if _IN_PAIR.search(pair["latitude"].path):
            orders.append((longitude, latitude))
        if not any(_holds(box, *order) for box in boxes for order in orders):
            one = pair["latitude"]
            yield one, f"coordinates outside the country of the address{place_of(one.path)}"


def _degrees(seen: Observation | None) -> Decimal | None:
    if seen is None or not isinstance(seen.value, str | Decimal):
        return None
    try:
        degrees = Decimal(seen.value)
    except InvalidOperation:
        return None
    return degrees if degrees.is_finite() else None


def _holds(box: Box, latitude: Decimal, longitude: Decimal) -> bool:
    west, south, east, north = box
    return (
        south - _TOLERANCE <= latitude <= north + _TOLERANCE
        and west - _TOLERANCE <= longitude <= east + _TOLERANCE
    )


@lru_cache(maxsize=1)
def read_extents() -> dict[str, tuple[Box, ...]]:
    """Return the extents of each country, by its name."""
    top = read_nodes(asset_text(_EXTENTS), _EXTENTS).members(("id", "extents"), ("id", "extents"))
    return {
        country_name(code) or code: tuple(
            (edges[0], edges[1], edges[2], edges[3])
            for edges in ([Decimal(edge.scalar()) for edge in box.items()] for box in node.items())
        )
        for code, node in top["extents"].members().items()
    }


def observe_residences(cases: Iterable[CaseFile], vocabulary: Vocabulary) -> None:
    """Add every further country of residence that the results of a customer's sessions name.

    Args:
        cases: The customers, with what was observed of their sessions.
        vocabulary: Says which members are about a residence.
    """
    for case in cases:
        for session in case.sessions:
            for seen in session.seen:
                if (
                    seen.of_results
                    and isinstance(seen.value, str)
                    and _is_of_residence(seen.path, vocabulary)
                    and country_name(country_of(seen.value)) is not None
                ):
                    case.add("country.residences", seen.value, *seen.evidence_ids)


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def _is_of_residence(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether an unlisted leaf names a country in which the person lives or lived, as in `previousAddresses` or `taxResidency`.

    Args:
        path: Path of the leaf.
        vocabulary: Its words for residences and for connections.
    """
    if path.startswith("screening.") or is_listed(path, vocabulary):
        return False
    groups, name = steps_of(path)
    own, around = name_words(name), [part for step in groups for part in name_words(step)]
    lives = vocabulary["living_words"]
    names_country = not {"country", "countries"}.isdisjoint(own)
    of_place = not lives.isdisjoint(own) or (names_country and not lives.isdisjoint(around))
    apart = vocabulary["connection_words"] | vocabulary["not_lived_in"]
    return of_place and apart.isdisjoint([*own, *around])
