"""Payments, and whether they are supported by what was observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.errors import InputError
from kycpack.frames import Frames
from kycpack.frames.gaps import BELOW_LIMIT, Gap
from kycpack.frames.rows import columns_of, frame_of, records
from kycpack.models.listed import listed
from kycpack.models.money import format_minor
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    facts,
    resting_on,
    table,
)
from kycpack.render.origin import value_of
from kycpack.render.palette import Tone
from kycpack.render.review.bank_limits import with_more
from kycpack.render.review.short_names import ShortNames
from kycpack.render.statement_pdf import amount_words
from kycpack.render.wording import (
    DASH,
    cell_of,
    is_absent,
    money_words,
    payer_name,
    text_of,
    word_cell,
)
from kycpack.wealth import Wealth
from kycpack.wealth.judge.sufficiency import Sufficiency

_COLUMNS = (
    TableColumn("Payment", 0.8),
    TableColumn("State", 1.0),
    TableColumn("Amount", 1.6, right=True),
    TableColumn("Reference", 1.8),
    TableColumn("Description", 1.8),
    TableColumn("Created", 1.4),
    TableColumn("Evidence", 0.8),
)
_NO_PAYEE = "The service's record of a payment names no payee. Its purpose is known only as far as the reference and the description show it."
_NO_RELEASE = "“Supported” says that the sums in the bank data cover the amount. It does not release the payment: the customer has to be approved first."
SMALL = "not supported, below the policy's sum"
SUFFICIENCY_COLUMNS = (
    "customer_id",
    "payment_id",
    "answer",
    "amount_minor",
    "currency",
    "supported_minor",
    "shortfall_minor",
    "from_on",
    "to_on",
    "basis",
    "source_ids",
    "assumptions",
)
"""The columns of frame `sufficiency`, one row for each payment whose amount and currency are known."""

_TONES = {
    "supported": Tone.GOOD,
    "partly supported": Tone.WATCH,
    "not supported": Tone.ALARM,
    "cannot tell": Tone.UNKNOWN,
}


@dataclass(frozen=True)
class Supported:
    """A payment and whether it is supported by what was observed.

    Attributes:
        payment: Row of frame `payments`.
        currency: ISO 4217 code of the currency it was read in; None if it is not known.
        sufficiency: The answer; None if the amount or currency is not known.
        below: The smallest shortfall that the policy asks to review, in words, if this one is smaller; otherwise empty.
        payers: Who paid the income that the answer rests on.
    """

    payment: Mapping[str, Any]
    currency: str | None
    sufficiency: Sufficiency | None
    below: str = ""
    payers: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The answer in words; `SMALL` for an unsupported payment that the policy does not ask to review."""
        if self.sufficiency is None:
            return "cannot tell"
        return SMALL if self.below and self.sufficiency.answer == "not supported" else self.sufficiency.answer


def supported_payments(frames: Frames, wealth: Wealth, customer_id: str) -> tuple[Supported, ...]:
    """Return, for each payment, whether it is supported by what was observed."""
    base = wealth.base_currency(customer_id)
    found = []
    for payment in records(frames.payments):
        currency = base if is_absent(payment["currency"]) else str(payment["currency"])
        answer = None
        if currency is not None and not is_absent(payment["amount"]):
            with suppress(InputError):  # the amount has more decimals than its currency
                answer = wealth.sufficiency(
                    customer_id, str(payment["payment_id"]), payment["amount"], currency
                )
        payers = () if answer is None else _payers(wealth, customer_id, answer.source_ids)
        found.append(Supported(payment, currency, answer, _below(answer, wealth), payers))
    return tuple(found)


def _below(found: Sufficiency | None, wealth: Wealth) -> str:
    if found is None or not found.shortfall_minor:
        return ""
    least = wealth.least_shortfall(found.currency)
    return format_minor(least, found.currency) if found.shortfall_minor < least else ""


def sufficiency_frame(payments: tuple[Supported, ...]) -> pd.DataFrame:
    """Return whether payments are supported, one row per payment, with the columns `SUFFICIENCY_COLUMNS`."""
    rows = [
        [getattr(one.sufficiency, name) for name in SUFFICIENCY_COLUMNS]
        for one in payments
        if one.sufficiency is not None
    ]
    dtypes = dict.fromkeys(("amount_minor", "supported_minor", "shortfall_minor"), "int64")
    dtypes |= dict.fromkeys(("from_on", "to_on"), "datetime64[s]")
    dtypes |= dict.fromkeys(("basis", "source_ids", "assumptions"), "object")
    return frame_of(columns_of(SUFFICIENCY_COLUMNS, rows), dtypes)


