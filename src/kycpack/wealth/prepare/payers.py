"""Identifies who paid: a key for each credit that stays the same from payment to payment.

The key is the counterparty's account; otherwise its name; otherwise the text without numbers, months, legal forms, and words
for how the payment was made. The amount is never part of the key. Different spellings of one
payer are joined: a letter lost or changed, or a text truncated by a narrow field.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import (
    Coded,
    Codes,
    Mask,
    Words,
    bounds_of,
    distinct_of,
    first_said,
    joint_code,
    lowest_of_joined,
    pick,
)
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import Lexicon, compiled, name_people
from kycpack.wealth.prepare.plain_text import to_plain_text
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences

# An account that pays under more names than this belongs to a payment institution.
_MOST_NAMES_OF_AN_ACCOUNT = 3
_BANK = "the bank"
_SHOWN_OF_AN_ACCOUNT = 4
_SHORTEST_SPELLING = 8  # in a shorter name, one letter often makes another name
_SHORTEST_WHOLE_WORDS = 12  # a text that ends between words may be a shorter name and not a truncated one
_SHORTEST_WORD = 4
_SURE = 0.9
_LONG_TOGETHER_DAYS = 28
_MOST_WITH_ONE_HALF = 40  # half a text that more payers share is a phrase, not a spelling


@dataclass(frozen=True, eq=False)
class Payers:
    """Payer of each credit.

    Args:
        key: Code of the payer's key, for each credit.
        keys: The keys; they do not depend on the order of rows.
        name: Name of the payer, for each credit; None if there is none.
    """

    key: Codes
    keys: npt.NDArray[np.object_]
    name: npt.NDArray[np.object_]


def payer_texts(column: Coded, lexicon: Lexicon) -> Coded:
    """Return the part of each text that names the payer; empty if it only says how the payment was made."""
    return column.read(to_plain_text).read(lexicon.payer_names)


def party_keys(book: Book, rows: Codes, lexicon: Lexicon) -> Words:
    """Return the key of the other party of rows, from the counterparty's name, otherwise the merchant's, otherwise the text."""
    texts = [payer_texts(column, lexicon) for column in (book.names, book.columns["description_raw"])]
    return first_said(*(Coded(one.codes[rows], one.distinct) for one in texts))


def find_payers(
    customer: Codes,
    names: Coded,
    texts: Coded,
    accounts: Coded | None,
    by_text: npt.NDArray[np.bool_],
    by_bank: npt.NDArray[np.bool_],
    day: Codes,
    lexicon: Lexicon,
) -> Payers:
    """Return the payer of each credit.

    Args:
        customer: Customer of each credit.
        names: Counterparty or merchant.
        texts: Description.
        accounts: Counterparty's account, if the data has it.
        by_text: Credits of a payer that pays several things and names them in the text, such as a benefits office.
        by_bank: Credits that the bank itself pays, such as interest: they have one payer, whatever the words.
        day: Booking day of each credit.
        lexicon: Words that do not name a payer.
    """
    use_name = (names.codes >= 0) & ~by_text
    name_keys, text_keys = payer_texts(names, lexicon), payer_texts(texts, lexicon)
    account_keys = [] if accounts is None else [f"account {value}" for value in accounts.distinct]
    distinct = sorted({*name_keys.distinct, *text_keys.distinct, *account_keys, "", _BANK})
    number = {key: index for index, key in enumerate(distinct)}

    def numbers(keys: Iterable[str], codes: Codes) -> Codes:
        return pick(np.array([number[key] for key in keys], dtype=np.int64), codes, number[""])

    of_name, of_text = (numbers(one.distinct, one.codes) for one in (name_keys, text_keys))
    key = np.where(use_name & (of_name != number[""]), of_name, of_text)
    key = np.where(by_bank & ~use_name, number[_BANK], key)
    if accounts is not None:
        key = np.where(key == number[""], numbers(account_keys, accounts.codes), key)
    people = name_people(distinct, lexicon)
    payable = {number[one] for one, person in zip(distinct, people, strict=True) if not person} - {
        number[one] for one in account_keys
    }
    key = join_spellings(customer, key, distinct, payable, day, lexicon.nature_pattern)
    key = join_beginnings(customer, key, distinct, by_text)
    every = np.arange(len(customer))
    name = np.where(use_name, names.texts(every), texts.texts(every))
    both = np.flatnonzero(by_text & (names.codes >= 0) & (texts.codes >= 0))
    name[both] = [
        f"{who}: {what}" if set(names_.split()).isdisjoint(said.split()) else what
        for who, what, names_, said in zip(
            *(column.texts(both) for column in (names, texts, name_keys, text_keys)), strict=True
        )
    ]
    if accounts is not None:
        ends = [f"account ending {str(value)[-_SHOWN_OF_AN_ACCOUNT:]}" for value in accounts.distinct]
        nameless = np.isin(key, [number[one] for one in account_keys])
        name = np.where(nameless, pick(np.array(ends, dtype=object), accounts.codes, None), name)
        key = _joined_by_account(customer, key, np.where(by_text, -1, accounts.codes), len(distinct))
    return Payers(key, np.array(distinct, dtype=object), name)


def _joined_by_account(customer: Codes, key: Codes, account: Codes, keys: int) -> Codes:
    """Return keys in which all names used by one account, and all accounts used by one name, have the same key.

    It is the smallest of their keys.
    """
    has = account >= 0
    names, name_of = np.unique(customer * keys + key, return_inverse=True)
    edges = distinct_of(joint_code(customer[has], account[has]) * len(names) + name_of[has])
    of_account, name = edges // len(names), edges % len(names)
    joined = np.diff(of_account) == 0
    joined &= (np.bincount(of_account) <= _MOST_NAMES_OF_AN_ACCOUNT)[of_account[1:]]
    lowest = lowest_of_joined(
        len(names), zip(name[:-1][joined].tolist(), name[1:][joined].tolist(), strict=True)
    )
    return np.asarray(names[lowest[name_of]] % keys, dtype=np.int64)


def join_spellings(
    customer: Codes,
    key: Codes,
    keys: Sequence[str],
    joinable: Iterable[int],
    day: Codes,
    nature_words: str,
) -> Codes:
    """Return keys in which all spellings of one payer of a customer have the same key.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        joinable: Codes of keys that may be joined.
        day: Booking day of each credit; spellings that pay in parallel, each on its own calendar, are two payers.
        nature_words: Pattern of words for the purpose of a payment: a firm and its pension fund are two payers.

    Returns:
        For each credit the code of the spelling that represents all: the one that sorts first.
    """
    allowed = np.zeros(len(keys), dtype=np.bool_)
    allowed[[code for code in joinable if len(keys[code]) >= _SHORTEST_SPELLING]] = True
    pairs, where = np.unique(customer * len(keys) + key, return_inverse=True)
    mine = np.flatnonzero(allowed[pairs % len(keys)])
    owner = pairs[mine] // len(keys)
    texts = [keys[code] for code in (pairs[mine] % len(keys)).tolist()]
    near = [
        (one, other)
        for one, other in sorted(set(_candidates(owner, texts)))
        if _alike(texts[one], texts[other])
    ]
    nature = compiled(nature_words or r"(?!)")
    said = {
        text: frozenset(found.strip() for found in nature.findall(text))
        for text in {texts[one] for pair in near for one in pair}
    }
    alike = [(one, other) for one, other in near if not _say_two_things(said[texts[one]], said[texts[other]])]
    side_by_side = _side_by_side(alike, mine, where, day)
    root = np.arange(len(pairs))
    root[mine] = mine[lowest_of_joined(len(texts), (pair for pair in alike if pair not in side_by_side))]
    return np.asarray(pairs[root[where]] % len(keys), dtype=np.int64)


def _say_two_things(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether both texts name the purpose of a payment, and the purposes differ; a truncated word does not count."""
    return bool(one and other) and one != other


