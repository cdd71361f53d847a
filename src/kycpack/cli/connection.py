"""Opening what a command needs from its settings: the workspace, its register and its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.options import settings
from kycpack.errors import ConfigurationError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.workspace import OpenWorkspace, Register, Workspace


def has_workspace(settings: Settings) -> bool:
    """Return whether there is a workspace: a file, or a database server, which is not asked."""
    return "://" in settings.workspace or Path(settings.workspace).is_file()


def require_workspace(settings: Settings) -> None:
    """Raise an error if there is no workspace yet.

    Raises:
        ConfigurationError: There is no workspace.
    """
    if not has_workspace(settings):
        raise ConfigurationError(
            f"there is no workspace at {settings.workspace}; `kycpack init` or `kycpack register import` makes one"
        )


@contextmanager
def workspace_of(settings: Settings) -> Iterator[Workspace | None]:
    """Open the workspace's database; yield None if there is no workspace yet, since a command that only reads makes none."""
    if not has_workspace(settings):
        yield None
        return
    from kycpack.workspace import Workspace

    with Workspace.open(settings.workspace) as workspace:
        yield workspace


def existing_workspace(settings: Settings) -> Workspace:
    """Open the workspace's database, for a command that makes none.

    Raises:
        ConfigurationError: There is no workspace.
    """
    require_workspace(settings)
    from kycpack.workspace import Workspace

    return Workspace.open(settings.workspace)


@contextmanager
def register_of(settings: Settings) -> Iterator[Register | None]:
    """Open the workspace's register; yield None if there is no workspace yet: the evidence then says that no register was used."""
    with workspace_of(settings) as workspace:
        if workspace is None:
            yield None
            return
        from kycpack.workspace import Register

        yield Register(workspace)


def opened(workspace: str | None, *, make: bool = False) -> OpenWorkspace:
    """Open the workspace with its cases and its ledger.

    Args:
        workspace: The database, from the command line.
        make: Whether to make one that does not exist yet.

    Raises:
        ConfigurationError: There is no workspace, and none is to be made.
    """
    from kycpack.workspace.opened import open_chosen

    chosen = settings(workspace=workspace)
    if not make:
        require_workspace(chosen)
    return open_chosen(chosen)


def known(register: Register | None, customer_id: str) -> Mapping[str, Any] | None:
    """Return the register's data about a customer; None without a register."""
    return None if register is None else register.known(customer_id)
