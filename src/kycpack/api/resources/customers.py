"""Customers. Source: interface, "Customers"."""

from __future__ import annotations

from datetime import date

from kycpack.api import operations as op
from kycpack.api.answers import Listing
from kycpack.api.calls import UNSET, Unset, given, make_call
from kycpack.api.resources.running import Members, Run, RunAsync, iso_day
from kycpack.models.customers import AddressInput, Customer


class Customers:
    """Customers. Source: interface, "Customers"."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def create(
        self,
        *,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        date_of_birth: str | date | None = None,
        address: AddressInput | Members | None = None,
        org_id: str | None = None,
    ) -> Customer:
        """Create a customer; the service does not prevent duplicates.

        Args:
            first_name: First name; onboard sessions with checks need it, here or there.
            last_name: Last name; as above.
            email_address: Email address; as above.
            date_of_birth: A date, or YYYY-MM-DD.
            address: Postal address, country as ISO 3166-1 alpha-2.
            org_id: Your own organisation or branch, to list customers by.

        Returns:
            The customer as the service keeps it.

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
        return self._run(make_call(op.CREATE_CUSTOMER, body=members))

    def get(self, customer_id: str) -> Customer:
        """Return a customer.

        Raises:
            NotFoundError: Unknown, or of another organisation.
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.GET_CUSTOMER, {"customer_id": customer_id}))

    def update(
        self,
        customer_id: str,
        *,
        first_name: str | Unset | None = UNSET,
        last_name: str | Unset | None = UNSET,
        email_address: str | Unset | None = UNSET,
        date_of_birth: str | date | Unset | None = UNSET,
        address: AddressInput | Members | Unset | None = UNSET,
    ) -> Customer:
        """Change a customer: what is not given stays as it is, what is None is cleared.

        Args:
            customer_id: Whom.
            first_name: First name.
            last_name: Last name.
            email_address: Email address.
            date_of_birth: A date, or YYYY-MM-DD.
            address: The whole address.

        Returns:
            The customer as changed; `tenant_id` and `org_id` may be absent.

        Raises:
            InputError: An argument does not fit.
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
        return self._run(make_call(op.UPDATE_CUSTOMER, {"customer_id": customer_id}, body=body))

    def list(self, *, org_id: str | None = None) -> Listing[Customer]:
        """Return the customers, those of one branch where `org_id` is given.

        Returns:
            The customers; `.raw` is the answer as it came, because the interface does not show its shape.

        Raises:
            ApiError: The service refused or could not be reached.
        """
        return self._run(make_call(op.LIST_CUSTOMERS, query={"org_id": org_id}))


class AsyncCustomers:
    """As `Customers`, awaited."""

    def __init__(self, run: RunAsync) -> None:
        self._run = run

    async def create(
        self,
        *,
        first_name: str | None = None,
        last_name: str | None = None,
        email_address: str | None = None,
        date_of_birth: str | date | None = None,
        address: AddressInput | Members | None = None,
        org_id: str | None = None,
    ) -> Customer:
        """Create a customer; the service does not prevent duplicates."""
        members = given(
            first_name=first_name,
            last_name=last_name,
            email_address=email_address,
            date_of_birth=iso_day(date_of_birth),
            address=address,
            org_id=org_id,
        )
        return await self._run(make_call(op.CREATE_CUSTOMER, body=members))

    async def get(self, customer_id: str) -> Customer:
        """Return a customer."""
        return await self._run(make_call(op.GET_CUSTOMER, {"customer_id": customer_id}))

    async def update(
        self,
        customer_id: str,
        *,
        first_name: str | Unset | None = UNSET,
        last_name: str | Unset | None = UNSET,
        email_address: str | Unset | None = UNSET,
        date_of_birth: str | date | Unset | None = UNSET,
        address: AddressInput | Members | Unset | None = UNSET,
    ) -> Customer:
        """Change a customer: what is not given stays as it is, what is None is cleared."""
        members = {
            "first_name": first_name,
            "last_name": last_name,
            "email_address": email_address,
            "date_of_birth": iso_day(date_of_birth),
            "address": address,
        }
        body = {name: value for name, value in members.items() if value is not UNSET}
        return await self._run(make_call(op.UPDATE_CUSTOMER, {"customer_id": customer_id}, body=body))

    async def list(self, *, org_id: str | None = None) -> Listing[Customer]:
        """Return the customers, those of one branch where `org_id` is given."""
        return await self._run(make_call(op.LIST_CUSTOMERS, query={"org_id": org_id}))
