"""Firms that say nothing of what they pay for, and of which the trade or the way of payment leaves only wages."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import Mask
from kycpack.wealth.prepare.parties import FIRM
from kycpack.wealth.prepare.readings import Reading
from kycpack.wealth.prepare.signals import Signals

LIKE_WAGES = "only the payer's name and the pattern of the payments speak for pay"
"""What shows payments that are `ONLY_POSSIBLE`: a firm pays uneven amounts on a calendar, as it pays its staff, and says nothing of them; whoever sends money chooses its name."""


def silent_firms(
    signals: Signals,
    by_month: Mask,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
) -> Mask:
    """Return the groups of firms that name no nature and either ply a trade that pays private persons nothing but wages, or pay by the week through a scheme for firms.

    Args:
        signals: What the credits' codes, payers and words show.
        by_month: Groups that come every four weeks or every month, as pensions and rents do too.
        most: Returns the groups for which something holds for most credits.
    """
    silent = [_is_silent(one) for one in signals.readings]
    of_trade = [said and one.staffed for said, one in zip(silent, signals.readings, strict=True)]
    by_scheme = [
        said and one.by_scheme and one.like_firm for said, one in zip(silent, signals.readings, strict=True)
    ]
    return most(of_trade) | (most(by_scheme) & ~by_month)


def _is_silent(one: Reading) -> bool:
    """Return whether a firm of no known kind, trade or far register pays, and no word says what for."""
    nature = one.nature
    known = one.kind or one.trade or one.unread or nature.doubtful or nature.far or nature.shell
    return nature.party == FIRM and not (known or any(clue.says != FIRM for clue in nature.clues))
