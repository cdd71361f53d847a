"""Opening what a command needs from its settings: the workspace, its register and its runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.options import settings
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kycpack.settings import Settings
    from kycpack.workspace import OpenWorkspace, Register, Runs


def require_workspace(settings: Settings) -> None:
    """Raise an error if there is no workspace yet.

    Raises:
        ConfigurationError: There is no workspace.
    """
    if "://" not in settings.workspace and not Path(settings.workspace).is_file():
        raise ConfigurationError(
            f"there is no workspace at {settings.workspace}; `kycpack init` or `kycpack register import` makes one"
        )


@contextmanager
def register_of(settings: Settings) -> Iterator[Register | None]:
    """Open the workspace's register; yield None if there is no workspace yet.

    A command that only reads does not make a database: with None, the evidence says that no register was used.
    """
    place = settings.workspace
    if "://" not in place and not Path(place).is_file():
        yield None
        return
    from kycpack.workspace import Register, Workspace

    with Workspace.open(place) as workspace:
        yield Register(workspace)


@contextmanager
def runs_in(settings: Settings) -> Iterator[Runs | None]:
    """Open the runs of the workspace; yield None if there is no workspace yet."""
    with register_of(settings) as register:
        if register is None:
            yield None
            return
        from kycpack.workspace import Runs

        yield Runs(register.workspace)


@contextmanager
def opened(workspace: str | None, *, make: bool = False) -> Iterator[OpenWorkspace]:
    """Open the workspace with its cases and its ledger."""
    from kycpack.workspace.opened import open_chosen

    chosen = settings(workspace=workspace)
    if not make:
        require_workspace(chosen)
    with open_chosen(chosen) as work:
        yield work


def known(register: Register | None, customer_id: str) -> Mapping[str, Any] | None:
    """Return the register's data about a customer; None without a register."""
    return None if register is None else register.known(customer_id)
