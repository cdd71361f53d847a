"""The client, frames, wealth, triage, notebooks and packs work without what only POSIX systems have."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from kycpack.assets import asset_path

HIDDEN = textwrap.dedent(
    """
    import builtins, os, signal, sys

    real = builtins.__import__

    def hide(name, globals=None, locals=None, fromlist=(), level=0):
        if name in {"fcntl", "resource", "pwd", "grp", "termios"} and str((globals or {}).get("__name__")).startswith("kycpack"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, globals, locals, fromlist, level)

    import importlib
    found = importlib.import_module

    def hide_late(name, package=None):
        if name in {"fcntl", "msvcrt"} and sys._getframe(1).f_globals["__name__"].startswith("kycpack"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found(name, package)

    builtins.__import__, importlib.import_module = hide, hide_late
    for name in ("fork", "forkpty", "setsid", "killpg", "getpgrp", "O_DIRECTORY"):
        delattr(os, name)
    del signal.SIGKILL
    """
)


def run(code: str, *arguments: str | Path, folder: Path) -> str:
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", HIDDEN + textwrap.dedent(code), *map(str, arguments)],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("KYCPACK_")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_everything_an_analyst_imports_is_there(tmp_path: Path) -> None:
    run(
        """
        import kycpack as kp
        for name in kp.__all__:
            getattr(kp, name)
        import kycpack.cli
        """,
        folder=tmp_path,
    )


def test_a_pack_is_made_and_verified_in_a_plain_process(tmp_path: Path) -> None:
    sample = asset_path("samples/evidence/index.json").parent
    said = run(
        """
        import kycpack as kp
        pack = kp.write_pack(sys.argv[1], "packs", as_of="2026-06-30")
        print(kp.verify_pack(pack.path).ok, pack.level)
        """,
        sample,
        folder=tmp_path,
    )
    assert said.split()[0] == "True"


def test_a_batch_says_what_it_needs(tmp_path: Path) -> None:
    said = run(
        """
        import multiprocessing
        multiprocessing.get_all_start_methods = lambda: ["spawn"]
        from kycpack.batch.executor import run_tasks
        from kycpack.errors import ConfigurationError
        try:
            list(run_tasks(None, [], out=None, as_of=None, previous=None, workers=1, limit_seconds=1))
        except ConfigurationError as error:
            print(error)
        """,
        folder=tmp_path,
    )
    assert "Linux or macOS" in said
