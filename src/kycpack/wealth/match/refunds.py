"""Money that comes back to where it came from, by names, sums and dates.

A credit no larger than what is left of an earlier debit to the same party is a refund. Pay or rent may go back without a word: all of
it, or what was paid beyond the usual amount, is sent to the payer to the penny. Names
are compared in a form that credits and debits share.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask, first_of_each, is_in, joint_code, pick, sorted_by
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, without_words
from kycpack.wealth.prepare.payers import party_keys
from kycpack.wealth.prepare.phrase_meanings import without_sent_back

Texts = npt.NDArray[np.object_]

_KEPT_NAMES = 8_192
_SHORTEST_SHARED = 4
_WITH_DIGITS = re.compile(r"\b[a-z]++\d[a-z\d]*+\b")  # as in JET2; a date or a number begins with a digit
_FEWEST_USUAL = 3
_MOST_LOOKED_AT = 40  # latest debits of which two may make up one refund
_RETURNED_DAYS = 31  # who pays monthly finds it by the next payday


def party_names(book: Book, rows: Codes, lexicon: Lexicon) -> Texts:
    """Return the words that name the other party, sorted, without words for the return and for what was paid."""
    party = party_keys(book, rows, lexicon)
    bare = without_words(without_sent_back(party).distinct.tolist(), lexicon.refund_pattern)
    core = without_words(bare, lexicon.nature_pattern)
    names = [_in_order(short or long) for short, long in zip(core, bare, strict=True)]
    return np.array(names, dtype=object)[party.codes]


def names_as_written(book: Book, rows: Codes, others: Codes, lexicon: Lexicon) -> Texts:
    """Return the names in `rows` as the rows `others` write them, as in `_spelled_alike`."""
    names, owners = party_names(book, rows, lexicon), book.owners(rows)
    # Payers have few names, which rows repeat.
    named = joint_code(book.owners(others), party_keys(book, others, lexicon).codes)
    once = others[np.unique(named, return_index=True)[1]]
    written = set(zip(book.owners(once).tolist(), party_names(book, once, lexicon).tolist(), strict=True))
    new = np.array(
        [
            not name or (owner, name) not in written
            for owner, name in zip(owners.tolist(), names, strict=True)
        ],
        dtype=np.bool_,
    )
    near = others[is_in(book.owners(others), owners[new])]
    asked = owners[new], names[new], _words_with_digits(book, rows[new])
    known = book.owners(near), party_names(book, near, lexicon), _words_with_digits(book, near)
    names[new] = _spelled_alike(asked, known, lexicon.given_names)
    return names


def may_be_one(name: str, other: str) -> bool:
    """Return whether two names share a word, or one of them is empty."""
    return not name or not other or not set(name.split()).isdisjoint(other.split())


def share_a_word(name: str, other: str) -> bool:
    """Return whether two names share a word that is long enough to name somebody."""
    return any(len(word) >= _SHORTEST_SHARED for word in set(name.split()) & set(other.split()))


def _spelled_alike(
    asked: tuple[Codes, Texts, Texts], known: tuple[Codes, Texts, Texts], given_names: Collection[str]
) -> Texts:
    """Return the names that are asked for as the known side writes them, where exactly one name of the same owner there is alike.

    Two names are alike if more than half of the words of the shorter are in the other, as in "SUMUP" and "SUMUP PAYOUT", or if they share a
    word with digits, as in "JET2 HOLIDAYS" and "JET2.COM LEEDS". A name that is there already stays, and so does one that nobody is called.

    Args:
        asked: Owner, name and words with digits of each row of one side.
        known: The same of the other side.
        given_names: Words that are not enough by themselves.
    """
    words: dict[tuple[int, str], set[str]] = defaultdict(set)
    having: dict[tuple[int, str], set[str]] = defaultdict(set)
    for owner, name, digits in sorted(set(zip(*(each.tolist() for each in known), strict=True))):
        if name:
            words[owner, name] |= {*name.split(), *digits.split()}
    for (owner, name), said in words.items():
        for word in said:
            having[owner, word].add(name)
    result = asked[1].copy()
    for place, (owner, name, digits) in enumerate(zip(*(each.tolist() for each in asked), strict=True)):
        if (owner, name) in words:
            continue
        said = {*name.split(), *digits.split()}
        near = {other for word in said for other in having.get((owner, word), ())}
        alike = [other for other in near if _alike(said, words[owner, other], given_names)]
        if len(alike) == 1:
            result[place] = alike[0]
    return result


def _words_with_digits(book: Book, rows: Codes) -> Texts:
    """Return the words with digits of each row's text, which are not in the names of parties."""
    column = book.columns["description_raw"].of_rows(rows)
    found = [" ".join(_WITH_DIGITS.findall(text.lower())) for text in column.distinct.tolist()]
    return pick(np.array(found, dtype=object), column.codes, "")


