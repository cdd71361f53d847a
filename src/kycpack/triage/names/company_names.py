"""Comparing the names of firms: legal forms, initials, shortened and cut-off words, trading names, the order of words.

Words in firms' names are seldom slips for one another (Motors, Motels), so only letters that are transposed, doubled or
missing in a long word count as one. A firm's name in another language is out of scope: words are not translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import (
    ABBREVIATION,
    EQUAL,
    FORMAT,
    INITIAL,
    LEGAL_FORM,
    MISSING_PART,
    ORDER,
    SLIP,
    TRADING_NAME,
    TRANSLITERATION,
    Likeness,
    different,
    similar,
)
from kycpack.triage.names.transliteration import edits, folded, passport_spellings, respelled, words

_REFERENCE = re.compile(r"\b(?:ref|reference|a/c|acct?)\b[\s:.#]*[\w-]*\d[\w-]*\s*$", re.IGNORECASE)
_LONGEST_FORM = 6
_REMEMBERED = 1_024
# Bacs cuts off payee names at 18 characters (the account name field of standard 18); other fields are longer.
_CUT_AT = 18
_SLIP_LETTERS, _LONG_SLIP = 5, 8


@dataclass(frozen=True, slots=True)
class CompanyName:
    """A firm's name in the form in which it is compared.

    Attributes:
        words: The words in full, without the legal form and optional words.
        form: The legal form; empty if there is none.
        shortened: Whether a word had a shortened form.
        plain: All letters and digits of the name, in order.
        joined: The same without the legal form.
        length: How many characters the name was written with.
        spelt: Words with letters such as ü, each with its spellings in plain letters, such as ue.
    """

    words: tuple[str, ...]
    form: str
    shortened: bool
    plain: str
    joined: str
    length: int
    spelt: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    forms: dict[tuple[str, ...], str]
    edges: frozenset[str]
    full: dict[str, str]
    empty: frozenset[str]
    only_of_firms: frozenset[str]
    translated: frozenset[frozenset[str]]
    trading: re.Pattern[str]
    unspaced: tuple[tuple[str, str], ...]


@cache
def _vocabulary() -> _Vocabulary:
    known = asset_yaml("names/companies.yaml")
    trading = "|".join(re.escape(word) for word in known["trading_as"])
    forms = {tuple(written.split()): form for form, all_ in known["legal_forms"].items() for written in all_}
    return _Vocabulary(
        forms=forms,
        edges=frozenset(word for written in forms for word in (written[0], written[-1])),
        full={short: word for word, shorts in known["shortened"].items() for short in shorts}
        | known["numbers"],
        empty=frozenset(known["empty"]),
        only_of_firms=frozenset(known["only_of_firms"]),
        translated=frozenset(
            frozenset({form, other}) for form, others in known["translated_forms"].items() for other in others
        ),
        unspaced=tuple(
            (written, f" {form} ") for form, all_ in known["unspaced_forms"].items() for written in all_
        ),
        trading=re.compile(rf"\s+(?:{trading})\s+", re.IGNORECASE),
    )


def compare_companies(left: str, right: str) -> Likeness:
    """Compare the names of two firms.

    Args:
        left: A name as a register, a bank or a person writes it.
        right: Another name.

    Returns:
        Their likeness; the reason does not repeat the names.
    """
    pairs = [
        (number + other_number, _compare(read_company(one), read_company(other), same_text=one == other))
        for number, one in enumerate(_names(left))
        for other_number, other in enumerate(_names(right))
    ]
    alike = [(whole, found) for whole, found in pairs if found.verdict != "different"]
    if not alike:
        return pairs[0][1]
    traded, best = max(alike, key=lambda pair: (pair[1].score, -pair[0]))
    return best if not traded else similar(min(best.score, 0.9), {*best.kinds, TRADING_NAME})


@lru_cache(_REMEMBERED)
def is_firm(text: str) -> bool:
    """Return whether a name is certainly a firm's: its legal form is not a name or an initial of a person."""
    return any(legal_form(part) in _vocabulary().only_of_firms for part in _names(text))


@lru_cache(_REMEMBERED)
def legal_form(text: str) -> str:
    """Return the legal form in a name; empty if there is none."""
    return _without_form([word.text for word in words(text)])[1]


def _names(text: str) -> list[str]:
    """Return the whole name first, then the firm's name and its trading name, if it has both."""
    text = _REFERENCE.sub("", text)
    parts = [part for part in _vocabulary().trading.split(text) if part.strip()]
    return [" ".join(parts), *parts] if len(parts) > 1 else [text]


