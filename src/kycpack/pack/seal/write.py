"""Writing a pack: a bag that appears complete or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from kycpack.errors import PackError
from kycpack.evidence import Evidence, to_evidence
from kycpack.evidence.store import write_files
from kycpack.folders import add_folder, clear_leftovers, folder_name, partial_folder
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack.bag import close_bag, make_private
from kycpack.pack.compute.review import order_of
from kycpack.pack.earlier_packs import earlier_pack, latest_pack, new_place, pack_root, point_to
from kycpack.pack.notebooks.engine import NAME
from kycpack.pack.notebooks.notebook import normalised, notebook_bytes
from kycpack.pack.notebooks.review_notebook import NOTEBOOK_FILE, ReviewNotebook, read_review_notebook
from kycpack.pack.notebooks.runner import run_notebook
from kycpack.pack.order import Order
from kycpack.pack.redact.disclosure import COMMITMENTS, commitments
from kycpack.pack.seal.guide import crate_bytes, readme_bytes
from kycpack.pack.seal.manifest import bag_info, made_files, manifest_of
from kycpack.render import render_review_html
from kycpack.triage import Policy, to_policy

QUARANTINE = ".quarantine"
"""Folder beside the packs that holds failed notebooks and damaged packs."""

_PARAMETERS = {
    "evidence_path": "evidence",
    "policy_path": "policy.yaml",
    "order_path": "order.json",
    "output_path": ".",
}


@dataclass(frozen=True, slots=True)
class PackResult:
    """The result of writing a pack.

    Attributes:
        path: The pack's folder.
        customer_id: Customer id.
        level: The recommended level.
        top_reason: The main reason for the level, in one sentence with its evidence.
        explained_share: Share of credits whose nature is known beyond doubt, without own transfers, 0..1; the lowest of all currencies; None
            without credits.
        seconds: How long it took, in seconds.
        is_demonstration: Whether it is about an invented person.
    """

    path: Path
    customer_id: str
    level: str
    top_reason: str
    explained_share: float | None
    seconds: float
    is_demonstration: bool = False


def write_pack(  # noqa: PLR0913 - keyword arguments for what a pack is ordered with
    evidence: Evidence | Path | str,
    out: Path | str,
    *,
    policy: Policy | Path | str | None = None,
    as_of: date | datetime | str,
    case_id: str | None = None,
    prepared_by: str | None = None,
    reviewed_by: str | None = None,
    country: str = "GB",
    ledger_head: Mapping[str, Any] | None = None,
    policy_approval: Mapping[str, Any] | None = None,
    excerpt: Mapping[str, Any] | None = None,
    earlier: Path | str | None = None,
    newer: Mapping[str, Any] | None = None,
    notebook: ReviewNotebook | Path | str | None = None,
    engine: str = NAME,
    redaction_key: bytes = b"",
    on_seal: Callable[[Path, PackResult], None] | None = None,
) -> PackResult:
    """Make the review pack of one customer, beside earlier packs; an earlier pack is never replaced.

    If the customer's latest pack in that folder has the same content, that pack is returned and no new one is made.

    Args:
        evidence: The requests and their answers, or the folder they were saved to.
        out: Folder that the pack's own folder is put into; it is made if it does not exist.
        policy: A policy or its file; None for the policy that comes with kycpack.
        as_of: The instant everything is measured against; a bare date means the end of that day, UTC.
        case_id: Id of the case; None for the customer's onboarding case.
        prepared_by: Who prepares it; None if nobody was named.
        reviewed_by: The second person; None if nobody was named.
        country: The country whose business days and words apply, such as `GB`.
        ledger_head: The ledger's head (ledger, size, hash, root) when the run was created.
        policy_approval: Whether the policy was approved then, as returned by `Policies.approval`; None without a workspace.
        excerpt: The ledger's entries about the case, as returned by `Ledger.excerpt`; the pack then carries the decision.
        earlier: The folder of the pack that this one follows and is compared with.
        newer: The pack of the run that reopened the case, as returned by `newer_pack`.
        notebook: A firm's own review notebook; None for the notebook that comes with the package.
        engine: Name of papermill's engine; a process forked for this pack alone runs the notebook itself.
        redaction_key: Key of the workspace with which redacted copies can be proved; empty if they cannot be.
        on_seal: Called with the finished pack and its result just before the pack is put in place, while no other process can
            put one there; if it raises an error, the pack is not put in place.

    Returns:
        The pack's folder, and what the pack recommends.

    Raises:
        PackError: The earlier pack cannot be read, or the pack in that place is another customer's.
        NotebookFailedError: The notebook stopped; only the notebook is left, in quarantine.
        ConfigurationError: The notebook cannot be read, or is not a notebook with parameters.
        InputError: `as_of` is not a date or an instant with an offset, or part of the evidence cannot be read.
        EvidenceError: The folder holds no evidence, or the evidence was altered.
        TypeError: An argument has the wrong type.
    """
    started = time.perf_counter()
    rules = to_policy(policy)
    evidence = to_evidence(evidence)
    order = order_of(
        evidence,
        as_of=as_of,
        case_id=case_id,
        prepared_by=prepared_by,
        reviewed_by=reviewed_by,
        country=country,
    )
    order = replace(
        order,
        ledger_head=ledger_head,
        policy_approval=policy_approval,
        excerpt=excerpt,
        earlier=None if earlier is None else _followed(Path(earlier), evidence.customer_id),
        newer=newer,
    )
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    name = folder_name(evidence.customer_id)
    _require_own(folder / name, evidence.customer_id)
    clear_leftovers(folder, name)
    source = notebook if isinstance(notebook, ReviewNotebook) else read_review_notebook(notebook)
    result = _put(evidence, rules, order, source, folder, engine, redaction_key, on_seal)
    return replace(result, seconds=round(time.perf_counter() - started, 3))


def _put(
    evidence: Evidence,
    policy: Policy,
    order: Order,
    notebook: ReviewNotebook,
    folder: Path,
    engine: str,
    redaction_key: bytes,
    on_seal: Callable[[Path, PackResult], None] | None,
) -> PackResult:
    """Make a pack and put it in the next free place, unless the latest pack has the same content."""
    name = folder_name(evidence.customer_id)
    latest = latest_pack(folder, evidence.customer_id)

    def commit(data: Path) -> bytes:
        return commitments(data, redaction_key, evidence.customer_id, order.as_of) if redaction_key else b""

    with partial_folder(folder / name) as bag:
        figures = assemble(
            evidence,
            policy,
            order,
            notebook,
            bag,
            quarantine=folder / QUARANTINE / name,
            engine=engine,
            commit=commit,
        )
        if latest is not None and pack_root(latest) == pack_root(bag):
            return _result(latest, evidence.customer_id, figures)

        def admitted() -> Path:
            place = new_place(folder, evidence.customer_id)
            if on_seal is not None:
                on_seal(bag, _result(place, evidence.customer_id, figures))
            return place

        sealed = add_folder(bag, admitted)
    point_to(sealed, evidence.customer_id)
    return _result(sealed, evidence.customer_id, figures)


def _result(place: Path, customer_id: str, figures: Mapping[str, Any]) -> PackResult:
    return PackResult(
        place,
        customer_id,
        figures["level"],
        figures["headline"],
        known_share(figures),
        0.0,
        is_demonstration=bool(figures.get("demonstration")),
    )


def _followed(pack: Path, customer_id: str) -> dict[str, Any]:
    earlier = earlier_pack(pack)
    if earlier["customer_id"] != customer_id:
        raise PackError(f"the earlier pack {pack} is another customer's")
    return earlier


def assemble(
    evidence: Evidence,
    policy: Policy,
    order: Order,
    notebook: ReviewNotebook,
    bag: Path,
    *,
    quarantine: Path,
    engine: str = NAME,
    commit: Callable[[Path], bytes] | None = None,
) -> dict[str, Any]:
    """Fill an empty folder with the bag of a review.

    Args:
        evidence: The requests and their answers.
        policy: The policy.
        order: The order of the pack.
        notebook: The notebook that the pack is made from.
        bag: An empty folder.
        quarantine: Where the notebook is kept when it fails.
        engine: Name of papermill's engine.
        commit: Returns the commitment to the fields of the folder `data`, or empty bytes for none; None to make no commitment.

    Returns:
        The figures that the documents print.
    """
    data = bag / "data"
    data.mkdir(mode=0o700)
    (data / "evidence").mkdir(mode=0o700)
    write_files(evidence, data / "evidence")
    (data / "policy.yaml").write_bytes(policy.source)
    for name, content in order.files().items():
        (data / name).write_bytes(content)
    (data / NOTEBOOK_FILE).write_bytes(notebook.content)
    executed = normalised(run_notebook(data / NOTEBOOK_FILE, data, _PARAMETERS, quarantine, engine=engine))
    figures: dict[str, Any] = parse_json((data / "figures.json").read_bytes())
    (data / "report" / "review.ipynb").write_bytes(notebook_bytes(executed))
    page = manifest_of(evidence, policy, order, notebook.digest, figures, {})
    (data / "report" / "review.html").write_bytes(review_page(page, executed))
    manifest = manifest_of(evidence, policy, order, notebook.digest, figures, made_files(data))
    (data / "manifest.json").write_bytes(canonical_json(manifest) + b"\n")
    (data / "README.txt").write_bytes(readme_bytes(manifest))
    (data / "ro-crate-metadata.json").write_bytes(crate_bytes(manifest))
    if committed := b"" if commit is None else commit(data):
        (data / COMMITMENTS).write_bytes(committed)
    make_private(bag)
    hashed = {f"data/{name}": file["sha256"] for name, file in manifest["files"].items()}
    close_bag(bag, bag_info(manifest), hashed)
    return figures


def _require_own(target: Path, customer_id: str) -> None:
    manifest = target / "data" / "manifest.json"
    if manifest.is_file() and parse_json(manifest.read_bytes()).get("customer_id") != customer_id:
        raise PackError(f"the pack at {target} is another customer's; it is not replaced")


def review_page(manifest: Mapping[str, Any], executed: Mapping[str, Any]) -> bytes:
    """Return the HTML page of a review.

    Args:
        manifest: The content of `manifest.json`.
        executed: The review's executed notebook, as in the pack.
    """
    policy = manifest["policy"]
    footer = (
        f"Case {manifest['case']['id']} · As of {manifest['as_of']} · Policy {policy['id']} {policy['version']}",
        f"Evidence root {manifest['evidence_root']}",
    )
    return render_review_html(
        executed,
        title=f"Customer review {manifest['customer_id']}",
        footer=footer,
        demonstration=bool(manifest.get("demonstration")),
    ).encode()


def known_share(figures: Mapping[str, Any]) -> float | None:
    """Return the share of credits whose nature is known beyond doubt, as page one shows it, 0..1: the lowest of all currencies; None without credits.

    Args:
        figures: The figures of a pack, as in `data/figures.json`; those of earlier versions do not say what is in doubt.
    """
    shares = (
        (one["known_minor"] - one.get("doubted_minor", 0)) / one["total_minor"]
        for one in figures["credits"]
        if one["total_minor"]
    )
    return min(map(float, shares), default=None)
