"""Who the other party of a movement is: by name, by account, and whether the name is the customer's own."""

from __future__ import annotations

import itertools
import re

import numpy as np

from kycpack.wealth.judge.red_flags.payment_words import words_about
from kycpack.wealth.judge.red_flags.spelt_names import count_titles, of_one_person
from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.coded import Codes, Mask, Words, distinct_of, is_in, joint_code, words_of
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon

_PARTY_WORDS = 2  # of a text: what follows a name is often a reference
_CARD_END = re.compile(r"(?:\*|XX+)\s?(\d{4})(?!\d)", re.IGNORECASE)
_FEWEST_CARDS = 6
_OF_LOANS = frozenset({"loan", "loans", "repayment", "repayments", "repay", "repaid", "repaying"})


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
