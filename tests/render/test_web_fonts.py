"""Letters that many machines have no font for are inside the page, and nothing else is."""

from __future__ import annotations

import io
import re
from base64 import b64decode

import pytest
from fontTools.ttLib import TTFont

from kycpack.render.html_pages import render_review_html
from kycpack.render.style import NOTEBOOK_STYLE, REPORT_STYLE
from kycpack.render.web_fonts import FAMILY, font_rules

NAMES = ("राजेश अग्रवालिया", "สมชาย ใจดี", "山田太郎", "김철수")
_RULE = re.compile(
    r"@font-face\{font-family:'([^']+)';src:url\(data:font/ttf;base64,([^)]+)\);unicode-range:([^}]+)\}"
)


def page(text: str) -> str:
    notebook = {"cells": [{"cell_type": "markdown", "source": f"# Review\n{text}"}]}
    return render_review_html(notebook, title="Customer review")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_holds_the_letters_of_a_name_and_may_use_no_other_font(name: str) -> None:
    made = page(name)
    rules = _RULE.findall(made)
    shown: set[int] = set()
    for family, letters, places in rules:
        assert family == FAMILY
        with TTFont(io.BytesIO(b64decode(letters))) as font:
            held = {int(place.removeprefix("U+"), 16) for place in places.split(",")}
            assert held <= font.getBestCmap().keys()
            assert "fvar" not in font
        shown |= held
    assert shown == {ord(letter) for letter in name if letter != " "}
    assert made.count("font-src data:") == 1
    assert "default-src &#39;none&#39;" in made


@pytest.mark.parametrize("text", ["Ümit Şahinbaş", "Иван Петров", "Ελένη", "مريم", "O'Brien", "\ue000"])
def test_a_page_in_other_scripts_is_as_it_was(text: str) -> None:
    assert "@font-face" not in page(text)
    assert "font-src" not in page(text)


def test_letters_that_come_in_clusters_keep_their_joiner_and_their_rules() -> None:
    ((_, letters, places),) = _RULE.findall(font_rules("क्‍ष"))
    with TTFont(io.BytesIO(b64decode(letters))) as font:
        assert 0x200D in font.getBestCmap()
        assert "GSUB" in font
    assert "U+915" in places


def test_every_list_of_fonts_names_the_letters_in_the_page() -> None:
    lists = re.findall(r"[^;{]*(?:sans-)?serif\b", NOTEBOOK_STYLE + REPORT_STYLE)
    assert lists
    assert all(FAMILY in one for one in lists)
