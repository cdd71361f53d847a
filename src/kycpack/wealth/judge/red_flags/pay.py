"""Pay and benefits that do not stay: sent on, drawn out in cash, or given back to whoever paid them.

Sources: FATF, Professional Money Laundering (2018), shell firms' payrolls and money mules; JMLSG Guidance part I, 5.7 (transactions that are passed
through); National Crime Agency, National Strategic Assessment (2024), accounts of vulnerable people that others use.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from statistics import median

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, keeps_no_rhythm
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    is_taxed,
    is_trader,
    paid_bills,
    sells_by_name,
    steady_payees,
    trade_bills,
)
from kycpack.wealth.judge.red_flags.pass_through import passed
from kycpack.wealth.judge.red_flags.stock import Passage, debits_of, followed, passages

_PAY = frozenset({"employment", "self_employment", "business_income"})
_BENEFITS = frozenset({"state_benefit", "pension"})
_MOST_EXITS = 4  # pay that is moved on goes out in a few sums; what is lived on goes out in many
_MOST_SHARES = 8  # a benefit is shared out among more
_MOST_PAYEES = 3  # and to a few parties
_PAID_FOR_DAYS = 31  # the last wage is for a month at most
_ROUND = Decimal(50)  # several invoices in a row are seldom so round
_ROUND_PARTS = 10  # what is given in thanks is rounder still
_FEWEST_GIVERS = 4
_THANKS_DAYS = 120
_SAME_PAY_DAYS = 5
_LIKE_PAY = 0.5  # a bonus or expenses beside the wage are no wage of another
_MOST_WAGES = 2
_SHORTEST_NAME = 4  # letters; a shorter first word is an initial or says nothing


def pay_moved_on(life: Life) -> Iterator[Flag]:
    """Yield pay that is sent on nearly whole as soon as it comes.

    Each payer is looked at by itself, so that other pay in the same account hides nothing; the one whose pay is followed most closely goes first, and
    a debit counts once.
    """
    limits = life.limits
    least = life.minor(limits.pay_amount)
    unproven = {id(one) for one in life.unproven_credits}
    pay = [
        one for one in life.credits if one.type in _PAY and one.amount >= least and id(one) not in unproven
    ]
    smallest = life.minor(limits.smallest_flow)
    exits = [one for one in life.debits if _can_take_pay(one, smallest)]
    share = min(limits.pay_passed_share, limits.pay_unknown_share)
    if len(followed(pay, exits, limits.pay_passed_days, share)) < limits.pass_through_count:
        return
    bills = paid_bills(life) | trade_bills(life)
    exits = [one for one in exits if one.party not in bills]
    by_payer = _by_payer(pay)
    found: list[Passage] = []
    alone = {party: _sent_whole(life, rows, exits) for party, rows in by_payer.items()}
    closest_first = sorted(alone, key=lambda party: (-len(alone[party]) / len(by_payer[party]), party))
    for party in closest_first:
        sent = _sent_whole(life, by_payer[party], exits) if found else alone[party]
        if 2 * len(sent) < len(by_payer[party]):
            continue
        found += sent
        gone = {id(one) for one in debits_of(sent)}
        exits = [one for one in exits if id(one) not in gone]
    if len(found) >= limits.pass_through_count:
        yield passed(life, found, limits.pay_passed_days)


def _can_take_pay(one: Movement, smallest: int) -> bool:
    """Tell whether a debit can move pay on; a word such as rent makes no purchase of what goes to nobody in particular."""
    if one.amount < smallest or one.related:
        return False
    return not one.purchase or (one.stranger and not one.collected and not one.kind)


def pay_returned(life: Life) -> Iterator[Flag]:
    """Yield pay of an employer nobody knows that goes back to it or to a party of a like name, alone or beside people who are paid with it."""
    limits = life.limits
    unknown = _unknown_pay(life)
    if not unknown:
        return
    least = life.minor(limits.smallest_flow)
    sent = [one for one in life.uncollected if one.amount >= least and not (one.cash or one.kind)]
    of_name: dict[str, list[Movement]] = defaultdict(list)
    for one in sent:
        of_name[_first_name(one.party)].append(one)
    for payer, rows in unknown.items():
        name = _first_name(payer)
        back = of_name[name] if name else []
        if len(back) < limits.pass_through_count:
            continue
        people = {one.party for one in life.debits if one.stranger} - steady_payees(life)
        beside = [one for one in sent if one.party in people and _first_name(one.party) != name]
        alone = _sent_in_few(rows, back, limits.returned_days, limits.returned_share)
        whole = _sent_in_few(
            rows, sorted([*back, *beside], key=_day), limits.returned_days, limits.returned_beside
        )
        given = sum(one.amount for one in debits_of(whole) if _first_name(one.party) == name)
        shared = given >= limits.returned_part * sum(one.credit.amount for one in whole)
        found = alone if len(alone) >= len(whole) or not shared else whole
        if len(found) >= limits.pass_through_count and 2 * len(found) >= len(rows):
            yield make_flag(
                "pay_returned",
                "Pay that goes back: {credits_words} from one party, {credits_minor} in all, and {debits_words}, {debits_minor} in all, to that party, to one "
                "with a like name or to people paid beside it, each within {window_days} days of the pay, {dates}",
                life.currency,
                [one.credit for one in found],
                debits_of(found),
                window_days=limits.returned_days,
            )


def pay_drawn(life: Life) -> Iterator[Flag]:
    """Yield pay of an employer nobody knows that is drawn out in cash within days while the customer lives on other income."""
    limits = life.limits
    # A wage that comes on odd days is as much the word of whoever sends it.
    worded = [
        one
        for one in life.credits
        if one.type == "employment" and one.unproven and not (one.kind or one.cash)
    ]
    for rows in (_by_payer(worded) | _unknown_pay(life)).values():
        total = sum(one.amount for one in rows)
        if (
            total < life.minor(limits.pass_through_total)
            or life.income_minor - total < limits.drawn_beside * total
        ):
            continue
        found = _sent_in_few(
            rows, life.cash_drawn, limits.pay_passed_days, limits.drawn_share, most=len(life.cash_drawn)
        )
        if len(found) >= limits.drawn_count and 2 * len(found) >= len(rows):
            yield make_flag(
                "pay_drawn",
                "Pay drawn out in cash: {credits_words} of pay from one party, {credits_minor} in all, and {debits_words} of cash taken out, {debits_minor} in "
                "all, each within {window_days} days of the pay, beside other income, {dates}",
                life.currency,
                [one.credit for one in found],
                debits_of(found),
                window_days=limits.pay_passed_days,
            )


def benefits_moved_on(life: Life) -> Iterator[Flag]:
    """Yield benefits and pensions that go whole to strangers within days: they are paid to live on."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    benefits = [one for one in life.credits if one.type in _BENEFITS and not one.cash and one.amount >= least]
    if len(benefits) < limits.benefit_count:
        return
    least_exit = life.minor(limits.fan_in_least)
    exits = [
        one
        for one in life.uncollected
        if one.stranger
        and one.amount >= least_exit
        and not (one.related or one.cash or sells_by_name(one.party))
    ]
    if len(followed(benefits, exits, limits.benefit_days, limits.benefit_share)) < limits.benefit_count:
        return
    bills = paid_bills(life)
    exits = [one for one in exits if one.party not in bills]
    found = _sent_in_few(benefits, exits, limits.benefit_days, limits.benefit_share, most=_MOST_SHARES)
    total = sum(one.credit.amount for one in found)
    if len(found) >= limits.benefit_count and total >= life.minor(limits.pass_through_total):
        yield passed(life, found, limits.benefit_days)


