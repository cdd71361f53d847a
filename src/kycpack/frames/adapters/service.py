"""The service's own shape: a page of `GET .../transactions`.

Sign rule: as `kycpack.frames.transactions`, which reads each record.

Paging: `nextCursor`, absent on the last page, is sent as `cursor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError, read_transaction


def list_records(document: Any) -> Iterator[Item]:
    """Yield the transactions of a page, in an envelope or bare.

    Raises:
        MisfitError: The page has another shape.
    """
    records = document if isinstance(document, list) else fields.member(document, "items")
    if not isinstance(records, list):
        raise MisfitError("items is not a list")
    for position, record in enumerate(records):
        yield Item(f"items[{position}]", record)


def read_record(item: Item) -> dict[str, Any]:
    """Return one transaction in columns of the normal form."""
    return read_transaction(item.record)
