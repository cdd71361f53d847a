"""Names of real places with a word that specimens and tests bear too, as Test Valley in Hampshire."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kycpack.assets import asset_yaml

FILE = "names/specimens.yaml"


def without_places(said: Sequence[str], *, in_address: bool = False) -> list[str]:
    """Return the words of a text without those that are part of a place's name: a word of specimens next to one for a valley, a river or a hill.

    Args:
        said: The words in order, in lower case.
        in_address: Whether they are those of an address, where words such as LOWER are part of a place's name too.
    """
    borne, of_places, of_addresses = _known()
    features = of_places | of_addresses if in_address else of_places
    return [
        word
        for at, word in enumerate(said)
        if word not in borne or features.isdisjoint((*said[max(at - 1, 0) : at], *said[at + 1 : at + 2]))
    ]


@cache
def _known() -> tuple[frozenset[str], ...]:
    known = asset_yaml(FILE)
    return tuple(frozenset(known[name]) for name in ("in_places", "features", "beside_in_addresses"))
