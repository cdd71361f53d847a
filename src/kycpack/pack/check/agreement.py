"""Whether the parts of a pack agree with each other: evidence, frames, figures, PDF, HTML, notebook and workbook."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack import __version__
from kycpack.evidence import sha256_hex
from kycpack.evidence.record import INDEX_FILE, ROOT_FILE
from kycpack.models.dates import instant_words
from kycpack.models.json import canonical_json, parse_json
from kycpack.models.money import from_minor
from kycpack.pack.check import printed_values, spreadsheet
from kycpack.pack.check.ledger_check import check_ledger
from kycpack.pack.check.parts import NEEDED, PDFS, Parts
from kycpack.pack.check.pdf import PdfContent
from kycpack.pack.figures.figure_cells import numbers
from kycpack.pack.figures.figure_check import MAP, figure_problems
from kycpack.pack.notebooks.review_notebook import NOTEBOOK_FILE
from kycpack.pack.order import NEWER_FILE
from kycpack.pack.redact.disclosure import COMMITMENTS
from kycpack.pack.seal.guide import crate_bytes, readme_bytes
from kycpack.pack.seal.manifest import SCHEMA, bag_info, made_files, manifest_of
from kycpack.pack.seal.write import review_page
from kycpack.pack.signing_extra import signing_module
from kycpack.render.pdf_metadata import xmp_of
from kycpack.render.review.account_names import holders_in_doubt
from kycpack.render.review.pack_limits import is_waiting, level_of_pack
from kycpack.render.review.pdf import review_title
from kycpack.render.review.share_sums import questions_of_pay, shares_of
from kycpack.render.statement_pdf import STATEMENT_TITLE, amount_words
from kycpack.render.wording import level_cell
from kycpack.triage import load_policy
from kycpack.wealth.judge.coverage import SET_ASIDE, nature_of_credits
from kycpack.wealth.judge.unexplained import beside_sources_of

_FOLDERS_OF_MANY = ("evidence", "frames")
_PAGE_NUMBER = re.compile(r"Page\s+(\d+)\s+of\s+(\d+)")
_PACKET_LINES = 3  # an opening mark, the XMP metadata, a closing mark
_ENVIRONMENT = ("code", "libraries", "fonts")


Check = Callable[[Parts], Iterator[str]]


def check_manifest(parts: Parts) -> Iterator[str]:
    """Yield each place where the manifest differs from the evidence, policy, order, figures or files."""
    manifest = parts.manifest
    if manifest.get("schema") != SCHEMA:
        yield f"data/manifest.json does not have the schema {SCHEMA}"
        return
    if canonical_json(manifest) + b"\n" != parts.content("manifest.json"):
        yield "data/manifest.json is not in its canonical form"
    parts.content("policy.yaml")
    expected = manifest_of(
        parts.evidence,
        load_policy(parts.data / "policy.yaml"),
        parts.order,
        sha256_hex(parts.content(NOTEBOOK_FILE)),
        parts.figures,
        manifest["files"],
    )
    for name in sorted(expected.keys() | manifest.keys()):
        made_elsewhere = name in _ENVIRONMENT and name in manifest
        if made_elsewhere:
            continue
        if expected.get(name) != manifest.get(name):
            yield f"data/manifest.json: {name} does not follow from the evidence, policy, order, notebook and figures"
    if bag_info(manifest) != {name: value for name, value in parts.info.items() if name != "Payload-Oxum"}:
        yield "bag-info.txt and data/manifest.json differ in case, customer, date or version"


def check_files(parts: Parts) -> Iterator[str]:
    """Yield the files that differ from the manifest; a PDF may have a signature appended."""
    recorded, there = parts.manifest["files"], made_files(parts.data)
    for name in sorted(recorded.keys() | there.keys()):
        if name not in there or name not in recorded:
            yield f"data/{name} is {'missing' if name in recorded else 'not one of the files in data/manifest.json'}"
        elif name in PDFS:
            base = parts.unsigned(name)
            if (len(base), sha256_hex(base)) != (recorded[name]["bytes"], recorded[name]["sha256"]):
                yield f"data/{name} differs from what data/manifest.json records"
            content = parts.content(name)
            if len(content) > len(base) and not signing_module("signed_pdf").only_signed(content, len(base)):
                yield f"data/{name} was updated after it was made, and the update is more than a signature"
        elif there[name] != recorded[name]:
            yield f"data/{name} differs from what data/manifest.json records"


def check_extras(parts: Parts) -> Iterator[str]:
    """Yield files that do not belong in a pack, and a README or description that kycpack would not have written."""
    named = parts.order.files()
    for path in sorted(parts.data.rglob("*")):
        name = path.relative_to(parts.data).as_posix()
        if (
            path.is_file()
            and name not in {*NEEDED, *named, COMMITMENTS}
            and path.parent.name not in _FOLDERS_OF_MANY
        ):
            yield f"data/{name} does not belong in a pack"
    root = parts.manifest["evidence_root"]
    if parts.content(f"evidence/{ROOT_FILE}") != f"{root}  {INDEX_FILE}\n".encode():
        yield f"data/evidence/{ROOT_FILE} is not the hash of data/evidence/{INDEX_FILE}"
    for name, expected in (("README.txt", readme_bytes), ("ro-crate-metadata.json", crate_bytes)):
        if parts.content(name) != expected(parts.manifest) and _same_code(parts):
            yield f"data/{name} is not what kycpack writes for this pack"


def check_frames(parts: Parts) -> Iterator[str]:
    """Yield each place where the frames do not add up to each other or to the figures."""
    figures = parts.figures
    coverage = parts.frames["coverage"]
    credits_ = parts.frames["credits"]
    # Another version may have another criterion for a known nature; its frame says what it found for each credit.
    found = credits_.drop(columns="nature", errors="ignore") if _same_code(parts) else credits_
    nature = nature_of_credits(found, parts.frames["streams"])
    if not isinstance(figures["credits"], list) or _shares(parts, nature) != sorted(
        map(canonical_json, figures["credits"])
    ):
        yield "data/frames/credits.parquet, streams.parquet and coverage.parquet do not add up to data/figures.json"
    if not _same_sums(credits_, coverage):
        yield "data/frames/credits.parquet does not add up to data/frames/coverage.parquet"
    recommended = parts.frames["recommendations"]
    if [(row.level, row.top_reason) for row in recommended.itertuples()] != [
        (figures["level"], figures["top_reason"])
    ]:
        yield "data/frames/recommendations.parquet and data/figures.json recommend different levels"
    words = figures.get("level_words")  # which figures of earlier versions do not have
    waits = is_waiting(*(parts.frames[name] for name in ("limits", "gaps", "findings", "consistency")))
    expected, plain = level_of_pack(figures["level"], waits=waits), level_cell(figures["level"])
    # Earlier versions say otherwise what stands against approval, but say it in the same packs.
    earlier = words is None or (words != plain.text) == (expected != plain)
    if words != expected.text if _same_code(parts) else not earlier:
        yield "data/frames/limits.parquet and data/figures.json differ in what stands against approval"
    owners = {
        str(owner)
        for frame in parts.frames.values()
        if "customer_id" in frame.columns
        for owner in frame["customer_id"].dropna().unique()
    }
    if owners - {parts.manifest["customer_id"]}:
        yield "data/frames holds rows of another customer"
    if parts.order.newer and parts.order.newer["customer_id"] != parts.manifest["customer_id"]:
        yield f"data/{NEWER_FILE} is about another customer"
    if parts.evidence.customer_id != figures["customer_id"]:
        yield "data/evidence and data/figures.json are about different customers"


def _shares(parts: Parts, nature: pd.DataFrame) -> list[bytes]:
    """Return what the figures say of the shares of each currency, from the frames; sorted, since no frame names the base currency, which comes first."""
    coverage, findings = parts.frames["coverage"], parts.frames["findings"]
    if not _same_code(parts) and all("doubted_minor" not in one for one in parts.figures["credits"]):
        earlier = (one.figures() for one in shares_of(nature, coverage))  # known natures in doubt included
        return sorted(
            canonical_json({name: figure for name, figure in one.items() if name != "doubted_minor"})
            for one in earlier
        )
    shares = shares_of(
        nature,
        coverage,
        parts.frames["credits"],
        streams=parts.frames["streams"],
        holders_in_doubt=holders_in_doubt(parts.frames["consistency"], findings),
        questioned=questions_of_pay(findings),
    )
    return sorted(canonical_json(one.figures()) for one in shares)


def check_review_pdf(parts: Parts) -> Iterator[str]:
    """Yield each place where the review's PDF carries or shows something other than the figures."""
    name = f"data/{PDFS[0]}"
    review = parts.review
    if review.attachments.keys() != {"figures.json"}:
        yield f"{name} should have figures.json attached, and nothing else"
    elif review.attachments["figures.json"] != canonical_json(parts.figures):
        yield f"{name} carries figures that differ from data/figures.json"
    for label in printed_values.facts_not_shown(review.text, parts.facts, cut=True):
        yield f"{name} does not show the {label} of the pack"
    yield from _metadata_problems(parts, review, name, review_title(parts.manifest["customer_id"]))
    if not _pages_are_whole(review):
        yield f"{name} lacks a page, or has a page that does not belong to it"
    if printed_values.amounts(review.text) != printed_values.amounts(parts.page):
        yield f"{name} and data/report/review.html show different amounts or percentages"


