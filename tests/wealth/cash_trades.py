"""Seeded trades that take cash: honest ones, and ones whose takings cover other cash; and landlords with their tenants.

Sources of the guilty ones: FATF, Professional Money Laundering (2018), cash-intensive firms as cover; FFIEC BSA/AML Manual, "Cash-Intensive
Businesses" (deposits that do not fit the trade's volume, season or other takings); FATF, Trade-Based Money Laundering (2020), commingling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd
from tests.wealth.money_patterns import Diary

WEEKS = 52


@dataclass(frozen=True)
class Trade:
    """A trade in an ordinary week: card takings, cash takings, and what is bought; major units."""

    card: float
    cash: float
    costs: float
    acquirer: tuple[str, str]
    supplier: str
    staff: int = 0


_ACQUIRERS = (
    ("SumUp Payments", "SUMUP PAYOUT"),
    ("Worldpay", "WORLDPAY SETTLEMENT"),
    ("Zettle", "ZETTLE BY PAYPAL"),
    ("Square", "SQUARE UP PAYOUT"),
    ("Dojo", "DOJO SETTLEMENT"),
)


def _trade(
    d: Diary, *, card: tuple[int, int], cash_share: float, costs: float, supplier: str, staff: int = 0
) -> Trade:
    weekly = d.rng.randint(*card)
    cash = weekly * cash_share * d.rng.uniform(0.85, 1.15)
    return Trade(weekly, cash, (weekly + cash) * costs, d.rng.choice(_ACQUIRERS), supplier, staff)


def _season(week: int, summer: float) -> float:
    """Return how busy a week is; `summer` is the weeks around July beside the others."""
    return summer if 4 <= week <= 12 or week >= 50 else 1.0


def _week(d: Diary, trade: Trade, week: int, busy: float = 1.0, *, deposits: int = 1) -> None:
    """Book an honest week: card payouts, ragged cash takings that follow them, purchases and wages."""
    name, text = trade.acquirer
    busy *= d.rng.uniform(0.85, 1.15)
    for weekday in (1, 4):
        d.pay(week * 7 + weekday, trade.card / 2 * busy * d.rng.uniform(0.9, 1.1), name, text)
    for number in range(deposits):
        if trade.cash:
            d.pay(
                week * 7 + 2 + number * 3,
                trade.cash / deposits * busy * d.rng.uniform(0.85, 1.15),
                "CASH PAID IN",
                "COUNTER CREDIT",
            )
    d.pay(
        week * 7 + 3,
        -trade.costs * busy * d.rng.uniform(0.9, 1.1),
        trade.supplier,
        "CARD",
        code="PMNT-CCRD-POSD",
    )
    for number in range(trade.staff):
        d.pay(week * 7 + 5, -d.rng.randint(330, 420), f"Staff Member {'ABCD'[number]}", "WAGES")


def _cafe(d: Diary) -> Trade:
    return _trade(d, card=(1500, 2600), cash_share=0.35, costs=0.42, supplier="Brakes Wholesale Foods")


def _takeaway(d: Diary) -> Trade:
    return _trade(d, card=(1200, 2200), cash_share=0.6, costs=0.4, supplier="Booker Wholesale")


def _salon(d: Diary) -> Trade:
    return _trade(d, card=(700, 1300), cash_share=0.5, costs=0.25, supplier="Salon Supplies Direct")


def _car_wash(d: Diary) -> Trade:
    return _trade(d, card=(500, 900), cash_share=0.7, costs=0.2, supplier="Autosheen Supplies")


# --- guilty: the till is a cover for other cash


def round_cash_on_top(d: Diary) -> None:
    """Round bundles beside the ragged takings, every week."""
    trade = _cafe(d)
    for week in range(WEEKS):
        _week(d, trade, week)
        for _ in range(d.rng.randint(1, 2)):
            d.pay(
                week * 7 + d.rng.randint(0, 6), d.rng.randint(5, 12) * 100, "CASH PAID IN", "COUNTER CREDIT"
            )


def cash_out_of_season(d: Diary) -> None:
    """A seaside kiosk whose cash does not know of the winter."""
    trade = _trade(d, card=(900, 1400), cash_share=0.8, costs=0.35, supplier="Bexley Fruit Wholesale")
    for week in range(WEEKS):
        busy = 1.0 if 2 <= week <= 16 or week >= 48 else 0.12
        _week(d, trade, week, busy)
        d.pay(week * 7 + 6, d.rng.randint(700, 1500) + d.rng.randint(0, 99) / 100, "CASH PAID IN")


def more_cash_than_custom(d: Diary) -> None:
    """Cash several times the card takings, in a trade that buys little."""
    trade = _car_wash(d)
    for week in range(WEEKS):
        _week(d, trade, week)
        for _ in range(2):
            d.pay(
                week * 7 + d.rng.randint(0, 6),
                trade.card * d.rng.uniform(0.9, 1.6),
                "CASH PAID IN",
                "COUNTER CREDIT",
            )


def cash_that_grows_alone(d: Diary) -> None:
    """From the middle of the year the cash triples; cards, purchases and wages stay."""
    trade = _takeaway(d)
    for week in range(WEEKS):
        _week(d, trade, week)
        if week >= 26:
            d.pay(week * 7 + 6, trade.cash * d.rng.uniform(1.6, 2.6), "CASH PAID IN", "COUNTER CREDIT")


def cash_while_closed(d: Diary) -> None:
    """Cash goes on while the shop is closed and takes no card."""
    trade = _salon(d)
    closed = d.rng.randint(12, 30)
    for week in range(WEEKS):
        if closed <= week < closed + 9:
            for _ in range(2):
                d.pay(week * 7 + d.rng.randint(0, 6), d.rng.randint(6, 15) * 100, "CASH PAID IN")
        else:
            _week(d, trade, week)
            d.pay(week * 7 + 6, d.rng.randint(3, 8) * 100, "CASH PAID IN")


def small_till_large_cash(d: Diary) -> None:
    """A phone repair shop with a few card payments a week and thousands in cash."""
    trade = _trade(d, card=(120, 260), cash_share=0.5, costs=0.5, supplier="Mobile Parts Wholesale")
    for week in range(WEEKS):
        _week(d, trade, week)
        for _ in range(d.rng.randint(1, 3)):
            d.pay(
                week * 7 + d.rng.randint(0, 6), d.rng.randint(50, 140) * 10, "CASH PAID IN", "COUNTER CREDIT"
            )


def flat_cash(d: Diary) -> None:
    """Cards go up and down by the season; the cash is nearly the same every week, and round."""
    trade = _trade(d, card=(800, 1300), cash_share=0.0, costs=0.35, supplier="Makro Wholesale")
    for week in range(WEEKS):
        _week(d, trade, week, _season(week, 2.6))
        for weekday in (0, 3):
            d.pay(week * 7 + weekday, d.rng.randint(14, 18) * 50, "CASH PAID IN", "COUNTER CREDIT")


def bundles_after_weekends(d: Diary) -> None:
    """A pub whose Mondays bring thousands in round sums on top of the till."""
    trade = _trade(
        d, card=(2000, 3200), cash_share=0.3, costs=0.4, supplier="Carlsberg Marstons Brewing", staff=2
    )
    for week in range(WEEKS):
        _week(d, trade, week)
        d.pay(week * 7 + 1, d.rng.randint(15, 40) * 100, "CASH PAID IN", "COUNTER CREDIT")


def cash_over_branches(d: Diary) -> None:
    """Takings of a vape shop, and round cash of like size at counters all over the county."""
    trade = _trade(d, card=(900, 1500), cash_share=0.4, costs=0.45, supplier="Vapour Wholesale")
    for week in range(WEEKS):
        _week(d, trade, week)
        for _ in range(2):
            d.pay(
                week * 7 + d.rng.randint(0, 6),
                d.rng.randint(9, 19) * 50,
                "CASH PAID IN",
                d.rng.choice(("LEEDS", "YORK", "HULL", "SELBY")),
            )


def cash_sent_to_a_shell(d: Diary) -> None:
    """Round cash beside a laundrette's takings, most of it paid on to a trading firm as invoices."""
    trade = _trade(d, card=(300, 600), cash_share=1.0, costs=0.2, supplier="Cleanline Detergents Supplies")
    for week in range(WEEKS):
        _week(d, trade, week)
        d.pay(week * 7 + 5, d.rng.randint(8, 16) * 100, "CASH PAID IN", "COUNTER CREDIT")
        if week % 4 == 3:
            d.pay(week * 7 + 6, -d.rng.randint(35, 48) * 100, "Kestrel Bay Ventures Ltd", "INV")


