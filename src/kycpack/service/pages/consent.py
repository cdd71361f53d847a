"""The consent that a bank's page asks for. It is not stored until it is given: it is encoded in the token of the page's link."""

from __future__ import annotations

from dataclasses import dataclass

from kycpack.service.links import AUTHORISE, Links

_BETWEEN = "~"
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Consent:
    """The consent that a bank's page asks for.

    Attributes:
        purpose: `session` or `payment`.
        record_id: Id of the session or payment.
        bank: Reference of the bank.
    """

    purpose: str
    record_id: str
    bank: str


def consent_token(links: Links, consent: Consent) -> str:
    """Return the token of a consent for the bank's page."""
    return links.token(AUTHORISE, _BETWEEN.join([consent.purpose, consent.record_id, consent.bank]))


def read_consent(record_id: str) -> Consent | None:
    """Return the consent of an opened token, None if the token is for an attempt."""
    parts = record_id.split(_BETWEEN)
    return Consent(*parts) if len(parts) == _PARTS else None
