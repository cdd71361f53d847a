"""Seeded patterns of laundering and of ordinary life that looks like it, written from published typologies, to develop red flags with.

Sources of the guilty ones: FATF, Professional Money Laundering (2018); FFIEC BSA/AML Manual, appendix F; Europol, money muling; FATF, Virtual Assets
Red Flag Indicators (2020); FATF, Guidance for a Risk-Based Approach: Real Estate Sector (2022). Amounts, dates, names and texts are drawn; the figures of `make evaluate` are measured on another author's patterns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pandas as pd

END = dt.date(2026, 6, 26)
DAYS = 365
_FIRST = [
    "Oskar",
    "Lena",
    "Tariq",
    "Bronwen",
    "Kofi",
    "Mirela",
    "Hugh",
    "Petra",
    "Anil",
    "Saoirse",
    "Goran",
    "Yusra",
    "Walt",
    "Ingrid",
    "Femi",
    "Rosa",
    "Dmitri",
    "Nell",
    "Caleb",
    "Aiko",
    "Ruth",
    "Ivo",
    "Zara",
    "Piotr",
    "Gwen",
    "Luis",
    "Hana",
    "Omar",
    "Tess",
    "Viktor",
]
_LAST = [
    "Hartwell",
    "Okonjo",
    "Brzezina",
    "Lindgren",
    "Mbeki",
    "Castellan",
    "Drury",
    "Petrosyan",
    "Ahlberg",
    "Quinlan",
    "Faraday",
    "Sorensen",
    "Kaplow",
    "Iwata",
    "Delgado",
    "Thorne",
    "Novik",
    "Achebe",
    "Whitlock",
    "Marsh",
    "Yilmaz",
    "Renner",
    "Bevan",
    "Oduya",
    "Prentice",
]
_FIRMS = (
    "Calder & Rowe Ltd",
    "Northgate Fabrication Ltd",
    "Bluestem Foods Ltd",
    "Ostler Systems Ltd",
    "Penhale Logistics Ltd",
)
_SHELLS = (
    "Meridian Star Trading Ltd",
    "Kestrel Bay Ventures Ltd",
    "Aurelia Commodities LLP",
    "Zenova Import Export Ltd",
    "Tidewell Global Ltd",
)
_SHOPS = (
    "TESCO STORES 2231",
    "SAINSBURYS S/MKT",
    "ALDI 44",
    "BOOTS 1209",
    "GREGGS PLC",
    "TFL TRAVEL CH",
    "COSTA COFFEE",
    "AMAZON MARKETPLACE",
    "SHELL OAKWOOD",
)


class Diary:
    """A year of one customer's bank accounts while it is being written."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)  # noqa: S311 - made-up data
        self.customer = f"{self.rng.choice(_FIRST)} {self.rng.choice(_LAST)}"
        self.rows: list[dict[str, Any]] = []
        self.accounts = ["A1"]

    def day(self, low: int = 40, high: int = 320) -> int:
        return self.rng.randint(low, high)

    def person(self) -> str:
        while True:
            name = f"{self.rng.choice(_FIRST)} {self.rng.choice(_LAST)}"
            if name.split()[1] != self.customer.split()[1]:
                return name if self.rng.random() < 0.7 else f"{name[0]} {name.split()[1]}"

    def people(self, count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            found[self.person()] = None
        return list(found)

    def pay(
        self,
        day: float,
        amount: float,
        name: str,
        text: str = "",
        *,
        account: str = "A1",
        code: str | None = None,
    ) -> None:
        """Book a payment; plus is into the account, in major units, and the day counts from the beginning of the year."""
        if not 0 <= day < DAYS:
            return
        self.rows.append(
            {
                "customer_id": "C1", "account_id": account, "txn_id": f"T{len(self.rows):04d}",
                "booked_on": pd.Timestamp(END - dt.timedelta(days=DAYS - 1 - int(day))),
                "amount_minor": round(amount * 100), "currency": "GBP",
                "description_raw": f"{name} {text}".strip().upper(), "counterparty_name": name if self.rng.random() < 0.8 else None,
                "bank_code": code,
            }
        )  # fmt: skip

    def salary(self, amount: float = 0, text: str = "SALARY") -> float:
        amount = amount or self.rng.randint(1700, 3600)
        firm, on = self.rng.choice(_FIRMS), self.rng.randint(0, 28)
        for month in range(12):
            self.pay(
                on + month * 30.4,
                amount,
                firm,
                text,
                code="PMNT-RCDT-SALA" if self.rng.random() < 0.3 else None,
            )
        return amount

    def live(self, rent: float = 0) -> None:
        """Spend on shops, bills and a home."""
        rng = self.rng
        landlord = self.person()
        for month in range(12):
            self.pay(2 + month * 30.4, -(rent or rng.randint(600, 950)), landlord, "RENT")
            self.pay(
                6 + month * 30.4,
                -rng.randint(60, 140),
                "British Gas",
                "BRITISH GAS DD",
                code="PMNT-RDDT-PMDD",
            )
        for day in range(0, DAYS, 2):
            if rng.random() < 0.75:
                self.pay(day, -rng.randint(300, 9000) / 100, rng.choice(_SHOPS), code="PMNT-CCRD-POSD")
        friend = self.person()
        for _ in range(rng.randint(1, 4)):
            self.pay(self.day(), rng.choice((20, 25, 40, 60)), friend, "DINNER")

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        frame = pd.DataFrame(self.rows).sort_values(["booked_on", "txn_id"]).reset_index(drop=True)
        accounts = pd.DataFrame(
            {"customer_id": "C1", "account_id": self.accounts, "holder_name": self.customer,
             "account_number": [f"4411{index}092" for index in range(len(self.accounts))], "currency": "GBP"}
        )  # fmt: skip
        return frame, accounts


def fan_in(d: Diary) -> None:
    start, low = d.day(), d.rng.randint(250, 450)
    for name in d.people(d.rng.randint(14, 24)):
        d.pay(
            start + d.rng.randint(0, 32),
            d.rng.randint(low, 2 * low),
            name,
            d.rng.choice(("", "INV", "THANKS", "REF 21")),
        )


def fan_in_and_out(d: Diary) -> None:
    start = d.day()
    total = 0
    for name in d.people(d.rng.randint(8, 14)):
        amount = d.rng.randint(150, 600)
        total += amount
        d.pay(start + d.rng.randint(0, 6), amount, name)
    d.pay(start + 8, -total * 0.48, d.person())
    d.pay(start + 9, -total * 0.47, d.rng.choice(_SHELLS))


def out_after_days(d: Diary) -> None:
    for number in range(d.rng.randint(3, 5)):
        day, amount = 40 + number * 60 + d.rng.randint(0, 20), d.rng.randint(900, 4000)
        d.pay(
            day,
            amount,
            d.rng.choice([d.person(), d.rng.choice(_SHELLS)]),
            d.rng.choice(("INVOICE", "CONSULT", "LOAN", "")),
        )
        d.pay(day + d.rng.randint(4, 8), -amount * d.rng.uniform(0.88, 0.97), d.person())


def single_pass(d: Diary) -> None:
    day, amount = d.day(), d.rng.randint(9000, 30000)
    d.pay(day, amount, d.rng.choice(_SHELLS))
    parts = d.rng.randint(1, 3)
    for number in range(parts):
        d.pay(day + 1 + number, -amount * 0.94 / parts, d.person())


def salary_that_passes(d: Diary) -> None:
    shell, other = d.rng.choice(_SHELLS), d.person()
    amount = d.rng.randint(2400, 4200)
    for month in range(d.rng.randint(5, 9)):
        d.pay(35 + month * 30.4, amount, shell, "SALARY")
        d.pay(35 + month * 30.4 + d.rng.randint(1, 3), -amount * d.rng.uniform(0.9, 0.96), other)


def stack(d: Diary) -> None:
    d.accounts = ["A1", "A2", "A3"]
    for number in range(d.rng.randint(1, 3)):
        day, amount = 60 + 80 * number, d.rng.randint(4000, 12000)
        d.pay(day, amount, d.rng.choice(_SHELLS))
        for step, (source, target) in enumerate((("A1", "A2"), ("A2", "A3")), 1):
            d.pay(day + step, -amount, d.customer, "TRANSFER", account=source)
            d.pay(day + step, amount, d.customer, "TRANSFER", account=target)
        d.pay(day + d.rng.randint(4, 12), -amount * 0.95, d.person(), account="A3")


def cycle(d: Diary) -> None:
    first, second = d.person(), d.person()
    for number in range(d.rng.randint(2, 4)):
        day, amount = 40 + number * 50, d.rng.randint(1500, 6000)
        d.pay(day, -amount, first)
        d.pay(day + d.rng.randint(2, 8), amount * d.rng.uniform(0.96, 1), second)


def round_trip(d: Diary) -> None:
    shell = d.rng.choice(_SHELLS)
    for number in range(d.rng.randint(1, 3)):
        day, amount = 50 + number * 70, d.rng.randint(3000, 15000)
        d.pay(day, amount, shell, "INV 22")
        d.pay(day + d.rng.randint(3, 20), -amount * d.rng.uniform(0.95, 1), shell, "RETURN")


def loan_back(d: Diary) -> None:
    day, amount = d.day(), d.rng.randint(3000, 12000)
    d.pay(day, amount, "Harbourline Lending Ltd", "LOAN ADVANCE")
    for number in range(3):
        d.pay(day + 4 + number, amount / 3, "CASH DEPOSIT")
    d.pay(day + d.rng.randint(7, 20), -amount * 1.02, "Harbourline Lending Ltd", "LOAN SETTLEMENT")


def like_cash(d: Diary) -> None:
    start, amount = d.day(40, 200), d.rng.choice((480, 900, 950, 1900))
    for _ in range(d.rng.randint(16, 30)):
        d.pay(
            start + d.rng.randint(0, 60),
            amount - d.rng.randint(0, 5) * 10,
            "CASH PAID IN",
            d.rng.choice(("LEEDS", "YORK", "HULL")),
        )


def fan_out(d: Diary) -> None:
    start, total = d.day(), d.rng.randint(6000, 15000)
    d.pay(start, total, d.rng.choice(_SHELLS))
    names = d.people(d.rng.randint(8, 14))
    for name in names:
        d.pay(start + d.rng.randint(1, 10), -total * d.rng.uniform(0.85, 1) / len(names), name)


def gifts_to_exchange(d: Diary) -> None:
    for name in d.people(d.rng.randint(3, 6)):
        day, amount = d.day(), d.rng.randint(500, 2500)
        d.pay(day, amount, name, "GIFT")
        d.pay(day + 1, -amount * d.rng.uniform(0.9, 1), "Kraken", "KRAKEN PAYWARD")


def bookmaker(d: Diary) -> None:
    for _ in range(d.rng.randint(50, 90)):
        d.pay(d.rng.randint(5, 360), -d.rng.randint(200, 500), "Ladbrokes", "LADBROKES")
    for _ in range(d.rng.randint(5, 20)):
        d.pay(d.rng.randint(5, 360), d.rng.randint(100, 900), "Ladbrokes", "LADBROKES WITHDRAWAL")


def below_limit(d: Diary) -> None:
    start = d.day()
    for _ in range(d.rng.randint(3, 6)):
        d.pay(
            start + d.rng.randint(0, 24),
            d.rng.randint(9100, 9990),
            d.rng.choice(("CASH DEPOSIT", d.person())),
        )


def awakened(d: Diary) -> None:
    d.accounts = ["A1", "A2"]
    d.pay(3, 40, d.person(), account="A2")
    day = d.day(170, 320)
    for number in range(d.rng.randint(2, 5)):
        d.pay(day + 3 * number, d.rng.randint(2800, 7000), d.rng.choice([*_SHELLS, d.person()]), account="A2")


def new_account(d: Diary) -> None:
    d.accounts = ["A1", "A2"]
    day, total = d.day(120, 300), 0
    for number in range(d.rng.randint(4, 8)):
        amount = d.rng.randint(1500, 6000)
        total += amount
        d.pay(day + 3 * number, amount, d.rng.choice([*_SHELLS, d.person()]), account="A2")
    d.pay(day + 35, -total * 0.7, d.person(), account="A2")


def offshore(d: Diary) -> None:
    for _ in range(d.rng.randint(1, 3)):
        d.pay(d.day(), d.rng.randint(40, 90) * 1000, "Palm Reef Holdings SA")


def refunds(d: Diary) -> None:
    for _ in range(d.rng.randint(4, 9)):
        d.pay(
            d.day(),
            d.rng.randint(300, 1400),
            d.rng.choice(("Argos", "Currys", "Harlan Electricals")),
            "REFUND",
        )


def cover(d: Diary) -> None:
    for week in range(50):
        for _ in range(d.rng.randint(1, 3)):
            d.pay(week * 7 + d.rng.randint(0, 6), d.rng.randint(60000, 190000) / 100, "CASH PAID IN")


def cover_beside_pay(d: Diary) -> None:
    """Takings of a car wash that hardly buys anything, paid in beside a salary."""
    for week in range(51):
        for _ in range(d.rng.randint(2, 3)):
            amount = (
                d.rng.randint(25, 60) * 20 if d.rng.random() < 0.5 else d.rng.randint(45000, 110000) / 100
            )
            d.pay(week * 7 + d.rng.randint(0, 6), amount, "CASH PAID IN", "COUNTER CREDIT")
        if week % 4 == 0:
            d.pay(week * 7 + 3, -d.rng.randint(60, 180), "Autosheen Supplies", "CARD", code="PMNT-CCRD-POSD")
            d.pay(week * 7 + 5, d.rng.randint(80, 240), "SumUp Payments", "SUMUP PAYOUT")


def pay_sent_to_several(d: Diary) -> None:
    """Pay of a firm that goes on to three or four people, or partly into an exchange, and little stays."""
    shell, others = d.rng.choice(_SHELLS), d.people(4)
    amount = d.rng.randint(2200, 3900)
    for month in range(d.rng.randint(5, 10)):
        day = 30 + month * 30.4
        d.pay(day, amount, shell, d.rng.choice(("SALARY", "WAGES")))
        parts = d.rng.randint(3, 4)
        for name in d.rng.sample(others, parts):
            d.pay(day + d.rng.randint(0, 5), -amount * d.rng.uniform(0.86, 0.95) / parts, name)


def home_paid_by_strangers(d: Diary) -> None:
    day = d.day(60, 300)
    total = 0
    for name in d.people(d.rng.randint(3, 7)):
        amount = d.rng.randint(15, 90) * 100
        total += amount
        d.pay(day - d.rng.randint(3, 50), amount, name, d.rng.choice(("", "DEPOSIT", "HELP", "LOAN")))
    d.pay(
        day,
        -total * d.rng.uniform(0.8, 1.3),
        d.rng.choice(("Hollis Conveyancing LLP", "Pemberton Solicitors")),
        "DEPOSIT",
    )


def cash_over_accounts(d: Diary) -> None:
    d.accounts = ["A1", "A2", "A3"]
    start = d.day(20, 220)
    for round_ in range(d.rng.randint(4, 8)):
        for account in d.rng.sample(d.accounts, d.rng.randint(2, 3)):
            d.pay(
                start + round_ * d.rng.randint(7, 12) + d.rng.randint(0, 2),
                d.rng.randint(30, 240) * 10,
                "CASH PAID IN",
                account=account,
            )


def shopkeeper(d: Diary) -> None:
    for week in range(52):
        for weekday in (1, 4):
            d.pay(week * 7 + weekday, d.rng.randint(30000, 90000) / 100, "CASH PAID IN", "CORNER SHOP")
        for weekday in range(5):
            d.pay(week * 7 + weekday, d.rng.randint(9000, 30000) / 100, "Worldpay", "WORLDPAY SETTLEMENT")
        d.pay(week * 7 + 2, -d.rng.randint(600, 1300), "Booker Wholesale", "CARD", code="PMNT-CCRD-POSD")


def restaurant_owner(d: Diary) -> None:
    staff = d.people(3)
    for week in range(52):
        d.pay(week * 7, d.rng.randint(50000, 130000) / 100, "CASH PAID IN", "BISTRO")
        d.pay(week * 7 + 1, d.rng.randint(150000, 320000) / 100, "SumUp Payments", "SUMUP PAYOUT")
        d.pay(week * 7 + 2, -d.rng.randint(500, 900), "Marlow Meat & Fish", "CARD", code="PMNT-CCRD-POSD")
        for name in staff:
            d.pay(week * 7 + 5, -d.rng.randint(340, 420), name, "WAGES")


def stall_beside_pay(d: Diary) -> None:
    for week in range(52):
        d.pay(week * 7 + 6, d.rng.randint(300, 560), "CASH PAID IN")
        d.pay(
            week * 7 + 3,
            -d.rng.randint(130, 260),
            "Castlegate Wholesale Flowers",
            "CARD",
            code="PMNT-CCRD-POSD",
        )
        d.pay(week * 7 + 5, -35, "Ripon Market Stall", "PITCH", code="PMNT-CCRD-POSD")


def sends_home(d: Diary) -> None:
    family = d.person()
    for month in range(12):
        d.pay(5 + month * 30.4, -d.rng.randint(400, 900), "Remitly", f"REMITLY {family}")
    for month in range(12):
        d.pay(4 + month * 30.4, -d.rng.randint(300, 500), d.person(), "CHILDCARE")


def family_help(d: Diary) -> None:
    day = d.day(60, 300)
    d.pay(day - 20, d.rng.randint(10, 40) * 1000, d.person(), "HOUSE DEPOSIT FROM MUM")
    d.pay(day - 15, d.rng.randint(5, 20) * 1000, d.person(), "GIFT TOWARDS HOUSE")
    d.pay(day - 3, d.rng.randint(2, 8) * 1000, d.customer, "FROM SAVINGS")
    d.pay(day, -d.rng.randint(30, 70) * 1000, "Hollis Conveyancing LLP", "DEPOSIT")


def couple_with_cash(d: Diary) -> None:
    d.accounts = ["A1", "A2"]
    for _ in range(d.rng.randint(8, 14)):
        d.pay(d.day(5, 355), d.rng.randint(4, 30) * 10, "CASH PAID IN", account=d.rng.choice(d.accounts))


def landlord(d: Diary) -> None:
    for name in d.people(d.rng.randint(3, 6)):
        rent, on, start = d.rng.randint(90, 260) * 5, d.rng.randint(0, 6), d.rng.choice((0, 0, 90))
        for month in range(12):
            d.pay(
                start + on + month * 30.4,
                rent,
                name,
                d.rng.choice(("RENT", "FLAT 2", "")) if month % 5 else "RENT",
            )
    for month in range(12):
        d.pay(
            9 + month * 30.4,
            -d.rng.randint(1700, 1720),
            "Skipton Building Society",
            "MORTGAGE",
            code="PMNT-RDDT-PMDD",
        )
    d.pay(d.day(), -3400, "Dale Roofing Ltd", "INV 311")


def students_parents(d: Diary) -> None:
    parent = f"{d.rng.choice(_FIRST)} {d.customer.split()[1]}" if d.rng.random() < 0.7 else d.person()
    amount = d.rng.randint(5, 12) * 100
    for month in range(10):
        d.pay(20 + month * 30.4, amount, parent, d.rng.choice(("MUM", "FROM DAD", "ALLOWANCE")))
        d.pay(22 + month * 30.4, -amount * 0.8, "Unite Students", "RENT")
    d.pay(80, 4600, parent, "FEES")
    d.pay(83, -4600, "University of Leeds", "TUITION")


def joint_household(d: Diary) -> None:
    partner, share = d.person(), d.rng.randint(8, 15) * 100
    for month in range(12):
        d.pay(1 + month * 30.4, share, partner, d.rng.choice(("BILLS", "HOUSE", "")))
        d.pay(4 + month * 30.4, -share * 1.6, "Nationwide BS", "MORTGAGE", code="PMNT-RDDT-PMDD")


def lead_tenant(d: Diary) -> None:
    share = d.rng.randint(85, 150) * 5
    mates = d.people(d.rng.randint(2, 3))
    owner = d.person()
    for month in range(12):
        for name in mates:
            d.pay(
                month * 30.4 + d.rng.randint(0, 2), share, name, d.rng.choice(("RENT", "RENT SHARE", "HOUSE"))
            )
        d.pay(3 + month * 30.4, -share * (len(mates) + 1), owner, d.rng.choice(("RENT", "14 ELM ROAD")))


def treasurer(d: Diary) -> None:
    members = d.people(d.rng.randint(10, 18))
    for month in range(12):
        for name in members:
            if d.rng.random() < 0.85:
                d.pay(month * 30.4 + d.rng.randint(0, 6), d.rng.choice((15, 20, 25)), name, "SUBS")
        d.pay(8 + month * 30.4, -d.rng.randint(160, 320), "Castle Road Sports Hall", "HIRE")
    trip = d.day()
    for name in members[:10]:
        d.pay(trip + d.rng.randint(0, 10), 240, name, "TOUR")
    d.pay(trip + 14, -2500, "Alpine Coaches Ltd", "TOUR BOOKING")


def carer(d: Diary) -> None:
    old = d.person()
    for week in range(50):
        d.pay(2 + week * 7, d.rng.choice((80, 100, 120, 150)), old, "SHOPPING")


def friends_repayment(d: Diary) -> None:
    for name in d.people(d.rng.randint(1, 3)):
        day, amount = d.day(), d.rng.randint(4, 25) * 100
        d.pay(day, -amount, name, "LOAN")
        d.pay(day + d.rng.randint(10, 50), amount, name, "THANKS FOR THE LOAN")


def consultant(d: Diary) -> None:
    clients = d.rng.sample(
        (
            "Ferrow Partners Ltd",
            "Hexa Digital Ltd",
            "Moorside NHS Trust",
            "Tallis Group plc",
            "Orrin Studio Ltd",
        ),
        3,
    )
    for number in range(d.rng.randint(10, 18)):
        amount = d.rng.randint(1800, 9600)
        day = d.rng.randint(5, 350)
        d.pay(day, amount, d.rng.choice(clients), f"INV {1000 + number}")
        if d.rng.random() < 0.25:
            d.pay(day + 6, -amount * 0.4, d.person(), "SUBCONTRACT")
    d.pay(215, -9800, "HMRC", "SELF ASSESSMENT")


def shops_return(d: Diary) -> None:
    for _ in range(2):
        day, amount = d.day(), d.rng.randint(300, 2500)
        d.pay(day, -amount, "John Lewis", "JOHN LEWIS OXFORD ST", code="PMNT-CCRD-POSD")
        d.pay(day + d.rng.randint(4, 25), amount, "John Lewis", "JOHN LEWIS REFUND")


def house_purchase(d: Diary) -> None:
    day = d.day()
    d.pay(
        day,
        d.rng.randint(20, 60) * 1000,
        f"{d.rng.choice(_FIRST)} {d.customer.split()[1]}",
        "HOUSE DEPOSIT GIFT",
    )
    if d.rng.random() < 0.6:
        d.pay(day + 1, d.rng.randint(20, 80) * 1000, "Pemberton Solicitors", "SALE PROCEEDS")
    d.pay(day + 6, -d.rng.randint(60, 120) * 1000, "Hollis Conveyancing LLP", "COMPLETION")


def wedding(d: Diary) -> None:
    day = d.day()
    for name in d.people(d.rng.randint(15, 25)):
        d.pay(
            day + d.rng.randint(0, 14),
            d.rng.choice((30, 50, 50, 100, 100, 150, 200, 300)),
            name,
            d.rng.choice(("WEDDING", "CONGRATULATIONS", "FOR YOU BOTH", "")),
        )
    d.pay(day + 12, -d.rng.randint(1500, 3000), "Marlow Manor Hotel", "BALANCE")


def market_trader(d: Diary) -> None:
    for week in range(52):
        for weekday in d.rng.sample((1, 6), d.rng.randint(1, 2)):
            d.pay(week * 7 + weekday, d.rng.randint(18000, 74000) / 100, "CASH PAID IN")
        d.pay(week * 7 + 3, -d.rng.randint(120, 420), "Bexley Fruit Wholesale", "CARD", code="PMNT-CCRD-POSD")


def car_sale(d: Diary) -> None:
    day, amount = d.day(), d.rng.randint(25, 95) * 100
    d.pay(day, amount, d.person(), d.rng.choice(("CAR", "FOR THE GOLF", "VEHICLE")))
    if d.rng.random() < 0.5:
        d.pay(day + d.rng.randint(3, 30), -amount * d.rng.uniform(1.1, 2), "Ashdown Motors Ltd", "DEPOSIT")


def taxi_driver(d: Diary) -> None:
    for week in range(52):
        d.pay(week * 7 + d.rng.randint(0, 2), d.rng.randint(12, 48) * 10, "CASH DEPOSIT")
        d.pay(week * 7 + 4, -d.rng.randint(50, 90), "BP CONNECT", code="PMNT-CCRD-POSD")
    for week in range(0, 52, 2):
        d.pay(week * 7 + 2, d.rng.randint(150, 500), "Uber BV", "UBER TRIPS")


def tradesman(d: Diary) -> None:
    for name in d.people(40):
        d.pay(
            d.rng.randint(0, 360),
            d.rng.randint(120, 900),
            name,
            d.rng.choice(("BOILER", "INVOICE", "BATHROOM JOB", "")),
        )


def heir(d: Diary) -> None:
    day = d.day()
    d.pay(day, d.rng.randint(20, 120) * 1000, "Pemberton Solicitors", "ESTATE OF LATE R BLAKE INHERITANCE")
    d.pay(day + 9, -d.rng.randint(5, 15) * 1000, d.customer, "TO SAVINGS")


def small_investor(d: Diary) -> None:
    for month in range(12):
        d.pay(12 + month * 30.4, -d.rng.choice((100, 150, 200)), "Coinbase", "COINBASE")
    d.pay(330, d.rng.randint(400, 1600), "Coinbase", "COINBASE PAYOUT")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    fan_in, fan_in_and_out, out_after_days, single_pass, salary_that_passes, stack, cycle, round_trip, loan_back, like_cash, fan_out,
    gifts_to_exchange, bookmaker, below_limit, awakened, new_account, offshore, refunds, cover,
    cover_beside_pay, pay_sent_to_several, home_paid_by_strangers, cash_over_accounts,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    landlord, students_parents, joint_household, lead_tenant, treasurer, carer, friends_repayment, consultant, shops_return, house_purchase,
    wedding, market_trader, car_sale, taxi_driver, tradesman, heir, small_investor,
    shopkeeper, restaurant_owner, stall_beside_pay, sends_home, family_help, couple_with_cash,
)  # fmt: skip
_NO_PAY = (students_parents, consultant, market_trader, taxi_driver, tradesman, shopkeeper, restaurant_owner)


def patterns(seed: int, per_kind: int = 6) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts."""
    for kind in (*GUILTY, *INNOCENT):
        for number in range(per_kind):
            diary = Diary(f"{seed} {kind.__name__} {number}")
            if kind not in _NO_PAY:
                diary.salary(1_900 + 25 * number if kind is bookmaker else 0)
            diary.live()
            kind(diary)
            yield kind.__name__, kind in GUILTY, *diary.frames()


def stories(
    guilty: Sequence[Callable[[Diary], None]],
    innocent: Sequence[Callable[[Diary], None]],
    seed: int,
    per_kind: int,
    *,
    rented: bool = False,
) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts of customers with two accounts, whose rents differ where asked for."""
    for kind in (*guilty, *innocent):
        for number in range(per_kind):
            diary = Diary(f"{seed} {kind.__name__} {number}")
            diary.accounts.append("A2")
            if rented:
                diary.live(rent=diary.rng.randint(60, 95) * 10)
            else:
                diary.live()
            kind(diary)
            yield kind.__name__, kind in guilty, *diary.frames()
