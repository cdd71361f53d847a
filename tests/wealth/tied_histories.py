"""Invented histories in which many payments are nearly equal, so that a choice between them must be made by something."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from kycpack.wealth import Wealth, derive

AS_OF = "2025-12-31"
_TEXTS_IN = (
    "ACME LTD SALARY", "ACME LTD", "DWP UC", "FROM SAVINGS", "TRANSFER", "J SMITH", "MR A SMITH GIFT", "CASH PAID IN",
    "SHOP LEEDS REFUND", "SHOP LEEDS", "ACME LTD SALARY RECALLED", "ORBEN SUPPLIES", "LOAN ADVANCE", "HOUSEHOLD",
    "REVOLUT", "", "ESTATE OF B SMITH", "MISS P JONES RENT", "INTEREST", "FROM POT", "Mr Kofi Owusu",
)  # fmt: skip
_TEXTS_OUT = (
    "TO SAVINGS", "TRANSFER", "J SMITH", "SHOP LEEDS", "ACME LTD", "ACME LTD SALARY RECALLED", "CASH WITHDRAWN", "HOUSEHOLD", "REVOLUT",
    "RETURNED PAYMENT", "COINBASE", "", "TO POT", "ORBEN SUPPLIES", "Mr Kofi Owusu", "UNPAID DIRECT DEBIT", "LADBROKES",
)  # fmt: skip
_AMOUNTS = (5_000, 25_000, 50_000, 99_000, 100_000, 250_000, 500_000, 1_200_000)
_NAMES = {"C1": ("Anna", "Smith"), "C2": ("Kofi", "Owusu"), "C3": ("Ines", "Duarte")}


@dataclass(frozen=True)
class Histories:
    """Frames for `derive`.

    Args:
        transactions: The normal form.
        customers: Frame `customers`.
        accounts: Frame `accounts`.
        balances: Frame `balances`.
    """

    transactions: pd.DataFrame
    customers: pd.DataFrame
    accounts: pd.DataFrame
    balances: pd.DataFrame

    def derived(self) -> Wealth:
        """Derive them."""
        return derive(self.transactions, self.customers, self.accounts, self.balances, as_of=AS_OF)

    def renamed(self, seed: int) -> tuple[Histories, dict[str, str]]:
        """Return the same with other ids and the rows in another order, and the old id of each new one."""
        chance = random.Random(seed)  # noqa: S311 - made-up data
        back: dict[str, str] = {}
        new: dict[str, dict[str, str]] = {}
        for name in ("customer_id", "account_id", "txn_id"):
            ids = sorted(set(self.transactions[name]))
            numbers = chance.sample(range(100, 100 + 10 * len(ids)), len(ids))
            new[name] = {one: f"{name[0]}{number:06d}" for one, number in zip(ids, numbers, strict=True)}
            back |= {other: one for one, other in new[name].items()}
        frames = {
            which: frame.assign(**{name: frame[name].map(of) for name, of in new.items() if name in frame})
            for which, frame in vars(self).items()
        }
        shuffled = frames["transactions"].sample(frac=1, random_state=seed).reset_index(drop=True)
        return replace(Histories(**frames), transactions=shuffled), back


def histories(seed: int) -> Histories:
    """Return some customers with several accounts each, and in every account something that no other has."""
    chance = random.Random(seed)  # noqa: S311 - made-up data
    rows: list[dict[str, Any]] = []
    for customer in sorted(_NAMES)[: chance.randint(1, 3)]:
        accounts = [f"{customer}-A{number}" for number in range(chance.randint(1, 4))]
        rows += _of_customer(chance, customer, accounts)
    for number, row in enumerate(rows):
        row["txn_id"] = f"T{number:04d}"
    for row in chance.sample(rows, len(rows) // 12):
        rows.append(row | {"evidence_id": "E-02"})
    if chance.random() < 0.3:
        account = rows[0]["account_id"]
        rows += [
            row | {"txn_id": f"{row['txn_id']}x", "evidence_id": "E-03"}
            for row in rows
            if row["account_id"] == account
        ]
    frame = pd.DataFrame(rows)
    if chance.random() < 0.5:
        frame = frame.drop(columns="balance_after_minor")
    mine = frame[["customer_id", "account_id"]].drop_duplicates()
    return Histories(
        frame,
        pd.DataFrame(
            [
                {"customer_id": one, "first_name": first, "last_name": last}
                for one, (first, last) in _NAMES.items()
                if one in set(frame["customer_id"])
            ]
        ),
        pd.DataFrame(
            [
                {
                    "customer_id": row.customer_id,
                    "account_id": row.account_id,
                    "account_number": chance.choice(["****1234", "12345678", "87654321", None]),
                }
                for row in mine.itertuples()
            ]
        ),
        pd.DataFrame(
            [
                {
                    "customer_id": row.customer_id,
                    "account_id": row.account_id,
                    "currency": "GBP",
                    "current_minor": chance.choice([0, 100_000, 2_000_000]),
                }
                for row in mine.itertuples()
            ]
        ),
    )


def _of_customer(chance: random.Random, customer: str, accounts: list[str]) -> Iterator[dict[str, Any]]:
    amounts = chance.sample(_AMOUNTS, 3)
    days = pd.date_range("2025-01-06", "2025-12-20")
    start = chance.randint(0, 200)
    window = days[start : start + chance.choice([6, 25, 120])]
    rows: list[tuple[str, pd.Timestamp, int, str]] = []
    for _ in range(chance.randint(6, 40)):
        account, amount = chance.choice(accounts), chance.choice(amounts)
        text = chance.choice(_TEXTS_IN)
        often = chance.choice([1, 1, 1, 2, 3])
        rows += [(account, chance.choice(window), amount, text) for _ in range(often)]
        if chance.random() < 0.6:
            rows.append(
                (chance.choice(accounts), chance.choice(window), -amount, chance.choice((*_TEXTS_OUT, text)))
            )
    for _ in range(chance.randint(0, 12)):
        day, amount = chance.choice(window), chance.choice(amounts)
        text = chance.choice(["TRANSFER", "A SMITH", "", "TO SAVINGS"])
        rows.append((chance.choice(accounts), day, -amount, text))
        rows.append(
            (chance.choice(accounts), day, amount, chance.choice([text, "FROM CURRENT ACCOUNT", "REVOLUT"]))
        )
    for payer, amount in chance.sample(
        [("ACME LTD SALARY", 250_000), ("MISS P JONES RENT", 50_000)], chance.randint(0, 2)
    ):
        account = chance.choice(accounts)
        rows += [
            (account, day, amount, payer) for day in pd.date_range("2025-01-28", "2025-11-30", freq="28D")
        ]
    # Something that is in no other account.
    rows += [
        (account, pd.Timestamp("2025-01-02"), -(number + 101), "CORNER BAKERY")
        for number, account in enumerate(accounts)
    ]
    held = dict.fromkeys(accounts, 5_000_000)
    for account, day, amount, text in sorted(rows, key=lambda row: row[1]):
        held[account] += amount
        yield {
            "customer_id": customer,
            "account_id": account,
            "booked_on": day,
            "amount_minor": amount,
            "currency": "EUR" if chance.random() < 0.04 else "GBP",
            "description_raw": text,
            "status": "pending" if chance.random() < 0.05 else "booked",
            "counterparty_name": chance.choice(["Acme Ltd", "J Smith", None, None, None])
            if amount > 0
            else None,
            "balance_after_minor": held[account],
            "evidence_id": "E-01",
        }
