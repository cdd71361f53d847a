"""What a population consists of: customers, their plans, their bank history, and the truth about both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Truth:
    """What a movement really is.

    Args:
        disposition: stream, own_transfer, refund, one_off, small_other or unexplained.
        stream: Label of its stream, unique within the customer.
        rule: Cadence that its payer keeps to, one of the nine classes.
        type: Type of income in the statement's vocabulary.
        pair: Label that both legs of a transfer, or a refund and its debit, share.
    """

    disposition: str
    stream: str | None = None
    rule: str | None = None
    type: str | None = None
    pair: str | None = None


@dataclass(frozen=True, slots=True)
class Movement:
    """One line of a bank statement before the bank has dressed it; plus is into the account, in minor units."""

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
    """A movement as it stands in an account; `txn_id` is unique within the account only."""

    txn_id: str
    movement: Movement
    balance_after_minor: int | None


@dataclass(frozen=True)
class Account:
    """A bank account with its history.

    Args:
        key: Unique within the customer.
        duplicate_of: Key of the account that this one repeats, where it was linked twice.
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


@dataclass(frozen=True)
class SessionPlan:
    """A session to order, and how it is to end.

    Args:
        options: `options` of the create request; None orders the defaults.
        results: Partial results, as the control API takes them; only for `complete`.
        ending: complete, pending or expired.
    """

    options: Mapping[str, Any] | None
    results: Mapping[str, Any]
    ending: str = "complete"


@dataclass(frozen=True)
class CustomerPlan:
    """One customer to be: the bodies of the requests that make them, and what is meant by them.

    Args:
        key: Unique within the population, the same for any size of it.
        scenario: Name of the scenario they were made from.
        customer_body: Body of POST /v1/customers.
        sessions: Sessions in the order in which they are created.
        bank_access_body: Body of the control API's bank access; None where the customer never gave any.
        payment_bodies: Bodies of POST /v1/payments; `customerId` is left to be filled in.
        accounts: The history behind the bank access.
        meant_level: Triage level that was meant.
        why: What was built in that should lead there.
    """

    key: str
    scenario: str
    customer_body: Mapping[str, Any]
    sessions: tuple[SessionPlan, ...]
    bank_access_body: Mapping[str, Any] | None
    payment_bodies: tuple[Mapping[str, Any], ...]
    accounts: tuple[Account, ...]
    meant_level: str
    why: str

    def __repr__(self) -> str:
        return f"CustomerPlan({self.key}, {self.scenario})"


@dataclass(frozen=True)
class Population:
    """Customers made from a seed; the same arguments give the same population."""

    seed: int
    as_of: date
    profile: str
    customers: tuple[CustomerPlan, ...]