def check_statement_pdf(parts: Parts) -> Iterator[str]:
    """Yield each place where the statement is not the customer's, or states sums that the frames do not have."""
    name = f"data/{PDFS[1]}"
    statement = parts.statement
    expected = {
        "customer id": parts.manifest["customer_id"],
        "as-of date": instant_words(parts.order.instant),
    }
    for label in printed_values.facts_not_shown(statement.text, expected):
        yield f"{name} does not show the {label} of the pack"
    yield from _metadata_problems(parts, statement, name, STATEMENT_TITLE)
    if parts.frames["credits"].empty:
        if statement.attachments or printed_values.amounts(statement.text):
            yield f"{name} states amounts although no credit was seen"
        return
    if statement.attachments.keys() != {"statement.json"}:
        yield f"{name} should have statement.json attached, and nothing else"
        return
    stated = parse_json(statement.attachments["statement.json"])
    sources = [one for one in (stated.get("primarySource"), *stated.get("additionalSources", [])) if one]
    if Counter((one["frequency"], Decimal(one["totalValue"])) for one in sources) != _sources(parts.frames):
        yield f"{name} states sources whose sums differ from the frames"
    if not printed_values.amounts(statement.text) <= _amounts_of(stated) | _sure_totals(parts.frames):
        yield f"{name} shows an amount that its own data does not have"


