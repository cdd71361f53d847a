"""What holds for the frames of any evidence."""

from __future__ import annotations

from kycpack.frames import Frames
from kycpack.frames.schema import conform, empty


def gaps_of(frames: Frames) -> set[tuple[str, str]]:
    return set(zip(frames.gaps["area"], frames.gaps["code"], strict=True))


def check_form(frames: Frames) -> None:
    for name, frame in frames.items():
        assert frame.dtypes.astype(str).equals(empty(name).dtypes.astype(str)), name
        assert conform(name, frame) is not None
        assert frame["evidence_id"].notna().all(), name
