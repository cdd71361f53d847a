"""The steps of a case as they are printed."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.render.review import steps
from kycpack.render.review.approval import NO_TERMS, Terms
from kycpack.render.review.reasons import Reason, Unknown


def steps_of(why: Sequence[Reason | Unknown], terms: Terms = NO_TERMS) -> tuple[str, ...]:
    """Return what has to be done, in order, numbered if there are several."""
    return steps.in_full(steps.steps_of(why, terms))
