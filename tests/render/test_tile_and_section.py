"""The strip of page one, the sections and the annex use one word for the state of a check, for every invented customer."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from tests.render.specimen_review import contents_of, with_body
from tests.triage.invented_customers import evidence

from kycpack.evidence import Evidence
from kycpack.render import ReviewContents
from kycpack.render.document_parts import Facts, Section, Table
from kycpack.render.html_sections import block_markup
from kycpack.render.palette import Tone
from kycpack.render.review.html import render_summary_html
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios

AS_OF = date(2026, 6, 30)
PLANS = generate(24, 1, AS_OF).customers
UNLIKE = 7
DENIED = {
    "progress": {
        "identity": {"completed": True, "confirmed": False, "completedAt": "2026-05-02T09:00:00.000Z"}
    }
}
OF_PART = {
    "Document": ("Document check",),
    "Address": ("Address check", "Age of the proof of address"),
    "Identity": ("Identity check", "Completion of the identity check"),
    "Screening": ("Screening",),
}
"""The checks of a part that are not counted as clear only where its tile is not green."""
WHOLE = {
    "Document": "Document check",
    "Address": "Address check",
    "Identity": "Identity check",
    "Screening": "Screening",
}


def tables(section: Section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)]


def column(table: Table, title: str) -> list[str]:
    titles = [one.title for one in table.columns]
    return [row[titles.index(title)].text for row in table.rows] if title in titles else []


def annex(contents: ReviewContents) -> list[dict[str, str]]:
    return [
        {row[at].text: row[at + 1].text for row in one.rows for at in range(0, len(row), 2) if row[at].text}
        for one in tables(contents.section("clear"))
    ]


def hold(contents: ReviewContents) -> None:
    """Hold tile and section to one another."""
    strip = dict(contents.strip)
    for cell in strip.values():
        if cell.tone in {Tone.ALARM, Tone.WATCH}:
            assert not cell.text.startswith(("Clear", "No red flag", "Supported"))
    (states,) = [one for one in tables(contents.section("results")) if column(one, "Identity")]
    for part in WHOLE:
        assert strip[part].text in column(states, part)
        assert (strip[part].tone == Tone.GOOD) == all(
            row[[one.title for one in states.columns].index(part)].tone == Tone.GOOD for row in states.rows
        )
    assert strip["Screening"].text in column(tables(contents.section("screening"))[0], "State")
    for key, part in (("flags", "Bank"), ("payments", "Payment")):
        first = contents.section(key).blocks[0]
        assert isinstance(first, Facts)
        assert first.pairs[0][1] is strip[part]
    clear, *others = annex(contents)
    for part, check in WHOLE.items():
        assert (clear.get(check) == "clear") == (strip[part].tone == Tone.GOOD), (part, strip[part].text)
        not_covered = re.search("name used|not seen|date of proof", strip[part].text)
        assert not (not_covered and (strip[part].tone == Tone.GOOD or strip[part].text.startswith("Clear,")))
        if strip[part].tone == Tone.GOOD:
            assert not any(check in one for one in others for check in OF_PART[part])
        said = [one[check] for one in others if check in one]
        if strip[part].text.startswith("Not confirmed") or "See findings" in strip[part].text:
            assert any(strip[part].text in one for one in said)
    if strip["Identity"].text.startswith("Not confirmed"):
        assert not {"complete", "completed", "clear"} & {
            words for check, words in clear.items() if "dentity" in check or "due diligence" in check
        }
    page = unescape(render_summary_html(contents))
    shown = re.findall(r'kp-eyebrow">(\w+)</p><p class="kp-word">([^<]*)<', page)
    assert dict(shown) == {part: cell.text for part, cell in strip.items()}
    for key in ("results", "screening"):
        markup = unescape("".join(map(block_markup, contents.section(key).blocks)))
        assert strip["Screening"].text in re.sub("<[^>]*>", " ", markup)


def review(plan: Any, **changes: Any) -> ReviewContents:
    return contents_of(changed(evidence(plan), **changes))


def changed(made: Evidence, status: Any = None) -> Evidence:
    return made if status is None else with_body(made, "onboarding.get", status)


@pytest.mark.parametrize("plan", PLANS, ids=[str(place) for place in range(len(PLANS))])
def test_tile_and_section_say_the_same(plan: Any) -> None:
    hold(review(plan))


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_tile_and_annex_agree_for_every_kind_of_customer_of_the_demonstration(kind: str) -> None:
    (plan,) = generate(1, 7, AS_OF, history_days=120, scenario=kind).customers
    contents = contents_of(evidence(plan, with_statement=True))
    hold(contents)
    address = dict(contents.strip)["Address"]
    if "in part different" in address.text.lower():
        assert (address.text, address.tone) == (
            "In part different, date of proof not shown",
            Tone.UNKNOWN,
        )


@pytest.mark.parametrize("place", [0, 3, 4, 5, 7, 9, 11])
def test_tile_and_section_say_the_same_of_an_identity_that_is_not_confirmed(place: int) -> None:
    contents = review(PLANS[place], status=DENIED)
    if dict(contents.strip)["Identity"].text == "Not confirmed":
        (why,) = [one for one in contents.reasons if one.rule_id == "SES-2"]
        assert (
            "as not confirmed, although the provider's outcome of the identity check is clear (E-" in why.text
        )
    # One of them has an identity document in another name.
    unlike = ", name does not match" if place == UNLIKE else ""
    assert dict(contents.strip)["Identity"].text == f"Not confirmed{unlike}"
    sessions, states, *_ = tables(contents.section("results"))
    (entry,) = column(sessions, "Evidence")
    assert entry in column(states, "Evidence")[0].split(", ")
    hold(contents)


@pytest.mark.parametrize("place", [0, 3, 10])
def test_tile_and_section_say_the_same_where_an_earlier_session_expired(place: int) -> None:
    contents = contents_of(evidence(PLANS[place], with_expired=True))
    strip = dict(contents.strip)
    (states,) = [one for one in tables(contents.section("results")) if column(one, "Identity")]
    assert all(strip[part].text in column(states, part) for part in WHOLE)
