"""Page one gives every two sources that differ with both values, and the matrix says what it compares."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker
from tests.render.specimen_review import contents_of
from tests.triage.test_evaluate import changed

from kycpack.render import ReviewContents, cover_lines, render_review_pdf
from kycpack.render.document_parts import REFERENCE, Paragraph, Table
from kycpack.render.review.html import render_summary_html


def review(
    record: tuple[str, str],
    document: tuple[str, str],
    *holders: str | None,
    born: str = "1985-12-10",
    paid: str = "SALARY WYRE ANALYTICS LTD",
) -> ReviewContents:
    """Return the review of a customer whose record, document and accounts name these people, with a salary on each account."""
    made = EvidenceMaker()
    made.answer("customers.get", {**RECORD, "firstName": record[0], "lastName": record[1]})
    named = {"firstName": document[0], "lastName": document[1], "dateOfBirth": born}
    made.session(changed("document.holder", {**RESULTS["document"]["holder"], **named}))
    accounts = [
        {"id": f"A-{at}", "currency": "GBP", **({"accountHolderName": name} if name else {})}
        for at, name in enumerate(holders)
    ]
    made.answer("bank_accounts.list", {"items": accounts})
    for at, account in enumerate(accounts):
        items = [_pay(number, at) | {"description": paid} for number in range(1, 6)]
        made.answer("bank_accounts.transactions", {"items": items}, account_id=str(account["id"]))
    made.known()
    return contents_of(made.make())


def _pay(month: int, at: int) -> dict[str, Any]:
    return {
        "id": f"T-{month}-{at}", "status": "booked", "creditDebitIndicator": "Credit", "bookingDate": f"2026-0{month}-28",
        "amount": f"250{at}.00", "currency": "GBP", "description": "SALARY WYRE ANALYTICS LTD",
    }  # fmt: skip


THREE = (("Ada", "Byron"), ("Bea", "King"), "Cid Lovelace", "Cid Lovelace")


def test_three_people_are_three_reasons_with_both_values_and_their_evidence() -> None:
    said = [one.text for one in review(*THREE).reasons if one.rule_id.startswith("CON-")]
    cid = "“Cid Lovelace” on the bank accounts A1 and A2"
    assert said == [
        "The name on the record and the name on the document do not match: “Ada Byron” on the record, “Bea King” on the document (E-01, E-03)",
        f"The name on the record and the name on the bank account do not match: “Ada Byron” on the record, {cid} (E-01, E-04)",
        f"The name on the document and the name on the bank account do not match: “Bea King” on the document, {cid} (E-03, E-04)",
    ]


@pytest.mark.parametrize(
    ("document", "holders", "said"),
    [
        (
            ("Ada", "Byron"),
            ("Cid Lovelace",) * 2,
            "; all of it in accounts of “Cid Lovelace”",
        ),
        (
            ("Ada", "Byron"),
            ("Ada Byron", "Cid Lovelace"),
            "; 12,505.00 GBP of it in accounts of “Cid Lovelace”",
        ),
        (
            ("Ada", "Byron"),
            ("Ada Byron", None),
            "; 12,505.00 GBP of it in accounts of a holder who is not named",
        ),
        (
            ("Bea", "King"),
            ("Bea King", "Bea King"),
            "; all of it in accounts of “Bea King”",
        ),
        (("Ada", "Byron"), ("Ada Byron", "Ada Byron"), ""),
    ],
)
def test_the_share_of_known_nature_says_how_much_of_it_is_in_accounts_of_others(
    document: tuple[str, str], holders: tuple[str | None, ...], said: str
) -> None:
    made = review(("Ada", "Byron"), document, *holders)
    (share,) = made.shares
    assert share.questioned_words == said
    headline = f"of {share.total_words}{said}"
    assert headline in " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    page = unescape(re.sub("<[^>]*>", "", render_summary_html(made))).replace(f" {share.known_words}", "")
    assert headline in page
    assert any(headline in words for _, words in cover_lines(made)) == bool(said)


@pytest.mark.parametrize(
    ("holders", "part"),
    [(("Cid Lovelace",) * 2, ", in"), (("Ada Byron", "Cid Lovelace"), ", partly in"), (("Ada Byron",), "")],
)
def test_the_bar_shows_that_money_of_no_known_nature_is_in_accounts_of_others(
    holders: tuple[str, ...], part: str
) -> None:
    made = review(("Ada", "Byron"), ("Ada", "Byron"), *holders, paid="THANKS")
    (share,) = made.shares
    ((words, _),) = share.legend
    assert words.startswith("100.0% regular, nature not established")
    assert words.removeprefix("100.0% regular, nature not established") == (
        f"{part} accounts held by others" if part else ""
    )
    assert words in " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    assert words in unescape(render_summary_html(made))


def test_a_report_rests_on_a_name_that_cannot_be_read_only_as_such_and_the_verdict_is_the_same_everywhere() -> (
    None
):
    made = review(("=1+1", "{nb}"), ("Bea", "King"), "Cid Lovelace")
    (quiet,) = [one for one in made.reasons if one.internal]
    assert quiet.level == "review"
    assert (
        "do not match one another: “=1+1 {nb}” on the record, which cannot be read as a name; "
        "“Bea King” on the document; “Cid Lovelace” on the bank account A1 (E-01, E-03, E-04)"
    ) in quiet.text
    words = next(block.text for block in made.section("consistency").blocks if isinstance(block, Paragraph))
    assert (
        "name of the customer record and the document, of the customer record and the bank account" in words
    )
    assert "Not compared, because a value is missing or cannot be read: name" not in words
    (matrix,) = [block for block in made.section("consistency").blocks if isinstance(block, Table)]
    assert [row[3].text for row in matrix.rows if row[0].text == "Name"] == ["Different"] * 3


def test_two_dates_of_birth_are_both_on_page_one() -> None:
    contents = review(("Ada", "Byron"), ("Ada", "Byron"), born="1965-05-06")
    (said,) = [one.text for one in contents.reasons if one.rule_id == "CON-2"]
    assert said.endswith("do not match: 10 Dec 1985 on the record, 6 May 1965 on the document (E-01, E-03)")


def test_every_difference_that_the_policy_accepts_is_on_page_one_with_its_values() -> None:
    own = ("मीनाक्षी", "देशमुखे")
    made = review(own, own, "Meenakshi Deshmukhe")
    assert any(
        re.search(
            r"\(CON-\d+\): another spelling of the same sounds: .*“Meenakshi Deshmukhe” on the bank account A1",
            cell.text,
        )
        for cell in made.accepted
    )


def test_names_that_are_alike_are_both_on_page_one() -> None:
    contents = review(("Margaret", "Whitfield"), ("Margaret", "Whitfeild"), "Margaret Whitfield Jr")
    said = {one.rule_id: one.text for one in contents.reasons}
    assert "“Margaret Whitfield” on the record, “Margaret Whitfeild” on the document" in said["CON-5"]
    assert "“Margaret Whitfield Jr” on the bank account A1" in said["CON-7"]


def test_no_name_leaves_the_pack_in_the_headline() -> None:
    headline = review(*THREE).headline
    assert not any(name in headline for name in ("Ada", "Bea", "Cid"))


@pytest.mark.parametrize(
    "names", [THREE, (("Ada", "Byron"), ("Ada", "Byron")), (("", ""), ("Ada", "Byron"), "Ada Byron")]
)
def test_the_sentence_of_the_matrix_names_the_pairs_of_its_rows_and_no_other(names: Any) -> None:
    section = review(*names).section("consistency")
    (matrix,) = [block for block in section.blocks if isinstance(block, Table)]
    (said,) = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    words = {
        "record": "customer record",
        "bank": "bank account",
        "proof": "proof of address",
        "document": "document",
    }
    shown = set()
    for row in matrix.rows:
        left, right = (words[re.split("[ :]", cell.text.casefold())[0]] for cell in row[1:3])
        shown.add((row[0].text.casefold(), left, right))
    named = set()
    for part in re.split(r"(?:Compared|read): ", said)[1:]:
        for of_field in part.rstrip(". ").partition(".")[0].split("; "):
            field, _, pairs = of_field.partition(" of the ")
            named |= {(field, *pair.split(" and the ")) for pair in pairs.split(", of the ")}
    assert named == shown


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (THREE, "A1 and A2 are held in the name “Cid Lovelace”, which is neither that of the record nor that of the document (E-01, E-03, E-04)"),
        ((("Ada", "Byron"), ("Bea", "King"), "Bea King"), "A1 is held in the name “Bea King”, which is not that of the record (E-01, E-04)"),
        ((("Ada", "Byron"), ("Bea", "King"), "Ada Byron"), "A1 is held in the name “Ada Byron”, which is not that of the document (E-03, E-04)"),
        ((("Ada", "Byron"), ("Ada", "Byron"), "Ada Byron Jr"), "A1 is held in the name “Ada Byron Jr”, which is only like that of the record and that of the document"),
        ((("Ada", "Byron"), ("Ada", "Byron"), None), "It is not known whose account A1 is: the holder is not given"),
    ],
)  # fmt: skip
def test_the_money_block_says_that_an_account_is_in_another_name(names: Any, said: str) -> None:
    contents = review(*names)
    assert any(said in line.text for line in contents.whose_money)
    assert all(REFERENCE.search(line.text) for line in contents.whose_money)
    page = render_summary_html(contents)
    assert page.index("Share of credits whose nature is known") < page.index(said.partition("“")[0].strip())


def test_the_money_block_says_nothing_of_names_where_the_accounts_are_the_customers() -> None:
    assert review(("Ada", "Byron"), ("ADA", "BYRON"), "Ada Byron").whose_money == ()


def test_three_different_names_raise_the_question_of_an_internal_report_that_stays_inside_the_firm() -> None:
    made = review(*THREE)
    (quiet,) = [one for one in made.reasons if one.internal]
    assert (quiet.rule_id, quiet.owner, quiet.action) == ("INT-2", "MLRO", "internal_report")
    assert (
        "Comparison of the names on record, document and bank account, a possible reason for a report to the NCA, on which the nominated officer, the MLRO, decides: "
        "the names do not match one another: “Ada Byron” on the record; "
        "“Bea King” on the document; “Cid Lovelace” on the bank accounts A1 and A2 (E-01, E-03, E-04)"
    ) in quiet.text
    assert made.steps[0].startswith(
        "1. MLRO: decide as nominated officer whether to report to the National Crime Agency (INT-2). Decide on the report now, on what is known, and again when the answers are in."
    )
    steps = " ".join(made.steps)
    assert "Until the identity is confirmed, no business relationship is established and nothing" in steps
    assert "when the MLRO agrees, find out whether the names" in " ".join(made.steps)
    assert "internal report" not in made.headline
    other = review(("Ada", "Byron"), ("Ada", "Byron"), "Cid Lovelace")
    assert not [one for one in other.reasons if one.internal]
    annex = review(("Ada", "Byron"), ("Ada", "Byron"), "Ada Byron").section("clear").blocks
    clear, *_ = [block for block in annex if isinstance(block, Table)]
    assert "Comparison of the names on record, document and bank account" in str(clear.rows)
    alike = review(("Ada", "Byron"), ("Bea", "King"), "Bea King")
    assert not [one for one in alike.reasons if one.internal]


@pytest.mark.parametrize(("record", "said"), [
        (("Ada", "Byron"), "clear by the provider alone: the results do not give the name on the proof"),
        (("=1+1", "{nb}"), "clear by the provider alone: the results do not give the name on the proof, and the names on record and document do not match or could not be compared (see “Findings”)"),
    ],
)  # fmt: skip
def test_the_name_on_a_proof_of_address_is_not_counted_as_clear(record: tuple[str, str], said: str) -> None:
    """This pack has no name on the proof to compare, least of all with a record that cannot be read as a name."""
    made = review(record, ("Ada", "Byron"), "Ada Byron")
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    cells, others = (
        {row[at].text: row[at + 1].text for row in each.rows for at in range(0, len(row), 2)}
        for each in (beside, clear)
    )
    assert "Name and address on the proof of address" not in others
    assert cells["Name and address on the proof of address"] == said


def test_an_unread_name_is_told_apart_by_whether_the_texts_agree() -> None:
    made = review(("=1+1", "{nb}"), ("=1+1", "{nb}"), "Cid Lovelace")
    (matrix,) = [block for block in made.section("consistency").blocks if isinstance(block, Table)]
    said = [(row[3].text, row[5].text) for row in matrix.rows if row[0].text == "Name"]
    agree = "the texts agree, but cannot be read as a name, so they do not show whose they are: record and document"
    assert said[0] == ("Cannot be read", agree)
    assert said[1] == ("Different", "the texts differ, and one cannot be read as a name: record")


def test_an_account_of_somebody_else_is_asked_about_before_the_money_in_it() -> None:
    made = review(("Ada", "Byron"), ("Ada", "Byron"), "Ada Byron", "Cid Lovelace", "Cid Lovelace")
    (asked,) = [step for step in made.steps if "Cid Lovelace" in step]
    assert "ask the customer why A2 and A3, held in the name “Cid Lovelace”, were linked" in asked
    assert "with evidence (see “Linked accounts”" in asked
    assert "“Cid Lovelace”, were linked and whether the holder agreed" in asked
    made = review(("Ada", "Byron"), ("Ada", "Byron"), "Ada Byron", "Cid Lovelace", "Lovelace Trading Ltd")
    (asked,) = [step for step in made.steps if "Cid Lovelace" in step]
    assert asked.count("agreed") == 1
    assert "was linked and whether each holder agreed" in asked
    for held in (("Ada Byron",), ("Ada Byron and Cid Lovelace",)):
        assert not any(
            "were linked" in step for step in review(("Ada", "Byron"), ("Ada", "Byron"), *held).steps
        )


def test_a_name_on_the_record_that_cannot_be_read_is_corrected_there() -> None:
    said = (
        "find out the customer's name, correct it on the customer record, and have the names compared again"
    )
    made = review(("=1+1", "{nb}"), ("Bea", "King"), "Cid Lovelace")
    assert sum(said in step for step in made.steps) == 1
    assert not any(said in step for step in review(("Bea", "King"), ("Bea", "King"), "Bea King").steps)
