"""Comparing a person's name with the holder of an account, which may name several people."""

from __future__ import annotations

import re

from kycpack.triage.likeness import DIFFERENT, ONE_OF_SEVERAL, Likeness, different, similar
from kycpack.triage.names.person_names import compare_names, read_name

_BETWEEN_HOLDERS = re.compile(r"\s+(?:&|and|or|und|oder|et|ou|y|e)\s+|\s*[;/+]\s*", re.IGNORECASE)
_SEVERAL = 2


def compare_holder(person: str, holder: str) -> Likeness:
    """Compare a person's name with the holder of an account, which may name several people.

    Args:
        person: The person's name.
        holder: The holder, as in `A Byron & B King`; people who share a family name may give it once, as in `Ada and Bea Byron`.

    Returns:
        Their likeness; the reason does not repeat the names.
    """
    holders = _holders(holder)
    whole = compare_names(person, holder)
    if len(holders) < _SEVERAL:
        return whole
    best = max((compare_names(person, part) for part in holders), key=lambda found: found.score)
    if whole.score >= best.score:
        return whole
    if best.verdict == DIFFERENT:
        return different("matches none of several holders", best.score)
    return similar(best.score, {*best.kinds, ONE_OF_SEVERAL})


def _holders(holder: str) -> list[str]:
    parts = [part for part in _BETWEEN_HOLDERS.split(holder) if part.strip()]
    last = read_name(parts[-1]).words if parts else ()
    if len(last) < _SEVERAL:
        return parts
    return [part if len(read_name(part).words) > 1 else f"{part} {last[-1].raw}" for part in parts]
