"""Seeded variants of guilty patterns and of innocent look-alikes, as frames in the normal form."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pandas as pd
from tests.evaluate.blind import guilty, innocent
from tests.evaluate.blind.life import book


def variants(seed: int, per_kind: int = 6) -> Iterator[tuple[str, bool, pd.DataFrame, pd.DataFrame]]:
    """Yield kind, whether it is guilty, transactions and accounts; a pure function of its arguments.

    Args:
        seed: Any whole number; names, days, sums and texts follow from it.
        per_kind: How many variants of each kind.

    Yields:
        One invented customer each, with an id of its own, over 2025-07-01 to 2026-06-30.
    """
    for is_guilty, kinds in ((True, guilty.PATTERNS), (False, innocent.PATTERNS)):
        for pattern in kinds:
            for number in range(per_kind):
                customer_id = f"{pattern.__name__}-{seed}-{number}"
                # The stream of random numbers hangs on the name, so that a new kind leaves the others as they are.
                # The customer id does not name the kind in the frame: a scorer's code must not see it.
                rng = random.Random(customer_id)  # noqa: S311 - invented people need no secrecy
                made = book(f"V{rng.getrandbits(32):08x}", rng)
                pattern(made)
                yield (pattern.__name__, is_guilty, *made.frames())
