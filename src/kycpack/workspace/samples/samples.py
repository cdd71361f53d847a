"""Samples of the customers whom the policy cleared without a person's decision: what was missed, and how much may have been missed.

A sample is drawn by a seed, in proportion to strata (the level of due diligence that the customer needed). Customers of the run
approved with a text that another decision also has are a separate stratum, of which twice the share is drawn. People review
each customer in the sample and agree or disagree. An interval shows how many may have been missed among all customers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sqlalchemy import Connection, func, insert, select, update

from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace.cases.case_history import history_of
from kycpack.workspace.entries.ledger_writer import LedgerPart, payloads
from kycpack.workspace.entries.rationale import check_text
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import (
    REPEATED,
    VERDICTS_OF_SAMPLES,
    list_digest,
    sample_id_of,
    sample_part,
)
from kycpack.workspace.rows import check_choice
from kycpack.workspace.samples.binomial import exact_interval
from kycpack.workspace.samples.sample_cases import open_disagreement
from kycpack.workspace.schema import (
    cases,
    cleared_customers,
    ledger_payloads,
    rationales,
    sampled_customers,
    samples,
)

ALL = "all"
RESULT = (
    "stratum",
    "cleared",
    "sampled",
    "reviewed",
    "missed",
    "missed_share",
    "low_share",
    "high_share",
    "most_missed",
)
"""The columns of a result."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample.

    Attributes:
        sample_id: Its id.
        run_id: The run whose cleared customers it is drawn from.
        seed: Its seed; the same seed draws the same customers.
        customers: Ids of the customers in it, by stratum.
    """

    sample_id: str
    run_id: str
    seed: str
    customers: Mapping[str, tuple[str, ...]]


class Samples(LedgerPart):
    """The samples of a workspace.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    def draw(self, run_id: str, size: int, seed: str, *, actor: Actor | None = None) -> Sample:
        """Draw a sample of the customers that a run cleared, and of those approved with a repeated text.

        Drawing it again gives the same sample.

        Args:
            run_id: The run.
            size: Number of customers, with at least one of each stratum and twice the share of `REPEATED`; fewer if fewer were
                cleared.
            seed: Any text; note where it came from, for example a lottery number of the day.
            actor: The person who draws.

        Raises:
            InputError: The size or the seed cannot be used.
            WorkspaceError: The run is not known or cleared nobody, or the actor may not do this.
        """
        check_text(seed, "seed")
        if size < 1:
            raise InputError("expected at least 1", place="size")
        who = self._who(actor)
        with self._ledger.writing() as writer:
            sample_id = sample_id_of(run_id, size, seed)
            known = select(samples.c.sample_id).where(samples.c.sample_id == sample_id)
            if writer.connection.scalar(known) is not None:
                return Sample(sample_id, run_id, seed, _strata(writer.connection, sample_id))
            population = _population(writer.connection, run_id)
            if not population:
                raise WorkspaceError(_why_nobody(writer.connection, run_id))
            drawn = draw_customers(population, size, seed)
            sample = Sample(sample_id, run_id, seed, drawn)
            writer.connection.execute(
                insert(samples).values(
                    sample_id=sample.sample_id, run_id=run_id, seed=seed, drawn_at=writer.at
                )
            )
            rows = [
                {"sample_id": sample.sample_id, "customer_id": each, "stratum": stratum}
                for stratum, customers in drawn.items()
                for each in customers
            ]
            writer.connection.execute(insert(sampled_customers), rows)
            data = {
                "sample_id": sample.sample_id,
                "run_id": run_id,
                "seed": seed,
                "size": size,
                "sizes": {
                    stratum: [len(drawn.get(stratum, ())), len(customers)]
                    for stratum, customers in sorted(population.items())
                },
                # The list stays in the workspace; the digest shows later that it is unchanged.
                "customers_digest": list_digest(row["customer_id"] for row in rows),
            }
            writer.append("sample.drawn", data, actor=who)
            return sample

    def review(
        self, sample_id: str, customer_id: str, verdict: str, text: str, *, actor: Actor | None = None
    ) -> str:
        """Record whether a person agrees that a customer needed no decision; a disagreement opens a case.

        Args:
            sample_id: The sample.
            customer_id: A customer in it.
            verdict: agrees or disagrees.
            text: Why, in words.
            actor: The person who reviewed.

        Returns:
            The id of the case that a disagreement opened; empty if the person agrees.

        Raises:
            InputError: The verdict is not known, or the text is empty.
            WorkspaceError: The customer is not in the sample or was already reviewed, or the actor decided about the customer
                or may not do this.
        """
        check_text(text)
        check_choice(verdict, VERDICTS_OF_SAMPLES, "verdict")
        who = self._who(actor)
        is_member = (sampled_customers.c.sample_id == sample_id) & (
            sampled_customers.c.customer_id == customer_id
        )
        with self._ledger.writing() as writer:
            row = writer.connection.execute(select(sampled_customers).where(is_member)).mappings().first()
            if row is None:
                raise WorkspaceError(f"customer {customer_id} is not in {sample_id}")
            if row["verdict"] is not None:
                raise WorkspaceError(
                    f"{row['reviewed_by']} has already reviewed customer {customer_id} at {row['reviewed_at']}"
                )
            if who.name in _deciders(writer.connection, customer_id):
                raise WorkspaceError(
                    f"{who.name} decided on customer {customer_id}, so somebody else has to review them"
                )
            data = {"sample_id": sample_id, "customer_id": customer_id, "verdict": verdict, "text": text}
            writer.append("sample.reviewed", data, actor=who)
            writer.connection.execute(
                update(sampled_customers)
                .where(is_member)
                .values(verdict=verdict, reviewed_by=who.name, reviewed_at=writer.at)
            )
            if verdict == "disagrees":
                run_id = _run_of(writer.connection, sample_id)
                return open_disagreement(writer, customer_id, sample_id, run_id, who.name)
            return ""

    def members(self, sample_id: str) -> pd.DataFrame:
        """Return the customers of a sample: customer_id, stratum, verdict, reviewed_by, reviewed_at.

        Raises:
            WorkspaceError: There is no such sample.
        """
        columns = ["customer_id", "stratum", "verdict", "reviewed_by", "reviewed_at"]
        with self._ledger.workspace.reading() as connection:
            _run_of(connection, sample_id)
            query = (
                select(*(sampled_customers.c[name] for name in columns))
                .where(sampled_customers.c.sample_id == sample_id)
                .order_by(sampled_customers.c.stratum, sampled_customers.c.customer_id)
            )
            found = [tuple(row) for row in connection.execute(query)]
        return pd.DataFrame(found, columns=columns, dtype=object)

    def result(self, sample_id: str, *, confidence: float = 0.95) -> pd.DataFrame:
        """Return what a sample shows about all cleared customers, by stratum and in total.

        Args:
            sample_id: The sample.
            confidence: Confidence level of the intervals, between 0 and 1.

        Returns:
            The columns of `RESULT`; shares are 0..1; most_missed is the upper end of the number of cleared customers who may have
            been missed. The intervals of the strata are exact (binomial); the total interval is their weighted sum, each at a
            higher confidence, so that the sum has the given one.

        Raises:
            WorkspaceError: There is no such sample.
        """
        with self._ledger.workspace.reading() as connection:
            population = _sizes(connection, sample_id)
        members = self.members(sample_id)
        counts = {
            stratum: (
                size,
                int((members["stratum"] == stratum).sum()),
                int(((members["stratum"] == stratum) & members["verdict"].notna()).sum()),
                int(((members["stratum"] == stratum) & (members["verdict"] == "disagrees")).sum()),
            )
            for stratum, size in sorted(population.items())
        }
        return sample_result(counts, confidence)