def _side_by_side(
    pairs: Sequence[tuple[int, int]], mine: Codes, where: Codes, day: Codes
) -> set[tuple[int, int]]:
    """Return the pairs in which both pay at the same time, each on its own calendar."""
    asked = (
        mine[np.array(sorted({one for pair in pairs for one in pair}), dtype=np.int64)] if pairs else mine[:0]
    )
    if not asked.size:
        return set()
    member = np.isin(where, asked)
    group, days = np.searchsorted(asked, where[member]), day[member]
    found = classify_cadences(group, days, len(asked))
    first, last = bounds_of(group, days, len(asked))
    sure = (found.code != IRREGULAR) & (found.score >= _SURE)
    number = {int(one): index for index, one in enumerate(asked)}
    both = [(pair, number[int(mine[pair[0]])], number[int(mine[pair[1]])]) for pair in pairs]
    return {
        pair
        for pair, one, other in both
        if sure[one]
        and sure[other]
        and min(last[one], last[other]) - max(first[one], first[other]) >= _LONG_TOGETHER_DAYS
    }


def _candidates(owner: Codes, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of one owner's texts that may be spellings of each other."""
    before = _longest_beginnings(owner, texts)
    for index, shorter in enumerate(before):
        at = shorter
        while at >= 0:
            yield at, index
            at = before[at]
    # A change in one half of a text leaves the other half as it was. If one text is a letter longer, its half is stored under
    # both lengths.
    sharing: dict[tuple[int, str, str], set[int]] = defaultdict(set)
    for index, (text, mine) in enumerate(zip(texts, owner.tolist(), strict=True)):
        for size in (len(text) // 2, (len(text) - 1) // 2):
            sharing[mine, "first", text[:size]].add(index)
            sharing[mine, "last", text[len(text) - size :]].add(index)
    for members in sharing.values():
        if len(members) <= _MOST_WITH_ONE_HALF:
            yield from combinations(sorted(members), 2)


def join_beginnings(customer: Codes, key: Codes, keys: Sequence[str], mine: Mask) -> Codes:
    """Return keys in which a text that is the beginning of exactly one other text has that text's key, for credits identified by text.

    Args:
        customer: Customer of each credit.
        key: Code of each credit's payer.
        keys: The payers, sorted.
        mine: Which credits this is for.
    """
    pairs, where = np.unique(customer[mine] * len(keys) + key[mine], return_inverse=True)
    before = _longest_beginnings(
        pairs // max(len(keys), 1), [keys[code] for code in (pairs % max(len(keys), 1)).tolist()]
    )
    ends = [0] * len(before)  # texts that continue each text, and that no other text continues
    end = list(range(len(before)))
    for index in range(len(before) - 1, -1, -1):
        ends[index] = ends[index] or 1
        if before[index] >= 0:
            ends[before[index]] += ends[index]
            end[before[index]] = end[index]
    only = np.array(
        [last if count == 1 else index for index, (count, last) in enumerate(zip(ends, end, strict=True))]
    )
    result = key.copy()
    if len(pairs):
        result[mine] = pairs[only][where] % len(keys)
    return result


def _longest_beginnings(owner: Codes, texts: Sequence[str]) -> list[int]:
    """Return for each text the longest other text of its owner that it begins with; -1 if there is none.

    Args:
        owner: Owner of each text, ascending.
        texts: Texts, ascending within an owner, so that a text comes before those that begin with it.
    """
    before = [-1] * len(texts)
    open_: list[int] = []
    last = -1
    for index, (text, mine) in enumerate(zip(texts, owner.tolist(), strict=True)):
        if mine != last:
            open_, last = [], mine
        while open_ and not text.startswith(texts[open_[-1]]):
            open_.pop()
        if open_:
            before[index] = open_[-1]
        if text:
            open_.append(index)
    return before


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return long[len(short)] != " " or len(short) >= _SHORTEST_WHOLE_WORDS
    return _one_change(short, long)


def _one_change(short: str, long: str) -> bool:
    """Return whether the texts differ in one letter, lost, added or changed within a longer word."""
    if len(long) - len(short) > 1:
        return False
    at = next((index for index, letter in enumerate(short) if letter != long[index]), len(short))
    rest = short[at + 1 :] if len(short) == len(long) else short[at:]
    if rest != long[at + 1 :] or long[at] == " ":
        return False
    start = long.rfind(" ", 0, at) + 1
    end = long.find(" ", at)
    return (len(long) if end < 0 else end) - start > _SHORTEST_WORD
