from __future__ import annotations

import pytest
from tests.evaluate.blind import guilty, innocent
from tests.evaluate.blind.load import FOLDER, Case, cases, table
from tests.evaluate.blind.patterns import variants

from kycpack.frames.schema import conform

TYPES = {
    *[
        "employment",
        "self_employment",
        "business_income",
        "pension",
        "state_benefit",
        "rental_income",
        "investment_income",
    ],
    *[
        "interest",
        "property_sale",
        "asset_sale",
        "business_sale",
        "inheritance",
        "gift",
        "settlement",
        "gambling",
        "crypto",
        "savings",
    ],
    *["loan", "tax_refund", "cash_deposit", "person_transfer", "other", "cannot_tell"],
}
DISPOSITIONS = {"stream", "own_transfer", "refund", "one_off", "small_other", "unexplained"}
CADENCES = {
    *[
        "weekly",
        "fortnightly",
        "four_weekly",
        "semi_monthly",
        "monthly",
        "quarterly",
        "semi_annual",
        "annual",
        "irregular",
    ],
}
PAYERS = {"person", "firm", "state", "own", "unknown"}
COUNTRIES = {"GB", "IE", "DE", "FR", "US"}
KINDS = {
    *[
        "bank",
        "benefits_office",
        "pension_provider",
        "large_employer",
        "payroll_bureau",
        "gig_platform",
        "cash_advance",
    ],
    *["gambling", "crypto", "retailer", "insurer", "university", "tax_office"],
}
FIELDS = {
    *[
        "disposition",
        "type",
        "stream_type",
        "cadence",
        "next_on",
        "status",
        "confidence",
        "median",
        "stream_total",
        "streams",
    ],
    *[
        "same_stream_as",
        "separate_from",
        "paired",
        "set_aside",
        "counted_total",
        "counted_total_or_low",
        "flag",
        "sufficient",
    ],
    *[
        "not_counted_as_nature_known",
        "next_after_last",
        "change_said",
        "amounts_said_stable",
        "feed_hole_said",
        "joint_said",
    ],
}
CASES = cases()


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        ("texts", 600),
        ("payers", 300),
        ("lookalikes", 300),
        ("names_people", 900),
        ("names_companies", 300),
        ("addresses", 200),
    ],
)
def test_a_table_is_large_enough_and_repeats_nothing(name: str, at_least: int) -> None:
    rows = table(name)
    assert len(rows) >= at_least
    assert rows["id"].is_unique
    truth = {"split", "id"}
    assert not rows.duplicated([column for column in rows if column not in truth]).any()


def test_texts_use_the_allowed_words_alone() -> None:
    rows = table("texts")
    assert set(rows["type"]) <= TYPES
    assert {word for cell in rows["type_also"] for word in cell.split()} <= TYPES
    assert {word for cell in rows["payer_also"] for word in cell.split()} | set(rows["payer"]) <= PAYERS
    assert set(rows["class"]) == {"ordinary", "tricky", "laundering"}
    assert set(rows["country"]) == COUNTRIES
    assert set(rows["disposition"]) <= DISPOSITIONS | {""}
    assert (
        rows["amount"].str.fullmatch(r"[0-9]+\.[0-9]{2}") & rows["count"].str.fullmatch("[1-9][0-9]*")
    ).all()
    assert ((rows["count"] == "1") == (rows["months_apart"] == "0")).all()


def test_no_text_says_what_its_truth_repeats_as_an_alternative() -> None:
    rows = table("texts")
    assert not any(one in also.split() for one, also in zip(rows["type"], rows["type_also"], strict=True))


def test_the_unlabelled_texts_are_the_texts_without_their_truth() -> None:
    labelled, unlabelled = table("texts"), table("texts_unlabelled")
    assert list(unlabelled.columns) == list(labelled.columns[: len(unlabelled.columns)])
    assert unlabelled.equals(labelled[unlabelled.columns])
    assert not set(unlabelled.columns) & {"type", "type_also", "payer", "payer_also", "class", "disposition"}


