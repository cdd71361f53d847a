"""What a pack is ordered with, besides evidence and policy: a small file of its own, so that a replay has it too."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path

from kycpack.errors import InputError
from kycpack.models.instants import read_as_of
from kycpack.models.json import canonical_json, parse_json

_FIELDS = ("as_of", "case_id", "prepared_by", "reviewed_by", "country")


@dataclass(frozen=True, slots=True)
class Order:
    """What the one who asks for a pack decides.

    Attributes:
        as_of: The instant everything is measured against, ISO 8601 UTC.
        case_id: Id of the case.
        prepared_by: Who prepares it; empty when nobody was named.
        reviewed_by: The second person; empty when nobody was named.
        country: Whose business days and words apply, as in `GB`.
    """

    as_of: str
    case_id: str
    prepared_by: str = ""
    reviewed_by: str = ""
    country: str = "GB"

    @property
    def instant(self) -> datetime:
        """`as_of` as an instant.

        Raises:
            InputError: It is not a date or an instant with an offset.
        """
        return read_as_of(self.as_of)

    def dump(self) -> bytes:
        """Return the order as the bytes of its file."""
        return canonical_json(asdict(self)) + b"\n"


def read_order(path: Path | str) -> Order:
    """Read an order.

    Raises:
        InputError: The file is no order; `place` names it.
    """
    source = Path(path)
    try:
        document = parse_json(source.read_bytes())
    except InputError as error:
        raise InputError(f"is not readable: {error}", place=source.name) from None
    if (
        not isinstance(document, dict)
        or not set(document) <= set(_FIELDS)
        or not {"as_of", "case_id"} <= set(document)
    ):
        raise InputError(f"is no order: expected an object of {', '.join(_FIELDS)}", place=source.name)
    if not all(isinstance(value, str) for value in document.values()):
        raise InputError("is no order: every member is text", place=source.name)
    return Order(**document)


def utc_text(instant: date | datetime | str) -> str:
    """Return an `as_of` as an order holds it; see `read_as_of`."""
    return read_as_of(instant).strftime("%Y-%m-%dT%H:%M:%SZ")
