"""What one side of a possible own transfer says: the customer's own account, a transfer, somebody else, or nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from kycpack.assets import asset_text
from kycpack.wealth.match.own_accounts import has_own_number
from kycpack.wealth.prepare.intake import Book, Coded, Codes, Mask, pick
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, to_plain_text, without_words
from kycpack.wealth.prepare.signals import Signals

_SAY_NO_SOURCE = ("savings", "person_transfer")  # whose money it is, the names decide
_Name = tuple[frozenset[str], frozenset[str]]  # words of first names, words of the surname
_SEVERAL_HOLDERS = r"\s*(?:&|/|,|\+|\band\b)\s*"


@dataclass(frozen=True, eq=False)
class Sides:
    """What rows say of their other party, an element a row.

    Args:
        own: It names the customer's own account, or the customer.
        number: It names the customer's own account by number or code, and nothing contradicts that.
        worded: It speaks of a transfer between accounts, and names nobody else.
        other: It names somebody else.
        against: It says that it is income, or from a relative.
        party: What names the other party; empty where nothing does, and where the customer's own name is known.
    """

    own: Mask
    number: Mask
    worded: Mask
    other: Mask
    against: Mask
    party: npt.NDArray[np.object_]

    def of(self, rows: Codes) -> Sides:
        """Return the sides of some rows, in their order."""
        return Sides(**{name: getattr(self, name)[rows] for name in Sides.__dataclass_fields__})


@dataclass(frozen=True, eq=False)
class Debits:
    """The debits of a book that count, read once for all who look at them.

    Args:
        rows: Rows of the book, ascending.
        signals: What codes and words say of them.
        sides: What they say of their other party.
    """

    rows: Codes
    signals: Signals
    sides: Sides


@dataclass(frozen=True, eq=False)
class OwnParties:
    """What names a customer as the other party.

    Args:
        names: First names and surname, each as a set of words, by customer.
        accounts: Frame `accounts`, for the numbers.
    """

    names: Mapping[str, set[_Name]]
    accounts: pd.DataFrame | None


def read_sides(
    book: Book,
    rows: Codes,
    signals: Signals,
    parties: OwnParties,
    lexicon: Lexicon,
) -> Sides:
    """Return what rows say of their other party.

    Args:
        book: Transactions.
        rows: Rows to look at, credits or debits.
        signals: What codes and words say of them.
        parties: Names and accounts of the customers.
        lexicon: Channel words, titles, and words of a transfer.
    """
    by_name, by_text = _party(signals.names, lexicon), _party(signals.description, lexicon)
    has_name = pick(by_name.distinct != "", by_name.codes, missing=False)
    every = np.arange(len(rows))
    party = np.where(has_name, by_name.texts(every), by_text.texts(every))
    codes, texts = pd.factorize(np.where(party == None, "", party))  # noqa: E711 - element by element
    own_name, somebody = _own_or_somebody(
        book.customer.of_rows(rows),
        codes.astype(np.int64),
        list(texts),
        parties.names,
        lexicon.titles,
    )
    silent = [NO_TYPE, *(lexicon.code(name) for name in _SAY_NO_SOURCE)]
    typed = ~np.isin(signals.type_code, silent)
    against = typed | (signals.family & ~signals.own_account)
    number = has_own_number(book, rows, signals.own_transfer | own_name, parties.accounts)
    by_number = (number & ~against) | signals.own_account
    own = by_number | (own_name & ~against)
    other = somebody & ~by_number & ~own_name
    named = np.array([str(one) in parties.names for one in book.customer.distinct], dtype=np.bool_)
    unknown = somebody & ~named[book.customer.codes[rows]]
    return Sides(
        own=own,
        number=by_number,
        worded=signals.own_transfer & ~other,
        other=other,
        against=np.asarray(against & ~signals.own_account),
        party=np.where(unknown, party, ""),
    )


def read_debits(book: Book, counted: Mask, said: Signals, parties: OwnParties, lexicon: Lexicon) -> Debits:
    """Return the debits of a book, as they read.

    Args:
        book: Transactions.
        counted: Rows that are booked, count, and repeat no other one.
        said: What codes and words say of all rows of the book.
        parties: Names and accounts of the customers.
        lexicon: Channel words, titles, and words of a transfer.
    """
    rows = np.flatnonzero(counted & (book.amount < 0))
    signals = said.of(rows)
    return Debits(rows, signals, read_sides(book, rows, signals, parties, lexicon))


def _party(column: Coded, lexicon: Lexicon) -> Coded:
    """Return what is left of texts without the words that name nobody."""
    plain = column.read(to_plain_text)
    kept = list(plain.distinct)
    for pattern in (_account_words(), lexicon.dropped_pattern):
        kept = without_words(kept, pattern)
    return Coded(plain.codes, np.array(kept, dtype=object))


@lru_cache(maxsize=1)
def _account_words() -> str:
    document = yaml.safe_load(asset_text("lexicon/own_accounts.yaml"))
    longest_first = sorted({*document["words"], *document["banks"]}, key=lambda word: (-len(word), word))
    return r"(?:^| )(?:" + "|".join(longest_first) + r")(?: |$)"


def own_parties(
    customers: pd.DataFrame | None, accounts: pd.DataFrame | None, lexicon: Lexicon
) -> OwnParties:
    """Return names and accounts of customers.

    Args:
        customers: Frame `customers`, for first and last names.
        accounts: Frame `accounts`, for numbers and the names of holders.
        lexicon: Titles.
    """
    known: list[tuple[str, str, str]] = []
    if customers is not None and {"first_name", "last_name"} <= set(customers.columns):
        people = customers[["customer_id", "first_name", "last_name"]].dropna()
        known += [
            (str(one), str(first), str(last))
            for one, first, last in people.itertuples(index=False, name=None)
        ]
    if accounts is not None and "holder_name" in accounts.columns:
        holders = accounts[["customer_id", "holder_name"]].dropna().drop_duplicates()
        split = holders["holder_name"].astype(str).str.lower().str.split(_SEVERAL_HOLDERS, regex=True)
        for one, names in zip(holders["customer_id"], split, strict=True):
            known += [(str(one), *_first_and_last(name, lexicon.titles)) for name in names]
    plain = to_plain_text([text for _, first, last in known for text in (first, last)])
    own: dict[str, set[_Name]] = defaultdict(set)
    for (customer, _, _), first, last in zip(known, plain[::2], plain[1::2], strict=True):
        words = frozenset(first.split()) - lexicon.titles, frozenset(last.split())
        if words[0] and words[1]:
            own[customer].add(words)
    return OwnParties(own, accounts)


def _first_and_last(name: str, titles: frozenset[str]) -> tuple[str, str]:
    words = [word for word in name.replace(".", " ").split() if word not in titles]
    if len(words) > 1 and len(words[-1]) == 1:
        words = [*words[1:], words[0]]
    return " ".join(words[:-1]), words[-1] if words else ""


def _own_or_somebody(
    customer: Coded,
    party: Codes,
    texts: Sequence[str],
    own: Mapping[str, set[_Name]],
    titles: frozenset[str],
) -> tuple[Mask, Mask]:
    """Return which rows name their customer and nobody else, and which name somebody, the customer or another."""
    words = [frozenset(text.split()) - titles for text in texts]
    # A single letter is the rest of something, and nobody's name.
    somebody = np.array([any(len(word) > 1 for word in one) for one in words], dtype=np.bool_)[party]
    cells, where = np.unique(customer.codes * max(len(texts), 1) + party, return_inverse=True)
    answers = np.zeros(len(cells), dtype=np.bool_)
    if own:
        owners, said = np.divmod(cells, max(len(texts), 1))
        answers[:] = [
            any(_is_named(words[text], name) for name in own.get(customer.distinct[owner], ()))
            for owner, text in zip(owners.tolist(), said.tolist(), strict=True)
        ]
    return answers[where], somebody


def _is_named(words: frozenset[str], name: _Name) -> bool:
    """Tell whether words are a surname with first names or initials of one person, and nothing else."""
    firsts, surname = name
    if not surname <= words:
        return False
    rest = words - surname
    return bool(rest) and all(
        word in firsts or (len(word) == 1 and any(first.startswith(word) for first in firsts))
        for word in rest
    )
