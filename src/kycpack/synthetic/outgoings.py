"""Money out, so that balances are realistic, and refunds of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from kycpack.synthetic.ledger import HouseholdLedger, OpenAccount
from kycpack.synthetic.pay_days import PayRule, pay_dates
from kycpack.synthetic.records import StatementLine, Truth
from kycpack.synthetic.word_lists import payers


def spend(ledger: HouseholdLedger, density: float) -> None:
    """Spend about as much as comes in: rent, bills, groceries, cards, cash.

    Args:
        ledger: The history.
        density: 1 for a busy current account with about thirty debits a month; lower values for fewer.
    """
    account = ledger.main
    months = max(1.0, (ledger.end - ledger.start).days / 30.4)
    income = sum(movement.amount_minor for movement in account.movements if movement.amount_minor > 0)
    monthly = max(60_000, int(min(income / months, 900_000)))
    _standing_orders(ledger, account, monthly)
    _cards(ledger, account, int(monthly * 0.45), max(2, round(22 * density)))


def refunds(ledger: HouseholdLedger) -> None:
    """Refund a few card payments, in full or in part."""
    rng = ledger.rng
    bought = [
        movement
        for movement in ledger.main.movements
        if movement.merchant_name and movement.amount_minor < -1_500 and movement.status == "booked"
    ]
    for movement in rng.sample(bought, k=min(len(bought), rng.randint(1, 5))):
        back = -movement.amount_minor if rng.random() < 0.6 else rng.randint(500, -movement.amount_minor)
        days = rng.randint(2, 45)
        text = f"{movement.merchant_name} {rng.choice(('REFUND', 'REVERSAL', ''))}".strip()
        _return(ledger, movement, back, days, text, "PMNT-CCRD-RIMB")


def returned_debits(ledger: HouseholdLedger) -> None:
    """Return one or two direct debits unpaid."""
    rng = ledger.rng
    taken = [one for one in ledger.main.movements if one.bank_code == "PMNT-RDDT-PMDD" and one.truth is None]
    for movement in rng.sample(taken, k=min(len(taken), rng.randint(1, 2))):
        text = f"UNPAID DIRECT DEBIT {movement.counterparty_name}"
        _return(ledger, movement, -movement.amount_minor, rng.randint(1, 4), text, "PMNT-RDDT-UPDD")


def _return(
    ledger: HouseholdLedger, debit: StatementLine, minor: int, days: int, text: str, bank_code: str
) -> None:
    """Pay a debit back some days later; both are marked as a pair."""
    truth = Truth("refund", pair=ledger.new_pair())
    ledger.main.movements[ledger.main.movements.index(debit)] = replace(debit, truth=truth)
    back = replace(
        debit,
        booked_on=debit.booked_on + timedelta(days=days),
        amount_minor=minor,
        text=text,
        bank_code=bank_code,
        truth=truth,
    )
    ledger.add(ledger.main, back)


def pending_twins(ledger: HouseholdLedger) -> None:
    """Repeat the last movements as pending, as banks list them before they are booked."""
    latest = sorted(ledger.main.movements, key=lambda movement: movement.booked_on)[-3:]
    for movement in latest:
        earlier = max(ledger.start, movement.booked_on - timedelta(days=1))
        truth = replace(movement.truth, disposition="pending") if movement.truth else None
        ledger.add(ledger.main, replace(movement, booked_on=earlier, status="pending", truth=truth))


def not_booked(ledger: HouseholdLedger) -> None:
    """Add a future, an informational and a rejected credit: three rows without any movement of money."""
    credits_ = [one for one in ledger.main.movements if one.amount_minor > 0 and one.truth]
    if not credits_:
        return
    last = max(credits_, key=lambda movement: movement.booked_on)
    for status in ("future", "info", "rejected"):
        ledger.add(ledger.main, replace(last, booked_on=ledger.end, status=status))


def _standing_orders(ledger: HouseholdLedger, account: OpenAccount, monthly: int) -> None:
    material = payers("spending")
    rng = ledger.rng
    home = rng.choice(material["landlords"])
    orders = [(home, int(monthly * rng.uniform(0.22, 0.36)), 1)]
    orders += [
        (name, rng.randint(1_200, 14_000), rng.randint(1, 28)) for name in rng.sample(material["bills"], k=4)
    ]
    for name, minor, nominal in orders:
        for day in pay_dates(PayRule("monthly", days=(nominal,), roll="after"), ledger.start, ledger.end):
            ledger.add(
                account,
                StatementLine(
                    day, -minor, f"{name} {rng.randint(10**6, 10**7)}", name, bank_code="PMNT-RDDT-PMDD"
                ),
            )


def _cards(ledger: HouseholdLedger, account: OpenAccount, monthly: int, each_month: int) -> None:
    material = payers("spending")
    rng = ledger.rng
    shops = [(name, "5411") for name in material["groceries"]] + [
        (name, "5999") for name in material["cards"]
    ]
    day = ledger.start
    usual = max(300, monthly // each_month)
    gap = 30.4 / each_month
    clock = 0.0
    while True:
        clock += rng.expovariate(1 / gap)
        day = ledger.start + timedelta(days=int(clock))
        if day > ledger.end:
            return
        if rng.random() < 0.06:
            _withdraw(ledger, account, day)
            continue
        name, mcc = rng.choice(shops)
        minor = max(120, int(usual * rng.lognormvariate(-0.3, 0.7)))
        ledger.add(
            account,
            StatementLine(
                day,
                -minor,
                f"{name} {day:%d%b}",
                name,
                merchant_name=name,
                mcc=mcc,
                bank_code="PMNT-CCRD-POSD",
            ),
        )


def _withdraw(ledger: HouseholdLedger, account: OpenAccount, day: date) -> None:
    minor = ledger.rng.choice((1_000, 2_000, 3_000, 5_000, 10_000))
    ledger.add(account, StatementLine(day, -minor, f"CASH {day:%d%b} ATM", bank_code="PMNT-CCRD-CWDL"))
