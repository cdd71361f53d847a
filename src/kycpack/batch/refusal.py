"""Why there can be no pack: the service did not give the customer's own record."""

from __future__ import annotations

from kycpack.evidence import Evidence


def refusal_of(evidence: Evidence) -> str:
    """Return why the customer's record was not given; empty where it was.

    Without it nobody can say whom the rest is about. Anything else that is missing is a gap in the pack.
    """
    for record in evidence.select("customers.get"):
        if record.outcome != "answered":
            answer = " ".join(str(part) for part in (record.outcome, record.status, record.note) if part)
            return f"the record of customer {evidence.customer_id} was not given: {answer}"
    return ""
