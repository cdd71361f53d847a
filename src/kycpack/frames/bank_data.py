"""Bank accounts, balances and transactions, and whether their paged lists are complete.

Accounts and balances are in the service's own format (`service-v1`); transactions are in the format of the adapter that the
entry names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.adapters.catalogue import OWN_SHAPE, Adapter, get_adapter
from kycpack.frames.adapters.result import Item
from kycpack.frames.answer_fields import AnswerFields, currency, instant, items, label, labels, minor, text
from kycpack.frames.bank_zones import zone_of_account
from kycpack.frames.columnar import have_own_ids, read_pages
from kycpack.frames.identifying_facts import read_member
from kycpack.frames.identity import Identity
from kycpack.frames.reading import EvidenceReading, foreign_id
from kycpack.frames.transactions import AccountTransactions, MisfitError
from kycpack.models.json import without_odd_values
from kycpack.models.listed import counted
from kycpack.models.paging import PageEnd, read_page_end

_Counted = dict[tuple[str, str], tuple[int, str]]
"""Number of transactions and the first page they are on, by account and currency."""


def read_bank_data(reading: EvidenceReading, identity: Identity) -> None:
    """Add the rows of `accounts`, `balances` and `transactions`.

    Data of another account is left out and reported as a gap. Data in another currency than the list of accounts gives is kept in
    its own currency, and the conflict is a gap.
    """
    zones: dict[str, str | None] = {}
    for entry in reading.answered("bank_accounts.list"):
        if not _is_another(reading, entry, identity.other_accounts(entry), "another customer's accounts"):
            _read_accounts(reading, entry, zones)
    _note_unlisted(reading, identity)
    for entry in reading.answered("bank_accounts.balance"):
        if not _is_another(reading, entry, identity.other_balance(entry)):
            _read_balance(reading, entry, identity)
    pages = [
        entry
        for entry in reading.answered("bank_accounts.transactions")
        if "account_id" in entry.subject
        and not _is_another(reading, entry, identity.other_transactions(entry))
    ]
    if not pages:
        return
    own_shape = all(entry.adapter == OWN_SHAPE for entry in pages)
    # Pages in the service's own format contain no such ids; if one does, each transaction is checked.
    named = any(
        name in (reading.body(entry) or b"") for entry in pages for name in (b'"customerId"', b'"accountId"')
    )
    found = _read_by_column(reading, pages) if own_shape and not named else None
    if found is None:
        found = _read_by_item(reading, pages, zones)
    for (account_id, code), (count, first) in found.items():
        amounts = counted(count, "transaction is", "transactions are")
        _note_other_currency(reading, identity, account_id, code, amounts, first)


def _note_other_currency(
    reading: EvidenceReading, identity: Identity, account_id: str, currency: str, amounts: str, entry_id: str
) -> None:
    """Record that amounts of an account are in another currency than the list of accounts gives."""
    given = identity.currency_of(account_id)
    if given and given != currency:
        message = f"{amounts} in {currency}, but the list of accounts gives {given}; kept in {currency}"
        reading.gaps.add("bank", "other_currency", message, subject=account_id, evidence_id=entry_id)


def _is_another(reading: EvidenceReading, entry: Entry, why: str, what: str = "another account") -> bool:
    if why:
        message = f"the answer to {entry.operation} is about {what} and was left out: {why}"
        reading.note(entry, "wrong_subject", message)
    return bool(why)


def _note_unlisted(reading: EvidenceReading, identity: Identity) -> None:
    """Record accounts for which data was requested although they are not on the customer's list."""
    asked = {
        entry.subject["account_id"]: entry.id
        for operation in ("bank_accounts.transactions", "bank_accounts.balance")
        for entry in reading.answered(operation)
        if entry.subject.get("account_id") and not identity.is_listed(entry.subject["account_id"])
    }
    for account_id, entry_id in asked.items():
        message = f"account {account_id} is not on the customer's list of bank accounts"
        reading.gaps.add("bank", "account_not_listed", message, subject=account_id, evidence_id=entry_id)


def _read_by_column(reading: EvidenceReading, pages: list[Entry]) -> _Counted | None:
    """Read all pages at once; return None if a transaction breaks a rule or has no id of its own."""
    bodies = [reading.body(entry) or b"" for entry in pages]
    found = read_pages(bodies)
    if found is None:
        return None
    columns, page = found
    accounts = list(dict.fromkeys(entry.subject["account_id"] for entry in pages))
    account = np.array([accounts.index(entry.subject["account_id"]) for entry in pages], dtype=np.int32)[page]
    if not have_own_ids(columns["txn_id"], account):
        return None
    count = len(page)
    entries = pa.array([entry.id for entry in pages], pa.string())
    made = {
        **columns,
        "customer_id": reading.customer_id,
        "account_id": pa.DictionaryArray.from_arrays(pa.array(account), pa.array(accounts)),
        "evidence_id": entries.take(pa.array(page)),
    }
    rows = reading.rows["transactions"]
    rows.extend_columns(count, map(made.get, rows.schema.names))
    return _counted_by_column(columns["currency"], accounts, account, page, pages)


