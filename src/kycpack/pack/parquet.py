"""Tables as Parquet files whose bytes depend on nothing but what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_FEW_ROWS = 10_000
_PIECE = 2**20


def table_bytes(table: pa.Table) -> bytes:
    """Return a table as Parquet, without metadata of pandas."""
    # A buffer of Python is called for each piece of each column, which takes as long as all the rest.
    buffer = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(None), buffer, **_form(table.num_rows))
    return bytes(buffer.getvalue().to_pybytes())


def parquet_pieces(tables: Iterable[pa.Table], schema: pa.Schema, rows: int, folder: Path) -> Iterator[bytes]:
    """Give the rows of several tables as one Parquet file, piece by piece; only one table at a time is in memory.

    Args:
        tables: Each becomes a row group.
        schema: The columns of all of them.
        rows: How many rows there are.
        folder: Where the file lies, without a name, until all of it is made.
    """
    with TemporaryFile(dir=folder) as file:
        with pq.ParquetWriter(file, schema.remove_metadata(), **_form(rows)) as writer:
            for table in tables:
                writer.write_table(table.replace_schema_metadata(None))
        file.seek(0)
        yield from iter(partial(file.read, _PIECE), b"")


def _form(rows: int) -> dict[str, Any]:
    # One customer's frames are hundreds of columns of a few rows each: dictionaries and statistics would make them larger,
    # and setting up the better compression for each takes longer than writing them.
    is_large = rows > _FEW_ROWS
    return {
        "compression": "zstd" if is_large else "snappy",
        "use_dictionary": is_large,
        "write_statistics": is_large,
        "store_schema": False,
    }
