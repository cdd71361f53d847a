"""One disposition for each credit, with its evidence, in words and item by item, and how much of it may be counted twice or was taken back.

Credits that may be counted twice, or were taken back, all or in part, are listed, and their sum is given as a range.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.wealth.judge.coverage import DISPOSITIONS
from kycpack.wealth.judge.natures import LIKE_RENT, OWN_NAME, Natures
from kycpack.wealth.judge.usual_sums import LIKE_WAGES
from kycpack.wealth.judge.weak_words import ANYBODY, ROUND_SUMS
from kycpack.wealth.match.exchange_rates import threshold_bounds
from kycpack.wealth.match.own_transfers import Pairs
from kycpack.wealth.match.reversals import Reversals
from kycpack.wealth.prepare.clues import (
    CONTRADICTS,
    DECIDES,
    HINTS,
    IGNORED,
    KEYWORD,
    MARKS,
    NONE,
    PATTERN,
    PURPOSE,
    Clue,
)
from kycpack.wealth.prepare.coded import Codes, Mask, pick, text_column
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, OTHER, Lexicon, load_lexicon
from kycpack.wealth.prepare.phrase_meanings import NAME
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.thresholds import Thresholds

REASONS = (
    "part of a stream",
    "between own accounts: shown by a text, code, name or account number",
    "between own accounts: probable by amount and date, with nobody else named",
    "between own accounts: the other account is not linked",
    "refund, reversal, returned payment or reimbursement: shown by a code or word",
    "refund: no larger than an earlier debit to the same party",
    "single credit, nature shown by a code, its payer or a word",
    "small credit outside any stream",
    "small gift",
    "nature and regularity not established",
    "taken back: shown by a later debit to the same party, or a double payment was returned",
    "refund, reversal, returned payment or reimbursement: shown by a code or word and confirmed by an earlier debit",
    "called a refund or reimbursement, but not confirmed by a debit to the same party in the six months before",
    "part of a stream; a later debit to the same party took part of it back",
    "from a pot of the same account, which earlier debits had filled",
    "may have been taken back: it is no larger than what this payer usually pays, and one debit of its amount went to the same party within a month",
    "part of a stream; what exceeds the usual amount may have been taken back: one debit of that sum went to the same party within a month",
    "part of a stream; may have been taken back: it is no larger than what this payer usually pays, and one debit of its amount went to the same party within a month",
    "may have been taken back, all or in part: a later debit to the same party, called a return, was larger than any one of its payments",
    "part of a stream; may have been taken back, all or in part: a later debit to the same party, called a return, was larger than any one of its payments",
    "passed on: a later debit of its amount went to a scheme that keeps the deposits of tenants",
)
_FEWEST_IRREGULAR = 3
_FEWEST_UNTYPED = 3
_SHORTEST_UNTYPED_DAYS = 28

# A repeated credit of one of these types shows who paid, or how, but not what for.
_NOT_A_NATURE = ("person_transfer", "cash_deposit")
EVIDENCE_COLUMNS = ("evidence_key", "number", "what", "says", "force", "place")
_PLACE_OF_PATTERN = "amounts and dates"
_AGAINST = (ROUND_SUMS, ANYBODY)
_FORCES = dict.fromkeys((LIKE_RENT, LIKE_WAGES, OWN_NAME), HINTS) | dict.fromkeys(_AGAINST, CONTRADICTS)


@dataclass(frozen=True, eq=False)
class Known:
    """Credits that were matched with a debit or an own account.

    Args:
        pairs: Own transfers with both sides, from `match_own_transfers`.
        one_legged: Credits from an own account that is not linked.
        from_pot: For each credit from a pot of its account, the row of a debit that filled it; -1 if there is none.
        refunded: For each credit that nobody calls a refund, the row of the debit that it pays back; -1 if there is none.
        reversals: Credits that were taken back, and the evidence for those that are called refunds.
    """

    pairs: Pairs
    one_legged: Mask
    from_pot: Codes
    refunded: Codes
    reversals: Reversals


@dataclass(frozen=True, eq=False)
class Disposed:
    """Disposition of each credit.

    Args:
        disposition: Index into `DISPOSITIONS`.
        reason: Index into `REASONS`.
        partner: Row of the matching debit; -1 if there is none.
    """

    disposition: Codes
    reason: Codes
    partner: Codes

    def are(self, disposition: str) -> Mask:
        """Return which credits have a disposition."""
        return np.asarray(self.disposition == DISPOSITIONS.index(disposition), dtype=np.bool_)


def streams_among(grouping: Grouping, small: Codes, lexicon: Lexicon) -> Mask:
    """Return which groups are streams.

    Args:
        grouping: Groups.
        small: For each group the amount in minor units below which a credit is small.
        lexicon: Names of types.

    Returns:
        The regular groups; the irregular ones of three payments or more whose nature is known; and those of a payer that is not a person and
        paid more than small amounts three times or more over a month: it is known who pays, but not what for.
    """
    groups = grouping.groups
    known = (grouping.type_code != NO_TYPE) & ~_loose(grouping.type_code, grouping.evidence, lexicon)
    repeated = (
        (groups.count >= _FEWEST_UNTYPED)
        & (groups.last - groups.first >= _SHORTEST_UNTYPED_DAYS)
        & (groups.median >= small)
        & ~grouping.person
        & (grouping.type_code == NO_TYPE)
    )
    named = known & (groups.count >= _FEWEST_IRREGULAR)
    return np.asarray(grouping.regular | named | repeated, dtype=np.bool_)


def dispose(
    book: Book,
    rows: Codes,
    signals: Signals,
    known: Known,
    grouping: Grouping,
    limits: Thresholds,
    lexicon: Lexicon,
) -> Disposed:
    """Return the disposition of each credit.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        signals: What their codes and words show.
        known: Credits matched with a debit or an own account.
        grouping: Groups by payer.
        limits: Thresholds.
        lexicon: Names of types.
    """
    limit = _limits(book, limits.small_credit, limits)
    is_stream = streams_among(grouping, pick(limit, grouping.currency, 0), lexicon)
    in_stream = (grouping.group >= 0) & pick(is_stream, grouping.group, missing=False)
    says = (signals.type_code != NO_TYPE) & ~_loose(signals.type_code, signals.evidence, lexicon)
    gift = signals.type_code == lexicon.code("gift")
    small = below(book, rows, limits.small_credit, limits)
    small_gift = gift & below(book, rows, limits.small_gift, limits)
    verdict, partner = np.zeros(len(book), dtype=np.int64), np.full(len(book), -1, dtype=np.int64)
    # A transfer that is only possible names its debit but keeps its disposition.
    for number, name in ((0, "possible"), (1, "certain"), (2, "probable")):
        matched = known.pairs.having(name)
        verdict[matched.credit] = number
        partner[matched.credit] = matched.debit
    own = verdict[rows]
    back = known.reversals
    cases: list[tuple[Mask, str, int]] = [
        (in_stream & back.spread, "stream", 19),
        (in_stream & (back.taken_back >= 0) & back.supposed, "stream", 17),
        (in_stream & (back.partly >= 0) & back.supposed, "stream", 16),
        (in_stream & (back.partly >= 0), "stream", 13),
        (in_stream, "stream", 0),
        (own == 1, "own_transfer", 1),
        (own == 2, "own_transfer", 2),
        (known.one_legged, "own_transfer", 3),
        (known.from_pot >= 0, "own_transfer", 14),
        ((back.taken_back >= 0) & back.spread, "refund", 18),
        ((back.taken_back >= 0) & back.supposed, "refund", 15),
        ((back.taken_back >= 0) & back.kept, "refund", 20),
        (back.taken_back >= 0, "refund", 10),
        (signals.refund & (back.pays_back >= 0), "refund", 11),
        (signals.refund, "refund", 4),
        (known.refunded >= 0, "refund", 5),
        (says & ~small & ~small_gift, "one_off", 6),
        (small, "small_other", 7),
        (small_gift, "small_other", 8),
        (back.doubtful, "unexplained", 12),
    ]
    masks = [mask for mask, _, _ in cases]
    disposition = np.select(
        masks, [DISPOSITIONS.index(name) for _, name, _ in cases], DISPOSITIONS.index("unexplained")
    )
    reason = np.select(masks, [number for _, _, number in cases], 9)
    for debit in (known.from_pot, back.partly, back.pays_back, known.refunded, back.taken_back):
        partner[rows[debit >= 0]] = debit[debit >= 0]
    return Disposed(disposition, reason, partner[rows])


def below(book: Book, rows: Codes, limit: Decimal, limits: Thresholds) -> Mask:
    """Return which rows are below one of the thresholds."""
    return book.amount[rows] < pick(_limits(book, limit, limits), book.currency.codes[rows], 0)


def at_least(book: Book, limit: Decimal, limits: Thresholds) -> Mask:
    """Return which rows of a book, credits or debits, reach one of the thresholds."""
    return np.abs(book.amount) >= pick(_limits(book, limit, limits), book.currency.codes, 0)


def _limits(book: Book, limit: Decimal, limits: Thresholds) -> Codes:
    """Return the lowest value of a threshold in each currency, minor units."""
    each = [threshold_bounds(limit, limits.currency, code)[0] for code in book.currency.distinct]
    return np.array(each, dtype=np.int64)


def _loose(type_code: Codes, evidence: Codes, lexicon: Lexicon) -> Mask:
    """Return which types do not establish a nature; own savings do only if they are supported by more than the sender's words and name."""
    by_words = (type_code == lexicon.code("savings")) & np.isin(evidence, (KEYWORD, PURPOSE, PATTERN))
    loose = by_words | np.isin(type_code, [lexicon.code(name) for name in _NOT_A_NATURE])
    return np.asarray(loose, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Repeats:
    """Credits that may be counted twice, or were taken back, all or in part; one element per credit.

    Args:
        of_credit: The row that it may duplicate; -1 if there is none.
        twice: Its amount if it may duplicate another one, minor units; otherwise 0.
        returned: The part of it, or all of it, that a later debit took back, minor units; 0 if it may duplicate another one.
        may_be_returned: The part of it, or all of it, that a later debit may have taken back, minor units; 0 if it may duplicate another one.
        in_stream: Whether it is part of a stream.
        group: Its group by payer; -1 if it is in none.
    """

    of_credit: Codes
    twice: Codes
    returned: Codes
    may_be_returned: Codes
    in_stream: Mask
    group: Codes

    def counted_twice(self, size: int) -> Codes:
        """Return how many credits of the streams may be counted twice, by group."""
        return np.bincount(self.group[self.in_stream & (self.of_credit >= 0)], minlength=size)

    def of_groups(self, minor: Codes, size: int) -> Codes:
        """Return the sums of one of the amounts over the streams, minor units by group.

        Args:
            minor: `twice`, `returned` or `may_be_returned`.
            size: Number of groups.
        """
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, self.group[self.in_stream], minor[self.in_stream])
        return sums


