"""The banks that can be paid from and linked: invented ones, a few a country.

The interface does not show a bank's fields, or which there are.
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
        """Return the item of the list."""
        return {
            "id": self.id,
            "name": self.name,
            "countryCode": self.country_code,
            "currencies": list(self.currencies),
        }


@cache
def all_banks() -> tuple[Bank, ...]:
    """Return every bank, those of the invented customers among them."""
    held = asset_yaml("service/banks.yaml")
    return tuple(Bank(bank["id"], bank["name"], bank["country"], tuple(bank["currencies"])) for bank in held)


def list_banks(country_code: str | None) -> list[Bank]:
    """Return the banks of a country, or all."""
    return [bank for bank in all_banks() if country_code is None or bank.country_code == country_code]


def find_bank(bank_id: str) -> Bank | None:
    """Return the bank with an id."""
    return next((bank for bank in all_banks() if bank.id == bank_id), None)


def bank_id_of(name: str) -> str:
    """Return the id of a bank by its name; one that is not in the list gets an id made from its name."""
    listed = next((bank.id for bank in all_banks() if bank.name == name), None)
    return listed or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "bank"
