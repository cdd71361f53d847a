"""The layouts by name, and the one function that reads them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kycpack.errors import FrameError, InputError
from kycpack.frames.adapters import berlin_group, open_banking_uk, plaid, truelayer
from kycpack.frames.adapters.bank_csv import get_layout, read_export
from kycpack.frames.adapters.camt053 import read_camt053
from kycpack.frames.adapters.csv_layout import load_layouts
from kycpack.frames.adapters.fields import list_items
from kycpack.frames.adapters.file_bytes import read_bytes
from kycpack.frames.adapters.ofx import read_ofx
from kycpack.frames.adapters.result import AdapterResult, Item, OnMisfit, assemble, rejects_frame
from kycpack.frames.adapters.statement_file import StatementFile
from kycpack.frames.adapters.swift_mt940 import read_mt940
from kycpack.frames.transactions import MisfitError, read_transaction
from kycpack.models.json import parse_json
from kycpack.models.money import known_currency
from kycpack.models.paging import read_page_end


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one JSON format is read; `PAGING` in `kycpack.models.paging` describes its paging.

    Args:
        list_records: Yields the records of a document.
        read_record: Returns one record as columns of the normal form.
        sign: The sign rule in words.
        source: Where the format is documented.
        account_member: The member with the account of a record; empty if the format has none.
    """

    list_records: Callable[[Any], Iterator[Item]]
    read_record: Callable[[Item], dict[str, Any]]
    sign: str
    source: str
    account_member: str = ""

    def account_of(self, record: Any) -> str | None:
        """Return the account in a record, None if there is none; a wrong type is left to the reader of the record."""
        value = record.get(self.account_member) if isinstance(record, Mapping) else None
        return value if isinstance(value, str) and value.strip() else None


OWN_SHAPE = "service-v1"
"""The format of the interface's own service."""

_INDICATED = "amounts have no sign; an indicator says Credit or Debit"
_OBIE = "https://openbankinguk.github.io/read-write-api-site3/v3.1.11/resources-and-data-models/aisp/Transactions.html"
_PLAID_SIGN = "plus is out of the account"

ADAPTERS: Mapping[str, Adapter] = {
    OWN_SHAPE: Adapter(
        lambda document: list_items({"items": document} if isinstance(document, list) else document, "items"),
        lambda item: read_transaction(item.record),
        _INDICATED,
        "interface.md",
    ),
    "uk-open-banking-3.1": Adapter(
        open_banking_uk.list_records,
        partial(open_banking_uk.read_record, statuses=open_banking_uk.V31_STATUSES),
        _INDICATED,
        _OBIE,
        "AccountId",
    ),
    "uk-open-banking-4": Adapter(
        open_banking_uk.list_records,
        partial(open_banking_uk.read_record, statuses=open_banking_uk.V4_STATUSES),
        _INDICATED,
        _OBIE,
        "AccountId",
    ),
    "berlin-group": Adapter(
        berlin_group.list_records,
        berlin_group.read_record,
        "plus is into the account",
        "NextGenPSD2 Implementation Guidelines 1.3",
    ),
    "plaid": Adapter(
        plaid.list_records,
        plaid.read_record,
        _PLAID_SIGN,
        "https://plaid.com/docs/api/products/transactions/",
        "account_id",
    ),
    "plaid-sandbox": Adapter(
        partial(list_items, path="transactions"),
        plaid.read_sandbox_record,
        _PLAID_SIGN,
        "https://plaid.com/docs/sandbox/user-custom/",
    ),
    "truelayer": Adapter(
        partial(list_items, path="results"),
        partial(truelayer.read_record, sign=1),
        "plus is into the account",
        "https://docs.truelayer.com/reference/getaccounttransactions",
    ),
    "truelayer-card": Adapter(
        partial(list_items, path="results"),
        partial(truelayer.read_record, sign=-1),
        "plus is a purchase",
        "https://docs.truelayer.com/reference/getcardtransactions",
    ),
}
"""Adapters of JSON formats; evidence names them as well."""