def draw_customers(
    population: Mapping[str, Sequence[str]], size: int, seed: str
) -> dict[str, tuple[str, ...]]:
    """Return the customers that a seed draws, in proportion to the strata, with at least one of each and twice the share of `REPEATED`.

    Args:
        population: The cleared customers by stratum, in any order.
        size: Number of customers to draw.
        seed: Any text.
    """
    total = sum(map(len, population.values()))
    drawn = {}
    for stratum, customers in sorted(population.items()):
        share = sample_part(stratum, len(customers), total, size)
        ranked = sorted(customers, key=lambda each: hashlib.sha256(repr((seed, each)).encode()).digest())
        drawn[stratum] = tuple(sorted(ranked[:share]))
    return drawn


def _why_nobody(connection: Connection, run_id: str) -> str:
    recorded = payloads(connection, ledger_payloads.c.kind == "run.recorded")
    if any(payload["data"]["run_id"] == run_id for payload in recorded):
        return f"run {run_id} cleared no customer without a person's decision"
    return f"there is no run {run_id}; import its cases first, and give the id that its run.json has"


def sample_result(counts: Mapping[str, tuple[int, int, int, int]], confidence: float = 0.95) -> pd.DataFrame:
    """Return what a stratified sample shows about its population; see `Samples.result`.

    Args:
        counts: By stratum, the numbers of customers in the population, in the sample, reviewed, and with a disagreement.
        confidence: Confidence level of the intervals, between 0 and 1.

    Returns:
        The columns of `RESULT`: one row per stratum and one for the total; no rows without strata.
    """
    rows = [_row(stratum, *each, confidence) for stratum, each in counts.items()]
    together = [_together(counts, confidence)] if counts else []
    return pd.DataFrame([*rows, *together], columns=list(RESULT))


