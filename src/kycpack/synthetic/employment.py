"""Income from work: one function for each form of employment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from kycpack.synthetic.ledger import HouseholdLedger, Payer
from kycpack.synthetic.pay_days import LAST_DAY, PayRule, pay_dates, roll_day
from kycpack.synthetic.payment_dates import around, draw_monthly, every, raised
from kycpack.synthetic.word_lists import payers

_THIRTEENTH_SHARE = 0.04
_RENAMED_SHARE = 0.03


def salary_monthly(ledger: HouseholdLedger) -> None:
    """A job paid once a month, with a rise each April and sometimes a bonus in the same stream."""
    rng = ledger.rng
    _job(
        ledger, draw_monthly(rng), _employer(ledger), ledger.start, ledger.end, rng.randint(145_000, 520_000)
    )


def salary_fortnightly(ledger: HouseholdLedger) -> None:
    """A job paid every second Thursday or Friday."""
    rng = ledger.rng
    _job(
        ledger,
        every(ledger, 14, "fortnightly"),
        _employer(ledger),
        ledger.start,
        ledger.end,
        rng.randint(70_000, 190_000),
    )


def wages_weekly(ledger: HouseholdLedger) -> None:
    """Hourly wages every week, with varying amounts."""
    payer = _employer(ledger)
    dates = pay_dates(every(ledger, 7, "weekly"), ledger.start, ledger.end)
    usual = ledger.rng.randint(28_000, 70_000)
    paid = [(day, around(ledger.rng, usual, 0.2)) for day in dates]
    ledger.receive(payer, paid, kind="employment", rule="weekly", purpose="SALA", bank_code="PMNT-RCDT-SALA")


def salary_four_weekly(ledger: HouseholdLedger) -> None:
    """A job paid every four weeks, as retail and care homes do."""
    rng = ledger.rng
    rule = every(ledger, 28, "four_weekly")
    _job(ledger, rule, _employer(ledger), ledger.start, ledger.end, rng.randint(130_000, 260_000))


def salary_semi_monthly(ledger: HouseholdLedger) -> None:
    """A job paid in the middle and at the end of each month."""
    rule = PayRule("semi_monthly", days=(15, LAST_DAY))
    _job(ledger, rule, _employer(ledger), ledger.start, ledger.end, ledger.rng.randint(80_000, 210_000))


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
