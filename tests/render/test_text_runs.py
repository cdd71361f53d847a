"""No character of an outside text is lost, and none is obeyed."""

from __future__ import annotations

import io
import re
import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pypdf import PdfReader

from kycpack.render import typefaces
from kycpack.render.document_parts import Paragraph
from kycpack.render.memo import Memo, render_memo_pdf
from kycpack.render.text_runs import Run, fitted, lines, runs, unprintable, visible, width_of
from kycpack.render.typefaces import Face, advances_of, face_path

TEXTS = st.text(max_size=60)
_MARK = re.compile(r"<U\+([0-9A-F]{4,6})>")


@given(TEXTS)
def test_every_character_of_every_run_is_in_the_face_it_is_set_in(text: str) -> None:
    for run in runs(text, Face.SANS):
        assert all(ord(character) in advances_of(run.face) for character in run.text)


@given(TEXTS)
def test_runs_hold_the_whole_text_with_marks_for_what_no_face_has(text: str) -> None:
    set_text = "".join(run.text for run in runs(text, Face.SANS))
    for character in unicodedata.normalize("NFC", text):
        shown = visible(character)
        assert shown in set_text or f"<U+{ord(character):04X}>" in set_text


@given(TEXTS, st.floats(min_value=30, max_value=300))
def test_breaking_lines_loses_nothing_but_spaces(text: str, width: float) -> None:
    """Beside a letter from right to left a character may stand as its code, and alone as itself."""
    broken = "".join(run.text for line in lines(text, Face.SANS, 8, width) for run in line)
    whole = "".join(run.text for run in runs(text, Face.SANS))
    shown = (_MARK.sub(lambda mark: chr(int(mark[1], 16)), one).replace(" ", "") for one in (broken, whole))
    assert len({*shown}) == 1


@given(TEXTS, st.floats(min_value=60, max_value=300))
@example("00 \x1f؟", 60.0)  # and the words before it, too
@example("\x1f؛\x1f", 60.0)  # one letter from right to left sets the marks beside it in its face
@example("\U0001d1b9\U0001d165", 60.0)  # a combining sign that no face has is set as its code
def test_lines_of_one_face_are_no_wider_than_they_may_be(text: str, width: float) -> None:
    for line in lines(text, Face.SANS, 8, width):
        assert width_of(line, 8) <= width or sum(len(run.text) for run in line) <= len("<U+10FFFF>")


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200f", "\x00", "\x1b", "\u200b", "\ud800"])
def test_control_and_override_characters_are_shown_not_obeyed(character: str) -> None:
    assert visible(f"a{character}b") == f"a<U+{ord(character):04X}>b"


def test_a_character_that_no_face_has_becomes_a_mark_and_is_listed() -> None:
    assert "".join(run.text for run in runs("ꦲ Wang", Face.SANS)) == "<U+A9B2> Wang"
    assert unprintable(["ꦲ Wang", "ꦲ"]) == ("U+A9B2 JAVANESE LETTER HA",)


def test_a_name_in_han_is_set_where_the_font_is_installed_and_marked_where_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if face_path(Face.HAN) is not None:
        assert [run.face for run in runs("王 Wang", Face.SANS)] == [Face.HAN, Face.SANS]
        assert unprintable(["王"]) == ()
    monkeypatch.setitem(typefaces._OPTIONAL, Face.HAN, ("a_package_that_nobody_has", "font.otf"))
    advances_of.cache_clear()
    runs.cache_clear()
    assert "".join(run.text for run in runs("王 Wang", Face.SANS)) == "<U+738B> Wang"
    assert unprintable(["王 Wang", "王"]) == ("U+738B CJK UNIFIED IDEOGRAPH-738B",)
    advances_of.cache_clear()
    runs.cache_clear()


@pytest.mark.parametrize(
    "name", ["Żółć", "Ковалёва", "Παπαδόπουλος", "Nguyễn Thị", "محمد علي", "דוד", "Ævar Þór"]
)
def test_names_of_these_scripts_are_set_without_marks(name: str) -> None:
    assert not any(run.mark for run in runs(name, Face.STRONG))
    assert unprintable([name]) == ()


def test_arabic_stays_in_one_run_so_that_its_letters_can_be_joined() -> None:
    (run,) = runs("محمد علي", Face.SANS)
    assert run.shaped


