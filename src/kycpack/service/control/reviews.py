"""The review of a session, as requested in bodies."""

from __future__ import annotations

from kycpack.service.completion import ReviewTime
from kycpack.service.control.bodies import PartialResults


def review_of(wanted: PartialResults) -> ReviewTime | None:
    """Return the review that a body requests, None if it requests none."""
    if wanted.hold:
        return ReviewTime(None)
    return None if wanted.after_seconds is None else ReviewTime(wanted.after_seconds)
