"""What a batch did: one entry a customer, and sums that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from sys import intern
from typing import Any, Literal, get_args

import orjson

Outcome = Literal["produced", "incomplete", "failed", "skipped", "unchanged"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Cause = Literal[
    "", "unreachable", "key refused", "configuration", "process ended", "workers ended", "not found"
]
State = Literal["finished", "stopped"]
SCHEMA = "kycpack-run-2"
_NUMBERS: dict[str, Any] = {
    "explained_share": int | float | None,
    "seconds": int | float,
    "disposition": int,
}
# Very many customers have these words in common, which are read from a file for each.
_REPEATED = ("outcome", "level", "top_reason", "note", "cause")
_SETTLED = frozenset({"produced", "skipped", "unchanged"})
_FINAL = frozenset({"workers ended", "not found"})
_OF_EVERY_CUSTOMER = frozenset({"unreachable", "key refused", "configuration"})


@dataclass(frozen=True, slots=True)
class RunEntry:
    """What became of one customer.

    Attributes:
        customer_id: The customer's id.
        outcome: `produced`; `incomplete`: a request failed or timed out, and is asked again in the next run;
            `failed`; `unchanged`: an earlier pack has the same frames, policy, code, people and occasion; `skipped`: the
            interrupted run that this one continues had finished it.
        pack: The pack's folder, relative to the output; empty where there is none.
        level: What triage recommends; empty where nothing was derived.
        top_reason: Its first reason.
        explained_share: Share of the credits whose nature is known, own transfers left out, 0..1, in the currency with the lowest; None where there are no
            credits.
        seconds: How long it took.
        note: Why it failed or was skipped; ids and kinds of errors only.
        fingerprint: SHA-256 over frames, policy and code.
        evidence_root: Hash of the evidence.
        evidence: Where the evidence of a customer without a pack, or with an unchanged one, was kept, relative to the output.
        cause: What went wrong, where the batch acts on it: the service did not answer anything, it refused the key,
            the settings cannot be used, the customer's process was killed, two workers ended while they did the customer,
            or the service does not know the customer.
        disposition: Number of the erasure by which the customer's records were erased; 0 while they are kept.
        checked_root: Hash of the evidence by which an unchanged pack was checked; it is kept at `evidence`.
        quarantined: Where a damaged earlier pack was moved, relative to the output; empty where none was.
    """

    customer_id: str
    outcome: Outcome
    pack: str = ""
    level: str = ""
    top_reason: str = ""
    explained_share: float | None = None
    seconds: float = 0.0
    note: str = ""
    fingerprint: str = ""
    evidence_root: str = ""
    evidence: str = ""
    cause: Cause = ""
    disposition: int = 0
    checked_root: str = ""
    quarantined: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether nothing has to be done again for this customer."""
        return self.outcome in _SETTLED

    @property
    def is_tried_again(self) -> bool:
        """Whether the end of the run tries once more."""
        return not self.is_settled and self.cause not in _FINAL

    @property
    def is_of_every_customer(self) -> bool:
        """Whether the next customer would meet the same failure."""
        return self.cause in _OF_EVERY_CUSTOMER

    def took(self, seconds: float) -> RunEntry:
        """Return the entry with how long it took."""
        return replace(self, seconds=round(seconds, 2))


@dataclass(frozen=True, slots=True)
class RunReport:
    """A batch that ended; `in_scope` is always the sum of the five outcomes.

    `ledger_head` is the head of the ledger of decisions when the run was created; None without a ledger. `policy_approval` says
    whether the policy was approved then; None without a workspace. `earlier` is what the `run.json` of the run before held; None
    where there was none. `names` says whether the index shows the names of customers. `population` compares who was in scope with register and
    service when the run was started last; None where nobody compared.
    """

    run_id: str
    as_of: str
    started_at: str
    finished_at: str
    code_version: str
    workers: int
    entries: tuple[RunEntry, ...]
    state: State = "finished"
    ledger_head: Mapping[str, Any] | None = None
    policy_approval: Mapping[str, Any] | None = None
    earlier: Mapping[str, Any] | None = None
    names: bool = False
    population: Mapping[str, Any] | None = None

    @property
    def exit_code(self) -> int:
        """1 when a customer failed or an earlier pack was damaged, else 3 when something is incomplete or waits, else 0."""
        if self.count("failed") or any(entry.quarantined for entry in self.entries):
            return 1
        return 3 if self.count("incomplete") or self.sessions_without_pack else 0

    @property
    def sessions_without_pack(self) -> int:
        """How many sessions a run for completed sessions could not make a pack for, since nobody knows their customer."""
        said = self.population or {}
        if said.get("scope") != "completed":
            return 0
        return len(said["completed_of_nobody"]) + len(said["sessions_held"])

    def count(self, outcome: Outcome) -> int:
        """Return how many customers had an outcome."""
        return Counter(entry.outcome for entry in self.entries)[outcome]

    def to_document(self) -> dict[str, Any]:
        """Return what `run.json` holds."""
        entries = [asdict(entry) for entry in self.entries]
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "run_id": self.run_id,
            "state": self.state,
            "as_of": self.as_of,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "code_version": self.code_version,
            "workers": self.workers,
            "ledger_head": self.ledger_head,
            "policy_approval": self.policy_approval,
            "population": self.population,
            "in_scope": len(self.entries),
            **{outcome: self.count(outcome) for outcome in OUTCOMES},
            "names": self.names,
            "compared_with": None,
            "sessions_without_pack": self.sessions_without_pack,
            "entries": entries,
        }
        return document if self.earlier is None else _compared(document, self.earlier)


def _compared(document: dict[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report with what each customer was in the run before."""
    before = {str(one["customer_id"]): one for one in earlier["entries"]}
    now = {str(one["customer_id"]) for one in document["entries"]}
    about = {"run_id": earlier["run_id"], "as_of": earlier["as_of"], "gone": len(before.keys() - now)}
    entries = [{**one, "before": _before(before.get(str(one["customer_id"])))} for one in document["entries"]]
    return {**document, "compared_with": about, "entries": entries}


def _before(entry: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if entry is None else {name: entry[name] for name in ("outcome", "level", "top_reason")}


def to_entry(document: Mapping[str, Any]) -> RunEntry:
    """Return an entry from its members in a file; members that are not known here are left out.

    Raises:
        TypeError: A member is missing or has the wrong type.
        ValueError: The outcome is not known.
    """
    known = {name: value for name, value in document.items() if name in RunEntry.__dataclass_fields__}
    known |= {name: intern(known[name]) for name in _REPEATED if type(known.get(name)) is str}
    for name, value in known.items():
        expected = _NUMBERS.get(name, str)
        if not isinstance(value, expected):
            raise TypeError(name)
    entry = RunEntry(**known)
    if entry.outcome not in OUTCOMES:
        raise ValueError(entry.outcome)
    return entry


def dump(document: Any) -> bytes:
    """Return a document as JSON for people to read."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def dump_report(document: Mapping[str, Any]) -> Iterator[bytes]:
    """Give what `dump` returns of the report of a run, entry by entry: it is not in memory as a whole.

    Args:
        document: What `run.json` holds.
    """
    # Only the report's own member stands two places from the edge, and no text holds a bare line feed.
    head, member, foot = dump({**document, "entries": []}).partition(b'\n  "entries": [')
    yield head + member
    gap = b"\n    "
    for number, entry in enumerate(document["entries"]):
        yield b"," * (number > 0) + gap
        yield orjson.dumps(entry, option=orjson.OPT_INDENT_2).replace(b"\n", gap)
    yield b"\n  " * bool(document["entries"]) + foot
