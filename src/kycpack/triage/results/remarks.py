"""Recognises free text that says that all is well: every word is known, and it says nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kycpack.triage.results.vocabulary import RemarkWords, words_of

_CLAUSES = re.compile(r"[.,;:!\n()]+|\s[-\u2013\u2014]+\s|\band (?=no\b)|\bwith (?=no\b)")
_SAME_COUNT = re.compile(r"\b(\d+)\s*(?:of|/|out of)\s*\1\b")
_TOKENS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s'\"-]")
_ENUMERATED = re.compile(
    r"\b(?:no|without|nor)\b(?! (?:issue|concern|problem|remark|finding|doubt|objection))[^.,;:!\n]*(?:, [^.,;:!\n]*)+\b(?:or|nor)\b"
)
_LONGEST = 600
_WORDS = words_of("remarks")
_WELL, _NOTHING, _MORE = "well", "nothing", "more"


@lru_cache(maxsize=4_096)
def says_all_is_well(text: str, words: RemarkWords, *, of_search: bool) -> bool:
    """Return whether a text says that something is fine and nothing else; False if it has an unknown word.

    Args:
        text: What a person or a machine wrote.
        words: The known words.
        of_search: Whether it is about a search of lists, where a match is trouble.
    """
    if len(text) > _LONGEST:
        return False
    said = {
        _said(clause, words, of_search=of_search)
        for clause in _clauses(_SAME_COUNT.sub("all", text.casefold().replace("\u2019", "'")))
    }
    return _WELL in said and _MORE not in said


def _clauses(text: str) -> Iterator[list[str]]:
    """Yield the clauses of a text, each as its words: `no tampering, forgery or replay` is one."""
    for part in _CLAUSES.split(_ENUMERATED.sub(lambda found: found.group().replace(",", " or"), text)):
        if tokens := _TOKENS.findall(part):
            yield tokens


def _said(tokens: list[str], words: RemarkWords, *, of_search: bool) -> str:
    """Return what a clause says: that something is fine, nothing, or something else."""
    denied = next((place for place, token in enumerate(tokens) if token in words.negatives), None)
    if denied is not None:
        before, after = tokens[:denied], tokens[denied:]
        # `Face no match` denies what is good, and `sanctions no fraud` may be about somebody on a list.
        known = words.neutral | (_WORDS["listed"] | _WORDS["searches"] if of_search else words.subjects)
        # What is good may come before, as in `all checks completed without findings`.
        known |= frozenset() if of_search else words.good
        is_known = {*before} <= known and not (before and of_search and words.entries.isdisjoint(after))
        well = is_known and _is_denial(after, words, of_search=of_search)
        return _WELL if well else _MORE
    good = words.good - words.matching if of_search else words.good
    if of_search and not _WORDS["listed"].isdisjoint(tokens) and _WORDS["searches"].isdisjoint(tokens):
        return _MORE
    if not {*tokens} <= words.subjects | words.neutral | words.found | good:
        return _MORE
    if "same" in tokens and not of_search and not _WORDS["who"].isdisjoint(tokens):
        return _WELL
    # A date that has passed is over, but a check that has passed is fine.
    if "passed" in tokens and not _WORDS["ends"].isdisjoint(tokens):
        return _MORE
    return _NOTHING if good.isdisjoint(tokens) else _WELL


def _is_denial(tokens: list[str], words: RemarkWords, *, of_search: bool) -> bool:
    """Return whether a clause denies some trouble, as in `no signs of tampering on the document`."""
    troubles = words.troubles | words.entries if of_search else words.troubles
    said = next((place for place, token in enumerate(tokens[1:], 1) if token not in words.signs), len(tokens))
    rest = tokens[said:]
    known = troubles | words.subjects | words.neutral | words.found | words.signs
    named = bool(rest) and rest[0] in troubles
    if tokens[0] in {"nothing", "none"} and 0 < len(tokens) - 1 <= len({*tokens} & _WORDS["to_add"]):
        return True
    # `Nothing found` is good only for a search of lists: elsewhere something was expected.
    found = of_search and tokens[0] in {"nothing", "none"} and rest[:1] != [] and rest[0] in words.found
    # As in `nothing about this person`.
    of_person = (
        of_search
        and tokens[0] in {"nothing", "none", "nobody"}
        and tokens[1:2]
        and tokens[1] in _WORDS["about"]
    )
    if of_person and {*tokens[2:]} <= words.subjects | words.neutral and len(tokens) > 2:
        return True
    return (named or found) and {*rest} <= known
