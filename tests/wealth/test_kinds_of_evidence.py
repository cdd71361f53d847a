"""Which evidence outranks which, a kind of reasoning at a time."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def of(ledger: Ledger, text: str, amount: int = 123_456, count: int = 1, **extra: object) -> Wealth:
    """Derive equal payments of one text, a month apart."""
    days = pd.date_range("2025-01-28", periods=count, freq="MS") + pd.Timedelta(days=27)
    rows = [(str(day.date()), amount, text, extra) for day in days]
    return derive(ledger(*rows), as_of=AS_OF)


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("MATMUT SINISTRE TOITURE RUE FOCH", "settlement"),
        ("ESURE CLM WINDSCREEN FORD KA", "settlement"),
        ("BARCLAYS LOAN KITCHEN EXTENSION", "loan"),
        ("CHARLES STANLEY DIV UNILEVER ORD", "investment_income"),
        ("SYKES COTTAGES OWNER SEAVIEW WHITBY", "rental_income"),
        ("LEEDS BS MATURITY ACC HOLLINGS", "savings"),
    ],
)
def test_a_known_name_and_what_such_a_payer_pays_say_it_whatever_else_is_written(
    ledger: Ledger, text: str, type_: str
) -> None:
    assert type_of(of(ledger, text)) == type_


@pytest.mark.parametrize(
    "text",
    [
        "AVIVA CLAIM HANDLERS LTD",
        "ESURE CLAIMS CONSULTANTS",
        "MATMUT TOITURE RUE FOCH SINISTRE",
        "AVIVA ROAD CAFE CLAIM",
    ],
)
def test_another_firms_name_that_begins_like_a_known_one_names_nobody(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("GROSS INTEREST DEPOSIT A/C KBC", "interest"),
        ("LODGEMENT CASH DAME COURT", "cash_deposit"),
        ("DWP BEREAVEMENT PAYMENT 7K", "state_benefit"),
        ("FINAL SALARY THORPE AND LUND BAKERS", "employment"),
        ("STATUTORY REDUNDANCY PAY OAKDENE MOTORS", "employment"),
        ("INV 3077 MARLEY ARCHITECTS", "self_employment"),
        ("CLAIM 88-QX ZURICH", "settlement"),
        ("TEACHERS PENS 0418 QX", "pension"),
        ("DELIVEROO RESTAURANT PYMT", "business_income"),
        ("DELIVEROO RIDER PYMT", "self_employment"),
        ("HASTEE PAY ADVANCE", "loan"),
        ("PAYCHEX INVOICE CORNER DINER", "employment"),
    ],
)
def test_of_two_readings_the_one_that_can_be_is_taken(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(of(ledger, text)) == type_


@pytest.mark.parametrize(
    ("name", "text", "amount", "type_"),
    [
        ("BAECKEREI LUETKE GMBH", "SEPA-Gutschrift SVWZ+Lohn Mai Bäckerei Lütke GmbH", 171_315, "employment"),
        ("EHPAD RENTE ET REPOS", "VIR RENTE ET REPOS EHPAD SALAIRE", 171_315, "employment"),
        ("HALVERS PRATT LLP", "HALVERS PRATT LLP COMPLETION SALE OF SHARES", 18_123_456, "business_sale"),
        ("HALVERS PRATT LLP", "HALVERS PRATT LLP COMPLETION SALE 4 OAK LANE", 18_123_456, "property_sale"),
    ],
)
def test_the_words_of_the_payers_name_say_nothing_of_the_payment(
    ledger: Ledger, name: str, text: str, amount: int, type_: str
) -> None:
    assert type_of(of(ledger, text, amount, counterparty_name=name)) == type_


@pytest.mark.parametrize(
    ("name", "text", "amount", "count"),
    [
        ("L MOREAU", "MY SHARE OF THE INHERITANCE", 4_100_000, 1),
        ("D BRANDT", "LOAN AS AGREED", 2_500_000, 1),
        ("R HAMID", "CAR SALE", 990_000, 3),
        ("CALDERA ADVISORY LLP", "SETTLEMENT", 6_400_000, 1),
    ],
)
def test_a_large_sum_that_only_a_strangers_words_explain_has_no_known_nature(
    ledger: Ledger, name: str, text: str, amount: int, count: int
) -> None:
    wealth = of(ledger, text, amount, count, counterparty_name=name)
    assert type_of(wealth) in {"other", "person_transfer"}


def test_a_used_car_sold_once_by_a_person_is_still_its_sale(ledger: Ledger) -> None:
    assert type_of(of(ledger, "CAR SALE", 240_000, counterparty_name="R HAMID")) == "asset_sale"


@pytest.mark.parametrize(
    ("name", "text", "type_"),
    [
        ("P HARTNELL", "BATHROOM TILING PART TWO", "self_employment"),
        ("S IBBOTSON", "PIANO LESSON MAY", "self_employment"),
        ("MRS C FAIRLIE", "HAPPY 30TH LOVE GRANDMA", "gift"),
        ("G OYELARAN", "BIKE MONEY CHEERS", "asset_sale"),
        ("G OYELARAN", "CURRY FRI", "person_transfer"),
        ("TILING WORLD LTD", "TILING WORLD LTD 4410", "other"),
    ],
)
def test_what_persons_pay_each_other_for_is_said_by_their_words_and_only_by_theirs(
    ledger: Ledger, name: str, text: str, type_: str
) -> None:
    assert type_of(of(ledger, text, 14_000, counterparty_name=name)) == type_


@pytest.mark.parametrize(
    ("name", "text", "type_"),
    [
        ("KRUPP PENSIONSKASSE VVAG", "RENTENZAHLUNG 07", "pension"),
        ("DEBEKA KRANKENVERSICHERUNG", "ERSTATTUNG ARZTRECHNUNG LEISTUNG", "settlement"),
        ("", "CHARLES SCHWAB MONEYLINK DIV", "investment_income"),
        ("", "ZELLE FROM T BAXTER UNIT 4 RENT", "rental_income"),
        ("", "ESTATE OF J HALL DISTRIBUTION", "inheritance"),
        ("", "LIEFERANDO PARTNER AUSZAHLUNG", "business_income"),
    ],
)
def test_the_payers_trade_outranks_a_word_that_others_use_differently(
    ledger: Ledger, name: str, text: str, type_: str
) -> None:
    assert (
        type_of(of(ledger, text, 1_823_456 if "ESTATE" in text else 61_234, counterparty_name=name or None))
        == type_
    )


@pytest.mark.parametrize("purpose", ["SALA", "PENS"])
def test_a_purpose_code_of_a_private_person_is_no_better_than_the_word(ledger: Ledger, purpose: str) -> None:
    by_person, by_firm = (
        of(ledger, "FPI 00231", 482_190, 12, counterparty_name=name, purpose=purpose)
        for name in ("DMITRI SOKOLOV", "HALDANE ROOFING LTD")
    )
    assert by_person.streams["doubtful"].tolist() == [True]
    assert by_person.streams["type_confidence"].tolist() == ["low"]
    assert by_person.explained_share("C1", "GBP") == 0
    assert by_person.sufficiency("C1", "P1", 20_000, "GBP").answer != "supported"
    assert by_firm.streams["doubtful"].tolist() == [False]
