"""Money that a customer moves between their own accounts: not income, and not to be mistaken for it.

A false match hides income, so equal amounts alone are not enough where anything speaks against them, or where more than one
pairing is possible; what was not matched is listed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.intake import Codes, Mask
from kycpack.wealth.streams.calendars import Days

FARTHEST_DAYS = 4
_FEWEST_ELSEWHERE = 2
_MOST_CANDIDATES = 16  # debits looked at for one credit, the nearest ones


@dataclass(frozen=True, eq=False)
class Legs:
    """Rows that may be one side of a transfer.

    Args:
        row: Row of the book.
        key: Customer, currency and absolute amount as one code.
        day: Booking day.
        account: Account.
        named: The text, code or counterparty says that it is between own accounts.
        against: Something says that it is not: a code or word of income, a merchant.
        payer: Customer and payer's key as one code; -1 for debits.
        rank: Order in which equals are taken; unique.
    """

    row: Codes
    key: Codes
    day: Days
    account: Codes
    named: Mask
    against: Mask
    payer: Codes
    rank: Codes


def match_own_transfers(credits_: Legs, debits: Legs, paid: Codes) -> pd.DataFrame:
    """Return pairs of a credit and a debit of equal amount in two accounts of one customer.

    Args:
        credits_: Money in.
        debits: Money out.
        paid: Number of credits of each payer, by the code of `Legs.payer`.

    Returns:
        A row a pair: credit, debit (rows of the book), days_apart, verdict: `certain` (a text, code or name says it), `probable`
        (the amount alone, and no other pairing), `ambiguous` (several pairings, none chosen), `contradicted`. Only the first two
        are own transfers. Each credit and each debit is in at most one pair of these two.
    """
    pairs = _candidates(credits_, debits, paid)
    if pairs.empty:
        return pd.DataFrame({"credit": [], "debit": [], "days_apart": [], "verdict": []}).astype(
            {"credit": "int64", "debit": "int64", "days_apart": "int64", "verdict": "object"}
        )
    pairs = pairs.sort_values(["strength", "days_apart", "credit_rank", "debit_rank"], kind="stable")
    taken_credit: set[int] = set()
    taken_debit: set[int] = set()
    verdicts = []
    options = pairs.groupby("credit")["debit"].transform("size").to_numpy()
    claims = pairs.groupby("debit")["credit"].transform("size").to_numpy()
    for credit, debit, strength, option, claim in zip(
        pairs["credit"].tolist(),
        pairs["debit"].tolist(),
        pairs["strength"].tolist(),
        options.tolist(),
        claims.tolist(),
        strict=True,
    ):
        if credit in taken_credit or debit in taken_debit:
            verdicts.append("")
        elif strength == _CONTRADICTED:
            verdicts.append("contradicted")
        elif strength == _NAMED or (option == 1 and claim == 1):
            taken_credit.add(credit)
            taken_debit.add(debit)
            verdicts.append("certain" if strength == _NAMED else "probable")
        else:
            verdicts.append("ambiguous")
    pairs["verdict"] = verdicts
    # A pairing that was still open when it was looked at may have lost a side since.
    open_ = pairs["verdict"].isin(["ambiguous", "contradicted"])
    lost = pairs["credit"].isin(taken_credit) | pairs["debit"].isin(taken_debit)
    chosen = pairs[(pairs["verdict"] != "") & ~(open_ & lost)]
    return chosen[["credit", "debit", "days_apart", "verdict"]].reset_index(drop=True)


_NAMED, _AMOUNT_ONLY, _CONTRADICTED = 0, 1, 2


def _candidates(credits_: Legs, debits: Legs, paid: Codes) -> pd.DataFrame:
    common = np.intersect1d(credits_.key, debits.key)
    ins = np.flatnonzero(np.isin(credits_.key, common))
    outs = np.flatnonzero(np.isin(debits.key, common))
    if not ins.size:
        return pd.DataFrame()
    low = min(int(credits_.day[ins].min()), int(debits.day[outs].min())) - FARTHEST_DAYS
    span = max(int(credits_.day[ins].max()), int(debits.day[outs].max())) + FARTHEST_DAYS - low + 1
    moment = debits.key[outs] * span + (debits.day[outs] - low)
    order = np.lexsort((debits.rank[outs], moment))
    outs, moment = outs[order], moment[order]
    centre = credits_.key[ins] * span + (credits_.day[ins] - low)
    first, count = _nearest(moment, centre, _ordinal(centre, credits_.rank[ins]))
    left = np.repeat(ins, count)
    right = outs[np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())]
    apart = credits_.account[left] != debits.account[right]
    left, right = left[apart], right[apart]
    named = credits_.named[left] | debits.named[right]
    # A payer who also pays what has no debit beside it is somebody else, whatever this one amount looks like.
    matched = np.bincount(credits_.payer[np.unique(left)], minlength=len(paid))
    elsewhere = (paid - matched)[credits_.payer[left]] >= _FEWEST_ELSEWHERE
    against = credits_.against[left] | ((debits.against[right] | elsewhere) & ~named)
    return pd.DataFrame(
        {
            "credit": credits_.row[left],
            "debit": debits.row[right],
            "days_apart": np.abs(credits_.day[left] - debits.day[right]),
            "strength": np.where(against, _CONTRADICTED, np.where(named, _NAMED, _AMOUNT_ONLY)),
            "credit_rank": credits_.rank[left],
            "debit_rank": debits.rank[right],
        }
    )


def _nearest(moment: Codes, centre: Codes, ordinal: Codes) -> tuple[Codes, Codes]:
    """Return the first candidate of each credit and their number.

    Where there are more than can be looked at, those around the same place among the day's equals are taken: the tenth
    credit of a day looks around the tenth debit, so that every one of many equal transfers finds its own.
    """
    begin = np.searchsorted(moment, centre - FARTHEST_DAYS, side="left")
    end = np.searchsorted(moment, centre + FARTHEST_DAYS, side="right")
    place = np.searchsorted(moment, centre, side="left") + ordinal
    latest = np.maximum(begin, end - _MOST_CANDIDATES)
    first = np.clip(place - _MOST_CANDIDATES // 2, begin, latest)
    return first, np.minimum(end - first, _MOST_CANDIDATES)


def _ordinal(centre: Codes, rank: Codes) -> Codes:
    """Return the place of each credit among those of equal amount on its day."""
    order = np.lexsort((rank, centre))
    ordered = centre[order]
    place = np.empty(len(centre), dtype=np.int64)
    place[order] = np.arange(len(centre)) - np.searchsorted(ordered, ordered, side="left")
    return place
