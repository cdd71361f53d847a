"""Seeded customers who handle other people's money, and honest ones who look like them.

Sources of the guilty ones: FATF, Risk of Terrorist Abuse in Non-Profit Organisations (2014); FATF, Trade-Based Money Laundering (2020); FATF, Financial Flows
from Human Trafficking (2018); OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013); Europol, money muling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary, stories

_MONTH = 30.4
_CARD = "PMNT-CCRD-POSD"


def _pay(d: Diary, amount: float, firm: str = "Ostler Systems Ltd", text: str = "SALARY") -> None:
    for month in range(12):
        d.pay(month * _MONTH + 26, amount, firm, text)


def _pension(d: Diary) -> None:
    for month in range(12):
        d.pay(month * _MONTH + 3, 880, "DWP STATE PENSION", "")
        d.pay(month * _MONTH + 9, 610, "ROYAL MAIL PENSION", "")


def _save(d: Diary, day: float, amount: float) -> None:
    d.pay(day, -amount, d.customer, "SAVINGS")
    d.pay(day, amount, d.customer, "SAVINGS", account="A2")


def _tax(d: Diary, day: float, amount: float) -> None:
    d.pay(day, -amount, "HMRC SELF ASSESSMENT", "CGT")
    d.rows[-1]["counterparty_name"] = "HMRC"


# --- guilty


def agent_at_home(d: Diary) -> None:
    """Clients' money leaves by card through two remitters, in the sums that these take."""
    d.salary()
    for week in range(9):
        day, parts = 150 + 7 * week, d.rng.randint(3, 4)
        d.pay(day, 900 * parts * 1.06, d.person(), f"INVOICE {4100 + week}")
        for part in range(parts):
            d.pay(day + 1, -900, ("Wise", "Remitly")[part % 2], "", code=_CARD)


def wages_of_nobody(d: Diary) -> None:
    _pay(d, 2150, "Calder Foods Ltd")
    for month in range(5, 12):
        for number, amount in enumerate((1730, 1790, 1810)):
            d.pay(month * _MONTH + 26, amount + d.rng.randint(0, 40), "Calder Foods Ltd", f"SALARY N{number}")


def treasurer_who_keeps(d: Diary) -> None:
    d.salary()
    for day, giver in ((40, "Ashdown Foundation"), (120, "Borough Fund"), (210, "Selwyn Foundation")):
        grant = d.rng.randint(6, 9) * 1000
        d.pay(day, grant, giver, "GRANT", account="A2")
        d.pay(day + 6, -grant * 0.6, d.customer, "EXPENSES", account="A2")
        d.pay(day + 6, grant * 0.6, d.customer, "EXPENSES")
    for number, name in enumerate(d.people(12)):
        d.pay(20 + 25 * number, d.rng.choice((10, 20, 50)), name, "DONATION", account="A2")


def phones_for_top_ups(d: Diary) -> None:
    _pay(d, 1800)
    for number in range(70):
        d.pay(30 + 4 * number, 10 * d.rng.randint(15, 40), "CASH PAID IN", "POST OFFICE")
    for number in range(30):
        d.pay(
            34 + 9.6 * number, -d.rng.randint(55_000, 68_000) / 100, "Mobile Wholesale", "ORDER", code=_CARD
        )


def lots_for_buyers_abroad(d: Diary) -> None:
    _pay(d, 2100)
    for number in range(14):
        lot = d.rng.randint(4000, 7000)
        d.pay(
            20 + 23 * number, lot * 0.55, d.rng.choice(("Osborne Commodities", "Larkhill Holdings")), "GIFT"
        )
        d.pay(22 + 23 * number, lot * 0.5, d.person(), "CAR")
        d.pay(25 + 23 * number, -lot, "Copart UK", f"LOT {1000 + number}")


def invoices_to_friends(d: Diary) -> None:
    friends = d.people(6)
    for number in range(12):
        firm = ("Ali Projects Ltd", "Brackley Haulage Ltd", "Osman Associates Ltd")[number % 3]
        sum_ = d.rng.randint(60, 120) * 100
        d.pay(20 + 26 * number, sum_, firm, "PROFESSIONAL SERVICES")
        for part in range(2):
            friend = friends[(number + part) % 6]
            text = d.rng.choice(("WAGES", "FAMILY", "SUBCONTRACT"))
            d.pay(24 + 26 * number + 6 * part, -round(sum_ * d.rng.uniform(0.28, 0.4), -1), friend, text)


