"""Records as a frame, for looking at a list in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args, get_origin

from kycpack.models.record import Record, leaves

if TYPE_CHECKING:
    import pandas as pd


def to_frame(records: Sequence[Record], model: type[Record]) -> pd.DataFrame:
    """Return records as a frame.

    Args:
        records: The records.
        model: Their class; its members are columns even if no record has them.

    Returns:
        One row per record; columns have the names of the attributes. Names of nested members are joined by a point, as in
        `address.city`, and unknown members keep their names on the wire. Amounts stay Decimal.
    """
    import pandas as pd  # noqa: PLC0415 - a client that lists nothing as a frame does not wait for it

    rows = [dict(leaves("", record.model_dump(), into_lists=False)) for record in records]
    names = dict.fromkeys((*_columns(model), *(name for row in rows for name in row)))
    return pd.DataFrame(
        [[row.get(name) for name in names] for row in rows], columns=list(names), dtype=object
    )


def _columns(model: type[Record], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        nested = [
            kind
            for kind in (field.annotation, *get_args(field.annotation))
            if isinstance(kind, type)
            and issubclass(kind, Record)
            and get_origin(field.annotation) is not list
        ]
        if nested:
            yield from _columns(nested[0], f"{above}{name}.")
        else:
            yield f"{above}{name}"
