"""The task of a batch: collect and keep the evidence, check whether anything changed, write the pack."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kycpack.api import Client, SharedPace, collect
from kycpack.api.collection_plan import known_adapter
from kycpack.batch.customer_record import asked_again, cause_of, may_come_later, record_problem
from kycpack.batch.executor import failed_entry
from kycpack.batch.fence import Fence, SealedBeforeError
from kycpack.batch.fingerprint import code_digest, fingerprint
from kycpack.batch.jobs import Job
from kycpack.batch.lock import EVIDENCE
from kycpack.batch.report import RunEntry
from kycpack.errors import ConfigurationError, EvidenceError, InputError, KycpackError, PackError
from kycpack.evidence import Evidence, load_evidence
from kycpack.folders import folder_name
from kycpack.frames import flatten
from kycpack.models.json import parse_json
from kycpack.models.listed import counted
from kycpack.pack import PackResult, build_review, latest_pack, verify_pack, write_pack
from kycpack.pack.earlier_packs import earlier_pack, pack_resting_on, point_to
from kycpack.pack.notebooks.engine import IN_PLACE
from kycpack.pack.notebooks.review_notebook import read_review_notebook
from kycpack.pack.seal.write import QUARANTINE
from kycpack.settings import Settings
from kycpack.triage import Triage, load_policy
from kycpack.workspace.entries.verify_ledger import case_id_of
from kycpack.workspace.redaction_key import folder_of, redaction_key

PRELOAD = ("kycpack.batch.review_task", "kycpack.pack.preload")
"""The modules that each pack needs."""

_MOST_NAMED = 5
_OF_THIS_RUN = timedelta(days=365)  # anything that a run has collected is fresh enough for the same run


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """Makes the review pack of one customer; the object is small, so that it can be sent to a separate process.

    Attributes:
        base_url: The service's address.
        key_id: Id of the API key.
        secret: The key's secret; never shown.
        policy: The policy's file; None for the policy that comes with kycpack.
        country: The country whose calendar and words apply.
        prepared_by: Who prepares the packs; empty if nobody is named.
        reviewed_by: The second person; empty if nobody is named.
        occasion: The occasion of the cases that the packs are for: onboarding, periodic_review or event.
        bank_adapter: Name of the adapter for the form of bank transaction pages.
        signer: The signer of requests, as `package.module:name`; empty for `kyc-hmac-v1`.
        notebook: A firm's own review notebook; None for the notebook that comes with the package.
        reuse_for: How old an answer may be that is not requested again because its subject did not change; None for no limit.
        pace: Rate limit for all processes of the run together; None for no limit.
        redaction_key: Key of the workspace with which redacted copies are proved; empty for packs without a proof.
        is_for_workers: Whether the secrets come from the worker's own settings.
        code: Digest of the code, taken once, so that it stays the same for the whole run even if files change.
        preload: Modules that each pack needs, imported once for all packs.

    Raises:
        ConfigurationError: The name of the adapter is not known.
    """

    base_url: str
    key_id: str
    secret: str = field(repr=False)
    policy: Path | None = None
    country: str = "GB"
    prepared_by: str = ""
    reviewed_by: str = ""
    occasion: str = "onboarding"
    bank_adapter: str = "service-v1"
    signer: str = ""
    notebook: Path | None = None
    reuse_for: timedelta | None = None
    pace: SharedPace | None = None
    redaction_key: bytes = field(default=b"", repr=False)
    is_for_workers: bool = False
    code: str = field(default_factory=code_digest)
    preload: tuple[str, ...] = PRELOAD

    def __post_init__(self) -> None:
        known_adapter(self.bank_adapter)

    def identity(self) -> dict[str, Any]:
        """Return the values that make two runs the same batch: service, policy, country, people, occasion, adapter, code, notebook."""
        return {
            "service": self.base_url,
            "policy": load_policy(self.policy).digest,
            "country": self.country,
            "people": [self.prepared_by, self.reviewed_by],
            "occasion": self.occasion,
            "bank_adapter": self.bank_adapter,
            "code_digest": self.code,
            "notebook": read_review_notebook(self.notebook).digest,
        }

    def for_workers(self) -> ReviewTask:
        """Return the task without secrets, to be sent to workers elsewhere, which read the secrets from their own settings."""
        return replace(self, secret="", redaction_key=b"", is_for_workers=True)

    def _on_worker(self) -> ReviewTask:
        """Return the task with the secrets from the worker's own settings.

        Raises:
            ConfigurationError: A secret is missing on this worker, or its code differs from the code that began the run.
        """
        if code_digest() != self.code:
            raise ConfigurationError("the worker's version of kycpack is not the one that began the run")
        chosen = Settings.load(base_url=self.base_url, key_id=self.key_id or None, signer=self.signer or None)
        chosen.require_credentials()
        return replace(
            self, secret=chosen.secret, redaction_key=redaction_key(folder_of(chosen)), is_for_workers=False
        )

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        """Make the pack; see `Task`."""
        if self.is_for_workers:
            return self._on_worker()(job, out=out, as_of=as_of, previous=previous)
        kept = out / EVIDENCE / folder_name(job.customer_id)
        if (sealed := Fence(out, job).sealed()) is not None:
            shutil.rmtree(kept, ignore_errors=True)
            point_to(out / sealed.pack, job.customer_id)  # its worker may have ended before it did this
            return sealed
        with Client(
            self.base_url,
            key_id=self.key_id,
            secret=self.secret,
            signer=self.signer or None,
            pace=self.pace,
        ) as client:
            evidence = collect(
                client,
                job.customer_id,
                known=job.known,
                bank_adapter=self.bank_adapter,
                folder=kept,
                without_record=True,
                previous=(
                    load_evidence(out / job.evidence)
                    if job.evidence
                    else _earlier_evidence(out, job, previous)
                ),
                max_age=_OF_THIS_RUN if job.evidence else None,
                reuse_for=self.reuse_for,
                listed=job.listed,
            )
        if problem := record_problem(evidence):
            entry = RunEntry(
                job.customer_id,
                "incomplete" if may_come_later(evidence) else "failed",
                note=problem,
                cause=cause_of(evidence),
            )
        else:
            try:
                entry = self._review(job, evidence, out, as_of, previous)
            except KycpackError as error:
                entry = failed_entry(job.customer_id, error)
        if entry.outcome == "unchanged":
            return replace(entry, checked_root=evidence.root, evidence=str(kept.relative_to(out)))
        if entry.pack:
            shutil.rmtree(kept)
            return entry
        return replace(entry, evidence_root=evidence.root, evidence=str(kept.relative_to(out)))

    def _review(
        self, job: Job, evidence: Evidence, out: Path, as_of: datetime, previous: RunEntry | None
    ) -> RunEntry:
        customer_id = evidence.customer_id
        policy = load_policy(self.policy)
        same = fingerprint(
            flatten(evidence),
            policy_digest=policy.digest,
            code_digest=f"{self.code} {read_review_notebook(self.notebook).digest}",
            country=self.country,
            people=(self.prepared_by, self.reviewed_by),
            occasion=self.occasion,
        )
        quarantined = ""
        if previous is not None and not asked_again(evidence) and previous.fingerprint == same:
            place = out / previous.pack
            if place.exists() and (problem := next(iter(verify_pack(place).problems), "")):
                quarantined = _put_in_quarantine(place, out)
                problem = f"the earlier pack was damaged ({problem}) and was moved to {quarantined}"
            else:
                # The passing of time alone can change the recommendation: a document expires, a source of income ends.
                review = build_review(evidence, policy, as_of=as_of, country=self.country)
                said = recommendation(review.triage, customer_id)
                if _stands(place, previous.evidence_root, said):
                    return replace(previous, outcome="unchanged", note="", evidence="", quarantined="")
        earlier, unread = _earlier(out, job)
        unread = problem if quarantined else unread
        fence = Fence(out, job)

        def made(result: PackResult) -> RunEntry:
            entry = _entry(result, evidence, out, fingerprint=same, unread=unread)
            return replace(entry, quarantined=quarantined)

        try:
            result = write_pack(
                evidence,
                out,
                policy=policy,
                as_of=as_of,
                case_id=case_id_of(customer_id, self.occasion),
                prepared_by=self.prepared_by or None,
                reviewed_by=self.reviewed_by or None,
                country=self.country,
                ledger_head=job.ledger_head,
                policy_approval=job.policy_approval,
                excerpt=None if job.case is None else job.case.excerpt,
                earlier=earlier,
                notebook=self.notebook,
                engine=IN_PLACE,
                redaction_key=self.redaction_key,
                on_seal=lambda bag, result: fence.admit(bag, made(result)),
            )
        except SealedBeforeError as error:
            return error.entry
        return made(result)


def _entry(result: PackResult, evidence: Evidence, out: Path, *, fingerprint: str, unread: str) -> RunEntry:
    made = RunEntry(
        evidence.customer_id,
        "produced",
        pack=str(result.path.relative_to(out)),
        level=result.level,
        top_reason=result.top_reason,
        explained_share=result.explained_share,
        fingerprint=fingerprint,
        evidence_root=evidence.root,
        note=unread,
        is_demonstration=result.is_demonstration,
    )
    again = asked_again(evidence)
    if not again:
        return made
    # Without a fingerprint the pack is not a baseline, so the next run cannot report it as unchanged.
    ids = ", ".join(entry.id for entry in again[:_MOST_NAMED])
    more = ", ..." if len(again) > _MOST_NAMED else ""
    what = "failed or timed out" if evidence.incomplete else "had the key refused (401)"
    note = f"{counted(len(again), 'request')} {what} ({ids}{more}); the next run asks again"
    return replace(made, outcome="incomplete", fingerprint="", note="; ".join(filter(None, (note, unread))))


def _earlier_evidence(out: Path, job: Job, previous: RunEntry | None) -> Evidence | None:
    """Return the customer's last evidence, so that media are not fetched again; None if it is missing or altered.

    An unchanged pack was checked with newer evidence than its own.
    """
    if previous is None or not previous.pack:
        return None
    checked = (out / previous.evidence, previous.checked_root)
    own = (out / previous.pack / "data" / "evidence", previous.evidence_root)
    for folder, root in (checked, own):
        with suppress(EvidenceError):
            if root and (evidence := load_evidence(folder, root=root)).customer_id == job.customer_id:
                return evidence
    return None


def _earlier(out: Path, job: Job) -> tuple[Path | None, str]:
    """Return the pack to compare with; or None, with the reason. A damaged pack does not stop the review."""
    try:
        case, customer_id = job.case, job.customer_id
        pack = latest_pack(out, customer_id)
        if case is not None and (pack is None or case.excerpt is not None):
            rests_on = (case.evidence_root, case.policy_digest)
            known = pack_resting_on((out, *case.folders), customer_id, *rests_on)
            if known is None and pack is None:
                place = ", ".join(map(str, case.folders)) or "an unknown folder"
                return None, (
                    f"nothing was compared with the earlier pack (evidence {case.evidence_root[:12]}) in {place}: it "
                    "could not be reached"
                )
            pack = known or pack
        if pack is not None:
            earlier_pack(pack)
    except PackError as error:
        return None, f"nothing was compared with the earlier pack: {str(error).replace(f'{out}/', '')}"
    return pack, ""


def _put_in_quarantine(pack: Path, out: Path) -> str:
    """Move a damaged pack to quarantine without replacing anything; return its new path, relative to the output."""
    folder = out / QUARANTINE
    folder.mkdir(mode=0o700, exist_ok=True)
    number = 1
    while (place := folder / f"damaged-{number}" / pack.name).parent.exists():
        number += 1
    place.parent.mkdir(mode=0o700)
    pack.rename(place)
    return place.relative_to(out).as_posix()


def _stands(pack: Path, evidence_root: str, recommended: tuple[str, str]) -> bool:
    """Return whether a pack was made from this evidence, and recommends the same level for the same reason."""
    try:
        manifest = parse_json((pack / "data" / "manifest.json").read_bytes())
        said = manifest["recommendation"]
        return bool(
            manifest["evidence_root"] == evidence_root and (said["level"], said["top_reason"]) == recommended
        )
    except (OSError, InputError, KeyError, TypeError):
        return False


def recommendation(triage: Triage, customer_id: str) -> tuple[str, str]:
    """Return the recommended level for a customer, and its first reason."""
    rows = triage.recommendations
    (row,) = rows[rows["customer_id"] == customer_id].to_dict("records")
    return str(row["level"]), str(row["top_reason"])
