"""Origins of the numbers in a statement: the statement is made from the interface's fields, which do not name rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.render.document_parts import Block, Facts, Paragraph, Section, Table, resting_on
from kycpack.render.origin import Origin, Origins, calculated, count_of, value_of
from kycpack.wealth.judge.support import why_not_main
from kycpack.wealth.judge.unexplained import (
    CASH,
    NOT_EXAMINED,
    SMALL,
    UNEXPLAINED,
    is_small_open,
    unexplained_of,
)
from kycpack.wealth.judge.wording import NOT_ESTABLISHED
from kycpack.wealth.prepare.lexicon import OTHER

_OWN = "own_sources"


def with_origins(
    sections: Sequence[Section],
    sources: pd.DataFrame,
    credits_: pd.DataFrame,
    primary: int | None,
    account_ids: Sequence[str],
) -> tuple[Section, ...]:
    """Return the sections of a statement with the origins of their numbers.

    Args:
        sections: As returned by `statement_sections`.
        sources: Frame `own_sources`, in the order of the statement except for the primary source.
        credits_: The customer's rows of frame `credits`.
        primary: Position of the primary source in `sources`; None without one.
        account_ids: The accounts, in the order of the statement.
    """
    ids = [str(one) for one in sources["source_id"]]
    of_sources = [
        (value_of(_OWN, source_id=id_), count_of("credits", stream_id=id_, may_be_twice_minor=0))
        for id_ in ids
    ]
    further = [one for place, one in enumerate(of_sources) if place != primary]
    first: Origins = (*_totals(sources), *_not_in_sources(sources, credits_), *_single_credits(credits_))
    if primary is not None:
        first = (*of_sources[primary], *first, *(one for each in further for one in each))
    accounts = [
        (
            value_of("balances", account_id=id_),
            value_of("accounts", account_id=id_),
        )
        for id_ in account_ids
    ]
    of_section: dict[str, Sequence[Origins]] = {
        "primary": [first],
        "additional": further,
        "accounts": accounts,
    }
    return tuple(
        replace(
            section,
            blocks=tuple(_resting(block, of_section.get(section.key, [])) for block in section.blocks),
        )
        for section in sections
    )


def _totals(sources: pd.DataFrame) -> tuple[Origin, ...]:
    """Return the sums that the context of the main source names besides its own: by type, and by currency."""
    kinds = dict.fromkeys((str(row.currency), _kinds(row.type)) for row in rows(sources, "currency", "type"))
    by_kind = [
        calculated("sum", _OWN, column, currency=currency, type=kind)
        for currency, kind in kinds
        for column in ("total_minor", "least_total_minor")
    ]
    apart: dict[tuple[Any, ...], list[str]] = {}
    for row in rows(sources, "currency", "type", "source_id", "support", "doubtful", "held_by"):
        why = why_not_main(row.type, row.support, doubtful=row.doubtful, held_by=row.held_by)
        apart.setdefault((str(row.currency), _kinds(row.type), why), []).append(str(row.source_id))
    by_kind += [calculated("sum", _OWN, "total_minor", source_id=ids) for ids in apart.values()]
    by_currency = [
        calculated("sum", _OWN, "total_minor", currency=currency)
        for currency in dict.fromkeys(currency for currency, _ in kinds)
    ]
    return (*by_kind, *by_currency)


def _not_in_sources(sources: pd.DataFrame, credits_: pd.DataFrame) -> Iterator[Origin]:
    """Yield the sums of cash and of credits whose nature is not established that are in no source, then with the sources of the same type."""
    of_type: dict[tuple[str, tuple[str, ...]], list[str | None]] = {}
    for row in rows(sources, "currency", "type", "source_id"):
        of_type.setdefault((str(row.currency), _kinds(row.type)), [None]).append(str(row.source_id))
    unexplained = credits_["disposition"].astype(str) == UNEXPLAINED
    unknown = sorted({*NOT_EXAMINED, *credits_.loc[unexplained, "type"].astype(str)} - {CASH})
    names = ("currency", "disposition", "type", "evidence_level", "account_id", "txn_id", "stream_id")
    every = [row for row in rows(credits_, *names) if row.type != CASH]
    for currency in sorted(set(credits_["currency"].astype(str))):
        cash = {"currency": currency, "type": CASH}
        yield _sum(**cash, disposition=(UNEXPLAINED, SMALL))
        streams = of_type.get((currency, _kinds(CASH)), [None])
        yield _sum(**cash, disposition=("stream", "one_off", UNEXPLAINED, SMALL), stream_id=streams)
        other = {"currency": currency, "type": unknown}
        yield _sum(**other, disposition=(UNEXPLAINED, SMALL))
        streams = of_type.get((currency, _kinds(OTHER)), [None])
        yield _sum(**other, disposition=("stream", UNEXPLAINED, SMALL), stream_id=streams)
        mine = [row for row in every if str(row.currency) == currency]
        open_ = [row for row in mine if row.disposition == UNEXPLAINED or is_small_open(row)]
        if any(row.type not in unknown for row in open_):
            in_streams = [row for row in mine if row.disposition == "stream" and row.stream_id in streams]
            yield from (
                _sum(
                    currency=currency,
                    account_id=sorted({str(row.account_id) for row in found}),
                    txn_id=[str(row.txn_id) for row in found],
                )
                for found in (open_, [*open_, *in_streams])
            )


def _kinds(type_: Any) -> tuple[str, ...]:
    """Return the types that a statement counts together with one."""
    return tuple(sorted(NOT_ESTABLISHED)) if type_ in NOT_ESTABLISHED else (str(type_),)


def _single_credits(credits_: pd.DataFrame) -> Iterator[Origin]:
    """Yield the largest single credits whose nature is not established, and how many there are."""
    for found in unexplained_of(credits_):
        yield count_of("credits", currency=found.currency, disposition=UNEXPLAINED, type=found.types)
        yield from (
            value_of("credits", account_id=one.account_id, txn_id=one.txn_id) for one in found.largest
        )
        yield _sum(**found.of_small)


def _sum(**conditions: Any) -> Origin:
    return calculated("sum", "credits", "amount_minor", **conditions)


def _resting(block: Block, origins: Sequence[Origins]) -> Block:
    match block:
        case Table() if len(block.rows) == len(origins):
            pairs = zip(block.rows, origins, strict=True)
            return replace(block, rows=tuple(resting_on(row, *mine) for row, mine in pairs))
        case Facts() if origins:
            return replace(
                block,
                pairs=tuple((label, resting_on((cell,), *origins[0])[0]) for label, cell in block.pairs),
            )
        case Paragraph() if origins and not block.origins:
            return replace(block, origins=origins[0])
        case _:
            return block
