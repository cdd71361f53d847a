"""A PostgreSQL of a test's own, that can be stopped, killed and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.ports import free_port

_USER = "postgres"
_OPTIONS = "-c listen_addresses=127.0.0.1 -c max_connections=120"


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs, None where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parent.parent.name)
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


class Cluster:
    """One cluster in a folder of its own.

    Args:
        programs: Folder of PostgreSQL's programs.
        folder: Its folder, which the user `postgres` can reach.
    """

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._port = free_port()
        if os.geteuid() == 0:
            shutil.chown(folder, _USER)
        self._run("initdb", "-D", str(folder / "data"), "-U", "kycpack", "-A", "trust")

    @property
    def url(self) -> str:
        """The URL of its database."""
        return f"postgresql+psycopg://kycpack@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"{_OPTIONS} -p {self._port} -k {self._folder}"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-o", options, "-l", log, "start")

    def stop(self) -> None:
        """Stop it at once, as a crash of the machine would."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")

    def is_running(self) -> bool:
        """Return whether it answers."""
        try:
            self._run("pg_isready", "-U", "kycpack", "-h", "127.0.0.1", "-p", str(self._port))
        except subprocess.CalledProcessError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        user = _USER if os.geteuid() == 0 else None
        subprocess.run(  # noqa: S603 - PostgreSQL's own programs
            [str(self._programs / program), *arguments],
            check=True,
            user=user,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Give the folder of a disk of its own that is so small; mounting one takes root."""
    folder = Path(tempfile.mkdtemp(prefix="kycpack-disk-"))
    subprocess.run(  # noqa: S603 - a program of the system
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)],  # noqa: S607
        check=True,
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607 - as above
        folder.rmdir()


@contextmanager
def cluster(within: Path | None = None) -> Iterator[Cluster]:
    """Run a cluster, in a folder of its own; the test is skipped where PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="kycpack-pg-", dir=within))
    try:
        made = Cluster(programs, folder)
        made.start()
        try:
            yield made
        finally:
            time.sleep(0.1)
            if made.is_running():
                made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
