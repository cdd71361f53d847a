"""Red flags: patterns of money that a reviewer has to look at, each with the transactions that raised it."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.wealth.judge.red_flags.cash import (
    cash_intensive,
    cash_sent_on,
    cash_structuring,
    cash_without_trade,
    near_threshold,
)
from kycpack.wealth.judge.red_flags.cash_movements import (
    cash_in_pieces,
    cash_lent_to_many,
    cash_many_places,
    cash_over_accounts,
    lent_in_cash,
)
from kycpack.wealth.judge.red_flags.causes import (
    collected_for_a_cause,
    collection_spent,
    small_sums_abroad,
)
from kycpack.wealth.judge.red_flags.clients_money import client_money_kept, rents_moved_on, rents_to_one
from kycpack.wealth.judge.red_flags.cycles import answering_sums, cycles
from kycpack.wealth.judge.red_flags.drained import (
    bills_unpaid,
    cash_drawn_more,
    gift_cards,
    growing_abroad,
    pension_taken,
    savings_sent_away,
    sent_beyond_means,
)
from kycpack.wealth.judge.red_flags.employers import (
    bought_by_firms,
    employer_as_customer,
    kept_by_firms,
    names_of_one_account,
    sums_beside_salary,
)
from kycpack.wealth.judge.red_flags.emptied import savings_rushed_away
from kycpack.wealth.judge.red_flags.entrusted import (
    collected_for_one,
    gifts_taken,
    goods_for_others,
    invoices_shared_out,
)
from kycpack.wealth.judge.red_flags.flag import twice_words
from kycpack.wealth.judge.red_flags.large_credits import (
    awakened_accounts,
    beyond_declared,
    large_unexplained,
    new_accounts,
)
from kycpack.wealth.judge.red_flags.lives import Finder, Lives
from kycpack.wealth.judge.red_flags.loans import (
    lent_at_a_price,
    loans_met_by_others,
    loans_never_repaid,
    loans_repaid,
    loans_sent_away,
    loans_to_many,
    own_money_lent,
    returns_out_of_deposits,
)
from kycpack.wealth.judge.red_flags.merchants import (
    round_sums_abroad,
    takings_drawn,
    takings_leap,
    takings_to_persons,
    wallets_drawn,
)
from kycpack.wealth.judge.red_flags.pass_through import (
    layered,
    moved_on,
    sent_to_exchange,
)
from kycpack.wealth.judge.red_flags.pay import (
    benefits_moved_on,
    claims_of_many,
    pay_drawn,
    pay_moved_on,
    pay_returned,
    tax_refunds_shared,
)
from kycpack.wealth.judge.red_flags.returns import (
    purchases_cancelled,
    refunds_without_purchase,
    round_trips,
)
from kycpack.wealth.judge.red_flags.several_wages import paid_several_times
from kycpack.wealth.judge.red_flags.strangers import collected_abroad, fan_in, fan_out, home_from_strangers
from kycpack.wealth.judge.red_flags.strangers_money import (
    bills_met_by_strangers,
    bought_for_strangers,
    gifts_rising,
    kept_from_many,
    moved_on_slowly,
    nights_away,
)
from kycpack.wealth.judge.red_flags.takings import cash_beyond_takings
from kycpack.wealth.judge.red_flags.trades import gambling_washed, trades
from kycpack.wealth.match.exchange_rates import rate_words
from kycpack.wealth.prepare.coded import Codes
from kycpack.wealth.prepare.intake import Book

FLAG_COLUMNS = (
    "customer_id",
    "code",
    "severity",
    "message",
    "currency",
    "limit_basis",
    "facts",
    "txn_ids",
    "account_ids",
    "evidence_ids",
)

FINDERS: tuple[Finder, ...] = (
    moved_on,
    pay_moved_on,
    pay_returned,
    pay_drawn,
    benefits_moved_on,
    tax_refunds_shared,
    claims_of_many,
    sums_beside_salary,
    bought_by_firms,
    paid_several_times,
    rents_moved_on,
    rents_to_one,
    sent_to_exchange,
    moved_on_slowly,
    bought_for_strangers,
    bills_met_by_strangers,
    gifts_rising,
    kept_from_many,
    layered,
    loans_repaid,
    loans_met_by_others,
    own_money_lent,
    fan_in,
    collected_abroad,
    collected_for_a_cause,
    fan_out,
    small_sums_abroad,
    home_from_strangers,
    round_trips,
    cycles,
    answering_sums,
    refunds_without_purchase,
    purchases_cancelled,
    savings_sent_away,
    savings_rushed_away,
    loans_sent_away,
    cash_drawn_more,
    growing_abroad,
    sent_beyond_means,
    pension_taken,
    bills_unpaid,
    client_money_kept,
    gift_cards,
    gifts_taken,
    collection_spent,
    goods_for_others,
    invoices_shared_out,
    collected_for_one,
    nights_away,
    returns_out_of_deposits,
    loans_to_many,
    cash_lent_to_many,
    lent_at_a_price,
    loans_never_repaid,
    takings_to_persons,
    takings_drawn,
    takings_leap,
    round_sums_abroad,
    wallets_drawn,
    names_of_one_account,
    employer_as_customer,
    kept_by_firms,
    cash_structuring,
    cash_without_trade,
    lent_in_cash,
    cash_sent_on,
    cash_in_pieces,
    cash_over_accounts,
    cash_many_places,
    cash_beyond_takings,
    near_threshold,
    cash_intensive,
    trades,
    gambling_washed,
    large_unexplained,
    awakened_accounts,
    new_accounts,
    beyond_declared,
)


def find_flags(lives: Lives, book: Book, maybe: Codes) -> pd.DataFrame:
    """Return the red flags.

    Args:
        lives: The customers' payments, the thresholds, and the level of each kind of flag.
        book: The transactions, for their ids.
        maybe: For each transaction that may repeat another one, the other row; -1 for others.

    Returns:
        `FLAG_COLUMNS`, by customer and code. `severity` is the level that the policy gives this kind of flag; `limit_basis` says how a limit is worked out that depends on the case; `facts` has the numbers in the sentence by
        the names in `red_flags.flag.FACTS`; `txn_ids` and `account_ids` are lists of the same length, because a transaction id is unique only within its
        account; `evidence_ids` is a list.
    """
    possible = np.array([finder.possible(lives) for finder in FINDERS]) if lives.owners else np.empty((0, 0))
    found = [
        (customer, currency, flag)
        for place in np.flatnonzero(possible.any(axis=0)).tolist()
        for (customer, currency), life in [(lives.owners[place], lives.at(place))]
        for finder in itertools.compress(FINDERS, possible[:, place].tolist())
        for flag in finder.find(life)
    ]
    repeats = _repeats(book, maybe)
    rows = []
    for customer, currency, flag in sorted(found, key=lambda one: (one[0], one[2].code, one[2].message)):
        txn_ids = book.txn_ids_of([one.txn_id for one in flag.rows])
        account_ids = book.account_ids_of([one.account for one in flag.rows])
        ids = dict(zip(zip(account_ids, txn_ids, strict=True), flag.rows, strict=True))
        twice = [one.amount for id_, one in ids.items() if one.is_credit and repeats.get(id_) in ids]
        rows.append(
            (
                customer,
                flag.code,
                lives.limits.levels[flag.code],
                flag.message
                + twice_words(twice, flag.facts["credits_minor"], currency)
                + rate_words(lives.limits.currency, currency),
                currency,
                flag.basis or None,
                dict(flag.facts) | ({"twice": len(twice), "twice_minor": sum(twice)} if twice else {}),
                txn_ids,
                account_ids,
                sorted({str(one.evidence_id) for one in flag.rows if one.evidence_id is not None}),
            )
        )
    listed = dict.fromkeys(("facts", "txn_ids", "account_ids", "evidence_ids"), "object")
    return frame_of(columns_of(FLAG_COLUMNS, rows), listed)


def _repeats(book: Book, maybe: Codes) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the account and the id of the transaction that another one may repeat, by account and id of that one."""
    again = np.flatnonzero(maybe >= 0)
    sides = (
        zip(book.account_ids[book.account[some]].tolist(), book.txn_id[some].tolist(), strict=True)
        for some in (again, maybe[again])
    )
    return dict(zip(*sides, strict=True))


def declared_incomes(customers: pd.DataFrame | None) -> dict[tuple[str, str], int]:
    """Return declared yearly incomes in minor units, by customer and currency, if frame `customers` has them.

    Args:
        customers: Frame `customers`; `declared_income_minor` and `declared_currency` are optional columns that a firm fills from its own records.
    """
    names = ["customer_id", "declared_currency", "declared_income_minor"]
    if customers is None or not set(names) <= set(customers.columns):
        return {}
    return {
        (str(one), str(currency)): int(minor)
        for one, currency, minor in customers[names].dropna().itertuples(index=False, name=None)
    }
