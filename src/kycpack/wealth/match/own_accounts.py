"""A customer's own accounts: whether a party is one of them, by its number, and which are joint, by the holder's name as the bank gives it.

Money through a joint account is never netted between customers.
"""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pandas as pd

from kycpack.frames.rows import columns_of, frame_of, rows
from kycpack.frames.rows import rows as rows_of
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.parties import FIRM, STATE, party_of
from kycpack.wealth.prepare.plain_text import to_words

_FEWEST_DIGITS = 6  # four visible digits are shared by one account in ten thousand
_TRAILING_DIGITS = re.compile(r"[0-9]{4,}$")
_LONG_NUMBERS = re.compile(r"[0-9]{4,}")
JOINT_COLUMNS = ("account_id", "holder_name", "holder_count")
_TITLES = r"(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame|herr|frau|mme|mlle|madame|monsieur)\b"
# A comma separates a surname from first names, except between two names with titles.
_TITLED = re.compile(rf"\s*{_TITLES}[^,]*,\s*{_TITLES}", re.IGNORECASE)
_BETWEEN_TITLED = re.compile(rf",(?=\s*{_TITLES})", re.IGNORECASE)
_BETWEEN = r"(?:[&/+;]|\b(?:and|und|et|y|e|or|oder|ou)\b)"
_BETWEEN_HOLDERS = re.compile(rf"\s*{_BETWEEN}\s*", re.IGNORECASE)
# A holder after a trade name has a title or an initial: "Smith Roofing and Mrs A Smith", but not "Land & Sea" or "A & B Cars".
_NEXT_HOLDER = rf"[;+]|(?:,|{_BETWEEN})\s*{_TITLES}|(?<=\w\w)\s*(?:,|{_BETWEEN})\s*[a-z]\b\.?\s"
_TRADE_NAME = re.compile(rf"\s(?:t/a|trading as)\s.*?(?={_NEXT_HOLDER}|$)", re.IGNORECASE | re.DOTALL)


def has_own_number(book: Book, rows: Codes, transfer: Mask, accounts: pd.DataFrame | None) -> Mask:
    """Return which rows name one of the customer's own accounts, linked or not, as the other side.

    Args:
        book: Transactions.
        rows: Rows to look at.
        transfer: Which of these rows contain words for a transfer.
        accounts: Frame `accounts`; for a masked `account_number` the visible digits count, together with a word
            for a transfer.
    """
    result = np.zeros(len(rows), dtype=np.bool_)
    if accounts is None or "account_number" not in accounts.columns:
        return result
    whole: dict[str, set[str]] = defaultdict(set)
    ends: dict[str, set[str]] = defaultdict(set)
    for customer, number in rows_of(accounts, "customer_id", "account_number"):
        seen = None if pd.isna(number) else _TRAILING_DIGITS.search(str(number).replace(" ", ""))
        if seen is not None:
            (whole if len(seen.group()) >= _FEWEST_DIGITS else ends)[str(customer)].add(seen.group())
    for name in ("counterparty_account", "description_raw"):
        if name in book.columns:
            column = book.columns[name].of_rows(rows)
            numbers = [_LONG_NUMBERS.findall(text.replace("-", "")) for text in column.distinct.tolist()]
            at = np.flatnonzero(
                pick(np.array(list(map(bool, numbers)), dtype=np.bool_), column.codes, missing=False)
            )
            customers = book.customer.texts(rows[at]).tolist()
            for row, code, customer in zip(at.tolist(), column.codes[at].tolist(), customers, strict=True):
                mine = (*whole.get(customer, ()), *(ends.get(customer, ()) if transfer[row] else ()))
                result[row] |= any(number.endswith(mine) for number in numbers[code])
    return result


def joint_accounts_of(accounts: pd.DataFrame | None) -> pd.DataFrame:
    """Return a customer's accounts whose holder name names several people.

    Args:
        accounts: The customer's rows of frame `accounts`; without holder names no account is known to be joint.

    Returns:
        `JOINT_COLUMNS`, by account id.
    """
    listed = (
        ()
        if accounts is None or "holder_name" not in accounts.columns
        else rows(accounts, "account_id", "holder_name")
    )
    # Of an account that is listed twice, the last name counts.
    latest = {str(row.account_id): row.holder_name for row in listed}
    named = ((account_id, str(name)) for account_id, name in latest.items() if not pd.isna(name))
    counted = ((account_id, name, count_holders(name)) for account_id, name in named)
    joint = sorted(one for one in counted if one[-1] > 1)
    return frame_of(columns_of(JOINT_COLUMNS, joint), {"holder_count": "int64"})


def count_holders(name: str) -> int:
    """Return the number of people named as holders of an account; a firm counts as one, whatever its name."""
    name = _TRADE_NAME.sub(";", name).rstrip("; ")
    words = to_words([name])[0].split()
    known = load_entities().find(name, is_name=True)
    if known is not None or party_of(words, load_lexicon()) in (FIRM, STATE):
        return 1
    if _TITLED.match(name):
        name = _BETWEEN_TITLED.sub(";", name)
    return max(sum(bool(part.strip(" .")) for part in _BETWEEN_HOLDERS.split(name)), 1)
