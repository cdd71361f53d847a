"""The names by which transactions name their other party, in a form in which those of credits and debits can be compared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import Codes, is_in, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, without_words
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.prepare.phrase_meanings import without_sent_back

Texts = npt.NDArray[np.object_]

_KEPT_NAMES = 8_192
_SHORTEST_SHARED = 4
_WITH_DIGITS = re.compile(r"\b[a-z]++\d[a-z\d]*+\b")  # as in JET2; a date or a number begins with a digit


def party_names(book: Book, rows: Codes, lexicon: Lexicon) -> Texts:
    """Return the words that name the other party, sorted, without words for the return and for what was paid."""
    party = party_keys(book, rows, lexicon)
    bare = without_words(without_sent_back(party).distinct.tolist(), lexicon.refund_pattern)
    core = without_words(bare, lexicon.nature_pattern)
    names = [_in_order(short or long) for short, long in zip(core, bare, strict=True)]
    return np.array(names, dtype=object)[party.codes]


def names_as_written(book: Book, rows: Codes, others: Codes, lexicon: Lexicon) -> Texts:
    """Return the names in `rows` as the rows `others` write them, as in `_spelled_alike`."""
    names, owners = party_names(book, rows, lexicon), book.owners(rows)
    # Payers have few names, which rows repeat.
    named = joint_code(book.owners(others), party_keys(book, others, lexicon).codes)
    once = others[np.unique(named, return_index=True)[1]]
    written = set(zip(book.owners(once).tolist(), party_names(book, once, lexicon).tolist(), strict=True))
    new = np.array(
        [
            not name or (owner, name) not in written
            for owner, name in zip(owners.tolist(), names, strict=True)
        ],
        dtype=np.bool_,
    )
    near = others[is_in(book.owners(others), owners[new])]
    asked = owners[new], names[new], _words_with_digits(book, rows[new])
    known = book.owners(near), party_names(book, near, lexicon), _words_with_digits(book, near)
    names[new] = _spelled_alike(asked, known, lexicon.given_names)
    return names


def may_be_one(name: str, other: str) -> bool:
    """Return whether two names share a word, or one of them is empty."""
    return not name or not other or not set(name.split()).isdisjoint(other.split())


def share_a_word(name: str, other: str) -> bool:
    """Return whether two names share a word that is long enough to name somebody."""
    return any(len(word) >= _SHORTEST_SHARED for word in set(name.split()) & set(other.split()))


def _spelled_alike(
    asked: tuple[Codes, Texts, Texts], known: tuple[Codes, Texts, Texts], given_names: Collection[str]
) -> Texts:
    """Return the names that are asked for as the known side writes them, where exactly one name of the same owner there is alike.

    Two names are alike if more than half of the words of the shorter are in the other, as in "SUMUP" and "SUMUP PAYOUT", or if they share a
    word with digits, as in "JET2 HOLIDAYS" and "JET2.COM LEEDS". A name that is there already stays, and so does one that nobody is called.

    Args:
        asked: Owner, name and words with digits of each row of one side.
        known: The same of the other side.
        given_names: Words that are not enough by themselves.
    """
    words: dict[tuple[int, str], set[str]] = defaultdict(set)
    having: dict[tuple[int, str], set[str]] = defaultdict(set)
    for owner, name, digits in sorted(set(zip(*(each.tolist() for each in known), strict=True))):
        if name:
            words[owner, name] |= {*name.split(), *digits.split()}
    for (owner, name), said in words.items():
        for word in said:
            having[owner, word].add(name)
    result = asked[1].copy()
    for place, (owner, name, digits) in enumerate(zip(*(each.tolist() for each in asked), strict=True)):
        if (owner, name) in words:
            continue
        said = {*name.split(), *digits.split()}
        near = {other for word in said for other in having.get((owner, word), ())}
        alike = [other for other in near if _alike(said, words[owner, other], given_names)]
        if len(alike) == 1:
            result[place] = alike[0]
    return result


def _words_with_digits(book: Book, rows: Codes) -> Texts:
    """Return the words with digits of each row's text, which are not in the names of parties."""
    column = book.columns["description_raw"].of_rows(rows)
    found = [" ".join(_WITH_DIGITS.findall(text.lower())) for text in column.distinct.tolist()]
    return pick(np.array(found, dtype=object), column.codes, "")


def _alike(one: set[str], other: set[str], given_names: Collection[str]) -> bool:
    shared = one & other
    if any(not word.isalpha() for word in shared):
        return True
    telling = [word for word in shared if len(word) >= _SHORTEST_SHARED]
    named = len(shared) > 1 or any(word not in given_names for word in telling)
    return bool(telling) and named and 2 * len(shared) > min(len(one), len(other))


@lru_cache(maxsize=_KEPT_NAMES)
def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))
