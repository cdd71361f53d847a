"""Savings sent to a new party, and cash that is suddenly withdrawn: losses of a person who is deceived or exploited.

Sources: FinCEN, Advisory on Elder Financial Exploitation (FIN-2022-A002); UK Finance, Annual Fraud Report (2024), romance and impersonation
fraud; FFIEC BSA/AML Manual, appendix F (withdrawals that do not fit the customer's habits).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import (
    Life,
    SumsAfter,
    falls_within,
    keeps_rising,
    largest,
    later_half_is,
)
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import (
    sells_by_name,
    suppliers,
    usual_payees,
)
from kycpack.wealth.judge.red_flags.stock import Passage, debits_of, passages, sides_of
from kycpack.wealth.prepare.coded import Mask

_PENSIONS = ("pension", "state_benefit")
_GIVEN = ("gift", "person_transfer", "loan")
_UNEVEN = 0.5
_PAID_AHEAD_DAYS = 32  # a month's pay is drawn until the next one
_MOST_TIMES = 3  # a party abroad that is paid more often is known


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.fetched & lives.at_least(lives.limits.pass_through_amount),
            lives.to_unknown & lives.at_least(lives.limits.smallest_flow),
            lives.limits.drained_days,
            lives.limits.drained_share,
        ),
        lives.limits.drained_count,
    )
)
def savings_sent_away(life: Life) -> Iterator[Flag]:
    """Yield savings or loans that are repeatedly withdrawn and sent to strangers at once."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    fetched = [
        one
        for one in life.every_credit
        if one.amount >= least and (one.own or one.loan or one.lent or one.self_named) and not one.cash
    ]
    known = usual_payees(life) | suppliers(life)
    # A word such as hospital explains nothing if other payments to the same party do not have it.
    somebody = {one.party for one in life.exits if one.stranger and one.party}
    exits = [
        one
        for one in life.uncollected
        if one.party in somebody
        and one.party not in known
        and one.amount >= life.minor(limits.smallest_flow)
        and not (one.kind or one.cash or one.property or one.related)
    ]
    found = [
        one
        for account in sorted({one.account for one in fetched})
        for one in passages(
            [one for one in fetched if one.account == account],
            [one for one in exits if one.account == account],
            limits.drained_days,
            limits.drained_share,
        )
    ]
    if len(found) >= limits.drained_count:
        yield from sent_away(
            life, found, "Savings sent to others at once", "own or borrowed money", limits.drained_days
        )


def sent_away(life: Life, found: Sequence[Passage], title: str, money: str, days: int) -> Iterator[Flag]:
    """Yield the flag of money that was sent to a few parties, if it is enough.

    Args:
        life: The customer's payments in one currency.
        found: The money, each sum with the payments made from it.
        title: What happened.
        money: What money it was.
        days: The days within which it was sent.
    """
    debits = debits_of(found)
    if len({one.party for one in debits}) <= life.limits.drained_payees and sum(
        one.amount for one in debits
    ) >= life.minor(life.limits.drained_total):
        yield make_flag(
            "savings_sent_away",
            title
            + ": {credits_words} of "
            + money
            + ", {credits_minor} in all, and {debits_words} to {payees_words} that are not "
            "known firms, {debits_minor} in all, each within {window_days} days of the money it was paid from, {dates}",
            life.currency,
            *sides_of(found),
            window_days=days,
        )


@found_where(
    lambda lives: lives.comes_to(
        lives.debits & lives.marked("abroad") & ~lives.marked("related", "cash", "property"),
        lives.limits.growing_total,
    )
)
def growing_abroad(life: Life) -> Iterator[Flag]:
    """Yield growing payments to ever new strangers abroad, beyond what comes in: a family is known, and its needs do not keep growing."""
    away = [
        one
        for one in life.sent_abroad
        if not (one.related or one.cash or one.property or sells_by_name(one.party))
    ]
    total = sum(one.amount for one in away)
    named = {one.party for one in away if not one.kind}
    half = len(away) // 2
    early = sum(one.amount for one in away[:half])
    late = sum(one.amount for one in away[len(away) - half :])
    if (
        len(named) >= life.limits.growing_parties
        and total >= life.minor(life.limits.growing_total)
        and total >= life.limits.growing_share * life.yearly_income
        and late >= life.limits.growing_factor * early
        and not any(len(life.payments_to[party]) > _MOST_TIMES for party in named)
    ):
        yield make_flag(
            "growing_abroad",
            "Growing sums to strangers abroad: {debits_words} to {payees_words}, {debits_minor} in all, {dates}, "
            + beside_income(life.income_minor, life.regular_minor),
            life.currency,
            (),
            away,
            income_minor=life.income_minor,
            regular_minor=life.regular_minor,
            **life.observed,
        )


