"""Gathering facts from frames, wealth and consistency."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.catalogue import SECTIONS
from kycpack.triage.facts import Facts, value_of
from kycpack.triage.paths import OWN_ROOTS
from kycpack.triage.rows import rows

_OPTIONS = {
    "document": ("ordered_document_check",),
    "address": ("ordered_proof_of_address_check",),
    "identity": ("ordered_identity_check", "ordered_enhanced_identity_check"),
    "screening": ("ordered_aml_standard_screening", "ordered_aml_extensive_screening"),
}
NO_INCOME = frozenset({"loan", "tax_refund", "cash_deposit", "person_transfer", "savings", "other"})
"""Types of streams that say nothing of where wealth comes from: debt, one's own money back, or unexplained."""


def gather_facts(frames: Frames, wealth: Any, consistency: pd.DataFrame, as_of: dt.datetime) -> Facts:
    """Return the facts of all customers of the frames."""
    facts = _units(frames)
    customers = {customer: number for number, customer in enumerate(facts.customers)}
    units = {
        (facts.customers[customer], session): unit for unit, (customer, session) in enumerate(facts.units)
    }
    _add_checks(facts, frames, units)
    _add_sessions(facts, frames, units)
    _add_expiry(facts, frames, units, as_of)
    _add_countries(facts, frames, customers)
    _add_bank(facts, frames, customers, as_of)
    _add_wealth(facts, frames, customers, wealth)
    for row in rows(frames.gaps):
        if row.customer_id in customers:
            facts.about_customer(
                customers[row.customer_id], f"gaps.{row.area}.{row.code}", row.message, row.evidence_id
            )
    for row in rows(consistency):
        facts.about_customer(customers[row.customer_id], row.path, row.verdict, *row.evidence_ids)
    return facts


def _units(frames: Frames) -> Facts:
    evidence = dict(
        zip(frames.customers["customer_id"].astype(str), frames.customers["evidence_id"], strict=True)
    )
    sessions: dict[str, dict[str, str]] = {customer: {} for customer in evidence}
    for part in (frames.sessions, frames.results):
        for row in rows(part[["customer_id", "session_id", "evidence_id"]]):
            # The results come second: they are where a check should have been.
            sessions.setdefault(row.customer_id, {})[row.session_id] = row.evidence_id
    units: list[tuple[int, str | None]] = []
    unit_evidence: list[str] = []
    for number, (customer, own) in enumerate(sessions.items()):
        units.extend((number, session) for session in own or [None])
        unit_evidence.extend(own.values() or [str(evidence.get(customer, ""))])
    return Facts(list(sessions), units, unit_evidence)


def _add_checks(facts: Facts, frames: Frames, units: Mapping[tuple[str, str | None], int]) -> None:
    checks = frames.checks
    if checks.empty:
        return
    keys = checks.groupby(["customer_id", "session_id"], observed=True, sort=False).ngroup().to_numpy()
    firsts = checks[["customer_id", "session_id"]].iloc[np.unique(keys, return_index=True)[1]]
    of_key = np.array([units[(row.customer_id, row.session_id)] for row in rows(firsts)])
    paths = np.array([facts.paths.number(_foreign(path)) for path in checks["path"].cat.categories])
    words = (checks["kind"].astype("string[pyarrow]") + "\x00" + checks["value"].fillna("")).astype(
        "category"
    )
    values = np.array(
        [facts.contents.number(value_of(*word.split("\x00", 1))) for word in words.cat.categories]
    )
    evidence = checks["evidence_id"].astype("category")
    ids = np.array([facts.evidence.number((str(entry),)) for entry in evidence.cat.categories])
    facts.of_sessions.unit.extend(of_key[keys].tolist())
    facts.of_sessions.path.extend(paths[checks["path"].cat.codes].tolist())
    facts.of_sessions.value.extend(values[words.cat.codes].tolist())
    facts.of_sessions.evidence.extend(ids[evidence.cat.codes].tolist())


def _foreign(path: str) -> str:
    """Keep a section that takes one of our own names from posing as our facts."""
    return f"results.{path}" if path.partition(".")[0] in OWN_ROOTS else path


