"""Source of wealth statements, derived by the toolkit from the bank data that the service holds.

The stored input of a statement is read first. If it has not changed, for example when the PDF is requested after the JSON, the
statement is not derived again: `DerivedStatements` caches statements under a digest of all their input.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row

from kycpack.models.instants import format_instant, parse_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.money import from_minor, to_minor
from kycpack.models.wealth import SourceOfWealth
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import valid_accounts
from kycpack.service.bank_reading import (
    account_rows,
    mask_number,
    mask_sort_code,
    masked_records,
    scopes_in_force,
    stored_transactions,
)
from kycpack.service.customers import address_of, find_customer
from kycpack.service.payments import find_payment
from kycpack.service.problems import RefusedError, refusal

if TYPE_CHECKING:
    import pandas as pd

_COUNTRY = "GB"
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class DerivedStatement:
    """A statement, with data that the interface has no member for.

    Attributes:
        statement: In the form of the interface.
        currencies: ISO 4217 code of each source, the primary one first.
        totals: Least and greatest total of each source, in the same order.
        counts: Least and greatest number of its payments.
        marks: Why the nature of each source but the primary one is not known; empty where it is.
    """

    statement: SourceOfWealth
    currencies: tuple[str, ...]
    totals: tuple[tuple[Decimal, Decimal], ...]
    counts: tuple[tuple[int, int], ...]
    marks: tuple[str, ...] = ()


class DerivedStatements:
    """A cache of statements, each under its organisation and a digest of all its input.

    Args:
        most: Largest number of statements; the least recently used one is dropped.
    """

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, bytes], DerivedStatement] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, tenant_id: str, digest: bytes, derive: Callable[[], DerivedStatement]) -> DerivedStatement:
        """Return the cached statement, or derive it.

        Args:
            tenant_id: The organisation.
            digest: Digest of all input.
            derive: Derives the statement.
        """
        key = (tenant_id, digest)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = derive()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Remove all statements."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


@dataclass(frozen=True, slots=True)
class _Held:
    """All input of a statement.

    Attributes:
        day: The as-of day, UTC.
        country: Country whose calendar and words apply.
        customer: A row of frame `customers`.
        accounts: Rows of frame `accounts`: those that may be read, with the scopes in force.
        balances: Account id and stored balance, if balances may be read.
        transactions: Account id and stored transactions, if transactions may be read.
    """

    day: date
    country: str
    customer: Mapping[str, Any]
    accounts: Sequence[Mapping[str, Any]]
    balances: Sequence[tuple[str, str]]
    transactions: Sequence[tuple[str, Sequence[str]]]

    def digest(self) -> bytes:
        """Return the SHA-256 of all input."""
        parts = (str(self.day), self.country, self.customer, self.accounts, self.balances, self.transactions)
        return hashlib.sha256(dump_json(parts)).digest()


def make_statement(
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    now: datetime,
    *,
    derived: DerivedStatements,
    payment_id: str | None = None,
    merchant_id: str | None = None,
) -> DerivedStatement:
    """Derive a statement from all history for which there is valid access to balances or transactions.

    Args:
        connection: A connection for reading.
        tenant: The organisation of the key; its id is the only known `merchantId`.
        customer_id: The customer that the statement is about.
        now: The service's time, for `generatedAt`.
        derived: The cache of statements.
        payment_id: The payment whose amount is in the statement.
        merchant_id: `merchantId` of the query.

    Returns:
        The statement, and the currency of each of its sources.

    Raises:
        RefusedError: 404 for an unknown customer, payment or merchant, and for no readable AIS data.
    """
    customer, payment = _find(connection, tenant, customer_id, payment_id, merchant_id)
    accounts = [
        row
        for row in valid_accounts(connection, tenant.id, customer.id, ("accounts",), now)
        if {"balances", "transactions"} & set(scopes_in_force(row, now))
    ]
    if not accounts:
        raise refusal("not_found", hint=_why_unreadable(connection, tenant, customer.id, now))
    held = _read_held(connection, tenant, customer, accounts, now)
    found = derived.get(tenant.id, held.digest(), lambda: _derive(held))
    known: dict[str, Any] = {"generated_at": format_instant(now)}
    if payment is not None:
        known["payment_amount"] = from_minor(payment.amount_minor, payment.currency)
    return replace(found, statement=found.statement.model_copy(update=known))


def _why_unreadable(connection: Connection, tenant: Tenant, customer_id: str, now: datetime) -> str:
    held = account_rows(connection, tenant, customer_id)
    if not held:
        return "accounts"
    return "scope" if any(scopes_in_force(row, now) for row in held) else "expired"


def _find(
    connection: Connection, tenant: Tenant, customer_id: str, payment_id: str | None, merchant_id: str | None
) -> tuple[Row[Any], Row[Any] | None]:
    try:
        customer = find_customer(connection, tenant, customer_id)
    except RefusedError:
        raise refusal("not_found", hint="customer") from None
    try:
        payment = None if payment_id is None else find_payment(connection, tenant.id, payment_id)
    except RefusedError:
        raise refusal("not_found", hint="payment") from None
    if payment is not None and payment.customer_id != customer.id:
        raise refusal("not_found", hint="payment")
    if merchant_id is not None and merchant_id != tenant.id:
        raise refusal("not_found", hint="merchant")
    return customer, payment


def _read_held(
    connection: Connection, tenant: Tenant, customer: Row[Any], accounts: Sequence[Row[Any]], now: datetime
) -> _Held:
    address = address_of(customer)
    in_force = {account.id: scopes_in_force(account, now) for account in accounts}
    return _Held(
        day=now.astimezone(UTC).date(),
        country=address.get("country") or _COUNTRY,
        customer={
            "customer_id": customer.id,
            "first_name": customer.first_name,
            "last_name": customer.last_name,
            "city": address.get("city"),
            "evidence_id": "",
        },
        accounts=[_account(row, in_force[row.id]) for row in accounts],
        balances=[
            (row.id, row.balance_json)
            for row in accounts
            if row.balance_json is not None and "balances" in in_force[row.id]
        ],
        transactions=[
            (row.id, stored_transactions(connection, tenant.id, customer.id, row.id))
            for row in accounts
            if "transactions" in in_force[row.id]
        ],
    )


def _account(row: Row[Any], scopes: Sequence[str]) -> dict[str, Any]:
    return {
        "customer_id": row.customer_id,
        "account_id": row.id,
        "bank_id": row.bank_id,
        "bank_name": row.bank_name,
        "holder_name": row.holder_name,
        "account_number": mask_number(row.account_number),
        "sort_code": mask_sort_code(row.sort_code),
        "currency": row.currency,
        "type": row.type,
        "scopes": " ".join(scopes),
        "token_expires_at": row.expires_at,
        "evidence_id": "",
    }


def _derive(held: _Held) -> DerivedStatement:
    """Derive a statement as of the end of its day, from the given input alone."""
    from kycpack.wealth import derive  # noqa: PLC0415 - pandas is slow to import, and only statements need it
    from kycpack.wealth.judge.statement import primary_source  # noqa: PLC0415 - as above
    from kycpack.wealth.judge.support import marks_of  # noqa: PLC0415 - as above

    customer_id = held.customer["customer_id"]
    wealth = derive(
        _transactions_frame(customer_id, held.transactions),
        customers=_frame("customers", [held.customer]),
        accounts=_frame(
            "accounts",
            [
                {**account, "token_expires_at": parse_instant(account["token_expires_at"])}
                for account in held.accounts
            ],
        ),
        balances=_frame("balances", [_balance(customer_id, *balance) for balance in held.balances]),
        country=held.country,
        as_of=held.day,
    )
    sources = wealth.sources(customer_id)
    return DerivedStatement(
        wealth.statement(customer_id),
        wealth.statement_currencies(customer_id),
        wealth.statement_totals(customer_id),
        wealth.statement_counts(customer_id),
        marks_of(sources, primary_source(sources, wealth.base_currency(customer_id))),
    )


def _transactions_frame(customer_id: str, held: Sequence[tuple[str, Sequence[str]]]) -> pd.DataFrame:
    """Return the transactions of accounts as a frame: read by column or, if one of them does not fit, one by one."""
    from kycpack.frames.frame_builder import FrameBuilder  # noqa: PLC0415 - pandas is slow to import
    from kycpack.frames.schema import SCHEMAS  # noqa: PLC0415 - as above

    columns = _by_column(held) or _by_item(held)
    given = iter(columns["txn_id"])
    columns |= {
        "customer_id": customer_id,
        "account_id": [account_id for account_id, texts in held for _ in texts],
        "txn_id": [txn_id for _, texts in held for txn_id in _unique(islice(given, len(texts)))],
        "evidence_id": "",
    }
    builder = FrameBuilder(SCHEMAS["transactions"])
    builder.extend_columns(len(columns["txn_id"]), map(columns.get, builder.schema.names))
    return builder.frame()


def _by_column(held: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Any] | None:
    """Return the columns of transactions; None if one of them has to be read separately."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only statements need it

    from kycpack.frames.columnar import read_pages  # noqa: PLC0415 - as above

    pages = [f'{{"items":[{",".join(texts)}]}}' for _, texts in held]
    # A blank account number would be shown as if it existed; in a column it is missing.
    found = None if any('""' in page for page in pages) else read_pages([page.encode() for page in pages])
    if found is None:
        return None
    columns = dict(found[0])
    numbers = columns["counterparty_account"].dictionary_encode()
    shown = pa.array(map(mask_number, numbers.dictionary.to_pylist()), pa.string())
    return {
        **columns,
        "txn_id": columns["txn_id"].to_pylist(),
        "counterparty_account": shown.take(numbers.indices),
    }


