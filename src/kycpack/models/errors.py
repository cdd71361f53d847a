"""The body of an error.

Source: interface, "Errors". Of the body's shape only `missing_person_data` is shown.
"""

from __future__ import annotations

from kycpack.models.record import Record


class ErrorBody(Record):
    """What an error answer says."""

    error: str
    message: str | None = None
    missing_fields: list[str] | None = None
