"""Irregularities between firms and the people they pay, and sums alongside a salary that the salary does not explain.

Sources: ACFE, Fraud Examiners Manual (2023), payroll and billing schemes; OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013); FATF, Guidance
on Politically Exposed Persons (2013), family supported by firms, and Professional Money Laundering (2018), shell firms' payrolls; JMLSG Guidance part I, 5.7.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import (
    SELDOM_DAYS,
    Life,
    by_account,
    grouped,
    keeps_no_rhythm,
)
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import DEAL_IN_MONEY, buys_for_trade, is_taxed, is_trader
from kycpack.wealth.judge.red_flags.pass_through import passed
from kycpack.wealth.judge.red_flags.pay import PAY, SHORTEST_NAME, first_name
from kycpack.wealth.judge.red_flags.stock import by_one_payment, passages
from kycpack.wealth.prepare.coded import Mask

_EARNED = PAY - {"employment"}
_FEWEST_MONTHS = 3
_FEWEST_TIMES = 4
_FEWEST_KEEPERS = 2
_FEWEST_PARTIES = 3
_FEWEST_SUMS = 3
_FEWEST_ACCOUNTS = 2
_FEWEST_AT_ONE_TIME = 2  # where a wage moves, one payment may still go to the old account
_PAID_FOR_DAYS = 31  # the last wage covers a month at most
_ROUND = 50  # several invoices in a row are seldom so round
_ROUND_PARTS = 10  # a gift in thanks is even rounder
_FEWEST_GIVERS = 4
_THANKS_DAYS = 120


@found_where(
    lambda lives: (
        lives.parties(lives.to_unknown & lives.written("number") & (lives.times_paid_out >= _FEWEST_MONTHS))
        >= lives.limits.one_account_names
    )
)
def names_of_one_account(life: Life) -> Iterator[Flag]:
    """Yield payments to several names, with no word in common, that all go to one account, repeatedly: a couple shares an account, a staff does not."""
    numbered = (one for one in life.uncollected if one.number and one.party and not (one.kind or one.cash))
    chosen: list[Movement] = []
    for _, rows in sorted(grouped(numbered, lambda one: one.number).items()):
        names: list[str] = []
        for party in sorted({one.party for one in rows}):
            if not any(set(party.split()) & set(other.split()) for other in names):
                names.append(party)
        times = Counter(one.party for one in rows)
        if sum(times[party] >= _FEWEST_MONTHS for party in names) >= life.limits.one_account_names:
            chosen += rows
    if sum(one.amount for one in chosen) >= max(life.minor(life.limits.one_account_total), 1):
        yield make_flag(
            "names_of_one_account",
            "Several names and one account: {debits_words} to {payees_words} by name, {debits_minor} in all, all to one account, {dates}",
            life.currency,
            (),
            chosen,
        )


def _may_pay_two_accounts(lives: Lives) -> Mask:
    """Return which lives have an employer that pays into an account other than the one of its last payment."""
    employers = lives.credits & (lives.times(lives.credits & lives.of_type("employment")) >= _FEWEST_TIMES)
    last = np.zeros(len(lives.party), dtype=np.int64)
    last[lives.party[employers]] = lives.account[employers]
    return lives.has(employers & (lives.account != last[lives.party]))


@found_where(_may_pay_two_accounts)
def employer_as_customer(life: Life) -> Iterator[Flag]:
    """Yield what an employer pays into an account other than the one for the wage, in uneven sums and more than expenses: staff who supply their own employer."""
    for party, wages in sorted(_wages_into(life).items()):
        rows, account = life.payments_of[party], [*wages][-1]
        wage = {(one.day, one.amount) for one in rows if one.account == account}
        moved = _moved(wages)
        beside = [
            one
            for one in rows
            if one.account != account
            and not (one.cash or (one.day, one.amount) in wage or (one.account, one.txn_id) in moved)
        ]
        total = sum(one.amount for one in beside)
        if (
            len(beside) >= life.limits.supplied_count
            and len({one.amount for one in beside}) >= life.limits.supplied_count
            and total >= life.limits.supplied_share * sum(one.amount for one in rows)
        ):
            yield make_flag(
                "employer_as_customer",
                "An employer that also pays another account: {credits_words} besides the wage, {credits_minor} in all, in uneven sums, {dates}",
                life.currency,
                beside,
            )
            return


def _wages_into(life: Life) -> dict[str, dict[str, list[Movement]]]:
    """Return, for each employer that pays into several accounts, the similar sums of each account that receives them month after month."""
    found: dict[str, dict[str, list[Movement]]] = {}
    for party, rows in life.payments_of.items():
        several = rows if len({one.account for one in rows}) >= _FEWEST_ACCOUNTS else ()
        for account, mine in by_account(one for one in several if one.type == "employment").items():
            usual = sorted(one.amount for one in mine)[len(mine) // 2]
            like = [one for one in mine if 10 * abs(one.amount - usual) <= usual]
            if len(mine) >= _FEWEST_TIMES and 10 * len(like) >= 8 * len(mine):
                found.setdefault(party, {})[account] = like
    return found


def _moved(wages: Mapping[str, Sequence[Movement]]) -> set[tuple[str, str]]:
    """Return the account and the id of each payment of a wage that moved from one account to another: no two accounts receive it at one time."""
    moved = set()
    for account, mine in wages.items():
        others = [rows for other, rows in wages.items() if other != account]
        at_one_time = {
            (one.account, one.txn_id)
            for one in mine
            for rows in others
            if rows[0].day <= one.day <= rows[-1].day
            # The same wage on the same days is one account linked twice.
            and all((one.day, one.amount) != (row.day, row.amount) for row in rows)
        }
        if len(at_one_time) < _FEWEST_AT_ONE_TIME:
            moved |= {(one.account, one.txn_id) for one in mine} - at_one_time
    return moved


@found_where(
    lambda lives: (
        lives.has(
            lives.from_unknown & lives.open & lives.at_least(lives.limits.kept_least),
            lives.limits.kept_count,
        )
        & lives.comes_to(lives.from_unknown & lives.open, lives.limits.kept_total)
    )
)
def kept_by_firms(life: Life) -> Iterator[Flag]:
    """Yield sums whose nature is not established from several firms, in no monthly rhythm and beyond all income, to somebody who has no trade and pays no tax on them."""
    paid = [
        one
        for one in life.open_credits
        if one.party
        and keeps_no_rhythm(life, life.payments_of[one.party])
        and not (one.stranger and one.type == "person_transfer")
        and not (one.kind or one.cash or one.related or one.self_named or one.property)
        and one.amount >= life.minor(life.limits.kept_least)
    ]
    times = Counter(one.party for one in paid)
    paid = [one for one in paid if times[one.party] >= _FEWEST_SUMS]
    total = sum(one.amount for one in paid)
    if (
        not is_trader(life)
        and len({one.party for one in paid if not one.stranger}) >= _FEWEST_KEEPERS
        and len({one.party for one in paid}) >= _FEWEST_PARTIES
        and len(paid) >= life.limits.kept_count
        and total >= life.minor(life.limits.kept_total)
        and total >= life.yearly_income
        and not is_taxed(life, total, paid[0].day)
    ):
        yield make_flag(
            "kept_by_firms",
            "Kept by firms: {credits_words} from {payers_words}, {credits_minor} in all, whose nature is not established, {dates}, "
            + beside_income(life.income_minor),
            life.currency,
            paid,
            (),
            income_minor=life.income_minor,
            **life.observed,
        )


def _may_have_sums_beside(lives: Lives) -> Mask:
    """Return which lives have a salary and enough sums whose nature is not proven from others than the employers.

    A stranger's sum counts if it is large, or if a firm may have the same name; a habitual payer's if it is always the same, or seldom paid.
    """
    salary = lives.income & lives.of_type("employment") & lives.habitual
    least = min(lives.limits.pass_through_amount, lives.limits.fan_in_least, lives.limits.thanks_amount)
    beside = lives.from_unknown & lives.at_least(least) & ~lives.marked("lent") & (lives.times(salary) == 0)
    firms = lives.times(lives.credits & ~lives.marked("stranger", "related")) > 0
    named = lives.has(beside & firms)[lives.life] | lives.at_least(lives.limits.thanks_amount)
    beside &= np.where(lives.marked("stranger"), named, lives.marked("is_open") | lives.of_type(*_EARNED))
    seldom = lives.times_paid_in * SELDOM_DAYS <= lives.span_days[lives.life]
    beside &= lives.open | ~lives.habitual | (lives.sums(beside) == 1) | seldom
    return (
        lives.has(salary)
        & lives.has(beside, lives.limits.beside_count)
        & lives.comes_to(beside, lives.limits.beside_total)
        & (lives.total(beside) >= lives.nearly(lives.limits.beside_share, lives.income_minor))
    )


@found_where(_may_have_sums_beside)
def sums_beside_salary(life: Life) -> Iterator[Flag]:
    """Yield round sums whose nature is not established, in no rhythm, alongside a salary: an employee who also sells something has costs.

    They come from firms and from payers who share a name with a firm that also pays, or from strangers who give thousands. What many firms pay in a
    rhythm counts if each pays one round fee: a name that is lent to many firms earns the same from each.
    """
    salary = _salary(life)
    if not salary:
        return
    employers = {one.party for one in salary}
    least, round_to = life.minor(life.limits.pass_through_amount), life.round_sum(_ROUND)
    paid = [
        one
        for one in life.unproven_credits
        if one.party
        and one.party not in employers
        and not (one.kind or one.cash or one.related or one.lent)
        and one.amount >= least
    ]
    firms = {
        one.party
        for one in paid
        if not all(row.stranger or row.related for row in life.payments_of[one.party])
    }
    names = {name for party in firms if len(name := first_name(party)) >= SHORTEST_NAME}
    family = {party for party in {one.party for one in paid} - firms if names & set(party.split())}
    families = {name for party in family for name in names & set(party.split())}
    same_name = family | {party for party in firms if first_name(party) in families}
    varied = {party for party in firms if len({one.amount for one in life.payments_of[party]}) > 1}
    from_firms = [
        one
        for one in paid
        if one.is_open and (one.party in same_name or (one.party in varied and one.amount % round_to == 0))
    ]
    candidates = [("firms", _untaxed(life, employers)), ("firms", _fees(life, employers))]
    if not is_trader(life):
        candidates += [("firms", from_firms), ("persons", _thanks(life, paid))]
    # Sums after the salary has ended, or before it begins, are not alongside it: a person who changes jobs may be paid on odd days.
    first, last = min(one.day for one in salary), max(one.day for one in salary) + _PAID_FOR_DAYS
    for who, every in candidates:
        rows = [one for one in every if first <= one.day <= last]
        total = sum(one.amount for one in rows)
        if (
            len(rows) >= life.limits.beside_count
            and total >= life.minor(life.limits.beside_total)
            and total >= life.limits.beside_share * life.income_minor
        ):
            yield make_flag(
                f"{who}_beside_salary",
                f"Sums from {who} alongside a salary: {{credits_words}} from {{payers_words}}, {{credits_minor}} in all, whose nature is not proven, {{dates}}",
                life.currency,
                rows,
            )
            return


def _salary(life: Life) -> list[Movement]:
    """Return the wages of regular payers."""
    return [one for one in life.income if one.type == "employment" and one.party in life.regular_payers]


def _fees(life: Life, employers: set[str]) -> list[Movement]:
    """Return the round fees that each of many firms pays in a rhythm, always the same, if no tax follows."""
    if _has_costs(life):
        return []
    least, round_to = life.minor(life.limits.fan_in_least), life.round_sum(_ROUND)
    found = []
    for party, every in life.payments_of.items():
        fees = [
            one
            for one in every
            if one.amount >= least
            and one.amount % round_to == 0
            and _may_be_earned(one)
            and not (one.stranger or one.kind or one.cash or one.related or one.lent)
        ]
        same = len({one.amount for one in every}) == 1 and len(fees) == len(every)
        if same and party in life.regular_payers and party not in employers:
            found.append(fees)
    rows = sorted(itertools.chain(*found), key=lambda one: (one.day, one.account, one.txn_id))
    many = len(found) >= life.limits.beside_count
    return rows if many and not is_taxed(life, sum(one.amount for one in rows), rows[0].day) else []


def _untaxed(life: Life, employers: set[str]) -> list[Movement]:
    """Return what firms paid in no monthly rhythm, large compared with the salary, if no tax follows: declared work on the side is taxed and has costs."""
    if _has_costs(life):
        return []
    rows = [
        one
        for party, every in life.payments_of.items()
        if party not in employers and not any(one.stranger for one in every) and keeps_no_rhythm(life, every)
        for one in every
        if one.amount >= life.minor(life.limits.thanks_amount)
        and _may_be_earned(one)
        and not (one.kind or one.cash or one.related or one.lent or one.property)
    ]
    rows.sort(key=lambda one: (one.day, one.account, one.txn_id))
    total = sum(one.amount for one in rows)
    salary = sum(one.amount for party in employers for one in life.payments_of[party])
    much = total >= life.limits.beside_untaxed * salary
    return rows if rows and much and not is_taxed(life, total, rows[0].day) else []


def _has_costs(life: Life) -> bool:
    """Return whether the customer takes cards or buys what a trade buys; what a payer calls its payment does not make a trade."""
    return buys_for_trade(life) or any(one.kind == "payment_processor" for one in life.credits)


def _may_be_earned(one: Movement) -> bool:
    """Return whether the nature of a credit is not established, or only the sender's words call it earnings other than a wage."""
    return one.unproven and (one.is_open or one.type in _EARNED)


