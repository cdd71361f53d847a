"""The parts of a pack, read as untrusted input: each once, within limits, and only when a check needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kycpack.errors import PackError
from kycpack.evidence import Evidence, load_evidence, sha256_hex
from kycpack.pack.check import printed_values
from kycpack.pack.check.pdf import PdfContent, read_pdf
from kycpack.pack.figures.figure_check import MAP
from kycpack.pack.limits import MOST_BYTES, read_document, read_limited
from kycpack.pack.notebooks.review_notebook import NOTEBOOK_FILE
from kycpack.pack.order import EARLIER_FILE, EXCERPT_FILE, NEWER_FILE, Order, read_order
from kycpack.render.review.decision import NO_DECISION
from kycpack.render.text_runs import visible

PDFS = ("report/review.pdf", "report/statement.pdf")
NEEDED = (
    "README.txt",
    "manifest.json",
    "figures.json",
    MAP,
    "order.json",
    "policy.yaml",
    NOTEBOOK_FILE,
    "ro-crate-metadata.json",
    "evidence/index.json",
    *(f"frames/{name}.parquet" for name in ("coverage", "credits", "gaps", "recommendations", "streams")),
    *PDFS,
    "report/review.html",
    "report/review.ipynb",
    "workbook.xlsx",
)
ATTACHED = (EXCERPT_FILE, EARLIER_FILE, NEWER_FILE)
"""Files that a pack has if its order names them."""

_MOST_ROWS = 5_000_000


@dataclass(frozen=True)
class Parts:
    """The parts of a pack, each read once and only when it is needed.

    Attributes:
        data: The folder `data/` of the pack.
        info: The fields of its `bag-info.txt`.
        anchors: Heads of the ledger that were kept outside the pack.
        ledger_keys: Fingerprints, one of which must be that of the key that the ledger was started with.
    """

    data: Path
    info: Mapping[str, str]
    anchors: Sequence[Mapping[str, Any]] = ()
    ledger_keys: Sequence[str] = ()

    def content(self, name: str) -> bytes:
        """Return the bytes of a file under `data/`.

        Raises:
            PackError: It is missing or too large.
        """
        return read_limited(self.data / name, f"data/{name}")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The content of `manifest.json`."""
        return read_document(self.data, "manifest.json")

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The content of `figures.json`."""
        return read_document(self.data, "figures.json")

    @cached_property
    def figure_map(self) -> dict[str, Any]:
        """The content of `figure_map.json`."""
        return read_document(self.data, MAP)

    @cached_property
    def order(self) -> Order:
        """What the pack was ordered with."""
        for name in ("order.json", *(name for name in ATTACHED if (self.data / name).exists())):
            self.content(name)
        return read_order(self.data / "order.json")

    @cached_property
    def evidence(self) -> Evidence:
        """The evidence, checked against its own index only."""
        index = self.content("evidence/index.json")
        return load_evidence(self.data / "evidence", root=sha256_hex(index))

    @cached_property
    def review(self) -> PdfContent:
        """The review's PDF as it was before it was signed."""
        return read_pdf(self.unsigned(PDFS[0]), f"data/{PDFS[0]}")

    @cached_property
    def statement(self) -> PdfContent:
        """The statement's PDF as it was before it was signed."""
        return read_pdf(self.unsigned(PDFS[1]), f"data/{PDFS[1]}")

    def unsigned(self, name: str) -> bytes:
        """Return a PDF without the signature that is appended to it."""
        return self.content(name)[: int(self.manifest["files"][name]["bytes"])]

    @cached_property
    def notebook(self) -> dict[str, Any]:
        """The notebook."""
        return printed_values.notebook_of(self.content("report/review.ipynb"), "data/report/review.ipynb")

    @cached_property
    def page(self) -> str:
        """The text that the HTML page shows."""
        return printed_values.html_text(self.content("report/review.html").decode("utf-8", "replace"))

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Every frame by its name."""
        return {
            path.stem: read_frame(self.content(f"frames/{path.name}"), f"data/frames/{path.name}")
            for path in sorted((self.data / "frames").glob("*.parquet"))
        }

    @cached_property
    def facts(self) -> dict[str, str]:
        """The facts that every form of the review must show, by label."""
        decision = self.manifest["decision"]
        words = NO_DECISION if decision is None else visible(str(decision["sentence"]))
        return {**printed_values.facts(self.manifest, self.figures), "decision": words}


def read_frame(content: bytes, name: str) -> pd.DataFrame:
    """Return a frame of a pack.

    Args:
        content: The Parquet file.
        name: What errors call it.

    Raises:
        PackError: It cannot be read, expands to more than is allowed, or carries metadata.
    """
    try:
        about = pq.ParquetFile(BytesIO(content)).metadata
        size = sum(about.row_group(place).total_byte_size for place in range(about.num_row_groups))
        if about.num_rows > _MOST_ROWS or size > MOST_BYTES:
            raise PackError(f"{name} expands to more than a pack may hold and was not opened")
        if about.metadata:
            raise PackError(f"{name} carries metadata, which kycpack does not write")
        return pd.read_parquet(BytesIO(content))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise PackError(f"{name} cannot be read") from error
