from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def salary(
    account: str = "A1", text: str = "ACME LTD SALARY", amount: int = 200_000
) -> list[tuple[object, ...]]:
    days = ["01-31", "02-28", "03-31", "04-30", "05-30", "06-30"]
    return [(f"2025-{day}", amount + n, text, {"account_id": account}) for n, day in enumerate(days)]


def dispositions(wealth: Wealth) -> list[str]:
    return wealth.credits["disposition"].tolist()


def only(wealth: Wealth, text: str, frame: pd.DataFrame) -> pd.DataFrame:
    ids = frame.loc[frame["description_raw"] == text, "txn_id"]
    return wealth.credits[wealth.credits["txn_id"].isin(set(ids))]


def test_a_salary_is_one_stream_of_pay(ledger: Ledger) -> None:
    stream = derive(ledger(*salary()), as_of=AS_OF).streams.iloc[0]
    assert (stream["type"], stream["evidence_level"], stream["cadence"]) == (
        "employment",
        "keyword",
        "monthly",
    )
    assert (stream["count"], stream["total_minor"], stream["median_minor"]) == (6, 1_200_015, 200_003)
    assert stream["payer"] == "ACME LTD SALARY"
    assert "last working day" in stream["description"]
    assert "from words in the payment text" in stream["description"]


def test_a_regular_credit_without_code_or_word_is_other(ledger: Ledger) -> None:
    stream = derive(ledger(*salary(text="ACME")), as_of=AS_OF).streams.iloc[0]
    assert (stream["type"], stream["evidence_level"]) == ("other", "none")
    assert "nature not established" in stream["description"]


def test_a_code_outvotes_a_word(ledger: Ledger) -> None:
    frame = ledger(*salary(text="ACME LTD SALARY"))
    by_sender = derive(frame.assign(purpose="PENS"), as_of=AS_OF).streams.iloc[0]
    assert (by_sender["type"], by_sender["evidence_level"], by_sender["confidence"]) == (
        "other",
        "none",
        "low",
    )
    by_bank = derive(frame.assign(bank_code="PMNT-RCDT-PENS"), as_of=AS_OF).streams.iloc[0]
    assert (by_bank["type"], by_bank["evidence_level"]) == ("pension", "code")


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("DWP JK123456A CHB", "state_benefit"),
        ("DWP STATE PENSION", "state_benefit"),
        ("HMRC CHILD BENEFIT", "state_benefit"),
        ("010101010101-CHB", "state_benefit"),
        ("TEACHERS PENSIONS", "pension"),
        ("HARBOUR LETTINGS RENT", "rental_income"),
        ("BARROW PLC FINAL DIVIDEND", "investment_income"),
        ("INTEREST PAID GROSS", "interest"),
        ("GEHALT MUSTER GMBH", "employment"),
        ("SALAIRE SOCIETE DUPONT", "employment"),
        ("Зарплата ООО Ромашка", "employment"),
        ("腾讯 工资", "employment"),
        ("HMRC TAX REFUND", "tax_refund"),
        ("QUICK LENDING LOAN", "loan"),
        ("SKY BET WINNINGS", "gambling"),
        ("COINBASE PAYOUT", "crypto"),
        ("LETTERMAN STUDIO", "other"),
        ("RENTON MOTORS", "other"),
        ("PENSHURST WINES", "other"),
        ("BETTINA TIMBER", "other"),
    ],
)
def test_words_are_whole_and_a_wrong_type_is_worse_than_other(ledger: Ledger, text: str, type_: str) -> None:
    wealth = derive(ledger(*salary(text=text)), as_of=AS_OF)
    assert wealth.credits["type"].unique().tolist() == [type_]


def test_a_named_transfer_between_own_accounts_is_no_income(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", -50_000, "TRANSFER TO SAVINGS", {"account_id": "A1"}),
        ("2025-03-04", 50_000, "FROM CURRENT", {"account_id": "A2"}),
    )
    wealth = derive(frame, as_of=AS_OF)
    assert dispositions(wealth) == ["own_transfer"]
    assert wealth.pairs["verdict"].tolist() == ["probable"]
    assert wealth.credits["pair_txn_id"].tolist() == ["T0000"]


