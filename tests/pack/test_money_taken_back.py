"""Money that was, or may have been, taken back: the documents of a pack state the same sums, and the pack's checks accept them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kycpack.evidence import Evidence, sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import verify_pack, write_pack
from kycpack.pack.check.agreement import CHECKS
from kycpack.pack.check.parts import Parts
from kycpack.pack.check.pdf import read_pdf

_LISTS = ("E-11", "E-12", "E-14")  # the pages of transactions of the specimen's two accounts
_MONTHS = range(1, 13)


def _row(day: str, amount: str, text: str) -> dict[str, Any]:
    return {
        "id": f"{day}{text}{amount}",
        "amount": amount.removeprefix("-"),
        "bookingDate": day,
        "creditDebitIndicator": "Debit" if amount.startswith("-") else "Credit",
        "currency": "GBP",
        "description": text,
        "status": "booked",
    }


def _paid(day: int, usual: str, payer: str, other: dict[int, str]) -> Iterator[dict[str, Any]]:
    for month in _MONTHS:
        yield _row(f"2025-{month:02d}-{day:02d}", other.get(month, usual), payer)


ROWS = [
    # 500.00 was taken back for certain.
    *_paid(28, "3000.00", "BRACKENFORD COUNCIL SALARY", {6: "3500.00"}),
    _row("2025-07-03", "-500.00", "BRACKENFORD COUNCIL SALARY OVERPAYMENT RETURNED"),
    # 100.00 may have been taken back.
    *_paid(15, "700.00", "STANWICK DENTAL LTD SALARY", {5: "800.00"}),
    _row("2025-05-23", "-100.00", "STANWICK DENTAL LTD"),
    # All of it was taken back.
    _row("2025-09-08", "9000.00", "FASTER PAYMENT VELD TRADING"),
    _row("2025-09-10", "-9000.00", "RECALL FASTER PAYMENT VELD TRADING"),
]


@pytest.fixture(scope="module")
def pack(specimen: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    bodies, entries = dict(specimen.bodies), []
    for entry in specimen.entries:
        told = entry
        if entry.id in _LISTS:
            items = ROWS if entry.id == _LISTS[0] else []
            body = canonical_json(parse_json(specimen.body(entry.id)) | {"items": items})
            bodies[entry.id] = body
            told = replace(entry, sha256=sha256_hex(body), bytes=len(body))
        entries.append(told)
    evidence = Evidence(specimen.customer_id, tuple(entries), bodies)
    folder = tmp_path_factory.mktemp("taken-back")
    return write_pack(evidence, folder, as_of="2025-12-31T12:00:00Z", case_id="case-1").path


def _text(pack: Path, name: str) -> str:
    return " ".join(read_pdf((pack / f"data/report/{name}").read_bytes(), name).text.split())


def test_the_statement_gives_the_net_or_the_range_of_each_source(pack: Path) -> None:
    said = _text(pack, "statement.pdf")
    assert "36,000.00 GBP; as paid 36,500.00 GBP" in said
    assert "8,400.00 to 8,500.00" in said


def test_the_pack_with_these_sums_has_no_defect(pack: Path) -> None:
    assert verify_pack(pack).problems == ()


@pytest.mark.parametrize(("amount", "is_found"), [("8,400.00", False), ("8,400.01", True)])
def test_an_amount_that_neither_the_statement_nor_the_frames_have_is_a_defect(
    pack: Path, amount: str, *, is_found: bool
) -> None:
    parts = Parts(pack / "data", {})
    parts.__dict__["statement"] = replace(parts.statement, pages=(*parts.statement.pages, amount))
    problems = list(CHECKS["data/report/statement.pdf"](parts))
    assert [one for one in problems if "its own data does not have" in one] == problems
    assert bool(problems) == is_found


def test_each_printed_number_has_an_origin(pack: Path) -> None:
    assert parse_json((pack / "data/figure_map.json").read_bytes())["unmapped"] == []
    assert "9,500.00 GBP that was taken back is left out" in _text(pack, "review.pdf")
    assert "44,400.00 to 44,500.00 GBP" in _text(pack, "review.pdf")
