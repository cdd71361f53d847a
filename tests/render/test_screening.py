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
from kycpack.render.review.matters import matters_of
from kycpack.render.review.screening import results_section, screening_section
from kycpack.render.review.seen_words import NOT_SEARCHED
from kycpack.render.review.short_names import short_names
from kycpack.render.review.steps import FREEZE, ON_ANY_LIST
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


LISTED = {"name": "A. Byron", "list": "OFAC SDN"}


def introduced(**screening: object) -> tuple[str, set[str]]:
    """Return the paragraph above the screening, and the codes of its gaps."""
    results = {**RESULTS, "screening": {**RESULTS["screening"], **screening}}
    frames = flatten(clear_customer(results))
    none = findings_frame([])
    said = screening_section(frames, short_names(frames), session_states(frames, none), {}).blocks[0]
    assert isinstance(said, Paragraph)
    return said.text, set(frames.gaps.loc[frames.gaps["area"] == "screening", "code"])


@pytest.mark.parametrize(
    "screening",
    [
        {},
        {"matchCount": 2},
        {"results": [{"name": "UN list", "outcome": "clear"}]},
        {"results": [{"list": "UN"}]},
        {"matches": []},
        {"hits": {"total": 2}},
        {"matchThreshold": 80},
        {"sourcesSearched": [{"name": "OFAC"}]},
    ],
)
def test_where_no_match_is_listed_none_can_be_shown(screening: dict[str, object]) -> None:
    said, codes = introduced(**screening)
    assert "no single match can be shown" in said
    assert {"matches_not_visible"} == {code for code in codes if "matches" in code}


@pytest.mark.parametrize(
    "screening",
    [
        {"matchCount": 1, "matches": [LISTED]},
        {"matchCount": 2, "hits": {"sanctions": [LISTED], "pep": [LISTED]}},
        {"matchCount": 2, "matches": {"listName": "UN", "items": [LISTED, LISTED]}},
        {"matchCount": 1, "match": LISTED},
        {"matchCount": 1, "matchDetails": {"entity": "Ada Byron"}},
        {"matchCount": 1, "summary": {**RESULTS["screening"]["summary"], "hitList": ["Ada Byron"]}},
        {"matchCount": 1, "results": {"items": [LISTED]}},
    ],
)
def test_where_matches_are_listed_nobody_says_that_none_can_be_shown(screening: dict[str, object]) -> None:
    said, codes = introduced(**screening)
    assert "no single match" not in said
    assert not any("matches" in code for code in codes)
    assert "list the matches themselves" in said


@pytest.mark.parametrize(
    ("counted", "missing"), [(3, "the other is not shown"), (5, "the other 3 are not shown")]
)
def test_of_matches_that_are_counted_and_not_listed_both_numbers_are_given(
    counted: int, missing: str
) -> None:
    said, codes = introduced(matchCount=counted, matches=[LISTED, {**LISTED, "name": "Ada B."}])
    assert f"In S1: The service counts {counted} matches and lists 2 of them; {missing}." in said
    assert {"matches_not_listed"} == {code for code in codes if "matches" in code}


@pytest.mark.parametrize("counted", [None, "three", 1.5])
def test_where_matches_are_listed_and_their_number_is_not_known_there_may_be_more(counted: object) -> None:
    said, codes = introduced(matchCount=counted, matches=[LISTED])
    assert (
        "The results list 1 match, and the number of matches is missing or cannot be read: there may be more."
        in said
    )
    assert {"matches_not_listed"} == {code for code in codes if "matches" in code}


def test_where_no_results_were_received_nothing_is_said_of_how_the_provider_lists_matches(
    specimen: Evidence,
) -> None:
    made = contents_of(only(specimen, "customers.get", "onboarding.get", "register.known"))
    said = words_of(made.section("screening"))
    assert "it is not known whether there is a match" in said
    assert "no single match" not in said


def categories(made: ReviewContents) -> dict[str, str]:
    """Return what the screening says of each category."""
    (shown,) = [block for block in made.section("screening").blocks if isinstance(block, Table)][-1:]
    assert isinstance(shown, Table)
    return {row[0].text: row[1].text for row in shown.rows}


