from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def _send(words: list[str]) -> httpx.Response:
    assert words[:4] == ["curl", "-sS", "-X", words[3]]
    pairs = list(zip(words[5::2], words[6::2], strict=True))
    headers = dict(value.split(": ", 1) for name, value in pairs if name == "-H")
    body = next((value for name, value in pairs if name == "--data-binary"), "")
    return httpx.request(words[3], words[4], headers=headers, content=body)


def test_the_printed_command_is_accepted_once(town: Town) -> None:
    answer = town.run("curl-sign", "get", "/v1/banks?countryCode=GB")
    assert answer.exit_code == 0
    words = shlex.split(answer.stdout)
    assert _send(words).status_code == 200
    assert _send(words).status_code == 401
    assert town.service.secret not in answer.stdout


def test_a_body_is_signed_with_it(town: Town) -> None:
    answer = town.run("curl-sign", "POST", "/v1/customers", "--data", '{"firstName":"Ann; rm -rf \'x\'"}')
    made = _send(shlex.split(answer.stdout))
    assert made.json()["firstName"] == "Ann; rm -rf 'x'"


def test_a_path_begins_with_a_slash(town: Town) -> None:
    assert town.run("curl-sign", "GET", "v1/banks").exit_code == 2
