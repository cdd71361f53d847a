"""Seeded landlords, with the tenants, agents, lenders and repairs of life, and people whose "rents" are other money.

Sources of the guilty ones: FATF, Guidance for a Risk-Based Approach: Real Estate Sector (2022), rents that pay for no property; Europol, money muling;
Action Fraud on rental fraud (deposits for a flat that is not to let).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary

_RENT = ("RENT", "RENT JAN", "FLAT", "ROOM 2", "12 ELM RD", "HOUSE", "MONTHLY RENT", "STANDING ORDER", "")
_MONTH = 30.4


def _months(d: Diary, least: int = 6) -> range:
    return range(d.rng.choice((0, 0, 3, 12 - least)), 12)


def _tenants(d: Diary, count: int, rent: tuple[int, int], months: range, *, late: int = 3) -> dict[str, int]:
    """Book rents of tenants who stay, each on a day and with a text of their own."""
    rents = {}
    for name in d.people(count):
        rents[name] = d.rng.randint(*rent)
        on, text = d.rng.randint(0, 8), d.rng.choice(_RENT)
        for month in months:
            d.pay(month * _MONTH + on + d.rng.randint(0, late), rents[name], name, text)
    return rents


def _debit(d: Diary, months: range, on: int, amount: float, name: str, text: str) -> None:
    for month in months:
        d.pay(month * _MONTH + on, -amount, name, text, code="PMNT-RDDT-PMDD")


# --- innocent


def mortgaged_flats(d: Diary) -> None:
    months = _months(d)
    rents = _tenants(d, d.rng.randint(3, 8), (550, 1250), months)
    for number in range(len(rents)):
        _debit(
            d,
            months,
            10 + number % 5,
            d.rng.randint(300, 600),
            d.rng.choice(("Paragon Bank", "BM Solutions", "The Mortgage Works")),
            f"BTL {number}",
        )


def paid_off_houses(d: Diary) -> None:
    """No mortgage: insurance, council tax between lets, repairs; the rest is saved at another bank the day after."""
    months = _months(d)
    rents = _tenants(d, d.rng.randint(3, 6), (600, 1100), months)
    _debit(d, months, 14, 62, "Simply Business", "LANDLORD INS")
    for month in months:
        d.pay(month * _MONTH + 12, -sum(rents.values()) * 0.8, d.customer, "SAVINGS")
        if d.rng.random() < 0.5:
            d.pay(month * _MONTH + 15, -d.rng.randint(80, 700), "Plumb & Heat Services", "INV")


def agent_remits(d: Diary) -> None:
    months = _months(d)
    for number in range(d.rng.randint(3, 5)):
        net = d.rng.randint(500, 900)
        for month in months:
            d.pay(
                month * _MONTH + 5 + number,
                net * d.rng.choice((1, 1, 1, 0.8)),
                "Foxwell Lettings",
                "RENT NET",
            )
    _tenants(d, 2, (500, 900), months)
    _debit(d, months, 20, 410, "Nationwide", "MORTGAGE")


def service_charges(d: Diary) -> None:
    months = _months(d)
    _tenants(d, d.rng.randint(3, 5), (850, 1600), months)
    _debit(d, months, 9, 1450, "Kent Reliance", "MORTGAGE")
    for month in months:
        if month % 3 == 0:
            d.pay(month * _MONTH + 11, -d.rng.randint(500, 900), "Firstport Property", "SERVICE CHARGE")


def students_with_deposits(d: Diary) -> None:
    names, rent = d.people(d.rng.randint(5, 8)), d.rng.randint(95, 150) * 4
    for name in names:
        d.pay(60 + d.rng.randint(0, 12), rent, name, d.rng.choice(("DEPOSIT", "HOLDING DEP", "ROOM")))
        for month in range(9):
            d.pay(85 + month * _MONTH + d.rng.randint(0, 5), rent, name, d.rng.choice(_RENT))
    d.pay(76, -rent * len(names), "Deposit Protection Service", "DPS")
    _debit(d, range(12), 4, 980, "Leeds BS", "MORTGAGE")


def council_pays(d: Diary) -> None:
    months = _months(d)
    for number in range(d.rng.randint(3, 5)):
        for week in range(months.start * 4, 50, 4):
            d.pay(week * 7 + number, d.rng.choice((412, 455, 398)), "Bradford MDC", "HOUSING BENEFIT")
    _tenants(d, 3, (80, 210), months)
    _debit(d, months, 17, 640, "Skipton BS", "MORTGAGE")


def rent_to_rent(d: Diary) -> None:
    """A firm of one who leases a house, lets its rooms, and pays the owner just after the rents came."""
    months = _months(d)
    rents = _tenants(d, d.rng.randint(5, 7), (450, 650), months, late=1)
    owner = d.person()
    for month in months:
        d.pay(
            month * _MONTH + 10,
            -sum(rents.values()) * 0.68,
            owner,
            d.rng.choice(("RENT", "HEAD LEASE", "RENT 14 OAK")),
        )
        d.pay(month * _MONTH + 12, -d.rng.randint(180, 420), "Octopus Energy", "DD")  # fmt: skip


def share_for_the_brother(d: Diary) -> None:
    months = _months(d)
    rents = _tenants(d, d.rng.randint(3, 5), (650, 1000), months)
    brother = f"Aaron {d.customer.split()[1]}"
    for month in months:
        d.pay(
            month * _MONTH + 13, -sum(rents.values()) / 2, brother, d.rng.choice(("HALF RENTS", "RENT SHARE"))
        )


def holiday_let(d: Diary) -> None:
    """Guests come once; platforms pay out as well; a cleaner, linen and a council bill."""
    for week in range(52):
        if d.rng.random() < 0.6:
            d.pay(week * 7 + 3, d.rng.randint(380, 900), "Airbnb Payments UK", "AIRBNB")
            d.pay(week * 7 + 5, -d.rng.randint(60, 90), "Marina Housekeeping", "CLEANING")
        if d.rng.random() < 0.35:
            guest = d.person()
            d.pay(week * 7 + 1, d.rng.choice((120, 150, 200)), guest, "DEPOSIT COTTAGE")
            d.pay(week * 7 + 22, d.rng.randint(300, 650), guest, "BALANCE COTTAGE")
    _debit(d, range(12), 3, 720, "Cumberland BS", "MORTGAGE")


def garages(d: Diary) -> None:
    months = _months(d)
    _tenants(d, d.rng.randint(10, 16), (45, 85), months, late=6)
    _debit(d, months, 12, 38, "NFU Mutual", "INS")


def arrears_and_part_payments(d: Diary) -> None:
    months = _months(d)
    for name in d.people(d.rng.randint(4, 6)):
        rent = d.rng.randint(550, 850)
        for month in months:
            if d.rng.random() < 0.75:
                d.pay(month * _MONTH + d.rng.randint(0, 9), rent, name, "RENT")
            else:
                d.pay(month * _MONTH + 9, rent * 0.5, name, "PART RENT")
                d.pay(month * _MONTH + 24, rent * d.rng.choice((0.5, 0.4)), name, "REST OF RENT")
    _debit(d, months, 11, 1240, "Coventry BS", "MORTGAGE")


def next_house(d: Diary) -> None:
    months = range(12)
    _tenants(d, d.rng.randint(5, 8), (600, 1100), months)
    d.pay(250, -d.rng.randint(180, 320) * 100, "Harmer Solicitors LLP", "COMPLETION 8 ELM RD")
    _debit(d, months, 16, 980, "Precise Mortgages", "BTL")


def costs_on_a_card(d: Diary) -> None:
    """No mortgage and no bill to be seen: a credit card pays them, and the rest goes to savings at the end of the month."""
    months = _months(d)
    _tenants(d, d.rng.randint(4, 7), (500, 950), months)
    for month in months:
        d.pay(month * _MONTH + 22, -d.rng.randint(700, 1900), "American Express", "DD", code="PMNT-RDDT-PMDD")
        d.pay(month * _MONTH + 26, -1500, "Marcus by Goldman Sachs", "SAVE")


def names_only(d: Diary) -> None:
    """Rents without a word, mortgages by standing order, and savings elsewhere."""
    names, months = d.people(d.rng.randint(3, 8)), _months(d)
    for name in names:
        rent, on = d.rng.randint(500, 1100), d.rng.randint(0, 12)
        for month in months:
            d.pay(month * _MONTH + on + d.rng.randint(0, 2), rent, name, d.rng.choice(("", "14A ELM RD")))
    for month in months:
        for number in range(2):
            d.pay(month * _MONTH + 14, -d.rng.choice((612, 498)), "Natwest", f"MORTGAGE {number}")
        d.pay(month * _MONTH + 20, -d.rng.randint(4, 14) * 100, d.customer, "")


def short_lets_and_builders(d: Diary) -> None:
    """Tenants who change every few months, without words, and builders who are paid by name."""
    for begin in range(0, 12, 4):
        for name in d.people(d.rng.randint(3, 5)):
            rent, on = d.rng.randint(500, 900), d.rng.randint(0, 9)
            if d.rng.random() < 0.7:
                d.pay(begin * _MONTH + on, rent, name, d.rng.choice(("DEPOSIT", "")))
            for month in range(begin, begin + d.rng.randint(3, 4)):
                d.pay(month * _MONTH + on + 2, rent, name, d.rng.choice(("RENT", "", "ROOM")))
        d.pay(
            begin * _MONTH + 18,
            -d.rng.randint(9, 32) * 100,
            d.person(),
            d.rng.choice(("BUILDER", "PAINTING", "NEW BATHROOM")),
        )
    _debit(d, range(12), 6, 890, "Aldermore", "MORTGAGE")


def half_to_the_partner(d: Diary) -> None:
    """A couple with two surnames who share the rents of one house."""
    months = _months(d)
    rents, partner = _tenants(d, d.rng.randint(3, 5), (600, 950), months), d.person()
    for month in months:
        d.pay(
            month * _MONTH + 12, -sum(rents.values()) * 0.5, partner, d.rng.choice(("RENTS", "YOUR HALF", ""))
        )
    _debit(d, months, 15, 310, "Leeds BS", "MORTGAGE")


def rents_into_tax_and_roof(d: Diary) -> None:
    """Rents that are let stand for months, and then pay the tax and a roof in one sum each."""
    _tenants(d, d.rng.randint(4, 6), (500, 900), range(12))
    d.pay(220, -d.rng.randint(40, 90) * 100, "HMRC SA", "SELF ASSESSMENT")
    d.pay(260, -d.rng.randint(50, 95) * 100, d.person(), d.rng.choice(("ROOF", "ROOF INVOICE 2", "INV 118")))


# --- guilty


def tenants_of_one_month(d: Diary) -> None:
    """Each "tenant" pays once; a person gets the money in the week after."""
    out = d.person()
    for month in range(3, 12):
        total = 0
        for name in d.people(d.rng.randint(3, 5)):
            amount = d.rng.randint(120, 240) * 5
            total += amount
            d.pay(month * _MONTH + d.rng.randint(0, 4), amount, name, "RENT")
        d.pay(month * _MONTH + 7, -total * 0.95, out)


def rents_gone_next_day(d: Diary) -> None:
    out, months = d.person(), _months(d)
    for name in d.people(d.rng.randint(3, 6)):
        rent, on = d.rng.randint(600, 1000), d.rng.randint(0, 14)
        for month in months:
            d.pay(month * _MONTH + on, rent, name, d.rng.choice(("RENT", "FLAT")))
            d.pay(month * _MONTH + on + 1, -rent * 0.97, out, "")


def same_day_same_sum_abroad(d: Diary) -> None:
    names, months, rent = d.people(5), _months(d), d.rng.randint(14, 24) * 50
    for month in months:
        for name in names:
            d.pay(month * _MONTH + 3, rent, name, "RENT")
        d.pay(
            month * _MONTH + 4,
            -rent * 4.8,
            d.rng.choice(("Golden Delta FZE", "Baltic Star SIA")),
            "INTL PAYMENT",
        )


def rents_in_cash(d: Diary) -> None:
    """Cash by the thousand as rents of rooms, no lender, no bill, no tenant by name; on to a person."""
    out = d.person()
    for month in range(2, 12):
        for number in range(d.rng.randint(3, 5)):
            d.pay(month * _MONTH + number * 2, d.rng.randint(14, 30) * 50, "CASH PAID IN", "RENT ROOM")
        d.pay(month * _MONTH + 12, -d.rng.randint(28, 40) * 100, out)


def deposits_returned_to_others(d: Diary) -> None:
    """Large "deposits" of strangers, which go back within weeks to somebody else."""
    for number in range(6):
        amount = d.rng.randint(25, 60) * 100
        d.pay(40 + number * 50, amount, d.person(), "TENANCY DEPOSIT")
        d.pay(40 + number * 50 + d.rng.randint(3, 12), -amount * 0.98, d.person(), "DEPOSIT RETURN")


def firms_that_rent_nothing(d: Diary) -> None:
    """Shell companies pay for units; the money goes to an exchange of crypto-assets."""
    months = _months(d)
    firms = ("Meridian Star Trading Ltd", "Zenova Import Export Ltd", "Aurelia Commodities LLP")
    for month in months:
        for number, firm in enumerate(firms):
            d.pay(month * _MONTH + number, d.rng.randint(24, 32) * 100, firm, f"RENT UNIT {number}")
        d.pay(month * _MONTH + 4, -7400, d.rng.choice(("Kraken", "Coinbase")))


def ever_new_tenants(d: Diary) -> None:
    """More new payers every month, none of whom stays, and what came goes to two persons."""
    out = d.people(2)
    for month in range(2, 12):
        total = 0
        for name in d.people(3 + month // 3):
            amount = d.rng.randint(400, 900)
            total += amount
            d.pay(month * _MONTH + d.rng.randint(0, 9), amount, name, d.rng.choice(("RENT", "ROOM", "")))
        for name in out:
            d.pay(month * _MONTH + 12, -total * 0.46, name, d.rng.choice(("", "SHARE")))


def half_years_ahead(d: Diary) -> None:
    """ "Rent" for half a year ahead, just under ten thousand, by one stranger after the other."""
    for number in range(4):
        d.pay(60 + number * 9, d.rng.randint(9300, 9950), d.person(), "RENT 6 MONTHS")
    d.pay(110, -36000, d.person(), "")


def overpaid_and_refunded(d: Diary) -> None:
    """ "Tenants" pay three rents at once, and the excess goes "back" to another name."""
    for number in range(d.rng.randint(5, 7)):
        rent = d.rng.randint(700, 1100)
        day = 30 + number * 45
        d.pay(day, rent * 3, d.person(), "RENT")
        d.pay(day + 2, -rent * 2.8, d.person(), "OVERPAID RENT BACK")


def flat_that_is_not_to_let(d: Diary) -> None:
    """A false advert: a dozen deposits in a fortnight, gone the day they come."""
    out = d.person()
    for name in d.people(d.rng.randint(10, 15)):
        day, amount = 200 + d.rng.randint(0, 13), d.rng.choice((450, 600, 650, 700, 850))
        d.pay(day, amount, name, d.rng.choice(("DEPOSIT", "HOLDING DEPOSIT", "FLAT DEPOSIT")))
        d.pay(day + d.rng.randint(0, 1), -amount * 0.98, out)


def own_money_comes_back_as_rent(d: Diary) -> None:
    """The landlord pays the "tenants" first, who pay it back as rent."""
    for name in d.people(4):
        rent, on = d.rng.randint(700, 1000), d.rng.randint(0, 10)
        for month in range(2, 11):
            d.pay(month * _MONTH + on, -rent * 1.05, name, d.rng.choice(("", "HELP", "WORK")))
            d.pay(month * _MONTH + on + d.rng.randint(3, 6), rent, name, "RENT")


def guests_without_a_house(d: Diary) -> None:
    """Holiday guests of a cottage with no platform, cleaner or bill; a remitter takes it each week."""
    for week in range(18, 52):
        total = 0
        for _ in range(d.rng.randint(1, 3)):
            amount = d.rng.randint(300, 700)
            total += amount
            d.pay(week * 7 + d.rng.randint(0, 3), amount, d.person(), "COTTAGE WEEK")
        d.pay(week * 7 + 5, -total * 0.96, d.rng.choice(("Wise", "Remitly", "Western Union")))


GUILTY: tuple[Callable[[Diary], None], ...] = (
    tenants_of_one_month, rents_gone_next_day, same_day_same_sum_abroad, rents_in_cash, deposits_returned_to_others, firms_that_rent_nothing,
    ever_new_tenants, half_years_ahead, overpaid_and_refunded, flat_that_is_not_to_let, own_money_comes_back_as_rent, guests_without_a_house,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    mortgaged_flats, paid_off_houses, agent_remits, service_charges, students_with_deposits, council_pays, rent_to_rent, share_for_the_brother,
    holiday_let, garages, arrears_and_part_payments, next_house, costs_on_a_card,
    names_only, short_lets_and_builders, half_to_the_partner, rents_into_tax_and_roof,
)  # fmt: skip


def landlords(seed: int) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts; one of each kind, half of them beside a pay."""
    for number, kind in enumerate((*GUILTY, *INNOCENT)):
        diary = Diary(f"{seed} {kind.__name__}")
        if (seed + number) % 2:
            diary.salary()
        diary.live()
        kind(diary)
        yield kind.__name__, kind in GUILTY, *diary.frames()
