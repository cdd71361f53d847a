"""Loans that are not genuine, loans sent to strangers, and money lent and borrowed among many people.

A sham loan is repaid at once, paid back with other people's money or cash, made with the borrower's own money, or never repaid. Where many people lend or borrow,
the other half shows what it is: returns are paid out of what others paid in, or instalments are paid on what was lent. Sources: FFIEC BSA/AML Manual, appendix F,
"Lending activity" (a loan that is repaid at once, or by cash or third parties without a reason); FATF, Professional Money Laundering (2018), loan-back schemes;
UK Finance, Annual Fraud Report (2024), romance fraud; U.S. Securities and Exchange Commission, Ponzi schemes (2013), returns that are paid out of the money of new
investors; Financial Conduct Authority, illegal money lenders; OECD, Bribery and Corruption Awareness Handbook for Tax Examiners (2013), loans without terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from kycpack.wealth.judge.red_flags.drained import sent_away
from kycpack.wealth.judge.red_flags.flag import Flag, came_first, make_flag
from kycpack.wealth.judge.red_flags.life import Life, largest, within
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, sells_by_name, suppliers
from kycpack.wealth.judge.red_flags.stock import PARTLY, debits_of, passages, sides_of
from kycpack.wealth.prepare.coded import Mask

_FEWEST_LOANS = 2
_MANY_LENDERS = 3
_MOST_LUMPS = 3
_RETURN = 0.25  # of what was paid in: a larger part is the money itself
_FEWEST_RETURNS = 2
_INVESTED = 0.5
_INVESTED_WITH = frozenset({"crypto", "broker", "fund", "investment"})
FEWEST_INSTALMENTS = 5
_LIKE_INSTALMENT = 2
_LUMP = 1.5
_FEWEST_PARTS = 2
_PRICE, _MOST_PRICE = 1.1, 3
_LENT_SHARE = 0.75  # a savings club pays out what its members paid in


def _lent_by(lives: Lives) -> Mask:
    """Return the payments with named parties that paid in a sum that may be a loan."""
    lent = lives.credits & lives.marked("loan", "lent") & lives.at_least(lives.limits.loan_amount)
    return lives.times(lent) > 0


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.credits & lives.marked("loan") & lives.at_least(lives.limits.loan_amount),
            lives.debits & ~lives.marked("related") & (lives.marked("loan") | _lent_by(lives) | ~lives.named),
            lives.limits.loan_days,
            lives.limits.loan_share,
        )
    )
)
def loans_repaid(life: Life) -> Iterator[Flag]:
    """Yield loans that were paid back at once; what is left of a repayment counts for the next loan."""
    loans = [one for one in life.credits if one.loan and one.amount >= life.minor(life.limits.loan_amount)]
    left = {(one.account, one.txn_id): one.amount for one in life.debits}
    for loan in loans:
        back = [
            one
            for one in within(life.debits, loan.day, life.limits.loan_days)
            if (one.party == loan.party or (one.loan and not one.stranger))
            and not one.related
            and left[one.account, one.txn_id]
            and came_first(loan, one) is not False
        ]
        returned = sum(left[one.account, one.txn_id] for one in back)
        if returned >= life.limits.loan_share * loan.amount:
            what = "Loan" if returned >= loan.amount else "Most of a loan"
            owed = loan.amount
            for one in back:
                paid = min(owed, left[one.account, one.txn_id])
                left[one.account, one.txn_id] -= paid
                owed -= paid
            yield make_flag(
                "loan_repaid",
                what
                + " repaid at once: {credits_minor} was borrowed and {debits_minor} paid back with {debits_words} within the rule's {window_days} days, {dates}",
                life.currency,
                [loan],
                back,
                [(loan, one) for one in back],
                window_days=life.limits.loan_days,
            )


@found_where(
    # What was met is met by payments to a lender within days, and comes to the lower of the two sums that count.
    lambda lives: lives.comes_to(
        lives.followed(
            lives.open & lives.at_least(lives.limits.smallest_flow) & ~lives.marked("related"),
            lives.debits & _lent_by(lives) & ~lives.marked("collected"),
            lives.limits.loan_met_days,
            lives.limits.loan_met_share,
        ),
        min(lives.limits.loan_met_single, lives.limits.pass_through_total),
    )
)
def loans_met_by_others(life: Life) -> Iterator[Flag]:
    """Yield payments to an unknown lender that were made with cash or with money whose nature is not established."""
    limits = life.limits
    lent = {one.party: one.day for one in reversed(life.credits) if _is_lent(life, one)}
    paid = [one for one in life.uncollected if one.party in lent and one.day > lent[one.party]]
    least = life.minor(limits.smallest_flow)
    funds = [
        one for one in life.open_credits if one.amount >= least and not one.related and one.party not in lent
    ]
    found = passages(funds, paid, limits.loan_met_days, limits.loan_met_share)
    total = sum(one.credit.amount for one in found)
    if found and (
        total >= life.minor(limits.loan_met_single)
        or (len(found) >= limits.pass_through_count and total >= life.minor(limits.pass_through_total))
    ):
        yield make_flag(
            "loan_met_by_others",
            "Loan paid back with money whose nature is not established: {credits_words} of cash or from others, {credits_minor} in all, and {debits_words} to a "
            "party that had lent money and is not a known lender, {debits_minor} in all, each within {window_days} days of the money it was paid with, {dates}",
            life.currency,
            *sides_of(found),
            window_days=limits.loan_met_days,
        )


@found_where(
    # The lender was paid the share before the loan, up to the day before it.
    lambda lives: lives.has(
        lives.followed(
            lives.credits & lives.marked("lent") & lives.named & lives.at_least(lives.limits.loan_amount),
            lives.debits & ~lives.marked("collected"),
            -1,
            lives.limits.own_loan_share,
            lives.limits.own_loan_days,
            lives.party,
        )
    )
)
def own_money_lent(life: Life) -> Iterator[Flag]:
    """Yield loans from a party that had been paid most of the sum before: the borrower's own money comes back."""
    for loan in life.credits:
        if not loan.lent or not _is_lent(life, loan):
            continue
        before = within(
            life.payments_to[loan.party], loan.day - life.limits.own_loan_days, life.limits.own_loan_days - 1
        )
        given = [one for one in before if not one.collected]
        if sum(one.amount for one in given) >= life.limits.own_loan_share * loan.amount:
            yield make_flag(
                "own_money_lent",
                "Own money lent back: {debits_words}, {debits_minor} in all, to a party that then lent {credits_minor}, within the rule's {window_days} days, {dates}",
                life.currency,
                [loan],
                given,
                window_days=life.limits.own_loan_days,
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
    loans = [
        one
        for one in life.credits
        if (one.loan or one.lent)
        and one.amount >= life.minor(life.limits.loan_amount)
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
    found = passages(loans, exits, life.limits.loan_days, life.limits.loan_share)
    same = set.intersection(*({one.party for one in each.debits} for each in found)) if found else set()
    if same and len({each.credit.party for each in found}) >= _FEWEST_LOANS:
        yield from sent_away(life, found, "Loans sent to others", "borrowed money", life.limits.loan_days)
        return
    yield from _taken_and_gone(life, loans, exits)


def _taken_and_gone(life: Life, loans: Sequence[Movement], exits: Sequence[Movement]) -> Iterator[Flag]:
    """Yield loans that many lenders paid within weeks and that left in cash or to strangers: who means to repay borrows from one, or pays a seller."""
    limits = life.limits
    together = largest(loans, limits.loan_days)
    out = sorted([*exits, *life.cash_drawn], key=lambda one: (one.day, one.account, one.txn_id))
    found = passages(together, out, limits.loan_days, PARTLY)
    total = sum(one.credit.amount for one in found)
    if (
        len({one.credit.party for one in found}) >= _MANY_LENDERS
        and total >= life.minor(limits.kept_loan_total)
        and sum(one.amount for one in debits_of(found)) >= limits.loan_share * total
    ):
        yield make_flag(
            "savings_sent_away",
            "Loans from several lenders that left at once: {credits_words} of borrowed money from {payers_words}, {credits_minor} in all, and {debits_words} in cash or "
            "to parties that are not known firms, {debits_minor} in all, each within {window_days} days of the money it was paid from, {dates}",
            life.currency,
            *sides_of(found),
            window_days=limits.loan_days,
        )


def _is_lent(life: Life, one: Movement) -> bool:
    """Return whether a credit may be a loan from a firm that is not a known lender."""
    large = one.amount >= life.minor(life.limits.loan_amount)
    worded = one.loan or one.lent
    return large and worded and bool(one.party) and not (one.kind or one.cash or one.related or one.stranger)


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
    least = life.minor(life.limits.investor_least)
    lumps: list[Movement] = []
    returned: list[Movement] = []
    served = 0
    for party, rows in life.payments_of.items():
        if len(rows) > _MOST_LUMPS or any(
            not one.party or one.cash or one.kind or one.related for one in rows
        ):
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
        served >= life.limits.investor_count
        and total >= life.minor(life.limits.investor_total)
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


@found_where(
    lambda lives: (
        lives.parties(lives.credits & lives.unknown & (lives.times_paid_in >= FEWEST_INSTALMENTS))
        >= lives.limits.borrower_count
    )
)
def loans_to_many(life: Life) -> Iterator[Flag]:
    """Yield small sums that many people pay repeatedly, some of whom received a larger sum: instalments of loans.

    A teacher who gives lessons pays nothing out, and a savings club pays out what its members paid in.
    """
    borrowers = {
        party: rows
        for party, rows in life.payments_of.items()
        if len(rows) >= FEWEST_INSTALMENTS and like_instalments(rows, life.most(life.limits.instalment_most))
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
        len(borrowers) >= life.limits.borrower_count
        and handed >= life.limits.borrower_lent
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
    least = life.minor(life.limits.fan_in_least)
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
    if len({one.party for one in lent}) >= life.limits.priced_loans:
        yield make_flag(
            "loans_to_many",
            "Loans to many people at a price: {debits_words} to {payees_words}, {debits_minor} in all, who paid back {credits_minor} in {credits_words}, "
            "{dates}",
            life.currency,
            paid,
            lent,
        )


def like_instalments(rows: Sequence[Movement], most: int) -> bool:
    """Return whether a person's payments are small and of similar size."""
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
    for party, rows in sorted(life.payments_of.items()):
        lent = [one for one in rows if one.lent and not (one.kind or one.cash or one.related or one.stranger)]
        if (
            len(lent) >= life.limits.kept_loan_count
            and sum(one.amount for one in lent) >= life.minor(life.limits.kept_loan_total)
            and party not in life.payments_to
            and life.movements[-1].day - lent[0].day >= life.limits.kept_loan_days
        ):
            yield make_flag(
                "loans_never_repaid",
                "Loans that are never repaid: {credits_words} called loans from one party that is not a known lender, {credits_minor} in all, and no payment to "
                "it, {dates}",
                life.currency,
                lent,
            )
