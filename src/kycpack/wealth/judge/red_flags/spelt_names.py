"""Spellings of one person's name: with or without a title or a middle initial, and with the first name or its initial.

Different people stay apart: an initial stands for a first name only if the customer has no other party of that surname to whom it would fit, and titles,
middle initials or account numbers that differ show two people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, Words
from kycpack.wealth.prepare.lexicon import Lexicon, party_of_name
from kycpack.wealth.prepare.parties import PERSON, UNKNOWN

_SEVERAL = 2


class _Name(NamedTuple):
    """A name in plain words: the title, the first name or its initial, initials after it, and all that follows; empty texts for what is missing."""

    title: str
    first: str
    middle: str
    rest: str

    @property
    def is_short(self) -> bool:
        """Whether a title or an initial makes it a spelling of a longer or plainer name."""
        return bool(self.rest) and bool(self.title or self.middle or len(self.first) == 1)


def of_one_person(owner: Codes, party: Words, number: Words, paid: Mask, lexicon: Lexicon) -> Words:
    """Return the parties with one name for all spellings of one person who pays in and is not paid.

    Whoever is paid keeps each spelling: a stranger called like the landlord is not the landlord.

    Args:
        owner: Customer of each row.
        party: The other party of each row.
        number: Account of the other party of each row; empty if the bank does not show it.
        paid: Rows that pay the other party.
        lexicon: Titles and first names.
    """
    names = [_read(one, lexicon.titles) for one in party.distinct]
    wanted = {
        (one.first[0], one.rest)
        for one, text in zip(names, party.distinct, strict=True)
        if one.is_short and party_of_name(text, lexicon) == PERSON
    }
    if not wanted:
        return party
    chosen = np.array(
        [bool(one.rest) and (one.first[0], one.rest) in wanted for one in names], dtype=np.bool_
    )
    at = np.flatnonzero(chosen[party.codes])
    cells, where = np.unique(owner[at] * len(names) + party.codes[at], return_inverse=True)
    accounts: list[set[str]] = [set() for _ in cells]
    for cell, text in zip(where.tolist(), number.ordered(at)[:].tolist(), strict=True):
        accounts[cell].add(text)
    kept = np.bincount(where[paid[at]], minlength=len(cells)) > 0
    alike: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for cell, (customer, code) in enumerate(zip(*np.divmod(cells, len(names)), strict=True)):
        if party_of_name(party.distinct[code], lexicon) in (PERSON, UNKNOWN):
            alike[customer, names[code].first[0], names[code].rest].append(cell)
    spelling = cells % len(names)
    name_of = [names[code] for code in spelling]
    for every in alike.values():
        for one_name in _of_one_first_name(every, [name_of[cell] for cell in every]):
            marks = ({name_of[cell].title for cell in one_name}, {name_of[cell].middle for cell in one_name})
            same = [cell for cell in one_name if not kept[cell]]
            alone = all(len(each - {""}) < _SEVERAL for each in marks)
            if same and alone and _share_accounts(same, accounts):
                plainest = min(
                    same,
                    key=lambda cell: (-len(name_of[cell].first), name_of[cell].title, name_of[cell].middle),
                )
                spelling[same] = spelling[plainest]
    codes = party.codes.copy()
    codes[at] = spelling[where]
    return Words(codes, party.distinct)


def count_titles(words: Sequence[str], titles: frozenset[str]) -> int:
    """Return how many of the first words are titles; the last word of a name is none."""
    return next((place for place, word in enumerate(words) if word not in titles), 0)


def _read(text: str, titles: frozenset[str]) -> _Name:
    words = text.split()
    titled = count_titles(words, titles)
    after = words[titled + 1 :]
    initials = next((place for place, word in enumerate(after) if len(word) > 1), 0)
    return _Name(
        " ".join(words[:titled]),
        "".join(words[titled : titled + 1]),
        " ".join(after[:initials]),
        " ".join(after[initials:]),
    )


def _of_one_first_name(cells: list[int], names: list[_Name]) -> list[list[int]]:
    """Return the cells that may be of one person: all of them if they have one first name at most, otherwise those of each."""
    by_first: dict[str, list[int]] = defaultdict(list)
    for cell, name in zip(cells, names, strict=True):
        by_first[name.first].append(cell)
    whole = [first for first in by_first if len(first) > 1]
    return [cells] if len(whole) < _SEVERAL else [by_first[first] for first in whole]


def _share_accounts(cells: list[int], accounts: list[set[str]]) -> bool:
    """Return whether no spelling pays from an account that another one, whose accounts are known, does not use."""
    known = [accounts[cell] - {""} for cell in cells if accounts[cell] - {""}]
    return all(one == known[0] for one in known)
