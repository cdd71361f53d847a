"""Observations about bank data: whether it exists or should exist, how far back it goes, and its red flags."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kycpack.errors import InputError
from kycpack.frames.rows import arrays_of, rows, values_of
from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor, to_minor
from kycpack.triage.case_file import CaseFile
from kycpack.triage.observations.frame_rows import FrameRows
from kycpack.triage.paths import PAYMENT_SUPPORT, SOURCE_FOUND
from kycpack.wealth.judge.sufficiency import Sufficiency
from kycpack.wealth.judge.support import (
    CLAIMED_BY,
    NOT_EVIDENCED,
    OWN_OR_OWED,
    SHOWN_BY,
    SUPPORT_COLUMNS,
    may_be_main,
    support_of_single,
    support_of_stream,
)
from kycpack.wealth.judge.unexplained import NOT_EXAMINED, SMALL, UNEXPLAINED
from kycpack.wealth.judge.wording import CASH, NO_NAME, NO_NATURE, NOT_ESTABLISHED, type_words
from kycpack.wealth.match.exchange_rates import rate_words
from kycpack.wealth.prepare.clues import ONLY_POSSIBLE
from kycpack.wealth.prepare.lexicon import OTHER


class BankHistory(NamedTuple):
    """How far back a customer's transactions go.

    Attributes:
        evidence_id: The entry of the first transaction; empty if it names none.
        days: Days from the first to the last booked transaction, both included; None if none is booked.
        ends: The entries of those two transactions.
        evidence_ids: The entries of all transactions.
    """

    evidence_id: str
    days: int | None
    ends: tuple[str, ...]
    evidence_ids: tuple[str, ...]


def bank_histories(transactions: pd.DataFrame) -> dict[str, BankHistory]:
    """Return the history of every customer with transactions, in order of first appearance.

    Args:
        transactions: The frame.
    """
    if not len(transactions.index):
        return {}
    ids, status, booked_on, entries = arrays_of(
        transactions, ("customer_id", "status", "booked_on", "evidence_id")
    )
    customers, names = pd.factorize(ids)
    by_customer = np.argsort(customers, kind="stable")
    starts = np.searchsorted(customers[by_customer], np.arange(len(names)))
    booked = np.asarray(status == "booked")[by_customer]
    days = np.asarray(booked_on)[by_customer].astype("datetime64[D]")
    # Transactions that are not booked, or have no date, are skipped.
    days = np.where(booked, days, np.datetime64("NaT"))
    spans = np.fmax.reduceat(days, starts) - np.fmin.reduceat(days, starts)
    # They sort last, so that the first and the last day of each customer are in known places.
    by_day = by_customer[np.lexsort((days, customers[by_customer]))]
    last = starts + np.maximum(np.add.reduceat(~np.isnat(days), starts), 1) - 1
    shown = values_of(entries.take(np.concatenate((by_customer[starts], by_day[starts], by_day[last]))))
    first, *ends = (shown[at : at + len(starts)] for at in range(0, len(shown), len(starts)))
    pages = _entries_by(ids, entries)
    return {
        name: BankHistory(
            "" if entry is pd.NA else entry,
            None if span is None else span.days + 1,
            tuple(sorted({one for one in booked_in if one is not pd.NA})),
            pages.get(name, ()),
        )
        for name, span, entry, *booked_in in zip(values_of(names), spans.tolist(), first, *ends, strict=True)
    }


def _entries_by(keys: Any, entries: Any) -> dict[str, tuple[str, ...]]:
    """Return the different entries of each key, in order.

    Args:
        keys: An array of words; missing ones are left out.
        entries: As many ids of entries, likewise.
    """
    (key_codes, key_names), (entry_codes, entry_names) = pd.factorize(keys), pd.factorize(entries)
    known = (key_codes >= 0) & (entry_codes >= 0)
    found: dict[str, list[str]] = defaultdict(list)
    for code in np.unique(key_codes[known] * len(entry_names) + entry_codes[known]).tolist():
        key, entry = divmod(code, len(entry_names))
        found[key_names[key]].append(entry_names[entry])
    return {key: tuple(sorted(listed)) for key, listed in found.items()}


def observe_bank(
    given: FrameRows,
    histories: Mapping[str, BankHistory],
    cases: Mapping[str, CaseFile],
    wealth: Any,
    as_of: dt.datetime,
) -> None:
    """Add whether bank data is expected, when access ends, and how many days the history covers."""
    for customer_id, (expected, evidence_id) in _expected(given, histories, wealth).items():
        if customer_id in cases:
            cases[customer_id].add("bank.expected", expected, evidence_id)
    for row in given.accounts:
        if row.token_expires_at is pd.NaT:
            note = "The date on which access to an account ends is not given."
            cases[row.customer_id].add("bank.access_days", None, row.evidence_id, note=note)
        else:
            ends, now = (at.astimezone(dt.UTC) for at in (row.token_expires_at.to_pydatetime(), as_of))
            days = (ends.date() - now.date()).days
            if ends < now:
                days = min(days, -1)  # access that ended earlier on the same day has ended
            note = f"access {'ended' if days < 0 else 'ends'} on {day_words(ends.date())}"
            cases[row.customer_id].add("bank.access_days", Decimal(days), row.evidence_id, note=note)
    for customer_id, history in histories.items():
        if history.days is not None:
            note = f"{counted(history.days, 'day')} of bank history"
            cases[customer_id].add("bank.history_days", Decimal(history.days), *history.ends, note=note)
    for case in cases.values():
        case.because.setdefault("bank", "Whether there is bank data is not known.")


def observe_currencies(given: FrameRows, transactions: pd.DataFrame, cases: Mapping[str, CaseFile]) -> None:
    """Add whether a currency of the list of accounts could be compared with that of the account's balance or transactions.

    Args:
        given: The rows of the other frames.
        transactions: The frame.
        cases: The customers.
    """
    asked = {(row.customer_id, row.account_id) for row in given.accounts if row.currency}
    of_data = {(row.customer_id, row.account_id) for row in given.balances if row.currency}
    if asked - of_data:
        named = ["customer_id", "account_id"]
        with_currency = transactions.loc[transactions["currency"].notna(), named].drop_duplicates()
        of_data |= set(with_currency.itertuples(index=False, name=None))
    for row in given.accounts:
        if row.currency and (row.customer_id, row.account_id) in of_data:
            cases[row.customer_id].add("bank.currencies_compared", True, row.evidence_id)


def _expected(
    given: FrameRows, histories: Mapping[str, BankHistory], wealth: Any
) -> dict[str, tuple[bool, str]]:
    """Return whether bank data is expected, for each customer for whom this is known; transactions and red flags are themselves bank data."""
    known: dict[str, tuple[bool, str]] = {}
    for gap in given.gaps:
        if gap.area == "bank" and gap.code == "no_accounts":
            known[gap.customer_id] = (False, gap.evidence_id)
    for found, column in ((given.payments, "requires_ais"), (given.sessions, "ordered_ais_accounts")):
        known |= {row.customer_id: (True, row.evidence_id) for row in found if getattr(row, column)}
    # If there are several entries, the first one is named.
    known |= {row.customer_id: (True, row.evidence_id) for row in reversed(given.balances)}
    known |= {name: (True, history.evidence_id) for name, history in histories.items()}
    known |= {row.customer_id: (True, row.evidence_id) for row in reversed(given.accounts)}
    for customer_id, evidence_id in _flagged(wealth):
        if not known.get(customer_id, (False, ""))[0]:
            known[customer_id] = (True, evidence_id)
    return known


def _flagged(wealth: Any) -> list[tuple[str, str]]:
    flags = [] if wealth is None else rows(wealth.flags, "customer_id", "evidence_ids")
    return [(str(row.customer_id), next(iter(row.evidence_ids), "")) for row in flags]


def observe_wealth(histories: Mapping[str, BankHistory], cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add whether the bank data was analysed, whether it shows a source of wealth, and its red flags."""
    found: dict[str, _SourceFound] = {}
    if wealth is not None:
        found = _sources_found(wealth)
        for row in rows(wealth.flags, "customer_id", "code", "severity", "message", "evidence_ids"):
            if row.customer_id in cases:
                cases[row.customer_id].add(
                    f"wealth.flags.{row.code}", str(row.severity), *row.evidence_ids, note=_flag_note(row)
                )
    for customer_id, case in cases.items():
        # That something is not there is shown by everything that was looked at.
        entries = histories[customer_id].evidence_ids if customer_id in histories else ()
        is_found, note, shown = found.get(customer_id, _SourceFound(is_found=False, note="", shown=entries))
        if is_found:
            days = histories[customer_id].days if customer_id in histories else None
            period = "" if days is None else f"{counted(days, 'day')} of bank data; "
            note = f"the largest source is {note}; {period}documents are not looked at"
        case.add(SOURCE_FOUND, is_found, *shown, note=note)
        if wealth is not None and customer_id in histories:
            case.add("wealth.derived", "yes", *entries)
        case.because.setdefault(
            "wealth",
            "The bank data was not analysed." if customer_id in histories else "There is no bank data.",
        )


