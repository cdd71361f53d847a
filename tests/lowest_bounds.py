"""Prints pins for the lowest version that each requirement of the package admits, for pip's -c.

`make lowest` runs the tests on them, so that the lower bounds in pyproject.toml are more than a guess.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path


def lowest_pins(pyproject: Path) -> list[str]:
    """Return `name==version` for every requirement that a user of the package can install, development tools left out."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    extras = (extra for name, extra in project["optional-dependencies"].items() if name != "dev")
    requirements = [*project["dependencies"], *(one for extra in extras for one in extra)]
    return [re.sub(r"\[[a-z]+\]", "", requirement).replace(">=", "==") for requirement in requirements]


if __name__ == "__main__":
    print("\n".join(lowest_pins(Path(__file__).resolve().parents[1] / "pyproject.toml")))
