"""Rents and estates: money held for clients that is not passed on in full, and rents that leave nearly in full.

The ordinary case has a second half: an agent keeps a fee and pays each landlord each month, and an executor who settles an estate pays the heirs. Sources:
FATF, Guidance for a Risk-Based Approach: Legal Professionals (2019), client accounts and estates; Solicitors Regulation Authority, Warning notice: improper
use of a client account (2018); Association of Certified Fraud Examiners, Fraud Examiners Manual (2023), lapping.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, by_party
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, rent_payees, trade_bills
from kycpack.wealth.judge.red_flags.pass_through import passed
from kycpack.wealth.judge.red_flags.stock import passages
from kycpack.wealth.prepare.coded import Mask

_RENT, _ESTATE = "rental_income", "inheritance"
_FEWEST_PAYEES = 3  # one or two may be the landlord of somebody who sublets rooms
_FEWEST_ESTATES = 3  # a person inherits once, or from both parents
_LATE_DAYS = 45
_SOME = 0.2


@found_where(
    lambda lives: (
        lives.comes_to(lives.credits, lives.limits.client_money_total)
        & (
            lives.has(
                lives.credits & (lives.times(lives.credits & lives.of_type(_ESTATE)) > 0), _FEWEST_ESTATES
            )
            | (
                lives.has(lives.credits & lives.of_type(_RENT))
                & (lives.parties(lives.debits & lives.of_type(_RENT)) >= _FEWEST_PAYEES)
            )
        )
    )
)
def client_money_kept(life: Life) -> Iterator[Flag]:
    """Yield clients' money of which the owners get much less than is left after an agent's fee or an heir's part."""
    for held, passed_on in (_rents(life), _estates(life)):
        total, paid = (sum(one.amount for one in rows) for rows in (held, passed_on))
        if (
            len({one.party for one in passed_on}) >= _FEWEST_PAYEES
            and total >= life.minor(life.limits.client_money_total)
            and _SOME * total <= paid <= life.limits.client_money_share * total
        ):
            yield make_flag(
                "client_money_kept",
                "Money held for others that is not passed on in full: {credits_words}, {credits_minor} in all, and {debits_words} to {payees_words} to whom it "
                "may belong, {debits_minor} in all, {dates}",
                life.currency,
                held,
                passed_on,
            )


def _rents(life: Life) -> tuple[Sequence[Movement], Sequence[Movement]]:
    """Return the rents from tenants, and what landlords receive of them: a customer who lets houses of their own pays no landlords."""
    rents = [one for one in life.credits if one.type == _RENT and not (one.related or one.cash)]
    if not rents:
        return (), ()
    paid = [one for one in life.debits if one.party in rent_payees(life) and not one.related]
    return (rents, paid) if len({one.party for one in rents}) > len({one.party for one in paid}) else ((), ())


def _estates(life: Life) -> tuple[Sequence[Movement], Sequence[Movement]]:
    """Return what came from estates, and what strangers received months after the first of them."""
    # If one credit is from an estate, all credits of the same party count as from it, even doubted ones; names that begin alike are one party.
    estates = {one.party for one in life.credits if one.type == _ESTATE and one.party}
    came = [one for one in life.credits if one.party in estates and not (one.related or one.cash)]
    if len(came) < _FEWEST_ESTATES:
        return (), ()
    least = life.minor(life.limits.round_trip_amount)
    paid = [
        one
        for one in life.exits
        if one.stranger and not (one.cash or one.kind) and one.amount >= least and one.day >= came[0].day
    ]
    certain = [one for one in paid if one.amount >= life.most(life.limits.round_trip_amount)] or paid[-1:]
    late = certain and certain[0].day - came[0].day >= _LATE_DAYS
    return (came, paid) if late else ((), ())


@found_where(
    lambda lives: lives.has(
        lives.followed(
            lives.credits & lives.of_type(_RENT) & lives.at_least(lives.limits.pass_through_amount),
            lives.exits,
            lives.limits.pay_passed_days,
            lives.limits.pay_passed_share,
        ),
        lives.limits.pass_through_count,
    )
)
def rents_moved_on(life: Life) -> Iterator[Flag]:
    """Yield rents that leave nearly in full within days: a let house has costs.

    Rent that is paid on and described as rent also counts if one party gets nearly all of it: a leaseholder who sublets rooms keeps a margin, and a lead
    tenant pays more than is collected.
    """
    limits = life.limits
    rents = [
        one
        for one in life.credits
        if one.type == _RENT and one.amount >= life.minor(limits.pass_through_amount)
    ]
    total = sum(one.amount for one in rents)
    if total < life.minor(limits.pass_through_total):
        return
    bills = {
        party
        for party in paid_bills(life) | trade_bills(life) | rent_payees(life)
        if not limits.rents_moved_share * total <= sum(one.amount for one in life.payments_to[party]) <= total
    }
    exits = [one for one in life.exits if one.party not in bills and one.kind != "gambling"]
    found = passages(rents, exits, limits.pay_passed_days, limits.pay_passed_share)
    if (
        len(found) >= limits.pass_through_count
        and sum(one.credit.amount for one in found) >= limits.rents_moved_share * total
    ):
        yield passed(life, found, limits.pay_passed_days)


def _may_go_to_one(lives: Lives) -> Mask:
    """Return which lives have rents, and a party that is paid enough of them often enough."""
    rents = lives.total(lives.credits & lives.of_type(_RENT) & ~lives.marked("related", "cash"))
    least = lives.nearly(
        lives.limits.rents_one_share, np.maximum(rents, lives.minor(lives.limits.pass_through_total))
    )
    out = lives.exits & lives.unknown & ~lives.marked("cash")
    much = (lives.times(out) >= lives.limits.pass_through_count) & (lives.paid(out) >= least[lives.life])
    return (rents > 0) & lives.has(out & lives.named & much)


@found_where(_may_go_to_one)
def rents_to_one(life: Life) -> Iterator[Flag]:
    """Yield rents of which one party gets nearly all, month after month, whatever the payments are called and however late in the month.

    A lender, insurer or repairer gets less, a landlord of the customer is paid what is called rent, and a lead tenant pays more than is collected.
    """
    limits = life.limits
    rents = [one for one in life.credits if one.type == _RENT and not one.related and not one.cash]
    if not rents:
        return
    tenants = {one.party for one in rents} | life.regular_payers
    # Some tenants pay in cash, and some give no reference.
    silent = [
        one
        for one in life.open_credits
        if one.type != _RENT and (one.cash or (one.stranger and one.party in tenants))
    ]
    every = sorted([*rents, *silent], key=lambda one: (one.day, one.account, one.txn_id))
    total = sum(one.amount for one in every)
    if 2 * sum(one.amount for one in rents) < total or total < life.minor(limits.pass_through_total):
        return
    bills = paid_bills(life) | trade_bills(life) | rent_payees(life)
    sent = (one for one in life.exits if one.party and one.party not in bills and not (one.kind or one.cash))
    for out in by_party(sent).values():
        paid = sum(one.amount for one in out)
        if len(out) < limits.pass_through_count or not limits.rents_one_share * total <= paid <= total:
            continue
        found = passages(every, out, limits.swept_days, limits.swept_share)
        if sum(one.credit.amount for one in found) >= limits.rents_moved_share * total:
            yield passed(life, found, limits.swept_days)
