"""Seeded tills of small trades, honest ones and ones that are a cover for other cash, in the words of many banks and acquirers.

Sources of the guilty ones: FFIEC BSA/AML Manual, "Cash-Intensive Businesses"; FATF, Professional Money Laundering (2018); NCA and HMRC guidance on
cash-intensive firms (nail bars, car washes, takeaways, barbers). They differ from `cash_trades` in length of history, texts, trades and what becomes of the money.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary

WEEKS = 53
_CASH = (
    ("CASH PAID IN", ""), ("CASH DEPOSIT", "AT BRANCH"), ("CASH IN HSBC", "HIGH ST"), ("POST OFFICE CASH DEP", ""), ("COUNTER CREDIT", "CASH"),
    ("CDM CASH DEPOSIT", "004411"), ("PO CASH PAID IN", ""), ("CASH CREDIT", ""),
)  # fmt: skip
_CARDS = (
    ("SumUp Payments", "SUMUP"), ("Worldpay UK", "WORLDPAY STMT"), ("Zettle", "IZETTLE"), ("Square", "SQUARE PAYOUT"), ("Barclaycard Payments", "BCARD MERCHANT"),
    ("Dojo", "PAYMENTSENSE DOJO"), ("Elavon", "ELAVON MERCHANT SVCS"), ("Teya", "TEYA SETTLEMENT"), ("Stripe Payments UK", "STRIPE"),
)  # fmt: skip


class Till:
    """A trade of some months: where its cash is paid in, who settles its cards, and what it sells in a week."""

    def __init__(self, d: Diary, *, weeks: int = 0) -> None:
        self.d = d
        self.weeks = weeks or d.rng.choice((20, 26, 39, 52))
        self.first = 52 - self.weeks
        self.cash_text = d.rng.choice(_CASH)
        self.acquirer = d.rng.choice(_CARDS)
        self.staff = d.people(4)
        self.landlord = d.rng.choice(("Town Estates Ltd", "Harcourt Property", "Borough Council Markets"))

    def each(self) -> Iterator[int]:
        yield from range(self.first, 52)

    def cash(self, week: int, amount: float, day: int | None = None, *, step: float = 5) -> None:
        """Pay cash in; notes are banked in fives, tens and twenties."""
        at = week * 7 + (self.d.rng.randint(0, 6) if day is None else day)
        self.d.pay(at, max(step, round(amount / step) * step), *self.cash_text)

    def cards(self, week: int, amount: float, times: int = 2) -> None:
        for number in range(times):
            part = amount / times * self.d.rng.uniform(0.88, 1.12)
            self.d.pay(week * 7 + 1 + number * (5 // times), part, *self.acquirer)

    def buy(self, week: int, amount: float, supplier: str, text: str = "CARD") -> None:
        code = "PMNT-CCRD-POSD" if text == "CARD" else None
        self.d.pay(
            week * 7 + self.d.rng.randint(1, 5),
            -amount * self.d.rng.uniform(0.9, 1.1),
            supplier,
            text,
            code=code,
        )

    def wages(self, week: int, heads: int) -> None:
        for name in self.staff[:heads]:
            self.d.pay(week * 7 + 4, -self.d.rng.randint(300, 430), name, "WAGES")

    def premises(self, week: int, rent: int) -> None:
        if week % 4 == 0:
            self.d.pay(week * 7 + 2, -rent, self.landlord, "SHOP RENT")
            self.d.pay(
                week * 7 + 3,
                -self.d.rng.randint(120, 260),
                "EDF Energy Business",
                "DD",
                code="PMNT-RDDT-PMDD",
            )


def _swing(d: Diary, low: float = 0.85, high: float = 1.15) -> float:
    return d.rng.uniform(low, high)


# --- guilty


def no_costs_at_all(d: Diary) -> None:
    """A nail bar by name: thousands in cash each week, no card, no supplier, no rent; a person gets most of it."""
    till, weekly, partner = Till(d), d.rng.randint(1800, 3400), d.person()
    for week in till.each():
        till.cash(week, weekly * _swing(d), step=20)
        if week % 2:
            d.pay(week * 7 + 6, -weekly * 1.7 * _swing(d), partner)


def apps_and_a_pile_of_cash(d: Diary) -> None:
    """A takeaway that sells over delivery apps; the cash is five times that, and the purchases are those of the apps."""
    till, apps = Till(d), d.rng.randint(600, 1000)
    for week in till.each():
        d.pay(week * 7 + 2, apps * _swing(d), "Just Eat.co.uk Ltd", "JUSTEAT")
        d.pay(week * 7 + 3, apps * 0.4 * _swing(d), "Deliveroo", "ROOFOODS")
        for _ in range(3):
            till.cash(week, apps * 1.7 * _swing(d, 0.7, 1.3))
        till.buy(week, apps * 0.45, "Bestway Cash & Carry")


def taxi_that_never_drives(d: Diary) -> None:
    """Fares in round cash beyond any shift, with fuel for a day a week."""
    till = Till(d)
    for week in till.each():
        d.pay(week * 7 + 1, d.rng.randint(90, 160), "Bolt Operations", "BOLT")
        for _ in range(d.rng.randint(2, 3)):
            till.cash(week, d.rng.randint(7, 14) * 100, step=50)
        if week % 2:
            d.pay(week * 7 + 3, -d.rng.randint(25, 40), "ESSO TANGERINE", code="PMNT-CCRD-POSD")


def chairs_stay_cash_grows(d: Diary) -> None:
    """A barber's with the same chairs, cards and wages; cash multiplies in the second half."""
    till, cards = Till(d, weeks=52), d.rng.randint(500, 800)
    for week in till.each():
        till.cards(week, cards * _swing(d))
        till.cash(week, cards * 0.8 * _swing(d))
        if week >= 26:
            till.cash(week, cards * 3 * _swing(d, 0.7, 1.3))
            till.cash(week, cards * 2 * _swing(d, 0.7, 1.3))
        till.wages(week, 1)
        till.premises(week, 700)


