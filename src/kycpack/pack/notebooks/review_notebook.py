"""The notebook that packs are made from: the package's notebook, or a firm's own, named by its path.

Only the cells of a notebook count. Outputs, execution counts and metadata change whenever it is run and saved, so they do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, InputError, PackError
from kycpack.evidence import sha256_hex
from kycpack.models.json import parse_json
from kycpack.pack.limits import read_limited
from kycpack.pack.notebooks.notebook import joined, notebook_bytes

OWN_NOTEBOOK = Path(__file__).with_name("customer_review.ipynb")
"""The notebook of the package. Analysts open a copy of it in JupyterLab, so no pack depends on what they save."""

NOTEBOOK_FILE = "notebook.ipynb"
"""Where a pack keeps the notebook that it was made from, under `data/`; that copy is never run."""

_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_PARAMETERS = "parameters"


@dataclass(frozen=True, slots=True)
class ReviewNotebook:
    """A notebook without outputs or anything else that a run adds.

    Attributes:
        content: Its cells, as the bytes of a notebook file.
        digest: SHA-256 of these bytes.
    """

    content: bytes = field(repr=False)
    digest: str


def read_review_notebook(path: Path | str | None = None) -> ReviewNotebook:
    """Read the notebook that packs are made from.

    Args:
        path: A firm's own notebook; None for the notebook that comes with the package.

    Raises:
        ConfigurationError: The file cannot be read, is not an nbformat 4 notebook, or has no cell with the tag `parameters`.
    """
    file = OWN_NOTEBOOK if path is None else Path(path)
    try:
        return _read(file.read_bytes(), file.name)
    except OSError as error:
        raise ConfigurationError(f"the notebook {file.name} cannot be read: {error.strerror}") from None


def trusted_notebook(data: Path, given: Path | str | None) -> ReviewNotebook:
    """Return the notebook that a pack was made from, without trusting the pack: the package's notebook, or the caller's.

    Args:
        data: The folder `data/` of the pack.
        given: The caller's copy of the firm's own notebook; None without one.

    Raises:
        PackError: The pack was made from neither of the two notebooks.
        ConfigurationError: The notebook cannot be read.
    """
    try:
        made_from = parse_json(read_limited(data / "manifest.json", "data/manifest.json"))["notebook"][
            "digest"
        ]
    except (InputError, KeyError, TypeError):
        raise PackError("data/manifest.json does not name the notebook that the pack was made from") from None
    for path in (None, *(() if given is None else (given,))):
        notebook = read_review_notebook(path)
        if notebook.digest == made_from:
            return notebook
    if given is not None:
        raise PackError(
            f"{Path(given).name} is not the notebook that the pack was made from (SHA-256 {made_from})"
        )
    raise PackError(
        "the pack was not made from the notebook of this version of kycpack. The copy in the pack is not run: get the "
        "notebook from the firm, and give it with --notebook FILE"
    )


@lru_cache(maxsize=8)
def _read(source: bytes, name: str) -> ReviewNotebook:
    try:
        notebook = parse_json(source)
        cells = [_cell(cell, number) for number, cell in enumerate(notebook["cells"])]
        is_known = notebook["nbformat"] == 4
    except (InputError, KeyError, TypeError):
        is_known, cells = False, []
    if not is_known:
        raise ConfigurationError(f"{name} is not an nbformat 4 notebook")
    if not any(_PARAMETERS in cell["metadata"].get("tags", ()) for cell in cells):
        raise ConfigurationError(
            f"{name} has no cell with the tag `{_PARAMETERS}`; a review notebook sets evidence_path, policy_path, "
            "order_path and output_path in that cell"
        )
    document = {"cells": cells, "metadata": {"kernelspec": _KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    content = notebook_bytes(document)
    return ReviewNotebook(content, sha256_hex(content))


def _cell(cell: Mapping[str, Any], number: int) -> dict[str, Any]:
    tags = [str(tag) for tag in cell["metadata"].get("tags", ())]
    kept: dict[str, Any] = {
        "cell_type": str(cell["cell_type"]),
        "id": f"cell-{number:03d}",
        "metadata": {"tags": tags} if tags else {},
        "source": joined(cell["source"]).splitlines(keepends=True),
    }
    if kept["cell_type"] == "code":
        kept |= {"execution_count": None, "outputs": []}
    return kept
