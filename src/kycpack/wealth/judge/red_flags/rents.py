"""Rents that leave again: a let house has costs, and tenants who exist only in the texts of payments do not.

Sources: FATF, Guidance for a Risk-Based Approach: Real Estate Sector (2022); JMLSG Guidance part I, 5.7 (transactions that are passed through).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kycpack.wealth.judge.red_flags.flag import Flag
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.outgoings import paid_bills, rent_payees, trade_bills
from kycpack.wealth.judge.red_flags.pass_through import passed
from kycpack.wealth.judge.red_flags.stock import passages

_RENT = "rental_income"


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


@found_where(
    lambda lives: (
        lives.has(lives.credits & lives.of_type(_RENT))
        & lives.comes_to(lives.credits, lives.limits.pass_through_total)
        & lives.has(
            lives.exits & lives.named & lives.unknown & ~lives.marked("cash"), lives.limits.pass_through_count
        )
    )
)
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
    by_party: dict[str, list[Movement]] = defaultdict(list)
    for one in life.exits:
        if one.party and one.party not in bills and not one.kind and not one.cash:
            by_party[one.party].append(one)
    for _, out in sorted(by_party.items()):
        paid = sum(one.amount for one in out)
        if len(out) < limits.pass_through_count or not limits.rents_one_share * total <= paid <= total:
            continue
        found = passages(every, out, limits.swept_days, limits.swept_share)
        if sum(one.credit.amount for one in found) >= limits.rents_moved_share * total:
            yield passed(life, found, limits.swept_days)
