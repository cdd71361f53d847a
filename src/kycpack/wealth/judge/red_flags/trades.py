"""Gambling and crypto, in and out, compared with income.

Sources: Gambling Commission, Duties and responsibilities under POCA 2002 (customers whose spending does not fit their income); FATF, Virtual
Assets Red Flag Indicators (2020), source of funds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kycpack.wealth.judge.red_flags.flag import Flag, beside_income, make_flag
from kycpack.wealth.judge.red_flags.life import Life, once_a_life
from kycpack.wealth.judge.red_flags.lives import found_where
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.occasions import shared_prize
from kycpack.wealth.judge.red_flags.outgoings import card_takings, is_taxed

_SMALL_PART = 4  # a person who saves part of the pay puts in at most one part in this many of it
_NAMES = {"gambling": "Gambling", "crypto": "Crypto assets"}


@once_a_life
def _wagers(life: Life) -> tuple[list[Movement], list[Movement]]:
    """Return credits and debits of gambling and crypto, without wages from a bookmaker."""
    into, out = (
        [
            one
            for one in rows
            if (one.kind in _NAMES or one.type in _NAMES)
            and not (one.is_credit and one.type == "employment" and not one.unproven)
        ]
        for rows in (life.credits, life.debits)
    )
    return into, out


@found_where(
    lambda lives: (
        lives.comes_to(
            lives.debits & (lives.of_kind("gambling") | lives.of_type("gambling")), lives.limits.washed_total
        )
        & lives.has(lives.debits & (lives.of_kind("gambling") | lives.of_type("gambling")))
    )
)
def gambling_washed(life: Life) -> Iterator[Flag]:
    """Yield money that went to gambling firms and came back almost in full: hardly any of it was staked.

    A frequent player wins and loses in turn; a customer who pays in a few large sums and withdraws them again does not play.
    """
    into, out = ([one for one in rows if "gambling" in (one.type, one.kind)] for rows in _wagers(life))
    paid, won = sum(one.amount for one in out), sum(one.amount for one in into)
    if (
        out
        and paid >= max(life.minor(life.limits.washed_total), 1)
        and abs(paid - won) <= life.limits.washed_spread * paid
        and won >= life.minor(life.limits.washed_payout) * len(into)
    ):
        yield make_flag(
            "gambling_washed",
            "Gambling that returns what was paid in: {debits_words} out ({debits_minor}) and {credits_words} in ({credits_minor}), {dates}",
            life.currency,
            into,
            out,
        )


@found_where(
    lambda lives: (
        lives.comes_to(
            lives.credits & (lives.of_kind(*_NAMES) | lives.of_type(*_NAMES)), lives.limits.flow_amount
        )
        | lives.comes_to(
            lives.debits & (lives.of_kind(*_NAMES) | lives.of_type(*_NAMES)), lives.limits.flow_amount
        )
    )
)
def trades(life: Life) -> Iterator[Flag]:
    """Yield gambling and crypto that are large compared with income, or with all credits."""
    limits = life.limits
    shop = bool(card_takings(life))  # the lottery firm collects what a shop took for tickets
    for name, title in _NAMES.items():
        into, out = ([one for one in rows if name in (one.type, one.kind)] for rows in _wagers(life))
        prize = shared_prize(life)
        into = [one for one in into if one is not prize.won]
        out = [one for one in out if not (one.trade and shop) and one not in prize.shares]
        paid, won = sum(one.amount for one in out), sum(one.amount for one in into)
        # Winnings that are staked again are the same money.
        stake = max(paid, won)
        if stake < max(life.minor(limits.flow_amount), 1):
            continue
        share = limits.gambling_share if name == "gambling" else limits.crypto_share
        of_income = limits.gambling_income_share if name == "gambling" else limits.crypto_income_share
        high = (
            stake >= of_income * (life.income_minor + life.regular_minor)
            and stake >= life.minor(limits.flow_total)
            and not _gain_is_taxed(life, paid, into)
        )
        if high or stake >= share * life.all_credits_minor:
            yield make_flag(
                f"{name}_beyond_income" if high else name,
                f"{title}: {_both_ways(into, out)}, {{dates}}, "
                + beside_income(life.income_minor, life.regular_minor),
                life.currency,
                into,
                out,
                income_minor=life.income_minor,
                regular_minor=life.regular_minor,
                **life.observed,
            )


def _both_ways(into: Sequence[Movement], out: Sequence[Movement]) -> str:
    """Return placeholders for what went out and what came in; a direction without payments is left out."""
    ways = ("{debits_words} out ({debits_minor})", "{credits_words} in ({credits_minor})")
    return " and ".join(way for way, rows in zip(ways, (out, into), strict=True) if rows)


def _gain_is_taxed(life: Life, paid: int, into: Sequence[Movement]) -> bool:
    """Return whether little was paid in compared with all other money coming in, and tax was paid on the gain."""
    gain = sum(one.amount for one in into) - paid
    small = paid * _SMALL_PART <= life.income_minor + life.regular_minor
    return bool(into) and paid > 0 and small and is_taxed(life, gain, into[0].day)
