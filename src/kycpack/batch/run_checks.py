"""The checks of a run's folder against the manifest of the run: files, totals, packs, and that nothing was added."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kycpack import __version__
from kycpack.batch.customer_names import CustomerNames
from kycpack.batch.frame_checks import frame_problems
from kycpack.batch.frame_parts import FRAMES
from kycpack.batch.lock import FOLDER
from kycpack.batch.population import population_problems
from kycpack.batch.report import OUTCOMES
from kycpack.batch.run_figures import MAP, MOST_BYTES, run_figure_problems
from kycpack.batch.run_manifest import (
    INDEX,
    INDEX_PAGES,
    REPORT,
    RUN_MANIFEST,
    RUN_SIGNATURE,
    SUMMARY,
    customers_of,
    results_in,
    roots_of,
    run_facts,
)
from kycpack.batch.run_results import summary_files
from kycpack.errors import InputError, PackError
from kycpack.evidence.store import file_digest
from kycpack.folders import folder_name, is_pack_of
from kycpack.models.json import parse_json
from kycpack.pack.bag import SIGNATURE, TAG_MANIFEST
from kycpack.pack.decide.decisions_page import packs_linked, packs_with_decisions
from kycpack.pack.earlier_packs import POINTER, pack_root, packs_of
from kycpack.pack.limits import read_limited
from kycpack.pack.seal.write import QUARANTINE, known_share
from kycpack.render import render_index_pages
from kycpack.render.decisions_page import DECISIONS
from kycpack.render.web_fonts import without_letters

_SAME = 1e-9


class RunChecks:
    """The checks that read the folder of a run.

    Args:
        folder: The run's output.
        manifest: The content of the manifest of the run.
        report: The content of `run.json`; None if it cannot be read.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], report: Mapping[str, Any] | None) -> None:
        self._folder = folder
        self._manifest = manifest
        self._report = report
        self.decided = 0
        self._customers: list[dict[str, Any]] = list(manifest["customers"])
        self._listed = {str(one["pack"]): one for one in self._customers if one["pack"]}
        self._shares = {
            str(one["customer_id"]): one["explained_share"] for one in (report or {}).get("entries", ())
        }
        self._others: dict[str, dict[str, str]] = dict(manifest["other_packs"])

    def problems(self) -> Iterator[str]:
        """Yield every problem; `decided` counts the packs that were made after the run for a decision."""
        yield from self._files()
        yield from self._sums()
        if self._report is not None:
            yield from self._agreement(self._report)
        yield from self._packs()
        yield from self._kept_evidence()
        yield from self._anything_else()

    def _files(self) -> Iterator[str]:
        recorded: Mapping[str, str] = self._manifest["files"]
        for name in sorted({REPORT, *recorded, *results_in(self._folder)}):
            path = self._folder / name
            if not path.is_file() or path.is_symlink():
                yield f"{name} is missing"
            elif name not in recorded:
                yield f"{name} is not part of the run"
            elif recorded[name] != file_digest(path):
                yield f"{name} differs from the manifest of the run"
        if any(name.startswith(f"{FRAMES}/") for name in recorded):
            yield from frame_problems(self._folder, self._listed)

    def _sums(self) -> Iterator[str]:
        counted = Counter(str(one["outcome"]) for one in self._customers)
        stated = {name: self._manifest[name] for name in OUTCOMES}
        if self._manifest["in_scope"] != len(self._customers) or stated != {
            name: counted[name] for name in OUTCOMES
        }:
            yield f"{RUN_MANIFEST} has counts of outcomes that differ from its customers"
        yield from population_problems(self._manifest)
        for what in ("customer_id", "pack", "manifest"):
            seen = Counter(str(one[what]) for one in self._customers if one[what])
            yield from (
                f"{RUN_MANIFEST} has the same {what.replace('_', ' ')} {count} times: {value}"
                for value, count in seen.items()
                if count > 1
            )

    def _agreement(self, report: Mapping[str, Any]) -> Iterator[str]:
        facts = run_facts(report)
        yield from (
            f"{REPORT} and the manifest of the run disagree on: {name.replace('_', ' ')}"
            for name in facts
            if facts[name] != self._manifest[name]
        )
        if report.get("population") != self._manifest.get("population"):
            yield f"{REPORT} and the manifest of the run compare the customers with different lists"
        reported = {one["customer_id"]: one for one in customers_of(report)}
        named = {one["customer_id"]: one for one in self._customers}
        for customer_id in sorted(reported.keys() | named.keys()):
            if customer_id not in named:
                yield f"{REPORT} has customer {customer_id}, who was never in scope of this run"
            elif customer_id not in reported:
                yield f"{REPORT} leaves out customer {customer_id}, who was in scope of this run"
            elif any(value != named[customer_id].get(name) for name, value in reported[customer_id].items()):
                yield f"{REPORT} and the manifest of the run differ on customer {customer_id}"
        # Another version may lay the page out differently, but the page's hash is in the manifest.
        if (self._folder / INDEX).is_file() and report["code_version"] == __version__:
            yield from self._index(report)

    def _index(self, report: Mapping[str, Any]) -> Iterator[str]:
        names = CustomerNames(self._folder, report) if report.get("names") else None
        for name, page in render_index_pages(report, names):
            path = self._folder / name
            if path.is_file() and _without_letters(read_limited(path, name)) != without_letters(page):
                yield f"{name} shows something other than {REPORT}"
        for name, content in summary_files(report).items():
            path = self._folder / name
            if not path.is_file():
                yield f"{name} is missing"
            elif read_limited(path, name, most=MOST_BYTES) != content:
                yield f"{name} shows something other than {REPORT}"
        if (self._folder / MAP).is_file():
            yield from run_figure_problems(self._folder, report)

    def _packs(self) -> Iterator[str]:
        policies: set[str] = set()
        for name, one in self._listed.items():
            customer_id = str(one["customer_id"])
            if not is_pack_of(name, folder_name(customer_id)):
                yield f"{name} is not the name of a folder of customer {customer_id}"
                continue
            pack = self._folder / name
            if not pack.is_dir() or pack.is_symlink():
                yield f"the pack of customer {customer_id} is missing: {name}"
                continue
            if problem := self._swapped(pack, one):
                yield problem
                continue
            document = _pack_manifest(pack)
            if document["customer_id"] != customer_id:
                yield f"{name} is the pack of customer {document['customer_id']}, not of {customer_id}"
            yield from self._other_figures(pack, one)
            if one["outcome"] == "produced":
                policies.add(str(document["policy"]["digest"]))
                if document["as_of"] != self._manifest["as_of"]:
                    yield f"{name} is as of {document['as_of']}, unlike the run that is said to have made it"
        if len(policies) > 1:
            yield f"the packs that the run made use {len(policies)} policies; a run has one"

    def _other_figures(self, pack: Path, one: Mapping[str, Any]) -> Iterator[str]:
        """Yield each difference between what the run says about a customer and the figures of the pack."""
        customer_id = str(one["customer_id"])
        figures = parse_json(read_limited(pack / "data" / "figures.json", f"{pack.name}/data/figures.json"))
        if (one["level"], one["top_reason"]) != (figures["level"], figures["headline"]):
            yield f"{pack.name} does not have the recommendation that the run states for customer {customer_id}"
        stated, share = self._shares.get(customer_id), known_share(figures)
        same = stated is share is None or (
            stated is not None and share is not None and abs(float(stated) - share) < _SAME
        )
        if self._report is not None and not same:
            yield f"{REPORT} and the pack of customer {customer_id} state different shares of known nature"

    def _swapped(self, pack: Path, recorded: Mapping[str, Any]) -> str:
        """Return how a pack differs from the one that the run made; empty if it does not."""
        try:
            found = roots_of(pack)
        except PackError as error:
            return f"{pack.name}: {error}"
        is_same = found["manifest"] == recorded["manifest"]
        if found["root"] == recorded["root"] or (is_same and (pack / SIGNATURE).is_file()):
            return ""
        if is_same:
            return f"{pack.name} was changed after the run, or its signature was removed"
        return f"{pack.name} {self._replaced_by(pack, found['manifest'], recorded.get('customer_id'))}"

    def _replaced_by(self, pack: Path, found: str, customer_id: str | None) -> str:
        for name, other in (*self._others.items(), *self._listed.items()):
            if other["manifest"] == found:
                return f"was replaced by another pack of the run's folder: {name}"
        document = _pack_manifest(pack)
        if customer_id is not None and document["customer_id"] != customer_id:
            return f"was replaced by a pack of customer {document['customer_id']}"
        if str(document["as_of"]) < str(self._manifest["as_of"]):
            return f"was replaced by an older pack, as of {document['as_of']}"
        return "is not the pack that the run made: it was changed, or comes from another run"

    def _kept_evidence(self) -> Iterator[str]:
        for one in self._customers:
            root = one.get("checked_root") if one["pack"] else one["evidence_root"]
            if not one["evidence"] or not root:
                continue
            place = self._folder / str(one["evidence"])
            index = place / "index.json"
            if ".." in Path(str(one["evidence"])).parts or not str(one["evidence"]).startswith(f"{FOLDER}/"):
                yield f"{RUN_MANIFEST} names evidence outside the run: {one['evidence']}"
            elif not index.is_file():
                yield f"the evidence of customer {one['customer_id']} is missing: {one['evidence']}"
            elif file_digest(index) != root:
                yield f"the evidence of customer {one['customer_id']} does not match the run: {one['evidence']}"

    def _anything_else(self) -> Iterator[str]:
        own = {
            *(REPORT, INDEX, INDEX_PAGES, SUMMARY, RUN_MANIFEST, RUN_SIGNATURE, FOLDER, FRAMES, QUARANTINE),
            DECISIONS,
        }
        for path in sorted(self._folder.iterdir()):
            if path.name in self._others:
                if problem := self._swapped(path, self._others[path.name]):
                    yield problem
            elif path.name not in own and path.name not in self._listed:
                yield from self._unlisted(path)
        yield from (
            f"an earlier pack is missing: {name}"
            for name in self._others
            if not (self._folder / name).is_dir()
        )
        yield from self._in_a_row()
        # A decision is made after the run, so the page that links it is not in the manifest of the run.
        page = self._folder / DECISIONS
        if page.is_file():
            linked = packs_linked(read_limited(page, DECISIONS).decode(errors="replace"))
            if linked != {one["pack"] for one in packs_with_decisions(self._folder)}:
                yield f"{DECISIONS} does not link the packs with decisions that are in the run's folder"

    def _in_a_row(self) -> Iterator[str]:
        """Yield what is missing among the packs of customers who have several, and which of them is a copy of another."""
        numbers: dict[str, set[int]] = defaultdict(set)
        for path in self._folder.iterdir():
            base, plus, number = path.name.rpartition("+")
            if plus and number.isdecimal() and path.is_dir():
                numbers[base].add(int(number))
        for base, held in sorted(numbers.items()):
            if not (self._folder / f"{base}{POINTER}").exists():
                yield f"{base}{POINTER} is missing, which names the latest pack of that customer"
            # A number in a name may be of any size, so the row is followed only as far as its first gap.
            row = itertools.chain([base], (f"{base}+{number}" for number in range(2, max(held) + 1)))
            missing = next((name for name in row if not (self._folder / name).exists()), None)
            if missing is not None:
                yield f"packs of a customer are numbered in a row, and {missing} is missing"
            seen: dict[str, str] = {}
            for name in (base, *(f"{base}+{number}" for number in sorted(held))):
                if (self._folder / name / TAG_MANIFEST).is_file():
                    other = seen.setdefault(pack_root(self._folder / name), name)
                    if other != name:
                        yield f"{name} is a copy of {other}"

    def _unlisted(self, path: Path) -> Iterator[str]:
        bases = {folder_name(str(one["customer_id"])): str(one["customer_id"]) for one in self._customers}
        base, _, tail = path.name.partition("+")
        if path.is_symlink():
            yield f"{path.name} is a link and should not be there"
        elif tail == "latest" and path.is_file():
            yield from self._pointer(path, base, bases)
        elif not path.is_dir():
            yield f"{path.name} is not part of the run"
        elif base not in bases:
            yield f"{path.name} is a folder of a customer who was never in scope of this run"
        elif self._is_decided(path, bases[base]):
            self.decided += 1
        else:
            yield f"{path.name} was not made by this run, nor for a decision on one of its packs"

    def _pointer(self, path: Path, base: str, bases: Mapping[str, str]) -> Iterator[str]:
        packs = packs_of(self._folder, bases[base]) if base in bases else []
        named = path.read_text("utf-8").strip()
        if base not in bases and not any(name.partition("+")[0] == base for name in self._others):
            yield f"{path.name} names a pack of a customer who was never in scope of this run"
        elif packs and named != packs[-1].name:
            yield f"{path.name} names {named}, which is not the latest pack of that customer"

    def _is_decided(self, path: Path, customer_id: str) -> bool:
        try:
            document = _pack_manifest(path)
        except (PackError, InputError):
            return False
        about = (document["evidence_root"], document["policy"]["digest"])
        return (
            document["customer_id"] == customer_id
            and document["decision"] is not None
            and any(
                about == (other["evidence_root"], other["policy"]["digest"])
                for name in (*self._listed, *self._others)
                if is_pack_of(name, folder_name(customer_id)) and (self._folder / name).is_dir()
                for other in (_pack_manifest(self._folder / name),)
            )
        )


def _without_letters(page: bytes) -> str:
    return without_letters(page.decode(errors="surrogateescape"))


def _pack_manifest(pack: Path) -> dict[str, Any]:
    document: dict[str, Any] = parse_json(
        read_limited(pack / "data" / "manifest.json", f"{pack.name}/data/manifest.json")
    )
    return document
