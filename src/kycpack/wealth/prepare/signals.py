"""What codes and words say about each credit or debit, before anything is known of its payer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.intake import Book, Coded, Codes, Mask, pick
from kycpack.wealth.prepare.lexicon import (
    NO_TYPE,
    Lexicon,
    marked_codes,
    matches,
    to_plain_text,
    types_of_codes,
    types_of_texts,
)
from kycpack.wealth.streams.streams import EVIDENCE_LEVELS

CODE, KEYWORD, PATTERN = (EVIDENCE_LEVELS.index(name) for name in ("code", "keyword", "pattern"))
_NAMES = ("counterparty_name", "merchant_name")
_TEXTS = ("description_raw", "counterparty_name", "merchant_name")


@dataclass(frozen=True, eq=False)
class Signals:
    """Signals of some rows, an element a row.

    Args:
        type_code: Type, `NO_TYPE` where nothing says it.
        evidence: Index into `EVIDENCE_LEVELS`.
        refund: A code or word says that it is a refund, a reversal or a returned payment.
        own_transfer: Likewise that it is between accounts, perhaps own ones.
        own_account: The code for a transfer between accounts of one owner.
        bonus: Likewise that it is a bonus, commission or back pay.
        family: A word says that a relative pays.
        merchant: A merchant or a merchant category is named.
        description: Description of the rows.
        names: Counterparty, else merchant.
    """

    type_code: Codes
    evidence: Codes
    refund: Mask
    own_transfer: Mask
    own_account: Mask
    bonus: Mask
    family: Mask
    merchant: Mask
    description: Coded
    names: Coded


def read_signals(book: Book, rows: Codes, lexicon: Lexicon) -> Signals:
    """Return what codes and words say about rows."""
    columns = {name: column.of_rows(rows) for name, column in book.columns.items()}
    type_code = np.full(len(rows), NO_TYPE, dtype=np.int64)
    evidence = np.zeros(len(rows), dtype=np.int64)
    marks = {
        name: np.zeros(len(rows), dtype=np.bool_)
        for name in ("refund", "own_transfer", "own_account", "bonus")
    }
    family = np.zeros(len(rows), dtype=np.bool_)
    for name in _TEXTS:
        if name in columns:
            code, plain = pd.factorize(np.array(to_plain_text(columns[name].distinct), dtype=object))
            texts = list(plain)
            row = pick(code.astype(np.int64), columns[name].codes, -1)
            said = pick(types_of_texts(texts, lexicon), row, NO_TYPE)
            # Of two texts the one with the more specific word counts; the order of types is that of precedence.
            better = (said != NO_TYPE) & ((type_code == NO_TYPE) | (said < type_code))
            type_code = np.where(better, said, type_code)
            for mark, pattern in lexicon.mark_patterns.items():
                marks[mark] |= pick(matches(texts, pattern), row, missing=False)
            family |= pick(matches(texts, lexicon.family_pattern), row, missing=False)
    evidence[type_code != NO_TYPE] = KEYWORD
    for name, table in (
        ("mcc", lexicon.merchant_categories),
        ("bank_code", lexicon.bank_codes),
        ("purpose", lexicon.purposes),
    ):
        if name in columns:
            said = pick(
                types_of_codes(list(columns[name].distinct), table, lexicon), columns[name].codes, NO_TYPE
            )
            type_code = np.where(said != NO_TYPE, said, type_code)
            evidence[said != NO_TYPE] = CODE
    for mark in marks:
        if "purpose" in columns:
            coded = np.array(
                [
                    value.strip().upper() in lexicon.mark_purposes[mark]
                    for value in columns["purpose"].distinct
                ],
                dtype=np.bool_,
            )
            marks[mark] |= pick(coded, columns["purpose"].codes, missing=False)
        if "bank_code" in columns:
            coded = marked_codes(list(columns["bank_code"].distinct), lexicon.mark_bank_codes[mark])
            marks[mark] |= pick(coded, columns["bank_code"].codes, missing=False)
    tax_refund = type_code == lexicon.code("tax_refund")
    return Signals(
        type_code=type_code,
        evidence=evidence,
        refund=marks["refund"] & ~tax_refund,
        own_transfer=marks["own_transfer"] | marks["own_account"],
        own_account=marks["own_account"],
        bonus=marks["bonus"],
        family=family,
        merchant=_named_merchant(columns, len(rows)),
        description=columns["description_raw"],
        names=_either(columns.get("counterparty_name"), columns.get("merchant_name"), len(rows)),
    )


def either_name(book: Book, rows: Codes) -> Coded:
    """Return the counterparty of rows, else the merchant."""
    columns = {name: book.columns[name].of_rows(rows) for name in _NAMES if name in book.columns}
    return _either(columns.get("counterparty_name"), columns.get("merchant_name"), len(rows))


def _named_merchant(columns: dict[str, Coded], size: int) -> Mask:
    named = np.zeros(size, dtype=np.bool_)
    for name in ("merchant_name", "mcc"):
        if name in columns:
            named |= columns[name].codes >= 0
    return named


def _either(first: Coded | None, second: Coded | None, size: int) -> Coded:
    present = [column for column in (first, second) if column is not None]
    if not present:
        return Coded(np.full(size, -1, dtype=np.int64), np.array([], dtype=object))
    if len(present) == 1:
        return present[0]
    texts = np.where(
        present[0].codes >= 0, present[0].texts(np.arange(size)), present[1].texts(np.arange(size))
    )
    codes, values = pd.factorize(texts)
    return Coded(codes.astype(np.int64), np.asarray(values, dtype=object))
