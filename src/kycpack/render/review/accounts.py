"""Linked bank accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.document_parts import Cell, Column, Section, resting_on, table
from kycpack.render.origin import calculated, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames, masked_number
from kycpack.render.wording import cell_of, is_absent, money_words, text_of

if TYPE_CHECKING:
    from kycpack.frames import Frames


def accounts_section(frames: Frames, names: ShortNames) -> Section:
    """Return the section of linked bank accounts, numbers masked."""
    rows = [
        _account_row(row, frames.balances, frames.transactions, names)
        for _, row in frames.accounts.drop_duplicates("account_id", keep="last").iterrows()
    ]
    columns = (
        Column("", 0.4),
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


def _account_row(
    row: pd.Series, balances: pd.DataFrame, transactions: pd.DataFrame, names: ShortNames
) -> tuple[Cell, ...]:
    account = str(row["account_id"])
    booked = transactions.loc[transactions["account_id"].astype("string") == account, "booked_on"]
    balance = balances[balances["account_id"].astype("string") == account]
    period = f"{text_of(booked.min())} to {text_of(booked.max())}" if len(booked) else "None seen"
    days = tuple(
        calculated(operation, "transactions", "booked_on", account_id=account) for operation in ("min", "max")
    )
    cells = (
        Cell(names.of(account), strong=True),
        cell_of(row["bank_name"]),
        cell_of(row["holder_name"]),
        cell_of(masked_number(row) or None),
        _balance(balance),
        Cell(str(len(booked)), origins=(count_of("transactions", account_id=account),)),
        Cell(period, origins=days) if len(booked) else Cell(period, Tone.UNKNOWN),
        cell_of(row["token_expires_at"]),
        Cell(text_of(row["evidence_id"])),
    )
    return resting_on(cells, value_of("accounts", account_id=account))


def _balance(balance: pd.DataFrame) -> Cell:
    if balance.empty or is_absent(balance.iloc[-1]["current_minor"]):
        return Cell("Not seen", Tone.UNKNOWN)
    last = balance.iloc[-1]
    origin = calculated("latest", "balances", "current_minor", account_id=last["account_id"])
    return Cell(money_words(last["current_minor"], last["currency"]), origins=(origin,))