def cash_after_the_cards_end(d: Diary) -> None:
    """The card terminal falls silent in spring, the purchases with it; the cash goes on and grows."""
    trade = _takeaway(d)
    for week in range(WEEKS):
        if week < 30:
            _week(d, trade, week, deposits=2)
        else:
            for _ in range(3):
                d.pay(
                    week * 7 + d.rng.randint(0, 6),
                    trade.cash * d.rng.uniform(0.7, 1.3),
                    "CASH PAID IN",
                    "COUNTER CREDIT",
                )
            if week % 8 == 0:
                d.pay(week * 7 + 3, -60, trade.supplier, "CARD", code="PMNT-CCRD-POSD")


def bursts_between_takings(d: Diary) -> None:
    """Ordinary takings, and every few weeks a handful of large round sums within days."""
    trade = _cafe(d)
    for week in range(WEEKS):
        _week(d, trade, week)
        if week % 5 == 2:
            for _ in range(d.rng.randint(3, 5)):
                d.pay(
                    week * 7 + d.rng.randint(0, 6),
                    d.rng.randint(4, 9) * 250,
                    "CASH PAID IN",
                    "COUNTER CREDIT",
                )


def takings_carried_off(d: Diary) -> None:
    """A barber whose cash is twice what the chairs earn, all year; a third of it goes to a friend in round sums."""
    trade = _trade(
        d, card=(1100, 1500), cash_share=1.6, costs=0.3, supplier="Barber Supplies Direct", staff=1
    )
    friend = d.person()
    for week in range(WEEKS):
        _week(d, trade, week)
        if week % 4 == 1:
            d.pay(week * 7 + 6, -round(trade.cash * d.rng.uniform(1.2, 1.7) / 50) * 50, friend, "")


