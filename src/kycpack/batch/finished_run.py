"""A finished run as data: the outcome of every customer, and the frames of all packs together."""

from __future__ import annotations

import builtins
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.batch.frame_parts import FRAMES, TRIAGE, WEALTH
from kycpack.batch.hidden_input import ask_hidden
from kycpack.batch.portfolio_plots import plot_ages, plot_explained, plot_levels, plot_reasons
from kycpack.batch.remote_run import RemoteRun
from kycpack.batch.report import OUTCOMES, SCHEMA, RunEntry, to_entry
from kycpack.batch.run_changes import run_changes
from kycpack.batch.run_frames import RunFrames
from kycpack.errors import InputError
from kycpack.folders import write_file
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.plain_table import plain_table
from kycpack.models.arguments import require
from kycpack.models.cards import card
from kycpack.models.dates import day_words
from kycpack.models.instants import read_as_of
from kycpack.render.plots import Plot
from kycpack.render.workbook import render_workbook
from kycpack.storage.object_folder import is_url
from kycpack.triage.customers.duplicates import PastDecision, SamePersonPairs, find_duplicates
from kycpack.triage.judge.findings import standing

LEVELS = ("reject", "escalate", "edd", "review", "approve")
_PROMPT = "Part of the name (neither shown nor kept): "
_TYPED = "the name that you typed stays in this notebook and in its history; run.find() without a name asks for it and keeps nothing"
_COMPARED = ("outcome", "level", "top_reason", "explained_share")
_EXCEL = ("findings", "streams", "flags", "documents", "gaps")


@dataclass(frozen=True, repr=False)
class CustomerPack:
    """One customer of a run.

    Attributes:
        entry: The outcome of the customer.
        folder: The pack's folder; None without a pack.
        frames: The frames of that pack by name.
    """

    entry: RunEntry
    folder: Path | None
    frames: RunFrames

    @property
    def findings(self) -> pd.DataFrame:
        """The findings against approval: hits and unknown results, most severe first."""
        found = standing(self.frames["findings"])
        found = found[found["outcome"].isin(["HIT", "UNKNOWN"])]
        rank = found["level"].map({level: place for place, level in enumerate(LEVELS)})
        columns = [
            name
            for name in ("level", "outcome", "sentence", "owner", "action", "evidence_ids")
            if name in found
        ]
        return found.assign(rank=rank).sort_values("rank", kind="stable")[columns].reset_index(drop=True)

    @property
    def review_pdf(self) -> Path | None:
        """Path of the review as PDF; None without a pack."""
        return None if self.folder is None else self.folder / "data" / "report" / "review.pdf"

    def __repr__(self) -> str:
        return (
            f"CustomerPack({self.entry.customer_id}: {self.entry.outcome}, {self.entry.level or 'no level'})"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("outcome", self.entry.outcome),
            ("recommended", self.entry.level or "no level"),
            ("first reason", self.entry.top_reason or self.entry.note),
            ("pack", self.entry.pack or "none"),
        ]
        following = (".findings", ".frames", ".review_pdf", ".folder") if self.entry.pack else ()
        return card(f"Customer {self.entry.customer_id} of a run", ("", ""), rows, following=following)


