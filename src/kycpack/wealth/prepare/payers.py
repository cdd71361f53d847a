"""Identifies who paid: a key for each credit that stays the same from payment to payment.

The key is the counterparty's account; otherwise its name; otherwise the text without numbers, months, legal forms, and words
for how the payment was made. The amount is never part of the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import (
    Coded,
    Codes,
    Words,
    distinct_of,
    first_said,
    joint_code,
    lowest_of_joined,
    pick,
)
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, name_people
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.spellings import join_beginnings, join_spellings

# An account that pays under more names than this belongs to a payment institution.
_MOST_NAMES_OF_AN_ACCOUNT = 3
_BANK = "the bank"
_SHOWN_OF_AN_ACCOUNT = 4


@dataclass(frozen=True, eq=False)
class Payers:
    """Payer of each credit.

    Args:
        key: Code of the payer's key, for each credit.
        keys: The keys; they do not depend on the order of rows.
        name: Name of the payer, for each credit; None if there is none.
    """

    key: Codes
    keys: npt.NDArray[np.object_]
    name: npt.NDArray[np.object_]


def payer_texts(column: Coded, lexicon: Lexicon) -> Coded:
    """Return the part of each text that names the payer; empty if it only says how the payment was made."""
    return column.read(to_plain_text).read(lexicon.payer_names)


def party_keys(book: Book, rows: Codes, lexicon: Lexicon) -> Words:
    """Return the key of the other party of rows, from the counterparty's name, otherwise the merchant's, otherwise the text."""
    texts = [payer_texts(column, lexicon) for column in (book.names, book.columns["description_raw"])]
    return first_said(*(Coded(one.codes[rows], one.distinct) for one in texts))


def find_payers(
    customer: Codes,
    names: Coded,
    texts: Coded,
    accounts: Coded | None,
    by_text: npt.NDArray[np.bool_],
    by_bank: npt.NDArray[np.bool_],
    day: Codes,
    lexicon: Lexicon,
) -> Payers:
    """Return the payer of each credit.

    Args:
        customer: Customer of each credit.
        names: Counterparty or merchant.
        texts: Description.
        accounts: Counterparty's account, if the data has it.
        by_text: Credits of a payer that pays several things and names them in the text, such as a benefits office.
        by_bank: Credits that the bank itself pays, such as interest: they have one payer, whatever the words.
        day: Booking day of each credit.
        lexicon: Words that do not name a payer.
    """
    use_name = (names.codes >= 0) & ~by_text
    name_keys, text_keys = payer_texts(names, lexicon), payer_texts(texts, lexicon)
    account_keys = [] if accounts is None else [f"account {value}" for value in accounts.distinct]
    distinct = sorted({*name_keys.distinct, *text_keys.distinct, *account_keys, "", _BANK})
    number = {key: index for index, key in enumerate(distinct)}

    def numbers(keys: Iterable[str], codes: Codes) -> Codes:
        return pick(np.array([number[key] for key in keys], dtype=np.int64), codes, number[""])

    of_name, of_text = (numbers(one.distinct, one.codes) for one in (name_keys, text_keys))
    key = np.where(use_name & (of_name != number[""]), of_name, of_text)
    key = np.where(by_bank & ~use_name, number[_BANK], key)
    if accounts is not None:
        key = np.where(key == number[""], numbers(account_keys, accounts.codes), key)
    people = name_people(distinct, lexicon)
    payable = {number[one] for one, person in zip(distinct, people, strict=True) if not person} - {
        number[one] for one in account_keys
    }
    key = join_spellings(customer, key, distinct, payable, day, lexicon.nature_pattern)
    key = join_beginnings(customer, key, distinct, by_text)
    every = np.arange(len(customer))
    name = np.where(use_name, names.texts(every), texts.texts(every))
    both = np.flatnonzero(by_text & (names.codes >= 0) & (texts.codes >= 0))
    name[both] = [
        f"{who}: {what}" if set(names_.split()).isdisjoint(said.split()) else what
        for who, what, names_, said in zip(
            *(column.texts(both) for column in (names, texts, name_keys, text_keys)), strict=True
        )
    ]
    if accounts is not None:
        ends = [f"account ending {str(value)[-_SHOWN_OF_AN_ACCOUNT:]}" for value in accounts.distinct]
        nameless = np.isin(key, [number[one] for one in account_keys])
        name = np.where(nameless, pick(np.array(ends, dtype=object), accounts.codes, None), name)
        key = _joined_by_account(customer, key, np.where(by_text, -1, accounts.codes), len(distinct))
    return Payers(key, np.array(distinct, dtype=object), name)


def _joined_by_account(customer: Codes, key: Codes, account: Codes, keys: int) -> Codes:
    """Return keys in which all names used by one account, and all accounts used by one name, have the same key.

    It is the smallest of their keys.
    """
    has = account >= 0
    names, name_of = np.unique(customer * keys + key, return_inverse=True)
    edges = distinct_of(joint_code(customer[has], account[has]) * len(names) + name_of[has])
    of_account, name = edges // len(names), edges % len(names)
    joined = np.diff(of_account) == 0
    joined &= (np.bincount(of_account) <= _MOST_NAMES_OF_AN_ACCOUNT)[of_account[1:]]
    lowest = lowest_of_joined(
        len(names), zip(name[:-1][joined].tolist(), name[1:][joined].tolist(), strict=True)
    )
    return np.asarray(names[lowest[name_of]] % keys, dtype=np.int64)
