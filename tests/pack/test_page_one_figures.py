"""Each figure of page one, calculated again from the rows, stands with that value in PDF, HTML and workbook.

The calculation shares no code with the pages: plain sums over the rows of frames and sheets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.pack.test_plain_words import collected

from kycpack.evidence import Evidence
from kycpack.frames.gaps import STANDING_GAPS
from kycpack.pack import write_pack
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import html_text
from kycpack.pack.check.spreadsheet import read_workbook
from kycpack.render.review.gap_duties import MATCHES
from kycpack.render.wording import level_cell

Rows = list[dict[str, Any]]
KNOWN, NATURES = "known", ("known", "regular_unknown", "cash_or_named", "irregular_unknown")
WORDS = (
    "natureknown(?!but)",
    "regular,naturenotestablished",
    "notcountedasknown:(?:cash|contradicted|supportedonlyby|refundswithout)",
    "irregular,naturenotestablished",
)
TENTH = Decimal("0.1")
AFTER = "Who decided what, when"
"""The first words after page one in the page."""


@pytest.fixture(scope="module")
def packs(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The packs of the specimen and of the customers of the demo."""
    folder = tmp_path_factory.mktemp("figures")
    of_demo = [
        write_pack(evidence, folder / "demo", as_of=datetime.now(UTC).isoformat()).path
        for evidence in collected(folder)
    ]
    return [write_pack(specimen, folder / "specimen", as_of="2026-06-30T12:00:00Z").path, *of_demo]


@cache
def frames_of(pack: Path) -> dict[str, Rows]:
    return {path.stem: pq.read_table(path).to_pylist() for path in (pack / "data/frames").glob("*.parquet")}


@cache
def pages_of(pack: Path) -> dict[str, str]:
    """Return page one of the PDF, and what stands before the sections in the page, without spaces."""
    report = pack / "data/report"
    page = html_text((report / "review.html").read_text("utf-8"))
    return {
        "review.pdf": squeezed(read_pdf((report / "review.pdf").read_bytes(), "review.pdf").pages[0]),
        "review.html": squeezed(page.partition(AFTER)[0]),
    }


@cache
def whole_of(pack: Path) -> tuple[str, str]:
    """Return the PDF and the page with all sections, without spaces."""
    report = pack / "data/report"
    page = html_text((report / "review.html").read_text("utf-8"))
    return squeezed(read_pdf((report / "review.pdf").read_bytes(), "review.pdf").text), squeezed(page)


@cache
def sheets_of(pack: Path) -> dict[str, list[list[Any]]]:
    return read_workbook((pack / "data/workbook.xlsx").read_bytes(), "workbook.xlsx")


def squeezed(text: str) -> str:
    """Return a text without spaces, which PDF and HTML break in different places."""
    return "".join(text.split())


def sheet_of(sheets: Mapping[str, list[list[Any]]], name: str) -> Rows:
    head, *rows = sheets.get(name, [[]])
    return [dict(zip(head, row, strict=True)) for row in rows]


def sums(rows: Rows, column: str, **wanted: str) -> dict[str, Decimal]:
    """Return the sums of a column by currency."""
    found: dict[str, Decimal] = {}
    for row in rows:
        if all(row[name] == value for name, value in wanted.items()):
            found[row["currency"]] = found.get(row["currency"], Decimal(0)) + Decimal(str(row[column]))
    return found


def counts(frames: Mapping[str, Rows], page: str) -> dict[str, str]:
    """Return what page one counts, as it is printed; a limit of the service is counted as a gap only where somebody acts on it."""
    limits = {*STANDING_GAPS} - (
        {*MATCHES} if squeezed("who was matched, and on which list and date") in page else set()
    )
    gaps = [row for name in ("gaps", "limits") for row in frames[name] if row["code"] not in limits]
    many = {name: f"{len(rows):,}" for name, rows in frames.items()}
    one = {name: "" if len(frames[name]) == 1 else "s" for name in ("sessions", "accounts", "transactions")}
    return {
        "sessions": f"{many['sessions']} session{one['sessions']}",
        "accounts": f"{many['accounts']} bank account{one['accounts']}",
        "transactions": f"{many['transactions']} transaction{one['transactions']}",
        "gaps": f"What is not known ({len(gaps)} gaps, ",
    }


def test_the_counts_of_page_one_are_those_of_the_rows(packs: list[Path]) -> None:
    for pack in packs:
        frames, pages = frames_of(pack), pages_of(pack)
        said = counts(frames, pages["review.pdf"])
        assert [words for words in said.values() if squeezed(words) not in pages["review.pdf"]] == [], (
            pack.name
        )
        assert squeezed(said["gaps"]) in pages["review.html"]
        labels = {"Sessions": "sessions", "Bank accounts": "accounts", "Transactions": "transactions"}
        for label, name in labels.items():
            assert squeezed(f"{label}{len(frames[name]):,}") in pages["review.html"]
        entries = len(json.loads((pack / "data/evidence/index.json").read_bytes())["entries"])
        assert squeezed(f"{entries} evidence entries") in pages["review.pdf"]
        assert squeezed(f"Evidence entries{entries}") in pages["review.html"]
        sheets = sheets_of(pack)
        for name in ("sessions", "accounts", "transactions", "gaps", "limits", "credits", "flags"):
            assert len(sheet_of(sheets, name)) == len(frames[name])
        flags = len(frames["flags"])
        wanted = squeezed(f"{flags} red flag{'' if flags == 1 else 's'}")
        assert all((wanted in page) == bool(flags) for page in pages.values())


