"""Who the other party of a movement is: by name, by account, and whether the name is the customer's own.

Spellings of one person's name are one party: with or without a title or a middle initial, and with the first name or its initial. Different people stay
apart: an initial stands for a first name only if the customer has no other party of that surname to whom it would fit, and titles, middle initials or account
numbers that differ show two people.

A relative may pay in a firm's money: a text that names a firm after the relative's name says that it is the firm's. Source: FATF, Guidance on Politically Exposed
Persons (2013), and OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013): sums for an official that reach the account through a member of the family.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kycpack.wealth.judge.red_flags.payment_words import words_about
from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.coded import Codes, Mask, Words, distinct_of, is_in, joint_code, words_of
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, compiled, party_of_name
from kycpack.wealth.prepare.parties import PERSON, UNKNOWN

_PARTY_WORDS = 2  # of a text: what follows a name is often a reference
_CARD_END = re.compile(r"(?:\*|XX+)\s?(\d{4})(?!\d)", re.IGNORECASE)
_FEWEST_CARDS = 6
_OF_LOANS = frozenset({"loan", "loans", "repayment", "repayments", "repay", "repaid", "repaying"})
_SEVERAL = 2
_FEWEST_LETTERS = 3  # a shorter legal form is also a word: `AS`, `CO`
_BEHALF = r".*\b(?:von|from|de|auftrag|behalf of|obo) ((?:[^ ]+ ){1,4}?)(?:%s)\b"  # the last of such words


def other_parties(book: Book, rows: Codes, whole: Words, lexicon: Lexicon) -> Words:
    """Return the key of the other party of each row, the same whether or not a reference follows, the name is repeated or a payer's first name is an initial.

    Args:
        book: Transactions.
        rows: Rows of the book.
        whole: Whole names of the other parties, or what is used in their place.
        lexicon: Titles and first names.
    """
    names = [" ".join(_words(one)) for one in whole.distinct]
    ways = words_about("way")
    short = [_without_reference(_after_the_way(one.split(), ways), lexicon.titles) for one in names]
    # The name is whole where the bank gives it in a field of its own; in a text, a reference follows it.
    given = book.names.codes[rows] >= 0
    party = words_of(
        np.array([*names, *short], dtype=object), np.where(given, whole.codes, whole.codes + len(names))
    )
    of_name = {name: index for index, name in enumerate(party.distinct)}
    owner, code = book.customer.codes[rows] * len(party.distinct), party.codes.copy()
    known = distinct_of(owner + code)
    # A name stands for the same customer's longer names that begin with it.
    for length in range(max(one.count(" ") for one in party.distinct), 0, -1):
        begins = (" ".join(one.split()[:length]) for one in party.distinct)
        first = np.array([of_name.get(one, -1) for one in begins], dtype=np.int64)[code]
        longer = np.flatnonzero((first >= 0) & (first != code))
        longer = longer[is_in(owner[longer] + first[longer], known)]
        code[longer] = first[longer]
    return of_one_person(
        book.customer.codes[rows],
        Words(code, party.distinct),
        account_numbers(book, rows),
        np.asarray(book.amount[rows] < 0, dtype=np.bool_),
        lexicon,
    )


def _without_reference(words: list[str], titles: frozenset[str]) -> str:
    """Return the name at the beginning of a text: "mr j bloggs" and "mr j smith" are two people."""
    return " ".join(words[: count_titles(words, titles) + _PARTY_WORDS])


def _after_the_way(words: list[str], ways: frozenset[str]) -> list[str]:
    """Return the words after those for the way at the beginning of a text: what came "de baptiste vasseur" goes back "vers baptiste vasseur"."""
    return [*itertools.dropwhile(ways.__contains__, words)] or words


def _words(key: str) -> list[str]:
    """Return the words of a name, each once in a row; "loan hargreave finance" and "repayment hargreave finance" name the same party."""
    every = [word for word, _ in itertools.groupby(key.split())]
    return [*itertools.dropwhile(_OF_LOANS.__contains__, every)] or every


def by_card(book: Book, rows: Codes, party: Words, chosen: Mask) -> Words:
    """Return the parties, with one party for each card where the texts of one party show the ends of several cards' numbers.

    A top-up names the card and not its holder. A customer has a card or two: from so many on, they are other people's.

    Args:
        book: Transactions.
        rows: Rows of the book.
        party: The other party of each row.
        chosen: Rows that cards may have paid.
    """
    texts = book.columns["description_raw"].of_rows(rows[chosen])
    ends = [found[1] if (found := _CARD_END.search(str(text))) else "" for text in texts.distinct]
    if not any(ends):
        return party
    at = np.flatnonzero(chosen)
    end = words_of(np.array(ends, dtype=object), texts.codes)
    at, end = at[end.present], end.ordered(np.flatnonzero(end.present))
    of_party = joint_code(book.customer.codes[rows[at]], party.codes[at])
    _, first = np.unique(joint_code(of_party, end.codes), return_index=True)
    several = np.bincount(of_party[first], minlength=len(of_party))[of_party] >= _FEWEST_CARDS
    at, end = at[several], end.ordered(np.flatnonzero(several))
    named = [f"{name} {number}" for name, number in zip(party[at], end[:], strict=True)]
    codes = party.codes % len(party.distinct)
    codes[at] = np.arange(len(at)) + len(party.distinct)
    return words_of(np.concatenate([party.distinct, np.array(named, dtype=object)]), codes)


def payer_keys(payer: Words, party: Words, cards: Words) -> Words:
    """Return the payer of each credit in the streams; empty for debits, and where a card stands for the payer.

    Args:
        payer: The payer of each credit.
        party: The other party of each row; credits come first.
        cards: The same from `by_card`.
    """
    code = np.full(len(party.codes), -1, dtype=np.int64)
    code[: len(payer.codes)] = payer.codes
    if cards is not party:
        code[cards[:] != party[:]] = -1
    return words_of(payer.distinct, code)


def own_names(book: Book, rows: Codes, party: Words, parties: OwnParties) -> tuple[Mask, Mask]:
    """Return which parties, by their whole names, have the customer's surname, and which also have the first name."""
    if not any(parties.names.values()):
        none = np.zeros(len(rows), dtype=np.bool_)
        return none, none
    owner = book.customer.codes[rows]
    size = len(party.distinct)
    cells, where = np.unique(owner * size + party.codes, return_inverse=True)
    owners, named = np.divmod(cells, size)
    words = [frozenset(one.split()) for one in party.distinct]
    surname, whole = (np.zeros(len(cells), dtype=np.bool_) for _ in range(2))
    for place, (one, name) in enumerate(zip(owners.tolist(), named.tolist(), strict=True)):
        own = parties.names.get(book.customer.distinct[one], ())
        surname[place] = any(last <= words[name] for _, last in own)
        whole[place] = any(last <= words[name] and not first.isdisjoint(words[name]) for first, last in own)
    return surname[where], whole[where]


