"""Words that establish nothing by themselves: an ordinary word, a large sum of which nobody is named, a friend's word for much money.

A second piece of evidence has to bear them out: who pays, what such a payer pays, an amount that somebody worked out, or a calendar.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.lexicon import Lexicon
from kycpack.wealth.prepare.parties import FIRM, PERSON, STATE, UNKNOWN
from kycpack.wealth.prepare.readings import KEYWORD
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES

# Who bears out an ordinary word by being who they are: firms pay wages and bills, families give.
_NOT_FROM_FIRMS = ("cash_deposit", "gift")
_FROM_THE_STATE = ("employment", "pension", "state_benefit", "tax_refund")
_FROM_PERSONS = ("asset_sale", "gift", "loan", "rental_income")
_FEWEST_OFTEN = 3
_LARGE = 10_000  # pounds, as `major_units` has them elsewhere
_MOST_SHARED = 200  # what friends pay for each other's meals and tickets is hardly more; a child's keep or a shared flat comes by the month
_BY_THE_MONTH = tuple(
    CADENCES.index(name) for name in ("fortnightly", "four_weekly", "semi_monthly", "monthly")
)


@dataclass(frozen=True, eq=False)
class Standing:
    """What is known of each credit beside its words.

    Args:
        amount: Amount in minor units.
        major: As of `major_units`, for each credit.
        count: Payments of its group.
        cadence: Index into `CADENCES`.
        irregular: No calendar fits.
        known: The payer is listed.
        of_trade: Who pays shows a trade.
        fits: Such a payer pays such things.
        by_scheme: It came through a scheme that only firms and public bodies use.
    """

    amount: Codes
    major: Codes
    count: Codes
    cadence: Codes
    irregular: Mask
    known: Mask
    of_trade: Mask
    fits: Mask
    by_scheme: Mask


def ordinary_words_alone(signals: Signals, standing: Standing, lexicon: Lexicon) -> Mask:
    """Return credits, no more than two of a payer, that one ordinary word names and that nothing else bears out."""
    loose = np.array([one.nature.loose for one in signals.readings], dtype=np.bool_)[signals.reading]
    few = standing.irregular & (standing.count < _FEWEST_OFTEN)
    firm = is_party(signals, FIRM) & ~signals.is_type(lexicon, *_NOT_FROM_FIRMS)
    state = is_party(signals, STATE) & signals.is_type(lexicon, *_FROM_THE_STATE)
    person = is_party(signals, PERSON) & signals.is_type(lexicon, *_FROM_PERSONS)
    worked_out = signals.is_type(lexicon, "interest") & (standing.amount % standing.major != 0)
    by_bank = is_party(signals, UNKNOWN) & signals.is_type(lexicon, "cash_deposit")  # "COUNTER CREDIT"
    borne_out = standing.known | standing.of_trade | standing.fits | firm | state | person
    # Whoever is named beside the word is judged by that name: `Est Of Late M Hall` is no person.
    borne_out |= signals.is_type(lexicon, "inheritance") & (signals.names.codes >= 0)
    borne_out |= worked_out | by_bank | signals.is_type(lexicon, "person_transfer")
    return np.asarray(loose & few & ~borne_out, dtype=np.bool_)


def lumps_of_nobody(signals: Signals, standing: Standing) -> Mask:
    """Return large sums of which nobody is named who pays such things: a reference is all there is."""
    nobody = is_party(signals, UNKNOWN) & (signals.names.codes < 0)
    nobody &= ~(standing.known | standing.by_scheme | standing.fits)
    large = standing.amount >= _LARGE * standing.major
    return np.asarray(nobody & standing.irregular & large, dtype=np.bool_)


def much_among_friends(signals: Signals, standing: Standing, lexicon: Lexicon) -> Mask:
    """Return credits with a friend's word from nobody known to be a person: PIZZA is a shared meal, and a restaurant's takings."""
    shared = (signals.evidence == KEYWORD) & signals.is_type(lexicon, "person_transfer")
    shared &= is_party(signals, UNKNOWN) & ~signals.family & ~standing.known
    shared &= ~np.isin(standing.cadence, _BY_THE_MONTH)
    much = standing.amount >= _MOST_SHARED * standing.major
    return np.asarray(shared & (standing.of_trade | much), dtype=np.bool_)
