"""The text of a decision: whether it says something, and about which findings."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection

from kycpack.errors import InputError

LONGEST = 20_000
"""Characters of the longest text."""

_FEWEST_LETTERS = 12
_FEWEST_KINDS = 5
_FINDING = re.compile(r"\bF-[0-9]+\b")
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Joiners and direction marks are left out, since Persian, Indian scripts and mixed lines need them.
_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u200b\u3164\ufeff\uffa0").union(
    map(chr, (*range(0x2060, 0x2065), *range(0x206A, 0x2070), *range(0xE0000, 0xE0080)))
)


def check_rationale(text: str, cited: Collection[str], known: Collection[str]) -> str:
    """Return the text of a decision.

    Args:
        text: What a person wrote, in any script.
        cited: Ids of findings that it has to name.
        known: Ids of the findings of the case.

    Raises:
        InputError: It is empty, too long, has characters that hide or turn what it says, names a finding that the case
            does not have, does not name one that it has to, or has no words beside ids.
    """
    check_text(text)
    named = set(_FINDING.findall(text))
    if unknown := sorted(named - set(known)):
        raise InputError(f"the case has no finding {', '.join(unknown)}", place="text")
    if missing := sorted(set(cited) - named, key=_number):
        raise InputError(
            f"it does not name {', '.join(missing)}; each finding that it disposes of is cited", place="text"
        )
    # What has a digit in it is an id, of whatever kind, and no reason.
    words = [each for each in text.casefold().split() if not any(sign.isdigit() for sign in each)]
    letters = [each for each in "".join(words) if each.isalpha()]
    if len(letters) < _FEWEST_LETTERS or len(set(letters)) < _FEWEST_KINDS:
        raise InputError(
            "beside the ids of findings, the text has to give a reason in words; this is too little",
            place="text",
        )
    return text


def check_text(text: str, place: str = "text") -> str:
    """Return text of a person that can be shown as it was written.

    Raises:
        InputError: It is empty, too long, or has control characters, marks that turn the direction of other text, or characters
            that nobody can see.
    """
    if not text.strip():
        raise InputError("is empty", place=place)
    if len(text) > LONGEST:
        raise InputError(f"has {len(text):,} characters; {LONGEST:,} are the most", place=place)
    for position, character in enumerate(text, 1):
        if character in "\n\t":
            continue
        if unicodedata.category(character) in {"Cc", "Cs"} or character in _TURNING | _UNSEEN:
            raise InputError(
                f"character {position} (U+{ord(character):04X}) would not be seen as it was written; take it out",
                place=place,
            )
    return text


def rationale_digest(text: str) -> str:
    """Return a digest by which a text is known again: case, spaces, punctuation and ids of findings do not count."""
    plain = unicodedata.normalize("NFKC", _FINDING.sub(" ", text)).casefold()
    return hashlib.sha256("".join(filter(str.isalnum, plain)).encode()).hexdigest()


def _number(finding_id: str) -> int:
    return int(finding_id.partition("-")[2])
