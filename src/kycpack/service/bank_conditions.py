"""Banks that a tester has set to slow or down: their pages and data are served late, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select

from kycpack.service.problems import RefusedError
from kycpack.service.schema import bank_conditions

State = Literal["up", "slow", "down"]
UP, SLOW, DOWN = "up", "slow", "down"
_RETRY_SECONDS = 30


@dataclass(frozen=True, slots=True)
class BankCondition:
    """The condition of a bank.

    Attributes:
        state: `up`, `slow` or `down`.
        seconds: Delay of its answers, if it is slow.
    """

    state: State = "up"
    seconds: Decimal = Decimal(0)


def set_condition(connection: Connection, bank_id: str, condition: BankCondition) -> None:
    """Set the condition of a bank."""
    connection.execute(delete(bank_conditions).where(bank_conditions.c.bank_id == bank_id))
    if condition.state != UP:
        values = {"bank_id": bank_id, "state": condition.state, "seconds": str(condition.seconds)}
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
        raise RefusedError(
            503,
            "bank_unavailable",
            "The customer's bank cannot be reached at the moment",
            headers={"Retry-After": str(_RETRY_SECONDS)},
        )
    return float(condition.seconds) if condition.state == SLOW else 0.0


def _condition(row: Any) -> BankCondition:
    return BankCondition(row.state, Decimal(row.seconds))
