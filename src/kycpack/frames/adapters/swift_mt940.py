"""Reads SWIFT MT940 customer statements with the library `mt-940`.

Sign rule: in field 61, C and RD (a reversed debit) are into the account, D and RC out of it. The currency is that of the
opening balance, field 60. The running balance is that of field 60 and the entries; field 62 is checked against it.

Source: SWIFT, Standards MT, MT 940 Customer Statement Message, fields 25, 60, 61 and 86.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, StatementFileError
from kycpack.frames.adapters import fields
from kycpack.frames.adapters.cell_values import check_currency, fit_64_bits
from kycpack.frames.adapters.file_bytes import decode, read_bytes
from kycpack.frames.adapters.result import OnMisfit
from kycpack.frames.adapters.stated_balances import StatedBalances, carry_balances, read_balance
from kycpack.frames.adapters.statement_file import StatementFile, StatementRow, read_rows
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import to_minor

NAME = "mt940"
_FIELD = re.compile(r"^:(?P<tag>[0-9]{2}[A-Z]?|NS):", re.MULTILINE)
_OPENING, _CLOSING = (
    re.compile(
        rf"^:{tag}[FM]:(?P<mark>[CD])[0-9]{{6}}(?P<code>[A-Z]{{3}})(?P<amount>[0-9]{{1,15}},[0-9]{{0,2}})\s*$",
        re.MULTILINE,
    )
    for tag in ("60", "62")
)
# The exceptions of the library for a field that it cannot read; it has no classes of its own.
_LIBRARY_ERRORS = (RuntimeError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError)


def read_mt940(
    source: str | Path | bytes, *, currency: str | None = None, on_misfit: OnMisfit = "raise"
) -> StatementFile:
    """Read an MT940 file of one or several statements.

    Args:
        source: Path of the file, or its bytes.
        currency: The account's currency, which the file must have.
        on_misfit: `raise` stops at the first transaction that does not fit, `reject` lists it.

    Raises:
        StatementFileError: The file is not MT940, or a transaction does not fit; the message names the line.
        ConfigurationError: The library is not installed.
    """
    name, data = read_bytes(source)
    text = decode(data, name).replace("\r\n", "\n").replace("\r", "\n")
    library = _library()
    blocks = list(_transactions(text))
    stated = _stated_balances(text)
    if not re.search(r"^:20:", text, re.MULTILINE):
        raise StatementFileError("is not an MT940 file: no line begins with :20:", place=name)
    with _silent():
        rows, rejects = read_rows(
            ((line, (block, statement)) for line, block, statement in blocks),
            lambda line, found: _row(library, line, found[0], found[1], currency),
            name,
            on_misfit,
        )
    rows, breaks = carry_balances(rows, rejects, stated)
    return StatementFile(name, NAME, rows, rejects, (), currency, breaks)


def _stated_balances(text: str) -> dict[int, StatedBalances]:
    """Return the balances of each statement that states both, by its number."""
    found: dict[int, StatedBalances] = {}
    starts = [mark.start() for mark in _FIELD.finditer(text) if mark["tag"] == "20"]
    for number, (start, end) in enumerate(pairwise([*starts, len(text)])):
        opening, closing = _OPENING.search(text, start, end), _CLOSING.search(text, start, end)
        if opening is None or closing is None or opening["code"] != closing["code"]:
            continue
        before, after = _balance(opening), _balance(closing)
        if before is not None and after is not None:
            line = text.count("\n", 0, closing.start()) + 1
            found[number] = StatedBalances(opening["code"], before, after, line)
    return found


def _balance(match: re.Match[str]) -> int | None:
    minor = read_balance(match["amount"].replace(",", ".").removesuffix("."), match["code"])
    return -minor if minor is not None and match["mark"] == "D" else minor


def _transactions(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the line of each field 61, the field with its field 86 after the opening fields of its statement, and the statement's number."""
    marks = [*_FIELD.finditer(text)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    opening: list[str] = []
    line, counted, statement = 1, 0, -1
    for position, mark in enumerate(marks):
        tag = mark["tag"]
        if tag == "20":
            opening = []
            statement += 1
        if tag == "61":
            last = position
            while last + 1 < len(marks) and marks[last + 1]["tag"] in {"86", "NS"}:
                last += 1
            line += text.count("\n", counted, mark.start())
            counted = mark.start()
            yield line, "".join(opening) + text[mark.start() : ends[last]], statement
        elif tag in {"20", "25", "28C", "28", "60F", "60M"}:
            opening.append(text[mark.start() : ends[position]])


def _row(library: Any, line: int, block: str, statement: int, expected: str | None) -> StatementRow:
    try:
        read = library.parse(block, options=library.Options.all())
        (transaction,) = read
        parsed: dict[str, Any] = {**read.data, **transaction.data}
        amount: Decimal = parsed["amount"].amount
        code: str = parsed["amount"].currency or ""
        booked = parsed.get("entry_date") or parsed["date"]
        value = parsed["date"]
    except _LIBRARY_ERRORS:
        raise MisfitError("field 61 does not parse") from None
    check_currency(code, expected, "field 60 before it has no ISO 4217 currency")
    minor = fit_64_bits(to_minor(Decimal(amount), code), "the amount")
    account = parsed.get("account_identification")
    words = [parsed.get(name) for name in ("purpose", "additional_purpose", "transaction_details")]
    details = " ".join(dict.fromkeys(" ".join(str(word).split()) for word in words if word))
    return StatementRow(
        line,
        date(booked.year, booked.month, booked.day),
        minor,
        code,
        details
        or " ".join(str(parsed.get("extra_details") or parsed.get("customer_reference") or "").split()),
        account=fields.hashed(account) if account else None,
        value_on=date(value.year, value.month, value.day),
        counterparty_name=parsed.get("applicant_name") or None,
        counterparty_account=fields.hashed(parsed.get("applicant_iban") or parsed.get("gvc_applicant_iban")),
        purpose=parsed.get("purpose_code") or None,
        proprietary_code=parsed.get("posting_text") or parsed.get("id") or None,
        statement=max(statement, 0),
    )


def _library() -> Any:
    try:
        import mt940  # noqa: PLC0415 - an extra: only those who read MT940 need it
    except ImportError:
        raise ConfigurationError(
            "MT940 needs the extra `statements`: pip install kycpack[statements]"
        ) from None
    return mt940


@contextmanager
def _silent() -> Iterator[None]:
    """Keep the library from logging a field that it cannot read, because it contains names and amounts."""
    logger = logging.getLogger("mt940")
    was = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(was)
