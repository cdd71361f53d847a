"""What a lawyer says was sold: a client account pays out the price of a home, and of machinery, ships and patents too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.assets import asset_yaml

_COMPANIES = frozenset({"plc"})  # and short for a place
_LONGEST_ADDRESS = 5  # words


@dataclass(frozen=True, eq=False)
class Sales:
    """How the sale of a home is told from any other.

    Args:
        trades: Trades that pay out the price of anything.
        offices: Trades that hold the money of others.
        accounts: Words for accounts on which such an office holds them.
        dealers: Words in the names of firms that are no such office.
        projects: Words for a deal whose name hides what is sold.
        notaries: Words in the names of notaries, who record sales of homes and land, and of little else.
        things: Words for what else such an office sells.
        words: Words that say that something was sold, and not what.
        homes: Words for homes, land and streets, and for their conveyance.
        endings: Endings of the names of streets.
    """

    trades: frozenset[str]
    offices: frozenset[str]
    accounts: frozenset[str]
    dealers: frozenset[str]
    projects: frozenset[str]
    notaries: frozenset[str]
    things: frozenset[str]
    words: frozenset[str]
    homes: frozenset[str]
    endings: tuple[str, ...]

    def are_of_something_else(
        self, trade: str, said: Sequence[str], rest: Sequence[str], words: Sequence[str], payer: Sequence[str]
    ) -> bool:
        """Return whether words for a sale do not say that a home or land was sold.

        Args:
            trade: The trade of the payer in which the words mean the sale of property.
            said: The words for the sale.
            rest: The other words that are said of the payment.
            words: All words of the text.
            payer: The words that name the payer, perhaps among others.
        """
        if trade not in self.trades:
            return False
        if not self.projects.isdisjoint(words):
            return not any(map(self._is_home, rest))
        if not self.words.issuperset(said):
            return False
        things = [word for word in rest if word not in self.words]
        if not self.notaries.isdisjoint(payer):
            return not self.things.isdisjoint(things) or (len(said) == 1 and not things)
        return not any(map(self._is_home, things)) and (bool(things) or len(said) == 1)

    def are_an_address(self, rest: Sequence[str]) -> bool:
        """Return whether some words are an address: a name, and a word for a street or a home after it."""
        return 1 < len(rest) <= _LONGEST_ADDRESS and any(map(self._is_home, rest[1:]))

    def _is_home(self, word: str) -> bool:
        return word in self.homes or word.endswith(self.endings)


def read_sales(document: Mapping[str, Any]) -> Sales:
    """Return how sales of homes are told from others, as `data/lexicon/trades.yaml` and the words of addresses list it."""
    told, of_addresses = document["sales"], asset_yaml("addresses/words.yaml")
    streets = frozenset(of_addresses["streets"])
    short = {one for street in streets for one in of_addresses["shortened"].get(street, ())} - _COMPANIES
    homes = " ".join(told["homes"]).split()
    return Sales(
        frozenset(told["trades"]),
        frozenset(told["offices"]),
        frozenset(told["accounts"]),
        frozenset(told["dealers"]),
        frozenset(told["projects"]),
        frozenset(told["notaries"]),
        frozenset(told["things"]),
        frozenset(told["words"]),
        frozenset((*homes, *streets, *short, *of_addresses["houses"])),
        tuple(told["endings"]),
    )
