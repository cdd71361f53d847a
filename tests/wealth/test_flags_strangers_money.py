"""Strangers' money that leaves slowly, as goods, as a bill or as crypto in parts, and honest lives in which many people pay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wealth.flag_parts import SEEDS, Stories, codes, derived_kinds, is_found
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flag_sentences import of_its_payments, with_payments

_CARD, _DEBITED = "PMNT-CCRD-POSD", "PMNT-RDDT-PMDD"
_MONTH = 30.4


def patient_mule(d: Diary) -> None:
    """Each sum waits two or three weeks."""
    start = d.day(40, 110)
    for number, name in enumerate(d.people(8)):
        day, amount = start + 13 * number, d.rng.randint(1300, 4200)
        d.pay(day, amount, name)
        d.pay(day + d.rng.randint(15, 20), -amount * d.rng.uniform(0.9, 0.96), d.person())


def reshipper(d: Diary) -> None:
    start = d.day(40, 200)
    for number, name in enumerate(d.people(7)):
        day, amount = start + 6 * number, d.rng.randint(700, 2600)
        d.pay(day, amount, name)
        d.pay(day + 1, -amount * 0.95, d.rng.choice(("Apple Store", "Currys", "Selfridges")), code=_CARD)


def mortgage_paid_in_turns(d: Diary) -> None:
    names, due = d.people(6), d.rng.randint(900, 1600)
    for month in range(12):
        d.pay(month * _MONTH + 3, due + d.rng.choice((-20, 0, 10, 30)), names[month % 6])
        d.pay(month * _MONTH + 5, -due, "Nationwide Mtg", code=_DEBITED)


def moved_on_to_a_mortgage_by_name(d: Diary) -> None:
    """Nobody collects it: whoever is paid is only called so."""
    due = d.rng.randint(900, 1600)
    for number, name in enumerate(d.people(12)):
        d.pay(number * 28 + 3, due + d.rng.choice((-20, 0, 10, 30)), name)
        d.pay(number * 28 + 5, -due, "Ravenshaw Mortgages")


def invoice_into_crypto(d: Diary) -> None:
    day, amount = d.day(60, 250), d.rng.randint(9, 24) * 1000
    d.pay(day, amount, "Halden Trading Ltd", "INV 4417")
    for part in range(8):
        d.pay(day + 2 + 3 * part, -amount * 0.12, "Kraken")


def carer_who_takes(d: Diary) -> None:
    """An old person pays the one who helps, at first for shopping and then ever more."""
    old, amount = d.person(), d.rng.randint(150, 260)
    for number in range(14):
        d.pay(40 + 20 * number + d.rng.randint(0, 5), amount, old, d.rng.choice(("", "SHOPPING", "GIFT")))
        amount = round(amount * d.rng.uniform(1.12, 1.25))


def sends_for_others(d: Diary) -> None:
    """Many people pay in what they want carried abroad, most of them several times; money changers get it in bulk."""
    names, held = [f"{d.person()}son {chr(65 + number)}{number}" for number in range(26)], 0
    for number in range(110):
        day, amount = 5 + 3 * number, 10 * d.rng.randint(8, 50)
        d.pay(day, amount, d.rng.choice(names))
        held += amount
        if held > 2_700:
            changer = d.rng.choice(("Golden Exchange LLC", "Rapid FX Deira", "Horizon Forex"))
            d.pay(day + 1, -0.98 * held, changer)
            held = 0


def sells_to_a_circle(d: Diary) -> None:
    """The same even sum from a circle of people, and cash; one person gets most of both."""
    circle = [f"{d.person()}son {chr(65 + number)}{number}" for number in range(20)]
    supplier, price = d.person(), d.rng.choice((40, 60, 80))
    for number in range(48):
        d.pay(20 + 7 * number, price, d.rng.choice(circle), d.rng.choice(("", "FOOD", "TAXI", "THANKS")))
        d.pay(22 + 7 * number, d.rng.choice((120, 200, 260)), "Cash Paid In Leeds")
    for number in range(22):
        d.pay(
            30 + 15 * number, -d.rng.randint(38, 46) * 10, supplier, d.rng.choice(("", "TOOLS", "SHOPPING"))
        )


def changes_money_for_a_trip(d: Diary) -> None:
    """Friends pay their share of the currency that one of them bought."""
    d.pay(150, -2_400, "City Currency Exchange Ltd", code=_CARD)
    for name in d.people(5):
        d.pay(d.day(140, 160), 400, name, "TRIP")


def window_cleaner(d: Diary) -> None:
    """A round is paid in small even sums by transfer and in cash; a mate gets a part for helping."""
    round_ = [f"{d.person()}son {chr(65 + number)}{number}" for number in range(20)]
    mate = d.person()
    for number in range(48):
        d.pay(20 + 7 * number, 25, d.rng.choice(round_), "WINDOWS")
        d.pay(22 + 7 * number, d.rng.choice((60, 80)), "Cash Paid In Leeds")
    for month in range(12):
        d.pay(25 + month * _MONTH, -d.rng.randint(10, 14) * 10, mate, "HELP")


def carer_who_is_paid(d: Diary) -> None:
    """Shopping for a neighbour costs more before Christmas."""
    old = d.person()
    for number in range(26):
        d.pay(3 + 14 * number, d.rng.randint(80, 140) + (90 if number in {11, 12} else 0), old, "SHOPPING")


def tutor_with_more_lessons(d: Diary) -> None:
    family = d.person()
    for number in range(30):
        d.pay(5 + 11 * number, 35 * (1 + number // 10), family, "LESSONS")


def meals_shared(d: Diary) -> None:
    """Friends pay their share after the meal or the tickets."""
    for number, name in enumerate(d.people(9)):
        day, share = 20 + 30 * number, d.rng.randint(320, 600)
        d.pay(day, -share, "Ticketmaster", code=_CARD)
        d.pay(day + d.rng.randint(1, 6), share, name)


def flat_in_turns(d: Diary) -> None:
    """Three who share a flat pay a part of the rent to the one who pays it."""
    names, rent = d.people(3), d.rng.randint(1500, 2000)
    for month in range(12):
        for name in names:
            d.pay(month * _MONTH + 2, rent / 4, name, "RENT")
        d.pay(month * _MONTH + 4, -rent, "Foxley Lettings", code=_DEBITED)


def moves_house(d: Diary) -> None:
    """Furniture and a car are sold to strangers, and others bought from strangers."""
    for name in d.people(3):
        d.pay(d.day(60, 300), d.rng.randint(300, 1500), name, "SOFA")
    d.pay(d.day(60, 300), 3_800, d.person(), "CAR")
    d.pay(d.day(60, 300), -4_500, d.person(), "CAR")


def wage_into_crypto(d: Diary) -> None:
    for month in range(12):
        d.pay(month * _MONTH + 28, -300, "Kraken")


_KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (patient_mule, True),
    (reshipper, True),
    (mortgage_paid_in_turns, True),
    (moved_on_to_a_mortgage_by_name, True),
    (invoice_into_crypto, True),
    (carer_who_takes, True),
    (sends_for_others, True),
    (sells_to_a_circle, True),
    (changes_money_for_a_trip, False),
    (window_cleaner, False),
    (carer_who_is_paid, False),
    (tutor_with_more_lessons, False),
    (meals_shared, False),
    (flat_in_turns, False),
    (moves_house, False),
    (wage_into_crypto, False),
)


@pytest.fixture(scope="module")
def passed_on() -> Stories:
    return derived_kinds(_KINDS, salary=2_600)


@pytest.mark.parametrize(("make", "guilty"), _KINDS)
def test_strangers_money_is_found_however_it_leaves(
    passed_on: Stories, make: Callable[[Diary], None], *, guilty: bool
) -> None:
    found = [is_found(wealth) for kind, _, _, wealth in passed_on if kind == make.__name__]
    # Invented names may look like one person's, so a story may be missed.
    assert sum(found) >= len(SEEDS) - 1 if guilty else not any(found)


def seller_of_papers(d: Diary) -> None:
    for number in range(70):
        d.pay(
            5 + 5 * number,
            d.rng.choice((150, 200, 250, 300)),
            f"{d.person()}son {chr(65 + number % 26)}{number}",
        )


def house_cleared(d: Diary) -> None:
    for number in range(40):
        d.pay(
            5 + 9 * number,
            d.rng.choice((20, 40, 60, 120)),
            f"{d.person()}son {chr(65 + number % 26)}{number}",
        )


def seller_who_pays_tax(d: Diary) -> None:
    seller_of_papers(d)
    d.pay(320, -4_500, "HMRC", "SELF ASSESSMENT")


def feast(d: Diary, *, catered: bool) -> None:
    for first in ("Ingrid", "Tobias", "Marian"):
        d.pay(170, 4_000, f"{first} {d.customer.split()[1]}", "WEDDING")
    for number in range(60):
        d.pay(190 + number % 20, d.rng.choice((200, 300)), f"{d.person()}son {chr(65 + number % 26)}{number}")
    for text in ("VENUE", "CATERING", "BAND", "PHOTOGRAPHER") if catered else ():
        d.pay(200, -3_000, d.person(), text)


def wedding(d: Diary) -> None:
    feast(d, catered=True)


def wedding_without_a_feast(d: Diary) -> None:
    feast(d, catered=False)


@pytest.mark.parametrize(
    ("make", "level"),
    [
        (seller_of_papers, "review"),
        (wedding_without_a_feast, "review"),
        (wedding, None),
        (house_cleared, None),
        (seller_who_pays_tax, None),
    ],
)
def test_very_many_strangers_who_get_nothing_are_for_a_person_to_look_at(
    make: Callable[[Diary], None], level: str | None
) -> None:
    found = [
        codes(wealth).get("kept_from_many") for *_, wealth in derived_kinds([(make, True)], salary=2_600)
    ]
    assert found == [level] * len(SEEDS)


def test_every_number_of_the_sentences_follows_from_their_payments(passed_on: Stories) -> None:
    seen = set()
    for _, guilty, rows, wealth in passed_on:
        for flag, mine in with_payments(rows, wealth):
            if not guilty or flag["code"] not in {"pass_through", "sent_to_exchange"}:
                continue
            facts = flag["facts"]
            seen.add(facts["window_days"])
            own = of_its_payments(mine, int(rows["amount_minor"].clip(lower=0).sum()))
            assert {name: facts[name] for name in own if name in facts} == {
                name: own[name] for name in own if name in facts
            }
            into, out = mine[mine["amount_minor"] > 0], mine[mine["amount_minor"] < 0]
            for day in into["booked_on"]:
                assert any(0 <= (other - day).days <= facts["window_days"] for other in out["booked_on"])
    assert {5, 31} <= seen
