"""The consent that a bank's page asks for, banks to choose from, and the accounts that a person shares.

A consent is not stored until it is given: it is encoded in the token of the page's link.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, select

from kycpack.service.auth import Tenant
from kycpack.service.bank_access import grant_access, renew_access, small_history
from kycpack.service.bank_reading import account_rows, mask_number, mask_sort_code
from kycpack.service.banks import all_banks
from kycpack.service.links import AUTHORISE, Links
from kycpack.service.postings import AccountInput, BankAccessInput
from kycpack.service.schema import attempts, payments, sessions

_BETWEEN = "~"


@dataclass(frozen=True, slots=True)
class Consent:
    """The consent that a bank's page asks for.

    Attributes:
        purpose: `session` or `payment`.
        record_id: Id of the session or payment.
        bank: Reference of the bank.
    """

    purpose: str
    record_id: str
    bank: str


def consent_token(links: Links, consent: Consent) -> str:
    """Return the token of a consent for the bank's page."""
    return links.token(AUTHORISE, _BETWEEN.join([consent.purpose, consent.record_id, consent.bank]))


def read_consent(record_id: str) -> Consent | None:
    """Return the consent of an opened token, None if the token is for an attempt."""
    parts = record_id.split(_BETWEEN)
    return Consent(*parts) if len(parts) == 3 else None


def tenant_of_link(connection: Connection, record_id: str) -> str | None:
    """Return the id of the organisation of a link's record, None if there is no such record."""
    consent = read_consent(record_id)
    named = consent.record_id if consent is not None else record_id
    for table in (sessions, payments, attempts):
        tenant_id = connection.scalar(select(table.c.tenant_id).where(table.c.id == named))
        if tenant_id is not None:
            return str(tenant_id)
    return None


@dataclass(frozen=True, slots=True)
class ListedBank:
    """A bank to choose from.

    Attributes:
        id: Bank id, as in `bank.bankId`.
        name: Its name.
        linked: Whether the customer has linked an account there before, even if the access has ended.
    """

    id: str
    name: str
    linked: bool

    @property
    def reference(self) -> str:
        """A short text for the bank in an address, whatever characters its id has."""
        return sha256(self.id.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Offer:
    """An account that can be shared, as listed on the bank's page; the numbers are masked."""

    key: str
    label: str
    numbers: str
    currency: str


def offered_banks(connection: Connection, tenant: Tenant, customer_id: str) -> list[ListedBank]:
    """Return the banks whose accounts a customer can link: first those linked before, then those of the currency."""
    linked = {row.bank_id: row.bank_name for row in account_rows(connection, tenant, customer_id)}
    of_currency = [bank for bank in all_banks() if tenant.currency in bank.currencies] or list(all_banks())
    return [
        *(ListedBank(bank_id, name, linked=True) for bank_id, name in linked.items()),
        *(ListedBank(bank.id, bank.name, linked=False) for bank in of_currency if bank.id not in linked),
    ]


def offered_accounts(
    connection: Connection, tenant: Tenant, customer_id: str, bank: ListedBank, holder: str, now: datetime
) -> list[Offer]:
    """Return the accounts that a customer can share at a bank: the linked ones, or two invented ones if there are none."""
    held = [row for row in account_rows(connection, tenant, customer_id) if row.bank_id == bank.id]
    listed: dict[str, Row[Any] | AccountInput] = {row.id: row for row in held}
    if not listed:
        invented = _invented(bank, holder, tenant, customer_id, ("accounts",), now)
        listed = {str(index): account for index, account in enumerate(invented)}
    return [
        Offer(
            key,
            f"{account.type.capitalize()} account" if account.type else "Account",
            " ".join(
                part
                for part in (mask_sort_code(account.sort_code), mask_number(account.account_number))
                if part
            ),
            account.currency,
        )
        for key, account in listed.items()
    ]


def share_accounts(
    connection: Connection,
    tenant: Tenant,
    customer_id: str,
    bank: ListedBank,
    holder: str,
    keys: Collection[str],
    scopes: Sequence[str],
    now: datetime,
) -> list[str]:
    """Grant access to the chosen accounts of a bank for 90 days from now; return their ids."""
    held = {row.id for row in account_rows(connection, tenant, customer_id) if row.bank_id == bank.id}
    if held:
        chosen = held & set(keys)
        renew_access(connection, tenant, customer_id, scopes, now, only=chosen)
        return sorted(chosen)
    invented = _invented(bank, holder, tenant, customer_id, scopes, now)
    wanted = [account for index, account in enumerate(invented) if str(index) in keys]
    access = BankAccessInput(scopes=list(scopes), accounts=wanted)  # type: ignore[arg-type]
    items = grant_access(connection, tenant, customer_id, access, now)
    return [str(item["id"]) for item in items if item["bankId"] == bank.id]


def _invented(
    bank: ListedBank, holder: str, tenant: Tenant, customer_id: str, scopes: Sequence[str], now: datetime
) -> list[AccountInput]:
    access = small_history(
        holder, tenant.currency, scopes, now.date(), None, person=customer_id, bank_name=bank.name
    )
    return [account.model_copy(update={"bank_id": bank.id}) for account in access.accounts]
