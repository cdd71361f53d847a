"""Money that one person handles for others: gifts to a cause, goods for undisclosed buyers, invoices that are shared out, small sums for one recipient.

In each case an ordinary counterpart is missing: the project, the trade, the costs or the tax. Sources: FATF, Risk of Terrorist Abuse in
Non-Profit Organisations (2014); FATF, Trade-Based Money Laundering (2020), goods paid for by third parties; Charity Commission, compliance toolkit,
chapter 3; FATF, Financial Flows from Human Trafficking (2018).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, by_account
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    card_takings,
    is_trader,
    paid_bills,
    sells_by_name,
    steady_payees,
    usual_payees,
    wage_payers,
    wages_minor,
)
from kycpack.wealth.judge.red_flags.stock import passages
from kycpack.wealth.prepare.coded import Mask

_MOSTLY = 0.5
_FEWEST_GIVERS = 3  # a trade paid by a public scheme has one payer, and pays tax
_NO_COSTS = 0.1  # of a grant: whoever was given it for a purpose pays for that purpose
_FEWEST_PAYERS = 5
_FEWEST_GOODS = 4
_MOST_DEALERS = 3
_FEWEST_PEOPLE = 4
_FEWEST_PARTS = 3
_FEWEST_FIRMS, _MOST_FIRMS = 2, 8
_FEWEST_SMALL_PAYERS = 12
_FEWEST_TAKEN = 4
_VERY_MANY = 30
_LARGER = 3
_FEW_TAKERS = 8
_ALL_AND_MORE = 1.3
_MOST_TIMES, _OFTEN = 3, 12  # a buyer returns, in no rhythm
_MONTHS_DAYS = 60  # money collected once and paid out at once is a different case
_WHILE_COLLECTED = 0.8  # a landlord is paid before and after as well


@found_where(
    lambda lives: lives.comes_to(
        lives.credits & lives.marked("given") & ~lives.marked("related"), lives.limits.gifts_total
    )
)
def gifts_taken(life: Life) -> Iterator[Flag]:
    """Yield grants and gifts to a cause, paid into an account of their own, that go to the customer's other accounts, to individuals or out in cash.

    The grant of one giver counts if it does so at once and nearly nothing is paid for the purpose.
    """
    for account, into in by_account(life.credits).items():
        given = [one for one in into if one.given and not one.related]
        total = sum(one.amount for one in given)
        if (
            any(one.account == account for one in life.taxes)
            or total < life.minor(life.limits.gifts_total)
            or total < _MOSTLY * sum(one.amount for one in into)
        ):
            continue
        taken = [
            one
            for one in life.movements
            if one.account == account
            and not one.is_credit
            and one.day >= given[0].day
            and _takes(one, usual_payees(life))
        ]
        if sum(one.amount for one in taken) >= life.limits.gifts_taken_share * total and (
            len({one.party for one in given}) >= _FEWEST_GIVERS or _are_taken_at_once(life, given, taken)
        ):
            yield make_flag(
                "gifts_taken",
                "Money given to a cause that goes to individuals: {credits_words} of grants and gifts, {credits_minor} in all, and {debits_words} to own accounts, "
                "to individuals or in cash, {debits_minor} in all, {dates}",
                life.currency,
                given,
                taken,
            )


def _are_taken_at_once(life: Life, given: Sequence[Movement], taken: Sequence[Movement]) -> bool:
    """Return whether most of the gifts left by some of the account's payments within weeks, and nearly none of them by the others."""
    total, gone = sum(one.amount for one in given), {id(one) for one in taken}
    found = passages(given, taken, life.limits.collected_days, life.limits.collected_share)
    costs = [
        one
        for one in life.debits
        if one.account == given[0].account and one.day >= given[0].day and id(one) not in gone
    ]
    return (
        sum(one.credit.amount for one in found) >= life.limits.collected_share * total
        and sum(one.amount for one in costs) <= _NO_COSTS * total
    )


def _takes(one: Movement, steady: frozenset[str]) -> bool:
    is_stranger = one.stranger and not one.purchase and not one.kind and one.party not in steady
    return one.own or one.cash or is_stranger


