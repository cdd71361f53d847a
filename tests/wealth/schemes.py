"""Seeded payrolls, loans, collections and feasts, honest and not, for the red flags on them.

Sources of the guilty ones: FATF, Professional Money Laundering (2018), payrolls of shell firms and loan-back; FFIEC BSA/AML Manual, appendix F, "Lending
activity"; National Crime Agency, National Strategic Assessment (2024), accounts of vulnerable people; Action Fraud on ticket and holiday fraud.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
from tests.wealth.money_patterns import Diary

_MONTH = 30.4
_STEMS = ("Ravenshaw", "Oldcastle", "Kettlewell", "Summerhill", "Thornbury", "Ashgrove")
_TRADES = ("Staffing", "Projects", "Services", "Contracts", "Logistics", "Media")
_GIVEN = ("Marek", "Iona", "Hamid", "Celia", "Bruno", "Wanda", "Samir", "Faye", "Otto", "Priya")
_INTO = ("", "", "THANK YOU", "FOR YOU", "HOLS", "PLACE", "REF 7", "BALANCE")


def _firm(d: Diary) -> str:
    return f"{d.rng.choice(_STEMS)} {d.rng.choice(_TRADES)} Ltd"


def _family(d: Diary) -> str:
    return f"{d.rng.choice(_GIVEN)} {d.customer.split()[1]}"


def _months(d: Diary) -> range:
    return range(d.rng.choice((0, 2, 4)), 12)


def _wages(d: Diary, firm: str, pay: int) -> list[float]:
    """Book pay every month and return its days."""
    on, text = d.rng.randint(1, 24), d.rng.choice(("WAGES", "SALARY", "PAYROLL", "NET PAY"))
    days = [month * _MONTH + on for month in _months(d)]
    for day in days:
        d.pay(day, pay, firm, text)
    return days


def _bill(d: Diary, amount: float, name: str, text: str, on: int = 3) -> None:
    for month in range(12):
        d.pay(month * _MONTH + on, -amount, name, text, code="PMNT-RDDT-PMDD")


# --- guilty


def pay_back_to_firm(d: Diary) -> None:
    firm, pay = _firm(d), d.rng.randint(1300, 3900)
    text = d.rng.choice(("CORRECTION", "STAFF ADVANCE", "OVERPAID", "UNIFORM", ""))
    for day in _wages(d, firm, pay):
        d.pay(day + d.rng.randint(1, 6), -pay * d.rng.uniform(0.6, 0.95), firm, text)


def pay_to_director(d: Diary) -> None:
    firm, pay, boss = _firm(d), d.rng.randint(1500, 3900), d.person()
    for day in _wages(d, firm, pay):
        share = d.rng.uniform(0.78, 0.95)
        parts = d.rng.choice((1, 2))
        for part in range(parts):
            d.pay(day + 1 + part, -pay * share / parts, boss, d.rng.choice(("", "RENT", "OWED", "CAR")))


def pay_to_sister_firm(d: Diary) -> None:
    firm, pay, boss = _firm(d), d.rng.randint(1800, 4200), d.person()
    sister = f"{firm.split()[0]} {d.rng.choice(('Homes', 'Lettings', 'Capital', 'Rentals'))}"
    for day in _wages(d, firm, pay):
        d.pay(day + d.rng.randint(1, 4), -pay * d.rng.uniform(0.35, 0.5), sister, "MONTHLY")
        d.pay(day + d.rng.randint(2, 7), -pay * d.rng.uniform(0.35, 0.45), boss, "SHARE")


def pay_drawn_in_cash(d: Diary) -> None:
    d.salary(text="WAGES")
    firm, pay = _firm(d), d.rng.randint(900, 2200)
    for day in _wages(d, firm, pay):
        for number in range(int(pay * 0.85) // 250):
            d.pay(day + number // 2, -250, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def benefits_of_others(d: Diary) -> None:
    helpers = d.people(d.rng.randint(1, 4))
    for claim in range(d.rng.randint(3, 6)):
        on, sum_ = d.rng.randint(2, 26), d.rng.randint(500, 1150)
        for month in _months(d):
            day = month * _MONTH + on
            d.pay(day, sum_, "DWP UC", f"{771_000_000 + claim * 1237}")
            d.pay(day + d.rng.randint(0, 2), -sum_ * d.rng.uniform(0.85, 0.97), d.rng.choice(helpers))


def pension_to_a_minder(d: Diary) -> None:
    minder, sum_ = d.person(), d.rng.randint(700, 1000)
    for month in range(12):
        d.pay(month * _MONTH + 4, sum_, "DWP STATE PENSION", "")
        d.pay(month * _MONTH + 5, -sum_ * d.rng.uniform(0.86, 0.95), minder)


def loan_met_with_cash(d: Diary) -> None:
    firm, loan, day = _firm(d), d.rng.randint(12, 60) * 1000, d.day(20, 80)
    d.pay(day, loan, firm, d.rng.choice(("LOAN ADVANCE", "FACILITY DRAWDOWN", "PRIVATE LOAN")))
    d.pay(day + 4, -loan * 0.97, d.rng.choice(("Autohaus Cars", "Fenn Solicitors")), "PURCHASE")
    rate = d.rng.randint(700, 2500)
    for month in range(1, 7):
        d.pay(day + month * _MONTH - d.rng.randint(1, 3), rate * d.rng.uniform(0.97, 1.03), "CASH DEPOSIT")
        d.pay(day + month * _MONTH, -rate, firm, "INSTALMENT")


def loan_met_by_strangers(d: Diary) -> None:
    firm, loan, day = _firm(d), d.rng.randint(10, 40) * 1000, d.day(20, 80)
    d.pay(day, loan, firm, "LOAN")
    for month, name in enumerate(d.people(7), start=1):
        rate = d.rng.randint(600, 1500)
        d.pay(day + month * _MONTH - 2, rate, name, d.rng.choice(_INTO))
        d.pay(day + month * _MONTH, -rate, firm, "LOAN REPAYMENT")


def own_money_lent(d: Diary) -> None:
    firm, part, day = _firm(d), d.rng.randint(3, 9) * 1000, d.day(30, 120)
    for number in range(4):
        d.pay(day + 17 * number, -part, firm, d.rng.choice(("INVESTMENT", "SERVICES", "CONSULTANCY")))
    d.pay(
        day + 100, part * d.rng.uniform(3.4, 4.6), firm, d.rng.choice(("LOAN", "LOAN AGREEMENT", "BRIDGING"))
    )


def small_sums_abroad(d: Diary) -> None:
    day, payee = d.day(40, 220), d.rng.choice(("Baltwind OU", "Al Noor General Trading", "Danubia Kft"))
    held = 0.0
    for number, name in enumerate(d.people(d.rng.randint(35, 70))):
        sum_ = d.rng.randint(25, 140)
        held += sum_
        d.pay(day + number, sum_, name, d.rng.choice(_INTO))
        if number % 7 == 6:
            d.pay(day + number + 1, -held * d.rng.uniform(0.9, 1.0), payee, "INTERNATIONAL PAYMENT")
            held = 0.0


def the_same_people_every_month(d: Diary) -> None:
    people, payee = d.people(d.rng.randint(10, 16)), d.rng.choice(("Zhao Wei", "Farid Nasser", "Olena Hryn"))
    for month in _months(d):
        sums = [d.rng.randint(6, 25) * 10 for _ in people]
        for name, sum_ in zip(people, sums, strict=True):
            d.pay(month * _MONTH + 3 + d.rng.randint(0, 5), sum_, name, d.rng.choice(("", "FAMILY", "POT")))
        d.pay(month * _MONTH + 11, -sum(sums) * d.rng.uniform(0.9, 0.98), payee, "SWIFT PAYMENT")


def tickets_never_sent(d: Diary) -> None:
    day, whole = d.day(), 0
    for name in d.people(d.rng.randint(18, 32)):
        sum_ = d.rng.randint(120, 450)
        whole += sum_
        d.pay(
            day + d.rng.randint(0, 14),
            sum_,
            name,
            d.rng.choice(("TICKETS", "2 TIX", "GIG", "VILLA", "DEPOSIT")),
        )
    d.pay(day + 17, -whole * d.rng.uniform(0.85, 0.98), _firm(d), "INTL PAYMENT")


def slow_pot_by_remitter(d: Diary) -> None:
    people = d.people(26)
    for number, name in enumerate(people):
        sum_ = d.rng.randint(90, 260)
        d.pay(20 + 6 * number, sum_, name, d.rng.choice(_INTO))
        if number % 2:
            d.pay(21 + 6 * number, -sum_ * 1.9, "WESTERN UNION", "MONEY TRANSFER")


def gifts_for_no_feast(d: Diary) -> None:
    """Gifts by the words, and all of it goes to two people."""
    day, whole, payees = d.day(), 0, d.people(2)
    for name in d.people(d.rng.randint(14, 26)):
        sum_ = d.rng.choice((200, 250, 300, 400, 500))
        whole += sum_
        d.pay(day + d.rng.randint(0, 16), sum_, name, d.rng.choice(("WEDDING GIFT", "CONGRATULATIONS", "")))
    for number, name in enumerate(payees):
        d.pay(day + 18 + number, -whole * 0.46, name, d.rng.choice(("VENUE", "BAND", "")))


def rents_to_one_party(d: Diary) -> None:
    tenants, payee = d.people(d.rng.randint(3, 7)), d.rng.choice((_firm(d), d.person()))
    text, rent = d.rng.choice(("MGMT", "", "PROPERTY", "AS AGREED")), d.rng.randint(32, 70) * 10
    for month in _months(d):
        for name in tenants:
            on, said = d.rng.randint(0, 18), d.rng.choice(("RENT", "ROOM", "RENT FLAT 2"))
            d.pay(month * _MONTH + on, rent, name, said)
        d.pay(month * _MONTH + 23, -rent * len(tenants) * d.rng.uniform(0.82, 0.97), payee, text)


# --- innocent


def rooms_let_on(d: Diary) -> None:
    """A house is leased and its rooms are let."""
    tenants, owner, rent = d.people(5), d.person(), d.rng.randint(40, 60) * 10
    for month in range(12):
        for name in tenants:
            d.pay(month * _MONTH + d.rng.randint(0, 9), rent, name, "RENT")
        d.pay(month * _MONTH + 14, -rent * 3.9, owner, "RENT")
        d.pay(month * _MONTH + 16, -d.rng.randint(140, 220), "Octopus Energy", "DD", code="PMNT-RDDT-PMDD")


def house_of_two(d: Diary) -> None:
    """Half of the rents is the other owner's."""
    tenants, other, rent = d.people(4), d.person(), d.rng.randint(50, 80) * 10
    for month in range(12):
        for name in tenants:
            d.pay(month * _MONTH + d.rng.randint(0, 9), rent, name, "RENT")
        d.pay(month * _MONTH + 15, -rent * 2, other, "YOUR HALF")


