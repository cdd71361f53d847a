"""Source of wealth.

Source: interface, "Endpoints", "Source of wealth".
"""

from __future__ import annotations

from typing import Any

from kycpack.models.wealth import SourceOfWealth
from kycpack.service.operation import Query, ServedAnswer, ServedCall, ServedOperation
from kycpack.service.problems import invalid_request
from kycpack.service.statements import make_statement

_PERMISSION = "read_customer"
_AREA = "source_of_wealth"
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
        # Only ids, so that the toolkit gives the same reference to the same statement.
        reference=customer_id if payment_id is None else payment_id,
    )
    disposition = {"Content-Disposition": 'attachment; filename="source-of-wealth.pdf"'}
    return ServedAnswer(content=content, content_type="application/pdf", headers=disposition)


OPERATIONS = (
    ServedOperation(
        "source_of_wealth.get",
        "GET",
        "/v1/customers/{customerId}/source-of-wealth",
        "Derive a source of wealth statement.",
        permission=_PERMISSION,
        area=_AREA,
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
        area=_AREA,
        handler=_statement,
        answer=SourceOfWealth,
        query=_QUERY,
        errors=(404,),
        tells_token=True,
        other_answers=_PDF,
    ),
)
