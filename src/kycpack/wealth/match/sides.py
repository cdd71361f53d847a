"""What one side of a possible own transfer shows: the customer's own account, a transfer, somebody else, or nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.assets import asset_yaml
from kycpack.frames.rows import rows
from kycpack.wealth.match.own_accounts import has_own_number
from kycpack.wealth.match.own_names import (
    MENTIONED,
    NAMED,
    NOT_NAMED,
    PART,
    OwnName,
    find_own_name,
    fold_spelling,
    to_own_name,
)
from kycpack.wealth.prepare.coded import Coded, Codes, Mask, Words, pick, words_of
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, matches, party_of_name, without_words
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, party_of
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.prepare.signals import Signals

_SAY_NO_SOURCE = ("savings", "person_transfer")  # the names decide whose money it is
_Name = tuple[frozenset[str], frozenset[str]]  # words of first names, words of the surname
_WORDS_OF_A_NAME = 2
_SEVERAL_HOLDERS = r"\s*(?:&|/|,|\+|\band\b)\s*"


@dataclass(frozen=True, eq=False)
class Sides:
    """What rows show about their other party, one element per row.

    Args:
        own: Whether it names the customer's own account, or the customer.
        number: Whether it names the customer's own account by number or code, and nothing contradicts that.
        worded: Whether it has words for a transfer between accounts and names nobody else.
        mentioned: Whether it has the customer's name among other words, or in a form that others share.
        part: Whether it has a part of the customer's name, such as the first name, and nothing else.
        institution: Whether it names a bank, a payment service or a currency exchange, and no person or other firm.
        person: Whether `party` reads like a person.
        other: Whether it names somebody else.
        recognised: Whether the party it names reads like a person, a firm or a public body.
        against: Whether it reads like income, or money from a relative.
        party: The text that names the other party, for a person the initial and surname; empty if there is none, and if the customer's
            own name is known.
        words: What the payment is called, as in HOUSEHOLD or JOINT BILLS, if that reads like no person, firm or public body; otherwise empty.
    """

    own: Mask
    number: Mask
    worded: Mask
    mentioned: Mask
    part: Mask
    institution: Mask
    person: Mask
    other: Mask
    recognised: Mask
    against: Mask
    party: npt.NDArray[np.object_]
    words: npt.NDArray[np.object_]

    def of(self, rows: Codes) -> Sides:
        """Return the sides of the given rows, in their order."""
        return Sides(**{name: getattr(self, name)[rows] for name in Sides.__dataclass_fields__})


@dataclass(frozen=True, eq=False)
class Debits:
    """The debits of a book that count, read once for all callers.

    Args:
        rows: Rows of the book, ascending.
        signals: What their codes and words show.
        sides: What they show about their other party.
    """

    rows: Codes
    signals: Signals
    sides: Sides


@dataclass(frozen=True, eq=False)
class OwnParties:
    """The names and accounts that identify a customer as the other party.

    Args:
        names: First names and surname, each as a set of words, by customer.
        spelled: The same names in the form in which they are searched for in texts.
        accounts: Frame `accounts`, for the numbers.
    """

    names: Mapping[str, set[_Name]]
    spelled: Mapping[str, tuple[OwnName, ...]]
    accounts: pd.DataFrame | None


def read_sides(
    book: Book,
    rows: Codes,
    signals: Signals,
    parties: OwnParties,
    lexicon: Lexicon,
) -> Sides:
    """Return what rows show about their other party.

    Args:
        book: Transactions.
        rows: Rows to read, credits or debits.
        signals: What their codes and words show.
        parties: Names and accounts of the customers.
        lexicon: Words for channels, titles, and words for a transfer.
    """
    by_name, by_text = _party(signals.names, lexicon), _party(signals.description, lexicon)
    has_name = pick(by_name.party.distinct != "", by_name.party.codes, missing=False)
    plain = _either(has_name, by_name.plain, by_text.plain)
    party = _either(has_name, by_name.party, by_text.party)
    codes, texts = party.codes, party.distinct
    called = np.array(without_words(list(plain.distinct), lexicon.dropped_pattern), dtype=object)
    left = np.full(len(plain.distinct), "", dtype=object)
    left[plain.codes] = party[:]
    named = _own_names(
        book.customer.of_rows(rows),
        plain.codes,
        [str(text).split() for text in plain.distinct],
        left,
        parties.spelled,
        lexicon,
    )
    own_name = named == NAMED
    somebody = np.array([_names_somebody(str(text), lexicon) for text in texts], dtype=np.bool_)[codes]
    somebody |= own_name
    typed = ~np.isin(signals.type_code, [NO_TYPE, *(lexicon.code(name) for name in _SAY_NO_SOURCE)])
    # A sole trader draws what a business account in the same name has taken.
    typed &= ~(own_name & signals.is_type(lexicon, "business_income"))
    against = typed | (signals.family & ~signals.own_account)
    number = has_own_number(book, rows, signals.own_transfer | own_name, parties.accounts)
    by_number = (number & ~against) | signals.own_account
    own = by_number | (own_name & ~against)
    other = somebody & ~by_number & ~own_name
    known = np.array([str(one) in parties.names for one in book.customer.distinct], dtype=np.bool_)
    unknown = somebody & ~known[book.customer.codes[rows]]
    kinds = [party_of_name(str(text), lexicon) for text in texts]
    person = np.array([kind == PERSON for kind in kinds], dtype=np.bool_)[codes]
    recognised = np.array([kind in (PERSON, FIRM, STATE) for kind in kinds], dtype=np.bool_)[codes]
    persons = np.array([_person_key(str(text), lexicon) for text in texts], dtype=object)
    return Sides(
        own=own,
        number=by_number,
        worded=(signals.own_transfer | np.where(has_name, by_name.account, by_text.account)) & ~other,
        mentioned=(named == MENTIONED) & ~own,
        part=(named == PART) & ~own,
        institution=by_name.institution | (by_text.institution & ~has_name),
        person=person & unknown,
        other=other,
        recognised=other & recognised,
        against=np.asarray(against & ~signals.own_account),
        party=np.where(unknown, persons[codes], ""),
        words=np.where(recognised, "", called[plain.codes]),
    )


def read_debits(book: Book, counted: Mask, said: Signals, parties: OwnParties, lexicon: Lexicon) -> Debits:
    """Return the debits of a book with what they show.

    Args:
        book: Transactions.
        counted: Rows that are booked, count, and do not duplicate another one.
        said: What the codes and words of all rows of the book show.
        parties: Names and accounts of the customers.
        lexicon: Words for channels, titles, and words for a transfer.
    """
    rows = np.flatnonzero(counted & (book.amount < 0))
    signals = said.of(rows)
    return Debits(rows, signals, read_sides(book, rows, signals, parties, lexicon))


@dataclass(frozen=True, eq=False)
class _Party:
    """The party that texts name, one element per row.

    Args:
        plain: The plain text.
        party: The text without words that name nobody.
        institution: Whether these words name a bank.
        account: Whether they refer to an account.
    """

    plain: Coded
    party: Coded
    institution: Mask
    account: Mask


def _party(column: Coded, lexicon: Lexicon) -> _Party:
    plain = column.read(to_plain_text)
    words, accounts, exchange, banks, services = _account_words()
    bare = without_words(without_words(list(plain.distinct), words), lexicon.dropped_pattern)
    kept = without_words(without_words(bare, exchange), banks)
    left = without_words(kept, services)
    speaks = np.zeros(len(bare), dtype=np.bool_)
    for pattern in (exchange, banks, services):
        speaks |= matches(plain.distinct.tolist(), pattern)
    institution = speaks & np.array([len(rest) <= 1 for rest in left], dtype=np.bool_)
    return _Party(
        plain,
        Coded(plain.codes, np.array(kept, dtype=object)),
        pick(institution, plain.codes, missing=False),
        pick(np.asarray(matches(plain.distinct.tolist(), accounts)), plain.codes, missing=False),
    )


@lru_cache(maxsize=1)
def _account_words() -> tuple[str, ...]:
    """Return patterns of words that name nobody, of words for an account or an exchange, and of the names of banks and payment services."""
    document = asset_yaml("lexicon/own_accounts.yaml")
    return tuple(
        any_of(document[name]) for name in ("words", "accounts", "exchange", "banks", "payment_services")
    )


def any_of(words: Sequence[str]) -> str:
    """Return a pattern that matches one or more of the given words in a row, in plain text."""
    any_word = "(?:" + "|".join(sorted(set(words), key=lambda word: (-len(word), word))) + ")"
    return rf"(?:^| ){any_word}(?: {any_word})*(?: |$)"


def own_parties(
    customers: pd.DataFrame | None, accounts: pd.DataFrame | None, lexicon: Lexicon
) -> OwnParties:
    """Return the names and accounts of customers.

    Args:
        customers: Frame `customers`, for first and last names.
        accounts: Frame `accounts`, for numbers and holders' names.
        lexicon: Titles.
    """
    known: list[tuple[str, str, str]] = []
    if customers is not None and {"first_name", "last_name"} <= set(customers.columns):
        known += [
            (str(row.customer_id), str(row.first_name), str(row.last_name))
            for row in rows(customers, "customer_id", "first_name", "last_name")
            if not (pd.isna(row.customer_id) or pd.isna(row.first_name) or pd.isna(row.last_name))
        ]
    if accounts is not None and "holder_name" in accounts.columns:
        holders = dict.fromkeys(
            (row.customer_id, str(row.holder_name).lower())
            for row in rows(accounts, "customer_id", "holder_name")
            if not (pd.isna(row.customer_id) or pd.isna(row.holder_name))
        )
        split = [(str(one), re.split(_SEVERAL_HOLDERS, holder)) for one, holder in holders]
        # The other holder of a joint account is somebody else, if it is known which of them the customer is.
        for several in (False, True):
            named = {one for one, _, _ in known} if several else set()
            known += [
                (one, *_first_and_last(name, lexicon.titles))
                for one, names in split
                if (len(names) > 1) is several and one not in named
                for name in names
            ]
    plain = to_plain_text([text for _, first, last in known for text in (first, last)])
    own: dict[str, set[_Name]] = defaultdict(set)
    spelled: dict[str, dict[OwnName, None]] = defaultdict(dict)
    for (customer, _, _), first, last in zip(known, plain[::2], plain[1::2], strict=True):
        words = frozenset(first.split()) - lexicon.titles, frozenset(last.split())
        if words[0] and words[1]:
            own[customer].add(words)
        name = to_own_name([word for word in first.split() if word not in lexicon.titles], last.split())
        if name is not None:
            spelled[customer][name] = None
    return OwnParties(own, {one: tuple(names) for one, names in spelled.items()}, accounts)


def _first_and_last(name: str, titles: frozenset[str]) -> tuple[str, str]:
    words = [word for word in name.replace(".", " ").split() if word not in titles]
    if len(words) > 1 and len(words[-1]) == 1:
        words = [*words[1:], words[0]]
    return " ".join(words[:-1]), words[-1] if words else ""


def _own_names(
    customer: Coded,
    plain: Codes,
    texts: Sequence[Sequence[str]],
    parties: npt.NDArray[np.object_],
    own: Mapping[str, tuple[OwnName, ...]],
    lexicon: Lexicon,
) -> Codes:
    """Return how each row names its customer: `NOT_NAMED`, `PART`, `MENTIONED` or `NAMED`.

    Args:
        customer: Customer of each row.
        plain: Plain text of each row.
        texts: Words of the plain texts.
        parties: Each of them without the words that name nobody.
        own: Names of customers.
        lexicon: Titles, first names and words of firms.
    """
    result = np.zeros(len(plain), dtype=np.int64)
    if not own:
        return result
    width = max(len(texts), 1)
    cells, where = np.unique(customer.codes * width + plain, return_inverse=True)
    answers = np.zeros(len(cells), dtype=np.int64)
    for index, cell in enumerate(cells.tolist()):
        names = own.get(customer.distinct[cell // width], ())
        if names:
            left = str(parties[cell % width]).split()
            answers[index] = max(_named(texts[cell % width], left, name, lexicon) for name in names)
    return np.asarray(answers[where], dtype=np.int64)


def _named(text: Sequence[str], left: Sequence[str], name: OwnName, lexicon: Lexicon) -> int:
    # A word that names nobody elsewhere, such as May or Chase, may be part of this name.
    words = [word for word in text if word in left or word in name.firsts or word in name.surname]
    words = [word for word in words if word not in lexicon.titles]
    found = find_own_name(words, name, lexicon.given_names)
    if found == MENTIONED and party_of(words, lexicon) in (FIRM, STATE):
        return NOT_NAMED
    return found


def _names_somebody(party: str, lexicon: Lexicon) -> bool:
    """Return whether a text names somebody; a single letter is a fragment and nobody's name."""
    return any(len(word) > 1 and word not in lexicon.titles for word in party.split())


def _person_key(party: str, lexicon: Lexicon) -> str:
    """Return a person as initial and surname, so that `M OKAFOR` and `MARY OKAFOR` are the same; any other party as it is written."""
    words = [fold_spelling(word) for word in party.split() if word not in lexicon.titles]
    if len(words) < _WORDS_OF_A_NAME or party_of_name(party, lexicon) != PERSON:
        return fold_spelling(party)
    given = lexicon.given_names
    surname_first = len(words[-1]) == 1 or (words[-1] in given and words[0] not in given)
    first, last = (words[-1], words[0]) if surname_first else (words[0], words[-1])
    return f"{first[0]} {last}"


def _either(named: Mask, names: Coded, texts: Coded) -> Words:
    """Return the names of rows that have one, and the texts of the others; each once, and empty if there is none."""
    in_texts = np.where(texts.codes < 0, -1, texts.codes + len(names.distinct))
    every = Coded(
        np.where(named, names.codes, in_texts), np.concatenate([names.distinct, texts.distinct])
    ).of_rows(np.arange(len(named)))
    return words_of(every.distinct, every.codes)