def works_for_the_council(d: Diary) -> None:
    town = d.rng.choice(("Wrexham", "Perth", "Lisburn"))
    firm, pay = f"{town} Borough Council", d.rng.randint(1700, 2900)
    _wages(d, firm, pay)
    _bill(d, 152, firm, "COUNCIL TAX")
    for month in range(12):
        d.pay(month * _MONTH + 2, -d.rng.randint(400, 560), firm, "HOUSING RENT")


def staff_loan(d: Diary) -> None:
    firm, pay = _firm(d), d.rng.randint(1800, 3200)
    days = _wages(d, firm, pay)
    d.pay(days[0] + 9, 1800, firm, "SEASON TICKET LOAN")
    for day in days[1:]:
        d.pay(day + 3, -180, firm, "LOAN REPAYMENT")


def paid_too_much_once(d: Diary) -> None:
    firm, pay = _firm(d), d.rng.randint(1800, 3000)
    days = _wages(d, firm, pay)
    d.pay(days[2], pay, firm, "PAID TWICE")
    d.pay(days[2] + 5, -pay, firm, "OVERPAYMENT RETURNED")


def own_company(d: Diary) -> None:
    firm, pay = _firm(d), 1047
    for number, day in enumerate(_wages(d, firm, pay)):
        d.pay(day + 2, d.rng.randint(1200, 2400), firm, "DIVIDEND")
        if number in {2, 6}:
            d.pay(day + 12, -d.rng.randint(300, 900), firm, "DIRECTORS LOAN")


