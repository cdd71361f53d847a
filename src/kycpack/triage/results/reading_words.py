"""The words that single readings of a results document look for, from their file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kycpack.assets import asset_text
from kycpack.triage.located_yaml import Node, read_nodes

FILE = "policies/reading-words.yaml"


def words_of(module: str) -> Mapping[str, frozenset[str]]:
    """Return the lists of words of a module of this folder, by their names.

    Args:
        module: Its name, as in `plain_claims`.
    """
    return {
        name: frozenset(item.text() for item in node.items())
        for name, node in _modules()[module].members().items()
    }


@cache
def _modules() -> Mapping[str, Node]:
    return read_nodes(asset_text(FILE), FILE).members()
