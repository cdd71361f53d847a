"""What a run leaves beside its packs: data set, index, report and manifest, here and in an object store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kycpack.batch.frame_parts import FrameParts
from kycpack.batch.publication import Publication
from kycpack.batch.report import Entry, RunReport, dump
from kycpack.batch.run_manifest import INDEX, REPORT, put_away, write_run_manifest
from kycpack.folders import write_file


class RunResults:
    """The results of one run.

    Args:
        out: The output folder.
        own: The folder of the batch's own files inside it.
        place: Its place in an object store; None where it has none.
    """

    def __init__(self, out: Path, own: Path, place: Publication | None) -> None:
        self._out = out
        self._own = own
        self._place = place
        self._parts = FrameParts(out, own)

    def take_back(self) -> None:
        """Take away what would read as the result of this run while it works, or after it died."""
        if (self._out / REPORT).exists():
            (self._out / REPORT).replace(self._own / "earlier-run.json")
        (self._out / INDEX).unlink(missing_ok=True)
        put_away(self._out)
        self._parts.take_back()
        if self._place is not None:
            self._place.take_back()

    def add(self, entry: Entry) -> None:
        """Take what became of a customer, as it comes."""
        self._parts.add(entry)

    def publish(self, report: RunReport, render_index: Callable[[Mapping[str, Any]], str] | None) -> None:
        """Write everything, the manifest of the run last.

        Args:
            report: The run's report.
            render_index: Makes `index.html` of what `run.json` holds.
        """
        document = report.to_document()
        self._parts.publish(report.entries)
        write_file(self._out / REPORT, dump(document))
        if render_index is not None:
            write_file(self._out / INDEX, render_index(document).encode())
        write_run_manifest(self._out, document)
        if self._place is not None:
            self._place.publish_run(report.entries)
