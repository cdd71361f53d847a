"""What findings are about, so that a step says which one is meant: payments, named by amount, payer and day, and matches in named categories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from textwrap import shorten
from typing import Any

import pandas as pd

from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.rows import records
from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.models.money import format_minor
from kycpack.render.origin import Origin, count_of, distinct_of, value_of
from kycpack.render.review.payment_keys import Key, key_of, keys_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, money_words, range_words, text_of
from kycpack.wealth.judge.wording import CASH, NO_NAME

_LONGEST_PAYER = 60
_MOST_PAYERS = 3
_BOTH_WAYS = frozenset({"gambling", "crypto_beyond_income"})


@dataclass(frozen=True, slots=True)
class Paid:
    """Who paid the credits that a red flag rests on.

    Attributes:
        words: What follows the sentence of the red flag.
        origins: The credits with these payers.
    """

    words: str = ""
    origins: tuple[Origin, ...] = ()


_NOBODY = Paid()


@dataclass(frozen=True)
class Sums:
    """What findings about money and matches are about.

    Attributes:
        credits: The credit of each red flag that has one payment only, such as `24,718.00 GBP from K Ferrant on 16 Jul 2026`, by the flag's message.
        flagged: The accounts and ids of the transactions that each red flag rests on, by the flag's message.
        paid: Who paid the credits of each red flag, by the flag's message.
        payments: The payments, such as `payment P1 (85,000.00 GBP)`, by the id of their evidence.
        beside: The accounts and ids of the payments that came in beside a benefit.
        named: The sessions in which each match is in a category that the results name.
        totals: The title of each red flag with what came in and went out, and the sum of each question of the money without a title, by their message.
    """

    credits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    payments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flagged: Mapping[str, frozenset[Key]] = field(default_factory=dict)
    paid: Mapping[str, Paid] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    beside: frozenset[Key] = frozenset()
    totals: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def total_of(self, sentence: str) -> tuple[str, str]:
        """Return the title and the sum of the red flag or the question whose message a sentence has; both empty if it has none."""
        return self.totals.get(_longest_in(sentence, self.totals), ("", ""))

    def transactions_of(self, sentence: str) -> frozenset[Key]:
        """Return the accounts and ids of the transactions that the red flags rest on whose messages a sentence has."""
        said = [message for message in self.flagged if message and message in sentence]
        whole = [one for one in said if not any(one in other for other in said if other != one)]
        return frozenset().union(*map(self.flagged.__getitem__, whole))

    def credits_of(self, sentence: str) -> tuple[str, ...]:
        """Return the credits of the red flags whose message a sentence has; empty if they have several payments or none."""
        return self.credits.get(_longest_in(sentence, self.credits), ())

    def paid_by(self, sentence: str, earlier: str = "") -> Paid:
        """Return who paid the credits of the red flag whose message a sentence has; nobody if a sentence before it says so.

        Args:
            sentence: A sentence with the message of a red flag.
            earlier: The message of an earlier red flag that rests on the same payments; empty for none.
        """
        paid = self.paid.get(_longest_in(sentence, self.paid), _NOBODY)
        return _NOBODY if paid.words == self.paid.get(earlier, _NOBODY).words else paid

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
        key_of(row): row
        for row in records(credits_, "account_id", "txn_id", "amount_minor", "currency", "payer", "booked_on")
    }
    found: dict[str, tuple[str, ...]] = {}
    flagged: dict[str, frozenset[Key]] = {}
    for row in records(flags, "message", "account_ids", "txn_ids"):
        message, ids = flag_message(row), keys_of(row)
        flagged[message] = flagged.get(message, frozenset()) | frozenset(ids)
        if message and len(ids) == 1 and ids[0] in by_id:
            found[message] = (*found.get(message, ()), _credit(by_id[ids[0]]))
    made: dict[str, tuple[str, ...]] = {}
    for row in records(payments, "payment_id", "amount_minor", "currency", "amount", "evidence_id"):
        evidence = text_of(row["evidence_id"], "")
        made[evidence] = (*made.get(evidence, ()), f"payment {names.of(row['payment_id'])} ({_amount(row)})")
    return Sums(found, made, flagged, payers_of(records(flags), by_id))


def flag_message(flag: Mapping[Any, Any]) -> str:
    """Return the message of a row of frame `flags`, or of a gap, as a finding has it."""
    return text_of(flag["message"], "").strip().removesuffix(".")


def payers_of(
    flags: Iterable[Mapping[Any, Any]], credits_: Mapping[Key, Mapping[Any, Any]]
) -> dict[str, Paid]:
    """Return who paid the credits of each red flag, by its message: the payers with the largest sums, and how many there are if not all are named.

    Args:
        flags: Rows of frame `flags`.
        credits_: Rows of frame `credits` with payer and amount, by account and id.
    """
    alike: dict[str, list[Mapping[Any, Any]]] = {}
    for flag in flags:
        alike.setdefault(flag_message(flag), []).append(flag)
    found = {said: _paid(each, credits_) for said, each in alike.items()}
    return {said: paid for said, paid in found.items() if paid.words}


def _paid(flags: Sequence[Mapping[Any, Any]], credits_: Mapping[Key, Mapping[Any, Any]]) -> Paid:
    """Return who paid the credits of the red flags of one message, such as two equal sums of one day."""
    every = [key for key in dict.fromkeys(chain.from_iterable(map(keys_of, flags))) if key in credits_]
    payers = {key: text_of(credits_[key]["payer"], "") for key in every}
    sums: Counter[str] = Counter()
    for key, payer in payers.items():
        if payer not in {"", CASH, NO_NAME}:
            sums[payer] += int(credits_[key]["amount_minor"])
    # What a sentence calls one party may be written in several ways.
    most = 1 if len(flags) == 1 and flags[0]["facts"].get("payers") == 1 else _MOST_PAYERS
    shown = [payer for payer, _ in sums.most_common(most)]
    if not shown:
        return _NOBODY
    names = listed([short_party(payer) for payer in shown])
    one, many = ("counterparty", "counterparties") if all(map(_is_both_ways, flags)) else ("payer", "payers")
    words = f"{one if len(shown) == 1 else many}: {names}"
    if most > 1 and len(shown) < len(sums):
        words = f"{len(sums)} names of {many}, among them {names}"
    nameless = sum(payer in {"", NO_NAME} for payer in payers.values())
    unnamed = f"; {counted(nameless, 'credit has', 'credits have')} no payer's name" if nameless else ""
    ids = {"account_id": {key[0] for key in every}, "txn_id": {key[1] for key in every}}
    both = f"; {len(flags)} such findings" if len(flags) > 1 else ""
    return Paid(
        f"{both}; {words}{unnamed}",
        (
            value_of("credits", "payer", **ids),
            distinct_of("credits", "payer", **ids),
            *((count_of("credits", **ids, payer=("", NO_NAME)),) if nameless else ()),
            *((count_of("flags", message=flags[0]["message"]),) if both else ()),
        ),
    )


def _is_both_ways(flag: Mapping[Any, Any]) -> bool:
    """Return whether as many parties are paid as pay, in a red flag of payments to and from the same ones."""
    facts = flag["facts"]
    return flag.get("code") in _BOTH_WAYS and facts.get("payers") == facts.get("payees")


def totals_of(flags: pd.DataFrame, limits: pd.DataFrame, names: ShortNames) -> dict[str, tuple[str, str]]:
    """Return the title and the sum of what findings about money are about, as in `Sums.totals`.

    Args:
        flags: Frame `flags` of the customer.
        limits: The limits of the customer's data, among which are the questions of the money.
        names: Short names of accounts, as in the findings.
    """
    found = {
        names.within(_message_of(row)): ("", _sum_of(row))
        for row in records(limits, "code", "message", "amount_minor", "currency", "least_minor")
        if not is_absent(row["amount_minor"])
    }
    alike: dict[tuple[str, str], Counter[str]] = {}
    for row in records(flags, "message", "currency", "facts"):
        facts = {name: row["facts"].get(name, 0) for name in ("credits_minor", "debits_minor", "twice_minor")}
        alike.setdefault((_bare(row), str(row["currency"])), Counter()).update(facts)
    for (message, currency), sums in alike.items():
        most, out = sums["credits_minor"], sums["debits_minor"]
        into = range_words(most - sums["twice_minor"], most, currency)
        paid = format_minor(out, currency)
        sum_ = f"{paid} out and {into} in" if most and out else into if most else paid
        found[message] = (message.partition(":")[0], sum_)
    return found


def _message_of(row: Mapping[Any, Any]) -> str:
    """Return the message of a gap as a finding has it: of accounts that may be one, without what is own transfers."""
    message = _bare(row)
    return message.partition("; ")[0] if row["code"] == "may_be_one_account" else message


def _sum_of(row: Mapping[Any, Any]) -> str:
    most = int(row["amount_minor"])
    least = most if is_absent(row["least_minor"]) else int(row["least_minor"])
    return range_words(least, most, row["currency"])


def _bare(row: Mapping[Any, Any]) -> str:
    return CITED_AT_END.sub("", flag_message(row))


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
