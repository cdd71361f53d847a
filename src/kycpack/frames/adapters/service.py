"""The service's own format: a page of `GET .../transactions`.

Sign rule: as in `kycpack.frames.transactions`, which reads each record.

Paging: `nextCursor`, absent on the last page, is sent as `cursor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import read_transaction


def list_records(document: Any) -> Iterator[Item]:
    """Yield the transactions of a page, with or without an envelope.

    Raises:
        MisfitError: The page has another format.
    """
    return fields.list_items({"items": document} if isinstance(document, list) else document, "items")


def read_record(item: Item) -> dict[str, Any]:
    """Return one transaction as columns of the normal form."""
    return read_transaction(item.record)
