"""Reads what a policy recommends for the customers of a finished run, from its packs."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kycpack.errors import InputError
from kycpack.frames.rows import records
from kycpack.models.instants import read_as_of
from kycpack.models.json import parse_json
from kycpack.storage.scratch import Scratch
from kycpack.storage.stored_report import read_stored_report
from kycpack.triage.judge.findings import NOTHING
from kycpack.triage.observations.due_dates import NEEDED, DueDate, due_dates
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policy_file import load_policy
from kycpack.workspace.cases.case_records import CaseFinding, findings_of

_RECOMMENDED = ("customer_id", "level", "top_reason", "diligence")


@dataclass(frozen=True, slots=True)
class JudgedCustomer:
    """What a run recommends for a customer.

    Attributes:
        customer_id: The customer.
        level: The recommended level.
        top_reason: The first reason for it.
        diligence: The scope of due diligence; empty if it is not known.
        evidence_root: Root of the evidence; None if it is missing.
        findings: The findings that need a disposition, as from `findings_of`.
        dates: The dates by which something is due; None if they are not known.
    """

    customer_id: str
    level: str
    top_reason: str
    diligence: str
    evidence_root: str | None
    findings: Sequence[CaseFinding] = ()
    dates: Sequence[DueDate] | None = None


@dataclass(frozen=True, slots=True)
class RunPart:
    """The customers of a run that one policy judged.

    Attributes:
        run_id: Id of the run in the ledger.
        policy: The policy.
        customers: What it recommends for each customer; gone through once.
        prepared_by: Who prepared the run, as its packs name them; empty where they name nobody.
    """

    run_id: str
    policy: Policy
    customers: Iterable[JudgedCustomer]
    prepared_by: str = ""


def read_run(folder: Path | str) -> list[RunPart]:
    """Return the recommendations in the packs of a finished run, by policy.

    Args:
        folder: The run's output.

    Raises:
        InputError: There is no finished run, a pack cannot be read, or the packs name two people who prepared the run.
    """
    top = Path(folder)
    run = _report(top / "run.json")
    policies: dict[str, Policy] = {}
    prepared_by: set[str] = set()
    # Those of 100,000 customers would fill the memory.
    kept = Scratch("CREATE TABLE judged (place INTEGER PRIMARY KEY, policy TEXT, customer BLOB)")
    for entry in run["entries"]:
        if not entry.get("pack"):
            continue
        data = top / str(entry["pack"]) / "data"
        manifest = _document(data / "manifest.json")
        if manifest.get("customer_id") != entry["customer_id"]:
            raise InputError("belongs to a different customer than the run says", place=str(data))
        frames = _frames(data)
        policy = load_policy(data / "policy.yaml")
        if any((frame["customer_id"] != entry["customer_id"]).any() for frame in frames.values()):
            raise InputError("its frames belong to another customer", place=str(data))
        policies.setdefault(policy.digest, policy)
        prepared_by.add(str(manifest["case"]["prepared_by"] or ""))
        recommended = frames["recommendations"]
        judged = judged_customers(
            records(recommended, *(name for name in _RECOMMENDED if name in recommended)),
            {entry["customer_id"]: str(manifest["evidence_root"])},
            {entry["customer_id"]: findings_of(records(frames["findings"]), policy.decisions)},
            due_dates(frames, read_as_of(str(manifest["as_of"]))),
        )
        headline = str(_document(data / "figures.json").get("headline") or NOTHING)
        insert_judged = "INSERT INTO judged (policy, customer) VALUES (?, ?)"
        kept.write(
            insert_judged, ((policy.digest, pickle.dumps(_as_in_pack(one, headline))) for one in judged)
        )
    if len(prepared_by) > 1:
        raise InputError("its packs name different people who prepared it", place=str(top))
    return [
        RunPart(run["run_id"], policy, _judged(kept, digest), prepared_by="".join(prepared_by))
        for digest, policy in policies.items()
    ]


def _as_in_pack(judged: JudgedCustomer, headline: str) -> JudgedCustomer:
    """Return a customer with the pack's words where nothing stands against an approval: only the pack knows what the approval waits for."""
    return replace(judged, top_reason=headline) if judged.top_reason == NOTHING else judged


def _judged(kept: Scratch, digest: str) -> Iterator[JudgedCustomer]:
    for (customer,) in kept.rows("SELECT customer FROM judged WHERE policy = ? ORDER BY place", (digest,)):
        yield pickle.loads(customer)  # noqa: S301 - written by `read_run`, to a file that nobody else can open


def judged_customers(
    recommendations: Iterable[Mapping[Any, Any]],
    evidence_roots: Mapping[str, str],
    findings: Mapping[str, Sequence[CaseFinding]],
    dates: Mapping[str, Sequence[DueDate]],
) -> Iterator[JudgedCustomer]:
    """Yield what a policy recommends for each customer.

    Args:
        recommendations: Rows of the frame of recommendations.
        evidence_roots: The root of the evidence, by customer.
        findings: By customer, the findings that need a disposition, as from `findings_of`.
        dates: By customer, the dates by which something is due.
    """
    for row in recommendations:
        name = str(row["customer_id"])
        yield JudgedCustomer(
            name,
            str(row["level"]),
            str(row["top_reason"]),
            str(row.get("diligence") or ""),
            evidence_roots.get(name),
            findings.get(name, ()),
            dates.get(name),
        )


def _frames(data: Path) -> dict[str, pd.DataFrame]:
    """Return the frames of a pack that cases are opened from, by name."""
    needed = {**NEEDED, "recommendations": None, "findings": None}
    try:
        return {
            name: pq.ParquetFile(data / "frames" / f"{name}.parquet")
            .read(columns=columns, use_threads=False)
            .to_pandas()
            for name, columns in needed.items()
        }
    except (OSError, pa.ArrowException):
        raise InputError("its frames cannot be read; `kycpack verify` says why", place=str(data)) from None


def _report(path: Path) -> dict[str, Any]:
    """Return the report of a run, whose entries are read from its file when they are asked for."""
    try:
        run = read_stored_report(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except ValueError:
        raise InputError("is not JSON", place=str(path)) from None
    if not isinstance(run.get("run_id"), str) or not isinstance(run.get("entries"), Sequence):
        raise InputError("is not the report of a run", place=str(path))
    return run


def _document(path: Path) -> dict[str, Any]:
    try:
        document = parse_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except InputError as error:
        raise InputError(str(error), place=str(path)) from None
    if not isinstance(document, dict):
        raise InputError("is not an object", place=str(path))
    return document
