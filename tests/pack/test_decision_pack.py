"""A pack carries the decision, beside the pack that was decided on, and both can be checked."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.pack.conftest import AS_OF
from tests.pack.test_write import hashes
from tests.workspace.case_material import Clock, Office, open_office

from kycpack.batch.finished_run import FinishedRun
from kycpack.batch.jobs import Job
from kycpack.batch.review_task import ReviewTask
from kycpack.errors import PackError
from kycpack.evidence import Evidence
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import build_review, latest_pack, replay_pack, verify_pack, write_decided_pack, write_pack
from kycpack.pack.bag import close_bag
from kycpack.pack.check import printed_values
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.compute.decision import record_of
from kycpack.pack.decide.decisions_page import packs_linked, packs_with_decisions, write_decisions_page
from kycpack.pack.earlier_packs import pack_root
from kycpack.pack.redact.redaction import redact_pack
from kycpack.render.decisions_page import DECISIONS
from kycpack.workspace import Decision, Disposition, Workspace
from kycpack.workspace.cases.case_changes import change
from kycpack.workspace.entries.signing import Actor, read_key
from kycpack.workspace.entries.verify_ledger import list_digest

_WHY = "what was reported cannot be explained by the documents"


@dataclass
class Desk:
    office: Office
    out: Path
    case_id: str
    customer_id: str

    def decide(self, text: str = _WHY) -> None:
        case = self.office.cases.get(self.case_id)
        named = [each.finding_id for each in case.findings]
        wanted = Decision(
            "escalate",
            "SUSPECTED-MATCH",
            f"{', '.join(named)}: {text}",
            {each: Disposition("inconclusive") for each in named},
        )
        people = self.office.people
        self.office.cases.decide(self.case_id, wanted, version=case.version, actor=people["anna"])

    def approve(self) -> None:
        version = self.office.cases.get(self.case_id).version
        self.office.cases.approve(
            self.case_id,
            "Read every finding and the evidence; the escalation stands",
            version=version,
            actor=self.office.people["mia"],
        )

    def excerpt(self) -> dict[str, Any]:
        return self.office.ledger.excerpt(self.case_id)

    def pack(self) -> Path:
        return write_decided_pack(self.out, self.excerpt())


@pytest.fixture(scope="module")
def started(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one open case, and the pack of the run that opened it; not to be changed."""
    folder = tmp_path_factory.mktemp("started")
    for office in open_office(folder / "kycpack.db", folder):
        head = office.ledger.head()
        assert head is not None
        write_pack(
            specimen, folder / "packs", as_of=AS_OF, prepared_by="A. Analyst", ledger_head=asdict(head)
        )
        judged = build_review(specimen, as_of=AS_OF).triage
        office.cases.open_from(judged, run_id="run-1", evidence_roots={specimen.customer_id: specimen.root})
    return folder


@pytest.fixture
def desk(started: Path, specimen: Evidence, tmp_path: Path) -> Iterator[Desk]:
    folder = Path(shutil.copytree(started, tmp_path / "desk"))
    with Workspace.open(folder / "kycpack.db", now=Clock()) as workspace:
        office = Office(workspace, Clock())
        for path in folder.glob("*.pem"):
            office.people[path.stem] = Actor(path.stem, read_key(path, ""))
        case = office.cases.list()[0]
        yield Desk(office, folder / "packs", case.case_id, specimen.customer_id)


def manifest_of(pack: Path) -> dict[str, Any]:
    return dict(parse_json((pack / "data" / "manifest.json").read_bytes()))


def page_one(pack: Path) -> str:
    return read_pdf((pack / "data/report/review.pdf").read_bytes(), "review.pdf").pages[0]


def test_a_decision_changes_not_one_byte_of_what_the_customer_may_be_given(
    desk: Desk, tmp_path: Path
) -> None:
    (before,) = (path for path in desk.out.iterdir() if (path / "bagit.txt").is_file())
    desk.decide()
    desk.approve()
    given = []
    for pack in (before, desk.pack()):
        copy = redact_pack(pack, tmp_path / pack.name, "customer", bytes(32))
        files = sorted(path for path in copy.rglob("*") if path.is_file())
        given.append(
            [
                (pack / "data/report/statement.pdf").read_bytes(),
                *((path.relative_to(copy), path.read_bytes()) for path in files),
            ]
        )
    assert given[0] == given[1]


