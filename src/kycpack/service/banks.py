"""The banks for payments and linking: a few invented ones for each country.

The interface documents neither a bank's fields nor the list of banks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from kycpack.assets import asset_yaml


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank of the list."""

    id: str
    name: str
    country_code: str
    currencies: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the bank as an item of the list."""
        return {
            "id": self.id,
            "name": self.name,
            "countryCode": self.country_code,
            "currencies": list(self.currencies),
        }


@cache
def all_banks() -> tuple[Bank, ...]:
    """Return all banks, including those of the invented customers."""
    held = asset_yaml("service/banks.yaml")
    return tuple(Bank(bank["id"], bank["name"], bank["country"], tuple(bank["currencies"])) for bank in held)


def list_banks(country_code: str | None) -> list[Bank]:
    """Return the banks of a country; None for all."""
    return [bank for bank in all_banks() if country_code is None or bank.country_code == country_code]


def find_bank(bank_id: str) -> Bank | None:
    """Return the bank with an id, None if there is none."""
    return next((bank for bank in all_banks() if bank.id == bank_id), None)


def bank_id_of(name: str) -> str:
    """Return the id of a bank by its name; for a bank that is not in the list, an id made from the name."""
    listed = next((bank.id for bank in all_banks() if bank.name == name), None)
    return listed or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "bank"
