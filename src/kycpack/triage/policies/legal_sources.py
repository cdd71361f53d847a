"""The legal texts that a policy cites: which edition, and which parts of it were checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kycpack.triage.located_yaml import Node

_NAMES = ("cites", "title", "edition", "checked")


@dataclass(frozen=True, slots=True)
class LegalSource:
    """A text that rules cite as their basis.

    Attributes:
        cites: How it is cited, as in `MLR 2017 reg. 28`; if several match, the longest counts.
        title: Its full name.
        edition: The date of the edition, or of the last amendment included.
        checked: Which parts were checked, and where; or that it was not checked.
        amended: Whether the text was amended after the edition that was read, and not read as amended.
        law: Whether it is a text of law or guidance, and not a list or a standard that the firm sets.
    """

    cites: str
    title: str
    edition: str
    checked: str
    amended: bool = False
    law: bool = True


def read_legal_sources(node: Node | None) -> tuple[LegalSource, ...]:
    """Return the sources that a policy's file lists; empty if it lists none.

    Raises:
        PolicyError: A member is missing, not known or of the wrong kind, or a citation is given twice.
    """
    found: dict[str, LegalSource] = {}
    for item in () if node is None else node.items():
        given = item.members((*_NAMES, "amended", "law"), _NAMES)
        cites, title, edition, checked = (given[name].text() for name in _NAMES)
        source = LegalSource(
            cites,
            title,
            edition,
            checked,
            amended="amended" in given and given["amended"].boolean(),
            law="law" not in given or given["law"].boolean(),
        )
        if source.cites in found:
            raise given["cites"].error(f"{source.cites} is given twice")
        found[source.cites] = source
    return tuple(found.values())


def sources_of(basis: str, sources: Iterable[LegalSource]) -> tuple[LegalSource, ...]:
    """Return the sources that a basis cites, each once, in order of citation.

    Args:
        basis: As in a rule: citations, with semicolons between different texts.
        sources: Those of the policy.
    """
    listed = tuple(sources)
    return tuple(one for one in listed if one.cites.casefold() in basis.casefold())
