"""The banks for payments and linking: a few invented ones for each country, and those that a tester has set to slow or down.

The interface documents neither a bank's fields nor the list of banks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select

from kycpack.assets import asset_yaml
from kycpack.service.problems import refusal
from kycpack.service.schema import bank_conditions


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank of the list."""

    id: str
    name: str
    country_code: str
    currencies: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the bank as an item of the list."""
        return {
            "id": self.id,
            "name": self.name,
            "countryCode": self.country_code,
            "currencies": list(self.currencies),
        }


@cache
def all_banks() -> tuple[Bank, ...]:
    """Return all banks, including those of the invented customers."""
    held = asset_yaml("service/banks.yaml")
    return tuple(Bank(bank["id"], bank["name"], bank["country"], tuple(bank["currencies"])) for bank in held)


def list_banks(country_code: str | None) -> list[Bank]:
    """Return the banks of a country; None for all."""
    return [bank for bank in all_banks() if country_code is None or bank.country_code == country_code]


def find_bank(bank_id: str) -> Bank | None:
    """Return the bank with an id, None if there is none."""
    return next((bank for bank in all_banks() if bank.id == bank_id), None)


def bank_id_of(name: str) -> str:
    """Return the id of a bank by its name; for a bank that is not in the list, an id made from the name."""
    listed = next((bank.id for bank in all_banks() if bank.name == name), None)
    return listed or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "bank"


State = Literal["up", "slow", "down"]
UP, SLOW, DOWN = "up", "slow", "down"


@dataclass(frozen=True, slots=True)
class BankCondition:
    """The condition of a bank.

    Attributes:
        state: `up`, `slow` or `down`.
        seconds: Delay of its answers, if it is slow.
    """

    state: State = "up"
    seconds: Decimal = Decimal(0)


def set_condition(connection: Connection, bank_id: str, state: State, seconds: Decimal) -> None:
    """Set the condition of a bank."""
    connection.execute(delete(bank_conditions).where(bank_conditions.c.bank_id == bank_id))
    if state != UP:
        values = {"bank_id": bank_id, "state": state, "seconds": str(seconds)}
        connection.execute(insert(bank_conditions).values(values))


def list_conditions(connection: Connection) -> dict[str, BankCondition]:
    """Return the banks that are slow or down, by id."""
    rows = connection.execute(select(bank_conditions).order_by(bank_conditions.c.bank_id))
    return {row.bank_id: _condition(row) for row in rows}


def condition_of(connection: Connection, bank_id: str) -> BankCondition:
    """Return the condition of a bank."""
    one = select(bank_conditions).where(bank_conditions.c.bank_id == bank_id)
    row = connection.execute(one).one_or_none()
    return BankCondition() if row is None else _condition(row)


def require_reachable(connection: Connection, bank_id: str) -> float:
    """Return the delay of a bank's answers in seconds.

    Raises:
        RefusedError: 503, the bank is down.
    """
    condition = condition_of(connection, bank_id)
    if condition.state == DOWN:
        raise refusal("bank_unavailable")
    return float(condition.seconds) if condition.state == SLOW else 0.0


def _condition(row: Any) -> BankCondition:
    return BankCondition(row.state, Decimal(row.seconds))
