"""Savings that go to somebody new, and cash that is suddenly drawn: what a person loses who is deceived or used.

Sources: FinCEN, Advisory on Elder Financial Exploitation (FIN-2022-A002); UK Finance, Annual Fraud Report (2024), romance and impersonation
fraud; FFIEC BSA/AML Manual, appendix F (withdrawals that do not fit the customer's habits).
"""

from __future__ import annotations

from collections.abc import Iterator

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, largest
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, steady_payees, suppliers
from kycpack.wealth.judge.red_flags.stock import debits_of, passages


def savings_sent_away(life: Life) -> Iterator[Flag]:
    """Yield savings or loans that are fetched again and again to be sent to strangers at once."""
    limits = life.limits
    least = life.minor(limits.pass_through_amount)
    fetched = [
        one
        for one in life.movements
        if one.is_credit and one.amount >= least and (one.own or one.loan or one.lent) and not one.cash
    ]
    known = paid_bills(life) | steady_payees(life) | suppliers(life)
    # A word such as hospital explains nothing where other payments to the same party say nothing of the kind.
    somebody = {one.party for one in life.exits if one.stranger and one.party} - known
    exits = [
        one
        for one in life.debits
        if one.party in somebody
        and one.amount >= life.minor(limits.smallest_flow)
        and not (one.kind or one.cash or one.property or one.related or one.collected)
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
    debits = debits_of(found)
    if (
        len(found) >= limits.drained_count
        and len({one.party for one in debits}) <= limits.drained_payees
        and sum(one.amount for one in debits) >= life.minor(limits.drained_total)
    ):
        yield make_flag(
            "savings_sent_away",
            "Savings sent to others at once: {credits_words} of own or borrowed money, {credits_minor} in all, and {debits_words} to {payees_words} that are "
            "no firms known here, {debits_minor} in all, each within {window_days} days of what it was paid from, {dates}",
            life.currency,
            [one.credit for one in found],
            debits,
            window_days=limits.drained_days,
        )


def gift_cards(life: Life) -> Iterator[Flag]:
    """Yield many gift cards within days: their numbers can be read out to anybody."""
    limits = life.limits
    bought = [one for one in life.debits if one.voucher and one.amount >= life.minor(limits.card_least)]
    chosen = largest(bought, limits.card_days)
    if len(chosen) >= limits.card_count and sum(one.amount for one in chosen) >= life.minor(
        limits.card_total
    ):
        yield make_flag(
            "gift_cards",
            "Many gift cards: {debits_words} for gift cards or vouchers, {debits_minor} in all, within {window_days} days, {dates}",
            life.currency,
            (),
            chosen,
            window_days=limits.card_days,
        )


def cash_drawn_more(life: Life) -> Iterator[Flag]:
    """Yield cash taken out from one day on at a multiple of what was usual before."""
    limits = life.limits
    drawn = [one for one in life.debits if one.cash]
    first, last = life.movements[0].day, life.movements[-1].day
    before = 0
    whole = sum(one.amount for one in drawn)
    for place, one in enumerate(drawn):
        days_before, days_after = one.day - first, last - one.day + 1
        after = whole - before
        if (
            min(days_before, days_after) >= limits.drawn_more_days
            and after * days_before >= limits.drawn_more_factor * max(before, 1) * days_after
            and after >= life.minor(limits.drawn_more_total)
            and after * life.span_days >= limits.drawn_more_share * life.income_minor * days_after
        ):
            yield make_flag(
                "cash_drawn_more",
                "Much more cash taken out than before: {debits_words} of cash, {debits_minor} in all, {dates}",
                life.currency,
                (),
                drawn[place:],
            )
            return
        before += one.amount
