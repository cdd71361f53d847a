"""What says that a party is the customer: their own account's number, or their own name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.intake import Book, Coded, Codes, Mask
from kycpack.wealth.prepare.lexicon import Lexicon, matches, to_plain_text

_FEWEST_DIGITS = 6  # four digits behind a mask are shared by one account in ten thousand
_TRAILING_DIGITS = re.compile(r"[0-9]{4,}$")
_LONG_NUMBERS = re.compile(r"[0-9]{4,}")


def has_own_number(book: Book, rows: Codes, transfer: Mask, accounts: pd.DataFrame | None) -> Mask:
    """Return which rows name one of the customer's own accounts, linked or not, as the other side.

    Args:
        book: Transactions.
        rows: Rows to look at.
        transfer: Which of them speak of a transfer.
        accounts: Frame `accounts`; of a masked `account_number` the digits that can be seen count, together with a word
            for a transfer.
    """
    result = np.zeros(len(rows), dtype=np.bool_)
    if accounts is None or "account_number" not in accounts.columns:
        return result
    whole: dict[str, set[str]] = defaultdict(set)
    ends: dict[str, set[str]] = defaultdict(set)
    for customer, number in zip(accounts["customer_id"], accounts["account_number"], strict=True):
        seen = None if pd.isna(number) else _TRAILING_DIGITS.search(str(number).replace(" ", ""))
        if seen is not None:
            (whole if len(seen.group()) >= _FEWEST_DIGITS else ends)[str(customer)].add(seen.group())
    for name in ("counterparty_account", "description_raw"):
        if name in book.columns:
            column = book.columns[name].of_rows(rows)
            numbers = [_LONG_NUMBERS.findall(str(text).replace("-", "")) for text in column.distinct]
            result |= _per_pair(book, rows, column, numbers, whole)
            result |= _per_pair(book, rows, column, numbers, ends) & transfer
    return result


def has_own_name(
    book: Book,
    rows: Codes,
    names: Coded,
    customers: pd.DataFrame | None,
    accounts: pd.DataFrame | None,
    lexicon: Lexicon,
) -> Mask:
    """Return which rows name the customer as the other party; a firm of that name is not the customer.

    Args:
        book: Transactions.
        rows: Rows to look at.
        names: Other party of the rows.
        customers: Frame `customers`, for first and last names.
        accounts: Frame `accounts`, for the names of holders.
        lexicon: Legal forms and titles.
    """
    known: list[tuple[str, str]] = []
    if customers is not None and {"first_name", "last_name"} <= set(customers.columns):
        people = customers[["customer_id", "first_name", "last_name"]].dropna()
        known += [
            (str(one), f"{first} {last}") for one, first, last in people.itertuples(index=False, name=None)
        ]
    if accounts is not None and "holder_name" in accounts.columns:
        holders = accounts[["customer_id", "holder_name"]].dropna()
        known += [(str(one), str(name)) for one, name in holders.itertuples(index=False, name=None)]
    own: dict[str, set[frozenset[str]]] = defaultdict(set)
    for (customer, _), name in zip(known, to_plain_text([name for _, name in known]), strict=True):
        own[customer].add(frozenset(name.split()) - lexicon.titles)
    texts = to_plain_text(names.distinct)
    firm = matches(texts, lexicon.suffix_pattern)
    words = [
        frozenset() if is_firm else frozenset(text.split()) - lexicon.titles
        for text, is_firm in zip(texts, firm, strict=True)
    ]
    return _per_pair(book, rows, names, words, own, whole_value=True)


def _per_pair(
    book: Book,
    rows: Codes,
    column: Coded,
    said: Sequence[Collection[str]],
    own: Mapping[str, Collection[Any]],
    *,
    whole_value: bool = False,
) -> Mask:
    """Return which rows say something of the customer's own, looked up once for each customer and distinct value.

    Args:
        book: Transactions.
        rows: Rows to look at.
        column: A column of them.
        said: What each distinct value of the column says.
        own: What is the customer's own.
        whole_value: Whether what is said is compared as a whole, and not by the ends of its parts.
    """
    customer = book.customer.codes[rows]
    width = len(column.distinct) + 1
    cells, where = np.unique(customer * width + column.codes + 1, return_inverse=True)
    answers = np.zeros(len(cells), dtype=np.bool_)
    for index, cell in enumerate(cells.tolist()):
        mine = own.get(book.customer.distinct[cell // width], ())
        if mine and cell % width:
            parts = said[cell % width - 1]
            answers[index] = (
                bool(parts) and parts in mine
                if whole_value
                else any(part.endswith(tuple(mine)) for part in parts)
            )
    return np.asarray(answers[where], dtype=np.bool_)