def test_payers_and_lookalikes_use_the_allowed_kinds_and_share_no_text() -> None:
    payers, lookalikes = table("payers"), table("lookalikes")
    assert set(payers["kind"]) == KINDS
    assert set(lookalikes["must_not_be"]) <= KINDS
    assert set(payers["country"]) | set(lookalikes["country"]) == COUNTRIES
    assert not set(payers["text"]) & set(lookalikes["text"])


@pytest.mark.parametrize("name", ["names_people", "names_companies", "addresses"])
def test_pairs_are_split_by_their_first_side_a_third_for_development(name: str) -> None:
    rows = table(name)
    assert set(rows["split"]) == {"dev", "test"}
    assert 0.28 <= (rows["split"] == "dev").mean() <= 0.40
    assert (rows.groupby("a")["split"].nunique() == 1).all()


def test_truth_of_pairs_is_one_of_its_words() -> None:
    assert set(table("names_people")["same"]) == set(table("names_companies")["same"]) == {"0", "1"}
    assert set(table("addresses")["truth"]) == {"same", "different", "similar"}


def test_cases_are_enough_and_their_ids_are_unique() -> None:
    assert len(CASES) >= 60
    assert len({case.case_id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.case_id for case in CASES])
def test_a_case_is_in_the_normal_form_and_asks_only_about_what_it_has(case: Case) -> None:
    frame = conform("transactions", case.transactions)
    assert frame["booked_on"].max().date() <= case.as_of
    assert set(frame["account_id"]) <= set(case.accounts["account_id"])
    wanted = case.raw["must"] + case.raw["must_not"]
    labels = set(case.labels.values())
    assert case.raw["must"]
    assert {entry["of"] for entry in wanted} <= labels | {"*"}
    assert {entry["field"] for entry in wanted} <= FIELDS
    words = {"type": TYPES, "stream_type": TYPES, "disposition": DISPOSITIONS, "cadence": CADENCES}
    for entry in wanted:
        assert set(entry["in"]) <= words.get(entry["field"], set(entry["in"]))
        if entry["field"] in {"same_stream_as", "separate_from"}:
            assert set(entry["in"]) <= labels
    contradictions = [
        (must, never)
        for must in case.raw["must"]
        for never in case.raw["must_not"]
        if (must["of"], must["field"]) == (never["of"], never["field"])
        and set(must["in"]) <= set(never["in"])
    ]
    assert not contradictions


def test_patterns_are_many_and_each_has_its_variants() -> None:
    made = [(kind, is_guilty) for kind, is_guilty, _, _ in variants(11)]
    assert len(guilty.PATTERNS) >= 18
    assert len(innocent.PATTERNS) >= 16
    assert all(made.count(one) == 6 for one in set(made))
    assert len(set(made)) == len(guilty.PATTERNS) + len(innocent.PATTERNS)


def test_one_seed_gives_the_same_frames_and_another_seed_others() -> None:
    first, again, other = (list(variants(seed, per_kind=1)) for seed in (3, 3, 4))
    for one, two, three in zip(first, again, other, strict=True):
        assert one[:2] == two[:2] == three[:2]
        assert one[2].equals(two[2])
        assert one[3].equals(two[3])
        assert not one[2].equals(three[2])


def test_variants_are_in_the_normal_form_and_do_not_name_their_kind() -> None:
    for kind, _, transactions, accounts in variants(5, per_kind=2):
        frame = conform("transactions", transactions)
        conform("accounts", accounts)
        assert len(frame) > 100
        assert set(frame["account_id"]) <= set(accounts["account_id"])
        assert kind not in frame["customer_id"].iloc[0]


def test_the_data_sheet_is_there() -> None:
    sheet = (FOLDER / "README.md").read_text(encoding="utf-8")
    for file in sorted(path.name for path in FOLDER.iterdir()):
        assert file in sheet