def _alike(one: set[str], other: set[str], given_names: Collection[str]) -> bool:
    shared = one & other
    if any(not word.isalpha() for word in shared):
        return True
    telling = [word for word in shared if len(word) >= _SHORTEST_SHARED]
    named = len(shared) > 1 or any(word not in given_names for word in telling)
    return bool(telling) and named and 2 * len(shared) > min(len(one), len(other))


@lru_cache(maxsize=_KEPT_NAMES)
def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))


def match_refunds(
    book: Book,
    credits_: Codes,
    spent: Mask,
    left: Codes,
    party: Texts,
    party_of: Callable[[Codes], Texts],
    within_days: int,
    account: Codes | None = None,
) -> Codes:
    """Return the debit that each credit pays back.

    Args:
        book: Transactions.
        credits_: Rows of credits that nothing else explains.
        spent: Rows of the book that are debits and count.
        left: What is left of each debit of the book after earlier refunds, minor units; changed in place.
        party: Text that names the payer of each credit; empty if there is none.
        party_of: Returns the text that names the other party of rows of the book, in the same form.
        within_days: Number of days before the credit in which the debit may lie.
        account: Account of each row of the book in which both must be; None if they may be in different ones.

    Returns:
        For each credit a row of the book, the latest of those that fit, or the later of two that fit together; -1 if none fits.
    """
    refunded = np.full(len(credits_), -1, dtype=np.int64)
    if not credits_.size:
        return refunded
    customers = np.zeros(len(book.customer.distinct), dtype=np.bool_)
    customers[book.customer.codes[credits_]] = True
    debits = np.flatnonzero(spent & customers[book.customer.codes])
    every = np.concatenate([debits, credits_])
    text = pd.factorize(np.concatenate([party_of(debits), party]))[0].astype(np.int64)
    both = joint_code(book.owners(every), text, *([] if account is None else [account[every]]))
    wanted = both[len(debits) :]
    near = is_in(both[: len(debits)], wanted)
    debits, code = debits[near], both[: len(debits)][near]
    place, amount, day = book.account[debits], book.amount[debits], book.day[debits]
    order = sorted_by(code, day, amount, place, book.place[debits])
    debits, code = debits[order], code[order]
    low = int(book.day.min()) - within_days
    span = int(book.day.max()) - low + 2
    moment = code * span + (book.day[debits] - low)
    at = wanted * span + (book.day[credits_] - low)
    first = np.searchsorted(moment, at - within_days, side="left")
    last = np.searchsorted(moment, at, side="right")
    mine = left[debits]
    for index in np.flatnonzero((last > first) & (party != "")):
        earlier, wanted_minor = mine[first[index] : last[index]], int(book.amount[credits_[index]])
        taken = take_from_last(earlier, wanted_minor)
        if taken < 0:
            taken = take_from_two(earlier, wanted_minor)
        if taken >= 0:
            refunded[index] = debits[first[index] + taken]
    left[debits] = mine
    return refunded