class _Inflow(NamedTuple):
    """A stream or single credit: the least sum in minor units, what supports its nature, the type, the entries of its credits, how the type is known, and the payer."""

    minor: int
    is_claimed: bool
    by: str
    type: str
    shown: tuple[str, ...]
    level: str
    payer: str


class _SourceFound(NamedTuple):
    """Whether a source of wealth is proven, None if that is not known, which one it is or why it is not, and the entries of the credits that decide."""

    is_found: bool | None
    note: str
    shown: tuple[str, ...]


def _sources_found(wealth: Any) -> dict[str, _SourceFound]:
    """Return whether a source of wealth is proven, for each customer who has one, and why it is not known, for each currency in which it is not.

    The largest source decides, in each currency: a small proven one beside it does not show where the wealth comes from. A single
    credit is a source as a stream is; money whose nature shows no source, such as gifts, counts as one sum however it is split, and
    outweighs the largest source if it is more.
    """
    largest: dict[tuple[str, str], _Inflow] = {}
    hidden: dict[tuple[str, str], list[_Inflow]] = defaultdict(list)
    for key, inflow in _inflows(wealth):
        if inflow.type in NOT_EVIDENCED:
            hidden[key].append(inflow)
        else:
            largest[key] = max(inflow, largest.get(key, inflow))
    named = {customer_id for customer_id, _ in largest}
    by_customer: dict[str, list[_SourceFound]] = defaultdict(list)
    for key in sorted(largest.keys() | hidden.keys()):
        customer_id, currency = key
        if customer_id in named:
            by_customer[customer_id].append(_source_found(largest.get(key), hidden[key], currency))
    return {customer_id: _in_all_currencies(each) for customer_id, each in by_customer.items()}