def test_no_category_is_clear_while_a_match_on_a_list_that_is_not_named_is_open() -> None:
    """The match may be on a sanctions list, whatever the provider says of that category."""
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"matchCount": 2}
    made = contents_of(clear_customer(results))
    assert {*categories(made).values()} == {
        "Not clear: the provider does not name the list of 2 of 2 matches (the provider says “clear”)"
    }
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    said = {row[at].text: row[at + 1].text for row in beside.rows for at in (0, 2)}
    listed = {row[at].text for row in clear.rows for at in (0, 2)}
    for title in (
        "Sanctions lists",
        "Terrorism lists",
        "Other watchlists",
        "PEP level 1",
        "Other PEP levels",
        "Adverse media on crime",
    ):
        assert said[title] in {
            words := "not clear: the provider does not name the list of 2 of 2 matches",
            f"{NOT_SEARCHED}; {words}",
        }
        assert title not in listed
    assert said["Need for a report to the NCA"].startswith(
        "not clear: the provider does not name the list of 2 of 2 matches; see Screening matches without a named list (SCR-6) in “Findings”; apart from that "
        "and without counting any match whose list is not known, no red flag"
    )


def test_a_match_in_a_category_leaves_the_others_as_the_provider_says() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"matchCount": 1}
    results["screening"]["summary"]["pep"]["level1"] = "attention"
    assert {*categories(contents_of(clear_customer(results))).values()} == {"Attention", "Clear"}


def counted(matches: float, **summary: object) -> ReviewContents:
    """Return the review of a customer whose results count matches, with one on adverse media."""
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "consider", "matchCount": matches}
    results["screening"]["summary"]["adverseMedia"]["environmentProduction"] = "attention"
    for category, members in summary.items():
        results["screening"]["summary"][category] |= members
    return contents_of(clear_customer(results))


def test_no_category_is_clear_while_more_matches_are_counted_than_categories_have_one() -> None:
    """The second match may be on any list, whatever the provider says of its category."""
    words = "not clear: the provider does not name the list of 1 of 2 matches"
    made = counted(2)
    shown = categories(made)
    assert shown.pop("Adverse media on environment and production") == "Attention"
    assert {*shown.values()} == {f"{words[:1].upper()}{words[1:]} (the provider says “clear”)"}
    assert dict(made.strip)["Screening"].text == "Attention, not every list named"
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    said = {row[at].text: row[at + 1].text for row in beside.rows for at in (0, 2)}
    for title in ("Sanctions lists", "PEP level 1", "Other PEP levels"):
        assert said[title] == (f"{NOT_SEARCHED}; {words}" if title == "Other PEP levels" else words)
        assert title not in {row[at].text for row in clear.rows for at in (0, 2)}
    steps = " ".join(made.steps)
    assert "find out from the provider on which list each match is" in steps
    assert FREEZE in steps


@pytest.mark.parametrize("summary", [{}, {"pep": {"level2": "attention"}}])
def test_a_match_whose_list_is_not_named_holds_the_case_beside_one_of_a_known_category(
    summary: dict[str, object],
) -> None:
    """Page one says of how many matches, what is not clear for it, that funds may have to be frozen, and who decides."""
    made = counted(2, **summary) if not summary else counted(3, **summary)
    left = f"1 of {2 + bool(summary)} matches"
    (reason,) = [one for one in made.reasons if one.rule_id == "SCR-6"]
    assert (reason.owner, reason.action) == ("MLRO", "hold")
    assert (
        f"({left}): it may be a sanctions list, so sanctions, terrorism and PEP lists are not clear (E-"
        in reason.text
    )
    first = made.to_do.first
    assert first.startswith("1. MLRO: hold the case; find out from the provider on which list each match is")
    assert "Until the hold is lifted, nothing is approved, paid or declined" in first
    assert "takes two people, one of them the MLRO, because a possible match may be this person" in first
    assert "freeze" in first
    assert "no hold" not in " ".join((first, *made.steps))


