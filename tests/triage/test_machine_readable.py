"""Machine-readable zones: the specimens of ICAO Doc 9303 are sound, and with any digit changed they are not."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.results.machine_readable import is_sound_zone, lines_of

TD3 = ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10")
TD2 = ("I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6")
TD1 = ("I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<")
MRV_A = ("V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<")
MRV_B = ("V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<")
# Of a number of more than nine characters the rest and its check digit stand further on.
LONG = ("I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2", "STEVENSON<<PETER<JOHN<<<<<<<<<")


@pytest.mark.parametrize("zone", [TD3, TD2, TD1, MRV_A, MRV_B, LONG], ids=["TD3", "TD2", "TD1", "MRV-A", "MRV-B", "long number"])  # fmt: skip
def test_the_specimens_are_sound(zone: tuple[str, ...]) -> None:
    assert lines_of("\n".join(zone)) == zone
    assert is_sound_zone(zone)


@pytest.mark.parametrize(
    ("zone", "line", "places"),
    [(TD3, 1, (9, 19, 27, 42, 43)), (TD2, 1, (9, 19, 27, 35)), (TD1, 0, (14,)), (TD1, 1, (6, 14, 29)), (MRV_A, 1, (9, 19, 27)), (MRV_B, 1, (9, 19, 27)), (LONG, 0, (18,))],
    ids=["TD3", "TD2", "TD1 number", "TD1", "MRV-A", "MRV-B", "long number"],
)  # fmt: skip
def test_with_another_check_digit_they_are_not(
    zone: tuple[str, ...], line: int, places: tuple[int, ...]
) -> None:
    for place in places:
        text = zone[line]
        other = str((int(text[place]) + 1) % 10)
        wrong = [*zone]
        wrong[line] = text[:place] + other + text[place + 1 :]
        assert not is_sound_zone(wrong), place


def test_a_personal_number_without_its_digit_is_not_sound() -> None:
    text = TD3[1]
    assert not is_sound_zone((TD3[0], f"{text[:42]}<{text[43:]}"))
    assert not is_sound_zone((TD3[0], f"{text[:9]}<{text[10:]}"))


@pytest.mark.parametrize(
    "text", ["", "PASSPORT", "SEE<OTHER<PAGE", "P<UTOERIKSSON<<ANNA", f"{TD3[0]}\nof another"]
)
def test_what_is_no_zone_has_no_lines(text: str) -> None:
    assert lines_of(text) == ()


OWN = ("P<GBRBYRON<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", "X1234567<7GBR8512109F3101012<<<<<<<<<<<<<<<2")


def test_lines_that_agree_with_the_document_are_approved() -> None:
    assert is_sound_zone(OWN)
    for members in ({"mrz": [*OWN]}, {"zone": {"line1": OWN[0], "line2": OWN[1]}}, {"mrz": "\n".join(OWN)}):
        results = RESULTS
        for name, value in members.items():
            results = put(f"document.document.{name}", value, results)
        assert level(triage(results=results)) == "approve"


@pytest.mark.parametrize("place", [9, 19, 27, 43])
def test_lines_with_a_wrong_digit_are_a_finding(place: int) -> None:
    text = OWN[1]
    wrong = text[:place] + str((int(text[place]) + 3) % 10) + text[place + 1 :]
    for members in ([OWN[0], wrong], {"line1": OWN[0], "line2": wrong}, [wrong], f"{OWN[0]}\n{wrong}"):
        made = triage(results=put("document.document.mrz", members))
        found = finding(made, "RES-5")
        assert "a machine-readable line whose check digits are wrong" in found["sentence"]
        assert level(made) != "approve"


@pytest.mark.parametrize(
    "line", ["X1234567<7GBR8612102F3101012<<<<<<<<<<<<<<<2", "P<GBRBABBAGE<<ADA<<<<<<<<<<<<<<<<<<<<<<<<<<<"]
)
def test_lines_of_somebody_else_are_never_approved(line: str) -> None:
    for given in ([OWN[0], line], f"{OWN[0]}\n{line}", f"{OWN[0]} {line}"):
        assert level(triage(results=put("document.document.mrz", given))) != "approve"


def test_a_whole_zone_in_one_text_is_held_against_the_document() -> None:
    ends_before = "X1234567<7GBR8512109F2901019<<<<<<<<<<<<<<<4"
    assert is_sound_zone((OWN[0], ends_before))
    made = triage(results=put("document.document.mrz", f"{OWN[0]}\n{ends_before}"))
    assert "another date of expiry" in finding(made, "RES-5")["sentence"]
