"""Payments, and whether what was observed supports them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.blocks import Block, Cell, Column, Paragraph, Section, Subheading, facts, table
from kycpack.render.palette import Tone
from kycpack.render.statement_pdf import amount_words
from kycpack.render.wording import DASH, cell_of, is_absent, money_words, text_of
from kycpack.wealth.judge.statement import base_currency_of

if TYPE_CHECKING:
    from kycpack.frames import Frames
    from kycpack.wealth import Wealth

_COLUMNS = (
    Column("Payment", 2.0),
    Column("State", 1.0),
    Column("Amount", 1.6, right=True),
    Column("Reference", 1.8),
    Column("Created", 1.4),
    Column("Evidence", 0.8),
)
_ANSWERS = {
    "supported": Tone.GOOD,
    "partly supported": Tone.WATCH,
    "not supported": Tone.ALARM,
    "cannot tell": Tone.UNKNOWN,
}


def payments_section(frames: Frames, wealth: Wealth, customer_id: str) -> Section:
    """Return the section of payments, and whether each is supported by what was observed."""
    rows = [_row(row) for _, row in frames.payments.iterrows()]
    blocks: list[Block] = [table(_COLUMNS, rows, "No payment is known for this customer.")]
    base = base_currency_of(wealth.of(wealth.credits, customer_id))
    for _, payment in frames.payments.iterrows():
        blocks += _sufficiency(payment, wealth, customer_id, base)
    return Section("payments", "Payments", tuple(blocks))


def _sufficiency(payment: pd.Series, wealth: Wealth, customer_id: str, base: str | None) -> Iterator[Block]:
    payment_id = str(payment["payment_id"])
    yield Subheading(f"Is payment {payment_id} supported by what was observed?")
    currency = base if is_absent(payment["currency"]) else str(payment["currency"])
    if is_absent(payment["amount"]) or currency is None:
        yield Paragraph("Cannot tell: the payment's amount or its currency is not known.", Tone.UNKNOWN)
        return
    found = wealth.sufficiency(customer_id, payment_id, payment["amount"], currency)
    period = DASH if found.from_on is None else f"{text_of(found.from_on)} to {text_of(found.to_on)}"
    yield facts(
        ("Answer", Cell(found.answer.capitalize(), _ANSWERS.get(found.answer, Tone.UNKNOWN))),
        ("Supported", money_words(found.supported_minor, currency)),
        ("Shortfall", money_words(found.shortfall_minor, currency)),
        ("Rests on the days", period),
        across=4,
    )
    for sentence in found.basis:
        yield Paragraph(sentence)
    if is_absent(payment["currency"]):
        yield Paragraph(
            f"The payment names no currency. It was read in {currency}, the currency with most credits.",
            Tone.UNKNOWN,
        )
    yield Paragraph("Assumed: " + " ".join(found.assumptions), Tone.QUIET)
    if found.source_ids:
        yield Paragraph("Rests on " + ", ".join(found.source_ids) + ".", Tone.QUIET)


def _row(row: pd.Series) -> tuple[Cell, ...]:
    return (
        Cell(text_of(row["payment_id"]), strong=True),
        cell_of(row["state"]),
        Cell(_amount(row)),
        cell_of(row["reference"]),
        cell_of(row["created_at"]),
        Cell(text_of(row["evidence_id"])),
    )


def _amount(row: pd.Series) -> str:
    if not is_absent(row["amount_minor"]):
        return money_words(row["amount_minor"], row["currency"])
    return "Not known" if is_absent(row["amount"]) else f"{amount_words(row['amount'])} (no currency given)"
