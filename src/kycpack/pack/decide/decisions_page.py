"""Keeps the page that links the packs with decisions in step with the packs in a run's output."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from kycpack.folders import folder_name, named_in, write_file
from kycpack.models.json import parse_json
from kycpack.pack.bag import TAG_MANIFEST
from kycpack.pack.earlier_packs import packs_among
from kycpack.render.decisions_page import DECISIONS, render_decisions_html

_BESIDE = re.compile(r".*\+.*")
_LATER = re.compile(r".+\+[0-9]+")
_LINKS = re.compile(r'<a href="([^"]+)/data/report/statement\.pdf">')


def write_decisions_page(out: Path) -> None:
    """Write the page for the packs with decisions that are in a run's output now.

    Args:
        out: The run's output.
    """
    write_file(out / DECISIONS, render_decisions_html([*packs_with_decisions(out)]).encode())


def packs_with_decisions(out: Path) -> Iterator[dict[str, Any]]:
    """Yield the packs with decisions that were made beside the packs decided on, sorted by name.

    Args:
        out: The run's output.

    Yields:
        What `render_decisions_html` needs of each; a folder whose manifest cannot be read is left out.
    """
    # The output may have many thousands of folders, so it is listed once and not again for each decision.
    beside: dict[str, list[Path]] = defaultdict(list)
    found_beside = named_in(out, _BESIDE)
    for place in found_beside:
        beside[place.name.rpartition("+")[0]].append(place)
    for place in found_beside:
        manifest = _manifest(place) if _LATER.fullmatch(place.name) else None
        if manifest is None or manifest["decision"] is None:
            continue
        decision, customer_id = manifest["decision"], str(manifest["customer_id"])
        before = None
        name = folder_name(customer_id)
        for earlier in packs_among(out / name, beside.get(name, ())):
            if earlier == place:
                break
            found = _manifest(earlier)
            if found is not None and found["evidence_root"] == decision["evidence_root"]:
                before = earlier.name
        yield {
            "customer_id": customer_id,
            "pack": place.name,
            "decided_on": before,
            "sentence": ". ".join(str(decision[name]) for name in ("sentence", "standing") if decision[name]),
        }


def _manifest(pack: Path) -> dict[str, Any] | None:
    """Return the manifest of a pack; None if it is not a pack, or its manifest cannot be read."""
    try:
        manifest = parse_json((pack / "data" / "manifest.json").read_bytes())
        needed = {name: manifest[name] for name in ("customer_id", "evidence_root", "decision")}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return needed if (pack / TAG_MANIFEST).is_file() else None


def packs_linked(page: str) -> set[str]:
    """Return the folders of the packs with decisions that a page links.

    Args:
        page: The page's HTML.
    """
    return {unquote(link) for link in _LINKS.findall(page)}
