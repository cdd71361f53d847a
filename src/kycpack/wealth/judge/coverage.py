"""The coverage ledger: how much of all booked credits has each disposition, to the last minor unit; and the flows in and out without own transfers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from kycpack.frames.rows import columns_of, frame_of, plain_rows, rows
from kycpack.wealth.judge.support import BY_SENDER, is_sure, support_of
from kycpack.wealth.prepare.clues import ONLY_POSSIBLE
from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of
from kycpack.wealth.prepare.intake import Book, to_datetimes

DISPOSITIONS = ("stream", "own_transfer", "refund", "one_off", "small_other", "unexplained")
PENDING = "pending"
SET_ASIDE = ("duplicate", PENDING)

KNOWN, REGULAR, CASH_OR_NAMED, IRREGULAR = "known", "regular_unknown", "cash_or_named", "irregular_unknown"
NATURES = (KNOWN, REGULAR, CASH_OR_NAMED, IRREGULAR)
"""The groups of credits on page one: nature known; regular payer of unknown nature; cash, and credits whose nature is supported only by the sender or contradicted; single or irregular credits of unknown nature."""

BY_EVIDENCE = ("code", "entity", "purpose", "keyword", "pattern")
"""The evidence by which a nature is known, the strongest first."""

NATURE_COLUMNS = ("currency", "nature", "evidence_level", "count", "total_minor", "least_minor", "share")

_NO_NATURE = ("other", "gift", "person_transfer", "cash_deposit")
"""Types that show who paid, how, or what the sender calls it, but not where the money comes from."""


def coverage_of(book: Book, rows: Codes, disposition: Codes, aside: Codes, repeated: Mask) -> pd.DataFrame:
    """Return the coverage ledger.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        disposition: For each of them an index into `DISPOSITIONS`.
        aside: Rows of the credits that are set aside.
        repeated: Rows of the book that duplicate another one; other rows set aside are pending.

    Returns:
        customer_id, currency, disposition, count, total_minor, share: a row for each disposition of each customer and currency, including
        dispositions without credits, and a row for each kind of credit set aside. Shares are of all credits that are not set
        aside; those set aside have none. The dispositions and `duplicate` add up to all booked credits of the input.
    """
    names = np.array((*DISPOSITIONS, *SET_ASIDE), dtype=object)
    every = np.concatenate([rows, aside])
    kind = np.concatenate([disposition, len(DISPOSITIONS) + (~repeated[aside]).astype(np.int64)])
    currencies = max(len(book.currency.distinct), 1)
    owners, owner = np.unique(
        book.customer.codes[every] * currencies + book.currency.codes[every], return_inverse=True
    )
    cell, shape = owner * len(names) + kind, (len(owners), len(names))
    count = np.bincount(cell, minlength=len(owners) * len(names)).reshape(shape)
    total = np.zeros(shape, dtype=np.int64)
    np.add.at(total.reshape(-1), cell, book.amount[every])
    counted = np.arange(len(names)) < len(DISPOSITIONS)
    whole = total[:, counted].sum(axis=1, keepdims=True)
    has_credits = count[:, counted].any(axis=1, keepdims=True)
    at, name = np.nonzero((counted & has_credits) | (count > 0))
    share = total[at, name] / np.maximum(whole[at, 0], 1)
    return frame_of(
        {
            "customer_id": book.customer.distinct[owners[at] // currencies],
            "currency": book.currency.distinct[owners[at] % currencies],
            "disposition": names[name],
            "count": count[at, name],
            "total_minor": total[at, name],
            "share": pd.arrays.FloatingArray(share, ~counted[name]),
        }
    )


def nature_of_credits(credits_: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Return how much of one customer's credits is of known nature, and by which evidence, without what was taken back.

    The ledger, `coverage_of`, keeps the amounts as booked, so that it adds up to all booked credits.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.

    Returns:
        `NATURE_COLUMNS`, for each currency with credits: a row for each level of `BY_EVIDENCE` with nature `known`, and one for each of the other
        `NATURES`, with level `none`. Own transfers are left out; counts and totals add up to all other credits, and shares, 0..1, are of
        these; NA where nothing is left. `least_minor` is the total without what may be counted twice or may have been taken back. Credits supported only by the sender, by `support_of`, are `cash_or_named`, as are contradicted
        ones and a refund for which no debit was found. Credits of a pack that an earlier version made have no net amounts, and are counted as
        booked.
    """
    counts, sums, least = (Counter[tuple[str, str, str]]() for _ in range(3))
    whole: Counter[str] = Counter()
    paid = credits_["amount_minor"]
    net = credits_ if "most_minor" in credits_.columns else credits_.assign(most_minor=paid, least_minor=paid)
    each = rows(net, "currency", "disposition", "most_minor", "least_minor")
    for (currency, disposition, most, low), known in zip(each, natures_of(credits_, streams), strict=True):
        if disposition != "own_transfer":
            key = currency, *known
            counts[key] += 1
            sums[key] += most
            least[key] += low
            whole[currency] += most
    kinds = [*((KNOWN, name) for name in BY_EVIDENCE), *((name, "none") for name in NATURES if name != KNOWN)]
    parts = [
        (
            currency,
            *kind,
            counts[currency, *kind],
            sums[currency, *kind],
            least[currency, *kind],
            sums[currency, *kind] / total if total else None,
        )
        for currency, total in sorted(whole.items())
        for kind in kinds
    ]
    numbers = dict.fromkeys(("count", "total_minor", "least_minor"), "int64") | {"share": "Float64"}
    return frame_of(columns_of(NATURE_COLUMNS, parts), numbers)


