"""How many transactions there are, what each number counts, and how the numbers fit together."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from kycpack.evidence import Evidence
from kycpack.frames import Frames
from kycpack.frames.rows import arrays_of, values_of
from kycpack.models.dates import in_one_minute, instant_words
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell, Paragraph
from kycpack.render.origin import calculated, count_of, value_of
from kycpack.render.review.accounts import booking_days
from kycpack.render.wording import text_of
from kycpack.wealth import Wealth

_BOOKED, _PENDING, _REPEATED = "booked", "pending", "duplicate"
_STATUSES = {
    _BOOKED: "booked",
    _PENDING: "pending",
    "future": "dated ahead",
    "info": "for information only",
    "rejected": "rejected by the bank",
}


def looked_at(evidence: Evidence, frames: Frames) -> tuple[tuple[str, Cell], ...]:
    """Return what a review is based on, as labels with values.

    Args:
        evidence: Evidence of one customer.
        frames: Its frames.
    """
    days = [day for mine in booking_days(frames.transactions).values() for day in mine]
    period = (
        f"{text_of(min(days))} to {text_of(max(days))}"
        if days
        else f"none, as there are no {'booked ' if len(frames.transactions) else ''}transactions"
    )
    booked = _by_status(frames)[_BOOKED]
    first_and_last = tuple(
        calculated(operation, "transactions", "booked_on", status=_BOOKED) for operation in ("min", "max")
    )
    return (
        ("Sessions", Cell(str(len(frames.sessions)), origins=(count_of("sessions"),))),
        ("Bank accounts", Cell(str(len(frames.accounts)), origins=(count_of("accounts"),))),
        ("Transactions", Cell(f"{len(frames.transactions):,}", origins=(count_of("transactions"),))),
        ("Of these booked", Cell(f"{booked:,}", origins=(count_of("transactions", status=_BOOKED),))),
        ("Period", Cell(period, origins=first_and_last)),
        ("Evidence entries", Cell(str(len(evidence.entries)), origins=(count_of("evidence"),))),
    )


def request_times(evidence: Evidence) -> Cell:
    """Return when the evidence was requested, in a sentence."""
    times = _times(evidence)
    return _requested(times) if times else Cell("No request was sent.")


def late_evidence(evidence: Evidence, as_of: datetime) -> Cell:
    """Return what the as-of time means if evidence was requested after it; empty if none was.

    Args:
        evidence: Evidence of one customer.
        as_of: The instant everything is measured against.
    """
    times = _times(evidence)
    as_of = as_of.replace(microsecond=0)
    if not times or times[-1] <= as_of:
        return Cell("")
    part = "after" if times[0] > as_of else "in part after"
    seconds = in_one_minute(as_of, times[0]) or in_one_minute(as_of, times[-1])
    at = f" of {instant_words(as_of, seconds=True)}" if seconds else ""
    meaning = f", {part} the as-of time{at}, from which ages are counted"
    return _requested(times, meaning, seconds=seconds)


def _times(evidence: Evidence) -> list[datetime]:
    """Return when requests were sent, to the second."""
    asked = (one.asked_at for one in evidence.entries if one.method)
    return sorted(at.replace(microsecond=0) for at in asked if at is not None)


def _requested(times: list[datetime], meaning: str = "", *, seconds: bool = False) -> Cell:
    first, last = times[0], times[-1]
    begin, end = (instant_words(one, seconds=seconds) for one in (first, last))
    when = f"on {begin}" if begin == end else f"from {begin} to {end}"
    if begin != end and first.astimezone(UTC).date() == last.astimezone(UTC).date():
        when = f"on {begin.removesuffix(' UTC')} to {end.rpartition(', ')[2]}"
    return Cell(f"Evidence requested {when}{meaning}.", origins=(value_of("evidence", "requested_at"),))


def transaction_blocks(frames: Frames, wealth: Wealth, customer_id: str) -> tuple[Paragraph, ...]:
    """Return the sentences that say how many transactions were given, which of them count, and what becomes of the credits.

    Args:
        frames: Frames of one customer.
        wealth: What the credits are made of.
        customer_id: Whose they are.
    """
    found = _by_status(frames)
    if not found:
        return ()
    total = found.total()
    statuses, amounts = arrays_of(frames.transactions, ("status", "amount_minor"))
    signs = Counter(zip(values_of(statuses), np.sign(amounts).tolist(), strict=True))
    if found[_BOOKED] == total:
        all_of_them = "which is" if total == 1 else "all of them"
        sentences = [f"The bank gave {counted(total, 'transaction')}, {all_of_them} booked."]
    else:
        states = listed(
            [
                f"{count:,} {_STATUSES.get(status, f'“{status}”')}{_of_them(signs, status)}"
                for status, count in found.items()
            ]
        )
        sentences = [f"The bank gave {counted(total, 'transaction')}: {states}. Only booked ones count."]
    into, out, none = (signs[_BOOKED, sign] for sign in (1, -1, 0))
    kinds = [counted(into, "credit"), counted(out, "payment") + " out"]
    kinds += [f"{none:,} of 0.00"] if none else []
    sentences.append(f"Booked transactions: {listed(kinds)}.")
    coverage = wealth.of(wealth.coverage, customer_id)
    again = int(coverage.loc[coverage["disposition"] == _REPEATED, "count"].sum())
    if again:
        left = len(wealth.of(wealth.credits, customer_id))
        verb = "repeats another one and is" if again == 1 else "repeat other ones and are"
        sentences.append(f"{again:,} of the credits {verb} set aside, so {left:,} are counted.")
    origins = (
        count_of("transactions"),
        *(count_of("transactions", status=status) for status in found),
        *(
            count_of("transactions", status=status, amount_minor=sign)
            for status in (_BOOKED, _PENDING)
            for sign in (">0", "<0", "0")
        ),
        value_of("coverage", "count", disposition=_REPEATED),
        count_of("credits"),
    )
    return (Paragraph(" ".join(sentences), origins=origins),)


def _of_them(signs: Counter[tuple[Any, int]], status: str) -> str:
    """Return how many pending transactions are credits: only these are among those that are set aside."""
    into, out = (signs[status, sign] for sign in (1, -1))
    kinds = [f"{counted(into, 'credit')}"] * bool(into) + [f"{counted(out, 'payment')} out"] * bool(out)
    return f" ({listed(kinds)})" if status == _PENDING and kinds else ""


def _by_status(frames: Frames) -> Counter[str]:
    """Return the number of transactions by status, booked ones first, then in the order of `_STATUSES`."""
    (statuses,) = arrays_of(frames.transactions, ("status",))
    counts = Counter("unknown" if one is pd.NA else str(one) for one in values_of(statuses))
    order = [*_STATUSES, *sorted(set(counts) - set(_STATUSES))]
    return Counter({status: counts[status] for status in order if counts[status]})
