"""Credits grouped by payer: as few groups as the data allows, and as many as it requires.

A payer's credits are one group, across accounts. They are split only if one payer clearly pays two things (a salary and a
pension, two benefits), or if no payer is named (cash).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.judge.wording import CASH
from kycpack.wealth.prepare.coded import Coded, Codes, Mask, bounds_of, first_of_each, pick, sorted_by
from kycpack.wealth.prepare.feed_holes import FeedHoles
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, name_people
from kycpack.wealth.prepare.payers import Payers, payer_texts
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.cadence import CADENCES, FEWEST_PAYMENTS, IRREGULAR, Cadences, classify_cadences
from kycpack.wealth.streams.changes import Changes, find_changes, without_silent_slots
from kycpack.wealth.streams.payer_texts import join_successions, usual_names
from kycpack.wealth.streams.streams import (
    Groups,
    lump_sums,
    nameless_series,
    statuses,
    summarise,
    types_of_groups,
)

_SURE = 0.9  # a group at least this regular is not split
_FEWEST_PART = 3
_FAR_APART = 1.5  # amounts in one series seldom change by half
_FEWEST_NAMELESS = 6
_NEARLY_ALL = 0.7
_FEWEST_FOR_TEXTS = 6


@dataclass(frozen=True, eq=False)
class Grouping:
    """Credits grouped by payer.

    Args:
        group: Group of each credit; -1 for own transfers and refunds.
        groups: Sums of each group.
        cadences: Cadence of each group.
        changes: Where the calendar of each group changed.
        customer: Customer of each group.
        currency: Currency of each group.
        payer: Payer's name of each group.
        person: Whether the payer's name reads like a person's, or no payer is named.
        type_code: Type of each group.
        evidence: Evidence level of each group.
        status: Status of each group.
        stream_id: Id of each group that may be a stream; None for groups with fewer payments.
        silent: Number of expected days of each group, between its payments, that lie in holes in the feed.
    """

    group: Codes
    groups: Groups
    cadences: Cadences
    changes: Changes
    customer: Codes
    currency: Codes
    payer: npt.NDArray[np.object_]
    person: Mask
    type_code: Codes
    evidence: Codes
    status: Codes
    stream_id: npt.NDArray[np.object_]
    silent: Codes

    @property
    def regular(self) -> Mask:
        """Which groups keep to a calendar."""
        return np.asarray(self.cadences.code != IRREGULAR, dtype=np.bool_)

    def credits_of(self, chosen: Codes) -> tuple[Codes, Codes]:
        """Return the credits of some groups in their order, and the place of the group of each in `chosen`."""
        place = np.full(len(self.groups), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        credit = np.flatnonzero(self.group >= 0)
        credit = credit[place[self.group[credit]] >= 0]
        return credit, place[self.group[credit]]


def group_credits(
    book: Book,
    rows: Codes,
    signals: Signals,
    payers: Payers,
    free: Codes,
    holes: FeedHoles,
    lexicon: Lexicon,
    country: str,
) -> Grouping:
    """Return the groups of credits.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What the credits' codes and words show.
        payers: Who paid them.
        free: Credits, as indexes into `rows`, that are neither own transfers nor refunds.
        holes: Holes in the feed.
        lexicon: Names of types.
        country: Country whose business days move the slots.
    """
    customer, currency = book.customer.codes[rows[free]], book.currency.codes[rows[free]]
    day, amount = book.day[rows[free]], book.amount[rows[free]]
    cash = signals.type_code[free] == lexicon.code("cash_deposit")
    keys = np.append(payers.keys, CASH)
    key = np.where(cash, len(keys) - 1, payers.key[free])
    owner = customer * len(book.currency.distinct) + currency
    named = ~cash & (keys[key] != "")
    key = key.copy()
    key[named] = join_successions(
        owner[named],
        key[named],
        list(keys),
        day[named],
        amount[named],
        signals.type_code[free[named]],
        lexicon,
        country,
    )
    whole, first = _grouped(owner, key, np.zeros_like(key))
    cadences = classify_cadences(whole, day, len(first), country, _one_amount(whole, amount, len(first)))
    pool = _Pool(
        group=whole,
        day=day,
        amount=amount,
        nameless=(key == len(keys) - 1) | (keys[key] == ""),
        regular=(cadences.code != IRREGULAR)[whole],
        unsure=(
            (cadences.code == IRREGULAR)
            | (cadences.score < _SURE)
            | (cadences.code == CADENCES.index("semi_monthly"))
            | (np.bincount(whole, minlength=len(first)) >= cadences.filled + _FEWEST_PART)
        )[whole],
        type_code=signals.type_code[free],
        description=signals.description.of_rows(free),
        country=country,
    )
    usual_type, _ = types_of_groups(
        whole, pool.type_code, signals.evidence[free], len(first), len(lexicon.types)
    )
    part, parts = _parts(pool, usual_type, lexicon)
    of_free, first = _grouped(owner, key, part)
    cadences = cadences.of(whole[first])
    divided = np.isin(whole, whole[part != 0])
    if divided.any():
        # The other payers have the cadence that all their credits have.
        new, group = np.unique(of_free[divided], return_inverse=True)
        one_amount = _one_amount(of_free, amount, len(first))[new]
        cadences.put(new, classify_cadences(group, day[divided], len(new), country, one_amount))
    cadences = _sure_of_nameless(cadences, pool.nameless[first], part[first])
    cadences, changes = find_changes(cadences, of_free, day, country)
    size = len(first)
    end_of_customer, end_of_accounts = _ends_of_data(book, rows[free], of_free, size)
    cadences, silent, silent_after = without_silent_slots(
        cadences, of_free, book.account[rows[free]], day, end_of_accounts, holes, country
    )
    groups = summarise(of_free, day, amount, size)
    type_code, evidence = types_of_groups(
        of_free, signals.type_code[free], signals.evidence[free], size, len(lexicon.types)
    )
    group = np.full(len(rows), -1, dtype=np.int64)
    group[free] = of_free
    group_key = keys[key[first]]
    return Grouping(
        group=group,
        groups=groups,
        cadences=cadences,
        changes=changes,
        customer=customer[first],
        currency=currency[first],
        payer=usual_names(of_free, payers.name[free], group_key, lexicon),
        person=name_people(list(group_key), lexicon) | (group_key == "") | (group_key == CASH),
        type_code=type_code,
        evidence=evidence,
        status=statuses(cadences, groups, end_of_accounts, end_of_customer[customer[first]], silent_after),
        stream_id=_stream_ids(
            book, customer[first], currency[first], group_key, parts[part[first]], groups.count
        ),
        silent=silent,
    )


def _one_amount(group: Codes, amount: Codes, size: int) -> Mask:
    """Return which groups have only one amount."""
    low, high = bounds_of(group, amount, size)
    return np.asarray(low == high, dtype=np.bool_)


def _grouped(owner: Codes, key: Codes, part: Codes) -> tuple[Codes, Codes]:
    """Return the group of each credit, and one credit from each group."""
    code = (owner * (int(key.max(initial=0)) + 1) + key) * (int(part.max(initial=0)) + 1) + part
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    return group.astype(np.int64), first.astype(np.int64)


def _sure_of_nameless(cadences: Cadences, nameless: Mask, part: Codes) -> Cadences:
    """Return cadences in which credits that only share the absence of a payer are regular only if that is beyond doubt."""
    doubtful = nameless & (part == 0) & ((cadences.score < _SURE) | (cadences.days < _FEWEST_NAMELESS))
    return cadences.without(doubtful)


@dataclass(frozen=True, eq=False)
class _Pool:
    """Credits by payer before any payer's credits are split, one element per credit.

    Args:
        group: Group of the credit's payer.
        day: Booking day, days since 1970-01-01.
        amount: Minor units.
        nameless: Whether no payer is named.
        regular: Whether the group keeps to a calendar.
        unsure: Whether the group is not clearly one regular series: it keeps to no calendar, keeps to two days of the month, or has several
            credits off its slots.
        type_code: Type of the credit.
        description: Payment text of the credit.
        country: Country whose business days move the slots.
    """

    group: Codes
    day: Codes
    amount: Codes
    nameless: Mask
    regular: Mask
    unsure: Mask
    type_code: Codes
    description: Coded
    country: str


def _parts(pool: _Pool, usual_type: Codes, lexicon: Lexicon) -> tuple[Codes, npt.NDArray[np.object_]]:
    """Return the part of its payer's group that each credit is in, and the names of the parts; 0 is the group itself."""
    part = np.zeros(len(pool.group), dtype=np.int64)
    names: list[str] = [""]
    open_ = pool.unsure & ~pool.nameless
    lump = ~pool.nameless & lump_sums(
        pool.group, pool.day, pool.amount, pool.type_code, usual_type, lexicon.code("pension")
    )
    _set_apart(part, names, np.arange(len(part)), lump.astype(np.int64), 2, np.array([1]), ["lump"])
    typed = ~pool.nameless & ~lump & (pool.type_code != NO_TYPE)
    _by_type(part, names, pool, np.flatnonzero(typed), lexicon)
    _by_text(part, names, pool, np.flatnonzero(open_ & (part == 0)), lexicon)
    _by_amount(part, names, pool, np.flatnonzero(open_ & (part == 0)))
    alone = np.flatnonzero(pool.nameless)
    series, labels = nameless_series(pool.group[alone], pool.day[alone], pool.amount[alone], pool.country)
    # Cash that keeps to a calendar as a whole is one series, unless nearly all of it has one amount.
    size = np.bincount(pool.group[alone], minlength=1)
    covered = np.bincount(pool.group[alone][series > 0], minlength=len(size)) / np.maximum(size, 1)
    apart = (series > 0) & (pool.unsure[alone] | (covered[pool.group[alone]] >= _NEARLY_ALL))
    part[alone] = np.where(apart, series + len(names) - 1, 0)
    return part, np.array([*names, *labels], dtype=object)