def test_only_the_letters_from_right_to_left_leave_the_face_of_their_line() -> None:
    name = "يوسف بن عمر"
    line = runs(f"“{name}” on the record, “YOUSSEF” (E-01)", Face.STRONG, from_left=True)
    assert [(run.text, run.face, run.shaped) for run in line] == [
        ("“", Face.STRONG, False),
        (name, Face.WIDE_STRONG, True),
        ("” on the record, “YOUSSEF” (E-01)", Face.STRONG, False),
    ]


def test_a_line_from_right_to_left_has_its_parts_in_the_order_in_which_they_stand() -> None:
    line = runs("דוד 123 (Ltd) אב", Face.SANS)
    assert [run.text for run in line] == [") אב", "Ltd", " (", "123", "דוד "]
    assert [run.face for run in line if run.text.isascii() and run.text.isalnum()] == [Face.SANS] * 2
    assert "".join(run.text for run in runs("محمد ١٢٣ علي", Face.SANS)) == " علي١٢٣محمد "


def test_joined_letters_are_as_wide_as_they_are_set() -> None:
    (run,) = runs("شركة الكويت", Face.SANS)
    assert run.width(10) == width_of([run], 10)
    assert run.width(10) < sum(Run(letter, run.face).width(10) for letter in run.text)


def test_each_line_of_a_sentence_reads_from_the_left_even_if_it_begins_with_an_arabic_name() -> None:
    sentence = "6 credits from شركة الكويت القابضة للاستثمار, quarterly; median 1.00 GBP"
    broken = lines(sentence, Face.SANS, 8, 90)
    (mixed,) = (line for line in broken if "؀" <= line[0].text[0] <= "ۿ" and len(line) > 1)
    assert mixed[-1].text.isascii()
    name = "محمد علي van der Berg"
    (line,) = lines(name, Face.SANS, 8, 200)
    assert line[0].text == "van der Berg"


def test_a_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    line = fitted("Severn Marine Engineering Limited", Face.SANS, 8, 60)
    assert "".join(run.text for run in line).endswith("…")
    assert width_of(line, 8) <= 60


@pytest.mark.parametrize(("name", "face"), [("श्रीमती लक्ष्मी", Face.DEVANAGARI), ("สมชาย ใจดี", Face.THAI)])
def test_a_name_in_devanagari_or_thai_is_one_shaped_run_no_wider_than_it_is_set(
    name: str, face: Face
) -> None:
    if face_path(face) is None:
        pytest.skip("the extra `fonts` is not installed")
    (run,) = runs(name, Face.STRONG)
    assert (run.face, run.shaped) == (face, True)
    assert 0 < run.width(10) < sum(advances_of(face)[ord(c)] for c in name) * 10 / 1000 + 0.01
    assert unprintable([name]) == ()


def test_a_smiling_face_is_shown() -> None:
    assert not any(run.mark for run in runs("Sam 😀", Face.SANS))


@pytest.mark.parametrize("text", ["🏠🎉", "🤖 rent", "💸", "🇬🇧"])
def test_emoji_are_shown_by_the_face_of_the_extra(text: str) -> None:
    if face_path(Face.EMOJI) is None:
        pytest.skip("the extra `fonts` is not installed")
    set_ = runs(text, Face.SANS)
    assert {run.face for run in set_} & {Face.EMOJI}
    assert not any(run.mark for run in set_)
    assert unprintable([text]) == ()


_FAMILY, _ENGLAND = "👨\u200d👩\u200d👧", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "😀",
        "👩\u200d👧",
        _FAMILY,
        "❤\ufe0f",
        "🏠🎉",
        "🇬🇧",
        _ENGLAND,
        "👍🏽",
        "🏳\ufe0f\u200d🌈",
        "1\ufe0f\u20e3",
        "🤖 rent",
    ],
)
def test_an_emoji_is_set_or_marked_and_named_but_never_dropped(text: str) -> None:
    """One that is joined of several is one picture where the face has it, and else its parts with a mark for what joins them."""
    set_ = runs(text, Face.SANS)
    shown = "".join(run.text for run in set_)
    marked = {name.partition(" ")[0] for name in unprintable([text])}
    for character in text:
        code = f"U+{ord(character):04X}"
        assert character in shown or f"<{code}>" in shown
        if f"<{code}>" in shown and unicodedata.category(character) != "Cf":
            assert code in marked


