"""Makes histories worse in one known way, to measure how much quality is lost.

The truth is attached to the movements, so that it remains correct for those that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random

from kycpack.synthetic.ledger import to_duplicate_id
from kycpack.synthetic.records import Account, Population, Posting, StatementLine
from kycpack.synthetic.word_lists import draw_random

MISSING_SHARE = 0.10
SHIFT_DAYS = 3
AMOUNT_SPREAD = 0.20
SPLIT_SHARE = 0.5

_NOISE_WORDS = ("REF", "FPI", "BGC", "CR", "PAYMENT", "VIA ONLINE", "MOBILE", "GB")


def degrade(population: Population, kind: str, *, seed: int = 0) -> Population:
    """Return a population with histories made worse in one way.

    Args:
        population: From `generate`.
        kind: One of `DEGRADATIONS`.
        seed: Seed of the random changes.

    Returns:
        The same customers; transaction ids are unchanged.
    """
    change = DEGRADATIONS[kind]
    customers = []
    for plan in population.customers:
        changed = {
            account.key: change(account, draw_random(seed, kind, plan.key, account.key))
            for account in plan.accounts
            if not account.duplicate_of
        }
        accounts = tuple(
            _repeat(changed[account.duplicate_of], account) if account.duplicate_of else changed[account.key]
            for account in plan.accounts
        )
        customers.append(replace(plan, accounts=accounts))
    return replace(population, customers=tuple(customers))


def _repeat(original: Account, duplicate: Account) -> Account:
    """Return the second link of an account with the changes made to the first link's postings."""
    held = {posting.txn_id for posting in duplicate.postings}
    postings = tuple(
        replace(posting, txn_id=txn_id)
        for posting in original.postings
        if (txn_id := to_duplicate_id(posting.txn_id)) in held
    )
    return replace(duplicate, postings=postings, closing_minor=original.closing_minor)


def _drop_months(account: Account, rng: Random) -> Account:
    """Remove a tenth of the months."""
    months = sorted({(one.movement.booked_on.year, one.movement.booked_on.month) for one in account.postings})
    lost = {month for month in months if rng.random() < MISSING_SHARE}
    kept = tuple(
        one
        for one in account.postings
        if (one.movement.booked_on.year, one.movement.booked_on.month) not in lost
    )
    return replace(account, postings=kept)


def _shift_dates(account: Account, rng: Random) -> Account:
    """Move each credit by up to three days."""

    def shift(movement: StatementLine) -> StatementLine:
        days = timedelta(days=rng.randint(-SHIFT_DAYS, SHIFT_DAYS))
        return replace(movement, booked_on=movement.booked_on + days, value_on=None)

    return _rebook(account, [_change_stream(one, shift) for one in account.postings])


def _spread_amounts(account: Account, rng: Random) -> Account:
    """Change the amount of each credit of a stream by up to a fifth."""

    def spread(movement: StatementLine) -> StatementLine:
        factor = rng.uniform(1 - AMOUNT_SPREAD, 1 + AMOUNT_SPREAD)
        return replace(movement, amount_minor=max(1, round(movement.amount_minor * factor)))

    return _rebook(account, [_change_stream(one, spread) for one in account.postings])


def _blur_texts(account: Account, rng: Random) -> Account:
    """Add words, lose letters, change case and cut the texts of a stream's credits."""

    def blur(movement: StatementLine) -> StatementLine:
        text = movement.text
        match rng.randrange(6):
            case 0:
                text = f"{rng.choice(_NOISE_WORDS)} {text}"
            case 1:
                text = f"{text} {rng.randrange(10**5, 10**6)}"
            case 2:
                text = text.title()
            case 3:
                place = rng.randrange(max(1, len(text)))
                text = text[:place] + text[place + 1 :]
            case 4:
                text = text[: max(12, len(text) - 6)]
            case _:
                text = f"{text} {rng.choice(_NOISE_WORDS)}"
        return replace(movement, text=text)

    return replace(account, postings=tuple(_change_stream(one, blur) for one in account.postings))


def _split_payers(account: Account, rng: Random) -> Account:
    """Make each payer use a second account about half of the time."""

    def split(movement: StatementLine) -> StatementLine:
        if movement.counterparty_account is None or rng.random() >= SPLIT_SHARE:
            return movement
        return replace(movement, counterparty_account=movement.counterparty_account[::-1])

    return replace(account, postings=tuple(_change_stream(one, split) for one in account.postings))


DEGRADATIONS: Mapping[str, Callable[[Account, Random], Account]] = {
    "missing_months": _drop_months,
    "shifted_dates": _shift_dates,
    "spread_amounts": _spread_amounts,
    "blurred_texts": _blur_texts,
    "split_payers": _split_payers,
}
"""Ways to make a history worse, by name."""


def _change_stream(posting: Posting, change: Callable[[StatementLine], StatementLine]) -> Posting:
    truth = posting.movement.truth
    if truth is None or truth.disposition != "stream" or posting.movement.status != "booked":
        return posting
    return replace(posting, movement=change(posting.movement))


def _rebook(account: Account, postings: list[Posting]) -> Account:
    """Return the account with its postings in order of date and its balances recalculated."""
    if not postings:
        return account
    first = account.postings[0]
    after = next(
        (one.balance_after_minor for one in account.postings if one.balance_after_minor is not None), 0
    )
    opened = first.balance_after_minor is not None
    balance = after - (first.movement.amount_minor if opened else 0)
    chained = []
    for posting in sorted(postings, key=lambda one: one.movement.booked_on):
        booked = posting.movement.status == "booked"
        balance += posting.movement.amount_minor if booked else 0
        chained.append(replace(posting, balance_after_minor=balance if booked else None))
    return replace(account, postings=tuple(chained), closing_minor=balance)
