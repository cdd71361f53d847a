"""The documentation leads somewhere, and names commands, options and code that there are."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer

from kycpack.cli.application import app

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
ROOT: Any = typer.main.get_command(app)

fenced = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
link = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_links_inside_the_documentation_lead_somewhere(page: Path) -> None:
    dead = []
    for target in link.findall(fenced.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        to = (page.parent / name).resolve() if name else page
        if not to.exists() or (anchor and to.suffix == ".md" and anchor not in anchors(to)):
            dead.append(target)
    assert dead == []


# The design sketches names, several calls in a line; it is no code to run.
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "design.md"], ids=lambda page: page.name
)
def test_python_in_the_documentation_is_python(page: Path) -> None:
    for kind, code in fenced.findall(page.read_text()):
        if kind in {"python", "py"}:
            compile(code, page.name, "exec")


# In a sentence a command may stand without `kycpack`, as in `inbox work`; two words that begin with a group of commands are one.
inline = re.compile(r"`(?:kycpack )?([a-z][a-z-]+(?: [^`\n]+)?)`")


def commands(page: Path) -> Iterator[str]:
    for span in inline.findall(fenced.sub("", page.read_text())):
        first, _, rest = span.partition(" ")
        if hasattr(ROOT.commands.get(first), "commands") and re.match(r"[a-z-]+($| )", rest):
            yield f"kycpack {span}"
    for kind, code in fenced.findall(page.read_text()):
        if kind in {"", "sh", "bash", "console", "shell"}:
            for line in code.replace("\\\n", " ").splitlines():
                start = re.match(r"\s*(?:\$ |\.venv/bin/)?(kycpack [a-z].*)", line)
                if start:
                    yield start[1]


@pytest.mark.parametrize(
    ("page", "line"),
    [(page.name, line) for page in [DOCS.parent / "README.md", *PAGES] for line in commands(page)],
)
def test_a_command_in_the_documentation_is_one_that_there_is(page: str, line: str) -> None:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(takewhile(lambda word: not set(word) <= set("|&;<>()"), lexer))[1:]
    command = ROOT
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        assert words[0] in command.commands, page
        command = command.commands[words.pop(0)]
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= {*options, "--help"}


def test_the_glossary_is_in_order_and_explains_each_word_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    assert words == sorted(set(words), key=str.casefold)


@pytest.mark.parametrize(
    "word",
    ["adapter", "coverage", "disposition", "evidence", "ledger", "level", "register", "session", "signer", "source of wealth"],
)  # fmt: skip
def test_the_words_of_the_pages_are_in_the_glossary(word: str) -> None:
    assert f"| **{word}** |" in (DOCS / "glossary.md").read_text()
