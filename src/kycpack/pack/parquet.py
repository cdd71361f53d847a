"""Frames as Parquet files whose bytes depend on nothing but what is in them."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kycpack.models.json import canonical_json

_FEW_ROWS = 10_000


def arrow_table(frame: pd.DataFrame) -> pa.Table:
    """Return a frame as a pack holds it: plain texts in place of categories, decimals as text, objects as JSON."""
    return pa.table({str(name): _array(column) for name, column in frame.items()})


def parquet_bytes(frame: pd.DataFrame) -> bytes:
    """Return a frame as the Parquet file of a pack."""
    return table_bytes(arrow_table(frame))


def table_bytes(table: pa.Table) -> bytes:
    """Return a table as Parquet, without metadata of pandas."""
    buffer = BytesIO()
    # One customer's frames are hundreds of columns of a few rows each: dictionaries and statistics would make them larger,
    # and setting up the better compression for each takes longer than writing them.
    large = table.num_rows > _FEW_ROWS
    pq.write_table(
        table.replace_schema_metadata(None),
        buffer,
        compression="zstd" if large else "snappy",
        use_dictionary=large,
        write_statistics=large,
        store_schema=False,
    )
    return buffer.getvalue()


def _array(column: pd.Series[Any]) -> Any:
    array = column.array
    if isinstance(array, pd.Categorical):
        words = pa.array(array.categories.array).cast(pa.string())
        return words.take(pa.array(array.codes, mask=array.codes < 0))
    if column.dtype == object:
        values = [_plain(value) for value in array]
        return pa.array(values, type=_type_of(values))
    return pa.array(array, from_pandas=True)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    if isinstance(value, dict):
        # As columns, the members of all rows would be mixed, and whole numbers with holes would become floats.
        return canonical_json(value).decode()
    if value is None or pd.isna(value):
        return None
    # Text, because one Parquet decimal type has one scale, and amounts keep the digits they came with.
    return str(value) if isinstance(value, Decimal) else value


def _type_of(values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {str}:
        return pa.string()
    return pa.list_(pa.string()) if kinds == {list} else None
