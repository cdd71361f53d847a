"""Seeded customers whose trade, loans or pay are a cover, and honest ones who look like them.

Sources of the guilty ones: SEC, Ponzi schemes (2013); FCA, illegal money lenders; ACFE, Fraud Examiners Manual (2023); FATF, Trade-Based Money Laundering: Risk
Indicators (2020); OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013); National Crime Agency, National Strategic Assessment (2024).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary, stories

MONTH = 30.4
CARD, DEBITED = "PMNT-CCRD-POSD", "PMNT-RDDT-PMDD"
TOWNS = ("Leeds", "Derby", "Hull", "Luton", "Crewe", "Poole")


def pay_wage(d: Diary, amount: float, firm: str = "Ostler Systems Ltd", account: str = "A1") -> None:
    for month in range(12):
        d.pay(month * MONTH + 26, amount, firm, "SALARY", account=account)


# --- guilty


def club_of_returns(d: Diary) -> None:
    for number, name in enumerate(d.people(12)):
        put_in = d.rng.choice((2000, 3000, 5000))
        d.pay(20 + 22 * number, put_in, name, "CLUB")
        for month in range(1, 8):
            d.pay(20 + 22 * number + month * MONTH, -put_in * 0.05, name, "RETURN")


def weekly_instalments(d: Diary) -> None:
    for month in range(12):
        d.pay(month * MONTH + 5, 880, "DWP UNIVERSAL CREDIT", "")
    for number, name in enumerate(d.people(14)):
        rate = d.rng.choice((30, 40, 60))
        if number % 2:
            d.pay(10 + 12 * number, -rate * 5, name, "HERE YOU GO")
        for week in range(9):
            d.pay(17 + 12 * number + 14 * week, rate, name, "WEEK")


def loans_at_a_price(d: Diary) -> None:
    pay_wage(d, 1900)
    for number, name in enumerate(d.people(8)):
        lent = d.rng.randint(4, 9) * 200
        d.pay(15 + 25 * number, -lent, name, "ADVANCE")
        for part in range(3):
            d.pay(45 + 25 * number + 30 * part, lent * 0.5, name, "BACK")


def loans_of_a_builder(d: Diary) -> None:
    pay_wage(d, 2900, "Northgate Council")
    for number in range(5):
        d.pay(40 + 52 * number, d.rng.randint(50, 90) * 100, "Harrowby Sites Ltd", "LOAN")


def cards_of_others(d: Diary) -> None:
    people = d.people(4)
    for week in range(50):
        taken = d.rng.randint(900, 1700) + 0.37
        d.pay(5 + 7 * week, taken, "SUMUP PAYMENTS", "PAYOUT")
        if week % 5 != 3:
            d.pay(6 + 7 * week + d.rng.randint(0, 2), -taken * 0.9, people[d.rng.randint(0, 3)], "SERVICE")


def shop_that_leaps(d: Diary) -> None:
    for week in range(51):
        busy = week >= 20
        taken = d.rng.randint(2500, 3900) if busy else d.rng.randint(300, 500)
        d.pay(3 + 7 * week, taken + 0.41, "WORLDPAY", "SETTLEMENT")
        d.pay(4 + 7 * week, -d.rng.randint(11_000, 16_000) / 100, "Flower Wholesale", "STOCK")
        if busy:
            d.pay(6 + 7 * week, -taken * 0.85, ("Akam Media Ltd", "Valen Traffic Ltd")[week % 2], "MARKETING")


def goods_on_paper(d: Diary) -> None:
    for number in range(12):
        sum_ = d.rng.randint(8, 14) * 1000
        for part, shop in enumerate(("Point Mobile Ltd", "Nord Parts Ltd", "Palast Lounge Ltd")):
            d.pay(10 + 29 * number + 3 * part, round(sum_ * 0.36, -1), shop, f"INVOICE {number}")
        d.pay(
            20 + 29 * number,
            -sum_,
            ("Kowloon Star Ltd", "Gulf Prime Ltd")[number % 2],
            "INTL PAYMENT INVOICE",
        )


def round_wallets(d: Diary) -> None:
    pay_wage(d, 1750)
    for number in range(16):
        drawn = d.rng.randint(100, 240) * 10
        d.pay(30 + 20 * number, drawn, ("SKRILL", "NETELLER")[number % 2], "WITHDRAWAL")
        d.pay(40 + 20 * number, -drawn, "Bullion Court", "ORDER")


def staff_of_one_account(d: Diary) -> None:
    for month in range(12):
        d.pay(month * MONTH + 10, 24_000 + d.rng.randint(0, 3000) + 0.5, "Harbour Offices Ltd", "INVOICE")
    names = d.people(9)
    for number, name in enumerate(names):
        for month in range(12):
            wage = 1740.16 if number < 4 else d.rng.randint(120_000, 180_000) / 100
            d.pay(month * MONTH + 25, -wage, name, "WAGES")
            d.rows[-1]["counterparty_account"] = "GB1" if number < 4 else f"GB{number + 10}"


def clerk_who_supplies(d: Diary) -> None:
    pay_wage(d, 2400, "Leeside Retail Ltd")
    for number in range(16):
        d.pay(
            14 + 21 * number,
            d.rng.randint(70_000, 190_000) / 100,
            "Leeside Retail Ltd",
            "INVOICE",
            account="A2",
        )


def kept_child(d: Diary) -> None:
    for number in range(12):
        firm = ("Petro Delta Ltd", "Agrimex Holdings Ltd", "Harbour Dredging Ltd")[number % 3]
        d.pay(10 + 28 * number + d.rng.randint(0, 12), d.rng.randint(40, 95) * 100, firm, "SUPPORT")
        d.pay(25 + 28 * number, -d.rng.randint(20, 30) * 100, "Cartier Boutique", "", code=CARD)


def cash_in_many_towns(d: Diary) -> None:
    pay_wage(d, 2100)
    for number in range(26):
        d.pay(150 + number, d.rng.randint(20, 47) * 50, "CASH PAID IN", f"AT {d.rng.choice(TOWNS)}")
    d.pay(190, -28_000, "Skipton Savings", "HOUSE DEPOSIT")


def orders_called_off(d: Diary) -> None:
    pay_wage(d, 1600)
    for number, firm in enumerate(("Meridian Life", "Autohaus Severin", "Skyline Airways", "Meridian Life")):
        price = d.rng.randint(60, 120) * 100
        d.pay(30 + 70 * number, price * 1.02, "CASH PAID IN", "")
        d.pay(32 + 70 * number, -price, firm, "DEPOSIT")
        d.pay(48 + 70 * number, price * 0.99, firm, "WITHDRAWN ORDER")


def friend_in_need(d: Diary) -> None:
    for month in range(12):
        d.pay(month * MONTH + 3, 880, "DWP STATE PENSION", "")
    friends = d.people(3)
    for number in range(11):
        d.pay(118 + 21 * number, 300 + 260 * number, d.customer, "SAVINGS")
        sent = 150 + 240 * number
        d.pay(128 + 21 * number, -sent, friends[number % 3], "INTL PAYMENT GIFT")


def settler_of_bills(d: Diary) -> None:
    pay_wage(d, 1500)
    for number, name in enumerate(d.people(44)):
        d.pay(
            20 + 7.4 * number,
            d.rng.randint(6, 29) * 50,
            name,
            d.rng.choice(("", "SHOP", "WEDDING", "FAMILY")),
        )
    for number in range(9):
        firm = ("Harrow Jewels", "Midland Fabrics Ltd", "Sterling Mills Ltd")[number % 3]
        d.pay(50 + 34 * number, -d.rng.randint(380_000, 440_000) / 100, firm, f"INVOICE {800 + number}")


def adviser_of_suppliers(d: Diary) -> None:
    pay_wage(d, 3200, "Northgate Council")
    for number in range(8):
        firm = ("Meditec Handels Ltd", "Castle Holdings Ltd")[number % 2]
        d.pay(
            20 + 41 * number + d.rng.randint(0, 15), d.rng.randint(250_000, 390_000) / 100, firm, "CONSULTING"
        )


# --- innocent


def savings_circle(d: Diary) -> None:
    """Each puts in the same every month, and each gets the pot once."""
    pay_wage(d, 1700)
    names = d.people(10)
    for turn in range(10):
        for name in names:
            if name != names[turn]:
                d.pay(20 + 30 * turn + d.rng.randint(0, 3), 150, name, "PART")
        d.pay(25 + 30 * turn, -1500, names[turn], "POT")


def teacher_of_many(d: Diary) -> None:
    pay_wage(d, 1900)
    for name in d.people(12):
        for week in range(12):
            d.pay(30 + 14 * week + d.rng.randint(0, 3), 30, name, "LESSON")


def friend_who_lent(d: Diary) -> None:
    """One friend pays back what was lent, and no more."""
    pay_wage(d, 2600)
    friend = d.person()
    d.pay(40, -3000, friend, "LOAN")
    for month in range(6):
        d.pay(70 + month * MONTH, 500, friend, "LOAN BACK")


def borrower_of_a_bank(d: Diary) -> None:
    """Three loans of a small bank nobody knows, which collects what it is owed."""
    pay_wage(d, 2900)
    for number in range(3):
        d.pay(40 + 60 * number, 6000, "Wolds Mutual Credit", "LOAN")
    for month in range(9):
        d.pay(60 + month * MONTH, -310, "Wolds Mutual Credit", "", code=DEBITED)


def salon_with_staff(d: Diary) -> None:
    staff = d.people(2)
    for week in range(50):
        d.pay(5 + 7 * week, d.rng.randint(110_000, 160_000) / 100, "SUMUP PAYMENTS", "PAYOUT")
        d.pay(6 + 7 * week, -d.rng.randint(8_000, 14_000) / 100, "Salon Supplies", "ORDER")
        for name in staff:
            d.pay(8 + 7 * week, -d.rng.randint(32_000, 38_000) / 100, name, "WAGES")


def shop_that_grows(d: Diary) -> None:
    for week in range(51):
        taken = d.rng.randint(1900, 2700) if week >= 20 else d.rng.randint(400, 600)
        d.pay(3 + 7 * week, taken + 0.41, "WORLDPAY", "SETTLEMENT")
        d.pay(6 + 7 * week, -round(taken * 0.62, 2), "Flower Wholesale", "STOCK")


def importer_with_freight(d: Diary) -> None:
    for number in range(12):
        sum_ = d.rng.randint(800_000, 1_400_000) / 100
        d.pay(10 + 29 * number, sum_, "Nord Parts Ltd", f"INVOICE {number}")
        d.pay(20 + 29 * number, -round(sum_ * 0.64, 2), "Kowloon Star Ltd", "INTL PAYMENT INVOICE")
        d.pay(24 + 29 * number, -round(sum_ * 0.09, 2), "Freight Equipment", "CARRIAGE")


def seller_online(d: Diary) -> None:
    pay_wage(d, 1800)
    for week in range(48):
        d.pay(6 + 7 * week, d.rng.randint(9_000, 31_000) / 100, ("PAYPAL", "STRIPE")[week % 2], "PAYOUT")
        d.pay(9 + 7 * week, -d.rng.randint(4_000, 12_000) / 100, "Craft Supplies", "ORDER", code=CARD)


def staff_of_a_firm(d: Diary) -> None:
    """A couple among the staff share an account."""
    for month in range(12):
        d.pay(month * MONTH + 10, 24_000 + d.rng.randint(0, 3000) + 0.5, "Harbour Offices Ltd", "INVOICE")
    for number, name in enumerate(d.people(8)):
        for month in range(12):
            d.pay(month * MONTH + 25, -d.rng.randint(120_000, 180_000) / 100, name, "WAGES")
            d.rows[-1]["counterparty_account"] = "GB1" if number < 2 else f"GB{number + 10}"
        d.pay(340, -2_900, "HMRC PAYE", "", code=DEBITED)


def head_waiter(d: Diary) -> None:
    """The restaurant's tips come into an account of their own, and all of them go to the staff."""
    pay_wage(d, 2000, "Leeside Dining Ltd")
    staff = d.people(5)
    for month in range(12):
        tips = d.rng.randint(20_000, 29_000) / 100
        d.pay(month * MONTH + 5, tips, "Leeside Dining Ltd", "TRONC", account="A2")
        for name in staff:
            d.pay(month * MONTH + 6, -round(tips / 6, 2), name, "TIPS", account="A2")


