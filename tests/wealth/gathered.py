"""Small sums that are gathered or sent to ever new people, exporters and homes: guilty and honest stories, made up from published typologies."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary

_MONTH = 30.4
_ABROAD = ("Marisol Dacayan", "Jessa Pilapil", "Rowena Abuan", "Ligaya Tubera", "Nimfa Osorio", "Corazon Amante", "Liezl Bantug", "Arlene Gatdula", "Merly Sabado", "Tessie Ruelo", "Vilma Agcaoili", "Joy Panganiban", "Edna Cariaga", "Lani Mercado")  # fmt: skip
_STAKES = "PMNT-CCRD-POSD"


def _on_benefits(d: Diary, amount: float = 640) -> None:
    for month in range(12):
        d.pay(9 + month * _MONTH, amount, "DWP", "UNIVERSAL CREDIT")


def sells_what_never_comes(d: Diary) -> None:
    """Deposits for tickets and rooms, drawn in cash or sent to somebody."""
    _on_benefits(d)
    held, other = 0, d.person()
    for number, name in enumerate(d.people(18)):
        day, amount = 80 + 5 * number, d.rng.choice((60, 80, 110, 150))
        d.pay(day, amount, name, d.rng.choice(("TICKETS", "ROOM", "")))
        held += amount
        if held > 300:
            d.pay(day + 1, -0.5 * held // 10 * 10, "CASH WITHDRAWAL")
            d.pay(day + 2, -0.4 * held, other)
            held = 0


def lends_on_the_estate(d: Diary) -> None:
    """Ten or more borrowers pay a little each week, for months; the cash is lent again."""
    _on_benefits(d)
    for name in d.people(14):
        start, amount = d.rng.randint(5, 150), d.rng.choice((25, 30, 40, 50))
        for week in range(d.rng.randint(10, 20)):
            d.pay(start + 7 * week, amount, name)
    for week in range(50):
        d.pay(7 * week + 4, -d.rng.choice((150, 200, 250)), "CASH WITHDRAWAL")


def cause_without_costs(d: Diary) -> None:
    d.customer = "Bright Wells Appeal"
    takers = d.people(2)
    for number in range(80):
        d.pay(5 + 4 * number, d.rng.choice((10, 20, 50)), f"{d.person()}son {number}", "APPEAL")
    d.pay(30, 120, "JUSTGIVING", "DONATION")
    for number in range(20):
        d.pay(20 + 17 * number, -d.rng.choice((90, 110, 130)), "CASH WITHDRAWAL")
        d.pay(21 + 17 * number, -d.rng.choice((60, 80)), takers[number % 2])


def ever_new_abroad(d: Diary) -> None:
    d.salary(2_300)
    d.live()
    for number, name in enumerate(_ABROAD):
        d.pay(30 + 12 * number, -d.rng.choice((30, 45, 60, 90)), name, "INTL PAYMENT PHP")


def ever_new_through_a_carrier(d: Diary) -> None:
    d.salary(2_300)
    d.live()
    for number, name in enumerate(_ABROAD):
        d.pay(30 + 12 * number, -d.rng.choice((30, 45, 60, 90)), "Western Union", name)


def grant_into_the_pocket(d: Diary) -> None:
    d.accounts = ["A1", "A2"]
    d.salary(1_900)
    d.live()
    for number in range(2):
        day = 90 + 120 * number
        d.pay(day, 9_600, "Arts Council England", "GRANT", account="A2")
        d.pay(day + 3, -9_300, d.customer, "TRANSFER", account="A2")
        d.pay(day + 3, 9_300, d.customer, "TRANSFER")
    for month in range(12):
        d.pay(5 + month * _MONTH, -9, "Bank charges", account="A2", code="PMNT-RDDT-PMDD")


def cleans_for_households(d: Diary) -> None:
    _on_benefits(d, 400)
    d.live()
    for name in d.people(9):
        for week in range(48):
            d.pay(3 + 7 * week, d.rng.choice((28, 42)), name, d.rng.choice(("CLEANING", "")))
    for week in range(48):
        d.pay(5 + 7 * week, -d.rng.choice((100, 150)), "CASH WITHDRAWAL")


def funeral_of_a_father(d: Diary) -> None:
    _on_benefits(d)
    d.live()
    for name in d.people(30):
        d.pay(120 + d.rng.randint(0, 60), d.rng.choice((10, 20, 50, 100)), name, "FOR DAD")
    d.pay(150, -900, "Co-op Funeralcare")
    d.pay(185, -600, "Co-op Funeralcare")


def sends_to_the_family(d: Diary) -> None:
    d.salary(2_300)
    d.live()
    for number in range(24):
        d.pay(8 + 14 * number, -d.rng.choice((60, 90, 150)), "Western Union", d.rng.choice(_ABROAD[:5]))


def grant_spent_as_meant(d: Diary) -> None:
    d.customer = "Tidefall Youth Theatre"
    director = d.person()
    d.pay(60, 24_000, "Arts Council England", "GRANT")
    for month in range(2, 12):
        d.pay(5 + month * _MONTH, -640, "Mill Lane Studios", "RENT")
        d.pay(27 + month * _MONTH, -1_300, director, "SALARY")
        d.pay(12 + month * _MONTH, -d.rng.randint(80, 300), "Flints Hire", code=_STAKES)


def exports_cars(d: Diary) -> None:
    d.live()
    buyers = ("Nicosia Cars Ltd", "Accra Wheels Company", "Nairobi Imports Ltd")
    for number in range(16):
        day, amount = 10 + 21 * number, d.rng.randint(40, 110) * 100
        d.pay(day, amount, buyers[number % 3], "VEHICLE")
        d.pay(day + 2, -amount * d.rng.uniform(0.7, 0.85), d.rng.choice(("Copart UK", "Manheim Auctions")))
        d.pay(day + 7, -d.rng.randint(500, 900), "Anchor Freight Lines", "SHIPPING")
    d.pay(150, -2_600, "HMRC", "SELF ASSESSMENT")
    d.pay(330, -2_600, "HMRC", "SELF ASSESSMENT")


def buys_a_home_with_friends_help(d: Diary) -> None:
    d.salary(2_900)
    d.live()
    partner, parents = d.people(2)
    d.pay(118, 16_000, partner, "DEPOSIT")
    d.pay(119, 9_000, parents, "FOR THE HOUSE")
    d.pay(121, -25_000, "Hartwell Rose Solicitors", "DEPOSIT")
    d.pay(149, 4_600, partner, "COMPLETION")
    d.pay(151, -4_600, "Hartwell Rose Solicitors", "COMPLETION")


def lends_to_a_friend_and_back(d: Diary) -> None:
    d.salary(2_600)
    d.live()
    friend = d.rng.choice(("Hugh Penrose", "Ruth Tolland"))
    d.pay(200, 4_500, friend, "LOAN")
    d.pay(222, -4_500, friend, "THANK YOU")


KINDS: tuple[tuple[Callable[[Diary], None], bool], ...] = (
    (sells_what_never_comes, True),
    (lends_on_the_estate, True),
    (cause_without_costs, True),
    (ever_new_abroad, True),
    (ever_new_through_a_carrier, True),
    (grant_into_the_pocket, True),
    (cleans_for_households, False),
    (funeral_of_a_father, False),
    (sends_to_the_family, False),
    (grant_spent_as_meant, False),
    (exports_cars, False),
    (buys_a_home_with_friends_help, False),
    (lends_to_a_friend_and_back, False),
)


def gathered(seed: int, *, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts."""
    for make, guilty in KINDS:
        for number in range(per_kind):
            diary = Diary(f"{seed} {make.__name__} {number}")
            make(diary)
            yield (make.__name__, guilty, *diary.frames())
