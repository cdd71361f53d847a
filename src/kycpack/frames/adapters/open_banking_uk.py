"""UK Open Banking, account information, v3.1 and v4.

Sign rule: `Amount.Amount` has no sign; `CreditDebitIndicator` is Credit (into the account) or Debit (out of it). The same
applies to `Balance`. The status is Booked or Pending in v3.1, and BOOK, PDNG, FUTR, INFO or RJCT in v4.

Paging: `Links.Next` is the address of the next page, and `Meta.TotalPages` is the number of pages.

Source: Open Banking Read-Write API profile, OBReadTransaction6 (v3.1.x and v4.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError

V31_STATUSES: Mapping[str, str] = {"Booked": "booked", "Pending": "pending", "Rejected": "rejected"}
V4_STATUSES: Mapping[str, str] = {
    "BOOK": "booked",
    "PDNG": "pending",
    "FUTR": "future",
    "INFO": "info",
    "RJCT": "rejected",
}

# Families that ISO 20022 has in the payments domain only; v4 omits the domain.
_PAYMENT_FAMILIES = frozenset(
    {"RCDT", "ICDT", "RRCT", "IRCT", "RDDT", "IDDT", "CCRD", "MCRD", "CNTR", "RCHQ", "ICHQ", "DRFT"}
)

_ZONE = "Europe/London"  # banks that use the standard are British


def list_records(document: Any) -> Iterator[Item]:
    """Yield the transactions of a response.

    Raises:
        MisfitError: The response has another format.
    """
    data = fields.member(document, "Data")
    if not isinstance(data, Mapping):
        raise MisfitError("Data is not an object")
    # A page without transactions has no list.
    return fields.list_items(document, "Data.Transaction") if data.get("Transaction") else iter(())


def read_record(item: Item, *, statuses: Mapping[str, str]) -> dict[str, Any]:
    """Return one transaction as columns of the normal form.

    Args:
        item: The record.
        statuses: The statuses of the version, with those of the normal form.

    Raises:
        MisfitError: The record has another format.
    """
    record, zone = item.record, item.zone or _ZONE
    code = fields.currency(record, "Amount.Currency")
    status = statuses.get(fields.required_text(record, "Status"))
    if status is None:
        raise MisfitError("Status is not a status of this version")
    minor = fields.directed_minor(record, "Amount.Amount", "CreditDebitIndicator", code)
    other = (
        "DebtorAccount"
        if fields.required_text(record, "CreditDebitIndicator") == "Credit"
        else "CreditorAccount"
    )
    return {
        "txn_id": fields.text(record, "TransactionId"),
        "booked_on": fields.booking_day(record, "BookingDateTime", "ValueDateTime", zone=zone),
        "value_on": fields.day(record, "ValueDateTime", zone=zone),
        "status": status,
        "amount_minor": minor,
        "currency": code,
        "balance_after_minor": _balance(record, code),
        "description_raw": fields.text(record, "TransactionInformation", "TransactionReference") or "",
        "counterparty_name": fields.text(record, f"{other}.Name"),
        "counterparty_account": fields.hashed(fields.text(record, f"{other}.Identification")),
        "merchant_name": fields.text(record, "MerchantDetails.MerchantName"),
        "mcc": fields.text(record, "MerchantDetails.MerchantCategoryCode"),
        "bank_code": _bank_code(record),
        "purpose": fields.text(record, "PaymentPurposeCode", "CategoryPurposeCode"),
        "proprietary_code": fields.text(
            record, "ProprietaryBankTransactionCode.Code", "BankTransactionCode.Code"
        ),
    }


def _balance(record: Any, code: str) -> int | None:
    if fields.member(record, "Balance.Amount.Amount") is None:
        return None
    if fields.currency(record, "Balance.Amount.Currency") != code:
        raise MisfitError("Balance.Amount.Currency differs from the transaction's currency")
    return fields.directed_minor(record, "Balance.Amount.Amount", "Balance.CreditDebitIndicator", code)


def _bank_code(record: Any) -> str | None:
    family = fields.text(record, "BankTransactionCode.Code")
    sub_family = fields.text(record, "BankTransactionCode.SubCode")
    if family in _PAYMENT_FAMILIES and sub_family:
        return f"PMNT-{family}-{sub_family}"
    return None