class FinishedRun:
    """A finished run in its output folder.

    Args:
        path: The output folder of a batch or demo.
        document: The content of its `run.json`.
        remote: Where the other files are copied from when needed; None if all of them are in the folder.
    """

    def __init__(self, path: Path, document: Mapping[str, Any], remote: RemoteRun | None = None) -> None:
        self.path = path
        self._remote = remote
        self.run_id = str(document["run_id"])
        self.as_of = read_as_of(str(document["as_of"]))
        self.state = str(document["state"])
        self.entries = {entry.customer_id: entry for entry in map(to_entry, document["entries"])}
        self._packs = {name: path / entry.pack for name, entry in self.entries.items() if entry.pack}
        data_set = path / FRAMES
        self.frames = RunFrames(SCHEMAS, self._packs, data_set, remote)
        self.wealth = RunFrames(WEALTH, self._packs, data_set, remote)
        self.triage = RunFrames(TRIAGE, self._packs, data_set, remote)

    @cached_property
    def overview(self) -> pd.DataFrame:
        """One row per customer in scope, most severe first: outcome, level, first reason, explained share (0..1), pack."""
        columns = [
            "customer_id",
            "outcome",
            "level",
            "top_reason",
            "explained_share",
            "pack",
            "note",
            "seconds",
        ]
        rows = [[getattr(entry, column) for column in columns] for entry in self.entries.values()]
        frame = pd.DataFrame(rows, columns=columns)
        rank = frame["level"].map({level: place for place, level in enumerate(LEVELS)}).fillna(-1)
        return (
            frame.assign(rank=rank)
            .sort_values(["rank", "customer_id"], kind="stable", ignore_index=True)
            .drop(columns="rank")
        )

    def customer(self, customer_id: str) -> CustomerPack:
        """Return one customer of the run.

        Args:
            customer_id: The customer's id.

        Raises:
            InputError: The customer is not in this run.
        """
        entry = self.entries.get(customer_id)
        if entry is None:
            raise InputError(
                f"customer {customer_id} is not among the {len(self.entries)} of this run",
                place="customer_id",
            )
        folder = self._packs.get(customer_id)
        self.fetch(customer_id)
        packs = {} if folder is None else {customer_id: folder}
        return CustomerPack(entry, folder, RunFrames((*SCHEMAS, *WEALTH, *TRIAGE), packs))

    def fetch(self, customer_id: str) -> None:
        """Copy a customer's packs from the object store if they are not here yet; `frames` and `customer` do this themselves.

        Args:
            customer_id: The customer's id.
        """
        folder = self._packs.get(customer_id)
        if folder is not None and self._remote is not None:
            self._remote.fetch(folder.name.partition("+")[0])

    def find(self, name: str | None = None) -> pd.DataFrame:
        """Return the customers whose first and last name contain a text, in upper or lower case.

        Args:
            name: Part of a name. A name typed into a notebook stays there and in its history, and a warning says so;
                without an argument, a prompt asks for the name, which is neither shown nor kept.

        Returns:
            customer_id, first_name, last_name, level, top_reason, pack.

        Raises:
            InputError: The name is empty, or there is nobody to ask for it.
        """
        if name is not None and hasattr(builtins, "get_ipython"):
            warnings.warn(_TYPED, stacklevel=2)
        wanted = (_typed_name() if name is None else name).casefold().split()
        if not wanted:
            raise InputError("give at least part of a name", place="name")
        people = self.frames.read("customers", ("customer_id", "first_name", "last_name"))
        names = people["first_name"].fillna("") + " " + people["last_name"].fillna("")
        folded = names.astype(str).str.casefold()
        hit = pd.Series(data=True, index=people.index)
        for word in wanted:
            hit &= folded.str.contains(word, regex=False)
        found = people.loc[hit, ["customer_id", "first_name", "last_name"]].astype({"customer_id": "object"})
        return found.merge(
            self.overview[["customer_id", "level", "top_reason", "pack"]], on="customer_id"
        ).reset_index(drop=True)

    def compare(self, earlier: FinishedRun | Path | str) -> pd.DataFrame:
        """Return the customers whose outcome, level, first reason or explained share differ from an earlier run.

        Args:
            earlier: The run to compare with, opened or by its place.

        Returns:
            customer_id, change (new, gone, changed), and each compared column as `..._before` and `..._now`.
        """
        columns = ["customer_id", *_COMPARED]
        both = (
            _as_run(earlier)
            .overview[columns]
            .merge(
                self.overview[columns],
                on="customer_id",
                how="outer",
                suffixes=("_before", "_now"),
                indicator=True,
            )
        )
        differs = pd.Series(data=False, index=both.index)
        for column in _COMPARED:
            before, now = both[f"{column}_before"], both[f"{column}_now"]
            differs |= (before != now) & ~(before.isna() & now.isna())
        change = both["_merge"].astype(str).map({"left_only": "gone", "right_only": "new", "both": "changed"})
        both.insert(1, "change", change)
        return both[differs].drop(columns="_merge").reset_index(drop=True)

    def changes(self, earlier: FinishedRun | Path | str) -> pd.DataFrame:
        """Return what changed for each customer since an earlier run, and which decisions are no longer supported.

        Args:
            earlier: The run to compare with, opened or by its place.

        Returns:
            One row per change: customer_id, kind, subject, before, now, worse, pack_before, pack_now; see `run_changes`.
        """
        return run_changes(self, _as_run(earlier))

    def duplicates(self, decisions: Mapping[str, PastDecision] | None = None) -> SamePersonPairs:
        """Return the pairs of customers of this run who appear to be the same person.

        Args:
            decisions: Earlier decisions on customers, by customer id, as returned by `Cases.past_decisions`.
        """
        names = ("customers", "documents", "accounts")
        frames = {
            **{name: self.frames[name] for name in names},
            "recommendations": self.triage["recommendations"],
        }
        return find_duplicates(frames, decisions)

    def plot_levels(self) -> Plot:
        """Plot how many customers have each recommended level."""
        return plot_levels(self.overview, LEVELS)

    def plot_reasons(self) -> Plot:
        """Plot the number of customers for whom each rule was hit."""
        return plot_reasons(self.triage["findings"])

    def plot_ages(self) -> Plot:
        """Plot the customers by their age on the day of the run."""
        return plot_ages(self.frames["customers"], self.as_of.date())

    def plot_explained(self) -> Plot:
        """Plot the customers by the share of their credits whose nature is known."""
        return plot_explained(self.overview)

    def to_excel(self, path: Path | str) -> Path:
        """Write the run as a workbook: overview, findings, streams, flags, documents and gaps of all customers.

        Args:
            path: The file to write; only its owner can read it, since it holds personal data.

        Returns:
            The path.
        """
        target = Path(path)
        frames = {**self.frames, **self.wealth, **self.triage}
        shown = {"overview": self.overview, **{name: frames[name] for name in _EXCEL}}
        tables = ((name, plain_table(frame)) for name, frame in shown.items())
        about = (
            ("Run", self.run_id),
            ("As of", day_words(self.as_of.date())),
            ("Customers", str(len(self.entries))),
        )
        write_file(target, render_workbook(tables, as_of=self.as_of, about=about, title="Review run"))
        return target

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        counts = self.overview["level"].value_counts()
        levels = ", ".join(f"{level} {counts[level]}" for level in LEVELS if level in counts)
        return (
            f"FinishedRun({len(self)} customers as of {day_words(self.as_of.date())}: {levels or 'no packs'})"
        )

    def _repr_html_(self) -> str:
        outcomes = self.overview["outcome"].value_counts()
        levels = self.overview["level"].value_counts()
        rows = [
            *((level, levels[level], "recommended") for level in LEVELS if level in levels),
            *((outcome, outcomes[outcome], "of the run") for outcome in OUTCOMES if outcome in outcomes),
        ]
        return card(
            f"Review run of {len(self)} customers, as of {day_words(self.as_of.date())}",
            ("", "customers", ""),
            [(name, int(count), kind) for name, count, kind in rows],
            following=(
                ".overview",
                ".triage.findings",
                ".customer(id)",
                ".find()",
                ".plot_levels()",
                ".compare(earlier)",
                ".to_excel(path)",
            ),
        )


