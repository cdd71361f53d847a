"""Every command shows examples, and each of them names commands and options that there are."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kycpack.cli.application import app
from kycpack.cli.examples import EXAMPLES

ROOT: Any = typer.main.get_command(app)


@pytest.mark.parametrize("name", list(ROOT.commands))
def test_the_help_of_every_command_has_examples(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"])
    assert shown.exit_code == 0
    for line in EXAMPLES[name]:
        assert line in shown.stdout


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_an_example_names_what_there_is(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "kycpack"
    command = ROOT
    while hasattr(command, "commands") and words:
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands")
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= options
    required = [one for one in command.params if one.required and one.param_type_name == "argument"]
    assert len([word for word in words if not word.startswith("--")]) >= len(required)
