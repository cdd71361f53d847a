"""Savings that are fetched and gone in a day or two, in payments one after another to parties never seen before.

Whoever takes over an account, or talks its holder through the payments, tests a new payee with a small sum and then pays until the money or the bank's
limit is reached. Sources: UK Finance, Annual Fraud Report (2024), remote banking and impersonation fraud; FFIEC, Authentication and Access to Financial
Institution Services and Systems (2021), new payees and rapid payments; FinCEN, Account Takeover Activity (FIN-2011-A016).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, within
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import sells_by_name
from kycpack.wealth.prepare.coded import Mask

_TEST = 5  # pounds: enough to see that a payee's account takes money
_AGAIN = (
    3  # payments to a party beyond its first: a seller who is paid at the bank's limit takes two or three
)
_AGAIN_TESTED = 1
_SEVERAL_PAYEES = 2
_TAKES_MONEY = ("", "bank", "crypto", "payment_processor")


def _may_be_rushed(lives: Lives) -> Mask:
    limits = lives.limits
    sent = lives.debits & lives.named & lives.of_kind(*_TAKES_MONEY) & ~lives.marked("collected", "related")
    fetched = lives.fetched & lives.at_least(limits.rushed_total)
    times, paid = lives.after(fetched, sent, limits.rushed_days, before=limits.rushed_days)
    least = lives.nearly(limits.rushed_share, lives.amount[fetched])
    rushed = fetched.copy()
    rushed[fetched] = (times >= limits.rushed_count) & (paid >= least)
    return lives.has(rushed)


@found_where(_may_be_rushed)
def savings_rushed_away(life: Life) -> Iterator[Flag]:
    """Yield own or borrowed money that goes within a day or two, in quick payments to new payees: several to one of them, or a test and then to several.

    Who moves house or gives to grandchildren pays each party once or twice; who buys a car pays one seller as often as the bank's limit asks for.
    """
    limits = life.limits
    fetched = [
        one
        for one in life.every_credit
        if (one.own or one.loan or one.lent or one.self_named) and not one.cash
    ]
    for first in fetched:
        if first.amount < life.minor(limits.rushed_total):
            continue
        held = [one for one in within(fetched, first.day, limits.rushed_days) if one.account == first.account]
        # A payee may be tested before the money is there.
        start = first.day - limits.rushed_days
        sent = [
            one
            for one in within(life.uncollected, start, 2 * limits.rushed_days)
            if one.account == first.account and _is_to_somebody_new(life, one, start)
        ]
        if (
            len(sent) >= limits.rushed_count
            and sum(one.amount for one in sent) >= limits.rushed_share * sum(one.amount for one in held)
            and _in_a_rush(life, sent)
        ):
            yield make_flag(
                "savings_sent_away",
                "Savings gone in a day or two: {credits_words} of own or borrowed money, {credits_minor} in all, and {debits_words} to {payees_words} never paid "
                "before, {debits_minor} in all, each within {window_days} days of that money, {dates}",
                life.currency,
                held,
                sent,
                [(one, gone) for one in held for gone in sent if gone.day >= one.day],
                window_days=limits.rushed_days,
            )
            return


def _is_to_somebody_new(life: Life, sent: Movement, day: int) -> bool:
    """Return whether a payment is to a party that neither paid nor was paid before a day, and that neither sells nor lets anything known."""
    if (
        not sent.party
        or sent.kind not in _TAKES_MONEY
        or (sent.related or sent.property or sent.cash or sent.type == "rental_income")
        or sells_by_name(sent.party)
    ):
        return False
    known = (*life.payments_of[sent.party][:1], *life.payments_to[sent.party][:1])
    return min(one.day for one in known) >= day


def _in_a_rush(life: Life, sent: Sequence[Movement]) -> bool:
    payees = len({one.party for one in sent})
    again = len(sent) - payees
    tested = any(one.amount <= life.round_sum(_TEST) for one in sent)
    return again >= (_AGAIN_TESTED if tested and payees >= _SEVERAL_PAYEES else _AGAIN)
