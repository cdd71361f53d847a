"""Benefits and tax refunds of many people in one account, and households that are due several of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, codes_by_kind, derived_kinds
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flag_sentences import of_its_payments, with_payments

_MONTH = 30.4


def benefits_of_many(d: Diary) -> None:
    """Each claim is paid once a month, and the money is withdrawn whenever it suits."""
    by_name = d.rng.random() < 0.5
    for number, name in enumerate(d.people(d.rng.randint(8, 11))):
        on, amount = d.rng.randint(1, 27), d.rng.randint(330, 1150)
        claim = name.split()[1] if by_name else f"{100_000 + 7919 * number}"
        for month in range(d.rng.randint(0, 4), 12):
            d.pay(month * _MONTH + on, amount, "DWP UC", claim)
    for _ in range(60):
        d.pay(d.day(), -300, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def refunds_of_many(d: Diary) -> None:
    for number in range(d.rng.randint(5, 9)):
        d.pay(d.day(), d.rng.randint(800, 3400), "HMRC", f"SA REPAYMENT {1_000_000_000 + 77_777 * number}")


def disabled_family(d: Diary) -> None:
    """Universal Credit, a carer's allowance, and the disability benefits of parents and children."""
    for number, (name, amount, days) in enumerate(
        (
            ("DWP UC", 1_140, _MONTH),
            ("DWP CA", 333.2, 28),
            ("DWP PIP", 749.8, 28),
            ("DWP PIP", 434.6, 28),
            ("DWP DLA", 610.4, 28),
            ("HMRC CHILD BENEFIT", 170.2, 28),
        )
    ):
        for time in range(13):
            d.pay(2 + 3 * number + time * days, amount, name)


def pensioners(d: Diary) -> None:
    for number, amount in enumerate((812.4, 640.8, 434.6, 294.4)):
        for time in range(13):
            d.pay(
                1 + 4 * number + 28 * time, amount, "DWP", f"STATE PENSION {number}" if number < 2 else "AA"
            )


def jobseekers(d: Diary) -> None:
    """Two fortnightly benefits in sums that are always the same come four times in four weeks."""
    for time in range(26):
        d.pay(3 + 14 * time, 362.4, "DWP ESA")
        d.pay(5 + 14 * time, 311.5, "DWP JSA")


def benefits_granted_late(d: Diary) -> None:
    """Arrears of four benefits are paid once, in parts, beside the first regular sums."""
    for number in range(4):
        d.pay(40 + 5 * number, 410 + 37 * number, "DWP", f"ARREARS {number}")
        for month in range(10):
            d.pay(42 + 4 * number + 28 * month, 333.2 + 90 * number, "DWP PIP")


def worker_with_refunds(d: Diary) -> None:
    """A subcontractor who corrects two years' returns."""
    for amount in (2_310, 1_874, 640, 415):
        d.pay(d.day(), amount, "HMRC", "SA REPAYMENT")


def exporter(d: Diary) -> None:
    """A trader whose value added tax is repaid each month."""
    for month in range(12):
        d.pay(month * _MONTH + 12, d.rng.randint(800, 2600), "HMRC", "VAT REPAYMENT")


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (benefits_of_many, True),
    (refunds_of_many, True),
    (disabled_family, False),
    (pensioners, False),
    (jobseekers, False),
    (benefits_granted_late, False),
    (worker_with_refunds, False),
    (exporter, False),
)


@pytest.fixture(scope="module")
def claimed() -> Stories:
    return derived_kinds(_KINDS, salary=None)


def test_claims_of_more_people_than_one_household_are_a_flag(claimed: Stories) -> None:
    found = codes_by_kind(claimed)
    for make, guilty in _KINDS:
        every = [one.get("claims_of_many") for one in found[make.__name__]]
        assert every == ["edd" if guilty else None] * len(SEEDS), make.__name__


def test_every_number_of_the_sentence_follows_from_its_payments(claimed: Stories) -> None:
    for _, guilty, rows, wealth in claimed:
        for flag, mine in with_payments(rows, wealth):
            if flag["code"] != "claims_of_many":
                continue
            facts = flag["facts"]
            own = of_its_payments(mine, int(rows["amount_minor"].clip(lower=0).sum()))
            assert {name: facts[name] for name in own if name in facts} == {
                name: own[name] for name in own if name in facts
            }
            days = mine["booked_on"].sort_values()
            if "HMRC" in mine["description_raw"].iloc[0]:
                assert (days.iloc[-1] - days.iloc[0]).days < facts["window_days"]
                continue
            assert guilty
            for day in days:
                near = mine[(mine["booked_on"] - day).abs().dt.days < facts["window_days"]]
                assert near["amount_minor"].nunique() >= facts["limit_count"]
