"""Measured on data that nobody here wrote, where it is on this machine."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
from tests.evaluate.baselines import nearest_cadence

from kycpack.wealth import CADENCES, Wealth, derive
from kycpack.wealth.streams.cadence import classify_cadences
from kycpack.wealth.streams.calendars import to_day_number

_LONGEST_OFF_DAYS = 3
_CASH_KINDS = ("constant_cash", "salary_like_bonus", "cash_bonus_unseen")


def payment_dates(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield figures on the published payment dates: ours and the median gap's."""
    with (folder / "moj" / "payment_dates_odd.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    lists = [np.array([to_day_number(date.fromisoformat(day)) for day in row[5:] if day]) for row in rows]
    true = [{"two_weekly": "fortnightly"}.get(row[1], row[1]) for row in rows]
    groups = np.repeat(np.arange(len(lists)), [len(days) for days in lists])
    found = classify_cadences(groups, np.concatenate(lists), len(lists))
    right = sum(CADENCES[code] == name for code, name in zip(found.code, true, strict=True))
    plain = sum(nearest_cadence(days) == name for days, name in zip(lists, true, strict=True))
    yield "payment dates, exact cadence", f"{right} of {len(rows)}"
    yield "payment dates, marked ambiguous", f"{int(found.ambiguous.sum())} of {len(rows)}"
    yield "payment dates, by the median gap alone", f"{plain} of {len(rows)}"


def czech_accounts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield figures on real Czech accounts, with the publisher's labels hidden."""
    transactions = pd.read_parquet(folder / "berka" / "transactions.parquet").reset_index(names="row")
    truth = pd.read_parquet(folder / "berka" / "streams_truth.parquet")
    wealth = derive_czech(transactions)
    members = wealth.credits.dropna(subset=["stream_id"]).merge(
        wealth.streams[["stream_id", "cadence", "type"]].rename(columns={"type": "stream_type"}),
        on="stream_id",
    )
    labels = transactions.assign(txn_id=transactions["row"].astype(str))
    pensions = labels[labels["category_label"] == "pension"]
    wanted = truth[(truth["kind"] == "pension") & (truth["rows"] >= 3)]
    whole = 0
    for account, rows in pensions[pensions["account_id"].isin(wanted["account_id"])].groupby("account_id"):
        mine = members[members["account_id"] == str(account)]
        streams = mine[mine["txn_id"].isin(set(rows["txn_id"]))]
        one = len(set(streams["stream_id"])) == 1 and len(streams) == len(rows)
        whole += bool(
            one and (streams["cadence"] == "monthly").all() and (streams["stream_type"] == "other").all()
        )
    yield (
        "Czech pensions of three payments and more, each one monthly stream of type other",
        f"{whole} of {len(wanted)}",
    )
    yield from _cash(members, truth)


def derive_czech(transactions: pd.DataFrame) -> Wealth:
    """Return the derivation of the Czech accounts, as their bank would export them: no labels, no payer texts."""
    sign = np.where(transactions["direction"] == "credit", 1, -1)
    partner = transactions["partner_bank"] + transactions["partner_account"]
    words = {
        "cash_deposit": "VKLAD HOTOVOSTI",
        "cash_withdrawal": "VYBER HOTOVOSTI",
        "transfer_in": "",
        "transfer_out": "",
    }
    frame = pd.DataFrame(
        {
            "customer_id": transactions["account_id"].astype(str),
            "account_id": transactions["account_id"].astype(str),
            "txn_id": transactions["row"].astype(str),  # a part of them has no id of its own
            "booked_on": transactions["date"],
            "amount_minor": (transactions["amount_czk"] * 100).round().astype("int64") * sign,
            "currency": "CZK",
            "description_raw": transactions["operation"].map(words).fillna(""),
            "counterparty_account": partner.where(partner != "", None),
        }
    )
    return derive(frame, country="CZ", as_of=date(1994, 12, 31))


def _cash(members: pd.DataFrame, truth: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield recall and precision of regular cash: a true stream is found by one that is monthly, of its account and day, as long and as large."""
    found = (
        members[members["type"] == "cash_deposit"]
        .groupby(["account_id", "stream_id"], as_index=False)
        .agg(
            rows=("txn_id", "size"),
            median=("amount_minor", "median"),
            day=("booked_on", lambda days: days.dt.day.mode()[0]),
            cadence=("cadence", "first"),
        )
    )
    monthly = found[found["cadence"] == "monthly"]
    true = truth[(truth["channel"] == "cash") & truth["kind"].isin(_CASH_KINDS) & (truth["rows"] >= 3)]
    matched: set[str] = set()
    hits = 0
    for row in true.itertuples():
        near = monthly[
            (monthly["account_id"] == str(row.account_id))
            & ((monthly["day"] - row.day_of_month).abs() <= _LONGEST_OFF_DAYS)
            & (monthly["rows"].between(0.5 * row.rows, 2 * row.rows))
            & ~monthly["stream_id"].isin(matched)
        ]
        if len(near):
            hits += 1
            matched.add(near.iloc[0]["stream_id"])
    yield "Czech regular cash, recall", f"{hits} of {len(true)} ({hits / max(len(true), 1):.3f})"
    yield "Czech regular cash, precision", f"{hits} of {len(monthly)} ({hits / max(len(monthly), 1):.3f})"