def test_each_of_very_many_equal_transfers_finds_its_other_side(ledger: Ledger) -> None:
    rows = [
        (f"2025-03-{day:02d}", sign * 500, "TRANSFER TO SAVINGS", {"account_id": account})
        for day in range(1, 29)
        for _ in range(20)
        for sign, account in ((-1, "A1"), (1, "A2"))
    ]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    assert set(credits_["disposition"]) == {"own_transfer"}
    assert credits_["pair_txn_id"].is_unique


def test_equal_amounts_alone_are_possible_and_several_pairings_are_left_open(ledger: Ledger) -> None:
    one = ledger(
        ("2025-03-03", -50_000, "X", {"account_id": "A1"}), ("2025-03-04", 50_000, "Y", {"account_id": "A2"})
    )
    assert derive(one, as_of=AS_OF).pairs["verdict"].tolist() == ["possible"]
    assert dispositions(derive(one, as_of=AS_OF)) == ["unexplained"]
    two = ledger(
        ("2025-03-03", -50_000, "X", {"account_id": "A1"}),
        ("2025-03-03", -50_000, "Z", {"account_id": "A3"}),
        ("2025-03-04", 50_000, "Y", {"account_id": "A2"}),
    )
    wealth = derive(two, as_of=AS_OF)
    assert set(wealth.pairs["verdict"]) == {"ambiguous"}
    assert dispositions(wealth) == ["unexplained"]


def test_pay_is_not_hidden_by_rent_of_the_same_amount(ledger: Ledger) -> None:
    rent = [
        (f"2025-0{month}-01", -200_000 - month + 2, "LANDLORD", {"account_id": "A2"}) for month in range(2, 7)
    ]
    wealth = derive(ledger(*salary(), *rent), as_of=AS_OF)
    assert set(dispositions(wealth)) == {"stream"}


def test_a_transfer_is_matched_once_only_and_not_after_five_days(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", -50_000, "TRANSFER", {"account_id": "A1"}),
        ("2025-03-03", 50_000, "TRANSFER", {"account_id": "A2"}),
        ("2025-03-04", 50_000, "TRANSFER", {"account_id": "A2"}),
    )
    assert sorted(dispositions(derive(frame, as_of=AS_OF))) == ["own_transfer", "unexplained"]
    late = ledger(
        ("2025-03-03", -50_000, "TRANSFER", {"account_id": "A1"}),
        ("2025-03-08", 50_000, "TRANSFER", {"account_id": "A2"}),
    )
    assert dispositions(derive(late, as_of=AS_OF)) == ["unexplained"]


def test_one_side_is_enough_with_the_own_number_or_the_code_and_not_with_a_word(ledger: Ledger) -> None:
    accounts = pd.DataFrame({"customer_id": ["C1"], "account_id": ["A9"], "account_number": ["12345678"]})
    named = ledger(("2025-03-03", 50_000, "MOVED FROM 12345678"))
    assert dispositions(derive(named, accounts=accounts, as_of=AS_OF)) == ["own_transfer"]
    assert dispositions(derive(named, as_of=AS_OF)) == ["unexplained"]
    code = ledger(("2025-03-03", 50_000, "X", {"purpose": "ACCT"}))
    assert dispositions(derive(code, as_of=AS_OF)) == ["own_transfer"]
    masked = accounts.assign(account_number="****5678")
    assert dispositions(derive(named, accounts=masked, as_of=AS_OF)) == ["unexplained"]
    worded = ledger(("2025-03-03", 50_000, "TRANSFER FROM 12345678"))
    assert dispositions(derive(worded, accounts=masked, as_of=AS_OF)) == ["own_transfer"]


@pytest.mark.parametrize("text", ["SHOP REFUND", "REVERSAL OF 03-10", "CHARGEBACK VISA", "ERSTATTUNG SHOP"])
def test_a_refund_by_its_word(ledger: Ledger, text: str) -> None:
    assert dispositions(derive(ledger(("2025-03-03", 50_000, text)), as_of=AS_OF)) == ["refund"]