def many_counters_one_day(d: Diary) -> None:
    """On one day a week three or four counters take just under a thousand each; cards are those of a kiosk."""
    till, cards = Till(d), d.rng.randint(250, 450)
    for week in till.each():
        till.cards(week, cards)
        day = d.rng.randint(0, 5)
        for place in d.rng.sample(["ACTON", "EALING", "HANWELL", "SOUTHALL", "HAYES"], d.rng.randint(3, 4)):
            d.pay(week * 7 + day, d.rng.randint(88, 99) * 10, f"CASH PAID IN {place}")
        till.buy(week, cards * 0.5, "Booker")


def cash_in_and_away(d: Diary) -> None:
    """A beauty salon's till: cash is paid in, and the next days a faster payment takes it to a person."""
    till, cards, boss = Till(d), d.rng.randint(400, 700), d.person()
    for week in till.each():
        till.cards(week, cards * _swing(d))
        till.cash(week, cards * 0.5 * _swing(d))
        extra = d.rng.randint(15, 30) * 100
        till.cash(week, extra, 2, step=50)
        d.pay(week * 7 + 4, -extra * 0.97, boss, d.rng.choice(("", "LOAN", "STOCK")))
        till.buy(week, cards * 0.2, "Salon Services")


def cash_sent_abroad(d: Diary) -> None:
    """A laundrette whose cash leaves for abroad each month."""
    till, weekly = Till(d), d.rng.randint(1500, 2600)
    for week in till.each():
        till.cards(week, weekly * 0.15 * _swing(d))
        till.cash(week, weekly * _swing(d), step=10)
        if week % 4 == 3:
            d.pay(
                week * 7 + 5,
                -weekly * 3.6 * _swing(d, 0.9, 1.0),
                d.rng.choice(("Hanoi Import Co", "Dragomir Export SRL", "Wise", "Golden Delta FZE")),
                "INTL PAYMENT",
            )


