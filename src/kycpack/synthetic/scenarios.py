"""Kinds of customers: wealth, findings and the intended triage level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from kycpack.synthetic.word_lists import read_material


@dataclass(frozen=True, slots=True)
class CustomerScenario:
    """A kind of customer.

    Args:
        name: Name, as in the truth.
        meant_level: The intended triage level.
        why: What should lead to that level.
        incomes: Names of `incomes.INCOMES`.
        events: Names of `events.EVENTS`.
        findings: Names of `findings.FINDINGS`.
        script: Script of the name; None draws one.
        pensioner: Whether the customer is of pension age.
        bank: Whether the customer gives access to bank data.
        ending: How the session ends: complete, pending or expired.
        native_record: Whether the record has the name in its own script.
        monitoring: Whether ongoing monitoring is ordered as well.
        payment_minor: Amount of a payment with AIS requirements; 0 for none.
        scopes: Scopes of the bank access.
        bank_holder: Account holder's name at the bank; the person's own name if empty.
        varied: Whether documents and banks spell the name differently.
        hostile: Whether the name tries to break pages, notebooks, spreadsheets and terminals.
        weight: Relative frequency after the first twelve customers.
    """

    name: str
    meant_level: str
    why: str
    incomes: tuple[str, ...] = ("salary_monthly", "interest")
    events: tuple[str, ...] = ("own_transfers", "refunds")
    findings: tuple[str, ...] = ()
    script: str | None = None
    pensioner: bool = False
    bank: bool = True
    ending: str = "complete"
    native_record: bool = False
    monitoring: bool = False
    payment_minor: int = 0
    scopes: tuple[str, ...] = ("accounts", "balances", "transactions")
    bank_holder: str = ""
    varied: bool = False
    hostile: bool = False
    weight: int = 0


@cache
def demo_scenarios() -> tuple[CustomerScenario, ...]:
    """Return the first twelve customers of every population."""
    return tuple(_scenario(entry) for entry in read_material("scenarios")["demo"])


@cache
def other_scenarios() -> tuple[CustomerScenario, ...]:
    """Return the kinds of customers from the thirteenth on; documents and banks spell their names differently."""
    return tuple(_scenario({"varied": True, **entry}) for entry in read_material("scenarios")["others"])


def _scenario(entry: dict[str, Any]) -> CustomerScenario:
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()
    }
    return CustomerScenario(**given)