def fees_for_one(d: Diary) -> None:
    _pay(d, 1900)
    taker = d.person()
    for month in range(12):
        total = 0
        for number in range(6):
            fee = d.rng.choice((120, 145, 160, 195, 240))
            total += fee
            d.pay(month * _MONTH + 4 * number, fee, f"{d.person()}", "COURSE FEE")
        d.pay(month * _MONTH + 25, -total * 0.95, taker, "SALARY")


def officer_who_is_thanked(d: Diary) -> None:
    _pay(d, 2900, "Northgate Council")
    for number, name in enumerate(d.people(11)):
        text = d.rng.choice(("GIFT", "THANKS", "FEE"))
        d.pay(20 + 30 * number, d.rng.choice((1000, 1500, 2000)), name, text)


def suppliers_family(d: Diary) -> None:
    _pay(d, 3600)
    for month in range(11):
        payer = ("Pemberton Trading", "Grace Pemberton", "Pemberton Trading", "Noel Pemberton")[month % 4]
        d.pay(
            12 + month * _MONTH, d.rng.randint(120_000, 220_000) / 100, payer, d.rng.choice(("HELP", "GIFT"))
        )


def friend_never_met(d: Diary) -> None:
    _pay(d, 2400)
    for number, name in enumerate(d.people(8)):
        text = d.rng.choice(("TICKET", "VISA", "HOSPITAL", "LAWYER"))
        d.pay(100 + 16 * number, -300 * 1.5**number, name, f"INTL PAYMENT {text}")


def nephew_who_helps(d: Diary) -> None:
    _pension(d)
    for number in range(22):
        d.pay(130 + 9 * number, -10 * d.rng.randint(16, 70), "Paul Whitcombe", "HELP")


def returns_of_nothing(d: Diary) -> None:
    d.salary()
    for number in range(14):
        shop = ("Currys Retail", "Nike Store", "Zara Store")[number % 3]
        d.pay(120 + 5 * number, d.rng.randint(120, 700), shop, "CARD CREDIT", code=_CARD)


def wage_over_savings(d: Diary) -> None:
    """A second wage rests in the customer's savings for some days before it goes to one person."""
    _pay(d, 2500)
    friend = d.person()
    for month in range(3, 12):
        d.pay(month * _MONTH, 2240, "Marlowe Recruitment Ltd", "WAGES")
        _save(d, month * _MONTH + 2, 2000)
        d.pay(month * _MONTH + 6, -1960, friend, "LOAN", account="A2")


def advances_of_others(d: Diary) -> None:
    d.salary()
    recruiter = d.person()
    for number in range(11):
        sum_ = d.rng.randint(1100, 1560)
        d.pay(100 + 3 * number, sum_, "DWP UC", "ADVANCE")
        d.pay(100 + 3 * number, -round(sum_ * 0.84, -1), recruiter, "RENT")


def pieces_each_quarter(d: Diary) -> None:
    """What one firm is paid comes back in four pieces over a quarter from another one."""
    d.salary()
    for number in range(4):
        sum_ = d.rng.randint(9_000, 18_000)
        d.pay(5 + 90 * number, -sum_, "Caspian Commodities", "DEPOSIT")
        for part, share in enumerate((0.2, 0.3, 0.24, 0.29)):
            d.pay(15 + 90 * number + 18 * part, sum_ * share, "Tyneside Ventures Ltd", "DIVIDEND")


def job_never_done(d: Diary) -> None:
    """Two payments far above the usual jobs are gone in a day, to a supplier and a helper who are never paid again."""
    for number in range(30):
        d.pay(10 + 11 * number, d.rng.randint(500, 1200), d.person(), "DECORATING")
        d.pay(12 + 11 * number, -d.rng.randint(40, 160), "Screwfix", "MATERIALS", code=_CARD)
    for day, sum_, mill in ((140, 12_480, "Crown Trading"), (290, 27_900, "Summit Trading")):
        d.pay(day, sum_, "Academy Trust", "INVOICE 771")
        d.pay(day, -sum_ * 0.56, mill, "MATERIALS")
        d.pay(day + 1, -sum_ * 0.38, d.person(), "SUBCONTRACT")


# --- innocent


def wage_sent_home(d: Diary) -> None:
    _pay(d, 2300)
    for month in range(12):
        d.pay(month * _MONTH + 28, -450, "Remitly", "", code=_CARD)
    d.pay(180, 300, d.person(), "THANKS")


