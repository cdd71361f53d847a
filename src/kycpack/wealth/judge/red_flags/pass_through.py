"""Money that does not stay: it is moved on to others, to an exchange, through own accounts, or back to the lender.

Sources: FATF, Professional Money Laundering (2018), part on money mules; JMLSG Guidance part I, 5.7 (transactions that are passed through);
FFIEC BSA/AML Manual, appendix F, "Funds transfers" and "Lending activity" (a loan that is repaid at once).
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal

import numpy as np

from kycpack.wealth.judge.red_flags.flag import Flag, Pair, is_in_order, make_flag
from kycpack.wealth.judge.red_flags.life import (
    NOTHING_PAID,
    SHORTEST_SPAN_DAYS,
    YEAR_DAYS,
    Life,
    by_account,
    within,
)
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import feast_of, shared_prize
from kycpack.wealth.judge.red_flags.outgoings import (
    TRADE_INCOME,
    homes_by_name,
    is_lent_by_unlisted,
    is_person,
    is_taxed,
    is_trader,
    lenders,
    paid_bills,
    staff,
    suppliers,
    trade_bills,
    trade_costs,
    wages_minor,
)
from kycpack.wealth.judge.red_flags.stock import (
    Passage,
    debits_of,
    other_money_words,
    pairs_of,
    passages,
    sides_of,
    soon_words,
)
from kycpack.wealth.prepare.coded import Mask

_MONTHS = 12
_HABITUALLY = 0.8  # a regular payer's money is moved on if this share of the payments is
_FEWEST_TAXES, _FEWEST_ORDERS = 4, 4
_COST_OF_GOODS = 0.7
_ROUND = 10
_NOTE = 5  # what is less is paid in coins
_LEAST_PART = 10  # what is less than one part in this many of all that comes in is no flow
_HOP_SHARE = 0.75
_FEWEST_HOPS = 2


def _of_no_proven_nature(life: Life) -> list[Movement]:
    unproven = {id(one) for one in life.unproven_credits}
    return [
        one
        for one in life.credits
        if one.amount >= life.minor(life.limits.pass_through_amount)
        and not one.kin
        and (id(one) in unproven or "crypto" in (one.kind, one.type) or is_lent_by_unlisted(life, one))
    ]


def _large(life: Life) -> int:
    """Return the sum from which moved-on money is a flag even in few credits, minor units."""
    return max(life.minor(life.limits.pass_through_single), life.yearly_income * 3 // _MONTHS)


def _may_be_moved_on(lives: Lives) -> Mask:
    """Return which lives have enough credits of no proven nature, of all that comes in, that enough debits followed."""
    limits = lives.limits
    found = lives.followed(
        lives.credits
        & (
            lives.unproven
            | lives.of_kind("crypto")
            | lives.of_type("crypto")
            | (lives.marked("loan") & lives.marked("unproven") & lives.unknown)
        )
        & ~lives.marked("kin")
        & lives.at_least(limits.pass_through_amount),
        lives.exits_and_claims & ~lives.of_kind("gambling"),
        limits.pass_through_days,
        limits.pass_through_share,
    )
    found &= ~lives.habitual | (lives.times(found) >= _HABITUALLY * lives.times_paid_in)
    several = lives.has(found, limits.pass_through_count) & lives.comes_to(found, limits.pass_through_total)
    # Fewer, or a smaller sum, must come to the sum for a single one and to a quarter of a year's income, rounded down.
    quarter = lives.nearly(YEAR_DAYS * 3 / _MONTHS, lives.income_minor) // np.maximum(
        lives.span_days, SHORTEST_SPAN_DAYS
    )
    large = lives.comes_to(found, limits.pass_through_single) & (lives.total(found) >= quarter)
    return (several | large) & (lives.total(found) >= lives.nearly(1 / _LEAST_PART, lives.all_credits_minor))


@found_where(_may_be_moved_on)
def moved_on(life: Life) -> Iterator[Flag]:
    """Yield credits of no proven nature that left within days."""
    lent_by, prize = lenders(life), shared_prize(life).won
    open_ = [
        one
        for one in _of_no_proven_nature(life)
        if one.party not in lent_by and one is not prize and not _is_given_back(life, one)
    ]
    large, least_total = _large(life), life.minor(life.limits.pass_through_total)
    if sum(one.amount for one in open_) < min(large, least_total):
        return
    bills = (paid_bills(life) & life.regular_payees) | trade_bills(life) | staff(life)
    stock = _stock_sellers(life) if is_trader(life) else set()
    spent = bills | homes_by_name(life) | feast_of(life).payees | stock
    claimed = {id(one) for one in life.claimed_purchases}
    found = _left_by(life, open_, spent, claimed)
    if claimed and not _are_often_claimed(life, found, claimed):
        found = _left_by(life, open_, spent, set())
    helped = [one for one in found if _helps_to_buy_a_home(one)]
    if len({one.credit.party for one in helped}) == 1:
        found = [one for one in found if one not in helped]
    total = sum(one.credit.amount for one in found)
    # A person who inherits or sells a house invests the money; several strangers' sums that go to a broker were moved on.
    invested = sum(one.credit.amount for one in found if all(debit.kind == "broker" for debit in one.debits))
    several = len(found) >= life.limits.pass_through_count and total >= least_total
    if (
        (several or total - invested >= large > 0)
        and total * _LEAST_PART >= life.all_credits_minor
        and not life.called_parents.issuperset(one.credit.party for one in found)
        and not keeps_margin(life, found)
    ):
        yield passed(life, found, life.limits.pass_through_days)


def _helps_to_buy_a_home(one: Passage) -> bool:
    """Return whether a person's money went to whoever conveys a home: one person helps to buy it, and several are examined."""
    return is_person(one.credit.party) and all(debit.property for debit in one.debits)


