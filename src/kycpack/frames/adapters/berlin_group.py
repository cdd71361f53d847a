"""Berlin Group, NextGenPSD2 transaction lists.

Sign rule: `transactionAmount.amount` has the sign; plus is into the account. The list that a record is in (booked, pending,
information) is its status.

Paging: `transactions._links.next.href` is the address of the next page.

Source: NextGenPSD2 Implementation Guidelines 1.3, "Account Report" and "Transactions".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError

STATUSES: Mapping[str, str] = {"booked": "booked", "pending": "pending", "information": "info"}


def list_records(document: Any) -> Iterator[Item]:
    """Yield the transactions in all lists of a response.

    Raises:
        MisfitError: The response has another format.
    """
    report = fields.member(document, "transactions")
    if not isinstance(report, Mapping):
        raise MisfitError("transactions is not an object")
    for name, status in STATUSES.items():
        if report.get(name) is not None:
            yield from fields.list_items(document, f"transactions.{name}", status)


def read_record(item: Item) -> dict[str, Any]:
    """Return one transaction as columns of the normal form."""
    record = item.record
    code = fields.currency(record, "transactionAmount.currency")
    minor = fields.amount_minor(record, "transactionAmount.amount", code)
    other = "debtor" if minor >= 0 else "creditor"
    return {
        "txn_id": fields.text(record, "transactionId", "internalTransactionId", "entryReference"),
        "booked_on": fields.booking_day(record, "bookingDate", "valueDate"),
        "value_on": fields.day(record, "valueDate"),
        "status": item.status,
        "amount_minor": minor,
        "currency": code,
        "balance_after_minor": fields.balance_minor(record, "balanceAfterTransaction.balanceAmount", code),
        "description_raw": _remittance(record),
        "counterparty_name": fields.text(record, f"{other}Name"),
        "counterparty_account": fields.hashed(
            fields.text(record, f"{other}Account.iban", f"{other}Account.bban", f"{other}Account.maskedPan")
        ),
        "bank_code": fields.text(record, "bankTransactionCode"),
        "purpose": fields.text(record, "purposeCode"),
        "mcc": fields.text(record, "merchantCategoryCode"),
        "proprietary_code": fields.text(record, "proprietaryBankTransactionCode"),
    }


def _remittance(record: Any) -> str:
    lines = fields.member(record, "remittanceInformationUnstructuredArray")
    if isinstance(lines, list) and all(isinstance(line, str) for line in lines) and lines:
        return " ".join(lines)
    return fields.text(record, "remittanceInformationUnstructured", "additionalInformation") or ""
