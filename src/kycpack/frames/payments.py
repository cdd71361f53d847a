"""Payments and their attempts. The interface does not document the members of a payment record."""

from __future__ import annotations

from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.answer_fields import AnswerFields, boolean, currency, instant, items, label, minor, text
from kycpack.frames.reading import EvidenceReading
from kycpack.frames.register import RegisterExcerpt
from kycpack.models.money import read_decimal


def read_payments(reading: EvidenceReading, known: RegisterExcerpt) -> None:
    """Add a row of `payments` for each payment that was requested or is in the register."""
    by_payment: dict[str, list[Entry]] = {payment_id: [] for payment_id in known.payments}
    for entry in reading.select("payments.get"):
        if entry.subject.get("payment_id"):
            by_payment.setdefault(entry.subject["payment_id"], []).append(entry)
    for payment_id, entries in by_payment.items():
        row: dict[str, Any] = dict(known.payments.get(payment_id, {}))
        answered = [entry for entry in entries if entry.outcome == "answered"]
        if answered:
            record = reading.open(answered[-1], subject=payment_id)
            row |= _payment(record, row)
            _add_attempts(reading, record, payment_id)
        elif not entries:
            message = "the payment was not requested"
            reading.gaps.add(
                "payment", "not_asked", message,
                subject=payment_id, evidence_id=known.evidence_id, part="payments.get",
            )  # fmt: skip
        evidence_id = (answered or entries)[-1].id if entries else known.evidence_id
        reading.add("payments", evidence_id, payment_id=payment_id, **row)


def _payment(record: AnswerFields, row: dict[str, Any]) -> dict[str, Any]:
    value = record.get("amount", read_decimal)
    code = record.get("currency", currency)
    if value is None:
        record.missing("amount_missing", "the payment record has no readable amount")
    if code is None:
        record.missing("currency_missing", "the payment record gives no currency for its amount")
    needs = [
        record.get(f"aisRequirements.{scope}", boolean) for scope in ("accounts", "balances", "transactions")
    ]
    return {
        "state": record.get("state", label) or record.get("status", label),
        "amount": value,
        "currency": code,
        "amount_minor": _minor(record, value, code),
        "reference": record.get("reference", text),
        "description": record.get("description", text),
        "requires_ais": any(needs),
        "use_verified_bank_account": record.get("aisRequirements.useVerifiedBankAccount", boolean),
        "created_at": record.get("created", instant) or row.get("created_at"),
    }


def _minor(record: AnswerFields, value: Any, code: str | None) -> int | None:
    if value is None or code is None:
        return None
    try:
        return minor(value, code)
    except InputError as error:
        record.missing("wrong_type", f"amount: {error}")
        return None


def _add_attempts(reading: EvidenceReading, record: AnswerFields, payment_id: str) -> None:
    for position, document in enumerate(record.get("attempts", items) or []):
        attempt = AnswerFields(document, reading.gaps, "payment", payment_id, record.evidence_id)
        attempt_id = attempt.get("id", label)
        if attempt_id is None:
            attempt.missing("wrong_type", f"attempt {position + 1} has no id and was left out")
            continue
        bank_id = attempt.get("bankId", label) or (
            attempt.get("bank.bankId", label) if isinstance(document.get("bank"), dict) else None
        )
        reading.add(
            "attempts",
            record.evidence_id,
            payment_id=payment_id,
            attempt_id=attempt_id,
            status=attempt.get("status", label),
            method=attempt.get("method", label),
            bank_id=bank_id,
            required_action_type=attempt.get("requiredAction.type", label),
            created_at=attempt.get("created", instant),
        )
