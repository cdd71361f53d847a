"""A payment that the bank data does not support: from the policy's sum on it is looked at, and never approved unseen."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import CUSTOMER, RECORD, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.check_strip import check_strip
from kycpack.render.review.clear_annex import clear_section
from kycpack.render.review.clear_checks import without_objection
from kycpack.render.review.payments import SMALL, supported_payments, with_unsupported
from kycpack.render.review.short_names import ShortNames
from kycpack.triage import Triage, evaluate
from kycpack.triage.judge.findings import findings_frame
from kycpack.wealth import derive, result
from kycpack.wealth.judge.means import means_of

PAY_1 = "PAY-1"


def customer(
    *payments: dict[str, Any],
    currency: str = "GBP",
    pay: str = "2500.00",
    spent: str = "1500.00",
    bank: bool = True,
) -> Evidence:
    """Eleven months of pay and of a mortgage: 11,000 are left."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    listed = [{"id": "a1", "currency": currency, "accountHolderName": "MS A BYRON", "tokenExpiry": "2026-08-01T00:00:00Z"}]  # fmt: skip
    made.answer("bank_accounts.list", {"items": listed if bank else []})
    items = []
    for month in [
        *(f"2025-{number:02d}" for number in range(6, 13)),
        *(f"2026-{number:02d}" for number in range(1, 5)),
    ]:
        items += [
            {"id": f"i{month}", "bookingDate": f"{month}-27", "amount": pay, "creditDebitIndicator": "Credit", "currency": currency, "description": "TESCO STORES SALARY", "proprietaryBankTransactionCode": "SALA"},
            {"id": f"o{month}", "bookingDate": f"{month}-28", "amount": spent, "creditDebitIndicator": "Debit", "currency": currency, "description": "MORTGAGE"},
        ]  # fmt: skip
    if bank:
        made.answer("bank_accounts.transactions", {"items": items}, account_id="a1")
    for number, body in enumerate(payments):
        made.answer("payments.get", {"id": f"p{number}", **body}, payment_id=f"p{number}")
    made.known()
    return made.make()


def judged(evidence: Evidence, *, analysed: bool = True, **thresholds: Any) -> Triage:
    frames = flatten(evidence)
    wealth = derive(frames.transactions, customers=frames.customers, accounts=frames.accounts, thresholds=thresholds or None, as_of=AS_OF)  # fmt: skip
    return evaluate(frames, POLICY, wealth if analysed else None, as_of=AS_OF)


def told(made: Triage) -> list[tuple[str, str]]:
    found = made.findings[made.findings["rule_id"] == PAY_1]
    return list(zip(found["outcome"], found["sentence"], strict=True))


def level(made: Triage) -> str:
    return str(made.recommendations["level"].iloc[0])


def test_a_payment_that_nothing_supports_is_reviewed_from_the_policys_sum_on() -> None:
    assert level(judged(customer())) == "approve"
    made = judged(customer({"amount": "90000.00", "currency": "GBP"}))
    assert level(made) == "review"
    ((outcome, sentence),) = told(made)
    assert outcome == "HIT"
    assert sentence.startswith("Payment of 90,000.00 GBP: ")
    assert "not supported by what was observed" in sentence
    assert sentence.endswith("(E-06)")


def test_a_payment_of_which_less_than_that_lacks_support_asks_for_no_review() -> None:
    for amount in ("9999.99", "5000.00"):
        made = judged(customer({"amount": amount, "currency": "GBP"}))
        assert level(made) == "approve"
        assert [outcome for outcome, _ in told(made)] == ["CLEAR"]


def test_the_shortfall_decides_and_not_the_payment() -> None:
    frames = flatten(customer({"amount": "12000.00", "currency": "GBP"}))
    found = derive(frames.transactions, as_of=AS_OF).sufficiency(CUSTOMER, "p0", "12000.00", "GBP")
    assert 0 < found.shortfall_minor < 1_000_000
    made = judged(customer({"amount": "12000.00", "currency": "GBP"}))
    assert level(made) == "approve"
    (row,) = made.findings[made.findings["rule_id"] == PAY_1].itertuples()
    assert (row.outcome, row.value) == ("CLEAR", "below_limit")  # a part of it is not supported
    text = str(
        clear_section(without_objection(made.findings, ShortNames(()), made.consistency, {}), Cell(""))
    )
    assert "each payment is supported, or the part that is not is less than 10,000 GBP" in text
    assert "“supported”" not in text
    assert level(judged(customer({"amount": "12000.00", "currency": "GBP"}), payment_shortfall=1)) == "review"


