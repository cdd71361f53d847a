"""Linked accounts, payments and the service's own statement."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.blocks import Block, Cell, Column, Section, Subheading, Table, table
from kycpack.render.palette import Tone
from kycpack.render.statement_pdf import amount_words, type_words
from kycpack.render.wording import cell_of, is_absent, money_words, text_of

if TYPE_CHECKING:
    from kycpack.frames import Frames


def accounts_section(frames: Frames) -> Section:
    """Return the section of linked bank accounts, numbers masked."""
    rows = [_account_row(row, frames.balances, frames.transactions) for _, row in frames.accounts.iterrows()]
    columns = (
        Column("Bank", 1.5),
        Column("Holder", 1.7),
        Column("Account", 1.45),
        Column("Balance", 1.6, right=True),
        Column("Transactions", 1.25, right=True),
        Column("Period", 1.7),
        Column("Access until", 1.2),
        Column("Evidence", 0.95),
    )
    return Section("accounts", "Linked accounts", (table(columns, rows, "No bank account is linked."),))


def payments_section(frames: Frames, wealth: object, customer_id: str) -> Section:
    """Return the section of payments, and whether each is supported by what was observed."""
    rows = [
        (
            Cell(text_of(row["payment_id"]), strong=True),
            cell_of(row["state"]),
            Cell(_amount(row)),
            cell_of(row["reference"]),
            cell_of(row["created_at"]),
            Cell(text_of(row["evidence_id"])),
        )
        for _, row in frames.payments.iterrows()
    ]
    columns = (
        Column("Payment", 2.0),
        Column("State", 1.0),
        Column("Amount", 1.3, right=True),
        Column("Reference", 1.8),
        Column("Created", 1.4),
        Column("Evidence", 0.8),
    )
    return Section("payments", "Payments", (table(columns, rows, "No payment is known for this customer."),))


def statement_section(frames: Frames, wealth: object, customer_id: str) -> Section:
    """Return the section that sets the service's statement beside our derivation."""
    rows = [
        (
            Cell(text_of(row["role"]).title()),
            Cell(type_words(text_of(row["type"], "other"))),
            cell_of(row["description"]),
            cell_of(row["frequency"]),
            Cell(_decimal(row["amount"])),
            Cell(_decimal(row["total_value"])),
            Cell(text_of(row["evidence_id"])),
        )
        for _, row in frames.sources.iterrows()
    ]
    columns = (
        Column("Role", 0.9),
        Column("Type", 1.2),
        Column("Description", 3.0),
        Column("Frequency", 0.8, right=True),
        Column("Amount", 1.1, right=True),
        Column("Total", 1.1, right=True),
        Column("Evidence", 0.8),
    )
    blocks: list[Block] = [
        Subheading("The service's own statement"),
        table(columns, rows, "The service answered no statement."),
    ]
    return Section("statement", "Our derivation and the service's statement", tuple(blocks))


def plain_table(frame: pd.DataFrame, empty: str) -> Table:
    """Return any frame as a table, one column a column."""
    columns = [Column(str(name).replace("_", " ").capitalize()) for name in frame.columns]
    return table(columns, [[cell_of(value) for value in row] for row in frame.itertuples(index=False)], empty)


def _account_row(row: pd.Series, balances: pd.DataFrame, transactions: pd.DataFrame) -> tuple[Cell, ...]:
    account = str(row["account_id"])
    booked = transactions.loc[transactions["account_id"].astype("string") == account, "booked_on"]
    balance = balances[balances["account_id"].astype("string") == account]
    number = " ".join(str(part) for part in (row["sort_code"], row["account_number"]) if not is_absent(part))
    period = f"{text_of(booked.min())} to {text_of(booked.max())}" if len(booked) else "None seen"
    return (
        cell_of(row["bank_name"]),
        cell_of(row["holder_name"]),
        Cell(number or account),
        _balance(balance),
        Cell(str(len(booked))),
        Cell(period, Tone.PLAIN if len(booked) else Tone.UNKNOWN),
        cell_of(row["token_expires_at"]),
        Cell(text_of(row["evidence_id"])),
    )


def _balance(balance: pd.DataFrame) -> Cell:
    if balance.empty or is_absent(balance.iloc[-1]["current_minor"]):
        return Cell("Not seen", Tone.UNKNOWN)
    last = balance.iloc[-1]
    return Cell(money_words(last["current_minor"], last["currency"]))


def _amount(row: pd.Series) -> str:
    if not is_absent(row["amount_minor"]):
        return money_words(row["amount_minor"], row["currency"])
    return "Not known" if is_absent(row["amount"]) else f"{amount_words(row['amount'])} (currency not given)"


def _decimal(value: object) -> str:
    return amount_words(value) if isinstance(value, Decimal) else text_of(value)
