"""What a person reads in a review holds no name of a member, a rule's path or a column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

import kycpack as kp
from kycpack.cli.service.wire_target import WireTarget
from kycpack.evidence import Evidence, sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack.compute.review import Review, build_review
from kycpack.render import render_summary_html, section_markup
from kycpack.service.embedded import EmbeddedService
from kycpack.service.loader import load
from kycpack.synthetic import generate
from kycpack.workspace import Register, Workspace

# The scenarios come in turn: so many are each of them once, as in the demo.
CUSTOMERS = 12
RAW = re.compile(
    r"(?<![\w/.@-])(?:[A-Za-z]\w*\.)+[a-z]\w*(?![\w@/])"  # wealth.flags.crypto
    r"|(?<![\w/])[a-z]+(?:_[a-z]+)+(?!\w)"  # list_date_not_visible
    r"|(?<!\w)[a-z]+(?:[A-Z][a-z]+)+(?!\w)"  # adverseMedia
)
SOURCES = {"legislation.gov.uk"}  # where a text of law was read
QUOTED = re.compile(r"'[^']*'|“[^”]*”")  # what the service sent, given as it came
STRANGE = {
    "deepfakeVerdict": "forged_by_hand",
    "new_section": {"inner_part": {"tamperVerdict": "not_fine"}},
    "document": {"contentAnalysis": {"imageIntegrity": "SUSPECTED_FAKE", "data_integrity": "attention"}},
    "screening": {"matchCount": "too_many", "summary": {"watchlist": {"sanctionsLists": "perhaps_later"}}},
}


class Words(HTMLParser):
    """The texts of a page, and the words that stand for its pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in {"alt", "title", "aria-label"} and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def raw_in(review: Review) -> dict[str, str]:
    """Return each raw name that a review shows, with the text that it stands in."""
    words = Words()
    words.feed(render_summary_html(review.contents))
    for section in review.contents.sections:
        words.feed(f"<p>{section.title}</p>{section_markup(section)}")
    words.feed(review.counts.html)
    ids = {one for entry in review.evidence.entries for one in entry.subject.values()}
    return {
        found: text
        for text in words.texts
        for found in RAW.findall(QUOTED.sub("", text))
        if found not in ids | SOURCES
    }


def collected(folder: Path) -> Iterator[Evidence]:
    made = generate(CUSTOMERS, seed=1, as_of=datetime.now(UTC).date(), history_days=220)
    with (
        EmbeddedService() as service,
        Workspace.open(folder / "workspace.db") as workspace,
        kp.Client(service.base_url, key_id=service.key_id, secret=service.secret) as client,
    ):
        register = Register(workspace)
        given = {"key_id": service.key_id, "secret": service.secret, "recorder": register}
        with WireTarget(service.base_url, service.control_url, **given) as target:
            ids = load(made, target)
        for one in ids.values():
            known = register.known(one.customer_id)
            yield kp.collect(client, one.customer_id, known=known, media=False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hit: wealth.flags.crypto = review", ["wealth.flags.crypto"]),
        ("adverseMedia is 'clear'", ["adverseMedia"]),
        ("sanctions: list_date_not_visible.", ["list_date_not_visible"]),
        ("GET /v1/onboard-sessions/S1/results?format=pdf of 2.50 GBP (E-03). See review.", []),
    ],
)
def test_a_raw_name_is_told_from_words(text: str, found: list[str]) -> None:
    assert RAW.findall(text) == found


def test_no_review_of_the_demo_shows_a_raw_name(tmp_path: Path) -> None:
    shown: dict[str, str] = {}
    for evidence in collected(tmp_path):
        shown |= raw_in(build_review(evidence, as_of=datetime.now(UTC)))
    assert shown == {}


def test_results_that_nobody_foresaw_are_shown_in_words(specimen: Evidence) -> None:
    entry = specimen.select("onboarding.results")[0]
    body = canonical_json(parse_json(specimen.body(entry.id)) | STRANGE)
    changed = replace(entry, sha256=sha256_hex(body), bytes=len(body))
    entries = tuple(changed if one.id == entry.id else one for one in specimen.entries)
    evidence = Evidence(specimen.customer_id, entries, {**specimen.bodies, entry.id: body})
    assert raw_in(build_review(evidence, as_of="2026-06-30T12:00:00Z")) == {}
