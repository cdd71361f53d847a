"""A review opened by hand: from a folder of evidence, or from the newest evidence of a customer that is stored."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kycpack.assets import asset_path
from kycpack.errors import InputError
from kycpack.evidence import Evidence
from kycpack.pack import PackResult, open_review
from kycpack.pack.compute.opened_review import stored_evidence
from kycpack.settings import Settings

EVIDENCE = asset_path("samples/evidence/index.json").parent


def place(folder: Path) -> Settings:
    return Settings(workspace=str(folder / "kycpack.db"), reports=folder / "reports")


def test_a_folder_of_evidence_is_enough_and_the_date_is_that_of_the_last_answer(specimen: Evidence) -> None:
    review = open_review(evidence_path=EVIDENCE)
    assert specimen.asked_between is not None
    assert review.order.as_of == specimen.asked_between[1]


def test_a_customer_is_enough_where_evidence_is_stored(specimen: Evidence, tmp_path: Path) -> None:
    shutil.copytree(EVIDENCE, tmp_path / "evidence" / specimen.customer_id)
    review = open_review(customer_id=specimen.customer_id, as_of="2026-07-31", settings=place(tmp_path))
    assert review.evidence.root == specimen.root
    assert review.order.as_of == "2026-07-31T23:59:59Z"


def test_evidence_in_a_pack_is_found(made: PackResult, specimen: Evidence, tmp_path: Path) -> None:
    shutil.copytree(made.path, tmp_path / "reports" / made.path.name)
    assert stored_evidence(specimen.customer_id, place(tmp_path)).root == specimen.root


def test_evidence_in_a_run_within_the_folder_of_reports_is_found(
    made: PackResult, specimen: Evidence, tmp_path: Path
) -> None:
    run = tmp_path / "reports" / "batch"
    (run / ".kycpack").mkdir(parents=True)
    shutil.copytree(made.path, run / made.path.name)
    assert stored_evidence(specimen.customer_id, place(tmp_path)).root == specimen.root


def test_the_evidence_that_was_asked_for_last_is_taken(
    made: PackResult, specimen: Evidence, tmp_path: Path
) -> None:
    shutil.copytree(made.path, tmp_path / "reports" / made.path.name)
    later = tuple(
        entry if entry.requested_at is None else replace(entry, requested_at="2026-07-05T08:00:00Z")
        for entry in specimen.entries
    )
    Evidence(specimen.customer_id, later, specimen.bodies).save(tmp_path / "evidence" / specimen.customer_id)
    found = stored_evidence(specimen.customer_id, place(tmp_path))
    assert found.asked_between == ("2026-07-05T08:00:00Z", "2026-07-05T08:00:00Z")


def _asked(evidence: Evidence, *times: str) -> Evidence:
    """Return the evidence with its first requests sent at these times, and all others at the first of them."""
    given = iter(times)
    entries = tuple(
        replace(entry, requested_at=next(given, times[0])) if entry.method else entry
        for entry in evidence.entries
    )
    return Evidence(evidence.customer_id, entries, evidence.bodies)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (("2026-07-05T08:00:00.5Z", "2026-07-05T08:00:00Z"), (1, 0)),
        (("2026-07-05T09:00:00+02:00", "2026-07-05T08:00:00Z"), (0, 1)),
        (("2026-07-05T08:00:00.25Z", "2026-07-05T08:00:00.250001+00:00"), (0, 1)),
        (("2026-07-05T08:00:00Z", "no time", "2026-07-05T08:00:00"), (0, 0)),
    ],
)
def test_the_first_and_the_last_request_are_compared_as_instants(
    specimen: Evidence, times: tuple[str, ...], expected: tuple[int, int]
) -> None:
    first, last = expected
    assert _asked(specimen, *times).asked_between == (times[first], times[last])


def test_the_newest_evidence_is_the_one_with_the_latest_instant(specimen: Evidence, tmp_path: Path) -> None:
    newest = _asked(specimen, "2026-07-05T08:30:00.000Z")
    newest.save(tmp_path / "evidence" / specimen.customer_id)
    older = _asked(specimen, "2026-07-05T09:30:00+02:00")
    older.save(tmp_path / "reports" / "batch" / ".kycpack" / "evidence" / specimen.customer_id)
    assert stored_evidence(specimen.customer_id, place(tmp_path)).root == newest.root


def test_a_customer_without_stored_evidence_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no evidence of customer cus_none is stored"):
        open_review(customer_id="cus_none", settings=place(tmp_path))


def test_evidence_of_another_customer_is_refused() -> None:
    with pytest.raises(InputError, match="not cus_other's"):
        open_review(evidence_path=EVIDENCE, customer_id="cus_other")


def test_an_order_and_a_date_are_not_both_taken() -> None:
    with pytest.raises(InputError, match="one of order_path and as_of"):
        open_review(order_path=asset_path("samples/order.json"), as_of="2026-06-30")


@pytest.mark.parametrize("given", [{"customer_id": 20260731}, {"as_of": 2026}, {"policy_path": True}])
def test_a_number_in_place_of_text_is_refused_with_what_to_do(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(InputError, match=f"{name}: text is needed.* with -r in place of -p"):
        open_review(**given)
