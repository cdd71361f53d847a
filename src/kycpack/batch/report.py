"""The report of a batch: one entry per customer, and totals that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from sys import intern
from typing import Any, Literal, get_args

import orjson

from kycpack.batch.population import PopulationProof
from kycpack.storage.scratch import Scratch

Outcome = Literal["produced", "incomplete", "failed", "skipped", "unchanged"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Cause = Literal[
    "",
    "unreachable",
    "key refused",
    "clocks differ",
    "configuration",
    "disk full",
    "process ended",
    "workers ended",
    "not found",
]
State = Literal["finished", "stopped"]
SCHEMA = "kycpack-run-2"
_NUMBERS: dict[str, Any] = {
    "explained_share": int | float | None,
    "seconds": int | float,
    "disposition": int,
    "is_demonstration": bool,
}
# Many customers share these words, which are read from a file for each customer.
_REPEATED = ("outcome", "level", "top_reason", "note", "cause")
_COMPARED = ("outcome", "level", "top_reason")
_SETTLED = frozenset({"produced", "skipped", "unchanged"})
_FINAL = frozenset({"workers ended", "not found"})
_OF_EVERY_CUSTOMER = frozenset({"unreachable", "key refused", "clocks differ", "configuration", "disk full"})


@dataclass(frozen=True, slots=True)
class RunEntry:
    """The outcome of one customer.

    Attributes:
        customer_id: The customer's id.
        outcome: `produced`; `incomplete`: a request failed or timed out, and is sent again in the next run; `failed`;
            `unchanged`: an earlier pack has the same frames, policy, code, people and occasion; `skipped`: the
            interrupted run that this one continues had finished the customer.
        pack: The pack's folder, relative to the output; empty without a pack.
        level: The level that triage recommends; empty if none was derived.
        top_reason: The first reason for the level.
        explained_share: Share of credits whose nature is known beyond doubt, without own transfers, 0..1; the lowest of all currencies;
            None without credits.
        seconds: How long it took, in seconds.
        note: Why it failed or was skipped; ids and types of errors only.
        fingerprint: SHA-256 over frames, policy and code.
        evidence_root: Hash of the evidence.
        evidence: Folder of the evidence that was kept for a customer without a pack or with an unchanged one, relative to
            the output.
        cause: The cause of a failure that the batch acts on: the service did not answer at all, it refused the key or the time that requests are signed with, the
            settings cannot be used, a disk is full, the customer's process was killed, two workers ended while working on the customer, or
            the service does not have the customer.
        disposition: Number of the erasure that erased the customer's records; 0 while they are kept.
        checked_root: Hash of the evidence with which an unchanged pack was checked; it is kept at `evidence`.
        quarantined: Where a damaged earlier pack was moved, relative to the output; empty if none was.
        is_demonstration: Whether the pack is about an invented person.
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
    is_demonstration: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether this customer is done, so that nothing needs to be repeated."""
        return self.outcome in _SETTLED

    @property
    def is_tried_again(self) -> bool:
        """Whether the customer is tried once more at the end of the run."""
        return not self.is_settled and self.cause not in _FINAL

    @property
    def is_of_every_customer(self) -> bool:
        """Whether every other customer would fail in the same way."""
        return self.cause in _OF_EVERY_CUSTOMER

    def took(self, seconds: float) -> RunEntry:
        """Return the entry with its duration in seconds."""
        return replace(self, seconds=round(seconds, 2))


@dataclass(frozen=True)
class RunReport:
    """The report of a finished batch; `in_scope` is always the sum of the five outcomes.

    `ledger_head` is the head of the ledger of decisions when the run was created; None without a ledger. `policy_approval` says
    whether the policy was approved then; None without a workspace. `earlier` is the content of `run.json` of the previous run;
    None if there was none. `names` says whether the index shows the names of customers. `population` compares the customers in
    scope with the register and the service when the run was last started; None if they were not compared.
    """

    run_id: str
    as_of: str
    started_at: str
    finished_at: str
    code_version: str
    workers: int
    entries: Sequence[RunEntry]
    state: State = "finished"
    ledger_head: Mapping[str, Any] | None = None
    policy_approval: Mapping[str, Any] | None = None
    earlier: Mapping[str, Any] | None = None
    names: bool = False
    population: PopulationProof | None = None

    @cached_property
    def _totals(self) -> tuple[Counter[str], bool]:
        """How many customers had each outcome, and whether an earlier pack was damaged."""
        counts: Counter[str] = Counter()
        is_damaged = False
        for entry in self.entries:
            counts[entry.outcome] += 1
            is_damaged |= bool(entry.quarantined)
        return counts, is_damaged

    @property
    def exit_code(self) -> int:
        """1 if a customer failed or an earlier pack was damaged; else 3 if something is incomplete or waits; else 0."""
        if self.count("failed") or self._totals[1]:
            return 1
        return 3 if self.count("incomplete") or self.sessions_without_pack else 0

    @property
    def sessions_without_pack(self) -> int:
        """How many sessions a run for completed sessions could not make a pack for, because their customer is not known."""
        return 0 if self.population is None else self.population.sessions_without_pack

    def count(self, outcome: Outcome) -> int:
        """Return how many customers had an outcome."""
        return self._totals[0][outcome]

    def to_document(self) -> dict[str, Any]:
        """Return the content of `run.json`."""
        return {**self._head(), "entries": list(self._documents())}

    def dump(self) -> Iterator[bytes]:
        """Yield the content of `run.json` as `dump` writes it, entry by entry, so that the whole is never in memory."""
        # Only the report's own members are indented by two spaces, and no text contains a bare line feed.
        head, member, foot = dump(self._head()).partition(b'\n  "entries": [')
        yield head + member
        gap = b"\n    "
        for number, entry in enumerate(self._documents()):
            yield b"," * (number > 0) + gap
            yield orjson.dumps(entry, option=orjson.OPT_INDENT_2).replace(b"\n", gap)
        yield b"\n  " * bool(self.entries) + foot

    def _head(self) -> dict[str, Any]:
        """Return the content of `run.json` without the entries."""
        compared = None
        if self.earlier is not None:
            # Each customer is in a run once.
            known = self._earlier_results.value("SELECT count(*) FROM results")
            gone = known - sum(self._before(entry.customer_id) is not None for entry in self.entries)
            compared = {"run_id": self.earlier["run_id"], "as_of": self.earlier["as_of"], "gone": gone}
        return {
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
            "population": None if self.population is None else asdict(self.population),
            "in_scope": len(self.entries),
            **{outcome: self.count(outcome) for outcome in OUTCOMES},
            "names": self.names,
            "compared_with": compared,
            "sessions_without_pack": self.sessions_without_pack,
            "entries": [],
        }

    def _documents(self) -> Iterator[dict[str, Any]]:
        """Yield the entries of `run.json`, each with the customer's result in the previous run, if there was one."""
        for entry in self.entries:
            document = asdict(entry)
            if not entry.is_demonstration:
                del document["is_demonstration"]
            if self.earlier is not None:
                document["before"] = self._before(entry.customer_id)
            yield document

    @cached_property
    def _earlier_results(self) -> Scratch:
        """The members of the previous run that are compared, by customer, in a temporary file."""
        kept = Scratch(
            "CREATE TABLE results (customer_id TEXT PRIMARY KEY, outcome TEXT, level TEXT, top_reason TEXT)"
        )
        entries = (self.earlier or {"entries": ()})["entries"]
        rows = ([str(one["customer_id"]), *(one[name] for name in _COMPARED)] for one in entries)
        kept.write("REPLACE INTO results VALUES (?, ?, ?, ?)", rows)
        return kept

    def _before(self, customer_id: str) -> dict[str, str] | None:
        """Return what the previous run said about a customer; None if it had no such customer."""
        query = "SELECT outcome, level, top_reason FROM results WHERE customer_id = ?"
        rows = self._earlier_results.rows(query, (customer_id,))
        return next((dict(zip(_COMPARED, row, strict=True)) for row in rows), None)


def to_entry(document: Mapping[str, Any]) -> RunEntry:
    """Return an entry from its members in a file; unknown members are left out.

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
