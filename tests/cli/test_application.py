from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from kycpack import errors
from kycpack.cli import app
from kycpack.cli.customers import register as register_command


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make `kycpack register list` raise."""

    def install(error: BaseException) -> None:
        def fail(**_given: object) -> None:
            raise error

        monkeypatch.setattr(register_command, "settings", fail)

    return install


def test_help_teaches_and_imports_nothing_heavy() -> None:
    script = (
        "import sys; from kycpack.cli import app; "
        "print(sorted({'pandas', 'numpy', 'sqlalchemy', 'httpx', 'pydantic', 'rich', 'fastapi'} & set(sys.modules)))"
    )
    answer = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
    page = CliRunner().invoke(app, ["--help"])
    assert page.exit_code == 0
    assert "kycpack demo" in page.output
    assert "Exit codes" in page.output


def test_every_command_teaches() -> None:
    page = CliRunner().invoke(app, ["--help"]).output
    names = [
        line.split()[0]
        for line in page.split("Commands:")[1].split("\n\n")[0].splitlines()
        if line.startswith("  ") and not line.startswith("   ")
    ]
    assert "register" in names
    for name in names:
        answer = CliRunner().invoke(app, [name, "--help"])
        assert answer.exit_code == 0
        assert len(answer.output.splitlines()) > 5


def test_a_wrong_option_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["register", "list", "--nope"]).exit_code == 2
    assert CliRunner().invoke(app, ["nope"]).exit_code == 2


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("the line is wrong", place="file line 3"), 2),
        (errors.ConfigurationError("no address"), 2),
        (errors.OutputLockedError("another run"), 2),
        (errors.NotFoundError("unknown customer", status=404), 1),
        (errors.PackError("altered"), 1),
        (KeyboardInterrupt(), 130),
    ],
)
def test_an_error_is_one_line_and_a_code(
    failing: Callable[[BaseException], None], error: BaseException, code: int
) -> None:
    failing(error)
    answer = CliRunner().invoke(app, ["register", "list"])
    assert answer.exit_code == code
    assert answer.stderr.startswith("kycpack: ")
    assert answer.stderr.count("\n") == 1
    assert "Traceback" not in answer.stderr


def test_an_unforeseen_error_shows_its_kind_and_not_what_was_read(
    failing: Callable[[BaseException], None],
) -> None:
    failing(ValueError("Ada Byron"))
    answer = CliRunner().invoke(app, ["register", "list"])
    assert answer.exit_code == 1
    assert "internal error (ValueError)" in answer.stderr
    assert "Ada" not in answer.stderr
    assert "Traceback" in CliRunner().invoke(app, ["--debug", "register", "list"]).stderr


def test_an_error_message_cannot_drive_the_terminal(failing: Callable[[BaseException], None]) -> None:
    failing(errors.InputError("\x1b[31mred\u202e"))
    answer = CliRunner().invoke(app, ["register", "list"])
    assert "\x1b" not in answer.stderr
    assert "\\u001b[31mred\\u202e" in answer.stderr


def test_the_version_is_the_packages() -> None:
    assert CliRunner().invoke(app, ["--version"]).output.startswith("kycpack 0.")


_SECOND_CTRL_C = """
import atexit, os, signal, sys
from kycpack.cli import main

def again():
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(10_000))

atexit.register(again)
sys.argv = ["kycpack", "--version"]
main()
"""


def test_ctrl_c_while_the_process_ends_shows_no_traceback() -> None:
    ended = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _SECOND_CTRL_C], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr == ""
