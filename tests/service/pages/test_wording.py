"""What people read and see on the pages: nothing ticked that is not done, and other people's accounts are others."""

from __future__ import annotations

import io
import re
from importlib.resources import files

import pytest
from PIL import Image
from tests.service.signed import Caller, finish, new_customer, new_session, ok

from kycpack.service.specimens import draw_document


def test_only_what_is_done_has_a_tick() -> None:
    folder = files("kycpack.service.pages").joinpath("templates")
    for room in ("onboard", "pay", "bank"):
        for page in folder.joinpath(room).iterdir():
            text = page.read_text("utf-8")
            if "tick()" in text:
                assert page.name in {"done.html", "result.html"}, page.name


def test_different_people_have_different_accounts_and_each_the_same_again(call: Caller) -> None:
    def accounts(customer: str) -> set[str]:
        finish(call, new_session(call, customer, options={"ais": {"accounts": True}}))
        items = ok(call("GET", f"/v1/customers/{customer}/bank-accounts"))["items"]
        return {item["accountNumber"] for item in items}

    ann, bo = new_customer(call), new_customer(call)
    assert len(accounts(ann)) == 2
    assert accounts(ann) == accounts(ann)
    assert not accounts(ann) & accounts(bo)


def test_the_mark_of_a_specimen_covers_no_label() -> None:
    lines = ("lastName", "firstName", "dateOfBirth", "nationality", "documentNumber", "expirationDate")
    image = Image.open(io.BytesIO(draw_document(dict.fromkeys(lines, "M" * 44))))
    red = _rows_of_red(image)
    assert red
    assert min(red) > 446  # the last line of the document ends above


def _rows_of_red(image: Image.Image) -> set[int]:
    right = image.convert("RGB").crop((290, 0, image.width, image.height))
    width = right.width
    pixels = right.tobytes()
    return {at // 3 // width for at in range(0, len(pixels), 3) if pixels[at] > 150 and pixels[at + 1] < 130}


@pytest.mark.parametrize("sheet", ["pages/pages.css", "reference/console.css"])
def test_both_stylesheets_know_the_dark_and_name_each_colour_once(sheet: str) -> None:
    css = files("kycpack.service").joinpath(sheet).read_text("utf-8")
    assert "@media (prefers-color-scheme: dark)" in css
    light, dark = css.split("@media (prefers-color-scheme: dark)", 1)
    dark = dark.split("\n}\n", 1)[0]
    names = set(re.findall(r"(--[a-z-]+): #", light))
    assert set(re.findall(r"(--[a-z-]+): #", dark)) >= names - {"--focus", "--on-house", "--on-house-quiet"}
