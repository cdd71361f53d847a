"""Everyday payments that are not what one of their words suggests: cash from a machine, a card bill, a savings club, a collection."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.wealth import derive


@pytest.mark.parametrize("machine", ["HIGH ST", "MARKET SQ", "STALL STREET"])
def test_the_place_of_a_cash_machine_makes_nobody_a_trader(ledger: Ledger, machine: str) -> None:
    """What firms pay alongside a salary is a red flag if the customer has no costs; cash withdrawn is not a cost."""
    drawn = [(f"2025-{month:02d}-20", -12_000, f"CASH WITHDRAWAL ATM {machine}") for month in range(1, 13)]
    firms = [
        (f"2025-{month:02d}-{3 + month:02d}", 173_000 + 7_000 * month, f"{name} LTD", {"counterparty_name": f"{name} Ltd"})
        for month, name in zip((1, 2, 5, 6, 8, 9, 11), 4 * ("Cray Forge", "Dale Optics"), strict=False)
    ]  # fmt: skip
    found = codes(derive(ledger(*pay(), *drawn, *firms), as_of=AS_OF))
    assert found.get("firms_beside_salary") == "edd"