def test_what_cannot_be_told_is_not_known_and_is_reviewed() -> None:
    """Another currency than the bank data's, an amount that cannot be read, bank data that nobody analysed."""
    in_euros = judged(customer({"amount": "50000.00", "currency": "EUR"}))
    unread = judged(customer({"amount": "ten", "currency": "GBP"}))
    unfit = judged(customer({"amount": "20000.005", "currency": "GBP"}))
    alone = judged(customer({"amount": "50000.00", "currency": "GBP"}), analysed=False)
    for made in (in_euros, unread, unfit, alone):
        assert level(made) == "review"
        assert {outcome for outcome, _ in told(made)} == {"UNKNOWN"}
    assert "No booked transactions in EUR were seen" in told(in_euros)[0][1]
    assert "average exchange rate of 2025" in told(in_euros)[0][1]


@pytest.mark.parametrize(("amount", "expected"), [("900000", "approve"), ("9000000", "review")])
def test_the_policys_sum_is_held_against_other_currencies_by_their_rate(amount: str, expected: str) -> None:
    assert (
        level(judged(customer({"amount": amount, "currency": "JPY"}, currency="JPY", pay="2500"))) == expected
    )


def test_a_payment_without_a_currency_is_read_in_the_one_with_most_credits_as_in_the_section_of_payments() -> (
    None
):
    made = judged(customer({"amount": "90000.00"}))
    assert told(made)[0][0] == "HIT"
    assert "90,000.00 GBP" in told(made)[0][1]


def test_where_no_bank_data_is_to_be_expected_the_rule_says_that_it_looked_at_nothing() -> None:
    made = judged(customer({"amount": "90000.00", "currency": "GBP"}, bank=False))
    assert [outcome for outcome, _ in told(made)] == ["NOT_APPLICABLE"]
    needed = {"amount": "90000.00", "currency": "GBP", "aisRequirements": {"transactions": True}}
    assert level(judged(customer(needed, bank=False))) == "review"


def test_of_several_payments_each_that_lacks_support_is_a_finding() -> None:
    made = judged(
        customer(*({"amount": amount, "currency": "GBP"} for amount in ("90000.00", "100.00", "70000.00")))
    )
    assert [outcome for outcome, _ in told(made)] == ["HIT", "HIT"]


def test_page_one_does_not_alarm_about_a_small_payment_and_says_from_which_sum_the_policy_asks() -> None:
    evidence = customer({"amount": "2000.00", "currency": "EUR"}, {"amount": "80.00", "currency": "GBP"})
    frames = flatten(evidence)
    wealth = derive(frames.transactions, as_of=AS_OF)
    euros, pounds = supported_payments(frames, wealth, CUSTOMER)
    assert (euros.below, pounds.below) == ("11,668.61 EUR", "")
    assert (euros.answer, pounds.answer) == ("cannot tell", "supported")
    rows = with_unsupported(
        frames.gaps.head(0)[["customer_id", "subject", "area", "code", "message", "evidence_id"]], (euros,)
    )
    assert rows["message"].iloc[0].endswith("The policy asks to review shortfalls from 11,668.61 EUR.")


def test_payments_are_looked_at_only_where_the_sum_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a payment is supported takes as long as many other rules together."""
    frames = flatten(customer({"amount": "100.00", "currency": "GBP"}))
    wealth = derive(frames.transactions, as_of=AS_OF)
    monkeypatch.setattr(type(wealth), "sufficiency", lambda *_: pytest.fail("was asked"))
    assert level(evaluate(frames, POLICY, wealth, as_of=AS_OF)) == "approve"


@pytest.mark.parametrize(("spent", "expected"), [("2500.00", SMALL), ("0.01", "supported")])
def test_a_small_payment_that_nothing_supports_is_no_alarm_on_page_one(spent: str, expected: str) -> None:
    frames = flatten(customer({"amount": "2000.00", "currency": "GBP"}, spent=spent))
    wealth = derive(frames.transactions, as_of=AS_OF)
    (payment,) = supported_payments(frames, wealth, CUSTOMER)
    assert payment.answer == expected
    strip = dict(check_strip(frames, pd.DataFrame(), [payment.answer], findings_frame([]), {}))
    said = "Not supported" if expected == SMALL else "Supported, payee not known"
    assert strip["Payment"] == Cell(said, Tone.WATCH)


def test_the_means_of_a_customer_are_worked_out_once_for_the_findings_and_the_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames = flatten(
        customer({"amount": "50000.00", "currency": "GBP"}, {"amount": "60000.00", "currency": "GBP"})
    )
    wealth = derive(frames.transactions, customers=frames.customers, accounts=frames.accounts, as_of=AS_OF)
    asked: list[str] = []

    def counted(*given: Any) -> Any:
        asked.append(given[-1])
        return means_of(*given)

    monkeypatch.setattr(result, "means_of", counted)
    fired = evaluate(frames, POLICY, wealth, as_of=AS_OF).recommendations["fired"].iloc[0]
    assert PAY_1 in fired
    assert [one.answer for one in supported_payments(frames, wealth, CUSTOMER)] == ["partly supported"] * 2
    assert asked == ["GBP"]
    assert wealth.sufficiency(CUSTOMER, None, "1.00", "EUR").answer == "cannot tell"
    assert asked == ["GBP", "EUR"]
