"""A stranger with a signed pack and its README.txt: every command that it names does what it says, and every file is named."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kycpack.cli import app
from kycpack.pack import PackResult
from kycpack.pack.bag import ATTESTATION, SIGNATURE
from kycpack.pack.order import EXCERPT_FILE
from kycpack.pack.redact.disclosure import COMMITMENTS
from kycpack.pack.sign.signing import load_key, sign_pack
from kycpack.pack.sign.trial_key import new_trial_key

_TOOLS = ("sha256sum", "openssl", "pdfsig")
_INDENT = "     "
_FIRM = "Example Bank"


@pytest.fixture(scope="module")
def signed(made: PackResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed pack as it was handed over, with the firm's certificate beside it."""
    folder = tmp_path_factory.mktemp("handed-over")
    key = folder / "firm.p12"
    new_trial_key(key, folder / "FIRM.pem", name=_FIRM, passphrase="x", now=datetime.now(UTC))
    pack = Path(shutil.copytree(made.path, folder / "pack"))
    sign_pack(pack, load_key(key, "x"))
    return pack


def commands(pack: Path) -> list[str]:
    """Return the commands of the README, each in one line."""
    text = (pack / "data/README.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    told = text.partition("WHAT IS IN IT")[0].splitlines()
    return [line.strip() for line in told if line.startswith(_INDENT)]


def run(command: str, pack: Path) -> tuple[int, str]:
    """Run a command in the pack's folder, with the tools of this environment; of kycpack, one in a process of its own."""
    tool, *arguments = shlex.split(command)
    if tool == "kycpack" and arguments != ["verify", "."]:
        with chdir(pack):
            answer = CliRunner().invoke(app, arguments)
        return answer.exit_code, answer.output
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(  # noqa: S603 - the commands of our own page
        [tool, *arguments],
        cwd=pack,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    return done.returncode, done.stdout + done.stderr


_SAYS = {
    "sha256sum": "",
    "bagit.py": "is valid",
    "kycpack verify --require-signature": "verified",
    "kycpack verify .": "verified",
    "kycpack replay": "identical",
    "kycpack trace .": "coverage.1",
    "kycpack trace . coverage.1": "evidence/E-11.json#/items/0",
    "kycpack trace . --check": "0 problems",
    "openssl": "CMS Verification successful",
    "pdfsig data/report/review.pdf": "Signature is Valid",
    "pdfsig data/report/statement.pdf": "Total document signed",
}


@pytest.mark.parametrize("beginning", _SAYS)
def test_a_command_of_the_readme_does_what_it_says(signed: Path, beginning: str) -> None:
    named = [each.replace("FIGURE", "coverage.1") for each in commands(signed)]
    exact = [each for each in named if each == beginning]
    (command,) = exact or [each for each in named if each.startswith(beginning)]
    tool = command.split()[0]
    if tool in _TOOLS and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on this machine")
    code, said = run(command, signed)
    assert code == 0, said
    assert _SAYS[beginning] in said
    if tool == "pdfsig":
        assert f"Signer Certificate Common Name: {_FIRM}" in said


def test_every_command_was_tried(signed: Path) -> None:
    named = [each.replace("FIGURE", "coverage.1") for each in commands(signed)]
    left = [each for each in named if not any(each.startswith(beginning) for beginning in _SAYS)]
    assert [each.split()[:2] for each in left] == [["python", "verify_ledger.py"]]  # tests/workspace tries it


def test_every_file_is_named(signed: Path) -> None:
    listed = (signed / "data/README.txt").read_text(encoding="utf-8").partition("WHAT IS IN IT")[2]
    names = {name.strip(",") for name in listed.split() if "." in name or "/" in name}
    folders = tuple(name for name in names if name.endswith("/"))
    held = [path.relative_to(signed).as_posix() for path in sorted(signed.rglob("*")) if path.is_file()]
    assert [name for name in held if name not in names and not name.startswith(folders)] == []
    assert {SIGNATURE, ATTESTATION, f"data/{COMMITMENTS}", f"data/{EXCERPT_FILE}"} <= names


def test_a_changed_file_is_found_by_the_first_command(signed: Path, tmp_path: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not on this machine")
    pack = Path(shutil.copytree(signed, tmp_path / "pack"))
    (pack / "data/policy.yaml").write_bytes(b"softer")
    code, said = run(commands(pack)[0], pack)
    assert code == 1
    assert "data/policy.yaml: FAILED" in said
