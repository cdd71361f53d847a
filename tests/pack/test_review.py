"""Writing a review into a folder that somebody names in the notebook."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, EvidenceMaker

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import PackError
from kycpack.frames.plain_table import plain_table
from kycpack.pack.compute.review import Review
from kycpack.render.document_parts import Table


@pytest.fixture(scope="module")
def review() -> Review:
    return kp.build_review(asset_path("samples/evidence/index.json").parent, as_of="2026-06-30")


def test_the_folder_of_a_review_is_made_with_its_parents(review: Review, tmp_path: Path) -> None:
    target = tmp_path / "reviews" / "tonight"
    written = review.write(target)
    assert (target / "report" / "review.pdf").is_file()
    assert all((target / name).is_file() for name in written.files)
    assert target.stat().st_mode & 0o077 == 0


def test_a_review_is_not_written_over_another(review: Review, tmp_path: Path) -> None:
    review.write(tmp_path / "a")
    before = (tmp_path / "a" / "figures.json").stat().st_mtime_ns
    with pytest.raises(PackError, match="already holds a review; give another folder"):
        review.write(tmp_path / "a")
    assert (tmp_path / "a" / "figures.json").stat().st_mtime_ns == before


def test_a_file_in_the_place_of_the_folder_is_named_in_a_sentence(review: Review, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(PackError, match="cannot be made"):
        review.write(tmp_path / "a" / "b")
    with pytest.raises(PackError, match="cannot be made"):
        review.write(tmp_path / "a")


@pytest.mark.parametrize("number", ["****4471", None])
def test_the_statement_says_in_whose_name_an_account_is_held_and_not_what_a_comparison_found(
    number: str | None,
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    account = {"id": "A-0", "currency": "GBP", "accountHolderName": "Cid Lovelace", "accountNumber": number}
    made.answer("bank_accounts.list", {"items": [account]})
    pay = {
        "id": "T-1", "bookingDate": "2026-05-28", "creditDebitIndicator": "Credit", "amount": "2512.34", "currency": "GBP",
        "description": "SALARY WYRE ANALYTICS LTD",
    }  # fmt: skip
    made.answer("bank_accounts.transactions", {"items": [pay]}, account_id="A-0")
    made.known()
    review = kp.build_review(made.make(), as_of="2026-06-30")
    (said,) = [line.text for line in review.contents.whose_money]
    words = said.partition(" (E-")[0].removeprefix("A1 ")
    assert words.startswith("is held in the name “Cid Lovelace”, which is ")
    pages = PdfReader(BytesIO(review.statement_pdf())).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert f"{number or 'A-0'} is held in the name “Cid Lovelace”." in text
    assert "which is not that" not in text
    assert "which is neither" not in text
    tables = {name: plain_table(frame) for name, frame in review.tables.items()}
    assert review.figure_map(tables)["unmapped"] == []


@pytest.mark.parametrize(
    ("holder", "is_theirs"),
    [("Ada Byron", True), ("Mr A Byron & Mr C Lovelace", True), ("Cid Lovelace", False)],
)
def test_pay_into_an_account_in_another_name_is_no_main_source_of_the_customer(
    holder: str, *, is_theirs: bool
) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    account = {"id": "A-0", "currency": "GBP", "accountHolderName": holder, "accountNumber": "****4471"}
    made.answer("bank_accounts.list", {"items": [account]})
    pay = [
        {
            "id": f"T-{month}", "bookingDate": f"2026-{month:02d}-28", "creditDebitIndicator": "Credit", "amount": "2512.34",
            "currency": "GBP", "description": "SALARY TESCO STORES PLC",
        }
        for month in range(1, 6)
    ]  # fmt: skip
    made.answer("bank_accounts.transactions", {"items": pay}, account_id="A-0")
    made.known()
    review = kp.build_review(made.make(), as_of="2026-06-30")
    assert (review.statement.primary_source is not None) == is_theirs
    pages = PdfReader(BytesIO(review.statement_pdf())).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    said = f"paid into an account in the name “{holder}”"
    assert (said in text) != is_theirs
    assert ("Observed, but not established from the data: employment 12,561.70 GBP." in text) != is_theirs
    tables = {name: plain_table(frame) for name, frame in review.tables.items()}
    assert review.figure_map(tables)["unmapped"] == []


def test_the_balance_of_an_account_is_the_same_in_review_and_statement() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    made.answer("bank_accounts.list", {"items": [{"id": "A-0", "currency": "GBP"}]})
    for current, day in (("512.34", 29), ("401.77", 11)):
        balance = {"current": current, "currency": "GBP", "asOf": f"2026-06-{day}T08:00:00Z"}
        made.answer("bank_accounts.balance", balance, account_id="A-0")
    pay = {
        "id": "T-1", "bookingDate": "2026-05-28", "creditDebitIndicator": "Credit", "amount": "2512.34", "currency": "GBP",
        "description": "SALARY WYRE ANALYTICS LTD",
    }  # fmt: skip
    made.answer("bank_accounts.transactions", {"items": [pay]}, account_id="A-0")
    made.known()
    review = kp.build_review(made.make(), as_of="2026-06-30")
    (stated,) = review.statement.accounts
    assert str(stated.current_balance) == "512.34"
    listed, *_ = [one for one in review.contents.section("accounts").blocks if isinstance(one, Table)]
    assert listed.rows[0][4].text == "512.34 GBP"
    tables = {name: plain_table(frame) for name, frame in review.tables.items()}
    assert review.figure_map(tables)["unmapped"] == []


def test_each_balance_of_the_statement_leads_to_its_own_account() -> None:
    """The statement lists accounts in the order of the bank's answer, which is not that of their ids."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    ids = {"B-1": "512.34", "A-0": "7401.77"}
    made.answer("bank_accounts.list", {"items": [{"id": id_, "currency": "GBP"} for id_ in ids]})
    pay = {
        "id": "T-1", "bookingDate": "2026-05-28", "creditDebitIndicator": "Credit", "amount": "2512.34", "currency": "GBP",
        "description": "SALARY WYRE ANALYTICS LTD",
    }  # fmt: skip
    for id_, current in ids.items():
        balance = {"current": current, "currency": "GBP", "asOf": "2026-06-29T08:00:00Z"}
        made.answer("bank_accounts.balance", balance, account_id=id_)
        made.answer("bank_accounts.transactions", {"items": [pay]}, account_id=id_)
    made.known()
    review = kp.build_review(made.make(), as_of="2026-06-30")
    assert [str(one.current_balance) for one in review.statement.accounts] == list(ids.values())
    tables = {name: plain_table(frame) for name, frame in review.tables.items()}
    assert review.figure_map(tables)["unmapped"] == []
