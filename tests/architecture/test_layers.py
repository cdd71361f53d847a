"""The rooms and who may import whom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "pandas",
    "numpy",
    "matplotlib",
    "papermill",
    "fpdf",
    "httpx",
    "pydantic",
    "sqlalchemy",
    "fastapi",
    "IPython",
)
SERVER = ("fastapi", "starlette", "uvicorn", "multipart", "psycopg")


def test_a_room_imports_only_rooms_that_stand_before_it(checkout: Path) -> None:
    run = subprocess.run(  # noqa: S603 - our own tool in our own environment
        [
            Path(sys.executable).with_name("lint-imports"),
            "--no-cache",
            "--config",
            checkout / "pyproject.toml",
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


def _modules_after(*arguments: str) -> set[str]:
    script = (
        "import sys, runpy\n"
        f"sys.argv = {['kycpack', *arguments]!r}\n"
        "try:\n    runpy.run_module('kycpack', run_name='__main__')\n"
        "except SystemExit as stop:\n    assert not stop.code, stop.code\n"
        "print('\\n' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)\n"
    )
    run = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return set(run.stderr.rsplit("\n", 2)[-2].split())


def test_help_answers_without_a_heavy_import() -> None:
    assert _modules_after("--help").isdisjoint(HEAVY)


@pytest.mark.parametrize("command", ["demo", "serve", "collect", "review", "batch", "verify"])
def test_help_of_a_command_answers_without_a_heavy_import(command: str) -> None:
    # Typer itself reads the options before a command by pydantic.
    assert (_modules_after(command, "--help") - {"pydantic"}).isdisjoint(HEAVY)


def test_the_client_half_imports_without_the_dependencies_of_the_server() -> None:
    block = f"import sys\nfor name in {SERVER!r}: sys.modules[name] = None\n"
    use = "import kycpack as kp\n[getattr(kp, name) for name in kp.__all__]\n"
    run = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-W", "error", "-c", block + use], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
