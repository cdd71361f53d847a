"""Payees and payers that a name, a service or one odd payment shows in the wrong light: guilty and innocent lives that differ by little."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, codes_by_kind, derived_kinds, pay
from tests.wealth.money_patterns import Diary

from kycpack.wealth import derive

MONTH = 30.4
CARD, DEBITED = "PMNT-CCRD-POSD", "PMNT-RDDT-PMDD"
SHELLS = ("Meridian Star Trading Ltd", "Kestrel Bay Ventures Ltd", "Zenova Import Export Ltd")
Kind = Callable[[Diary], None]


def _pay_for(d: Diary, payee: str, text: str) -> None:
    """Pay from a firm nobody knows, nearly all of which goes to one payee within days."""
    amount = d.rng.randint(42, 60) * 50
    for month in range(3, 11):
        d.pay(month * MONTH + 26, amount, SHELLS[0], "SALARY")
        d.pay(month * MONTH + 28, -amount * d.rng.uniform(0.9, 0.95), payee, text)


# --- guilty


def pay_to_a_store(d: Diary) -> None:
    _pay_for(
        d, d.rng.choice(("Luxe Furniture Store", "Apex Builders", "Kings Garage", "Mayfair Travel")), "ORDER"
    )


def home_paid_by_firms(d: Diary) -> None:
    day = d.day(120, 300)
    paid = [d.rng.randint(28, 48) * 500 for _ in SHELLS]
    for firm, amount in zip(SHELLS, paid, strict=True):
        d.pay(day - d.rng.randint(3, 30), amount, firm, d.rng.choice(("", "CONSULTANCY")))
    d.pay(day, -sum(paid) * 0.96, "Hale & Co Solicitors", "COMPLETION")


def home_of_a_developer(d: Diary) -> None:
    day = d.day(120, 300)
    paid = [d.rng.randint(12, 26) * 500 for _ in range(4)]
    for name, amount in zip(d.people(4), paid, strict=True):
        d.pay(day - d.rng.randint(3, 50), amount, name, d.rng.choice(("", "GIFT", "HELP")))
    d.pay(day, -sum(paid) * 0.96, "Foxglove Homes Ltd", "PLOT 4")


def benefits_of_six(d: Diary) -> None:
    for month in range(12):
        for number, name in enumerate(("HOLT", "EZE", "RAI", "BELL", "NOWAK", "DUNN")):
            day = month * MONTH + 3 + 3 * number
            d.pay(day, 430 + 61 * number, "DWP UC", name)
            d.pay(day + 1, -(410 + 60 * number), "CASH WITHDRAWAL", "ATM")


def bets_by_card(d: Diary) -> None:
    for number in range(6):
        amount = d.rng.randint(32, 52) * 50
        d.pay(40 + 48 * number, amount, "CASH PAID IN")
        d.pay(41 + 48 * number, -amount, "WILLIAM HILL", "CD 4411", code=CARD)
        d.pay(46 + 48 * number, amount * d.rng.uniform(0.93, 0.97), "WILLIAM HILL", "WITHDRAWAL")


def _visitors(d: Diary, text: str = "") -> None:
    for name in d.people(45):
        for _ in range(d.rng.randint(1, 2)):
            d.pay(d.day(5, 355), d.rng.choice((60, 80, 120, 150)), name, d.rng.choice(("", "x", "room")))
    manager = d.person()
    for week in range(2, 52, 3):
        d.pay(week * 7, -d.rng.randint(200, 340), manager, text)


def visitors_and_a_cousin(d: Diary) -> None:
    """A namesake's one payment that calls itself work makes no trade."""
    _visitors(d)
    d.pay(d.day(), 150, f"Conor {d.customer.split()[-1]}", "INVOICE MASSAGE")


# --- innocent


def care_home_of_a_mother(d: Diary) -> None:
    """The daughter's pay goes there, and the mother pays the rest of it back to her."""
    mother = f"Ruth {d.customer.split()[-1]}"
    for month in range(12):
        d.pay(month * MONTH + 10, 700, mother, "CARE")
    _pay_for(
        d, d.rng.choice(("Rosewood Care Home", "Elm Court Nursing Home", "Hillside Residential Care")), "MUM"
    )


def school_of_a_child(d: Diary) -> None:
    _pay_for(d, d.rng.choice(("St Bede School", "Hillcrest Nursery", "Kings College School")), "FEES")


def let_houses_with_mortgages(d: Diary) -> None:
    for number, name in enumerate(d.people(5), 1):
        rent, on = d.rng.randint(24, 44) * 25, d.rng.randint(1, 6)
        for month in range(12):
            d.pay(month * MONTH + on, rent, name, f"FLAT {number}")
            d.pay(month * MONTH + on + 3, -rent * 0.85, "BTL MTG", f"{4400 + number}")


def treasurer_of_a_parish(d: Diary) -> None:
    for week in range(52):
        d.pay(week * 7 + 1, d.rng.randint(50, 90) * 5, "CASH PAID IN", "COLLECTION")
    for month in range(12):
        d.pay(
            month * MONTH + 9,
            -d.rng.randint(100, 115) * 10,
            d.rng.choice(("Diocese of Leeds", "Diocesan Board of Finance")),
            "PARISH SHARE",
        )


def home_sold_and_bought(d: Diary) -> None:
    day, price = d.day(), d.rng.randint(130, 240) * 1000
    d.pay(day, price, "Slater Heelis Solicitors", "SALE PROCEEDS")
    d.pay(day + 3, -price * 0.92, "Slater Heelis Solicitors", "PURCHASE COMPLETION")


