"""Regular income: one function for each kind, first from employers, and all kinds by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from kycpack.synthetic.ledger import HouseholdLedger, Payer
from kycpack.synthetic.pay_days import (
    LAST_DAY,
    PayRule,
    around,
    draw_monthly,
    every,
    pay_dates,
    raised,
    roll_day,
)
from kycpack.synthetic.word_lists import payers

_THIRTEENTH_SHARE = 0.04
_RENAMED_SHARE = 0.03


def wages_weekly(ledger: HouseholdLedger) -> None:
    """Hourly wages every week, with varying amounts."""
    payer = _employer(ledger)
    dates = pay_dates(every(ledger, 7, "weekly"), ledger.start, ledger.end)
    usual = ledger.rng.randint(28_000, 70_000)
    paid = [(day, around(ledger.rng, usual, 0.2)) for day in dates]
    ledger.receive(payer, paid, kind="employment", rule="weekly", purpose="SALA", bank_code="PMNT-RCDT-SALA")


def job_change(ledger: HouseholdLedger) -> None:
    """One job followed by another after a short pause, with back pay in the new one."""
    rng = ledger.rng
    span = (ledger.end - ledger.start).days
    left = ledger.start + timedelta(days=int(span * rng.uniform(0.35, 0.65)))
    usual = rng.randint(160_000, 380_000)
    _job(ledger, draw_monthly(rng), _employer(ledger), ledger.start, left, usual)
    joined = left + timedelta(days=rng.randint(5, 40))
    rule = rng.choice((draw_monthly(rng), every(ledger, 28, "four_weekly")))
    _job(
        ledger,
        rule,
        _employer(ledger),
        joined,
        ledger.end,
        int(usual * rng.uniform(1.02, 1.4)),
        back_pay=True,
    )


def _salaried(
    rule_of: Callable[[HouseholdLedger], PayRule], usual: tuple[int, int], ledger: HouseholdLedger
) -> None:
    """A job during the whole history; `usual` is the range of the pay in minor units."""
    rule, payer = rule_of(ledger), _employer(ledger)
    _job(ledger, rule, payer, ledger.start, ledger.end, ledger.rng.randint(*usual))


def _job(
    ledger: HouseholdLedger,
    rule: PayRule,
    payer: Payer,
    first: date,
    last: date,
    usual: int,
    *,
    back_pay: bool = False,
) -> None:
    rng = ledger.rng
    dates = pay_dates(rule, max(first, ledger.start), min(last, ledger.end))
    paid = raised(dates, usual, rng.uniform(1.0, 1.06), jitter=rng.choice((0.0, 0.0, 0.004, 0.06)), rng=rng)
    if paid and rng.random() < 0.3:
        bonus_month = rng.choice((3, 6, 12))
        paid = [
            (day, int(minor * rng.uniform(1.4, 2.6)) if day.month == bonus_month else minor)
            for day, minor in paid
        ]
    if back_pay and len(paid) > 1:
        paid[1] = (paid[1][0], int(paid[1][1] * rng.uniform(1.2, 1.6)))
    if rng.random() < _THIRTEENTH_SHARE:
        paid += [
            (roll_day(day.replace(day=15), "before"), minor)
            for day, minor in paid
            if day.month == 12 and rule.cadence == "monthly" and day.day > 15
        ]
    renamed = len(paid) // 2 if rng.random() < _RENAMED_SHARE else len(paid)
    later = replace(payer, name=f"{payer.name.rsplit(' ', 1)[0]} Holdings")
    stream = _salary(ledger, payer, paid[:renamed], rule.cadence, None)
    _salary(ledger, later, paid[renamed:], rule.cadence, stream)


def _salary(
    ledger: HouseholdLedger, payer: Payer, paid: Sequence[tuple[date, int]], rule: str, stream: str | None
) -> str:
    return ledger.receive(
        payer,
        paid,
        kind="employment",
        rule=rule,
        purpose="SALA",
        bank_code="PMNT-RCDT-SALA",
        stream=stream,
    )


def _employer(ledger: HouseholdLedger) -> Payer:
    material = payers("employers")
    rng = ledger.rng
    name = " ".join(rng.choice(material[part]) for part in ("words", "trades", "forms"))
    return ledger.payer(material, name)


def private_pension(ledger: HouseholdLedger) -> None:
    """An occupational or private pension, paid monthly and raised once a year."""
    payer = ledger.payer(payers("pensions"))
    rule = draw_monthly(ledger.rng)
    paid = raised(pay_dates(rule, ledger.start, ledger.end), ledger.rng.randint(22_000, 165_000), 1.024)
    ledger.receive(payer, paid, kind="pension", rule="monthly", purpose="PENS")


def state_pension(ledger: HouseholdLedger) -> None:
    """State Pension every four weeks, moved to the previous working day if banks are closed."""
    material = payers("state_pension")
    payer = ledger.payer(material, "DWP")
    rule = every(ledger, 28, "four_weekly")
    paid = raised(
        pay_dates(rule, ledger.start, ledger.end),
        ledger.rng.randint(material["low"], material["high"]),
        1.041,
    )
    ledger.receive(payer, paid, kind="state_benefit", rule="four_weekly", purpose="BENE")


def benefits(ledger: HouseholdLedger) -> None:
    """One or two state benefits, each with its own text and cadence."""
    rng = ledger.rng
    for material in rng.sample(payers("benefits"), k=rng.choice((1, 1, 2))):
        payer = ledger.payer(material, material["name"])
        rule = {
            "month": PayRule("monthly", days=(rng.randint(1, 28),)),
            "four weeks": every(ledger, 28, "four_weekly"),
            "two weeks": every(ledger, 14, "fortnightly"),
            "week": every(ledger, 7, "weekly"),
        }[material["every"]]
        paid = raised(
            pay_dates(rule, ledger.start, ledger.end), rng.randint(material["low"], material["high"]), 1.017
        )
        ledger.receive(payer, paid, kind="state_benefit", rule=rule.cadence, purpose="BENE")


def rent(ledger: HouseholdLedger) -> None:
    """Rent from a letting agent, sometimes less the cost of a repair."""
    rng = ledger.rng
    payer = ledger.payer(payers("landlording"))
    rule = PayRule("monthly", days=(rng.randint(1, 12),), roll="after")
    usual = rng.randint(52_000, 160_000)
    paid = [
        (day, usual - (rng.randint(4_000, 22_000) if rng.random() < 0.12 else 0))
        for day in pay_dates(rule, ledger.start, ledger.end)
    ]
    ledger.receive(payer, paid, kind="rental_income", rule="monthly", purpose="RENT")


def dividends(ledger: HouseholdLedger) -> None:
    """Dividends from one to three companies, quarterly, twice a year or yearly."""
    rng = ledger.rng
    for name in rng.sample(payers("dividends")["names"], k=rng.randint(1, 3)):
        cadence, months = rng.choice(
            (
                ("quarterly", tuple((rng.randrange(3) + step) % 12 + 1 for step in (0, 3, 6, 9))),
                ("semi_annual", (4, 10)),
                ("annual", (rng.randint(1, 12),)),
            )
        )
        if cadence == "quarterly":
            offset = rng.randrange(3)
            months = tuple(offset + step + 1 for step in (0, 3, 6, 9))
        rule = PayRule(cadence, days=(rng.randint(3, 28),), months=months, roll="after")
        usual = rng.randint(9_000, 240_000)
        paid = [(day, around(rng, usual, 0.08)) for day in pay_dates(rule, ledger.start, ledger.end)]
        payer = ledger.payer(payers("dividends"), name)
        ledger.receive(
            payer, paid, kind="investment_income", rule=cadence, purpose="DIVD", bank_code="SECU-CORP-DVCA"
        )


def interest(ledger: HouseholdLedger) -> None:
    """Interest on savings, at the end of each month or quarter."""
    rng = ledger.rng
    account = next((one for one in ledger.accounts.values() if one.kind == "savings"), ledger.main)
    quarterly = rng.random() < 0.3
    rule = PayRule(
        "quarterly" if quarterly else "monthly", days=(LAST_DAY,), months=(3, 6, 9, 12) if quarterly else ()
    )
    usual = rng.randint(180, 6_000) * (3 if quarterly else 1)
    paid = [(day, around(rng, usual, 0.1)) for day in pay_dates(rule, ledger.start, ledger.end)]
    payer = ledger.payer(payers("interest"), account.bank["name"])
    ledger.receive(
        payer,
        paid,
        kind="interest",
        rule=rule.cadence,
        purpose="INTE",
        bank_code="ACMT-MCOP-INTR",
        account=account,
    )


def gig(ledger: HouseholdLedger) -> None:
    """Weekly payouts from a platform, with weeks off."""
    rng = ledger.rng
    payer = ledger.payer(payers("gig"))
    usual = rng.randint(9_000, 52_000)
    days = pay_dates(every(ledger, 7, "weekly", roll="none"), ledger.start, ledger.end)
    paid = [(day, around(rng, usual, 0.45)) for day in days if rng.random() > 0.05]
    ledger.receive(payer, paid, kind="self_employment", rule="weekly")


def clients(ledger: HouseholdLedger) -> None:
    """Invoices paid by two to four clients at irregular times."""
    rng = ledger.rng
    for name in rng.sample(payers("clients")["names"], k=rng.randint(2, 4)):
        payer = ledger.payer(payers("clients"), name)
        days, day = [], ledger.start + timedelta(days=rng.randint(3, 60))
        while day <= ledger.end:
            days.append(day)
            day += timedelta(days=rng.randint(9, 95))
        paid = [(day, rng.randint(30_000, 390_000)) for day in days]
        ledger.receive(payer, paid, kind="self_employment", rule="irregular")


def parent_allowance(ledger: HouseholdLedger) -> None:
    """A relative's standing order on the first of each month."""
    rng = ledger.rng
    name = f"{rng.choice(('P', 'M', 'J', 'S'))} {ledger.person.latin_last}"
    payer = Payer(name, "{name}", "".join(rng.choices("0123456789", k=14)), "")
    days = pay_dates(PayRule("monthly", days=(1,), roll="after"), ledger.start, ledger.end)
    usual = rng.randint(5_000, 60_000)
    ledger.receive(payer, [(day, usual) for day in days], kind="gift", rule="monthly")


INCOMES: Mapping[str, Callable[[HouseholdLedger], None]] = {
    "salary_monthly": partial(_salaried, lambda ledger: draw_monthly(ledger.rng), (145_000, 520_000)),
    "salary_fortnightly": partial(
        _salaried, lambda ledger: every(ledger, 14, "fortnightly"), (70_000, 190_000)
    ),
    # As retail and care homes pay.
    "salary_four_weekly": partial(
        _salaried, lambda ledger: every(ledger, 28, "four_weekly"), (130_000, 260_000)
    ),
    "salary_semi_monthly": partial(
        _salaried, lambda _ledger: PayRule("semi_monthly", days=(15, LAST_DAY)), (80_000, 210_000)
    ),
} | {
    function.__name__: function
    for function in (
        wages_weekly,
        job_change,
        private_pension,
        state_pension,
        benefits,
        rent,
        dividends,
        interest,
        gig,
        clients,
        parent_allowance,
    )
}
