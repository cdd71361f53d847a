"""What a payment is, by code, payer, words and their place, and by its pattern."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
ENDS = (
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
)


def monthly(ledger: Ledger, *texts: str, amount: int = 200_000, **extra: object) -> Wealth:
    """Derive 12 monthly payments whose texts are taken in turn."""
    rows = [(f"2025-{day}", amount, texts[number % len(texts)], extra) for number, day in enumerate(ENDS)]
    return derive(ledger(*rows), as_of=AS_OF)


def said(wealth: Wealth) -> tuple[str, str]:
    stream = wealth.streams.iloc[0]
    return stream["type"], stream["confidence"]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("HERTZ RENT A CAR PAYROLL", "employment"),
        ("BRIGHTWELL LETTINGS SALARY", "employment"),
        ("DWP SALARY", "employment"),
        ("SOCIAL FUND MGMT LTD SALARY", "employment"),
        ("SOCIAL FUND MGMT LTD", "other"),
        ("STUDENT LOANS COMPANY SALARY", "employment"),
        ("CROSS PENS LTD", "other"),
        ("RAPID REFUND SERVICES SALARY", "employment"),
        ("A PATEL LOAN REPAYMENT", "person_transfer"),
        ("LEGACY HOMES LTD", "other"),
        ("GIFT SHOP LTD WAGES", "employment"),
        ("PENSION ADVICE CENTRE LTD SALARY", "employment"),
        ("CASINO SUPERMARCHE SALAIRE", "employment"),
        ("BET365 PAYROLL", "employment"),
        ("DELIVEROO RIDER PAY", "self_employment"),
        ("CHARLES SCHWAB DIVIDEND", "investment_income"),
        ("P HILL RENT FLAT 2 JAN", "rental_income"),
        ("TECHFORGE LTD SAL MAR25", "employment"),
        ("DT RENTENVERSICHERUNG BUND RENTE", "state_benefit"),
        ("DGFIP IMPOT REMB", "tax_refund"),
        ("NSANDI INTEREST", "interest"),
        ("BP PENSION TRUSTEES LTD", "pension"),
        ("GEHALT MUSTER GMBH", "employment"),
        ("MIETE WOHNUNG 4", "rental_income"),
        ("VIR CAF DE PARIS", "state_benefit"),
        ("BET365", "gambling"),
        ("32RED", "gambling"),
        ("888SPORT", "gambling"),
        ("XXSOC SEC SSA TREAS 310", "state_benefit"),
        ("PENSIONS AUTHORITY SAL", "employment"),
        ("HARWICH PENSION PAYROLL", "pension"),
        ("HMRC CB WK 2", "state_benefit"),
        ("MANCHESTER CITY COUNCIL HB PAYMENT", "state_benefit"),
        ("NFU MUTUAL CLM SETT", "settlement"),
        ("LEADERS LETTINGS LANDLORD PYT", "rental_income"),
        ("PORTSMOUTH HOSPITALS T", "employment"),
    ],
)
def test_the_word_that_names_the_payment_beats_the_words_in_the_payers_name(
    ledger: Ledger, text: str, type_: str
) -> None:
    assert said(monthly(ledger, text))[0] == type_


@pytest.mark.parametrize(
    ("name", "text", "type_"),
    [
        ("RAPID REFUND SERVICES", "SALARY", "employment"),
        ("BRIGHTWELL LETTINGS", "NET PAY MAR", "employment"),
        ("LOANS DIRECT LTD", "WAGES", "employment"),
        ("SARAH JONES", "RENT FLAT 2", "rental_income"),
        ("ACME LTD", "FASTER PAYMENT ACME LTD SALARY", "employment"),
    ],
)
def test_the_reference_beats_the_counterpartys_name(ledger: Ledger, name: str, text: str, type_: str) -> None:
    assert said(monthly(ledger, text, counterparty_name=name))[0] == type_


@pytest.mark.parametrize(
    "text", ["RETURNED SO RENT LANDLORD", "UNPAID DD PENSION CO", "RUCKLASTSCHRIFT MIETE"]
)
def test_what_was_returned_is_no_income_whatever_its_text_speaks_of(ledger: Ledger, text: str) -> None:
    wealth = monthly(ledger, text)
    assert set(wealth.credits["disposition"]) == {
        "unexplained"
    }  # nothing in the data was sent that could return
    assert set(wealth.credits["type"]) == {"other"}
    assert wealth.statement("C1").primary_source is None


def test_the_senders_words_alone_are_never_of_high_confidence(ledger: Ledger) -> None:
    assert said(monthly(ledger, "ACME LTD SALARY", amount=201_347)) == ("employment", "medium")
    assert said(monthly(ledger, "ACME LTD", amount=201_347, purpose="SALA")) == ("employment", "medium")
    assert said(monthly(ledger, "ACME LTD", bank_code="PMNT-RCDT-SALA")) == ("employment", "high")


def test_a_private_persons_word_for_pay_is_of_low_confidence(ledger: Ledger) -> None:
    wealth = monthly(ledger, "MR IVAN PETROV SALARY", amount=201_347)
    assert said(wealth) == ("employment", "low")
    assert "a private person pays it" in wealth.credits["reason"].iloc[0]


def test_a_known_employer_that_pays_regularly_pays_for_work_and_once_it_does_not(ledger: Ledger) -> None:
    wealth = monthly(ledger, "ROLLS-ROYCE PLC")
    stream = wealth.streams.iloc[0]
    assert (stream["type"], stream["evidence_level"], stream["confidence"]) == (
        "employment",
        "entity",
        "medium",
    )
    once = derive(ledger(("2025-03-03", 200_000, "ROLLS-ROYCE PLC")), as_of=AS_OF)
    assert once.credits["type"].tolist() == ["other"]


@pytest.mark.parametrize("amount", [181_244, 930_000])
@pytest.mark.parametrize("text", ["THE MELTING POT LTD", "NEXT", "SUBWAY", "COSTA", "TESCO STORES"])
def test_the_name_of_a_shop_or_restaurant_alone_is_no_evidence_of_pay(
    ledger: Ledger, text: str, amount: int
) -> None:
    wealth = monthly(ledger, text, amount=amount)
    assert set(wealth.credits["type"]) == {"other"}
    assert wealth.statement("C1").primary_source is None
    assert not wealth.credits["reason"].str.contains("employer").any()
    assert wealth.sufficiency("C1", None, 1_000, "GBP").supported_minor == 0


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("TESCO STORES WAGES", {}),
        ("TESCO STORES STAFF 88213", {}),
        ("TESCO STORES WK 12", {}),
        ("COSTA LTD PAYROLL", {}),
        ("TESCO STORES", {"bank_code": "PMNT-RCDT-SALA"}),
        ("TESCO STORES", {"purpose": "SALA"}),
        ("TESCO STORES BONUS", {}),
    ],
)
def test_a_shop_that_says_that_it_pays_its_staff_pays_for_work(
    ledger: Ledger, text: str, more: dict[str, str]
) -> None:
    assert set(monthly(ledger, text, amount=181_244, **more).credits["type"]) == {"employment"}


@pytest.mark.parametrize("text", ["LOVE FROM MUM AND DAD XX", "MUM", "P HILL", "MRS K ONEILL"])
def test_money_from_persons_is_no_income(ledger: Ledger, text: str) -> None:
    frame = ledger(("2025-03-03", 2_000_000, text))
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.credits["type"].iloc[0] in ("person_transfer", "gift")
    assert wealth.statement("C1").primary_source is None


def test_a_person_does_not_pay_benefits_or_dividends(ledger: Ledger) -> None:
    assert said(monthly(ledger, "MR IVAN PETROV DIVIDEND"))[0] == "other"


def test_what_a_minority_of_texts_says_is_not_said_of_all(ledger: Ledger) -> None:
    wealth = monthly(ledger, "HOLT AND DALE RENT", "HOLT AND DALE", "HOLT AND DALE")
    assert "high" not in set(wealth.streams["confidence"])
    by_text = dict(zip(wealth.credits["txn_id"], wealth.credits["type"], strict=True))
    silent = [type_ for txn_id, type_ in by_text.items() if int(txn_id[1:]) % 3]
    assert "rental_income" not in silent


def test_a_code_of_the_bank_against_a_word_of_the_sender(ledger: Ledger) -> None:
    wealth = monthly(ledger, "ACME LTD RENT", bank_code="PMNT-RCDT-SALA")
    assert said(wealth)[0] == "employment"
    pieces = wealth.evidence[wealth.evidence["evidence_key"] == wealth.credits["evidence_key"].iloc[0]]
    assert pieces["force"].tolist()[0] == "decides"
    assert pieces.loc[pieces["force"] == "contradicts", "says"].tolist() == ["rental_income"]


def test_every_credit_leads_to_its_evidence(ledger: Ledger) -> None:
    wealth = monthly(ledger, "ACME LTD SALARY", "SARAH JONES", "888SPORT")
    assert set(wealth.credits["evidence_key"]) >= set(wealth.evidence["evidence_key"])
    pay = wealth.credits[wealth.credits["payer_key"].str.contains("acme")].iloc[0]
    mine = wealth.evidence[wealth.evidence["evidence_key"] == pay["evidence_key"]]
    assert mine["what"].tolist() == [
        "the payer's name looks like that of a firm",
        "the words SALARY",
        "only words speak for it, of a payer on no list, and the sums are round, as amounts after tax hardly ever are",
    ]
    assert mine["force"].tolist() == ["supports", "decides", "contradicts"]


def test_rent_is_seen_by_its_day_its_amount_and_the_person_who_pays(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-01", 95_000, "SARAH JONES") for month in range(1, 13)]
    stream = derive(ledger(*rows), as_of=AS_OF).streams.iloc[0]
    assert (stream["type"], stream["evidence_level"], stream["confidence"]) == (
        "rental_income",
        "pattern",
        "low",
    )
    middle = [(f"2025-{month:02d}-17", 95_000, "SARAH JONES") for month in range(1, 13)]
    assert derive(ledger(*middle), as_of=AS_OF).streams.iloc[0]["type"] == "person_transfer"
    customers = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Ada"], "last_name": ["Jones"]})
    assert derive(ledger(*rows), customers, as_of=AS_OF).streams.iloc[0]["type"] == "person_transfer"
    holders = pd.DataFrame({"customer_id": ["C1"], "account_id": ["A1"], "holder_name": ["Mrs Ada Jones"]})
    of_holder = derive(ledger(*rows), accounts=holders, as_of=AS_OF)
    assert of_holder.streams.iloc[0]["type"] == "person_transfer"


def test_what_only_looks_like_rent_is_of_no_known_nature_and_no_main_source(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-01", 95_000, "SARAH JONES") for month in range(1, 13)]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert wealth.explained_share("C1", "GBP") == 0
    assert wealth.statement("C1").primary_source is None
    assert "reads like rental income, not established" in wealth.credits["reason"].iloc[0]
    called = [(day, amount, "SARAH JONES RENT") for day, amount, _ in rows]
    wealth = derive(ledger(*called), as_of=AS_OF)
    assert wealth.streams["type"].tolist() == ["rental_income"]
    # RENT is only the sender's word, so the nature is named but not known.
    assert wealth.explained_share("C1", "GBP") == 0
    assert wealth.statement("C1").primary_source is None


@pytest.mark.parametrize(("tenants", "amount"), [(1, 500_000), (2, 126_000), (3, 60_000), (5, 250_000)])
def test_many_persons_or_large_sums_do_not_look_like_rent_without_a_word(
    ledger: Ledger, tenants: int, amount: int
) -> None:
    people = ("SARAH JONES", "P HILL", "MARK TRENT", "LUCY ODOM", "PETER VANCE")[:tenants]
    rows = [(f"2025-{month:02d}-01", amount, name) for month in range(1, 13) for name in people]
    shops = [(f"2025-{month:02d}-09", -2_300, "CORNER SHOP") for month in range(1, 13)]
    wealth = derive(ledger(*rows, *shops), as_of=AS_OF)
    assert set(wealth.credits["type"]) == {"person_transfer"}
    assert wealth.explained_share("C1", "GBP") == 0
    assert wealth.statement("C1").primary_source is None
    large = wealth.flags[wealth.flags["code"] == "large_unexplained"]
    assert len(large) == (tenants if amount >= 250_000 else 0)


@pytest.mark.parametrize(
    ("amount", "day", "months", "type_"),
    [
        (25_000, 1, 6, "rental_income"),
        (24_500, 1, 6, "person_transfer"),
        (250_000, 1, 6, "rental_income"),
        (250_500, 1, 6, "person_transfer"),
        (70_500, 1, 6, "rental_income"),
        (70_300, 1, 6, "person_transfer"),
        (95_000, 5, 6, "rental_income"),
        (95_000, 6, 6, "person_transfer"),
        (95_000, 1, 5, "person_transfer"),
    ],
)
def test_rent_is_250_to_2500_in_steps_of_5_by_the_fifth_for_six_months(
    ledger: Ledger, amount: int, day: int, months: int, type_: str
) -> None:
    rows = [(f"2025-{month:02d}-{day:02d}", amount, "SARAH JONES") for month in range(1, months + 1)]
    assert derive(ledger(*rows), as_of=AS_OF).streams["type"].tolist() == [type_]


@pytest.mark.parametrize(
    ("lent", "first", "repaid", "times", "type_"),
    [
        (100_000, "2025-03-15", 20_000, 3, "loan"),
        (100_000, "2025-03-15", 20_000, 2, "other"),
        (50_000, "2025-03-15", 10_000, 6, "loan"),
        (49_900, "2025-03-15", 10_000, 6, "other"),
        (100_000, "2025-05-21", 20_000, 6, "loan"),
        (100_000, "2025-05-22", 20_000, 6, "other"),
        (100_000, "2025-03-15", 50_000, 4, "loan"),
        (100_000, "2025-03-15", 50_001, 3, "other"),
        (100_000, "2025-03-15", 40_000, 5, "loan"),
        (100_000, "2025-03-15", 40_001, 5, "other"),
    ],
)
def test_a_loan_of_500_or_more_is_paid_back_three_times_from_the_hundredth_day_at_the_latest(
    ledger: Ledger, lent: int, first: str, repaid: int, times: int, type_: str
) -> None:
    """At most half of it at once, and twice the sum in all."""
    begin = pd.Timestamp(first)
    back = [
        (str((begin + pd.DateOffset(months=number)).date()), -repaid, "BRIDGEFORD HOUSE")
        for number in range(times)
    ]
    wealth = derive(ledger(("2025-02-10", lent, "BRIDGEFORD HOUSE"), *back), as_of=AS_OF)
    assert wealth.credits.iloc[0]["type"] == type_


def test_a_loan_is_known_by_its_repayments(ledger: Ledger) -> None:
    back = [(f"2025-{month:02d}-15", -20_000, "BRIDGEFORD HOUSE") for month in range(3, 9)]
    wealth = derive(ledger(("2025-02-10", 100_000, "BRIDGEFORD HOUSE"), *back), as_of=AS_OF)
    credit = wealth.credits.iloc[0]
    assert (credit["type"], credit["evidence_level"]) == ("loan", "pattern")
    assert "6 equal debits" in credit["reason"]
    before = [(f"2024-{month:02d}-15", -20_000, "BRIDGEFORD HOUSE") for month in range(3, 9)]
    wealth = derive(ledger(*before, ("2025-02-10", 100_000, "BRIDGEFORD HOUSE")), as_of=AS_OF)
    assert wealth.credits.iloc[0]["type"] == "other"


@pytest.mark.parametrize("text", ["J MENSAH LOAN", "REPAYMENT J MENSAH", "TO J MENSAH FOR CAR"])
def test_repayments_may_say_what_they_are(ledger: Ledger, text: str) -> None:
    back = [(f"2025-{month:02d}-15", -20_000, text) for month in range(3, 9)]
    assert (
        derive(ledger(("2025-02-10", 100_000, "J MENSAH"), *back), as_of=AS_OF).credits.iloc[0]["type"]
        == "loan"
    )
    others = [(day, amount, said.replace("J ", "K ")) for day, amount, said in back]
    wealth = derive(ledger(("2025-02-10", 100_000, "J MENSAH"), *others), as_of=AS_OF)
    assert wealth.credits.iloc[0]["type"] == "person_transfer"


def test_a_pot_in_a_firms_name_is_no_own_account(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", -50_000, "FLOWER POT LTD", {"account_id": "A1"}),
        ("2025-03-04", 50_000, "FLOWER POT LTD", {"account_id": "A2"}),
    )
    assert "certain" not in set(derive(frame, as_of=AS_OF).pairs["verdict"])


def test_the_order_of_rows_changes_no_evidence(ledger: Ledger) -> None:
    frame = ledger(
        *[
            (f"2025-{day}", 1_000 + number, text)
            for number, (day, text) in enumerate(
                zip(ENDS, ["BET365", "A PATEL", "ACME LTD WAGES"] * 4, strict=True)
            )
        ]
    )
    one, other = derive(frame, as_of=AS_OF), derive(frame.iloc[::-1], as_of=AS_OF)
    pd.testing.assert_frame_equal(one.evidence, other.evidence)
    pd.testing.assert_frame_equal(one.credits, other.credits)


ONCE = [
    ("CUNNINGTONS LLP CLIENT A/C SALE 14 ASH GR", "property_sale"),
    ("SELARL HUCHET NOTAIRE SUCC DUMONT SOLDE", "inheritance"),
    ("TRADING 212 UK LTD WITHDRAWAL", "savings"),
    ("LIVERTON BS ESAVER W/DRAWAL", "savings"),
    ("COMPUTERSHARE VODAFONE DIVD", "investment_income"),
]


@pytest.mark.parametrize(("text", "type_"), ONCE)
def test_what_a_trade_pays_gives_ordinary_words_their_meaning(ledger: Ledger, text: str, type_: str) -> None:
    assert derive(ledger(("2025-03-03", 4_310_155, text)), as_of=AS_OF).credits["type"].tolist() == [type_]


def test_a_word_for_sale_without_a_trade_says_nothing(ledger: Ledger) -> None:
    credits_ = derive(ledger(("2025-03-03", 4_310_155, "ZORVIK PARTS SALE 14")), as_of=AS_OF).credits
    assert credits_["type"].tolist() == ["other"]


@pytest.mark.parametrize("name", ["MR A J CASH", "LOAN T M", "C. LOHN", "M. SALAIRE"])
def test_a_person_who_is_called_cash_or_loan_is_a_person(ledger: Ledger, name: str) -> None:
    row = ("2025-03-03", 6_000, "TICKETS " + name, {"counterparty_name": name})
    assert derive(ledger(row), as_of=AS_OF).credits["type"].tolist() == ["person_transfer"]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("NORDVALE TRADING FZE SALARY", 987_654),
        ("BRACKWELL TRADING LTD SALARY", 940_000),
        ("BRACKWELL TRADING LTD CONSULTING FEE", 2_500_000),
        ("ORIENT GENERAL TRADING LLC GIFT", 2_512_345),
    ],
)
def test_a_few_payments_that_only_their_sender_names_have_no_known_nature(
    ledger: Ledger, text: str, amount: int
) -> None:
    rows = [("2025-03-03", amount, text), ("2025-07-19", amount, text)]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert set(wealth.credits["type"]) == {"other"}
    assert wealth.credits["reason"].str.contains("only the sender says what it is|a firm pays it").all()
    assert wealth.statement("C1").primary_source is None


def test_ordinary_pay_of_an_unknown_firm_is_still_pay_after_two_months(ledger: Ledger) -> None:
    rows = [("2025-03-28", 194_217, "BRACKWELL LTD SALARY"), ("2025-04-30", 194_217, "BRACKWELL LTD SALARY")]
    assert set(derive(ledger(*rows), as_of=AS_OF).credits["type"]) == {"employment"}


def test_one_joke_by_a_friend_is_no_pay(ledger: Ledger) -> None:
    row = ("2025-03-03", 1_000, "SALARY LOL", {"counterparty_name": "C WHITTLE"})
    assert derive(ledger(row), as_of=AS_OF).credits["type"].tolist() == ["person_transfer"]


def test_money_that_its_sender_calls_own_savings_is_no_source(ledger: Ledger) -> None:
    rows = [(f"2025-{day}", 50_000, "TFR FROM SAVER 8832") for day in ENDS]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert set(wealth.credits["type"]) == {"savings"}
    assert wealth.statement("C1").primary_source is None


@pytest.mark.parametrize("text", ["SALARY", "STATE PENSION", "DIVIDEND", "GIFT FROM MUM", "RENT FLAT 2"])
@pytest.mark.parametrize("payer", ["", "SARAH JONES", "ZORVIK LTD"])
def test_no_free_text_of_an_unknown_payer_is_of_high_confidence(
    ledger: Ledger, payer: str, text: str
) -> None:
    wealth = monthly(ledger, f"{payer} {text}", **({"counterparty_name": payer} if payer else {}))
    assert "high" not in set(wealth.streams["type_confidence"])


def test_a_payers_own_name_changes_nothing_that_its_words_say(ledger: Ledger) -> None:
    first = monthly(ledger, "BRACKWELL LTD SALARY", counterparty_name="BRACKWELL LTD")
    other = monthly(ledger, "OSTERLEIGH LTD SALARY", counterparty_name="OSTERLEIGH LTD")
    columns = ["type", "evidence_level", "type_confidence", "cadence"]
    pd.testing.assert_frame_equal(first.streams[columns], other.streams[columns])


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("BRACKWELL TRADING LTD INHERITANCE", "", ""),
        ("LOAN AGREEMENT 14", "BRACKWELL LOGISTICS LTD", ""),
        ("PENSION LUMP SUM", "OSTERLEIGH FOODS LTD", ""),
        ("INSURANCE CLAIM 7781", "ZORVIK ENGINEERING LTD", ""),
        ("HOUSE SALE PROCEEDS", "ZORVIK ENGINEERING LTD", ""),
        ("DIVIDEND", "ZORVIK ENGINEERING LTD", ""),
        ("GEHALT MAERZ", "ZORVIK", "SWIFT"),
        ("DWP UNIVERSAL CREDIT", "ZORVIK ENGINEERING LTD", ""),
        ("HMRC TAX REFUND", "BRACKWELL LOGISTICS LTD", ""),
    ],
)
def test_an_unknown_firm_of_another_trade_does_not_pay_what_its_reference_says(
    ledger: Ledger, text: str, name: str, code: str
) -> None:
    extra = {"counterparty_name": name or None, "bank_code": code or None}
    credits_ = derive(ledger(("2025-03-03", 1_823_417, text, extra)), as_of=AS_OF).credits
    assert credits_["type"].tolist() == ["other"]


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        ("ESTATE OF A MARLOW DECD", "HARTWELL SOLICITORS LLP", "inheritance"),
        ("COMPLETION 3 QUAY ST", "HARTWELL CONVEYANCING LTD", "property_sale"),
        ("PERSONAL LOAN 991", "BRIDGEFORD LENDING LTD", "loan"),
        ("CLAIM 7781", "ZORVIK INSURANCE LTD", "settlement"),
        ("DIVIDEND", "ZORVIK ENGINEERING LTD", "investment_income"),
    ],
)
def test_a_firm_whose_name_says_that_it_pays_such_things_is_believed(
    ledger: Ledger, text: str, name: str, type_: str
) -> None:
    amount = 412_317 if text == "DIVIDEND" else 1_823_417
    frame = ledger(("2025-03-03", amount, text, {"counterparty_name": name}))
    assert derive(frame, as_of=AS_OF).credits["type"].tolist() == [type_]


@pytest.mark.parametrize(
    ("text", "name", "type_"),
    [
        ("GIFT FROM ALL OF US", "TARVICK PALLETS LTD", "other"),
        ("CADEAU MARIAGE", "SAS TARVICK NEGOCE", "other"),
        ("HOUSE SALE DEPOSIT", "Q HARGREAVE", "other"),
        ("INSURANCE CLAIM SETTLED", "MRS P DUNMORE", "other"),
        ("PENSION LUMP SUM", "NORTHSIDE PHONE REPAIR", "other"),
        ("REMB IMPOTS", "LE COMPTOIR DU MIDI", "other"),
        ("ZINSEN 2. QUARTAL TAGESGELD", "", "interest"),
        ("SAVINGS INTEREST", "", "interest"),
        ("WAGESTREAM ADVANCE", "WAGESTREAM LTD", "loan"),
    ],
)
def test_a_payment_that_such_a_payer_does_not_make_is_not_believed(
    ledger: Ledger, text: str, name: str, type_: str
) -> None:
    frame = ledger(("2025-03-03", 312_317, text, {"counterparty_name": name or None}))
    assert derive(frame, as_of=AS_OF).credits["type"].tolist() == [type_]


@pytest.mark.parametrize("text", ["CHILD SUPPORT", "CMG", "COLLECT AND PAY"])
def test_maintenance_that_a_public_body_passes_on_is_known_by_that_body(ledger: Ledger, text: str) -> None:
    frame = ledger(("2025-01-31", 24_000, text, {"counterparty_name": "Child Maintenance Service"}))
    credit = derive(frame, as_of="2025-12-31").credits.iloc[0]
    assert (credit["type"], credit["evidence_level"]) == ("person_transfer", "entity")


@pytest.mark.parametrize(
    ("amount", "confidence", "why"),
    [
        (251_037, "medium", ""),
        (251_000, "low", "and the sums are round, as amounts after tax hardly ever are"),
    ],
)
def test_what_lowers_the_confidence_in_words_is_said(
    ledger: Ledger, amount: int, confidence: str, why: str
) -> None:
    days = [f"2025-{month:02d}-26" for month in range(1, 13)]
    wealth = derive(ledger(*((day, amount, "TINTAGEL FORGE LTD SALARY") for day in days)), as_of=AS_OF)
    assert wealth.streams["type_confidence"].tolist() == [confidence]
    assert why in wealth.explain(wealth.streams["stream_id"].iloc[0])
    assert ("against it" in wealth.credits["reason"].iloc[0]) == bool(why)


@pytest.mark.parametrize("payer", ["PADDY POWER", "UNIBET", "KRAKEN", "BITSTAMP"])
@pytest.mark.parametrize(
    ("amounts", "is_known"), [([24_350], True), ([12_000, 7_500, 34_000, 9_050], True), ([141_237], False)]
)
def test_a_bookmaker_or_an_exchange_pays_its_staff_no_less_than_a_days_wage_a_week(
    ledger: Ledger, payer: str, amounts: list[int], *, is_known: bool
) -> None:
    rows = [(f"2025-{month:02d}-26", amounts[month % len(amounts)], payer) for month in range(1, 13)]
    credits_ = derive(ledger(*rows), as_of=AS_OF).credits
    assert set(credits_["type"]) <= ({"gambling", "crypto"} if is_known else {"other"})
    assert not any("uneven" in reason or "similar" in reason for reason in credits_["reason"])
