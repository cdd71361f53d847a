from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.workspace.case_material import MEDIA, ROOT, decision, open_cases, open_office

from kycpack.cli.runs.batch_workspace import known_cases_of
from kycpack.settings import Settings


def test_a_run_knows_of_each_case_what_was_decided_on_which_evidence(tmp_path: Path) -> None:
    """Of a decided case it takes the excerpt; of one that is open, or whose decision was erased, the evidence alone."""
    place = tmp_path / "kycpack.db"
    names = ["c-decided", "c-erased", "c-open"]
    excerpts: dict[str, Any] = {}
    digest = ""
    for office in open_office(place, tmp_path):
        open_cases(office, {name: ("review", [MEDIA]) for name in names})
        for name in names[:2]:
            (case,) = office.cases.of_customer(name)
            wanted = decision("approve", "REVIEWED", F_1="accepted")
            office.cases.decide(case.case_id, wanted, version=1, actor=office.people["anna"])
            digest = case.policy_digest
        (case,) = office.cases.of_customer("c-erased")
        office.cases.erase(case.case_id, "asked for by the customer", actor=office.people["ada"])
        (case,) = office.cases.of_customer("c-decided")
        excerpts["c-decided"] = office.ledger.excerpt(case.case_id)
    chosen = Settings.load(workspace=str(place))
    ((some, found),) = known_cases_of(chosen, [*names, "c-nobody"], "onboarding")
    assert list(some) == [*names, "c-nobody"]
    assert sorted(found) == names
    assert {name: case.excerpt for name, case in found.items() if case.excerpt} == excerpts
    assert {(case.evidence_root, case.policy_digest) for case in found.values()} == {(ROOT, digest)}
    assert list(known_cases_of(chosen, names, "event")) == [(names, {})]
