"""Seeded customers who are trusted with other people's money or cash, and honest ones whose payments look much the same.

Sources of the guilty ones: Solicitors Regulation Authority, Warning notice: improper use of a client account (2018); FinCEN, Advisory on Elder Financial
Exploitation (FIN-2022-A002); National Crime Agency, National Strategic Assessment (2024), cash and small sums from many hands; FATF, Professional Money
Laundering (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.covers import CARD, DEBITED, MONTH, TOWNS, pay_wage
from tests.wealth.money_patterns import Diary, stories


def _kin(d: Diary, first: str) -> str:
    return f"{first} {d.customer.split()[1]}"


# --- guilty


def agent_who_keeps_rents(d: Diary) -> None:
    for number, tenant in enumerate(d.people(9)):
        for month in range(12):
            d.pay(month * MONTH + number, 700 + 35 * number, tenant, "RENT", account="A2")
    for number, landlord in enumerate(d.people(5)):
        for month in range(0, 12, 1 if number < 2 else 2):
            d.pay(month * MONTH + 15, -950, landlord, "RENT LESS FEES", account="A2")


def clerk_of_estates(d: Diary) -> None:
    pay_wage(d, 2600, "Fenwick Law LLP")
    heirs = d.people(4)
    for number, day in enumerate((50, 150, 240)):
        d.pay(day, 22_000 + 2000 * number, f"Est Of Late {d.person()}", "PROCEEDS INHERITANCE")
        d.pay(day + 20, -4000, "Barrow Motor Company", "CAR", code=CARD)
    for number, heir in enumerate(heirs):
        d.pay(170 + 30 * number, -8000, heir, "ESTATE PART")


def nephew_before_the_home(d: Diary) -> None:
    for month in range(12):
        d.pay(month * MONTH + 3, 980, "DWP STATE PENSION", "")
        d.pay(month * MONTH + 9, -870, "Meadow Care Home", "CARE FEES", code=DEBITED)
        if month > 5:
            d.pay(month * MONTH + 11, 870, "Meadow Care Home", "UNPAID DIRECT DEBIT")
    for number in range(7):
        d.pay(120 + 9 * number, -d.rng.randint(14, 26) * 100, _kin(d, "Bernard"), "LOAN")


def forty_buyers(d: Diary) -> None:
    for month in range(12):
        d.pay(month * MONTH + 5, 370, "DWP UNIVERSAL CREDIT", "")
    for name in d.people(26):
        for _ in range(d.rng.randint(5, 8)):
            d.pay(d.day(20, 350), d.rng.choice((40, 60, 80, 120)), name, d.rng.choice(("TAXI", "PIZZA", "")))
    supplier = d.person()
    for week in range(36):
        d.pay(30 + 8.5 * week + d.rng.randint(0, 3), -d.rng.randint(22, 35) * 10, supplier, "BRO")


def cash_for_two_firms(d: Diary) -> None:
    pay_wage(d, 1900)
    for week in range(26):
        total = 0
        for _ in range(4):
            amount = d.rng.choice((780, 900, 1100, 1250))
            total += amount
            d.pay(
                60 + 7 * week + d.rng.randint(0, 3), amount, f"CASH PAID IN POST OFFICE {d.rng.choice(TOWNS)}"
            )
        d.pay(65 + 7 * week, -total * 0.55, "Gadget Wholesale Ltd", "INVOICE")
        d.pay(66 + 7 * week, -total * 0.43, "Al Noor Trading", "GOODS")


def savings_of_a_broker_sent_on(d: Diary) -> None:
    """More than a year's income from a firm that nobody knows, gone within weeks."""
    pay_wage(d, 2100)
    d.pay(200, 48_000, "Balkan Grading DOO", "PROVISION")
    for number, name in enumerate(d.people(3)):
        d.pay(204 + 3 * number, -12_000, name, "STOCK")


# --- innocent


def agent_who_passes_rents_on(d: Diary) -> None:
    for number, tenant in enumerate(d.people(8)):
        for month in range(12):
            d.pay(month * MONTH + number, 900, tenant, "RENT", account="A2")
    for landlord in d.people(4):
        for month in range(12):
            d.pay(month * MONTH + 15, -1584, landlord, "RENT LESS FEES", account="A2")


