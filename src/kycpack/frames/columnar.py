"""Reads pages of transactions by column: the same rules as in `transactions`, for pages in which every item meets them.

Arrow reads the bodies straight into columns, and every rule is a check on a whole column, or on its distinct values if there
are few. If any item breaks a rule the result is None, and the caller reads item by item, which can name the place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

from kycpack.models.enums import TransactionStatus
from kycpack.models.money import exponent, known_currency

COLUMNS = {
    "txn_id": "id",
    "booked_on": "bookingDate",
    "value_on": "valueDate",
    "status": "status",
    "amount_minor": "amount",
    "currency": "currency",
    "balance_after_minor": "balanceAfter",
    "description_raw": "description",
    "counterparty_name": "counterpartyName",
    "merchant_name": "merchantName",
    "counterparty_account": "counterpartyAccount",
    "bank_code": "bankTransactionCode",
    "purpose": "purposeCode",
    "mcc": "merchantCategoryCode",
    "proprietary_code": "proprietaryCode",
}
"""Column of the normal form by the member it is read from."""

STATUSES = frozenset(status.value for status in TransactionStatus)

_INDICATOR = "creditDebitIndicator"
_SCHEMA = pa.schema(
    [("items", pa.list_(pa.struct([(member, pa.string()) for member in (*COLUMNS.values(), _INDICATOR)])))]
)
_OPTIONS = arrow_json.ParseOptions(
    explicit_schema=_SCHEMA, newlines_in_values=True, unexpected_field_behavior="ignore"
)
_UNSIGNED = r"^[0-9]{1,15}(\.[0-9]{1,10})?$"
_SIGNED = r"^-?[0-9]{1,15}(\.[0-9]{1,10})?$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_REPEATING = ("status", "currency", "bank_code", "purpose")
_LARGEST_BATCH = 2**31 - 2
# Arrow accepts these in members that are not requested.
_NO_JSON = (b"NaN", b"Infinity")


class _Unfit(Exception):  # noqa: N818 - not an error: these pages have to be read item by item
    """An item breaks a rule."""


def read_pages(bodies: Sequence[bytes]) -> tuple[Mapping[str, pa.Array], np.ndarray] | None:
    """Return the columns of the normal form for the items of pages, without the ids of customer, account and evidence.

    Args:
        bodies: One JSON document per page, an envelope with `items`.

    Returns:
        The columns and, for each row, the number of its page; None when any item breaks a rule.
    """
    try:
        return _read(bodies)
    except (_Unfit, pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError):
        return None


def have_own_ids(ids: pa.Array, account: np.ndarray) -> bool:
    """Return whether every id is present, not blank, and unique within its account.

    Args:
        ids: The ids.
        account: The index of each row's account.
    """
    encoded = ids.dictionary_encode()
    if ids.null_count or pc.any(pc.utf8_is_space(encoded.dictionary)).as_py():
        return False
    if len(encoded.dictionary) == len(ids):
        return True
    pairs = account.astype(np.int64) * len(encoded.dictionary) + encoded.indices.to_numpy()
    return len(np.unique(pairs)) == len(ids)


def _read(bodies: Sequence[bytes]) -> tuple[Mapping[str, pa.Array], np.ndarray]:
    data = b"\n".join(bodies)
    _require(0 < len(data) <= _LARGEST_BATCH and not any(word in data for word in _NO_JSON))
    data.decode("utf-8")  # Arrow takes any bytes for text, and fails only when somebody reads it
    table = arrow_json.read_json(
        pa.BufferReader(data),
        read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(data) + 1),
        parse_options=_OPTIONS,
    )
    pages = table.column("items").combine_chunks()
    _require(len(pages) == len(bodies) and not pages.null_count)
    items = pages.flatten()
    _require(not items.null_count)
    page = np.repeat(np.arange(len(bodies)), pc.list_value_length(pages).to_numpy(zero_copy_only=False))
    members = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
    if b'""' in data:
        blank = pa.scalar(None, pa.string())
        members = {
            member: values if member == "description" else pc.if_else(pc.equal(values, ""), blank, values)
            for member, values in members.items()
        }
    return _columns(members), page


def _columns(members: Mapping[str, pa.Array]) -> dict[str, pa.Array]:
    made = {column: members[member] for column, member in COLUMNS.items()}
    _require(pc.all(pc.is_valid(made["description_raw"])).as_py())
    for column in _REPEATING:
        made[column] = made[column].dictionary_encode()
    made["value_on"] = _dates(made["value_on"])
    made["booked_on"] = pc.coalesce(_dates(made["booked_on"]), made["value_on"])
    _require(pc.all(pc.is_valid(made["booked_on"])).as_py())
    _require(set(made["status"].dictionary.to_pylist()) <= STATUSES)
    made["status"] = pc.fill_null(made["status"].cast(pa.string()), "booked").dictionary_encode()
    decimals = _decimals(made["currency"])
    amount = _minor(made["amount_minor"], _UNSIGNED, decimals)
    _require(pc.all(pc.is_valid(amount)).as_py())
    made["amount_minor"] = pc.if_else(_is_credit(members[_INDICATOR]), amount, pc.negate(amount))
    made["balance_after_minor"] = _minor(made["balance_after_minor"], _SIGNED, decimals)
    return made


def _require(truth: bool | None) -> None:  # noqa: FBT001 - its only argument
    # `all` of an empty column is null in Arrow, and true here.
    if truth is False:
        raise _Unfit


def _dates(values: pa.Array) -> pa.Array:
    encoded = values.dictionary_encode()
    _require(pc.all(pc.match_substring_regex(encoded.dictionary, _DATE)).as_py())
    return pc.cast(encoded.dictionary, pa.timestamp("s")).take(encoded.indices)


def _is_credit(values: pa.Array) -> pa.Array:
    encoded = values.dictionary_encode()
    words = [str(word).lower() for word in encoded.dictionary.to_pylist()]
    _require(not values.null_count and set(words) <= {"credit", "debit"})
    return pa.array([word == "credit" for word in words], pa.bool_()).take(encoded.indices)


def _decimals(currency: pa.DictionaryArray) -> np.ndarray:
    """Return the number of decimals of each row's currency."""
    codes = currency.dictionary.to_pylist()
    _require(not currency.null_count and all(known_currency(code) for code in codes))
    of_code = np.array([exponent(code) for code in codes], dtype=np.int64)
    places: np.ndarray = of_code.take(currency.indices.to_numpy())
    return places


def _minor(values: pa.Array, form: str, decimals: np.ndarray) -> pa.Array:
    _require(pc.all(pc.match_substring_regex(values, form)).as_py())
    minor = np.zeros(len(values), dtype=np.int64)
    for places in np.unique(decimals):
        rows = np.flatnonzero(decimals == places)
        # A cast that would lose digits is an error: the amount has more decimals than its currency.
        exact = pc.cast(
            values if len(rows) == len(values) else values.take(rows), pa.decimal128(18, int(places))
        )
        minor[rows] = np.frombuffer(exact.buffers()[1], dtype="<i8")[2 * exact.offset :: 2][: len(rows)]
    return pa.array(minor, mask=values.is_null().to_numpy(zero_copy_only=False))
