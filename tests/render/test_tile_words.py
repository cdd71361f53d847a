"""What each tile of the strip on page one says, and that it is no more than the evidence does."""

from __future__ import annotations

import copy
from dataclasses import replace

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, RESULTS, STATUS, EvidenceMaker, clear_customer
from tests.render.specimen_review import contents_of
from tests.render.strips import strip_of

from kycpack.frames import flatten
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.review.check_strip import session_states
from kycpack.render.review.screening import results_section, screening_section
from kycpack.render.review.short_names import short_names
from kycpack.triage.judge.findings import findings_frame


@pytest.mark.parametrize(
    ("count", "words"), [(0, "Clear, list date not shown"), (1, "1 match"), (2, "2 matches")]
)
def test_screening_that_counts_matches_is_not_shown_as_clear(count: int, words: str) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["matchCount"] = count
    strip = dict(strip_of(flatten(clear_customer(results)), pd.DataFrame(), [], findings_frame([])))
    assert strip["Screening"].text == words


@pytest.mark.parametrize(("confirmed", "words"), [(True, "Clear"), (False, "Not confirmed")])
def test_an_identity_that_the_session_does_not_confirm_is_not_shown_as_clear(
    *, confirmed: bool, words: str
) -> None:
    status = copy.deepcopy(STATUS)
    status["progress"]["identity"]["confirmed"] = confirmed
    frames = flatten(clear_customer(status=status))
    strip = dict(strip_of(frames, pd.DataFrame(), [], findings_frame([])))
    assert strip["Identity"].text == words


def test_what_differs_in_an_address_that_is_clear_stands_on_page_one_and_not_among_what_is_not_known() -> (
    None
):
    customer = RECORD["address"] | {"addressLine1": "Flat 7, 1 High Street"}
    made = contents_of(clear_customer(RESULTS, record=RECORD | {"address": customer}))
    assert dict(made.strip)["Address"].text == "In part different, date of proof not shown"
    assert not any("policy accepts" in one.text for one in made.missing)
    (line,) = made.accepted
    assert line.text.startswith("A difference that the policy accepts (CON-6): ")
    assert "only one has a flat: “" in line.text
    assert "on the proof of address (E-" in line.text


@pytest.mark.parametrize("place", [0, 1])
def test_only_the_session_with_the_other_address_differs_in_part_and_the_tile_shows_it(place: int) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    for number in range(2):
        results = copy.deepcopy(RESULTS)
        if number == place:
            results["address"]["extractedAddress"]["addressLine1"] = "Flat 3, 1 High Street"
        made.session(results, {**STATUS, "id": f"s{number}"}, session_id=f"s{number}")
    made.answer("bank_accounts.list", {"items": []})
    contents = contents_of(made.make())
    (table,) = [one for one in contents.section("results").blocks if "Identity" in titles_of(one)]
    at = titles_of(table).index("Address")
    said = ["Clear by provider, date of proof not shown"] * 2
    said[place] = "In part different, date of proof not shown"
    assert [row[at].text for row in table.rows] == said
    assert dict(contents.strip)["Address"].text == said[place]
    (why,) = [
        one.text
        for one in contents.section("results").blocks
        if isinstance(one, Paragraph) and "The policy accepts" in one.text
    ]
    assert (
        why
        == "The policy accepts these differences, so that no rule objects and nobody is asked to look at them: "
        "only one has a flat (Small differences between the addresses, CON-6)."
    )


def titles_of(block: object) -> list[str]:
    return [one.title for one in block.columns] if isinstance(block, Table) else []


def test_where_the_bank_refused_even_the_balance_nothing_was_seen() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    frames = replace(flatten(made.make()), accounts=pd.DataFrame({"account_id": ["a"]}))
    seen = replace(frames, balances=pd.DataFrame({"account_id": ["a"]}))
    words = [
        dict(strip_of(one, pd.DataFrame(), [], findings_frame([])))["Bank"].text for one in (frames, seen)
    ]
    assert words == ["Nothing seen", "Balance only"]


def test_a_value_of_any_length_that_nobody_has_named_is_not_cut_off_in_the_strip() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["outcome"] = "perhaps, after a second look"
    strip = dict(strip_of(flatten(clear_customer(results)), pd.DataFrame(), [], findings_frame([])))
    assert strip["Screening"].text == "Unknown value"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("pending", "No result yet"),
        ("inprogress", "No result yet"),
        ("expired", "No result"),
        ("complete", "Missing"),
    ],
)
def test_only_a_complete_session_can_miss_a_result(status: str, words: str) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("onboarding.get", {**STATUS, "id": "s1", "status": status}, session_id="s1")
    frames = flatten(made.make())
    none = findings_frame([])
    strip = dict(strip_of(frames, pd.DataFrame(), [], none))
    assert {strip[part].text for part in ("Document", "Screening")} == {words}
    about = frames, short_names(frames), session_states(frames, none)
    for section in (results_section(*about), screening_section(*about, {})):
        shown = [
            cell.text
            for block in section.blocks
            if isinstance(block, Table)
            for row in block.rows
            for cell in row
        ]
        assert words in shown
        assert words == "Missing" or "Missing" not in shown


@pytest.mark.parametrize(
    ("account", "second", "words"),
    [
        ("A", "t2", "2 red flags"),
        ("A", "t1", "2 red flags, some share payments"),
        ("B", "t1", "2 red flags"),  # an id is unique only within its account
    ],
)
def test_red_flags_on_one_payment_are_not_shown_as_if_each_were_a_matter_of_its_own(
    account: str, second: str, words: str
) -> None:
    flags = pd.DataFrame(
        {
            "severity": ["edd", "review"],
            "message": ["Money moved on", "Large credit"],
            "account_ids": [["A", "A"], [account]],
            "txn_ids": [["t1", "t3"], [second]],
        }
    )
    assert dict(strip_of(flatten(clear_customer()), flags, [], findings_frame([])))["Bank"].text == words
