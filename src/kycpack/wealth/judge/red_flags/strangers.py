"""Many strangers: money that comes in from many, or is paid out to many, in a short time.

Sources: FFIEC BSA/AML Manual, appendix F, "Activity inconsistent with the customer's business" (many payers or payees without a reason);
FATF, Professional Money Laundering (2018), money mules and collection accounts; FATF, Guidance for a Risk-Based Approach: Real Estate Sector
(2022), purchases funded by third parties without a tie to the buyer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import median

from kycpack.wealth.judge.red_flags.flag import Flag, make_flag
from kycpack.wealth.judge.red_flags.life import Life, is_habit, sums_by_party, within
from kycpack.wealth.judge.red_flags.lives import Lives, found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import Feast, feast_of
from kycpack.wealth.judge.red_flags.payment_words import topics_in
from kycpack.wealth.judge.red_flags.stock import PARTLY, debits_of, pairs_of, passages
from kycpack.wealth.prepare.coded import Mask

_MOST_PAYMENTS = 2  # a party that pays more often is known to the customer
_MOST_INSTALMENTS = 3
_CONCENTRATED = 0.5  # a trade's customers pay all year, collected money arrives at once
_MOST_BURSTS, _BURST_DAYS, _FEWEST_IN_BURST = 4, 14, 5
_IN_BURSTS, _BURSTS_SHARE, _OTHERS = 0.6, 0.2, 0.9
_SAME_SHARE, _LARGER_SHARE = 0.8, 1.5  # who books pays a share too, and perhaps that of a family
_LETS = "letting_platform"
_OTHER_SELLERS = frozenset(
    {"retailer", "marketplace", "payment_processor", "bank", "lender", "broker", "insurer"}
)  # goods are sold on, and what tops up an account moves on
_LONG_DAYS = 120  # a shorter history is not enough to judge
_MOVED_SHARE = 0.6
_LARGE_PART = 0.25
_FEWER = 1.5  # collected money leaves in fewer payments than it came in
_FEWEST_SENT = 2  # a single payment, to a hotel or for a trip, is not a pattern
_FUNDED_SHARE = 0.7
_SLOWER, _LONGER = (1, 2), (1, 3)  # times the period, with as many times the parties and the sum
_FUNDED_BEFORE_DAYS = 14
_LOSS_DAYS = 120


def _many(lives: Lives, chosen: Mask, parties: int, total: Decimal) -> Mask:
    """Return in which lives the chosen payments name enough parties and add up to enough."""
    return lives.comes_to(chosen, total) & (lives.parties(chosen) >= parties)


@found_where(
    lambda lives: _many(
        lives,
        lives.unproven
        & lives.from_strangers
        & (lives.times_paid_in <= _MOST_PAYMENTS)
        & lives.at_least(lives.limits.fan_in_least),
        min(lives.limits.fan_in_parties, lives.limits.fan_in_parties_moved),
        lives.limits.fan_in_total_moved,
    )
)
def fan_in(life: Life) -> Iterator[Flag]:
    """Yield the densest period in which many strangers paid in."""
    limits = life.limits
    strange = [
        one
        for one in _passing(life.unproven_credits, life.payments_of, life.payments_to, _MOST_PAYMENTS)
        if one.amount >= life.minor(limits.fan_in_least)
    ]
    chosen = _densest(strange, limits.fan_in_days)
    parties = len({one.party for one in chosen})
    total = sum(one.amount for one in chosen)
    # If one party pays nearly all of it, it is not money from many.
    others = total - max((one.amount for one in chosen), default=0)
    if (
        others < life.minor(limits.fan_in_total_moved)
        or not _concentrated(life, strange, chosen)
        or _after_a_loss(life, chosen)
        or _bought_together(life, chosen)
    ):
        return
    feast = feast_of(life)
    ordinary = feast.payees | _paid_before(life, strange)
    moved = passages(
        chosen,
        [one for one in life.exits if one.kind != "gambling" and one.party not in ordinary],
        limits.pass_through_days,
        limits.pass_through_share,
    )
    usual = median(one.amount for one in chosen)
    gone = sum(one.credit.amount for one in moved) >= _MOVED_SHARE * total or (
        parties >= limits.fan_in_parties and _handed_on(life, chosen, feast) >= _MOVED_SHARE * total
    )
    gifts = feast.covers(chosen) and usual < life.minor(limits.feast_gift)
    large = (
        others >= life.minor(limits.fan_in_total) and usual >= life.minor(limits.fan_in_median) and not gifts
    )
    if (parties >= limits.fan_in_parties and large) or (parties >= limits.fan_in_parties_moved and gone):
        yield make_flag(
            "fan_in",
            "Money from many strangers: {credits_words} from {payers_words} that paid no more than {limit_count} times each and received nothing, {credits_minor} in all, "
            "{dates}",
            life.currency,
            chosen,
            limit_count=_MOST_PAYMENTS,
        )


def _after_a_loss(life: Life, chosen: Sequence[Movement]) -> bool:
    """Return whether an insurer pays more for a loss in the same months: people give to victims of a flood or fire."""
    paid = within(life.credits, chosen[0].day - _LOSS_DAYS, chosen[-1].day - chosen[0].day + 2 * _LOSS_DAYS)
    return sum(one.amount for one in paid if one.kind == "insurer") >= sum(one.amount for one in chosen)


def _paid_before(life: Life, strange: Sequence[Movement]) -> frozenset[str]:
    """Return who was paid as a habit before any stranger paid in, and no more afterwards: rent is due whether or not anything is collected."""
    return frozenset(
        party for party in life.regular_payees if _is_a_habit_before(strange[0].day, life.payments_to[party])
    )


def _is_a_habit_before(day: int, rows: Sequence[Movement]) -> bool:
    before = [one for one in rows if one.day < day]
    return is_habit(before) and max(one.amount for one in rows) == max(one.amount for one in before)


def _paid_meanwhile(life: Life, chosen: Sequence[Movement]) -> Sequence[Movement]:
    """Return the debits from the first collected credit until weeks after the last."""
    return within(life.debits, chosen[0].day, chosen[-1].day + life.limits.fan_in_days - chosen[0].day)


def _bought_together(life: Life, chosen: Sequence[Movement]) -> bool:
    """Return whether nearly all paid the same share, and one seller got about the sum of the shares: friends who travel together pay one of them.

    A seller lets homes or collects by card; a word such as hotel is the customer's own. Goods from a shop and top-ups of another account are not a trip.
    """
    if max(Counter(one.amount for one in chosen).values()) < _SAME_SHARE * len(chosen):
        return False
    total = sum(one.amount for one in chosen)
    paid = sums_by_party(
        one
        for one in _paid_meanwhile(life, chosen)
        if one.kind == _LETS or (one.collected and one.kind not in _OTHER_SELLERS)
    )
    return any(_OTHERS * total <= amount <= _LARGER_SHARE * total for amount in paid.values())


def _handed_on(life: Life, chosen: Sequence[Movement], feast: Feast) -> int:
    """Return how much of the collected money went to the few strangers who received large parts of it, until shortly after the last credit; minor units."""
    last = chosen[-1].day + life.limits.pass_through_days
    out = sums_by_party(
        one
        for one in within(life.exits, chosen[0].day, last - chosen[0].day)
        if one.stranger and one.kind != "gambling" and one.party not in feast.payees | life.regular_payees
    )
    total = sum(one.amount for one in chosen)
    return sum(amount for amount in out.values() if _LARGE_PART * total <= amount <= total)


@found_where(
    lambda lives: (
        lives.has(lives.debits & lives.marked("abroad"), _FEWEST_SENT)
        & _many(
            lives,
            lives.open & lives.from_strangers & lives.at_least(lives.limits.collected_least),
            lives.limits.collected_parties,
            lives.limits.fan_in_total_moved,
        )
    )
)
def collected_abroad(life: Life) -> Iterator[Flag]:
    """Yield small sums from many strangers that mostly go abroad in fewer and larger payments, however long that continues."""
    limits = life.limits
    away = [one for one in life.sent_abroad if not one.related and not one.cash]
    given = [
        one
        for one in life.open_credits
        if one.stranger
        and one.party
        and not one.cash
        and one.party not in life.payments_to
        and one.amount >= life.minor(limits.collected_least)
    ]
    for times in _SLOWER:
        moved = passages(given, away, times * limits.collected_days, PARTLY)
        chosen, debits = [one.credit for one in moved], debits_of(moved)
        beside = within(given, chosen[0].day, chosen[-1].day - chosen[0].day) if chosen else []
        sums = [sum(one.amount for one in rows) for rows in (chosen, debits, beside)]
        if (
            len({one.party for one in chosen}) >= times * limits.collected_parties
            and sums[0] >= times * life.minor(limits.fan_in_total_moved)
            and min(sums[:2]) >= limits.collected_share * sums[2]
            and len(debits) >= _FEWEST_SENT
            and _FEWER * len(debits) <= len(beside)
        ):
            yield make_flag(
                "collected_abroad",
                "Money from many strangers sent abroad: {credits_words} from {payers_words} that received nothing back, {credits_minor} in all, and {debits_words} "
                "abroad, {debits_minor} in all, each within {window_days} days of the money it moved on, {dates}",
                life.currency,
                chosen,
                debits,
                pairs_of(moved),
                window_days=times * limits.collected_days,
            )
            return


@found_where(
    lambda lives: _many(
        lives,
        lives.exits
        & lives.marked("stranger")
        & lives.unknown
        & ~lives.marked("cash")
        & (lives.times_paid_out <= _MOST_PAYMENTS)
        & (lives.times_paid_in == 0),
        lives.limits.fan_out_parties,
        lives.limits.fan_out_total,
    )
)
def fan_out(life: Life) -> Iterator[Flag]:
    """Yield the densest period in which open credits were paid out to many strangers: one period, or three in which they were paid at that rate."""
    strange = [
        one
        for one in _passing(life.exits, life.payments_to, life.payments_of, _MOST_PAYMENTS)
        if not one.kind
    ]
    for times in _LONGER:
        chosen = _densest(strange, times * life.limits.fan_out_days)
        total = sum(one.amount for one in chosen)
        if (
            len({one.party for one in chosen}) < times * life.limits.fan_out_parties
            or total < times * life.minor(life.limits.fan_out_total)
            or not _concentrated(life, strange, chosen)
        ):
            continue
        funds = [
            one
            for one in life.unproven_credits
            if chosen[0].day - _FUNDED_BEFORE_DAYS <= one.day <= chosen[-1].day
            and not one.self_named
            and one.amount >= life.minor(life.limits.pass_through_amount)
        ]
        if sum(one.amount for one in funds) >= _FUNDED_SHARE * total:
            yield make_flag(
                "fan_out",
                "Money paid out to many strangers: {credits_words} whose nature is not proven, {credits_minor} in all, and {debits_words} to {payees_words} "
                "that received money no more than {limit_count} times each and paid nothing in, {debits_minor} in all, {dates}",
                life.currency,
                funds,
                chosen,
                limit_count=_MOST_PAYMENTS,
            )
            return


@found_where(
    lambda lives: (
        lives.has(
            (lives.marked("property") | (lives.marked("purchase") & ~lives.marked("collected")))
            & lives.debits
            & lives.at_least(lives.limits.home_total)
        )
        & (
            lives.parties(
                lives.unproven
                & lives.named
                & ~lives.marked("cash")
                & (lives.from_strangers | lives.open)
                & lives.at_least(lives.limits.home_least)
            )
            >= lives.limits.home_parties
        )
    )
)
def home_from_strangers(life: Life) -> Iterator[Flag]:
    """Yield a payment for a home or land of which strangers, or firms that say nothing of what for, paid a large part in the months before.

    Somebody who pays tax on what firms pay may buy a home with it.
    """
    limits = life.limits
    firms = [one for one in life.open_credits if not (one.stranger or one.related or one.kind or life.taxes)]
    given = [
        one
        for one in _passing(
            life.unproven_credits, life.payments_of, life.payments_to, _MOST_INSTALMENTS, firms
        )
        if one.amount >= life.minor(limits.home_least)
    ]
    least = life.minor(limits.home_total)
    paid = [one for one in life.debits if one.amount >= least and (one.property or _sells_homes(one))]
    for payment in paid:
        before = within(given, payment.day - limits.home_days, limits.home_days)
        if (
            len({one.party for one in before}) >= limits.home_parties
            and sum(one.amount for one in before) >= limits.home_share * payment.amount
        ):
            yield make_flag(
                "home_from_strangers",
                "Property paid for with other people's money: {credits_words} from {payers_words} that paid no more than {limit_count} times each and received nothing, "
                "{credits_minor} in all, and a payment of {debits_minor} for a home or land within {window_days} days, {dates}",
                life.currency,
                before,
                [payment],
                [(one, payment) for one in before],
                window_days=limits.home_days,
                limit_count=_MOST_INSTALMENTS,
            )
            return


def _sells_homes(one: Movement) -> bool:
    return one.purchase and not one.collected and "new_homes" in topics_in(one.party)


def _densest(rows: Sequence[Movement], days: int) -> list[Movement]:
    """Return the payments in the window with the most parties; of equal windows the one with the larger sum, then the first."""
    windows = (within(rows, first.day, days - 1) for first in rows)
    return [
        *max(
            windows,
            key=lambda some: (len({one.party for one in some}), sum(one.amount for one in some)),
            default=(),
        )
    ]


def _concentrated(life: Life, every: Sequence[Movement], chosen: Sequence[Movement]) -> bool:
    return (
        life.span_days < _LONG_DAYS
        or len(chosen) >= _CONCENTRATED * len(every)
        or (
            median(one.amount for one in every) >= life.minor(life.limits.fan_in_median)
            and _in_bursts(life, every)
        )
    )


def _in_bursts(life: Life, every: Sequence[Movement]) -> bool:
    """Return whether most payments came in a few short periods far apart, each from other parties: people who pay for a trip pay for each trip."""
    if len({one.party for one in every}) < _OTHERS * len(every):
        return False
    left = list(every)
    bursts = 0
    for _ in range(_MOST_BURSTS):
        burst = _densest(left, _BURST_DAYS)
        if len({one.party for one in burst}) < _FEWEST_IN_BURST:
            break
        bursts += 1
        left = [one for one in left if not burst[0].day <= one.day <= burst[-1].day]
    short = bursts * _BURST_DAYS <= _BURSTS_SHARE * life.span_days
    total, outside = sum(one.amount for one in every), sum(one.amount for one in left)
    return bursts > 1 and short and total - outside >= _IN_BURSTS * total


def _passing(
    candidates: Sequence[Movement],
    own_side: Mapping[str, Sequence[Movement]],
    other_side: Mapping[str, Sequence[Movement]],
    most: int,
    firms: Sequence[Movement] = (),
) -> list[Movement]:
    """Return the movements with strangers, and with the given firms, who pay on one side only, and seldom."""
    of_firms = {id(one) for one in firms}
    return [
        one
        for one in candidates
        if (one.stranger or id(one) in of_firms)
        and one.party
        and not one.cash
        and len(own_side[one.party]) <= most
        and one.party not in other_side
    ]
