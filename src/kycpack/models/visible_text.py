"""Text from outside in which nothing is hidden: a control or override character is shown as a mark."""

from __future__ import annotations

import unicodedata

JOINERS = frozenset("\u200c\u200d")  # useful inside Arabic and Indic words
_BIDI_CONTROLS = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_SPACES = {"\t": " ", "\n": " ", "\r": " ", "\u00a0": "\u00a0", "\u2028": " ", "\u2029": " "}
_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def mark_of(character: str) -> str:
    """Return the visible mark of a character that cannot be shown, such as `<U+202E>`."""
    return f"<U+{ord(character):04X}>"


def marked(text: str) -> str:
    """Return a text in which control and override characters are shown as marks and line breaks as spaces."""
    return "".join(mark_of(c) if _is_control(c) else _SPACES.get(c, c) for c in text)


def _is_control(character: str) -> bool:
    if character in _SPACES or character in JOINERS:
        return False
    return character in _BIDI_CONTROLS or unicodedata.category(character) in _CONTROLS
