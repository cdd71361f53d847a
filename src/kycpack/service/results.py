"""Verification results: the all-clear document, changed by magic values and by partial results merged over it.

Magic values work as test cards do: tags after a plus sign in the local part of the person's e-mail address, as in
`ada+document-rejected+sanctions@example.com`. `SECTION-OUTCOME` sets the outcome of a section; `WORDS` names the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any

from kycpack.service.problems import invalid_request

SECTIONS = ("document", "address", "identity", "screening")
OUTCOMES = ("clear", "consider", "warning", "rejected")

WORDS: Mapping[str, Mapping[str, Any]] = {
    "pep1": {
        "screening": {"outcome": "consider", "matchCount": 1, "summary": {"pep": {"level1": "attention"}}}
    },
    "pep2": {
        "screening": {"outcome": "consider", "matchCount": 1, "summary": {"pep": {"level2": "attention"}}}
    },
    "sanctions": {
        "screening": {
            "outcome": "rejected",
            "matchCount": 1,
            "summary": {"watchlist": {"sanctionsLists": "attention"}},
        }
    },
    "terror": {
        "screening": {
            "outcome": "rejected",
            "matchCount": 1,
            "summary": {"watchlist": {"terror": "attention"}},
        }
    },
    "media": {
        "screening": {
            "outcome": "warning",
            "matchCount": 2,
            "summary": {"adverseMedia": {"environmentProduction": "attention", "socialLabour": "attention"}},
        }
    },
    "expired-document": {
        "document": {
            "outcome": "rejected",
            "document": {"expirationDate": "2019-12-31"},
            "contentAnalysis": {"expirationDateCheck": "attention"},
        }
    },
    "face-mismatch": {
        "identity": {
            "outcome": "rejected",
            "faceAnalysis": {"facialSimilarity": "attention", "facialSimilarityScore": Decimal("0.31")},
        }
    },
    "no-liveness": {
        "identity": {
            "outcome": "warning",
            "authenticityAnalysis": {"livenessCheck": "attention", "livenessCheckScore": Decimal("0.42")},
        }
    },
    "address-mismatch": {
        "address": {"outcome": "consider", "clientValidation": {"addressMatchOutcome": "attention"}}
    },
}
"""Magic words other than `SECTION-OUTCOME`, each with the partial results that it merges over the all-clear document."""

_DOCUMENT_LIFE = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class Subject:
    """The person in the results, according to the session and the customer record.

    Attributes:
        seed: Seed of invented details, so that they remain the same: the customer's id.
        first_name: First name; empty when unknown.
        last_name: Last name; empty when unknown.
        email: E-mail address; empty when unknown.
        date_of_birth: ISO date; empty when unknown.
        address: Members of the address.
        document: Members of the document as entered in the portal; may be empty.
    """

    seed: str
    first_name: str
    last_name: str
    email: str
    date_of_birth: str
    address: Mapping[str, str]
    document: Mapping[str, str]


def all_clear(subject: Subject, today: date) -> dict[str, Any]:
    """Return results in which everything is clear, with every member of the interface."""
    country = subject.address.get("country", "GB")
    digest = sha256(subject.seed.encode()).hexdigest().upper()
    return {
        "document": {
            "outcome": "clear",
            "holder": {
                "firstName": subject.first_name,
                "lastName": subject.last_name,
                "dateOfBirth": subject.date_of_birth or "1985-01-01",
                "nationality": country,
            },
            "document": {
                "documentType": "passport",
                "issuingCountry": country,
                "documentNumber": f"SPEC{digest[:6]}",
                "expirationDate": (today + _DOCUMENT_LIFE).isoformat(),
                **subject.document,
            },
            "contentAnalysis": {"dataIntegrity": "clear", "expirationDateCheck": "clear"},
        },
        "address": {
            "outcome": "clear",
            "contentAnalysis": {"documentAgeOutcome": "clear"},
            "clientValidation": {
                "firstNameMatch": True,
                "lastNameMatch": True,
                "addressMatchOutcome": "clear",
            },
            "geoLocationAnalysis": {"ipInAddressCountry": True, "ipProximityToAddress": "clear"},
            "extractedAddress": {
                "addressLine1": subject.address.get("addressLine1", "1 Specimen Street"),
                "city": subject.address.get("city", "Specimen Town"),
                "postalCode": subject.address.get("postalCode", "SP1 1SP"),
                "country": country,
            },
        },
        "identity": {
            "outcome": "clear",
            "faceAnalysis": {"facialSimilarity": "clear", "facialSimilarityScore": Decimal("0.97")},
            "authenticityAnalysis": {"livenessCheck": "clear", "livenessCheckScore": Decimal("0.98")},
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


def magic_parts(email: str) -> list[Mapping[str, Any]]:
    """Return the partial results for the tags of an e-mail address, in order."""
    tags = email.rpartition("@")[0].split("+")[1:]
    parts: list[Mapping[str, Any]] = []
    for tag in tags:
        section, _, outcome = tag.partition("-")
        if section in SECTIONS and outcome in OUTCOMES:
            parts.append({section: {"outcome": outcome}})
        elif tag in WORDS:
            parts.append(WORDS[tag])
    return parts


def compose_results(
    subject: Subject, ordered: Sequence[str], check_type: str, parts: Sequence[Mapping[str, Any]], today: date
) -> dict[str, Any]:
    """Return the results of a session.

    Args:
        subject: The person in the results.
        ordered: The ordered sections; others are absent, even if they are in `parts`.
        check_type: `checkType` of the screening.
        parts: Partial results, merged in order after the magic values.
        today: The service's date.
    """
    document = all_clear(subject, today)
    document["screening"]["checkType"] = check_type
    for part in (*magic_parts(subject.email), *parts):
        _merge(document, part)
    return {section: document[section] for section in SECTIONS if section in ordered and section in document}


def _merge(document: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Merge recursively; null deletes a member."""
    for name, value in part.items():
        if value is None:
            document.pop(name, None)
        elif isinstance(value, Mapping):
            if not isinstance(document.get(name), dict):
                document[name] = {}
            _merge(document[name], value)
        else:
            document[name] = deepcopy(value)


