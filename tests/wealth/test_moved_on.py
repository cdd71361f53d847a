"""Money that a red flag says was moved on supports no payment, and is not deducted a second time from other income."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.sufficiency import ANSWERS

Ledger = Callable[..., pd.DataFrame]
SALARY = [
    (f"2025-{month:02d}-28", 200_000, "ACME LTD SALARY", {"bank_code": "PMNT-RCDT-SALA"})
    for month in range(1, 11)
]
DIVIDEND = ("2025-10-12", 2_000_000, "RIVERTON PLC DIVIDEND", {"bank_code": "SECU-CORP-DVCA"})


def asked(wealth: Wealth, txn_ids: list[str], amount: str = "15000.00") -> Any:
    flag = {"customer_id": "C1", "code": "pass_through", "currency": "GBP"}
    flag |= {"account_ids": ["a"] * len(txn_ids), "txn_ids": txn_ids}
    flags = pd.DataFrame([flag]).iloc[: len(txn_ids)]
    return replace(wealth, flags=flags).sufficiency("C1", "P1", amount, "GBP")


def derived(ledger: Ledger, *rows: Any) -> Wealth:
    frame = ledger(*rows)
    ids = [f"t{place}" for place in range(len(frame))]
    return derive(frame.assign(account_id="a", txn_id=ids), as_of="2025-11-01")


@pytest.mark.parametrize(
    ("out", "later", "left"),
    [
        (2_000_000, 0, 2_000_000),  # the pay was not spent
        (1_500_000, 0, 2_000_000),  # the rest of what is flagged supports nothing
        (2_700_000, 0, 1_300_000),  # what left beyond the flagged credit was pay
        (2_000_000, 600_000, 1_400_000),  # other spending is deducted as before
    ],
)
def test_pay_is_still_there_after_other_money_was_moved_on(
    ledger: Ledger, out: int, later: int, left: int
) -> None:
    spent = [("2025-10-29", -later, "SOMEBODY ELSE")] if later else []
    wealth = derived(ledger, *SALARY, DIVIDEND, ("2025-10-13", -out, "AURELIA HOLDINGS SA"), *spent)
    assert asked(wealth, ["t10", "t11"], "90000.00").supported_minor == left
    assert asked(wealth, ["t10"], "90000.00").supported_minor <= left


def test_what_was_spent_before_the_flagged_money_left_is_not_given_back(ledger: Ledger) -> None:
    """Without the flag the pay is what went first; with it no more may be left."""
    rows = [
        *SALARY[:8],
        ("2025-09-01", 2_000_000, "RIVERTON PLC DIVIDEND", {"bank_code": "SECU-CORP-DVCA"}),
        ("2025-09-02", -3_600_000, "SOMEBODY ELSE"),
        *SALARY[8:],
        ("2025-10-29", -2_000_000, "AURELIA HOLDINGS SA"),
    ]
    wealth = derived(ledger, *rows)
    assert asked(wealth, [], "90000.00").supported_minor == 0
    assert asked(wealth, ["t8", "t12"], "90000.00").supported_minor == 0


@settings(max_examples=25, deadline=None)
@given(
    debits=st.lists(st.tuples(st.integers(1, 300), st.integers(1, 30_000)), min_size=1, max_size=5),
    flagged=st.sets(st.integers(0, 15)),
    claimed=st.booleans(),
)
def test_a_flag_never_raises_what_is_supported(
    debits: list[tuple[int, int]], flagged: set[int], *, claimed: bool
) -> None:
    lump = (*DIVIDEND[:2], "ESTATE OF X", {}) if claimed else DIVIDEND
    first = pd.Timestamp("2025-01-01")
    out = [
        (str((first + pd.Timedelta(days=day)).date()), -100 * minor, f"SHOP {place}", {})
        for place, (day, minor) in enumerate(debits)
    ]
    rows = [*SALARY, lump, *out]
    frame = pd.DataFrame([
        {"customer_id": "C1", "account_id": "a", "txn_id": f"t{place}", "booked_on": day, "amount_minor": minor,
         "currency": "GBP", "description_raw": words} | {"bank_code": None} | more
        for place, (day, minor, words, more) in enumerate(rows)
    ])  # fmt: skip
    wealth = derive(frame, as_of="2025-11-01")
    ids = [f"t{place}" for place in sorted(flagged) if place < len(rows)]
    for amount in ("5000.00", "15000.00", "90000.00"):
        bare, found = asked(wealth, [], amount), asked(wealth, ids, amount)
        assert found.supported_minor <= bare.supported_minor
        if bare.answer != "cannot tell":
            assert ANSWERS.index(found.answer) >= ANSWERS.index(bare.answer)
