"""Customers.

Source: interface, "Customer" and "Customers".
"""

from __future__ import annotations

from kycpack.models.record import CountryCode, EmailAddress, Id, IsoDate, Record, Request, Text


class Address(Record):
    """A postal address as the service returns it."""

    address_line1: str | None = None
    address_line2: str | None = None
    city: str | None = None
    postal_code: str | None = None
    country: str | None = None


class AddressInput(Request):
    """A postal address as the caller sends it; `country` is ISO 3166-1 alpha-2."""

    address_line1: Text | None = None
    address_line2: Text | None = None
    city: Text | None = None
    postal_code: Text | None = None
    country: CountryCode | None = None


class Customer(Record):
    """A customer record; the answer to an update may lack `tenant_id` and `org_id`."""

    id: Id
    tenant_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    email_address: str | None = None
    date_of_birth: str | None = None
    address: Address | None = None
    org_id: str | None = None
    created: str | None = None
    last_updated: str | None = None


class CustomerUpdate(Request):
    """The changes to a customer: absent members stay as they are, a member set to None is cleared."""

    first_name: Text | None = None
    last_name: Text | None = None
    email_address: EmailAddress | None = None
    date_of_birth: IsoDate | None = None
    address: AddressInput | None = None


class CustomerCreate(CustomerUpdate):
    """The data of a new customer; every member is optional."""

    org_id: Text | None = None
