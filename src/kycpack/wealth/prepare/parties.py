"""Who a name reads like: a person, a firm, a public body. A name alone proves none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kycpack.wealth.prepare.lexicon import Lexicon

PERSON, FIRM, STATE, OWN, UNKNOWN = "person", "firm", "state", "own", "unknown"
PARTIES = (UNKNOWN, PERSON, FIRM, STATE, OWN)

_BEFORE_A_NAME = frozenset({"de", "du", "von", "van", "di", "da", "emis"})
_LONGEST_NAME = 4
_LONGEST_INITIALS = 3  # two initials and a surname
_SHORTEST_SURNAME = 3


def party_of(words: Sequence[str], lexicon: Lexicon) -> str:
    """Return who the words of a name read like, one of `PARTIES`.

    Args:
        words: Plain words; how the money travelled may stand among them.
        lexicon: Legal forms, titles, first names and words of firms and public bodies.
    """
    core = [word for word in words if word not in lexicon.noise and not word[0].isdigit()]
    while core and core[0] in _BEFORE_A_NAME:
        core = core[1:]
    if not core:
        return UNKNOWN
    if not lexicon.legal_words.isdisjoint(core[1:]):
        return FIRM
    if core[0] in lexicon.titles and len(core) > 1:
        return PERSON
    if not lexicon.state_words.isdisjoint(core):
        return STATE
    if not lexicon.firm_words.isdisjoint(core):
        return FIRM
    return PERSON if _reads_like_a_person(core, lexicon) else UNKNOWN


def _reads_like_a_person(core: Sequence[str], lexicon: Lexicon) -> bool:
    if not 1 < len(core) <= _LONGEST_NAME:
        return False
    initials = [len(word) == 1 for word in core]
    longest = max(core, key=len)
    if len(core) <= _LONGEST_INITIALS and any(initials) and not all(initials):
        return len(longest) >= _SHORTEST_SURNAME
    return core[0] in lexicon.given_names or (len(core) == 2 and core[1] in lexicon.given_names)
