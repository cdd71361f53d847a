"""An open workspace with all its parts: cases, ledger, keys, register, inbox."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from kycpack.models.arguments import require
from kycpack.models.cards import parts_card
from kycpack.settings import Settings
from kycpack.workspace.cases.cases import Cases
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.database import Workspace
from kycpack.workspace.entries.keys import Keys
from kycpack.workspace.entries.signing import Actor, read_key
from kycpack.workspace.inbox.inbox import Inbox
from kycpack.workspace.ledger.ledger import Ledger
from kycpack.workspace.ledger.ledger_files import add_anchor
from kycpack.workspace.redaction_key import folder_of
from kycpack.workspace.register.register import Register
from kycpack.workspace.retention.retention import Retention
from kycpack.workspace.runs import Runs
from kycpack.workspace.samples.samples import Samples

_ANCHOR = "ledger-anchor.jsonl"


class OpenWorkspace:
    """An open workspace.

    Attributes:
        cases: The cases.
        ledger: The ledger.
        keys: The people, their keys and roles.
        register: Customers, sessions and payments.
        inbox: Webhook deliveries.
        runs: The record of batch runs.
        samples: Samples of the customers who were cleared without a person's decision.
        policies: The policies, and which versions are approved.
        retention: Data past its retention date, and its erasure.
        anchor_path: The file of anchors.
        folder: The folder of the files beside the workspace.

    Args:
        workspace: The database.
        actor: Who acts if a method names nobody.
        anchor_path: The file of anchors.
        folder: Where the files beside the workspace are.
    """

    def __init__(
        self, workspace: Workspace, actor: Actor | None, anchor_path: Path, folder: Path = Path()
    ) -> None:
        self._workspace = workspace
        self.anchor_path = anchor_path
        self.folder = folder
        self.ledger = Ledger(workspace)
        self.cases = Cases(self.ledger, actor)
        self.keys = Keys(self.ledger, actor)
        self.register = Register(workspace)
        self.inbox = Inbox(workspace)
        self.runs = Runs(workspace)
        self.samples = Samples(self.ledger, actor)
        self.policies = Policies(self.ledger, actor)
        self.retention = Retention(self.ledger, actor)

    def anchor(self, reason: str) -> bool:
        """Append the ledger's head to the file of anchors; return whether the ledger has entries."""
        head = self.ledger.head()
        if head is None:
            return False
        add_anchor(self.anchor_path, head, self._workspace.timestamp(), reason)
        return True

    def now(self) -> str:
        """Return the clock's time in the format of anchors."""
        return self._workspace.timestamp()

    def close(self) -> None:
        """Close the connections."""
        self._workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._workspace).replace("Workspace", "OpenWorkspace")

    def _repr_html_(self) -> str:
        return parts_card(repr(self).strip("<>"), self)


def open_workspace(
    place: str | Path | None = None, *, actor: str | None = None, signing_key: str | Path | None = None
) -> OpenWorkspace:
    """Open a workspace: the database of cases, decisions, customers and runs; a file that does not exist is made.

    Args:
        place: Path of an SQLite file, or URL of SQLite or PostgreSQL; `KYCPACK_WORKSPACE` by default.
        actor: Who acts; `KYCPACK_ANALYST` by default.
        signing_key: File of that person's key; `KYCPACK_SIGNING_KEY` by default.

    Returns:
        The open workspace; close it, or use it in a `with` statement.

    Raises:
        ConfigurationError: The database is not supported.
        InputError: The key cannot be read.
        WorkspaceError: The database cannot be opened.
        TypeError: The place is neither a path nor a URL.
    """
    if place is not None:
        require("place", place, (str, Path), "a path or a database URL")
    chosen = Settings.load(
        workspace=None if place is None else str(place),
        analyst=actor,
        signing_key=None if signing_key is None else str(signing_key),
    )
    return open_chosen(chosen)


def open_chosen(chosen: Settings) -> OpenWorkspace:
    """Open the workspace that the settings name; see `open_workspace`."""
    who = None
    if chosen.analyst:
        key = read_key(Path(chosen.signing_key), chosen.signing_passphrase) if chosen.signing_key else None
        who = Actor(chosen.analyst, key)
    return OpenWorkspace(Workspace.open(chosen.workspace), who, anchor_path_of(chosen), folder_of(chosen))


def anchor_path_of(chosen: Settings) -> Path:
    """Return the file of anchors: the one named in the settings, otherwise one beside the workspace's file."""
    return Path(chosen.ledger_anchor) if chosen.ledger_anchor else folder_of(chosen) / _ANCHOR
