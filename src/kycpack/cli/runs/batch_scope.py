"""The customers of a batch, and the session completions that it settles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.cli.connection import existing_workspace
from kycpack.errors import ConfigurationError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.batch import RunReport
    from kycpack.batch.population import Scope
    from kycpack.workspace import Completion, Inbox


@dataclass(frozen=True)
class BatchScope:
    """The customers of a batch, and the completed sessions that its packs are made for."""

    kind: Scope
    customer_ids: Sequence[str]
    inbox: Inbox | None = None
    completions: Sequence[Completion] = ()

    def occasions(self) -> dict[str, str]:
        """Return, by customer, the sessions that completed and when."""
        found: dict[str, str] = {}
        for each in self.completions:
            if each.customer_id is not None:
                found[each.customer_id] = (
                    f"{found.get(each.customer_id, '')} {each.session_id} {each.updated}".strip()
                )
        return found

    def of_nobody(self) -> tuple[str, ...]:
        """Return the completed sessions without a known customer."""
        return tuple(each.session_id for each in self.completions if each.customer_id is None)

    def finish(self, report: RunReport) -> None:
        """Settle the completions of customers who are done."""
        awaited = {completion.customer_id for completion in self.completions}
        done = {one.customer_id for one in report.entries if one.customer_id in awaited and one.is_settled}
        for completion in self.completions:
            if self.inbox is not None and completion.customer_id in done:
                self.inbox.finish(completion)


@contextmanager
def in_scope(
    chosen: Settings, customers: Sequence[str], file: Path | None, *, everybody: bool, completed: bool
) -> Iterator[BatchScope]:
    """Find the customers of a batch.

    Args:
        chosen: The settings.
        customers: Customer ids from the command line.
        file: CSV file with a column `customer_id`.
        everybody: Whether to take every customer in the register.
        completed: Whether to take the customers of completed sessions.

    Raises:
        ConfigurationError: There is no workspace, or nobody is in the register of which everybody is taken.
        InputError: The file cannot be read, or a line or an id is wrong.
    """
    from kycpack.batch import read_customer_ids
    from kycpack.storage.kept_texts import KeptTexts
    from kycpack.workspace import Inbox, Register
    from kycpack.workspace.rows import check_id

    if file is not None:
        yield BatchScope("file", read_customer_ids(file))
    elif not (everybody or completed):
        yield BatchScope("chosen", tuple(dict.fromkeys(map(check_id, customers))))
    else:
        with existing_workspace(chosen) as workspace:
            if everybody:
                register = KeptTexts(Register(workspace).customer_ids())
                if not register:
                    raise ConfigurationError(
                        "the register of the workspace has no customers: check KYCPACK_WORKSPACE, or fill it with `kycpack "
                        "register import` or `kycpack register fetch`"
                    )
                yield BatchScope("all", register)
                return
            inbox = Inbox(workspace)
            waiting = inbox.completions()
            ids = tuple(dict.fromkeys(each.customer_id for each in waiting if each.customer_id is not None))
            yield BatchScope("completed", ids, inbox, waiting)
