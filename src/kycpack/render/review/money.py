"""The money of a review: what the credits are made of, the accounts, the payments and the service's statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.render.document_parts import Cell, Paragraph, Section, facts
from kycpack.render.drawing import Drawing
from kycpack.render.palette import Tone
from kycpack.render.review import (
    account_flows,
    account_names,
    accounts,
    bank_requests,
    counts,
    credit_sources,
    movements,
    payments,
    statements,
)
from kycpack.render.review.inputs import ReviewInputs
from kycpack.render.review.payment_keys import Key
from kycpack.render.review.share_sums import questions_of_pay, shares_of
from kycpack.render.review.shares import Shares
from kycpack.render.review.subjects import subjects_of
from kycpack.render.wording import text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import HIT


@dataclass(frozen=True, slots=True)
class Money:
    """What a review says about money, for page one and for what is computed from it.

    Attributes:
        whose: In whose name the accounts are held, where that is not the name of the record and of the document.
        shares: How much of the credits is of known nature, one entry a currency.
        charts: The charts of credits by month.
        months: That of the base currency, small enough for page one; None without credits.
        supported: The payments with what supports each.
        reconciliation: Our sources beside those of the service's statement.
        sources: Our sources.
    """

    whose: tuple[Cell, ...]
    shares: tuple[Shares, ...]
    charts: credit_sources.Months
    months: Drawing | None
    supported: tuple[payments.Supported, ...]
    reconciliation: pd.DataFrame
    sources: pd.DataFrame


def money_of(inputs: ReviewInputs) -> Money:
    """Return what a review says about money.

    Args:
        inputs: What the review is made from.
    """
    wealth, of = inputs.wealth, inputs.customer_id
    whose = account_names.account_names(inputs.triage.consistency, inputs.triage.findings, inputs.names)
    known = shares_of(
        wealth.nature(of),
        wealth.of(wealth.coverage, of),
        inputs.credits,
        inputs.base_currency,
        wealth.of(wealth.streams, of),
        account_names.holders_in_doubt(inputs.triage.consistency, inputs.triage.findings),
        questions_of_pay(inputs.triage.findings),
    )
    charts = credit_sources.months_of(wealth, of, inputs.part_months, _doubted(known))
    return Money(
        whose,
        tuple(replace(one, is_of_customer=not whose) for one in known),
        charts,
        credit_sources.strip_of(charts, inputs.base_currency),
        payments.supported_payments(inputs.frames, wealth, of),
        statements.reconciliation_of(inputs.evidence, wealth, of),
        wealth.sources(of),
    )


def money_sections(inputs: ReviewInputs, money: Money, strip: Mapping[str, Cell]) -> tuple[Section, ...]:
    """Return the sections of the sources, the red flags, the accounts, the payments and the service's statement.

    Args:
        inputs: What the review is made from.
        money: What it says about money.
        strip: The state of each part, by its name.
    """
    frames, names, wealth, of = inputs.frames, inputs.names, inputs.wealth, inputs.customer_id
    repeated = {
        str(one.currency) for one in rows(inputs.credits, "currency", "may_be_twice_minor") if one[1] > 0
    }
    held = accounts.accounts_section(
        frames,
        names,
        (
            *bank_requests.request_blocks(inputs.evidence, frames, names),
            *counts.transaction_blocks(frames, wealth, of),
        ),
    )
    moved = movements.movement_blocks(frames, names, inputs.part_months, repeated, inputs.base_currency)
    return (
        *(
            _with_others(_stating(section, "Bank data", strip["Bank"]), inputs)
            if section.key == "flags"
            else _with_shares(section, money.shares)
            if section.key == "streams"
            else section
            for section in credit_sources.sections(wealth, of, money.charts, names, _doubted(money.shares))
        ),
        replace(held, blocks=(*held.blocks, *account_flows.flow_blocks(frames, names), *moved)),
        _stating(
            payments.payments_section(money.supported, names), "State, as on page one", strip["Payment"]
        ),
        statements.statement_section(inputs.evidence, money.reconciliation, names, money.sources),
    )


def _doubted(shares: Iterable[Shares]) -> frozenset[Key]:
    return frozenset(row for one in shares for row in one.doubted_rows)


def _beside_flags(inputs: ReviewInputs) -> tuple[tuple[str, str, str], ...]:
    """Return the rule, the title and the path of each finding about the bank data that is no red flag."""
    rows = records(standing(inputs.triage.findings), "outcome", "rule_id", "title", "path")
    found = (
        (str(row["rule_id"]), inputs.names.within(str(row["title"])), text_of(row["path"], ""))
        for row in rows
        if str(row["outcome"]) == HIT
    )
    return tuple(
        dict.fromkeys(
            one for one in found if "bank" in subjects_of(one[2]) and not one[2].startswith("wealth.flags.")
        )
    )


def _with_shares(section: Section, shares: Iterable[Shares]) -> Section:
    """Return the section of the sources with what the known nature rests on, what is left out, and the largest credits outside the sources."""
    first, *others = section.blocks
    known = [
        Paragraph(f"{share.currency}: {cell.text}", origins=cell.origins)
        for share in shares
        for cell in share.cells
        if cell.text and cell.text in {share.sentence, share.largest_words}
    ]
    return replace(section, blocks=(first, *known, *others))


def _with_others(section: Section, inputs: ReviewInputs) -> Section:
    """Return the section of the red flags with the other findings about the bank data, beside which no red flag does not mean that all is clear."""
    others = dict.fromkeys(f"{title} ({rule})" for rule, title, _ in _beside_flags(inputs))
    if not others:
        return section
    said = Paragraph(
        f"Open questions about the bank data beside red flags: {'; '.join(others)}. See “Findings”.",
        Tone.WATCH,
    )
    return replace(section, blocks=(*section.blocks, said))


def _stating(section: Section, label: str, state: Cell) -> Section:
    """Return a section that begins with the state of its part of the strip, in the words of page one."""
    return replace(section, blocks=(facts((label, state)), *section.blocks))