def test_the_sums_and_shares_of_page_one_are_those_of_the_rows_and_of_the_workbook(packs: list[Path]) -> None:
    seen = 0
    for pack in packs:
        frames, pages = frames_of(pack), pages_of(pack)
        sheets = sheets_of(pack)
        counted = [row for row in frames["credits"] if row["nature"]]
        in_sheet = [row for row in sheet_of(sheets, "credits") if row["nature"]]
        totals, known = sums(counted, "most_minor"), sums(counted, "most_minor", nature=KNOWN)
        shares = json.loads((pack / "data" / "figures.json").read_bytes())["credits"]
        doubted = {one["currency"]: Decimal(one["doubted_minor"]) for one in shares}
        assert all(0 <= minor <= known.get(currency, 0) for currency, minor in doubted.items())
        least = sums(counted, "least_minor")
        assert sums(in_sheet, "most") == pytest.approx({one: minor / 100 for one, minor in totals.items()})
        own = sums(frames["credits"], "amount_minor", disposition="own_transfer")
        once = sums(frames["credits"], "amount_minor", disposition="own_transfer", may_be_twice_minor=0)
        for currency, total in totals.items():
            low = f"{least[currency] / 100:,.2f} to " if least[currency] != total else ""
            whole = squeezed(f"of {low}{total / 100:,.2f} {currency}")
            for page in pages.values():
                percent = re.search(rf"([0-9]{{1,3}}[.][0-9])%{re.escape(whole)}", page)
                assert percent, (pack.name, whole)
                sure = known.get(currency, Decimal(0)) - doubted[currency]
                assert abs(Decimal(percent[1]) - 100 * sure / total) < TENTH
                assert (squeezed("not counted as known: nature stated but") in page) == any(doubted.values())
                seen += 1
            moved_low = f"{once[currency] / 100:,.2f} to " if once.get(currency) != own.get(currency) else ""
            moved = squeezed(
                f"Own transfers of {moved_low}{own.get(currency, Decimal(0)) / 100:,.2f} {currency}"
            )
            assert all((moved in whole) == (currency in own) for whole in whole_of(pack))
            for nature, words in zip(NATURES, WORDS, strict=True):
                minor = sums(counted, "most_minor", nature=nature).get(currency, Decimal(0))
                part = 100 * (minor - doubted[currency] if nature == KNOWN else minor) / total
                for page in pages.values():
                    shown = [Decimal(one) for one in re.findall(rf"([0-9]{{1,3}}[.][0-9])%{words}", page)]
                    assert not part or any(abs(one - part) < TENTH for one in shown), (pack.name, nature)
                    assert part or len(totals) > 1 or not shown, (pack.name, nature)
    assert seen >= len(packs)


def test_the_level_and_each_reason_of_page_one_are_those_of_the_rows(packs: list[Path]) -> None:
    levels = {
        "approve": "Approve",
        "review": "Manual review",
        "edd": "Enhanced due diligence",
        "escalate": "Escalate",
        "reject": "Reject",
    }
    for pack in packs:
        frames, pages = frames_of(pack), pages_of(pack)
        (recommended,) = frames["recommendations"]
        for page in pages.values():
            assert squeezed(levels[recommended["level"]]) in page
        sheets = sheets_of(pack)
        (in_sheet,) = sheet_of(sheets, "recommendations")
        assert in_sheet["level"] == recommended["level"]
        for row in frames["findings"]:
            if row["outcome"] == "HIT" and not row["superseded_by"]:
                amounts = re.findall(r"[0-9,]+\.[0-9]{2} [A-Z]{3}", row["sentence"])
                assert all(squeezed(one) in pages["review.html"] for one in amounts), row["sentence"]


def test_each_reason_of_page_one_stands_under_the_level_of_its_finding(packs: list[Path]) -> None:
    checked = 0
    for pack in packs:
        levels: dict[str, set[str]] = {}
        for row in frames_of(pack)["findings"]:
            levels.setdefault(row["rule_id"], set()).add(level_cell(row["level"]).text)
        page = (pack / "data/report/review.html").read_text("utf-8").partition(AFTER)[0]
        why = unescape(re.sub("<[^>]*>", "", page.partition(">Why<")[2].partition(">What is not known")[0]))
        for rule, level in re.findall(r"([A-Z]{3}-(?:[0-9]+|[a-z]+)) · ([A-Z][a-z ]+?)(?= ·|;|:|$)", why):
            assert level in levels[rule]
            checked += 1
    assert checked
