"""Webhooks and mail: list deliveries and messages, and deliver again."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from kycpack.service.control.models import Deliveries, DeliveryQueued, Mails, TrialOutcome
from kycpack.service.control.operation import Control, ControlCall
from kycpack.service.mail import list_mails
from kycpack.service.state import reading, writing
from kycpack.service.webhooks.journal import find_delivery, list_deliveries, redeliver
from kycpack.service.webhooks.registry import find_webhook, try_webhook


@reading
def _deliveries(_call: ControlCall, connection: Connection) -> dict[str, Any]:
    return {"items": list_deliveries(connection)}


@writing
def redeliver_one(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Queue the delivery with the path's number again; return the new delivery's number."""
    row = find_delivery(connection, call.path["number"])
    return {"id": redeliver(connection, row, call.service.clock.now)}


def _try_webhook(call: ControlCall) -> dict[str, Any]:
    with call.service.database.read() as connection:
        row = find_webhook(connection, call.path["id"])
    outcome = try_webhook(row.url, call.service.clock.now(row.tenant_id), loopback=call.service.loopback)
    return {"status": outcome.status, "reason": outcome.reason or None}


@reading
def _mail(call: ControlCall, connection: Connection) -> dict[str, Any]:
    return {"items": list_mails(connection, call.service.links)}


CONTROLS = (
    Control("GET", "/deliveries", _deliveries, "List webhook deliveries", answer=Deliveries),
    Control(
        "POST",
        "/deliveries/{number}/redeliver",
        redeliver_one,
        "Queue a delivery again",
        answer=DeliveryQueued,
    ),
    Control(
        "POST",
        "/webhooks/{id}/test",
        _try_webhook,
        "Send an invented completion to an endpoint",
        answer=TrialOutcome,
    ),
    Control("GET", "/mail", _mail, "List email notifications", answer=Mails),
)
