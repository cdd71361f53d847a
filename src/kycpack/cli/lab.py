"""`kycpack lab` and `kycpack init`: the notebooks, for whoever works in them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from kycpack.assets import notebook_paths
from kycpack.cli.options import AsJson, WorkspacePlace, settings
from kycpack.cli.terminal import print_json, say
from kycpack.errors import ConfigurationError

Folder = Annotated[Path, typer.Argument(help="Folder of the notebooks.", file_okay=False)]


def init(
    folder: Folder = Path("notebooks"), workspace: WorkspacePlace = None, as_json: AsJson = False
) -> None:
    """Make a place to work in.

    Copies the notebooks that come with kycpack into a folder, leaving those alone that are there, and makes the
    workspace database.
    """
    from kycpack.workspace import Workspace

    place = settings(workspace=workspace).workspace
    copied = _copy_notebooks(folder)
    Workspace.open(place).close()
    if as_json:
        print_json({"folder": str(folder), "copied": copied})
    else:
        say(f"{folder}: {len(copied)} notebooks copied ({', '.join(copied) or 'all were there'})")
        say("next: kycpack lab, or kycpack serve for a service of your own")


def lab(
    folder: Folder = Path("notebooks"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for a free one.")] = 8888,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the notebooks in JupyterLab.

    It listens on this machine alone. Notebooks find the service by KYCPACK_BASE_URL, KYCPACK_KEY_ID and KYCPACK_SECRET,
    and start one of their own where nothing is configured.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise ConfigurationError("JupyterLab is not installed: pip install 'kycpack[lab]'")
    if not folder.is_dir():
        _copy_notebooks(folder)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    if not browser:
        command.append("--no-browser")
    os.execv(sys.executable, command)  # noqa: S606 - our own interpreter; no shell takes part


def _copy_notebooks(folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    copied = []
    for source in notebook_paths():
        target = folder / source.name
        if not target.exists():
            shutil.copyfile(source, target)
            copied.append(source.name)
    return copied
