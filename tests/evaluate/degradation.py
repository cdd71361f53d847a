"""Makes histories worse in one known way, to measure how much quality is lost.

The truth is attached to the movements, so that it remains correct for those that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
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


def _shift_date(movement: StatementLine, rng: Random) -> StatementLine:
    """Move a credit by up to three days."""
    days = timedelta(days=rng.randint(-SHIFT_DAYS, SHIFT_DAYS))
    return replace(movement, booked_on=movement.booked_on + days, value_on=None)


def _spread_amount(movement: StatementLine, rng: Random) -> StatementLine:
    """Change a credit's amount by up to a fifth."""
    factor = rng.uniform(1 - AMOUNT_SPREAD, 1 + AMOUNT_SPREAD)
    return replace(movement, amount_minor=max(1, round(movement.amount_minor * factor)))


def _blur_text(movement: StatementLine, rng: Random) -> StatementLine:
    """Add words to a text, lose letters, change case or cut it."""
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


def _split_payer(movement: StatementLine, rng: Random) -> StatementLine:
    """Give the payer a second account about half of the time."""
    if movement.counterparty_account is None or rng.random() >= SPLIT_SHARE:
        return movement
    return replace(movement, counterparty_account=movement.counterparty_account[::-1])


def _change_streams(
    account: Account,
    rng: Random,
    *,
    change: Callable[[StatementLine, Random], StatementLine],
    rebook: bool = False,
) -> Account:
    """Change each booked credit of a stream; `rebook` says that dates or amounts change."""

    def changed(posting: Posting) -> Posting:
        truth = posting.movement.truth
        if truth is None or truth.disposition != "stream" or posting.movement.status != "booked":
            return posting
        return replace(posting, movement=change(posting.movement, rng))

    postings = tuple(map(changed, account.postings))
    return _rebook(account, postings) if rebook else replace(account, postings=postings)


DEGRADATIONS: Mapping[str, Callable[[Account, Random], Account]] = {
    "missing_months": _drop_months,
    "shifted_dates": partial(_change_streams, change=_shift_date, rebook=True),
    "spread_amounts": partial(_change_streams, change=_spread_amount, rebook=True),
    "blurred_texts": partial(_change_streams, change=_blur_text),
    "split_payers": partial(_change_streams, change=_split_payer),
}
"""Ways to make a history worse, by name."""


def _rebook(account: Account, postings: Sequence[Posting]) -> Account:
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
