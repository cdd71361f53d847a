"""Whose money a relative pays in: a text that names a firm after the relative's name says that it is the firm's.

Source: FATF, Guidance on Politically Exposed Persons (2013), and OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013): sums for an
official that reach the account through a member of the family.
"""

from __future__ import annotations

import re

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, Words, words_of
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, compiled

_FEWEST_LETTERS = 3  # a shorter legal form is also a word: `AS`, `CO`
_BEHALF = r".*\b(?:von|from|de|auftrag|behalf of|obo) ((?:[^ ]+ ){1,4}?)(?:%s)\b"  # the last of such words


def of_firms(book: Book, rows: Codes, family: Mask, party: Words, lexicon: Lexicon) -> tuple[Words, Mask]:
    """Return the other parties, with the firm in place of the relative who pays on its behalf, and which rows these are.

    A firm that has a word of the relative's name is the family's own, and its money the family's.

    Args:
        book: Transactions.
        rows: Rows of the book.
        family: Credits from a party with the customer's surname.
        party: The other party of each row.
        lexicon: Legal forms.
    """
    found = np.zeros(len(rows), dtype=np.bool_)
    at = np.flatnonzero(family)
    texts = book.columns["description_raw"].read(lexicon.words_of).of_rows(rows[at])
    forms = sorted(one for one in lexicon.legal_suffixes if len(one) >= _FEWEST_LETTERS)
    pattern = compiled(_BEHALF % "|".join(map(re.escape, forms)))
    firms = [match[1].strip() if (match := pattern.match(str(text))) else "" for text in texts.distinct]
    if not any(firms):
        return party, found
    named = words_of(np.array(firms, dtype=object), texts.codes)
    strange = [
        bool(firm) and set(firm.split()).isdisjoint(who.split())
        for firm, who in zip(named[:], party[at], strict=True)
    ]
    chosen = np.flatnonzero(np.array(strange, dtype=np.bool_))
    found[at[chosen]] = True
    codes = party.codes % len(party.distinct)
    codes[at[chosen]] = named.codes[chosen] + len(party.distinct)
    return words_of(np.concatenate([party.distinct, named.distinct]), codes), found
