"""A customer's bank history while it is being generated."""

from __future__ import annotations

import calendar
import string
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from kycpack.synthetic.people import InventedPerson
from kycpack.synthetic.records import Account, Posting, StatementLine, Truth
from kycpack.synthetic.word_lists import read_material

_OTHER_TEXT_SHARE = 0.08
"""Share of payers whose text changes once."""

_EARLY_SHARE = 0.01
"""Share of payments that arrive a day or two early."""


@dataclass
class OpenAccount:
    """An account to which movements are still being added."""

    key: str
    bank: dict[str, Any]
    number: str
    sort_code: str
    kind: str
    currency: str
    movements: list[StatementLine] = field(default_factory=list)
    duplicate_of: str | None = None
    linked_from: date | None = None

    @property
    def identifier(self) -> str:
        """Sort code and number, as another bank shows a counterparty's account."""
        return self.sort_code + self.number


@dataclass(frozen=True, slots=True)
class Payer:
    """A payer and the text of their payments on a statement; some payers change it once."""

    name: str
    text: str
    account: str
    id: str
    later_text: str = ""
    later_from: date | None = None


class HouseholdLedger:
    """The accounts of one customer and their movements in a period.

    Args:
        person: The account holder.
        start: First day of the history.
        end: Last day of the history.
        rng: Source of randomness.
        holder: The account holder's name at the bank; the person's own name if empty.
    """

    def __init__(self, person: InventedPerson, start: date, end: date, rng: Random, holder: str = "") -> None:
        self.person = person
        self.holder = holder or f"{person.latin_first} {person.latin_last}"
        self.start = start
        self.end = end
        self.rng = rng
        self.accounts: dict[str, OpenAccount] = {}
        self.nino = "{}{:06d}{}".format(
            "".join(rng.choices("ABCEHJKLMN", k=2)), rng.randrange(10**6), rng.choice("ABCD")
        )
        self._streams = 0
        self._pairs = 0

    @property
    def main(self) -> OpenAccount:
        """The first account that was opened."""
        return next(iter(self.accounts.values()))

    def open_account(self, kind: str = "current", currency: str = "GBP") -> OpenAccount:
        """Open another account at a bank drawn at random."""
        bank = self.rng.choice(read_material("banks"))
        account = OpenAccount(
            key=f"A{len(self.accounts) + 1}",
            bank=bank,
            number="".join(self.rng.choices(string.digits, k=8)),
            sort_code=self.rng.choice(bank["sort_codes"]),
            kind=kind,
            currency=currency,
        )
        self.accounts[account.key] = account
        return account

    def payer(self, material: dict[str, Any], name: str | None = None) -> Payer:
        """Draw a payer with a text form, which rarely changes."""
        changes = self.rng.random() < _OTHER_TEXT_SHARE
        return Payer(
            name=name or self.rng.choice(material["names"]),
            text=self.rng.choice(material["texts"]),
            account="".join(self.rng.choices(string.digits, k=14)),
            id="".join(self.rng.choices(string.digits, k=7)),
            later_text=self.rng.choice(material["texts"]) if changes else "",
            later_from=self.start + (self.end - self.start) * self.rng.random() if changes else None,
        )

    def say(self, payer: Payer, day: date) -> str:
        """Return the text of one payment, with its variable parts filled in."""
        text = payer.later_text if payer.later_from and day >= payer.later_from else payer.text
        return text.format(
            name=payer.name.upper(),
            ref="".join(self.rng.choices(string.digits + "ABCDEF", k=6)),
            id=payer.id,
            mon=calendar.month_abbr[day.month].upper(),
            yy=f"{day:%y}",
            nino=self.nino,
        )

    def new_stream(self) -> str:
        """Return a stream label that is not yet used."""
        self._streams += 1
        return f"S{self._streams:02d}"

    def new_pair(self) -> str:
        """Return a pair label that is not yet used."""
        self._pairs += 1
        return f"P{self._pairs:04d}"

    def add(self, account: OpenAccount, movement: StatementLine) -> None:
        """Add a movement if it is within the period of the history."""
        if self.start <= movement.booked_on <= self.end:
            account.movements.append(movement)

    def receive(
        self,
        payer: Payer,
        paid: Sequence[tuple[date, int]],
        *,
        kind: str,
        rule: str,
        purpose: str | None = None,
        bank_code: str = "PMNT-RCDT-DMCT",
        account: OpenAccount | None = None,
        stream: str | None = None,
    ) -> str:
        """Add the payments of one payer as one stream and return its label."""
        label = stream or self.new_stream()
        truth = Truth("stream", stream=label, rule=rule, type=kind)
        for day, minor in paid:
            early = self.rng.choice((1, 1, 2)) if self.rng.random() < _EARLY_SHARE else 0
            self.add(
                account or self.main,
                StatementLine(
                    booked_on=day - timedelta(days=early),
                    amount_minor=minor,
                    text=self.say(payer, day),
                    counterparty_name=payer.name,
                    counterparty_account=payer.account,
                    purpose=purpose,
                    bank_code=bank_code,
                    truth=truth,
                ),
            )
        return label

    def transfer(
        self, source: OpenAccount, target: OpenAccount, day: date, minor: int, *, spoken: bool = True
    ) -> None:
        """Move money between two of the customer's own accounts; the second leg may come days later."""
        truth = Truth("own_transfer", pair=self.new_pair())
        arrival = day + timedelta(days=self.rng.choices((0, 1, 2, 3), weights=(80, 12, 5, 3))[0])
        if arrival > self.end:
            return
        name = f"{self.person.latin_first} {self.person.latin_last}"
        words = self.rng.choice(("TRANSFER", "TFR", "MOVE MONEY")) if spoken else ""
        leaving = StatementLine(
            day, -minor, f"{words} TO {target.number}".strip() if spoken else name, name, target.identifier,
            bank_code="PMNT-ICDT-BOOK", truth=truth,
        )  # fmt: skip
        arriving = StatementLine(
            arrival, minor, f"{words} FROM {source.number}".strip() if spoken else name, name, source.identifier,
            bank_code="PMNT-RCDT-BOOK", truth=truth,
        )  # fmt: skip
        self.add(source, leaving)
        self.add(target, arriving)

    def close(self) -> tuple[Account, ...]:
        """Return the accounts with running balances, in the style of each bank."""
        return tuple(self._close(account) for account in self.accounts.values())

    def _close(self, account: OpenAccount) -> Account:
        movements = sorted(account.movements, key=lambda movement: movement.booked_on)
        balance = self._opening(movements)
        postings = []
        for number, movement in enumerate(movements, 1):
            booked = movement.status == "booked"
            balance += movement.amount_minor if booked else 0
            if account.linked_from and movement.booked_on < account.linked_from:
                continue
            txn_id = f"T{number:05d}"
            if account.duplicate_of:
                txn_id = to_duplicate_id(txn_id)
            postings.append(Posting(txn_id, dress(movement, account.bank), balance if booked else None))
        return Account(
            key=account.key,
            bank=account.bank["name"],
            holder=self.holder,
            number=account.number,
            sort_code=account.sort_code,
            currency=account.currency,
            kind=account.kind,
            postings=tuple(postings),
            closing_minor=balance,
            duplicate_of=account.duplicate_of,
        )

    def _opening(self, movements: Sequence[StatementLine]) -> int:
        """Return an opening balance that keeps the account from falling far below zero."""
        lowest = balance = 0
        for movement in movements:
            balance += movement.amount_minor if movement.status == "booked" else 0
            lowest = min(lowest, balance)
        # Drawn from the first movement alone, so that an account linked twice has the same opening balance both times.
        spare = abs(number_of(movements[0].text)) if movements else 0
        return spare % 250_000 - lowest


def to_duplicate_id(txn_id: str) -> str:
    """Return the id of a transaction in the second link of an account."""
    return f"R{txn_id[1:]}"


def number_of(text: str) -> int:
    """Return a number that depends on the text alone; Python's own string hash differs between processes."""
    return sum(ord(letter) * (index + 7) ** 2 for index, letter in enumerate(text))


def dress(movement: StatementLine, bank: dict[str, Any]) -> StatementLine:
    """Return a movement in the style of a bank; some give little more than the text."""
    text = movement.text.upper() if bank["upper"] else movement.text
    told_by_some = {
        "counterparty_name",
        "counterparty_account",
        "merchant_name",
        "purpose",
        "bank_code",
        "mcc",
    }
    withheld: dict[str, Any] = dict.fromkeys(told_by_some - set(bank["tells"]))
    return replace(movement, text=text[: bank["cut"]] if bank["cut"] else text, **withheld)
