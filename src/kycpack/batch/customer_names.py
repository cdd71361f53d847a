"""The names of a run's customers, for an index that is to show them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kycpack.batch.frame_parts import FRAMES
from kycpack.batch.run_frames import RunFrames

_NAME = ("first_name", "last_name")


def customer_names(out: Path, report: Mapping[str, Any]) -> dict[str, str]:
    """Return the first and last name by customer id, from the frames of the run's packs.

    Args:
        out: The run's output.
        report: The content of `run.json`.
    """
    packs = {str(one["customer_id"]): out / str(one["pack"]) for one in report["entries"] if one["pack"]}
    if not packs:
        return {}
    frame = RunFrames(("customers",), packs, out / FRAMES).read("customers", ("customer_id", *_NAME))
    names = frame["first_name"].fillna("") + " " + frame["last_name"].fillna("")
    return dict(zip(frame["customer_id"].astype(str), names.astype(str).str.strip(), strict=True))