FILE_FORMATS: Mapping[str, tuple[str, str, str]] = {
    "mt940": ("SWIFT MT940", "marks C and D", "SWIFT Standards MT, MT 940"),
    "camt053": ("ISO 20022 camt.053 and camt.052", "CRDT and DBIT", "ISO 20022, camt.053.001"),
    "ofx": ("OFX 1 and 2", "plus is into the account", "OFX 2.2"),
}
"""Formats that banks share: title, sign rule, source."""


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """One entry in the list of layouts.

    Args:
        name: The name to give to `read_statement`.
        title: Bank or provider, and kind of export.
        date_form: How dates are written.
        sign: The sign rule.
        currency: Where the currency of an amount comes from.
        sources: The public sources of the layout.
    """

    name: str
    title: str
    date_form: str
    sign: str
    currency: str
    sources: tuple[str, ...]


def list_layouts() -> tuple[LayoutEntry, ...]:
    """Return every layout that `read_statement` supports: banks' exports, shared formats, providers' JSON."""
    banks = (
        LayoutEntry(
            one.name,
            one.title,
            one.date_form,
            one.sign,
            " or ".join(
                text
                for text in ("its column" if "currency" in one.columns else "", one.currency or "")
                if text
            ),
            one.sources,
        )
        for one in load_layouts().values()
    )
    formats = (
        LayoutEntry(name, title, "as in the standard", sign, "in the file", (source,))
        for name, (title, sign, source) in FILE_FORMATS.items()
    )
    shapes = (
        LayoutEntry(name, "JSON of a provider", "ISO 8601", one.sign, "in each record", (one.source,))
        for name, one in ADAPTERS.items()
    )
    return (*sorted(banks, key=lambda one: one.name), *formats, *shapes)


def get_adapter(name: str) -> Adapter:
    """Return the adapter of a JSON format.

    Raises:
        InputError: There is no adapter with this name.
    """
    adapter = ADAPTERS.get(name)
    if adapter is None:
        raise InputError(f"no adapter {name!r}; the adapters are {', '.join(sorted(ADAPTERS))}")
    return adapter


def read_statement(  # noqa: PLR0913 - what the file may leave open, all by keyword
    source: str | Path | bytes | Mapping[str, Any] | list[Any],
    layout: str,
    *,
    customer_id: str,
    account_id: str | None = None,
    only_account: str | None = None,
    currency: str | None = None,
    zone: str | None = None,
    evidence_id: str | None = None,
    on_misfit: OnMisfit = "raise",
) -> AdapterResult:
    """Read a bank's or provider's statement into the normal form of `transactions`.

    Args:
        source: Path of the file, its bytes, or a JSON document parsed by `kycpack.models.json.parse_json`.
        layout: A name in `list_layouts`, as in `monzo`, `camt053`, `plaid`. It is never guessed from the file.
        customer_id: Customer id.
        account_id: Account id, if the file names no account or only one. None keeps all accounts that the file names (numbers
            are hashed).
        only_account: Account id if `account_id` is None and the file names no account, for layouts that allow such a file.
        currency: ISO 4217 code of the account, for layouts without a currency; a file with another currency is refused.
        zone: The bank's time zone, as in `Europe/Berlin`: timestamps are converted to the day in that zone. None takes the day
            as written, and for UK Open Banking means `Europe/London`.
        evidence_id: Id of the evidence entry that the records were read from.
        on_misfit: `raise` stops at the first record that does not fit; `reject` lists it with its place.

    Returns:
        Rows in the normal form and rejects; together as many as there were records.

    Raises:
        StatementFileError: The file does not have this layout, or a line does not fit; the message names the file and the line.
        FrameError: A JSON document or record does not fit, or the document says that it is not the whole history.
        InputError: The layout, currency or time zone does not exist, or `account_id` does not fit the accounts of the document.
    """
    _check(layout, currency, zone)
    if layout in ADAPTERS:
        if account_id is None and not ADAPTERS[layout].account_member:
            account_id = only_account
        return _read_json(source, layout, customer_id, account_id, currency, zone, evidence_id, on_misfit)
    if not isinstance(source, str | Path | bytes):
        raise InputError("this layout reads a file or its bytes", place=layout)
    match layout:
        case "mt940":
            file = read_mt940(source, currency=currency, on_misfit=on_misfit)
        case "camt053":
            file = read_camt053(source, currency=currency, zone=zone, on_misfit=on_misfit)
        case "ofx":
            file = read_ofx(source, currency=currency, zone=zone, on_misfit=on_misfit)
        case _:
            file = read_export(source, layout, currency=currency, on_misfit=on_misfit)
    if account_id is None and _may_name_none(layout) and not any(row.account for row in file.rows):
        account_id = only_account
    return _file_result(file, customer_id, account_id, evidence_id)


