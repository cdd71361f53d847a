"""The texts that a policy's bases cite: which edition, and what of it was read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kycpack.triage.located_yaml import Node

_NAMES = ("cites", "title", "edition", "checked")


@dataclass(frozen=True, slots=True)
class LegalSource:
    """A text that bases cite.

    Attributes:
        cites: How a basis cites it, as in `MLR 2017 reg. 28`; of several that fit the longest counts.
        title: Its name in full.
        edition: As amended to when, or of which date.
        checked: What of it was read, and where; or that it was not.
    """

    cites: str
    title: str
    edition: str
    checked: str


def read_legal_sources(node: Node | None) -> tuple[LegalSource, ...]:
    """Return the sources of a policy's file; none where it lists none.

    Raises:
        PolicyError: A member is missing or not known, or a citation is given twice.
    """
    found: dict[str, LegalSource] = {}
    for item in () if node is None else node.items():
        given = item.members(_NAMES, _NAMES)
        source = LegalSource(*(given[name].text() for name in _NAMES))
        if source.cites in found:
            raise given["cites"].error(f"{source.cites} is given twice")
        found[source.cites] = source
    return tuple(found.values())


def sources_of(basis: str, sources: Iterable[LegalSource]) -> tuple[LegalSource, ...]:
    """Return the sources that a basis cites, each once, in their order.

    Args:
        basis: As a rule has it: citations, with semicolons between different texts.
        sources: Those of the policy.
    """
    listed = tuple(sources)
    return tuple(one for one in listed if one.cites.casefold() in basis.casefold())