def freelancer_who_declares(d: Diary) -> None:
    pay_wage(d, 2600)
    for number in range(8):
        firm = ("Meditec Handels Ltd", "Castle Holdings Ltd")[number % 2]
        d.pay(
            20 + 41 * number + d.rng.randint(0, 15), d.rng.randint(150_000, 230_000) / 100, firm, "CONSULTING"
        )
    d.pay(250, -2600, "HMRC SELF ASSESSMENT", "")
    d.rows[-1]["counterparty_name"] = "HMRC"


def stall_in_many_towns(d: Diary) -> None:
    for week in range(50):
        taken = d.rng.randint(35_000, 60_000) / 100
        d.pay(6 + 7 * week, taken, "CASH PAID IN", f"AT {TOWNS[week % 6]}")
        d.pay(8 + 7 * week, -round(taken * 0.55, 2), "Market Wholesale", "STOCK", code=CARD)


def holiday_called_off(d: Diary) -> None:
    pay_wage(d, 2800)
    d.pay(90, -3400, "Skyline Airways", "BOOKING")
    d.pay(120, 3400, "Skyline Airways", "REFUND")
    for number in range(4):
        d.pay(60 + 60 * number, -80, "ASOS", "", code=CARD)
        d.pay(70 + 60 * number, 45, "ASOS", "REFUND", code=CARD)