def cash_at_far_branches(d: Diary) -> None:
    """A takeaway that banks at home; every other week cash is paid in for it in several far towns on one day."""
    trade = _takeaway(d)
    towns = ("HULL", "TRURO", "CARDIFF", "CREWE", "LUTON")
    for week in range(WEEKS):
        _week(d, trade, week)
        if week % 2:
            for town in d.rng.sample(towns, 3):
                d.pay(week * 7 + 3, d.rng.randint(500, 1100) + 0.5, "CASH PAID IN", town)


# --- innocent: the same trades


def market_stall(d: Diary) -> None:
    trade = _trade(d, card=(150, 300), cash_share=2.2, costs=0.45, supplier="New Covent Garden Wholesale")
    for week in range(WEEKS):
        _week(d, trade, week, _season(week, 1.5))


def taxi(d: Diary) -> None:
    for week in range(WEEKS):
        d.pay(week * 7 + 1, d.rng.randint(180, 420) + d.rng.random(), "Uber BV", "UBER TRIPS")
        d.pay(week * 7 + 2, d.rng.randint(15, 45) * 10, "CASH PAID IN")
        d.pay(week * 7 + 4, -d.rng.randint(60, 110), "BP CONNECT", code="PMNT-CCRD-POSD")
        if week % 4 == 0:
            d.pay(week * 7 + 5, -d.rng.randint(380, 430), "Taxi Plan Insurance", "CAR", code="PMNT-RDDT-PMDD")


