"""Which pack of an earlier run stands: undamaged, made from the same evidence, and saying the same for the same reason."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.frames.evidence_maker import clear_customer
from tests.pack.tampering import reseal

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.batch import Job, RunEntry, RunReport, review_task
from kycpack.batch.review_task import ReviewTask, _stands, recommendation
from kycpack.errors import PackError
from kycpack.evidence import REUSED, Evidence, load_evidence
from kycpack.models.instants import read_as_of
from kycpack.pack import PackResult, build_review, verify_pack, write_pack
from kycpack.pack.earlier_packs import pack_root
from kycpack.workspace.entries.verify_ledger import case_id_of

WHOLE = clear_customer()
AS_OF = "2026-06-30T12:00:00Z"


@pytest.fixture(scope="module")
def specimen() -> Evidence:
    return load_evidence(asset_path("samples/evidence/index.json").parent)


@pytest.fixture(scope="module")
def made(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> PackResult:
    return write_pack(specimen, tmp_path_factory.mktemp("packs"), as_of=AS_OF)


def test_a_pack_stands_though_its_headline_is_worded_in_its_own_way(
    specimen: Evidence, made: PackResult
) -> None:
    said = recommendation(build_review(specimen, as_of=AS_OF).triage, specimen.customer_id)
    assert _stands(made.path, specimen.root, said)
    assert not _stands(made.path, "0" * 64, said)
    assert not _stands(made.path, specimen.root, ("approve", said[1]))
    assert not _stands(made.path, specimen.root, (said[0], "another reason"))


def test_the_page_says_how_many_answers_were_reused_and_when_the_oldest_was_requested(tmp_path: Path) -> None:
    first, *others = WHOLE.entries
    asked = "2026-06-02T08:30:00.000000Z"
    reused = replace(first, note=REUSED, requested_at=asked)
    pack = write_pack(replace(WHOLE, entries=(reused, *others)), tmp_path, as_of=AS_OF).path
    page = (pack / "data/report/review.html").read_text()
    assert "1 answer was not requested again" in page
    assert f"The oldest, {first.id}, was requested at 2 Jun 2026, 08:30" in re.sub(r"<[^>]+>", "", page)
    assert verify_pack(pack).problems == ()


def _batch_of_one(out: Path) -> tuple[ReviewTask, RunEntry]:
    task = ReviewTask("http://127.0.0.1:1", "key", "c2VjcmV0", code="0" * 64)
    return task, task._review(Job(WHOLE.customer_id), WHOLE, out, read_as_of(AS_OF), None)


def test_a_disk_that_is_full_in_the_notebook_is_of_every_customer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object, **_named: object) -> None:
        raise PackError("the review notebook stopped") from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(review_task, "collect", lambda *_given, **_named: WHOLE)
    monkeypatch.setattr(review_task, "write_pack", full)
    task = ReviewTask("http://127.0.0.1:1", "key", "c2VjcmV0", code="0" * 64)
    entry = task(Job(WHOLE.customer_id), out=tmp_path, as_of=read_as_of(AS_OF), previous=None)
    assert (entry.outcome, entry.cause, entry.is_of_every_customer) == ("failed", "disk full", True)


def test_a_pack_that_holds_still_is_left_alone(tmp_path: Path) -> None:
    task, first = _batch_of_one(tmp_path)
    before = pack_root(tmp_path / first.pack)
    again = task._review(Job(WHOLE.customer_id), WHOLE, tmp_path, read_as_of(AS_OF), first)
    assert (again.outcome, again.pack, again.quarantined) == ("unchanged", first.pack, "")
    assert pack_root(tmp_path / first.pack) == before


def test_another_occasion_is_another_case_and_has_a_pack_of_its_own(tmp_path: Path) -> None:
    task, first = _batch_of_one(tmp_path)
    before = pack_root(tmp_path / first.pack)
    review = replace(task, occasion="periodic_review")
    again = review._review(Job(WHOLE.customer_id), WHOLE, tmp_path, read_as_of(AS_OF), first)
    assert (again.outcome, again.pack) == ("produced", f"{first.pack}+2")
    manifests = [
        json.loads((tmp_path / each / "data/manifest.json").read_bytes()) for each in (first.pack, again.pack)
    ]
    assert [each["case"]["id"] for each in manifests] == [
        case_id_of(WHOLE.customer_id, occasion) for occasion in ("onboarding", "periodic_review")
    ]
    assert pack_root(tmp_path / first.pack) == before


@pytest.mark.parametrize("then", [None, reseal], ids=["as it is", "with new hashes"])
def test_a_damaged_pack_goes_to_quarantine_and_is_made_anew(
    tmp_path: Path, then: Callable[[Path], None] | None
) -> None:
    task, first = _batch_of_one(tmp_path)
    pack = tmp_path / first.pack
    page = pack / "data/report/review.html"
    page.write_bytes(page.read_bytes().replace(b"Customer", b"Kustomer"))
    if then is not None:
        then(pack)
    damaged = page.read_bytes()
    again = task._review(Job(WHOLE.customer_id), WHOLE, tmp_path, read_as_of(AS_OF), first)
    assert (again.outcome, again.pack) == ("produced", first.pack)
    assert "the earlier pack was damaged" in again.note
    assert str(tmp_path) not in again.note
    assert verify_pack(pack).problems == ()
    assert (tmp_path / again.quarantined / "data/report/review.html").read_bytes() == damaged
    stamp = "2026-06-30T12:00:00Z"
    report = RunReport("run-2", stamp, stamp, stamp, kp.__version__, 1, (again,))
    assert report.exit_code == 1
