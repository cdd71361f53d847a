"""`kycpack lab` and `kycpack init`: copies of the notebooks to work in."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from kycpack.assets import notebook_paths
from kycpack.cli.options import AsJson, FreePort, WorkspacePlace, settings
from kycpack.cli.terminal import answer
from kycpack.errors import ConfigurationError
from kycpack.settings import environment_with_full_paths

LabFolder = Annotated[
    Path | None,
    typer.Argument(
        metavar="FOLDER",
        help="Folder of the copies: `notebooks`, or `my-notebooks` in a checkout.",
        file_okay=False,
    ),
]


def init(folder: LabFolder = None, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Set up a workspace and copies of the notebooks.

    Copies the notebooks that come with kycpack into a folder, without replacing existing ones, and makes the workspace
    database.
    """
    from kycpack.workspace import Workspace

    place = settings(workspace=workspace).workspace
    folder = _lab_folder() if folder is None else folder
    copied = _copy_notebooks(folder)
    Workspace.open(place).close()
    answer(
        {"folder": str(folder), "copied": copied},
        f"{folder}: {len(copied)} notebooks copied ({', '.join(copied) or 'all existed already'})",
        "next: kycpack lab, or kycpack serve to run a service on this machine",
        as_json=as_json,
    )


def lab(
    folder: LabFolder = None,
    port: FreePort = 8888,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    allow_root: Annotated[
        bool, typer.Option("--allow-root", help="Start even as root, for example in a container.")
    ] = False,
) -> None:
    """Open copies of the notebooks in JupyterLab.

    Notebooks that the folder does not have yet are copied into it; existing ones are not changed. In a checkout of
    kycpack the copies go to my-notebooks, because packs are made from the notebooks in the folder `notebooks` itself.
    JupyterLab listens on this machine only. Notebooks and jobs use the workspace, the reports and the kycpack.toml of the
    folder in which this command was started.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise ConfigurationError("JupyterLab is not installed: pip install 'kycpack[lab]'")
    if not allow_root and getattr(os, "geteuid", lambda: 1)() == 0:
        raise ConfigurationError(
            "JupyterLab does not start as root: use an ordinary user, or allow it with `kycpack lab --allow-root`"
        )
    folder = _lab_folder() if folder is None else folder
    if _is_template(folder):
        raise ConfigurationError(
            f"{folder} holds the notebooks that packs are made from: give another folder"
        )
    _copy_notebooks(folder)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    if allow_root:
        command.append("--ServerApp.allow_root=True")
    if not browser:
        command.append("--no-browser")
    environment = environment_with_full_paths()
    before = os.umask(0o077)  # files that notebooks and jobs write may hold customers' data
    try:
        os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter, without a shell
    finally:
        os.umask(before)


def _lab_folder() -> Path:
    return Path("my-notebooks" if _is_template(Path("notebooks")) else "notebooks")


def _is_template(folder: Path) -> bool:
    return folder.resolve() in {source.parent.resolve() for source in notebook_paths()}


def _copy_notebooks(folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    copied = []
    for source in notebook_paths():
        target = folder / source.name
        if not target.exists():
            shutil.copyfile(source, target)
            copied.append(source.name)
    return copied
