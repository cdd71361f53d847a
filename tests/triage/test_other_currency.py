"""Money in another currency than its account's is in the statement, and never approved unseen."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import CUSTOMER, RECORD, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY

from kycpack.frames import flatten
from kycpack.triage import evaluate
from kycpack.wealth import derive

MONTHS = (
    *(f"2025-{number:02d}" for number in range(6, 13)),
    *(f"2026-{number:02d}" for number in range(1, 6)),
)


def paid(number: int, amount: str, currency: str) -> dict[str, str]:
    return {
        "id": f"t{number}",
        "bookingDate": f"{MONTHS[number]}-27",
        "amount": amount,
        "creditDebitIndicator": "Credit",
        "currency": currency,
        "description": "TESCO STORES SALARY",
        "proprietaryBankTransactionCode": "SALA",
    }


@pytest.mark.parametrize(
    ("euros", "total"),
    [(12, {"EUR": 3_000_000}), (1, {"GBP": 2_750_000, "EUR": 250_000}), (0, {"GBP": 3_000_000})],
)
def test_no_money_is_lost_and_the_conflict_is_held_for_review(euros: int, total: dict[str, int]) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    listed = {
        "id": "a1",
        "currency": "GBP",
        "accountHolderName": "MS A BYRON",
        "tokenExpiry": "2026-08-01T00:00:00Z",
    }
    made.answer("bank_accounts.list", {"items": [listed]})
    items = [paid(number, "2500.00", "EUR" if number >= 12 - euros else "GBP") for number in range(12)]
    made.answer("bank_accounts.transactions", {"items": items}, account_id="a1")
    made.known()
    frames = flatten(made.make())
    wealth = derive(frames.transactions, customers=frames.customers, accounts=frames.accounts, as_of=AS_OF)
    assert wealth.credits.groupby("currency", observed=True)["amount_minor"].sum().to_dict() == total
    statement = wealth.statement(CUSTOMER)
    assert statement.primary_source is not None
    main = max(total, key=total.__getitem__)
    assert statement.primary_source.total_value * 100 == total[main]
    assert ("EUR" in statement.model_dump_json()) == (euros > 0)
    found = evaluate(frames, POLICY, wealth, as_of=AS_OF)
    row = found.recommendations.iloc[0]
    assert ("OTH-6" in row["fired"]) == (euros > 0)
    if euros:
        assert row["level"] != "approve"
        assert "hold" in row["actions"]


@pytest.mark.parametrize(
    ("listed", "paid_in", "outcome"),
    [
        (None, None, "NOT_APPLICABLE"),
        ("GBP", None, "NOT_APPLICABLE"),
        (None, "GBP", "NOT_APPLICABLE"),
        ("GBP", "GBP", "CLEAR"),
        ("gbp", "GBP", "CLEAR"),
        ("GBP", "EUR", "HIT"),
    ],
)
def test_currencies_are_clear_only_where_there_were_two_to_compare(
    listed: str | None, paid_in: str | None, outcome: str
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    account = {"id": "a1", "accountHolderName": "MS A BYRON", "tokenExpiry": "2026-08-01T00:00:00Z"}
    if listed is not None or paid_in is not None:
        made.answer("bank_accounts.list", {"items": [account | ({"currency": listed} if listed else {})]})
    if paid_in is not None:
        made.answer("bank_accounts.transactions", {"items": [paid(3, "10.00", paid_in)]}, account_id="a1")
    made.known()
    found = evaluate(flatten(made.make()), POLICY, as_of=AS_OF).findings
    assert set(found.loc[found["rule_id"] == "OTH-6", "outcome"]) == {outcome}
