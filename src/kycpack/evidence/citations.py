"""How texts cite the entries of the evidence, as in `The session is not complete (E-02, E-07 to E-09)`."""

from __future__ import annotations

import re

ENTRY_ID = "[EMR]-[0-9]{2,6}"
"""The pattern of the id of an entry."""
CITATION = re.compile(rf"\s*\(({ENTRY_ID}(?:(?:, | to ){ENTRY_ID})*)\)")
"""Matches ids in brackets, which are group 1, with the space before them."""
CITED_AT_END = re.compile(rf"{CITATION.pattern}$")
"""Matches them at the end of a text."""
