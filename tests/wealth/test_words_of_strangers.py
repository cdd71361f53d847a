"""What payers on no list write about their own payments is of low confidence unless the payer's name or the amounts support it."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
MONTHS = [f"2025-{month:02d}-25" for month in range(3, 9)]
WEEKS = [str(day.date()) for day in pd.date_range("2025-03-07", periods=8, freq="7D")]
ODD = ["2025-01-06", "2025-01-24", "2025-03-03", "2025-04-22", "2025-06-19", "2025-09-30"]
UNEVEN = [0, 1_311, 0, 2_477, -1_902, 0, 903, 0]


def of(ledger: Ledger, days: list[str], amount: int, text: str, payer: str | None, **extra: object) -> Wealth:
    """Derive equal payments of one text, in pounds."""
    named = {"counterparty_name": payer} if payer else {}
    rows = [(day, amount * 100, text, {**named, **extra}) for day in days]
    return derive(ledger(*rows), as_of="2025-12-31")


def confidence(wealth: Wealth) -> str:
    """Return the confidence in the type of the only stream."""
    (only,) = wealth.streams["type_confidence"]
    return str(only)


@pytest.mark.parametrize("code", [None, "SALA"])
@pytest.mark.parametrize("amount", [2_500, 3_950, 4_990, 5_000])
@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("SALARY", "VENDORIX TRADE LTD"),
        ("SALARY", "VENDORIX"),
        ("SALARY", "ST MARYS HOSPITAL LTD"),
        ("SALARY VENDORIX TRADE LTD", None),
    ],
)
def test_equal_round_pay_from_a_firm_on_no_list_is_only_a_word(
    ledger: Ledger, text: str, payer: str | None, amount: int, code: str | None
) -> None:
    wealth = of(ledger, MONTHS, amount, text, payer, purpose=code)
    assert confidence(wealth) == "low"
    assert set(wealth.streams["type"]) == {"employment"}


@pytest.mark.parametrize(
    ("by_tax_year", "expected"),
    [
        ((2_000_00, 2_000_00, 2_000_00, 2_000_00), "low"),
        ((2_000_00, 2_100_00, 2_200_00, 2_300_00), "low"),
        ((2_000_00, 2_041_37, 2_099_12, 2_132_08), "medium"),
    ],
)
def test_years_of_round_pay_on_working_days_are_only_a_word_and_pay_that_follows_the_tax_tables_is_not(
    ledger: Ledger, by_tax_year: tuple[int, ...], expected: str
) -> None:
    """A standing order keeps to its day for years too, through every change of the tax tables."""
    days = [str(day.date()) for day in pd.bdate_range("2023-01-01", "2025-12-31", freq="BME")]
    rows = [
        (day, by_tax_year[int(day[:4]) - 2023 + (day[5:] >= "04-06")], "HOLLIS JOINERY SALARY E1047")
        for day in days
    ]
    wealth = derive(ledger(*rows, counterparty_name="HOLLIS JOINERY LTD"), as_of="2025-12-31")
    assert confidence(wealth) == expected


@pytest.mark.parametrize("days", [MONTHS, ODD])
@pytest.mark.parametrize("code", ["BACS", "BGC", "FPI"])
def test_a_scheme_for_firms_shows_that_a_firm_pays_and_not_what_for(
    ledger: Ledger, code: str, days: list[str]
) -> None:
    wealth = of(ledger, days, 5_000, "SALARY", "VENDORIX TRADE LTD", bank_code=code)
    assert confidence(wealth) == "low"
    rows = [(day, 214_317, "SALARY", {"bank_code": code}) for day in MONTHS]
    uneven = derive(ledger(*rows, counterparty_name="HOLLIS JOINERY LTD"), as_of="2025-12-31")
    assert confidence(uneven) == "medium"


@pytest.mark.parametrize(
    ("text", "amount", "days", "expected"),
    [
        ("WAGES", 500, "7D", "low"),
        ("WAGES", 200, "7D", "medium"),
        ("WAGES", 900, "14D", "low"),
        ("WAGES", 480, "14D", "medium"),
        ("INVOICE 22", 700, "7D", "low"),
    ],
)
def test_round_pay_by_the_week_is_measured_by_what_it_comes_to_in_a_year(
    ledger: Ledger, text: str, amount: int, days: str, expected: str
) -> None:
    paid = [str(day.date()) for day in pd.date_range("2025-01-03", periods=16, freq=days)]
    assert confidence(of(ledger, paid, amount, text, "VENDORIX TRADE LTD")) == expected


def test_years_of_round_pay_on_working_days_are_still_only_a_word(ledger: Ledger) -> None:
    days = [str(day.date()) for day in pd.date_range("2023-01-01", periods=35, freq="BME")]
    rows = [
        (day, 200_000 + 6_000 * (int(day[:4]) - 2023 + (day[5:7] >= "04")), "SALARY ACC MTH 04 EMP 0231")
        for day in days
    ]
    wealth = derive(ledger(*rows, counterparty_name="HOLLIS JOINERY LTD"), as_of="2025-12-31")
    assert confidence(wealth) == "low"
    assert set(wealth.streams["type"]) == {"employment"}
    worked_out = [(day, minor + 1_731, text) for day, minor, text in rows]
    wealth = derive(ledger(*worked_out, counterparty_name="HOLLIS JOINERY LTD"), as_of="2025-12-31")
    assert confidence(wealth) == "medium"


def test_a_bank_code_for_pay_supports_round_pay(ledger: Ledger) -> None:
    rows = [(day, 250_000, "GEHALT", {"bank_code": "153"}) for day in MONTHS]
    wealth = derive(
        ledger(*rows, counterparty_name="Tischlerei Hollis GmbH"), country="DE", as_of="2025-12-31"
    )
    assert confidence(wealth) == "medium"


@pytest.mark.parametrize("text", ["CONSULTANCY FEE", "INVOICE 221", "COMMISSION", "ROYALTIES", "RENT"])
def test_other_regular_income_in_equal_round_sums_from_such_a_firm_is_only_a_word_too(
    ledger: Ledger, text: str
) -> None:
    assert confidence(of(ledger, MONTHS, 4_000, text, "VENDORIX TRADE LTD")) == "low"
    paid = [(day, 387_127 + more, text) for day, more in zip(MONTHS, UNEVEN, strict=False)]
    uneven = derive(ledger(*paid, counterparty_name="VENDORIX TRADE LTD"), as_of="2025-12-31")
    assert confidence(uneven) == "medium"


@pytest.mark.parametrize("days", [MONTHS, ODD])
@pytest.mark.parametrize(
    ("text", "payer", "amount"),
    [
        ("DIVIDEND", "SPARKLE CAR WASH LTD", 4_000),
        ("DIVIDEND", "PRETTY NAIL BAR", 3_517),
        ("INVESTMENT RETURNS", "GLOBEX FX LTD", 6_000),
        ("INVESTMENT RETURNS", "GLOBEX FX LTD", 6_143),
        ("SETTLEMENT", "QUORUM VALE LLP", 12_500),
        ("LOAN", "HODGE SOLICITORS", 3_000),
        ("DIVIDEND", "METRO CITY COUNCIL", 3_871),
        ("SUCCESSION", "ETUDE DUPONT NOTAIRES", 8_000),
        ("KAUFPREIS GRUNDSTUECK", "NOTAR DR WEBER", 18_350),
    ],
)
def test_what_a_payer_of_another_trade_writes_or_what_is_paid_once_stays_a_word_however_often_it_comes(
    ledger: Ledger, days: list[str], text: str, payer: str, amount: int
) -> None:
    assert confidence(of(ledger, days, amount, text, payer)) == "low"


@pytest.mark.parametrize(
    ("days", "text", "payer", "usual"),
    [
        (MONTHS, "SALARY", "HOLLIS JOINERY LTD", 214_317),
        (MONTHS, "HOLLIS JOINERY LTD WAGES", None, 98_041),
        (WEEKS, "WAGES", "HOLLIS JOINERY LTD", 41_230),
        (MONTHS, "DIRECTORS SALARY", "HOLLIS JOINERY LTD", 104_000),
    ],
)
def test_pay_in_amounts_that_are_not_round_is_supported_by_its_calendar(
    ledger: Ledger, days: list[str], text: str, payer: str | None, usual: int
) -> None:
    extra = {"counterparty_name": payer} if payer else {}
    for more in ([0] * len(days), UNEVEN):
        rows = [(day, usual + change, text, extra) for day, change in zip(days, more, strict=False)]
        assert confidence(derive(ledger(*rows), as_of="2025-12-31")) == "medium"


@pytest.mark.parametrize(
    ("amount", "text", "payer", "code", "expected"),
    [
        (1_500, "PENSION", "KELHAM BREWERY PENSION FUND", None, "medium"),
        (1_200, "RENT 4 MILL LANE", "BRIGHTWELL LETTINGS LTD", None, "medium"),
        (1_200, "RENT 4 MILL LANE", "MISS T WINSLADE", None, "medium"),
        (2_500, "SALARY", "ROLLS-ROYCE PLC", None, "high"),
        (2_500, "VENDORIX TRADE LTD", "VENDORIX TRADE LTD", "PMNT-RCDT-SALA", "high"),
        (41, "INTEREST", "MERIDIAN SAVINGS", None, "medium"),
        (3_211, "DIVIDEND", "HARGREAVES LANSDOWN", None, "high"),
    ],
)
def test_a_bank_a_list_or_a_name_of_the_trade_supports_round_amounts_too(
    ledger: Ledger, amount: int, text: str, payer: str, code: str | None, expected: str
) -> None:
    assert confidence(of(ledger, MONTHS, amount, text, payer, bank_code=code)) == expected


@pytest.mark.parametrize(
    ("text", "payer", "amount"),
    [
        ("DIVIDEND", "SPARKLE CAR WASH LTD", 4_000),
        ("INVESTMENT RETURNS", "GLOBEX FX LTD", 6_000),
        ("SETTLEMENT", "QUORUM VALE LLP", 12_500),
        ("TRUST DISTRIBUTION", "OAKFIELD FAMILY TRUST", 25_000),
        ("SUCCESSION", "ETUDE DUPONT NOTAIRES", 8_000),
        ("KAUFPREIS", "NOTAR DR WEBER", 180_000),
        ("KAUFPREIS", None, 180_000),
    ],
)
def test_one_payment_that_only_its_sender_explains_is_not_of_known_nature(
    ledger: Ledger, text: str, payer: str | None, amount: int
) -> None:
    wealth = of(ledger, ODD[:1], amount, text, payer)
    assert "known" not in set(wealth.nature("C1").query("total_minor > 0")["nature"])


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("CLAIM SETTLEMENT", "HARTLEY INSURANCE BROKERS LTD", "other"),
        ("CLAIM SETTLEMENT HARTLEY INSURANCE BROKERS", None, "other"),
        ("SCHADEN 4411", "KUNZE VERSICHERUNGSMAKLER GMBH", "other"),
        ("CLAIM SETTLEMENT", "HARTLEY INSURANCE LTD", "settlement"),
        ("SCHADEN 4411", "KUNZE VERSICHERUNG AG", "settlement"),
    ],
)
def test_insurers_pay_claims_and_brokers_of_insurance_do_not(
    ledger: Ledger, text: str, payer: str | None, type_: str
) -> None:
    assert of(ledger, ODD[:1], 4_311, text, payer).credits["type"].tolist() == [type_]


@pytest.mark.parametrize(
    ("amount", "payer", "type_"),
    [
        (28_000, "MARLOW LETTINGS LTD", "other"),
        (28_000, "MARLOW HOLDINGS LTD", "other"),
        (8_140, "MARLOW LETTINGS LTD", "rental_income"),
        (1_400, "MISS T WINSLADE", "rental_income"),
    ],
)
def test_one_rent_is_believed_up_to_what_tenants_pay_and_more_from_an_agent(
    ledger: Ledger, amount: int, payer: str, type_: str
) -> None:
    assert of(ledger, ODD[:1], amount, "RENT", payer).credits["type"].tolist() == [type_]


@pytest.mark.parametrize(
    ("sums", "type_"),
    [
        ([154_322, 158_810, 154_322, 161_090, 150_147, 157_103], "employment"),
        ([54_322, 188_810, 14_322, 261_090, 104_322, 77_103], "other"),  # bills
        ([154_322] * 6, "other"),  # as a site is let to a shop
        ([155_000, 160_000, 155_000, 160_000, 150_000, 155_000], "other"),
    ],
)
def test_a_shop_that_pays_similar_uneven_sums_every_month_pays_its_staff(
    ledger: Ledger, sums: list[int], type_: str
) -> None:
    rows = [(day, minor, "TESCO STORES LTD") for day, minor in zip(MONTHS, sums, strict=True)]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    assert set(credits_["type"]) == {type_}
    assert set(credits_["evidence_level"]) == {"pattern" if type_ == "employment" else "none"}
