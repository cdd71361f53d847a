"""The frames of a derivation, built from arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.frames.rows import frame_of
from kycpack.models.money import divided
from kycpack.wealth.judge.changes import Odd, odd_payments, odd_words
from kycpack.wealth.judge.coverage import DISPOSITIONS, SET_ASIDE
from kycpack.wealth.judge.dispositions import CreditEvidence, Disposed, Repeats
from kycpack.wealth.judge.natures import Natures
from kycpack.wealth.judge.outlook import outlook_of
from kycpack.wealth.judge.wording import DESCRIBED, describe_stream
from kycpack.wealth.match.own_transfers import Pairs
from kycpack.wealth.prepare.clues import EVIDENCE_LEVELS
from kycpack.wealth.prepare.coded import Codes, Mask, distinct_of, pick, sorted_by, text_column
from kycpack.wealth.prepare.duplicates import Duplicates
from kycpack.wealth.prepare.feed_holes import Silences
from kycpack.wealth.prepare.intake import Book, to_datetimes
from kycpack.wealth.prepare.lexicon import NO_TYPE, OTHER, Lexicon
from kycpack.wealth.prepare.payers import Payers
from kycpack.wealth.streams.cadence import CADENCES, Cadences
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES, CONFIDENCES, STATUSES, grouped_median

_LONGEST_BETWEEN_JOBS_DAYS = 62
_NEARLY = 0.1
_MEDIUM = CONFIDENCES.index("medium")
_FEWEST_OF_A_LEVEL = 3  # this many large payments in a row are a raise, not a bonus
_STREAM = DISPOSITIONS.index("stream")


def credits_frame(
    book: Book,
    rows: Codes,
    natures: Natures,
    payers: Payers,
    disposed: Disposed,
    given: CreditEvidence,
    repeats: Repeats,
    lexicon: Lexicon,
) -> pd.DataFrame:
    """Return frame `credits`, in order of customer, account, date and content; the accounts are in the order of `Book`."""
    signals, grouping = natures.signals, natures.grouping
    in_stream = disposed.disposition == _STREAM
    most = book.amount[rows] - repeats.returned
    paired_on = to_datetimes(pick(book.day, disposed.partner, 0))
    return frame_of(
        _of_rows(book, rows)
        | {
            "disposition": text_column(np.array(DISPOSITIONS, dtype=object), disposed.disposition),
            "stream_id": text_column(grouping.stream_id, np.where(in_stream, grouping.group, -1)),
            "pair_txn_id": pick(book.txn_id, disposed.partner, None),
            "type": _type_names(given.type_code, lexicon),
            "evidence_level": text_column(np.array(EVIDENCE_LEVELS, dtype=object), given.level),
            "reason": given.reason,
            "evidence_key": given.key,
            "doubtful": signals.doubtful,
            "payer": text_column(grouping.payer, grouping.group),
            "payer_key": text_column(payers.keys, payers.key),
            "bonus": signals.bonus,
            "evidence_id": text_column(book.evidence_id.distinct, book.evidence_id.codes[rows]),
            "may_repeat_txn_id": pick(book.txn_id, repeats.of_credit, None),
            "may_be_twice_minor": repeats.twice,
            "returned_minor": repeats.returned,
            "may_be_returned_minor": repeats.may_be_returned,
            "least_minor": most - repeats.twice - repeats.may_be_returned,
            "most_minor": most,
            "pair_on": np.where(disposed.partner >= 0, paired_on, np.datetime64("NaT", "s")),
        }
    )


def _of_rows(book: Book, rows: Codes) -> dict[str, Any]:
    """Return the columns that identify rows of the book."""
    return {
        "customer_id": text_column(book.customer.distinct, book.customer.codes[rows]),
        "account_id": text_column(book.account_ids, book.account[rows]),
        "txn_id": book.txn_id[rows],
        "booked_on": to_datetimes(book.day[rows]),
        "amount_minor": book.amount[rows],
        "currency": text_column(book.currency.distinct, book.currency.codes[rows]),
    }


def with_bonuses(book: Book, rows: Codes, natures: Natures, disposed: Disposed, lexicon: Lexicon) -> Natures:
    """Return natures in which credits that exceed steady pay by half of its median or more, and are not its new level, also count as a bonus."""
    grouping, in_stream = natures.grouping, disposed.disposition == _STREAM
    steady = grouping.groups.amount_class <= AMOUNT_CLASSES.index("stable")
    large = 2 * book.amount[rows] >= 3 * pick(grouping.groups.median, grouping.group, 0)
    pay = steady & (grouping.type_code == lexicon.code("employment"))
    large &= in_stream & pick(pay, grouping.group, missing=False)
    order = sorted_by(grouping.group, book.day[rows], book.amount[rows])
    group, stands_out = grouping.group[order], large[order]
    run = np.cumsum(np.diff(group, prepend=-2) != 0) + np.cumsum(np.diff(stands_out, prepend=False) != 0)
    bonus = natures.signals.bonus.copy()
    bonus[order] |= stands_out & (np.bincount(run, minlength=1)[run] < _FEWEST_OF_A_LEVEL)
    return replace(natures, signals=replace(natures.signals, bonus=bonus))


def _type_names(type_code: Codes, lexicon: Lexicon) -> pd.arrays.ArrowStringArray:
    known = np.where(type_code == NO_TYPE, len(lexicon.types), type_code)
    return text_column(np.array([*lexicon.types, OTHER], dtype=object), known)


def streams_frame(
    book: Book,
    rows: Codes,
    natures: Natures,
    disposed: Disposed,
    repeats: Repeats,
    silences: Silences,
    lexicon: Lexicon,
) -> tuple[pd.DataFrame, Cadences]:
    """Return frame `streams`, and the cadences of its rows."""
    grouping = natures.grouping
    chosen = distinct_of(grouping.group[disposed.disposition == _STREAM])
    chosen = chosen[np.lexsort((grouping.stream_id[chosen], grouping.customer[chosen]))]
    groups, cadences = grouping.groups, grouping.cadences.of(chosen)
    next_day = cadences.following[:, 0]
    changed = grouping.changes.on[chosen]
    followed = _followed(grouping, chosen, lexicon)
    confidence = natures.confidence[chosen]
    parts = (repeats.twice, repeats.may_be_returned, repeats.returned)
    maybe_twice, maybe_back, back = (repeats.of_groups(part, len(groups))[chosen] for part in parts)
    less = maybe_twice + maybe_back + back
    columns: dict[str, Any] = (
        {
            "stream_id": grouping.stream_id[chosen],
            "customer_id": book.customer.distinct[grouping.customer[chosen]],
            "currency": book.currency.distinct[grouping.currency[chosen]],
            "payer": grouping.payer[chosen],
            "type": _type_names(grouping.type_code[chosen], lexicon),
            "evidence_level": np.array(EVIDENCE_LEVELS, dtype=object)[grouping.evidence[chosen]],
            "cadence": np.array(CADENCES, dtype=object)[cadences.code],
            "cadence_score": cadences.score,
            "cadence_margin": cadences.margin,
            "count": groups.count[chosen],
            "may_be_twice_count": repeats.counted_twice(len(groups))[chosen],
            "total_minor": groups.total[chosen],
            "amount_minor": np.array(
                [
                    divided(total, count)
                    for total, count in zip(
                        groups.total[chosen].tolist(), groups.count[chosen].tolist(), strict=True
                    )
                ],
                dtype=np.int64,
            ),
            "median_minor": groups.median[chosen],
            "first_on": to_datetimes(groups.first[chosen]),
            "last_on": to_datetimes(groups.last[chosen]),
            "next_on": np.where(next_day >= 0, to_datetimes(next_day), np.datetime64("NaT", "s")),
            "status": np.array(STATUSES, dtype=object)[grouping.status[chosen]],
            "confidence": np.array(CONFIDENCES, dtype=object)[
                np.where(less > 0, np.minimum(confidence, _MEDIUM), confidence)
            ],
            "type_confidence": np.array(CONFIDENCES, dtype=object)[
                np.where(
                    maybe_twice > 0,
                    np.minimum(natures.type_confidence[chosen], _MEDIUM),
                    natures.type_confidence[chosen],
                )
            ],
            "cadence_confidence": np.array(CONFIDENCES, dtype=object)[natures.cadence_confidence[chosen]],
            "doubtful": natures.doubtful[chosen],
            "pattern": natures.pattern[chosen],
            "description": None,
            "ambiguous": cadences.ambiguous,
            "amount_class": np.array(AMOUNT_CLASSES, dtype=object)[groups.amount_class[chosen]],
            "bonus_count": np.bincount(
                grouping.group[(grouping.group >= 0) & natures.signals.bonus], minlength=len(groups)
            )[chosen],
            "follows_stream_id": followed,
            "follows_alike": _alike(grouping, chosen, followed),
            "expected_count": cadences.expected,
            "calendar_changed_on": np.where(
                changed >= 0, to_datetimes(np.maximum(changed, 0)), np.datetime64("NaT", "s")
            ),
            "earlier_cadence": text_column(
                np.array(CADENCES, dtype=object), np.where(changed >= 0, grouping.changes.earlier[chosen], -1)
            ),
            "filled_count": cadences.filled,
            "near_count": cadences.near,
            "silent_count": grouping.silent[chosen],
        }
        | outlook_of(book, rows, grouping, chosen, repeats, silences)
        | {"least_total_minor": groups.total[chosen] - less, "most_total_minor": groups.total[chosen] - back}
    )
    described = [columns[name].tolist() for name in DESCRIBED]
    less_than_total = zip(maybe_twice.tolist(), maybe_back.tolist(), back.tolist(), strict=True)
    odd = _odd(book, rows, grouping, chosen, repeats)
    columns["odd_count"] = np.array([len(odd.get(index, ())) for index in range(len(chosen))], dtype=np.int64)
    counted_once = (columns["count"] - columns["may_be_twice_count"]).tolist()
    columns["odd_words"] = [
        odd_words(odd.get(index, ()), *of)
        for index, of in enumerate(zip(counted_once, columns["currency"].tolist(), strict=True))
    ]
    columns["description"] = [
        describe_stream(dict(zip(DESCRIBED, values, strict=True)), cadences.anchor(index), *parts)
        for index, (values, parts) in enumerate(
            zip(zip(*described, strict=True), less_than_total, strict=True)
        )
    ]
    return frame_of(columns), cadences


def _odd(
    book: Book, rows: Codes, grouping: Grouping, chosen: Codes, repeats: Repeats
) -> dict[int, list[Odd]]:
    """Return the payments that are far from the median of their stream, by the index of the stream in `chosen`, without what may be counted twice."""
    credit, stream = grouping.credits_of(chosen)
    once = repeats.of_credit[credit] < 0
    credit, stream = credit[once], stream[once]
    day, amount = book.day[rows[credit]], book.amount[rows[credit]]
    median = grouped_median(stream, amount, np.bincount(stream, minlength=len(chosen)))
    return odd_payments(stream, day, amount, median)


def _followed(grouping: Grouping, chosen: Codes, lexicon: Lexicon) -> npt.NDArray[np.object_]:
    """Return, for each stream of pay, the stream of pay of the same customer that ended where it begins."""
    followed = np.full(len(chosen), None, dtype=object)
    groups = grouping.groups
    jobs = np.flatnonzero(grouping.type_code[chosen] == lexicon.code("employment"))
    owner = (
        grouping.customer[chosen[jobs]] * (int(grouping.currency.max(initial=0)) + 1)
        + grouping.currency[chosen[jobs]]
    )
    several = np.bincount(owner, minlength=1)[owner] > 1
    ended = grouping.status[chosen] == STATUSES.index("ceased")
    for job, mine in zip(jobs[several], owner[several], strict=True):
        gap = groups.first[chosen[job]] - groups.last[chosen[jobs]]
        before = (owner == mine) & ended[jobs] & (gap > 0) & (gap <= _LONGEST_BETWEEN_JOBS_DAYS)
        if before.any():
            candidates = chosen[jobs[before]]
            payer = pd.factorize(grouping.payer[candidates], sort=True)[0]
            # Of two that ended on one day it is the larger one.
            nearest = np.lexsort((payer, -groups.total[candidates], gap[before]))[0]
            followed[job] = grouping.stream_id[candidates[nearest]]
    return followed


def _alike(grouping: Grouping, chosen: Codes, followed: npt.NDArray[np.object_]) -> Mask:
    """Return which streams continue the calendar and nearly the amount of the stream that they follow."""
    place = {str(grouping.stream_id[group]): int(group) for group in chosen.tolist()}
    alike = np.zeros(len(chosen), dtype=np.bool_)
    cadences, median = grouping.cadences, grouping.groups.median
    for at in np.flatnonzero(followed != None).tolist():  # noqa: E711 - element by element
        after, before = int(chosen[at]), place[str(followed[at])]
        same = (
            cadences.code[after] == cadences.code[before] and cadences.phase[after] == cadences.phase[before]
        )
        near = abs(int(median[after]) - int(median[before])) <= _NEARLY * int(median[before])
        alike[at] = bool(same and near)
    return alike


def credits_set_aside(book: Book, duplicates: Duplicates) -> Codes:
    """Return the credits that duplicate another one, or are pending, in order of customer, account, date and content."""
    rows = np.flatnonzero((duplicates.repeated | book.pending) & (book.amount > 0))
    return rows[sorted_by(book.account[rows], book.day[rows], book.place[rows])]


def set_aside_frame(book: Book, duplicates: Duplicates, rows: Codes) -> pd.DataFrame:
    """Return the credits that are set aside, each with the row that is counted instead."""
    kept = duplicates.kept[rows]
    return frame_of(
        _of_rows(book, rows)
        | {
            "disposition": np.where(duplicates.repeated[rows], *SET_ASIDE).astype(object),
            "kept_account_id": pick(book.account_ids, np.where(kept >= 0, book.account[kept], -1), None),
            "kept_txn_id": pick(book.txn_id, kept, None),
        }
    )


def pairs_frame(book: Book, pairs: Pairs) -> pd.DataFrame:
    """Return credits and debits of equal amount in two accounts of a customer, with the verdict on each pair."""
    into, out = pairs.credit, pairs.debit
    order = np.lexsort(
        (book.place[out], book.place[into], book.account[into], book.day[into], book.customer.codes[into])
    )
    into, out = into[order], out[order]
    return frame_of(
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
            "verdict": pairs.verdict[order],
        }
    )
