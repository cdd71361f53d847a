"""Tables as Parquet files whose bytes depend on nothing but what is in them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

_FEW_ROWS = 10_000


def table_bytes(table: pa.Table) -> bytes:
    """Return a table as Parquet, without metadata of pandas."""
    # A buffer of Python is called for each piece of each column, which takes as long as all the rest.
    buffer = pa.BufferOutputStream()
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
    return bytes(buffer.getvalue().to_pybytes())