def take_from_last(left: Codes, amount: int) -> int:
    """Return the index of the last of some debits with at least an amount left, and deduct the amount from it; -1 if there is none.

    Args:
        left: What is left of each debit, minor units; changed in place.
        amount: Minor units.
    """
    enough = np.flatnonzero(left >= amount)
    if not enough.size:
        return -1
    left[enough[-1]] -= amount
    return int(enough[-1])


def take_from_two(left: Codes, amount: int) -> int:
    """Return the index of the later of two debits whose sum an amount is, the latest such pair, and leave nothing of both; -1 if there is none.

    Args:
        left: What is left of each debit, minor units; changed in place.
        amount: Minor units.
    """
    later: dict[int, int] = {}
    for at in range(len(left) - 1, max(len(left) - 1 - _MOST_LOOKED_AT, -1), -1):
        minor = int(left[at])
        other = later.get(amount - minor)
        if minor and other is not None:
            left[[at, other]] = 0
            return other
        later.setdefault(minor, at)
    return -1


def match_excess(
    book: Book, rows: Codes, candidates: Codes, spent: Mask, payer: Codes, named: Callable[[Codes], Texts]
) -> tuple[Codes, Codes]:
    """Return the debit that may have given back all of each credit, and the one that may have given back a part of it; -1 if there is none.

    A debit may give it back if it is the only one of its amount to the same name from the account that was overpaid, within a month.
    A credit was too much if it is larger by that amount than what its payer usually pays there, or if it is of that amount and no larger than
    what is usual: the debit gave back a smaller payment beside the usual one, or the usual one itself.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that nothing else takes back.
        spent: Rows of the book that are debits and may take something back.
        payer: Code of each credit's payer.
        named: Returns the words that name the other party of rows of the book.
    """
    whole, part = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), -1, dtype=np.int64)
    amount = book.amount[rows[candidates]]
    excess = _excess(amount, joint_code(book.holdings(rows[candidates]), payer[candidates]))
    over, excess = candidates[excess > 0], excess[excess > 0]
    debits = np.flatnonzero(
        spent & np.isin(-book.amount, excess) & np.isin(book.account, book.account[rows[over]])
    )
    if not debits.size:
        return whole, part
    near = is_in(excess, -book.amount[debits]) & is_in(book.account[rows[over]], book.account[debits])
    over, excess = over[near], excess[near]
    back: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for debit, key in zip(debits.tolist(), _keys(book, debits, -book.amount[debits], named), strict=True):
        back[key].append(debit)
    used: set[int] = set()
    paid = zip(over.tolist(), _keys(book, rows[over], excess, named), strict=True)
    for one, key in sorted(paid, key=lambda each: -int(book.day[rows[each[0]]])):
        sent = back.get(key, [])
        if not key[-1] or len(sent) != 1 or sent[0] in used:
            continue
        if 0 <= int(book.day[sent[0]] - book.day[rows[one]]) <= _RETURNED_DAYS:
            found = whole if -book.amount[sent[0]] == book.amount[rows[one]] else part
            found[one] = sent[0]
            used.add(sent[0])
    return whole, part


def _keys(
    book: Book, rows: Codes, amount: Codes, named: Callable[[Codes], Texts]
) -> Iterator[tuple[int, int, str]]:
    """Return account and currency, an amount, and the other party's name of rows."""
    return zip(book.holdings(rows).tolist(), amount.tolist(), named(rows).tolist(), strict=True)


def _excess(amount: Codes, group: Codes) -> Codes:
    """Return how much of each amount is too much; 0 if nothing is.

    It is what exceeds the usual amount of its group by less than as much again; all of the usual amount, and of a smaller one that was paid only once.
    """
    if not len(amount):
        return amount
    cells = joint_code(group, amount)
    count = np.bincount(cells)[cells]
    groups = joint_code(group)
    most = first_of_each(groups, -amount, -count)
    usual = np.where(count[most] >= _FEWEST_USUAL, amount[most], 0)[groups]
    more = amount - usual
    all_of_it = (usual > 0) & ((more == 0) | ((more < 0) & (count == 1)))
    return np.where((more > 0) & (more < usual), more, np.where(all_of_it, amount, 0))
