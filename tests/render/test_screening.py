"""The checks that are not clear are listed beside what the service says of them."""

from __future__ import annotations

import copy
import re
from dataclasses import replace

import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.specimen_review import contents_of, only, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.palette import Tone
from kycpack.render.review.check_strip import session_states
from kycpack.render.review.screening import results_section
from kycpack.render.review.seen_words import NOT_SEARCHED
from kycpack.render.review.short_names import short_names
from kycpack.triage.judge.findings import findings_frame


@pytest.mark.parametrize("count", [0, 1, 2])
def test_matches_that_the_screening_counts_are_among_the_checks_that_are_not_clear(count: int) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["matchCount"] = count
    frames = flatten(clear_customer(results))
    section = results_section(frames, short_names(frames), session_states(frames, findings_frame([])))
    shown = [block for block in section.blocks if isinstance(block, Table)][2:]
    rows = [[cell.text for cell in row[:3]] for one in shown for row in one.rows]
    assert rows == ([["Screening", "Number of screening matches", str(count)]] if count else [])


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("created", "Created by the firm"),
        ("list", "List from the provider"),
        ("some_new_way", "Some new way"),
    ],
)
def test_no_code_of_the_service_or_of_the_register_stands_in_the_table_of_sessions(
    source: str, words: str
) -> None:
    frames = flatten(clear_customer())
    frames = replace(frames, sessions=frames.sessions.assign(learned_from=source, status="not_started"))
    sessions = results_section(
        frames, short_names(frames), session_states(frames, findings_frame([]))
    ).blocks[0]
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
    *_, shown = results_section(
        frames, short_names(frames), session_states(frames, findings_frame([]))
    ).blocks
    assert isinstance(shown, Table)
    found = {row[1].text: (row[2].text, row[4].text) for row in shown.rows}
    entry = str(frames.sessions["evidence_id"].iloc[0])
    assert found["Identity confirmed"] == ("No", entry)
    assert ("Identity step finished" in found) is (completed == "no")


def test_a_customer_with_clear_checks_is_said_to_have_no_other_value() -> None:
    frames = flatten(clear_customer())
    section = results_section(frames, short_names(frames), session_states(frames, findings_frame([])))
    said = words_of(section)
    assert "Every detail that the provider judges is clear." in said
    assert not any(
        words in said for words in ("are below", "None in the results", "Checks that are not clear")
    )


def test_where_no_results_were_received_nothing_is_said_of_how_the_provider_lists_matches(
    specimen: Evidence,
) -> None:
    made = contents_of(only(specimen, "customers.get", "onboarding.get", "register.known"))
    said = words_of(made.section("screening"))
    assert "it is not known whether there is a match" in said
    assert "no single match" not in said


def test_a_clear_screening_names_the_categories_that_the_results_do_not_have() -> None:
    results = copy.deepcopy(RESULTS)
    del results["screening"]["summary"]["adverseMedia"]
    made = contents_of(clear_customer(results))
    said = "so it is not known whether it was searched ("
    for key in ("screening", "limits"):
        (words,) = [one.text for one in paragraphs(made, key) if said in one.text]
        assert "dverse media" in words.partition(said)[2]


@pytest.mark.parametrize("matches", [0, 2])
def test_the_categories_that_the_results_do_not_have_are_a_gap_with_or_without_matches(matches: int) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"matchCount": matches}
    made = contents_of(clear_customer(results))
    (line,) = [one.text for one in made.missing if "categories" in one.text]
    assert re.fullmatch(
        r"6 further categories of screening perhaps not searched: “Other sanctions, terrorism, control and ownership”, “Other PEP levels”, and 4 others \(E-\d+\)",
        line,
    )
    said = words_of(made.section("limits"))
    assert "6 categories of screening are not in the results, so it is not known whether they were" in said
    assert "Adverse media on crime; " in said
    assert (
        "MLRO: ask the provider whether the categories of screening that are not in the results were searched"
        in said
    )
    assert (
        "ask the provider whether the categories of screening that are not in the results were"
        in " ".join(made.steps)
    )
    assert f"{NOT_SEARCHED} (" in words_of(made.section("screening"))


def test_where_names_differ_or_cannot_be_read_the_screening_says_that_the_searched_name_is_not_known() -> (
    None
):
    said = "The results do not say which name was searched"
    clear = contents_of(clear_customer())
    assert said not in words_of(clear.section("screening"))
    assert "name used" not in dict(clear.strip)["Screening"].text
    for first_name in ("Bea", "{nb}"):
        results = copy.deepcopy(RESULTS)
        results["document"]["holder"] |= {"firstName": first_name, "lastName": first_name}
        made = contents_of(clear_customer(results))
        assert said in words_of(made.section("screening"))
        cell = dict(made.strip)["Screening"]
        assert (cell.text, cell.tone) == ("Clear by provider, name used not shown", Tone.UNKNOWN)
        assert any(line.text.startswith("Not shown which name was screened (") for line in made.missing)
        assert "ask the provider which name was screened" in " ".join(made.steps)


def test_what_a_comparison_found_is_not_said_to_be_among_the_words_of_the_provider() -> None:
    words = words_of(contents_of(clear_customer()).section("results"))
    assert "What this pack found when it compared the sources is in “Findings”." in words


def paragraphs(made: ReviewContents, key: str) -> list[Paragraph]:
    """Return the paragraphs of a section."""
    return [block for block in made.section(key).blocks if isinstance(block, Paragraph)]
