"""The exact binomial interval: how large a share may be, when so many of a sample had it.

Source: Clopper and Pearson (1934), Biometrika 26(4).
"""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 60  # halvings: more than a double has digits


def exact_interval(found: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of a share, both ends 0..1.

    Args:
        found: How many of the sample had it.
        of: Size of the sample; nothing is known from none: 0 to 1.
        confidence: How sure, between 0 and 1.

    Raises:
        ValueError: More were found than there are, or the confidence is not between 0 and 1.
    """
    if not 0 <= found <= of or not 0 < confidence < 1:
        raise ValueError("expected 0 <= found <= of and a confidence between 0 and 1")
    tail = (1 - confidence) / 2
    low = 0.0 if found == 0 else _share(lambda share: 1 - _at_most(found - 1, of, share), tail)
    high = 1.0 if found == of else _share(lambda share: 1 - _at_most(found, of, share), 1 - tail)
    return low, high


def _share(rising: Callable[[float], float], wanted: float) -> float:
    """Return the share at which a rising function of it takes a value."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(most: int, of: int, share: float) -> float:
    """Return the probability of at most so many of a sample, when each has it with this probability."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if most >= of else 0.0
    logs = math.log(share), math.log1p(-share)
    total = math.lgamma(of + 1)
    return math.fsum(
        math.exp(
            total
            - math.lgamma(count + 1)
            - math.lgamma(of - count + 1)
            + count * logs[0]
            + (of - count) * logs[1]
        )
        for count in range(most + 1)
    )
