"""Credits whose payer has the customer's own name: perhaps own money, from an account that is not linked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kycpack.wealth.judge.natures import OWN_NAME, Natures
from kycpack.wealth.match.sides import Sides
from kycpack.wealth.prepare.coded import Mask
from kycpack.wealth.prepare.evidence_levels import PATTERN
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon


def with_own_money(natures: Natures, sides: Sides, moved: Mask, lexicon: Lexicon) -> Natures:
    """Return natures in which single credits of no other nature from a payer of the customer's name are savings, which is only possible: a relative may have that name.

    Args:
        natures: The natures of credits.
        sides: What each credit shows about its other party.
        moved: Which credits are own transfers.
        lexicon: Names of types.
    """
    signals = natures.signals
    named = sides.own | (sides.mentioned & signals.own_transfer & ~sides.against)
    possible = named & (signals.type_code == NO_TYPE) & ~signals.refund & ~moved
    return replace(
        natures,
        signals=replace(
            signals,
            type_code=np.where(possible, lexicon.code("savings"), signals.type_code),
            evidence=np.where(possible, PATTERN, signals.evidence),
        ),
        of_credit=np.where(possible, OWN_NAME, natures.of_credit),
    )
