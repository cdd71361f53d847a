"""Other events in an account: transfers, cash, gifts, windfalls, and suspicious patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from kycpack.synthetic.ledger import HouseholdLedger, OpenAccount, Payer
from kycpack.synthetic.pay_days import PayRule, pay_dates
from kycpack.synthetic.records import StatementLine, Truth
from kycpack.synthetic.word_lists import payers

SMALL_MINOR = 50_000
"""A single credit below this is `small_other` in the truth, minor units."""


def own_transfers(ledger: HouseholdLedger) -> None:
    """Put money aside each month into the customer's other accounts, and take some back."""
    rng = ledger.rng
    others = [
        account
        for account in ledger.accounts.values()
        if account is not ledger.main and account.currency == "GBP"
    ]
    for other in others or [ledger.open_account("savings")]:
        nominal = rng.randint(1, 28)
        minor = rng.randint(20, 400) * 100
        spoken = rng.random() < 0.85
        for day in pay_dates(PayRule("monthly", days=(nominal,), roll="after"), ledger.start, ledger.end):
            ledger.transfer(ledger.main, other, day, minor, spoken=spoken)
            if rng.random() < 0.15:
                back = rng.randint(10, max(11, minor // 100)) * 100
                ledger.transfer(
                    other, ledger.main, day + timedelta(days=rng.randint(5, 20)), back, spoken=spoken
                )


def gifts(ledger: HouseholdLedger) -> None:
    """One or two presents of money from people who never pay again."""
    rng = ledger.rng
    for _ in range(rng.randint(1, 2)):
        minor = rng.randint(20, 300) * 100
        name = f"{rng.choice('ABCDEFGHJKLM')} {rng.choice(('Lorne', 'Vasquez', 'Idris', 'Penrose', 'Achterberg'))}"
        _once(ledger, name, f"{name} {rng.choice(('BIRTHDAY', 'WITH LOVE', 'THANKS'))}", minor, kind="gift")


def flatmate(ledger: HouseholdLedger) -> None:
    """A flatmate's share of the bills, on varying days: money between people, not income."""
    rng = ledger.rng
    name = f"{rng.choice('ABCDEFGHJKLM')} {rng.choice(('Brandreth', 'Okonjo', 'Silvestri', 'Tanaka', 'Wrexley'))}"
    text = rng.choice((f"{name} BILLS", name, f"{name} FLAT"))
    account = "".join(rng.choices("0123456789", k=14))
    usual = rng.randint(8_000, 70_000)
    day = ledger.start + timedelta(days=rng.randint(0, 40))
    while day <= ledger.end:
        minor = round(usual * rng.uniform(0.75, 1.25))
        truth = Truth("small_other" if minor < SMALL_MINOR else "unexplained", type="person_transfer")
        paid = StatementLine(day, minor, text, name, account, bank_code="PMNT-RCDT-DMCT", truth=truth)
        ledger.add(ledger.main, paid)
        day += timedelta(days=rng.randint(19, 44))


def cash_deposits(ledger: HouseholdLedger) -> None:
    """Cash paid in now and then."""
    rng = ledger.rng
    for _ in range(rng.randint(2, 6)):
        _cash(ledger, _any_day(ledger), rng.randint(2, 60) * 1_000)


def regular_cash(ledger: HouseholdLedger) -> None:
    """A market stall's takings, paid in every week."""
    rng = ledger.rng
    anchor = ledger.start + timedelta(days=rng.randrange(7))
    label = ledger.new_stream()
    usual = rng.randint(20, 90) * 1_000
    for day in pay_dates(
        PayRule("weekly", step_days=7, anchor=anchor, roll="after"), ledger.start, ledger.end
    ):
        truth = Truth("stream", stream=label, rule="weekly", type="cash_deposit")
        _cash(ledger, day, round(usual * rng.uniform(0.6, 1.4) / 1_000) * 1_000, truth)


def structuring(ledger: HouseholdLedger) -> None:
    """Several cash deposits just below ten thousand pounds within days."""
    rng = ledger.rng
    first = ledger.end - timedelta(days=rng.randint(60, 90))
    for index in range(5):
        _cash(ledger, first + timedelta(days=3 * index), rng.randint(9_300, 9_950) * 100)


def pass_through(ledger: HouseholdLedger) -> None:
    """Large sums that are sent on to somebody else within a day."""
    rng = ledger.rng
    sender, receiver = "Meridian Trade FZE", "Aurelia Holdings SA"
    label = ledger.new_stream()
    for index in range(4):
        day = ledger.end - timedelta(days=120 - 25 * index + rng.randrange(5))
        minor = rng.randint(8_000, 24_000) * 100
        truth = Truth("stream", stream=label, rule="irregular", type="other")
        incoming = StatementLine(
            day, minor, f"{sender} {rng.randint(1000, 9999)}", sender, "99887766554433", truth=truth
        )
        ledger.add(ledger.main, replace(incoming, bank_code="PMNT-RCDT-DMCT"))
        leaving = day + timedelta(days=rng.randrange(2))
        ledger.add(
            ledger.main,
            StatementLine(
                leaving,
                -(minor - rng.randint(0, 9_000)),
                f"{receiver} INV",
                receiver,
                bank_code="PMNT-ICDT-DMCT",
            ),
        )


def loan(ledger: HouseholdLedger) -> None:
    """A loan paid out once and paid back monthly."""
    rng = ledger.rng
    payer = ledger.payer(payers("lenders"))
    day = ledger.start + timedelta(days=rng.randint(30, max(31, (ledger.end - ledger.start).days // 2)))
    minor = rng.randint(1_000, 15_000) * 100
    truth = Truth("one_off", type="loan")
    ledger.add(
        ledger.main,
        StatementLine(
            day, minor, ledger.say(payer, day), payer.name, payer.account, purpose="LOAN", truth=truth
        ),
    )
    for due in pay_dates(
        PayRule("monthly", days=(day.day,), roll="after"), day + timedelta(days=25), ledger.end
    ):
        ledger.add(
            ledger.main,
            StatementLine(
                due, -minor // 24, f"{payer.name} {payer.id}", payer.name, bank_code="PMNT-RDDT-PMDD"
            ),
        )


def missing_months(ledger: HouseholdLedger) -> None:
    """Remove one or two whole months from the main account, as happens with some banks' interfaces."""
    rng = ledger.rng
    months = sorted({(one.booked_on.year, one.booked_on.month) for one in ledger.main.movements})[1:-1]
    lost = set(rng.sample(months, k=min(len(months), rng.randint(1, 2))))
    ledger.main.movements[:] = [
        one for one in ledger.main.movements if (one.booked_on.year, one.booked_on.month) not in lost
    ]


def relinked(ledger: HouseholdLedger) -> None:
    """Link the main account a second time, with the last year of the same history under other ids."""
    ledger.accounts["A9"] = OpenAccount(
        key="A9",
        bank=ledger.main.bank,
        number=ledger.main.number,
        sort_code=ledger.main.sort_code,
        kind=ledger.main.kind,
        currency=ledger.main.currency,
        movements=list(ledger.main.movements),
        duplicate_of=ledger.main.key,
        linked_from=ledger.end - timedelta(days=365),
    )


def euro_account(ledger: HouseholdLedger) -> None:
    """A second currency: a small fee in euro every quarter."""
    account = ledger.open_account("current", "EUR")
    payer = Payer("Galerie Lindqvist", "{name} HONORAR {ref}", "55443322110099", "")
    days = pay_dates(
        PayRule("quarterly", days=(12,), months=(2, 5, 8, 11), roll="after"), ledger.start, ledger.end
    )
    paid = [(day, ledger.rng.randint(400, 2_600) * 100) for day in days]
    ledger.receive(payer, paid, kind="self_employment", rule="quarterly", account=account)


def _any_day(ledger: HouseholdLedger) -> date:
    return ledger.start + timedelta(days=ledger.rng.randint(0, (ledger.end - ledger.start).days))


def _once(
    ledger: HouseholdLedger, name: str, text: str, minor: int, *, kind: str, purpose: str | None = None
) -> None:
    named = kind in {"inheritance", "property_sale", "tax_refund"}
    large = "one_off" if named else "unexplained"
    truth = Truth("small_other" if minor < SMALL_MINOR else large, type=kind)
    ledger.add(
        ledger.main,
        StatementLine(
            _any_day(ledger),
            minor,
            text,
            name,
            "".join(ledger.rng.choices("0123456789", k=14)),
            purpose=purpose,
            bank_code="PMNT-RCDT-DMCT",
            truth=truth,
        ),
    )


def _cash(ledger: HouseholdLedger, day: date, minor: int, truth: Truth | None = None) -> None:
    loose = Truth("small_other" if minor < SMALL_MINOR else "unexplained", type="cash_deposit")
    text = ledger.rng.choice(("CASH PAID IN", "CASH DEPOSIT", "COUNTER CREDIT CASH"))
    ledger.add(ledger.main, StatementLine(day, minor, text, bank_code="PMNT-CNTR-CDPT", truth=truth or loose))


def _play(
    material: str,
    kind: str,
    mcc: str,
    stakes: tuple[int, int],
    days: tuple[int, int],
    ledger: HouseholdLedger,
) -> None:
    """Stake amounts in minor units every few days, and win now and then."""
    rng = ledger.rng
    payer = ledger.payer(payers(material))
    truth = Truth("stream", stream=ledger.new_stream(), rule="irregular", type=kind)
    day = ledger.start + timedelta(days=rng.randint(10, 40))
    while day <= ledger.end:
        minor = rng.randint(*stakes)
        ledger.add(
            ledger.main,
            StatementLine(
                day, -minor, f"{payer.name} DEPOSIT", payer.name, mcc=mcc, bank_code="PMNT-CCRD-POSD"
            ),
        )
        if rng.random() < 0.2:
            won = StatementLine(
                day + timedelta(days=1),
                int(minor * rng.uniform(0.5, 4)),
                ledger.say(payer, day),
                payer.name,
                payer.account,
                bank_code="PMNT-RCDT-DMCT",
                mcc=mcc,
                truth=truth,
            )
            ledger.add(ledger.main, won)
        day += timedelta(days=rng.randint(*days))


def _single(
    payer: str, text: str, amounts: range, kind: str, ledger: HouseholdLedger, *, purpose: str | None = None
) -> None:
    """Receive one payment of an amount in minor units."""
    _once(ledger, payer, text, ledger.rng.choice(amounts), kind=kind, purpose=purpose)


EVENTS: Mapping[str, Callable[[HouseholdLedger], None]] = {
    function.__name__: function
    for function in (
        own_transfers,
        gifts,
        flatmate,
        cash_deposits,
        regular_cash,
        structuring,
        pass_through,
        loan,
        missing_months,
        relinked,
        euro_account,
    )
} | {
    "gambling": partial(_play, "casinos", "gambling", "7995", (1_000, 30_000), (1, 6)),
    # Purchases at an exchange, and withdrawals from it.
    "crypto": partial(_play, "exchanges", "crypto", "6051", (20_000, 150_000), (6, 25)),
    "inheritance": partial(
        _single,
        "Ashgrove Solicitors",
        "ASHGROVE SOLICITORS ESTATE OF LATE AUNT INHERITANCE",
        range(1_800_000, 14_000_001, 100),
        "inheritance",
    ),
    "house_sale": partial(
        _single,
        "Denholm Conveyancing",
        "DENHOLM CONVEYANCING PROPERTY SALE COMPLETION PROCEEDS",
        range(9_000_000, 32_000_001, 100),
        "property_sale",
    ),
    # A large credit with a meaningless text.
    "unexplained_lump": partial(
        _single, "K Ferrant", "K FERRANT 00417", range(1_200_000, 6_000_001, 100), "other"
    ),
    "tax_refund": partial(
        _single, "HMRC", "HMRC TAX REFUND", range(8_000, 140_001), "tax_refund", purpose="TAXR"
    ),
}
"""What else can happen in an account, by name."""
