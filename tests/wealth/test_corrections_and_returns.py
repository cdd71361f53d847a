"""Pay that is paid again, benefits that are claimed back, deals that are called off, and owners who pay themselves."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize("word", ["CORRECTED", "REISSUE", "ADJ"])
def test_pay_that_is_recalled_and_paid_again_stays_in_its_stream(ledger: Ledger, word: str) -> None:
    paid = [("01-30", 174_402), ("02-27", 174_402), ("03-31", 174_402), ("04-30", 179_160)]
    paid += [("05-29", 171_960), ("06-30", 179_160), ("07-31", 179_160)]
    rows = [(f"2026-{day}", amount, "TREWARTHA CARE LTD WAGES") for day, amount in paid]
    rows += [
        ("2026-06-01", -171_960, "BACS RECALL TREWARTHA CARE LTD 29MAY"),
        ("2026-06-03", 179_160, f"TREWARTHA CARE LTD WAGES {word}"),
    ]
    wealth = derive(ledger(*rows, counterparty_name="Trewartha Care Ltd"), as_of="2026-08-20")
    (stream,) = wealth.streams.itertuples()
    assert (stream.count, stream.total_minor, stream.cadence) == (7, 1_239_846, "monthly")


def test_a_second_series_of_one_payer_is_still_its_own_stream(ledger: Ledger) -> None:
    days = pd.date_range("2025-01-28", periods=8, freq="MS") + pd.Timedelta(days=27)
    rows = [(day, 213_417, "ORBEN CARE LTD SALARY") for day in days]
    rows += [(day - pd.Timedelta(days=17), 41_000, "ORBEN CARE LTD CAR SHARE") for day in days]
    wealth = derive(ledger(*rows, counterparty_name="Orben Care Ltd"), as_of="2025-10-20")
    assert sorted(wealth.streams["count"]) == [8, 8]


@pytest.mark.parametrize(
    ("country", "paid", "back"),
    [
        ("FR", "CPAM RHONE IJ MATERNITE", "CPAM RHONE RECUP INDU IJ"),
        ("FR", "CAF DU NORD APL", "CAF DU NORD REPRISE INDU"),
        ("DE", "JOBCENTER GERA BUERGERGELD", "JOBCENTER GERA RUECKFORDERUNG"),
        ("GB", "LEEDS CITY COUNCIL HOUSING BENEFIT", "LEEDS CITY COUNCIL OVERPAYMENT RECOVERY"),
    ],
)
def test_what_an_office_claims_back_is_no_income(ledger: Ledger, country: str, paid: str, back: str) -> None:
    days = ["2025-03-04", "2025-03-18", "2025-04-01", "2025-04-15", "2025-04-29", "2025-05-13"]
    rows = [(day, 121_940, paid) for day in days] + [("2025-05-26", -61_230, back)]
    wealth = derive(ledger(*rows), country=country, as_of="2025-08-20")
    assert wealth.credits["returned_minor"].sum() == 61_230


@pytest.mark.parametrize(
    ("country", "paid", "back", "desk", "returned"),
    [
        ("GB", "DWP UC", "DWP DEBT MGMT REPAYMENT", "DWP DEBT MANAGEMENT", 31_860),
        ("GB", "DWP UC", "OVERPAYMENT REPAID", "DEPT FOR WORK & PENSIONS", 31_860),
        ("GB", "DWP UC", "ARREARS REPAYMENT", "DWP UC", 31_860),
        ("GB", "TEACHERS PENSIONS", "OVERPAYMENT REPAID", "TEACHERS PENSION SCHEME", 31_860),
        ("FR", "CAF DU NORD", "REMBOURSEMENT INDU", "CAF RECOUVREMENT", 31_860),
        ("DE", "JOBCENTER GERA", "RUECKZAHLUNG", "BUNDESAGENTUR FUER ARBEIT INKASSO SERVICE", 31_860),
        ("GB", "DWP UC", "RETURNED", "HOLLIS JOINERY LTD", 0),
        ("GB", "TEACHERS PENSIONS", "OVERPAYMENT REPAID", "KELHAM BREWERY PENSION FUND", 0),
        ("GB", "HOLLIS JOINERY LTD", "OVERPAYMENT REPAID", "DEPT FOR WORK & PENSIONS", 0),
    ],
)
def test_arrears_go_back_to_another_desk_of_the_office_that_paid_them(
    ledger: Ledger, country: str, paid: str, back: str, desk: str, returned: int
) -> None:
    usual = zip(
        pd.date_range("2025-01-14", periods=6, freq="28D"), range(69_940, 76_000, 1_000), strict=False
    )
    rows = [(str(day.date()), minor, paid, {"counterparty_name": paid}) for day, minor in usual]
    rows += [("2025-05-22", 31_860, f"{paid} ARREARS", {"counterparty_name": paid})]
    rows += [("2025-07-03", -31_860, back, {"counterparty_name": desk})]
    wealth = derive(ledger(*rows), country=country, as_of="2025-08-20")
    assert wealth.credits["returned_minor"].sum() == returned


@pytest.mark.parametrize(
    "text",
    ["SUMMIT TITLE CANCELLED CONTRACT", "SUMMIT TITLE SALE FELL THROUGH", "SUMMIT TITLE ABORTED PURCHASE"],
)
def test_a_down_payment_that_comes_back_is_no_sale(ledger: Ledger, text: str) -> None:
    rows = [
        ("2025-05-22", -2_200_000, "WIRE OUT SUMMIT TITLE DOWN PAYMENT"),
        ("2025-06-09", 2_200_000, f"WIRE IN {text}"),
    ]
    frame = ledger(*rows, counterparty_name="SUMMIT TITLE ESCROW")
    assert derive(frame, country="US", as_of="2025-08-20").credits["disposition"].tolist() == ["refund"]


def test_what_an_owner_draws_from_a_business_account_is_an_own_transfer(ledger: Ledger) -> None:
    rows = []
    for month in range(1, 8):
        rows.append((f"2025-{month:02d}-28", -90_000, "DRAWINGS", {"account_id": "BUS"}))
        rows.append((f"2025-{month:02d}-28", 90_000, "FERGAL DUNPHY DRAWINGS", {"account_id": "PERS"}))
    customers = pd.DataFrame([{"customer_id": "C1", "first_name": "Fergal", "last_name": "Dunphy"}])
    wealth = derive(ledger(*rows, counterparty_name="Fergal Dunphy"), customers, as_of="2025-08-20")
    assert set(wealth.credits["disposition"]) == {"own_transfer"}
    assert set(wealth.pairs["verdict"]) == {"certain"}


@pytest.mark.parametrize("text", ["CASH TIPS DEP ATM", "CASH TIPS DEPOSIT", "ATM DEP CASH 4471"])
def test_cash_that_is_called_tips_is_cash(ledger: Ledger, text: str) -> None:
    rows = [("2025-07-06", 42_000, text), ("2025-08-03", 51_000, text), ("2025-08-24", 36_500, text)]
    assert set(derive(ledger(*rows), country="US", as_of="2025-09-20").credits["type"]) == {"cash_deposit"}


@pytest.mark.parametrize("bureau", ["PAYCHEX", "PAYLOCITY", "ADP PAYROLL", "GUSTO PAYROLL"])
def test_a_firm_that_pays_through_a_payroll_bureau_pays_its_staff(ledger: Ledger, bureau: str) -> None:
    amounts = [68_840, 70_120, 75_000, 73_380, 71_850, 69_000, 65_520]
    days = pd.date_range("2025-06-06", periods=len(amounts), freq="14D")
    rows = [
        (day, amount, f"KETTLE CREEK RAFTING LLC {bureau}") for day, amount in zip(days, amounts, strict=True)
    ]
    frame = ledger(*rows, counterparty_name="KETTLE CREEK RAFTING")
    assert set(derive(frame, country="US", as_of="2025-09-20").credits["type"]) == {"employment"}


def test_investments_that_are_sold_are_a_sale_and_no_yield(ledger: Ledger) -> None:
    frame = ledger(("2025-05-20", 2_200_000, "VANGUARD SELL INVESTMENT"), counterparty_name="VANGUARD GROUP")
    assert derive(frame, country="US", as_of="2025-08-20").credits["type"].tolist() == ["asset_sale"]


def test_what_an_employer_adds_to_a_benefit_is_pay(ledger: Ledger) -> None:
    rows = [
        ("2025-11-28", 187_140, "ZUSCHUSS MUTTERSCHAFTSGELD 11/2025"),
        ("2025-12-29", 193_580, "ZUSCHUSS ZUM MUTTERSCHAFTSGELD 12/2025"),
        ("2026-01-28", 129_020, "AG-ZUSCHUSS MUTTERSCHAFTSGELD 01/2026"),
    ]
    frame = ledger(*rows, counterparty_name="Medizintechnik Lauterbach GmbH")
    assert set(derive(frame, country="DE", as_of="2026-03-20").credits["type"]) == {"employment"}


@pytest.mark.parametrize(
    ("called", "scheme"),
    [
        ("DEPOSIT 14B", "DPS DEPOSIT 14B"),
        ("14B FIRST PAYMENT", "TENANCY DEPOSIT SCHEME"),
        ("BOND", "MYDEPOSITS 8812"),
        ("LINDLEY", "RENTAL BONDS ONLINE"),
    ],
)
def test_a_deposit_that_a_landlord_pays_into_a_scheme_is_no_rent(
    ledger: Ledger, called: str, scheme: str
) -> None:
    tenant = {"counterparty_name": "T LINDLEY"}
    rows = [(f"2025-{month:02d}-05", 95_000, "14B RENT", tenant) for month in range(3, 9)]
    rows += [
        ("2025-02-26", 109_600, called, tenant),
        ("2025-02-28", -109_600, scheme, {"counterparty_name": None}),
    ]
    wealth = derive(ledger(*rows), as_of="2025-08-20")
    assert wealth.streams["total_minor"].tolist() == [6 * 95_000]
    (deposit,) = wealth.credits[wealth.credits["amount_minor"] == 109_600].itertuples()
    assert (deposit.disposition, deposit.returned_minor) == ("refund", 109_600)
    assert "passed on" in deposit.reason


def test_a_sum_that_two_tenants_paid_is_not_taken_for_the_deposit_of_one(ledger: Ledger) -> None:
    rows = [
        ("2025-02-24", 95_000, "RENT A", {"counterparty_name": "T LINDLEY"}),
        ("2025-02-26", 95_000, "RENT B", {"counterparty_name": "M OKAFOR"}),
    ]
    rows.append(("2025-02-28", -95_000, "DPS DEPOSIT 14B", {"counterparty_name": None}))
    assert derive(ledger(*rows), as_of="2025-08-20").credits["returned_minor"].sum() == 0
