"""Observations about what the money leaves open: questions about it, and how much of the credits is of known nature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import ROUND_DOWN, Decimal
from typing import Any

from kycpack.frames.rows import rows
from kycpack.models.money import format_minor
from kycpack.triage.case_file import CaseFile
from kycpack.triage.observations.bank_observations import BankHistory
from kycpack.wealth.judge.coverage import KNOWN, natures_of
from kycpack.wealth.judge.open_questions import open_questions
from kycpack.wealth.match.exchange_rates import threshold_bounds

_SHARE = Decimal("0.001")  # rounded down: a share below a limit stays below it


def observe_money(histories: Mapping[str, BankHistory], cases: Mapping[str, CaseFile], wealth: Any) -> None:
    """Add the questions that the money of each customer leaves open, and the share of credits of known nature in each currency.

    Args:
        histories: Customers with transactions.
        cases: The customers.
        wealth: What the credits are made of; None if the bank data was not analysed.
    """
    if wealth is None:
        return
    for customer_id in (one for one in histories if one in cases):
        balances = None if wealth.balances is None else wealth.of(wealth.balances, customer_id)
        mine = wealth.of(wealth.transactions, customer_id), balances, wealth.of(wealth.credits, customer_id)
        for asked in open_questions(*mine, wealth.thresholds):
            path, entries = f"wealth.questions.{asked.code}", filter(None, [asked.evidence_id])
            cases[customer_id].add(path, "open", *entries, note=asked.message.rstrip("."))
    for customer_id, share, note in _known_shares(wealth):
        if customer_id in cases:
            shown = histories[customer_id].evidence_ids if customer_id in histories else ()
            cases[customer_id].add("wealth.known_share", share, *shown, note=note)


def _known_shares(wealth: Any) -> Iterator[tuple[str, Decimal, str]]:
    """Yield customer, share of known nature and what is not known in words, for each currency in which that is not a small sum."""
    known, whole = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    credits_ = wealth.credits
    each = rows(credits_, "customer_id", "currency", "disposition", "most_minor")
    for row, (nature, _) in zip(each, natures_of(credits_, wealth.streams), strict=True):
        if row.disposition != "own_transfer":
            key = str(row.customer_id), str(row.currency)
            whole[key] += row.most_minor
            known[key] += row.most_minor if nature == KNOWN else 0
    limits = wealth.thresholds
    for key, total in sorted(whole.items()):
        customer_id, currency = key
        least, _ = threshold_bounds(limits.unknown_total, limits.currency, currency)
        unknown = total - known[key]
        if unknown and unknown >= least:
            share = (Decimal(known[key]) / total).quantize(_SHARE, ROUND_DOWN)
            sums = f"{format_minor(unknown, currency)} of {format_minor(total, currency)}"
            yield customer_id, share, f"Credits whose nature is not known: {sums}"
