"""Known payers are found by their names as banks write them, and nobody else is."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kycpack.assets import asset_names, asset_text
from kycpack.models.enums import SourceType
from kycpack.wealth.prepare.entities import EntityIndex, load_entities
from kycpack.wealth.prepare.listed_entities import read_entities
from kycpack.wealth.prepare.plain_text import to_plain_words

FILES = asset_names("entities")


@pytest.fixture(scope="module")
def index() -> EntityIndex:
    return load_entities()


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_where_it_comes_from_and_when(name: str) -> None:
    document = yaml.safe_load(asset_text(name))
    assert len(document["source"]) > 20
    assert isinstance(document["as_of"], date)
    assert document["groups"]
    for group in document["groups"]:
        assert set(group) <= {"kind", "country", "type", "entities"}
        assert all(len(code) == 2 and code.isupper() for code in group["country"].split())
        assert group.get("type") in {None, *SourceType}


def test_ids_are_unique(index: EntityIndex) -> None:
    ids = [one.id for one in index.entities]
    assert len(ids) > 200
    assert [one for one, count in Counter(ids).items() if count > 1] == []


def test_no_alias_names_two_entities(index: EntityIndex) -> None:
    claims = defaultdict(set)
    written = [(alias, one.entity.id) for one in index.listed for alias in (*one.aliases, *one.whole_only)]
    for (_, entity), plain in zip(written, to_plain_words([alias for alias, _ in written]), strict=True):
        claims[plain].add(entity)
    assert {plain: claimed for plain, claimed in claims.items() if len(claimed) > 1 or not plain} == {}


@pytest.mark.parametrize("is_name", [True, False])
def test_every_alias_names_its_entity(index: EntityIndex, *, is_name: bool) -> None:
    written = [(alias, one.entity) for one in index.listed for alias in (*one.aliases, *one.whole_only)]
    found = index.find_all([alias for alias, _ in written], is_name=is_name)
    wrong = [
        (alias, entity.id, one)
        for (alias, entity), one in zip(written, found, strict=True)
        if one is None or one.id != entity.id
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("BET365", "gambling.bet365"),
        ("bet365 withdrawal 8831", "gambling.bet365"),
        ("32RED", "gambling.32red"),
        ("888SPORT", "gambling.888sport"),
        ("FPS CREDIT COINBASE UK LTD REF ABC", "crypto.coinbase"),
        ("CORAL", "gambling.coral"),
        ("WILLIAMHILL.COM", "gambling.william-hill"),
        ("DRUECKGLUECK", "gambling.druckgluck"),
        ("P.M.U.", "gambling.pmu"),
    ],
)
def test_a_description_names_the_payer_among_channel_words_and_references(
    index: EntityIndex, text: str, entity: str
) -> None:
    found = index.find(text, is_name=False)
    assert found is not None
    assert found.id == entity


@pytest.mark.parametrize("is_name", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "CORAL REEF TOURS",
        "CORAL REEF TOURS LTD",
        "GEMINI CARPENTRY",
        "GEMINI HOLDINGS",
        "BET365 FAN CLUB BAKERY",
        "KRAKEN RUM CO",
        "MR GREEN",
        "COINBASED ART LTD",
        "LADBROKE GROVE DENTAL",
        "JOHN SMITH",
        "",
        "   ",
        "12345",
        "LTD",
    ],
)
def test_another_firm_with_such_a_word_is_nobody_known(
    index: EntityIndex, text: str, *, is_name: bool
) -> None:
    assert index.find(text, is_name=is_name) is None


@given(st.lists(st.text(max_size=40), max_size=20))
def test_any_text_gets_an_answer_and_many_get_the_same_as_each(texts: list[str]) -> None:
    index = load_entities()
    assert index.find_all(texts, is_name=False) == [index.find(text, is_name=False) for text in texts]


def test_case_accents_and_punctuation_change_nothing(index: EntityIndex) -> None:
    names = [alias for one in index.listed for alias in one.aliases]
    plain = index.find_all([name.lower() for name in names], is_name=True)
    assert plain == index.find_all([f"*{name.upper()}." for name in names], is_name=True)


def test_a_longer_alias_wins() -> None:
    listed = read_entities(
        "x.yaml",
        "{as_of: 2026-01-01, groups: [{kind: bank, country: GB, entities: 'Acme'},"
        " {kind: insurer, country: GB, entities: 'Acme Bank'}]}",
    )
    index = EntityIndex(listed, load_entities().words)
    found = index.find("ACME BANK LTD", is_name=False)
    assert found is not None
    assert found.kind == "insurer"


def test_texts_that_differ_by_a_reference_name_whom_each_names_by_itself(index: EntityIndex) -> None:
    beginnings = [
        "TESCO STORES",
        "118118 MONEY",
        "EQUINITI LTD",
        "O'NEILL PATIENT",
        "BÄCKEREI NORD",
        "SKY BET",
        "REED EMPLOYMENT PL",
    ]
    texts = [f"{beginnings[number % 7]} {number:06d}{'ABC' * (number % 2)}" for number in range(70)]
    folded = index.references.fold(texts)
    assert len(set(folded)) == len(beginnings)
    for is_name in (True, False):
        found = index.find_all(folded, is_name=is_name)
        assert found == [index.find(text, is_name=is_name) for text in texts]
        assert any(found)


@pytest.mark.parametrize(
    "text",
    [
        "BARCLAY HOMES",
        "ALDI ROSSI",
        "BOOTS & SADDLE",
        "BOOTS AND SADDLE REFUND",
        "SKYE BETTANY",
        "AVIVA MARTINEZ CLAIM",
        "SCOTTISH WIDOWS ANNUITY FENCERS",
        "RAILPEN PENSION FC ROVERS",
        "AJ BELL SIPP BETTANY",
        "12 YORK SQUARE",
        "NEXT HOTEL",
        "CLARKS BAR",
        "LYDIA PARIS",
        "DAVY DUBLIN",
        "MONSOON RETURN FLIGHTS",
        "WICKES DIV SECRETARY",
        "GATELEY HORNBY",
        "GREGGS MUKHERJEE RETURN",
        "HALIFAX BOATYARD LOAN",
        "PINSENT MASONS AND COLE",
        "EQUINITI CATERING LTD",
        "PAYCOM AVENUE GARAGE",
        "KEYSTONE LAW ACCOUNTANTS",
        "DANBRO EMPLOYMENT HOUSE RESIDENTS",
        "DEEL INC & SONS",
        "SHARE REGISTRARS FC",
        "IRISH LIFE ANNUITY & CREEK",
    ],
)
def test_a_listed_name_with_another_word_is_another_name(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "AVIVA CLAIM J MARTINEZ",
        "SCOTTISH WIDOWS ANNUITY PAID 5512",
        "BONHAMS LOT 77 BRACKET CLOCK",
        "SQUARE PAYOUT 5512",
        "DIRECT LINE HOME CLM 5512",
        "SCREWFIX RETURN 5512",
        "GATELEY COMPLETION 5 ELM ROW",
        "PAYCHEX OAK LODGE DINER PAYROLL",
        "EQUINITI OAK LODGE DIV 5512",
    ],
)
def test_a_listed_name_with_what_it_pays_is_known(text: str) -> None:
    assert load_entities().find(text, is_name=False) is not None


@pytest.mark.parametrize(
    "text",
    ["CMS CHILD MAINT 120034558812", "DWP CMG 4471920", "CHILD MAINTENANCE SERVICE", "CHILD SUPPORT AGENCY"],
)
def test_the_money_of_the_other_parent_is_no_benefit_though_the_state_collects_it(text: str) -> None:
    found = load_entities().find_all([text], is_name=False)[0]
    assert found is not None
    assert (found.kind, found.type) == ("state_benefits", "person_transfer")
