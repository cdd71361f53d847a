"""Refuses a file in which a column that its layout does not read may change what the lines mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kycpack.errors import StatementFileError
from kycpack.frames.adapters.csv_layout import CsvLayout, plain_title
from kycpack.models.money import known_currency

_CURRENCY = "currency"
_CODE_IN_TITLE = re.compile(r"\(([A-Z]{3})\)")
_WHY = {
    _CURRENCY: "names a currency, and nothing shows that it is that of the amounts. If it is, call it Currency",
    "status": "may say that a transaction is not booked. If it does, call it Status",
    "direction": "may say which way the money goes. If it does, call it Direction",
    "fee": "may change the amounts. If it does, put it into them",
}


def refuse_unread_columns(
    layout: CsvLayout,
    header: Sequence[str],
    unread: Sequence[int],
    roles: Collection[str],
    records: Sequence[tuple[int, Sequence[str]]],
    currency: str | None,
    place: str,
) -> None:
    """Check the columns that a layout does not read; one without any value is harmless.

    Args:
        layout: The layout.
        header: The header of the file.
        unread: Positions of the columns that have a name and are not read.
        roles: What is read, which is not refused a second time under another name.
        records: The lines after the header.
        currency: ISO 4217 code of all amounts, if the caller has given it; None if it has not.
        place: File and line of the header, for errors.

    Raises:
        StatementFileError: The name of a column has one of the layout's `refused_words`, or all its values are currencies.
    """
    for index in unread:
        title = header[index].strip()
        said = {cells[index].strip() for _, cells in records if index < len(cells)} - {""}
        kind = _kind(layout, title, said)
        if kind == "fee":
            said = {one for one in said if one.strip("0.,-£ ")}
        if kind is None or kind in roles or not said or (kind == _CURRENCY and said == {currency}):
            continue
        raise StatementFileError(
            f"the column {title[:40]!r} is not read by {layout.name}, and {_WHY[kind]}; otherwise leave it out",
            place=place,
        )


def _kind(layout: CsvLayout, title: str, said: Collection[str]) -> str | None:
    words = set(plain_title(title).split())
    for kind, refused in layout.refused_words.items():
        if words.intersection(refused):
            return kind
    code = _CODE_IN_TITLE.search(title)
    named = code is not None and known_currency(code[1]) and code[1] != layout.currency
    return _CURRENCY if named or (said and all(known_currency(one) for one in said)) else None
