"""A provider with another signature: the commands that talk to the service follow the setting and the option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kycpack.api import HmacSigner, UnsignedRequest

if TYPE_CHECKING:
    from tests.cli.conftest import Town

SEEN = Path("seen-by-signer")


class Counted(HmacSigner):
    """Signs as the service of the tests expects, and leaves a trace in the working folder, from any process."""

    __slots__ = ()

    def __call__(self, request: UnsignedRequest, /) -> dict[str, str]:
        with SEEN.open("a", encoding="utf-8") as file:
            file.write(f"{request.target}\n")
        return {**super().__call__(request)}


@pytest.mark.parametrize("by_option", [True, False])
@pytest.mark.parametrize("command", ["collect", "batch"])
def test_the_named_signer_signs_every_request(
    command: str, town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_option: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    customer, name = town.customers[1], f"{__name__}:Counted"
    arguments = [command, customer, "--out", "out", "--json"]
    if command == "batch":
        arguments += ["--as-of", "2026-06-01T12:00:00Z"]
    if by_option:
        answer = town.run(*arguments, "--signer", name)
    else:
        answer = town.run(*arguments, KYCPACK_SIGNER=name)
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)
    assert f"/v1/customers/{customer}" in SEEN.read_text().splitlines()


def test_a_signer_that_cannot_be_loaded_is_one_line(town: Town, tmp_path: Path) -> None:
    answer = town.run("collect", town.customers[0], "--out", str(tmp_path), "--signer", "no.such:thing")
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1
    assert "signer: 'no.such:thing' cannot be loaded" in answer.stderr
