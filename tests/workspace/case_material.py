"""What tests of cases and the ledger start from: a clock, people with keys, and a few customers as a policy judged them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from kycpack.triage import Policy, load_policy
from kycpack.triage.evaluate import Triage
from kycpack.workspace import Cases, Decision, Disposition, Keys, Ledger, Workspace
from kycpack.workspace.entries.signing import Actor, make_key

START = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
OUTSIDE = {"list_entry": "OFSI group 12345", "list_date": "2026-05-30", "file_sha256": "ab" * 32}
ROOT = "1" * 64


@dataclass
class Clock:
    moment: datetime = START

    def __call__(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment


@dataclass
class Office:
    """A workspace with an administrator, two analysts, an MLRO and a senior manager."""

    workspace: Workspace
    clock: Clock
    people: dict[str, Actor] = field(default_factory=dict)

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.workspace)

    @property
    def cases(self) -> Cases:
        return Cases(self.ledger)

    @property
    def keys(self) -> Keys:
        return Keys(self.ledger)


def open_office(
    place: str | Path, folder: Path, *, keys: bool = True, is_honest: bool = False, is_other: bool = False
) -> Iterator[Office]:
    """Open an office; where everybody in it is honest, its ledger is verified at the end.

    In a file it is a copy of one that is made once, because making it takes longer than most tests that need it; another office
    has other keys.
    """
    first_day = None if is_other or "://" in str(place) else _first_day(keys=keys)
    if first_day is not None:
        files = {
            Path(place): first_day.database,
            **{folder / name: key for name, key in first_day.keys.items()},
        }
        for path, content in files.items():
            path.touch(0o600)
            path.write_bytes(content)
    clock = Clock()
    with Workspace.open(place, now=clock) as workspace:
        office = Office(workspace, clock)
        if first_day is None:
            _enrol(office, folder, keys=keys)
        else:
            office.people, clock.moment = dict(first_day.people), first_day.moment
        yield office
        assert not is_honest or office.ledger.verify().problems == []


def _enrol(office: Office, folder: Path, *, keys: bool) -> None:
    for name in ("ada", "anna", "ben", "mia", "sam"):
        key = make_key(folder / f"{name}.pem") if keys else None
        office.people[name] = Actor(name, key)
        office.keys.enrol(name, key.public_key if key else "", actor=office.people["ada"])
    office.keys.grant("mia", "MLRO", actor=office.people["ada"])
    office.keys.grant("sam", "senior_manager", actor=office.people["ada"])


@dataclass(frozen=True)
class _FirstDay:
    """An office as it is before anything happened: its database, its people and the files of their keys."""

    database: bytes
    keys: dict[str, bytes]
    people: dict[str, Actor]
    moment: datetime


@cache
def _first_day(*, keys: bool) -> _FirstDay:
    clock = Clock()
    with TemporaryDirectory() as made:
        folder = Path(made)
        with Workspace.open(folder / "kycpack.db", now=clock) as workspace:
            office = Office(workspace, clock)
            _enrol(office, folder, keys=keys)
        files = {path.name: path.read_bytes() for path in folder.glob("*.pem")}
        return _FirstDay((folder / "kycpack.db").read_bytes(), files, office.people, clock.moment)


def finding(customer: str, rule: str, outcome: str, level: str, path: str, **more: Any) -> dict[str, Any]:
    row = {
        "customer_id": customer,
        "session_id": "s-1",
        "rule_id": rule,
        "outcome": outcome,
        "level": level,
        "owner": "Analyst",
        "action": "ask",
        "internal": False,
        "title": rule,
        "reason": rule,
        "sentence": f"{rule} reports something (E-03)",
        "cause": "",
        "basis": "",
        "path": path,
        "value": "attention",
        "evidence_ids": ["E-03"],
        "superseded_by": None,
    }
    return row | more


SANCTIONS = ("SAN-1", "HIT", "escalate", "screening.summary.watchlist.sanctionsLists")
MEDIA = ("ADV-2", "HIT", "review", "screening.summary.adverseMedia.environmentProduction")
PEP = ("PEP-1", "HIT", "edd", "screening.summary.pep.level1")
ADDRESS = ("ADR-1", "UNKNOWN", "review", "address.contentAnalysis.documentAgeOutcome")
INTERNAL = ("INT-1", "HIT", "review", "wealth.flags.structuring")


def triage(customers: dict[str, tuple[str, list[Any]]], policy: Policy | None = None) -> Triage:
    """What a policy made of customers: by id, the level and the findings."""
    rules = policy or load_policy()
    recommendations = pd.DataFrame(
        [
            {"customer_id": name, "level": level, "top_reason": f"{name}: {level}"}
            for name, (level, _) in customers.items()
        ]
    )
    rows = [
        finding(name, *each[:4], **(each[4] if len(each) > 4 else {}))
        for name, (_, found) in customers.items()
        for each in found
    ]
    findings = pd.DataFrame(rows, columns=list(finding("c", *MEDIA)))
    made = Triage((), recommendations, (), (), rules, START)
    # As if the findings had been asked for.
    vars(made)["findings"] = findings
    return made


def open_cases(
    office: Office,
    customers: dict[str, tuple[str, list[Any]]],
    *,
    root: str = ROOT,
    run: str = "run-1",
    **more: Any,
) -> Any:
    judged = triage(customers, more.pop("policy", None))
    return office.cases.open_from(judged, run_id=run, evidence_roots=dict.fromkeys(customers, root), **more)


def said(verdict: str, **evidence: str) -> Disposition:
    return Disposition(verdict, evidence)


def decision(outcome: str, code: str, **dispositions: Disposition | str) -> Decision:
    given = {
        name.replace("_", "-"): each if isinstance(each, Disposition) else Disposition(each)
        for name, each in dispositions.items()
    }
    text = (
        f"{', '.join(given) or 'The customer'}: looked at the documents, and they explain what was reported"
    )
    return Decision(outcome, code, text, given)
