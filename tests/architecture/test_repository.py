"""What lies in the repository: the layout, the pins, the documents, and what must not be there."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

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
    "mkdocs.yml",
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


def test_the_pins_are_plain_and_cover_what_is_asked_for(checkout: Path) -> None:
    pins = {}
    for line in (checkout / "constraints.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line
            name, _, version = line.partition("==")
            pins[re.sub(r"[-_.]+", "-", name).lower()] = version
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    asked = [
        *project["dependencies"],
        *(item for extra in project["optional-dependencies"].values() for item in extra),
    ]
    for requirement in asked:
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[[a-z0-9]+\])?>=([0-9.]+)(?:; .+)?$", requirement)
        assert match, f"{requirement} has no lower bound"
        pinned = pins.get(re.sub(r"[-_.]+", "-", match[1]).lower())
        assert pinned, f"{match[1]} is not pinned"
        # Older versions may do, and nobody has tried: what is promised is what is tested.
        assert match[2] == pinned, f"{match[1]} promises {match[2]}, and {pinned} is tested"


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
