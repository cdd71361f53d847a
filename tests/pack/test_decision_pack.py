"""A pack carries the decision, beside the pack that was decided on, and both can be checked."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pytest
from tests.pack.conftest import AS_OF
from tests.pack.decision_desk import WHY, DecidedDesk, Desk, manifest_of, page_one
from tests.pack.test_write import hashes
from tests.render.specimen_review import with_body

from kycpack.batch.finished_run import FinishedRun
from kycpack.batch.jobs import Job
from kycpack.batch.review_task import ReviewTask
from kycpack.errors import PackError
from kycpack.evidence import Evidence
from kycpack.evidence.record import sha256_hex
from kycpack.models.json import parse_json
from kycpack.pack import build_review, latest_pack, replay_pack, verify_pack, write_decided_pack, write_pack
from kycpack.pack.check import printed_values
from kycpack.pack.compute.decision import record_of
from kycpack.pack.decide.decisions_page import packs_linked, packs_with_decisions, write_decisions_page
from kycpack.pack.earlier_packs import pack_root
from kycpack.pack.redact.redaction import redact_pack
from kycpack.render.decisions_page import DECISIONS


def test_a_decision_changes_not_one_byte_of_what_the_customer_may_be_given(
    decided_desk: DecidedDesk, tmp_path: Path
) -> None:
    desk = decided_desk.desk
    given = []
    for pack in (desk.out / desk.customer_id, decided_desk.pack):
        copy = redact_pack(pack, tmp_path / pack.name, "customer", bytes(32))
        files = sorted(path for path in copy.rglob("*") if path.is_file())
        given.append(
            [
                (pack / "data/report/statement.pdf").read_bytes(),
                *((path.relative_to(copy), path.read_bytes()) for path in files),
            ]
        )
    assert given[0] == given[1]


def test_page_one_says_who_decided_what_when_with_whom_and_why(decided_desk: DecidedDesk) -> None:
    pack = decided_desk.pack
    html = printed_values.html_text((pack / "data/report/review.html").read_text("utf-8"))
    for text in (printed_values.squeezed(page_one(pack)), printed_values.squeezed(html)):
        for wanted in (
            "Escalated by anna on 1 Jun 2026, 12:00",
            "UTC; agreed by mia as the second person (MLRO) on 1 Jun 2026, 12:00",
            WHY,
        ):
            assert printed_values.squeezed(wanted) in text
        assert printed_values.squeezed("No decision recorded") not in text
    assert verify_pack(pack).problems == ()
    assert replay_pack(pack).identical


def test_the_role_beside_a_name_is_the_one_held_when_it_was_approved(desk: Desk) -> None:
    people, keys = desk.office.people, desk.office.keys
    keys.withdraw("mia", "MLRO", actor=people["ada"])
    keys.grant("mia", "senior_manager", actor=people["ada"])
    desk.decide()
    desk.approve()
    keys.grant("mia", "MLRO", actor=people["ada"])
    keys.grant("anna", "MLRO", actor=people["ada"])
    record = record_of(desk.excerpt())
    assert record is not None
    assert record.decision is not None
    assert record.decision.sentence.startswith("Escalated by anna on 1 Jun 2026")
    assert "agreed by mia as the second person (senior manager) on 1 Jun 2026" in record.decision.sentence


def test_what_no_person_recorded_was_recorded_by_a_run(desk: Desk) -> None:
    desk.decide()
    excerpt = desk.excerpt()
    record = record_of(excerpt)
    assert record is not None
    opened, *_, decided = record.steps
    (run_id,) = {
        each["payload"]["data"]["run_id"] for each in excerpt["entries"] if each["seq"] == opened.seq
    }
    assert (opened.what, opened.actor) == ("Case opened", f"Batch run {run_id[:8]}")
    assert decided.actor == "anna"
    due = {"kind": "case.reopened", "actor": "kycpack", "at": "2026-06-02T00:00:00+00:00", "data": {}}
    last = excerpt["entries"][-1]
    later = record_of(
        {**excerpt, "entries": [*excerpt["entries"], {**last, "payload": {**last["payload"], **due}}]}
    )
    assert later is not None
    assert later.steps[-1].actor == "kycpack, without a person"


def test_a_decision_that_a_later_run_took_back_does_not_wait_for_its_second_person(desk: Desk) -> None:
    desk.decide()
    excerpt = desk.excerpt()
    waits = record_of(excerpt)
    assert waits is not None
    assert waits.decision is not None
    assert "waits for its second person" in waits.decision.standing
    last = excerpt["entries"][-1]
    updated = {**last["payload"], "kind": "case.updated", "actor": "kycpack", "data": {"state": "in_review"}}
    taken_back = record_of({**excerpt, "entries": [*excerpt["entries"], {**last, "payload": updated}]})
    assert taken_back is not None
    assert taken_back.decision is not None
    assert taken_back.decision.standing == (
        "Something else was found after this decision: it must be decided again."
    )


def test_the_earlier_pack_stays_as_it_is_and_the_new_one_names_its_root(
    started: Path, decided_desk: DecidedDesk
) -> None:
    desk = decided_desk.desk
    first = desk.out / desk.customer_id
    pack = decided_desk.pack
    assert pack != first
    assert hashes(first) == hashes(started / "packs" / desk.customer_id)
    assert manifest_of(pack)["earlier_pack"] == pack_root(first)
    assert latest_pack(desk.out, desk.customer_id) == pack
    assert verify_pack(first).problems == ()


def test_a_pack_made_before_the_decision_says_so(desk: Desk) -> None:
    text = printed_values.squeezed(page_one(desk.out / desk.customer_id))
    assert printed_values.squeezed("No decision recorded") in text
    assert printed_values.squeezed("made before any decision was recorded") in text


def test_a_decision_that_waits_for_its_second_person_says_so(desk: Desk) -> None:
    desk.decide()
    text = printed_values.squeezed(page_one(desk.pack()))
    assert printed_values.squeezed("a second person has not approved it") in text
    assert printed_values.squeezed("waits for its second person") in text


def test_each_later_decision_makes_a_further_pack_and_none_is_made_twice(desk: Desk) -> None:
    desk.decide()
    waiting = desk.pack()
    assert desk.pack() == waiting
    desk.approve()
    final = desk.pack()
    assert final not in {waiting, desk.out / desk.customer_id}
    assert manifest_of(final)["earlier_pack"] == pack_root(waiting)


def test_a_case_without_a_decision_has_no_pack_of_one(desk: Desk) -> None:
    with pytest.raises(PackError, match="no decision yet"):
        desk.pack()


def test_a_decision_on_other_evidence_is_not_put_into_this_pack(desk: Desk, specimen: Evidence) -> None:
    other = replace(specimen, entries=specimen.entries[:-1])
    judged = build_review(other, as_of=AS_OF).triage
    desk.office.cases.open_from(judged, run_id="run-2", evidence_roots={desk.customer_id: other.root})
    desk.decide()
    with pytest.raises(PackError, match="that were decided on"):
        desk.pack()


def test_the_ledgers_head_of_the_run_is_in_the_bag(desk: Desk) -> None:
    order = parse_json((desk.out / desk.customer_id / "data/order.json").read_bytes())
    head = manifest_of(desk.out / desk.customer_id)["ledger_head"]
    assert order["ledger_head"] == head
    assert head["size"] == 8  # the ledger's first entry, five people and two roles


def test_a_long_or_hostile_text_is_shown_and_not_obeyed(desk: Desk) -> None:
    desk.decide(
        "<script>alert(1)</script> =HYPERLINK() لأن المستندات لا تشرح ما تم الإبلاغ عنه " + "why " * 2000
    )
    desk.approve()
    pack = desk.pack()
    assert "<script>alert" not in (pack / "data/report/review.html").read_text("utf-8")
    assert verify_pack(pack).problems == ()


def test_a_later_pack_says_what_changed_since_the_decided_one(
    decided_desk: DecidedDesk, specimen: Evidence, tmp_path: Path
) -> None:
    packs = Path(shutil.copytree(decided_desk.desk.out, tmp_path / "packs"))
    decided = packs / decided_desk.pack.name
    later = write_pack(specimen, packs, as_of="2027-06-30", earlier=decided)
    text = printed_values.html_text((later.path / "data/report/review.html").read_text("utf-8"))
    changed = text.partition("Comparison with an earlier pack")[2]
    assert "Earlier pack as of 30 Jun 2026" in " ".join(changed.split())
    assert "expired on 2 Aug 2026" in changed
    assert verify_pack(later.path).problems == ()
    assert replay_pack(later.path).identical


def test_two_runs_are_compared_customer_by_customer(desk: Desk, specimen: Evidence) -> None:
    later = write_pack(specimen, desk.out, as_of="2027-06-30", earlier=desk.out / desk.customer_id)
    runs = [
        FinishedRun(desk.out, _run_document(specimen, name)) for name in (desk.customer_id, later.path.name)
    ]
    changes = runs[1].changes(runs[0])
    assert set(changes["customer_id"]) == {desk.customer_id}
    assert changes["subject"].str.contains("expired").any()
    assert runs[0].changes(runs[0]).empty


def test_a_damaged_earlier_pack_does_not_stop_the_next_review_and_is_named(
    desk: Desk, specimen: Evidence
) -> None:
    first = desk.out / desk.customer_id
    (first / "data/frames/flags.parquet").write_bytes(b"damaged")
    task = ReviewTask("http://127.0.0.1:1", "key", "c2VjcmV0", code="0" * 64)
    as_of = datetime(2026, 9, 30, tzinfo=UTC)
    entry = task._review(Job(desk.customer_id), specimen, desk.out, as_of, None)
    assert entry.pack == f"{desk.customer_id}+2"
    assert "nothing was compared with the earlier pack" in entry.note
    assert str(desk.out) not in entry.note


def _run_document(evidence: Evidence, pack: str) -> dict[str, Any]:
    entry = {
        "customer_id": evidence.customer_id,
        "outcome": "produced",
        "pack": pack,
        "evidence_root": evidence.root,
    }
    return {"run_id": pack, "as_of": AS_OF, "state": "finished", "entries": [entry]}


def test_the_page_beside_the_index_links_the_pack_with_the_decision_and_the_one_decided_on(
    desk: Desk,
) -> None:
    (desk.out / "index.html").write_text("the index of the run")
    write_decisions_page(desk.out)
    page = desk.out / DECISIONS
    assert "No pack with a decision is beside the packs of this run yet." in page.read_text()
    desk.decide()
    desk.approve()
    place = desk.pack()
    (found,) = packs_with_decisions(desk.out)
    assert (found["pack"], found["decided_on"]) == (place.name, desk.customer_id)
    shown = page.read_text()
    assert found["sentence"] in shown
    assert "1 pack with a decision is beside the packs of this run." in shown
    assert "A decision is listed here once kycpack case pack has made its pack" in printed_values.html_text(
        shown
    )
    assert packs_linked(shown) == {place.name}
    for link in re.findall(r'href="([^"]+\.(?:pdf|html))"', shown):
        assert (desk.out / unquote(link)).is_file(), link
    page.unlink()
    desk.pack()  # the same pack again: the page is there again
    assert packs_linked(page.read_text()) == {place.name}


def test_a_folder_without_an_index_gets_no_page_of_decisions(decided_desk: DecidedDesk) -> None:
    assert not (decided_desk.desk.out / DECISIONS).exists()


@pytest.fixture(params=[True, False], ids=["at hand", "not at hand"])
def overtaken(
    request: pytest.FixtureRequest, desk: Desk, specimen: Evidence, tmp_path: Path
) -> tuple[Path, Path | None]:
    """The pack of a decision that a later run overtook, and that run's pack if it was at hand when the first was made."""
    desk.decide()
    changed = with_body(specimen, "customers.get", {"lastName": "Underhill"})
    other = replace(
        changed,
        entries=tuple(
            replace(one, sha256=sha256_hex(body), bytes=len(body))
            if (body := changed.bodies.get(one.id))
            else one
            for one in changed.entries
        ),
    )
    later = write_pack(other, tmp_path / "later", as_of=AS_OF).path
    judged = build_review(other, as_of=AS_OF).triage
    desk.office.cases.open_from(judged, run_id="run-2", evidence_roots={desk.customer_id: other.root})
    folders = [tmp_path / "later"] if request.param else []
    return write_decided_pack(desk.out, desk.excerpt(), folders=folders), later if request.param else None