def _add_sessions(facts: Facts, frames: Frames, units: Mapping[tuple[str, str | None], int]) -> None:
    sections = frames.checks[["customer_id", "session_id", "section"]].drop_duplicates()
    answered = {(row.customer_id, row.session_id, row.section) for row in rows(sections)}
    linked = set(frames.accounts["customer_id"].astype(str))
    for row in rows(frames.sessions):
        unit = units[(row.customer_id, row.session_id)]
        for name in ("status", "identity_completed", "identity_confirmed", "ais_completed"):
            value = getattr(row, name)
            if not pd.isna(value):
                facts.about_session(unit, f"session.{name}", _plain(value), row.evidence_id)
        for section in SECTIONS:
            there = (row.customer_id, row.session_id, section) in answered
            wanted = [getattr(row, option) for option in _OPTIONS[section]]
            facts.about_session(unit, f"requested.{section}", _request(wanted, there=there), row.evidence_id)
        there = row.customer_id in linked
        facts.about_session(
            unit, "requested.bank", _request([row.ordered_ais_accounts], there=there), row.evidence_id
        )


def _request(wanted: list[Any], *, there: bool) -> str:
    if there:
        return "answered"
    if any(choice is not pd.NA and bool(choice) for choice in wanted):
        return "absent"
    return "not_ordered" if all(choice is not pd.NA for choice in wanted) else "order_not_known"


def _plain(value: Any) -> Any:
    return bool(value) if isinstance(value, bool | np.bool_) else str(value)


def _add_expiry(
    facts: Facts, frames: Frames, units: Mapping[tuple[str, str | None], int], as_of: dt.datetime
) -> None:
    for row in rows(frames.documents):
        if not pd.isna(row.expires_on):
            days = (row.expires_on.date() - as_of.date()).days
            unit = units[(row.customer_id, row.session_id)]
            facts.about_session(unit, "expiry.document_days", Decimal(days), row.evidence_id)


def _add_countries(facts: Facts, frames: Frames, customers: Mapping[str, int]) -> None:
    places = (
        (frames.customers, "country", "record"),
        (frames.documents, "issuing_country", "issuer"),
        (frames.documents, "holder_nationality", "nationality"),
        (frames.documents, "country", "address"),
    )
    for frame, column, name in places:
        for row in rows(frame[["customer_id", column, "evidence_id"]].dropna(subset=[column])):
            facts.about_customer(customers[row[0]], f"country.{name}", str(row[1]), row[2])


def _add_bank(facts: Facts, frames: Frames, customers: Mapping[str, int], as_of: dt.datetime) -> None:
    for customer, expected, evidence_id in _expected(frames):
        facts.about_customer(customers[customer], "bank.expected", expected, evidence_id)
    for row in rows(frames.accounts):
        if not pd.isna(row.token_expires_at):
            days = (row.token_expires_at - as_of).days
            facts.about_customer(
                customers[row.customer_id], "bank.access_days", Decimal(days), row.evidence_id
            )
    booked = frames.transactions[frames.transactions["status"] == "booked"]
    spans = booked.groupby("customer_id", observed=True)
    for name, part in spans:
        days = (part["booked_on"].max() - part["booked_on"].min()).days + 1
        first = str(part["evidence_id"].iloc[0])
        facts.about_customer(customers[str(name)], "bank.history_days", Decimal(days), first)


def _expected(frames: Frames) -> Iterator[tuple[str, bool, str]]:
    """Go through customers of whom it is known whether bank data is to be expected; of the others it is not known."""
    known: dict[str, tuple[bool, str]] = {}
    absent = frames.gaps[(frames.gaps["area"] == "bank") & (frames.gaps["code"] == "no_accounts")]
    wanted = frames.sessions[frames.sessions["ordered_ais_accounts"].fillna(value=False)]
    needed = frames.payments[frames.payments["requires_ais"].fillna(value=False)]
    for part, expected in ((absent, False), (needed, True), (wanted, True), (frames.accounts, True)):
        for row in rows(part[["customer_id", "evidence_id"]]):
            known[row.customer_id] = (expected, row.evidence_id)
    for customer, (expected, evidence_id) in known.items():
        yield customer, expected, evidence_id


def _add_wealth(facts: Facts, frames: Frames, customers: Mapping[str, int], wealth: Any) -> None:
    evidence = {
        str(customer): str(part["evidence_id"].iloc[0])
        for customer, part in frames.transactions.groupby("customer_id", observed=True)
    }
    found: set[str] = set()
    if wealth is not None:
        streams = wealth.streams
        found = set(streams.loc[~streams["type"].astype(str).isin(NO_INCOME), "customer_id"].astype(str))
        for row in rows(wealth.flags):
            number = customers[row.customer_id]
            facts.about_customer(number, f"wealth.flags.{row.code}", str(row.severity), *row.evidence_ids)
    for customer, number in customers.items():
        entries = (evidence[customer],) if customer in evidence else ()
        facts.about_customer(number, "wealth.source_found", customer in found, *entries)
        if wealth is not None and entries:
            facts.about_customer(number, "wealth.derived", "yes", *entries)