def cafe(d: Diary) -> None:
    trade = _cafe(d)
    for week in range(WEEKS):
        _week(d, trade, week, _season(week, 1.4), deposits=d.rng.randint(1, 2))


def church_collection(d: Diary) -> None:
    for week in range(WEEKS):
        feast = 3 if week in {25, 41} else 1
        d.pay(week * 7 + 1, feast * d.rng.randint(18000, 42000) / 100, "CASH PAID IN", "COLLECTION")
        if week % 4 == 0:
            d.pay(week * 7 + 3, d.rng.randint(40, 130) + 0.37, "SumUp Payments", "SUMUP PAYOUT")
            d.pay(week * 7 + 6, -d.rng.randint(500, 900), "Diocese Board", "PARISH SHARE")


def barber(d: Diary) -> None:
    trade = _trade(d, card=(450, 800), cash_share=1.1, costs=0.15, supplier="Barber Supplies Direct")
    for week in range(WEEKS):
        _week(d, trade, week)


def window_cleaner(d: Diary) -> None:
    for week in range(WEEKS):
        for _ in range(d.rng.randint(1, 2)):
            d.pay(week * 7 + d.rng.randint(3, 6), d.rng.randint(8, 26) * 10, "CASH PAID IN")
        d.pay(week * 7 + 1, d.rng.randint(60, 180), "GoCardless", "GOCARDLESS PAYOUT")
        d.pay(week * 7 + 2, -d.rng.randint(25, 60), "SHELL OAKWOOD", code="PMNT-CCRD-POSD")


def ice_cream_van(d: Diary) -> None:
    trade = _trade(d, card=(500, 800), cash_share=1.0, costs=0.35, supplier="Frozen Foods Wholesale")
    for week in range(WEEKS):
        if week <= 14 or week >= 44:
            _week(d, trade, week, _season(week, 1.7))


def christmas_trees(d: Diary) -> None:
    trade = _trade(d, card=(2500, 4200), cash_share=0.8, costs=0.5, supplier="Fir Growers Wholesale")
    for week in range(20, 26):
        _week(d, trade, week, deposits=3)


def pub(d: Diary) -> None:
    trade = _trade(
        d, card=(2400, 3800), cash_share=0.5, costs=0.42, supplier="Carlsberg Marstons Brewing", staff=2
    )
    for week in range(WEEKS):
        _week(d, trade, week, _season(week, 1.3), deposits=2)


def takeaway_that_grows(d: Diary) -> None:
    trade = _takeaway(d)
    for week in range(WEEKS):
        _week(d, trade, week, 1 + week / 40)


def terminal_broken(d: Diary) -> None:
    """A month without cards: customers paid in cash, and the purchases went on."""
    trade = _cafe(d)
    broken = d.rng.randint(12, 40)
    for week in range(WEEKS):
        if broken <= week < broken + 4:
            d.pay(
                week * 7 + 2,
                (trade.card + trade.cash) * d.rng.uniform(0.6, 0.9),
                "CASH PAID IN",
                "COUNTER CREDIT",
            )
            d.pay(
                week * 7 + 3,
                -trade.costs * d.rng.uniform(0.8, 1),
                trade.supplier,
                "CARD",
                code="PMNT-CCRD-POSD",
            )
        else:
            _week(d, trade, week)


def customers_turn_to_cards(d: Diary) -> None:
    """A groomer who got a card machine: cash dwindles as cards rise, and what is bought is bought of somebody no list names."""
    weekly = d.rng.randint(1100, 1500)
    name, text = d.rng.choice(_ACQUIRERS)
    for week in range(WEEKS):
        by_card = 0.15 + 0.7 * week / WEEKS
        d.pay(week * 7 + 4, weekly * by_card * d.rng.uniform(0.9, 1.1), name, text)
        d.pay(week * 7 + 2, weekly * (1 - by_card) * d.rng.uniform(0.9, 1.1), "CASH PAID IN")
        d.pay(week * 7 + 3, -d.rng.randint(90, 160), "Ashdown and Vale")