def _are_often_claimed(life: Life, found: Sequence[Passage], claimed: Container[int]) -> bool:
    """Return whether the money of several parties left by several purchases that only a word in a name shows.

    Such a word explains a purchase or two, and the purchases that one party pays for, as a grandmother pays for a school.
    """
    mine = [one for one in found if any(id(debit) in claimed for debit in one.debits)]
    bought = sum(id(debit) in claimed for debit in debits_of(mine))
    return min(bought, len({one.credit.party for one in mine})) >= life.limits.pass_through_count


def _left_by(
    life: Life, open_: Sequence[Movement], spent: Container[str], claimed: Container[int]
) -> list[Passage]:
    """Return the credits that left by exits, or by claimed purchases, to parties on whom money is not spent anyway."""
    days, share = life.limits.pass_through_days, life.limits.pass_through_share
    ways = {id(one) for one in life.exits}
    exits = [
        one
        for one in life.debits
        if (id(one) in ways or id(one) in claimed) and one.kind != "gambling" and one.party not in spent
    ]
    # What a trader pays to firms out of takings is stock; other takings that go to individuals are not.
    for_cash = [one for one in exits if one.stranger or one.kind == "crypto"] if is_trader(life) else exits
    found = _unusual(life, [one for one in open_ if not one.cash], exits, days, share)
    return found + _unusual(life, [one for one in open_ if one.cash], for_cash, days, share)


def _stock_sellers(life: Life) -> set[str]:
    """Return the suppliers that a trade buys stock from.

    A supplier is paid repeatedly: a party that is paid such a large sum once may be anybody. A trade keeps a margin or pays tax: if neither shows, a
    party that gets nearly all that comes in is not one that it buys from.
    """
    wages = sum(one.amount for one in life.income if one.type not in TRADE_INCOME)
    most = life.limits.pass_through_share * (life.all_credits_minor - wages)
    return {
        party
        for party in suppliers(life)
        if len(rows := life.payments_to[party]) > 1 and (life.taxes or sum(one.amount for one in rows) < most)
    }


def _is_given_back(life: Life, one: Movement) -> bool:
    """Return whether a stranger later received as much back: friends who buy together share the proceeds."""
    if not one.stranger or not one.party:
        return False
    back = life.paid_later.get(one.party, NOTHING_PAID).after(one.day + life.limits.pass_through_days)
    return back >= life.paid_in.get(one.party, 0)


