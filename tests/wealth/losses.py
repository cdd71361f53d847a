"""Seeded customers who are deceived or used, shared refunds and sums that answer each other, and honest ones that look like them.

Sources of the guilty ones: FinCEN, Advisory on Elder Financial Exploitation (2022); UK Finance, Annual Fraud Report (2024); FATF, Trade-Based Money
Laundering (2020); OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary, stories

_MONTH = 30.4
_CARDS = ("WHSmith Gift Card", "Amazon Gift Card", "Apple Gift Card", "Boots Gift Card")


def _pension(d: Diary) -> None:
    for month in range(12):
        d.pay(month * _MONTH + 3, 870, "DWP STATE PENSION", "")
        d.pay(month * _MONTH + 9, 640, "ROYAL MAIL PENSION", "")


def _fetch(d: Diary, day: float, amount: float) -> None:
    """Fetch savings from the customer's second account."""
    d.pay(day, -amount, d.customer, "SAVINGS", account="A2")
    d.pay(day, amount, d.customer, "SAVINGS")


# --- guilty


def friend_met_online(d: Diary) -> None:
    _pension(d)
    friend, day = d.person(), d.day(60, 150)
    for number, sum_ in enumerate((900, 1400, 2200, 3100)):
        _fetch(d, day + 19 * number, sum_)
        d.pay(
            day + 19 * number + 1,
            -sum_ * d.rng.uniform(0.85, 0.99),
            friend,
            d.rng.choice(("", "HOSPITAL", "LOAN")),
        )


def borrows_for_a_friend(d: Diary) -> None:
    """One loan after another goes to two people never met, in parts over weeks."""
    d.salary()
    friends, day = d.people(2), d.day(60, 150)
    for lender, sum_ in (("Zopa Loans", 8000), ("Shawbrook Bank Loan", 12_000)):
        d.pay(day, sum_, lender, "LOAN")
        for part in range(6):
            reason = d.rng.choice(("VISA", "CUSTOMS", "FLIGHT", ""))
            d.pay(day + 2 + 6 * part, -sum_ * d.rng.uniform(0.12, 0.16), friends[part % 2], reason)
        day += 60


def sum_peeled_off(d: Diary) -> None:
    """A firm's large sum leaves over two months in small payments, each to somebody else."""
    d.salary()
    day = d.day(60, 200)
    d.pay(day, 24_800, "Northstar Ventures Ltd", "CONSULTANCY")
    for number, name in enumerate(d.people(25)):
        d.pay(day + 1 + 2 * number, -d.rng.randint(75, 110) * 10, name, d.rng.choice(("", "SERVICES")))


def phones_from_one_seller(d: Diary) -> None:
    """One buyer, one supplier paid the day after, and never any tax; the supplier's name has a word of trade in it."""
    d.salary()
    for number in range(20):
        sum_ = d.rng.choice((8400, 9600, 10_800, 12_000))
        d.pay(20 + 16 * number, sum_ * 1.2, "Galaxy Phones Ltd", "INV")
        d.pay(21 + 16 * number, -sum_ * 1.02, "Mobitec Trade BV", "INV")


