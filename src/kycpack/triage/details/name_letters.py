"""Whether a word in a name mixes letters from two scripts, such as Anna with a Cyrillic A, which looks the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.details.specimens import unreadable_names
from kycpack.triage.results.leaf_details import NAME_DETAILS, detail_of
from kycpack.triage.results.result_dates import place_of
from kycpack.triage.results.vocabulary import Vocabulary
from kycpack.triage.results.vocabulary_file import load_vocabulary

PATH, FINE = "plausible.name_letters", "one_script"
_LISTED = frozenset({"document.holder.firstName", "document.holder.lastName"})
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})
_INSIDE_WORD = frozenset({"Mn", "Me", "Cf", "Lm", "Sk"})  # accents, invisible characters, modifiers
_APOSTROPHES = re.compile("['\u2018\u2019`\u00b4\u2032]")
_BETWEEN_WORDS = re.compile(r"[\W\d_]+")
_WRITTEN_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL", "IDEOGRAPHIC"})


def observe_name_letters(customers: Sequence[Any], cases: Mapping[str, CaseFile]) -> None:
    """Add to each session the names with mixed scripts, from the customer record or from the session's results, and what cannot be read as a name.

    Args:
        customers: Rows of `customers`.
        cases: The customers, with the leaf values of their results.
    """
    vocabulary = load_vocabulary()
    records = {row.customer_id: row for row in customers}
    for customer_id, case in cases.items():
        of_record = tuple(_of_record(records.get(customer_id)))
        for session in case.sessions:
            found = (*of_record, *_of_results(session, vocabulary))
            for value, evidence_ids, note in found:
                session.add(PATH, value, *evidence_ids, note=note)
            nobody = tuple(unreadable_names(session, records.get(customer_id)))
            for evidence_ids, why in nobody:
                session.add(PATH, None, *evidence_ids, note=why)
            if session.sections and not (found or nobody):
                session.add(PATH, FINE, session.evidence_id)


def _of_record(row: Any) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for name in () if row is None else (row.first_name, row.last_name):
        if name is not None and (mixed := mixed_scripts(name)):
            yield name, (row.evidence_id,), f"{_words(mixed)} in the customer record"


def _of_results(session: SessionFile, vocabulary: Vocabulary) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for seen in session.seen:
        if not seen.of_results or not isinstance(seen.value, str) or seen.value.isascii():
            continue
        is_name = seen.path in _LISTED or detail_of(seen.path, vocabulary) in NAME_DETAILS
        if is_name and (mixed := mixed_scripts(seen.value)):
            yield seen.value, seen.evidence_ids, f"{_words(mixed)}{place_of(seen.path)}"


def _words(mixed: Sequence[str]) -> str:
    return f"a name in which one word mixes {' and '.join(mixed)} letters"


@lru_cache(maxsize=16_384)
def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the scripts that a word in a name mixes, such as `Cyrillic, Latin`; empty if each word has one script.

    The scripts of East Asia are used together. Accents, apostrophes and invisible characters do not separate words. The ledger's verifier
    has its own check, because it runs without the toolkit.
    """
    if name.isascii():
        return ()
    plain = "".join(
        each
        for each in unicodedata.normalize("NFKD", _APOSTROPHES.sub("", name))
        if unicodedata.category(each) not in _INSIDE_WORD
    )
    for word in _BETWEEN_WORDS.split(plain):
        letters = [each for each in word if unicodedata.category(each) in _LETTERS]
        scripts = {unicodedata.name(each, "UNKNOWN").split()[0].partition("-")[0] for each in letters}
        if len(scripts - _WRITTEN_TOGETHER) > 1:
            return tuple(sorted(each.capitalize() for each in scripts))
    return ()


@lru_cache(maxsize=16_384)
def parts_by_script(name: str) -> tuple[str, ...]:
    """Return the words of each script in a name, as in `Ada Byron (Ада Байрон)`; the scripts of East Asia are one."""
    if name.isascii():
        return (name,)
    parts: dict[str, list[str]] = {}
    for word in name.split():
        letter = next((each for each in word if unicodedata.category(each) in _LETTERS), "")
        if letter:
            script = unicodedata.name(letter, "UNKNOWN").split()[0].partition("-")[0]
            parts.setdefault("CJK" if script in _WRITTEN_TOGETHER else script, []).append(word)
    return tuple(map(" ".join, parts.values()))
