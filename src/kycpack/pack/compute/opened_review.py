"""Opening a review interactively, as the notebook does: from a folder of evidence, or the newest evidence of a customer.

No request is sent to the service.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from kycpack.assets import asset_path
from kycpack.errors import InputError
from kycpack.evidence import Evidence, load_evidence
from kycpack.folders import folder_name
from kycpack.models.instants import parse_instant, read_as_of
from kycpack.pack.compute.review import Review, order_of, order_review
from kycpack.pack.earlier_packs import packs_of
from kycpack.pack.order import Order, read_order
from kycpack.settings import Settings

_COLLECTED = "evidence"  # where `kycpack collect` puts its folders
_KEPT_BY_RUNS = Path(".kycpack") / "evidence"


def open_review(
    *,
    evidence_path: Path | str = "",
    customer_id: str = "",
    as_of: str = "",
    policy_path: Path | str = "",
    order_path: Path | str = "",
    settings: Settings | None = None,
) -> Review:
    """Compute the review of stored evidence.

    Args:
        evidence_path: A folder of evidence.
        customer_id: The customer whose newest stored evidence is reviewed; see `stored_evidence`. Together with
            `evidence_path`, the customer that the evidence must be about. With neither, the specimen that comes with
            kycpack is reviewed.
        as_of: The instant everything is measured against; empty for the time of the last request in the evidence.
        policy_path: The policy's file; empty for the one that comes with kycpack.
        order_path: The order of a pack, which has its own `as_of`.
        settings: Settings that say where evidence is stored; None for those of the environment.

    Raises:
        InputError: No evidence of the customer is stored, the evidence is another customer's, `as_of` cannot be read, or an
            argument is not text.
        EvidenceError: The evidence is altered or cannot be read.
        PolicyError: The policy cannot be read.
    """
    given = {"evidence_path": evidence_path, "customer_id": customer_id, "as_of": as_of}
    given |= {"policy_path": policy_path, "order_path": order_path}
    for name, value in given.items():
        if not isinstance(value, str | Path):
            raise InputError(
                f"text is needed, and {type(value).__name__} was given; papermill keeps a value as text with -r in place of -p",
                place=name,
            )
    if order_path and as_of:
        raise InputError("an order has its own as_of: give one of order_path and as_of", place="as_of")
    if not evidence_path and not customer_id:
        evidence_path = asset_path("samples/evidence/index.json").parent
    if evidence_path:
        evidence = load_evidence(evidence_path)
        if customer_id and evidence.customer_id != customer_id:
            raise InputError(
                f"the evidence is customer {evidence.customer_id}'s, not {customer_id}'s",
                place="evidence_path",
            )
    else:
        evidence = stored_evidence(customer_id, settings or Settings.load())
    order = read_order(order_path) if order_path else _order(evidence, as_of)
    return order_review(evidence, policy_path or None, order)


def stored_evidence(customer_id: str, settings: Settings) -> Evidence:
    """Return the newest evidence of a customer that is stored here.

    The search covers the folder `evidence` beside the workspace's database, where `kycpack collect` puts evidence, and the
    folder of reports with the folders of runs in it, for the customer's packs and for evidence of unfinished runs. The
    newest evidence is the one with the latest request.

    Args:
        customer_id: The customer.
        settings: Settings that name the workspace and the folder of reports.

    Raises:
        InputError: There is none.
        EvidenceError: What is stored is altered or cannot be read.
    """
    found = [load_evidence(folder) for folder in _folders(customer_id, settings)]
    own = [evidence for evidence in found if evidence.customer_id == customer_id]
    if not own:
        raise InputError(
            f"no evidence of customer {customer_id} is stored; `kycpack collect {customer_id}` fetches it",
            place="customer_id",
        )
    return max(own, key=_last_asked)


def _last_asked(evidence: Evidence) -> datetime:
    span = evidence.asked_between
    return datetime.min.replace(tzinfo=UTC) if span is None else parse_instant(span[1])


def _folders(customer_id: str, settings: Settings) -> Iterator[Path]:
    name = folder_name(customer_id)
    places = [_beside_workspace(settings.workspace) / _COLLECTED / name]
    if settings.reports.is_dir():
        runs = sorted(path.parent for path in settings.reports.glob("*/.kycpack"))
        for reports in (settings.reports, *runs):
            places.append(reports / _KEPT_BY_RUNS / name)
            places += [pack / "data" / "evidence" for pack in packs_of(reports, customer_id)]
    yield from (place for place in places if (place / "index.json").is_file())


def _beside_workspace(workspace: str) -> Path:
    """Return the folder of the workspace's database, or the working directory if the database is on a server."""
    try:
        url = make_url(workspace)
    except ArgumentError:
        return Path(workspace).parent
    is_file = url.get_backend_name() == "sqlite" and url.database
    return Path(str(url.database)).parent if is_file else Path()


def _order(evidence: Evidence, as_of: str) -> Order:
    asked = evidence.asked_between
    if not as_of and asked is None:
        raise InputError(
            "this evidence has no request at a known time, so give the date of the review", place="as_of"
        )
    moment = read_as_of(as_of or (asked or ("", ""))[1])
    return order_of(evidence, as_of=moment, case_id=None, prepared_by=None, reviewed_by=None, country="GB")
