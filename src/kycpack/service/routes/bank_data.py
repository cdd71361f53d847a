"""Customer bank data, and the source of wealth derived from it.

Source: interface, "Endpoints", "Customer bank data", "Source of wealth".
"""

from __future__ import annotations

from typing import Any

from kycpack.models.bank_data import Balance, BankAccount, TransactionPage
from kycpack.models.json import dump_json
from kycpack.models.record import Record, iso_date
from kycpack.models.wealth import SourceOfWealth
from kycpack.service import bank_reading
from kycpack.service.banks import require_reachable
from kycpack.service.operation import Query, ServedAnswer, ServedCall, ServedOperation, read_limit
from kycpack.service.problems import invalid_request
from kycpack.service.statements import make_statement

_AREA = "customers"
_PERMISSION = "read_customer"
_DAY = {"type": "string", "format": "date"}


class BankAccountList(Record):
    """Linked accounts. The interface does not document the shape of this answer."""

    items: list[BankAccount]


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
    try:
        return None if text is None else iso_date(text)
    except ValueError:
        raise invalid_request(f"{name}: expected a date as YYYY-MM-DD") from None


_FORMATS = ("json", "pdf")
_QUERY = (
    Query("format", "json (default) or pdf.", {"type": "string", "enum": list(_FORMATS), "default": "json"}),
    Query("merchantId", "Id of the merchant, for organisations that manage several."),
)
_PDF = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}},
}


def _statement(call: ServedCall) -> Any:
    wanted = call.query.get("format", "json")
    if wanted not in _FORMATS:
        raise invalid_request("format: expected json or pdf")
    customer_id, payment_id = call.path["customerId"], call.path.get("paymentId")
    derived = make_statement(
        call.connection,
        call.tenant,
        customer_id,
        call.now,
        derived=call.service.statements,
        payment_id=payment_id,
        merchant_id=call.query.get("merchantId"),
    )
    if wanted == "json":
        return derived.statement
    from kycpack.render import render_statement_pdf  # noqa: PLC0415 - the PDF library is slow to import

    content = render_statement_pdf(
        derived.statement,
        currencies=derived.currencies,
        totals=derived.totals,
        counts=derived.counts,
        marks=derived.marks,
        # Only ids, so that the toolkit gives the same reference to the same statement.
        reference=customer_id if payment_id is None else payment_id,
    )
    disposition = {"Content-Disposition": 'attachment; filename="source-of-wealth.pdf"'}
    return ServedAnswer(content=content, content_type="application/pdf", headers=disposition)


OPERATIONS = (
    ServedOperation(
        "bank_accounts.list",
        "GET",
        "/v1/customers/{customerId}/bank-accounts",
        "List the customer's linked accounts.",
        permission=_PERMISSION,
        area=_AREA,
        handler=lambda call: bank_reading.list_accounts(
            call.connection, call.tenant, call.path["customerId"], call.now
        ),
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
    ServedOperation(
        "source_of_wealth.get",
        "GET",
        "/v1/customers/{customerId}/source-of-wealth",
        "Derive a source of wealth statement.",
        permission=_PERMISSION,
        area="source_of_wealth",
        handler=_statement,
        answer=SourceOfWealth,
        query=_QUERY,
        errors=(404,),
        tells_token=True,
        other_answers=_PDF,
    ),
    ServedOperation(
        "source_of_wealth.get_for_payment",
        "GET",
        "/v1/customers/{customerId}/payments/{paymentId}/source-of-wealth",
        "Derive a source of wealth statement for a payment.",
        permission=_PERMISSION,
        area="source_of_wealth",
        handler=_statement,
        answer=SourceOfWealth,
        query=_QUERY,
        errors=(404,),
        tells_token=True,
        other_answers=_PDF,
    ),
)