def _may_name_none(layout: str) -> bool:
    """Whether a file of a layout may name no account: the layout has no column for it, or does not require its columns."""
    if layout in FILE_FORMATS:
        return False
    form = get_layout(layout)
    return not form.headers or "account" not in form.columns


def _check(layout: str, currency: str | None, zone: str | None) -> None:
    known = [one.name for one in list_layouts()]
    if layout not in known:
        raise InputError(f"no layout {layout!r}; the layouts are {', '.join(known)}")
    if currency is not None and not known_currency(currency):
        raise InputError("currency is not an ISO 4217 code")
    try:
        ZoneInfo(zone or "UTC")
    except (KeyError, ValueError, OSError):
        raise InputError("zone is not a name of the IANA time zone database, as in Europe/London") from None


def _file_result(
    file: StatementFile, customer_id: str, account_id: str | None, evidence_id: str | None
) -> AdapterResult:
    named = {row.account for row in file.rows}
    _check_accounts({one for one in named if one}, account_id, unnamed=None in named, place=file.name)
    frame = file.to_transactions_frame(
        customer_id=customer_id, account_id=account_id, evidence_id=evidence_id
    )
    listed = [
        (customer_id, account_id, f"{file.name}:{one.line}", one.reason, evidence_id) for one in file.rejects
    ]
    return AdapterResult(frame, rejects_frame(listed), file.describe_breaks())


def _check_accounts(named: set[str], account_id: str | None, *, unnamed: bool, place: str) -> None:
    if account_id is not None and len(named) > 1:
        raise InputError(
            f"contains {len(named)} accounts; leave account_id out to keep them apart", place=place
        )
    if account_id is None and unnamed:
        raise InputError("does not name its account; give account_id", place=place)


def _check_whole(document: Any, count: int, layout: str) -> None:
    """Refuse a page that says that there is more than it holds: what is missing would look like a time without payments."""
    end = read_page_end(document)
    missing = [f"{name} says that there are more pages" for name in end.names]
    missing += [
        f"{name} is {total}, and the document holds {count}" for name, total in end.totals if total > count
    ]
    if missing:
        raise FrameError(
            f"transactions are missing: {'; '.join(missing)}. Give the whole history in one document",
            place=f"a document in the layout {layout}",
        )


def _read_json(
    source: Any,
    layout: str,
    customer_id: str,
    account_id: str | None,
    currency: str | None,
    zone: str | None,
    evidence_id: str | None,
    on_misfit: OnMisfit,
) -> AdapterResult:
    adapter = get_adapter(layout)
    document = parse_json(read_bytes(source)[1]) if isinstance(source, str | Path | bytes) else source
    try:
        items = [item._replace(zone=zone) for item in adapter.list_records(document)]
    except MisfitError as misfit:
        raise FrameError(str(misfit), place=f"a document in the layout {layout}") from None
    _check_whole(document, len(items), layout)
    named = [adapter.account_of(item.record) for item in items]
    _check_accounts({one for one in named if one}, account_id, unnamed=None in named, place=layout)

    def read_record(item: Item) -> dict[str, Any]:
        row = adapter.read_record(item)
        if currency is not None and row["currency"] != currency:
            raise MisfitError(f"the currency is {row['currency']}, not {currency}")
        return row

    return assemble(
        items,
        read_record,
        customer_id=customer_id,
        account_of=lambda item: account_id or adapter.account_of(item.record) or "",
        evidence_id=evidence_id,
        on_misfit=on_misfit,
    )
