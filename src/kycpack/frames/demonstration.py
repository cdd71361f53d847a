"""Whether evidence is demonstration data: answers of a service that says that its data is invented."""

from __future__ import annotations

from kycpack.evidence import INVENTED, Evidence


def is_demonstration(evidence: Evidence) -> bool:
    """Return whether a customer's evidence is about an invented person: the service said so with the customer's record.

    Args:
        evidence: Evidence of one customer.
    """
    return any(INVENTED in entry.note.split("; ") for entry in evidence.select("customers.get"))
