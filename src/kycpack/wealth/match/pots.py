"""Money that comes back from a pot: a part of an account that earlier debits of the same account filled."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kycpack.assets import asset_yaml
from kycpack.wealth.match.sides import Debits, Sides, any_of
from kycpack.wealth.prepare.coded import Coded, Codes, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, matches, party_of_name, without_words
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals


def match_pots(
    book: Book, rows: Codes, signals: Signals, sides: Sides, debits: Debits, lexicon: Lexicon
) -> Codes:
    """Return, for each credit from a pot, the latest debit that filled it.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What the credits' codes and words show.
        sides: What they show about their other party.
        debits: The debits that count.
        lexicon: Words that name nobody.

    Returns:
        Rows of the book; -1 if no pot with the name is known in the account, or less was put into it than has come out.
    """
    found = np.full(len(rows), -1, dtype=np.int64)
    into = _pots(signals, lexicon)
    into[sides.against | signals.refund] = None
    taken = np.flatnonzero(into != None)  # noqa: E711 - element by element
    if not taken.size:
        return found
    filled = _pots(debits.signals, lexicon)
    put = np.flatnonzero(filled != None)  # noqa: E711 - element by element
    moves = [(int(book.day[debits.rows[at]]), 0, int(debits.rows[at]), str(filled[at]), -1) for at in put]
    moves += [(int(book.day[rows[at]]), 1, int(rows[at]), str(into[at]), int(at)) for at in taken]
    held: dict[tuple[int, int, str], int] = defaultdict(int)
    last: dict[tuple[int, int, str], int] = {}
    for _, _, row, pot, credit in sorted(moves):
        key = int(book.account[row]), int(book.currency.codes[row]), pot
        if credit < 0:
            last[key] = row
        elif held[key] >= book.amount[row]:
            found[credit] = last[key]
        else:
            continue
        held[key] -= int(book.amount[row])
    return found


def _pots(signals: Signals, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    """Return the name of the pot of each row; None if it names none, or names somebody."""
    found = [
        _named_pots(column.read(to_plain_text), lexicon) for column in (signals.names, signals.description)
    ]
    return np.where(signals.names.codes >= 0, *found)


def _named_pots(texts: Coded, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    plain: list[str] = texts.distinct.tolist()
    pot, account = _patterns()
    names = np.full(len(plain), None, dtype=object)
    for at in np.flatnonzero(matches(plain, pot)).tolist():
        if party_of_name(plain[at], lexicon) not in (PERSON, FIRM, STATE):
            names[at] = " ".join(without_words(without_words([plain[at]], account), lexicon.dropped_pattern))
    return pick(names, texts.codes, None)


@lru_cache(maxsize=1)
def _patterns() -> tuple[str, str]:
    document = asset_yaml("lexicon/own_accounts.yaml")
    return any_of(document["pots"]), any_of(document["words"])
