"""The review of a session, as bodies ask for it."""

from __future__ import annotations

from kycpack.service.completion import Review
from kycpack.service.control.bodies import PartialResults


def review_of(wanted: PartialResults) -> Review | None:
    """Return the review that a body asks for, None where it asks for none."""
    if wanted.hold:
        return Review(None)
    return None if wanted.after_seconds is None else Review(wanted.after_seconds)
