"""The strip of checks of a customer, as tests make it."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from kycpack.frames import Frames
from kycpack.render.document_parts import Cell
from kycpack.render.review.check_strip import check_strip, session_states


def strip_of(
    frames: Frames, flags: pd.DataFrame, answers: Iterable[str], findings: pd.DataFrame
) -> tuple[tuple[str, Cell], ...]:
    """Return the strip of a customer."""
    return check_strip(frames, flags, answers, findings, session_states(frames, findings))
