"""Matches whose list the results do not name: no category is clear beside one, and it holds the case."""

from __future__ import annotations

import copy

import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.specimen_review import contents_of

from kycpack.frames import flatten
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Paragraph, Table
from kycpack.render.review.check_strip import session_states
from kycpack.render.review.matters import matters_of
from kycpack.render.review.screening import screening_section
from kycpack.render.review.seen_words import NOT_SEARCHED
from kycpack.render.review.short_names import short_names
from kycpack.render.review.steps import FREEZE, ON_ANY_LIST
from kycpack.triage.judge.findings import findings_frame

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
        "Not clear: the provider does not name the kind of list of 2 of 2 matches (the provider says “clear”)"
    }
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    said = {title: row[1].text for row in beside.rows for title in row[0].text.split("; ")}
    listed = {row[at].text for row in clear.rows for at in range(0, len(row), 2)}
    for title in (
        "Sanctions lists",
        "Terrorism lists",
        "Other watchlists",
        "PEP level 1",
        "Other PEP levels",
        "Adverse media on crime",
    ):
        assert said[title] in {
            words := "not clear: the provider does not name the kind of list of 2 of 2 matches",
            f"{NOT_SEARCHED}; {words}",
        }
        assert title not in listed
    assert said["Need for a report to the NCA"].startswith(
        "not clear: the provider does not name the kind of list of 2 of 2 matches; see Screening matches without a named list (SCR-6) in “Findings”; apart from that "
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
    words = "not clear: the provider does not name the kind of list of 1 of 2 matches"
    made = counted(2)
    shown = categories(made)
    assert shown.pop("Adverse media on environment and production") == "Attention"
    assert {*shown.values()} == {f"{words[:1].upper()}{words[1:]} (the provider says “clear”)"}
    assert dict(made.strip)["Screening"].text == "Attention, not every list named"
    clear, beside, *_ = [block for block in made.section("clear").blocks if isinstance(block, Table)]
    said = {title: row[1].text for row in beside.rows for title in row[0].text.split("; ")}
    for title in ("Sanctions lists", "PEP level 1", "Other PEP levels"):
        assert said[title] == (f"{NOT_SEARCHED}; {words}" if title == "Other PEP levels" else words)
        assert title not in {row[at].text for row in clear.rows for at in range(0, len(row), 2)}
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
    assert "Until the hold is lifted, nothing is approved, paid or rejected" in first
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
        "whether to report to the National Crime Agency; possible grounds known so far: “Possible match on a kind of list"
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
    hold, _, frozen, *_ = contents_of(clear_customer(results)).steps
    assert "check with the provider whether any match on sanctions lists is this person" in hold
    further = (
        "find out from the provider on which list each further match is, and check whether it is this person"
    )
    assert f"{further} (SCR-6)" in hold
    assert frozen.endswith(ON_ANY_LIST)
    results["screening"]["matchCount"] = 1
    assert "on which list each" not in " ".join(contents_of(clear_customer(results)).steps)
