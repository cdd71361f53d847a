"""The frame dictionary: the meaning of each column of each frame, read from the schemas of the frames.

`python -m kycpack.wealth.dictionary` prints `docs/frames.md`.
"""

from __future__ import annotations

import sys

import pandas as pd

from kycpack.errors import FrameError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.column import Column
from kycpack.models.arguments import require_text
from kycpack.wealth.columns import DERIVED
from kycpack.wealth.further_columns import FURTHER, MADE_BY

_FRAMES = SCHEMAS | DERIVED | FURTHER

_UNITS = {
    "_minor": "minor units of the row's currency",
    "_share": "share, 0 to 1",
    "_days": "days",
}
_UNITS_BY_DTYPE = {"date": "date, no time zone", "instant": "UTC instant"}
_COLUMNS = ("column", "dtype", "unit", "required", "meaning")

_HEAD = """# Frame dictionary

Every frame that `kp.flatten`, `kp.derive`, `kp.evaluate` and `kp.build_review` make, column by column. This page is generated from the
schemas of the frames: `python -m kycpack.wealth.dictionary > docs/frames.md`. A test fails when the two differ. In a notebook,
`kp.describe("transactions")` gives one of these tables as a frame.

- A column that is not required may be empty. Empty means not known; it never means zero or clear.
- Money is a whole number of minor units (pence for GBP) beside a currency column. It is never a floating-point number.
- Dates (`_on`) are those of the bank or the document and have no time zone. Instants (`_at`) are UTC.
- A meaning that is a path, such as `document.holder.firstName`, names the member of the response that [the interface](interface.md)
  describes. Columns have snake_case names where the wire has camelCase: `firstName` is `first_name`.
- In a pack and a review, frame `credits` has two more columns: `nature`, as in frame `nature`, and `known_by`, the evidence if the nature
  is known. Both are empty for own transfers.
"""


def describe(name: str) -> pd.DataFrame:
    """Return the dictionary of one frame.

    Args:
        name: Name of the frame, as in `transactions` or `streams`.

    Returns:
        One row per column, in order: column, dtype (as in pandas), unit, required, meaning; the unit is empty
        if the column has none.

    Raises:
        FrameError: There is no frame of this name.
    """
    require_text("name", name)
    if name not in _FRAMES:
        raise FrameError(f"no frame {name!r}; there are {', '.join(sorted(_FRAMES))}")
    rows = [
        (column.name, str(column.pandas_dtype), _unit(column), column.required, column.doc)
        for column in _FRAMES[name].columns
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def dictionary_page() -> str:
    """Return the frame dictionary of all frames, as Markdown."""
    return "\n".join([_HEAD, *(_section(name) for name in _FRAMES)])


def _unit(column: Column) -> str:
    if column.unit:
        return column.unit
    for suffix, unit in _UNITS.items():
        if column.name.endswith(suffix):
            return unit
    return _UNITS_BY_DTYPE.get(column.dtype, "")


def _section(name: str) -> str:
    key = ", ".join(f"`{column}`" for column in _FRAMES[name].key)
    made_by = [f"Made by {MADE_BY[name]}.", ""] if name in MADE_BY else []
    lines = [f"## {name}", "", *made_by, f"Key: {key}." if key else "Rows have no key.", ""]
    lines += ["| column | dtype | unit | required | meaning |", "|---|---|---|---|---|"]
    for row in describe(name).itertuples(index=False):
        required = "yes" if row.required else ""
        meaning = str(row.meaning).replace("|", "\\|")
        lines.append(f"| `{row.column}` | `{row.dtype}` | {row.unit} | {required} | {meaning} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.stdout.write(dictionary_page())
