"""The checks that are not clear are listed beside what the service says of them."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer

from kycpack.frames import flatten
from kycpack.render.document_parts import Table
from kycpack.render.review.screening import results_section
from kycpack.render.review.short_names import short_names


@pytest.mark.parametrize("count", [0, 1, 2])
def test_matches_that_the_screening_counts_are_among_the_checks_that_are_not_clear(count: int) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["matchCount"] = count
    frames = flatten(clear_customer(results))
    *_, shown = results_section(frames, short_names(frames)).blocks
    assert isinstance(shown, Table)
    rows = [[cell.text for cell in row[:3]] for row in shown.rows]
    assert rows == ([["Screening", "Number of screening matches", str(count)]] if count else [])


@pytest.mark.parametrize(
    ("source", "words"),
    [("created", "Created by the firm"), ("list", "List of the service"), ("some_new_way", "Some new way")],
)
def test_no_code_of_the_service_or_of_the_register_stands_in_the_table_of_sessions(
    source: str, words: str
) -> None:
    frames = flatten(clear_customer())
    frames = replace(frames, sessions=frames.sessions.assign(learned_from=source, status="not_started"))
    sessions = results_section(frames, short_names(frames)).blocks[0]
    assert isinstance(sessions, Table)
    assert [cell.text for cell in sessions.rows[0]][1] == "Not started"
    assert [cell.text for cell in sessions.rows[0]][4] == words


@pytest.mark.parametrize("completed", ["yes", "no"])
def test_an_identity_that_the_session_does_not_confirm_is_among_the_checks_that_are_not_clear(
    completed: str,
) -> None:
    frames = flatten(clear_customer())
    frames = replace(
        frames,
        sessions=frames.sessions.assign(identity_confirmed=False, identity_completed=completed == "yes"),
    )
    *_, shown = results_section(frames, short_names(frames)).blocks
    assert isinstance(shown, Table)
    found = {row[1].text: (row[2].text, row[4].text) for row in shown.rows}
    entry = str(frames.sessions["evidence_id"].iloc[0])
    assert found["Identity confirmed"] == ("No", entry)
    assert ("Identity step finished" in found) is (completed == "no")


def test_a_customer_with_clear_checks_is_said_to_have_no_other_value() -> None:
    frames = flatten(clear_customer())
    *_, shown = results_section(frames, short_names(frames)).blocks
    assert isinstance(shown, Table)
    assert (shown.rows, shown.empty) == ((), "No check in the results has a value other than clear.")
