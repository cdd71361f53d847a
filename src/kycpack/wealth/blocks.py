"""Customers in blocks: everything is derived one customer at a time, so a batch of any size needs the memory of one block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from kycpack.errors import FrameError
from kycpack.frames.rows import values_of
from kycpack.wealth.streams.cadence import Cadences

ROWS_OF_A_BLOCK = 100_000
"""Large enough that the steps of a block cost little beside its rows; reading and deriving a million rows needs about twice their memory."""
_FEW_WORDS = 4_096  # every block searches all of them


def blocks_of_customers(transactions: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield blocks of rows, some customers at a time, in order of customer id.

    Args:
        transactions: The normal form.

    Returns:
        Frames whose index is the row number in the input. All rows of a customer are in one block, however many there are.

    Raises:
        FrameError: There is no column `customer_id`, or a value in it is missing.
    """
    if "customer_id" not in transactions.columns:
        raise FrameError("this column is missing", place="transactions.customer_id")
    numbered = transactions.reset_index(drop=True)
    if len(numbered) <= ROWS_OF_A_BLOCK:
        yield numbered
        return
    code, distinct = pd.factorize(numbered["customer_id"])
    if (code < 0).any():
        raise FrameError("a value is missing", place=f"transactions.customer_id, row {int(np.argmin(code))}")
    ids = np.array([str(value) for value in distinct], dtype=object)
    in_order = np.argsort(ids, kind="stable")
    rows_of = np.bincount(code, minlength=len(ids))[in_order]
    # Two values with the same text are one customer and stay together.
    first = np.append(True, ids[in_order][1:] != ids[in_order][:-1])
    number = np.empty(len(ids), dtype=np.int64)
    number[in_order] = np.cumsum(first) - 1
    customer, customers = number[code], ids[in_order][first]
    before = np.repeat(
        (np.cumsum(rows_of) - rows_of)[first], np.diff(np.append(np.flatnonzero(first), len(ids)))
    )
    block_of = np.empty(len(ids), dtype=np.int64)
    block_of[in_order] = before // ROWS_OF_A_BLOCK
    block = block_of[code]
    rows = np.argsort(block, kind="stable")
    encoded = _encoded(numbered.drop(columns="customer_id"))
    for part in np.split(rows, np.flatnonzero(np.diff(block[rows])) + 1):
        mine = customer[part]
        theirs = pd.Index(customers[mine.min() : mine.max() + 1], dtype=object)
        yield encoded.iloc[part].assign(
            customer_id=pd.Categorical.from_codes(mine - mine.min(), categories=theirs)
        )


def _encoded(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame in which columns with few distinct values are coded: selecting and reading rows is then much cheaper."""
    words = [name for name in frame.columns if isinstance(frame[name].array, pd.arrays.ArrowStringArray)]
    few = [name for name in words if frame[name].iloc[:ROWS_OF_A_BLOCK].nunique() <= _FEW_WORDS]
    coded = {name: frame[name].astype("category") for name in few}
    return frame.assign(**{name: one for name, one in coded.items() if len(one.cat.categories) <= _FEW_WORDS})


def customers_of(block: pd.DataFrame, frame: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the rows of a frame that are about the customers of a block."""
    if frame is None or len(frame) == 0:
        return frame
    ids = set(map(str, values_of(block["customer_id"].unique())))
    theirs = [str(value) in ids for value in values_of(frame["customer_id"].array)]
    return frame if all(theirs) else frame[theirs]


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the results of the blocks as one: frames concatenated, rejects in the order of the input.

    Args:
        parts: For each block, its frames by name and its `Cadences`; at least one block.
    """
    if len(parts) == 1:
        return parts[0]
    whole = {name: _joined([part.pop(name) for part in parts]) for name in list(parts[0])}
    whole["evidence"] = whole["evidence"].drop_duplicates(ignore_index=True)
    whole["rejects"] = whole["rejects"].sort_values("row", kind="stable").reset_index(drop=True)
    return whole


def _joined(values: list[Any]) -> Any:
    if isinstance(values[0], Cadences):
        return Cadences(
            **{
                name: np.concatenate([getattr(value, name) for value in values])
                for name in Cadences.__dataclass_fields__
            }
        )
    filled = [value for value in values if len(value)] or values[:1]
    return cast("pd.DataFrame", pd.concat(filled, ignore_index=True))