@found_where(
    lambda lives: (
        lives.has(
            lives.debits
            & (lives.marked("trade") | lives.of_kind("car_buyer"))
            & (lives.times_paid_out >= _FEWEST_GOODS)
        )
        & lives.comes_to(
            lives.credits & lives.marked("unproven") & lives.unknown & ~lives.marked("related", "loan"),
            lives.limits.goods_total,
        )
    )
)
def goods_for_others(life: Life) -> Iterator[Flag]:
    """Yield goods that somebody who lives on a wage buys with all of the cash or strangers' money received: a trade would keep a margin."""
    wage = wages_minor(life)
    if not wage or card_takings(life):
        return
    funds = [
        one
        for one in life.credits
        if one.unproven
        and not (one.related or one.kind or one.loan)
        and (one.cash or one.party not in wage_payers(life))
    ]
    total = sum(one.amount for one in funds)
    if (
        total < life.minor(life.limits.goods_total)
        or total < _MOSTLY * wage
        or len({(one.party, one.cash and one.day) for one in funds}) < _FEWEST_PAYERS
    ):
        return
    dealers = {
        party: rows
        for party, rows in life.payments_to.items()
        if len(rows) >= _FEWEST_GOODS and _sells_goods(rows)
    }
    largest = sorted(dealers, key=lambda party: (-sum(one.amount for one in dealers[party]), party))
    goods = sorted(
        (one for party in largest[:_MOST_DEALERS] for one in dealers[party]),
        key=lambda one: (one.day, one.account, one.txn_id),
    )
    if sum(one.amount for one in goods) >= life.limits.goods_share * total:
        yield make_flag(
            "goods_for_others",
            "Goods bought with other people's money: {credits_words} in cash or whose nature is not proven, {credits_minor} in all, and {debits_words} to "
            "{payees_words} for goods, {debits_minor} in all, alongside a wage and without the margin of a trade, {dates}",
            life.currency,
            funds,
            goods,
        )


def _sells_goods(rows: Sequence[Movement]) -> bool:
    """Return whether a party sells goods that a trade resells; its name is not always written out."""
    return all(one.trade for one in rows) or any(one.kind == "car_buyer" for one in rows)


def _may_share_out(lives: Lives) -> Mask:
    """Return which lives have firms that pay enough into one account, individuals who are paid enough of it, and no tax or stock."""
    into = lives.from_unknown & lives.marked("unproven") & ~lives.marked("stranger", "lent")
    out = (
        lives.debits
        & lives.marked("stranger")
        & ~lives.marked("purchase", "cash", "related")
        & lives.at_least(lives.limits.smallest_flow)
    )
    out &= (lives.times(out) >= _FEWEST_PARTS) | ~lives.named
    received, shared = (lives.paid(chosen, lives.account) for chosen in (into, out))
    enough = received >= lives.minor(lives.limits.shared_out_total)[lives.life]
    return (
        lives.has(into & enough & (shared >= lives.nearly(lives.limits.shared_out_share, received)))
        & ~lives.has(lives.debits & (lives.marked("trade") | lives.of_kind("tax_office")))
        & (lives.parties(into) >= _FEWEST_FIRMS)
        & (lives.parties(out) >= _FEWEST_PEOPLE)
    )


@found_where(_may_share_out)
def invoices_shared_out(life: Life) -> Iterator[Flag]:
    """Yield what a few firms paid for work and several individuals received, with no tax, no stock and no firm paid for its part."""
    into = [
        one
        for one in life.credits
        if one.unproven
        and one.party
        and not (one.stranger or one.kind or one.related or one.cash or one.lent)
    ]
    if len({one.party for one in into}) < _FEWEST_FIRMS or life.taxes or life.trade_purchases:
        return
    for account, rows in by_account(into).items():
        total = sum(one.amount for one in rows)
        firms = {one.party for one in rows}
        if not _FEWEST_FIRMS <= len(firms) <= _MOST_FIRMS or total < life.minor(life.limits.shared_out_total):
            continue
        paid = [
            one
            for one in life.debits
            if one.account == account
            and one.stranger
            and not (one.purchase or one.cash or one.related)
            and one.amount >= life.minor(life.limits.smallest_flow)
            and one.party not in paid_bills(life)
        ]
        # People who share in it are paid repeatedly; a landlord, a friend or a seller is not one of several.
        times = Counter(one.party for one in paid)
        out = [one for one in paid if times[one.party] >= _FEWEST_PARTS]
        if (
            len({one.party for one in out}) >= _FEWEST_PEOPLE
            and sum(one.amount for one in out) >= life.limits.shared_out_share * total
        ):
            yield make_flag(
                "invoices_shared_out",
                "Firms' payments shared out among individuals: {credits_words} from {payers_words}, {credits_minor} in all, and {debits_words} to {payees_words}, "
                "{debits_minor} in all, with no tax and no supplier, {dates}",
                life.currency,
                rows,
                out,
            )


