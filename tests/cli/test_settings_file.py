"""`kycpack.toml`: what wins, and which files are refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kycpack.errors import ConfigurationError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "kycpack.toml"
    file.write_text(text)
    file.chmod(0o600)
    return file


def test_an_argument_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = _write(tmp_path, 'analyst = "file"\nreviewer = "file"\nkey_id = "file"\n')
    environment = {"KYCPACK_CONFIG": str(file), "KYCPACK_ANALYST": "environment", "KYCPACK_REVIEWER": ""}
    read = Settings.load({**environment, "KYCPACK_KEY_ID": "environment"}, key_id="argument")
    assert (read.key_id, read.analyst, read.reviewer) == ("argument", "environment", "file")
    assert read.bank_adapter == Settings().bank_adapter


def test_paths_start_at_the_folder_of_the_file(tmp_path: Path) -> None:
    file = _write(tmp_path / "conf", 'workspace = "a.db"\nreports = "/srv/packs"\nledger_anchor = ""\n')
    read = Settings.load({"KYCPACK_CONFIG": str(file)})
    assert read.workspace == str(tmp_path / "conf" / "a.db")
    assert read.reports == Path("/srv/packs")
    assert read.ledger_anchor == ""
    file = _write(tmp_path / "conf", 'workspace = "postgresql+psycopg://kyc@db/kyc"\n')
    assert Settings.load({"KYCPACK_CONFIG": str(file)}).workspace == "postgresql+psycopg://kyc@db/kyc"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('secret = "hunter2"', "secret does not belong"),
        ('signing_passphrase = "hunter2"', "signing_passphrase does not belong"),
        ('base_ulr = "hunter2"', "unknown setting 'base_ulr'"),
        ("key_id = 7", "key_id must be a string"),
        ('[base_url]\na = "hunter2"', "base_url must be a string"),
        ("analyst = hunter2", "line 1"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_not_quoted(tmp_path: Path, text: str, said: str) -> None:
    file = _write(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        Settings.load({"KYCPACK_CONFIG": str(file)})
    assert said in str(caught.value)
    assert str(file) in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nothing\.toml"):
        Settings.load({"KYCPACK_CONFIG": str(tmp_path / "nothing.toml")})


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_change_is_refused(tmp_path: Path, mode: int) -> None:
    file = _write(tmp_path, 'analyst = "a"')
    file.chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        Settings.load({"KYCPACK_CONFIG": str(file)})


def test_commands_read_the_file_of_the_current_folder(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, f'base_url = "{town.service.base_url}"\nkey_id = "{town.service.key_id}"\n')
    monkeypatch.chdir(tmp_path)
    assert town.run("doctor", KYCPACK_BASE_URL="", KYCPACK_KEY_ID="").exit_code == 0
    _write(tmp_path, "nonsense")
    answer = town.run("doctor")
    assert answer.exit_code == 2
    assert "kycpack.toml" in answer.stderr


def test_a_file_in_the_current_folder_that_leads_nowhere_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kycpack.toml").symlink_to("moved.toml")
    with pytest.raises(ConfigurationError, match=r"kycpack\.toml: No such file"):
        Settings.load({})


def test_a_variable_that_is_not_text_is_named_and_not_quoted() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Settings.load({"KYCPACK_ANALYST": os.fsdecode(b"An\xe9")})
    assert str(caught.value) == "analyst (KYCPACK_ANALYST) cannot be used: it is not UTF-8"