def possible_repeats(
    book: Book, rows: Codes, duplicates: Duplicates, back: Reversals, grouping: Grouping, disposed: Disposed
) -> Repeats:
    """Return the credits that may be counted twice, and the parts of credits that were or may have been taken back.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        duplicates: Rows that may duplicate another one.
        back: Credits that were taken back, all or in part.
        grouping: Groups by payer.
        disposed: Disposition of each credit.
    """
    maybe = duplicates.maybe[rows]
    less = np.where(maybe < 0, back.minor, 0)
    return Repeats(
        maybe,
        twice=np.where(maybe >= 0, book.amount[rows], 0),
        returned=np.where(back.supposed, 0, less),
        may_be_returned=np.where(back.supposed, less, 0),
        in_stream=disposed.disposition == DISPOSITIONS.index("stream"),
        group=grouping.group,
    )


@dataclass(frozen=True, eq=False)
class CreditEvidence:
    """Evidence of credits.

    Args:
        key: Key of each credit's evidence.
        reason: Reason for each credit's disposition, with the evidence in words.
        type_code: Type of each credit, that of its stream if it is in one; `NO_TYPE` if it is not known.
        level: How its type is known, an index into `EVIDENCE_LEVELS`.
        frame: A row for each piece of evidence of each key: `EVIDENCE_COLUMNS`.
    """

    key: pd.arrays.ArrowStringArray
    reason: pd.arrays.ArrowStringArray
    type_code: Codes
    level: Codes
    frame: pd.DataFrame


