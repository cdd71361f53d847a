"""Tables as Parquet files whose bytes depend only on their content."""

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
    """Return a table as Parquet, without pandas metadata."""
    # Not a Python buffer: it is called for each piece of each column, which takes as long as everything else together.
    buffer = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(None), buffer, **_form(table.num_rows))
    return bytes(buffer.getvalue().to_pybytes())


def parquet_pieces(tables: Iterable[pa.Table], schema: pa.Schema, rows: int, folder: Path) -> Iterator[bytes]:
    """Yield the rows of several tables as one Parquet file, piece by piece; only one table at a time is in memory.

    Args:
        tables: Each becomes a row group.
        schema: The columns of all of them.
        rows: Number of rows of all tables together.
        folder: Folder of the temporary file that holds the result until it is complete.
    """
    with TemporaryFile(dir=folder) as file:
        with pq.ParquetWriter(file, schema.remove_metadata(), **_form(rows)) as writer:
            for table in tables:
                writer.write_table(table.replace_schema_metadata(None))
        file.seek(0)
        yield from iter(partial(file.read, _PIECE), b"")


def _form(rows: int) -> dict[str, Any]:
    # One customer's frames have hundreds of columns with a few rows each. Dictionaries and statistics would make them larger,
    # and setting up the better compression for each column takes longer than writing it.
    is_large = rows > _FEW_ROWS
    return {
        "compression": "zstd" if is_large else "snappy",
        "use_dictionary": is_large,
        "write_statistics": is_large,
        "store_schema": False,
    }
