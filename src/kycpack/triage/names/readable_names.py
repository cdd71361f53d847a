"""Whether a text can be read as a name at all: markup, templates, addresses of pages and rows of marks are no names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters and their marks; digits are read, since a firm may have some, and are judged elsewhere.
_OF_WORDS = frozenset({"Lu", "Ll", "Lt", "Lo", "Lm", "Mn", "Mc", "Me", "Nd", "Nl", "Sk"})
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})
_BETWEEN = frozenset({"Zs", "Pd"})  # spaces and hyphens
_MARKS = frozenset(".,'`/&()\u2018\u2019\u00b4\u2032\u00b7\u30fb\u2027\u02bc\u05f3\u05f4")
_INVISIBLE = frozenset("\u200c\u200d\u200e\u200f\u00ad\u061c")  # joiners, marks of direction, soft hyphen
# A slash stands between letters, as in A/L; an entity of markup is none; marks do not come in rows.
_ODD = re.compile(r"&#?\w+;|[.,/&]{2,}|(?<!\w)/|/(?!\w)", re.ASCII)
_FOR_NONE = re.compile(r"n\s*/\s*a|([a-hj-z])\1{2,}", re.ASCII | re.IGNORECASE)
# What no line of an address has either.
_OF_NO_LINE = re.compile(r"[<>{}|\\=^~]|&#?\w+;", re.ASCII)


@lru_cache(maxsize=16_384)
def is_name(text: str) -> bool:
    """Return whether a text can be read as a name, in any script: letters, with what stands in and between the words of names.

    Args:
        text: A name or a part of one, not empty.
    """
    if _FOR_NONE.fullmatch(text.strip()) or _ODD.search(text):
        return False
    kinds = [unicodedata.category(each) for each in text if each not in _MARKS and each not in _INVISIBLE]
    return not _LETTERS.isdisjoint(kinds) and (_OF_WORDS | _BETWEEN).issuperset(kinds)


@lru_cache(maxsize=16_384)
def is_line(text: str) -> bool:
    """Return whether a text can be read as a line or the town of an address.

    Args:
        text: The line, not empty.
    """
    return any(each.isalnum() for each in text) and text.isprintable() and not _OF_NO_LINE.search(text)