def cars_nobody_bought(d: Diary) -> None:
    """A dealer in used cars: thousands in cash for cars that were never bought."""
    till, out = Till(d), d.person()
    for week in till.each():
        if d.rng.random() < 0.6:
            amount = d.rng.randint(22, 70) * 100
            till.cash(week, amount, 1, step=100)
            d.pay(week * 7 + 5, -amount * 0.9, out, d.rng.choice(("CAR", "V5", "")))
        d.pay(week * 7 + 3, -d.rng.randint(20, 60), "AUTO TRADER", "ADVERT")


def same_sum_every_week(d: Diary) -> None:
    """An arcade's machines that take the same sum week by week, whatever the season does to its cards."""
    till, sum_, cards = Till(d, weeks=52), d.rng.randint(20, 34) * 100, d.rng.randint(300, 500)
    for week in till.each():
        till.cards(week, cards * (2.5 if week < 12 or week > 44 else 0.6) * _swing(d))
        till.cash(week, sum_ + d.rng.choice((0, 0, 100)), 0, step=100)
        till.buy(week, cards * 0.2, "Crane Machine Supplies")
        till.premises(week, 600)


def new_shop_to_exchange(d: Diary) -> None:
    """A phone shop of four months: cash from the first day, and what comes in goes to an exchange of crypto-assets."""
    till, weekly = Till(d, weeks=18), d.rng.randint(2200, 4000)
    for week in till.each():
        for _ in range(2):
            till.cash(week, weekly / 2 * _swing(d), step=10)
        till.cards(week, weekly * 0.08)
        d.pay(week * 7 + 6, -weekly * 0.9, d.rng.choice(("Kraken", "Coinbase", "Bitstamp")))


def cash_up_when_cards_fall(d: Diary) -> None:
    """A restaurant: as fewer people eat there and less is bought, more cash is paid in."""
    till, cards = Till(d, weeks=52), d.rng.randint(2200, 3200)
    for week in till.each():
        down = 1 - week / 65
        till.cards(week, cards * down * _swing(d))
        till.cash(week, cards * (0.25 + 2.2 * (1 - down)) * _swing(d))
        till.buy(week, cards * 0.4 * down, "Brakes Bros")
        till.wages(week, 2 if week < 20 else 1)
        till.premises(week, 1100)


def beds_that_use_no_power(d: Diary) -> None:
    """A tanning salon whose cash is six times its cards while the electricity is that of an empty room."""
    till, cards = Till(d), d.rng.randint(260, 420)
    for week in till.each():
        till.cards(week, cards * _swing(d))
        for _ in range(2):
            till.cash(week, cards * 3 * _swing(d, 0.7, 1.3))
        if week % 4 == 0:
            d.pay(week * 7 + 2, -d.rng.randint(38, 55), "E.ON Next", "DD", code="PMNT-RDDT-PMDD")
            d.pay(week * 7 + 6, -cards * 18 * _swing(d), d.rng.choice(("Kestrel Bay Ventures Ltd", till.staff[3])))  # fmt: skip


def twenties_by_machine(d: Diary) -> None:
    """Multiples of 20 through a deposit machine every other day, beside a pay as an employee and a car wash of weekends."""
    till = Till(d)
    d.salary()
    for week in till.each():
        for day in (0, 2, 4):
            till.cash(week, d.rng.randint(18, 45) * 20, day, step=20)
        till.cards(week, d.rng.randint(60, 140), 1)
        if week % 3 == 0:
            till.buy(week, 30, "Autosheen Supplies")
            d.pay(week * 7 + 5, -d.rng.randint(30, 45) * 100, till.staff[0])


# --- innocent