@found_where(
    lambda lives: (
        (lives.parties(lives.from_strangers) >= min(_FEWEST_SMALL_PAYERS, _VERY_MANY))
        & lives.comes_to(lives.from_strangers | lives.cash, lives.limits.taker_total)
    )
)
def collected_for_one(life: Life) -> Iterator[Flag]:
    """Yield small sums from many strangers, most of which one party receives in sums that always differ, month after month.

    Whoever takes guests through letting platforms also has guests who pay without them, as long as those pay no more than the platforms.
    """
    if is_trader(life):
        return
    every = _of_strangers(life, _MOST_TIMES)
    found = _shared_by_few(life, every)
    if found:
        yield found
        return
    often = _of_strangers(life, _OFTEN)
    pool = every if len({one.party for one in every}) >= _FEWEST_SMALL_PAYERS else often
    let = sum(one.amount for one in life.income if one.kind == "letting_platform")
    if len({one.party for one in pool}) < _FEWEST_SMALL_PAYERS or sum(one.amount for one in pool) <= let:
        return
    # Whoever is paid small sums by transfer may be paid in cash as well.
    yield from itertools.islice(
        itertools.chain(
            _taken_by_one(life, pool, "Small sums from many strangers"),
            _taken_by_one(
                life,
                sorted([*often, *life.cash_paid_in], key=lambda one: one.day) if life.cash_paid_in else (),
                "Small sums from many strangers, and cash,",
            ),
        ),
        1,
    )


def _taken_by_one(life: Life, pool: Sequence[Movement], what: str) -> Iterator[Flag]:
    """Yield the flag for each party that receives most of what many paid in while it is collected."""
    small = [one for one in pool if not (one.loan or one.lent)]
    total = sum(one.amount for one in small)
    first, last = (small[0].day, small[-1].day) if small else (0, 0)
    if (
        len({one.party for one in small}) < _FEWEST_SMALL_PAYERS
        or total < life.minor(life.limits.taker_total)
        or last - first < _MONTHS_DAYS
    ):
        return
    for party, rows in sorted(life.payments_to.items()):
        taken = [one for one in rows if first <= one.day <= last + life.limits.collected_days]
        if (
            party not in steady_payees(life)
            and not sells_by_name(party)
            and len(taken) >= max(_FEWEST_TAKEN, _WHILE_COLLECTED * len(rows))
            and not any(one.collected or one.kind or one.cash for one in taken)
            and 2 * sum(one.stranger for one in taken) > len(taken)
            and life.limits.taker_share * total <= sum(one.amount for one in taken) <= total
        ):
            yield make_flag(
                "collected_for_one",
                what
                + " going to one party: {credits_words} from {payers_words}, {credits_minor} in all, and {debits_words} to one party, {debits_minor} in all, {dates}",
                life.currency,
                small,
                taken,
            )


def _of_strangers(life: Life, most_times: int) -> list[Movement]:
    """Return the sums from strangers who pay at most this often, in no rhythm, and receive nothing back, whatever they call the payments."""
    return [
        one
        for one in life.credits
        if one.stranger
        and one.unproven
        and one.party
        and not (one.cash or one.kind or one.related)
        and one.party not in life.payments_to
        and len(life.payments_of[one.party]) <= most_times
        and (most_times == _MOST_TIMES or one.party not in life.regular_payers)
        and one.amount <= life.most(life.limits.fan_in_total)
    ]


def _shared_by_few(life: Life, small: Sequence[Movement]) -> Flag | None:
    """Return the flag for sums from very many strangers that go to a few individuals or money carriers; a seller of goods or a hall has a name that shows it."""
    small = [one for one in small if one.type != "rental_income"]  # guests of a house that is let
    if (
        len({one.party for one in small}) < _VERY_MANY
        or sum(one.amount for one in small) < life.minor(life.limits.taker_total)
        or small[-1].day - small[0].day < _MONTHS_DAYS
    ):
        return None
    first, last, total = small[0].day, small[-1].day, sum(one.amount for one in small)
    usual = median(one.amount for one in small)
    taken = [
        one
        for one in life.debits
        if first <= one.day <= last + life.limits.collected_days
        and one.party not in usual_payees(life)
        and one.amount >= _LARGER * usual
        and not (one.collected or one.cash or one.related or sells_by_name(one.party))
        and (not one.kind or one.abroad)
    ]
    if (
        len({one.party for one in taken}) <= _FEW_TAKERS
        and len(taken) >= _FEWEST_TAKEN
        and life.limits.many_share * total <= sum(one.amount for one in taken) <= _ALL_AND_MORE * total
    ):
        return make_flag(
            "collected_for_one",
            "Sums from very many strangers going to a few parties: {credits_words} from {payers_words}, {credits_minor} in all, and {debits_words} to "
            "{payees_words}, {debits_minor} in all, {dates}",
            life.currency,
            small,
            taken,
        )
    return None