def executor_of_one_estate(d: Diary) -> None:
    pay_wage(d, 2600)
    late = d.person()
    for day, amount in ((50, 40_000), (90, 22_000), (130, 6000)):
        d.pay(day, amount, f"Executors Of {late}", "INHERITANCE ESTATE OF LATE")
    for number, heir in enumerate(d.people(3)):
        d.pay(140 + 3 * number, -17_000, heir, "ESTATE SHARE")


def short_of_money(d: Diary) -> None:
    """Somebody whose bills come back because the wage is late, and who pays a loan of the family back in parts."""
    pay_wage(d, 1700)
    for month in range(12):
        d.pay(month * MONTH + 20, -64, "Vodafone", "", code=DEBITED)
        if month % 3 == 0:
            d.pay(month * MONTH + 21, 64, "Vodafone", "UNPAID DIRECT DEBIT")
        d.pay(month * MONTH + 27, -150, _kin(d, "Alison"), "LOAN BACK")


def agency_interpreter(d: Diary) -> None:
    """Agencies pay fees, and what was laid out for trains, which is no refund of a purchase from them."""
    for number in range(18):
        agency = ("Lingua Services Ltd", "Courtwords Ltd", "Euro Conference Ltd")[number % 3]
        d.pay(10 + 19 * number, d.rng.choice((640, 890, 1460)), agency, f"INVOICE {40 + number}")
        d.pay(20 + 19 * number, d.rng.randint(9000, 26_000) / 100, agency, "REFUND EXPENSES")
    for quarter in range(4):
        d.pay(25 + 91 * quarter, -900, "HMRC VAT", "", code=DEBITED)


def kit_for_the_club(d: Diary) -> None:
    """What somebody buys for a club comes back from the club to the penny."""
    pay_wage(d, 2700)
    for number in range(6):
        cost = d.rng.randint(20_000, 60_000) / 100
        d.pay(40 + 50 * number, -cost, "SPORTS DIRECT", "", code=CARD)
        d.pay(49 + 50 * number, cost, "Castle Juniors FC", "REFUND BALLS AND BIBS")


def employer_with_carers(d: Diary) -> None:
    """A disabled person whom the council pays for helpers pays their wages and the tax on them."""
    helpers = d.people(3)
    for month in range(12):
        d.pay(month * MONTH + 8, 750, "DWP PIP", "")
        d.pay(month * MONTH + 10, 3600, "Notts County Council", "DIRECT PAYMENT", account="A2")
        for week in range(4):
            for name in helpers:
                wage = d.rng.randint(19_000, 29_000) / 100
                d.pay(month * MONTH + 9 + 7 * week, -wage, name, "WAGES", account="A2")
    for quarter in range(4):
        d.pay(20 + 91 * quarter, -480, "HMRC PAYE", "", account="A2", code=DEBITED)


def carer_paid_by_siblings(d: Diary) -> None:
    """Brothers and sisters share what their parents' helper costs, and the one who pays her pays the contributions as well."""
    pay_wage(d, 2200)
    helper = d.person()
    for month in range(12):
        for number, first in enumerate(("Ines", "Marta", "Sergio")):
            d.pay(month * MONTH + 1 + number, 420, _kin(d, first), "PARENTS")
        d.pay(month * MONTH + 5, -1180, helper, "WAGES")
        d.pay(month * MONTH + 20, -150, "HMRC PAYE", "", code=DEBITED)


def coins_for_friends(d: Diary) -> None:
    pay_wage(d, 3000)
    friends = d.people(3)
    for name in friends:
        d.pay(120, 1000, name, "COINS")
    d.pay(121, -3000, "Kraken", "DEPOSIT")
    d.pay(300, 3600, "Kraken", "WITHDRAWAL")
    for name in friends:
        d.pay(302, -1200, name, "COINS BACK")


def plan_of_the_employer(d: Diary) -> None:
    """Savings of a plan are paid out, buy its shares, and the shares are sold for more."""
    pay_wage(d, 2500)
    d.pay(150, 15_180, "Shareplan Registrars Ltd", "SAYE MATURITY")
    d.pay(152, -15_000, "Shareplan Registrars Ltd", "EXERCISE")
    d.pay(165, 34_870, "Shareplan Registrars Ltd", "SALE")