@lru_cache(_REMEMBERED)
def read_company(text: str) -> CompanyName:
    """Return a firm's name in the form in which it is compared."""
    known = _vocabulary()
    if not text.isascii():
        text = respelled(unicodedata.normalize("NFKC", text), known.unspaced)
    found = words(text)
    texts = [word.text for word in found]
    plain = "".join(texts)
    texts, form = _without_form(texts)
    whole = "".join(texts)
    joined: list[str] = []
    single = False
    for one in texts:
        # Initials are written with and without spaces.
        if len(one) == 1 and one.isalpha():
            if single:
                joined[-1] += one
            else:
                joined.append(one)
            single = True
        else:
            joined.append(one)
            single = False
    kept = [one for one in joined if one not in known.empty] or joined
    full = tuple(known.full.get(one, one) for one in kept)
    spelt = {word.text: spellings for word in found if (spellings := passport_spellings(word.raw))}
    return CompanyName(
        full, form, list(full) != kept, plain, whole, len(" ".join(text.split())), MappingProxyType(spelt)
    )


def _without_form(texts: list[str]) -> tuple[list[str], str]:
    known = _vocabulary().forms
    if not texts or {texts[0], texts[-1]}.isdisjoint(_vocabulary().edges):
        return texts, ""
    for count in range(min(_LONGEST_FORM, len(texts) - 1), 0, -1):
        for piece, rest in ((texts[-count:], texts[:-count]), (texts[:count], texts[count:])):
            # At the beginning, only a form that is not a word or initial of a name.
            form = (
                known.get(tuple(piece)) if piece != texts[:count] or len("".join(piece)) > count + 1 else None
            )
            if form and rest:
                return rest, form
    return texts, ""


def _compare(one: CompanyName, other: CompanyName, *, same_text: bool) -> Likeness:  # noqa: PLR0911 - one return for each way of being alike
    if not one.words or not other.words:
        return different("a name has no letters that can be compared")
    kinds: set[str] = set()
    translated = {one.form, other.form} in _vocabulary().translated
    if one.form and other.form and one.form != other.form and not translated:
        return different("a different legal form", 0.5)
    if translated or bool(one.form) != bool(other.form):
        kinds.add(LEGAL_FORM)
    if one.shortened != other.shortened:
        kinds.add(ABBREVIATION)
    if one.words == other.words or "".join(one.words) == "".join(other.words) or one.joined == other.joined:
        if kinds:
            return similar(0.95, kinds)
        return Likeness(
            EQUAL,
            1.0,
            "the same apart from case, punctuation and the legal form",
            () if same_text else (FORMAT,),
        )
    if Counter(one.words) == Counter(other.words):
        return similar(0.95, kinds | {ORDER})
    if kind := _cut(one, other) or _cut(other, one):
        return similar(0.85, {kind})
    return _compare_words(one, other, kinds)


def _cut(cut: CompanyName, whole: CompanyName) -> str:
    """Return the kind of likeness if one name is the other, cut off because a field was full; empty if it is not.

    Where the field ends between two words, the name may as well be complete and that of another firm.
    """
    start, full = " ".join(cut.words), " ".join(whole.words)
    if cut.form or start == full or not full.startswith(start):
        return ""
    if full[len(start)] == " ":
        return MISSING_PART if _CUT_AT - 1 <= cut.length <= _CUT_AT else ""
    return ABBREVIATION if cut.length >= _CUT_AT else ""


def _compare_words(name: CompanyName, peer_name: CompanyName, kinds: set[str]) -> Likeness:
    one, other = name.words, peer_name.words
    rest, peers = Counter(one) - Counter(other), Counter(other) - Counter(one)
    left, right = list(rest.elements()), list(peers.elements())
    shared = len(one) - len(left)
    score = round(2 * shared / (len(one) + len(other)), 2)
    if left and right and _are_initials(left, right):
        return (
            similar(max(score, 0.8), kinds | {INITIAL}) if shared else different("only initials match", score)
        )
    for word in list(left):
        for peer in right:
            is_spelt = peer in name.spelt.get(word, ()) or word in peer_name.spelt.get(peer, ())
            kind = TRANSLITERATION if is_spelt else _alike(word, peer)
            if kind:
                kinds.add(kind)
                left.remove(word)
                right.remove(peer)
                break
    if left or right:
        return different("one or each has a word that the other does not have", score)
    return similar(max(score, 0.8), kinds)


def _alike(word: str, peer: str) -> str:
    shorter, longer = sorted((word, peer), key=len)
    if edits(word, peer) == 1 and len(shorter) >= _SLIP_LETTERS:
        turned = sorted(word) == sorted(peer)
        doubled = re.sub(r"(.)\1", r"\1", word) == re.sub(r"(.)\1", r"\1", peer)
        within = (
            len(shorter) >= _LONG_SLIP - 1
            and len(shorter) < len(longer)
            and word[0] == peer[0]
            and word[-2:] == peer[-2:]
        )
        if turned or doubled or within:
            return SLIP
    if len(shorter) > _SLIP_LETTERS and folded(word) == folded(peer):
        return SLIP
    return ""


def _are_initials(left: list[str], right: list[str]) -> bool:
    """Return whether one side has the initials of the other: T A Quill, Thomas A Quill."""
    for short, long in ((left, right), (right, left)):
        letters = "".join(long_word[0] for long_word in long)
        if len(short) == 1 and short[0] == letters and len(short[0]) < len("".join(long)):
            return True
    return False