def couple_of_one_employer(d: Diary) -> None:
    for month in range(12):
        for amount in (2150, 1880):
            d.pay(month * _MONTH + 26, amount + d.rng.randint(0, 60), "Calder Foods Ltd", "SALARY")
        d.pay(month * _MONTH + 27, d.rng.randint(60, 300), "Calder Foods Ltd", "EXPENSES")


def treasurer_who_spends(d: Diary) -> None:
    d.salary()
    for day, giver in ((40, "Ashdown Foundation"), (120, "Borough Fund"), (210, "Selwyn Foundation")):
        grant = d.rng.randint(6, 9) * 1000
        d.pay(day, grant, giver, "GRANT", account="A2")
        d.pay(day + 10, -grant * 0.15, d.customer, "RESERVE", account="A2")
        d.pay(day + 20, -grant * 0.7, "Oakfield Builders Ltd", "HALL ROOF", account="A2")
    for number, name in enumerate(d.people(12)):
        d.pay(20 + 25 * number, d.rng.choice((10, 20, 50)), name, "DONATION", account="A2")


def stall_beside_a_job(d: Diary) -> None:
    _pay(d, 1800)
    for week in range(12, 48):
        d.pay(7 * week + 5, 10 * d.rng.randint(18, 40), "CASH PAID IN", "POST OFFICE")
        d.pay(7 * week + 1, -d.rng.randint(9_000, 19_000) / 100, "Textile Wholesale", "STOCK", code=_CARD)
        d.pay(7 * week + 5, -30, "Market Pitch Fees", "", code=_CARD)


def stall_at_christmas(d: Diary) -> None:
    """Stock is bought in the autumn and sold in six weeks."""
    _pay(d, 1800)
    for number in range(7):
        d.pay(
            90 + 9 * number, -d.rng.randint(90_000, 130_000) / 100, "Candle Wholesale", f"STOCK INV {number}"
        )
    for number in range(20):
        d.pay(140 + 2 * number, 5 * d.rng.randint(100, 280), "CASH PAID IN", "POST OFFICE")
        d.pay(141 + 2 * number, d.rng.randint(30_000, 60_000) / 100, "ZETTLE PAYOUT", "")
    for number in range(5):
        d.pay(20 + 60 * number, 5 * d.rng.randint(30, 60), "CASH PAID IN", "POST OFFICE")


def builder_with_helpers(d: Diary) -> None:
    helpers = d.people(5)
    for number in range(12):
        firm = ("Ali Projects Ltd", "Brackley Homes Ltd", "Osman Associates Ltd")[number % 3]
        sum_ = d.rng.randint(60, 120) * 100
        d.pay(20 + 26 * number, sum_, firm, "INVOICE")
        d.pay(22 + 26 * number, -sum_ * 0.25, "Travis Perkins", "MATERIALS")
        for part in range(2):
            d.pay(
                24 + 26 * number + 6 * part,
                -sum_ * d.rng.uniform(0.12, 0.2),
                helpers[(number + part) % 5],
                "LABOUR",
            )
        d.pay(40 + 26 * number, -sum_ * 0.1, "HMRC CIS", "", code="PMNT-RDDT-PMDD")


def driver_for_platforms(d: Diary) -> None:
    """Several firms pay for work, no tax has been due yet, and friends, a landlord and sellers are paid."""
    landlord = d.person()
    for number in range(26):
        firm = ("Ali Projects Ltd", "Brackley Haulage Ltd", "Osman Associates Ltd", "Delph Architects Ltd")[
            number % 4
        ]
        d.pay(8 + 13 * number, d.rng.randint(1000, 2000), firm, "INVOICE")
    for month in range(12):
        d.pay(9 + month * _MONTH, -d.rng.randint(1200, 1500), landlord, "FLAT")
    for number, name in enumerate(d.people(6)):
        for part in range(2):
            d.pay(
                30 + 50 * number + part,
                -d.rng.randint(400, 1200),
                name,
                d.rng.choice(("CAR", "HOLIDAY", "SOFA")),
            )


def school_trip(d: Diary) -> None:
    d.salary()
    for month in range(6):
        for name in d.people(14):
            d.pay(20 + month * _MONTH + d.rng.randint(0, 8), d.rng.choice((60, 80)), name, "TRIP")
        d.pay(31 + month * _MONTH, -14 * 68, "Castle Tours", f"GROUP {month}")


def tutor_beside_a_job(d: Diary) -> None:
    _pay(d, 2900, "Northgate Council")
    for number, name in enumerate(d.people(6)):
        for week in range(20):
            d.pay(30 + 7 * week + number, 40, name, "TUTORING")
    for day in (100, 230):
        d.pay(day, 3000 if day == 100 else 1500, d.person(), "CAR")


