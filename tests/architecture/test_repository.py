"""What lies in the repository: the layout, the pins, the documents, and what must not be there."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOMS = [
    "errors",
    "settings",
    "storage",
    "models",
    "evidence",
    "frames",
    "wealth",
    "triage",
    "render",
    "api",
    "workspace",
    "pack",
    "batch",
    "service",
    "cli",
]
TOP = {
    "pyproject.toml",
    "README.md",
    "Makefile",
    "notebooks",
    "src",
    "reports",
    "tests",
    "data",
    "docs",
    ".ci",
}
ALSO = {
    "LICENSE",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "constraints.txt",
    "constraints-lowest.txt",
    "mkdocs.yml",
    ".dockerignore",
    ".gitignore",
    ".pre-commit-config.yaml",
}


@pytest.fixture(scope="module")
def tracked(checkout: Path) -> list[Path]:
    if not (checkout / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git as the developer has it
        cwd=checkout,
        capture_output=True,
        check=True,
    ).stdout.decode()
    return [checkout / name for name in listed.split("\0") if name and (checkout / name).is_file()]


def test_the_top_level_is_the_layout_and_nothing_else(checkout: Path, tracked: list[Path]) -> None:
    assert {path.relative_to(checkout).parts[0] for path in tracked} == TOP | ALSO


def test_no_machine_and_no_index_is_named(tracked: list[Path]) -> None:
    forbidden = re.compile(rb"/(root|home)/[a-z.]|--(extra-)?index-url|--find-links")
    here = Path(__file__)
    found = [path.name for path in tracked if path != here and forbidden.search(path.read_bytes())]
    assert found == []


def _pins(path: Path) -> dict[str, str]:
    pins = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line
            name, _, version = line.partition("==")
            pins[_name(name)] = version
    return pins


def _name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))


def test_the_pins_install_on_the_oldest_python(checkout: Path) -> None:
    """Debian 12 has Python 3.11.2: a pin that asks for a later 3.11 stops `make demo` there."""
    first = "3.11.0"
    asked = {}
    for name in _pins(checkout / "constraints.txt"):
        with suppress(metadata.PackageNotFoundError):
            asked[name] = SpecifierSet(metadata.metadata(name).get("Requires-Python") or "")
    assert len(asked) > 100
    assert [name for name, wanted in asked.items() if first not in wanted] == []


def test_the_pins_are_plain_and_the_bounds_are_those_that_were_tried(checkout: Path) -> None:
    newest, oldest = _pins(checkout / "constraints.txt"), _pins(checkout / "constraints-lowest.txt")
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    tools = project["optional-dependencies"].pop("dev")
    asked = [
        *project["dependencies"],
        *(item for extra in project["optional-dependencies"].values() for item in extra),
    ]
    bounds = {}
    for requirement in (*asked, *tools):
        match = re.match(
            r"([A-Za-z0-9._-]+)(?:\[[a-z0-9]+\])?>=([0-9.]+)(?:,<[0-9.]+)?(?:; .+)?$", requirement
        )
        assert match, f"{requirement} has no lower bound"
        name, bound = _name(match[1]), match[2]
        assert name in newest, f"{name} is not pinned"
        assert _release(bound) <= _release(newest[name]), f"{name} promises more than is tested"
        if requirement in asked:
            bounds[name] = bound
        else:
            # Tools of the developers are tried in one version alone.
            assert bound == newest[name], name
    assert bounds == oldest
    assert [name for name in bounds if _release(bounds[name]) < _release(newest[name])], (
        "no older version is tried"
    )
    assert "-c constraints-lowest.txt" in (checkout / ".ci" / "run").read_text()


def test_the_readme_has_the_two_commands_and_its_links_lead_somewhere(checkout: Path) -> None:
    readme = (checkout / "README.md").read_text()
    assert "make demo" in readme
    assert "make test" in readme
    for target in re.findall(r"\]\(([^)#]+)\)", readme):
        if "://" not in target:
            assert (checkout / target).exists(), f"the README links {target}"


def test_the_design_names_every_room_and_the_silent_places_have_their_page(checkout: Path) -> None:
    design = (checkout / "docs" / "design.md").read_text()
    for room in ROOMS:
        assert f"`{room}" in design, f"the table of rooms lacks {room}"
    assert (checkout / "docs" / "silent-places.md").is_file()


def test_notebooks_are_committed_without_outputs(checkout: Path) -> None:
    notebooks = sorted((checkout / "notebooks").glob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        for cell in json.loads(path.read_text())["cells"]:
            assert not cell.get("outputs"), path.name
            assert cell.get("execution_count") is None, path.name


def test_every_module_says_what_it_is(checkout: Path) -> None:
    for path in sorted((checkout / "src").rglob("*.py")):
        assert path.read_text().startswith(('"""', 'r"""')), path.name