def with_unsupported(limits: pd.DataFrame, payments: tuple[Supported, ...]) -> pd.DataFrame:
    """Return frame `limits` with a row for each payment that is not fully supported: the shortfall, and what would explain it.

    Args:
        limits: As returned by `limits_of`.
        payments: As returned by `supported_payments`.
    """
    rows: list[Gap] = []
    for one in payments:
        found = one.sufficiency
        if found is None or not found.shortfall_minor:
            continue
        whole = format_minor(found.amount_minor, found.currency)
        message = f"{found.payment_id}, {whole}: {found.lacking}."
        if found.answer == "cannot tell":
            message = f"{message} {found.basis[-1]}"
        if one.below:
            message = f"{message} The policy asks to review shortfalls from {one.below}."
        evidence_id = one.payment["evidence_id"]
        rows.append(
            Gap(
                found.customer_id,
                str(found.payment_id),
                "payment",
                "payment_not_supported",
                message,
                evidence_id,
                cause=BELOW_LIMIT if one.below else "",
                amount_minor=found.shortfall_minor,
                currency=found.currency,
            )
        )
    return with_more(limits, rows)


def _payers(wealth: Wealth, customer_id: str, source_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the payers of streams and single credits, each once, with how many of these it paid if several."""
    streams = records(wealth.of(wealth.streams, customer_id), "stream_id", "payer")
    credits_ = records(wealth.of(wealth.credits, customer_id), "account_id", "txn_id", "payer")
    payers = {str(row["stream_id"]): row["payer"] for row in streams}
    payers |= {f"{row['account_id']}/{row['txn_id']}": row["payer"] for row in credits_}
    paid = Counter(payer_name(payers[id_]) for id_ in dict.fromkeys(source_ids))
    return tuple(payer if count == 1 else f"{payer} ({count} sources)" for payer, count in paid.items())


def payments_section(payments: tuple[Supported, ...], names: ShortNames) -> Section:
    """Return the section of payments, and whether each is supported by what was observed."""
    rows = [_row(one.payment, names) for one in payments]
    blocks: list[Block] = [table(_COLUMNS, rows, "No payment is known for this customer.")]
    if payments:
        blocks.append(Paragraph(_NO_PAYEE, Tone.QUIET))
    if any(one.sufficiency is not None and one.sufficiency.answer == "supported" for one in payments):
        blocks.append(Paragraph(_NO_RELEASE))
    for one in payments:
        blocks += _sufficiency(one, names)
    return Section("payments", "Payments", tuple(blocks))


def _sufficiency(one: Supported, names: ShortNames) -> Iterator[Block]:
    payment, currency, found = one.payment, one.currency, one.sufficiency
    yield Subheading(f"Is payment {names.of(payment['payment_id'])} supported by what was observed?")
    if found is None:
        yield Paragraph(
            "Cannot be evaluated: the payment's amount or its currency is not known, or they do not match.",
            Tone.UNKNOWN,
        )
        return
    period = DASH if found.from_on is None else f"{text_of(found.from_on)} to {text_of(found.to_on)}"
    origins = (value_of("sufficiency", payment_id=payment["payment_id"]),)
    of_part, of_rest = found.bounds
    rest = "Not known to be supported" if found.answer == "cannot tell" else f"Shortfall, {of_rest}"
    parts = (
        (f"Supported, {of_part}", Cell(money_words(found.supported_minor, currency), origins=origins)),
        (rest, Cell(money_words(found.shortfall_minor, currency), origins=origins)),
    )
    in_full = ("Supported", Cell("Fully supported", origins=origins))
    yield facts(
        ("Answer", Cell(found.answer.capitalize(), _TONES.get(found.answer, Tone.UNKNOWN))),
        *(parts if found.shortfall_minor or found.answer != "supported" else (in_full,)),
        ("Period observed", Cell(period, origins=origins)),
        across=4,
    )
    for sentence in found.basis:
        yield Paragraph(sentence, origins=origins)
    if is_absent(payment["currency"]):
        yield Paragraph(
            f"The payment does not name a currency. It was read in {currency}, the currency with the most credits.",
            Tone.UNKNOWN,
        )
    yield Paragraph("Assumed: " + " ".join(found.assumptions), Tone.QUIET, origins)
    if one.payers:
        yield Paragraph(f"Based on what came from {listed(one.payers)}.", Tone.QUIET, origins)


def _row(row: Mapping[str, Any], names: ShortNames) -> tuple[Cell, ...]:
    cells = (
        Cell(names.of(row["payment_id"]), strong=True),
        word_cell(row["state"]),
        Cell(_amount(row)),
        cell_of(row["reference"]),
        cell_of(row["description"], "None given"),
        cell_of(row["created_at"]),
        Cell(text_of(row["evidence_id"])),
    )
    return resting_on(cells, value_of("payments", payment_id=row["payment_id"]))


def _amount(row: Mapping[str, Any]) -> str:
    if not is_absent(row["amount_minor"]):
        return money_words(row["amount_minor"], row["currency"])
    return "Not known" if is_absent(row["amount"]) else f"{amount_words(row['amount'])} (no currency given)"
