"""Ids, compared as the service gives them."""

from __future__ import annotations

import re
from typing import Any

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def same_id(asked: str, answered: Any) -> bool:
    """Whether an answer names the id that was asked for.

    A UUID may be written in capitals; every other id is compared as it is. An empty id names nothing.

    Args:
        asked: The id that was asked for.
        answered: What the answer says, text or a whole number.
    """
    if isinstance(answered, int) and not isinstance(answered, bool):
        answered = str(answered)
    if not isinstance(answered, str) or not answered:
        return False
    return answered == asked or (answered.lower() == asked.lower() and _UUID.fullmatch(asked) is not None)
