"""What the demo's people decide is borne out by what was found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kycpack.cli.demo_cases import choose_cases, escalation_code, rejection_code


def case(level: str, *rules: str) -> Any:
    return SimpleNamespace(level=level, findings=[SimpleNamespace(rule_id=rule) for rule in rules])


NAMES = case("review", "CON-1")
COUNT = case("review", "SCR-1")
FORGED = case("reject", "OUT-document", "DOC-2")
TERROR = case("reject", "OUT-document", "SAN-2")


@pytest.mark.parametrize("waiting", [[NAMES, COUNT, TERROR, FORGED], [COUNT, NAMES, FORGED, TERROR]])
def test_a_match_is_suspected_where_one_was_reported_and_an_identity_doubted_where_it_differs(
    waiting: list[Any],
) -> None:
    alone, waits, decided = choose_cases(waiting)
    assert (alone, waits, decided) == (NAMES, COUNT, TERROR)
    assert (rejection_code(alone), escalation_code(decided)) == ("NOT-VERIFIED", "SUSPECTED-MATCH")


def test_without_a_match_or_a_doubt_about_the_person_the_reasons_say_neither() -> None:
    alone, waits, decided = choose_cases([COUNT, case("edd", "WLT-1"), FORGED])
    assert len({id(one) for one in (alone, waits, decided)}) == 3
    assert (rejection_code(alone), escalation_code(decided)) == ("OUTSIDE-APPETITE", "PRECAUTION")