def _row(stratum: str, size: int, sampled: int, reviewed: int, missed: int, confidence: float) -> list[Any]:
    low, high = exact_interval(missed, reviewed, confidence)
    share = missed / reviewed if reviewed else None
    return [stratum, size, sampled, reviewed, missed, share, low, high, _most(size, reviewed, missed, high)]


def _together(counts: Mapping[str, tuple[int, int, int, int]], confidence: float) -> list[Any]:
    total = sum(size for size, *_ in counts.values())
    surer = 1 - (1 - confidence) / len(counts)
    low = high = share = 0.0
    for size, _, reviewed, missed in counts.values():
        ends = exact_interval(missed, reviewed, surer)
        low, high = low + ends[0] * size / total, high + ends[1] * size / total
        share += (missed / reviewed if reviewed else 0.0) * size / total
    sums = [sum(each[place] for each in counts.values()) for place in range(4)]
    complete = all(reviewed for _, _, reviewed, _ in counts.values())
    return [ALL, *sums, share if complete else None, low, high, _most(total, sums[2], sums[3], high)]


def _most(size: int, reviewed: int, missed: int, high: float) -> int:
    """Return how many may have been missed: those found, and the upper end for those not reviewed."""
    return min(size, missed + -int(-(size - reviewed) * high // 1))


def _population(connection: Connection, run_id: str) -> dict[str, list[str]]:
    """Return the customers of a run to draw a sample from, by stratum."""
    found: dict[str, list[str]] = {}
    query = select(cleared_customers.c.customer_id, cleared_customers.c.stratum).where(
        cleared_customers.c.run_id == run_id
    )
    for row in connection.execute(query):
        found.setdefault(row.stratum, []).append(row.customer_id)
    repeated = select(rationales.c.digest).group_by(rationales.c.digest).having(func.count() > 1)
    approved = (
        select(cases.c.customer_id)
        .distinct()
        .join(rationales, rationales.c.decision_id == cases.c.decision_id)
        .where(cases.c.run_id == run_id, cases.c.state == "closed", cases.c.outcome == "approve")
        .where(rationales.c.digest.in_(repeated))
    )
    known = {each for customers in found.values() for each in customers}
    if decided := [each for each in connection.scalars(approved) if each not in known]:
        found[REPEATED] = decided
    return found


def _strata(connection: Connection, sample_id: str) -> dict[str, tuple[str, ...]]:
    """Return the customers of a sample by stratum."""
    query = select(sampled_customers.c.stratum, sampled_customers.c.customer_id).where(
        sampled_customers.c.sample_id == sample_id
    )
    held: dict[str, list[str]] = {}
    for row in connection.execute(query.order_by(sampled_customers.c.stratum)):
        held.setdefault(row.stratum, []).append(row.customer_id)
    return {stratum: tuple(sorted(customers)) for stratum, customers in held.items()}


def _sizes(connection: Connection, sample_id: str) -> dict[str, int]:
    """Return the size of a sample's population by stratum, as the ledger recorded it."""
    for payload in payloads(connection, ledger_payloads.c.kind == "sample.drawn"):
        data = payload["data"]
        if data["sample_id"] == sample_id:
            return {stratum: int(size) for stratum, (_, size) in data["sizes"].items()}
    raise WorkspaceError(f"there is no sample {sample_id}")


def _deciders(connection: Connection, customer_id: str) -> set[str]:
    """Return the people who decided about a customer, or approved a decision."""
    ids = connection.scalars(select(cases.c.case_id).where(cases.c.customer_id == customer_id))
    steps = (step for case_id in ids for step in history_of(connection, case_id))
    return {str(step["actor"]) for step in steps if step["kind"] in {"case.decided", "case.approved"}}


def _run_of(connection: Connection, sample_id: str) -> str:
    run_id = connection.scalar(select(samples.c.run_id).where(samples.c.sample_id == sample_id))
    if run_id is None:
        raise WorkspaceError(f"there is no sample {sample_id}")
    return str(run_id)
