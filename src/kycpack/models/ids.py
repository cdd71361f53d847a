"""Ids of the service, compared as received."""

from __future__ import annotations

import re
from typing import Any

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def same_id(asked: str, answered: Any) -> bool:
    """Whether the id in an answer is the id that was asked for.

    UUIDs are compared without regard to case, every other id exactly. An empty id matches nothing.

    Args:
        asked: The id that was asked for.
        answered: The id in the answer, text or an integer.
    """
    if isinstance(answered, int) and not isinstance(answered, bool):
        answered = str(answered)
    if not isinstance(answered, str) or not answered:
        return False
    return answered == asked or (answered.lower() == asked.lower() and _UUID.fullmatch(asked) is not None)
