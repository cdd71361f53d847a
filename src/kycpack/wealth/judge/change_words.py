"""Sentences about dips and steps in the amounts of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor
from kycpack.wealth.judge.changes import Dip, Step

_MOST_DIPS = 2


def dip_lines(dips: Sequence[Dip], currency: str) -> Iterator[str]:
    """Yield a sentence about each dip, or one about all of them if there are many.

    Args:
        dips: From `dips_of`.
        currency: ISO 4217.
    """
    if len(dips) > _MOST_DIPS:
        count, lowest = sum(dip.count for dip in dips), min(dip.lowest_minor for dip in dips)
        which = f"Dips: {count} payments on {len(dips)} occasions, the lowest {format_minor(lowest, currency)}, are"
        yield f"{which} {_below(dips[0], currency)}"
        return
    for dip in dips:
        lowest_words = format_minor(dip.lowest_minor, currency)
        which = (
            f"A dip: the payment on {day_words(dip.from_on)}, {lowest_words}, is"
            if dip.count == 1
            else f"A dip: {dip.count} payments from {day_words(dip.from_on)} to {day_words(dip.to_on)}, the lowest {lowest_words}, are"
        )
        yield f"{which} {_below(dip, currency)}"


def _below(dip: Dip, currency: str) -> str:
    return f"below three quarters of the median; the median of the others is {format_minor(dip.usual_minor, currency)}."


def step_lines(steps: Sequence[Step], currency: str) -> Iterator[str]:
    """Yield the sentence about the steps in the amounts of a stream, if there are any.

    Args:
        steps: From `steps_of`.
        currency: ISO 4217.
    """
    if len(steps) > 1:
        levels = "".join(
            f", {format_minor(step.since_minor, currency)} since {day_words(step.on)}" for step in steps
        )
        yield (
            f"The amounts changed in {len(steps)} steps: median {format_minor(steps[0].before_minor, currency)} at first{levels}."
        )
    elif steps:
        (step,) = steps
        side = "larger" if step.since_minor > step.before_minor else "smaller"
        medians = f"median {format_minor(step.before_minor, currency)} before, {format_minor(step.since_minor, currency)} since"
        if step.odd_count:
            odd = f"{counted(step.odd_count, 'payment does', 'payments do')} not fit this"
            yield f"Since {day_words(step.on)} payments have been {side}: {medians}; {odd}."
        else:
            yield f"Since {day_words(step.on)} every payment has been {side} than any before: {medians}."
