"""What firms pay beside a salary: retainers of many firms without tax, and purchases that a firm pays for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary

_MONTH = 30.4
_STEMS = [
    "Ravenshaw",
    "Oldcastle",
    "Kettlewell",
    "Summerhill",
    "Thornbury",
    "Ashgrove",
    "Pendlewick",
    "Marrowby",
    "Hexleigh",
    "Coldwater",
]
_ENDS = ("Ltd", "Holdings Ltd", "Trading Ltd", "Group Ltd")


def _firms(d: Diary, count: int) -> list[str]:
    return [f"{stem} {d.rng.choice(_ENDS)}" for stem in d.rng.sample(_STEMS, count)]


def lends_the_name(d: Diary) -> None:
    """A director of many firms by name only is paid the same round fee by each, month after month."""
    for firm in _firms(d, d.rng.randint(7, 10)):
        fee, on = d.rng.choice((100, 150, 200, 250)), d.rng.randint(1, 27)
        for month in range(12):
            d.pay(month * _MONTH + on, fee, firm, d.rng.choice(("FEE", "SERVICES", "")))


def school_paid_by_a_firm(d: Diary) -> None:
    """A firm pays what the school of the customer's child costs, term by term."""
    firm, school = _firms(d, 1)[0], d.rng.choice(("Ashdown College", "Highfield School"))
    for term in range(3):
        day, fee = 30 + term * 110 + d.rng.randint(0, 20), d.rng.randint(4000, 9000)
        d.pay(day, fee, firm, d.rng.choice(("CONSULTANCY", "SUPPORT", "INV 77")))
        d.pay(day + d.rng.randint(1, 6), -fee * d.rng.choice((1, 0.98, 0.95)), school, "FEES")


def buyer_called_a_consultant(d: Diary) -> None:
    """Suppliers of the employer call what they pay a buyer consultancy; the buyer mends things at home."""
    for firm in _firms(d, 3):
        for _ in range(d.rng.randint(3, 4)):
            d.pay(d.day(10, 350), d.rng.randint(5, 14) * 500, firm, d.rng.choice(("CONSULTANCY", "INV 12")))
    for _ in range(14):
        d.pay(d.day(5, 355), -d.rng.randint(6, 60), "Screwfix", "SCREWFIX", code="PMNT-CCRD-POSD")


def electrician_at_weekends(d: Diary) -> None:
    """Firms pay for work that an employee does at weekends, with materials to match."""
    for firm in _firms(d, 3):
        for _ in range(d.rng.randint(3, 4)):
            day, price = d.day(10, 350), d.rng.randint(10, 24) * 100
            d.pay(day, price, firm, f"INV {d.rng.randint(10, 99)}")
            d.pay(day - 3, -price * 0.4, "Screwfix", "SCREWFIX", code="PMNT-CCRD-POSD")


def bookkeeper(d: Diary) -> None:
    """Clients of a declared trade pay by standing order, and the tax follows."""
    for firm in _firms(d, 8):
        fee, on = d.rng.choice((100, 150, 200, 250)), d.rng.randint(1, 27)
        for month in range(12):
            d.pay(month * _MONTH + on, fee, firm, "BOOKKEEPING")
    for day in (210, 330):
        d.pay(day, -d.rng.randint(1800, 2600), "HMRC", "SELF ASSESSMENT")


def two_boards(d: Diary) -> None:
    for firm in _firms(d, 3):
        fee, on = d.rng.choice((500, 1000)), d.rng.randint(1, 27)
        for month in range(12):
            d.pay(month * _MONTH + on, fee, firm, "BOARD FEE")


def school_paid_from_invoices(d: Diary) -> None:
    """A consultant lives on what several clients pay, and pays a school from it."""
    for firm in _firms(d, 2):
        for _ in range(8):
            d.pay(d.day(5, 350), d.rng.randint(2500, 9000), firm, f"INV {d.rng.randint(10, 99)}")
    for term in range(3):
        d.pay(40 + term * 110, -d.rng.randint(4500, 6000), "Highfield School", "FEES")
    for day in (210, 330):
        d.pay(day, -d.rng.randint(7000, 9000), "HMRC", "SELF ASSESSMENT")


def school_paid_by_grandmother(d: Diary) -> None:
    gran = d.person()
    for term in range(3):
        day, fee = 30 + term * 110, d.rng.randint(4000, 7000)
        d.pay(day, fee, gran, d.rng.choice(("SCHOOL FEES", "FOR TOM", "")))
        d.pay(day + d.rng.randint(1, 6), -fee, "Highfield School", "FEES")


def care_home_paid_for_mother(d: Diary) -> None:
    """A mother of another surname pays in what her care home costs each month, with words that look like a firm's name."""
    mother = d.person()
    for month in range(12):
        d.pay(
            month * _MONTH + 4,
            1500 + d.rng.choice((0, 20, 40)),
            mother,
            d.rng.choice(("CARE HOME", "HOME FEES")),
        )
        d.pay(month * _MONTH + 6, -1500, "Sunrise Care Home", "STANDING ORDER", code="PMNT-ICDT-STDO")


def roof_paid_by_the_insurer(d: Diary) -> None:
    day, loss = d.day(), d.rng.randint(5000, 12000)
    d.pay(day, loss, "Aviva", "CLAIM")
    d.pay(day + 5, -loss, "Thornbury Roofing Ltd", "INVOICE")


_KINDS: tuple[tuple[Callable[[Diary], None], str], ...] = (
    (lends_the_name, "firms_beside_salary"),
    (school_paid_by_a_firm, "pass_through"),
    (buyer_called_a_consultant, "firms_beside_salary"),
    (electrician_at_weekends, ""),
    (bookkeeper, ""),
    (two_boards, ""),
    (school_paid_from_invoices, ""),
    (school_paid_by_grandmother, ""),
    (care_home_paid_for_mother, ""),
    (roof_paid_by_the_insurer, ""),
)


@pytest.fixture(scope="module")
def beside() -> dict[str, list[dict[str, str]]]:
    return codes_by_kind(derived_kinds([(make, bool(code)) for make, code in _KINDS]))


@pytest.mark.parametrize(("make", "code"), _KINDS)
def test_only_what_no_trade_explains_is_a_flag(
    beside: dict[str, list[dict[str, str]]], make: Callable[[Diary], None], code: str
) -> None:
    every = beside[make.__name__]
    if code:
        assert [one.get(code) for one in every] == ["edd"] * len(SEEDS)
    else:
        assert not ["edd" for one in every if "edd" in one.values()]
