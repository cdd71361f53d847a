"""TrueLayer, Data API v1: transactions of bank accounts and of cards.

Sign rules: for a bank account, minus is out of the account and `transaction_type` is DEBIT. For a card, the amount is
what is owed, so **plus is a purchase** and `transaction_type` is DEBIT. There is an adapter for each; a record whose sign and
type do not match its adapter does not fit.

Paging: none; one document holds everything for its dates.

Source: TrueLayer Data API reference, "Get account transactions" and "Get card transactions".
"""

from __future__ import annotations

from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError


def read_record(item: Item, *, sign: int) -> dict[str, Any]:
    """Return one transaction as columns of the normal form.

    Args:
        item: The record.
        sign: 1 for a bank account, -1 for a card.

    Raises:
        MisfitError: The record has another format.
    """
    record = item.record
    code = fields.currency(record, "currency")
    minor = sign * fields.amount_minor(record, "amount", code)
    kind = fields.required_text(record, "transaction_type").upper()
    if kind not in {"CREDIT", "DEBIT"}:
        raise MisfitError("transaction_type is neither CREDIT nor DEBIT")
    if minor and (minor > 0) != (kind == "CREDIT"):
        raise MisfitError("amount and transaction_type give different directions")
    balance = fields.balance_minor(record, "running_balance", code)
    return {
        "txn_id": fields.text(
            record, "normalised_provider_transaction_id", "provider_transaction_id", "transaction_id"
        ),
        "booked_on": fields.booking_day(record, "timestamp", zone=item.zone),
        "status": "booked",
        "amount_minor": minor,
        "currency": code,
        "balance_after_minor": None if balance is None else sign * balance,
        "description_raw": fields.text(record, "description") or "",
        "merchant_name": fields.text(record, "merchant_name"),
        "counterparty_name": fields.text(record, "meta.counter_party_preferred_name"),
        "counterparty_account": fields.hashed(fields.text(record, "meta.counter_party_iban")),
        "proprietary_code": fields.text(record, "meta.provider_transaction_category", "transaction_category"),
    }
