"""Payments, banks and attempts.

Source: interface, "Endpoints", "Payments" and "Banks and attempts".
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import ConfigDict

from kycpack.models.payments import Attempt, AttemptCreate, Bank, Payment, PaymentCreate, PaymentCreated
from kycpack.models.record import Record, Request
from kycpack.service import attempts, payments
from kycpack.service.banks import list_banks
from kycpack.service.links import PAY
from kycpack.service.operation import Query, ServedCall, ServedOperation
from kycpack.service.problems import invalid_request

_PERMISSION = "create_payment"


class BankList(Record):
    """Banks. The interface does not document the shape of this answer."""

    items: list[Bank]


class AnyObject(Request):
    """Any object: the interface does not document this body."""

    model_config = ConfigDict(extra="allow")


def _create(call: ServedCall) -> dict[str, Any]:
    payment_id = payments.create_payment(call.connection, call.tenant, call.body, call.now)
    return {"id": payment_id, "payLink": call.service.links.page(call.base_url, PAY, payment_id)}


def _banks(call: ServedCall) -> dict[str, Any]:
    country = call.query.get("countryCode")
    if country is not None and re.fullmatch(r"[A-Z]{2}", country) is None:
        raise invalid_request("countryCode: expected two capital letters, as in GB")
    return {"items": [bank.record() for bank in list_banks(country)]}


def _attempt(call: ServedCall) -> dict[str, Any]:
    row = attempts.create_attempt(call.connection, call.tenant, call.path["paymentId"], call.body, call.now)
    return attempts.attempt_record(row, call.service.links, call.base_url, call.now)


def _finalize(call: ServedCall) -> dict[str, Any]:
    path = call.path
    row = attempts.finalize_attempt(
        call.connection, call.tenant, path["paymentId"], path["attemptId"], call.now
    )
    return attempts.attempt_record(row, call.service.links, call.base_url, call.now)


OPERATIONS = (
    ServedOperation(
        "payments.create",
        "POST",
        "/v1/payments",
        "Create a payment and get its pay link.",
        permission=_PERMISSION,
        handler=_create,
        request=PaymentCreate,
        answer=PaymentCreated,
        errors=(404,),
        writes=True,
    ),
    ServedOperation(
        "payments.get",
        "GET",
        "/v1/payments/{paymentId}",
        "Read a payment.",
        permission=_PERMISSION,
        handler=lambda call: attempts.get_payment(
            call.connection, call.tenant, call.path["paymentId"], call.now
        ),
        answer=Payment,
        errors=(404,),
    ),
    ServedOperation(
        "banks.list",
        "GET",
        "/v1/banks",
        "List the banks for payments and linking.",
        permission=_PERMISSION,
        handler=_banks,
        answer=BankList,
        query=(
            Query(
                "countryCode",
                "Only banks of this country, ISO 3166-1 alpha-2.",
                {"type": "string", "pattern": "^[A-Z]{2}$"},
            ),
        ),
    ),
    ServedOperation(
        "payments.attempts.create",
        "POST",
        "/v1/payments/{paymentId}/attempts",
        "Start an attempt by bank or card.",
        permission=_PERMISSION,
        handler=_attempt,
        request=AttemptCreate,
        answer=Attempt,
        errors=(404, 409),
        writes=True,
    ),
    ServedOperation(
        "payments.attempts.finalize",
        "POST",
        "/v1/payments/{paymentId}/attempts/{attemptId}/finalize",
        "Complete a card attempt after its challenge.",
        permission=_PERMISSION,
        handler=_finalize,
        request=AnyObject,
        body_required=False,
        answer=Attempt,
        errors=(404,),
        writes=True,
    ),
)