def _may_be_beyond_means(lives: Lives) -> Mask:
    """Return which lives have savings or loans, and send gifts, money abroad or rising sums to strangers who were not paid before."""
    least = min(lives.limits.growing_total, lives.limits.drained_total)
    large = lives.debits & lives.at_least(lives.limits.fan_in_least)
    given = lives.times(large & (lives.marked("abroad") | lives.of_type(*_GIVEN))) > 0
    sent = (
        large
        & (given | lives.rising(lives.newly_paid))
        & lives.newly_paid
        & (lives.times_paid_in == 0)
        & lives.marked("stranger", "abroad")
        & ~lives.marked("collected", "cash", "property", "related")
    )
    return (
        lives.comes_to(lives.fetched, least / 4)
        & lives.comes_to(sent, least)
        & lives.has(sent, lives.limits.beyond_payments)
    )


@found_where(_may_be_beyond_means)
def sent_beyond_means(life: Life) -> Iterator[Flag]:
    """Yield growing payments to a few strangers who were never paid before, from savings or loans and beyond what comes in.

    They are called gifts, go abroad, or rise from each to the next: the stages of a building site do not.
    """
    limits = life.limits
    fetched = sum(
        one.amount for one in life.every_credit if one.own or one.loan or one.lent or one.self_named
    )
    if 4 * fetched < life.minor(limits.drained_total):
        return
    least = life.minor(limits.fan_in_least)
    given = {one.party for one in life.debits if one.amount >= least and (one.abroad or one.type in _GIVEN)}
    rising = [
        party
        for party, rows in sorted(life.payments_to.items())
        if len(rows) >= limits.beyond_payments and keeps_rising(rows)
    ]
    for parties, funded, (least_total, share) in (
        (given, 2 * fetched, (limits.growing_total, limits.beyond_share)),
        *(({party}, 4 * fetched, (limits.drained_total, limits.growing_share)) for party in rising),
    ):
        new = _new_strangers(life, parties)
        sent = [one for one in life.debits if one.amount >= least and one.party in new]
        total = sum(one.amount for one in sent)
        if (
            limits.beyond_payments <= len(sent)
            and len(new) <= limits.beyond_payees
            and total >= life.minor(least_total)
            and total >= share * life.yearly_income
            and funded >= total
            and later_half_is(limits.growing_factor, sent)
        ):
            yield make_flag(
                "sent_beyond_means",
                "Growing payments to strangers, beyond what comes in: {debits_words} to {payees_words} never paid before, {debits_minor} in all, {dates}, "
                + beside_income(life.income_minor),
                life.currency,
                (),
                sent,
                income_minor=life.income_minor,
                **life.observed,
            )
            return


def _new_strangers(life: Life, parties: Container[str]) -> set[str]:
    """Return which of the parties are strangers that were not paid in the first months, pay nothing in and are not usual payees."""
    known = usual_payees(life) | suppliers(life)
    first = life.movements[0].day + life.limits.drawn_more_days
    return {
        party
        for party, rows in life.payments_to.items()
        if party in parties
        and party not in known
        and party not in life.payments_of
        and rows[0].day >= first
        and all(_to_a_stranger(one) for one in rows)
    }


def _to_a_stranger(one: Movement) -> bool:
    return (one.stranger or one.abroad) and not (
        one.collected or one.cash or one.property or one.related or sells_by_name(one.party)
    )


def _may_be_taken(lives: Lives) -> Mask:
    """Return which lives have a pensioner who begins to pay one party enough, in uneven sums."""
    paid = (
        lives.to_unknown
        & lives.newly_paid
        & (lives.times_paid_out >= lives.limits.taken_count)
        & (lives.paid_out >= lives.minor(lives.limits.drawn_more_total)[lives.life])
    )
    pensioner = 2 * lives.total(lives.income & lives.of_type(*_PENSIONS)) >= lives.income_minor.clip(1)
    uneven = lives.sums(paid) > _UNEVEN * lives.times_paid_out
    return pensioner & lives.has(paid & uneven & (lives.times(paid) == lives.times_paid_out))


@found_where(_may_be_taken)
def pension_taken(life: Life) -> Iterator[Flag]:
    """Yield uneven sums to one party that begin during the time observed and take much of a pensioner's income: care costs the same each week."""
    pension = sum(one.amount for one in life.income if one.type in _PENSIONS)
    if 2 * pension < life.income_minor or not pension:
        return
    for party, rows in sorted(life.payments_to.items()):
        days = life.movements[-1].day - rows[0].day + 1
        if (
            len(rows) >= life.limits.taken_count
            and party not in usual_payees(life)
            and not any(one.collected or one.kind or one.cash for one in rows)
            and rows[0].day - life.movements[0].day >= life.limits.drawn_more_days
            and len({one.amount for one in rows}) > _UNEVEN * len(rows)
            and sum(one.amount for one in rows) * life.span_days
            >= life.limits.taken_share * life.income_minor * days
            and sum(one.amount for one in rows) >= life.minor(life.limits.drawn_more_total)
        ):
            yield make_flag(
                "pension_taken",
                "Much of a pension going to one party: {debits_words}, {debits_minor} in all, in uneven sums, none before, {dates}, "
                + beside_income(life.income_minor),
                life.currency,
                (),
                rows,
                income_minor=life.income_minor,
                **life.observed,
            )
            return


