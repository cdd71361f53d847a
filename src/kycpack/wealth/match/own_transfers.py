"""Money that a customer moves between their own accounts: it is not income and must not be mistaken for income.

A false match hides income, so one equal amount alone is not enough, nor is any if something contradicts it; such pairs are
listed, and the credit stays what it is. What leaves an account on paper, as cash or by cheque, cannot arrive in another one as an electronic
payment.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from kycpack.assets import asset_yaml
from kycpack.wealth.match.sides import Sides
from kycpack.wealth.prepare.coded import (
    Codes,
    Mask,
    distinct_of,
    is_in,
    joint_code,
    lowest_of_joined,
    ordinals,
    pick,
    sorted_by,
)
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_plain_words
from kycpack.wealth.streams.calendars import Days

FARTHEST_DAYS = 4
FEWEST_ELSEWHERE = 2
_FEWEST_MIRRORED = 3  # different amounts, none of which matches by chance
_MOST_MOVES = 64  # credits that may change their debit so that one more finds one
_MOST_CANDIDATES = 16  # nearest debits that are considered for one credit


OWN_TRANSFERS = ("certain", "probable")
"""The verdicts by which a credit counts as the customer's own money."""
ELECTRONIC, CASH, CHEQUE = 0, 1, 2
"""How a payment is made; a number above `CHEQUE` is that of a cheque, plus `CHEQUE`."""
_CODES = {"PMNT-ICHQ": CHEQUE, "PMNT-RCHQ": CHEQUE, "PMNT-CNTR-CWDL": CASH, "PMNT-CCRD-CWDL": CASH}
_MOST_DIGITS = 12


