"""Customers. Source: interface, "Customers"."""

from __future__ import annotations

from datetime import date

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import UNSET, Unset, given, make_call
from kycpack.api.protocol import Call
from kycpack.api.resources.methods import (
    AsyncResource,
    Members,
    Resource,
    asked,
    awaited,
    iso_day,
    paged,
    paged_async,
)
from kycpack.models.customers import AddressInput, Customer


def create(
    *,
    first_name: str | None = None,
    last_name: str | None = None,
    email_address: str | None = None,
    date_of_birth: str | date | None = None,
    address: AddressInput | Members | None = None,
    org_id: str | None = None,
) -> Call[Customer]:
    """Create a customer; the service does not prevent duplicates.

    Args:
        first_name: First name; sessions with checks need it, here or in the session.
        last_name: Last name; as above.
        email_address: Email address; as above.
        date_of_birth: A date, or YYYY-MM-DD.
        address: Postal address, country as ISO 3166-1 alpha-2.
        org_id: Your own organisation or branch, for listing customers.

    Returns:
        The customer as stored by the service.

    Raises:
        InputError: An argument does not fit.
        OutcomeUnknownError: The answer was lost; the customer may exist.
        ApiError: The service refused or could not be reached.
    """
    members = given(
        first_name=first_name,
        last_name=last_name,
        email_address=email_address,
        date_of_birth=iso_day(date_of_birth),
        address=address,
        org_id=org_id,
    )
    return make_call(op.CREATE_CUSTOMER, body=members)


def get(customer_id: str) -> Call[Customer]:
    """Return a customer.

    Args:
        customer_id: Customer id.

    Raises:
        InputError: The id is empty or malformed.
        NotFoundError: The customer is unknown, or belongs to another organisation.
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.GET_CUSTOMER, {"customer_id": customer_id})


def update(
    customer_id: str,
    *,
    first_name: str | Unset | None = UNSET,
    last_name: str | Unset | None = UNSET,
    email_address: str | Unset | None = UNSET,
    date_of_birth: str | date | Unset | None = UNSET,
    address: AddressInput | Members | Unset | None = UNSET,
) -> Call[Customer]:
    """Change a customer: arguments that are not given stay as they are, None clears a member.

    Args:
        customer_id: Customer id.
        first_name: First name.
        last_name: Last name.
        email_address: Email address.
        date_of_birth: A date, or YYYY-MM-DD.
        address: The whole address.

    Returns:
        The customer as changed; `tenant_id` and `org_id` may be absent.

    Raises:
        InputError: An argument does not fit.
        NotFoundError: The customer is unknown, or belongs to another organisation.
        ApiError: The service refused or could not be reached.
    """
    members = {
        "first_name": first_name,
        "last_name": last_name,
        "email_address": email_address,
        "date_of_birth": iso_day(date_of_birth),
        "address": address,
    }
    body = {name: value for name, value in members.items() if value is not UNSET}
    return make_call(op.UPDATE_CUSTOMER, {"customer_id": customer_id}, body=body)


def list_(*, org_id: str | None = None) -> Call[Listing[Customer]]:
    """Return the customers, or those of one branch if `org_id` is given.

    Args:
        org_id: Your own organisation or branch.

    Returns:
        The customers in the answer; `.has_more` is whether there are more pages, and `.raw` is the answer as received,
        because the interface does not document its shape. `iter` returns the items of all pages.

    Raises:
        ApiError: The service refused or could not be reached.
    """
    return make_call(op.LIST_CUSTOMERS, query={"org_id": org_id})


class Customers(Resource):
    """Customers. Source: interface, "Customers"."""

    create = asked(create)
    get = asked(get)
    update = asked(update)
    list = asked(list_)
    iter = paged(list_)


class AsyncCustomers(AsyncResource):
    """`Customers` for `AsyncClient`."""

    create = awaited(create)
    get = awaited(get)
    update = awaited(update)
    list = awaited(list_)
    iter = paged_async(list_)
