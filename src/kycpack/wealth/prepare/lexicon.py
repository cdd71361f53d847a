"""The lexicon: which codes and words say what a credit is, read from `data/lexicon/wealth.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from kycpack.assets import asset_text

Codes = npt.NDArray[np.int64]

NO_TYPE = -1
_FEW_TEXTS = 500  # below it, compiling a pattern anew costs more than matching
_SHORTEST_CUT = 5
_LONG_BEFORE_CUT = 6
_LONGEST_INITIALS = 3  # two initials and a surname
OTHER = "other"


@dataclass(frozen=True)
class Lexicon:
    """Signals by type and by mark.

    Args:
        version: Version of the data file.
        types: Names of types in order of precedence; a type's index is its code.
        says: What a type means in words, by name.
        corroboration: What an auditor would ask for, by name.
        purposes: ISO 20022 purpose -> type.
        bank_codes: ISO 20022 bank transaction code, or its beginning -> type.
        merchant_categories: ISO 18245 code -> type.
        type_patterns: A pattern for each type, in the order of `types`; empty where there are no words.
        mark_purposes: Mark -> purposes.
        mark_bank_codes: Mark -> bank transaction codes, or their beginnings.
        mark_patterns: Mark -> pattern.
        nature_pattern: The words of all types.
        family_pattern: Words for relatives.
        titles: How people are addressed.
        dropped_pattern: Words that do not name a payer.
        suffix_pattern: Legal forms.
        fragment_pattern: A last token that a narrow field cut down to the beginning of a month or to one letter.
        dropped_words: The words of `dropped_pattern`.
        legal_suffixes: The words of `suffix_pattern`.
    """

    version: str
    types: tuple[str, ...]
    says: dict[str, str]
    corroboration: dict[str, str]
    purposes: dict[str, str]
    bank_codes: dict[str, str]
    merchant_categories: dict[str, str]
    type_patterns: tuple[str, ...]
    mark_purposes: dict[str, frozenset[str]]
    mark_bank_codes: dict[str, tuple[str, ...]]
    mark_patterns: dict[str, str]
    nature_pattern: str
    family_pattern: str
    titles: frozenset[str]
    dropped_pattern: str
    suffix_pattern: str
    fragment_pattern: str
    dropped_words: frozenset[str]
    legal_suffixes: frozenset[str]

    def code(self, name: str) -> int:
        """Return the code of a type."""
        return self.types.index(name)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    document = yaml.safe_load(asset_text("lexicon/wealth.yaml"))
    types = document["types"]
    names = (*(entry["type"] for entry in types), OTHER)
    marks = document["marks"]
    return Lexicon(
        version=document["lexicon"]["version"],
        types=names,
        says={entry["type"]: entry["says"] for entry in types} | {OTHER: "nature not established"},
        corroboration={entry["type"]: entry["corroboration"] for entry in types}
        | {OTHER: "what it was for, and proof of it"},
        purposes=document["purposes"],
        bank_codes=document["bank_codes"],
        merchant_categories=document["merchant_categories"],
        type_patterns=(*(_type_pattern(entry) for entry in types), ""),
        mark_purposes={name: frozenset(mark.get("purposes", ())) for name, mark in marks.items()},
        mark_bank_codes={name: tuple(mark.get("bank_codes", ())) for name, mark in marks.items()},
        mark_patterns={name: _words_pattern(mark.get("words", ())) for name, mark in marks.items()},
        nature_pattern=_words_pattern([word for entry in types for word in entry.get("words", ())]),
        family_pattern=_words_pattern(document["family_words"]),
        titles=frozenset(document["titles"]),
        dropped_pattern=_words_pattern([*document["channel_words"], *document["months"]]),
        suffix_pattern=_words_pattern(document["legal_suffixes"]),
        fragment_pattern=_fragment_pattern(document["months"]),
        dropped_words=frozenset([*document["channel_words"], *document["months"]]),
        legal_suffixes=frozenset(document["legal_suffixes"]),
    )


def _type_pattern(entry: dict[str, Any]) -> str:
    parts = []
    if entry.get("words"):
        parts += [_words_pattern(entry["words"]), _cut_pattern(entry["words"])]
    if entry.get("whole"):
        parts.append("^(?:" + "|".join(_escaped(entry["whole"])) + ")$")
    if entry.get("anywhere"):
        parts.append("|".join(_escaped(entry["anywhere"])))
    return "|".join(parts)


def _words_pattern(words: Iterable[str]) -> str:
    escaped = _escaped(words)
    return r"(?:^| )(?:" + "|".join(escaped) + r")(?: |$)" if escaped else ""


def _cut_pattern(words: Iterable[str]) -> str:
    """Return a pattern for phrases whose last word a narrow field cut off at the end of the text."""
    cut = set()
    for phrase in _plain(words):
        before, _, last = phrase.rpartition(" ")
        shortest = _SHORTEST_CUT if not before else 1 if len(before) >= _LONG_BEFORE_CUT else 2
        cut |= {f"{before} {last[:length]}".strip() for length in range(shortest, len(last))}
    return r"(?:^| )(?:" + "|".join(re.escape(phrase) for phrase in sorted(cut)) + r")$" if cut else r"^\b$"


def _fragment_pattern(months: Iterable[str]) -> str:
    beginnings = sorted({month[:length] for month in months for length in range(2, len(month))})
    return " (?:" + "|".join(["[^ ]", *beginnings]) + ")$"


def _escaped(words: Iterable[str]) -> list[str]:
    return [re.escape(word) for word in _plain(words)]


def _plain(words: Iterable[str]) -> list[str]:
    plain = set(to_plain_text(sorted(set(words))))
    return sorted((word for word in plain if word), key=lambda word: (-len(word), word))


def to_plain_text(texts: Sequence[str] | npt.NDArray[np.object_]) -> list[str]:
    """Return texts in lower case, without accents, punctuation and tokens that hold digits, single-spaced.

    Args:
        texts: Distinct texts; each is worked on once.
    """
    values = pa.array(texts, type=pa.string())
    # References make nearly every text another one; without them few are left to be worked on.
    values = pc.replace_substring_regex(values, r"[\pL\pN]*\pN[\pL\pN]*", " ")
    encoded = pc.dictionary_encode(values)
    values = folded(encoded.dictionary)
    values = pc.replace_substring_regex(values, r"[^ ]*\pN[^ ]*", " ")
    values = pc.replace_substring_regex(values, r" +", " ")
    return cast("list[str]", pc.take(pc.utf8_trim_whitespace(values), encoded.indices).to_pylist())


def folded(values: pa.Array) -> pa.Array:
    """Return texts in lower case, without accents, with a blank for each run of punctuation."""
    values = pc.utf8_lower(pc.utf8_normalize(values, form="NFKD"))
    values = pc.replace_substring_regex(values, "\\pM+|['\u2019`]", "")
    return pc.replace_substring_regex(values, r"[^\pL\pN]+", " ")


def matches(texts: Sequence[str], pattern: str) -> npt.NDArray[np.bool_]:
    """Return which plain texts a pattern of this lexicon matches."""
    if not pattern or not len(texts):
        return np.zeros(len(texts), dtype=np.bool_)
    if len(texts) < _FEW_TEXTS:
        compiled = _compiled(pattern)
        return np.array([compiled.search(text) is not None for text in texts], dtype=np.bool_)
    found = pc.match_substring_regex(pa.array(texts, type=pa.string()), pattern)
    return cast("npt.NDArray[np.bool_]", found.to_numpy(zero_copy_only=False))


def without_words(texts: Sequence[str], pattern: str) -> list[str]:
    """Return plain texts without the words a pattern matches; neighbours share a blank, so it is applied twice."""
    if len(texts) < _FEW_TEXTS:
        compiled = _compiled(pattern)
        return [" ".join(compiled.sub(" ", compiled.sub(" ", text)).split()) for text in texts]
    values = pa.array(texts, type=pa.string())
    for _ in range(2):
        values = pc.replace_substring_regex(values, pattern, " ")
    values = pc.replace_substring_regex(values, r" +", " ")
    return cast("list[str]", pc.utf8_trim_whitespace(values).to_pylist())


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def types_of_texts(texts: Sequence[str], lexicon: Lexicon) -> Codes:
    """Return the code of the type that the words of plain texts say, `NO_TYPE` where they say none."""
    result = np.full(len(texts), NO_TYPE, dtype=np.int64)
    open_texts = np.flatnonzero(matches(texts, "|".join(p for p in lexicon.type_patterns if p)))
    for code, pattern in enumerate(lexicon.type_patterns):
        if not open_texts.size or not pattern:
            continue
        hit = matches([texts[index] for index in open_texts.tolist()], pattern)
        result[open_texts[hit]] = code
        open_texts = open_texts[~hit]
    return result


def types_of_codes(values: Sequence[str], table: dict[str, str], lexicon: Lexicon) -> Codes:
    """Return the code of the type that ISO codes say; a bank transaction code counts by its longest known beginning."""
    result = np.full(len(values), NO_TYPE, dtype=np.int64)
    for index, value in enumerate(values):
        key = value.strip().upper()
        while key:
            if key in table:
                result[index] = lexicon.code(table[key])
                break
            key = key.rpartition("-")[0]
    return result


def name_people(keys: Sequence[str], lexicon: Lexicon) -> npt.NDArray[np.bool_]:
    """Return which payer's keys read like a person: a title, or an initial and a surname."""
    result = np.zeros(len(keys), dtype=np.bool_)
    for index, key in enumerate(keys):
        words = key.split()
        result[index] = len(words) > 1 and (
            words[0] in lexicon.titles
            or (len(words) <= _LONGEST_INITIALS and any(len(word) == 1 for word in words[:-1]))
        )
    return result


def marked_codes(values: Sequence[str], beginnings: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Return which bank transaction codes begin with one of those given."""
    known = tuple(beginnings)
    return np.array(
        [value.strip().upper().startswith(known) if known else False for value in values], dtype=np.bool_
    )