def open_run(path: Path | str) -> FinishedRun:
    """Open a finished run as data.

    Args:
        path: The output folder of `kycpack batch` or `kycpack demo`, or the URL of its place in an object store.

    Returns:
        The run. Frames are read when first used, from its folder `frames` or else from the packs. Parts of a run in an object
        store are copied when first used, to a folder that is removed with the run.

    Raises:
        InputError: `run.json` is missing or cannot be read.
        ObjectStoreError: The object store refused or did not answer.
    """
    require("path", path, (str, Path), "a path or the URL of a place in an object store")
    place = str(path)
    remote = RemoteRun(place) if is_url(place) else None
    folder = Path(path) if remote is None else remote.folder
    source = folder / "run.json"
    if remote is not None:
        remote.fetch("run.json")
    if not source.is_file():
        where = "" if remote is not None or folder.is_absolute() else f"; {place} starts at {Path.cwd()}"
        raise InputError(
            f"{place} does not have a run.json: give the output folder of a finished batch or demo{where}",
            place="path",
        )
    try:
        document = json.loads(source.read_bytes())
        if document["schema"] != SCHEMA:
            raise InputError(
                f"{place}/run.json has the schema {document['schema']!r}; this version reads {SCHEMA}",
                place="path",
            )
        return FinishedRun(folder, document, remote)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{place}/run.json cannot be read as the report of a run ({type(error).__name__})", place="path"
        ) from None


def _typed_name() -> str:
    typed = ask_hidden(_PROMPT)
    if typed is None:
        raise InputError(
            "there is no terminal or notebook in which to ask for it; give a part of the name, as in run.find('smith')",
            place="name",
        )
    return typed


def _as_run(run: FinishedRun | Path | str) -> FinishedRun:
    return run if isinstance(run, FinishedRun) else open_run(run)
