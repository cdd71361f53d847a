"""The banks that can be paid from and linked: invented ones, a few a country.

The interface does not show a bank's fields, or which there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank of the list."""

    id: str
    name: str
    country_code: str
    currencies: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the item of the list."""
        return {
            "id": self.id,
            "name": self.name,
            "countryCode": self.country_code,
            "currencies": list(self.currencies),
        }


BANKS = (
    Bank("test-bank", "Test Bank", "GB", ("GBP",)),
    Bank("harbour-bank", "Harbour Bank", "GB", ("GBP", "EUR")),
    Bank("northern-counties", "Northern Counties", "GB", ("GBP",)),
    Bank("thistle-and-wren", "Thistle & Wren", "GB", ("GBP",)),
    Bank("liffey-trust", "Liffey Trust", "IE", ("EUR", "GBP")),
    Bank("rheinufer-bank", "Rheinufer Bank", "DE", ("EUR",)),
    Bank("banque-du-canal", "Banque du Canal", "FR", ("EUR",)),
    Bank("vltava-banka", "Vltava banka", "CZ", ("CZK", "EUR")),
    Bank("wisla-bank", "Bank Wisła", "PL", ("PLN", "EUR")),
    Bank("cedar-creek", "Cedar Creek Bank", "US", ("USD",)),
)


def list_banks(country_code: str | None) -> list[Bank]:
    """Return the banks of a country, or all."""
    return [bank for bank in BANKS if country_code is None or bank.country_code == country_code]


def find_bank(bank_id: str) -> Bank | None:
    """Return the bank with an id."""
    return next((bank for bank in BANKS if bank.id == bank_id), None)


def bank_id_of(name: str) -> str:
    """Return the id of a bank by its name; one that is not in the list gets an id made from its name."""
    listed = next((bank.id for bank in BANKS if bank.name == name), None)
    return listed or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "bank"
