"""Details of the person and the document that the results give again, under a member that nobody has listed: whether they agree."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from kycpack.frames.labels import spoken
from kycpack.triage.case_file import Observation
from kycpack.triage.countries import country_name
from kycpack.triage.likeness import DIFFERENT, SLIP
from kycpack.triage.names import compare_names
from kycpack.triage.vocabulary import Vocabulary

AGREE = "agree"
_FIRST, _LAST = "document.holder.firstName", "document.holder.lastName"
_LISTED = {
    "born_on": "document.holder.dateOfBirth",
    "birth_year": "document.holder.dateOfBirth",
    "expires_on": "document.document.expirationDate",
    "document_number": "document.document.documentNumber",
    "nationality": "document.holder.nationality",
    "issuing_country": "document.document.issuingCountry",
    "postcode": "address.extractedAddress.postalCode",
}
_OF_DOCUMENT = frozenset({"document_number", "issuing_country", "expires_on"})
_WORDS = {
    "given_name": "given name",
    "family_name": "family name",
    "full_name": "name",
    "born_on": "date of birth",
    "birth_year": "year of birth",
    "document_number": "document number",
    "nationality": "nationality",
    "issuing_country": "issuing country",
    "expires_on": "date of expiry",
    "postcode": "post code",
}
_DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%y%m%d",
)  # fmt: skip
_MASK = re.compile(r"[*\u2022\u25cf#\u2026]|[xX]{2,}")


def differing_details(
    seen: Sequence[Observation], vocabulary: Vocabulary, day: dt.date
) -> Iterator[tuple[Observation, str]]:
    """Yield what the results give again and not as the document and the proof of address have it, and a date of expiry that has passed.

    Args:
        seen: The observations of one session.
        vocabulary: Which members give a detail again.
        day: The day of the review.

    Yields:
        The observation, and what it is in words, as in `another date of birth under “chip” in the section “document”`.
    """
    again = [
        (detail, one)
        for one in seen
        if one.of_results
        and isinstance(one.value, str | Decimal)
        and (detail := vocabulary.detail_of(one.path))
    ]
    if not again:
        return
    listed = {one.path: one.value for one in seen if one.of_results and isinstance(one.value, str)}
    for detail, one in again:
        value = f"{one.value:f}" if isinstance(one.value, Decimal) else str(one.value)
        if detail == "expires_on" and any(found < day for found in _dates(value)):
            yield one, f"a date of expiry that has passed{_under(one.path)}"
        elif not _agrees(detail, value, listed, is_reading=vocabulary.is_reading(one.path)):
            yield one, f"another {_WORDS[detail]}{_under(one.path)}"


def _agrees(detail: str, value: str, listed: dict[str, str], *, is_reading: bool) -> bool:
    """Tell whether a detail agrees with the listed one; what cannot be compared is for other rules."""
    if detail in {"given_name", "family_name", "full_name"}:
        first, last = listed.get(_FIRST, ""), listed.get(_LAST, "")
        whole = {"given_name": f"{value} {last}", "family_name": f"{first} {value}"}.get(detail, value)
        return not (first and last) or _is_same_name(whole, f"{first} {last}")
    known = listed.get(_LISTED[detail], "")
    if not value.strip() or not known.strip() or _MASK.search(value) or _MASK.search(known):
        return True
    # Another document, as a visa, has its own number and dates.
    if detail in _OF_DOCUMENT and not is_reading:
        return True
    return _COMPARED[detail](value, known)


def _is_same_name(one: str, other: str) -> bool:
    found = compare_names(one, other)
    return found.verdict != DIFFERENT and SLIP not in found.kinds


def _is_same_day(one: str, other: str) -> bool:
    found, known = _dates(one), _dates(other)
    return not (found and known) or bool(found & known)


def _is_same_year(one: str, other: str) -> bool:
    known = {str(date.year) for date in _dates(other)}
    return not known or one.strip() in known


def _is_same_country(one: str, other: str) -> bool:
    found, known = country_name(one), country_name(other)
    return found is None or known is None or found == known


def _is_same_number(one: str, other: str) -> bool:
    found, known = _letters(one), _letters(other)
    # A number that was read by machine may have its check digit at the end.
    return found == known or (found[:-1] == known and found[-1:].isdigit())


def _dates(text: str) -> set[dt.date]:
    """Return every date that a text may mean: 03/04/1980 is two."""
    written = text.strip()
    for part in dict.fromkeys((written, written[:10])):
        found = {date for form in _DATES if (date := _read(part, form)) is not None}
        if found:
            return found
    return set()


def _read(text: str, form: str) -> dt.date | None:
    try:
        return dt.datetime.strptime(text, form).replace(tzinfo=dt.UTC).date()
    except ValueError:
        return None


def _letters(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())


def _under(path: str) -> str:
    section, *groups, _ = (step for step in path.split(".") if not step.isdigit())
    inside = f" under “{spoken(groups[-1])}”" if groups else ""
    return f"{inside} in the section “{spoken(section)}”"


_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "born_on": _is_same_day,
    "birth_year": _is_same_year,
    "expires_on": _is_same_day,
    "document_number": _is_same_number,
    "nationality": _is_same_country,
    "issuing_country": _is_same_country,
    "postcode": _is_same_number,
}
