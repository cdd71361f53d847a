"""Reads the members of a provider's record strictly: a member may be absent, but not of the wrong type."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from kycpack.errors import InputError
from kycpack.frames.adapters.cell_values import fit_64_bits
from kycpack.frames.adapters.result import Item
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import known_currency, to_minor

_IN_UTC = re.compile(r"T.*(?:Z|[+-]00:?00)$")


def member(record: Any, path: str) -> Any:
    """Return the value at a dotted path, None if a member is absent or null.

    Raises:
        MisfitError: A value on the path is not an object.
    """
    value = record
    for name in path.split("."):
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise MisfitError(f"{path} is not inside an object")
        value = value.get(name)
    return value


def text(record: Any, *paths: str) -> str | None:
    """Return the first text that is present and not blank, None if there is none.

    Raises:
        MisfitError: A member is neither text nor absent.
    """
    for path in paths:
        value = member(record, path)
        if value is not None and not isinstance(value, str):
            raise MisfitError(f"{path} is not text")
        if value and value.strip():
            return str(value)
    return None


def list_items(document: Any, path: str, status: str | None = None) -> Iterator[Item]:
    """Yield the records of a list with their places.

    Raises:
        MisfitError: There is no list at the path.
    """
    records = member(document, path)
    if not isinstance(records, list):
        raise MisfitError(f"{path} is not a list")
    for position, record in enumerate(records):
        yield Item(f"{path}[{position}]", record, status)


def required_text(record: Any, *paths: str) -> str:
    """Return the first text that is present and not blank.

    Raises:
        MisfitError: There is none.
    """
    value = text(record, *paths)
    if value is None:
        raise MisfitError(f"{' or '.join(paths)} is missing")
    return value


def day(record: Any, *paths: str, zone: str | None = None) -> datetime | None:
    """Return the day of the first date or timestamp that is present: the day at the bank.

    Args:
        record: A provider's record.
        paths: Dotted paths; the first one with a value counts.
        zone: The bank's time zone, as in `Europe/London`. A UTC timestamp at a time other than midnight is converted to the
            day in that zone; all others are the bank's day as written.

    Raises:
        MisfitError: The text does not begin with an ISO date.
    """
    value = text(record, *paths)
    if value is None:
        return None
    try:
        written = datetime.combine(date.fromisoformat(value[:10]), time())
        stamp = datetime.fromisoformat(value) if zone is not None and _IN_UTC.search(value) else None
    except ValueError:
        raise MisfitError(f"{' or '.join(paths)} is not a date") from None
    if zone is None or stamp is None or stamp.time() == time():
        return written
    return datetime.combine(day_in_zone(stamp, zone), time())


def day_in_zone(stamp: datetime, zone: str) -> date:
    """Return the day of a timestamp in a time zone.

    Raises:
        MisfitError: That day is before the year 1 or after 9999.
    """
    try:
        return stamp.astimezone(ZoneInfo(zone)).date()
    except OverflowError:
        raise MisfitError("the date does not exist") from None


def booking_day(record: Any, *paths: str, zone: str | None = None) -> datetime:
    """Return the booking day, as `day` reads it.

    Raises:
        MisfitError: There is none.
    """
    found = day(record, *paths, zone=zone)
    if found is None:
        raise MisfitError(f"{' or '.join(paths)} is missing")
    return found


def currency(record: Any, *paths: str) -> str:
    """Return a currency code.

    Raises:
        MisfitError: The code is missing or is not an ISO 4217 code; a currency is never assumed.
    """
    code = required_text(record, *paths)
    if not known_currency(code):
        raise MisfitError(f"{' or '.join(paths)} is not an ISO 4217 currency")
    return code


def amount_minor(record: Any, path: str, code: str) -> int:
    """Return a signed amount in minor units.

    Raises:
        MisfitError: The amount is missing, is not an exact decimal, has more decimals than the currency, or does not fit in 64 bits.
    """
    value = member(record, path)
    if value is None:
        raise MisfitError(f"{path} is missing")
    try:
        minor = to_minor(value, code)
    except InputError as error:
        raise MisfitError(f"{path}: {error}") from None
    return fit_64_bits(minor, path)


def balance_minor(record: Any, path: str, code: str) -> int | None:
    """Return a balance in minor units, None if there is none.

    Args:
        record: The record.
        path: The member with `amount` and `currency`.
        code: The transaction's currency.

    Raises:
        MisfitError: The balance is not an amount of the transaction's currency.
    """
    if member(record, f"{path}.amount") is None:
        return None
    if currency(record, f"{path}.currency") != code:
        raise MisfitError(f"{path.partition('.')[0]} is in another currency")
    return amount_minor(record, f"{path}.amount", code)


def directed_minor(record: Any, amount_path: str, indicator_path: str, code: str) -> int:
    """Return an amount in minor units whose direction is in another member: Credit is into the account, Debit out of it.

    Raises:
        MisfitError: The amount has a sign of its own, or the indicator has another value.
    """
    value = member(record, amount_path)
    minor = amount_minor(record, amount_path, code)
    if str(value).startswith(("-", "+")):
        raise MisfitError(f"{amount_path} has a sign, but {indicator_path} gives the direction")
    match required_text(record, indicator_path).lower():
        case "credit":
            return minor
        case "debit":
            return -minor
        case _:
            raise MisfitError(f"{indicator_path} is neither Credit nor Debit")


def hashed(identifier: str | None) -> str | None:
    """Return the hash of an account identifier's letters and digits, which groups accounts without revealing them."""
    if identifier is None:
        return None
    plain = "".join(letter for letter in identifier if letter.isalnum()).upper()
    return "h-" + hashlib.sha256(plain.encode()).hexdigest()[:16]
