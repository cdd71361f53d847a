"""Money lent and borrowed among many people, or lent by a firm that never asks for it back.

In each case the other half of the loan shows what it is: returns are paid out of what others paid in, instalments are paid on what was lent, or what
is called a loan is never repaid. Sources: U.S. Securities and Exchange Commission, Ponzi schemes (2013), returns that are paid out of the money of new
investors; Financial Conduct Authority, illegal money lenders; OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013), loans without terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement

_MOST_LUMPS = 3
_RETURN = 0.25  # of what was paid in: a larger part is the money itself
_FEWEST_RETURNS = 2
_INVESTED = 0.5
_INVESTED_WITH = frozenset({"crypto", "broker", "fund", "investment"})
_FEWEST_INSTALMENTS = 5
_LIKE_INSTALMENT = 2
_LUMP = 1.5
_FEWEST_PARTS = 2
_PRICE, _MOST_PRICE = 1.1, 3
_LENT_SHARE = 0.75  # a savings club pays out what its members paid in


@found_where(
    lambda lives: (
        lives.parties(
            lives.credits
            & lives.unknown
            & ~lives.marked("cash", "related")
            & (lives.times_paid_in <= _MOST_LUMPS)
            & (lives.times_paid_out >= _FEWEST_RETURNS)
        )
        >= lives.limits.investor_count
    )
)
def returns_out_of_deposits(life: Life) -> Iterator[Flag]:
    """Yield what many people each paid in once, while some of them repeatedly got small parts of it back and nothing was invested."""
    limits = life.limits
    least = life.minor(limits.investor_least)
    lumps: list[Movement] = []
    returned: list[Movement] = []
    served = 0
    for party, rows in life.payments_of.items():
        if len(rows) > _MOST_LUMPS or not all(_may_invest(one) for one in rows):
            continue
        total = sum(one.amount for one in rows)
        if total < least:
            continue
        back = [one for one in life.payments_to[party] if one.day > rows[0].day and not one.collected]
        lumps += rows
        if len(back) >= _FEWEST_RETURNS and all(one.amount <= _RETURN * total for one in back):
            served += 1
            returned += back
    total = sum(one.amount for one in lumps)
    if (
        served >= limits.investor_count
        and total >= life.minor(limits.investor_total)
        and sum(one.amount for one in life.debits if one.kind in _INVESTED_WITH) < _INVESTED * total
    ):
        yield make_flag(
            "returns_out_of_deposits",
            "Returns paid out of what others paid in: {credits_words} from {payers_words}, {credits_minor} in all, and {debits_words} in small parts to "
            "{payees_words} of them, {debits_minor} in all, while little or nothing was invested, {dates}",
            life.currency,
            lumps,
            returned,
        )


def _may_invest(one: Movement) -> bool:
    return bool(one.party) and not (one.cash or one.kind or one.related)


@found_where(
    lambda lives: (
        lives.parties(lives.credits & lives.unknown & (lives.times_paid_in >= _FEWEST_INSTALMENTS))
        >= lives.limits.borrower_count
    )
)
def loans_to_many(life: Life) -> Iterator[Flag]:
    """Yield small sums that many people pay repeatedly, some of whom received a larger sum: instalments of loans.

    A teacher who gives lessons pays nothing out, and a savings club pays out what its members paid in.
    """
    limits = life.limits
    borrowers = {
        party: rows
        for party, rows in life.payments_of.items()
        if len(rows) >= _FEWEST_INSTALMENTS and _like_instalments(rows, life.most(limits.instalment_most))
    }
    lent: list[Movement] = []
    handed = 0
    for party, rows in borrowers.items():
        usual = median(one.amount for one in rows)
        lumps = [one for one in life.payments_to[party] if one.amount >= _LUMP * usual and not one.collected]
        handed += bool(lumps)
        lent += lumps
    paid = [one for rows in borrowers.values() for one in rows]
    if (
        len(borrowers) >= limits.borrower_count
        and handed >= limits.borrower_lent
        and sum(one.amount for one in lent) <= _LENT_SHARE * sum(one.amount for one in paid)
    ):
        yield make_flag(
            "loans_to_many",
            "Instalments from many people: {credits_words} in small sums of similar size from {payers_words}, {credits_minor} in all, and {debits_words} of larger sums "
            "to {payees_words} of them, {debits_minor} in all, {dates}",
            life.currency,
            paid,
            lent,
        )


@found_where(
    lambda lives: (
        lives.parties(lives.to_unknown & (lives.times_paid_in >= _FEWEST_PARTS)) >= lives.limits.priced_loans
    )
)
def lent_at_a_price(life: Life) -> Iterator[Flag]:
    """Yield sums paid to several people, each of whom paid back more in parts: a loan among friends costs nothing."""
    limits = life.limits
    least = life.minor(limits.smallest_flow)
    lent: list[Movement] = []
    paid: list[Movement] = []
    for party, rows in life.payments_to.items():
        back = life.payments_of[party]
        if len(back) < _FEWEST_PARTS:
            continue
        handed = sum(one.amount for one in rows)
        if (
            rows[0].day < back[0].day
            and all(one.amount >= least and not (one.collected or one.cash or one.kind) for one in rows)
            and _PRICE * handed <= sum(one.amount for one in back) <= _MOST_PRICE * handed
            and max(one.amount for one in back) < handed
        ):
            lent += rows
            paid += back
    if len({one.party for one in lent}) >= limits.priced_loans:
        yield make_flag(
            "loans_to_many",
            "Loans to many people at a price: {debits_words} to {payees_words}, {debits_minor} in all, who paid back {credits_minor} in {credits_words}, "
            "{dates}",
            life.currency,
            paid,
            lent,
        )


def _like_instalments(rows: Sequence[Movement], most: int) -> bool:
    amounts = [one.amount for one in rows]
    return (
        max(amounts) <= _LIKE_INSTALMENT * min(amounts)
        and max(amounts) <= most
        and not any(one.cash or one.kind or one.own for one in rows)
        and 2 * sum(one.stranger for one in rows) > len(rows)
    )


@found_where(
    lambda lives: lives.has(
        lives.credits
        & lives.marked("lent")
        & lives.named
        & lives.unknown
        & ~lives.marked("cash", "related", "stranger"),
        lives.limits.kept_loan_count,
    )
)
def loans_never_repaid(life: Life) -> Iterator[Flag]:
    """Yield what a firm that is not a known lender repeatedly calls a loan, without ever being repaid."""
    limits = life.limits
    for party, rows in sorted(life.payments_of.items()):
        lent = [one for one in rows if one.lent and not (one.kind or one.cash or one.related or one.stranger)]
        if (
            len(lent) >= limits.kept_loan_count
            and sum(one.amount for one in lent) >= life.minor(limits.kept_loan_total)
            and party not in life.payments_to
            and life.movements[-1].day - lent[0].day >= limits.kept_loan_days
        ):
            yield make_flag(
                "loans_never_repaid",
                "Loans that are never repaid: {credits_words} called loans from one party that is not a known lender, {credits_minor} in all, and no payment to "
                "it, {dates}",
                life.currency,
                lent,
            )
