"""The exact binomial confidence interval for a share, from a sample.

Source: Clopper and Pearson (1934), Biometrika 26(4).
"""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 60  # bisection steps: more than the bits of a double


def exact_interval(found: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of a share, both ends in 0..1.

    Args:
        found: Number of items in the sample with the property.
        of: Size of the sample; for 0 the interval is 0 to 1.
        confidence: Confidence level, between 0 and 1.

    Raises:
        ValueError: `found` exceeds `of`, or the confidence is not between 0 and 1.
    """
    if not 0 <= found <= of or not 0 < confidence < 1:
        raise ValueError("expected 0 <= found <= of and a confidence between 0 and 1")
    tail = (1 - confidence) / 2
    low = 0.0 if found == 0 else _share(lambda share: 1 - _at_most(found - 1, of, share), tail)
    high = 1.0 if found == of else _share(lambda share: 1 - _at_most(found, of, share), 1 - tail)
    return low, high


def _share(rising: Callable[[float], float], wanted: float) -> float:
    """Return the share at which an increasing function has a given value."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(most: int, of: int, share: float) -> float:
    """Return the probability of at most `most` items with the property in a sample, if each has it with this probability."""
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
