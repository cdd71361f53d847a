"""The coverage ledger: how much of all booked credits each disposition explains, to the last minor unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.frames.rows import frame_of, rows, with_dtypes
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.intake import Book

DISPOSITIONS = ("stream", "own_transfer", "refund", "one_off", "small_other", "unexplained")
SET_ASIDE = ("duplicate", "pending")

KNOWN, REGULAR, CASH_OR_NAMED, IRREGULAR = "known", "regular_unknown", "cash_or_named", "irregular_unknown"
NATURES = (KNOWN, REGULAR, CASH_OR_NAMED, IRREGULAR)
"""What page one says of credits: nature known; regular payer of unknown nature; cash, and credits that only the sender explains; single or irregular credits of unknown nature."""

BY_EVIDENCE = ("code", "entity", "purpose", "keyword", "pattern")
"""By which evidence a nature is known, the strongest first."""

NATURE_COLUMNS = ("currency", "nature", "evidence_level", "count", "total_minor", "share")

_NO_NATURE = ("other", "gift", "person_transfer", "cash_deposit")
"""Types that say who paid, how, or what the sender calls it, and not where the money comes from."""
_BEYOND_WORDS = ("code", "entity", "pattern")


def coverage_of(book: Book, rows: Codes, disposition: Codes, aside: Codes, repeated: Mask) -> pd.DataFrame:
    """Return the ledger.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        disposition: For each of them an index into `DISPOSITIONS`.
        aside: Rows of the credits that are set aside.
        repeated: Rows of the book that repeat another one; what else is set aside is pending.

    Returns:
        customer_id, currency, disposition, count, total_minor, share: a row for each disposition of each customer and currency, those
        without credits included, and a row for each kind of set-aside that there is. Shares are of all credits that are not set
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
    """Return how much of one customer's credits is of known nature, and by which evidence.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.

    Returns:
        `NATURE_COLUMNS`, for each currency with credits: a row for each level of `BY_EVIDENCE` of nature `known`, and one for each other of
        `NATURES`, whose level is `none`. Own transfers are left out; counts and totals add up to all other credits, and shares, 0..1, are of
        these. Single credits and irregular ones of which only the sender's words speak are `cash_or_named`, as is a refund that no debit was
        found for.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    sums: Counter[tuple[str, str, str]] = Counter()
    whole: Counter[str] = Counter()
    found = zip(
        rows(credits_, "currency", "disposition", "amount_minor"), *_natures(credits_, streams), strict=True
    )
    for row, nature, level in found:
        if row.disposition != "own_transfer":
            counts[row.currency, nature, level] += 1
            sums[row.currency, nature, level] += row.amount_minor
            whole[row.currency] += row.amount_minor
    kinds = [*((KNOWN, name) for name in BY_EVIDENCE), *((name, "none") for name in NATURES if name != KNOWN)]
    parts = [
        (currency, *kind, counts[currency, *kind], sums[currency, *kind], sums[currency, *kind] / total)
        for currency, total in sorted(whole.items())
        for kind in kinds
    ]
    texts = dict.fromkeys(("currency", "nature", "evidence_level"), "string")
    numbers = {"count": "int64", "total_minor": "int64", "share": "Float64"}
    return with_dtypes(pd.DataFrame(parts, columns=list(NATURE_COLUMNS)), texts | numbers)


def with_nature(credits_: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Return credits with columns `nature` and `known_by`, as `nature_of_credits` counts them.

    Args:
        credits_: The customer's rows of frame `credits`.
        streams: The customer's rows of frame `streams`.

    Returns:
        The same rows; own transfers have neither, and `known_by` is there where the nature is `known`.
    """
    nature, level = _natures(credits_, streams)
    own = (credits_["disposition"] == "own_transfer").to_numpy()
    level[own | (nature != KNOWN)] = None
    nature[own] = None
    texts = {"nature": "string", "known_by": "string"}
    return with_dtypes(credits_.assign(nature=nature, known_by=level), texts)


def _natures(
    credits_: pd.DataFrame, streams: pd.DataFrame
) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.object_]]:
    """Return the nature of each credit and the level it is known by."""
    disposition = credits_["disposition"].astype(object).to_numpy()
    level = credits_["evidence_level"].astype(object).to_numpy()
    typed = ~credits_["type"].isin(_NO_NATURE).to_numpy()
    in_stream = disposition == "stream"
    stream = credits_["stream_id"].astype(object).to_numpy()
    doubtful = _in(stream, (one.stream_id for one in rows(streams, "stream_id", "doubtful") if one.doubtful))
    regular = _in(
        stream, (one.stream_id for one in rows(streams, "stream_id", "cadence") if one.cadence != "irregular")
    )
    matched = (disposition == "refund") & credits_["pair_txn_id"].notna().to_numpy()
    beyond = np.isin(level.astype(str), _BEYOND_WORDS)
    own = (
        credits_["type"] == "savings"
    ).to_numpy() & ~beyond  # anybody can write that the money is the customer's own
    typed &= ~own
    borne_out = beyond | regular  # a few irregular payments are only named by their sender
    known = matched | (
        typed & (level != "none") & ((in_stream & ~doubtful & borne_out) | (~in_stream & beyond))
    )
    named = (credits_["type"] == "cash_deposit").to_numpy() | (typed & (level != "none"))
    named |= (disposition == "refund") | ((disposition == "one_off") & (level != "none"))
    nature = np.select([known, named, in_stream & regular], [KNOWN, CASH_OR_NAMED, REGULAR], IRREGULAR)
    shown = np.where(matched, "pattern", level)
    return nature.astype(object), np.where(nature == KNOWN, shown, "none").astype(object)


def _in(values: npt.NDArray[np.object_], wanted: Iterable[Any]) -> npt.NDArray[np.bool_]:
    known = frozenset(wanted)
    return np.array([value in known for value in values.tolist()], dtype=np.bool_)


def known_share(natures: pd.DataFrame, currency: str) -> float | None:
    """Return the share of credits in one currency whose nature is known, 0..1; None without credits."""
    mine = natures[natures["currency"] == currency]
    whole = int(mine["total_minor"].sum())
    return int(mine.loc[mine["nature"] == KNOWN, "total_minor"].sum()) / whole if whole else None