def chip_shop_cash_only(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(2200, 3600)
    for week in till.each():
        busy = _swing(d)
        for day in (0, 3):
            till.cash(week, weekly / 2 * busy * _swing(d, 0.9, 1.1), day)
        till.buy(week, weekly * 0.28 * busy, "Friars Pride Wholesale")
        till.buy(week, weekly * 0.12 * busy, "Potato Merchants", "INV")
        till.wages(week, 2)
        till.premises(week, 900)
        if week % 13 == 6:
            d.pay(week * 7 + 3, -weekly * 1.4, "HMRC VAT", "VAT")


def nail_bar(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(1100, 1900)
    for week in till.each():
        busy = _swing(d)
        till.cards(week, weekly * 0.6 * busy)
        till.cash(week, weekly * 0.4 * busy * _swing(d))
        till.buy(week, weekly * 0.12 * busy, "Capital Nail Supplies")
        till.wages(week, 2)
        till.premises(week, 800)


def car_wash_by_hand(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(1600, 2400)
    for week in till.each():
        busy = _swing(d, 0.7, 1.3)
        till.cards(week, weekly * 0.35 * busy)
        for day in (0, 4):
            till.cash(week, weekly * 0.32 * busy * _swing(d), day)
        till.wages(week, 3)
        till.buy(week, 60, "Autosmart Chemicals")
        till.premises(week, 1200)


def cab_driver(d: Diary) -> None:
    till = Till(d)
    for week in till.each():
        till.cash(week, d.rng.randint(220, 420), step=10)
        d.pay(week * 7 + 1, d.rng.randint(120, 320), "FREENOW", "RIDES")
        for _ in range(2):
            till.buy(week, d.rng.randint(45, 70), "SHELL")
        d.pay(week * 7 + 2, -140, "Plate & Vehicle Rentals", "CAB RENT")


def market_cash_only(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(900, 1700)
    for week in till.each():
        busy = _swing(d, 0.6, 1.3)
        till.cash(week, weekly * busy, 6)
        till.buy(week, weekly * 0.52 * busy, "Western International Market")
        d.pay(week * 7 + 1, -85, "Borough Council Markets", "PITCH")


def chair_renting_barber(d: Diary) -> None:
    till = Till(d)
    for week in till.each():
        till.cash(week, d.rng.randint(380, 620), step=10)
        till.cards(week, d.rng.randint(90, 260), 1)
        d.pay(week * 7 + 5, -150, "Sharp Cuts Ltd", "CHAIR RENT")


def seaside_rock(d: Diary) -> None:
    till, weekly = Till(d, weeks=52), d.rng.randint(1300, 2100)
    for week in till.each():
        busy = (1.6 if week < 10 or week > 47 else 1.0 if week < 16 or week > 40 else 0.15) * _swing(d)
        till.cards(week, weekly * 0.5 * busy)
        till.cash(week, weekly * 0.5 * busy * _swing(d))
        till.buy(week, weekly * 0.4 * busy, "Confectionery Wholesale")
        till.premises(week, 500)


def house_cleaner(d: Diary) -> None:
    till, clients = Till(d), d.people(3)
    for week in till.each():
        till.cash(week, d.rng.randint(90, 220), step=10)
        for name in clients:
            d.pay(week * 7 + 4, 45, name, "CLEANING")


def car_boot_sundays(d: Diary) -> None:
    till = Till(d, weeks=52)
    d.salary()
    for week in till.each():
        if (week < 16 or week > 40) and d.rng.random() < 0.7:
            till.cash(week, d.rng.randint(40, 240), 1)


def village_pub(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(3200, 5200)
    for week in till.each():
        busy = _swing(d)
        till.cards(week, weekly * 0.62 * busy, 3)
        till.cash(week, weekly * 0.38 * busy * _swing(d), 1, step=10)
        till.buy(week, weekly * 0.36 * busy, "Heineken UK", "DD")
        till.wages(week, 3)
        till.premises(week, 1600)
        if week % 13 == 5:
            d.pay(week * 7 + 2, -weekly * 1.9, "HMRC VAT", "VAT")


def newsagent_with_lottery(d: Diary) -> None:
    """Cash far above the cards, most of which belongs to the lottery and to bill payments, which collect it every week."""
    till, weekly = Till(d), d.rng.randint(2400, 3800)
    for week in till.each():
        busy = _swing(d, 0.9, 1.1)
        till.cards(week, weekly * 0.4 * busy)
        for day in (0, 3):
            till.cash(week, weekly * 0.5 * busy * _swing(d, 0.9, 1.1), day)
        d.pay(
            week * 7 + 4,
            -weekly * 0.35 * busy,
            "PayPoint Network",
            "PAYPOINT DD",
            code="PMNT-RDDT-PMDD",
        )
        d.pay(week * 7 + 5, -weekly * 0.2 * busy, "Allwyn Entertainment", "LOTTERY", code="PMNT-RDDT-PMDD")
        till.buy(week, weekly * 0.5 * busy, "Smiths News")
        till.premises(week, 700)


def salon_drawings(d: Diary) -> None:
    """A hairdresser who draws the same sum to an account at another bank every month."""
    till, weekly = Till(d), d.rng.randint(900, 1500)
    for week in till.each():
        busy = _swing(d)
        till.cards(week, weekly * 0.65 * busy)
        till.cash(week, weekly * 0.35 * busy * _swing(d))
        till.buy(week, weekly * 0.18 * busy, "Salon Services")
        till.premises(week, 650)
        if week % 4 == 1:
            d.pay(week * 7 + 5, -weekly * 1.6, d.customer, "DRAWINGS")


def takeaway_with_apps(d: Diary) -> None:
    till, weekly = Till(d), d.rng.randint(2400, 3600)
    for week in till.each():
        busy = _swing(d)
        d.pay(week * 7 + 2, weekly * 0.35 * busy, "Just Eat.co.uk Ltd", "JUSTEAT")
        till.cards(week, weekly * 0.25 * busy)
        for day in (0, 4):
            till.cash(week, weekly * 0.2 * busy * _swing(d), day)
        till.buy(week, weekly * 0.33 * busy, "Bestway Cash & Carry")
        till.wages(week, 2)
        till.premises(week, 1000)


def driving_lessons(d: Diary) -> None:
    till, pupils = Till(d), d.people(6)
    for week in till.each():
        till.cash(week, d.rng.randint(4, 10) * 35, step=35)
        for name in d.rng.sample(pupils, 3):
            d.pay(week * 7 + d.rng.randint(0, 6), 70, name, "LESSON")
        till.buy(week, 55, "TESCO PFS")
        if week % 4 == 0:
            d.pay(week * 7 + 1, -390, "Franchise RED Driving", "DD", code="PMNT-RDDT-PMDD")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    no_costs_at_all, apps_and_a_pile_of_cash, taxi_that_never_drives, chairs_stay_cash_grows, many_counters_one_day, cash_in_and_away,
    cash_sent_abroad, cars_nobody_bought, same_sum_every_week, new_shop_to_exchange, cash_up_when_cards_fall, beds_that_use_no_power,
    twenties_by_machine,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    chip_shop_cash_only, nail_bar, car_wash_by_hand, cab_driver, market_cash_only, chair_renting_barber, seaside_rock, house_cleaner,
    car_boot_sundays, village_pub, newsagent_with_lottery, salon_drawings, takeaway_with_apps, driving_lessons,
)  # fmt: skip


# What these do is seen over a year only.
_OF_A_YEAR = (chairs_stay_cash_grows, cash_up_when_cards_fall, same_sum_every_week)


def tills(seed: int, *, weeks: int = WEEKS) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions of so many weeks, and accounts; one of each kind."""
    for kind in (*GUILTY, *INNOCENT):
        if weeks < WEEKS and kind in _OF_A_YEAR:
            continue
        diary = Diary(f"{seed} {kind.__name__}")
        diary.live()
        kind(diary)
        rows, accounts = diary.frames()
        first = rows["booked_on"].max() - pd.Timedelta(days=7 * weeks)
        yield kind.__name__, kind in GUILTY, rows[rows["booked_on"] >= first].reset_index(drop=True), accounts
