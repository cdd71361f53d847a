"""Notebooks in a comparable form: the same run gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
_KEPT_METADATA = ("kernelspec",)


def normalised(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """Return an executed notebook without anything that differs from run to run.

    Args:
        notebook: An nbformat 4 notebook as papermill leaves it.

    Returns:
        The notebook without metadata of the execution and without object addresses, with cell ids derived from the
        cells, execution counts from one, and the outputs of each stream joined.
    """
    cells = []
    count = 0
    for position, cell in enumerate(notebook["cells"]):
        source = joined(cell["source"])
        tags = cell["metadata"].get("tags", [])
        kept: dict[str, Any] = {
            "cell_type": cell["cell_type"],
            "id": hashlib.sha256(f"{position}:{source}".encode()).hexdigest()[:8],
            "metadata": {"tags": tags} if tags else {},
            "source": source.splitlines(keepends=True),
        }
        if cell["cell_type"] == "code":
            count += 1
            kept["execution_count"] = count
            kept["outputs"] = [_output(output, count) for output in cell["outputs"]]
        cells.append(kept)
    metadata = {name: value for name, value in notebook["metadata"].items() if name in _KEPT_METADATA}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def notebook_bytes(notebook: Mapping[str, Any]) -> bytes:
    """Return a notebook as sorted JSON."""
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _output(output: Mapping[str, Any], count: int) -> dict[str, Any]:
    kept: dict[str, Any] = {"output_type": output["output_type"]}
    if output["output_type"] == "stream":
        return {**kept, "name": output["name"], "text": _without_addresses(output["text"])}
    kept["data"] = {kind: _without_addresses(value) for kind, value in output["data"].items()}
    kept["metadata"] = dict(output.get("metadata", {}))
    if output["output_type"] == "execute_result":
        kept["execution_count"] = count
    return kept


def _without_addresses(value: Any) -> Any:
    if isinstance(value, str | list):
        return _ADDRESS.sub("", joined(value)).splitlines(keepends=True)
    return value


def joined(source: Any) -> str:
    """Return a text of a notebook as one string; notebooks may store it line by line."""
    return source if isinstance(source, str) else "".join(source)
