"""Webhooks.

Source: interface, "Endpoints", "Webhooks".
"""

from __future__ import annotations

from kycpack.models.record import Record
from kycpack.models.webhooks import Webhook, WebhookCreate
from kycpack.service.operation import ServedOperation
from kycpack.service.problems import invalid_request
from kycpack.service.webhooks import records
from kycpack.service.webhooks.targets import TargetError, require_registrable

_PERMISSION = "manage_webhooks"


class WebhookList(Record):
    """Registered endpoints, including inactive ones. The interface does not document the shape of this answer."""

    items: list[Webhook]


def _check_target(body: WebhookCreate, loopback: bool) -> None:  # noqa: FBT001 - the shape of a check
    try:
        require_registrable(body.url, loopback=loopback)
    except TargetError as error:
        raise invalid_request(f"url: {error}") from None


OPERATIONS = (
    ServedOperation(
        "webhooks.create",
        "POST",
        "/v1/webhooks",
        "Register an endpoint.",
        permission=_PERMISSION,
        handler=lambda call: records.create_webhook(call.connection, call.tenant, call.body, call.now),
        request=WebhookCreate,
        answer=Webhook,
        writes=True,
        check=_check_target,
        aliases=("/v1/tenant/webhooks", "/v1/onboard/webhooks"),
    ),
    ServedOperation(
        "webhooks.list",
        "GET",
        "/v1/webhooks",
        "List the registered endpoints.",
        permission=_PERMISSION,
        handler=lambda call: records.list_webhooks(call.connection, call.tenant),
        answer=WebhookList,
    ),
    ServedOperation(
        "webhooks.delete",
        "DELETE",
        "/v1/webhooks/{webhookId}",
        "Deactivate an endpoint; its record is kept.",
        permission=_PERMISSION,
        handler=lambda call: records.delete_webhook(
            call.connection, call.tenant, call.path["webhookId"], call.now
        ),
        answer=Webhook,
        errors=(404,),
        writes=True,
    ),
)
