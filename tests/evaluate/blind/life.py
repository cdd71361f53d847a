"""The book of an invented person, and the ordinary life that each pattern is hidden in."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import yaml
from tests.evaluate.blind.load import FOLDER

START = dt.date(2025, 7, 1)
END = dt.date(2026, 6, 30)
WORDS: dict[str, list[str]] = yaml.safe_load((FOLDER / "vocabulary.yaml").read_text(encoding="utf-8"))

_BILLS = (
    ("OCTOPUS ENERGY DD", 90, 210),
    ("THAMES WATER DD", 28, 55),
    ("COUNCIL TAX DD", 110, 230),
    ("EE LIMITED DD", 18, 48),
    ("NETFLIX.COM", 6, 18),
    ("AVIVA HOME INS DD", 15, 40),
    ("TV LICENCE MBP", 13, 15),
    ("PUREGYM LTD", 20, 35),
)


@dataclass
class Book:
    """Lines of one person as they are written; everything random comes from `rng`."""

    customer_id: str
    rng: random.Random
    holder: str
    lines: list[dict[str, Any]] = field(default_factory=list)
    accounts: dict[str, str] = field(default_factory=lambda: {"A": "current"})
    holders: dict[str, str] = field(default_factory=dict)
    balances: bool = True
    names: bool = True

    def open(self, account: str, kind: str = "current", holder: str | None = None) -> None:
        """Link one more account of the person."""
        self.accounts[account] = kind
        if holder:
            self.holders[account] = holder

    def add(
        self,
        day: dt.date,
        amount: float,
        text: str,
        *,
        account: str = "A",
        name: str | None = None,
        code: str | None = None,
    ) -> None:
        """Write one line; `amount` is in pounds and plus is into the account. Days past the window are left out."""
        if START <= day <= END:
            self.lines.append(
                {
                    "account_id": account,
                    "booked_on": day,
                    "amount_minor": round(amount * 100),
                    "description_raw": text.upper(),
                    "counterparty_name": name.upper() if name and self.names else None,
                    "bank_code": code,
                }
            )

    def pounds(self, low: float, high: float, step: float = 0.01) -> float:
        """Return a sum between two bounds, a multiple of `step`."""
        return round(round(self.rng.uniform(low, high) / step) * step, 2)

    def day(self, low: int = 20, high: int = 330) -> dt.date:
        """Return a weekday so many days after the start."""
        return weekday(START + dt.timedelta(days=self.rng.randint(low, high)))

    def person(self) -> str:
        """Return the name of a stranger."""
        return f"{self.rng.choice(WORDS['first'])} {self.rng.choice(WORDS['last'])}"

    def people(self, count: int) -> list[str]:
        """Return so many strangers, no two the same."""
        found: list[str] = []
        while len(found) < count:
            name = self.person()
            if name not in found and name != self.holder:
                found.append(name)
        return found

    def spelt(self, name: str, *words: str) -> str:
        """Return a name as banks print it, with a word before or after."""
        first, last = name.split(" ", 1)
        shape = self.rng.choice((name, f"{first[0]} {last}", f"{last} {first[0]}", f"{last}, {first}"))
        return " ".join(part for part in (shape, *words) if part)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the lines and the accounts as frames in the normal form, ordered by day."""
        order = sorted(range(len(self.lines)), key=lambda at: (self.lines[at]["booked_on"], at))
        running = {account: self._opening(account) for account in self.accounts}
        rows = []
        for number, at in enumerate(order, 1):
            line = self.lines[at]
            running[line["account_id"]] += line["amount_minor"]
            rows.append(
                {
                    "customer_id": self.customer_id,
                    "account_id": line["account_id"],
                    "txn_id": f"{self.customer_id}-{number:04d}",
                    "booked_on": pd.Timestamp(line["booked_on"]),
                    "status": "booked",
                    "amount_minor": line["amount_minor"],
                    "currency": "GBP",
                    "balance_after_minor": running[line["account_id"]] if self.balances else None,
                    "description_raw": line["description_raw"],
                    "counterparty_name": line["counterparty_name"],
                    "bank_code": line["bank_code"],
                }
            )
        transactions = pd.DataFrame(rows)
        transactions["balance_after_minor"] = transactions["balance_after_minor"].astype("Int64")
        accounts = pd.DataFrame(
            [
                {
                    "customer_id": self.customer_id,
                    "account_id": account,
                    "holder_name": self.holders.get(account, self.holder),
                    "account_number": f"****{1000 + 37 * number + sum(map(ord, self.customer_id)) % 8000}",
                    "currency": "GBP",
                    "type": kind,
                    "evidence_id": "E-01",
                }
                for number, (account, kind) in enumerate(self.accounts.items())
            ]
        )
        return transactions, accounts

    def _opening(self, account: str) -> int:
        running = lowest = 0
        for line in sorted(self.lines, key=lambda line: line["booked_on"]):
            if line["account_id"] == account:
                running += line["amount_minor"]
                lowest = min(lowest, running)
        return 4000 + sum(map(ord, self.holder)) * 7 - lowest