def _counted_by_column(
    currency: pa.DictionaryArray,
    accounts: Sequence[str],
    account: np.ndarray,
    page: np.ndarray,
    pages: Sequence[Entry],
) -> _Counted:
    codes = currency.dictionary.to_pylist()
    kinds, first, counts = np.unique(
        account.astype(np.int64) * len(codes) + currency.indices.to_numpy(),
        return_index=True,
        return_counts=True,
    )
    return {
        (accounts[kind // len(codes)], codes[kind % len(codes)]): (int(count), pages[page[row]].id)
        for kind, row, count in zip(kinds, first, counts, strict=True)
    }


def _read_by_item(reading: EvidenceReading, pages: list[Entry], zones: Mapping[str, str | None]) -> _Counted:
    ledgers: dict[str, AccountTransactions] = {}
    for entry in pages:
        account_id = entry.subject["account_id"]
        ledger = ledgers.setdefault(account_id, AccountTransactions(reading, account_id))
        if entry.adapter == OWN_SHAPE:
            ledger.add_page(entry.id, _own_items(reading, entry))
        else:
            _read_other_shape(reading, entry, ledger, zones.get(account_id))
    return {
        (account_id, currency): (len(ids), ids[0])
        for account_id, ledger in ledgers.items()
        for currency, ids in ledger.pages_in.items()
    }


def _own_items(reading: EvidenceReading, entry: Entry) -> list[Any]:
    """Return the transactions of a page without those that name another customer or account."""
    found = reading.open(entry).get_root(items) or ()
    return _without_others(reading, entry, found, "transaction", entry.subject["account_id"])


def _without_others(
    reading: EvidenceReading, entry: Entry, documents: Sequence[Any], what: str, subject: str
) -> list[Any]:
    """Return the items of an answer without those about another customer or thing; each of these is a gap."""
    kept = []
    for position, document in enumerate(documents):
        if other := foreign_id(entry, document):
            message = f"{what} {position} is about another {other} and was left out"
            reading.note(entry, "wrong_subject", message, subject=subject)
        else:
            kept.append(document)
    return kept


def _read_other_shape(
    reading: EvidenceReading, entry: Entry, ledger: AccountTransactions, zone: str | None
) -> None:
    """Read a page; UTC timestamps are converted to the day in the bank's time zone."""
    document = reading.document(entry)
    if document is None:
        return
    try:
        adapter = get_adapter(entry.adapter)
        records = list(adapter.list_records(document))
    except (InputError, MisfitError) as error:
        message = f"the page cannot be read as {entry.adapter}: {error}"
        reading.note(entry, "unreadable", message, subject=ledger.account_id)
        return
    # Without its place: a transaction on two pages is one transaction.
    read = [(item.record, item.status) for item in _of_account(reading, entry, adapter, records)]
    ledger.add_page(entry.id, read, lambda one: adapter.read_record(Item("", one[0], one[1], zone)))


def _of_account(reading: EvidenceReading, entry: Entry, adapter: Adapter, items: list[Item]) -> list[Item]:
    """Return the items of the account that was asked for; an answer may contain several accounts."""
    account_id = entry.subject["account_id"]
    named = {adapter.account_of(item.record) for item in items} - {None}
    if account_id not in named and len(named) <= 1:
        return items  # the only account, for which the provider uses an id of its own
    kept = []
    for position, item in enumerate(items):
        if adapter.account_of(item.record) in {account_id, None}:
            kept.append(item)
        else:
            message = f"transaction {position} is about another account and was left out"
            reading.note(entry, "wrong_subject", message, subject=account_id)
    return kept


def _read_accounts(reading: EvidenceReading, entry: Entry, zones: dict[str, str | None]) -> None:
    """Add the accounts of a page, and to `zones` the time zone of each account's bank, None if it is not known."""
    listing = reading.open(entry)
    documents = listing.get_root(items)
    if documents is None:
        return
    documents = _without_others(reading, entry, documents, "bank account", reading.customer_id)
    ids = [read_member(document, "id", label) for document in documents]
    if documents and all(account_id in zones for account_id in ids):
        listing.missing(
            "page_repeated", "the page repeats accounts of earlier pages: its own accounts are missing"
        )
        return
    if not documents:
        listing.missing("no_accounts", "no bank account is linked")
    for position, document in enumerate(documents):
        account = AnswerFields(document, reading.gaps, "bank", reading.customer_id, entry.id)
        account_id = account.get("id", label)
        if account_id is None:
            account.missing("wrong_type", f"bank account {position + 1} has no id and was left out")
            continue
        if account_id in zones:
            account.missing(
                "account_repeated", f"bank account {account_id} was given more than once and is kept once"
            )
            continue
        account = AnswerFields(document, reading.gaps, "bank", account_id, entry.id)
        code = account.get("currency", currency)
        if code is None:
            account.missing("currency_missing", "the bank account has no currency")
        expiry = account.get("tokenExpiry", instant)
        if expiry is None:
            account.missing("token_expiry_missing", "the date on which access ends is not given")
        scopes = account.get("scopes", labels)
        if scopes is not None and "transactions" not in scopes.split():
            account.missing("scope_missing", "the bank access that was given does not include transactions")
        number, sort_code = account.get("accountNumber", label), account.get("sortCode", label)
        zones[account_id] = zone_of_account(account.get("iban", label) or number, sort_code, code)
        reading.add(
            "accounts",
            entry.id,
            account_id=account_id,
            bank_id=account.get("bankId", label),
            bank_name=account.get("bankName", text),
            holder_name=account.get("accountHolderName", text),
            account_number=number,
            sort_code=sort_code,
            currency=code,
            type=account.get("type", text),
            scopes=scopes,
            token_expires_at=expiry,
        )


def _read_balance(reading: EvidenceReading, entry: Entry, identity: Identity) -> None:
    balance = reading.open(entry)
    code = balance.get("currency", currency)
    account_id = entry.subject.get("account_id", "")
    if code is None:
        balance.missing("currency_missing", "the balance has no currency and was left empty")
    else:
        _note_other_currency(reading, identity, account_id, code, "the balance is", entry.id)

    def read(value: Any) -> int:
        return minor(value, code or "")

    reading.add(
        "balances",
        entry.id,
        account_id=account_id,
        current_minor=balance.get("current", read) if code else None,
        available_minor=balance.get("available", read) if code else None,
        currency=code,
        balance_at=balance.get("asOf", instant),
    )


def note_missing_pages(reading: EvidenceReading) -> None:
    """Add a gap if accounts or transactions are missing."""
    _note(reading, list(reading.select("bank_accounts.list")), reading.customer_id, "bank accounts")
    by_account: dict[str, list[Entry]] = {}
    for entry in reading.select("bank_accounts.transactions"):
        if "account_id" in entry.subject:
            by_account.setdefault(entry.subject["account_id"], []).append(entry)
    for account_id, pages in by_account.items():
        _note(reading, pages, account_id, "transactions")


def _note(reading: EvidenceReading, pages: Sequence[Entry], subject: str, things: str) -> None:
    answered = [entry for entry in pages if entry.outcome == "answered"]
    found = [
        (entry, read_page_end(document))
        for entry in answered
        if (body := reading.body(entry)) and _says_more(body, is_last=entry is pages[-1])
        if (document := _document(reading, entry)) is not None
    ]
    if not found:
        return
    last, end = found[-1]
    if last is pages[-1] and end.names:
        message = f"there are more {things} than were read: the last page has {' and '.join(end.names)}"
        reading.gaps.add("bank", "more_not_read", message, subject=subject, evidence_id=last.id)
    if any(end.totals for _, end in found):
        counts = {entry.id: _count(entry, _document(reading, entry)) for entry in answered}
        _note_counts(reading, found, counts, subject, things)


def _says_more(body: bytes, *, is_last: bool) -> bool:
    """Whether a page may give a count, or say as the last page that there are more. A quick check: strict reading is slow."""
    try:
        end = read_page_end(orjson.loads(body))
    except orjson.JSONDecodeError:
        return True
    return bool(end.totals or (is_last and end.names))


def _note_counts(
    reading: EvidenceReading,
    found: Sequence[tuple[Entry, PageEnd]],
    counts: dict[str, int | None],
    subject: str,
    things: str,
) -> None:
    came = sum(count for count in counts.values() if count is not None)
    for entry, end in found:
        for name, total in end.totals:
            # Some providers count the page, others count everything.
            if total not in {came, counts[entry.id]}:
                message = f"{name} says {total:,} {things}, and {came:,} were read"
                reading.gaps.add("bank", "count_differs", message, subject=subject, evidence_id=entry.id)
                return


def _document(reading: EvidenceReading, entry: Entry) -> Any:
    return without_odd_values(reading.lenient_document(entry))


def _count(entry: Entry, document: Any) -> int | None:
    try:
        if entry.operation == "bank_accounts.list" or entry.adapter == OWN_SHAPE:
            return len(items(document))
        return sum(1 for _ in get_adapter(entry.adapter).list_records(document))
    except (InputError, MisfitError, ValueError):
        return None
