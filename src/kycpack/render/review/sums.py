"""What findings are about, so that a step says which one is meant: payments, named by amount, payer and day, and matches in named categories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.dates import day_words
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, money_words, text_of
from kycpack.wealth.judge.wording import CASH, NO_NAME

_LONGEST_PAYER = 60


@dataclass(frozen=True)
class Sums:
    """What findings about money and matches are about.

    Attributes:
        credits: The credit of each red flag that has one payment only, such as `24,718.00 GBP from K Ferrant on 16 Jul 2026`, by the flag's message.
        flagged: The ids of the transactions that each red flag rests on, by the flag's message.
        payments: The payments, such as `payment P1 (85,000.00 GBP)`, by the id of their evidence.
        beside: The ids of the payments that came in beside a benefit.
        named: The sessions in which each match is in a category that the results name.
    """

    credits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    payments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flagged: Mapping[str, frozenset[str]] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()

    def transactions_of(self, sentence: str) -> frozenset[str]:
        """Return the ids of the transactions that the red flags rest on whose messages a sentence has."""
        said = [message for message in self.flagged if message and message in sentence]
        whole = [one for one in said if not any(one in other for other in said if other != one)]
        return frozenset().union(*map(self.flagged.__getitem__, whole))

    def credits_of(self, sentence: str) -> tuple[str, ...]:
        """Return the credits of the red flags whose message a sentence has; empty if they have several payments or none."""
        return self.credits.get(_longest_in(sentence, self.credits), ())

    def notes_of(self, sentences: Sequence[str]) -> list[tuple[str, str]]:
        """Return for each sentence, in their order, whether its red flag rests on payments of an earlier one, in words, and the message of that one; empty if not.

        Of several earlier ones the one with the most payments is named, so that it is the same one in whatever order they are listed.
        """
        messages = [_longest_in(sentence, self.flagged) for sentence in sentences]
        notes = []
        for place, message in enumerate(messages):
            mine, title = self.flagged.get(message, frozenset()), message.partition(":")[0]
            heads = {
                each.partition(":")[0]: each
                for each in messages[:place]
                if mine and mine <= self.flagged.get(each, frozenset())
            }
            sizes = {(len(self.flagged[each]), head) for head, each in heads.items() if head != title}
            _, head = max(sizes, default=(0, ""))
            earlier = heads.get(head, "")
            notes.append((_note(len(mine), len(self.flagged[earlier]), head) if head else "", earlier))
        return notes

    def payments_of(self, evidence_ids: Iterable[str]) -> tuple[str, ...]:
        """Return the payments that some entries of the evidence show."""
        return tuple(
            dict.fromkeys(words for id_ in evidence_ids for words in self.payments.get(str(id_), ()))
        )


def sums_of(flags: pd.DataFrame, credits_: pd.DataFrame, payments: pd.DataFrame, names: ShortNames) -> Sums:
    """Return what the findings of one customer about money are about.

    Args:
        flags: Frame `flags` of the customer.
        credits_: Frame `credits` of the customer.
        payments: Frame `payments` of the customer.
        names: Short names of payments.
    """
    by_id = {
        str(row["txn_id"]): row
        for row in records(credits_, "txn_id", "amount_minor", "currency", "payer", "booked_on")
    }
    found: dict[str, tuple[str, ...]] = {}
    flagged: dict[str, frozenset[str]] = {}
    for row in records(flags, "message", "txn_ids"):
        message, ids = text_of(row["message"], "").strip().removesuffix("."), [*map(str, row["txn_ids"])]
        flagged[message] = flagged.get(message, frozenset()) | frozenset(ids)
        if message and len(ids) == 1 and ids[0] in by_id:
            found[message] = (*found.get(message, ()), _credit(by_id[ids[0]]))
    made: dict[str, tuple[str, ...]] = {}
    for row in records(payments, "payment_id", "amount_minor", "currency", "amount", "evidence_id"):
        evidence = text_of(row["evidence_id"], "")
        made[evidence] = (*made.get(evidence, ()), f"payment {names.of(row['payment_id'])} ({_amount(row)})")
    return Sums(found, made, flagged)


SAME_PAYMENTS = re.compile("; (?:this|these) (?:is the|are the|payment is|payments are)[^“]* of (“[^”]+”)")
"""Matches what `_note` says; the red flag that has the payments is group 1."""


def _note(count: int, count_of_earlier: int, earlier: str) -> str:
    """Return that the payments of a red flag are some of those of an earlier one, or all of them."""
    is_one = count == 1
    if count == count_of_earlier:
        return f"; {'this is the payment' if is_one else 'these are the payments'} of “{earlier}”"
    return f"; {'this payment is' if is_one else 'these payments are'} among those of “{earlier}”"


def _longest_in(sentence: str, messages: Iterable[str]) -> str:
    """Return the longest of some messages that a sentence has; empty for none."""
    return max((message for message in messages if message and message in sentence), key=len, default="")


def short_party(name: str) -> str:
    """Return the name of a payer or of who is paid, cut if it is long."""
    return shorten(name, _LONGEST_PAYER, placeholder=" …")


def _credit(row: Mapping[Any, Any]) -> str:
    payer = "" if is_absent(row["payer"]) else str(row["payer"])
    known = {CASH: " in cash", NO_NAME: "", "": ""}
    origin = known.get(payer, f" from {short_party(payer)}")
    day = "" if is_absent(row["booked_on"]) else f" on {day_words(row['booked_on'])}"
    return f"{money_words(row['amount_minor'], row['currency'])}{origin}{day}"


def _amount(row: Mapping[Any, Any]) -> str:
    if not is_absent(row["currency"]) and not is_absent(row["amount_minor"]):
        return money_words(row["amount_minor"], row["currency"])
    return text_of(row["amount"], "amount not known")