def test_a_case_that_was_opened_again_shows_what_the_later_run_found_with_its_values(
    overtaken: tuple[Path, Path | None],
) -> None:
    pack, later = overtaken
    found = " ".join(printed_values.html_text((pack / "data/report/review.html").read_text("utf-8")).split())
    news = found.partition("Found since by run")[2].partition("Verdict on each finding")[0]
    name = "The name on the record and the name on the document do not match"
    assert name in news
    assert (f"{name}: “" in news) is (later is not None)
    assert ("Underhill” on the record" in news) is (later is not None)
    assert ("Missing here are the values that were compared" in news) is (later is None)
    assert ("Missing: any values compared, which only run run-2's pack has" in page_one(pack)) is (
        later is None
    )
    title = "Values that the later run compared not at hand"
    assert (title in " ".join(page_one(pack).split())) is (later is None)
    told = "The values that run run-2 compared, which reopened the case, are only in that run's pack, which was not at hand."
    assert (told in found) is (later is None)
    assert ("Analyst: read the values in that run's pack" in found) is (later is None)
    limits = pd.read_parquet(pack / "data/frames/limits.parquet")
    assert ("values_not_at_hand" in set(limits["code"])) is (later is None)
    kept = pack / "data/newer-pack.json"
    assert kept.exists() is (later is not None)
    if later is not None:
        assert parse_json(kept.read_bytes())["root"] == pack_root(later)
    assert "Underhill" not in (pack / "data/ledger-excerpt.json").read_text("utf-8")
    assert verify_pack(pack).problems == ()
    assert replay_pack(pack).identical