def test_the_reports_behind_adverse_media_are_asked_for_beside_a_match_whose_list_is_not_named() -> None:
    made = counted(2)
    (asked,) = [step for step in made.steps if "get the reports behind the adverse media" in step]
    assert "(OUT-screening)" in asked
    matters = {one.rule_id: one.also for one in matters_of(made.reasons)}
    assert [line.split(" · ")[0] for line in matters["SCR-6"]] == ["also: SCR-1"]
    assert [line.split(" · ")[0] for line in matters["OUT-screening"]] == ["also: ADV-2"]


def test_a_match_whose_list_is_not_named_is_one_ground_for_a_report_beside_a_match_in_a_category() -> None:
    steps = " ".join(counted(3, pep={"level2": "attention"}).steps)
    assert (
        "whether to report to the National Crime Agency; what is known so far and may be a reason: “Possible match on a list"
        in steps
    )
    assert "a match of which the list is not named" not in steps


@pytest.mark.parametrize(
    ("category", "member", "matters"),
    [
        ("adverseMedia", "financialCrime", 1),
        ("watchlist", "disqualifiedDirectors", 1),
        ("watchlist", "terror", 0),
        ("watchlist", "sanctionsLists", 0),
    ],
)
def test_a_match_whose_list_is_not_named_is_under_no_finding_that_one_person_may_settle(
    category: str, member: str, matters: int
) -> None:
    made = counted(3, **{category: {member: "attention"}})
    assert [one.rule_id for one in matters_of(made.reasons)].count("SCR-6") == matters
    assert (
        "takes two people, one of them the MLRO, because a possible match may be this person"
        in made.to_do.first
    )
    assert "on which list each" in made.steps[0]


def test_an_outcome_that_names_no_category_belongs_to_the_match_whose_list_is_not_named() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "consider", "matchCount": 2}
    matters = {one.rule_id: one.also for one in matters_of(contents_of(clear_customer(results)).reasons)}
    assert [line.split(" · ")[0] for line in matters["SCR-6"]] == ["also: OUT-screening", "also: SCR-1"]


def test_matches_that_the_categories_account_for_leave_the_others_clear() -> None:
    for made in (
        counted(1),
        counted(2, pep={"level1": "attention"}),
    ):
        assert "Clear" in categories(made).values()
        assert not any("not clear" in said.casefold() for said in categories(made).values())
        assert FREEZE not in " ".join(made.steps)


@pytest.mark.parametrize(
    "summary",
    [{"listVersion": "7"}, {"pep": {**RESULTS["screening"]["summary"]["pep"], "level1Date": "20240101"}}],
)
def test_a_number_that_counts_no_match_accounts_for_none(summary: dict[str, object]) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "consider", "matchCount": 2}
    results["screening"]["summary"]["adverseMedia"]["environmentProduction"] = "attention"
    results["screening"]["summary"] |= summary
    assert "Clear" not in categories(contents_of(clear_customer(results))).values()


def test_a_number_that_is_not_understood_leaves_no_category_clear() -> None:
    assert "Clear" not in categories(counted(2, adverseMedia={"socialLabour": "2"})).values()
    assert "Clear" not in categories(counted(2.5)).values()


def test_the_list_of_each_match_is_found_out_beside_a_match_on_sanctions_lists() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "warning", "matchCount": 3}
    results["screening"]["summary"]["watchlist"]["sanctionsLists"] = "attention"
    hold, frozen, *_ = contents_of(clear_customer(results)).steps
    assert "check with the provider whether any match on sanctions lists is this person" in hold
    assert "find out from the provider on which list each further match is" in hold
    assert frozen.endswith(ON_ANY_LIST)
    results["screening"]["matchCount"] = 1
    assert "on which list each" not in " ".join(contents_of(clear_customer(results)).steps)


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
    assert re.fullmatch(r"6 categories of screening not in the results \(E-\d+\)", line)
    said = words_of(made.section("limits"))
    assert "6 categories of screening are not in the results, so it is not known whether they were" in said
    assert "Adverse media on crime; " in said
    assert (
        "MLRO: ask the provider whether the categories of screening not in the results were searched" in said
    )
    assert "ask the provider whether the categories of screening not in the results were" in " ".join(
        made.steps
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
