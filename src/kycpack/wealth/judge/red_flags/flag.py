"""A red flag: what was seen, the payments that show it, and the numbers in its sentence.

A date does not show which of two payments of one day came first, and a sentence must not claim what nothing shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import starmap

import numpy as np

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import format_minor
from kycpack.wealth.judge.red_flags.life import sums_by_party
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.prepare.coded import lowest_of_joined
from kycpack.wealth.prepare.lexicon import load_lexicon, name_people
from kycpack.wealth.prepare.payers import join_spellings

_EPOCH = date(1970, 1, 1)
_SEVERAL = 2
Pair = tuple[Movement, Movement]
"""Two payments, of which the second is said to follow the first."""


@dataclass(frozen=True)
class Flag:
    """A red flag of one customer.

    Args:
        code: Kind, as in `pass_through`.
        message: One plain sentence, without a full stop.
        rows: All payments that show it, by day.
        facts: The numbers in the sentence by name: counts, sums (`_minor`), days since 1970-01-01 (`_on`), windows (`_days`), whole percentages
            (`_percent`). `FACTS` explains the names.
        basis: How the limit is worked out that its sentence gives, in words; empty if that does not depend on the case.
    """

    code: str
    message: str
    rows: tuple[Movement, ...]
    facts: Mapping[str, int] = field(default_factory=dict)
    basis: str = ""


FACTS = {
    "credits": "number of the credits among the payments",
    "credits_minor": "their sum, minor units",
    "debits": "number of the debits among the payments",
    "debits_minor": "their sum, minor units",
    "payers": "number of parties that the credits name, each once in whatever spellings",
    "payees": "number of parties that the debits name, each once in whatever spellings",
    "most_paid_minor": "sum of the debits to the party that got most, where several got money and it got more than half, minor units",
    "accounts": "number of the customer's accounts among the payments",
    "first_on": "day of the first payment",
    "last_on": "day of the last payment",
    "window_days": "a number of days from the thresholds",
    "limit_count": "a number of payments or of different sums from the thresholds",
    "limit_minor": "an amount from the thresholds, minor units",
    "income_minor": "income of established nature, observed in the same currency, minor units",
    "regular_minor": "credits of firms that pay regularly for at least half the time observed and whose nature is not established, in the same currency, minor units",
    "all_credits_minor": "all credits in the same currency, own transfers and refunds left out, minor units",
    "share_percent": "the payments' credits as a share of `all_credits_minor`, whole percent",
    "observed_from_on": "day of the first payment of all in the same currency",
    "observed_to_on": "day of the last one",
    "quiet_days": "days without a payment before the first one",
    "declared_minor": "yearly income that the customer declared, minor units",
    "undecided_pairs": "pairs of payments, of which the sentence says that one followed the other, of one day without anything that shows the order",
    "reversed_pairs": "such pairs of one day of which times or balances show that the second came first",
    "twice": "number of the credits among the payments that may be counted twice",
    "twice_minor": "their sum, minor units",
}


def make_flag(
    code: str,
    sentence: str,
    currency: str,
    credits_: Iterable[Movement],
    debits: Iterable[Movement] = (),
    pairs: Iterable[Pair] = (),
    limit: tuple[int, str] | None = None,
    /,
    **facts: int,
) -> Flag:
    """Return a flag whose sentence is filled in from its own payments.

    Args:
        code: Kind.
        sentence: The sentence, with placeholders named as in `FACTS`; sums and days are written out, and `{credits_words}` and `{debits_words}` are a count with its noun,
            `{paid_words}` is the sum of the debits, and how much of it went to one party, if that is most of it.
        currency: ISO 4217.
        credits_: The credits that show it.
        debits: The debits that show it.
        pairs: Payments of which the sentence says that the second followed the first; where that is not known, it says so.
        limit: The limit in the sentence if it depends on the case, and how it is worked out.
        **facts: Facts that the payments alone do not show.
    """
    into, out = _sorted(credits_), _sorted(debits)
    rows = _sorted([*into, *out])
    known = {
        "credits": len(into),
        "credits_minor": sum(one.amount for one in into),
        "debits": len(out),
        "debits_minor": sum(one.amount for one in out),
        "payers": _parties(into),
        "payees": _parties(out),
        "accounts": len({one.account for one in rows}),
        "first_on": rows[0].day,
        "last_on": rows[-1].day,
        **facts,
    }
    most = _most_paid(out) if "{paid_words}" in sentence and known["payees"] >= _SEVERAL else 0
    if most:
        known["most_paid_minor"] = most
    if limit:
        known["limit_minor"] = limit[0]
    not_in_order = order_facts(pairs)
    known |= not_in_order
    words = {name: _written(name, value, currency) for name, value in known.items()}
    words["credits_words"] = counted(known["credits"], "credit")
    words["debits_words"] = counted(known["debits"], "payment")
    words["payers_words"] = counted(known["payers"], "party", "parties")
    words["payees_words"] = counted(known["payees"], "party", "parties")
    words["paid_words"] = words["debits_minor"] + (
        f", of which {words['most_paid_minor']} to one" if most else ""
    )
    for name, count in not_in_order.items():
        words[name.replace("pairs", "words")] = counted(count, "pair")
    words["dates"] = _dates(known["first_on"], known["last_on"])
    whole = sentence + order_words(**not_in_order)
    return Flag(code, whole.format(**words), rows, known, limit[1] if limit else "")


def twice_words(amounts: Sequence[int], credits_minor: int, currency: str) -> str:
    """Return what a sentence adds about credits that may be counted twice: their sum, and the sum of the others; nothing if there are none.

    Args:
        amounts: Their amounts, minor units.
        credits_minor: The sum of all credits of the flag, minor units.
        currency: ISO 4217.
    """
    if not amounts:
        return ""
    whole, others = (format_minor(minor, currency) for minor in (sum(amounts), credits_minor - sum(amounts)))
    return (
        f"; {len(amounts)} of the credits, {whole} in all, may be counted twice: the others come to {others}"
    )


def beside_income(income_minor: int, regular_minor: int = 0) -> str:
    """Return the words that compare a sum with the known income, with placeholders for the two sums and for the days of `Life.observed`.

    Args:
        income_minor: Income of established nature, minor units.
        regular_minor: What firms pay in as a habit of at least half the time observed although its nature is not established, minor units.
    """
    known = "an established income of {income_minor}" if income_minor else "no established income"
    if regular_minor:
        known = "against {regular_minor} from firms that pay regularly, purpose not known, and " + known
    else:
        known = f"{'against' if income_minor else 'with'} {known}"
    return f"{known} over the whole time observed ({{observed_from_on}} to {{observed_to_on}})"


def to_date(day: int) -> date:
    """Return days since 1970-01-01 as a date."""
    return _EPOCH + timedelta(days=day)


def _written(name: str, value: int, currency: str) -> str:
    if name.endswith("_minor"):
        return format_minor(value, currency)
    if name.endswith("_on"):
        return day_words(to_date(value))
    return f"{value}%" if name.endswith("_percent") else str(value)


def _dates(first: int, last: int) -> str:
    if first == last:
        return f"on {day_words(to_date(first))}"
    return f"between {day_words(to_date(first))} and {day_words(to_date(last))}"


def _sorted(rows: Iterable[Movement]) -> tuple[Movement, ...]:
    return tuple(sorted(rows, key=lambda one: (one.day, not one.is_credit, one.account, one.txn_id)))


def _most_paid(rows: Sequence[Movement]) -> int:
    """Return how much one named party got, minor units, if it is more than half of all; otherwise 0."""
    paid = sums_by_party(rows)
    most = max(paid.values(), default=0)
    return most if 2 * most > sum(paid.values()) and paid.get("", 0) != most else 0


def _parties(rows: Sequence[Movement]) -> int:
    """Return the number of parties named, each once in whatever spellings, as in a stream; payments that name nobody count as one party."""
    names = sorted({one.party for one in rows})
    if len(names) < _SEVERAL:
        return len(names)
    number = {name: index for index, name in enumerate(names)}
    party = np.array([number[one.party] for one in rows], dtype=np.int64)
    lexicon = load_lexicon()
    spelling = join_spellings(
        np.zeros_like(party),
        party,
        names,
        np.flatnonzero(~name_people(names, lexicon)).tolist(),
        np.array([one.day for one in rows], dtype=np.int64),
        lexicon.nature_pattern,
    )
    first = {one.payer: number[one.party] for one in reversed(rows)}
    of_stream = ((number[one.party], first[one.payer]) for one in rows if one.payer)
    return len(
        {
            *lowest_of_joined(
                len(names), [*zip(party.tolist(), spelling.tolist(), strict=True), *of_stream]
            ).tolist()
        }
    )


def came_first(one: Movement, other: Movement) -> bool | None:
    """Return whether one payment came before another one; None if they are of one day and nothing shows it."""
    if one.day != other.day:
        return one.day < other.day
    if one.account == other.account and one.turn and other.turn:
        return one.turn < other.turn
    return None


def is_in_order(pairs: Iterable[Pair]) -> bool:
    """Return whether at least one of the pairs is known to be in its order."""
    return any(starmap(came_first, pairs))


def order_facts(pairs: Iterable[Pair]) -> dict[str, int]:
    """Return the facts of a flag about the pairs that are not known to be in their order; those that count none are left out."""
    found = list(starmap(came_first, pairs))
    facts = {"undecided_pairs": found.count(None), "reversed_pairs": found.count(False)}
    return {name: count for name, count in facts.items() if count}


def order_words(undecided_pairs: int = 0, reversed_pairs: int = 0) -> str:
    """Return what a sentence adds about such pairs, with placeholders; nothing if there are none."""
    said = []
    if undecided_pairs:
        said.append("for {undecided_words} of same-day payments the data does not show which came first")
    if reversed_pairs:
        said.append("in {reversed_words} of same-day payments the money went out before it came in")
    return "".join(f"; {one}" for one in said)
