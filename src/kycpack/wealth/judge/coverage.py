"""The coverage ledger: how much of all booked credits each disposition explains, to the last minor unit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

DISPOSITIONS = ("stream", "own_transfer", "refund", "one_off", "small_other", "unexplained")
SET_ASIDE = ("duplicate", "pending")

EXPLAINED = ("stream", "own_transfer", "refund", "one_off")
"""Dispositions that say what a credit is."""

_KEY = ["customer_id", "currency", "disposition"]


def coverage_of(credits_: pd.DataFrame, set_aside: pd.DataFrame) -> pd.DataFrame:
    """Return the ledger.

    Args:
        credits_: Frame `credits`.
        set_aside: Credits set aside as `duplicate` or `pending`.

    Returns:
        customer_id, currency, disposition, count, total_minor, share: a row for each disposition of each customer and currency, those
        without credits included, and a row for each kind of set-aside that there is. Shares are of all credits that are not set
        aside; those set aside have none. The dispositions and `duplicate` add up to all booked credits of the input.
    """
    every = pd.concat(
        [credits_[[*_KEY, "amount_minor"]], set_aside[[*_KEY, "amount_minor"]]], ignore_index=True
    )
    names = (*DISPOSITIONS, *SET_ASIDE)
    owner, owners = _owners(every)
    cell = owner * len(names) + pd.Categorical(every["disposition"].astype(object), categories=names).codes
    count = np.bincount(cell, minlength=len(owners) * len(names)).reshape(len(owners), len(names))
    sums = np.zeros(len(owners) * len(names), dtype=np.int64)
    np.add.at(sums, cell, every["amount_minor"].to_numpy(dtype=np.int64))
    total = sums.reshape(len(owners), len(names))
    ledger = pd.DataFrame(
        {
            "customer_id": np.repeat(owners[:, 0], len(names)),
            "currency": np.repeat(owners[:, 1], len(names)),
            "disposition": np.tile(np.array(names, dtype=object), len(owners)),
            "count": count.ravel(),
            "total_minor": total.ravel(),
        }
    )
    counted = ledger["disposition"].isin(DISPOSITIONS).to_numpy()
    whole = np.repeat(total[:, : len(DISPOSITIONS)].sum(axis=1), len(names))
    share = pd.array(ledger["total_minor"].to_numpy() / np.maximum(whole, 1), dtype="Float64")
    share[~counted] = pd.NA
    has_credits = np.repeat(count[:, : len(DISPOSITIONS)].sum(axis=1) > 0, len(names))
    ledger = ledger.assign(share=share)[(counted & has_credits) | (ledger["count"].to_numpy() > 0)]
    texts = dict.fromkeys(_KEY, "string")
    done: pd.DataFrame = ledger.astype(texts | {"count": "int64", "total_minor": "int64"}).reset_index(
        drop=True
    )
    return done


def explained_share(coverage: pd.DataFrame, customer_id: str, currency: str) -> float | None:
    """Return the share of a customer's credits in one currency that is explained, 0..1; None without credits."""
    mine = coverage[(coverage["customer_id"] == customer_id) & (coverage["currency"] == currency)]
    mine = mine[mine["disposition"].isin(DISPOSITIONS)]
    whole = int(mine["total_minor"].sum())
    if not whole:
        return None
    return int(mine.loc[mine["disposition"].isin(EXPLAINED), "total_minor"].sum()) / whole


def _owners(rows: pd.DataFrame) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.object_]]:
    """Return the number of each row's customer and currency, and the pairs in order: shape (pairs, 2)."""
    customer, customers = pd.factorize(rows["customer_id"].to_numpy(dtype=object), sort=True)
    currency, currencies = pd.factorize(rows["currency"].to_numpy(dtype=object), sort=True)
    pairs, owner = np.unique(customer * (len(currencies) + 1) + currency, return_inverse=True)
    names = np.empty((len(pairs), 2), dtype=object)
    names[:, 0] = np.asarray(customers, dtype=object)[pairs // (len(currencies) + 1)]
    names[:, 1] = np.asarray(currencies, dtype=object)[pairs % (len(currencies) + 1)]
    return owner.astype(np.int64), names
