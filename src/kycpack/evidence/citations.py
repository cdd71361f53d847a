"""How texts cite the entries of the evidence, as in `The session is not complete (E-02, E-07 to E-09)`."""

from __future__ import annotations

import re

ENTRY_ID = "[EMR]-[0-9]{2,6}"
"""The pattern of the id of an entry."""
CITATION = re.compile(rf"\s*\(({ENTRY_ID}(?:(?:, | to ){ENTRY_ID})*)\)")
"""Matches ids in brackets, which are group 1, with the space before them."""
CITED_AT_END = re.compile(rf"{CITATION.pattern}$")
"""Matches them at the end of a text."""


def cited_at_end(text: str) -> list[str]:
    """Return the ids that a text cites at its end, each of a range; none if it cites none there."""
    found = CITED_AT_END.search(text.rstrip(". "))
    return _ids_in(found[1]) if found else []


def cited_in(text: str) -> list[str]:
    """Return all ids that a text cites, each of a range, in order and each once."""
    found = {one for cited in CITATION.findall(text) for one in _ids_in(cited)}
    return sorted(found, key=lambda one: (one[0], int(one[2:])))


def _ids_in(cited: str) -> list[str]:
    ids: list[str] = []
    for part in cited.split(", "):
        first, _, last = part.partition(" to ")
        kind, _, number = first.partition("-")
        end = int((last or first).partition("-")[2])
        ids += [f"{kind}-{one:0{len(number)}}" for one in range(int(number), end + 1)]
    return ids