def account_numbers(book: Book, rows: Codes) -> Words:
    """Return the account of the other party of each row, as the bank writes it; no text where it does not."""
    column = book.columns.get("counterparty_account")
    if column is None:
        return words_of(np.array([], dtype=object), np.full(len(rows), -1, dtype=np.int64))
    return words_of(column.distinct, column.codes[rows])


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


def of_firms(book: Book, rows: Codes, family: Mask, party: Words, lexicon: Lexicon) -> tuple[Words, Mask]:
    """Return the other parties, with the firm in place of the relative who pays on its behalf, and which rows these are.

    A firm that has a word of the relative's name is the family's own, and its money the family's.

    Args:
        book: Transactions.
        rows: Rows of the book.
        family: Credits from a party with the customer's surname.
        party: The other party of each row.
        lexicon: Legal forms.
    """
    found = np.zeros(len(rows), dtype=np.bool_)
    at = np.flatnonzero(family)
    texts = book.columns["description_raw"].read(lexicon.words_of).of_rows(rows[at])
    forms = sorted(one for one in lexicon.legal_suffixes if len(one) >= _FEWEST_LETTERS)
    pattern = compiled(_BEHALF % "|".join(map(re.escape, forms)))
    firms = [match[1].strip() if (match := pattern.match(str(text))) else "" for text in texts.distinct]
    if not any(firms):
        return party, found
    named = words_of(np.array(firms, dtype=object), texts.codes)
    strange = [
        bool(firm) and set(firm.split()).isdisjoint(who.split())
        for firm, who in zip(named[:], party[at], strict=True)
    ]
    chosen = np.flatnonzero(np.array(strange, dtype=np.bool_))
    found[at[chosen]] = True
    codes = party.codes % len(party.distinct)
    codes[at[chosen]] = named.codes[chosen] + len(party.distinct)
    return words_of(np.concatenate([party.distinct, named.distinct]), codes), found