def with_nature(credits_: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Return credits with columns `nature` and `known_by`, as `nature_of_credits` counts them.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.

    Returns:
        The same rows; own transfers have neither value, and `known_by` is set only if the nature is `known`.
    """
    found = [
        (None, None) if row.disposition == "own_transfer" else (nature, level if nature == KNOWN else None)
        for row, (nature, level) in zip(
            rows(credits_, "disposition"), natures_of(credits_, streams), strict=True
        )
    ]
    made = columns_of(("nature", "known_by"), found)
    return credits_.assign(**{name: pd.array(list(made[name]), dtype="string") for name in made})


def natures_of(credits_: pd.DataFrame, streams: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the nature of each credit and the level of evidence for it, `none` if it is not known; see `nature_of_credits`.

    Args:
        credits_: Rows of frame `credits`; if they have the columns of `with_nature`, what these say is returned.
        streams: The customer's rows of frame `streams`.
    """
    if "nature" in credits_.columns:
        for row in plain_rows(credits_, "nature", "known_by"):
            yield row.nature, row.known_by if row.nature == KNOWN else "none"
        return
    every = list(rows(streams, "stream_id", "doubtful", "cadence", "type_confidence"))
    doubtful = {stream.stream_id for stream in every if stream.doubtful}
    regular = {stream.stream_id for stream in every if stream.cadence != "irregular"}
    sure = {
        stream.stream_id
        for stream in every
        if is_sure(stream.type_confidence, doubtful=stream.doubtful, regular=stream.cadence != "irregular")
    }
    names = ("disposition", "evidence_level", "type", "stream_id", "pair_txn_id")
    for row in plain_rows(credits_, *names):
        has_type = row.type not in _NO_NATURE and (row.type, row.evidence_level) not in ONLY_POSSIBLE
        has_word = has_type and row.evidence_level != "none"
        stream_id = row.stream_id if row.disposition == "stream" else None
        support = support_of(
            row.type, row.evidence_level, sure=stream_id in sure, regular=stream_id in regular
        )
        if row.disposition == "refund" and not pd.isna(row.pair_txn_id):
            yield KNOWN, "pattern"
        elif has_word and stream_id not in doubtful and support not in BY_SENDER:
            yield KNOWN, row.evidence_level
        elif (
            has_word
            or row.type == "cash_deposit"
            or row.disposition == "refund"
            or (row.disposition == "one_off" and row.evidence_level != "none")
        ):
            yield CASH_OR_NAMED, "none"
        else:
            yield REGULAR if stream_id in regular else IRREGULAR, "none"


def known_share(natures: pd.DataFrame, currency: str) -> float | None:
    """Return the share of credits in one currency whose nature is known, 0..1; None if there are no credits."""
    mine = natures[natures["currency"] == currency]
    whole = int(mine["total_minor"].sum())
    return int(mine.loc[mine["nature"] == KNOWN, "total_minor"].sum()) / whole if whole else None


def flows_of(book: Book, counted: Mask, own: Codes) -> pd.DataFrame:
    """Return money in and out by customer and currency.

    Args:
        book: Transactions.
        counted: Rows that are booked, are counted, and do not duplicate another one.
        own: Rows, credits and debits, that are own transfers.

    Returns:
        customer_id, currency, in_minor, out_minor, first_on, last_on: credits and debits in minor units, both as positive numbers, without own transfers; and the days of the first and
        the last transaction of any kind.
    """
    rows = np.flatnonzero(counted)
    owner, width = book.owners(rows), max(len(book.currency.distinct), 1)
    size = len(book.customer.distinct) * width
    is_own = np.zeros(len(book), dtype=np.bool_)
    is_own[own] = True
    amount = np.where(is_own[rows], 0, book.amount[rows])
    into, out = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    np.add.at(into, owner, np.maximum(amount, 0))
    np.add.at(out, owner, np.maximum(-amount, 0))
    first, last = bounds_of(owner, book.day[rows], size)
    distinct = np.flatnonzero(np.bincount(owner, minlength=size))
    return frame_of(
        {
            "customer_id": book.customer.distinct[distinct // width],
            "currency": book.currency.distinct[distinct % width],
            "in_minor": into[distinct],
            "out_minor": out[distinct],
            "first_on": to_datetimes(first[distinct]),
            "last_on": to_datetimes(last[distinct]),
        }
    )