def check_page(parts: Parts) -> Iterator[str]:
    """Yield each place where the HTML page or the notebook differs from the figures, or from the other."""
    for name, text in (
        ("review.html", parts.page),
        ("review.ipynb", printed_values.notebook_text(parts.notebook)),
    ):
        for label in printed_values.facts_not_shown(text, parts.facts):
            yield f"data/report/{name} does not show the {label} of the pack"
    if _cells(parts.notebook) != _cells(
        printed_values.notebook_of(parts.content(NOTEBOOK_FILE), f"data/{NOTEBOOK_FILE}")
    ):
        yield f"data/report/review.ipynb and data/{NOTEBOOK_FILE} have different cells"
    shown = printed_values.squeezed(parts.page)
    if not all(
        printed_values.squeezed(text) in shown for text in printed_values.output_texts(parts.notebook)
    ):
        yield "data/report/review.html does not show what data/report/review.ipynb shows"
    if _same_code(parts) and review_page(parts.manifest, parts.notebook) != parts.content(
        "report/review.html"
    ):
        yield "data/report/review.html is not the page that kycpack makes from data/report/review.ipynb"


def check_workbook(parts: Parts) -> Iterator[str]:
    """Yield each place where the workbook differs from the frames or the figures."""
    name = "data/workbook.xlsx"
    sheets = spreadsheet.read_workbook(parts.content("workbook.xlsx"), name)
    for frame in spreadsheet.frames_not_shown(sheets, parts.frames):
        yield f"{name}, sheet {frame} differs from data/frames/{frame}.parquet"
    cover = spreadsheet.cover_facts(sheets)
    wanted = {
        "Customer id": "customer id",
        "Case": "case",
        "As of": "as-of date",
        "Recommended level": "recommended level",
        "Why": "headline",
        "Policy": "policy",
        "Evidence root": "evidence root",
        "Decision": "decision",
    }
    said = {
        **parts.facts,
        "recommended level": parts.figures.get("level_words", parts.facts["recommended level"]),
    }
    for label, fact in wanted.items():
        if cover.get(label) != said[fact]:
            yield f"{name} does not show the {fact} of the pack"


def check_figure_map(parts: Parts) -> Iterator[str]:
    """Yield the printed numbers that do not follow from the frames, and the cells that are not in the evidence."""
    index = parse_json(parts.content("evidence/index.json"))
    files = {one["id"]: f"evidence/{one['file']}" for one in index["entries"] if one["file"]}
    if parts.figure_map["files"] != files:
        yield f"data/{MAP} and data/evidence/index.json name different files"
    shown = {text for figure in parts.figure_map["figures"] for text in numbers(figure["printed"])}
    shown |= {text for one in parts.figure_map["not_figures"] for text in one["printed"]}
    shown |= {text for one in parts.figure_map["unmapped"] for text in one["numbers"]}
    for name, text in ((PDFS[0], parts.review.text), (PDFS[1], parts.statement.text)):
        lost = sorted((printed_values.amounts(text) & set(numbers(text))) - shown)
        if lost:
            yield f"data/{name} shows {', '.join(lost)}, which data/{MAP} does not have"
    yield from (f"data/{MAP}: {problem}" for problem in figure_problems(parts.figure_map, parts.data))


