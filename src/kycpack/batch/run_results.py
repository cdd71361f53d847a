"""The results of a run besides its packs: data set, index, report and manifest, here and in an object store."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kycpack.batch.customer_names import CustomerNames
from kycpack.batch.frame_parts import FrameParts
from kycpack.batch.publication import Publication
from kycpack.batch.report import SCHEMA, RunEntry, RunReport, to_entry
from kycpack.batch.run_figures import MAP, run_figure_map
from kycpack.batch.run_manifest import INDEX, INDEX_PAGES, REPORT, SUMMARY, put_away, write_run_manifest
from kycpack.batch.run_summary import run_summary
from kycpack.errors import BatchError, ConfigurationError
from kycpack.folders import write_file
from kycpack.models.json import canonical_json
from kycpack.pack.decide.decisions_page import write_decisions_page
from kycpack.render import render_memo_pdf
from kycpack.render.decisions_page import DECISIONS
from kycpack.storage.paged import Paged
from kycpack.storage.stored_report import read_stored_report

RenderIndex = Callable[[Mapping[str, Any], Mapping[str, str] | None], Iterable[tuple[str, str]]]
"""Makes the pages of an index from the content of `run.json`, with the names of customers if these are to be shown."""

_EARLIER = "earlier-run.json"


class RunResults:
    """The results of one run.

    Args:
        out: The output folder.
        own: The folder of the batch's own files inside it.
        place: Its place in an object store; None without one.
    """

    def __init__(self, out: Path, own: Path, place: Publication | None) -> None:
        self._out = out
        self._own = own
        self._place = place
        self._parts = FrameParts(out, own)

    def take_back(self, run_id: str) -> None:
        """Remove what would look like the result of this run, during the run or after it died.

        Args:
            run_id: The run; its own report from before it was continued does not count as an earlier run.
        """
        earlier = _read(self._out / REPORT)
        if earlier is not None and earlier["run_id"] != run_id:
            (self._out / REPORT).replace(self._own / _EARLIER)
        self._remove()
        put_away(self._out)
        self._parts.take_back()
        if self._place is not None:
            self._place.take_back()

    def earlier(self) -> dict[str, Any] | None:
        """Return the content of `run.json` of the previous run; None if there is none that this version can read."""
        return _read(self._own / _EARLIER)

    def add(self, entry: RunEntry) -> None:
        """Add the entry of a customer when it is ready."""
        if self._place is not None and entry.pack:
            self._place.fetch_pack(entry.pack)
        self._parts.add(entry)

    def publish(self, report: RunReport, render_index: RenderIndex | None) -> RunReport:
        """Write all results, the manifest of the run last.

        Args:
            report: The run's report.
            render_index: Makes the index from the content of `run.json`; None for no index and no summary.

        Returns:
            The report, with entries that are read from its file.

        Raises:
            BatchError: They cannot be written, for example because the disk is full; none of them is left then.
            ConfigurationError: There is no space for temporary files; none of them is left then.
        """
        try:
            report = self._write(report, render_index)
        except ConfigurationError:  # no space for temporary files
            self._remove()
            raise
        except OSError as error:
            self._remove()
            raise BatchError(
                f"the results of the run cannot be written to {self._out} ({error.strerror}); after this is mended, the same "
                "command writes them and repeats no finished customer"
            ) from None
        if self._place is not None:
            self._place.publish_run(report.entries)
        return report

    def _write(self, report: RunReport, render_index: RenderIndex | None) -> RunReport:
        self._parts.publish(report.entries)
        write_file(self._out / REPORT, report.dump())
        document = read_stored_report(self._out / REPORT)
        if render_index is not None:
            write_index(self._out, document, render_index)
        write_run_manifest(self._out, document)
        stored: Sequence[Mapping[str, Any]] = document["entries"]
        entries = Paged(len(stored), lambda first, end: [*map(to_entry, stored[first:end])])
        return replace(report, entries=entries)

    def _remove(self) -> None:
        for name in (REPORT, INDEX, SUMMARY, DECISIONS):
            (self._out / name).unlink(missing_ok=True)
        shutil.rmtree(self._out / INDEX_PAGES, ignore_errors=True)


def write_index(out: Path, report: Mapping[str, Any], render_index: RenderIndex) -> None:
    """Write the pages of a run's index, its summary, the figure map of both, and the page that links packs with decisions.

    Args:
        out: The run's output, with its frames.
        report: The content of `run.json`.
        render_index: Makes the pages.
    """
    shown = CustomerNames(out, report) if report.get("names") else None
    (out / INDEX_PAGES).mkdir(mode=0o700, exist_ok=True)
    for name, page in render_index(report, shown):
        write_file(out / name, page.encode())
    for name, content in summary_files(report).items():
        write_file(out / name, content)
    write_decisions_page(out)


def summary_files(report: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the summary of a run and the figure map of index and summary, by file name in the run's output."""
    return {SUMMARY: render_memo_pdf(run_summary(report)), MAP: canonical_json(run_figure_map(report))}


def _read(path: Path) -> dict[str, Any] | None:
    """Return the report of a run; None if it is missing or this version cannot read it."""
    try:
        document = read_stored_report(path)
        is_ours = document["schema"] == SCHEMA and all(map(to_entry, document["entries"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return document if is_ours else None
