"""Readers of the evaluation data: files into pandas frames, and the compact cases into the normal form."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

FOLDER = Path(__file__).resolve().parents[3] / "data" / "evaluation"
AS_OF = dt.date(2026, 6, 30)
_DAYS = {"weekly": 7, "fortnightly": 14, "four_weekly": 28}
_MONTHS = {"monthly": 1, "two_monthly": 2, "quarterly": 3, "semi_annual": 6, "annual": 12}


def table(name: str) -> pd.DataFrame:
    """Return one CSV of the folder, every cell as text, empty cells as empty text."""
    return pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False, encoding="utf-8")


@dataclass(frozen=True)
class Case:
    """One small statement: its frames, the labels of its rows, and what must and must not be said."""

    case_id: str
    country: str
    as_of: dt.date
    customer: str
    transactions: pd.DataFrame
    accounts: pd.DataFrame
    labels: dict[tuple[str, str], str]
    raw: dict[str, Any]


def cases() -> list[Case]:
    """Return the cases of cases.yaml, expanded."""
    entries = yaml.safe_load((FOLDER / "cases.yaml").read_text(encoding="utf-8"))
    return [_case(entry) for entry in entries]


def _case(entry: dict[str, Any]) -> Case:
    accounts = entry.get("accounts", [{"id": "A"}])
    currencies = {account["id"]: account.get("currency") for account in accounts}
    rows: list[dict[str, Any]] = []
    labels: dict[tuple[str, str], str] = {}
    for line in entry["lines"]:
        account = line.get("account", accounts[0]["id"])
        currency = line.get("currency") or currencies.get(account) or "GBP"
        for number, (day, amount) in enumerate(zip(_days(line), _amounts(line), strict=False), 1):
            txn_id = f"{line.get('txn_prefix', account)}-{line['label']}-{number:02d}"
            labels[account, txn_id] = line["label"]
            rows.append(
                {
                    "customer_id": entry["id"],
                    "account_id": account,
                    "txn_id": txn_id,
                    "booked_on": pd.Timestamp(day),
                    "status": line.get("status", "booked"),
                    "amount_minor": int(Decimal(str(amount)).scaleb(2)),
                    "currency": currency,
                    "description_raw": line["text"],
                    "counterparty_name": line.get("counterparty"),
                    "bank_code": line.get("code"),
                }
            )
    default = {"GB": "GBP", "US": "USD"}.get(entry.get("country", "GB"), "EUR")
    holders = pd.DataFrame(
        [
            {
                "customer_id": entry["id"],
                "account_id": account["id"],
                "holder_name": account.get("holder", entry["customer"]),
                "account_number": account.get("number"),
                "sort_code": account.get("sort_code"),
                "currency": account.get("currency", default),
                "evidence_id": "E-01",
            }
            for account in accounts
        ]
    )
    return Case(
        case_id=entry["id"],
        country=entry.get("country", "GB"),
        as_of=AS_OF,
        customer=entry["customer"],
        transactions=pd.DataFrame(rows),
        accounts=holders,
        labels=labels,
        raw=entry,
    )


def _amounts(line: dict[str, Any]) -> Iterator[Any]:
    while True:
        yield from line.get("amounts", [line.get("amount")])


def _days(line: dict[str, Any]) -> list[dt.date]:
    if "day" in line:
        return [line["day"]]
    if "days" in line:
        return list(line["days"])
    start, count, every = line["from"], line["count"], line["every"]
    if every in _DAYS:
        days = [start + dt.timedelta(days=_DAYS[every] * step) for step in range(count)]
    elif every == "last_working_day":
        days = [_weekday(_shift(start, step, last=True)) for step in range(count)]
    else:
        days = [_weekday(_shift(start, _MONTHS[every] * step)) for step in range(count)]
    jitter = line.get("jitter", [0])
    return [day + dt.timedelta(days=jitter[step % len(jitter)]) for step, day in enumerate(days)]


def _shift(start: dt.date, months: int, *, last: bool = False) -> dt.date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    length = calendar.monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, length if last else min(start.day, length))


def _weekday(day: dt.date) -> dt.date:
    return day - dt.timedelta(days=max(0, day.weekday() - 4))
