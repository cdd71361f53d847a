"""The cases of a workspace: who works on them, what was decided, and by whom. Every change is an entry in the ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import InputError, WorkspaceError
from kycpack.triage import Triage
from kycpack.triage.customers.duplicates import PastDecision
from kycpack.triage.levels import rank
from kycpack.triage.observations.due_dates import DueDate
from kycpack.workspace.cases.case_changes import (
    cases_due,
    cases_of_ids,
    change,
    erase_case,
    find_case,
    read_cases,
    reopen_cases_due,
    reopened,
)
from kycpack.workspace.cases.case_decisions import approve_case, decide_case, send_case_back
from kycpack.workspace.cases.case_history import history_of, open_case
from kycpack.workspace.cases.case_opening import Opened, open_cases
from kycpack.workspace.cases.case_records import STATES, Case, findings_by_customer
from kycpack.workspace.cases.decisions import Decision
from kycpack.workspace.cases.judged_run import RunPart, judged_customers, read_run
from kycpack.workspace.cases.policies import rules_in_force
from kycpack.workspace.cases.queue import calendar_frame, queue_frame
from kycpack.workspace.entries.ledger_writer import LedgerPart, check_name
from kycpack.workspace.entries.rationale import check_text
from kycpack.workspace.entries.signing import Actor
from kycpack.workspace.entries.verify_ledger import case_id_of, disposition_of, rest_refusal
from kycpack.workspace.register.identity_marks import past_decisions
from kycpack.workspace.rows import check_choice
from kycpack.workspace.schema import cases

_LISTED = (
    "case_id", "customer_id", "occasion", "state", "level", "top_reason", "assignee", "effect", "due_on",
    "due_kind", "snoozed_until", "outcome", "reopens_on", "opened_at", "changed_at", "version",
)  # fmt: skip
"""The columns of the frame of cases, beside the number of open findings."""


class Cases(LedgerPart):
    """The cases of a workspace.

    Args:
        ledger: The workspace's ledger.
        actor: Who acts if a method names nobody.
    """

    # --- reading

    def list(self, *, state: str | None = None, closed: bool = False) -> tuple[Case, ...]:
        """Return cases: the highest level first, then what ends first, then the oldest.

        Args:
            state: Only those in this state.
            closed: Whether to include closed cases.

        Raises:
            InputError: There is no such state.
        """
        is_listed = [] if closed else [cases.c.state != "closed"]
        if state is not None:
            is_listed = [cases.c.state == check_choice(state, STATES, "state")]
        with self._ledger.workspace.reading() as connection:
            found = read_cases(connection, *is_listed)
        found.sort(key=lambda one: (-rank(one.level), one.due_on or "9", one.opened_at, one.case_id))
        return tuple(found)

    def frame(self, *, state: str | None = None, closed: bool = False) -> pd.DataFrame:
        """Return cases as a frame, one row each, in the order of `list`.

        Args:
            state: Only those in this state.
            closed: Whether to include closed cases.
        """
        found = self.list(state=state, closed=closed)
        rows = [[getattr(case, name) for name in _LISTED] for case in found]
        counts = pd.Series([len(case.open_findings) for case in found], dtype="int64")
        return pd.DataFrame(rows, columns=[*_LISTED]).assign(open_findings=counts)

    def queue(self, *, as_of: dt.date | None = None) -> pd.DataFrame:
        """Return the cases that are not closed in the order to work on them, each with the reason for its place.

        Args:
            as_of: The day of the list; today, UTC, if None. For a future day it is a preview: the cases as they are
                now, with the ages and dates of that day.

        Returns:
            The columns of `workspace.cases.queue.QUEUE`.
        """
        day = as_of or self._ledger.workspace.now().date()
        people = self._ledger.people()
        with self._ledger.workspace.reading() as connection:
            return queue_frame(connection, day, people)

    @property
    def calendar(self) -> pd.DataFrame:
        """Every date by which something is due, the earliest first: the columns of `workspace.cases.queue.CALENDAR`."""
        with self._ledger.workspace.reading() as connection:
            return calendar_frame(connection)

    def past_decisions(self) -> dict[str, PastDecision]:
        """Return the last decision about each customer whose case was closed."""
        with self._ledger.workspace.reading() as connection:
            return past_decisions(connection)

    def get(self, case_id: str) -> Case:
        """Return a case.

        Raises:
            WorkspaceError: There is no such case.
        """
        with self._ledger.workspace.reading() as connection:
            return find_case(connection, case_id)

    def find(self, case_or_customer: str) -> Case:
        """Return a case by its id, or the most recently changed case of a customer.

        Args:
            case_or_customer: Id of a case, or of a customer.

        Raises:
            WorkspaceError: There is no such case, and no customer of this id has one.
        """
        theirs = self.of_customer(case_or_customer)
        return theirs[0] if theirs else self.get(case_or_customer)

    def of_customer(self, customer_id: str) -> tuple[Case, ...]:
        """Return the cases of a customer, the most recently changed first."""
        with self._ledger.workspace.reading() as connection:
            found = read_cases(connection, cases.c.customer_id == customer_id)
        return tuple(sorted(found, key=lambda case: case.changed_at, reverse=True))

    def of_customers(self, customer_ids: Sequence[str], occasion: str) -> tuple[Case, ...]:
        """Return the cases of many customers on one occasion, in the order of the customers; some may have none."""
        ids = [case_id_of(name, occasion) for name in customer_ids]
        with self._ledger.workspace.reading() as connection:
            found = cases_of_ids(connection, ids)
        return tuple(found[each] for each in ids if each in found)

    def history(self, case_id: str) -> tuple[dict[str, Any], ...]:
        """Return the payloads of a case's entries in order, without erased ones."""
        with self._ledger.workspace.reading() as connection:
            return tuple(history_of(connection, case_id))

    # --- runs

    def open_from(
        self,
        triage: Triage,
        *,
        run_id: str,
        evidence_roots: Mapping[str, str],
        occasion: str = "onboarding",
        prepared_by: str = "",
        dates: Mapping[str, Sequence[DueDate]] | None = None,
    ) -> Opened:
        """Open, update and reopen cases according to the recommendations of a policy, in one transaction.

        A customer with a level above approve, or with a hit or an unknown, has a case. Any other customer is recorded as
        recommended approve, without a person's decision.

        Args:
            triage: From `evaluate`.
            run_id: Id of the run in the ledger.
            evidence_roots: The root of the evidence, by customer.
            occasion: One of onboarding, periodic_review and event.
            prepared_by: The person who prepared the run, who cannot be the second person.
            dates: By customer, the dates by which something is due, as from `triage.due_dates`.

        Returns:
            The cases by effect, and the customers without a case.
        """
        judged = judged_customers(
            triage.recommendations.to_dict("records"),
            evidence_roots,
            findings_by_customer(triage.findings.to_dict("records"), triage.policy.decisions),
            dates or {},
        )
        part = RunPart(run_id, triage.policy, judged, prepared_by)
        opened = Opened()
        with self._ledger.writing() as writer:
            open_cases(writer, part, opened, occasion=occasion)
        return opened

    def from_run(self, folder: Path | str, *, occasion: str = "onboarding", imported_by: str = "") -> Opened:
        """Open, update and reopen cases according to the packs of a finished run; see `open_from`.

        Args:
            folder: The run's output: `run.json`, and a folder for each pack.
            occasion: One of onboarding, periodic_review and event.
            imported_by: Who imports it, and counts as the person who prepared it where its packs name nobody.

        Raises:
            InputError: The folder has no finished run, or a pack in it cannot be read; nothing was recorded.
        """
        parts = read_run(folder)
        opened = Opened()
        with self._ledger.writing() as writer:
            for part in parts:
                open_cases(writer, part, opened, occasion=occasion, imported_by=imported_by)
        return opened

    def reopen_due(self) -> tuple[str, ...]:
        """Reopen cases whose decision has ended, and resume those that were snoozed until today; return their ids."""
        with self._ledger.workspace.reading() as connection:
            if not cases_due(connection, self._ledger.workspace.now().date()):
                return ()
        with self._ledger.writing() as writer:
            return reopen_cases_due(writer)

    # --- working on a case

    def assign(self, case_id: str, to: str, reason: str = "", *, actor: Actor | None = None) -> Case:
        """Assign a case to a person; reassigning it needs a reason.

        Raises:
            InputError: The name cannot be used or is not that of an enrolled person, or the reason is missing.
            WorkspaceError: The case is closed, or the actor may not do this.
        """
        check_name(to)
        with self._ledger.writing() as writer:
            if (able := writer.people.able()) and to not in able:
                raise InputError(f"nobody with this name can act here; {', '.join(able)} can", place="person")
            case = open_case(writer, case_id)
            if case.assignee not in {None, to} or reason:
                check_text(reason, "reason")
            state = "in_review" if case.state == "open" else case.state
            data = {"from": case.assignee or "", "to": to, "reason": reason}
            given = replace(case, assignee=to, state=state)
            return change(writer, given, "case.assigned", data, self._who(actor))

    def snooze(self, case_id: str, until: dt.date, reason: str, *, actor: Actor | None = None) -> Case:
        """Snooze a case until a date, unless it is about sanctions or terrorism, or a hold is in force.

        Raises:
            InputError: The date is not after today, or the reason is missing.
            WorkspaceError: The case cannot be snoozed, or the actor may not do this.
        """
        check_text(reason, "reason")
        with self._ledger.writing() as writer:
            case = open_case(writer, case_id)
            if case.state == "second_review":
                raise WorkspaceError(f"case {case_id} waits for its second person and cannot be snoozed")
            if refusal := rest_refusal({each.subject for each in case.findings}, case.effect or ""):
                raise WorkspaceError(f"case {case_id} {refusal}")
            if until <= writer.now.date():
                raise InputError(f"expected a date after {writer.now.date()}", place="end of the snooze")
            resting = replace(case, state="snoozed", snoozed_until=until.isoformat())
            data = {"until": until.isoformat(), "reason": reason}
            return change(writer, resting, "case.snoozed", data, self._who(actor))

    def wait(self, case_id: str, reason: str, *, actor: Actor | None = None) -> Case:
        """Record that the case waits for the customer, and for what."""
        return self._move(case_id, "waiting_for_customer", "case.waiting", reason, actor)

    def resume(self, case_id: str, reason: str, *, actor: Actor | None = None) -> Case:
        """Resume a case that waited or was snoozed."""
        return self._move(case_id, "in_review", "case.resumed", reason, actor)

    def check(self, case_id: str, item: str, evidence: str, *, actor: Actor | None = None) -> Case:
        """Record that an item on the checklist of enhanced due diligence is done, with its evidence.

        Raises:
            InputError: The policy's checklist has no such item, or the evidence is empty.
        """
        check_text(evidence, "evidence")
        with self._ledger.writing() as writer:
            case = open_case(writer, case_id)
            _, rules = rules_in_force(writer.connection, case.policy_digest)
            if item not in rules.checklist:
                items = ", ".join(rules.checklist) or "none"
                raise InputError(
                    f"the policy's checklist has no {item!r}; its items are {items}", place="item"
                )
            data = {"item": item, "evidence": evidence}
            return change(writer, case, "case.checked", data, self._who(actor))

    # --- deciding

    def decide(self, case_id: str, decision: Decision, *, version: int, actor: Actor | None = None) -> Case:
        """Decide a case. A decision that needs a second person waits for one; a hold or an escalation is in force at once.

        Args:
            case_id: The case.
            decision: What is decided, and why.
            version: The version of the case that was reviewed.
            actor: Who decides.

        Returns:
            The case: closed, waiting for its second person, or still in review.

        Raises:
            InputError: The decision lacks something; the message names what.
            CaseChangedError: The case has changed since: somebody decided, or its evidence changed.
            WorkspaceError: The policy was withdrawn, or the actor may not do this.
        """
        with self._ledger.writing() as writer:
            return decide_case(writer, case_id, decision, version, self._who(actor))

    def approve(self, case_id: str, text: str, *, version: int, actor: Actor | None = None) -> Case:
        """Approve the decision of another person, and close the case.

        Args:
            case_id: The case.
            text: Why, in words.
            version: The version of the case that was reviewed.
            actor: The second person.

        Raises:
            CaseChangedError: The case has changed since.
            InputError: The text has no content.
            WorkspaceError: The actor worked on the case, was enrolled by somebody who did, or lacks a role.
        """
        who = self._who(actor)
        with self._ledger.writing() as writer:
            return approve_case(writer, case_id, text, version, who)

    def send_back(self, case_id: str, text: str, *, version: int, actor: Actor | None = None) -> Case:
        """Send back a decision that waits for a second person; the person who decided can withdraw it in the same way.

        Args:
            case_id: The case.
            text: Why, in words.
            version: The version of the case that was reviewed.
            actor: Who sends it back.
        """
        check_text(text)
        with self._ledger.writing() as writer:
            return send_case_back(writer, case_id, text, version, self._who(actor))

    def reopen(self, case_id: str, reason: str, *, actor: Actor | None = None) -> Case:
        """Reopen a closed case, for example to correct a decision; the earlier decision stays in the ledger.

        Raises:
            WorkspaceError: The case is not closed.
        """
        check_text(reason, "reason")
        with self._ledger.writing() as writer:
            case = find_case(writer.connection, case_id)
            if case.state != "closed":
                raise WorkspaceError(f"case {case_id} is not closed; it is {case.state_words}")
            return change(
                writer,
                reopened(case, writer.at),
                "case.reopened",
                {"reason": reason},
                self._who(actor),
            )

    def erase(self, case_id: str, reason: str, *, actor: Actor | None = None) -> int:
        """Erase what the ledger says about a case, for a person's right to erasure; the chain can still be verified.

        Args:
            case_id: A closed case.
            reason: Why.
            actor: An administrator.

        Returns:
            Number of payloads erased.

        Raises:
            InputError: The reason is empty, or names an erasure by two people.
            WorkspaceError: The case is not closed, or the actor is not an administrator.
        """
        check_text(reason, "reason")
        if disposition_of(reason):
            raise InputError("only an erasure by two people is called a disposition", place="reason")
        with self._ledger.writing() as writer:
            return erase_case(writer, case_id, reason, self._who(actor))

    def _move(self, case_id: str, state: str, kind: str, reason: str, actor: Actor | None) -> Case:
        check_text(reason, "reason")
        with self._ledger.writing() as writer:
            case = open_case(writer, case_id)
            if case.state == "second_review":
                raise WorkspaceError(f"case {case_id} waits for its second person; send it back first")
            moved = replace(case, state=state, snoozed_until=None)
            return change(writer, moved, kind, {"reason": reason}, self._who(actor))