def half_to_a_partner(d: Diary) -> None:
    firm, pay, partner = _firm(d), d.rng.randint(1800, 3200), d.person()
    for day in _wages(d, firm, pay):
        d.pay(day + 1, -round(pay * 0.5, -1), partner, d.rng.choice(("HOUSE", "MY HALF", "")))


def lives_on_cash(d: Diary) -> None:
    firm, pay = _firm(d), d.rng.randint(1300, 2000)
    for day in _wages(d, firm, pay):
        for number in range(int(pay * 0.8) // 200):
            d.pay(day + number // 2, -200, "ATM", "CASH WITHDRAWAL", code="PMNT-CCRD-CWDL")


def two_jobs_and_some_cash(d: Diary) -> None:
    d.salary(text="WAGES")
    _wages(d, _firm(d), d.rng.randint(700, 1200))
    for week in range(52):
        d.pay(
            week * 7 + d.rng.randint(0, 4),
            -d.rng.choice((40, 60, 80, 100)),
            "ATM",
            "CASH WITHDRAWAL",
            code="PMNT-CCRD-CWDL",
        )


def pensioner_with_a_carer(d: Diary) -> None:
    carer = d.person()
    for month in range(12):
        d.pay(month * _MONTH + 4, 904, "DWP STATE PENSION", "")
        d.pay(month * _MONTH + 20, d.rng.randint(610, 640), "NHS PENSIONS", "PENSION")
    for week in range(52):
        d.pay(week * 7 + 4, -d.rng.choice((90, 105, 120)), carer, "CARE")


def tenant_on_benefits(d: Diary) -> None:
    landlord, rent = d.person(), d.rng.randint(520, 640)
    for month in range(12):
        d.pay(month * _MONTH + 4, 1010 + d.rng.randint(0, 60), "DWP UC", "410992817")
        d.pay(month * _MONTH + 6, -rent, landlord, d.rng.choice(("", "FLAT", "RENT")))
        d.pay(month * _MONTH + 8, -d.rng.randint(60, 120), d.person(), "SHOPPING")


def sends_half_home(d: Diary) -> None:
    firm, pay = _firm(d), d.rng.randint(1700, 2700)
    mother = _family(d)
    for day in _wages(d, firm, pay):
        d.pay(day + 3, -pay * d.rng.uniform(0.3, 0.5), mother, "INTERNATIONAL PAYMENT")


def loan_from_a_lender(d: Diary) -> None:
    day, loan = d.day(20, 90), d.rng.randint(3, 14) * 1000
    d.pay(day, loan, d.rng.choice(("Zopa Bank", "Lloyds Bank", "Novuna")), "LOAN")
    d.pay(day + 6, -loan * 0.95, "Carfield Motors", "CAR")
    for month in range(1, 9):
        d.pay(day + month * _MONTH, -loan / 40, "Zopa Bank", "LOAN DD", code="PMNT-RDDT-PMDD")


def loan_of_an_employer(d: Diary) -> None:
    """A firm nobody knows lends, instalments go by standing order out of pay, and a little cash is paid in."""
    firm, day, loan = _firm(d), d.day(20, 90), d.rng.randint(3, 9) * 1000
    d.pay(day, loan, firm, "LOAN")
    d.pay(day + 8, -loan * 0.9, "Roofline Builders", "ROOF")
    for month in range(1, 9):
        d.pay(day + month * _MONTH, -loan / 24, firm, "LOAN REPAYMENT")
        d.pay(day + month * _MONTH + d.rng.randint(6, 20), d.rng.randint(4, 12) * 10, "CASH DEPOSIT")


def parents_lend(d: Diary) -> None:
    parent, day, loan = _family(d), d.day(20, 90), d.rng.randint(3, 12) * 1000
    d.pay(day, loan, parent, "LOAN")
    d.pay(day + 6, -loan, "Carfield Motors", "CAR")
    for month in range(1, 9):
        d.pay(day + month * _MONTH, -250, parent, "PAYING YOU BACK")


def tutor_who_sends_home(d: Diary) -> None:
    people, rate = d.people(d.rng.randint(10, 15)), d.rng.choice((30, 35, 40))
    for week in range(44):
        for name in people:
            if d.rng.random() < 0.6:
                d.pay(week * 7 + d.rng.randint(0, 6), rate, name, d.rng.choice(("TUTORING", "LESSON", "")))
    for month in range(11):
        d.pay(month * _MONTH + 26, -d.rng.randint(300, 500), _family(d), "INTERNATIONAL PAYMENT")


def importer(d: Diary) -> None:
    for name in d.people(60):
        d.pay(d.rng.randint(5, 355), d.rng.randint(40, 160), name, d.rng.choice(("ORDER", "RUG", "")))
    for month in range(2, 12, 3):
        d.pay(month * _MONTH, -d.rng.randint(500, 800), "Anatolia Rugs AS", "INTERNATIONAL PAYMENT")


def club_that_travels(d: Diary) -> None:
    people = d.people(d.rng.randint(10, 14))
    for month in range(10):
        for name in people:
            d.pay(month * _MONTH + d.rng.randint(0, 8), 25, name, "SUBS")
        d.pay(month * _MONTH + 12, -d.rng.randint(120, 180), "Ridgeway Leisure Centre", "PITCH HIRE")
    d.pay(310, -900, "Hostal Miramar", "INTERNATIONAL PAYMENT")


def villa_with_friends(d: Diary) -> None:
    friends, part = d.people(d.rng.randint(4, 6)), d.rng.randint(280, 420)
    day = d.day(60, 250)
    for name in friends:
        d.pay(day + d.rng.randint(0, 12), part, name, "VILLA")
        d.pay(d.day(), -d.rng.randint(10, 40), name, "DINNER")
    d.pay(day + 15, -part * (len(friends) + 1), "Casa Lavanda", "INTERNATIONAL PAYMENT")


def leaving_present(d: Diary) -> None:
    day = d.day()
    for name in d.people(d.rng.randint(14, 25)):
        d.pay(day + d.rng.randint(0, 9), d.rng.choice((5, 10, 20)), name, "LEAVING GIFT")
    d.pay(day + 11, -240, "John Lewis", "", code="PMNT-CCRD-POSD")


def _caterers(d: Diary, day: int, budget: int) -> None:
    for text, share in (
        ("VENUE", 0.42),
        ("CATERING", 0.24),
        ("PHOTOS", 0.1),
        ("FLORIST", 0.06),
        ("BAND", 0.07),
        ("CAKE", 0.03),
    ):
        if d.rng.random() < 0.9:
            name = d.person() if d.rng.random() < 0.6 else _firm(d)
            d.pay(day + d.rng.randint(-30, 12), -budget * share * d.rng.uniform(0.8, 1.1), name, text)


def wedding(d: Diary) -> None:
    day, guests = d.day(120, 280), d.rng.randint(20, 60)
    base = d.rng.choice((50, 100, 100, 150, 300))
    for _ in range(d.rng.randint(2, 4)):
        d.pay(day - d.rng.randint(10, 90), d.rng.randint(2, 6) * 1000, _family(d), "WEDDING")
    for name in d.people(guests):
        d.pay(
            day + d.rng.randint(-12, 25),
            base * d.rng.choice((1, 1, 1, 2)),
            name,
            d.rng.choice(("CONGRATS", "WEDDING", "")),
        )
    _caterers(d, day, guests * base + 8000)


def christening(d: Diary) -> None:
    day = d.day(60, 300)
    for name in [*d.people(d.rng.randint(12, 24)), *(_family(d) for _ in range(3))]:
        d.pay(
            day + d.rng.randint(-5, 10),
            d.rng.choice((50, 100, 150)),
            name,
            d.rng.choice(("CHRISTENING", "FOR BABY", "")),
        )
    for text, sum_ in (("HALL HIRE", 450), ("CATERER", 1400), ("CAKE", 180), ("PHOTOGRAPHER", 420)):
        d.pay(day + d.rng.randint(0, 9), -sum_ * d.rng.uniform(0.8, 1.2), d.person(), text)


def home_with_family_gifts(d: Diary) -> None:
    """Three of the family give a little less than ten thousand each."""
    day, given = d.day(60, 250), 0
    for number in range(3):
        sum_ = d.rng.randint(91, 99) * 100
        given += sum_
        d.pay(day + 6 * number, sum_, _family(d), d.rng.choice(("GIFT", "HOUSE", "INTERNATIONAL RECEIPT")))
    d.pay(day + 30, -given - 9000, "Carrow Conveyancing", "COMPLETION")


GUILTY: tuple[Callable[[Diary], None], ...] = (
    pay_back_to_firm, pay_to_director, pay_to_sister_firm, pay_drawn_in_cash, benefits_of_others, pension_to_a_minder, loan_met_with_cash,
    loan_met_by_strangers, own_money_lent, small_sums_abroad, the_same_people_every_month, tickets_never_sent, slow_pot_by_remitter,
    gifts_for_no_feast, rents_to_one_party,
)  # fmt: skip
INNOCENT: tuple[Callable[[Diary], None], ...] = (
    works_for_the_council, staff_loan, paid_too_much_once, own_company, half_to_a_partner, lives_on_cash, two_jobs_and_some_cash,
    pensioner_with_a_carer, tenant_on_benefits, sends_half_home, loan_from_a_lender, loan_of_an_employer, parents_lend, tutor_who_sends_home, importer,
    club_that_travels, villa_with_friends, leaving_present, wedding, christening, home_with_family_gifts,
    rooms_let_on, house_of_two,
)  # fmt: skip
_PAID = (
    loan_met_with_cash, loan_met_by_strangers, own_money_lent, small_sums_abroad, the_same_people_every_month, tickets_never_sent,
    slow_pot_by_remitter, gifts_for_no_feast, loan_from_a_lender, loan_of_an_employer, parents_lend, club_that_travels, villa_with_friends,
    leaving_present, wedding, christening, home_with_family_gifts,
)  # fmt: skip


def schemes(seed: int, per_kind: int = 1) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts."""
    for kind in (*GUILTY, *INNOCENT):
        for number in range(per_kind):
            diary = Diary(f"{seed} {kind.__name__} {number}")
            if kind in _PAID:
                diary.salary()
            diary.live()
            kind(diary)
            yield kind.__name__, kind in GUILTY, *diary.frames()