def _thanks(life: Life, paid: Sequence[Movement]) -> list[Movement]:
    """Return what strangers gave in round thousands over months without receiving anything: wedding guests, or friends on a trip, pay at one time."""
    round_to, least = life.round_sum(_ROUND * _ROUND_PARTS), life.minor(life.limits.thanks_amount)
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


@found_where(
    lambda lives: (
        lives.has(lives.income & lives.of_type("employment") & lives.habitual)
        & lives.has(
            lives.followed(
                lives.from_unknown
                & lives.at_least(lives.limits.thanks_amount)
                & ~lives.marked("stranger", "lent", "property")
                & ~lives.habitual,
                lives.debits & lives.marked("purchase") & lives.named,
                lives.limits.pass_through_days,
                lives.limits.bought_share,
            ),
            lives.limits.bought_count,
        )
    )
)
def bought_by_firms(life: Life) -> Iterator[Flag]:
    """Yield sums from firms beside a salary, each of which pays one purchase from the same seller within days: another pays what the customer buys.

    Most of what firms pay goes there, in no rhythm, and pays most of what the seller gets; no tax follows. A consultant lives on fees and pays a school
    out of them, and a family pays a care home month after month.
    """
    limits = life.limits
    employers = {one.party for one in _salary(life)}
    if not employers or _has_costs(life):
        return
    paid = [
        one
        for one in life.credits
        if one.party
        and one.party not in employers | life.regular_payers
        and one.amount >= life.minor(limits.thanks_amount)
        and _may_be_earned(one)
        and not (one.stranger or one.kind or one.cash or one.related or one.lent or one.property)
    ]
    total = sum(one.amount for one in paid)
    for _, rows in sorted(life.payments_to.items()):
        spent = [one for one in rows if one.purchase and one.kind not in DEAL_IN_MONEY and not one.loan]
        found = by_one_payment(passages(paid, spent, limits.pass_through_days, limits.bought_share))
        moved = sum(one.credit.amount for one in found)
        if (
            len(found) >= limits.bought_count
            and len(found) >= limits.bought_most * len(rows)
            and moved >= life.minor(limits.beside_total)
            and moved >= limits.bought_most * total
            and not is_taxed(life, moved, found[0].credit.day)
        ):
            yield passed(life, found, limits.pass_through_days)
            return
