"""The body of an error.

Source: interface, "Errors", which shows the body of `missing_person_data` only.
"""

from __future__ import annotations

from kycpack.models.record import Record


class ErrorBody(Record):
    """The body of an error answer."""

    error: str
    message: str | None = None
    missing_fields: list[str] | None = None
