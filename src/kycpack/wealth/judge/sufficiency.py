"""Whether what was observed supports a payment: the evidenced money that, following the flows, is still there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor
from kycpack.wealth.judge.balance_path import BalancePath
from kycpack.wealth.judge.support import CLAIMED_BY, SENDER_RULE
from kycpack.wealth.judge.wording import LIMITS
from kycpack.wealth.prepare.coded import Codes

ANSWERS = ("supported", "partly supported", "not supported", "cannot tell")

_SHORTEST_DAYS = 28
_KINDS = (
    f"Income counts if the bank's code or a known payer shows its nature, and nothing contradicts it. {SENDER_RULE} "
    "What only the pattern of payments shows does not count. Loans, tax refunds, cash, gifts, winnings, crypto assets, private "
    "payments by individuals and credits whose nature is not established do not count either."
)
_NOT_LINKED = "Where money held before the first day of the data came from, and what is in accounts that are not linked, is not visible."
_BY_BALANCE = "Evidenced money counts up to the lowest balance since it arrived, which is the most of it that can still be there: other money is taken to be spent first, which favours the customer; an overdraft is not counted."
_BY_OUTFLOWS = "Balances are not known for every account, so all money that left after evidenced money arrived is deducted from it."


@dataclass(frozen=True)
class Sufficiency:
    """How far a payment is supported.

    Args:
        customer_id: Customer id.
        payment_id: Payment id; None for a hypothetical amount.
        answer: One of `ANSWERS`.
        amount_minor: Amount of the payment in minor units.
        currency: ISO 4217.
        supported_minor: The part of it that is supported; `bounds` says whether it is a maximum or a minimum.
        shortfall_minor: The rest.
        from_on: First day of the data used; None if there is none.
        to_on: Last day of the data used.
        basis: What supports the payment and what does not, one sentence each.
        source_ids: Ids of the streams and single credits used.
        assumptions: What was assumed.
    """

    customer_id: str
    payment_id: str | None
    answer: str
    amount_minor: int
    currency: str
    supported_minor: int
    shortfall_minor: int
    from_on: date | None
    to_on: date | None
    basis: tuple[str, ...]
    source_ids: tuple[str, ...]
    assumptions: tuple[str, ...] = field(default=(_KINDS, _NOT_LINKED, LIMITS))

    @property
    def bounds(self) -> tuple[str, str]:
        """What the part that is supported is, and the rest, in words before the amount.

        Where balances are known, other money is taken to have been spent first: at most so much is supported. Where they are not, all spending is
        deducted: it is at least so much.
        """
        return ("at most", "at least") if _BY_BALANCE in self.assumptions else ("at least", "up to")

    @property
    def lacking(self) -> str:
        """How much of the amount is not supported, or not known to be, in words; it is for payments with a shortfall."""
        known = " known to be" if self.answer == "cannot tell" else ""
        part = f"{self.bounds[1]} {format_minor(self.shortfall_minor, self.currency)} of it is not{known}"
        none = f"none of it is{known}"
        return f"{none if self.shortfall_minor == self.amount_minor else part} supported by what was observed"


@dataclass(frozen=True)
class Claim:
    """Credits whose nature is not proven.

    Args:
        by: One of `CLAIMED_BY`: what supports it.
        count: Number of sources.
        total_minor: Their sum, minor units.
    """

    by: str
    count: int
    total_minor: int


@dataclass(frozen=True, eq=False)
class Means:
    """What one customer has available for payments in one currency, day by day; all days since 1970-01-01, amounts in minor units.

    Args:
        path: Money held at the end of each day with a booking.
        proven: Evidenced credits on each of these days.
        claimed: Credits whose nature is not proven: for example supported only by the sender's words.
        kept: The part of `proven` of which no red flag says that it was moved on; the rest supports nothing.
        kept_claimed: The same part of `claimed`.
        spent: Debits of each day that are not own transfers, as positive numbers; pending ones are on the last day.
        moved: The part of `spent` of which a red flag says that it moved money on.
        unlinked: Debits of each day to own accounts that are not linked, to savings, to brokers and to banks named alone, as positive numbers; they are among `spent`.
        proven_ids: Sources of `proven`.
        claims: The parts of `claimed`, by what supports them.
        left_out: Sum of credits that may duplicate another one and are in neither of these, minor units.
        pending: Sum of pending debits, as a positive number; it is deducted in `path` and in `spent`.
    """

    path: BalancePath
    proven: Codes
    claimed: Codes
    kept: Codes
    kept_claimed: Codes
    spent: Codes
    moved: Codes
    unlinked: Codes
    proven_ids: tuple[str, ...]
    claims: tuple[Claim, ...]
    left_out: int = 0
    pending: int = 0


def assess(
    means: Means | None, customer_id: str, payment_id: str | None, amount_minor: int, currency: str
) -> Sufficiency:
    """Return whether a customer's observed means support a payment.

    Args:
        means: The customer's means in the payment's currency; None if nothing was observed in it.
        customer_id: Customer id.
        payment_id: Payment id.
        amount_minor: Its amount in minor units.
        currency: Its currency; money in other currencies is not counted.
    """
    known: dict[str, Any] = {
        "customer_id": customer_id,
        "payment_id": payment_id,
        "amount_minor": amount_minor,
        "currency": currency,
    }
    if means is None:
        return Sufficiency(
            **known,
            answer="cannot tell",
            supported_minor=0,
            shortfall_minor=amount_minor,
            from_on=None,
            to_on=None,
            basis=(f"No booked transactions in {currency} were seen.",),
            source_ids=(),
        )
    first, last = (_date(int(means.path.days[place])) for place in (0, -1))
    days = (last - first).days + 1
    proven = still_there(means, means.kept, means.proven)
    every = still_there(means, means.kept + means.kept_claimed, means.proven + means.claimed)
    arrived = np.cumsum(means.proven + means.claimed) > 0
    unlinked = int(means.unlinked[arrived].sum())
    supported = min(proven, amount_minor)
    # Without balances nobody can tell which money was spent first.
    mixed = means.path.held is None and proven < int(means.kept.sum())
    answer, reasons = _answer(
        amount_minor, currency, days, proven, every - proven, unlinked, means.claims, mixed=mixed
    )
    by = _BY_OUTFLOWS if means.path.held is None else _BY_BALANCE
    return Sufficiency(
        **known,
        answer=answer,
        supported_minor=supported,
        shortfall_minor=amount_minor - supported,
        from_on=first,
        to_on=last,
        basis=(*_seen(means, currency, first, last, proven), *reasons),
        source_ids=means.proven_ids if supported else (),
        assumptions=(_KINDS, by, _NOT_LINKED, LIMITS),
    )


def still_there(means: Means, credits_: Codes, unflagged: Codes) -> int:
    """Return how much of the given credits is still there at the end, minor units.

    Args:
        means: The customer's means.
        credits_: Credits on each day of `means.path.days`, minor units.
        unflagged: The same credits with those of which a red flag says that they were moved on.

    Returns:
        If balances are known, each credit counts up to the lowest balance since it arrived; otherwise all spending since then is deducted.
        What moved money on is deducted from that money first, and never is more left than without the flag.
    """
    left = most = 0
    for place, amount in enumerate(credits_.tolist()):
        if means.path.held is None:
            spent, moved = int(means.spent[place]), int(means.moved[place])
            most = max(most + int(unflagged[place]) - spent, 0)
            left = min(max(left + amount - (spent - moved), 0), most)
        else:
            left = min(left + amount, int(means.path.held[place]))
    return left


def _answer(
    amount: int,
    currency: str,
    days: int,
    proven: int,
    claimed: int,
    unlinked: int,
    claims: Sequence[Claim],
    *,
    mixed: bool,
) -> tuple[str, Sequence[str]]:
    if proven >= amount:
        return "supported", ()
    if days < _SHORTEST_DAYS:
        return "cannot tell", (f"Fewer than {_SHORTEST_DAYS} days were seen.",)
    if proven + claimed >= amount:
        by = CLAIMED_BY[claims[0].by] if len(claims) == 1 else "not proven"
        left = format_minor(claimed, currency)
        words = (
            f"{left} more may still be in the accounts, but without balances the data does not show whether it is evidenced income or "
            f"money whose nature is {by}: a document has to show what it was."
            if mixed
            else f"Of the money that may still be in the accounts, up to {left} is of a nature {by}: a document has to show what it was."
        )
        return "cannot tell", (words,)
    if unlinked and proven + claimed + unlinked >= amount:
        gone = f"{format_minor(unlinked, currency)} went to own accounts that are not linked, or to savings, banks or brokers: link them to see whether it is still there."
        return "cannot tell", (gone,)
    return ("partly supported" if proven else "not supported"), ()


def _seen(means: Means, currency: str, first: date, last: date, proven: int) -> tuple[str, ...]:
    total = int(means.proven.sum())
    days, count = (last - first).days + 1, len(means.proven_ids)
    period = f"from {day_words(first)} to {day_words(last)} ({counted(days, 'day')})"
    income = (
        f"Evidenced income {period}: {format_minor(total, currency)} from {_sources(count)}."
        if total
        else f"No evidenced income was seen {period}."
    )
    if means.path.held is None:
        left = f"Spending over the same days: {format_minor(int(means.spent.sum()), currency)}."
        still = f" Left of the evidenced income on {day_words(last)}, after deducting all spending since it arrived: {format_minor(proven, currency)}."
    else:
        left = f"Held on {day_words(last)}, according to {means.path.basis}: {format_minor(int(means.path.held[-1]), currency)}."
        still = (
            f" Of the evidenced income, up to {format_minor(proven, currency)} may still be in the accounts."
        )
    left += still if total else ""
    said = [income, left]
    if moved := total - int(means.kept.sum()):
        said.append(
            f"{format_minor(moved, currency)} of the evidenced income counts as gone: a red flag says that it was moved on."
        )
    if means.pending:
        said.append(
            f"Payments out that are still pending count as gone, and are deducted in these figures: {format_minor(means.pending, currency)}."
        )
    if means.left_out:
        said.append(
            f"Credits that may be counted twice are left out: {format_minor(means.left_out, currency)}."
        )
    said += [
        f"Credits whose nature is {CLAIMED_BY[claim.by]}: {format_minor(claim.total_minor, currency)}, "
        f"from {_sources(claim.count)}."
        for claim in means.claims
    ]
    return tuple(said)


def _sources(count: int) -> str:
    """Return a number of sources in words; one payer may have several."""
    return counted(count, "stream or single credit", "streams or single credits")


def _date(day: int) -> date:
    converted: date = np.datetime64(day, "D").astype(object)
    return converted