def weekday(day: dt.date) -> dt.date:
    """Return the day, or the Friday before a weekend."""
    return day - dt.timedelta(days=max(0, day.weekday() - 4))


def after(day: dt.date, days: int) -> dt.date:
    """Return the day so many days later, never a weekend and never before `day`."""
    later = day + dt.timedelta(days=days)
    return later + dt.timedelta(days=7 - later.weekday()) if later.weekday() > 4 else later


def months(day_of_month: int) -> list[dt.date]:
    """Return a day of each of the twelve months of the window, moved to the weekday before."""
    return [
        weekday(dt.date(2025 + (6 + step) // 12, (6 + step) % 12 + 1, day_of_month)) for step in range(12)
    ]


def book(customer_id: str, rng: random.Random) -> Book:
    """Return an empty book of an invented person."""
    holder = f"{rng.choice(WORDS['first'])} {rng.choice(WORDS['last'])}"
    return Book(customer_id, rng, holder, balances=rng.random() < 0.7, names=rng.random() < 0.6)


def live(made: Book, *, pay: bool = True, rent: bool = True) -> None:
    """Write a year of ordinary life: pay, rent or mortgage, bills, shopping, cash machine, a friend or two."""
    net = made.pounds(1350, 3100)
    if pay:
        _earn(made, net)
    if rent:
        _dwell(made, net)
    _spend(made)


def _earn(made: Book, net: float) -> None:
    rng = made.rng
    employer = rng.choice(WORDS["employers"])
    code = "PMNT-RCDT-SALA" if rng.random() < 0.5 else None
    word = rng.choice(("SALARY", "WAGES", "PAYROLL", "NET PAY", "BGC"))
    for day in months(rng.choice((15, 22, 25, 28))):
        made.add(day, net + made.pounds(-30, 60), f"{employer} {word}", name=employer, code=code)


def _dwell(made: Book, net: float) -> None:
    payee = made.rng.choice(("SO HOME LETS", "DD NATIONWIDE MTG", "SO RENT HALE & CO", "DD SANTANDER MTGE"))
    home = made.pounds(0.28 * net, 0.4 * net, 5)
    for day in months(made.rng.choice((1, 2, 3))):
        made.add(day, -home, payee)


def _spend(made: Book) -> None:
    rng = made.rng
    for text, low, high in rng.sample(_BILLS, rng.randint(4, 6)):
        cost = made.pounds(low, high)
        for day in months(rng.randint(2, 27)):
            made.add(day, -cost, text)
    for week in range(52):
        for _ in range(rng.randint(2, 4)):
            day = START + dt.timedelta(days=7 * week + rng.randint(0, 6))
            made.add(day, -made.pounds(4, 72), rng.choice(WORDS["shops"]))
    for _ in range(rng.randint(4, 12)):
        made.add(made.day(1, 360), -made.pounds(20, 80, 10), "LINK CASH WITHDRAWAL")
    for friend in made.people(rng.randint(1, 3)):
        made.add(
            made.day(1, 350), made.pounds(8, 45), made.spelt(friend, rng.choice(("dinner", "taxi", "ta", "")))
        )
