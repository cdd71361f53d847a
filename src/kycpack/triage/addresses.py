"""Comparing addresses: the postal code and the number of the house carry most, words may be shortened."""

from __future__ import annotations

from dataclasses import dataclass

from kycpack.triage.lettering import edits, words

_SHORTENED = {
    "apt": "apartment",
    "av": "avenue",
    "ave": "avenue",
    "bldg": "building",
    "blvd": "boulevard",
    "cl": "close",
    "cres": "crescent",
    "ct": "court",
    "dr": "drive",
    "fl": "flat",
    "gdns": "gardens",
    "gr": "grove",
    "hse": "house",
    "ln": "lane",
    "pk": "park",
    "pl": "place",
    "rd": "road",
    "sq": "square",
    "st": "street",
    "str": "street",
    "ter": "terrace",
    "no": "",
}
_MOSTLY = 0.75
_LONG_WORD = 5


@dataclass(frozen=True, slots=True)
class Address:
    """An address as one source tells it; any part may be missing."""

    line: str | None
    city: str | None
    postal_code: str | None
    country: str | None

    @property
    def is_told(self) -> bool:
        """Whether there is anything to compare."""
        return bool(self.line or self.postal_code or self.city)


def compare_addresses(left: Address, right: Address) -> tuple[str, float, str]:
    """Compare two addresses.

    Returns:
        Verdict (equal, similar, different), score 0..1, and the reason in words, without the addresses themselves.
    """
    if left.country and right.country and left.country.strip().casefold() != right.country.strip().casefold():
        return "different", 0.0, "another country"
    one, other = _words(left), _words(right)
    codes = _code(left.postal_code), _code(right.postal_code)
    if codes[0] == codes[1] and one == other:
        return "equal", 1.0, "the same after folding case, accents and shortened words"
    shared = _shared(one, other)
    if all(codes) and codes[0] != codes[1]:
        return "different", round(shared / 2, 2), "another postal code"
    return _compare_words(one, other, shared, same_code=bool(codes[0]) and codes[0] == codes[1])


def _compare_words(
    one: list[str], other: list[str], shared: float, *, same_code: bool
) -> tuple[str, float, str]:
    numbers, others = ({word for word in words_ if any(c.isdigit() for c in word)} for words_ in (one, other))
    if numbers and others and not numbers & others:
        return "different", round(shared / 2, 2), "another house number"
    if shared >= _MOSTLY:
        return "similar", round(shared, 2), "most words are the same"
    if same_code and numbers & others:
        return "similar", _MOSTLY, "the same postal code and house number"
    return "different", round(shared, 2), "too few words are the same"


def _code(postal_code: str | None) -> str:
    return "".join(word.text for word in words(postal_code or ""))


def _words(address: Address) -> list[str]:
    found = (word.text for part in (address.line, address.city) for word in words(part or ""))
    spelled = (_SHORTENED.get(word, word) for word in found)
    return sorted({word for word in spelled if word})


def _shared(one: list[str], other: list[str]) -> float:
    if not one or not other:
        return 0.0
    shorter, longer = sorted((one, other), key=len)
    alike = sum(any(_same(word, candidate) for candidate in longer) for word in shorter)
    return alike / len(shorter)


def _same(left: str, right: str) -> bool:
    return left == right or (
        min(len(left), len(right)) >= _LONG_WORD
        and left.isalpha()
        and right.isalpha()
        and edits(left, right) == 1
    )