def daughter_abroad(d: Diary) -> None:
    """One person abroad gets more each term."""
    _pay(d, 3900)
    name = d.person()
    for number in range(8):
        d.pay(40 + 40 * number, -900 - 300 * number, name, "INTL PAYMENT FOR TERM")


def carer_each_week(d: Diary) -> None:
    _pension(d)
    carer = d.person()
    for week in range(18, 52):
        d.pay(7 * week, -150, carer, "CARE")


def returns_of_clothes(d: Diary) -> None:
    d.salary()
    for number in range(12):
        paid = d.rng.randint(90, 260)
        d.pay(60 + 20 * number, -paid, "Zara Store", "", code=_CARD)
        d.pay(68 + 20 * number, paid * 0.7, "Zara Store", "CARD CREDIT", code=_CARD)


def funeral_of_a_friend(d: Diary) -> None:
    d.salary()
    day, total = d.day(), 0
    for name in d.people(40):
        gift = d.rng.choice((50, 60, 80, 100, 150))
        total += gift
        d.pay(day + d.rng.randint(0, 5), gift, name, d.rng.choice(("", "RIP", "FUNERAL")))
    d.pay(day + 7, -total * 0.5, "Harbour Funerals", "INVOICE")
    d.pay(day + 8, -total * 0.2, "Airport Cargo", "")
    d.pay(day + 10, -total * 0.28, d.person(), "INTL PAYMENT FOR THE CHILDREN")


def chaser_of_rates(d: Diary) -> None:
    _pension(d)
    banks = ("Chip ISA", "Vanguard ISA", "Harbour Savings", "Cathedral Saver")
    for number in range(8):
        sum_ = d.rng.choice((8000, 10_000, 12_500))
        d.pay(30 + 40 * number, sum_ * 1.02, banks[number % 4], "MATURED")
        d.pay(32 + 40 * number, -sum_, banks[(number + 1) % 4], f"SAVER {7000 + number}")


def shares_of_the_employer(d: Diary) -> None:
    """Half a year of the gain's tax stands in the same account."""
    _pay(d, 3700)
    d.pay(120, 58_200, "Registrar Shareplan", "SAYE SALE")
    _save(d, 125, 20_000)
    d.pay(128, -9500, "Nationwide BS", "MORTGAGE", code="PMNT-RDDT-PMDD")
    _tax(d, 240, 4750)


def coins_in_a_boom(d: Diary) -> None:
    _pay(d, 3400)
    for week in range(20):
        d.pay(7 * week, -150, "COINBASE", "")
    d.pay(170, 12_400, "COINBASE", "")
    d.pay(200, 9_800, "COINBASE", "")
    _save(d, 205, 15_000)
    _tax(d, 290, 2300)


def order_from_the_deposit(d: Diary) -> None:
    """A deposit buys the kitchen, and the balance comes when it is built in."""
    for number, name in enumerate(d.people(10)):
        deposit = d.rng.randint(20, 34) * 100
        d.pay(15 + 33 * number, deposit, name, "DEPOSIT")
        d.pay(17 + 33 * number, -deposit * 0.92, "Howdens Joinery", f"ORDER {5000 + number}")
        d.pay(36 + 33 * number, deposit * 1.5, name, "BALANCE")
        d.pay(40 + 33 * number, -deposit * 0.3, "HMRC CIS", "", code="PMNT-RDDT-PMDD")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    agent_at_home, wages_of_nobody, treasurer_who_keeps, phones_for_top_ups, lots_for_buyers_abroad, invoices_to_friends, fees_for_one,
    officer_who_is_thanked, suppliers_family, friend_never_met, nephew_who_helps, returns_of_nothing, wage_over_savings, advances_of_others,
    pieces_each_quarter, job_never_done,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    wage_sent_home, couple_of_one_employer, treasurer_who_spends, stall_beside_a_job, stall_at_christmas, builder_with_helpers, driver_for_platforms, school_trip,
    tutor_beside_a_job, daughter_abroad, carer_each_week, returns_of_clothes, funeral_of_a_friend, chaser_of_rates, shares_of_the_employer,
    coins_in_a_boom, order_from_the_deposit,
)  # fmt: skip


def handled(seed: int, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Return kind, whether it is guilty, transactions and accounts of each."""
    return stories(GUILTY, INNOCENT, seed, per_kind, rented=True)
