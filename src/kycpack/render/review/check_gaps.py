"""Gaps that a record of the service leaves: the name on a proof of address and its date, and what a payment is for."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from kycpack.frames.gaps import INCOMPLETE, Gap, GapCode
from kycpack.frames.rows import records
from kycpack.models.money import format_minor
from kycpack.render.review.seen_words import AGE_NOT_SHOWN, NAME_ON_PROOF
from kycpack.render.wording import is_absent, text_of

_NAMED: GapCode = "address_name_not_shown"
_DATED: GapCode = "address_date_not_shown"
_PROOF = "proofofaddress"
_NO_NAME = "The name on the proof of address is not in the results: whose document it is cannot be seen."
_NO_NAME_OR_DATE = (
    "The name and the date on the proof of address are not in the results, only that the provider's check of its age says “{}”: "
    "whose document it is and how old cannot be seen."
)


def proof_limits(checks: pd.DataFrame, media: pd.DataFrame) -> Iterator[Gap]:
    """Yield that neither the name on a proof of address nor its date is shown, for each session in which its age was checked, or else that the name is not shown, for each in which that was.

    Args:
        checks: Frame `checks` of one customer.
        media: Frame `media` of the customer, which says whether the evidence has the document.
    """
    documents = _proofs(media)
    seen: dict[tuple[str, str], Gap] = {}
    for row in records(checks, "customer_id", "session_id", "path", "value", "evidence_id"):
        customer, session, path = str(row["customer_id"]), str(row["session_id"]), str(row["path"])
        if path == AGE_NOT_SHOWN[0]:
            code, message = _DATED, _NO_NAME_OR_DATE.format(text_of(row["value"]))
        elif path.startswith(NAME_ON_PROOF) and (customer, session) not in seen:
            code, message = _NAMED, _NO_NAME
        else:
            continue
        document = documents.get(session, "")
        said = (
            f"{message} The document is in this pack ({row['evidence_id']}, {document})."
            if document
            else message
        )
        seen[customer, session] = Gap(
            customer, session, "session", code, said, row["evidence_id"], part=document
        )
    yield from seen.values()


def _proofs(media: pd.DataFrame) -> dict[str, str]:
    """Return the entries of the evidence that are proofs of address, by session."""
    found: dict[str, list[str]] = {}
    for row in records(media, "session_id", "type", "downloaded", "file_evidence_id"):
        kind = text_of(row["type"], "").replace("_", "").replace("-", "").replace(" ", "").lower()
        if kind == _PROOF and row["downloaded"]:
            found.setdefault(str(row["session_id"]), []).append(str(row["file_evidence_id"]))
    return {session: ", ".join(ids) for session, ids in found.items()}


def payee_limits(payments: pd.DataFrame) -> Iterator[Gap]:
    """Yield that nothing says who is paid, and for what unless the payment has a description, for each payment.

    Args:
        payments: Frame `payments` of one customer.
    """
    columns = ("customer_id", "payment_id", "description", "amount_minor", "currency", "evidence_id")
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
