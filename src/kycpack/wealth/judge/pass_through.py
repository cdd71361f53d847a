"""Money that does not stay: what leaves as fast as it came, and what returns to where it was sent."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kycpack.wealth.thresholds import Thresholds

# Credits of other types have a nature that explains why the money is spent.
_PASSING_TYPES = ("other", "person_transfer", "cash_deposit", "crypto", "gambling")


def passing_credits(
    credits_: pd.DataFrame, debits: pd.DataFrame, large: pd.Series, limits: Thresholds
) -> pd.DataFrame:
    """Return credits that left their account again within days.

    Args:
        credits_: Credits without own transfers and refunds.
        debits: As of `large_debits`.
        large: Which credits are large enough.
        limits: Thresholds.
    """
    chosen = credits_[large & credits_["type"].isin(_PASSING_TYPES)]
    if chosen.empty or debits.empty:
        return chosen.iloc[:0]
    accounts = pd.concat([chosen, debits])[["customer_id", "account_id", "currency"]]
    code = accounts.groupby(["customer_id", "account_id", "currency"], sort=False).ngroup().to_numpy()
    moment = code[len(chosen) :] * (1 << 20) + _days(debits)
    order = np.argsort(moment, kind="stable")
    spent = np.concatenate([[0], np.cumsum(debits["amount_minor"].to_numpy()[order])])
    start = code[: len(chosen)] * (1 << 20) + _days(chosen)
    first = np.searchsorted(moment[order], start, side="left")
    last = np.searchsorted(moment[order], start + limits.pass_through_days, side="right")
    share = float(limits.pass_through_share)
    passed = (spent[last] - spent[first]) >= share * chosen["amount_minor"].to_numpy()
    kept: pd.DataFrame = chosen.loc[passed]
    return kept


def round_trips(
    credits_: pd.DataFrame, debits: pd.DataFrame, large: pd.Series, limits: Thresholds
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Yield pairs of a credit and a debit, each as a frame of one row, of one party and nearly one amount, within days.

    Args:
        credits_: Credits without own transfers, with `payer_key`.
        debits: As of `large_debits`.
        large: Which credits are large enough.
        limits: Thresholds.
    """
    chosen = credits_[large & (credits_["payer_key"] != "") & credits_["type"].isin(_PASSING_TYPES)]
    chosen = chosen.reset_index(drop=True)
    sent = debits[~debits["merchant"] & (debits["party"] != "")].reset_index(drop=True)
    if chosen.empty or sent.empty:
        return
    pairs = chosen.reset_index(names="credit").merge(
        sent.reset_index(names="debit"),
        left_on=["customer_id", "currency", "payer_key"],
        right_on=["customer_id", "currency", "party"],
        suffixes=("", "_out"),
    )
    apart = np.abs(_days(pairs) - pairs["booked_on_out"].to_numpy().astype("datetime64[D]").astype(np.int64))
    spread = (pairs["amount_minor"] - pairs["amount_minor_out"]).abs() <= pairs["amount_minor"] * float(
        limits.round_trip_spread
    )
    pairs = pairs.assign(apart=apart)[(apart <= limits.round_trip_days) & spread.to_numpy()]
    used_in: set[int] = set()
    used_out: set[int] = set()
    for credit, debit in pairs.sort_values(["apart", "credit", "debit"])[["credit", "debit"]].itertuples(
        index=False, name=None
    ):
        if credit not in used_in and debit not in used_out:
            used_in.add(credit)
            used_out.add(debit)
            yield chosen.iloc[credit : credit + 1], sent.iloc[debit : debit + 1]


def _days(frame: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return frame["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