def keeps_margin(life: Life, found: Sequence[Passage]) -> bool:
    """Return whether a customer who pays tax on what is left sent the money to suppliers, in uneven sums and time and again, and kept a margin.

    The tax may be paid later, or from elsewhere, by somebody who trades by other signs or whose cash is a till's, with coins, if all of the money was cash and
    neither an individual nor anybody abroad nor a dealer in money received it.
    """
    payees = {one.party for one in debits_of(found)}
    bought = [one for party in payees for one in life.payments_to[party]]
    total = sum(one.amount for one in bought)
    orders = [
        one
        for one in bought
        if one.amount % life.round_sum(_ROUND) and len(life.payments_to[one.party]) >= _FEWEST_ORDERS
    ]
    traded = life.all_credits_minor - wages_minor(life)
    left = traded - total - trade_costs(life)
    taxed = len(life.taxes) >= _FEWEST_TAXES or is_taxed(life, left, life.movements[0].day)
    till = (
        all(one.credit.cash for one in found)
        and not any(map(is_person, payees))
        and not any(one.kind or one.abroad for one in bought)
    )
    cash = life.cash_paid_in
    coins = sum(one.amount % life.round_sum(_NOTE) != 0 for one in cash) >= _HABITUALLY * len(cash)
    return (
        (taxed or (till and (coins or is_trader(life))))
        and sum(one.amount for one in orders) >= _HABITUALLY * total
        and total <= _COST_OF_GOODS * traded
    )


def passed(life: Life, found: Sequence[Passage], days: int) -> Flag:
    """Return the flag for credits that were moved on within days, or for like sums in and out where nothing shows that the credits came first."""
    title, when = (
        ("Money moved on", soon_words(found, days))
        if is_in_order(pairs_of(found))
        else ("Like sums in and out", "on the day of the other")
    )
    return make_flag(
        "pass_through",
        title
        + ": {credits_words} in ({credits_minor}) and {debits_words} out to {payees_words} ({paid_words}), each "
        + when
        + ", {dates}"
        + other_money_words(found),
        life.currency,
        *sides_of(found),
        window_days=days,
    )


def _unusual(
    life: Life, credits_: Sequence[Movement], exits: Sequence[Movement], days: int, share: Decimal
) -> list[Passage]:
    """Return passages without regular payers and payees whose payments are not usually moved on: rent is paid whatever comes in."""
    found = passages(credits_, exits, days, share)
    out = Counter(one.party for one in debits_of(found))
    moving = [one for one in exits if _moves(out, one, life.regular_payees, life.payments_to)]
    if len(moving) < len(exits):
        found = passages(credits_, moving, days, share)
    into = Counter(one.credit.party for one in found)
    moved = [one for one in credits_ if _moves(into, one, life.regular_payers, life.payments_of)]
    return found if len(moved) == len(credits_) else passages(moved, moving, days, share)


def _moves(
    used: Counter[str],
    one: Movement,
    regular: frozenset[str],
    every: Mapping[str, Sequence[Movement]],
) -> bool:
    return one.party not in regular or used[one.party] >= _HABITUALLY * len(every[one.party])


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.open & lives.at_least(min(lives.limits.smallest_flow, lives.limits.pass_through_single)),
            lives.exits & (lives.of_kind("crypto") | lives.of_type("crypto")),
            max(lives.limits.exchange_days, lives.limits.slow_days),
            lives.limits.exchange_share,
        )
    )
)
def sent_to_exchange(life: Life) -> Iterator[Flag]:
    """Yield gifts and other open credits that went to a crypto exchange within days; if there are none, a large one of which most went there within weeks.

    A large credit is changed in however many parts.
    """
    limits = life.limits
    exchanges = [one for one in life.exits if "crypto" in (one.kind, one.type)]
    least, large = life.minor(limits.smallest_flow), life.minor(limits.pass_through_single)
    open_ = [one for one in life.open_credits if one.amount >= least and not _is_given_back(life, one)]
    found = passages(open_, exchanges, limits.exchange_days, limits.exchange_share)
    if len(found) >= limits.exchange_count and sum(one.credit.amount for one in found) >= life.minor(
        limits.exchange_total
    ):
        days, sentence = (
            limits.exchange_days,
            (
                "Money sent on to an exchange: {credits_words} whose nature is not established, {credits_minor} in all, came in, and {debits_words}, "
                "{debits_minor} in all, went to a crypto exchange"
            ),
        )
    else:
        alone = [one for one in life.open_credits if one.amount >= large and not one.cash]
        found = passages(alone, exchanges, limits.slow_days, limits.exchange_share)
        days, sentence = (
            limits.slow_days,
            (
                "Large credit converted into crypto: {credits_words} whose nature is not established, {credits_minor} in all, and {debits_words}, {debits_minor} in all, to a "
                "crypto exchange"
            ),
        )
    if found:
        yield make_flag(
            "sent_to_exchange",
            f"{sentence}, each {soon_words(found, days)}, {{dates}}{other_money_words(found)}",
            life.currency,
            *sides_of(found),
            window_days=days,
        )


