"""Reads transactions: casts and checks them, and separates the rows that count from those that are rejected.

A frame that cannot be used is an error that names the column and the row. A row that can be read but does not count (not
booked, in the future, of amount 0) is listed as a reject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import filterfalse
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.errors import FrameError
from kycpack.frames.rows import frame_of, values_of
from kycpack.models.enums import TransactionStatus
from kycpack.models.money import known_currency
from kycpack.wealth.prepare.amounts import place_of, read_amounts, read_balances, refuse
from kycpack.wealth.prepare.coded import Coded, Codes, Mask, Reader, pick
from kycpack.wealth.prepare.content_order import order_by_content

REQUIRED = ("customer_id", "account_id", "txn_id", "booked_on", "amount_minor", "currency", "description_raw")
_TEXTS = ("counterparty_name", "merchant_name", "counterparty_account", "bank_code", "purpose", "mcc")
_NAMES = ("counterparty_name", "merchant_name")
_FOLDED = ("description_raw", *_NAMES)
_DAY_SECONDS = 24 * 60 * 60
_STATUSES = tuple(status.value for status in TransactionStatus)
_MOST_MARKS_KEPT = 131_072  # of a block of `ROWS_OF_A_BLOCK`, as a power of two
_UTC = ("UTC", "Etc/UTC", "UTC+00:00", "+00:00")
_ENDS_IN_UTC = r":\d{2}[\d.,]*\s*(?:Z|[+-]00:?00)$"
_ENDS_IN_OFFSET = r"(?<=[T ]\d{2}:)(\d{2}[\d:.,]*)\s*(?:Z|[+-]\d{2}:?\d{2})$"
_EARLIEST = np.datetime64("1970-01-01", "D").astype(np.int64)

REJECTS = {
    "future": "booked after the date the review looks from",
    "info": "for information only, not a booking",
    "rejected": "rejected by the bank",
    "status": "a status that is not understood",
    "zero": "an amount of nothing",
    "before_1970": "booked before 1970",
    "currency": "not an ISO 4217 currency",
}


@dataclass(frozen=True, eq=False)
class Book:
    """Transactions of the normal form as arrays, one element per input row.

    Args:
        customer: Customer; the distinct values are sorted.
        account: Account, as an index into the next two; sorted by customer and content.
        account_ids: Ids of accounts.
        account_customer: Customers of accounts.
        day: Booking day, days since 1970-01-01.
        second: Time of booking on the bank's clock, seconds since midnight; 0 if only the date is given.
        amount: Minor units; positive for credits.
        currency: ISO 4217.
        pending: Which rows are not booked yet.
        counted: Which rows are booked and count.
        txn_id: Ids as given.
        balance: Running balance after each row, minor units; 0 where it is not known.
        balance_known: Which rows have a running balance.
        place: Place of each row in the order of `order_by_content`, which decides between rows that are otherwise equal.
        columns: The optional text columns, and `description_raw`.
        evidence_id: Evidence entry of each row; missing in all of them if the input has no such column.
        rejects: Rows that do not count, a frame with row, customer_id, account_id, txn_id, booked_on, amount_minor, currency, code, reason.
    """

    customer: Coded
    account: Codes
    account_ids: npt.NDArray[np.object_]
    account_customer: Codes
    day: Codes
    second: Codes
    amount: Codes
    currency: Coded
    pending: Mask
    counted: Mask
    txn_id: npt.NDArray[np.object_]
    balance: Codes
    balance_known: Mask
    place: Codes
    columns: dict[str, Coded]
    evidence_id: Coded
    rejects: pd.DataFrame

    def __len__(self) -> int:
        return len(self.day)

    def holdings(self, rows: Codes) -> Codes:
        """Return account and currency of rows as one number."""
        return self.account[rows] * len(self.currency.distinct) + self.currency.codes[rows]

    @cached_property
    def account_marks(self) -> npt.NDArray[np.object_]:
        """A text for each account that sorts as the accounts do, as in `0000000012`."""
        return _marks(len(self.account_ids))

    @cached_property
    def txn_marks(self) -> npt.NDArray[np.object_]:
        """A text for each row that sorts as `place` does."""
        return _marks(len(self))[self.place]

    def account_ids_of(self, marks: Sequence[str]) -> list[str]:
        """Return the ids of accounts by their marks."""
        ids: list[str] = self.account_ids[np.array(marks, dtype=np.int64)].tolist()
        return ids

    def txn_ids_of(self, marks: Sequence[str]) -> list[str]:
        """Return the ids of rows by their marks."""
        ids: list[str] = self.txn_id[self._row_at[np.array(marks, dtype=np.int64)]].tolist()
        return ids

    @cached_property
    def _row_at(self) -> Codes:
        return np.argsort(self.place)

    def owners(self, rows: Codes) -> Codes:
        """Return customer and currency of rows as one number."""
        return self.customer.codes[rows] * len(self.currency.distinct) + self.currency.codes[rows]

    @cached_property
    def names(self) -> Coded:
        """The counterparty of each row, otherwise its merchant."""
        present = [self.columns[name] for name in _NAMES if name in self.columns]
        if not present:
            return _nothing(len(self))
        if len(present) == 1:
            return present[0]
        first, second = present
        return _or_else(first, second, self.columns["description_raw"].fold)


def take_in(
    transactions: pd.DataFrame, as_of: date, zone: str | None = None, fold: Reader | None = None
) -> Book:
    """Return transactions as arrays.

    Args:
        transactions: The normal form; only the columns in `REQUIRED` are necessary. Plain objects and strings are cast. Its index is the
            row number in the input, which errors and rejects give.
        as_of: Rows booked later are rejected.
        zone: Time zone of the bank, as in `Europe/London`: an instant in UTC is converted to the date there.
        fold: Reader for descriptions and names; see `Coded.fold`.

    Raises:
        FrameError: A column is missing, or a value cannot be read; `place` names column and row.
    """
    for name in REQUIRED:
        if name not in transactions.columns:
            raise FrameError("this column is missing", place=f"transactions.{name}")
    customer = _required_text(transactions, "customer_id")
    account_id = _required_text(transactions, "account_id")
    pair = customer.codes * max(len(account_id.distinct), 1) + account_id.codes
    pairs, account = np.unique(pair, return_inverse=True)
    day, second = _days(transactions, zone)
    amount = read_amounts(transactions)
    currency = _required_text(transactions, "currency")
    status = _statuses(transactions)
    txn_id = _required_ids(transactions)
    balance, known = read_balances(transactions)
    columns = {
        name: replace(_text(transactions, name), fold=fold if name in _FOLDED else None)
        for name in ("description_raw", *_TEXTS)
        if name in transactions.columns
    }
    if "proprietary_code" in transactions.columns:
        # Exports of banks give their own word for a booking, and no code of ISO 20022.
        word = _text(transactions, "proprietary_code")
        columns["bank_code"] = _or_else(columns["bank_code"], word) if "bank_code" in columns else word
    evidence = (
        _text(transactions, "evidence_id") if "evidence_id" in transactions.columns else _nothing(len(day))
    )

    def balance_texts(rows: Codes) -> npt.NDArray[np.object_]:
        texts = balance[rows].astype(str).astype(object)
        texts[~known[rows]] = None
        return texts

    accounts, place = order_by_content(
        customer.codes,
        account.astype(np.int64),
        (day, amount, currency.codes, status),
        [*(column.texts for column in columns.values()), balance_texts, evidence.texts],
        txn_id,
    )
    pairs = pairs[accounts]
    reason = _reject_codes(day, amount, currency, status, as_of)
    fine = reason == ""
    account = np.argsort(accounts)[account]
    account_ids = account_id.distinct[pairs % max(len(account_id.distinct), 1)]
    rows = np.flatnonzero(~fine)
    return Book(
        customer=customer,
        account=account,
        account_ids=account_ids,
        account_customer=pairs // max(len(account_id.distinct), 1),
        day=day,
        second=second,
        amount=amount,
        currency=currency,
        pending=fine & (status == _STATUSES.index("pending")),
        counted=fine & (status == _STATUSES.index("booked")),
        txn_id=txn_id,
        balance=balance,
        balance_known=known,
        place=place,
        columns=columns,
        evidence_id=evidence,
        rejects=frame_of(
            {
                "row": transactions.index.to_numpy(dtype=np.int64)[rows],
                "customer_id": customer.texts(rows),
                "account_id": account_ids[account[rows]],
                "txn_id": txn_id[rows],
                "booked_on": to_datetimes(day[rows]),
                "amount_minor": amount[rows],
                "currency": currency.texts(rows),
                "code": reason[rows],
                "reason": [REJECTS[code] for code in reason[rows]],
            }
        ),
    )


def _marks(count: int) -> npt.NDArray[np.object_]:
    """Return texts that sort as their places do; those of ordinary blocks are made once."""
    return (
        _made_marks(count)
        if count > _MOST_MARKS_KEPT
        else _kept_marks(1 << max(count - 1, 0).bit_length())[:count]
    )


def _made_marks(count: int) -> npt.NDArray[np.object_]:
    marks = np.array([f"{number:010d}" for number in range(count)], dtype=object)
    marks.flags.writeable = False
    return marks


_kept_marks = lru_cache(maxsize=2)(_made_marks)  # of rows and of accounts


def to_datetimes(days: Codes) -> npt.NDArray[np.datetime64]:
    """Return day numbers as the dates of frames, in seconds."""
    return days.astype("datetime64[D]").astype("datetime64[s]")


def _reject_codes(
    day: Codes, amount: Codes, currency: Coded, status: Codes, as_of: date
) -> npt.NDArray[np.object_]:
    known = np.array([known_currency(str(code)) for code in currency.distinct], dtype=np.bool_)
    reason = np.full(len(day), "", dtype=object)
    reason[day > np.datetime64(as_of, "D").astype(np.int64)] = "future"
    reason[day < _EARLIEST] = "before_1970"
    reason[amount == 0] = "zero"
    if currency.distinct.size:
        reason[~known[currency.codes]] = "currency"
    for name in ("future", "info", "rejected"):
        reason[status == _STATUSES.index(name)] = name
    reason[status < 0] = "status"
    return reason


def _text(frame: pd.DataFrame, name: str, *, ordered: bool = False) -> Coded:
    codes, values = pd.factorize(frame[name].array)
    texts = _plain(values_of(values))
    codes = codes.astype(np.int64)
    if not all(map(str.strip, texts)):
        blank = np.array([not text.strip() for text in texts], dtype=np.bool_)
        codes = np.where((codes >= 0) & blank[codes], -1, codes)
    if ordered:
        order = np.argsort(texts, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        codes = np.where(codes >= 0, rank[codes], -1) if len(order) else codes
        texts = texts[order]
    return Coded(codes, texts)


def _nothing(rows: int) -> Coded:
    """Return a column without any value."""
    return Coded(np.full(rows, -1, dtype=np.int64), np.array([], dtype=object))


def _or_else(first: Coded, other: Coded, fold: Reader | None = None) -> Coded:
    """Return a column with the values of another one where it has none, and with a reader that is applied before all others."""
    number, distinct = pd.factorize(np.concatenate([first.distinct, other.distinct]))
    second = np.where(other.codes >= 0, other.codes + len(first.distinct), -1)
    codes = pick(number.astype(np.int64), np.where(first.codes >= 0, first.codes, second), -1)
    return Coded(codes, distinct, fold=fold)


def _plain(values: list[Any]) -> npt.NDArray[np.object_]:
    """Return values as texts that can be encoded as UTF-8, as later steps need; half a surrogate pair cannot."""
    texts = values if set(map(type, values)) <= {str} else [str(value) for value in values]
    try:
        "".join(filterfalse(str.isascii, texts)).encode()
    except UnicodeEncodeError:
        texts = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
    return np.array(texts, dtype=object)


def _required_text(frame: pd.DataFrame, name: str) -> Coded:
    coded = _text(frame, name, ordered=True)
    missing = coded.codes < 0
    if missing.any():
        raise FrameError("a value is missing", place=place_of(frame[name], int(np.argmax(missing))))
    return coded


def _required_ids(frame: pd.DataFrame) -> npt.NDArray[np.object_]:
    column = frame["txn_id"]
    words = pd.api.types.infer_dtype(column, skipna=False) == "string"
    if not words or column.dtype != object:  # plain objects with a missing value among them are mixed
        refuse(column.isna().to_numpy(), column, "a value is missing")
    if words:
        return column.to_numpy(dtype=object)
    return np.array([str(value) for value in values_of(column.array)], dtype=object)


def _days(frame: pd.DataFrame, zone: str | None) -> tuple[Codes, Codes]:
    """Return the booking day of each row, and the seconds since its midnight."""
    column = _moments(frame, "booked_on", zone)
    if "value_on" in frame.columns and column.isna().any():
        column = column.where(column.notna(), _moments(frame, "value_on", zone))
    refuse(column.isna().to_numpy(), frame["booked_on"], "a date is missing")
    return np.divmod(column.to_numpy().astype("datetime64[s]").astype(np.int64), _DAY_SECONDS)


def _moments(frame: pd.DataFrame, name: str, zone: str | None) -> pd.Series[Any]:
    column = frame[name]
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        in_utc = np.full(len(column), str(column.dtype.tz) in _UTC, dtype=np.bool_)
        return bank_local(column.dt.tz_localize(None), in_utc, zone)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return column
    if pd.api.types.is_numeric_dtype(column.dtype) and len(column):
        raise FrameError("numbers are not dates", place=place_of(column, 0))
    present = column.notna().to_numpy()
    text = column.astype(object).astype(str)
    in_utc = text.str.contains(_ENDS_IN_UTC, regex=True).to_numpy(dtype=np.bool_)
    try:
        # With another offset the local time counts, since it is the bank's.
        read = pd.to_datetime(
            text.str.replace(_ENDS_IN_OFFSET, r"\1", regex=True).where(present),
            errors="coerce",
            format="ISO8601",
        )
    except (ValueError, TypeError) as error:
        raise FrameError("dates cannot be read", place=f"transactions.{name}") from error
    refuse(present & read.isna().to_numpy(), column, "a date cannot be read")
    return bank_local(read, in_utc, zone)


def _statuses(frame: pd.DataFrame) -> Codes:
    if "status" not in frame.columns:
        return np.zeros(len(frame), dtype=np.int64)
    coded = _text(frame, "status")
    known = [
        _STATUSES.index(value.strip().lower()) if value.strip().lower() in _STATUSES else -1
        for value in coded.distinct
    ]
    table = np.array([*known, 0], dtype=np.int64)  # the last one is for rows without a status
    return table[coded.codes]


def bank_local(wall: pd.Series[Any], in_utc: Mask, zone: str | None) -> pd.Series[Any]:
    """Return times on the bank's clock: a time in UTC other than midnight is an instant to convert, midnight is a date."""
    if zone is None or not in_utc.any():
        return wall
    instant = in_utc & wall.notna().to_numpy() & (wall != wall.dt.normalize()).to_numpy()
    return wall.where(~instant, wall.dt.tz_localize("UTC").dt.tz_convert(zone).dt.tz_localize(None))