def gifts_after_a_flood(d: Diary) -> None:
    pay_wage(d, 2300)
    for name in d.people(14):
        d.pay(d.day(200, 235), d.rng.choice((200, 400, 500, 1000)), name, "FLOOD")
    for number in range(3):
        d.pay(215 + 40 * number, 14_000, "Aviva Insurance", "CLAIM")
        d.pay(225 + 40 * number, -13_000, "Plaster And Sons Ltd", "INVOICE")


def household_sold(d: Diary) -> None:
    """Whoever emigrates sells a car and much else to many, and takes it along."""
    pay_wage(d, 2900)
    names = d.people(16)
    for name in names[1:]:
        d.pay(d.day(230, 250), d.rng.randint(2, 20) * 10, name, "SOFA")
    d.pay(251, 8600, names[0], "GOLF")
    d.pay(255, -9000, d.customer, "OWN ACCOUNT NZ")


def bought_before_sold(d: Diary) -> None:
    pay_wage(d, 3700)
    d.pay(100, 68_000, "Meridian Bridging", "CREDIT")
    d.pay(102, -66_000, "Notary Public Smit", "COMPLETION")
    d.pay(190, 171_000, "Notary Public Smit", "COMPLETION SALE")
    d.pay(192, -68_900, "Meridian Bridging", "REDEMPTION")


def merchant_like_a_man(d: Diary) -> None:
    """A builder whose merchant is called like a person, and whose two labourers are paid by the week with the tax on it."""
    labourers = d.people(2)
    for number, name in enumerate(d.people(6)):
        for part in range(2):
            d.pay(
                15 + 55 * number + 21 * part, 5400, name, "DEPOSIT" if not part else "BALANCE", account="A2"
            )
        d.pay(
            17 + 55 * number,
            -d.rng.randint(260_000, 340_000) / 100,
            "Travis Perkins",
            f"ACC {number}",
            account="A2",
        )
        for week in range(6):
            for labourer in labourers:
                d.pay(18 + 55 * number + 7 * week, -d.rng.choice((320, 400)), labourer, "WAGES", account="A2")
    for month in range(11):
        d.pay(
            20 + month * MONTH,
            -d.rng.randint(18_000, 32_000) / 100,
            "HMRC CIS",
            "",
            account="A2",
            code=DEBITED,
        )


def leader_of_tours(d: Diary) -> None:
    """Tips of each tour are paid in, shared among the crew, and the leader's part is declared."""
    pay_wage(d, 1950)
    crew = d.people(4)
    for tour in range(25):
        day = 20 + 12 * tour
        tips = d.rng.choice((1240, 1460, 1520, 1850))
        d.pay(day, tips, f"CASH PAID IN {d.rng.choice(TOWNS)}")
        for name in crew:
            d.pay(day + 1, -tips * 0.18, name, "TIPS")
    d.pay(330, -1460, "HMRC SELF ASSESSMENT", "", code=DEBITED)


def feast_of_a_club(d: Diary) -> None:
    """The cash of three nights pays those who supplied them, each once by invoice; the rest is laid by."""
    pay_wage(d, 2800)
    for day, cash in ((130, 2840), (220, 4615), (224, 5230), (228, 6980)):
        d.pay(day, cash, "CASH PAID IN LEEDS", account="A2")
    for day, cost, firm in (
        (132, 1680, "Harbour Taverns Ltd"), (231, 5720, "Harbour Taverns Ltd"), (232, 2400, "Bigtop Tents Ltd"),
        (236, 1280, "Doorwatch Security Ltd"), (250, 2890, "Braid Uniforms Ltd"),
    ):  # fmt: skip
        d.pay(day, -cost, firm, "INVOICE", account="A2")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    agent_who_keeps_rents, clerk_of_estates, nephew_before_the_home, forty_buyers, cash_for_two_firms, savings_of_a_broker_sent_on,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    agent_who_passes_rents_on, executor_of_one_estate, short_of_money, agency_interpreter, kit_for_the_club, employer_with_carers, carer_paid_by_siblings,
    coins_for_friends, plan_of_the_employer, gifts_after_a_flood, household_sold, bought_before_sold, merchant_like_a_man, leader_of_tours, feast_of_a_club,
)  # fmt: skip


def trusted(seed: int, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Return kind, whether it is guilty, transactions and accounts of each."""
    return stories(GUILTY, INNOCENT, seed, per_kind, rented=True)
