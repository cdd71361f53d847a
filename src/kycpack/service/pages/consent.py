"""What a bank's page asks consent for. It is not stored before it is given: the token of the page's link says what it is."""

from __future__ import annotations

from dataclasses import dataclass

from kycpack.service.links import AUTHORISE, Links

_BETWEEN = "~"
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Consent:
    """What a bank's page asks consent for.

    Attributes:
        purpose: `session` or `payment`.
        record_id: Which one.
        bank: Reference of the bank.
    """

    purpose: str
    record_id: str
    bank: str


def consent_token(links: Links, consent: Consent) -> str:
    """Return the token of the bank's page for a consent."""
    return links.token(AUTHORISE, _BETWEEN.join([consent.purpose, consent.record_id, consent.bank]))


def read_consent(record_id: str) -> Consent | None:
    """Return the consent that an opened token stands for, None where it stands for an attempt."""
    parts = record_id.split(_BETWEEN)
    return Consent(*parts) if len(parts) == _PARTS else None