def evidence_of_credits(natures: Natures, disposed: Disposed) -> CreditEvidence:
    """Return the evidence for each credit, put into words once for each distinct combination.

    Args:
        natures: The natures of credits and groups.
        disposed: Disposition and reason of each credit.
    """
    signals, grouping = natures.signals, natures.grouping
    in_stream = disposed.are("stream")
    shown = np.where(in_stream, pick(natures.pattern, grouping.group, ""), natures.of_credit)
    type_code = np.where(in_stream, pick(grouping.type_code, grouping.group, NO_TYPE), signals.type_code)
    level = np.where(in_stream, pick(grouping.evidence, grouping.group, NONE), signals.evidence)
    # A debit that confirms a refund is a pattern, as the coverage counts it.
    paired = disposed.are("refund") & (disposed.partner >= 0)
    level = np.where(paired & (level == NONE), PATTERN, level)
    pattern, patterns = pd.factorize(shown)
    names = load_lexicon().types
    both = signals.reading * max(len(patterns), 1) + pattern
    code = (both * (len(names) + 1) + type_code + 1) * len(REASONS) + disposed.reason
    distinct, first, number = np.unique(code, return_index=True, return_inverse=True)
    keys, reasons, rows = np.empty(len(distinct), dtype=object), np.empty(len(distinct), dtype=object), {}
    for index, credit in enumerate(first.tolist()):
        clues = signals.readings[int(signals.reading[credit])].nature.clues
        if type_code[credit] == NO_TYPE:
            clues = tuple(_not_established(clue) for clue in clues)
        if shown[credit]:
            clues = (
                *clues,
                Clue(
                    str(shown[credit]),
                    "" if shown[credit] in _AGAINST else names[int(type_code[credit])],
                    _FORCES.get(shown[credit], DECIDES),
                    NAME if shown[credit] == OWN_NAME else _PLACE_OF_PATTERN,
                ),
            )
        key = _key_of(clues)
        keys[index] = key
        rows[key] = clues
        reasons[index] = "; ".join([REASONS[int(disposed.reason[credit])], *map(in_words, clues)])
    return CreditEvidence(
        text_column(keys, number), text_column(reasons, number), type_code, level, _frame(rows)
    )


