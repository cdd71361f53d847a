"""Words by which red flags tell what a payment looks like, from `data/lexicon/red_flags.yaml`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import yaml

from kycpack.assets import asset_text
from kycpack.wealth.prepare.lexicon import to_words


@dataclass(frozen=True)
class PaymentWords:
    """Phrases, each as plain words between blanks.

    Args:
        cash_out: Cash taken out.
        purchases: What is bought, or has to be paid, in large sums.
        remittance: Firms that carry money to people.
        joint: Accounts held, or houses kept, with somebody else.
    """

    cash_out: tuple[str, ...]
    purchases: tuple[str, ...]
    remittance: tuple[str, ...]
    joint: tuple[str, ...]


@lru_cache(maxsize=1)
def payment_words() -> PaymentWords:
    """Return the words that come with the package."""
    document = yaml.safe_load(asset_text("lexicon/red_flags.yaml"))
    return PaymentWords(**{name: _padded(document[name]) for name in PaymentWords.__dataclass_fields__})


def speaks_of(texts: Iterable[str], phrases: tuple[str, ...]) -> list[bool]:
    """Return which plain texts hold one of the phrases as whole words."""
    return [any(phrase in f" {text} " for phrase in phrases) for text in texts]


def _padded(words: list[str]) -> tuple[str, ...]:
    return tuple(f" {word} " for word in to_words(words))
