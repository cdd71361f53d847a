"""An operation of the control API as data, and what handlers share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection, Row, select
from starlette.requests import Request

from kycpack.service.bodies import check, read_model
from kycpack.service.customers import is_uuid
from kycpack.service.problems import customer_not_found, not_found
from kycpack.service.schema import customers, tenants
from kycpack.service.state import Service

Handler = Callable[["ControlCall"], Any]


@dataclass(frozen=True, slots=True)
class ControlCall:
    """The input of a handler.

    Attributes:
        service: The service.
        request: The request, for parameters of the path.
        body: The body as the operation's model; None if it takes none.
    """

    service: Service
    request: Request
    body: Any

    def path(self, name: str) -> str:
        """Return a parameter of the path."""
        return str(self.request.path_params[name])


@dataclass(frozen=True, slots=True)
class Control:
    """One operation of the control API.

    Attributes:
        method: HTTP method.
        path: Path template below `/_control`.
        handler: Carries it out, and returns a JSON document.
        summary: One line.
        body: Model of its body; None if it takes none.
        answer: Model of its answer.
        about: Further description.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    body: type[BaseModel] | None = None
    _: KW_ONLY
    answer: type[BaseModel]
    about: str = ""


def read_control_body(control: Control, body: bytes, content_type: str) -> Any:
    """Return a body as the operation's model; an absent one is an empty object.

    Raises:
        RefusedError: 400 names the field that does not fit; 415.
    """
    if control.body is None:
        return None
    if not body:
        return check(control.body, {})
    return read_model(control.body, body, content_type, required=True)


def any_customer(connection: Connection, customer_id: str, *, lock: bool) -> Row[Any]:
    """Return the row of a customer of any organisation.

    Args:
        connection: A connection; a writing one if the row is to be locked.
        customer_id: Customer id.
        lock: Whether to lock the row against other writers until the end of the transaction.

    Raises:
        RefusedError: 404 unknown.
    """
    row = None
    if is_uuid(customer_id):
        one = select(customers).where(customers.c.id == customer_id.lower())
        row = connection.execute(one.with_for_update() if lock else one).one_or_none()
    if row is None:
        raise customer_not_found()
    return row


def require_tenant(connection: Connection, tenant_id: str) -> str:
    """Return the id of an organisation if it exists.

    Raises:
        RefusedError: 404 unknown.
    """
    found = None
    if is_uuid(tenant_id):
        found = connection.scalar(select(tenants.c.id).where(tenants.c.id == tenant_id.lower()))
    if found is None:
        raise not_found("organisation")
    return str(found)
