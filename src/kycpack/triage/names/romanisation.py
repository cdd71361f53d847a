"""Whether two words are one name in two romanisations, according to the tradition that the name comes from.

A word becomes a string of sounds: capitals and consonants must agree, vowels may be equivalent. Words in Arabic or Hebrew
script become a pattern over these sounds, in which the vowels that the script leaves out may be any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.names.transliteration import Word, name_lexicon, respelled

ARABIC, HEBREW, SLAVIC, GREEK, INDIAN, IBERIAN = "arabic", "hebrew", "slavic", "greek", "indian", "iberian"
INDONESIAN, TAMIL, THAI = "indonesian", "tamil", "thai"
BY_SOUND = (ARABIC, HEBREW, SLAVIC, GREEK, INDIAN, IBERIAN, INDONESIAN, TAMIL, THAI)
_ALL_VOWELS = frozenset({IBERIAN, INDONESIAN, THAI})  # traditions in which all vowels are written

_VOWELS = frozenset("aeiou")
_DOUBLED = re.compile(r"(.)\1+")
_LONG = 8
_REMEMBERED = 16_384
_SCRIPTS = (
    (re.compile(r"[\u0600-\u06ff\ufb50-\ufeff]"), ARABIC),
    (re.compile(r"[\u0590-\u05ff]"), HEBREW),
    (re.compile(r"[\u0400-\u052f]"), SLAVIC),
    (re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"), GREEK),
    (re.compile(r"[\u0900-\u0dff]"), INDIAN),
    (re.compile(r"[\u0b80-\u0bff]"), TAMIL),  # one letter for k and g, t and d, p and b
)
_SLAVIC_ENDINGS = re.compile(r".{3,}(ov|ova|ev|eva|enko|chuk|czuk|sky|ski|skiy|skij|skaya|ova?|ovich|evich)$")
_GREEK_ENDINGS = re.compile(
    r".{3,}(opoulos|opoulou|akis|aki|idis|idou|iadis|oglou|atos|otis|otsis|elis|ellis|akos|iou)$|(?:mp|gk|nt)[aeiouy].{3,}"
)
_IBERIAN_ENDINGS = re.compile(
    r".{2,}(guez|quez|ndez|nzalez|nchez|enez|inez|varez|erez|omez|guera|illo|eira|eiro|inho|alho|elho|ilho)s?$|.*(?:etxe|echeb|echev|goiko|goico|zubi|iturr|mendi|agirre|aguirre|txea|chea|berri|uria|xabier).*"
)
_INDIAN_ENDINGS = re.compile(
    r".{2,}(?:chandran?|nathan|s[vw]?am[iy]|murth[iy]|moorth[iy]|krishnan?|lakshmi|laxmi|es[hw]w?aran?|[ei]ndra|inder|ender|preet|"
    r"jeet|kumari?|appan|ammal|pandian|wardhan|vardhan|lingam|sundaram|selvan|selvi|prakash|bhushan|narayan(?:an?)?|endu|ananda?n|bhai|padhyaya?|"
    r"brata|deep|gopal|raman|rajan)|.{3,}[aiu]b(?:en|ai)|(?:venkat|subra[hm]|bhatt|muthu|chandra|thiru|vijaya|raghu|laxmi|lakshmi).{2,}"
)
# Sanskrit and Thai words that are parts of names.
_THAI_PARTS = re.compile(
    r".{3,}(?:ph?orn|phon|ph?ong|chai|jai|sak|suk|[wv]ongs?e?|sawa[td]|[wv]at|rat|suwan|suvan|kul|kun|thip|[wv]an|korn|chart|lert|"
    r"sith|wit|phak|pak|kaew|thong|chit|jit|yuth?|dech?|dej|charoen|jaroen|boon|somboon|kham|rueang|ruang|chok|prasert)|"
    r"(?:som[bcjkprsy]|suph?a|suwan|suvan|nutt?h?a|natt?h?a|than[ay]|charoen|jaroen|chaiy|boon|ph?ong|thong|rat+ana|kaew|keaw|phet|phr|rung|ruang|"
    r"[wv]ich|[wv]ong|chan?th?a|jant|chira|jira|anu[cw]|aph?i[cr]|kitt|kan[oy]|orn|panya|piya|ph?orn|saeng|sawat|sri[sprw]|sree[sprw]|theer|"
    r"ph?an[yu]|ubon|unch|anch|yos|yut).{3,}"
)
_INDONESIAN_PARTS = re.compile(
    r"(?:dj|tj|sj|[bghkmprsw]?oe)[a-z]{3}.*|su[bcdghjkmnprstwy].{2,}(?:o|i|man|yem|tun|nah)|"
    r".{3,}(?:wati|wan|yanto|yono|[drt]jo|oedya)|.*(?:wid?jaja|wijaya|saputr[ai]|hidayat|nugroho|santoso|hartono|wibowo|kusumo|prasety[oa])"
)
_ARABIC_ENDINGS = re.compile(
    r"abd.{2,}|.{3,}(?:[aeiu]l?d+ine?|[aou]llah|zad(?:eh?|a)|p(?:ou|oo|u)r|n[ei]j?zh?ad)"
)
_FORMS = (
    (_SLAVIC_ENDINGS, SLAVIC),
    (_GREEK_ENDINGS, GREEK),
    (_THAI_PARTS, THAI),
    (_INDIAN_ENDINGS, INDIAN),
    (_INDONESIAN_PARTS, INDONESIAN),
    (_IBERIAN_ENDINGS, IBERIAN),
    (_ARABIC_ENDINGS, ARABIC),
)
_SERVANT = re.compile(r"^abd(?:[aeou]{1,2}(?:l|([rnszd])(?=\1))?)?(?=[a-z]{3})")
_ARTICLE = re.compile(r"^[ae]l(?=[bcdfghjklmnpqrstvwxyz][a-z]{3}|[a-z]{5})")
_ARABIC_SERVANT = "\u0639\u0628\u062f"

_MARKS = re.compile(r"[\u0610-\u061a\u064b-\u065f\u0670\u0640\u0591-\u05c7]")
_PLAIN = str.maketrans(
    "\u0623\u0625\u0622\u0671\u0649\u06cc\u06d2\u06a9\u06c1\u06c3\u06d5\u0629\u0624\u0626",
    "\u0627\u0627\u0627\u0627\u064a\u064a\u064a\u0643\u0647\u0647\u0647\u0647\u0648\u064a",
)
# Urdu letters with the Arabic letters for their sounds: retroflex consonants, a nasal, and the two letters for an aspirate.
_URDU = str.maketrans(
    "\u06c1\u06c3\u06d5\u06d2\u06d3\u0679\u0688\u0691\u06ba",
    "\u0647\u0647\u0647\u06cc\u06cc\u062a\u062f\u0631\u0646",
)
_ASPIRATES = (
    ("\u06a9\u06be", "\u062e"),
    ("\u06af\u06be", "\u063a"),
    ("\u062a\u06be", "\u062b"),
    ("\u0679\u06be", "\u062b"),
)
_ARTICLE_WITHIN = re.compile(
    "(?<=[\u0621-\u064a]{2})\u0627\u0644(?=[\u0621-\u06cc]{3})"
)  # as in Noureddine and Abdul Sattar
_LONG_VOWELS = frozenset("\u05d5\u05d9\u064a\u06cc\u0648")
_HAH = "\u062d"
_ALEF, _WAW, _AIN = "\u0627", "\u0648", "\u0639"
_CARRIERS = frozenset("\u0639\u0621\u0623\u0625\u0622\u0626\u0624")
_V, _SOME = "[aeiou]{0,3}", "[aeiou]{1,3}"
# Letters of a script as patterns over sounds, with the vowel that may follow; long vowels are written, short ones are not.
_ARABIC_LETTERS = {
    "\u0627": "[aeo]",
    "\u0649": "[aei]h?",
    "\u0648": f"(?:w{_V}|[ou])",
    "\u064a": f"[ie]{_V}",
    "\u06cc": f"[ie]{_V}",
    "\u0629": "(?:[ae]?[ht]?)",
    "\u0647": f"h?{_V}",
    "\u06be": f"h?{_V}",
    **dict.fromkeys("\u0639\u0621\u0623\u0625\u0622\u0626\u0624", _V),
    **{
        letter: f"{sound}{_V}"
        for letter, sound in {
            "\u0628": "b",
            "\u067e": "p",
            "\u062a": "t",
            "\u0637": "t",
            "\u062b": "[st]",
            "\u062c": "j",
            "\u0686": "S",
            "\u062d": "h",
            "\u062e": "h",
            "\u062f": "d",
            "\u0630": "[dz]",
            "\u0631": "r",
            "\u0632": "z",
            "\u0698": "(?:z|zh|j)",
            "\u0633": "s",
            "\u0635": "s",
            "\u0634": "S",
            "\u0636": "[dz]",
            "\u0638": "[zd]",
            "\u063a": "[Gk]",
            "\u0641": "f",
            "\u0642": "[kG]",
            "\u0643": "k",
            "\u06a9": "k",
            "\u06af": "j",
            "\u0644": "l",
            "\u0645": "m",
            "\u0646": "n",
        }.items()
    },
}
_HEBREW_LETTERS = {
    "\u05d5": f"(?:v{_V}|[ou]{_V})",
    "\u05d9": f"[ie]{_V}",
    "\u05d4": f"h?{_V}h?",
    **dict.fromkeys("\u05d0\u05e2", _V),
    **{
        letter: f"{sound}{_V}"
        for letters, sound in {
            "\u05d1": "[bv]",
            "\u05d2": "g",
            "\u05d3": "d",
            "\u05d6": "[zs]",
            "\u05d7": "h",
            "\u05d8\u05ea": "t",
            "\u05db\u05da": "[kh]",
            "\u05dc": "l",
            "\u05de\u05dd": "m",
            "\u05e0\u05df": "n",
            "\u05e1": "s",
            "\u05e4\u05e3": "[pf]",
            "\u05e6\u05e5": "[Tz]",
            "\u05e7": "k",
            "\u05e8": "r",
            "\u05e9": "[Ss]",
        }.items()
        for letter in letters
    },
}
_LETTERS = {ARABIC: _ARABIC_LETTERS, HEBREW: _HEBREW_LETTERS}


@dataclass(frozen=True, slots=True)
class Tradition:
    """How a tradition writes its sounds.

    Attributes:
        alike: Pairs of vowels that are equivalent in another romanisation.
        sounds: Spellings and the sounds that they represent, in the order in which they are replaced.
        patterns: Patterns and the sounds that they represent if that depends on neighbouring letters; they are replaced first.
        families: Groups of spellings of one family name.
        first_spellings: The first spelling in each group of `families`.
    """

    alike: frozenset[frozenset[str]]
    sounds: tuple[tuple[str, str], ...]
    patterns: tuple[tuple[str, str], ...]
    families: dict[str, frozenset[int]]
    first_spellings: frozenset[str]


@cache
def traditions() -> dict[str, Tradition]:
    """Return the traditions that come with the package, by name."""
    return {name: _tradition(written) for name, written in asset_yaml("names/romanisation.yaml").items()}


def _tradition(written: dict[str, Any]) -> Tradition:
    families: dict[str, set[int]] = {}
    for number, line in enumerate(written.get("families", "").splitlines()):
        for word in line.split():
            families.setdefault(word, set()).add(number)
    return Tradition(
        alike=frozenset(frozenset(pair) for pair in written["alike"]),
        sounds=tuple((spelling, sound) for spelling, sound in written["sounds"]),
        patterns=tuple((pattern, sound) for pattern, sound in written.get("patterns", ())),
        first_spellings=frozenset(line.split()[0] for line in written.get("families", "").splitlines()),
        families={word: frozenset(numbers) for word, numbers in families.items()},
    )


def traditions_of(words: Iterable[Word]) -> frozenset[str]:
    """Return the traditions that the words of a name indicate."""
    return frozenset().union(*(_traditions_of_word(word) for word in words))


@lru_cache(maxsize=_REMEMBERED)
def _traditions_of_word(word: Word) -> frozenset[str]:
    found = {name for form, name in _FORMS if form.fullmatch(word.text)}
    if word.foreign:
        found.update(name for script, name in _SCRIPTS if script.search(word.raw))
    return name_lexicon().traditions.get(word.text, frozenset()) | found


@lru_cache(maxsize=_REMEMBERED)
def sounds(text: str, name: str) -> str:
    """Return the sounds of a word in Latin letters, according to a tradition."""
    tradition = traditions()[name]
    for pattern, sound in tradition.patterns:
        text = re.sub(pattern, sound, text)
    text = respelled(text, tradition.sounds)
    if name in {ARABIC, HEBREW}:
        text = re.sub(r"(?<=[aeo])h$", "", text)
    if name == SLAVIC:
        text = re.sub(r"^i(?=[aeou])", "", text)
        text = re.sub(r"(ii|i)$", "i", text)
    return _DOUBLED.sub(r"\1", text)


@lru_cache(maxsize=_REMEMBERED)
def sound_alike(left: str, right: str, name: str) -> bool:
    """Return whether two words in Latin letters may be one name in two romanisations of a tradition."""
    one, other = sounds(left, name), sounds(right, name)
    slack = 0 if name in _ALL_VOWELS else 2 if min(len(one), len(other)) >= _LONG else 1
    return _alike(one, other, traditions()[name].alike, slack)


def _alike(one: str, other: str, alike: frozenset[frozenset[str]], slack: int) -> bool:
    """Return whether consonants agree and vowels are equivalent; a vowel between consonants may be missing, at most `slack` times."""
    vowels = [found for text in (one, other) for found in text if found in _VOWELS]
    if len(one) - sum(c in _VOWELS for c in one) < 1 or not vowels:
        return one == other

    def go(i: int, j: int, left: int) -> bool:
        if i == len(one) or j == len(other):
            return i == len(one) and j == len(other)
        a, b = one[i], other[j]
        if (a == b or frozenset((a, b)) in alike) and go(i + 1, j + 1, left):
            return True
        if not left:
            return False
        if a in _VOWELS and 0 < i < len(one) - 1 and j and go(i + 1, j, left - 1):
            return True
        return b in _VOWELS and 0 < j < len(other) - 1 and i > 0 and go(i, j + 1, left - 1)

    return go(0, 0, slack)


def plain_letters(raw: str) -> str:
    """Return a word in Arabic or Hebrew script without vowel signs, with one letter for those that have several forms."""
    return _MARKS.sub("", raw).translate(_PLAIN)


def script_alike(written: Word, latin: str) -> bool | None:
    """Return whether a word in Arabic or Hebrew script may match a word in Latin letters; None for other scripts."""
    for script, name in _SCRIPTS:
        if name in _LETTERS and script.search(written.raw):
            spoken = sounds(latin, name)
            return any(pattern.fullmatch(spoken) for pattern in _patterns(written.raw, name))
    return None


@lru_cache(maxsize=_REMEMBERED)
def _patterns(raw: str, name: str) -> tuple[re.Pattern[str], ...]:
    """Return the sounds of a word as patterns; a word that contains the article also as one in which it is pronounced."""
    if name != ARABIC:
        return (re.compile(_pattern(raw, name)),)
    plain = respelled(raw, _ASPIRATES).translate(_URDU)
    before, *after = _ARTICLE_WITHIN.split(plain, 1)
    whole = re.compile(_pattern(plain, name))
    if not after:
        return (whole,)
    return whole, re.compile(f"{_pattern(before, name)}[aeiou]{{0,2}}l?{_pattern(after[0], name)}")


def _pattern(raw: str, name: str) -> str:
    letters = [letter for letter in _DOUBLED.sub(r"\1", raw) if letter in _LETTERS[name]]
    parts = [_LETTERS[name][letter] for letter in letters]
    if letters and letters[0] in "\u0627\u0623\u0625\u0622\u0639\u05d0\u05e2":
        parts[0] = _V if len(letters) > 1 and letters[1] in _LONG_VOWELS else _SOME
    if name == ARABIC:
        for place in range(1, len(letters)):
            before, letter = letters[place - 1], letters[place]
            if letter == _ALEF and before in _CARRIERS:
                parts[place] = "[aeo]?"  # it is the same vowel as that of the letter before
            if letter == _WAW and before == _ALEF:
                parts[place - 1] = "[aeo]?"  # `aw` is pronounced as one vowel
            if letter == _AIN:
                parts[place] = f"w?{_V}"  # as in Souad
    if (
        letters
        and parts[-1].endswith(_V)
        and letters[-1] not in "\u0627\u0639\u0621\u05d0\u05e2\u05d4\u05d5\u05d9\u064a\u06cc\u0648"
    ):
        parts[-1] = "h?" if letters[-1] == _HAH else parts[-1].removesuffix(_V)
    return "".join(parts)


def arabic_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words of an Arabic name without the article, and with `abd` joined to the word that it belongs to."""
    particles = name_lexicon().particles
    found: list[Word] = []
    servant = False
    for word in words:
        if (
            word.text in {"abd", "abdul", "abdel", "abdal", "abdur", "abdus", "abdol"}
            or word.raw == _ARABIC_SERVANT
        ):
            servant = True
            continue
        if word.text in particles and word.text != "abu":
            continue
        text = word.text if word.foreign else _ARTICLE.sub("", _SERVANT.sub("abd", word.text, 1), 1)
        if servant:
            text = "abd" + text
        raw = _ARABIC_SERVANT + word.raw if servant and word.foreign else word.raw
        found.append(Word(text, word.foreign, raw))
        servant = False
    if servant:
        found.append(Word("abd"))
    return tuple(found)
