"""The result of a derivation: frames, and questions about one customer that they answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from kycpack.errors import InputError
from kycpack.frames.bank_zones import bank_zone
from kycpack.frames.rows import arrays_of, records, values_of
from kycpack.models.cards import card
from kycpack.models.money import format_minor, from_minor, to_minor
from kycpack.models.payments import Payment
from kycpack.models.wealth import SourceOfWealth
from kycpack.wealth.blocks import customers_of
from kycpack.wealth.explanation import Explanation
from kycpack.wealth.given_thresholds import entities_with
from kycpack.wealth.judge.accounts import (
    AccountDoubt,
    account_doubts_of,
    jointly_held,
    linked_twice,
    statement_accounts,
    statement_customer,
)
from kycpack.wealth.judge.coverage import known_share, nature_of_credits
from kycpack.wealth.judge.means import ReadTransactions, means_of, moved_on
from kycpack.wealth.judge.reconciliation import reconcile
from kycpack.wealth.judge.statement import (
    base_currency_of,
    build_statement,
    primary_source,
    sources_of,
)
from kycpack.wealth.judge.sufficiency import Means, Sufficiency, assess
from kycpack.wealth.judge.unexplained import beside_sources_of, unexplained_of, unexplained_words
from kycpack.wealth.judge.wording import explain_stream
from kycpack.wealth.match.exchange_rates import threshold_bounds
from kycpack.wealth.match.own_accounts import joint_accounts_of
from kycpack.wealth.match.sides import own_parties
from kycpack.wealth.prepare.coded import Codes
from kycpack.wealth.prepare.intake import take_in
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.streams.cadence import Cadences
from kycpack.wealth.streams.streams import largest_first
from kycpack.wealth.thresholds import Thresholds

_CARD_STREAMS = 12
_FEW_ROWS = 2_000  # for more rows, an index of each customer's rows is worth its cost
_NOWHERE: Codes = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Wealth:
    """Where the money of one or more customers came from.

    Args:
        credits: A row for every booked credit that is not set aside, with exactly one disposition.
        streams: A row for each stream.
        evidence: The pieces of evidence of each `evidence_key` in `credits`: what was seen, where, what it supports, and whether it decides.
        coverage: The ledger: count, sum and share of each disposition by customer and currency, and the credits set aside.
        set_aside: Credits that duplicate another one, or are pending.
        pairs: Credits and debits of equal amount in two of a customer's accounts, and the verdict on each pair.
        rejects: Rows of the input that are not used, with the reason.
        balance_breaks: Rows at which the running balance of an account is not consistent.
        feed_holes: Times without any transaction in an account, and whether each is a hole in the feed or possibly one.
        quiet_times: Times of four weeks or more without any transaction in a busy account that are no holes, because the balances around them join.
        flows: Money in and out by customer and currency, without own transfers.
        flags: Red flags, each with the transactions that raised it.
        cadences: Cadences of `streams`, row by row.
        transactions: The rows as they were provided, for results that are worked out when needed.
        customers: Frame `customers`, if it was given.
        accounts: Frame `accounts`, if it was given.
        balances: Frame `balances`, if it was given.
        country: Country whose business days were used.
        thresholds: Thresholds that were used.
        generated_at: The time of the review, UTC.
        read: The transactions as they were read, if they belong to one customer and are not too many.
        in_other_names: The holder of each account that a check of names found to be held in another name than the customer's; joint accounts are not.
    """

    credits: pd.DataFrame
    streams: pd.DataFrame
    evidence: pd.DataFrame
    coverage: pd.DataFrame
    set_aside: pd.DataFrame
    pairs: pd.DataFrame
    rejects: pd.DataFrame
    balance_breaks: pd.DataFrame
    feed_holes: pd.DataFrame
    quiet_times: pd.DataFrame
    flows: pd.DataFrame
    flags: pd.DataFrame
    cadences: Cadences
    transactions: pd.DataFrame
    customers: pd.DataFrame | None
    accounts: pd.DataFrame | None
    balances: pd.DataFrame | None
    country: str
    thresholds: Thresholds
    generated_at: str
    read: ReadTransactions | None = None
    in_other_names: Mapping[str, str] = field(default_factory=dict)
    _sources: dict[str, pd.DataFrame] = field(default_factory=dict, init=False, repr=False)
    _base_currencies: dict[str, str | None] = field(default_factory=dict, init=False, repr=False)
    _last_means: dict[tuple[str, str], Means | None] = field(default_factory=dict, init=False, repr=False)
    _places: dict[int, tuple[pd.DataFrame, dict[str, Codes]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __repr__(self) -> str:
        return (
            f"Wealth(customers {self.credits['customer_id'].nunique()}, credits {len(self.credits)}, "
            f"streams {len(self.streams)}, red flags {len(self.flags)}, as of {self.generated_at})"
        )

    def _repr_html_(self) -> str:
        first = largest_first(self.streams).head(_CARD_STREAMS)
        rows = [
            (
                row["stream_id"], row["customer_id"], row["type"].replace("_", " "), row["cadence"], row["count"],
                format_minor(row["total_minor"], row["currency"]), format_minor(row["latest_minor"], row["currency"]), row["status"],
            )
            for row in records(first)
        ]  # fmt: skip
        left_out = len(self.streams) - len(rows)
        return card(
            repr(self),
            ("stream", "customer", "type", "cadence", "credits", "total", "latest", "status"),
            rows,
            notes=[f"The other {left_out} are in .streams."] if left_out else [],
            following=(
                ".streams",
                ".credits",
                ".coverage",
                ".flags",
                ".explain(stream_id)",
                ".statement(customer_id)",
            ),
        )

    def sources(self, customer_id: str) -> pd.DataFrame:
        """Return the sources of a customer's statement, one row each, with the stream or transaction that each comes from."""
        if customer_id not in self._sources:
            mine = self.of(self.streams, customer_id), self.of(self.credits, customer_id)
            self._sources[customer_id] = sources_of(*mine, self.in_other_names)
        return self._sources[customer_id]

    def statement(
        self,
        customer_id: str,
        payment: Payment | Decimal | None = None,
        base_currency: str | None = None,
    ) -> SourceOfWealth:
        """Return the source of wealth statement of a customer.

        Args:
            customer_id: Customer id.
            payment: For the statement of a payment: the payment, or its amount in major units.
            base_currency: The tenant's, if known; otherwise the currency with most credits.

        Raises:
            InputError: The customer is in none of the frames.
        """
        mine, read = self.of(self.credits, customer_id), self._transactions_of(customer_id)
        if read.empty and mine.empty and not self._known(customer_id):
            raise InputError("no such customer among these frames", place="customer_id")
        base = base_currency or self.base_currency(customer_id)
        return build_statement(
            self.sources(customer_id),
            customer=statement_customer(self.customers, customer_id),
            accounts=statement_accounts(
                self.accounts,
                self.balances,
                customer_id,
                frozenset(map(str, values_of(read["account_id"].array))),
            ),
            base_currency=base,
            beside=beside_sources_of(mine),
            further_sentences=(
                *unexplained_words(unexplained_of(mine, base), with_small=True),
                *(f"Accounts {doubt.words}." for doubt in linked_twice(self.of(self.set_aside, customer_id))),
                *jointly_held(self.joint_accounts(customer_id)),
            ),
            generated_at=self.generated_at,
            payment_amount=payment.amount if isinstance(payment, Payment) else payment,
        )

    def base_currency(self, customer_id: str) -> str | None:
        """Return the currency with most of a customer's credits, by `base_currency_of`; None if there are no credits."""
        if customer_id not in self._base_currencies:
            mine = self.of(self.credits, customer_id)
            self._base_currencies[customer_id] = base_currency_of(mine, self.country)
        return self._base_currencies[customer_id]

    def statement_currencies(self, customer_id: str, base_currency: str | None = None) -> tuple[str, ...]:
        """Return the currency of each source of `statement`, the primary one first; the interface has no field for them.

        Args:
            customer_id: Customer id.
            base_currency: As for `statement`.
        """
        return tuple(str(row["currency"]) for row in self._stated(customer_id, base_currency, "currency"))

    def statement_totals(
        self, customer_id: str, base_currency: str | None = None
    ) -> tuple[tuple[Decimal, Decimal], ...]:
        """Return the least and the greatest total of each source of `statement`, in major units, the primary one first.

        The two differ if some of it may be counted twice, or may have been taken back; the interface has no field for that. Arguments as above.
        """
        least, most = "least_total_minor", "most_total_minor"
        return tuple(
            (from_minor(row[least], row["currency"]), from_minor(row[most], row["currency"]))
            for row in self._stated(customer_id, base_currency, least, most, "currency")
        )

    def statement_counts(
        self, customer_id: str, base_currency: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        """Return the least and the greatest number of payments of each source of `statement`: they differ if some may be counted twice."""
        stated = self._stated(customer_id, base_currency, "count", "may_be_twice_count")
        return tuple((one["count"] - one["may_be_twice_count"], one["count"]) for one in stated)

    def _stated(self, customer_id: str, base_currency: str | None, *names: str) -> list[dict[str, Any]]:
        """Return some columns of the sources in the order of the statement."""
        sources = self.sources(customer_id)
        primary = primary_source(sources, base_currency or self.base_currency(customer_id))
        stated = records(sources, *names)
        return stated if primary is None else [stated.pop(primary), *stated]

    def explain(self, stream_id: str) -> Explanation:
        """Return why the credits form a stream, and what is known about it: text with one sentence per line.

        Raises:
            InputError: No stream has this id.
        """
        found = np.flatnonzero((self.streams["stream_id"] == stream_id).to_numpy())
        if not found.size:
            raise InputError("no such stream", place="stream_id")
        row = records(self.streams.iloc[found])[0]
        payments = self.credits[self.credits["stream_id"] == stream_id]
        keys = set(payments["payer_key"].dropna())
        mine = self.of(self.credits, row["customer_id"])
        is_same = mine["payer_key"].isin(keys) & (mine["currency"] == row["currency"])
        others = sorted(set(mine["stream_id"][is_same].dropna().astype(str)) - {stream_id})
        accounts = set(payments["account_id"])
        holes = self.of(self.feed_holes, row["customer_id"])
        joint = self.joint_accounts(row["customer_id"])
        text = explain_stream(
            row,
            self.cadences.one(int(found[0])),
            payments,
            others,
            records(holes[holes["account_id"].isin(accounts)]),
            records(joint[joint["account_id"].isin(accounts)]),
            self._maybe_moved(row["customer_id"], payments),
        )
        return Explanation(text)

    def _maybe_moved(self, customer_id: str, payments: pd.DataFrame) -> int:
        """Return how many of a customer's credits may be transfers from their other accounts."""
        maybe = self.of(self.pairs, customer_id)
        maybe = maybe[maybe["verdict"] == "possible"]
        ids = ["credit_account_id", "credit_txn_id"]
        sides = set(zip(*(maybe[name].astype(str) for name in ids), strict=True))
        mine = zip(payments["account_id"].astype(str), payments["txn_id"].astype(str), strict=True)
        return sum(one in sides for one in mine)

    def joint_accounts(self, customer_id: str) -> pd.DataFrame:
        """Return a customer's accounts that several people hold, by the holder's name; each customer's money is kept separate.

        Args:
            customer_id: Customer id.

        Returns:
            account_id, holder_name (as the bank gives it), holder_count.
        """
        return joint_accounts_of(None if self.accounts is None else self.of(self.accounts, customer_id))

    def sufficiency(
        self, customer_id: str, payment_id: str | None, amount: Decimal | str | int, currency: str
    ) -> Sufficiency:
        """Return whether what was observed supports a payment.

        Args:
            customer_id: Customer id.
            payment_id: Payment id; None for a hypothetical amount.
            amount: Major units.
            currency: ISO 4217; money in other currencies is not counted.

        Raises:
            InputError: The amount is not a decimal, has more decimals than the currency, or the currency is not known.
        """
        minor = to_minor(amount, currency)
        return assess(self._means_of(customer_id, currency), customer_id, payment_id, minor, currency)

    def least_shortfall(self, currency: str) -> int:
        """Return the smallest shortfall of a payment for which the policy asks for a review, in minor units of its currency.

        Args:
            currency: ISO 4217; of two possible rates, the one that gives the lower shortfall is used.
        """
        least, _ = threshold_bounds(self.thresholds.payment_shortfall, self.thresholds.currency, currency)
        return least

    def reconcile(self, customer_id: str, statement: SourceOfWealth) -> pd.DataFrame:
        """Return our sources of a customer compared with a statement that somebody else made, source by source.

        Args:
            customer_id: Customer id.
            statement: Their statement; its amounts are read in the currency with most credits, because a statement does not state one.
        """
        return reconcile(self.sources(customer_id), statement, self.base_currency(customer_id))

    def account_doubts(self) -> Iterator[AccountDoubt]:
        """Return what is doubtful about the accounts of all customers: two that are or may be one, and months that may be missing."""
        return account_doubts_of(self.credits, self.set_aside, self.feed_holes, self.quiet_times)

    def nature(self, customer_id: str) -> pd.DataFrame:
        """Return how much of a customer's credits is of known nature, by currency and evidence, as page one shows it.

        Args:
            customer_id: Customer id.

        Returns:
            `NATURE_COLUMNS` of `judge.coverage`: currency, nature (`known`, `regular_unknown`, `cash_or_named`, `irregular_unknown`), evidence_level,
            count, total_minor, least_minor, share; neither own transfers nor what was taken back are included.
        """
        return nature_of_credits(self.of(self.credits, customer_id), self.of(self.streams, customer_id))

    def explained_share(self, customer_id: str, currency: str) -> float | None:
        """Return the share of a customer's credits in one currency whose nature is known, 0..1, without own transfers and before a review questions any of it; None if there are no credits."""
        return known_share(self.nature(customer_id), currency)

    def of(self, frame: pd.DataFrame, customer_id: str) -> pd.DataFrame:
        """Return the rows of one customer."""
        (ids,) = arrays_of(frame, ("customer_id",))
        if len(ids) > _FEW_ROWS:
            places = self._places_of(frame).get(customer_id, _NOWHERE)
            if places.size and places[-1] - places[0] + 1 == places.size:
                return frame.iloc[places[0] : places[-1] + 1]  # no copy
            return frame.iloc[places]
        theirs = [one is not pd.NA and one == customer_id for one in values_of(ids)]
        # pandas copies a column only when it is written to.
        return frame.copy(deep=False) if all(theirs) else frame[theirs]

    def _places_of(self, frame: pd.DataFrame) -> dict[str, Codes]:
        """Return the positions of each customer's rows in a large frame; while a frame is held, no other object has its id."""
        held, places = self._places.get(id(frame), (None, {}))
        if held is not frame:
            found = frame.groupby("customer_id").indices
            places = {str(one): np.asarray(rows, dtype=np.int64) for one, rows in found.items()}
            self._places[id(frame)] = (frame, places)
        return places

    def _means_of(self, customer_id: str, currency: str) -> Means | None:
        """Return a customer's means in one currency; the latest ones are kept, because one review needs them more than once."""
        if (key := (customer_id, currency)) not in self._last_means:
            mine = self._transactions_of(customer_id).reset_index(drop=True)
            means = means_of(
                replace(self._read(customer_id, mine), moved=moved_on(self.of(self.flags, customer_id))),
                mine,
                self.of(self.credits, customer_id),
                self.of(self.streams, customer_id),
                self.of(self.pairs, customer_id),
                own_parties(
                    customers_of(mine, self.customers), customers_of(mine, self.accounts), load_lexicon()
                ),
                None if self.balances is None else self.of(self.balances, customer_id),
                currency,
            )
            self._last_means.clear()
            self._last_means[key] = means
        return self._last_means[key]

    def _read(self, customer_id: str, mine: pd.DataFrame) -> ReadTransactions:
        if self.read is not None and self.read.book.customer.distinct.tolist() == [customer_id]:
            return self.read
        as_of = pd.Timestamp(self.generated_at).date()
        payers = self.thresholds.payers
        book = take_in(mine, as_of, bank_zone(self.country), entities_with(payers).references.fold)
        return ReadTransactions(book, payers=payers)

    def _transactions_of(self, customer_id: str) -> pd.DataFrame:
        ids = self.transactions["customer_id"]
        if pd.api.types.is_numeric_dtype(ids.dtype):
            return self.transactions[(ids.astype(str) == customer_id).to_numpy()]
        return self.of(self.transactions, customer_id)

    def _known(self, customer_id: str) -> bool:
        frames = (self.customers, self.accounts, self.rejects, self.set_aside)
        return any(frame is not None and (frame["customer_id"] == customer_id).any() for frame in frames)
