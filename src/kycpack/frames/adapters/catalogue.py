"""The adapters by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kycpack.errors import FrameError, InputError
from kycpack.frames.adapters import berlin_group, open_banking_uk, plaid, service, truelayer
from kycpack.frames.adapters.bank_csv import CSV_FORMS, read_statement
from kycpack.frames.adapters.result import AdapterResult, Item, OnMisfit, assemble, rejects_frame
from kycpack.frames.transactions import MisfitError
from kycpack.models.json import parse_json


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one shape is read; `PAGING` of `kycpack.models.paging` states how its pages follow each other.

    Args:
        list_records: Yields the records of a document.
        read_record: Gives one record in columns of the normal form.
    """

    list_records: Callable[[Any], Iterator[Item]]
    read_record: Callable[[Item], dict[str, Any]]


OWN_SHAPE = "service-v1"
"""The shape that the interface's own service answers in."""

ADAPTERS: Mapping[str, Adapter] = {
    OWN_SHAPE: Adapter(service.list_records, service.read_record),
    "uk-open-banking-3.1": Adapter(open_banking_uk.list_records, open_banking_uk.read_v31),
    "uk-open-banking-4": Adapter(open_banking_uk.list_records, open_banking_uk.read_v4),
    "berlin-group": Adapter(berlin_group.list_records, berlin_group.read_record),
    "plaid": Adapter(plaid.list_records, plaid.read_record),
    "plaid-sandbox": Adapter(plaid.list_sandbox_records, plaid.read_sandbox_record),
    "truelayer": Adapter(truelayer.list_records, truelayer.read_account_record),
    "truelayer-card": Adapter(truelayer.list_records, truelayer.read_card_record),
}
"""Adapters of JSON shapes; those of CSV are `CSV_FORMS`."""


def get_adapter(name: str) -> Adapter:
    """Return an adapter of a JSON shape.

    Raises:
        InputError: There is none of this name.
    """
    adapter = ADAPTERS.get(name)
    if adapter is None:
        known = ", ".join(sorted([*ADAPTERS, *CSV_FORMS]))
        raise InputError(f"no adapter {name!r}; there are {known}")
    return adapter


def read(
    name: str,
    data: Path | bytes | str | Mapping[str, Any] | list[Any],
    *,
    customer_id: str,
    account_id: str,
    evidence_id: str | None = None,
    on_misfit: OnMisfit = "raise",
) -> AdapterResult:
    """Read one account's transactions in a named shape.

    Args:
        name: One of `ADAPTERS` or `CSV_FORMS`.
        data: A response as it came, or parsed by `kycpack.models.json.parse_json`, or the path of a file that holds
            one; for CSV, the file's path or bytes.
        customer_id: Whose account.
        account_id: Which account.
        evidence_id: What the records were read from.
        on_misfit: `raise` stops at the first record that does not fit; `reject` lists it. A CSV file is read whole or not
            at all.

    Returns:
        Rows in the normal form and rejects; together as many as there were records.

    Raises:
        FrameError: A record does not fit and `on_misfit` is `raise`, or the document is not of this shape at all.
        StatementFileError: A CSV file does not parse.
        InputError: There is no such adapter, or the document is no JSON.
    """
    if name in CSV_FORMS:
        if not isinstance(data, Path | bytes):
            raise InputError("a CSV adapter reads bytes", place=name)
        frame = read_statement(data, name).to_transactions_frame(
            customer_id=customer_id, account_id=account_id, evidence_id=evidence_id
        )
        return AdapterResult(frame, rejects_frame([]))
    adapter = get_adapter(name)
    body = data.read_bytes() if isinstance(data, Path) else data
    document = parse_json(body) if isinstance(body, bytes | str) else body
    try:
        items = list(adapter.list_records(document))
    except MisfitError as misfit:
        raise FrameError(str(misfit), place=f"a document of {name}") from None
    return assemble(
        items,
        adapter.read_record,
        customer_id=customer_id,
        account_id=account_id,
        evidence_id=evidence_id,
        on_misfit=on_misfit,
    )
