"""Plaid: transactions of the API, and those of a sandbox user's configuration.

Sign rule for both: plus is **out of** the account, minus is into it; the amount is a JSON number and is read exactly.

Paging: `/transactions/sync` has `next_cursor` while `has_more`; `/transactions/get` gives the number of all of them in `total_transactions`.

Source: Plaid API reference, `/transactions/sync`; "Customize Sandbox data", `override_accounts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kycpack.frames.adapters import fields
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError


def list_records(document: Any) -> Iterator[Item]:
    """Yield the transactions of `/transactions/get` (`transactions`) or `/transactions/sync` (`added`).

    Raises:
        MisfitError: The response has another format, or changes an earlier answer.
    """
    changed = [name for name in ("modified", "removed") if fields.member(document, name)]
    if changed:
        # Read as new, they would count twice; left out, a change would be lost.
        raise MisfitError(
            f"{' and '.join(changed)} change an earlier answer; ask for the whole history instead"
        )
    for name in ("transactions", "added"):
        if isinstance(fields.member(document, name), list):
            return fields.list_items(document, name)
    raise MisfitError("neither transactions nor added is a list")


def read_record(item: Item) -> dict[str, Any]:
    """Return one transaction of the API as columns of the normal form.

    Raises:
        MisfitError: `pending` is neither true nor false.
    """
    record = item.record
    code = fields.currency(record, "iso_currency_code")
    pending = fields.member(record, "pending")
    if not isinstance(pending, bool):
        raise MisfitError("pending is neither true nor false")
    return {
        "txn_id": fields.text(record, "transaction_id"),
        "booked_on": fields.booking_day(record, "date"),
        "value_on": fields.day(record, "authorized_date"),
        "status": "pending" if pending else "booked",
        "amount_minor": -fields.amount_minor(record, "amount", code),
        "currency": code,
        "description_raw": fields.required_text(record, "original_description", "name"),
        "counterparty_name": fields.text(record, "payment_meta.payer", "payment_meta.payee"),
        "merchant_name": fields.text(record, "merchant_name"),
        "proprietary_code": fields.text(record, "personal_finance_category.detailed", "transaction_code"),
    }


def read_sandbox_record(item: Item) -> dict[str, Any]:
    """Return one transaction of a sandbox user as columns of the normal form."""
    record = item.record
    code = fields.currency(record, "currency")
    return {
        "txn_id": None,
        "booked_on": fields.booking_day(record, "date_posted"),
        "value_on": fields.day(record, "date_transacted"),
        "status": "booked",
        "amount_minor": -fields.amount_minor(record, "amount", code),
        "currency": code,
        "description_raw": fields.required_text(record, "description"),
    }
