"""The parts of a population: customers, their plans, their bank histories, and the truth about both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from kycpack.models.money import from_minor


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth about a movement.

    Args:
        disposition: stream, own_transfer, refund, one_off, small_other or unexplained.
        stream: Label of its stream, unique within the customer.
        rule: The payer's cadence, one of the nine classes.
        type: Type of income in the statement's vocabulary.
        pair: Label shared by both legs of a transfer, or by a refund and its debit.
    """

    disposition: str
    stream: str | None = None
    rule: str | None = None
    type: str | None = None
    pair: str | None = None


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One line of a bank statement before it is put in the bank's style; amounts in minor units, plus is into the account."""

    booked_on: date
    amount_minor: int
    text: str
    counterparty_name: str | None = None
    counterparty_account: str | None = None
    merchant_name: str | None = None
    purpose: str | None = None
    bank_code: str | None = None
    mcc: str | None = None
    status: str = "booked"
    value_on: date | None = None
    truth: Truth | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """A movement in an account; `txn_id` is unique within the account only."""

    txn_id: str
    movement: StatementLine
    balance_after_minor: int | None


@dataclass(frozen=True)
class Account:
    """A bank account with its history.

    Args:
        key: Key, unique within the customer.
        duplicate_of: Key of the account that this one duplicates, if it was linked twice.
    """

    key: str
    bank: str
    holder: str
    number: str
    sort_code: str
    currency: str
    kind: str
    postings: tuple[Posting, ...]
    closing_minor: int
    duplicate_of: str | None = None

    def to_body(self) -> dict[str, Any]:
        """Return the account as a body for the control API's bank access."""
        return {
            "bankName": self.bank,
            "accountHolderName": self.holder,
            "accountNumber": self.number,
            "sortCode": self.sort_code,
            "currency": self.currency,
            "type": self.kind,
            "balance": {"current": self._money(self.closing_minor), "currency": self.currency},
            "transactions": [self._transaction(posting) for posting in self.postings],
        }

    def _transaction(self, posting: Posting) -> dict[str, Any]:
        movement = posting.movement
        after = posting.balance_after_minor
        record = {
            "id": posting.txn_id,
            "bookingDate": movement.booked_on.isoformat(),
            "valueDate": (movement.value_on or movement.booked_on).isoformat(),
            "status": movement.status,
            "amount": self._money(abs(movement.amount_minor)),
            "creditDebitIndicator": "Credit" if movement.amount_minor > 0 else "Debit",
            "currency": self.currency,
            "description": movement.text,
            "counterpartyName": movement.counterparty_name,
            "counterpartyAccount": movement.counterparty_account,
            "merchantName": movement.merchant_name,
            "purposeCode": movement.purpose,
            "bankTransactionCode": movement.bank_code,
            "merchantCategoryCode": movement.mcc,
            "balanceAfter": None if after is None else self._money(after),
        }
        return {name: value for name, value in record.items() if value is not None}

    def _money(self, minor: int) -> str:
        return str(from_minor(minor, self.currency))


@dataclass(frozen=True)
class SessionPlan:
    """A session to order, and how it should end.

    Args:
        options: `options` of the create request; None for the defaults.
        results: Partial results for the control API; only for `complete`.
        ending: complete, pending or expired.
    """

    options: Mapping[str, Any] | None
    results: Mapping[str, Any]
    ending: str = "complete"


@dataclass(frozen=True)
class CustomerPlan:
    """A customer to create: the bodies of the requests, and the intended result.

    Args:
        key: Key, unique within the population and independent of its size.
        scenario: Name of the customer's scenario.
        customer_body: Body of POST /v1/customers.
        sessions: Sessions in the order of creation.
        payment_bodies: Bodies of POST /v1/payments, without `customerId`.
        accounts: Bank accounts with their history; empty if the customer never gave access.
        scopes: The scopes of the access.
        meant_level: The intended triage level.
        why: What should lead to that level.
    """

    key: str
    scenario: str
    customer_body: Mapping[str, Any]
    sessions: tuple[SessionPlan, ...]
    payment_bodies: tuple[Mapping[str, Any], ...]
    accounts: tuple[Account, ...]
    scopes: tuple[str, ...]
    meant_level: str
    why: str

    @property
    def bank_access_body(self) -> dict[str, Any] | None:
        """Body for the control API's bank access; None if the customer never gave any."""
        if not self.accounts:
            return None
        return {
            "scopes": list(self.scopes),
            "accounts": [account.to_body() for account in self.accounts],
        }

    def __repr__(self) -> str:
        return f"CustomerPlan({self.key}, {self.scenario})"


@dataclass(frozen=True)
class Population:
    """Customers generated from a seed; the same arguments give the same population."""

    seed: int
    as_of: date
    profile: str
    customers: tuple[CustomerPlan, ...]
