"""Names of real places with a word that specimens and tests bear too, as Test Valley in Hampshire."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kycpack.assets import asset_yaml

FILE = "names/specimens.yaml"


def without_places(said: Sequence[str]) -> list[str]:
    """Return the words of a text without those that are part of a place's name: a word of specimens next to one for a valley, a river or a hill.

    Args:
        said: The words in order, in lower case.
    """
    borne, features = _known()
    return [
        word
        for at, word in enumerate(said)
        if word not in borne or features.isdisjoint((*said[max(at - 1, 0) : at], *said[at + 1 : at + 2]))
    ]


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    known = asset_yaml(FILE)
    return frozenset(known["in_places"]), frozenset(known["features"])