def _in_all_currencies(each: Sequence[_SourceFound]) -> _SourceFound:
    """Return what holds of a customer's money in all currencies: what is not proven in one of them decides."""
    deciding = [one for one in each if not one.is_found] or each
    shown = {entry for one in deciding for entry in one.shown}
    between = "; and " if deciding[0].is_found else " "
    note = between.join(one.note for one in deciding if one.note)
    return _SourceFound(deciding[0].is_found, note, tuple(sorted(shown)))


def _source_found(largest: _Inflow | None, hidden: Sequence[_Inflow], currency: str) -> _SourceFound:
    """Return the same for a customer's money in one currency.

    Args:
        largest: The largest source; None if all money shows none.
        hidden: Money that shows no source.
        currency: ISO 4217.
    """
    sums: Counter[str] = Counter()
    for inflow in hidden:
        sums[OTHER if inflow.type in NOT_ESTABLISHED else inflow.type] += inflow.minor
    if largest is None or sums.total() > largest.minor:
        said = "; ".join(_sum_words(*one, currency) for one in sums.most_common())
        note = (
            f"No source in {currency} is established ({said})."
            if largest is None
            else f"More money came in that shows no source of wealth ({said}) than from the largest source of wealth in {currency} ({_sum_words(largest.type, largest.minor, currency)})."
        )
        shown = {entry for inflow in hidden for entry in inflow.shown}
        return _SourceFound(None, note, tuple(sorted(shown)))
    if largest.is_claimed:
        said = _sum_words(largest.type, largest.minor, currency)
        note = f"The largest source of wealth in {currency} ({said}) is {CLAIMED_BY[largest.by]}."
        return _SourceFound(None, note, largest.shown)
    payer = "" if largest.payer in {"", CASH, NO_NAME} else f" from {largest.payer}"
    said = f"{type_words(largest.type)}{payer}, {format_minor(largest.minor, currency)}"
    return _SourceFound(
        is_found=True, note=f"{said}, shown by {SHOWN_BY[largest.level]}", shown=largest.shown
    )


