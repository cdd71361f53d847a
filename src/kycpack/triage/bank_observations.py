"""What is observed of bank data: whether there is any or should be, how far it reaches, its red flags."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import first_entries, rows, values_of
from kycpack.models.dates import day_words
from kycpack.triage.case_file import CaseFile

NO_INCOME = frozenset({"loan", "tax_refund", "cash_deposit", "person_transfer", "savings", "other"})
"""Types of streams that say nothing of where wealth comes from: debt, one's own money back, or unexplained."""


def observe_bank(frames: Frames, cases: Mapping[str, CaseFile], wealth: Any, as_of: dt.datetime) -> None:
    """Add whether bank data is to be expected, until when access lasts, and how many days the history covers."""
    for customer_id, (expected, evidence_id) in _expected(frames, wealth).items():
        if customer_id in cases:
            cases[customer_id].add("bank.expected", expected, evidence_id)
    for row in rows(frames.accounts, "customer_id", "token_expires_at", "evidence_id"):
        if not pd.isna(row.token_expires_at):
            ends = row.token_expires_at.to_pydatetime()
            days = (ends - as_of).days
            note = f"access {'ended' if days < 0 else 'ends'} on {day_words(ends.date())}"
            cases[row.customer_id].add("bank.access_days", Decimal(days), row.evidence_id, note=note)
    for customer_id, (first_day, last_day, evidence_id) in _histories(frames).items():
        days = (last_day - first_day).days + 1
        cases[customer_id].add(
            "bank.history_days", Decimal(days), evidence_id, note=f"{days} days of bank history"
        )
    for case in cases.values():
        case.because.setdefault("bank", "Whether there is bank data is not known.")


def _histories(frames: Frames) -> dict[str, tuple[pd.Timestamp, pd.Timestamp, str]]:
    """Return the first and last day of booked transactions of each customer, and the entry of the first row."""
    booked = np.flatnonzero(frames.transactions["status"] == "booked")
    customers, names = pd.factorize(frames.transactions["customer_id"].array.take(booked))
    if not len(names):
        return {}
    by_customer = np.argsort(customers, kind="stable")
    starts = np.searchsorted(customers[by_customer], np.arange(len(names)))
    days = frames.transactions["booked_on"].to_numpy()[booked][by_customer]
    # What has no day is passed over.
    spans = zip(np.fmin.reduceat(days, starts), np.fmax.reduceat(days, starts), strict=True)
    entries = values_of(frames.transactions["evidence_id"].array.take(booked[by_customer[starts]]))
    return {
        str(name): (pd.Timestamp(first_day), pd.Timestamp(last_day), str(entry))
        for name, (first_day, last_day), entry in zip(values_of(names), spans, entries, strict=True)
    }


def _expected(frames: Frames, wealth: Any) -> dict[str, tuple[bool, str]]:
    """Return for each customer of whom it is known whether bank data is to be expected; transactions and flags are themselves bank data."""
    known: dict[str, tuple[bool, str]] = {}
    for gap in rows(frames.gaps, "customer_id", "area", "code", "evidence_id"):
        if gap.area == "bank" and gap.code == "no_accounts":
            known[gap.customer_id] = (False, str(gap.evidence_id))
    for part, column in ((frames.payments, "requires_ais"), (frames.sessions, "ordered_ais_accounts")):
        for row in rows(part, "customer_id", "evidence_id", column):
            if not pd.isna(row[2]) and row[2]:
                known[row.customer_id] = (True, str(row.evidence_id))
    for part in (frames.balances, frames.transactions, frames.accounts):
        for customer_id, entry in first_entries(part):
            known[customer_id] = (True, "" if pd.isna(entry) else str(entry))
    for customer_id, evidence_id in _flagged(wealth):
        if not known.get(customer_id, (False, ""))[0]:
            known[customer_id] = (True, evidence_id)
    return known


def _flagged(wealth: Any) -> list[tuple[str, str]]:
    flags = [] if wealth is None else rows(wealth.flags, "customer_id", "evidence_ids")
    return [(str(row.customer_id), next(iter(row.evidence_ids), "")) for row in flags]


def observe_wealth(frames: Frames, cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add whether the bank data was analysed, whether it shows a source of wealth, and its red flags."""
    evidence = {str(name): str(entry) for name, entry in first_entries(frames.transactions)}
    found: set[str] = set()
    if wealth is not None:
        found = {
            str(stream.customer_id)
            for stream in rows(wealth.streams, "customer_id", "type")
            if str(stream.type) not in NO_INCOME
        }
        for row in rows(wealth.flags, "customer_id", "code", "severity", "message", "evidence_ids"):
            if row.customer_id in cases:
                cases[row.customer_id].add(
                    f"wealth.flags.{row.code}", str(row.severity), *row.evidence_ids, note=_flag_note(row)
                )
    for customer_id, case in cases.items():
        entries = (evidence[customer_id],) if customer_id in evidence else ()
        case.add("wealth.source_found", customer_id in found, *entries)
        if wealth is not None and entries:
            case.add("wealth.derived", "yes", *entries)
        case.because.setdefault(
            "wealth", "The bank data was not analysed." if entries else "There is no bank data to look at."
        )


def _flag_note(row: Any) -> str:
    return str(row.message).strip().removesuffix(".") or str(row.code).replace("_", " ").capitalize()
