"""What an adapter gives: rows in the normal form, and every record that is no row, by its place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from kycpack.errors import FrameError, InputError
from kycpack.frames.schema import conform, empty
from kycpack.frames.transactions import MisfitError
from kycpack.models.json import canonical_json

OnMisfit = Literal["raise", "reject"]
_REJECT_COLUMNS = ("customer_id", "account_id", "place", "reason", "evidence_id")


class Item(NamedTuple):
    """A record as it was found: where, what, and the status that its place gives it."""

    place: str
    record: Any
    status: str | None = None


@dataclass(frozen=True)
class AdapterResult:
    """The outcome of reading one account's transactions.

    Attributes:
        rows: Normal form of `transactions`.
        rejects: customer_id, account_id, place, reason, evidence_id; one for each record that became no row.
    """

    rows: pd.DataFrame
    rejects: pd.DataFrame

    @property
    def count(self) -> int:
        """How many records there were: each is a row or a reject."""
        return len(self.rows) + len(self.rejects)


def assemble(
    items: Iterable[Item],
    read_record: Callable[[Item], dict[str, Any]],
    *,
    customer_id: str,
    account_id: str,
    evidence_id: str | None,
    on_misfit: OnMisfit,
) -> AdapterResult:
    """Read every record of one account.

    A record that repeats an id with the same content is one record given twice: the repetition is a reject. The same id on
    different content stays two rows, the second with an ordinal. A record without an id gets a hash of its content.

    Args:
        items: The records.
        read_record: Gives the columns of the normal form without ids of customer, account, evidence; `txn_id` may be None.
        customer_id: Whose account.
        account_id: Which account.
        evidence_id: What the records were read from.
        on_misfit: `raise` stops at the first record that does not fit, `reject` lists it.

    Raises:
        FrameError: A record does not fit and `on_misfit` is `raise`; `place` says which.
    """
    rows: list[dict[str, Any]] = []
    rejects: list[tuple[str, str]] = []
    seen: dict[str, str] = {}
    for item in items:
        try:
            row = read_record(item)
        except (MisfitError, InputError) as misfit:
            if on_misfit == "raise":
                raise FrameError(str(misfit), place=item.place) from None
            rejects.append((item.place, str(misfit)))
            continue
        content = hashlib.sha256(canonical_json([item.record, item.status])).hexdigest()
        given = row["txn_id"]
        if given is not None and seen.get(given) == content:
            rejects.append((item.place, "given a second time under the same id"))
            continue
        row["txn_id"] = _free_id(given or f"h-{content[:24]}", seen)
        seen[row["txn_id"]] = content
        rows.append(row)
    ids = {"customer_id": customer_id, "account_id": account_id, "evidence_id": evidence_id}
    frame = (
        conform("transactions", pd.DataFrame([{**ids, **row} for row in rows]))
        if rows
        else empty("transactions")
    )
    listed = [(customer_id, account_id, place, reason, evidence_id) for place, reason in rejects]
    return AdapterResult(frame, rejects_frame(listed))


def rejects_frame(listed: list[tuple[str, str, str, str, str | None]]) -> pd.DataFrame:
    """Return rejects as a frame; no rejects give the same columns."""
    return pd.DataFrame(listed, columns=list(_REJECT_COLUMNS)).astype("string")


def _free_id(wanted: str, seen: dict[str, str]) -> str:
    if wanted not in seen:
        return wanted
    ordinal = 2
    while f"{wanted}#{ordinal}" in seen:
        ordinal += 1
    return f"{wanted}#{ordinal}"
