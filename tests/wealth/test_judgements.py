"""Sufficiency and reconciliation."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pandas as pd
import pytest

from kycpack.errors import InputError
from kycpack.models.wealth import AdditionalSource, PrimarySource, SourceOfWealth, StatementCustomer
from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def pay(count: int = 12, amount: int = 200_050) -> list[tuple[object, ...]]:
    ends = [
        "01-31",
        "02-28",
        "03-31",
        "04-30",
        "05-30",
        "06-30",
        "07-31",
        "08-29",
        "09-30",
        "10-31",
        "11-28",
        "12-31",
    ]
    return [(f"2025-{day}", amount, "ACME LTD SALARY") for day in ends[:count]]


def spend(amount: int, count: int = 12) -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-15", -amount, f"SHOP {month}") for month in range(1, count + 1)]


def answer(wealth: Wealth, amount: str, currency: str = "GBP") -> str:
    return wealth.sufficiency("C1", "P1", amount, currency).answer


def test_a_payment_is_supported_by_what_is_left_of_evidenced_income(ledger: Ledger) -> None:
    wealth = derive(
        ledger(*pay(), *spend(150_000)), as_of=AS_OF
    )  # 24,006 in; of 18,000 out, 16,500 since then
    assert answer(wealth, "6000.00") == "supported"
    partly = wealth.sufficiency("C1", "P1", "9000.00", "GBP")
    assert (partly.answer, partly.supported_minor, partly.shortfall_minor) == (
        "partly supported",
        750_600,
        149_400,
    )
    assert str(partly.from_on) == "2025-01-15"
    assert partly.source_ids == tuple(wealth.streams["stream_id"])
    assert any("not visible" in line for line in partly.assumptions)


def test_round_pay_from_a_firm_on_no_list_supports_nothing(ledger: Ledger) -> None:
    wealth = derive(ledger(*pay(amount=200_000), *spend(150_000)), as_of=AS_OF)
    assert answer(wealth, "6000.00") == "cannot tell"
    named = [(day, amount, "ROLLS-ROYCE PLC SALARY") for day, amount, _ in pay(amount=200_000)]
    assert answer(derive(ledger(*named, *spend(150_000)), as_of=AS_OF), "6000.00") == "supported"


def test_unexplained_money_loans_and_cash_support_nothing(ledger: Ledger) -> None:
    rows = [
        ("2025-05-05", 9_000_000, "SOMEBODY"),
        ("2025-06-05", 9_000_000, "QUICK LENDING LOAN"),
        ("2025-07-05", 9_000_000, "CASH DEPOSIT"),
    ]
    assert answer(derive(ledger(*rows), as_of=AS_OF), "100.00") == "not supported"


def test_without_transactions_in_the_currency_or_with_few_days_nothing_can_be_told(ledger: Ledger) -> None:
    wealth = derive(ledger(*pay()), as_of=AS_OF)
    assert answer(wealth, "1.00", "EUR") == "cannot tell"
    short = derive(ledger(("2025-05-05", 1_000, "A"), ("2025-05-09", -1_000, "B")), as_of=AS_OF)
    assert answer(short, "100.00") == "cannot tell"
    with pytest.raises(InputError):
        wealth.sufficiency("C1", "P1", "1.001", "GBP")


def statement(*sources: AdditionalSource, primary: PrimarySource | None = None) -> SourceOfWealth:
    return SourceOfWealth(
        customer=StatementCustomer(),
        primary_source=primary,
        additional_sources=list(sources),
        generated_at="2025-12-31T00:00:00Z",
    )


def source(
    amount: str, frequency: int, total: str, type_: str = "employment", text: str = "ACME LTD SALARY"
) -> AdditionalSource:
    return AdditionalSource(
        description=text, amount=Decimal(amount), frequency=frequency, total_value=Decimal(total), type=type_
    )


@pytest.mark.parametrize(
    ("theirs", "verdict", "says"),
    [
        (source("2000.00", 6, "12000.00"), "equal", "same amount"),
        (source("2000.00", 12, "24000.00"), "explained", "payments a year"),
        (source("2000.00", 5, "10000.00"), "explained", "1 more payment here"),
        (source("12000.00", 1, "12000.00"), "explained", "a different number of payments"),
        (source("2000.00", 6, "12000.00", "pension"), "unexplained", "type differs"),
        (source("1500.00", 6, "9000.00"), "unexplained", "amounts differ"),
    ],
)
def test_a_difference_is_explained_or_said_not_to_be(
    ledger: Ledger, theirs: AdditionalSource, verdict: str, says: str
) -> None:
    rows = derive(ledger(*pay(6, 200_000)), as_of=AS_OF).reconcile("C1", statement(theirs))
    assert rows["verdict"].tolist() == [verdict]
    assert says in rows["explanation"].iloc[0]


def test_sources_that_only_one_side_has_are_listed(ledger: Ledger) -> None:
    rows = derive(ledger(*pay(6)), as_of=AS_OF).reconcile(
        "C1", statement(source("5.00", 2, "10.00", "gift", "AUNT MAY"))
    )
    assert rows["verdict"].tolist() == ["only_ours", "only_theirs"]


def test_our_own_statement_reconciles_with_itself(ledger: Ledger) -> None:
    wealth = derive(
        ledger(
            *pay(),
            ("2025-05-05", 9_000_000, "ESTATE OF X"),
            *[(d, 5_000, "AUNT") for d in ("2025-02-03", "2025-03-03", "2025-04-03")],
        ),
        as_of=AS_OF,
    )
    rows = wealth.reconcile("C1", wealth.statement("C1"))
    assert set(rows["verdict"]) == {"equal"}
    assert len(rows) == len(wealth.sources("C1"))