CHECKS: Mapping[str, Check] = {
    "data/manifest.json": check_manifest,
    "the files that data/manifest.json records": check_files,
    "the other files": check_extras,
    "data/ledger-excerpt.json": check_ledger,
    "data/frames": check_frames,
    "data/report/review.pdf": check_review_pdf,
    "data/report/statement.pdf": check_statement_pdf,
    "data/report/review.html": check_page,
    "data/workbook.xlsx": check_workbook,
    f"data/{MAP}": check_figure_map,
}
"""The checks, by the part of the pack that each is about."""


def _same_code(parts: Parts) -> bool:
    """Return whether this version of kycpack made the pack; another version may use other words."""
    return bool(parts.manifest["code"]["version"] == __version__)


def _metadata_problems(parts: Parts, document: PdfContent, name: str, title: str) -> Iterator[str]:
    # Another version may describe its documents differently; replay with that version compares every byte.
    packet = document.metadata.splitlines()
    expected = xmp_of(title, parts.order.instant).encode()
    if _same_code(parts) and (len(packet) != _PACKET_LINES or packet[1] != expected):
        yield f"{name} has the metadata of another document"


def _pages_are_whole(document: PdfContent) -> bool:
    """Return whether the pages are numbered from the first to the last without a gap."""
    said = _PAGE_NUMBER.findall(document.text)
    count = len(document.pages)
    return said == [(str(number), str(count)) for number in range(1, count + 1)]


def _cells(notebook: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the type and source of each cell, except the cell in which papermill puts the parameters."""
    return [
        (cell["cell_type"], "".join(cell["source"]))
        for cell in notebook["cells"]
        if "injected-parameters" not in cell["metadata"].get("tags", ())
    ]


def _same_sums(credits_: pd.DataFrame, coverage: pd.DataFrame) -> bool:
    key = ["currency", "disposition"]
    counted = credits_.groupby(key)["amount_minor"].agg(["size", "sum"])
    stated = coverage[(coverage["count"] > 0) & ~coverage["disposition"].isin(SET_ASIDE)].set_index(key)
    return counted["size"].to_dict() == stated["count"].to_dict() and (
        counted["sum"].to_dict() == stated["total_minor"].to_dict()
    )


def _sources(frames: Mapping[str, pd.DataFrame]) -> Counter[tuple[int, Decimal]]:
    """Return how often each pair of payment count and total occurs among the streams and the named single credits."""
    streams, credits_ = frames["streams"], frames["credits"]
    single = credits_[credits_["disposition"] == "one_off"]
    found = [
        (int(count), from_minor(int(total), str(currency)))
        for count, total, currency in zip(
            streams["count"], streams["total_minor"], streams["currency"], strict=True
        )
    ]
    found += [
        (1, from_minor(int(minor), str(currency)))
        for minor, currency in zip(single["amount_minor"], single["currency"], strict=True)
    ]
    return Counter(found)


def _sure_totals(frames: Mapping[str, pd.DataFrame]) -> set[str]:
    """Return the least and the greatest total of each source and of what is in none, as printed; the statement's data has no members for them."""
    # Packs of earlier versions may lack the frame or the columns.
    sources = frames.get("own_sources", pd.DataFrame())
    names = [name for name in ("least_total_minor", "most_total_minor") if name in sources.columns]
    totals = [
        (one, str(code))
        for name in names
        for one, code in zip(sources[name], sources["currency"], strict=True)
    ]
    if "least_minor" in frames["credits"]:
        totals += [
            (one, code) for (code, _), ends in beside_sources_of(frames["credits"]).items() for one in ends
        ]
    return {amount_words(from_minor(int(minor), currency), currency) for minor, currency in totals}


def _amounts_of(stated: Any) -> set[str]:
    """Return every amount in a statement's data, written as the document prints it."""
    if isinstance(stated, dict | list):
        return set().union(*map(_amounts_of, stated.values() if isinstance(stated, dict) else stated))
    if isinstance(stated, Decimal):
        return {f"{stated:,}", f"{stated:,.2f}"}
    return printed_values.amounts(stated) if isinstance(stated, str) else set()