def _by_item(held: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Any]:
    from kycpack.frames.columnar import COLUMNS  # noqa: PLC0415 - pandas is slow to import
    from kycpack.frames.transactions import read_transaction  # noqa: PLC0415 - as above

    records = masked_records(text for _, texts in held for text in texts)
    ids = [record.pop("id", None) for record in records]
    rows = [read_transaction(record) for record in records]
    return {**{name: [row[name] for row in rows] for name in COLUMNS}, "txn_id": ids}


def _unique(given: Iterable[str | None]) -> Iterator[str]:
    """Give each transaction of an account a unique id."""
    from kycpack.frames.transactions import TransactionIds  # noqa: PLC0415 - pandas is slow to import

    ids = TransactionIds()
    for number, txn_id in enumerate(given):
        # A transaction that is stored twice was booked twice.
        yield str(ids.assign(txn_id or f"row-{number}", content=str(number)))


def _balance(customer_id: str, account_id: str, balance_json: str) -> dict[str, Any]:
    balance = parse_json(balance_json)
    minors = {
        f"{name}_minor": to_minor(balance[name], balance["currency"])
        for name in ("current", "available")
        if name in balance
    }
    return {
        "customer_id": customer_id,
        "account_id": account_id,
        "currency": balance["currency"],
        "balance_at": parse_instant(balance["asOf"]),
        "evidence_id": "",
        **minors,
    }


def _frame(name: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    from kycpack.frames.frame_builder import FrameBuilder  # noqa: PLC0415 - pandas is slow to import
    from kycpack.frames.schema import SCHEMAS  # noqa: PLC0415 - as above

    builder = FrameBuilder(SCHEMAS[name])
    for row in rows:
        builder.add(row)
    return builder.frame()