def notes_in_round_sums(d: Diary) -> None:
    """A greengrocer who banks notes in round hundreds, and keeps the rest for the till."""
    trade = _trade(d, card=(1100, 1800), cash_share=0.6, costs=0.5, supplier="New Covent Garden Wholesale")
    silent = Trade(trade.card, 0, trade.costs, trade.acquirer, trade.supplier)
    for week in range(WEEKS):
        _week(d, silent, week)
        d.pay(
            week * 7 + 2,
            round(trade.cash * d.rng.uniform(0.8, 1.2) / 100) * 100,
            "CASH PAID IN",
            "COUNTER CREDIT",
        )


def banked_monthly(d: Diary) -> None:
    """A hairdresser who takes the cash to the bank once a month."""
    trade = _salon(d)
    silent = Trade(trade.card, 0, trade.costs, trade.acquirer, trade.supplier)
    for week in range(WEEKS):
        _week(d, silent, week)
        if week % 4 == 3:
            d.pay(week * 7 + 5, trade.cash * 4 * d.rng.uniform(0.85, 1.15), "CASH PAID IN", "COUNTER CREDIT")


# --- landlords


def _rents(
    d: Diary, tenants: int, months: tuple[int, int], rent: tuple[int, int], text: tuple[str, ...]
) -> None:
    for name in d.people(tenants):
        amount, on = d.rng.randint(*rent), d.rng.randint(0, 5)
        start = d.rng.randint(0, max(0, 12 - months[1]))
        for month in range(start, start + d.rng.randint(*months)):
            d.pay(month * 30.4 + on + d.rng.randint(0, 2), amount, name, d.rng.choice(text))


def house_of_rooms(d: Diary) -> None:
    """Lodgers who come and go, each for a few months."""
    for begin in range(0, 12, 3):
        for name in d.people(d.rng.randint(3, 5)):
            rent = d.rng.randint(90, 140) * 5
            for month in range(begin, min(12, begin + d.rng.randint(2, 5))):
                d.pay(month * 30.4 + d.rng.randint(0, 4), rent, name, d.rng.choice(("RENT", "ROOM 3", "")))
    for month in range(12):
        d.pay(
            9 + month * 30.4,
            -d.rng.randint(900, 1300),
            "Skipton Building Society",
            "MORTGAGE",
            code="PMNT-RDDT-PMDD",
        )


def rents_beside_an_agent(d: Diary) -> None:
    _rents(d, d.rng.randint(4, 8), (8, 12), (550, 1250), ("RENT", "FLAT", "RENT FLAT 2"))
    for month in range(12):
        d.pay(11 + month * 30.4, -d.rng.randint(80, 160), "Northfield Lettings Ltd", "MANAGEMENT FEE")
        if d.rng.random() < 0.3:
            d.pay(
                15 + month * 30.4,
                -d.rng.randint(200, 900),
                d.person(),
                d.rng.choice(("BOILER", "PAINTING", "INV 12")),
            )


def deposits_and_rents(d: Diary) -> None:
    """Students who move in together in the autumn: deposits, first rents, and deposits that go back in summer."""
    names = d.people(d.rng.randint(4, 7))
    rent = d.rng.randint(85, 130) * 5
    for name in names:
        d.pay(70 + d.rng.randint(0, 9), rent * 1.15, name, "DEPOSIT")
        for month in range(10):
            d.pay(80 + month * 28 + d.rng.randint(0, 4), rent, name, d.rng.choice(("RENT", "ROOM", "")))
        d.pay(30 + d.rng.randint(0, 9), -rent * 1.1, d.person(), "DEPOSIT RETURN")


