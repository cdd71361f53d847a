"""The page of settings holds every setting, and none that does not exist."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from kycpack.settings import Settings

_IN_WORDS = {
    "signer": "the scheme `kyc-hmac-v1`",
    "ledger_anchor": "`ledger-anchor.jsonl` beside the workspace",
}


@pytest.fixture
def page(checkout: Path) -> str:
    return (checkout / "docs" / "settings.md").read_text()


def test_the_page_has_each_variable_and_no_other(page: str) -> None:
    rows = re.findall(r"^\| `(KYCPACK_[A-Z_]+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(f"KYCPACK_{field.name.upper()}" for field in dataclasses.fields(Settings))


def test_the_page_says_each_default(page: str) -> None:
    rows = dict(re.findall(r"^\| `KYCPACK_([A-Z_]+)` \|.*\| ([^|]+) \|$", page, re.MULTILINE))
    for field in dataclasses.fields(Settings):
        said = rows[field.name.upper()]
        if field.default:
            assert said.startswith(f"`{field.default}`")
        else:
            expected = _IN_WORDS.get(field.name)
            assert said == expected if expected else re.match("none|nobody|the keyring", said)


def test_the_example_on_the_page_is_read(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "kycpack.toml"
    file.write_text(example)
    file.chmod(0o600)
    monkeypatch.chdir(tmp_path)
    read = Settings.load({})
    for name, value in tomllib.loads(example).items():
        assert getattr(read, name) == value
