"""Whether the authority that a document names issues documents of the country that the document names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import countries_named
from kycpack.triage.addresses.cities import is_of_another_country
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import words
from kycpack.triage.results.place_names import without_places
from kycpack.triage.results.vocabulary import Vocabulary, name_words, steps_of

AUTHORITY = "issuing_authority"
_FILE = "countries/issuing_authorities.yaml"


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
    issuers = {issuer_of(name) for countries in listed or plainly for name in countries}
    if not issuers:
        # Consulates abroad are handled above; a town has the authorities of only one country.
        return not any(is_of_another_country(word, issuer_of(issuer)) for word in said)
    return issuer_of(issuer) in issuers


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


def issuer_of(name: str) -> str:
    """Return the country whose documents the authorities of a country or territory issue; both are names in ISO 3166-1."""
    return _authorities().documents_of.get(name, name)


@cache
def _authorities() -> _Authorities:
    known: dict[str, Any] = asset_yaml(_FILE)
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