@found_where(
    lambda lives: lives.comes_to(
        lives.followed(
            lives.unproven & lives.at_least(lives.limits.pass_through_amount),
            lives.marked("own") & ~lives.every_credit & lives.written("partner"),
            lives.limits.layering_days,
            Decimal(_HOP_SHARE),
        ),
        lives.limits.layering_amount,
    )
)
def layered(life: Life) -> Iterator[Flag]:
    """Yield open credits that were moved through own accounts, one after another, and then on to others."""
    limits = life.limits
    large = [one for one in life.unproven_credits if one.amount >= life.minor(limits.pass_through_amount)]
    fewest = max(life.minor(limits.layering_amount), 1)
    if sum(one.amount for one in large) < fewest or len(by_account(life.movements)) < _FEWEST_HOPS:
        return
    hops = by_account(one for one in life.movements if one.own and not one.is_credit and one.partner)
    credits_: list[Movement] = []
    pairs: list[Pair] = []
    moved: dict[tuple[str, str], Movement] = {}
    for credit in large:
        path = _path(credit, hops, limits.layering_days)
        if len(path) < _FEWEST_HOPS:
            continue
        last = path[-1][-1]
        left = [
            one
            for one in within(life.exits, last.day, limits.layering_days)
            if one.account == last.partner and one.amount <= credit.amount
        ]
        credits_.append(credit)
        pairs += [
            pair
            for before, after in itertools.pairwise([[credit], *path, left])
            for pair in itertools.product(before, after)
        ]
        moved |= {(one.account, one.txn_id): one for one in (*itertools.chain(*path), *left)}
    if sum(one.amount for one in credits_) >= fewest:
        yield make_flag(
            "own_account_layering",
            "Money moved through own accounts one after another: {credits_words} whose nature is not proven, {credits_minor} in all, followed by "
            "{debits_words} through {accounts} accounts, each within {window_days} days of the one before, {dates}",
            life.currency,
            credits_,
            moved.values(),
            pairs,
            window_days=limits.layering_days,
        )


def _path(credit: Movement, hops: Mapping[str, Sequence[Movement]], days: int) -> list[list[Movement]]:
    """Return the own transfers by which most of a credit went from account to account, whole or in parts; those between the same two accounts together."""
    path: list[list[Movement]] = []
    account, day, amount = credit.account, credit.day, credit.amount
    visited = {account}
    while pieces := _hop(within(hops.get(account, ()), day, days), visited, amount):
        path.append(pieces)
        account, day, amount = pieces[-1].partner, pieces[0].day, sum(one.amount for one in pieces)
        visited.add(account)
    return path


def _hop(transfers: Sequence[Movement], visited: Container[str], amount: int) -> list[Movement]:
    """Return the transfers to the first account not yet visited that add up to most of an amount and no more than it."""
    pieces: dict[str, list[Movement]] = defaultdict(list)
    for one in transfers:
        held = one.amount + sum(piece.amount for piece in pieces[one.partner])
        if one.partner not in visited and held <= amount:
            pieces[one.partner].append(one)
            if held >= _HOP_SHARE * amount:
                return pieces[one.partner]
    return []