@found_where(
    lambda lives: (
        lives.has(lives.every_credit & lives.marked("returned"), lives.limits.drained_count)
        & lives.has(
            lives.to_unknown
            & lives.newly_paid
            & (lives.times_paid_out >= lives.limits.drained_count)
            & (lives.paid_out >= lives.minor(lives.limits.drained_total)[lives.life])
        )
    )
)
def bills_unpaid(life: Life) -> Iterator[Flag]:
    """Yield bills that come back unpaid while one person, who was paid nothing before, gets a lot: an honest helper pays the care home first."""
    limits = life.limits
    unpaid = [one for one in life.every_credit if one.returned and _is_unpaid_bill(life, one)]
    if len(unpaid) < limits.drained_count:
        return
    for party, rows in sorted(life.payments_to.items()):
        total = sum(one.amount for one in rows)
        if (
            party not in usual_payees(life)
            and not any(one.purchase or one.collected or one.kind or one.cash for one in rows)
            and len(rows) >= limits.drained_count
            and limits.drawn_more_days <= rows[0].day - life.movements[0].day
            and rows[0].day <= unpaid[0].day
            and total >= life.minor(limits.drained_total)
            and total >= limits.drained_share * life.yearly_income
        ):
            yield make_flag(
                "bills_unpaid",
                "Bills that come back unpaid while one party is paid a lot: {credits_words} of such bills, {credits_minor} in all, and {debits_words} to one party, "
                "none before, {debits_minor} in all, {dates}",
                life.currency,
                unpaid,
                rows,
            )
            return


def _is_unpaid_bill(life: Life, back: Movement) -> bool:
    """Return whether a collected bill came back in full within days."""
    days = life.limits.drained_days
    return falls_within(life.collected_on.get(back.amount, ()), back.day - days, days)


@found_where(
    lambda lives: lives.has(
        lives.debits & lives.marked("voucher") & lives.at_least(lives.limits.card_least),
        lives.limits.card_count,
    )
)
def gift_cards(life: Life) -> Iterator[Flag]:
    """Yield many gift cards within days: their numbers can be read out to anyone."""
    limits = life.limits
    bought = [one for one in life.debits if one.voucher and one.amount >= life.minor(limits.card_least)]
    chosen = largest(bought, limits.card_days)
    if len(chosen) >= limits.card_count and sum(one.amount for one in chosen) >= life.minor(
        limits.card_total
    ):
        yield make_flag(
            "gift_cards",
            "Many gift cards: {debits_words} for gift cards or vouchers, {debits_minor} in all, within the rule's {window_days} days, {dates}",
            life.currency,
            (),
            chosen,
            window_days=limits.card_days,
        )


@found_where(lambda lives: lives.comes_to(lives.debits & lives.marked("cash"), lives.limits.drawn_more_total))
def cash_drawn_more(life: Life) -> Iterator[Flag]:
    """Yield cash withdrawals that from one day on are a multiple of what was usual before, unless the pay has grown as much and covers them."""
    drawn, earned = life.cash_drawn, SumsAfter(life.income)
    first, last = life.movements[0].day, life.movements[-1].day
    before = 0
    whole = sum(one.amount for one in drawn)
    for place, one in enumerate(drawn):
        days_before, days_after = one.day - first, last - one.day + 1
        after = whole - before
        if (
            min(days_before, days_after) >= life.limits.drawn_more_days
            and after * days_before >= life.limits.drawn_more_factor * max(before, 1) * days_after
            and after >= life.minor(life.limits.drawn_more_total)
            and after * life.span_days >= life.limits.drawn_more_share * life.all_credits_minor * days_after
            and not _keeps_step_with_pay(life, earned.after(one.day - _PAID_AHEAD_DAYS), before, after)
        ):
            yield make_flag(
                "cash_drawn_more",
                "Much more cash withdrawn than before: {debits_words} of cash, {debits_minor} in all, {dates}",
                life.currency,
                (),
                drawn[place:],
            )
            return
        before += one.amount


def _keeps_step_with_pay(life: Life, earned: int, before: int, after: int) -> bool:
    """Return whether the cash from a day on is covered by the income from then on and is no larger a part of it than before: a first job pays for it.

    Args:
        life: The payments.
        earned: Income from a month before that day on, minor units.
        before: Cash before that day, minor units.
        after: Cash from that day on, minor units.
    """
    return after <= earned and after * (life.income_minor - earned) <= before * earned