def tax_refunds_shared(life: Life) -> Iterator[Flag]:
    """Yield refunds of tax, more than anybody is due, of which a large part goes to strangers within days."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    refunds = [one for one in life.credits if one.type == "tax_refund" and one.amount >= least]
    if len(refunds) < limits.benefit_count:
        return
    bills = paid_bills(life)
    exits = [one for one in life.exits if one.stranger and not one.cash and one.party not in bills]
    found = _sent_in_few(refunds, exits, limits.pay_passed_days, limits.tax_shared, most=_MOST_SHARES)
    if len(found) >= limits.benefit_count:
        yield make_flag(
            "tax_refunds_shared",
            "Refunds of tax shared with others: {credits_words}, {credits_minor} in all, and {debits_words} to {payees_words} that are otherwise unknown "
            "here, {debits_minor} in all, each within {window_days} days of a refund, {dates}",
            life.currency,
            [one.credit for one in found],
            debits_of(found),
            window_days=limits.pay_passed_days,
        )


def sums_beside_salary(life: Life) -> Iterator[Flag]:
    """Yield round sums of no established nature, in no rhythm, beside a salary: an employee who sells something else has bills to pay for it.

    They come from firms and from whoever bears the name of one that pays as well, or from strangers who give thousands.
    """
    limits = life.limits
    salary = [one for one in life.income if one.type == "employment" and one.party in life.regular_payers]
    if not salary:
        return
    employers = {one.party for one in salary}
    least, round_to = life.minor(limits.pass_through_amount), life.minor(_ROUND)
    paid = [
        one
        for one in life.unproven_credits
        if one.party
        and one.party not in employers
        and not (one.kind or one.cash or one.related or one.lent)
        and one.amount >= least
    ]
    firms = {one.party for one in paid if not all(row.stranger for row in life.payments_of[one.party])}
    names = {name for party in firms if len(name := _first_name(party)) >= _SHORTEST_NAME}
    family = {party for party in {one.party for one in paid} - firms if names & set(party.split())}
    families = {name for party in family for name in names & set(party.split())}
    same_name = family | {party for party in firms if _first_name(party) in families}
    varied = {party for party in firms if len({one.amount for one in life.payments_of[party]}) > 1}
    from_firms = [
        one
        for one in paid
        if one.is_open and (one.party in same_name or (one.party in varied and one.amount % round_to == 0))
    ]
    candidates = [("firms", _untaxed(life, employers))]
    if not is_trader(life):
        candidates += [("firms", from_firms), ("persons", _thanks(life, paid))]
    # What comes when the salary has ended, or before it begins, is not beside it: who changes jobs may be paid on odd days.
    first, last = min(one.day for one in salary), max(one.day for one in salary) + _PAID_FOR_DAYS
    for who, every in candidates:
        rows = [one for one in every if first <= one.day <= last]
        total = sum(one.amount for one in rows)
        if (
            len(rows) >= limits.beside_count
            and total >= life.minor(limits.beside_total)
            and total >= limits.beside_share * life.income_minor
        ):
            yield make_flag(
                f"{who}_beside_salary",
                f"Sums from {who} beside a salary: {{credits_words}} from {{payers_words}}, {{credits_minor}} in all, of no established nature, {{dates}}",
                life.currency,
                rows,
            )
            return


def _untaxed(life: Life, employers: set[str]) -> list[Movement]:
    """Return what firms paid in no rhythm of months, much beside the salary, where no tax follows: work on the side is declared, and has costs."""
    if life.trade_purchases or any(one.kind == "payment_processor" for one in life.credits):
        return []
    least = life.minor(life.limits.thanks_amount)
    rows = [
        one
        for party, every in life.payments_of.items()
        if party not in employers and not any(one.stranger for one in every) and keeps_no_rhythm(life, every)
        for one in every
        if one.unproven
        and one.amount >= least
        and (one.is_open or one.type in _PAY - {"employment"})
        and not (one.kind or one.cash or one.related or one.lent or one.property)
    ]
    rows.sort(key=lambda one: (one.day, one.account, one.txn_id))
    total = sum(one.amount for one in rows)
    salary = sum(one.amount for party in employers for one in life.payments_of[party])
    much = total >= life.limits.beside_untaxed * salary
    return rows if rows and much and not is_taxed(life, total, rows[0].day) else []


def _thanks(life: Life, paid: Sequence[Movement]) -> list[Movement]:
    """Return what strangers gave in round thousands and got nothing for, over months: guests of a feast and friends of a trip pay at one time."""
    round_to, least = life.minor(_ROUND * _ROUND_PARTS), life.minor(life.limits.thanks_amount)
    rows = [
        one
        for one in paid
        if one.stranger
        and one.amount >= least
        and one.amount % round_to == 0
        and one.party not in life.payments_to
        and one.party not in life.regular_payers
    ]
    several = len({one.party for one in rows}) >= _FEWEST_GIVERS
    return rows if several and rows[-1].day - rows[0].day >= _THANKS_DAYS else []


def paid_several_times(life: Life) -> Iterator[Flag]:
    """Yield pay that one employer pays several times within days, month after month: a person has one wage, and two where a couple shares the account."""
    limits = life.limits
    pay = [one for one in life.income if one.type == "employment"]
    for rows in _by_payer(pay).values():
        usual = median(one.amount for one in rows)
        whole = [one for one in rows if _LIKE_PAY * usual <= one.amount]
        together: list[Movement] = []
        times = start = 0
        while start < len(whole):
            end = bisect_right(whole, whole[start].day + _SAME_PAY_DAYS, lo=start, key=_day)
            if end - start > _MOST_WAGES:
                together += whole[start:end]
                times += 1
            start = end
        if times >= limits.pay_again_count:
            yield make_flag(
                "paid_several_times",
                "Pay that comes several times a month: {credits_words} from one employer, {credits_minor} in all, more than two at a time, {dates}",
                life.currency,
                together,
            )
            return


def _unknown_pay(life: Life) -> dict[str, list[Movement]]:
    """Return pay by payer where the payer is no known firm and pays as a habit."""
    pay = [
        one
        for one in life.credits
        if one.unproven
        and not (one.kind or one.cash or one.related or one.stranger)
        and one.party in life.regular_payers
        and (one.type in _PAY or one.is_open)
    ]
    return _by_payer(pay)


@lru_cache(maxsize=4_096)
def _first_name(party: str) -> str:
    """Return the word that a firm and others of a like name begin with; a short one says nothing unless it stands alone."""
    first = party.split(" ", maxsplit=1)[0]
    return first if len(first) >= _SHORTEST_NAME else party


def _sent_whole(life: Life, pay: Sequence[Movement], exits: Sequence[Movement]) -> list[Passage]:
    """Return the pay that was sent on in a few sums, and of a payer nobody knows also what was sent on less whole to a few parties."""
    limits = life.limits
    whole = _sent_in_few(pay, exits, limits.pay_passed_days, limits.pay_passed_share)
    if not all(one.unproven and not one.kind for one in pay):
        return whole
    less = _sent_in_few(pay, exits, limits.pay_passed_days, limits.pay_unknown_share)
    return less if len({one.party for one in debits_of(less)}) <= _MOST_PAYEES else whole


def _sent_in_few(
    pay: Sequence[Movement],
    exits: Sequence[Movement],
    days: int,
    share: Decimal,
    *,
    most: int = _MOST_EXITS,
) -> list[Passage]:
    """Return the pay that left in a few sums, whoever got them: a payer may be among them."""
    return [one for one in passages(pay, exits, days, share, whoever=True) if len(one.debits) <= most]


def _by_payer(rows: Sequence[Movement]) -> dict[str, list[Movement]]:
    found: dict[str, list[Movement]] = defaultdict(list)
    for one in rows:
        found[one.party].append(one)
    return dict(sorted(found.items()))


def _day(one: Movement) -> int:
    return one.day