def child_abroad(d: Diary) -> None:
    """Money for a child who studies abroad is sent from the beginning, in much the same sums."""
    pay_wage(d, 3100)
    child = f"{d.person().split()[0]} {d.customer.split()[1]}"
    for month in range(12):
        d.pay(month * MONTH + 4, -700 - 20 * month, child, "INTL PAYMENT GIFT")


def lottery_of_colleagues(d: Diary) -> None:
    pay_wage(d, 2000)
    names = d.people(14)
    for name in names:
        d.pay(100 + d.rng.randint(0, 20), 20, name, "TICKET")
    d.pay(125, -300, "SELAE", "", code=CARD)
    d.pay(160, 30_000, "SELAE PREMIOS", "")
    for name in names:
        d.pay(163 + d.rng.randint(0, 3), -2000, name, "SHARE")


def mender_of_furniture(d: Diary) -> None:
    pay_wage(d, 1600)
    for number, name in enumerate(d.people(34)):
        d.pay(
            20 + 9.5 * number,
            d.rng.randint(12_000, 48_000) / 100,
            name,
            d.rng.choice(("TABLE", "CHAIRS", "DESK")),
        )
        d.pay(
            15 + 9.5 * number, -d.rng.randint(5_000, 21_000) / 100, "Timber Merchant", "MATERIALS", code=CARD
        )


