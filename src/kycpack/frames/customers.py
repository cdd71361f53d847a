"""The customer record: one row of `customers` per customer, whether the request was answered or not."""

from __future__ import annotations

from kycpack.frames.answer_fields import date, instant, label, text
from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.frames.reading import EvidenceReading

RISK_PROFILE = "register.risk_profile"
"""The operation of the register's entry with the customer's risk from the firm's file."""


def read_customer(reading: EvidenceReading) -> None:
    """Add the customer's row."""
    entries = reading.select("customers.get")
    if not entries:
        first = reading.evidence.entries[0].id if reading.evidence.entries else "none"
        message = "the customer's record was not requested"
        reading.gaps.add(
            "customer", "not_asked", message,
            subject=reading.customer_id, evidence_id=first, part="customers.get",
        )  # fmt: skip
        reading.add("customers", first)
        return
    entry = (reading.answered("customers.get") or entries)[-1]
    record = reading.open(entry)
    reading.add(
        "customers",
        entry.id,
        tenant_id=record.get("tenantId", label),
        org_id=record.get("orgId", label),
        first_name=record.get("firstName", text),
        last_name=record.get("lastName", text),
        email_address=record.get("emailAddress", text),
        date_of_birth_on=record.get("dateOfBirth", date),
        address_line1=record.get("address.addressLine1", text),
        address_line2=record.get("address.addressLine2", text),
        city=record.get("address.city", text),
        postal_code=record.get("address.postalCode", text),
        country=record.get("address.country", text),
        created_at=record.get("created", instant),
        updated_at=record.get("lastUpdated", instant),
        **_risk(reading),
    )


def _risk(reading: EvidenceReading) -> dict[str, str | None]:
    """Return the customer's risk in the firm's file, as kept in the register."""
    entries = reading.answered(RISK_PROFILE)
    if not entries:
        return {}
    said = reading.open(entries[-1])
    return {f"risk_{factor}": said.get(factor, text) for factor in RISK_FACTORS}
