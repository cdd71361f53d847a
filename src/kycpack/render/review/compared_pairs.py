"""How the pairs of sources that a check asks about compare, of which it names only one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.triage.likeness import EQUAL, SIMILAR
from kycpack.triage.observations.consistency import MISSING, UNREADABLE
from kycpack.triage.policies.rules import Leaf

_ROOT = "consistency."
_STATEMENT = "statement"
_SOURCES = {"address": "proof of address", "bank": "bank account"}

Pair = tuple[str, ...]
"""A field and the kinds of its two sources."""


class Pairs(NamedTuple):
    """The pairs of sources that a check asks about.

    Attributes:
        verdicts: The verdicts of those that were compared.
        said: Where it asks about several, how those that were compared came out, in words; empty elsewhere.
        not_compared: Those of which there is nothing to compare, or nothing that can be read, in words; empty for none.
        no_statement: Whether it asks about a statement of the service among others, and none was compared.
    """

    verdicts: AbstractSet[str]
    said: str
    not_compared: str
    no_statement: bool

    def is_similar(self, value: str) -> bool:
        """Return whether two sources are similar, while the pair that the check names may be equal."""
        return value == SIMILAR or (value == EQUAL and SIMILAR in self.verdicts)


def verdicts_by_pair(consistency: pd.DataFrame) -> dict[Pair, set[str]]:
    """Return the verdicts of each pair of sources.

    Args:
        consistency: Frame `consistency` of the customer.
    """
    found: dict[Pair, set[str]] = {}
    for row in records(consistency, "field", "left", "right", "verdict"):
        left, right = (str(row[side]).partition(" ")[0] for side in ("left", "right"))
        found.setdefault((str(row["field"]), left, right), set()).add(str(row["verdict"]))
    return found


def pairs_of(path: str, asked: Sequence[Leaf], verdicts: Mapping[Pair, AbstractSet[str]]) -> Pairs:
    """Return the pairs of sources that a check asks about; of a check of anything else there are none.

    Args:
        path: What decided the check.
        asked: What its rule asks about; empty if that is not known.
        verdicts: As returned by `verdicts_by_pair`.
    """
    if not path.startswith(_ROOT):
        return Pairs(frozenset(), "", "", no_statement=False)
    pairs = dict.fromkeys(_pair(one) for one in (path, *(leaf.path for leaf in asked)))
    compared = {pair: verdicts[pair] - {MISSING, UNREADABLE} for pair in pairs if pair in verdicts}
    seen = frozenset(verdict for each in compared.values() for verdict in each)
    of_statement = [pair for pair in pairs if _STATEMENT in pair]
    # That there is no statement is said in other words, and a second document or account need not be there.
    may_be_absent = {pair for pair in pairs if pair in of_statement or pair[-1] == pair[-2]}
    left_out = [pair for pair in pairs if not compared.get(pair, pair in may_be_absent)]
    several = len(compared.keys() | {*left_out}) > 1
    came_out: dict[str, list[Pair]] = {}
    for pair, each in compared.items():
        if each:
            came_out.setdefault(listed(sorted(each)), []).append(pair)
    said = "; ".join(f"{verdict}: {_in_words(those)}" for verdict, those in came_out.items())
    return Pairs(
        seen,
        said if several else "",
        _in_words(left_out) if left_out and (several or not seen) else "",
        0 < len(of_statement) < len(pairs) and not any(compared.get(pair) for pair in of_statement),
    )


def _pair(path: str) -> Pair:
    return tuple(part for part in path.split(".")[1:] if part != "likeness")


def _in_words(pairs: Iterable[Pair]) -> str:
    return listed([" with ".join(_SOURCES.get(one, one) for one in sources) for _, *sources in pairs])
