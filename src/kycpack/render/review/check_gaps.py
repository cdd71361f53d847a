"""Gaps that a record of the service leaves: the date of a proof of address, and what a payment is for."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from kycpack.frames.gaps import INCOMPLETE, Gap
from kycpack.frames.rows import records
from kycpack.models.money import format_minor
from kycpack.render.review.seen_words import AGE_NOT_SHOWN
from kycpack.render.wording import is_absent, text_of


def date_limits(checks: pd.DataFrame) -> Iterator[Gap]:
    """Yield that the date of a proof of address is not shown, for each session in which its age was checked.

    Args:
        checks: Frame `checks` of one customer.
    """
    for row in records(checks, "customer_id", "session_id", "path", "value", "evidence_id"):
        if row["path"] == AGE_NOT_SHOWN[0]:
            message = (
                f"The date of the proof of address is not in the results, only that the provider's check of its age says “{text_of(row['value'])}”: "
                "how old the document is cannot be seen."
            )
            yield Gap(
                row["customer_id"],
                row["session_id"],
                "session",
                "address_date_not_shown",
                message,
                row["evidence_id"],
            )


def payee_limits(payments: pd.DataFrame) -> Iterator[Gap]:
    """Yield that nothing says who is paid, and for what unless the payment has a description, for each payment.

    Args:
        payments: Frame `payments` of one customer.
    """
    columns = (
        "customer_id",
        "payment_id",
        "reference",
        "description",
        "amount_minor",
        "currency",
        "evidence_id",
    )
    for row in records(payments, *columns):
        given = not is_absent(row["description"])
        amount = None if is_absent(row["amount_minor"]) else int(row["amount_minor"])
        currency = None if is_absent(row["currency"]) else str(row["currency"])
        whole = f", {format_minor(amount, currency)}" if amount is not None and currency else ""
        said = (
            "its purpose is known only as far as the description shows it"
            if given
            else "it has no description, so its purpose is not known"
        )
        yield Gap(
            row["customer_id"], row["payment_id"], "payment", "payee_not_known",
            f"{row['payment_id']}{whole}: the record names no payee, and {said}.",
            row["evidence_id"], cause=INCOMPLETE if given else "", amount_minor=amount, currency=currency,
        )  # fmt: skip
