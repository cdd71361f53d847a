"""Loans that are not genuine: repaid at once, paid back with other people's money or cash, or made with the borrower's own money; and loans sent to strangers.

Sources: FFIEC BSA/AML Manual, appendix F, "Lending activity" (a loan that is repaid at once, or by cash or third parties without a reason); FATF,
Professional Money Laundering (2018), loan-back schemes; UK Finance, Annual Fraud Report (2024), romance fraud.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.wealth.judge.red_flags.drained import sent_away
from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, largest, within
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, sells_by_name, suppliers
from kycpack.wealth.judge.red_flags.stock import debits_of, passages

_FEWEST_LOANS = 2
_MANY_LENDERS = 3
_PARTLY = Decimal("0.5")  # borrowed sums are pooled: a payment uses part of some of them


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.credits & lives.marked("loan") & lives.at_least(lives.limits.loan_amount),
            lives.debits & ~lives.marked("related"),
            lives.limits.loan_days,
            lives.limits.loan_share,
        )
    )
)
def loans_repaid(life: Life) -> Iterator[Flag]:
    """Yield loans that were paid back at once; what is left of a repayment counts for the next loan."""
    limits = life.limits
    loans = [one for one in life.credits if one.loan and one.amount >= life.minor(limits.loan_amount)]
    if not loans:
        return
    left = {(one.account, one.txn_id): one.amount for one in life.debits}
    for loan in loans:
        back = [
            one
            for one in within(life.debits, loan.day, limits.loan_days)
            if (one.party == loan.party or (one.loan and not one.stranger))
            and not one.related
            and left[one.account, one.txn_id]
        ]
        returned = sum(left[one.account, one.txn_id] for one in back)
        if returned >= limits.loan_share * loan.amount:
            what = "Loan" if returned >= loan.amount else "Most of a loan"
            owed = loan.amount
            for one in back:
                paid = min(owed, left[one.account, one.txn_id])
                left[one.account, one.txn_id] -= paid
                owed -= paid
            yield make_flag(
                "loan_repaid",
                what
                + " repaid at once: {credits_minor} was borrowed and {debits_minor} paid back with {debits_words} within {window_days} days, {dates}",
                life.currency,
                [loan],
                back,
                window_days=limits.loan_days,
            )


@found_where(
    lambda lives: lives.has(
        lives.credits
        & lives.marked("loan", "lent")
        & lives.named
        & lives.unknown
        & lives.at_least(lives.limits.loan_amount)
    )
)
def loans_met_by_others(life: Life) -> Iterator[Flag]:
    """Yield payments to an unknown lender that were made with cash or with money whose nature is not established."""
    limits = life.limits
    lent = {one.party: one.day for one in reversed(life.credits) if _is_lent(life, one)}
    if not lent:
        return
    paid = [one for one in life.uncollected if one.party in lent and one.day > lent[one.party]]
    least = life.minor(limits.smallest_flow)
    funds = [
        one for one in life.open_credits if one.amount >= least and not one.related and one.party not in lent
    ]
    found = passages(funds, paid, limits.loan_met_days, limits.loan_met_share)
    total = sum(one.credit.amount for one in found)
    if total >= life.minor(limits.loan_met_single) or (
        len(found) >= limits.pass_through_count and total >= life.minor(limits.pass_through_total)
    ):
        yield make_flag(
            "loan_met_by_others",
            "Loan paid back with money whose nature is not established: {credits_words} of cash or from others, {credits_minor} in all, and {debits_words} to a "
            "party that had lent money and is not a known lender, {debits_minor} in all, each within {window_days} days of the money it was paid with, {dates}",
            life.currency,
            [one.credit for one in found],
            debits_of(found),
            window_days=limits.loan_met_days,
        )


@found_where(
    lambda lives: lives.has(
        lives.credits & lives.marked("lent") & lives.named & lives.at_least(lives.limits.loan_amount)
    )
)
def own_money_lent(life: Life) -> Iterator[Flag]:
    """Yield loans from a party that had been paid most of the sum before: the borrower's own money comes back."""
    limits = life.limits
    for loan in life.credits:
        if not loan.lent or not _is_lent(life, loan):
            continue
        before = within(
            life.payments_to[loan.party], loan.day - limits.own_loan_days, limits.own_loan_days - 1
        )
        given = [one for one in before if not one.collected]
        if sum(one.amount for one in given) >= limits.own_loan_share * loan.amount:
            yield make_flag(
                "own_money_lent",
                "Own money lent back: {debits_words}, {debits_minor} in all, to a party that then lent {credits_minor}, within {window_days} days, {dates}",
                life.currency,
                [loan],
                given,
                window_days=limits.own_loan_days,
            )
            return


@found_where(
    lambda lives: lives.has(
        lives.credits & lives.marked("loan", "lent") & lives.at_least(lives.limits.loan_amount), _FEWEST_LOANS
    )
)
def loans_sent_away(life: Life) -> Iterator[Flag]:
    """Yield loans of several lenders most of which the same strangers receive within weeks, or which, from many lenders, leave in cash or to any strangers.

    Work on a home is paid once and has its own words.
    """
    limits = life.limits
    loans = [
        one
        for one in life.credits
        if (one.loan or one.lent)
        and one.amount >= life.minor(limits.loan_amount)
        and not (one.cash or one.related or one.stranger)
    ]
    if not loans:
        return
    habits = {one for one in life.regular_payees if life.payments_to[one][0].day < loans[0].day}
    known = paid_bills(life) | suppliers(life) | life.payments_of.keys() | habits
    exits = [
        one
        for one in life.exits
        if one.party not in known
        and (one.abroad or (one.stranger and not one.kind))
        and not (one.collected or one.cash or one.property or sells_by_name(one.party))
    ]
    found = passages(loans, exits, limits.loan_days, limits.loan_share)
    same = set.intersection(*({one.party for one in each.debits} for each in found)) if found else set()
    if same and len({each.credit.party for each in found}) >= _FEWEST_LOANS:
        yield from sent_away(life, found, "Loans sent to others", "borrowed money", limits.loan_days)
        return
    yield from _taken_and_gone(life, loans, exits)


def _taken_and_gone(life: Life, loans: Sequence[Movement], exits: Sequence[Movement]) -> Iterator[Flag]:
    """Yield loans that many lenders paid within weeks and that left in cash or to strangers: who means to repay borrows from one, or pays a seller."""
    limits = life.limits
    together = largest(loans, limits.loan_days)
    out = sorted([*exits, *life.cash_drawn], key=lambda one: (one.day, one.account, one.txn_id))
    found = passages(together, out, limits.loan_days, _PARTLY)
    total = sum(one.credit.amount for one in found)
    gone = debits_of(found)
    if (
        len({one.credit.party for one in found}) >= _MANY_LENDERS
        and total >= life.minor(limits.kept_loan_total)
        and sum(one.amount for one in gone) >= limits.loan_share * total
    ):
        yield make_flag(
            "savings_sent_away",
            "Loans from several lenders that left at once: {credits_words} of borrowed money from {payers_words}, {credits_minor} in all, and {debits_words} in cash or "
            "to parties that are not known firms, {debits_minor} in all, each within {window_days} days of the money it was paid from, {dates}",
            life.currency,
            [one.credit for one in found],
            gone,
            window_days=limits.loan_days,
        )


def _is_lent(life: Life, one: Movement) -> bool:
    """Return whether a credit may be a loan from a firm that is not a known lender."""
    large = one.amount >= life.minor(life.limits.loan_amount)
    worded = one.loan or one.lent
    return large and worded and bool(one.party) and not (one.kind or one.cash or one.related or one.stranger)