def _by_type(part: Codes, names: list[str], pool: _Pool, typed: Codes, lexicon: Lexicon) -> None:
    """Split a payer's group if several of its credits clearly have one type and several another."""
    if not typed.size:
        return
    width = len(lexicon.types)
    cells, where, counts = np.unique(
        pool.group[typed] * width + pool.type_code[typed], return_inverse=True, return_counts=True
    )
    often = counts >= _FEWEST_PART
    owners = cells // width
    several = np.bincount(owners[often], minlength=int(pool.group.max()) + 1)
    rest = np.ones(len(cells), dtype=np.bool_)
    rest[first_of_each(owners, cells, -counts)] = False  # the largest part stays the payer's own group
    chosen = np.flatnonzero(often & (several[owners] > 1) & rest)
    labels = [f"type:{lexicon.types[cell % width]}" for cell in cells[chosen].tolist()]
    _set_apart(part, names, typed, where, len(cells), chosen, labels)


def _by_text(part: Codes, names: list[str], pool: _Pool, candidates: Codes, lexicon: Lexicon) -> None:
    """Split a payer's group by the names in its texts if the group is not regular as a whole but those parts are."""
    sizes = np.bincount(pool.group, minlength=1)
    mine = candidates[sizes[pool.group[candidates]] >= _FEWEST_FOR_TEXTS]
    if not mine.size:
        return
    column = payer_texts(pool.description.of_rows(mine), lexicon)
    code, distinct = pd.factorize(column.distinct, sort=True)
    text = pick(code.astype(np.int64), column.codes, -1)
    width = len(distinct) + 1
    cells, first, where, counts = np.unique(
        pool.group[mine] * width + text + 1, return_index=True, return_inverse=True, return_counts=True
    )
    rest = sizes[cells // width] - counts
    # One or two texts that differ, as WAGES CORRECTED does, are no series beside a regular one.
    open_ = (rest > 0) & (cells % width > 0) & ~(pool.regular[mine][first] & (rest < _FEWEST_PART))
    chosen = np.flatnonzero(_surely_regular(pool, mine, where, open_ & (counts >= _FEWEST_PART)))
    labels = [f"text:{distinct[cell % width - 1]}" for cell in cells[chosen].tolist()]
    _set_apart(part, names, mine, where, len(cells), chosen, labels)


def _by_amount(part: Codes, names: list[str], pool: _Pool, candidates: Codes) -> None:
    """Split a payer's group if its amounts lie in bands far apart that run side by side, each on its own calendar.

    A band that begins where another ends is the same pay on another calendar, which `find_changes` handles.
    """
    order = candidates[sorted_by(pool.group[candidates], pool.amount[candidates], pool.day[candidates])]
    if not order.size:
        return
    group, amount = pool.group[order], pool.amount[order]
    new_band = np.ones(len(order), dtype=np.bool_)
    new_band[1:] = (group[1:] != group[:-1]) | (amount[1:] >= _FAR_APART * amount[:-1])
    band = np.cumsum(new_band) - 1
    counts = np.bincount(band)
    owner = group[new_band]
    often = counts >= _FEWEST_PART
    regular = _surely_regular(pool, order, band, often & _has_several(owner, often))
    regular[regular] = _side_by_side(owner[regular], band, pool.day[order], np.flatnonzero(regular))
    # The lowest band stays the payer's own group; a higher band is named by the number of bands below it.
    place = np.arange(len(owner)) - np.searchsorted(owner, owner)
    chosen = np.flatnonzero(regular & _has_several(owner, regular) & (place > 0))
    _set_apart(
        part, names, order, band, len(counts), chosen, [f"band:{one}" for one in place[chosen].tolist()]
    )


def _surely_regular(pool: _Pool, rows: Codes, cell: Codes, open_: Mask) -> Mask:
    """Return which of the open cells keep to a calendar beyond doubt; `cell` is the cell of each of the rows."""
    asked = open_[cell]
    inside = classify_cadences(cell[asked], pool.day[rows[asked]], len(open_), pool.country)
    return np.asarray((inside.code != IRREGULAR) & (inside.score >= _SURE), dtype=np.bool_)


def _has_several(owner: Codes, chosen: Mask) -> Mask:
    """Return for each element whether its owner has more than one chosen element."""
    return np.asarray(
        np.bincount(owner[chosen], minlength=int(owner.max(initial=0)) + 1)[owner] > 1, dtype=np.bool_
    )


def _side_by_side(owner: Codes, band: Codes, day: Codes, chosen: Codes) -> Mask:
    """Return which of the chosen bands overlap in time with another chosen band of the same owner."""
    first, last = bounds_of(band, day, int(band.max(initial=-1)) + 1)
    beside = np.zeros(len(chosen), dtype=np.bool_)
    order = np.lexsort((first[chosen], owner))
    latest = -1
    for at in order.tolist():
        if latest >= 0 and owner[latest] == owner[at]:
            if first[chosen[at]] <= last[chosen[latest]]:
                beside[[at, latest]] = True
            latest = at if last[chosen[at]] > last[chosen[latest]] else latest
        else:
            latest = at
    return beside


def _set_apart(
    part: Codes, names: list[str], rows: Codes, cell: Codes, size: int, chosen: Codes, labels: list[str]
) -> None:
    """Give the credits of the chosen cells the number of their label, with a new number for a new label."""
    number = {label: index for index, label in enumerate(names)}
    for label in labels:
        number.setdefault(label, len(number))
    names[:] = list(number)
    part_of_cell = np.zeros(size, dtype=np.int64)
    part_of_cell[chosen] = [number[label] for label in labels]
    apart = part_of_cell[cell] > 0
    part[rows[apart]] = part_of_cell[cell[apart]]


def _ends_of_data(book: Book, rows: Codes, of_row: Codes, size: int) -> tuple[Codes, Codes]:
    counted = np.flatnonzero(book.counted)
    _, of_account = bounds_of(book.account[counted], book.day[counted], len(book.account_ids))
    _, of_customer = bounds_of(book.account_customer, of_account, len(book.customer.distinct))
    _, of_group = bounds_of(of_row, of_account[book.account[rows]], size)
    return of_customer, of_group


def _stream_ids(
    book: Book,
    customer: Codes,
    currency: Codes,
    keys: npt.NDArray[np.object_],
    parts: npt.NDArray[np.object_],
    count: Codes,
) -> npt.NDArray[np.object_]:
    ids = np.full(len(count), None, dtype=object)
    often = np.flatnonzero(count >= FEWEST_PAYMENTS)
    ids[often] = [
        "S-" + hashlib.sha256(f"{owner}\x1f{money}\x1f{key}\x1f{part}".encode()).hexdigest()[:12]
        for owner, money, key, part in zip(
            book.customer.distinct[customer[often]],
            book.currency.distinct[currency[often]],
            keys[often],
            parts[often],
            strict=True,
        )
    ]
    return ids
