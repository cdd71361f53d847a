"""Every reader of a text takes the same brackets for citations of the evidence."""

from __future__ import annotations

import pytest

from kycpack.batch.run_summary import kind_of
from kycpack.evidence.citations import CITATION, CITED_AT_END, cited_at_end
from kycpack.triage.customers.changes import without_evidence


@pytest.mark.parametrize("cited", ["E-02", "R-01, M-03", "E-07 to E-15, E-17", "E-100000"])
def test_ids_in_brackets_are_a_citation_wherever_they_are_read(cited: str) -> None:
    said = f"Not complete ({cited})"
    assert CITATION.sub("", said) == CITED_AT_END.sub("", said) == kind_of(said) == "Not complete"
    assert without_evidence(f"{said}; Late ({cited})") == {"Not complete", "Late"}


@pytest.mark.parametrize("kept", ["(SES-2)", "(WLT-1, E-02)", "(E-2)", "(E-02, )"])
def test_other_brackets_are_no_citation_anywhere(kept: str) -> None:
    """Neither the codes of rules nor what another pack numbers is evidence of this one."""
    said = f"Not complete {kept}"
    assert CITATION.sub("", said) == CITED_AT_END.sub("", said) == kind_of(said) == said
    assert without_evidence(said) == {said}


@pytest.mark.parametrize(
    "of_one",
    [
        "(11b3ce5e-E-06)",
        "(11b3ce5e-E-01, 11b3ce5e-E-06)",
        "(S1, E-02)",
        "(S1) (E-02 to E-04)",
        "(S1, S2)",
    ],
)
def test_a_kind_of_reason_names_neither_another_run_nor_sessions(of_one: str) -> None:
    assert kind_of(f"Not complete {of_one}") == "Not complete"


def test_the_evidence_of_another_run_is_no_citation_of_this_one() -> None:
    said = "Not complete (5b1c2d3e-E-02)"
    assert CITATION.sub("", said) == CITED_AT_END.sub("", said) == said
    assert without_evidence(said) == {said}


def test_the_ids_that_a_text_cites_at_its_end_are_each_of_a_range() -> None:
    assert cited_at_end("Held (E-03) before (E-08 to E-10, R-01).") == ["E-08", "E-09", "E-10", "R-01"]
    assert cited_at_end("Held before (E-03) the first") == []