def cash_of_an_old_person(d: Diary) -> None:
    _pension(d)
    start = d.day(110, 180)
    for day in range(5, start, 21):
        d.pay(day, -40, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")
    for day in range(start, 350, 6):
        d.pay(day, -d.rng.choice((250, 300)), "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def cards_for_a_caller(d: Diary) -> None:
    d.salary()
    day = d.day()
    for number in range(d.rng.randint(9, 14)):
        d.pay(day + number // 4, -d.rng.choice((100, 150, 200)), d.rng.choice(_CARDS), "")


def invoices_that_answer(d: Diary) -> None:
    """One firm pays, and another is paid nearly the same two days later, in sums that are never the same."""
    d.salary()
    for number in range(7):
        sum_ = d.rng.randint(6_000, 18_000)
        d.pay(30 + 35 * number, sum_, "Ostrava Systems", f"INVOICE {310 + number}")
        d.pay(32 + 35 * number, -sum_ * 0.97, "Pentland Wholesale", "EQUIPMENT")


def supplier_and_payer(d: Diary) -> None:
    """A supplier is paid first, and another firm brings the sum back in three parts."""
    d.salary()
    for number in range(7):
        sum_ = d.rng.randint(5_000, 9_000)
        d.pay(20 + 40 * number, -sum_, "Caspian Commodities", f"INV {44 + 7 * number}")
        for part, share in enumerate((0.45, 0.3, 0.24)):
            d.pay(
                26 + 40 * number + 5 * part,
                sum_ * share,
                "Tyneside Consulting",
                d.rng.choice(("FEE", "ROYALTY")),
            )


def refunds_of_others(d: Diary) -> None:
    d.salary()
    for number, name in enumerate(d.people(7)):
        sum_ = d.rng.randint(700, 2400)
        d.pay(50 + 16 * number, sum_, "HMRC", f"TAX REFUND {name.split()[1].upper()} 88{number}K")
        d.rows[-1]["counterparty_name"] = "HMRC"
        d.pay(51 + 16 * number, -sum_ * d.rng.uniform(0.5, 0.7), name, d.rng.choice(("", "HALF", "THANKS")))


def thanks_of_contractors(d: Diary) -> None:
    d.salary()
    for number in range(8):
        firm = d.rng.choice(("Bramley Construction Ltd", "Selwyn Roads Ltd"))
        day = 20 + 38 * number + d.rng.randint(0, 12)
        d.pay(day, d.rng.choice((1500, 2000, 2500, 2750)), firm, d.rng.choice(("THANKS", "GIFT", "")))


# --- innocent


def builder(d: Diary) -> None:
    """Stage payments of owners go to merchants and to those who work with him."""
    for number, name in enumerate(d.people(9)):
        day = 10 + 38 * number
        d.pay(day, d.rng.randint(8, 13) * 1000, name, "STAGE PAYMENT")
        for merchant in ("Jewson Acc", "Travis Perkins"):
            for part in range(2):
                d.pay(
                    day + 3 + 4 * part,
                    -d.rng.randint(90_000, 190_000) / 100,
                    merchant,
                    f"ACC {d.rng.randint(1000, 9999)}",
                )
        d.pay(day + 6, -d.rng.randint(60, 99) * 10, "Oyelaran Keane", "LABOUR")
        d.pay(day + 20, -700, "HMRC CIS", "", code="PMNT-RDDT-PMDD")


def stall_with_invoices(d: Diary) -> None:
    """Cash is banked twice a week and goes to two firms whose names say nothing of what they sell."""
    for week in range(51):
        season = 1.5 if 20 <= week <= 34 else 1.0
        for day in (2, 5):
            d.pay(7 * week + day, round(season * d.rng.randint(110, 150)) * 5, "CSH PAID IN", "POST OFFICE")
        d.pay(7 * week + 3, season * d.rng.randint(30_000, 40_000) / 100, "SUMUP PAYOUT", "")
        firm = ("Textile House", "Falcon Distribution")[week % 2]
        d.pay(7 * week + 6, -season * d.rng.randint(70_000, 80_000) / 100, firm, f"INV {2000 + 13 * week}")


def saver_in_crypto(d: Diary) -> None:
    """The employer's payments do not say that they are pay; a year of small purchases is sold for a kitchen."""
    for month in range(12):
        d.pay(month * _MONTH + 15, 3150, "Tidewater Group", "")
    for week in range(45):
        d.pay(7 * week, -75, "COINBASE", "")
    d.pay(320, 6200, "COINBASE", "")
    d.pay(326, -5900, "Wren Kitchens", "ORDER 5512", code="PMNT-CCRD-POSD")


def house_sold(d: Diary) -> None:
    d.salary()
    d.pay(90, 214_380, "Oakfield Legal", "SALE 9 MILL ST")
    d.pay(104, -198_000, "Oakfield Legal", "PURCHASE COMPLETION")


def roof_from_savings(d: Diary) -> None:
    d.salary()
    for number in range(2):
        _fetch(d, 120 + 20 * number, 4000)
        d.pay(122 + 20 * number, -3900, d.person(), "ROOF")


def kitchen_and_roof_on_credit(d: Diary) -> None:
    d.salary()
    for day, lender, sum_ in ((90, "Zopa Loans", 8000), (180, "Shawbrook Bank Loan", 12_000)):
        builder_ = d.person()
        d.pay(day, sum_, lender, "LOAN")
        for part in range(3):
            d.pay(day + 4 + 12 * part, -sum_ * 0.3, builder_, "STAGE PAYMENT")


def dealer_who_pays_tax(d: Diary) -> None:
    for number in range(20):
        sum_ = d.rng.randint(210_000, 640_000) / 100
        d.pay(20 + 16 * number, sum_ * 1.6, "Galaxy Phones Ltd", "INV")
        d.pay(21 + 16 * number, -sum_, "Mobitec Trade BV", "INV")
    for quarter in range(4):
        d.pay(40 + 88 * quarter, -2600, "HMRC", "VAT", code="PMNT-RDDT-PMDD")


def one_refund_of_tax(d: Diary) -> None:
    d.salary()
    d.pay(100, 1340, "HMRC", "TAX REFUND")
    d.pay(102, -700, d.person(), "HOLIDAY")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    friend_met_online, cash_of_an_old_person, cards_for_a_caller, invoices_that_answer, supplier_and_payer, refunds_of_others, thanks_of_contractors,
    borrows_for_a_friend, sum_peeled_off, phones_from_one_seller,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    builder, stall_with_invoices, saver_in_crypto, house_sold, roof_from_savings, one_refund_of_tax, kitchen_and_roof_on_credit, dealer_who_pays_tax,
)  # fmt: skip


def losses(seed: int, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Return kind, whether it is guilty, transactions and accounts of each."""
    return stories(GUILTY, INNOCENT, seed, per_kind)
