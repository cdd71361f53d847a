"""A name that an authority wrote in Latin letters is the same name; another spelling of it is only similar."""

from __future__ import annotations

from itertools import chain, product

import pytest

from kycpack.triage.likeness import DIFFERENT, EQUAL, SIMILAR, TRANSLITERATION
from kycpack.triage.names.person_names import compare_names


@pytest.mark.parametrize(
    ("written", "latin", "standard"),
    [
        ("Юрій Мельниченко", "YURII MELNYCHENKO", "Ukraine, Cabinet resolution 55 of 2010"),
        ("Згурський Ґалаґан", "Zghurskyi Galagan", "Ukraine, Cabinet resolution 55 of 2010"),
        ("Юлия Щеглова", "Iuliia Shcheglova", "ICAO Doc 9303"),
        ("Святлана Мікалай", "Sviatlana Mikalai", "ICAO Doc 9303"),
        ("Ѓорѓи Ќосев", "Gjorgji Kjosev", "ICAO Doc 9303"),
        ("Мария Щърбева", "Maria Shtarbeva", "Bulgaria, Transliteration Act of 2009"),
        ("Ђорђе Ковачевић", "Đorđe Kovačević", "Serbia, the official Latin alphabet"),
        ("Γεώργιος Παπαδόπουλος", "Georgios Papadopoulos", "Greece, ELOT 743"),
        ("Ευάγγελος Μπουρνάζος", "Evangelos Bournazos", "Greece, ELOT 743"),
        ("Εύα Ευθυμίου", "Eva Efthymiou", "Greece, ELOT 743"),
        ("გიორგი ჭავჭავაძე", "Giorgi Chavchavadze", "Georgia, national system of 2002"),
    ],
)
def test_an_official_romanisation_is_the_same_name(written: str, latin: str, standard: str) -> None:
    for found in (compare_names(written, latin), compare_names(latin, written)):
        assert (found.verdict, found.score, found.kinds) == (EQUAL, 1.0, (TRANSLITERATION,))
        assert found.reason == f"the Latin form is the official romanisation of the other script ({standard})"


@pytest.mark.parametrize(
    ("written", "latin"),
    [
        ("Юрій Мельниченко", "YURII MELNICHENKO"),  # the Russian spelling
        ("Юрій Мельниченко", "Yuriy Melnichenko"),
        ("Юлия Щеглова", "Yulia Shcheglova"),
        ("Юрій Мельниченко", "Melnychenko Yurii"),  # in another order
        ("Юрій Мельниченко", "Yurii Ivanovych Melnychenko"),
        ("Γεώργιος Παπαδόπουλος", "George Papadopoulos"),
    ],
)
def test_another_spelling_is_similar(written: str, latin: str) -> None:
    found = compare_names(written, latin)
    assert (found.verdict, found.score < 1) == (SIMILAR, True)


def test_a_slip_in_an_official_romanisation_is_not_the_same_name() -> None:
    assert compare_names("Юрій Мельниченко", "YURII MELNYCHENKP").verdict != EQUAL
    assert compare_names("\u042eрій Мельниченk\u043e", "YURII MELNYCHENKO").verdict != EQUAL  # with a Latin k


def test_pinyin_fits_several_names() -> None:
    found = compare_names("雨桐 欧阳", "YUTONG OUYANG")
    assert found.verdict == EQUAL
    assert found.reason == "equal by transliteration in pinyin, which fits several names in Chinese script"


def test_a_table_of_another_language_makes_no_name_equal() -> None:
    assert compare_names("Ирина Щукина", "Irina Shtukina").verdict != "equal"
    assert compare_names("Ирина Щукина", "Irina Shchukina").verdict == "equal"


# Invented names in letters that several languages have, each with spellings by the languages that use them.
_GIVEN = {
    "Богдан": ("Bohdan", "Bogdan"),
    "Игорь": ("Ihor", "Igor"),
    "Микита": ("Mykyta", "Mikita"),
    "Юлия": ("Yuliya", "Iuliia", "Julija"),
}
_FAMILY = {
    "Шевчуненко": ("Shevchunenko", "Schewtschunenko", "Szewczunenko"),
    "Гричанок": ("Hrychanok", "Grichanok", "Grychanok"),
    "Хоменчук": ("Khomenchuk", "Homenchuk", "Chomenczuk"),
    "Цуприк": ("Tsupryk", "Cuprik", "Tsuprik"),
    "Ященюк": ("Yashcheniuk", "Iashchenyuk", "Jaschenjuk"),
    "Гордей": ("Hordei", "Gordey", "Hordej"),
}


@pytest.mark.parametrize("given", _GIVEN)
@pytest.mark.parametrize("family", _FAMILY)
def test_every_usual_romanisation_is_another_script_of_the_name_and_no_other_name_is(
    given: str, family: str
) -> None:
    for latin_given, latin_family in product(chain(*_GIVEN.values()), chain(*_FAMILY.values())):
        found = compare_names(f"{given} {family}", f"{latin_given} {latin_family}".upper())
        if latin_given in _GIVEN[given] and latin_family in _FAMILY[family]:
            assert (found.verdict != DIFFERENT, found.kinds) == (True, (TRANSLITERATION,)), found
            assert "script" in found.reason
        else:
            assert found.verdict == DIFFERENT, (latin_given, latin_family)


def test_a_name_that_shows_no_language_is_similar_by_the_table_of_one() -> None:
    found = compare_names("Богдан Шевчуненко", "BOHDAN SHEVCHUNENKO")
    assert (found.verdict, found.kinds) == (SIMILAR, (TRANSLITERATION,))
    assert found.reason == (
        "another script of the same name, by a romanisation of one of the languages that use it (ICAO Doc 9303)"
    )


@pytest.mark.parametrize(
    ("written", "latin"),
    [
        ("Արամ Հակոբյան", "Aram Agopian"),
        ("Ճոռն Ձկունյան", "Jorrn Tsgounian"),
        ("გიორგი ყორღაძე", "Giorgi Korgadze"),
    ],
)
def test_letters_are_read_as_each_language_reads_them(written: str, latin: str) -> None:
    found = compare_names(written, latin)
    assert (found.verdict, found.reason) == (SIMILAR, "the same sounds in another script")


@pytest.mark.parametrize(
    ("written", "latin"),
    [
        ("Богдан Шевчуненко", "BOHDANA SHEVCHUNENKO"),
        ("Богдан Шевчуненко", "BOHDAN SHEVCHENKO"),
        ("Джон Гарин", "JOAN GARIN"),
        ("Մարի Գալուստյան", "Mark Galustyan"),
    ],
)
def test_another_person_stays_another_in_another_script(written: str, latin: str) -> None:
    assert compare_names(written, latin).verdict == DIFFERENT
