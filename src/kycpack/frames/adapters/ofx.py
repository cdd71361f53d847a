"""OFX 1 (SGML) and OFX 2 (XML) statements of bank and card accounts.

Sign rule: `TRNAMT` has the sign; plus is into the account. `CURDEF` is the account's currency. An amount with `ORIGCURRENCY`
has been converted to it already. One with `CURRENCY` is in the currency `CURSYM` and is kept in it: `CURRATE` gives only
approximately what the account was debited or credited. Timestamps are read as the day that is written, unless they have an
offset and the bank's time zone is given.

Why no library: `ofxtools` is under the GPL, and `ofxparse` uses functions that its HTML parser has deprecated.

Source: OFX 2.2, sections 2.3 (SGML), 3.2.8 (dates), 5.2 (CURRENCY and ORIGCURRENCY), 11.4.4 (STMTTRN).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from kycpack.errors import StatementFileError
from kycpack.frames.adapters import fields
from kycpack.frames.adapters.cell_values import check_currency, fit_64_bits
from kycpack.frames.adapters.file_bytes import MOST_XML_BYTES, decode, read_bytes
from kycpack.frames.adapters.result import OnMisfit
from kycpack.frames.adapters.statement_file import StatementFile, StatementRow, read_rows
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import to_minor

NAME = "ofx"
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z0-9.]+)\s*>(?P<text>[^<]*)")
_STAMP = re.compile(
    r"(?P<day>[0-9]{8})(?P<time>[0-9]{6})?(?:\.[0-9]+)?(?:\[(?P<offset>[+-]?[0-9]{1,2}(?:\.[0-9]{1,2})?)(?::[A-Za-z]+)?\])?"
)
_RECORDS = ("STMTTRN", "STMTTRNP")
_AMOUNT = re.compile(r"[+-]?[0-9]{1,15}([.,][0-9]{1,4})?")


@dataclass
class _Record:
    line: int
    statement: dict[str, str]
    values: dict[str, str] = field(default_factory=dict)
    whole: bool = False
    pending: bool = False


def read_ofx(
    source: str | Path | bytes,
    *,
    currency: str | None = None,
    zone: str | None = None,
    on_misfit: OnMisfit = "raise",
) -> StatementFile:
    """Read an OFX file of one or several accounts.

    Args:
        source: Path of the file, or its bytes.
        currency: The account's currency, which the file must have.
        zone: The bank's time zone, as in `Europe/London`, for timestamps with an offset.
        on_misfit: `raise` stops at the first transaction that does not fit, `reject` lists it.

    Raises:
        StatementFileError: The file is not OFX, or a transaction does not fit; the message names the line.
    """
    name, data = read_bytes(source, most=MOST_XML_BYTES)
    text = decode(data, name)
    if re.search(r"<!\s*(?:DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise StatementFileError("declares a document type or entities, which no statement has", place=name)
    start = re.search(r"<OFX>", text, re.IGNORECASE)
    if start is None:
        raise StatementFileError("is not an OFX file: it has no <OFX>", place=name)
    records = ((record.line, record) for record in _records(text, start.start()))
    rows, rejects = read_rows(records, lambda _, record: _row(record, currency, zone), name, on_misfit)
    return StatementFile(name, NAME, rows, rejects, (), currency)


def _records(text: str, start: int) -> Iterator[_Record]:
    """Yield each transaction with its values and its statement; SGML omits the end tags of values, never those of groups."""
    statement: dict[str, str] = {}
    record: _Record | None = None
    line, counted = 1, 0
    for match in _TAG.finditer(text, start):
        name = match["name"].upper()
        if name in _RECORDS:
            if record is not None:
                record.whole = bool(match["end"])
                yield record
            line += text.count("\n", counted, match.start())
            counted = match.start()
            record = None if match["end"] else _Record(line, statement, pending=name == "STMTTRNP")
        elif name in {"STMTRS", "CCSTMTRS"} and not match["end"]:
            statement = {}
        elif not match["end"]:
            value = html.unescape(match["text"]).strip()
            # An ACCTID inside a transaction is the counterparty's account.
            (statement if record is None else record.values).setdefault(name, value)
    if record is not None:
        yield record


def _row(record: _Record, expected: str | None, zone: str | None) -> StatementRow:
    values: Mapping[str, str] = record.values
    if not record.whole:
        raise MisfitError("STMTTRN is not closed: the file is cut off here")
    code = record.statement.get("CURDEF", "").upper()
    check_currency(code, expected, "CURDEF before it is not an ISO 4217 currency")
    if "CURRENCY" in values:
        if "ORIGCURRENCY" in values:
            raise MisfitError("it has both CURRENCY and ORIGCURRENCY")
        code = values.get("CURSYM", "").upper()
        check_currency(code, None, "CURSYM in CURRENCY is not an ISO 4217 currency")
    written = values.get("TRNAMT", "")
    if not _AMOUNT.fullmatch(written):
        raise MisfitError("TRNAMT is not an amount")
    minor = fit_64_bits(to_minor(written.replace(",", "."), code), "TRNAMT")
    dated = "DTTRAN" if record.pending else "DTPOSTED"
    if dated not in values:
        raise MisfitError(f"{dated} is missing")
    parts = [values.get(name, "") for name in ("NAME", "MEMO")]
    return StatementRow(
        record.line,
        _day(values[dated], zone),
        minor,
        code,
        " ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part)),
        account=fields.hashed(record.statement.get("ACCTID") or None),
        txn_id=values.get("FITID", ""),
        status="pending" if record.pending else "booked",
        value_on=_day(values["DTAVAIL"], zone) if values.get("DTAVAIL") else None,
        counterparty_name=values.get("NAME") or None,
        counterparty_account=fields.hashed(values.get("ACCTID") or None),
        proprietary_code=values.get("TRNTYPE") or None,
    )


def _day(written: str, zone: str | None) -> date:
    match = _STAMP.fullmatch(written)
    if match is None:
        raise MisfitError("a date does not have the form of OFX")
    try:
        day = datetime.strptime(match["day"], "%Y%m%d").replace(tzinfo=UTC).date()
        if zone is None or match["time"] is None or match["offset"] is None:
            return day
        time = datetime.strptime(match["time"], "%H%M%S").replace(tzinfo=UTC).time()
        offset = timezone(timedelta(hours=float(match["offset"])))
    except ValueError:
        raise MisfitError("the date does not exist") from None
    return fields.day_in_zone(datetime.combine(day, time, offset), zone)
