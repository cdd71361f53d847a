"""The service's own source of wealth statements, and their sources."""

from __future__ import annotations

from kycpack.frames.answer_fields import currency, instant, items, text, whole
from kycpack.frames.identity import Identity
from kycpack.frames.reading import EvidenceReading
from kycpack.models.money import read_decimal


def read_statements(reading: EvidenceReading, identity: Identity) -> None:
    """Add a row of `statements` for each statement that was answered, and its sources; a statement about another person is a gap."""
    for entry in reading.answered("source_of_wealth.get"):
        payment_id = entry.subject.get("payment_id")
        is_pdf = entry.subject.get("format") == "pdf" or "pdf" in (entry.content_type or "")
        if why := identity.other_pdf(entry) if is_pdf else identity.other_statement(entry):
            message = f"the statement is about somebody else or another payment and was left out: {why}"
            reading.note(entry, "wrong_subject", message)
            continue
        if is_pdf:
            reading.add("statements", entry.id, payment_id=payment_id, format="pdf")
            continue
        statement = reading.open(entry)
        primary = statement.document.get("primarySource") if isinstance(statement.document, dict) else None
        sources = [] if primary is None else [("primary", primary)]
        sources += [("additional", source) for source in statement.get("additionalSources", items) or []]
        reading.add(
            "statements",
            entry.id,
            payment_id=payment_id,
            format="json",
            generated_at=statement.get("generatedAt", instant),
            first_name=statement.get("customer.firstName", text),
            last_name=statement.get("customer.lastName", text),
            city=statement.get("customer.city", text),
            account_count=len(statement.get("accounts", items) or []),
            source_count=len(sources),
            payment_amount=statement.get("paymentAmount", read_decimal),
        )
        for position, (role, document) in enumerate(sources):
            source = reading.members(entry, document)
            reading.add(
                "sources",
                entry.id,
                payment_id=payment_id,
                position=position,
                role=role,
                type=source.get("type", text),
                description=source.get("description", text),
                context=source.get("context", text),
                amount=source.get("amount", read_decimal),
                frequency=source.get("frequency", whole),
                total_value=source.get("totalValue", read_decimal),
                currency=source.get("currency", currency),
            )
        if sources and not any(
            "currency" in document for _, document in sources if isinstance(document, dict)
        ):
            about = f" of payment {payment_id}" if payment_id else ""
            message = f"the service's statement{about} gives no currency for its sources: they are taken to be in the currency of the bank data"
            statement.missing("currency_missing", message)
