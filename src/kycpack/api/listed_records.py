"""What the service's list of customers shows of each, in a temporary file: the list of 100,000 is never in memory as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kycpack.api.unchanged import record_digest
from kycpack.models.customers import Customer
from kycpack.storage.scratch import Scratch

_PUT = """
    INSERT INTO records VALUES (?, ?) ON CONFLICT (customer_id)
    DO UPDATE SET digest = CASE WHEN digest = excluded.digest THEN digest ELSE x'' END
"""


class ListedRecords(Mapping[str, bytes]):
    """The digest of each customer's record in a list, by id; empty if the list shows a customer with different records.

    Pages that are read one after the other show a customer twice if the record changed in between.

    Args:
        records: The records; they are taken once.
    """

    def __init__(self, records: Iterable[Customer]) -> None:
        self._kept = Scratch("CREATE TABLE records (customer_id TEXT PRIMARY KEY, digest BLOB) WITHOUT ROWID")
        self._kept.write(_PUT, ((record.id, record_digest(record)) for record in records))

    def __getitem__(self, customer_id: str) -> bytes:
        digest = self._kept.value("SELECT digest FROM records WHERE customer_id = ?", (customer_id,))
        if digest is None:
            raise KeyError(customer_id)
        return bytes(digest)

    def __iter__(self) -> Iterator[str]:
        return (name for (name,) in self._kept.rows("SELECT customer_id FROM records"))

    def __len__(self) -> int:
        return int(self._kept.value("SELECT count(*) FROM records"))
