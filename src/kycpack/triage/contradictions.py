"""Listed members of the results that contradict each other: a post code that is not of its country, an identity card of another state, a post box for a home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from kycpack.triage.address_parts import country_of, is_post_box
from kycpack.triage.case_file import Observation
from kycpack.triage.identity_cards import is_card_of_another_state, is_card_of_former_residence
from kycpack.triage.post_codes import is_form_of_country

_CODE, _COUNTRY = "address.extractedAddress.postalCode", "address.extractedAddress.country"
_TYPE, _ISSUER = "document.document.documentType", "document.document.issuingCountry"
_NATIONALITY = "document.holder.nationality"
_LINES = ("address.extractedAddress.addressLine1", "address.extractedAddress.addressLine2")
_COMPARED = frozenset({_CODE, _COUNTRY, _TYPE, _ISSUER, _NATIONALITY, *_LINES})


def contradictions(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield the listed members of a session's results that contradict another one.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and what it is in words, as in `a post code whose form is not that of the address's country (Poland)`.
    """
    given: dict[str, list[tuple[str, Observation]]] = {path: [] for path in _COMPARED}
    for one in seen:
        if one.path in _COMPARED and one.of_results and isinstance(one.value, str):
            given[one.path].append((one.value, one))
    for (code, one), (country, _) in product(given[_CODE], given[_COUNTRY]):
        if not is_form_of_country(code, country):
            yield one, f"a post code whose form is not that of the address's country ({country_of(country)})"
    lines = [*given[_LINES[0]], *given[_LINES[1]]]
    first_code = next((code for code, _ in given[_CODE]), None)
    if lines and is_post_box(", ".join(line for line, _ in lines), first_code):
        yield lines[0][1], "a post box, which is not a home, as the address"
    for (kind, _), (issuer, _), (nationality, one) in product(
        given[_TYPE], given[_ISSUER], given[_NATIONALITY]
    ):
        if is_card_of_another_state(kind, issuer, nationality):
            yield (
                one,
                f"a national identity card of another country ({country_of(issuer)}) than the nationality",
            )
    for (kind, _), (issuer, one), (nationality, _), (home, _) in product(
        given[_TYPE], given[_ISSUER], given[_NATIONALITY], given[_COUNTRY]
    ):
        if is_card_of_former_residence(kind, issuer, nationality, home):
            yield (
                one,
                f"an identity card that a foreigner has only as a resident of {country_of(issuer)}, where the proof of address is not",
            )