def _not_established(clue: Clue) -> Clue:
    """Return a piece of evidence as it counts when no nature was established: evidence that would decide is only a hint."""
    return replace(clue, force=HINTS) if clue.force == DECIDES and clue.says not in MARKS else clue


def in_words(clue: Clue) -> str:
    """Return a piece of evidence as a clause."""
    says = clue.says.replace("_", " ") or OTHER
    if clue.force == DECIDES:
        return f"{says}: {clue.what} ({clue.place})"
    if clue.force == CONTRADICTS:
        return f"against it, for {says}: {clue.what} ({clue.place})"
    if clue.force == HINTS:
        return f"reads like {says}, not established: {clue.what} ({clue.place})"
    if clue.force == IGNORED:
        return f"not counted: {clue.what} ({clue.place})"
    return f"{clue.what} ({clue.place})"


def _key_of(clues: Sequence[Clue]) -> str:
    text = "\x1e".join(f"{clue.what}\x1f{clue.says}\x1f{clue.force}\x1f{clue.place}" for clue in clues)
    return "V-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def _frame(rows: dict[str, tuple[Clue, ...]]) -> pd.DataFrame:
    listed = [
        (key, number, clue.what, clue.says, clue.force, clue.place)
        for key, clues in sorted(rows.items())
        for number, clue in enumerate(clues, 1)
    ]
    return frame_of(columns_of(EVIDENCE_COLUMNS, listed), {"number": "int64"})
