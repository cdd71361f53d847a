"""From transactions to credits, streams and coverage: the only entry point to this package.

Every booked credit gets exactly one disposition and nothing is left out: credits that do not count are listed as set aside or
rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames.bank_zones import bank_zone
from kycpack.models.bank_country import read_country
from kycpack.models.instants import format_seconds, read_as_of
from kycpack.wealth.blocks import ROWS_OF_A_BLOCK, blocks_of_customers, customers_of, joined
from kycpack.wealth.given_thresholds import entities_with, to_thresholds
from kycpack.wealth.judge.coverage import coverage_of, flows_of
from kycpack.wealth.judge.dispositions import (
    Known,
    at_least,
    below,
    dispose,
    evidence_of_credits,
    possible_repeats,
)
from kycpack.wealth.judge.flags import declared_incomes, find_flags
from kycpack.wealth.judge.means import ReadTransactions
from kycpack.wealth.judge.natures import OWN_NAME, Natures, judge_natures
from kycpack.wealth.judge.red_flags.lives import Lives
from kycpack.wealth.judge.red_flags.movements import Credits, movements_of
from kycpack.wealth.judge.tables import (
    credits_frame,
    credits_set_aside,
    pairs_frame,
    set_aside_frame,
    streams_frame,
    with_bonuses,
)
from kycpack.wealth.match.own_transfers import OWN_TRANSFERS, Pairs
from kycpack.wealth.match.refunds import match_refunds
from kycpack.wealth.match.reversals import find_reversals, with_excess, without_doubtful
from kycpack.wealth.match.sides import Sides, own_parties, read_debits, read_sides
from kycpack.wealth.match.transfer_legs import find_own_transfers, match_pots
from kycpack.wealth.prepare.clues import PATTERN
from kycpack.wealth.prepare.coded import Codes, Mask, Words, pick, sorted_by
from kycpack.wealth.prepare.duplicates import find_duplicates
from kycpack.wealth.prepare.feed_holes import balance_breaks, find_feed_holes
from kycpack.wealth.prepare.intake import Book, take_in
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon, load_lexicon
from kycpack.wealth.prepare.order_in_day import turns_of
from kycpack.wealth.prepare.parties import OWN
from kycpack.wealth.prepare.payers import Payers, find_payers, party_keys
from kycpack.wealth.prepare.phrase_meanings import without_sent_back
from kycpack.wealth.prepare.signals import Signals, is_party, is_person, read_signals, with_own_payer
from kycpack.wealth.result import Wealth
from kycpack.wealth.streams.cadence import IRREGULAR
from kycpack.wealth.streams.grouping import group_credits
from kycpack.wealth.thresholds import Thresholds


def derive(
    transactions: pd.DataFrame,
    customers: pd.DataFrame | None = None,
    accounts: pd.DataFrame | None = None,
    balances: pd.DataFrame | None = None,
    country: str = "GB",
    thresholds: Thresholds | Mapping[str, Any] | None = None,
    *,
    as_of: date | datetime | str,
) -> Wealth:
    """Derive where the money of one or more customers came from.

    Args:
        transactions: The normal form, for one customer or many; only customer_id, account_id, txn_id, booked_on, amount_minor
            (minor units, positive into the account), currency and description_raw are required. Object and string columns are cast.
        customers: Frame `customers`; without it the customer in a statement is empty and the customer's own names are not known.
        accounts: Frame `accounts`; its numbers identify own accounts, and its fields are shown in the statement.
        balances: Frame `balances`, used in the statement.
        country: Country whose business days and words apply, as in `GB`, `GB-SCT`, `CZ`, `US`.
        thresholds: The policy's thresholds; those not named keep their defaults.
        as_of: The date of the review; rows booked later are listed in `rejects`.

    Returns:
        Frames `credits`, `streams`, `coverage`, `pairs`, `set_aside`, `rejects`, `balance_breaks`, `feed_holes`, `quiet_times`, `flags`, and the statement of each customer.

    Raises:
        FrameError: A column is missing or a value cannot be read; `place` names column and row.
        InputError: The country or the date is not known.
        PolicyError: A threshold is not known.
        TypeError: An argument has the wrong type.
    """
    for name, frame in (
        ("transactions", transactions), ("customers", customers), ("accounts", accounts), ("balances", balances),
    ):  # fmt: skip
        _require_frame(name, frame, optional=name != "transactions")
    instant, country = read_as_of(as_of), read_country(country)
    limits = to_thresholds(thresholds)
    parts = [
        _derive_block(
            block,
            customers_of(block, customers),
            customers_of(block, accounts),
            instant.date(),
            country,
            limits,
        )
        for block in blocks_of_customers(transactions)
    ]
    read = [part.pop("read") for part in parts]
    return Wealth(
        **joined(parts),
        transactions=transactions,
        customers=customers,
        accounts=accounts,
        balances=balances,
        country=country,
        thresholds=limits,
        generated_at=format_seconds(instant),
        read=read[0] if len(read) == 1 else None,
    )


def _require_frame(name: str, frame: object, *, optional: bool) -> None:
    if not (isinstance(frame, pd.DataFrame) or (optional and frame is None)):
        raise TypeError(
            f"{name} must be a DataFrame, as in `flatten(evidence).{name}`, not {type(frame).__name__}"
        )


def _derive_block(
    transactions: pd.DataFrame,
    customers: pd.DataFrame | None,
    accounts: pd.DataFrame | None,
    today: date,
    country: str,
    limits: Thresholds,
) -> dict[str, Any]:
    """Return the frames of `Wealth` for a block of customers, and their cadences."""
    lexicon = load_lexicon()
    entities = entities_with(limits.payers)
    book = take_in(transactions, today, bank_zone(country), entities.references.fold)
    duplicates = find_duplicates(book, accounts)
    counted = book.counted & ~duplicates.repeated
    rows = _credit_rows(book, counted)
    said = read_signals(book, lexicon, entities)
    signals = said.of(rows)
    payers = _payers(book, rows, signals, lexicon)
    parties = own_parties(customers, accounts, lexicon)
    sides = read_sides(book, rows, signals, parties, lexicon)
    debits = read_debits(book, counted, said, parties, lexicon)
    pairs = find_own_transfers(book, duplicates, rows, said, payers, sides, debits)
    transfers = pairs.having(*OWN_TRANSFERS)
    one_legged = sides.number & ~signals.refund
    from_pot = match_pots(book, rows, signals, sides, debits, lexicon)
    from_pot[np.isin(rows, transfers.credit) | one_legged] = -1
    one_sided = one_legged | (from_pot >= 0)
    own = np.isin(rows, transfers.credit) | one_sided
    spent = counted & (book.amount < 0)
    spent[transfers.debit] = False
    signals = with_own_payer(signals, _own_money(rows, sides, pairs), lexicon)
    little = below(book, rows, limits.refund_by_word, limits)
    possible = pairs.having("possible")
    moved = np.isin(np.arange(len(book)), np.concatenate([possible.credit, possible.debit]))
    back = find_reversals(book, rows, np.flatnonzero(~own), spent, moved, said, little, lexicon)
    back = with_excess(back, book, rows, np.flatnonzero(~own), spent & ~moved, signals, payers.key, lexicon)
    # What may have gone back, by names, sums and dates alone, is in its payer's stream, with a range.
    free = np.flatnonzero(~own & ~signals.refund & ((back.taken_back < 0) | back.supposed))
    signals = without_doubtful(signals, back.doubtful)
    spent &= ~back.takes
    breaks = balance_breaks(book, counted)
    holes = find_feed_holes(book, counted, breaks)
    grouping = group_credits(book, rows, signals, payers, free, holes, lexicon, country)
    # What a person sends back is money between individuals; only a firm makes a refund.
    open_ = np.flatnonzero(
        (signals.type_code == NO_TYPE)
        & ~is_person(signals)
        & ~is_party(signals, OWN)
        & ~sides.worded
        & ~back.doubtful
        & (pick(grouping.cadences.code, grouping.group, -1) == IRREGULAR)
    )
    refunded = np.full(len(rows), -1, dtype=np.int64)
    refunded[open_] = match_refunds(
        book,
        rows[open_],
        spent,
        back.left,
        without_sent_back(Words(payers.key[open_], payers.keys))[:],
        lambda debits: without_sent_back(party_keys(book, debits, lexicon))[:],
        limits.refund_days,
        duplicates.same_account[book.account],
    )
    natures = judge_natures(book, rows, signals, payers, grouping, spent, parties, lexicon)
    natures = _with_own_money(natures, sides, own, lexicon)
    signals, grouping = natures.signals, natures.grouping
    disposed = dispose(
        book, rows, signals, Known(pairs, one_legged, from_pot, refunded, back), grouping, limits, lexicon
    )
    evidence = evidence_of_credits(natures, disposed)
    natures = with_bonuses(book, rows, natures, disposed, lexicon)
    repeats = possible_repeats(book, rows, duplicates, back, grouping, disposed)
    credits_ = credits_frame(book, rows, natures, payers, disposed, evidence, repeats, lexicon)
    streams, cadences = streams_frame(book, rows, natures, disposed, repeats, holes.silences, lexicon)
    aside = credits_set_aside(book, duplicates)
    movements = movements_of(
        book,
        Credits(
            rows,
            natures.signals,
            disposed.are("own_transfer"),
            disposed.are("refund"),
            evidence.type_code,
            evidence.level,
            Words(payers.key, payers.keys),
        ),
        debits,
        pairs,
        parties,
        lexicon,
        limits.fan_in_parties,
        turns_of(book, counted, at_least(book, limits.smallest_flow, limits)),
    )
    lives = Lives(*movements, limits, declared_incomes(customers))
    one = len(book.customer.distinct) == 1 and len(book) <= ROWS_OF_A_BLOCK
    return {
        "read": ReadTransactions(book, said) if one else None,
        "credits": credits_,
        "streams": streams,
        "evidence": evidence.frame,
        "coverage": coverage_of(book, rows, disposed.disposition, aside, duplicates.repeated),
        "set_aside": set_aside_frame(book, duplicates, aside),
        "pairs": pairs_frame(book, pairs),
        "rejects": book.rejects,
        "balance_breaks": breaks,
        "feed_holes": holes.frame,
        "quiet_times": holes.quiet,
        "flows": flows_of(
            book, counted, np.concatenate([transfers.credit, transfers.debit, rows[one_sided]])
        ),
        "flags": find_flags(lives, book, duplicates.maybe),
        "cadences": cadences,
    }


def _credit_rows(book: Book, counted: Mask) -> Codes:
    rows = np.flatnonzero(counted & (book.amount > 0))
    return rows[sorted_by(book.account[rows], book.day[rows], book.place[rows])]


def _payers(book: Book, rows: Codes, signals: Signals, lexicon: Lexicon) -> Payers:
    column = book.columns.get("counterparty_account")
    return find_payers(
        book.customer.codes[rows],
        signals.names,
        signals.description,
        column.of_rows(rows) if column is not None else None,
        signals.type_code == lexicon.code("state_benefit"),
        signals.type_code == lexicon.code("interest"),
        book.day[rows],
        lexicon,
    )


def _own_money(rows: Codes, sides: Sides, pairs: Pairs) -> Mask:
    """Return which credits name the customer as payer, or may be the other side of a debit from an own account."""
    possible = np.isin(rows, pairs.having("possible").credit)
    return np.asarray(((sides.own | sides.mentioned) & ~sides.against) | possible, dtype=np.bool_)


def _with_own_money(natures: Natures, sides: Sides, moved: Mask, lexicon: Lexicon) -> Natures:
    """Return natures in which single credits of no other nature from a payer of the customer's name are savings, which is only possible: a relative may have that name.

    Args:
        natures: The natures of credits.
        sides: What each credit shows about its other party.
        moved: Which credits are own transfers.
        lexicon: Names of types.
    """
    signals = natures.signals
    named = sides.own | (sides.mentioned & signals.own_transfer & ~sides.against)
    possible = named & (signals.type_code == NO_TYPE) & ~signals.refund & ~moved
    return replace(
        natures,
        signals=replace(
            signals,
            type_code=np.where(possible, lexicon.code("savings"), signals.type_code),
            evidence=np.where(possible, PATTERN, signals.evidence),
        ),
        of_credit=np.where(possible, OWN_NAME, natures.of_credit),
    )
