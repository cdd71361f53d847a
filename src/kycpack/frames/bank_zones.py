"""The time zone of a bank, to find the bank's day of a timestamp."""

from __future__ import annotations

import re

# Countries with one time zone, or nearly so, as in zone1970.tab of the IANA time zone database.
_ZONES = {
    "AT": "Europe/Vienna", "BE": "Europe/Brussels", "CH": "Europe/Zurich", "CZ": "Europe/Prague", "DE": "Europe/Berlin",
    "DK": "Europe/Copenhagen", "FR": "Europe/Paris", "GB": "Europe/London", "IE": "Europe/Dublin", "IT": "Europe/Rome",
    "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw", "SE": "Europe/Stockholm",
}  # fmt: skip

# Currencies with bank accounts in one country only. The euro is not one of them.
_HOME = {"GBP": "GB", "CHF": "CH", "CZK": "CZ", "DKK": "DK", "NOK": "NO", "PLN": "PL", "SEK": "SE"}
_IBAN_COUNTRY = re.compile(r"([A-Z]{2})[0-9*X]{2}")
_SORT_CODE = re.compile(r"[0-9*X]{6}")


def bank_zone(country: str) -> str | None:
    """Return the time zone of a country's banks, as in `Europe/London`; None if there are several or none is listed here."""
    return _ZONES.get(country.upper().partition("-")[0])


def zone_of_account(account_number: str | None, sort_code: str | None, currency: str | None) -> str | None:
    """Return the time zone of an account's bank; None if it is not known.

    Args:
        account_number: An IBAN gives the country, even if its digits are masked.
        sort_code: Six digits mean a bank in the United Kingdom, or in Ireland, which has the same time.
        currency: ISO 4217 code; used only for currencies with accounts in one country.
    """
    iban = _IBAN_COUNTRY.match((account_number or "").replace(" ", "").upper())
    if iban is not None:
        return bank_zone(iban.group(1))
    if _SORT_CODE.fullmatch(re.sub(r"[\s-]", "", sort_code or "").upper()):
        return bank_zone("GB")
    return bank_zone(_HOME.get((currency or "").upper(), ""))
