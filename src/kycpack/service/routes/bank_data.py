"""Customer bank data.

Source: interface, "Endpoints", "Customer bank data".
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.json import dump_json
from kycpack.models.record import Record
from kycpack.service import bank_reading
from kycpack.service.banks import require_reachable
from kycpack.service.operation import Query, ServedAnswer, ServedCall, ServedOperation, read_limit
from kycpack.service.problems import invalid_request

_AREA = "customers"
_PERMISSION = "read_customer"
_DAY_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY = {"type": "string", "format": "date"}


class BankAccountList(Record):
    """Linked accounts. The interface does not document the shape of this answer."""

    items: list[BankAccount]


def _list(call: ServedCall) -> dict[str, Any]:
    return bank_reading.list_accounts(call.connection, call.tenant, call.path["customerId"], call.now)


def _balance(call: ServedCall) -> ServedAnswer:
    path = call.path
    document = bank_reading.get_balance(
        call.connection, call.tenant, path["customerId"], path["accountId"], call.now
    )
    return _as_the_bank_answers(call, document)


def _as_the_bank_answers(call: ServedCall, document: dict[str, Any]) -> ServedAnswer:
    path = call.path
    bank_id = bank_reading.bank_of_account(
        call.connection, call.tenant, path["customerId"], path["accountId"]
    )
    delay = require_reachable(call.connection, bank_id)
    return ServedAnswer(content=dump_json(document), delay_seconds=delay)


def _transactions(call: ServedCall) -> ServedAnswer:
    first_on, last_on = _read_day(call, "from"), _read_day(call, "to")
    document = bank_reading.list_transactions(
        call.connection,
        call.tenant,
        call.path["customerId"],
        call.path["accountId"],
        call.now,
        first_on=first_on,
        last_on=last_on,
        limit=read_limit(call.query, usual=bank_reading.USUAL_PAGE, largest=bank_reading.LARGEST_PAGE),
        cursor=call.query.get("cursor"),
    )
    return _as_the_bank_answers(call, document)


def _read_day(call: ServedCall, name: str) -> str | None:
    text = call.query.get(name)
    if text is None:
        return None
    try:
        # Python also reads other forms, such as 20260501.
        day = date.fromisoformat(text) if _DAY_FORM.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise invalid_request(f"{name}: expected a date as YYYY-MM-DD")
    return day.isoformat()


OPERATIONS = (
    ServedOperation(
        "bank_accounts.list",
        "GET",
        "/v1/customers/{customerId}/bank-accounts",
        "List the customer's linked accounts.",
        permission=_PERMISSION,
        area=_AREA,
        handler=_list,
        answer=BankAccountList,
        errors=(404,),
    ),
    ServedOperation(
        "bank_accounts.balance",
        "GET",
        "/v1/customers/{customerId}/bank-accounts/{accountId}/balance",
        "Read the balance of an account.",
        permission=_PERMISSION,
        area=_AREA,
        handler=_balance,
        answer=Balance,
        errors=(404,),
    ),
    ServedOperation(
        "bank_accounts.transactions",
        "GET",
        "/v1/customers/{customerId}/bank-accounts/{accountId}/transactions",
        "Read a page of an account's transactions, oldest booking date first.",
        permission=_PERMISSION,
        area=_AREA,
        handler=_transactions,
        answer=TransactionPage,
        query=(
            Query("from", "Earliest booking date, inclusive.", _DAY),
            Query("to", "Latest booking date, inclusive.", _DAY),
            Query(
                "limit",
                "Maximum number of items.",
                {"type": "integer", "minimum": 1, "maximum": bank_reading.LARGEST_PAGE},
            ),
            Query("cursor", "nextCursor of the previous page."),
        ),
        errors=(404,),
    ),
)
