"""What the annex of the checks says of data that is missing and of due diligence that is not complete."""

from __future__ import annotations

import re

from tests.frames.evidence_maker import RECORD, SESSION, STATUS, EvidenceMaker, clear_customer
from tests.render.specimen_review import contents_of, words_of

from kycpack.evidence import Evidence
from kycpack.render.document_parts import Cell, Paragraph, Section, Table
from kycpack.render.review.clear_annex import clear_section
from kycpack.render.review.clear_checks import NOT_COMPLETE, WithoutObjection

TITLE = "Data needed for the review"
NO_OBJECTION = "Each of these checks found nothing itself"


def unfinished_customer(*lacking: str) -> Evidence:
    """A customer whose session is pending, so that its results cannot be requested, with a record that lacks some members."""
    made = EvidenceMaker()
    made.answer("customers.get", {name: said for name, said in RECORD.items() if name not in lacking})
    made.answer("onboarding.get", {**STATUS, "status": "pending"}, session_id=SESSION)
    made.refuse("onboarding.results", outcome="not_asked", status=None, session_id=SESSION)
    made.answer("bank_accounts.list", {"items": []})
    made.known()
    return made.make()


def listed_in(annex: Section) -> dict[str, tuple[str, str]]:
    """Return each check that the annex lists, with what stands above its table and what it saw."""
    found: dict[str, tuple[str, str]] = {}
    above = ""
    for block in annex.blocks:
        if isinstance(block, Paragraph):
            above = block.text
        elif isinstance(block, Table):
            cells = [cell.text for row in block.rows for cell in row]
            found |= {title: (above, seen) for title, seen in zip(cells[::2], cells[1::2], strict=True)}
    return found


def test_the_data_is_clear_where_everything_was_received() -> None:
    above, seen = listed_in(contents_of(clear_customer()).section("clear"))[TITLE]
    assert above.startswith("Checks found clear")
    assert seen.startswith("nothing refused, failed or unreadable")
    assert "could not be evaluated" not in seen


def test_the_data_is_not_clear_where_a_session_has_no_results() -> None:
    above, seen = listed_in(contents_of(unfinished_customer()).section("clear"))[TITLE]
    assert above.startswith(NO_OBJECTION)
    said = re.fullmatch(
        r"nothing refused, failed or unreadable \(.*?\), but (\d+) checks could not be evaluated \(S1, see “Findings”\): (.*)",
        seen,
    )
    assert said
    assert int(said[1]) > 40
    assert said[2] == "The session's results document was not requested"


def test_due_diligence_that_is_not_complete_is_not_among_the_checks_without_an_objection() -> None:
    open_, other = (
        (Cell("Completion"), Cell(f"{NOT_COMPLETE}, but see CDD-2")),
        (Cell("Other"), Cell("equal")),
    )
    said = listed_in(clear_section(WithoutObjection([], [other, open_], []), Cell("")))
    assert said["Completion"][0] == "Not complete, which is a finding of another rule:"
    assert said["Other"][0].startswith(NO_OBJECTION)


def test_what_the_record_gives_is_looked_at_also_where_a_session_has_no_results() -> None:
    lives = "Residence in a call-for-action country (CTY-1); Residence in a country under increased monitoring (CTY-2)"
    for lacking, looked_at in (
        ((), f"Age (AGE-1); {lives}"),
        (("dateOfBirth",), lives),
        (("address",), "Age (AGE-1)"),
        (("address", "dateOfBirth"), ""),
    ):
        made = contents_of(unfinished_customer(*lacking))
        said = f"What the customer record gives was looked at and calls for nothing: {looked_at}. Each is not evaluated because"
        assert (said in words_of(made.section("findings"))) == bool(looked_at)
        assert ("calls for nothing" in words_of(made.section("findings"))) == bool(looked_at)
        assert any("Age" in one.titles for one in made.unknowns)
