"""Where a bank is, for the day on which an instant falls there."""

from __future__ import annotations

import re

# Countries of one time zone, or nearly so, as in zone1970.tab of the IANA time zone database.
_ZONES = {
    "AT": "Europe/Vienna", "BE": "Europe/Brussels", "CH": "Europe/Zurich", "CZ": "Europe/Prague", "DE": "Europe/Berlin",
    "DK": "Europe/Copenhagen", "FR": "Europe/Paris", "GB": "Europe/London", "IE": "Europe/Dublin", "IT": "Europe/Rome",
    "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw", "SE": "Europe/Stockholm",
}  # fmt: skip

# Currencies whose banks keep accounts in one country. The euro is none.
_HOME = {"GBP": "GB", "CHF": "CH", "CZK": "CZ", "DKK": "DK", "NOK": "NO", "PLN": "PL", "SEK": "SE"}
_IBAN_COUNTRY = re.compile(r"([A-Z]{2})[0-9*X]{2}")
_SORT_CODE = re.compile(r"[0-9*X]{6}")


def bank_zone(country: str) -> str | None:
    """Return the time zone of a country's banks, as in `Europe/London`; None where there are several, or none is known here."""
    return _ZONES.get(country.upper().partition("-")[0])


def zone_of_account(account_number: str | None, sort_code: str | None, currency: str | None) -> str | None:
    """Return the time zone of the bank that holds an account; None where nothing shows it.

    Args:
        account_number: An IBAN says the country; masked digits do no harm.
        sort_code: Six digits are a bank's in the United Kingdom, or in Ireland, which keeps the same time.
        currency: ISO 4217; counts where its accounts are kept in one country.
    """
    iban = _IBAN_COUNTRY.match((account_number or "").replace(" ", "").upper())
    if iban is not None:
        return bank_zone(iban.group(1))
    if _SORT_CODE.fullmatch(re.sub(r"[\s-]", "", sort_code or "").upper()):
        return bank_zone("GB")
    return bank_zone(_HOME.get((currency or "").upper(), ""))
