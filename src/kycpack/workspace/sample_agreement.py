"""Checks that the lists of customers in the workspace agree with the ledger: who was cleared, who was sampled, and what was said of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from kycpack.workspace.schema import cleared_customers, sampled_customers, samples
from kycpack.workspace.verify_ledger import list_digest, sample_digest

_VERDICT = ("verdict", "reviewed_by", "reviewed_at")


def sample_problems(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the differences between the ledger and the lists of customers in the workspace.

    Of customers whose records were erased since, only the number is known.

    Args:
        connection: The workspace.
        entries: All entries, in order.
    """
    of_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for entry in entries:
        payload = entry["payload"] or {}
        of_kind[payload.get("kind", "")].append(payload)
    started = (payload["data"]["customers"] for payload in of_kind["retention.started"])
    erased = len({each["customer_id"] for customers in started for each in customers})
    yield from _cleared_problems(connection, of_kind["run.recorded"], erased)
    yield from _drawn_problems(connection, of_kind["sample.drawn"], erased)
    yield from _reviewed_problems(connection, of_kind["sample.reviewed"])


def _cleared_problems(
    connection: Connection, runs: Sequence[Mapping[str, Any]], erased: int
) -> Iterator[str]:
    """Yield runs whose customers without a case differ from the count and digest in the ledger."""
    held: dict[tuple[str, str], list[str]] = {}
    for row in connection.execute(
        select(cleared_customers.c.run_id, cleared_customers.c.policy_digest, cleared_customers.c.customer_id)
    ):
        held.setdefault((row.run_id, row.policy_digest), []).append(row.customer_id)
    # The last statement about each run.
    recorded = {
        (payload["data"]["run_id"], payload["data"]["policy"]["digest"]): payload["data"] for payload in runs
    }
    for run in sorted(recorded.keys() | held.keys()):
        if run not in recorded or not _is_cleared(recorded[run], held.get(run, []), erased):
            yield f"run {run[0]}: its cleared customers in the workspace are not those that the ledger recorded"


def _is_cleared(data: Mapping[str, Any], cleared: Sequence[str], erased: int) -> bool:
    gone: int = data["counts"]["cleared"] - len(cleared)
    return data["cleared_digest"] == list_digest(cleared) if gone == 0 else 0 < gone <= erased


def _drawn_problems(connection: Connection, drawn: Sequence[Mapping[str, Any]], erased: int) -> Iterator[str]:
    """Yield samples that are not those of the ledger, by their seed, their run or their customers."""
    held = {
        row.sample_id: (row.run_id, row.seed, row.drawn_at) for row in connection.execute(select(samples))
    }
    customers: dict[str, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(
        select(sampled_customers.c.sample_id, sampled_customers.c.customer_id, sampled_customers.c.stratum)
    ):
        customers[row.sample_id][row.customer_id] = row.stratum
    recorded = {payload["data"]["sample_id"]: payload for payload in drawn}
    for sample in sorted(recorded.keys() | held.keys() | customers.keys()):
        payload = recorded.get(sample, {"data": {}, "at": ""})
        data = payload["data"]
        if held.get(sample) != (data.get("run_id"), data.get("seed"), payload["at"]):
            yield f"{sample}: the workspace has it of another run, seed or time than the ledger, or only one of them has it"
        if not _is_drawn(data, customers[sample], erased):
            yield f"{sample}: its customers in the workspace are not those that the ledger recorded"


def _is_drawn(data: Mapping[str, Any], customers: Mapping[str, str], erased: int) -> bool:
    sizes = {stratum: drawn for stratum, (drawn, _) in data.get("sizes", {}).items() if drawn}
    counted = Counter(customers.values())
    gone = sum(sizes.values()) - len(customers)
    if gone == 0:
        digest = sample_digest(customers, is_early="size" not in data)
        return dict(counted) == sizes and digest == data.get("customers_digest")
    return 0 < gone <= erased and all(count <= sizes.get(stratum, 0) for stratum, count in counted.items())


def _reviewed_problems(connection: Connection, reviewed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the workspace has people say of customers in samples otherwise than the ledger."""
    held = {
        (row["sample_id"], row["customer_id"]): row
        for row in connection.execute(select(sampled_customers)).mappings()
    }
    said = {
        (payload["data"]["sample_id"], payload["data"]["customer_id"]): (
            payload["data"]["verdict"],
            payload["actor"],
            payload["at"],
        )
        for payload in reviewed
    }
    for about in sorted(held.keys() | said.keys()):
        row = held.get(about)
        kept = (None, None, None) if row is None else tuple(row[name] for name in _VERDICT)
        if kept != said.get(about, (None, None, None)):
            yield f"{about[0]}: what was said of customer {about[1]} is in the workspace otherwise than in the ledger"