def driver_for_two_firms(d: Diary) -> None:
    """Somebody who works for two firms that pay when a job is done, and whose year of tax is not over."""
    for number in range(13):
        firm = ("Wharfside Couriers Ltd", "Tideway Freight Ltd")[number % 2]
        d.pay(10 + 26 * number + d.rng.randint(0, 12), d.rng.randint(190_000, 330_000) / 100, firm, "RUN")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    club_of_returns, weekly_instalments, loans_at_a_price, loans_of_a_builder, cards_of_others, shop_that_leaps, goods_on_paper, round_wallets,
    staff_of_one_account, clerk_who_supplies, kept_child, cash_in_many_towns, orders_called_off, friend_in_need, settler_of_bills, adviser_of_suppliers,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    savings_circle, teacher_of_many, friend_who_lent, borrower_of_a_bank, salon_with_staff, shop_that_grows, importer_with_freight, seller_online,
    staff_of_a_firm, head_waiter, freelancer_who_declares, stall_in_many_towns, holiday_called_off, child_abroad, lottery_of_colleagues, mender_of_furniture,
    driver_for_two_firms,
)  # fmt: skip


def covers(seed: int, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Return kind, whether it is guilty, transactions and accounts of each."""
    return stories(GUILTY, INNOCENT, seed, per_kind, rented=True)
