"""The card takings of a trade."""

from __future__ import annotations

from kycpack.wealth.judge.red_flags.life import Life, once_a_life
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.judge.red_flags.payment_words import topics_in

TRADE_INCOME = frozenset({"self_employment", "business_income"})


@once_a_life
def card_takings(life: Life) -> list[Movement]:
    """Return what card machines, platforms and firms pay out to a trade; being paid for something a stranger or a namesake calls an invoice does not make a trader."""
    return [
        one
        for one in life.credits
        if not one.cash
        and (
            (one.kind == "payment_processor" and "between_people" not in topics_in(one.party))
            or (one.type in TRADE_INCOME and not (one.unproven and (one.stranger or one.related)))
        )
    ]
