"""Verification results of an invented customer: all clear, or with one named problem."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any

from kycpack.synthetic.people import InventedPerson, machine_readable, make_address
from kycpack.synthetic.word_lists import read_material

Document = dict[str, Any]
_CARD = "national_identity_card"


def clear_results(person: InventedPerson, as_of: date, rng: Random, *, varied: bool = False) -> Document:
    """Return results in which everything is clear and matches the person.

    Args:
        person: The person that they are about.
        as_of: Day of the checks.
        rng: Source of randomness.
        varied: Whether names and streets are spelt as on documents, which may differ from the person's own spelling.

    Source: interface, "Onboard verification results".
    """
    extracted = {name: value for name, value in person.address.items() if name != "addressLine2"}
    first, last = person.latin_first.upper(), person.latin_last.upper()
    if varied and rng.random() < 0.5:
        first, last = machine_readable(first), machine_readable(last)
    if varied and rng.random() < 0.3:
        extracted["addressLine1"] = _abbreviate(extracted["addressLine1"])
    return {
        "document": {
            "outcome": "clear",
            "holder": {
                "firstName": first,
                "lastName": last,
                "dateOfBirth": person.born_on.isoformat(),
                "nationality": person.nationality,
            },
            "document": {
                "documentType": _kind_of_document(person.nationality, rng),
                "issuingCountry": person.nationality,
                "documentNumber": f"{rng.choice('ABCDEFGH')}{rng.randrange(10**7, 10**8)}",
                "expirationDate": (as_of + timedelta(days=rng.randint(400, 3_000))).isoformat(),
            },
            "contentAnalysis": {"dataIntegrity": "clear", "expirationDateCheck": "clear"},
        },
        "address": {
            "outcome": "clear",
            "contentAnalysis": {"documentAgeOutcome": "clear"},
            "clientValidation": {
                "firstNameMatch": "clear",
                "lastNameMatch": "clear",
                "addressMatchOutcome": "clear",
            },
            "geoLocationAnalysis": {"ipInAddressCountry": "clear", "ipProximityToAddress": "clear"},
            "extractedAddress": extracted,
        },
        "identity": {
            "outcome": "clear",
            "faceAnalysis": {
                "facialSimilarity": "clear",
                "facialSimilarityScore": Decimal(rng.randint(9_100, 9_990)) / 10_000,
            },
            "authenticityAnalysis": {
                "livenessCheck": "clear",
                "livenessCheckScore": Decimal(rng.randint(9_000, 9_990)) / 10_000,
            },
            "integrityAnalysis": {"faceDetection": "clear"},
        },
        "screening": {
            "outcome": "clear",
            "checkType": "extensive",
            "matchCount": 0,
            "summary": {
                "pep": {"level1": "clear", "level2": "clear"},
                "watchlist": {"sanctionsLists": "clear", "terror": "clear"},
                "adverseMedia": {"environmentProduction": "clear", "socialLabour": "clear"},
            },
        },
    }


def _kind_of_document(country: str, rng: Random) -> str:
    """Return a kind of document that a country issues."""
    kind = rng.choice(("passport", "passport", "driving_licence", _CARD))
    return "passport" if kind == _CARD and country not in read_material("documents")[_CARD] else kind


def _abbreviate(street: str) -> str:
    for word, short in (("Road", "Rd"), ("Street", "St"), ("Avenue", "Ave"), ("Lane", "Ln"), ("Court", "Ct")):
        street = street.replace(word, short)
    return street


def _sets(changes: Mapping[str, Any]) -> Callable[[Document, Random, date], None]:
    """Return a finding that sets values at dotted paths."""

    def apply(results: Document, _rng: Random, _as_of: date) -> None:
        for path, value in changes.items():
            *parents, leaf = path.split(".")
            place = results
            for name in parents:
                place = place.setdefault(name, {})
            place[leaf] = copy.deepcopy(value)

    return apply


def _expires(direction: int, days: range, results: Document, rng: Random, as_of: date) -> None:
    """Let the document expire some days after the checks (1), or before them (-1)."""
    until = as_of + direction * timedelta(days=rng.choice(days))
    results["document"]["document"]["expirationDate"] = until.isoformat()


def _other_birthday(results: Document, rng: Random, _as_of: date) -> None:
    holder = results["document"]["holder"]
    born_on = date.fromisoformat(holder["dateOfBirth"]) + timedelta(days=rng.randint(300, 2_500))
    holder["dateOfBirth"] = born_on.isoformat()


def _other_address(results: Document, rng: Random, _as_of: date) -> None:
    moved = make_address(rng)
    moved.pop("addressLine2", None)
    results["address"]["extractedAddress"] = moved


FINDINGS: Mapping[str, Callable[[Document, Random, date], None]] = {
    "pep_level1": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 1,
            "screening.summary.pep.level1": "match_confirmed",
        }
    ),
    "pep_level2": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 2,
            "screening.summary.pep.level2": "attention",
        }
    ),
    "pep_level3": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 1,
            "screening.summary.pep.level3": "attention",
        }
    ),
    "sanctions": _sets(
        {
            "screening.outcome": "warning",
            "screening.matchCount": 1,
            "screening.summary.watchlist.sanctionsLists": "attention",
        }
    ),
    "terror": _sets(
        {
            "screening.outcome": "warning",
            "screening.matchCount": 3,
            "screening.summary.watchlist.terror": "attention",
        }
    ),
    "other_watchlist": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 1,
            "screening.summary.watchlist.disqualifiedDirectors": "attention",
        }
    ),
    "media_environment": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 2,
            "screening.summary.adverseMedia.environmentProduction": "attention",
        }
    ),
    "media_labour": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 1,
            "screening.summary.adverseMedia.socialLabour": "attention",
        }
    ),
    "media_crime": _sets(
        {
            "screening.outcome": "consider",
            "screening.matchCount": 4,
            "screening.summary.adverseMedia.financialCrime": "attention",
        }
    ),
    "count_without_category": _sets({"screening.matchCount": 2}),
    "count_missing": _sets({"screening.matchCount": None}),
    "unknown_words": _sets(
        {
            "screening.summary.pep.level1": "perhaps",
            "screening.summary.watchlist.sanctionsLists": "not_processed",
        }
    ),
    "screening_missing": _sets({"screening": None}),
    "address_missing": _sets({"address": None}),
    "address_consider": _sets(
        {"address.outcome": "consider", "address.contentAnalysis.documentAgeOutcome": "attention"}
    ),
    "identity_warning": _sets(
        {
            "identity.outcome": "warning",
            "identity.authenticityAnalysis": {
                "livenessCheck": "attention",
                "livenessCheckScore": Decimal("0.41"),
            },
        }
    ),
    "document_rejected": _sets(
        {
            "document.outcome": "rejected",
            "document.contentAnalysis": {"dataIntegrity": "attention", "expirationDateCheck": "clear"},
        }
    ),
    "high_risk_country": _sets(
        {
            "document.holder.nationality": "MM",
            "document.document.issuingCountry": "MM",
            "document.document.documentType": "passport",
        }
    ),
    "document_expired": partial(_expires, -1, range(20, 901)),
    "document_expires_soon": partial(_expires, 1, range(3, 26)),
    "other_birthday": _other_birthday,
    "other_holder": _sets({"document.holder.firstName": "MAREK", "document.holder.lastName": "UNDERHILL"}),
    "other_address": _other_address,
}
"""Problems to put into all-clear results; None deletes a member, as in the control API."""
