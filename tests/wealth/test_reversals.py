"""Money that was taken back is no income, and a refund is one only where something was bought."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
PAY = tuple((f"2025-{month:02d}-28", 250_000, "ACME LTD SALARY") for month in range(1, 8))
RENT = tuple((f"2025-{month:02d}-01", 80_000, "MR J SMITH RENT") for month in range(1, 8))


def refunds(wealth: Wealth) -> list[tuple[str, int, str | None]]:
    mine = wealth.credits[wealth.credits["disposition"] == "refund"]
    pairs = mine["pair_txn_id"].astype(object).where(mine["pair_txn_id"].notna(), None)
    return [
        (str(day.date()), int(amount), pair)
        for day, amount, pair in zip(mine["booked_on"], mine["amount_minor"], pairs, strict=True)
    ]


@pytest.mark.parametrize(
    ("again", "taken"),
    [
        ("2025-05-28", ("2025-05-29", "RECALL ACME LTD SALARY")),
        ("2025-05-28", ("2025-05-29", "BACS RECALL")),
        ("2025-05-30", ("2025-06-04", "ACME LTD")),
        ("2025-05-29", ("2025-06-02", "ACME LTD OVERPAID SALARY")),
    ],
)
def test_pay_that_came_twice_and_was_taken_back_counts_once(
    ledger: Ledger, again: str, taken: tuple[str, str]
) -> None:
    frame = ledger(*PAY, (again, 250_000, "ACME LTD SALARY"), (taken[0], -250_000, taken[1]))
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [7 * 250_000]
    assert refunds(wealth) == [(again, 250_000, "T0008")]
    assert wealth.coverage["total_minor"].sum() == 8 * 250_000
    reason = wealth.credits.loc[wealth.credits["disposition"] == "refund", "reason"].iloc[0]
    assert reason.startswith("taken back")


@pytest.mark.parametrize("back", ["2025-03-10", "2025-05-20", "2025-08-01"])
def test_a_benefit_that_an_office_reclaims_months_later_was_no_income(ledger: Ledger, back: str) -> None:
    office = {"counterparty_name": "DC DEPT EMPLOYMENT SVCS"}
    frame = ledger(
        ("2025-02-03", 31_000, "DC DOES UI BENEFIT", office),
        (back, -31_000, "DC DOES OVERPAYMENT RECOVERY", office),
    )
    assert refunds(derive(frame, country="US", as_of=AS_OF)) == [("2025-02-03", 31_000, "T0001")]


@pytest.mark.parametrize(("kind", "back"), [("DEPOSIT", "DEPOSIT RETURN"), ("RENT JAN", "REFUND RENT JAN")])
def test_of_equal_payments_the_one_that_is_named_is_taken_back(ledger: Ledger, kind: str, back: str) -> None:
    frame = ledger(
        ("2025-01-20", 80_000, f"MR J SMITH {kind}"),
        *RENT[1:6],
        ("2025-06-20", -80_000, f"MR J SMITH {back}"),
    )
    assert refunds(derive(frame, as_of=AS_OF)) == [("2025-01-20", 80_000, "T0006")]


@pytest.mark.parametrize("kind", ["DEPOSIT", "TENANCY DEPOSIT"])
@pytest.mark.parametrize("back", ["2025-06-20", "2026-03-20"])
def test_a_deposit_is_given_back_however_long_it_was_held(ledger: Ledger, kind: str, back: str) -> None:
    days = pd.date_range("2025-02-01", back, freq="MS")
    frame = ledger(
        ("2025-01-20", 80_000, f"MR J SMITH {kind}"),
        *((str(day.date()), 80_000, "MR J SMITH RENT") for day in days),
        (back, -80_000, f"MR J SMITH {kind} RETURN"),
    )
    wealth = derive(frame, as_of="2026-06-30")
    assert refunds(wealth) == [("2025-01-20", 80_000, f"T{len(days) + 1:04d}")]


def test_a_deposit_paid_before_the_data_takes_back_no_rent(ledger: Ledger) -> None:
    deposit = derive(ledger(*RENT, ("2025-07-20", -80_000, "MR J SMITH DEPOSIT RETURN")), as_of=AS_OF)
    assert refunds(deposit) == []
    rent = derive(ledger(*RENT, ("2025-07-20", -80_000, "MR J SMITH REFUND RENT JUL")), as_of=AS_OF)
    assert refunds(rent) == [("2025-07-01", 80_000, "T0007")]


def test_a_tenant_gets_back_the_deposit_and_no_rent(ledger: Ledger) -> None:
    rent = ((day, -minor, "ELM LETTINGS LTD RENT") for day, minor, _ in RENT[1:])
    left = ("2025-01-20", -80_000, "ELM LETTINGS LTD DEPOSIT")
    back = ("2025-12-20", 80_000, "ELM LETTINGS LTD DEPOSIT RETURN")
    assert refunds(derive(ledger(left, *rent, back), as_of=AS_OF)) == [("2025-12-20", 80_000, "T0000")]


def test_pay_by_direct_deposit_that_is_reversed_was_no_income(ledger: Ledger) -> None:
    frame = ledger(*PAY, ("2025-07-29", -250_000, "ACME LTD DIRECT DEPOSIT REVERSAL"))
    assert refunds(derive(frame, as_of=AS_OF)) == [("2025-07-28", 250_000, "T0007")]


def test_two_weeks_of_one_benefit_that_were_too_much_are_not_taken_from_another(ledger: Ledger) -> None:
    office = {"counterparty_name": "DWP"}
    weeks = pd.date_range("2025-03-03", periods=16, freq="7D")
    carers = [(day, 8_330, "DWP CARERS ALLCE P ACKERLEY", office) for day in weeks]
    pension = [(day, 23_030, "DWP RP D ACKERLEY", office) for day in weeks[::4]]
    back = ("2025-06-17", -16_660, "DWP CA OVERPAID", office)
    wealth = derive(ledger(*carers, *pension, back), as_of="2025-06-30")
    assert [(amount, pair) for _, amount, pair in refunds(wealth)] == [(8_330, "T0020"), (8_330, "T0020")]
    assert sorted(wealth.streams["least_total_minor"].tolist()) == [4 * 23_030, 14 * 8_330]


def test_a_deposit_that_is_given_back_bears_no_later_refund_out(ledger: Ledger) -> None:
    firm = {"counterparty_name": "MOORE TETLEY LLP"}
    frame = ledger(
        ("2025-03-16", 2_750_000, "MOORE TETLEY CLIENT DEPOSIT 8 ELM GROVE RELEASED", firm),
        ("2025-04-13", -2_750_000, "RETURN DEPOSIT 8 ELM GROVE ABORTED", firm),
        ("2025-04-28", 185_000, "MOORE TETLEY ABORTIVE COSTS CONTRIB", firm),
    )
    wealth = derive(frame, as_of="2025-06-30")
    assert refunds(wealth) == [("2025-03-16", 2_750_000, "T0001")]
    assert "large_unexplained" not in set(wealth.flags["code"])


def test_rent_that_bounces_is_not_rent_received(ledger: Ledger) -> None:
    wealth = derive(ledger(*RENT, ("2025-04-03", -80_000, "RETURNED CHEQUE J SMITH")), as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [6 * 80_000]
    assert refunds(wealth) == [("2025-04-01", 80_000, "T0007")]


@pytest.mark.parametrize(
    ("came", "back"),
    [
        ("ACME LTD SALARY PAID IN ERROR", "FP ACME LTD SALARY ERROR RETURNED"),
        ("ACME LTD DUPLICATE PAYMENT", "ACME LTD DUPLICATE REPAID BY MISTAKE CORRECTED"),
        ("CHEQUE PAID IN 204417", "UNPAID CHEQUE 204417 REFER TO DRAWER"),
    ],
)
def test_why_money_came_back_names_nobody(ledger: Ledger, came: str, back: str) -> None:
    frame = ledger(*PAY, ("2025-05-08", 91_700, came), ("2025-05-14", -91_700, back))
    wealth = derive(frame, as_of=AS_OF)
    assert refunds(wealth) == [("2025-05-08", 91_700, "T0008")]
    assert wealth.streams["total_minor"].tolist() == [7 * 250_000]


def test_small_refunds_that_come_again_and_again_are_not_taken_for_refunds_by_the_word(
    ledger: Ledger,
) -> None:
    weekly = [
        (str(day.date()), 8_620, "REFUND RIGHTS WAGES")
        for day in pd.date_range("2025-01-03", periods=30, freq="7D")
    ]
    assert refunds(derive(ledger(*weekly), as_of=AS_OF)) == []
    assert len(refunds(derive(ledger(*weekly[:2]), as_of=AS_OF))) == 2


def test_money_that_goes_back_without_a_word_stays_what_it_is(ledger: Ledger) -> None:
    """One payment, sent back, and nothing paid twice: a loan between friends, or layering, and not for us to net."""
    wealth = derive(ledger(*RENT, ("2025-04-03", -80_000, "J SMITH")), as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [7 * 80_000]


def test_what_is_sent_back_to_somebody_else_takes_no_rent_back(ledger: Ledger) -> None:
    wealth = derive(ledger(*RENT, ("2025-04-03", -80_000, "RETURNED PAYMENT KITCHEN WORLD")), as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [7 * 80_000]


def test_what_is_overpaid_and_returned_in_part_is_named_and_the_total_is_a_range(ledger: Ledger) -> None:
    extra = (
        ("2025-08-28", 350_000, "ACME LTD SALARY"),
        ("2025-09-02", -100_000, "ACME LTD OVERPAYMENT REFUND"),
    )
    wealth = derive(ledger(*PAY, *extra), as_of=AS_OF)
    stream = wealth.streams.iloc[0]
    assert stream["total_minor"] - stream["least_total_minor"] == 100_000
    last = wealth.credits.iloc[-1]
    assert (last["disposition"], last["pair_txn_id"]) == ("stream", "T0008")
    assert "took part of it back" in last["reason"]


BACK = ("2025-06-04", -30_000, "ACME LTD")


@pytest.mark.parametrize(
    ("paid", "back", "net"),
    [
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [BACK], 30_000),
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [("2025-06-04", -30_000, "ACME LTD OVERPAYMENT RETURNED")], 30_000),
        # Another sum, another name, long after, or what is paid there each month.
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [("2025-06-04", -30_001, "ACME LTD")], 0),
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [("2025-06-04", -30_000, "ACORN LTD")], 0),
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [("2025-08-04", -30_000, "ACME LTD")], 0),
        ([("2025-05-28", 280_000, "ACME LTD SALARY")], [BACK, ("2025-07-04", -30_000, "ACME LTD")], 0),
    ],
)  # fmt: skip
def test_what_is_overpaid_and_returned_without_a_word_counts_once(
    ledger: Ledger, paid: list[tuple[str, int, str]], back: list[tuple[str, int, str]], net: int
) -> None:
    usual = [one for one in PAY if one[0][:7] != "2025-05"]
    coded = [(*one, {"bank_code": "PMNT-RCDT-SALA"}) for one in (*usual, *paid)]
    wealth = derive(ledger(*coded, *back), as_of=AS_OF)
    (stream,) = wealth.streams.itertuples()
    assert (stream.total_minor, stream.total_minor - stream.least_total_minor) == (1_780_000, net)
    is_said = "RETURNED" in back[0][2]
    context = wealth.statement("C1").primary_source.context
    assert ("17,500.00 GBP net: 300.00 GBP was taken back." in context) == (net > 0 and is_said)
    perhaps = "At least 17,500.00 GBP: 300.00 GBP may have been taken back." in context
    assert perhaps == (net > 0 and not is_said)
    assert (
        "exceeds the usual amount may have been taken back: one debit" in " ".join(wealth.credits["reason"])
    ) == perhaps
    assert ("300.00 GBP of it may have been taken back" in stream.description) == perhaps


@pytest.mark.parametrize(
    ("payer", "usual", "taken"),
    [
        ("ACME LTD SALARY", 250_000, True),
        ("J SMITH", 80_000, False),  # between persons it may be anything
        ("PAYPAL PAYMENT", 80_000, False),  # and customers also spend by such a service
        ("TESCO STORES", 80_000, False),
    ],
)
def test_a_firms_smaller_payment_beside_the_usual_one_that_goes_back_is_not_surely_income(
    ledger: Ledger, payer: str, usual: int, *, taken: bool
) -> None:
    rows = [(f"2025-{month:02d}-28", usual, payer) for month in range(1, 8)]
    extra = ("2025-05-28", 30_000, payer), ("2025-06-04", -30_000, payer)
    wealth = derive(ledger(*rows, *extra), as_of=AS_OF)
    assert refunds(wealth) == []
    assert wealth.credits["may_be_returned_minor"].sum() == (30_000 if taken else 0)
    (stream,) = wealth.streams.itertuples()
    assert ("may have been taken back: it is no larger" in " ".join(wealth.credits["reason"])) == taken
    assert stream.most_total_minor - stream.least_total_minor == (30_000 if taken else 0)
    assert ("300.00 GBP of it may have been taken back" in stream.description) == taken


@pytest.mark.parametrize(
    "text", ["RETURNED SO HARBOUR LETTINGS", "UNPAID STANDING ORDER", "STO RETURNED PAYMENT"]
)
def test_ones_own_standing_order_that_comes_back_is_a_refund_of_it(ledger: Ledger, text: str) -> None:
    orders = [(f"2025-{month:02d}-01", -90_000, "STANDING ORDER HARBOUR LETTINGS") for month in range(1, 8)]
    wealth = derive(ledger(*orders, ("2025-04-02", 90_000, text)), as_of=AS_OF)
    assert refunds(wealth) == [("2025-04-02", 90_000, "T0003")]


@pytest.mark.parametrize(
    ("bought", "days"), [(-2_000, "2025-08-02"), (-2_100_000, "2025-11-30"), (0, "2025-08-02")]
)
def test_a_large_refund_is_not_explained_by_its_word(ledger: Ledger, bought: int, days: str) -> None:
    before = [("2024-01-04", bought, "KITCHEN WORLD LTD")] if bought else []
    wealth = derive(ledger(*before, (days, 2_000_000, "REFUND KITCHEN WORLD LTD")), as_of=AS_OF)
    credit = wealth.credits.iloc[0]
    assert (credit["disposition"], credit["type"]) == ("unexplained", "other")
    assert credit["reason"].startswith("called a refund or reimbursement, but")
    assert "large_unexplained" in set(wealth.flags["code"])


@pytest.mark.parametrize(
    ("out", "back", "expected"),
    [
        ("FPO HOLLIS LEGAL LLP DEPOSIT 9 ELM", "HOLLIS LEGAL LLP RETURN OF DEPOSIT ABORTED 9 ELM", "refund"),
        ("FJORD CRUISES BOOKING", "FJORD CRUISES CANCELLED BOOKING REFUND", "refund"),
        ("WAGES T ORME", "WAGES T ORME RETURNED ACCOUNT CLOSED", "refund"),
        ("FJORD CRUISES BOOKING", "ORBIT HOLDCO REFUND", "unexplained"),
    ],
)
def test_a_large_refund_to_the_penny_is_borne_out_by_what_was_paid_to_that_name(
    ledger: Ledger, out: str, back: str, expected: str
) -> None:
    frame = ledger(("2025-02-11", -2_512_345, out), ("2025-04-01", 2_512_345, back))
    credits_ = derive(frame, as_of=AS_OF).credits
    assert credits_["disposition"].tolist() == [expected]
    assert credits_["pair_txn_id"].notna().tolist() == [expected == "refund"]


def test_large_refunds_that_come_regularly_have_no_known_nature(ledger: Ledger) -> None:
    frame = ledger(*[(f"2025-{month:02d}-28", 250_000, "TESCO REFUND") for month in range(1, 8)])
    wealth = derive(frame, as_of=AS_OF)
    assert set(wealth.credits["type"]) == {"other"}


def test_a_shops_return_is_a_refund_and_no_round_trip(ledger: Ledger) -> None:
    wealth = derive(
        ledger(
            ("2025-02-04", -240_000, "KITCHEN WORLD LTD"), ("2025-02-20", 240_000, "REFUND KITCHEN WORLD LTD")
        ),
        as_of=AS_OF,
    )
    assert refunds(wealth) == [("2025-02-20", 240_000, "T0000")]
    assert "round_trip" not in set(wealth.flags["code"])


def test_a_small_refund_is_believed_and_so_is_the_banks_own_code(ledger: Ledger) -> None:
    small = derive(ledger(("2025-02-20", 4_000, "REFUND KITCHEN WORLD LTD")), as_of=AS_OF)
    assert refunds(small) == [("2025-02-20", 4_000, None)]
    code = {"bank_code": "PMNT-RCDT-RRTN"}
    coded = derive(ledger(("2025-02-20", 900_000, "KITCHEN WORLD LTD", code)), as_of=AS_OF)
    assert refunds(coded) == [("2025-02-20", 900_000, None)]


@pytest.mark.parametrize(
    "text", ["LEEDS CITY COUNCIL COUNCIL TAX", "HMRC VAT", "HMRC SELF ASSESSMENT", "DVLA TAX", "GIFT AID OXFAM", "P HALLIDAY RENT",
             "PENSION CONTRIBUTION", "NATIONWIDE MORTGAGE"],
)  # fmt: skip
@pytest.mark.parametrize(
    "back", ["RETURNED DD", "BOUNCED DD", "UNPAID DIRECT DEBIT", "RETURNED SO", "DD RETURNED"]
)
def test_a_payment_that_comes_back_is_a_refund_of_it_whatever_it_was_for(
    ledger: Ledger, text: str, back: str
) -> None:
    rows = [
        (f"2025-{month:02d}-{day:02d}", amount, f"{word} {text}".strip())
        for month in range(1, 7)
        for day, amount, word in ((4, -15_000, ""), (7, 15_000, back))
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert refunds(wealth) == [
        (f"2025-{month:02d}-07", 15_000, f"T{2 * (month - 1):04d}") for month in range(1, 7)
    ]
    assert wealth.streams.empty


@pytest.mark.parametrize("text", ["HMRC TAX REFUND", "HMRC SELF ASSESSMENT REPAYMENT", "COUNCIL TAX REFUND"])
def test_tax_that_was_too_much_is_a_tax_refund(ledger: Ledger, text: str) -> None:
    wealth = derive(ledger(("2025-02-04", 150_000, text)), as_of=AS_OF)
    assert wealth.credits["type"].tolist() == ["tax_refund"]


def test_without_a_word_for_it_money_comes_back_to_the_account_that_it_left(ledger: Ledger) -> None:
    def disposed(account: str) -> list[str]:
        bought = ("2025-02-04", -40_000, "KITCHEN WORLD LTD", {"account_id": "A1"})
        back = ("2025-02-20", 39_000, "KITCHEN WORLD LTD", {"account_id": account})
        return derive(ledger(bought, back), as_of=AS_OF).credits["disposition"].tolist()

    assert disposed("A1") == ["refund"]
    assert disposed("A2") != ["refund"]


def test_what_was_paid_twice_is_taken_back_from_the_account_that_has_it(ledger: Ledger) -> None:
    def taken(account: str) -> int:
        twice = ("2025-05-30", 250_000, "ACME LTD SALARY", {"account_id": account})
        back = ("2025-06-04", -250_000, "ACME LTD", {"account_id": "A1"})
        return len(refunds(derive(ledger(*PAY, twice, back), as_of=AS_OF)))

    assert [taken("A1"), taken("A2")] == [1, 0]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 28),
            st.sampled_from([100_000, 250_000, -250_000, -100_000]),
            st.sampled_from(["ACME SALARY", "RECALL ACME", "REFUND ACME", "RECALL", "J SMITH"]),
        ),
        min_size=1,
        max_size=14,
    )
)
def test_netting_takes_each_debit_once_and_leaves_the_ledger_whole(
    ledger: Ledger, rows: list[tuple[int, int, str]]
) -> None:
    frame = ledger(*[(f"2025-03-{day:02d}", amount, text) for day, amount, text in rows])
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.coverage["total_minor"].sum() == frame["amount_minor"].clip(lower=0).sum()
    found = wealth.credits
    assert (found["returned_minor"] <= found["amount_minor"]).all()
    assert (found["most_minor"] == found["amount_minor"] - found["returned_minor"]).all()
    taken = found[found["returned_minor"] > 0]
    assert taken["pair_txn_id"].notna().all()
    assert taken["returned_minor"].sum() <= -frame["amount_minor"].clip(upper=0).sum()
    whole = taken[taken["returned_minor"] == taken["amount_minor"]]
    assert (whole["disposition"] == "refund").all()


@pytest.mark.parametrize(
    ("back", "returned", "perhaps"),
    [
        ([("2025-05-10", -120_000)], 120_000, 0),
        ([("2025-05-10", -120_000), ("2025-05-12", -80_000)], 200_000, 0),
        ([("2025-05-10", -120_000), ("2025-05-12", -250_000)], 370_000, 0),
        ([("2025-05-10", -500_000)], 500_000, 0),  # two months at once
        ([("2025-05-10", -300_000)], 0, 300_000),  # one month and part of another, or something else
        ([("2025-05-10", -1_500_000)], 0, 0),  # more than came in within the time
    ],
)
def test_all_that_is_taken_back_is_off_the_total_however_many_debits_or_credits(
    ledger: Ledger, back: list[tuple[str, int]], returned: int, perhaps: int
) -> None:
    recalls = [(on, minor, "ACME LTD SALARY RECALLED") for on, minor in back]
    found = derive(ledger(*PAY, *recalls), as_of=AS_OF).credits
    assert (found["returned_minor"].sum(), found["may_be_returned_minor"].sum()) == (returned, perhaps)
    assert found["most_minor"].sum() == sum(minor for _, minor, _ in PAY) - returned
    assert found["least_minor"].sum() == sum(minor for _, minor, _ in PAY) - returned - perhaps
    assert found["reason"].str.contains("was larger than any one of its payments").any() == (perhaps > 0)


def test_a_debit_that_took_part_of_one_credit_takes_nothing_from_another_though_a_later_one_took_more(
    ledger: Ledger,
) -> None:
    """120,000 took part of the bonus, and is also what the pay in April exceeds the usual pay by."""
    pay = [one if one[0] != "2025-04-28" else ("2025-04-28", 370_000, one[2]) for one in PAY]
    bonus = ("2025-05-05", 600_000, "ACME LTD SALARY")
    recalls = [
        (f"2025-05-{day}", minor, "ACME LTD SALARY RECALLED")
        for day, minor in (("06", -120_000), ("20", -400_000))
    ]
    found = derive(ledger(*pay, bonus, *recalls), as_of=AS_OF).credits
    assert found["returned_minor"].tolist() == [0, 0, 0, 0, 520_000, 0, 0, 0]
    assert found["may_be_returned_minor"].sum() == 0


def test_two_recalls_of_one_single_credit_both_count(ledger: Ledger) -> None:
    parts = [
        (f"2025-04-{day}", minor, "AVIVA CLAIM OVERPAID RETURNED")
        for day, minor in ((10, -30_000), (20, -50_000))
    ]
    found = derive(ledger(*PAY, ("2025-04-01", 900_000, "AVIVA CLAIM"), *parts), as_of=AS_OF).credits
    assert found.set_index("amount_minor").loc[900_000, ["returned_minor", "least_minor"]].tolist() == [
        80_000,
        820_000,
    ]


@pytest.mark.parametrize(
    "text", ["BRACKEN YACHTS LTD", "BRACKEN YACHTS LTD RETURNED", "RETURNED BRACKEN YACHTS LTD"]
)
def test_a_word_for_a_return_is_not_part_of_the_name_that_a_debit_confirms(ledger: Ledger, text: str) -> None:
    rows = [*RENT, ("2025-05-05", -8_000_000, "BRACKEN YACHTS LTD"), ("2025-05-20", 8_000_000, text)]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    (found,) = wealth.credits.loc[wealth.credits["amount_minor"] == 8_000_000].to_dict("records")
    assert found["disposition"] == "refund"
    assert not pd.isna(found["pair_txn_id"])
    assert found["evidence_level"] == "pattern"  # as `Wealth.nature` counts it
    # Without such a debit, the word explains nothing.
    alone = derive(ledger(*RENT, ("2025-05-20", 8_000_000, text)), as_of=AS_OF).credits
    assert alone.loc[alone["amount_minor"] == 8_000_000, "disposition"].item() == "unexplained"


@pytest.mark.parametrize(
    ("bought", "refund", "paired"),
    [
        ("JET2 HOLIDAYS", "JET2.COM LTD LEEDS REFUND", True),
        ("JOHN LEWIS PARTNERS", "REFUND JOHN LEWIS OXFORD ST", True),
        ("HARTWELL CYCLES", "REFUND HARTWELL CYCLES BRISTOL", True),
        ("HARTWELL CYCLES", "REFUND MAYNARD CYCLES", False),
        ("JOHN LEWIS PARTNERS", "REFUND JOHN", False),
        ("ASOS 12MAY", "REFUND NEXT 12MAY", False),
    ],
)
def test_a_refund_is_matched_with_what_was_bought_there_though_another_word_or_digits_are_in_the_name(
    ledger: Ledger, bought: str, refund: str, *, paired: bool
) -> None:
    rows = [("2025-05-01", -900_000, bought), ("2025-06-20", 450_000, refund)]
    last = derive(ledger(*RENT, *rows), as_of=AS_OF).credits.set_index("amount_minor").loc[450_000]
    assert pd.notna(last["pair_txn_id"]) == paired
    assert (last["disposition"] == "refund") == paired


@pytest.mark.parametrize(
    ("paid", "back", "returned"),
    [
        ("SUMUP PAYMENTS LTD PAYOUT", "SUMUP PAYMENTS LTD CHARGEBACK", 12_000),
        ("HARTWELL CYCLES LTD SALES", "RECALL HARTWELL CYCLES GROUP", 12_000),
        ("HARTWELL CYCLES LTD SALES", "RECALL MAYNARD CYCLES", 0),
    ],
)
def test_a_recall_is_matched_with_what_was_paid_though_another_word_is_in_the_name(
    ledger: Ledger, paid: str, back: str, returned: int
) -> None:
    weekly = [(f"2025-05-{day:02d}", 35_000, paid) for day in (2, 9, 16, 23)]
    found = derive(ledger(*weekly, ("2025-05-20", -12_000, back)), as_of=AS_OF).credits
    assert found["returned_minor"].sum() == returned


def test_a_name_that_is_like_two_others_takes_nothing_back(ledger: Ledger) -> None:
    rows = [("2025-05-02", 35_000, "HARTWELL CYCLES SALES"), ("2025-05-03", 35_000, "HARTWELL CYCLES TOURS")]
    found = derive(ledger(*rows, ("2025-05-20", -12_000, "RECALL HARTWELL CYCLES")), as_of=AS_OF).credits
    assert found["returned_minor"].sum() == 0


@pytest.mark.parametrize(
    ("paid", "back", "perhaps"),
    [
        ("ACME LTD SALARY", "ACME LTD", True),
        ("MR D OKAFOR RENT", "MR D OKAFOR", True),
        ("MR D OKAFOR", "MR D OKAFOR", False),  # nothing says what the money was
        ("MR D OKAFOR RENT", "MS J OKAFOR", False),
    ],
)
def test_usual_pay_or_rent_that_went_back_once_without_a_word_is_not_surely_income(
    ledger: Ledger, paid: str, back: str, *, perhaps: bool
) -> None:
    rows = [(f"2025-{month:02d}-01", 70_000, paid) for month in range(1, 13)]
    wealth = derive(ledger(*rows, ("2025-07-05", -70_000, back)), as_of=AS_OF)
    (stream,) = wealth.streams.itertuples()
    assert (stream.total_minor, stream.most_total_minor) == (840_000, 840_000)
    assert stream.least_total_minor == (770_000 if perhaps else 840_000)
    found = wealth.credits.set_index("booked_on")["may_be_returned_minor"]
    assert found["2025-07-01"] == (70_000 if perhaps else 0)


@pytest.mark.parametrize(
    ("paid", "refund", "borne_out"),
    [
        ("OAKFIELD LETTINGS LTD RENT", "JET2.COM LEEDS REFUND", False),
        ("OAKFIELD LETTINGS LTD RENT", "REFUND VELD TRADING", False),
        ("OAKFIELD LETTINGS LTD RENT", "RETURNED PAYMENT TOM HARRIS", False),
        ("OAKFIELD LETTINGS LTD RENT", "OAKFIELD RETURNED PAYMENT", True),
        ("OAKFIELD LETTINGS LTD RENT", "UNPAID STANDING ORDER", True),
    ],
)
def test_a_payment_to_somebody_else_bears_no_refund_out_though_sum_and_days_fit(
    ledger: Ledger, paid: str, refund: str, *, borne_out: bool
) -> None:
    wealth = derive(
        ledger(*PAY, ("2025-05-03", -200_000, paid), ("2025-05-09", 200_000, refund)), as_of=AS_OF
    )
    assert (len(refunds(wealth)) == 1) == borne_out


@pytest.mark.parametrize("second", [400_000, 250_000])
def test_what_one_purchase_cost_comes_back_once(ledger: Ledger, second: int) -> None:
    bought = ("2025-05-06", -400_000, "CARD PAYMENT CURRYS")
    back = [("2025-05-20", 400_000, "CURRYS REFUND"), ("2025-05-24", second, "CURRYS REFUND")]
    once = derive(ledger(*PAY, bought, *back), as_of=AS_OF)
    assert [one[:2] for one in refunds(once)] == [("2025-05-20", 400_000)]
    assert once.credits["disposition"].eq("unexplained").sum() == 1
    for texts in (("CURRYS", "CURRYS REFUND"), ("CURRYS REFUND", "CURRYS")):
        named = [(day, minor, text) for (day, minor, _), text in zip(back, texts, strict=True)]
        assert len(refunds(derive(ledger(*PAY, bought, *named), as_of=AS_OF))) == 1
    twice = derive(ledger(*PAY, bought, ("2025-05-12", *bought[1:]), *back), as_of=AS_OF)
    assert len(refunds(twice)) == len(back)


def test_what_two_purchases_cost_together_comes_back_once(ledger: Ledger) -> None:
    rows = [
        ("2025-05-06", -400_000, "CARD PAYMENT CURRYS"),
        ("2025-05-07", -300_000, "CARD PAYMENT CURRYS"),
        ("2025-05-12", 700_000, "CURRYS REFUND"),
        ("2025-05-14", 400_000, "CURRYS REFUND"),
    ]
    assert [one[:2] for one in refunds(derive(ledger(*PAY, *rows), as_of=AS_OF))] == [("2025-05-12", 700_000)]
    part = [rows[0], ("2025-05-12", 100_000, "CURRYS REFUND"), ("2025-05-14", 300_000, "CURRYS")]
    assert len(refunds(derive(ledger(*PAY, *part), as_of=AS_OF))) == 2
