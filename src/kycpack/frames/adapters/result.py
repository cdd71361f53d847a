"""The result of an adapter: rows in the normal form, and every record that did not become a row, with its place."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from kycpack.errors import FrameError, InputError
from kycpack.frames.schema import conform, empty
from kycpack.frames.transactions import MisfitError, TransactionIds
from kycpack.models.json import canonical_json

OnMisfit = Literal["raise", "reject"]
_REJECT_COLUMNS = ("customer_id", "account_id", "place", "reason", "evidence_id")


class Item(NamedTuple):
    """A record as found: its place, its content, the status that follows from its place, and the bank's time zone."""

    place: str
    record: Any
    status: str | None = None
    zone: str | None = None


@dataclass(frozen=True)
class AdapterResult:
    """The outcome of reading a statement.

    Attributes:
        rows: Normal form of `transactions`.
        rejects: customer_id, account_id, place, reason, evidence_id; one for each record that did not become a row.
        breaks: Places where a running balance does not continue, as sentences; for files only.
    """

    rows: pd.DataFrame
    rejects: pd.DataFrame
    breaks: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many records there were: each is a row or a reject."""
        return len(self.rows) + len(self.rejects)


def assemble(
    items: Iterable[Item],
    read_record: Callable[[Item], dict[str, Any]],
    *,
    customer_id: str,
    account_of: Callable[[Item], str],
    evidence_id: str | None,
    on_misfit: OnMisfit,
) -> AdapterResult:
    """Read every record of a document.

    A record with the same id and content as an earlier one is a repetition and becomes a reject. Records with the same id and
    different content are two rows, the second with an ordinal. A record without an id gets a hash of its content.

    Args:
        items: The records.
        read_record: Returns the columns of the normal form without ids of customer, account, evidence; `txn_id` may be None.
        customer_id: Customer id.
        account_of: Returns the account of a record.
        evidence_id: Id of the evidence entry that the records were read from.
        on_misfit: `raise` stops at the first record that does not fit, `reject` lists it.

    Raises:
        FrameError: A record does not fit and `on_misfit` is `raise`; `place` names it.
    """
    rows: list[dict[str, Any]] = []
    rejects: list[tuple[str, str, str, str, str | None]] = []
    ids: defaultdict[str, TransactionIds] = defaultdict(TransactionIds)
    for item in items:
        account_id = account_of(item)
        try:
            row = read_record(item)
        except (MisfitError, InputError) as misfit:
            if on_misfit == "raise":
                raise FrameError(str(misfit), place=item.place) from None
            rejects.append((customer_id, account_id, item.place, str(misfit), evidence_id))
            continue
        content = hashlib.sha256(canonical_json([item.record, item.status])).hexdigest()
        row["txn_id"] = ids[account_id].assign(row["txn_id"], content)
        if row["txn_id"] is None:
            reason = "repeated under the same id"
            rejects.append((customer_id, account_id, item.place, reason, evidence_id))
            continue
        rows.append({**row, "customer_id": customer_id, "account_id": account_id, "evidence_id": evidence_id})
    frame = conform("transactions", pd.DataFrame(rows)) if rows else empty("transactions")
    return AdapterResult(frame, rejects_frame(rejects))


def rejects_frame(listed: Sequence[tuple[str, str | None, str, str, str | None]]) -> pd.DataFrame:
    """Return rejects as a frame; it has the same columns without any rejects."""
    return pd.DataFrame(listed, columns=list(_REJECT_COLUMNS)).astype("string")
