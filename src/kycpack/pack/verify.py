"""Checking a pack: nothing altered, nothing missing, nothing added, and the same figures everywhere."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import EvidenceError, InputError, KycpackError, PackError
from kycpack.evidence import Evidence, load_evidence, sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack.bag import check_bag
from kycpack.pack.manifest import SCHEMA
from kycpack.pack.order import read_order
from kycpack.render.review.shares import shares_of
from kycpack.wealth.judge.coverage import SET_ASIDE

# The line end before `endstream` stays in: compressed data may itself end with its bytes, and zlib knows where it ends.
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_NEEDED = (
    "manifest.json",
    "figures.json",
    "order.json",
    "policy.yaml",
    "evidence/index.json",
    "frames/coverage.parquet",
    "frames/credits.parquet",
    "frames/gaps.parquet",
    "frames/recommendations.parquet",
    "report/review.pdf",
    "report/statement.pdf",
    "report/review.html",
    "report/review.ipynb",
    "workbook.xlsx",
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking a pack found.

    Attributes:
        ok: Whether there is no problem.
        problems: Each names the file it is about.
        checked: How many files were hashed.
    """

    ok: bool
    problems: tuple[str, ...]
    checked: int


def verify_pack(path: Path | str) -> Verification:
    """Check a pack.

    Args:
        path: The pack's folder.

    Returns:
        Every problem that was found; a pack that is altered in any way has at least one.

    Raises:
        PackError: There is no folder at that place.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise PackError(f"{folder} is no folder")
    problems, checked = check_bag(folder)
    data = folder / "data"
    missing = [name for name in _NEEDED if not (data / name).is_file()]
    problems += [f"data/{name} is missing" for name in missing]
    if not missing:
        problems += _contents(data)
    unique = tuple(dict.fromkeys(problems))
    return Verification(not unique, unique, checked)


def _contents(data: Path) -> Iterator[str]:
    try:
        manifest = _read(data / "manifest.json")
        figures = _read(data / "figures.json")
        order = read_order(data / "order.json")
    except KycpackError as error:
        yield f"data: {error}"
        return
    if manifest.get("schema") != SCHEMA:
        yield f"data/manifest.json has another schema than {SCHEMA}"
        return
    yield from _evidence_problems(data, manifest)
    if sha256_hex((data / "policy.yaml").read_bytes()) != manifest["policy"]["digest"]:
        yield "data/policy.yaml is not the policy that the manifest names"
    if (order.as_of, order.case_id) != (manifest["as_of"], manifest["case"]["id"]):
        yield "data/order.json and data/manifest.json differ in case or date"
    if any(
        manifest["recommendation"][name] != figures[name] for name in ("level", "top_reason", "rules_fired")
    ):
        yield "data/manifest.json and data/figures.json recommend different things"
    try:
        yield from _figure_problems(data, figures)
    except PackError as error:
        yield str(error)


def _evidence_problems(data: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    try:
        index = (data / "evidence" / "index.json").read_bytes()
        evidence: Evidence = load_evidence(data / "evidence", root=sha256_hex(index))
    except EvidenceError as error:
        yield f"data/evidence: {error}"
        return
    if evidence.root != manifest["evidence_root"]:
        yield "data/evidence has another evidence root than the manifest names"
    if evidence.customer_id != manifest["customer_id"]:
        yield "data/evidence is of another customer than the manifest names"


def _figure_problems(data: Path, figures: Mapping[str, Any]) -> Iterator[str]:
    """Tell where frames, PDF and figures do not agree."""
    coverage = _frame(data, "coverage")
    if [share.figures() for share in shares_of(coverage)] != figures["credits"]:
        yield "data/frames/coverage.parquet does not add up to data/figures.json"
    if not _same_sums(_frame(data, "credits"), coverage):
        yield "data/frames/credits.parquet does not add up to data/frames/coverage.parquet"
    recommended = _frame(data, "recommendations")
    if [(row.level, row.top_reason) for row in recommended.itertuples()] != [
        (figures["level"], figures["top_reason"])
    ]:
        yield "data/frames/recommendations.parquet does not recommend what data/figures.json does"
    if canonical_json(figures) not in set(_attachments((data / "report" / "review.pdf").read_bytes())):
        yield "data/report/review.pdf carries other figures than data/figures.json"


def _same_sums(credits_: pd.DataFrame, coverage: pd.DataFrame) -> bool:
    key = ["currency", "disposition"]
    counted = credits_.groupby(key)["amount_minor"].agg(["size", "sum"])
    stated = coverage[(coverage["count"] > 0) & ~coverage["disposition"].isin(SET_ASIDE)].set_index(key)
    return counted["size"].to_dict() == stated["count"].to_dict() and (
        counted["sum"].to_dict() == stated["total_minor"].to_dict()
    )


def _frame(data: Path, name: str) -> pd.DataFrame:
    try:
        return pd.read_parquet(BytesIO((data / "frames" / f"{name}.parquet").read_bytes()))
    except (OSError, ValueError) as error:  # what pyarrow raises over damaged bytes
        raise PackError(f"data/frames/{name}.parquet cannot be read") from error


def _attachments(pdf: bytes) -> Iterator[bytes]:
    """Yield what the compressed streams of a PDF hold; attached files are among them."""
    for match in _STREAM.finditer(pdf):
        try:
            yield zlib.decompressobj().decompress(match.group(1))
        except zlib.error:
            continue


def _read(path: Path) -> dict[str, Any]:
    document = parse_json(path.read_bytes())
    if not isinstance(document, dict):
        raise InputError("is not an object", place=path.name)
    return document
