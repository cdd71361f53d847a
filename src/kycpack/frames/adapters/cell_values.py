"""Reads dates and amounts as banks print them in files; the form is given and never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from kycpack.errors import InputError
from kycpack.frames.transactions import MisfitError
from kycpack.models.money import known_currency, to_minor

_MOST_MINOR = 2**63 - 1
"""Amounts are signed integers of 64 bits."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE_FORMS: Mapping[str, re.Pattern[str]] = {
    form: re.compile(pattern, re.ASCII | re.IGNORECASE)
    for form, pattern in (
        ("d/m/yyyy", r"(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})"),
        ("m/d/yyyy", r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"),
        ("yyyy-mm-dd", r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"),
        ("yyyy-mm-dd hh:mm:ss", r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2}) \d{1,2}:\d{2}:\d{2}"),
        ("d Mon yyyy", rf"(?P<day>\d{{1,2}}) (?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}})"),
        ("dd.mm.yy", r"(?P<day>\d{2})\.(?P<month>\d{2})\.(?P<year>\d{2})"),
    )
}
DATE_FORMS = tuple(_DATE_FORMS)
"""The date forms that a layout may name. Years of two digits are those of this century."""

_SYMBOLS = {"£": "GBP", "€": "EUR", "$": "USD", "¥": "JPY"}
_PLAIN = r"(?P<before>[+-]?)(?:(?P<unit>[£€$¥]|[A-Z]{3}) ?)?(?P<after>[+-]?)"
_AMOUNTS = {
    ".": re.compile(
        _PLAIN + r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.(?P<part>[0-9]{1,4}))?"
    ),
    ",": re.compile(
        _PLAIN + r"(?P<whole>[0-9]{1,3}(?:\.[0-9]{3}){1,4}|[0-9]{1,15})(?:,(?P<part>[0-9]{1,4}))?"
    ),
}


def fit_64_bits(minor: int, what: str) -> int:
    """Return an amount in minor units.

    Raises:
        MisfitError: It does not fit in 64 bits.
    """
    if abs(minor) > _MOST_MINOR:
        raise MisfitError(f"{what} is beyond 64 bits")
    return minor


def check_currency(code: str, expected: str | None, missing: str) -> None:
    """Check the currency of a transaction.

    Args:
        code: The code in the file; empty if there is none.
        expected: The currency that the caller expects; None for any.
        missing: What to say if the code is not an ISO 4217 code.

    Raises:
        MisfitError: It is not a currency, or another one.
    """
    if not known_currency(code):
        raise MisfitError(missing)
    if expected not in {None, code}:
        raise MisfitError(f"the currency is {code}, not {expected}")


def read_date(text: str, form: str) -> date:
    """Return a date printed in one of `DATE_FORMS`.

    Raises:
        MisfitError: The text has another form, or the day does not exist.
    """
    match = _DATE_FORMS[form].fullmatch(text.strip())
    if match is None:
        raise MisfitError(f"the date does not have the form {form}")
    month = match["month"].lower()
    year = int(match["year"])
    try:
        return date(
            2000 + year if year < 100 else year,
            _MONTHS.index(month) + 1 if month in _MONTHS else int(month),
            int(match["day"]),
        )
    except ValueError:
        raise MisfitError("the date does not exist") from None


def read_amount(text: str, role: str, currency: str, decimal_mark: str = ".") -> int:
    """Return a printed amount in minor units of its currency.

    Args:
        text: As in `£1,234.50`, `-12.3`, `1.234,50`.
        role: Its name in errors, as in `balance`.
        currency: ISO 4217 code; a symbol or code in the text must match it.
        decimal_mark: A full stop or a comma; the other one groups thousands.

    Raises:
        MisfitError: The text is not an amount in this currency, has more decimals than the currency, or does not fit in 64 bits.
    """
    match = _AMOUNTS[decimal_mark].fullmatch(text.strip().replace("\N{NO-BREAK SPACE}", " "))
    if (
        match is None
        or (match["before"] and match["after"])
        or _SYMBOLS.get(match["unit"], match["unit"]) not in {None, currency}
    ):
        raise MisfitError(f"{role} is not an amount in {currency}")
    whole = match["whole"].replace(",", "").replace(".", "")
    try:
        minor = to_minor(Decimal(f"{whole}.{match['part'] or 0}"), currency)
    except InputError as error:
        raise MisfitError(f"{role} is not an amount in {currency}: {error}") from None
    fit_64_bits(minor, role)
    return -minor if "-" in (match["before"], match["after"]) else minor
