"""Erases records past their retention date: one person proposes it, another starts and finishes it, and the ledger records it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace.entries.ledger_writer import LedgerPart
from kycpack.workspace.entries.verify_ledger import disposition_reason
from kycpack.workspace.retention.customer_rows import (
    customers_with_open_cases,
    customers_with_rows,
    erase_decisions,
    erase_register,
)
from kycpack.workspace.retention.retention_rules import RetentionPlan


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure according to the ledger.

    Attributes:
        proposal: Digest of its list.
        as_of: The as-of day of the list.
        number: Its number from 1; 0 if it has not been started.
        customers: Customers with the stores and the law; empty if it has not been started.
        packs: The packs to erase: customer, name and root.
        is_executed: Whether it was finished.
        not_reached: Known copies out of the firm's reach: redacted copies and exports that are in none of the folders.
    """

    proposal: str
    as_of: date
    number: int = 0
    customers: tuple[dict[str, Any], ...] = ()
    packs: tuple[dict[str, Any], ...] = ()
    is_executed: bool = False
    not_reached: tuple[dict[str, Any], ...] = ()

    def of_store(self, store: str) -> set[str]:
        """Return the customers whose records in a store are to be erased."""
        return {str(one["customer_id"]) for one in self.customers if store in one["stores"]}


class Retention(LedgerPart):
    """The erasures of a workspace.

    Args:
        ledger: The workspace's ledger.
        actor: The person who acts.
    """

    def known(self) -> dict[str, set[str]]:
        """Return which of the stores `register` and `decisions` have rows, by customer."""
        with self._ledger.workspace.reading() as connection:
            return customers_with_rows(connection)

    def open_cases(self) -> set[str]:
        """Return the customers who have a case that is not closed."""
        with self._ledger.workspace.reading() as connection:
            return customers_with_open_cases(connection)

    def erasures(self) -> tuple[Erasure, ...]:
        """Return the erasures in the order in which they were proposed."""
        people = self._ledger.people()
        found = []
        for proposal, proposed in people.proposals.items():
            started = people.started[proposal]["data"] if proposal in people.started else {}
            erasure = Erasure(
                proposal,
                date.fromisoformat(proposed["data"]["as_of"]),
                started.get("number", 0),
                tuple(started.get("customers", ())),
                tuple(started.get("packs", ())),
                proposal in people.executed,
                tuple(started.get("not_reached", ())),
            )
            found.append(erasure)
        return tuple(found)

    def propose(self, plan: RetentionPlan) -> Erasure:
        """Record that a person proposes to erase what is past its retention date.

        Args:
            plan: The plan with these records.

        Raises:
            InputError: Nothing is past its date, or no acting person is named.
            WorkspaceError: The person has no enrolled key, the day of the list is still to come, or it was proposed before.
        """
        if not plan.due:
            raise InputError("nothing is past its date; there is nothing to propose")
        if any(one.proposal == plan.digest for one in self.erasures()):
            raise WorkspaceError("this list was proposed before; another person executes it")
        data = {
            "proposal": plan.digest,
            "as_of": str(plan.as_of),
            "rules": plan.rules,
            "customers": len(plan.customers()),
        }
        with self._ledger.writing() as writer:
            writer.append("retention.proposed", data, actor=self._who())
        return Erasure(plan.digest, plan.as_of)

    def start(
        self,
        plan: RetentionPlan,
        packs: Sequence[dict[str, Any]],
        not_reached: Sequence[dict[str, Any]] = (),
    ) -> Erasure:
        """Record, before anything is erased, that another person starts a proposed erasure, and what it erases.

        Args:
            plan: What was past its date on the day of the proposal.
            packs: Customer, name and root of each pack to be erased.
            not_reached: Known copies out of the firm's reach: redacted copies and exports.

        Raises:
            WorkspaceError: No other person proposed exactly this list, or the person may not do this.
        """
        customers = plan.customers()
        with self._ledger.writing() as writer:
            number = 1 + len(writer.people.started)
            data = {
                "proposal": plan.digest,
                "number": number,
                "as_of": str(plan.as_of),
                "customers": customers,
                "due": plan.listed,
                "packs": list(packs),
                **({"not_reached": list(not_reached)} if not_reached else {}),
            }
            writer.append("retention.started", data, actor=self._who())
        return Erasure(
            plan.digest, plan.as_of, number, tuple(customers), tuple(packs), False, tuple(not_reached)
        )

    def finish(self, erasure: Erasure) -> int:
        """Erase the rows of the workspace, record that the erasure is finished, and rewrite the database.

        Args:
            erasure: An erasure that was started and whose files are erased; for a finished one, only the database is rewritten.

        Returns:
            Number of rows erased.

        Raises:
            WorkspaceError: The person may not do this, or another process has the database open.
        """
        rows = 0
        if not erasure.is_executed:
            who = self._who()
            reason = disposition_reason(erasure.number)
            with self._ledger.writing() as writer:
                rows += erase_decisions(writer, erasure.of_store("decisions"), reason, who)
                rows += erase_register(writer.connection, erasure.of_store("register"))
                data = {"proposal": erasure.proposal, "number": erasure.number, "rows": rows}
                writer.append("retention.executed", data, actor=who)
        self._ledger.workspace.scrub()
        return rows

    def record(self, erasure: Erasure) -> dict[str, Any]:
        """Return the record of an erasure to keep beside packs: an excerpt of the ledger."""
        return self._ledger.disposition(erasure.proposal)
