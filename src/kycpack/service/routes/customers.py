"""Customers.

Source: interface, "Endpoints", "Customers".
"""

from __future__ import annotations

from typing import Any

from kycpack.models.customers import Customer, CustomerCreate, CustomerUpdate
from kycpack.models.record import Record
from kycpack.service import customers
from kycpack.service.operation import Query, ServedAnswer, ServedCall, ServedOperation, read_limit

_AREA = "customers"
_USUAL_PAGE, _LARGEST_PAGE = 100, 1000


class CustomerList(Record):
    """Customers of the organisation. The interface does not document the shape of this answer."""

    items: list[Customer]
    next_cursor: str | None = None


def _list(call: ServedCall) -> Any:
    org_id = call.query.get("orgId")
    if not {"limit", "cursor"} & call.query.keys():
        return ServedAnswer(
            stream=customers.stream_customers(call.service.database.read, call.tenant, org_id)
        )
    limit = read_limit(call.query, usual=_USUAL_PAGE, largest=_LARGEST_PAGE)
    return customers.list_customers(call.connection, call.tenant, org_id, limit, call.query.get("cursor"))


OPERATIONS = (
    ServedOperation(
        "customers.create",
        "POST",
        "/v1/customers",
        "Store a customer.",
        permission="create_customer",
        area=_AREA,
        handler=lambda call: customers.create_customer(call.connection, call.tenant, call.body, call.now),
        request=CustomerCreate,
        answer=Customer,
        writes=True,
    ),
    ServedOperation(
        "customers.get",
        "GET",
        "/v1/customers/{id}",
        "Read a customer.",
        permission="read_customers",
        area=_AREA,
        handler=lambda call: customers.get_customer(call.connection, call.tenant, call.path["id"]),
        answer=Customer,
        errors=(404,),
    ),
    ServedOperation(
        "customers.update",
        "PUT",
        "/v1/customers/{id}",
        "Change the given members; null clears a member.",
        permission="update_customer",
        area=_AREA,
        handler=lambda call: customers.update_customer(
            call.connection, call.tenant, call.path["id"], call.body, call.now
        ),
        request=CustomerUpdate,
        answer=Customer,
        errors=(404,),
        writes=True,
    ),
    ServedOperation(
        "customers.list",
        "GET",
        "/v1/customers",
        "List customers, or those with an orgId if one is given.",
        permission="read_customers",
        area=_AREA,
        handler=_list,
        answer=CustomerList,
        query=(
            Query("orgId", "Only customers with this orgId."),
            Query(
                "limit",
                "Maximum number of items; without limit and cursor, all customers are in one answer.",
                {"type": "integer", "minimum": 1, "maximum": _LARGEST_PAGE},
            ),
            Query("cursor", "nextCursor of the previous page."),
        ),
    ),
)