def tenants_who_follow_each_other(d: Diary) -> None:
    """Flats that change hands: a deposit goes back to the tenant who leaves, and the next one pays the same deposit within days."""
    for begin in (0, 0, 1):
        rent = d.rng.randint(140, 260) * 5
        deposit = round(rent * 15 / 13)
        names = d.people(3)
        change = 0.0
        for name in names:
            start, change = change, change + d.rng.randint(100, 130)
            d.pay(
                begin + start + d.rng.randint(0, 3),
                deposit,
                name,
                d.rng.choice(("DEPOSIT", "HOLDING DEPOSIT", "")),
            )
            for month in range(4):
                if start + month * 30.4 < change - 10:
                    d.pay(begin + start + 4 + month * 30.4, rent, name, d.rng.choice(("RENT", "FLAT 2", "")))
            d.pay(
                begin + change - d.rng.randint(2, 6),
                -deposit,
                name,
                d.rng.choice(("DEPOSIT RETURN", "DEPOSIT BACK", "")),
            )


def rents_before_another_house(d: Diary) -> None:
    """A landlord who pays the deposit for one more house out of the rents of a good year."""
    _rents(d, d.rng.randint(4, 6), (3, 10), (650, 1100), ("RENT", "FLAT 1", ""))
    d.pay(
        d.rng.randint(200, 340), -d.rng.randint(60, 120) * 100, "Pemberton Solicitors", "DEPOSIT 4 ELM ROAD"
    )


def rents_that_pay_the_mortgages(d: Diary) -> None:
    """Rents that leave again within days, for mortgages of the same houses."""
    _rents(d, d.rng.randint(3, 5), (11, 12), (700, 1100), ("RENT", ""))
    for number in range(3):
        for month in range(12):
            d.pay(
                7 + number + month * 30.4,
                -d.rng.randint(640, 660),
                "Paragon Bank Mortgages",
                f"MORTGAGE {number}",
                code="PMNT-RDDT-PMDD",
            )


def weekly_rents(d: Diary) -> None:
    for name in d.people(d.rng.randint(5, 9)):
        rent, on = d.rng.randint(20, 34) * 5, d.rng.randint(0, 6)
        first = d.rng.randint(0, 30)
        for week in range(first, min(52, first + d.rng.randint(8, 40))):
            d.pay(week * 7 + on, rent, name, d.rng.choice(("RENT", "")))


def rent_shared_out(d: Diary) -> None:
    """Brothers and sisters who own a house together: one collects the rents and pays the others."""
    names = d.people(2)
    _rents(d, d.rng.randint(2, 4), (11, 12), (650, 1100), ("RENT",))
    for month in range(12):
        for name in names:
            d.pay(8 + month * 30.4, -d.rng.randint(500, 520), name, "RENT SHARE")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    round_cash_on_top, cash_out_of_season, more_cash_than_custom, cash_that_grows_alone, cash_while_closed, small_till_large_cash, flat_cash,
    bundles_after_weekends, cash_over_branches, cash_sent_to_a_shell, cash_after_the_cards_end, bursts_between_takings,
    takings_carried_off, cash_at_far_branches,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    market_stall, taxi, cafe, church_collection, barber, window_cleaner, ice_cream_van, christmas_trees, pub, takeaway_that_grows,
    terminal_broken, customers_turn_to_cards, notes_in_round_sums, banked_monthly, house_of_rooms, rents_beside_an_agent, deposits_and_rents, tenants_who_follow_each_other, rents_before_another_house,
    rents_that_pay_the_mortgages, weekly_rents, rent_shared_out,
)  # fmt: skip
_BESIDE_PAY = (
    church_collection,
    rents_before_another_house,
    house_of_rooms,
    rents_beside_an_agent,
    rent_shared_out,
)


def trades(seed: int, per_kind: int = 6) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts."""
    for kind in (*GUILTY, *INNOCENT):
        for number in range(per_kind):
            diary = Diary(f"{seed} {kind.__name__} {number}")
            if kind in _BESIDE_PAY:
                diary.salary()
            diary.live()
            kind(diary)
            yield kind.__name__, kind in GUILTY, *diary.frames()