def _sum_words(type_: str, minor: int, currency: str) -> str:
    what = NO_NATURE if type_ == OTHER else type_words(type_)
    return f"{what}, {format_minor(minor, currency)}"


def _inflows(wealth: Any) -> Iterator[tuple[tuple[str, str], _Inflow]]:
    """Yield customer and currency of each stream and single credit, with what it brought in."""
    credits_ = wealth.credits
    of_stream = _entries_by(*arrays_of(credits_, ("stream_id", "evidence_id")))
    for stream in rows(
        wealth.streams, "customer_id", "stream_id", "currency", "least_total_minor", "payer", *SUPPORT_COLUMNS
    ):
        if stream.type not in OWN_OR_OWED and stream.least_total_minor > 0:
            by, shown = support_of_stream(stream), of_stream.get(stream.stream_id, ())
            inflow = _Inflow(
                int(stream.least_total_minor),
                not may_be_main(stream.type, by),
                by,
                str(stream.type),
                shown,
                *_known_by(stream),
            )
            yield (str(stream.customer_id), str(stream.currency)), inflow
    for credit in rows(
        credits_,
        "customer_id",
        "disposition",
        "currency",
        "least_minor",
        "type",
        "evidence_level",
        "doubtful",
        "evidence_id",
        "payer",
    ):
        is_small = credit.disposition == SMALL and credit.type in NOT_EXAMINED
        is_single = credit.disposition in {"one_off", UNEXPLAINED} or is_small
        only_possible = (credit.type, credit.evidence_level) in ONLY_POSSIBLE
        counts = credit.type not in OWN_OR_OWED or only_possible
        if is_single and counts and credit.least_minor > 0:
            by = support_of_single(credit)
            shown = () if credit.evidence_id is pd.NA else (credit.evidence_id,)
            inflow = _Inflow(
                int(credit.least_minor),
                not may_be_main(credit.type, by),
                by,
                OTHER if only_possible or is_small else str(credit.type),
                shown,
                *_known_by(credit),
            )
            yield (str(credit.customer_id), str(credit.currency)), inflow


def _known_by(row: Any) -> tuple[str, str]:
    return str(row.evidence_level), "" if row.payer is pd.NA or row.payer is None else str(row.payer)


def observe_payments(given: FrameRows, cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add whether each payment is supported by the observed income, if the policy asks for it."""
    for row in given.payments:
        word, note = _support(row, wealth)
        cases[row.customer_id].add(PAYMENT_SUPPORT, word, row.evidence_id, note=note)


def _support(payment: Any, wealth: Any) -> tuple[str | None, str]:
    """Return how far a payment is supported, None if that is not known, and the sentence."""
    if wealth is None:
        return None, "The bank data was not analysed."
    currency = payment.currency or wealth.base_currency(payment.customer_id)
    if payment.amount is None or currency is None:
        return None, "The amount of a payment, or its currency, is not known."
    least = wealth.least_shortfall(currency)
    try:
        small = to_minor(payment.amount, currency) < least
    except InputError as error:
        return None, f"The amount of a payment cannot be read: {error}."
    if small:
        return "below_limit", ""
    found = wealth.sufficiency(payment.customer_id, payment.payment_id, payment.amount, currency)
    return _said_of(found, least, rate_words(wealth.thresholds.currency, currency))


def _said_of(found: Sufficiency, least: int, rate: str) -> tuple[str | None, str]:
    """Return the same for the basis of a payment; a shortfall below the given number of minor units is ignored."""
    if found.shortfall_minor < least:
        return "below_limit" if found.shortfall_minor else "supported", ""
    said = f"Payment of {format_minor(found.amount_minor, found.currency)}: {found.lacking}"
    if found.answer == "cannot tell":
        return None, f"{said}. {found.basis[-1].removesuffix('.')}{rate}."
    return found.answer.replace(" ", "_"), f"{said}{rate}"


def _flag_note(row: Any) -> str:
    return str(row.message).strip().removesuffix(".") or str(row.code).replace("_", " ").capitalize()
