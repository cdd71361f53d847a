"""The leaves of a JSON object that stands in the results as a text, such as a provider's raw answer."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from kycpack.frames.json_leaves import leaves
from kycpack.triage.case_file import NESTED, Observation

_LONGEST_ANSWER = 4_000


def inner_leaves(path: str, text: str) -> list[Observation]:
    """Return the leaves of a JSON object inside a text; empty for any other text.

    Args:
        path: Path of the text.
        text: The text.
    """
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_ANSWER:
        return []
    try:
        answer = json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=_members)
    except (ValueError, RecursionError):
        return []
    return [
        Observation(f"{path}.{name}", NESTED if value in ({}, []) else value)
        for name, value in leaves(answer)
    ]


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name is given twice")
    return made