def test_a_credit_no_larger_than_an_earlier_debit_to_the_same_party_is_a_refund(ledger: Ledger) -> None:
    debit = ("2025-03-01", -50_000, "BOOK SHOP 1234")
    back = derive(ledger(debit, ("2025-03-20", 20_000, "BOOK SHOP 9876")), as_of=AS_OF)
    assert dispositions(back) == ["refund"]
    assert back.credits["pair_txn_id"].tolist() == ["T0000"]
    assert dispositions(derive(ledger(debit, ("2025-03-20", 60_000, "BOOK SHOP")), as_of=AS_OF)) == [
        "unexplained"
    ]
    assert dispositions(derive(ledger(debit, ("2025-06-20", 20_000, "BOOK SHOP")), as_of=AS_OF)) == [
        "unexplained"
    ]
    assert dispositions(derive(ledger(debit, ("2025-02-20", 20_000, "BOOK SHOP")), as_of=AS_OF)) == [
        "unexplained"
    ]


def test_two_equal_transfers_on_one_day_are_two(ledger: Ledger) -> None:
    frame = ledger(("2025-03-03", 100_000, "MIKE TEST"), ("2025-03-03", 100_000, "MIKE TEST"))
    wealth = derive(frame, as_of=AS_OF)
    assert len(wealth.credits) == 2
    assert wealth.set_aside.empty


def test_an_account_linked_twice_is_counted_once_by_the_larger_count(ledger: Ledger) -> None:
    twice = ("2025-04-04", 7_000, "GIFT")
    first = ledger(*salary(), twice, twice)
    second = first.assign(account_id="A2", txn_id="X" + first["txn_id"]).iloc[:-1]
    accounts = pd.DataFrame({"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": "12345678"})
    wealth = derive(pd.concat([first, second], ignore_index=True), accounts=accounts, as_of=AS_OF)
    assert len(wealth.credits) == 8
    assert (wealth.set_aside["disposition"] == "duplicate").sum() == 7
    assert wealth.streams["count"].tolist()[0] in (2, 6)


def test_a_pending_credit_is_set_aside_and_its_booked_twin_counts(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", 100_000, "A", {"status": "pending"}),
        ("2025-03-04", 100_000, "A", {"status": "booked"}),
    )
    wealth = derive(frame, as_of=AS_OF)
    assert len(wealth.credits) == 1
    assert wealth.set_aside["disposition"].tolist() == ["pending"]
    assert wealth.coverage.set_index("disposition").loc["pending", "total_minor"] == 100_000


def test_currencies_are_never_added_up(ledger: Ledger) -> None:
    euros = [(day, amount, text, {"currency": "EUR", **extra}) for day, amount, text, extra in salary()]
    wealth = derive(ledger(*salary(), *euros), as_of=AS_OF)
    assert sorted(wealth.streams["currency"]) == ["EUR", "GBP"]
    assert set(wealth.coverage["currency"]) == {"EUR", "GBP"}


def test_a_payer_under_two_names_from_one_account_is_one_stream(ledger: Ledger) -> None:
    rows = salary()
    named = [
        (
            *row[:3],
            row[3]
            | {"counterparty_account": "GB1", "counterparty_name": "Acme Ltd" if n < 3 else "Zenith Group"},
        )
        for n, row in enumerate(rows)
    ]
    assert derive(ledger(*named), as_of=AS_OF).streams["count"].tolist() == [6]


def test_one_payer_that_pays_two_things_is_two_streams(ledger: Ledger) -> None:
    pension = [
        (f"2025-{day}", 90_000, "MUTUAL PENSION", {"counterparty_name": "MUTUAL"})
        for day in ("01-15", "02-12", "03-12", "04-09", "05-07", "06-04")
    ]
    pay = [(*row[:2], "MUTUAL SALARY", {"counterparty_name": "MUTUAL"}) for row in salary()]
    streams = derive(ledger(*pension, *pay), as_of=AS_OF).streams.set_index("type")
    assert streams["cadence"].to_dict() == {"pension": "four_weekly", "employment": "monthly"}
    assert streams["count"].to_dict() == {"pension": 6, "employment": 6}


