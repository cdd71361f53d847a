"""Cases that a later run opened again, as tests make them."""

from __future__ import annotations

from tests.workspace.case_material import MEDIA, SANCTIONS, Office, decision, open_cases

from kycpack.pack.compute.decision import record_of
from kycpack.render.review.decision import CaseRecord


def reopened(office: Office) -> CaseRecord:
    """Return the record of a case that a later run opened again because of a sanctions match."""
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    wanted = decision("reject", "OUTSIDE-APPETITE", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    found = (
        *SANCTIONS,
        {"sentence": "Sanctions screening reports 'attention' (E-06)", "evidence_ids": ["E-06"]},
    )
    open_cases(office, {"c-1": ("escalate", [MEDIA, found])}, root="2" * 64, run="run-2")
    record = record_of(office.ledger.excerpt(case.case_id))
    assert record is not None
    return record
