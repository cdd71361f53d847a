"""Colours, chosen so that they differ in greyscale too, and tones, which are never shown without a word."""

from __future__ import annotations

from enum import StrEnum

Colour = tuple[int, int, int]

INK: Colour = (28, 36, 48)
NAVY: Colour = (19, 41, 75)
MUTED: Colour = (96, 106, 120)
HAIRLINE: Colour = (205, 211, 219)
PANEL: Colour = (244, 246, 249)
BRASS: Colour = (168, 134, 72)
WHITE: Colour = (255, 255, 255)

SERIES: tuple[Colour, ...] = (
    (19, 41, 75),
    (102, 144, 184),
    (44, 94, 142),
    (140, 104, 44),
    (88, 70, 120),
    (46, 122, 114),
)
"""Fills of stacked series; each differs in lightness from its neighbours and has a contrast of at least 3:1 to the page."""

ACCOUNTS: tuple[Colour, ...] = (
    (19, 41, 75),
    (196, 108, 8),
    (20, 132, 116),
    (134, 76, 168),
    (96, 140, 28),
    (148, 92, 60),
)
"""Colours of the lines of accounts, each of another hue; the lines also differ in their dashes."""

UNEXPLAINED_FILL: Colour = (186, 28, 34)
"""Fill of money that nothing explains: the strongest colour in the charts."""

REST: Colour = (132, 140, 150)
"""Fill of what is left over."""

KNOWN_FILLS: tuple[Colour, ...] = (*SERIES[:3], REST, SERIES[5], (64, 76, 96))
"""Fills of money of known nature: blue, green and grey."""

DOUBTED = "doubted"
"""The name, among natures, of money of known nature that findings question, or that came into accounts not shown to be the customer's."""
DOUBTED_FILLS: tuple[Colour, ...] = (BRASS, (100, 76, 30))
"""Fills of such money: of brass."""

REGULAR_FILLS: tuple[Colour, ...] = (
    (214, 106, 60),
    (140, 62, 10),
    (196, 124, 70),
    (104, 60, 0),
    (176, 104, 24),
    (120, 84, 12),
)
"""Fills of regular money of unknown nature, from orange to brown: stronger than for money of known nature, weaker than `UNEXPLAINED_FILL`."""

CASH_FILLS: tuple[Colour, ...] = (
    (132, 16, 104),
    (202, 86, 156),
    (96, 44, 150),
    (176, 96, 206),
    (110, 10, 80),
    (170, 60, 170),
)
"""Fills of cash and of money that only the sender explains, all of them purple; as strong as `REGULAR_FILLS`."""

IRREGULAR_FILLS: tuple[Colour, ...] = (
    UNEXPLAINED_FILL,
    (122, 14, 20),
    (218, 84, 120),
    (150, 20, 40),
    (226, 92, 92),
    (208, 70, 84),
)
"""Fills of irregular money of unknown nature, all of them red; the first is the strongest, and the next ones are far from orange."""

MONEY_OUT: Colour = SERIES[3]
"""Fill of money that leaves the accounts."""


class Tone(StrEnum):
    """The meaning of a word for the reader; the colour only repeats what the word says."""

    PLAIN = "plain"
    GOOD = "good"
    WATCH = "watch"
    ALARM = "alarm"
    UNKNOWN = "unknown"
    QUIET = "quiet"


TEXT: dict[Tone, Colour] = {
    Tone.PLAIN: INK,
    Tone.GOOD: (27, 94, 62),
    Tone.WATCH: (133, 84, 8),
    Tone.ALARM: (150, 27, 35),
    Tone.UNKNOWN: (74, 63, 125),
    Tone.QUIET: MUTED,
}

FILL: dict[Tone, Colour] = {
    Tone.PLAIN: PANEL,
    Tone.GOOD: (229, 242, 235),
    Tone.WATCH: (253, 241, 220),
    Tone.ALARM: (251, 229, 229),
    Tone.UNKNOWN: (236, 233, 247),
    Tone.QUIET: PANEL,
}


def css(colour: Colour) -> str:
    """Return a colour in the notation of CSS and SVG."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
