"""Linked bank accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import arrays_of, records, values_of
from kycpack.render.document_parts import Cell, Paragraph, Section, TableColumn, resting_on, table
from kycpack.render.origin import calculated, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.coverage import evidence_of
from kycpack.render.review.short_names import ShortNames, masked_number
from kycpack.render.wording import cell_of, money_words, text_of
from kycpack.wealth.judge.accounts import current_balances


def accounts_section(frames: Frames, names: ShortNames, counted: Sequence[Paragraph]) -> Section:
    """Return the section of linked bank accounts, with masked account numbers.

    Args:
        frames: Frames of one customer.
        names: Short names of the accounts.
        counted: What is said of the requests, and of the number of transactions.
    """
    every = Counter(frames.transactions["account_id"].astype(str).tolist())
    booked, balances = booking_days(frames.transactions), current_balances(frames.balances)
    lines = [
        _account_row(row, balances.get(account), booked.get(account, ()), every[account], names)
        for account, row in latest_by_account(frames.accounts).items()
    ]
    columns = (
        TableColumn("", 0.4),
        TableColumn("Bank", 1.5),
        TableColumn("Holder", 1.7),
        TableColumn("Account", 1.45),
        TableColumn("Balance", 1.6, right=True),
        TableColumn("Transactions", 1.25, right=True),
        TableColumn("Period", 1.7),
        TableColumn("Access until", 1.2),
        TableColumn("Evidence", 0.95),
    )
    listed = table(columns, lines, "No bank account is linked.")
    return Section("accounts", "Linked accounts", (*counted, listed))


def latest_by_account(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the last row of each account, by account id, in the order in which the accounts first appear.

    Two sessions, or two answers to one request, may list the same account: the latest answer counts.

    Args:
        frame: Frame `accounts` of one customer.
    """
    return {str(row["account_id"]): row for row in records(frame)}


def booking_days(transactions: pd.DataFrame) -> dict[str, list[date]]:
    """Return the dates of the booked transactions of each account that has any, by account id: the same days as in what is derived from them.

    Args:
        transactions: Frame `transactions` of one customer.
    """
    found: dict[str, list[date]] = {}
    accounts, days, states = arrays_of(transactions, ("account_id", "booked_on", "status"))
    dates = np.asarray(days).astype("datetime64[D]").tolist()
    for account, day, state in zip(values_of(accounts), dates, values_of(states), strict=True):
        if state == "booked" and day is not None:
            found.setdefault(str(account), []).append(day)
    return found


def _account_row(
    row: Mapping[str, Any],
    balance: Mapping[str, Any] | None,
    booked: Sequence[Any],
    count: int,
    names: ShortNames,
) -> tuple[Cell, ...]:
    account = str(row["account_id"])
    period = (
        f"{text_of(min(booked))} to {text_of(max(booked))}"
        if booked
        else "None booked"
        if count
        else "None seen"
    )
    days = tuple(
        calculated(operation, "transactions", "booked_on", account_id=account, status="booked")
        for operation in ("min", "max")
    )
    cells = (
        Cell(names.of(account), strong=True),
        cell_of(row["bank_name"]),
        cell_of(row["holder_name"]),
        cell_of(masked_number(row) or None),
        _balance(balance),
        Cell(f"{count:,}", origins=(count_of("transactions", account_id=account),)),
        Cell(period, origins=days) if booked else Cell(period, Tone.UNKNOWN),
        cell_of(row["token_expires_at"]),
        Cell(evidence_of([row, *filter(None, [balance])])),
    )
    return resting_on(cells, value_of("accounts", account_id=account))


def _balance(last: Mapping[str, Any] | None) -> Cell:
    if last is None:
        return Cell("Not seen", Tone.UNKNOWN)
    origin = value_of("balances", account_id=last["account_id"], evidence_id=last["evidence_id"])
    return Cell(money_words(last["current_minor"], last["currency"]), origins=(origin,))