def consultant_who_buys_a_home(d: Diary) -> None:
    for number in range(18):
        d.pay(10 + 19 * number, d.rng.randint(2400, 5200), SHELLS[number % 3], f"INV {number}")
    for day in (100, 280):
        d.pay(day, -5_800, "HMRC", "SELF ASSESSMENT")
    d.pay(300, -24_000, "Hale & Co Solicitors", "DEPOSIT")


def household_on_benefits(d: Diary) -> None:
    for month in range(12):
        for number, (day, amount) in enumerate(((4, 880), (8, 434), (12, 371))):
            d.pay(month * MONTH + day, amount, ("DWP UC", "DWP PIP", "DWP ESA")[number])
            d.pay(month * MONTH + day + 1, -amount * 0.9, "CASH WITHDRAWAL", "ATM")


GUILTY: tuple[Kind, ...] = (
    pay_to_a_store,
    home_paid_by_firms,
    home_of_a_developer,
    benefits_of_six,
    bets_by_card,
    visitors_and_a_cousin,
)
INNOCENT: tuple[Kind, ...] = (
    care_home_of_a_mother,
    school_of_a_child,
    let_houses_with_mortgages,
    treasurer_of_a_parish,
    home_sold_and_bought,
    consultant_who_buys_a_home,
    household_on_benefits,
)


def levels(kind: Kind, *, guilty: bool) -> list[set[str]]:
    (found,) = codes_by_kind(derived_kinds([(kind, guilty)])).values()
    return [set(one.values()) for one in found]


@pytest.mark.parametrize("kind", GUILTY)
def test_what_a_name_hides_is_found(kind: Kind) -> None:
    assert all("edd" in one for one in levels(kind, guilty=True))


@pytest.mark.parametrize("kind", INNOCENT)
def test_who_pays_what_anybody_may_pay_is_not(kind: Kind) -> None:
    assert not any("edd" in one for one in levels(kind, guilty=False))


@pytest.mark.parametrize(
    ("payee", "text", "is_changer"),
    [
        ("THE CYCLE EXCHANGE LTD", "BIKE", False),
        ("CORN EXCHANGE THEATRE", "", False),
        ("TELEPHONE EXCHANGE", "", False),
        ("LEEDS CURRENCY EXCHANGE", "", True),
        ("CITY EXCHANGE BUREAU", "", True),
        ("LULU EXCHANGE", "BIKE", True),
        ("ZEBRA EXCHANGE LLC", "BIKE", True),
        ("PIPIT CRYPTO EXCHANGE", "BIKE", True),
    ],
)
def test_an_exchange_changes_money_where_its_name_says_so(
    ledger: Ledger, payee: str, text: str, *, is_changer: bool
) -> None:
    sent = [
        (f"2025-{month:02d}-15", -30_000 * month, text, {"counterparty_name": payee})
        for month in range(1, 13)
    ]
    found = codes(derive(ledger(*pay(), *sent), as_of=AS_OF))
    assert ("round_sums_abroad" in found) == is_changer


@pytest.mark.parametrize("payee", ["KRAKEN EXCHANGE", "PIPIT CRYPTO EXCHANGE", "PIPIT BITCOIN EXCHANGE"])
@pytest.mark.parametrize("text", ["", "THEATRE TICKETS"])
def test_an_exchange_of_crypto_assets_is_flagged_whatever_the_payment_is_called(
    ledger: Ledger, payee: str, text: str
) -> None:
    sent = [
        (f"2025-{month:02d}-15", -30_000 * month, text, {"counterparty_name": payee})
        for month in range(1, 13)
    ]
    found = codes(derive(ledger(*pay(), *sent), as_of=AS_OF))
    assert "edd" in found.values()
    assert text or "crypto_beyond_income" in found


def test_a_firm_that_paid_a_few_times_within_weeks_does_not_pay_for_crypto_assets(ledger: Ledger) -> None:
    """Sums beside no income are not less for money that came in for a while: only what lasts is held against them."""
    bought = [
        (
            f"2025-{month:02d}-15",
            -200_000,
            "PIPIT CRYPTO EXCHANGE",
            {"counterparty_name": "PIPIT CRYPTO EXCHANGE"},
        )
        for month in range(1, 13)
    ]
    came = [
        (day, pence, "INV", {"counterparty_name": "HALDON TRADE LTD"})
        for day, pence in (
            ("2025-07-30", 1_570_000),
            ("2025-08-23", 2_128_500),
            ("2025-09-16", 1_355_500),
            ("2025-10-11", 2_154_000),
        )
    ]
    assert codes(derive(ledger(*bought, *came), as_of=AS_OF))["crypto_beyond_income"] == "edd"


def test_several_persons_money_for_a_home_is_examined_and_one_persons_is_help(ledger: Ledger) -> None:
    def passed(*givers: str) -> bool:
        rows = [
            (
                day,
                minor,
                giver if minor > 0 else "HARBOUR SOLICITORS",
                {"counterparty_name": giver if minor > 0 else "HARBOUR SOLICITORS"},
            )
            for giver, month in zip(givers, (2, 5, 8), strict=False)
            for day, minor in ((f"2025-{month:02d}-03", 900_000), (f"2025-{month:02d}-04", -899_000))
        ]
        return "pass_through" in codes(derive(ledger(*rows), as_of=AS_OF))

    assert passed("JOHN CARTER", "MARY LEWIS", "PETER HALL")
    assert not passed("JOHN CARTER", "JOHN CARTER", "JOHN CARTER")
