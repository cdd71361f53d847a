"""Cash of a trade that is diverted: to others, to a firm of the owner's, to a home, to gold.

The owner of a trade draws what is left, whereas somebody else's cash goes on to that person, or to purchases for that person, in whole amounts for
which the trade receives nothing. Sources: FFIEC BSA/AML Manual, appendix F (transfers without a business purpose); FATF, Professional Money
Laundering (2018), cash-intensive firms as cover; FATF, Trade-Based Money Laundering (2020), criminal money mixed with takings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, once_a_life
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    card_takings,
    named_suppliers,
    steady_payees,
    usual_payees,
)
from kycpack.wealth.judge.red_flags.payment_words import topics_in

_COIN, _NOTE = 1, 10
_FEWEST_PARTS, _MOSTLY = 3, 0.8
_WAGES = "employment"
_WORK_AND_ROOMS = (_WAGES, "rental_income")  # by the words of a debit
_TAKE_AWAY = ("", "crypto", "payment_processor")


def carried_off(life: Life, cash: Sequence[Movement]) -> Iterator[Flag]:
    """Yield the cash of a trade of which a large part is diverted: by the first of the ways in `_WAYS_OFF` that is found."""
    least = max(
        life.minor(life.limits.cover_total), 1, int(life.limits.cover_share * sum(one.amount for one in cash))
    )
    payees = [*_payees(life)]
    for words, is_way in _WAYS_OFF:
        out = [one for party, rows in payees for one in is_way(life, party, rows)]
        if sum(one.amount for one in out) >= least:
            text = (
                "Cash of a trade that is diverted: {credits_words} of cash, {credits_minor} in all, and {debits_words} "
                + words
                + ", {debits_minor} in all, {dates}"
            )
            yield make_flag("cash_beyond_takings", text, life.currency, cash, out)
            return


def _payees(life: Life) -> Iterator[tuple[str, Sequence[Movement]]]:
    """Yield the parties that are paid, with the payments; many strangers who are paid once or twice and pay nothing in are together nobody in particular.

    Of the strangers' payments the largest are left out: a van or an oven is bought from a stranger too, but not time after time.
    """
    seldom: list[Movement] = []
    for party, rows in life.payments_to.items():
        if len(rows) < _FEWEST_PARTS and party not in life.payments_of and all(one.stranger for one in rows):
            seldom += [one for one in rows if _is_taken(life, one)]
        else:
            yield party, rows
    seldom.sort(key=lambda one: (-one.amount, one.day, one.account, one.txn_id))
    if _are_many(seldom[_FEWEST_PARTS:]):
        yield "", seldom[_FEWEST_PARTS:]


@once_a_life
def _known_payees(life: Life) -> frozenset[str]:
    """Return the parties that the trade pays habitually, rents from, employs or buys from."""
    return usual_payees(life) | named_suppliers(life)


def _to_others(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return whole amounts to a party that does not sell to the trade, work for it, or put a good part of them in."""
    if party in _known_payees(life):
        return ()
    taken = [one for one in rows if _is_taken(life, one)]
    if life.paid_in.get(party, 0) > life.limits.cover_share * sum(one.amount for one in taken):
        return ()
    return taken if len(taken) >= _FEWEST_PARTS and _are_round(life, taken, _COIN) else ()


def _to_namesake(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return round sums to a firm with the customer's own name, which is not family."""
    is_firm = rows[0].related and "company" in topics_in(party)
    if not is_firm or party in life.payments_of or party in steady_payees(life):
        return ()
    return rows if _are_many(rows) and _are_round(life, rows) else ()


def _to_suppliers(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return round sums to a party whose name is a supplier's, of varying size or so large that they are no standing charge; invoices are seldom round."""
    if party not in named_suppliers(life) or any(one.collected or one.kind for one in rows):
        return ()
    changing = party not in steady_payees(life) and len({one.amount for one in rows}) >= _FEWEST_PARTS
    cash = sum(one.amount for one in life.cash_paid_in)
    most = sum(one.amount for one in rows) >= life.limits.swept_share * cash
    return rows if (changing or most) and _are_many(rows) and _are_round(life, rows) else ()


@once_a_life
def _passing_suppliers(life: Life) -> frozenset[str]:
    """Return the firms that a trade without card takings pays a few times each, in round sums, for what only the words of the payments call stock.

    A trade has its wholesalers, most of which collect uneven sums; many firms that are paid once or twice are none.
    """
    if card_takings(life):
        return frozenset()
    seldom = {
        party: rows
        for party, rows in life.payments_to.items()
        if len(rows) <= _FEWEST_PARTS
        and party not in life.payments_of
        and all(one.trade and not (one.collected or one.kind or one.related) for one in rows)
    }
    every = [one for rows in seldom.values() for one in rows]
    return frozenset(seldom if _are_many(every) and _are_round(life, every) else ())


def _to_passing_suppliers(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return payments to `_passing_suppliers`."""
    return rows if party in _passing_suppliers(life) else ()


def _for_property(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return round sums that are put into a home or land bit by bit; an ordinary buyer pays a deposit and the balance."""
    wanted = [one for one in rows if one.property and not one.collected and not one.cash]
    if not _are_many(wanted) or party in usual_payees(life):
        return ()
    return wanted if _are_round(life, wanted) else ()


def _for_gold(_life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return payments to sellers of small items that keep their value."""
    return rows if len(rows) >= _FEWEST_PARTS and "stored" in topics_in(party) else ()


def _to_staff(life: Life, party: str, rows: Sequence[Movement]) -> Sequence[Movement]:
    """Return round wages to people who pay part of them back."""
    wages = [one for one in rows if one.type == _WAGES and not one.cash]
    back = life.payments_of.get(party, ())
    returned = sum(one.amount for one in back) >= life.limits.cover_share * sum(one.amount for one in wages)
    pays_back = len(back) >= _FEWEST_PARTS and returned
    return wages if pays_back and _are_many(wages) and _are_round(life, wages) else ()


_WAYS_OFF: tuple[tuple[str, Callable[[Life, str, Sequence[Movement]], Sequence[Movement]]], ...] = (
    ("in whole amounts to {payees_words} that the trade does not buy from", _to_others),
    ("in round sums to {payees_words} with the customer's own name", _to_namesake),
    ("in round sums, unlike most invoices, to {payees_words} with a supplier's name", _to_suppliers),
    ("in round sums to {payees_words} for stock that is never collected", _to_passing_suppliers),
    ("in round sums, piece by piece, to {payees_words} for a home or land", _for_property),
    ("in round wages to {payees_words}, part of which they pay back", _to_staff),
    ("to {payees_words} for gold, coins, watches and the like", _for_gold),
)


def _are_many(rows: Sequence[Movement]) -> bool:
    return len(rows) >= 2 * _FEWEST_PARTS


def _are_round(life: Life, rows: Sequence[Movement], unit: int = _NOTE) -> bool:
    return sum(one.amount % life.round_sum(unit) == 0 for one in rows) >= _MOSTLY * len(rows)


def _is_taken(life: Life, one: Movement) -> bool:
    """Return whether a debit may take money out of a trade: not a purchase, a wage or rent, not to family, not small."""
    return (
        not (one.purchase or one.collected or one.trade or one.cash or one.related)
        and one.type not in _WORK_AND_ROOMS
        and one.kind in _TAKE_AWAY
        and one.amount >= life.minor(life.limits.smallest_flow)
    )
