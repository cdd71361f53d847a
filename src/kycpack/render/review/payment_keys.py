"""Which payment is meant: its account and its transaction id, since an id is unique only within its account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from kycpack.frames.rows import records

Key = tuple[str, str]


def key_of(row: Mapping[Any, Any]) -> Key:
    """Return the account and the id of a row of frame `transactions`, `credits` or `set_aside`."""
    return str(row["account_id"]), str(row["txn_id"])


def keys_of(flag: Mapping[Any, Any]) -> list[Key]:
    """Return the accounts and ids of the transactions that a row of frame `flags` rests on."""
    return [(str(one), str(txn)) for one, txn in zip(flag["account_ids"], flag["txn_ids"], strict=True)]


def share_payments(flags: pd.DataFrame) -> bool:
    """Return whether several red flags rest on one payment, so that they may be fewer matters than flags."""
    keys = [key for row in records(flags, "account_ids", "txn_ids") for key in keys_of(row)]
    return len(set(keys)) < len(keys)