def require_contract(results: Mapping[str, Any]) -> None:
    """Refuse partial results that would break the interface's contract; unknown members and values are allowed.

    Args:
        results: Partial results; null deletes a member.

    Raises:
        RefusedError: 400 with the place of the first member that does not fit.
    """
    _require_members(results, _CONTRACT, "results")


def _require_members(given: Mapping[str, Any], contract: Mapping[str, Any], place: str) -> None:
    for name, wanted in contract.items():
        value = given.get(name)
        if value is None:
            continue
        where = f"{place}.{name}"
        if isinstance(wanted, Mapping):
            if not isinstance(value, Mapping):
                raise invalid_request(f"{where}: expected an object")
            _require_members(value, wanted, where)
        elif isinstance(value, bool) or not isinstance(value, wanted):
            raise invalid_request(f"{where}: expected {_WORD_FOR[wanted]}")


_TEXT: Any = str
_NUMBER: Any = (int, Decimal)
_WORD_FOR: Mapping[Any, str] = {str: "text", int: "an integer", _NUMBER: "a number"}
_ANALYSES = {
    "facialSimilarityScore": _NUMBER,
    "livenessCheckScore": _NUMBER,
}
_CONTRACT: Mapping[str, Any] = {
    "document": {
        "outcome": _TEXT,
        "holder": dict.fromkeys(("firstName", "lastName", "dateOfBirth", "nationality"), _TEXT),
        "document": dict.fromkeys(
            ("documentType", "issuingCountry", "documentNumber", "expirationDate"), _TEXT
        ),
        "contentAnalysis": {},
    },
    "address": {
        "outcome": _TEXT,
        "contentAnalysis": {},
        "clientValidation": {},
        "geoLocationAnalysis": {},
        "extractedAddress": dict.fromkeys(("addressLine1", "city", "postalCode", "country"), _TEXT),
    },
    "identity": {
        "outcome": _TEXT,
        "faceAnalysis": _ANALYSES,
        "authenticityAnalysis": _ANALYSES,
        "integrityAnalysis": {},
    },
    "screening": {
        "outcome": _TEXT,
        "checkType": _TEXT,
        "matchCount": int,
        "summary": {"pep": {}, "watchlist": {}, "adverseMedia": {}},
    },
}
"""The types of results in the interface; members without a type there may have any type."""