def test_a_change_of_employer_links_two_streams_and_does_not_merge_them(ledger: Ledger) -> None:
    later = [
        (f"2025-{day}", 250_000, "ZENITH PLC SALARY")
        for day in ("07-31", "08-29", "09-30", "10-31", "11-28", "12-31")
    ]
    streams = derive(ledger(*salary(), *later), as_of=AS_OF).streams.set_index("payer")
    assert streams.loc["ACME LTD SALARY", "status"] == "ceased"
    assert (
        streams.loc["ZENITH PLC SALARY", "follows_stream_id"] == streams.loc["ACME LTD SALARY", "stream_id"]
    )


def test_pay_that_changes_its_text_goes_on(ledger: Ledger) -> None:
    rows = [(*row[:2], "ACME LTD WAGES" if n < 3 else "ACME LTD SALARY") for n, row in enumerate(salary())]
    assert derive(ledger(*rows), as_of=AS_OF).streams["count"].tolist() == [6]


def test_texts_cut_by_a_narrow_field_are_one_payer(ledger: Ledger) -> None:
    cut = ["NORTHSHIRE HOSPITAL TRU", "NORTHSHIRE HOSPITAL TRUST", "NORTHSHIRE HOSPTAL TRUST"]
    rows = [(*row[:2], cut[n % 3]) for n, row in enumerate(salary())]
    assert derive(ledger(*rows), as_of=AS_OF).streams["count"].tolist() == [6]


def test_regular_cash_is_found_among_other_cash(ledger: Ledger) -> None:
    regular = [
        (f"2025-{month:02d}-18", 120_000 if month != 6 else 180_000, "CASH DEPOSIT") for month in range(1, 9)
    ]
    other = [
        ("2025-01-05", 33_000, "CASH DEPOSIT"),
        ("2025-03-29", 71_000, "CASH DEPOSIT"),
        ("2025-05-02", 8_000, "CASH DEPOSIT"),
    ]
    streams = derive(ledger(*regular, *other), country="CZ", as_of=AS_OF).streams
    assert streams["count"].tolist() == [8]
    assert streams["cadence"].tolist() == ["monthly"]
    assert streams["type"].tolist() == ["cash_deposit"]


def test_references_and_numbers_stay_out_of_a_payers_name(ledger: Ledger) -> None:
    rows = [(*row[:2], f"DWP JK123456A UC {n}99") for n, row in enumerate(salary())]
    assert derive(ledger(*rows), as_of=AS_OF).streams["payer"].tolist() == ["DWP UC"]


def test_a_gap_at_the_end_of_one_accounts_data_is_not_the_end_of_a_job(ledger: Ledger) -> None:
    other = [(f"2025-{month:02d}-15", -1_000, "SHOP", {"account_id": "A2"}) for month in range(1, 13)]
    stream = derive(ledger(*salary(), *other), as_of=AS_OF).streams.iloc[0]
    assert stream["status"] == "unknown"
    same = [(f"2025-{month:02d}-15", -1_000, "SHOP", {"account_id": "A1"}) for month in range(1, 13)]
    assert derive(ledger(*salary(), *same), as_of=AS_OF).streams.iloc[0]["status"] == "ceased"


def test_each_credit_says_why_it_was_put_where_it_is(ledger: Ledger) -> None:
    odd = [("2025-04-10", 90_000, "QWERTY TRADING"), ("2025-05-12", 300, "TINY SUM")]
    frame = ledger(*salary(), *odd)
    found = derive(frame, as_of=AS_OF)
    expected = {
        "ACME LTD SALARY": "part of a stream",
        "QWERTY TRADING": "nature and regularity not established",
        "TINY SUM": "small credit outside any stream",
    }
    for text, reason in expected.items():
        reasons = only(found, text, frame)["reason"]
        # What follows says what the nature rests on.
        assert {one.partition(";")[0] for one in reasons} == {reason}
