"""The help of every command: examples that name what there is, words instead of Python types, whole sentences."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kycpack.cli.application import app
from kycpack.cli.help_pages import EXAMPLES

ROOT: Any = typer.main.get_command(app)


def below(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    for word, each in getattr(command, "commands", {}).items():
        yield f"{name} {word}".strip(), each
        yield from below(each, f"{name} {word}".strip())


COMMANDS = dict(below(ROOT, ""))


def shown(*words: str) -> str:
    answer = CliRunner().invoke(app, [*words, "--help"])
    assert answer.exit_code == 0
    return answer.stdout


def test_nothing_but_commands_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_its_examples(name: str) -> None:
    text = shown(*name.split())
    for line in EXAMPLES[name]:
        assert line in text
        assert line.startswith(f"kycpack {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_what_to_give_is_said_in_words(name: str) -> None:
    before_examples = shown(*name.split()).partition("Examples:")[0]
    assert not re.search(r"<[a-z][^>]*>|[{}]|\[\[", before_examples)
    for each in COMMANDS[name].params:
        assert each.help or each.name == "help"
        if each.param_type_name == "argument" or not each.is_flag:
            assert each.metavar not in {None, "TEXT", "PATH", "INTEGER", "VALUE"}


def test_no_list_of_commands_cuts_a_sentence_short() -> None:
    groups = ["", *(name for name, command in COMMANDS.items() if hasattr(command, "commands"))]
    cut = {name: re.findall(r"^  \S+  .*\.\.\.$", shown(*name.split()), re.MULTILINE) for name in groups}
    assert not {name: lines for name, lines in cut.items() if lines}


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_an_example_names_what_there_is(line: str) -> None:
    program, *words = shlex.split(line.partition(" < ")[0])
    assert program == "kycpack"
    command = ROOT
    while hasattr(command, "commands") and words:
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands")
    options = {name: one for one in command.params for name in (*one.opts, *one.secondary_opts)}
    arguments, rest = [], iter(words)
    for word in rest:
        if word.startswith("--"):
            if not options[word].is_flag:
                next(rest)
        else:
            arguments.append(word)
    required = [one for one in command.params if one.required]
    assert len(arguments) >= sum(one.param_type_name == "argument" for one in required)
    assert {one.opts[0] for one in required if one.param_type_name == "option" and not one.envvar} <= set(
        words
    )
