"""What the documents of a pack show to a reader, to compare with its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

from kycpack.errors import InputError, PackError
from kycpack.models.dates import instant_words
from kycpack.models.instants import read_as_of
from kycpack.models.json import parse_json
from kycpack.models.money import format_minor
from kycpack.render.text_runs import visible
from kycpack.render.wording import level_cell

_UNSEEN = {"style", "script", "title", "head", "template"}
_AMOUNT = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*\.\d{2,3}(?![\w.,]?\d)|(?<![\w.,])\d+\.\d%")
_KEPT = re.compile(r"[^A-Za-z0-9%]+")
_SURE_OF_HEADLINE = 90
_DEEPEST_NOTEBOOK = 64


def html_text(page: str) -> str:
    """Return the text that a browser shows of a page."""
    reader = _Text()
    reader.feed(page)
    reader.close()
    return " ".join(reader.found)


def notebook_of(content: bytes, name: str) -> dict[str, Any]:
    """Read a notebook.

    Raises:
        PackError: It is not a notebook.
    """
    try:
        document = parse_json(content, max_depth=_DEEPEST_NOTEBOOK)
    except InputError as error:
        raise PackError(f"{name} is not a notebook that can be read: {error}") from None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or not all(
        isinstance(cell, dict)
        and isinstance(cell.get("cell_type"), str)
        and isinstance(cell.get("outputs", []), list)
        for cell in cells
    ):
        raise PackError(f"{name} is not a notebook that can be read")
    # The page is rendered from plain numbers, not from `Decimal`.
    plain: dict[str, Any] = json.loads(content)
    return plain


def output_texts(notebook: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of each output of a notebook."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {}) if isinstance(output, dict) else {}
            source = data.get("text/html", data.get("text/plain", ""))
            text = source if isinstance(source, str) else "".join(map(str, source))
            yield html_text(text) if "text/html" in data else text


def notebook_text(notebook: Mapping[str, Any]) -> str:
    """Return the text of all outputs of a notebook."""
    return " ".join(output_texts(notebook))


def facts(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the facts that every form of a review must show, by label.

    Args:
        manifest: The content of `manifest.json`.
        figures: The content of `figures.json`.

    Raises:
        KeyError: One of them lacks a member.
    """
    case = manifest["case"]
    shown = {
        "customer id": figures["customer_id"],
        "case": case["id"],
        "as-of date": instant_words(read_as_of(manifest["as_of"])),
        "policy": f"{manifest['policy']['id']} {manifest['policy']['version']}",
        "evidence root": manifest["evidence_root"],
        "recommended level": level_cell(figures["level"]).text,
        "headline": figures["headline"],
    }
    if case["prepared_by"]:
        shown["person who prepared it"] = case["prepared_by"]
    if case["reviewed_by"]:
        shown["person who reviewed it"] = case["reviewed_by"]
    for share in figures["credits"]:
        shown[f"total credits in {share['currency']}"] = format_minor(share["total_minor"], share["currency"])
        shown[f"share of known nature in {share['currency']}"] = share["known_share"]
    return {label: visible(str(value)) for label, value in shown.items()}


def facts_not_shown(text: str, expected: Mapping[str, str], *, cut: bool = False) -> Iterator[str]:
    """Yield the labels of facts that a text does not show.

    Args:
        text: A document's text; its line breaks do not matter.
        expected: Facts by label.
        cut: Whether the document may show only the beginning of a long fact.
    """
    shown = squeezed(text)
    for label, fact in expected.items():
        wanted = fact[:_SURE_OF_HEADLINE] if cut and label == "headline" else fact
        # Right-to-left text is extracted from a PDF in a different order, so its ASCII words are searched for one by one.
        parts = [wanted] if wanted.isascii() else re.findall(r"[ -~]+", wanted)
        if not all(squeezed(part) in shown for part in parts):
            yield label


def amounts(text: str) -> set[str]:
    """Return the amounts and percentages that a text shows."""
    return set(_AMOUNT.findall(text))


def squeezed(text: str) -> str:
    """Return only the letters and digits of a text, so that differences of layout do not matter."""
    return _KEPT.sub("", text).lower()


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._unseen: list[str] = []
        self._goes_on = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._goes_on = tag == "wbr"  # a place where a word may be broken, which does not end it
        if tag in _UNSEEN:
            self._unseen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and self._unseen[-1] == tag:
            self._unseen.pop()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            if self._goes_on and self.found:
                self.found[-1] += data
            else:
                self.found.append(data)
        self._goes_on = False
