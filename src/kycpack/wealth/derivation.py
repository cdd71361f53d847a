"""From transactions to credits, streams and coverage: the one way through this room.

Every booked credit gets exactly one disposition, and nothing is left out: what does not count is listed as set aside or
rejected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.models.money import exponent, known_currency
from kycpack.wealth.cadence import CADENCES, IRREGULAR, Cadences, classify_cadences
from kycpack.wealth.duplicates import Duplicates, find_duplicates
from kycpack.wealth.flags import find_flags
from kycpack.wealth.intake import Book, Codes, Mask, take_in, to_as_of, to_datetimes
from kycpack.wealth.ledger import DISPOSITIONS, coverage_of
from kycpack.wealth.lexicon import NO_TYPE, OTHER, Lexicon, load_lexicon
from kycpack.wealth.own_transfers import Legs, match_own_transfers
from kycpack.wealth.payers import find_payers
from kycpack.wealth.result import Wealth
from kycpack.wealth.signals import Signals, read_signals
from kycpack.wealth.statement import average_minor
from kycpack.wealth.streams import (
    AMOUNT_CLASSES,
    CONFIDENCES,
    EVIDENCE_LEVELS,
    STATUSES,
    Groups,
    confidences,
    statuses,
    summarise,
    types_of_groups,
)
from kycpack.wealth.thresholds import Thresholds, to_thresholds
from kycpack.wealth.wording import describe_stream

_CASH_KEY = "(cash)"
_FEWEST_IRREGULAR = 3


def derive(
    transactions: pd.DataFrame,
    customers: pd.DataFrame | None = None,
    accounts: pd.DataFrame | None = None,
    balances: pd.DataFrame | None = None,
    country: str = "GB",
    thresholds: Thresholds | Mapping[str, Any] | None = None,
    *,
    as_of: date | datetime | str,
) -> Wealth:
    """Return where a customer's money was seen to come from.

    Args:
        transactions: The normal form, of one customer or many; only customer_id, account_id, txn_id, booked_on, amount_minor
            (minor units, plus is into the account), currency and description_raw must be there. Plain objects and strings are cast.
        customers: Frame `customers`; without it a statement's customer is empty, and own names are not known.
        accounts: Frame `accounts`; its numbers tell own accounts, and its fields stand in the statement.
        balances: Frame `balances`, for the statement.
        country: Whose business days and words apply, as in `GB`, `GB-SCT`, `CZ`, `US`.
        thresholds: The policy's; those not named keep their defaults.
        as_of: The date from which the review looks; rows booked later are rejected by name.

    Returns:
        Frames `credits`, `streams`, `coverage`, `pairs`, `set_aside`, `rejects`, `flags`, and the statement of each customer.

    Raises:
        FrameError: A column is missing or a value cannot be read; `place` names column and row.
        InputError: The country or the date is not known.
        PolicyError: A threshold is not known.
    """
    today, generated_at = to_as_of(as_of)
    limits = to_thresholds(thresholds)
    lexicon = load_lexicon()
    book = take_in(transactions, today)
    duplicates = find_duplicates(book)
    rows = _credit_rows(book, duplicates)
    signals = read_signals(book, rows, lexicon)
    pairs = _own_transfer_pairs(book, duplicates, rows, signals, lexicon)
    grouping = _group(book, rows, signals, _own_mask(rows, pairs, book), lexicon, country)
    disposition, reason = _dispose(book, rows, signals, pairs, grouping, limits, lexicon)
    credits_ = _credits_frame(book, rows, signals, pairs, grouping, disposition, reason, lexicon)
    streams, cadences = _streams_frame(book, grouping, disposition, lexicon)
    set_aside = _set_aside_frame(book, duplicates)
    return Wealth(
        credits=credits_,
        streams=streams,
        coverage=coverage_of(credits_, set_aside),
        set_aside=set_aside,
        pairs=_pairs_frame(book, pairs),
        rejects=book.rejects,
        flags=find_flags(credits_, limits),
        cadences=cadences,
        customers=customers,
        accounts=accounts,
        balances=balances,
        country=country,
        thresholds=limits,
        generated_at=generated_at,
    )


@dataclass(frozen=True, eq=False)
class _Grouping:
    """Credits by payer.

    Args:
        group: Group of each credit; -1 for own transfers and refunds.
        groups: Sums of each group.
        cadences: Cadence of each group.
        customer: Customer of each group.
        currency: Currency of each group.
        key: Payer's key of each group.
        payer: Payer's name of each group.
        type_code: Type of each group.
        evidence: Evidence level of each group.
        status: Status of each group.
        stream_id: Id of each group.
    """

    group: Codes
    groups: Groups
    cadences: Cadences
    customer: Codes
    currency: Codes
    key: npt.NDArray[np.object_]
    payer: npt.NDArray[np.object_]
    type_code: Codes
    evidence: Codes
    status: Codes
    stream_id: npt.NDArray[np.object_]


def _credit_rows(book: Book, duplicates: Duplicates) -> Codes:
    rows = np.flatnonzero(book.counted & ~duplicates.repeated & (book.amount > 0))
    moment = book.account[rows] * (1 << 20) + book.day[rows]
    tied = pd.Series(moment).duplicated(keep=False).to_numpy()
    rank = np.zeros(len(rows), dtype=np.int64)
    # Sorting all ids as text is slow, and only those of one account and day have to be told apart.
    rank[tied] = pd.factorize(book.txn_id[rows[tied]], sort=True)[0]
    return rows[np.lexsort((book.amount[rows], rank, moment))]


def _own_transfer_pairs(
    book: Book, duplicates: Duplicates, rows: Codes, signals: Signals, lexicon: Lexicon
) -> pd.DataFrame:
    account = duplicates.same_account[book.account]
    in_use = np.unique(account)
    several = np.bincount(book.account_customer[in_use], minlength=len(book.customer.values)) > 1
    into = np.flatnonzero(several[book.customer.codes[rows]] & ~signals.refund)
    out = np.flatnonzero(
        book.counted & ~duplicates.repeated & (book.amount < 0) & several[book.customer.codes]
    )
    amounts = np.concatenate([book.amount[rows[into]], -book.amount[out]])
    owner = np.concatenate([book.customer.codes[rows[into]], book.customer.codes[out]])
    money = np.concatenate([book.currency.codes[rows[into]], book.currency.codes[out]])
    amount_code = pd.factorize(amounts)[0].astype(np.int64)
    key = (owner * len(book.currency.values) + money) * (int(amount_code.max(initial=0)) + 1) + amount_code
    into_key, out_key = key[: len(into)], key[len(into) :]
    both = np.intersect1d(into_key, out_key)
    keep_in, keep_out = np.isin(into_key, both), np.isin(out_key, both)
    into, into_key = into[keep_in], into_key[keep_in]
    out, out_key = out[keep_out], out_key[keep_out]
    order = np.lexsort((pd.factorize(book.txn_id[out], sort=True)[0], account[out], book.day[out]))
    out, out_key = out[order], out_key[order]
    spent = read_signals(book, out, lexicon)
    savings = lexicon.code("savings")
    return match_own_transfers(
        Legs(
            row=rows[into],
            key=into_key,
            day=book.day[rows[into]],
            account=account[rows[into]],
            named=signals.own_transfer[into],
            against=_speaks_of_income(signals.type_code[into], savings),
            rank=into,
        ),
        Legs(
            row=out,
            key=out_key,
            day=book.day[out],
            account=account[out],
            named=spent.own_transfer,
            against=_speaks_of_income(spent.type_code, savings),
            rank=np.arange(len(out)),
        ),
    )


def _speaks_of_income(type_code: Codes, savings: int) -> Mask:
    return (type_code != NO_TYPE) & (type_code != savings)


def _own_mask(rows: Codes, pairs: pd.DataFrame, book: Book) -> Mask:
    own = np.zeros(len(book), dtype=np.bool_)
    own[pairs.loc[pairs["verdict"].isin(["certain", "probable"]), "credit"].to_numpy()] = True
    return own[rows]


def _group(book: Book, rows: Codes, signals: Signals, own: Mask, lexicon: Lexicon, country: str) -> _Grouping:
    free = np.flatnonzero(~own & ~signals.refund)
    customer, currency = book.customer.codes[rows], book.currency.codes[rows]
    day, amount = book.day[rows], book.amount[rows]
    column = book.columns.get("counterparty_account")
    payers = find_payers(
        customer,
        signals.names,
        signals.description,
        column.of_rows(rows) if column is not None else None,
        signals.type_code == lexicon.code("state_benefit"),
        lexicon,
    )
    cash = signals.type_code == lexicon.code("cash_deposit")
    keys = np.append(payers.keys, _CASH_KEY)
    key = np.where(cash, len(keys) - 1, payers.key)
    full = (customer * len(book.currency.values) + currency) * len(keys) + key
    distinct, first, of_free = np.unique(full[free], return_index=True, return_inverse=True)
    of_free = of_free.astype(np.int64)
    size = len(distinct)
    groups = summarise(of_free, day[free], amount[free], size)
    cadences = classify_cadences(of_free, day[free], size, country)
    type_code, evidence = types_of_groups(
        of_free, signals.type_code[free], signals.evidence[free], size, len(lexicon.types)
    )
    group = np.full(len(rows), -1, dtype=np.int64)
    group[free] = of_free
    representative = free[first]
    group_key = keys[key[representative]]
    end_of_customer, end_of_accounts = _ends_of_data(book, rows[free], of_free, size)
    return _Grouping(
        group=group,
        groups=groups,
        cadences=cadences,
        customer=customer[representative],
        currency=currency[representative],
        key=group_key,
        payer=_usual_names(of_free, payers.name[free], group_key, size),
        type_code=type_code,
        evidence=evidence,
        status=statuses(cadences, groups, end_of_accounts, end_of_customer[customer[representative]]),
        stream_id=_stream_ids(book, customer[representative], currency[representative], group_key),
    )


def _ends_of_data(book: Book, rows: Codes, of_row: Codes, size: int) -> tuple[Codes, Codes]:
    counted = np.flatnonzero(book.counted)
    of_account = np.full(len(book.account_ids), np.iinfo(np.int64).min)
    np.maximum.at(of_account, book.account[counted], book.day[counted])
    of_customer = np.full(len(book.customer.values), np.iinfo(np.int64).min)
    np.maximum.at(of_customer, book.account_customer, of_account)
    of_group = np.full(size, np.iinfo(np.int64).min)
    np.maximum.at(of_group, of_row, of_account[book.account[rows]])
    return of_customer, of_group


def _usual_names(
    group: Codes, names: npt.NDArray[np.object_], keys: npt.NDArray[np.object_], size: int
) -> npt.NDArray[np.object_]:
    """Return the text each payer goes by most often; of equals the one that sorts first."""
    codes, texts = pd.factorize(names, sort=True)
    width = len(texts) + 1
    cells, counts = np.unique(group * width + (codes + 1), return_counts=True)
    owner = cells // width
    order = np.lexsort((cells, -counts, owner))
    _, first = np.unique(owner[order], return_index=True)
    best = cells[order][first] % width - 1
    result = np.append(np.asarray(texts, dtype=object), None)[best]
    nameless = np.array([text is None for text in result], dtype=np.bool_)
    return np.where(nameless | (keys == _CASH_KEY), np.where(keys == "", "(no name)", keys), result)[:size]


def _stream_ids(
    book: Book, customer: Codes, currency: Codes, keys: npt.NDArray[np.object_]
) -> npt.NDArray[np.object_]:
    return np.array(
        [
            "S-" + hashlib.sha256(f"{owner}\x1f{money}\x1f{key}".encode()).hexdigest()[:12]
            for owner, money, key in zip(
                book.customer.values[customer], book.currency.values[currency], keys, strict=True
            )
        ],
        dtype=object,
    )


_REASONS = (
    "part of a stream",
    "between own accounts: a text, code or name says so",
    "between own accounts: probable, by amount and date alone",
    "refund, reversal or returned payment: a code or word says so",
    "single credit, and a code or word says its nature",
    "small credit outside any stream",
    "nature and regularity not established",
)


def _dispose(
    book: Book,
    rows: Codes,
    signals: Signals,
    pairs: pd.DataFrame,
    grouping: _Grouping,
    limits: Thresholds,
    lexicon: Lexicon,
) -> tuple[Codes, Codes]:
    """Return disposition and reason of each credit, as indexes into `DISPOSITIONS` and `_REASONS`."""
    regular = grouping.cadences.code != IRREGULAR
    loose = [lexicon.code(name) for name in ("person_transfer", "cash_deposit")]
    named = (grouping.type_code != NO_TYPE) & ~np.isin(grouping.type_code, loose)
    is_stream = regular | (named & (grouping.groups.count >= _FEWEST_IRREGULAR))
    small = np.array(
        [
            int(limits.small_credit.scaleb(exponent(code))) if known_currency(code) else 0
            for code in book.currency.values
        ],
        dtype=np.int64,
    )
    below = (
        book.amount[rows] < small[book.currency.codes[rows]]
        if len(small)
        else np.zeros(len(rows), dtype=np.bool_)
    )
    says = (signals.type_code != NO_TYPE) & ~np.isin(signals.type_code, loose)
    in_stream = (grouping.group >= 0) & np.append(is_stream, False)[grouping.group]
    verdict = np.zeros(len(book), dtype=np.int64)
    verdict[pairs.loc[pairs["verdict"] == "certain", "credit"].to_numpy()] = 1
    verdict[pairs.loc[pairs["verdict"] == "probable", "credit"].to_numpy()] = 2
    own = verdict[rows]
    cases = [own == 1, own == 2, signals.refund, in_stream, says & ~below, below]
    names = ("own_transfer", "own_transfer", "refund", "stream", "one_off", "small_other")
    disposition = np.select(
        cases, [DISPOSITIONS.index(name) for name in names], DISPOSITIONS.index("unexplained")
    )
    reason = np.select(cases, [1, 2, 3, 0, 4, 5], 6)
    return disposition.astype(np.int64), reason.astype(np.int64)


def _credits_frame(
    book: Book,
    rows: Codes,
    signals: Signals,
    pairs: pd.DataFrame,
    grouping: _Grouping,
    disposition: Codes,
    reason: Codes,
    lexicon: Lexicon,
) -> pd.DataFrame:
    in_stream = disposition == DISPOSITIONS.index("stream")
    type_code = np.where(in_stream, np.append(grouping.type_code, NO_TYPE)[grouping.group], signals.type_code)
    evidence = np.where(in_stream, np.append(grouping.evidence, 0)[grouping.group], signals.evidence)
    partner = np.full(len(book), -1, dtype=np.int64)
    matched = pairs[pairs["verdict"].isin(["certain", "probable"])]
    partner[matched["credit"].to_numpy()] = matched["debit"].to_numpy()
    padded_ids = np.append(book.txn_id, None)
    evidence_ids = book.evidence_id
    frame = pd.DataFrame(
        {
            "customer_id": book.customer.texts(rows),
            "account_id": book.account_ids[book.account[rows]],
            "txn_id": book.txn_id[rows],
            "booked_on": to_datetimes(book.day[rows]),
            "amount_minor": book.amount[rows],
            "currency": book.currency.texts(rows),
            "disposition": np.array(DISPOSITIONS, dtype=object)[disposition],
            "stream_id": np.where(in_stream, np.append(grouping.stream_id, None)[grouping.group], None),
            "pair_txn_id": padded_ids[partner[rows]],
            "type": _type_names(type_code, lexicon),
            "evidence_level": np.array(EVIDENCE_LEVELS, dtype=object)[evidence],
            "reason": np.array(_REASONS, dtype=object)[reason],
            "payer": np.append(grouping.payer, None)[grouping.group],
            "evidence_id": evidence_ids.texts(rows) if evidence_ids is not None else None,
        }
    )
    return frame.astype(_TEXT_COLUMNS)


_TEXT_COLUMNS = {
    name: "string"
    for name in (
        "customer_id",
        "account_id",
        "txn_id",
        "currency",
        "disposition",
        "stream_id",
        "pair_txn_id",
        "type",
        "evidence_level",
        "reason",
        "payer",
        "evidence_id",
    )
}


def _type_names(type_code: Codes, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    return np.append(np.array(lexicon.types, dtype=object), OTHER)[type_code]


def _streams_frame(
    book: Book, grouping: _Grouping, disposition: Codes, lexicon: Lexicon
) -> tuple[pd.DataFrame, Cadences]:
    chosen = np.unique(grouping.group[disposition == DISPOSITIONS.index("stream")])
    order = np.lexsort((grouping.stream_id[chosen], grouping.customer[chosen]))
    chosen = chosen[order]
    groups, cadences = grouping.groups, grouping.cadences.of(chosen)
    confidence, _ = confidences(cadences, grouping.evidence[chosen])
    next_day = cadences.following[:, 0]
    frame = pd.DataFrame(
        {
            "stream_id": grouping.stream_id[chosen],
            "customer_id": book.customer.values[grouping.customer[chosen]],
            "currency": book.currency.values[grouping.currency[chosen]],
            "payer": grouping.payer[chosen],
            "type": _type_names(grouping.type_code[chosen], lexicon),
            "evidence_level": np.array(EVIDENCE_LEVELS, dtype=object)[grouping.evidence[chosen]],
            "cadence": np.array(CADENCES, dtype=object)[cadences.code],
            "cadence_score": cadences.score,
            "cadence_margin": cadences.margin,
            "count": groups.count[chosen],
            "total_minor": groups.total[chosen],
            "amount_minor": [
                average_minor(total, count)
                for total, count in zip(
                    groups.total[chosen].tolist(), groups.count[chosen].tolist(), strict=True
                )
            ],
            "median_minor": groups.median[chosen],
            "first_on": to_datetimes(groups.first[chosen]),
            "last_on": to_datetimes(groups.last[chosen]),
            "next_on": np.where(next_day >= 0, to_datetimes(next_day), np.datetime64("NaT", "s")),
            "status": np.array(STATUSES, dtype=object)[grouping.status[chosen]],
            "confidence": np.array(CONFIDENCES, dtype=object)[confidence],
            "description": None,
            "ambiguous": cadences.ambiguous,
            "amount_class": np.array(AMOUNT_CLASSES, dtype=object)[groups.amount_class[chosen]],
            "expected_count": cadences.expected,
            "filled_count": cadences.filled,
        }
    )
    frame["description"] = [
        describe_stream(
            row, cadences.anchor(index), int(cadences.expected[index]), int(cadences.filled[index])
        )
        for index, row in enumerate(frame.to_dict("records"))
    ]
    texts = (
        "stream_id",
        "customer_id",
        "currency",
        "payer",
        "type",
        "evidence_level",
        "cadence",
        "status",
        "confidence",
        "description",
        "amount_class",
    )
    return frame.astype(dict.fromkeys(texts, "string") | {"amount_minor": "int64"}), cadences


def _set_aside_frame(book: Book, duplicates: Duplicates) -> pd.DataFrame:
    rows = np.flatnonzero((duplicates.repeated | book.pending) & (book.amount > 0))
    kept = duplicates.kept[rows]
    repeated = duplicates.repeated[rows]
    frame = pd.DataFrame(
        {
            "customer_id": book.customer.texts(rows),
            "account_id": book.account_ids[book.account[rows]],
            "txn_id": book.txn_id[rows],
            "booked_on": to_datetimes(book.day[rows]),
            "amount_minor": book.amount[rows],
            "currency": book.currency.texts(rows),
            "disposition": np.where(repeated, "duplicate", "pending"),
            "kept_account_id": np.where(repeated, book.account_ids[book.account[kept]], None),
            "kept_txn_id": np.where(repeated, book.txn_id[kept], None),
        }
    )
    texts = (
        "customer_id",
        "account_id",
        "txn_id",
        "currency",
        "disposition",
        "kept_account_id",
        "kept_txn_id",
    )
    frame = frame.astype(dict.fromkeys(texts, "string"))
    return frame.sort_values(["customer_id", "account_id", "booked_on", "txn_id"], kind="stable").reset_index(
        drop=True
    )


def _pairs_frame(book: Book, pairs: pd.DataFrame) -> pd.DataFrame:
    into, out = pairs["credit"].to_numpy(), pairs["debit"].to_numpy()
    frame = pd.DataFrame(
        {
            "customer_id": book.customer.texts(into),
            "currency": book.currency.texts(into),
            "amount_minor": book.amount[into],
            "credit_account_id": book.account_ids[book.account[into]],
            "credit_txn_id": book.txn_id[into],
            "credit_on": to_datetimes(book.day[into]),
            "debit_account_id": book.account_ids[book.account[out]],
            "debit_txn_id": book.txn_id[out],
            "debit_on": to_datetimes(book.day[out]),
            "verdict": pairs["verdict"].to_numpy(dtype=object),
        }
    )
    texts = (
        "customer_id",
        "currency",
        "credit_account_id",
        "credit_txn_id",
        "debit_account_id",
        "debit_txn_id",
        "verdict",
    )
    frame = frame.astype(dict.fromkeys(texts, "string"))
    return frame.sort_values(
        ["customer_id", "credit_on", "credit_account_id", "credit_txn_id", "debit_txn_id"], kind="stable"
    ).reset_index(drop=True)
