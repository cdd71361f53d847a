"""Whether a document is a passport or identity card that its holder cannot have: because of nationality, or because the holder lives elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.addresses.address_parts import country_of
from kycpack.triage.countries import country_name
from kycpack.triage.names.transliteration import words
from kycpack.triage.results.issuing_authorities import issuer_of

_FILE = "countries/identity_cards.yaml"


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
        return "national identity card" if allowed is not None and issuer_of(holder) not in allowed else ""
    is_passport = _letters(kind) in cards.passports and issuer not in cards.to_others
    return "passport" if is_passport and issuer_of(holder) != issuer_of(issuer) else ""


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
    if issuer is None or holder is None or lives_in is None or not _is_identity_card(kind):
        return False
    return issuer in _cards().residents and issuer_of(holder) != issuer and lives_in != issuer


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
    known: dict[str, Any] = asset_yaml(_FILE)
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
