"""A workspace with one case of the specimen, and the packs beside each other: before the decision, and with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.workspace.case_material import Clock, Office

from kycpack.evidence import Evidence
from kycpack.models.json import parse_json
from kycpack.pack import build_review, write_decided_pack, write_pack
from kycpack.pack.check.pdf import read_pdf
from kycpack.workspace import Decision, Disposition, Workspace
from kycpack.workspace.entries.signing import Actor, read_key

WHY = "what was reported cannot be explained by the documents"


@dataclass
class Desk:
    office: Office
    out: Path
    case_id: str
    customer_id: str

    def decide(self, text: str = WHY) -> None:
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


@dataclass(frozen=True)
class DecidedDesk:
    """A desk with a decision that was approved, and the pack that carries it; not to be changed."""

    desk: Desk
    pack: Path


def open_first_case(office: Office, folder: Path, specimen: Evidence, as_of: str) -> None:
    """Make the pack of a first run in a folder, and open the case that the run asks for."""
    head = office.ledger.head()
    assert head is not None
    write_pack(specimen, folder / "packs", as_of=as_of, prepared_by="A. Analyst", ledger_head=asdict(head))
    judged = build_review(specimen, as_of=as_of).triage
    office.cases.open_from(judged, run_id="run-1", evidence_roots={specimen.customer_id: specimen.root})


@contextmanager
def desk_in(folder: Path, customer_id: str) -> Iterator[Desk]:
    with Workspace.open(folder / "kycpack.db", now=Clock()) as workspace:
        office = Office(workspace, Clock())
        for path in folder.glob("*.pem"):
            office.people[path.stem] = Actor(path.stem, read_key(path, ""))
        case = office.cases.list()[0]
        yield Desk(office, folder / "packs", case.case_id, customer_id)


def manifest_of(pack: Path) -> dict[str, Any]:
    return dict(parse_json((pack / "data" / "manifest.json").read_bytes()))


def page_one(pack: Path) -> str:
    return read_pdf((pack / "data/report/review.pdf").read_bytes(), "review.pdf").pages[0]
