"""Files that come with the package: policies, lexicons, lists, notebooks.

In a checkout they are in the top-level folders `data/` and `notebooks/`; a wheel has the same folders inside
the package. Nothing here depends on the working directory or the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

# libyaml if PyYAML was built with it, which reads ten times as fast; both read plain values only.
YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_assets" if (_PACKAGE / "_assets").is_dir() else _PACKAGE.parents[1]


def asset_path(name: str) -> Path:
    """Return the path of a file below `data/`.

    Args:
        name: Path below `data/` with forward slashes, as in `policies/default-uk.yaml`.

    Raises:
        FileNotFoundError: The file does not exist.
    """
    return _existing("data", name)


def asset_text(name: str) -> str:
    """Return the text of a file below `data/`, read as UTF-8."""
    return asset_path(name).read_text(encoding="utf-8")


def asset_yaml(name: str) -> Any:
    """Return the parsed content of a YAML file below `data/`."""
    return yaml.load(asset_text(name), Loader=YAML_LOADER)  # noqa: S506 - a safe loader


def asset_names(folder: str) -> tuple[str, ...]:
    """Return the names of the YAML files of a folder below `data/`, sorted, as `asset_text` takes them."""
    return tuple(sorted(f"{folder}/{path.name}" for path in (_ROOT / "data" / folder).glob("*.yaml")))


def notebook_path(name: str) -> Path:
    """Return the path of a notebook that comes with the package, as in `customer_review.ipynb`."""
    return _existing("notebooks", name)


def notebook_paths() -> tuple[Path, ...]:
    """Return the paths of all notebooks that come with the package."""
    return tuple(sorted((_ROOT / "notebooks").glob("*.ipynb")))


def _existing(folder: str, name: str) -> Path:
    path = _ROOT / folder / name
    if not path.is_file():
        raise FileNotFoundError(f"kycpack comes without {folder}/{name}")
    return path
