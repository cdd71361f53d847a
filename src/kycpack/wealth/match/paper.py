"""Cheques and cash: money that leaves an account on paper and so cannot arrive in another one as an electronic payment."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_plain_words

ELECTRONIC, CASH, CHEQUE = 0, 1, 2
"""How a payment is made; a number above `CHEQUE` is that of a cheque, plus `CHEQUE`."""

_CODES = {"PMNT-ICHQ": CHEQUE, "PMNT-RCHQ": CHEQUE, "PMNT-CNTR-CWDL": CASH, "PMNT-CCRD-CWDL": CASH}
_MOST_DIGITS = 12


def read_paper(book: Book, rows: Codes) -> Codes:
    """Return how rows are paid: `ELECTRONIC`, `CASH`, `CHEQUE`, or above that a cheque's number.

    Args:
        book: Transactions.
        rows: Rows to read.
    """
    texts = book.columns["description_raw"].of_rows(rows)
    of_text = np.array([_paper_of(text) for text in to_plain_words(texts.distinct)], dtype=np.int64)
    paper = np.asarray(pick(of_text, texts.codes, ELECTRONIC), dtype=np.int64)
    if "bank_code" not in book.columns:
        return paper
    shown = book.columns["bank_code"].of_rows(rows)
    of_code = [
        next((kind for begin, kind in _CODES.items() if str(code).upper().startswith(begin)), ELECTRONIC)
        for code in shown.distinct
    ]
    by_code = pick(np.array(of_code, dtype=np.int64), shown.codes, ELECTRONIC)
    return np.where(paper == ELECTRONIC, by_code, paper)


def is_same_paper(credit: Codes, debit: Codes) -> Mask:
    """Return which credits can be what the debits paid out: both electronic, both cash, or one cheque, whose number may be missing on one side."""
    cheques = (credit >= CHEQUE) & (debit >= CHEQUE) & ((credit == CHEQUE) | (debit == CHEQUE))
    return np.asarray((credit == debit) | cheques, dtype=np.bool_)


def _paper_of(text: str) -> int:
    cheque, cash = _patterns()
    found = cheque.search(text)
    if found is not None:
        digits = found["number"] or ""
        return CHEQUE + (int(digits[-_MOST_DIGITS:]) if digits else 0)
    return CASH if cash.search(text) else ELECTRONIC


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a cheque, with its number if there is one, and of cash, in plain words."""
    document = asset_yaml("lexicon/own_accounts.yaml")
    cheque, beside, cash = ("|".join(document[name]) for name in ("cheque", "beside_cheque", "cash"))
    lead = rf"(?:^|\b(?:{beside}) )(?:{cheque})"
    # COMPTE CHEQUE and CHECK CARD are not cheques: a cheque has a number, or nothing is said beside it.
    numbered = rf"\b(?:{cheque})(?: (?:{beside}))* (?P<number>[0-9]{{3,}})\b"
    return re.compile(rf"{numbered}|{lead}(?: (?:{beside}))*$"), re.compile(rf"\b(?:{cash})\b")