def test_page_one_says_who_decided_what_when_with_whom_and_why(desk: Desk) -> None:
    desk.decide()
    desk.approve()
    pack = desk.pack()
    html = printed_values.html_text((pack / "data/report/review.html").read_text("utf-8"))
    for text in (printed_values.squeezed(page_one(pack)), printed_values.squeezed(html)):
        for wanted in (
            "Escalated by anna on 1 Jun 2026, 12:00 UTC; approved by mia as the second person (MLRO) on 1 Jun 2026",
            _WHY,
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
    assert "approved by mia as the second person (senior manager) on 1 Jun 2026" in record.decision.sentence


def test_a_run_that_was_made_up_to_decide_alone_is_found_by_the_pack_itself(desk: Desk) -> None:
    """Nobody signs what a run says: whoever writes past kycpack can make one up that asks for nobody."""
    case = desk.office.cases.get(desk.case_id)
    opened = desk.office.cases.history(desk.case_id)[0]["data"]
    milder = [{**each, "level": "review", "subject": "", "senior": False} for each in opened["findings"]]
    said = {**opened, "run_id": "run-2", "level": "review", "findings": milder}
    counts = {"opened": 0, "updated": 1, "reopened": 0, "unchanged": 0, "cleared": 0}
    with desk.office.ledger.writing() as writer:
        fewer = tuple(replace(each, level="review", subject="") for each in case.findings)
        change(writer, replace(case, run_id="run-2", level="review", findings=fewer), "case.updated", said)
        writer.append(
            "run.recorded",
            {
                "run_id": "run-2",
                "policy": opened["policy"],
                "counts": counts,
                "cleared_digest": list_digest([]),
            },
        )
    desk.decide()
    pack = desk.pack()
    assert (
        "data/ledger-excerpt.json: entry 2 of the case differs from the pack in the level or the findings"
        in verify_pack(pack).problems
    )


@pytest.mark.parametrize("altered", [{"alone_up_to": "reject"}, {"override_days": 1000}])
@pytest.mark.parametrize("root", ["", "2" * 64])
def test_rules_that_the_packs_policy_does_not_have_are_found_by_the_pack_itself(
    desk: Desk, altered: dict[str, Any], root: str
) -> None:
    case = desk.office.cases.get(desk.case_id)
    opened = desk.office.cases.history(desk.case_id)[0]["data"]
    said = {**opened, "policy": opened["policy"] | altered, "evidence_root": root or opened["evidence_root"]}
    with desk.office.ledger.writing() as writer:
        change(writer, change(writer, case, "case.updated", said), "case.updated", opened)
    desk.decide()
    problems = verify_pack(desk.pack()).problems
    assert any("it records other rules about decisions than its policy has" in each for each in problems)


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
        "Something else was found after this decision: it has to be decided anew."
    )


def test_the_earlier_pack_stays_as_it_is_and_the_new_one_names_its_root(desk: Desk) -> None:
    first = desk.out / desk.customer_id
    before = hashes(first)
    desk.decide()
    desk.approve()
    pack = desk.pack()
    assert pack != first
    assert hashes(first) == before
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


def _other_words(excerpt: dict[str, Any]) -> None:
    entry = next(each for each in excerpt["entries"] if each["payload"]["kind"] == "case.decided")
    entry["payload"]["data"]["outcome"] = "approve"


def _other_case(excerpt: dict[str, Any]) -> None:
    excerpt["case_id"] = "another-case"


def _without_approval(excerpt: dict[str, Any]) -> None:
    excerpt["entries"] = [each for each in excerpt["entries"] if each["payload"]["kind"] != "case.decided"]


def _forged_second_person(excerpt: dict[str, Any]) -> None:
    excerpt["entries"][-1]["payload"]["actor"] = "sam"


@pytest.mark.parametrize("spoil", [_other_words, _other_case, _without_approval, _forged_second_person])
def test_an_excerpt_that_was_altered_is_found_when_every_hash_is_made_anew(
    desk: Desk, spoil: Callable[[dict[str, Any]], None]
) -> None:
    desk.decide()
    desk.approve()
    excerpt = json.loads(json.dumps(desk.excerpt()))
    pack = desk.pack()
    spoil(excerpt)
    path = pack / "data/ledger-excerpt.json"
    path.write_bytes(canonical_json(excerpt) + b"\n")
    order = parse_json((pack / "data/order.json").read_bytes())
    from kycpack.evidence import sha256_hex  # noqa: PLC0415

    order["ledger_excerpt"] = sha256_hex(path.read_bytes())
    (pack / "data/order.json").write_bytes(canonical_json(order) + b"\n")
    info = {
        name: value
        for name, _, value in (
            line.partition(": ") for line in (pack / "bag-info.txt").read_text().splitlines()
        )
        if name != "Payload-Oxum"
    }
    close_bag(pack, info)
    assert any("ledger-excerpt" in problem for problem in verify_pack(pack).problems)


def test_anchors_that_contradict_the_pack_are_found_and_without_any_it_says_so(desk: Desk) -> None:
    desk.decide()
    desk.approve()
    excerpt = desk.excerpt()
    pack = desk.pack()
    assert any("anchor" in doubt for doubt in verify_pack(pack).not_shown)
    assert verify_pack(pack, anchors=[excerpt["head"]]).problems == ()
    false = {**excerpt["head"], "hash": "0" * 64, "root": "0" * 64}
    assert any("anchor" in problem for problem in verify_pack(pack, anchors=[false]).problems)
    run_head = manifest_of(pack)["ledger_head"]
    assert any(
        "order.json" in problem
        for problem in verify_pack(pack, anchors=[{**run_head, "root": "0" * 64}]).problems
    )


def test_a_long_or_hostile_text_is_shown_and_not_obeyed(desk: Desk) -> None:
    desk.decide(
        "<script>alert(1)</script> =HYPERLINK() لأن المستندات لا تشرح ما تم الإبلاغ عنه " + "why " * 2000
    )
    desk.approve()
    pack = desk.pack()
    assert "<script>alert" not in (pack / "data/report/review.html").read_text("utf-8")
    assert verify_pack(pack).problems == ()


def test_a_later_pack_says_what_changed_since_the_decided_one(desk: Desk, specimen: Evidence) -> None:
    desk.decide()
    desk.approve()
    decided = desk.pack()
    later = write_pack(specimen, desk.out, as_of="2027-06-30", earlier=decided)
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


def test_a_folder_without_an_index_gets_no_page_of_decisions(desk: Desk) -> None:
    desk.decide()
    desk.approve()
    desk.pack()
    assert not (desk.out / DECISIONS).exists()