@dataclass(frozen=True, eq=False)
class Legs:
    """Rows that may be one side of a transfer.

    Args:
        row: Row of the book.
        customer: Customer.
        currency: Currency.
        day: Booking day.
        account: Account.
        amount: Minor units, without a sign.
        side: What each row shows about its other party.
        payer: Customer and payer's key as one code; -1 for debits.
        rank: Order in which ties are resolved; unique.
    """

    row: Codes
    customer: Codes
    currency: Codes
    day: Days
    account: Codes
    amount: Codes
    side: Sides
    payer: Codes
    rank: Codes

    def of(self, rows: Codes) -> Legs:
        """Return the legs of the given rows, in their order."""
        every = {name: values[rows] for name, values in vars(self).items() if name != "side"}
        return Legs(**every, side=self.side.of(rows))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of a credit and a debit in two accounts of one customer.

    Args:
        credit: Row of the book.
        debit: Row of the book.
        verdict: `certain` (an own account or the customer is named, and nothing contradicts it), `probable` (nobody is named, and words
            for a transfer or several amounts support it), `possible` (one side supports it and the other names somebody, or nothing but one
            amount supports it), `ambiguous` (several pairings, none chosen), `contradicted`. Only the first two are own transfers.
    """

    credit: Codes
    debit: Codes
    verdict: npt.NDArray[np.object_]

    def having(self, *verdicts: str) -> Pairs:
        """Return the pairs that have one of the given verdicts."""
        chosen = np.array([one in verdicts for one in self.verdict.tolist()], dtype=np.bool_)
        return Pairs(self.credit[chosen], self.debit[chosen], self.verdict[chosen])

    def with_more(self, other: Pairs) -> Pairs:
        """Return these pairs followed by others."""
        names = ("credit", "debit", "verdict")
        return Pairs(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))


def pairs_of(found: Sequence[tuple[int, int, str]]) -> Pairs:
    """Return pairs from the row of a credit, the row of a debit, and a verdict."""
    credit, debit, verdict = zip(*found, strict=True) if found else ((), (), ())
    return Pairs(
        np.array(credit, dtype=np.int64),
        np.array(debit, dtype=np.int64),
        np.array(verdict, dtype=object),
    )


def match_own_transfers(credits_: Legs, debits: Legs, paid: Codes, paper: Callable[[Codes], Codes]) -> Pairs:
    """Return pairs of a credit and a debit of equal amount in two accounts of one customer.

    Args:
        credits_: Money in.
        debits: Money out.
        paid: Number of credits of each payer, by the code of `Legs.payer`.
        paper: Returns for rows of the book whether each is a cheque, and its number, or cash, as `read_paper` does.

    Returns:
        The pairs. Each credit and each debit is in at most one pair that is `certain` or `probable`, and each credit in at most one that is `possible`.
    """
    credit, debit, strength = _candidates(credits_, debits, paid, paper)
    open_ = [one <= _AMOUNT_ONLY for one in strength]
    settled = _settled(credit, debit, strength)
    taken = _matched(
        credit,
        debit,
        [o and (s < _AMOUNT_ONLY or k) for o, s, k in zip(open_, strength, settled, strict=True)],
    )
    matched = set(taken.values())
    found: list[tuple[int, int, str]] = []
    named: set[int] = set()
    for one, other, how in zip(credit, debit, strength, strict=True):
        if taken.get(one) == other:
            found.append((one, other, _VERDICTS[how]))
        # One pair is enough for a credit that is only possible.
        elif not (one in taken or other in matched or (how == _POSSIBLE and one in named)):
            found.append((one, other, _LEFT_OVER.get(how, "ambiguous")))
            if how == _POSSIBLE:
                named.add(one)
    return pairs_of(found)


_OWN, _WORDED, _AMOUNT_ONLY, _POSSIBLE, _CONTRADICTED = range(5)
_VERDICTS = {_OWN: "certain", _WORDED: "probable", _AMOUNT_ONLY: "possible"}
_LEFT_OVER = {_POSSIBLE: "possible", _CONTRADICTED: "contradicted"}


def _settled(credit: list[int], debit: list[int], strength: list[int]) -> list[bool]:
    """Return which pairs that rest only on the amount have no rival: within a connected set, there are as many credits as debits.

    If a debit is left over, amounts match by chance here, and a credit could be anything.
    """
    fits = np.array(strength, dtype=np.int64) <= _AMOUNT_ONLY
    rows, place = np.unique(np.array([credit, debit], dtype=np.int64), return_inverse=True)
    one, other = place.reshape(2, -1)
    of_set = lowest_of_joined(len(rows), zip(one[fits].tolist(), other[fits].tolist(), strict=True))
    balance = np.bincount(of_set, np.where(np.isin(rows, credit), 1, -1))
    return cast("list[bool]", (fits & (balance[of_set[one]] == 0)).tolist())


def _matched(credit: list[int], debit: list[int], eligible: list[bool]) -> dict[int, int]:
    """Return the debit of each credit that finds one: nearest first, then by reassigning others if that helps.

    A transfer around three accounts leaves its last credit without a debit if the first two took each other's.
    """
    taken: dict[int, int] = {}
    holder: dict[int, int] = {}
    options: dict[int, list[int]] = defaultdict(list)
    for one, other, fine in zip(credit, debit, eligible, strict=True):
        if fine:
            options[one].append(other)
            if one not in taken and other not in holder:
                taken[one], holder[other] = other, one
    for one in options:
        if one not in taken:
            for mine, other in _moves(one, options, holder):
                taken[mine], holder[other] = other, mine
    return taken


def _moves(start: int, options: dict[int, list[int]], holder: dict[int, int]) -> list[tuple[int, int]]:
    """Return the new debits of credits by which one more credit finds a debit; empty if there is no such way."""
    came: dict[int, tuple[int, int]] = {}
    queue = deque([start])
    seen = {start}
    while queue and len(seen) <= _MOST_MOVES:
        one = queue.popleft()
        for other in options[one]:
            next_ = holder.get(other)
            if next_ is None:
                moves = [(one, other)]
                while one in came:
                    one, wanted = came[one]
                    moves.append((one, wanted))
                return moves
            if next_ not in seen:
                seen.add(next_)
                came[next_] = (one, other)
                queue.append(next_)
    return []


def _candidates(
    credits_: Legs, debits: Legs, paid: Codes, paper: Callable[[Codes], Codes]
) -> tuple[list[int], list[int], list[int]]:
    """Return credit, debit (rows of the book) and strength of the possible pairs, the strongest and nearest first."""
    credit_key, debit_key = _keys(credits_, debits)
    ins = np.flatnonzero(is_in(credit_key, debit_key))
    outs = np.flatnonzero(is_in(debit_key, credit_key[ins]))
    if not ins.size:
        return [], [], []
    low = min(int(credits_.day[ins].min()), int(debits.day[outs].min())) - FARTHEST_DAYS
    span = max(int(credits_.day[ins].max()), int(debits.day[outs].max())) + FARTHEST_DAYS - low + 1
    moment = debit_key[outs] * span + (debits.day[outs] - low)
    order = sorted_by(moment, debits.rank[outs])
    outs, moment = outs[order], moment[order]
    centre = credit_key[ins] * span + (credits_.day[ins] - low)
    first, count = _nearest(moment, centre, ordinals(centre, credits_.rank[ins]))
    left = np.repeat(ins, count)
    right = outs[np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())]
    apart = credits_.account[left] != debits.account[right]
    left, right = left[apart], right[apart]
    # A payer who also makes payments without a matching debit is somebody else, whatever this one amount looks like.
    matched = np.bincount(credits_.payer[distinct_of(left)], minlength=len(paid))
    elsewhere = (paid - matched)[credits_.payer[left]] >= FEWEST_ELSEWHERE
    later = debits.day[right] > credits_.day[left]
    strength = _strength(credits_.side.of(left), debits.side.of(right), elsewhere, later)
    # A cheque or cash paid out comes in as that cheque or as cash, and not as another cheque or an electronic payment.
    paid_out = paper(debits.row[right])
    other_paper = ~is_same_paper(paper(credits_.row[left]), paid_out)
    strength[other_paper & (strength > _OWN)] = _CONTRADICTED
    strength[(paid_out != ELECTRONIC) & (strength == _WORDED)] = _POSSIBLE
    weak = np.isin(strength, (_AMOUNT_ONLY, _POSSIBLE))
    strength[weak & _mirrored(credits_, left[weak], paid)[credits_.payer[left]]] = _WORDED
    days_apart = np.abs(credits_.day[left] - debits.day[right])
    order = sorted_by(strength, days_apart, credits_.rank[left], debits.rank[right])
    return credits_.row[left][order].tolist(), debits.row[right][order].tolist(), strength[order].tolist()


def _mirrored(credits_: Legs, found: Codes, paid: Codes) -> Mask:
    """Return which payers' credits nearly all have a matching debit, in different amounts: for example a card bill paid each month.

    Args:
        credits_: Money in.
        found: Credits that have a possible debit, as indexes.
        paid: Number of credits of each payer.
    """
    rows = distinct_of(found)
    payers, amounts = credits_.payer[rows], credits_.amount[rows]
    different = np.unique(np.stack([payers, amounts]), axis=1)[0]
    many = np.bincount(different, minlength=len(paid)) >= _FEWEST_MIRRORED
    return many & (paid - np.bincount(payers, minlength=len(paid)) <= 1)


def _strength(credit: Sides, debit: Sides, elsewhere: Mask, later: Mask) -> Codes:
    """Return how strongly the two sides of each pair indicate one owner.

    Args:
        credit: What the credit of each pair shows.
        debit: What its debit shows.
        elsewhere: Whether the payer also makes payments without a matching debit.
        later: Whether the debit comes on a later day than the credit.
    """
    # The same name on both sides is taken as the customer's if the customer's own name is not known.
    one_name = (credit.party != "") & (credit.party == debit.party)
    worded = credit.worded | debit.worded | one_name
    nobody = (~credit.other & ~debit.other) | one_name
    same_words = (credit.words != "") & (credit.words == debit.words)
    repeated = same_words & ~elsewhere & ~later
    cases: list[tuple[Mask, int | Codes]] = [
        # "RENT" on both sides names nobody, and both accounts may be the customer's.
        (credit.against & debit.against & repeated, _POSSIBLE),
        (credit.against | debit.against, _CONTRADICTED),
        # The customer sent it, perhaps from an account that is not linked, and this debit went to somebody else.
        (credit.own & ~credit.number & debit.recognised & ~one_name, _POSSIBLE),
        (credit.own | (debit.own & (~credit.other | one_name)), _OWN),
        # "P NATARAJAN SHARE" and "MISS P NATARAJAN STO": the customer among other words, but on both sides.
        (credit.mentioned & (debit.mentioned | debit.own), _WORDED),
        (credit.mentioned | debit.mentioned, _POSSIBLE),
        # "OLUWASEUN" and "OB" are a person's own short names for an account, unless somebody else uses them too.
        (credit.part & debit.part, np.where(elsewhere, _POSSIBLE, _WORDED)),
        # "HOUSEHOLD" on both sides is not the name of a firm or person, and may be what an own account is called.
        (repeated & ~one_name & ~nobody, _POSSIBLE),
        (credit.other & debit.other & ~one_name, _CONTRADICTED),
        # So is "JOINT BILLS" on both sides.
        (nobody & (worded | (same_words & ~elsewhere)), _WORDED),
        # "FROM EVERYDAY A/C" and "TO JOB FUND": the name of a pot or an account is freely chosen, and is nobody's name.
        (credit.worded & ~credit.other & ~debit.recognised, _WORDED),
        (nobody & ~elsewhere, _AMOUNT_ONLY),
        # A wallet that sends money to its owner, or a bank: the credit names only the one that carries it.
        (debit.own & credit.institution & ~elsewhere & ~later, _WORDED),
        (~nobody & (worded | debit.own), _POSSIBLE),
    ]
    return np.select([mask for mask, _ in cases], [code for _, code in cases], _CONTRADICTED).astype(np.int64)


def _keys(credits_: Legs, debits: Legs) -> tuple[Codes, Codes]:
    """Return customer, currency and amount of credits and of debits as one code."""
    code = joint_code(
        *(
            np.concatenate([getattr(credits_, name), getattr(debits, name)])
            for name in ("customer", "currency", "amount")
        )
    )
    return code[: len(credits_.row)], code[len(credits_.row) :]


def _nearest(moment: Codes, centre: Codes, ordinal: Codes) -> tuple[Codes, Codes]:
    """Return the first candidate of each credit and the number of candidates.

    If there are too many, those around the same position among the day's equal amounts are taken: the tenth
    credit of a day is compared with those around the tenth debit, so that each of many equal transfers finds its own.
    """
    begin = np.searchsorted(moment, centre - FARTHEST_DAYS, side="left")
    end = np.searchsorted(moment, centre + FARTHEST_DAYS, side="right")
    place = np.searchsorted(moment, centre, side="left") + ordinal
    latest = np.maximum(begin, end - _MOST_CANDIDATES)
    first = np.clip(place - _MOST_CANDIDATES // 2, begin, latest)
    return first, np.minimum(end - first, _MOST_CANDIDATES)


def read_paper(book: Book, rows: Codes) -> Codes:
    """Return how rows are paid: `ELECTRONIC`, `CASH`, `CHEQUE`, or above that a cheque's number.

    Args:
        book: Transactions.
        rows: Rows to read.
    """
    texts = book.columns["description_raw"].of_rows(rows)
    of_text = np.array([_paper_of(text) for text in to_plain_words(texts.distinct)], dtype=np.int64)
    paper = np.asarray(pick(of_text, texts.codes, ELECTRONIC), dtype=np.int64)
    if "bank_code" not in book.columns:
        return paper
    shown = book.columns["bank_code"].of_rows(rows)
    of_code = [
        next((kind for begin, kind in _CODES.items() if str(code).upper().startswith(begin)), ELECTRONIC)
        for code in shown.distinct
    ]
    by_code = pick(np.array(of_code, dtype=np.int64), shown.codes, ELECTRONIC)
    return np.where(paper == ELECTRONIC, by_code, paper)


def is_same_paper(credit: Codes, debit: Codes) -> Mask:
    """Return which credits can be what the debits paid out: both electronic, both cash, or one cheque, whose number may be missing on one side."""
    cheques = (credit >= CHEQUE) & (debit >= CHEQUE) & ((credit == CHEQUE) | (debit == CHEQUE))
    return np.asarray((credit == debit) | cheques, dtype=np.bool_)


def _paper_of(text: str) -> int:
    cheque, cash = _patterns()
    found = cheque.search(text)
    if found is not None:
        digits = found["number"] or ""
        return CHEQUE + (int(digits[-_MOST_DIGITS:]) if digits else 0)
    return CASH if cash.search(text) else ELECTRONIC


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a cheque, with its number if there is one, and of cash, in plain words."""
    document = asset_yaml("lexicon/own_accounts.yaml")
    cheque, beside, cash = ("|".join(document[name]) for name in ("cheque", "beside_cheque", "cash"))
    lead = rf"(?:^|\b(?:{beside}) )(?:{cheque})"
    # COMPTE CHEQUE and CHECK CARD are not cheques: a cheque has a number, or nothing is said beside it.
    numbered = rf"\b(?:{cheque})(?: (?:{beside}))* (?P<number>[0-9]{{3,}})\b"
    return re.compile(rf"{numbered}|{lead}(?: (?:{beside}))*$"), re.compile(rf"\b(?:{cash})\b")
