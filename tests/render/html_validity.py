"""What is wrong with a page of HTML: by a parser that notes every error, and by the Nu checker where it is on this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tinyhtml5.parser import HTMLParser

JAR = "KYCPACK_VNU_JAR"
"""The environment variable that says where the Nu checker's jar is; npm has it as `vnu-jar`."""

# The checker takes no hash of a script and no data: image for allowed. Chromium, which enforces the policy, shows both: tests/browser.
_OF_POLICY = "violates Content Security Policy (meta tag)"
_SAID = re.compile(r"(?<=>)\s*[^<>\s][^<>]*(?=<)")


def parse_errors(page: str) -> list[str]:
    """Return what a page does that the HTML standard calls a parse error, each with its line and column."""
    parser = HTMLParser()
    parser.parse(page)
    return [f"{place[0]}:{place[1]}: {code} {facts}" for place, code, facts in parser.errors]


def shape_errors(page: str) -> list[str]:
    """Return the parse errors of a page; pages that differ in their text alone are parsed once."""
    return _shape_errors(_SAID.sub("x", page))


@cache
def _shape_errors(page: str) -> list[str]:
    return parse_errors(page)


def nu_messages(folder: Path) -> list[str]:
    """Return what the Nu checker says of every page in a folder; the test is skipped where there is no Java or no checker."""
    java, jar = shutil.which("java"), os.environ.get(JAR, "")
    if java is None or not Path(jar).is_file():
        pytest.skip(f"the Nu checker needs Java and its jar, named by {JAR}")
    command = [java, "-jar", jar, "--format", "json", "--exit-zero-always", "--skip-non-html", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - a checker, on our own pages
    return [
        f"{Path(one.get('url', '')).name}:{one.get('lastLine', 0)}: {one['message']}: {one.get('extract', '')[:120]!r}"
        for one in json.loads(done.stderr)["messages"]
        if _OF_POLICY not in one["message"]
    ]
