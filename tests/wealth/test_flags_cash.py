"""Red flags of cash, and of credits that stay below a limit."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.wealth import derive


def test_credits_just_below_the_firms_limit_are_structuring(ledger: Ledger) -> None:
    near = [(f"2025-05-{day:02d}", 950_000, f"PERSON {day}") for day in (5, 12, 20)]
    wealth = derive(ledger(*near).assign(evidence_id="E-07"), as_of=AS_OF)
    assert codes(wealth)["near_threshold"] == "edd"
    flag = wealth.flags[wealth.flags["code"] == "near_threshold"].iloc[0]
    assert flag["txn_ids"] == ["T0000", "T0001", "T0002"]
    assert flag["evidence_ids"] == ["E-07"]
    assert (
        flag["message"]
        == "Credits just below a limit: 3 credits just below 10,000.00 GBP, 28,500.00 GBP in all, within the rule's 30 days, between 5 May 2025 and 20 May 2025"
    )
    assert "near_threshold" not in codes(derive(ledger(*near[:2]), as_of=AS_OF))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("CASH DEPOSIT",) * 3, "3 credits of cash just below 10,000.00 GBP"),
        (("CASH DEPOSIT", "PERSON 12", "PERSON 20"), "3 credits, some of them of cash, just below 10,000.00 GBP"),
    ],
)  # fmt: skip
def test_credits_just_below_the_limit_are_called_cash_where_they_are(
    ledger: Ledger, texts: tuple[str, ...], said: str
) -> None:
    near = [(f"2025-05-{day:02d}", 950_000, text) for day, text in zip((5, 12, 20), texts, strict=True)]
    flags = derive(ledger(*near), as_of=AS_OF).flags.set_index("code")
    assert said in flags.loc["near_threshold", "message"]


def test_gifts_of_the_family_just_below_the_limit_are_none(ledger: Ledger) -> None:
    rows = ledger(
        *pay(),
        *(
            (f"2025-05-{day:02d}", 950_000, f"{name} NOVIK")
            for day, name in ((5, "LENA"), (12, "IVO"), (20, "RUTH"))
        ),
    )
    accounts = pd.DataFrame(
        {
            "customer_id": ["C1"],
            "account_id": ["A1"],
            "holder_name": ["Petra Novik"],
            "account_number": ["44110092"],
            "currency": ["GBP"],
        }
    )
    assert "near_threshold" not in codes(derive(rows, accounts=accounts, as_of=AS_OF))
    accounts["holder_name"] = "Petra Drury"
    assert "near_threshold" in codes(derive(rows, accounts=accounts, as_of=AS_OF))


@pytest.mark.parametrize(
    ("text", "cash"), [("COUNTER CREDIT LEEDS", True), ("COUNTER CREDIT CHEQUE 102", False)]
)
def test_what_nobody_pays_in_over_a_counter_is_cash_unless_it_is_a_cheque(
    ledger: Ledger, text: str, *, cash: bool
) -> None:
    rows = ledger(*pay(), *((f"2025-{month:02d}-09", 210_000, text) for month in range(1, 13)))
    assert ("cash_intensive" in codes(derive(rows, as_of=AS_OF))) == cash


@pytest.mark.parametrize(
    ("towns", "found"), [(("LEEDS",), False), (("LEEDS", "YORK", "HULL", "SELBY"), True)]
)
def test_the_way_of_paying_in_is_not_a_place(ledger: Ledger, towns: tuple[str, ...], *, found: bool) -> None:
    ways = ("CASH PAID IN", "CASH DEPOSIT", "COUNTER CREDIT CASH", "PAID IN AT", "ATM CASH DEPOSIT")
    cash = [
        (
            f"2025-{1 + number // 4:02d}-{3 + 7 * (number % 4):02d}",
            31_000 + 700 * (number % 9),
            f"{ways[number % 5]} BARCLAYS {towns[number % len(towns)]}",
        )
        for number in range(40)
    ]
    assert ("cash_many_places" in codes(derive(ledger(*pay(), *cash), as_of=AS_OF))) == found


def test_cash_at_far_places_is_found_beside_takings_whose_text_names_none(ledger: Ledger) -> None:
    home = [
        (f"2025-{month:02d}-{day:02d}", 61_300 + 170 * day, "CASH PAID IN")
        for month in range(1, 13)
        for day in (2, 9, 16, 23)
    ]
    towns = ("HULL", "TRURO", "CARDIFF", "CREWE", "LUTON")
    far = [
        (f"2025-{month:02d}-12", 50_050 + 1_700 * number, f"CASH PAID IN {towns[(month + number) % 5]}")
        for month in range(1, 13)
        for number in range(3)
    ]
    flags = derive(ledger(*home, *far), as_of=AS_OF).flags.set_index("code")
    assert flags.loc["cash_many_places", "facts"]["credits"] == len(home) + len(far)
    assert "cash_many_places" not in codes(derive(ledger(*home), as_of=AS_OF))


def test_takings_banked_at_home_and_at_one_market_on_one_day_are_not_at_many_places(ledger: Ledger) -> None:
    towns = ("LEEDS", "YORK", "HULL", "SELBY", "WAKEFIELD")
    weeks = [
        (f"2025-{month:02d}-{day:02d}", number)
        for month in range(1, 13)
        for number, day in enumerate((4, 11, 18, 25))
    ]
    home = [(day, 60_000 + 700 * number, "CASH PAID IN") for day, number in weeks]
    market = [
        (day, 42_000 + 900 * at % 7_000, f"CASH PAID IN {towns[at % 5]}")
        for at, (day, number) in enumerate(weeks)
        if number % 2 == 0
    ]
    costs = [
        (f"2025-{month:02d}-{15 + at}", -pence, f"{firm} WHOLESALE", {"counterparty_name": firm})
        for month in range(1, 13)
        for at, (firm, pence) in enumerate((("BOOKER", 160_000), ("BESTWAY", 40_000), ("MAKRO", 35_000)))
    ]
    assert "cash_many_places" not in codes(derive(ledger(*home, *market, *costs), as_of=AS_OF))


def test_whoever_takes_cards_is_a_shop_however_else_it_is_paid_and_a_word_makes_no_supplier(
    ledger: Ledger,
) -> None:
    cash = [(f"2025-{month:02d}-05", 240_000, "CASH DEPOSIT") for month in range(1, 13)]
    sent = [(f"2025-{month:02d}-08", -225_000, "BRAMLEY NORTHERN") for month in range(2, 13)]
    carded = (
        "2025-01-08",
        -225_000,
        "CARD PAYMENT TO BRAMLEY NORTHERN",
        {"counterparty_name": "Bramley Northern"},
    )
    worded = ("2025-01-08", -225_000, "BRAMLEY NORTHERN STOCK")
    sent_on = {"cash_sent_on", "pass_through"}
    assert sent_on & set(codes(derive(ledger(*pay(), *cash, *sent, worded), as_of=AS_OF)))
    named = [(day, amount, text, {"counterparty_name": "Bramley Northern"}) for day, amount, text in sent]
    assert not sent_on & set(codes(derive(ledger(*pay(), *cash, *named, carded), as_of=AS_OF)))


def test_rent_to_a_letting_firm_sends_no_cash_on_however_large_a_part_it_takes(ledger: Ledger) -> None:
    """A window cleaner banks little more than the rent; a person who takes as much, whatever it is called, is no letting firm."""
    cash = [
        (f"2025-{month:02d}-{day:02d}", 55_000, "CASH DEPOSIT") for month in range(1, 13) for day in (2, 16)
    ]
    for landlord, found in (("HOMEMOVE PROPERTY", False), ("PAVEL NOWAK", True)):
        sent = [
            (f"2025-{month:02d}-20", -72_500, f"{landlord} RENT", {"counterparty_name": landlord})
            for month in range(1, 13)
        ]
        assert ("cash_sent_on" in codes(derive(ledger(*cash, *sent), as_of=AS_OF))) == found, landlord


def test_cash_of_an_employer_who_pays_the_tax_on_wages_is_takings(ledger: Ledger) -> None:
    """A car wash takes no cards and buys little; what it has is staff. Wages without any tax may be anything."""
    cash = [
        (f"2025-{month:02d}-{day:02d}", 50_000 + 1_500 * (day % 7) + 1_000 * (month % 3), "CASH DEPOSIT")
        for month in range(1, 13)
        for day in (1, 4, 7, 10, 13, 16, 19, 22, 25, 28)
    ]
    wages = [
        (f"2025-{month:02d}-{day:02d}", -34_000, f"{name} WAGES", {"counterparty_name": name})
        for month in range(1, 13)
        for day in (5, 12, 19, 26)
        for name in ("OLA ADEYEMI", "PETER KOWAL")
    ]
    taxes = [(f"2025-{month:02d}-22", -19_000, "HMRC PAYE") for month in range(1, 13)]
    assert "edd" in codes(derive(ledger(*cash, *wages), as_of=AS_OF)).values()
    assert "edd" not in codes(derive(ledger(*cash, *wages, *taxes), as_of=AS_OF)).values()


def test_invoices_just_below_the_limit_that_come_every_month_are_none(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-10", 950_000, "FERROW PARTNERS LTD INV") for month in range(1, 13)]
    assert "near_threshold" not in codes(derive(ledger(*rows), as_of=AS_OF))


@pytest.mark.parametrize(("apart", "found"), [(0, True), (3, True), (4, False)])
def test_cash_into_several_accounts_within_days_is_found_whichever_came_first(
    ledger: Ledger, apart: int, *, found: bool
) -> None:
    rows: list[tuple[object, ...]] = []
    for month in range(1, 9):
        second = f"A{2 + month % 2}"
        rows.append((f"2025-{month:02d}-05", 60_000 + month, "CASH DEPOSIT", {"account_id": "A1"}))
        later = f"2025-{month:02d}-{5 + apart:02d}"
        rows.append((later, 40_000 + month, "CASH DEPOSIT", {"account_id": second}))
    flags = derive(ledger(*rows), as_of=AS_OF).flags
    over = flags[flags["code"] == "cash_over_accounts"]
    assert [len(ids) for ids in over["txn_ids"]] == ([16] if found else [])


@pytest.mark.parametrize(
    ("paid_from", "drawn", "found"),
    [(6, 30_000, False), (1, 30_000, True), (6, 55_000, True), (13, 30_000, True)],
)
def test_cash_that_begins_with_the_first_pay_is_no_more_than_before(
    ledger: Ledger, paid_from: int, drawn: int, *, found: bool
) -> None:
    """There is nothing to draw before; with pay all along, more cash than pay, or no pay, the same withdrawals are a red flag."""
    shops = [(f"2025-{month:02d}-11", -4_000, "TESCO STORES") for month in range(1, 13)]
    wages = [(f"2025-{month:02d}-05", 200_037, "ACME LTD SALARY") for month in range(paid_from, 13)]
    cash = [
        (f"2025-{month:02d}-{day:02d}", -drawn, "ATM CASH WITHDRAWAL")
        for month in range(6, 13)
        for day in (5, 9, 16, 27)
    ]
    gift = ("2025-01-02", 300_000, "TRANSFER")
    flags = codes(derive(ledger(gift, *shops, *wages, *cash), as_of=AS_OF))
    assert ("cash_drawn_more" in flags) == found


def test_the_share_of_cash_says_that_own_transfers_and_refunds_are_not_in_the_whole(ledger: Ledger) -> None:
    """The ledger of all credits has a larger sum, which is another thing."""
    rows = ledger(*pay(), *((f"2025-{month:02d}-09", 210_000, "CASH DEPOSIT") for month in range(1, 13)))
    flags = derive(rows, as_of=AS_OF).flags
    (message,) = flags.loc[flags["code"] == "cash_intensive", "message"]
    assert "of all credits but own transfers and refunds (" in message
