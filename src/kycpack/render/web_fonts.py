"""Letters of scripts that many machines have no font for, inside the page that shows them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator

import uharfbuzz

from kycpack.render.typefaces import FALLBACKS, Face, advances_of, face_path

FAMILY = "kycpack scripts"
"""The family of the embedded letters, in every list of fonts of a page."""
FONT_POLICY = "; font-src data:"
"""What a page with embedded letters adds to its security policy."""

_BEYOND_LATIN = re.compile("[\u0300-\U0010ffff]")
_OPTIONAL = FALLBACKS[Face.WIDE]
_JOINERS = {0x200C, 0x200D}
_PLACE = r"U\+(?:[3-9A-F][0-9A-F]{2}|[1-9A-F][0-9A-F]{3,5})"  # from U+0300, as in `_BEYOND_LATIN`
_RULES = re.compile(
    rf"@font-face\{{font-family:'{FAMILY}';src:url\(data:font/ttf;base64,[A-Za-z0-9+/=]+\);unicode-range:{_PLACE}(?:,{_PLACE})*\}}"
)


def font_rules(page: str) -> str:
    """Return the style rules that embed what a page needs of the optional faces: only its own characters, and nothing for most pages.

    Args:
        page: The page, with all that it shows.
    """
    return "".join(_rules({ord(character) for character in _BEYOND_LATIN.findall(page)}))


def without_letters(page: str) -> str:
    """Return a page as a machine without the optional faces makes it: which letters are in a page depends on the fonts of the machine.

    Args:
        page: The page; a rule for letters or figures of Latin script stays in it.
    """
    return _RULES.sub("", page).replace(FONT_POLICY, "", 1)


def _rules(codes: set[int]) -> Iterator[str]:
    left = codes - advances_of(Face.SANS).keys() - advances_of(Face.WIDE).keys()
    for face in _OPTIONAL if left else ():
        if own := left & advances_of(face).keys():
            left -= own
            letters = b64encode(_subset(face, own | (codes & _JOINERS))).decode()
            places = ",".join(f"U+{code:X}" for code in sorted(own))
            yield (
                f"@font-face{{font-family:'{FAMILY}';src:url(data:font/ttf;base64,{letters});unicode-range:{places}}}"
            )


def _subset(face: Face, codes: set[int]) -> bytes:
    whole = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(face_path(face))))
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(codes)
    wanted.pin_all_axes_to_default(whole)
    return bytes(uharfbuzz.subset(whole, wanted).blob.data)