@pytest.mark.parametrize(
    "text",
    [
        _FAMILY,
        "👍🏽",
        "🇬🇧",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "🏴\u200d☠\ufe0f",
        "👩🏽\u200d⚕\ufe0f",
        "🏳\ufe0f\u200d🌈",
    ],
)
def test_emoji_that_are_joined_are_one_picture(text: str) -> None:
    if face_path(Face.EMOJI) is None:
        pytest.skip("the extra `fonts` is not installed")
    before, joined, after = runs(f"Rent {text} 12", Face.SANS)
    assert (before.text, after.text) == ("Rent ", " 12")
    assert (joined.text, joined.face, joined.shaped) == (text, Face.EMOJI, True)
    assert joined.width(10) <= 1.3 * runs("🏠", Face.SANS)[0].width(10)
    assert width_of(runs(text * 3, Face.SANS), 10) == pytest.approx(3 * joined.width(10))


def test_a_line_never_breaks_inside_a_picture() -> None:
    if face_path(Face.EMOJI) is None:
        pytest.skip("the extra `fonts` is not installed")
    broken = lines(_FAMILY * 9, Face.SANS, 10, 40)
    assert len(broken) > 2
    assert {run.text.replace(_FAMILY, "") for line in broken for run in line} == {""}


def test_what_joins_no_emoji_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("a\u200db", "\u200d👩", "👩\u200d", "👩\u200db"):
        assert [run.text for run in runs(text, Face.SANS) if run.mark] == ["<U+200D>"]
    monkeypatch.setitem(typefaces._OPTIONAL, Face.EMOJI, ("a_package_that_nobody_has", "font.ttf"))
    advances_of.cache_clear()
    runs.cache_clear()
    assert "<U+200D>" in "".join(run.text for run in runs(_FAMILY, Face.SANS))
    advances_of.cache_clear()
    runs.cache_clear()


def test_a_picture_of_several_emoji_is_read_from_the_document_as_they_came() -> None:
    if face_path(Face.EMOJI) is None:
        pytest.skip("the extra `fonts` is not installed")
    made = render_memo_pdf(
        Memo("Emoji", datetime(2026, 1, 1, tzinfo=UTC), (), (Paragraph(f"Rent {_FAMILY} 12"),), ())
    )
    assert f"Rent {_FAMILY} 12" in PdfReader(io.BytesIO(made)).pages[0].extract_text()


UUID, HASH = "6d2e7045-e484-4909-8e77-936318a14d20", "4526eddb19307a80" * 4


@pytest.mark.parametrize(
    ("text", "width", "broken"),
    [
        (f"GET /v1/sessions/S1/media/{UUID}", 150, ["GET /v1/sessions/S1/media/", UUID]),
        (f"as request {UUID}", 80, ["as request", UUID[:24], UUID[24:]]),
        ("by rule OUT-document", 60, ["by rule", "OUT-document"]),
        ("customer cus_7Q2Mab4X", 70, ["customer", "cus_7Q2Mab4X"]),
        (HASH, 150, [HASH[:40], HASH[40:]]),
    ],
)
def test_an_id_is_broken_only_where_it_is_wider_than_a_line_and_then_at_its_separators(
    text: str, width: float, broken: list[str]
) -> None:
    assert ["".join(run.text for run in line) for line in lines(text, Face.SANS, 7, width)] == broken


_NAMES = ("प्रिया देशमुखे", "ปิยะ สุขใจ", "丽华 司徒", "Δημήτρης", "Юлия", "محمد", "Priya")


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("width", [90.0, 240.0, 420.0, 480.0])
def test_lines_with_names_in_several_scripts_are_no_wider_than_they_may_be(name: str, width: float) -> None:
    said = f"Another spelling of the same sounds: “{name}” on the record, “Priya Deshmukhe” on the bank accounts A1, A2 and A3 (E-01, E-05, E-20)"
    assert all(width_of(line, 7.0) <= width + 0.01 for line in lines(said, Face.SANS, 7.0, width))


@pytest.mark.parametrize("name", _NAMES[:2])
def test_latin_words_after_a_shaped_name_keep_their_face(name: str) -> None:
    *_, last = runs(f"“{name}” on the record", Face.SANS)
    assert last == (runs("” on the record", Face.SANS)[0])
