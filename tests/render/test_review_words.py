"""Words of the review that were false or odd to a reader in a bank."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import BytesIO

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import contents_of, with_body

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.models.json import parse_json
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.document_parts import Figure, Paragraph, Table
from kycpack.render.html_sections import block_markup, section_markup
from kycpack.render.review.compared_values import in_short
from kycpack.render.review.coverage import coverage_section
from kycpack.render.review.credit_sources import _type_words
from kycpack.render.review.findings import _checks_of, _unknown_row
from kycpack.render.review.flagged import flags_section
from kycpack.render.review.reasons import Unknown
from kycpack.render.review.seen_words import _seen_words
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import sentence_case, share_words, transaction_words
from kycpack.triage.countries import country_words
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, IRREGULAR, KNOWN, NATURES
from kycpack.wealth.judge.red_flags.flag import beside_income
from kycpack.wealth.judge.sufficiency import _KINDS
from kycpack.wealth.judge.support import (
    MAIN_SOURCE_RULE,
    SENDER_RULE,
    SHOWN_BY,
    SHOWN_BY_SENDER,
    WORDS,
)
from kycpack.wealth.prepare.clues import EVIDENCE_LEVELS


def test_a_part_that_rounds_to_nothing_is_listed_as_what_it_is() -> None:
    shares = Shares(
        "GBP", dict.fromkeys(NATURES, 0) | {"known": 6_490_316}, {"code": 6_490_300, "pattern": 16}, 0
    )
    assert (
        shares.sentence
        == "What is known rests on the bank's code (over 99.9%), a pattern of payments (under 0.1%)."
    )


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([4_737, 10_824_510], ["under 0.1%", "over 99.9%"]),
        ([4_737, 5_824_510, 5_000_000], ["under 0.1%", "53.8%", "46.2%"]),
        ([10, 9_990], ["0.1%", "99.9%"]),
        ([9, 9_991], ["under 0.1%", "over 99.9%"]),
        ([0, 100], ["0.0%", "100.0%"]),
    ],
)
def test_a_share_of_less_than_a_tenth_of_a_percent_is_called_so_however_it_is_rounded(
    parts: list[int], words: list[str]
) -> None:
    assert share_words(parts) == words


def test_what_only_the_sender_says_is_called_known_in_regular_pay_pensions_and_benefits_alone() -> None:
    evidence = {"keyword": 60, "purpose": 40}
    said = Shares("GBP", {KNOWN: 100, CASH_OR_NAMED: 50}, evidence, 0).sentence
    assert f"rests on {SHOWN_BY_SENDER} (100.0%)" in said
    assert NATURE_WORDS[CASH_OR_NAMED] == "cash, contradicted, or supported only by the sender"


ELSEWHERE = ", where regular dates bear it out"


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (
            {"code": 60, "purpose": 40},
            f"40.0% of what is known rests on {SHOWN_BY['purpose']}{ELSEWHERE}.",
        ),
        (
            {"code": 60, "keyword": 40},
            f"40.0% of what is known rests on {SHOWN_BY['keyword']}{ELSEWHERE}.",
        ),
        (
            {"purpose": 60, "keyword": 40},
            f"100.0% of what is known rests on {SHOWN_BY_SENDER}{ELSEWHERE}.",
        ),
        ({"code": 100}, ""),
    ],
)
def test_page_one_says_how_much_rests_on_all_that_the_sender_wrote(
    evidence: dict[str, int], said: str
) -> None:
    shares = Shares("GBP", {KNOWN: 100}, evidence, 0)
    assert shares.on_page_one == said
    assert said.rpartition(" rests on ")[2].partition(", where")[0] in shares.sentence
    assert (SENDER_RULE in shares.sentence) == bool(said)


def test_a_type_that_only_the_sender_gives_is_told_from_a_known_nature() -> None:
    shares = Shares("GBP", {KNOWN: 0, CASH_OR_NAMED: 50}, {}, 0, weak=frozenset({WORDS}))
    assert shares.sentence == f"No credit has a known nature. {SENDER_RULE}"


def test_for_what_the_words_of_a_sender_are_enough_is_said_in_one_sentence_everywhere() -> None:
    assert SENDER_RULE in MAIN_SOURCE_RULE
    assert SENDER_RULE in _KINDS
    assert "sender's words" not in (MAIN_SOURCE_RULE + _KINDS).replace(SENDER_RULE, "").lower()


def test_own_transfers_that_may_be_counted_twice_are_named_beside_the_credits_that_may() -> None:
    shares = Shares(
        "GBP", {KNOWN: 100_00}, {"code": 100_00}, 352_00, may_be_twice_minor=40_00, own_twice_minor=352_00
    )
    assert shares.twice_words.startswith(
        "The total is a range: 40.00 GBP of it may be counted twice (beside 352.00 GBP of own transfers). "
    )


def test_without_a_known_nature_page_one_says_so_in_plain_order() -> None:
    assert Shares("GBP", {KNOWN: 0, CASH_OR_NAMED: 50}, {}, 0).sentence == "No credit has a known nature."


def test_what_is_known_of_less_than_a_hundredth_of_the_credits_is_said_as_a_sum() -> None:
    said = Shares("GBP", {KNOWN: 6_430, IRREGULAR: 8_157_602}, {"pattern": 6_430}, 0).sentence
    assert said == "What is known (64.30 GBP) rests on a pattern of payments (100.0%)."


def test_the_level_is_not_the_value_of_a_check() -> None:
    assert _seen_words("triage.level", "approve") == "not required"
    assert _seen_words("bank.expected", "true") == "yes: at least one of the two"
    assert _seen_words("requested.bank", "answered") == "given: an account is linked"
    assert _seen_words("diligence.bank", "answered") == "there is bank data"
    assert _seen_words("expiry.document_days", "1140") == "1,140 days"


def test_countries_are_named_and_their_codes_kept() -> None:
    assert _seen_words("country.record", "RS") == "Serbia (RS)"
    assert _seen_words("country.nationality", "XXA") == "XXA"  # a code of travel documents, not a country's
    assert country_words("GBR") == "United Kingdom (GBR)"
    assert country_words("united kingdom") == "United Kingdom"


def test_a_no_is_not_taken_for_norway() -> None:
    assert _seen_words("document.contentAnalysis.dataIntegrity", "NO") == "“NO”"


def test_a_country_in_a_finding_and_among_the_clear_checks_has_its_name(specimen: Evidence) -> None:
    assert _seen_words("document.document.issuingCountry", "RS") == "Serbia (RS)"
    document = parse_json(specimen.body(specimen.select("onboarding.results")[0].id))["document"]
    document["holder"]["nationality"] = "IR"
    made = contents_of(with_body(specimen, "onboarding.results", {"document": document}))
    (listed,) = [one.text for one in made.reasons if one.rule_id == "CTY-3"]
    assert listed.startswith("The nationality is Iran")
    assert "(IR), on a FATF list" in listed


def test_many_transactions_are_named_by_the_first_and_the_last_and_by_where_all_of_them_stand() -> None:
    few = [("A1", f"T{number:03d}") for number in range(12)]
    assert transaction_words(few) == "A1 " + ", ".join(id_ for _, id_ in few)
    many = [("A1", f"T{number:03d}") for number in range(109)]
    said = transaction_words(many)
    assert (
        said
        == "A1 T000, T001, T002, and so on to A1 T106, T107, T108; all of them are in the workbook, sheet flags"
    )


def test_transactions_of_two_accounts_with_one_id_are_told_apart() -> None:
    said = transaction_words([("A1", "T001"), ("A1", "T004"), ("A2", "T001")])
    assert said == "A1 T001, T004; A2 T001"
    assert transaction_words([]) == "–"


def test_a_sentence_beside_income_names_no_income_of_nothing() -> None:
    days = " over the whole time observed ({observed_from_on} to {observed_to_on})"
    assert beside_income(0) == f"with no established income{days}"
    assert beside_income(100) == f"against an established income of {{income_minor}}{days}"
    assert beside_income(0, 100).endswith(f"purpose not known, and no established income{days}")


@pytest.mark.parametrize("level", EVIDENCE_LEVELS)
def test_how_the_type_of_a_stream_is_known_is_said_in_words(level: str) -> None:
    said = _type_words({"type": "employment", "evidence_level": level})
    assert said.startswith("Employment")
    assert ("(" in said) == (level != "none")
    assert f"({level})" not in said


def test_no_id_of_a_stream_stands_in_what_a_person_reads(contents: ReviewContents) -> None:
    """Nothing on paper says what `S-89c3a563eb51` stands for."""
    ids = [str(one) for one in contents.tables["own_sources"]["source_id"]]
    assert ids
    pages = " ".join(page.extract_text() for page in PdfReader(BytesIO(render_review_pdf(contents))).pages)
    for words in (squeezed(pages), *map(section_markup, contents.sections)):
        assert [one for one in ids if one in words] == []


def test_the_explanation_of_the_ledger_stands_once_and_of_all_is_not_said_as_a_sum_of_itself() -> None:
    rows = [
        {"currency": currency, "disposition": "stream", "count": 3, "total_minor": 100_00, "share": 1.0}
        for currency in ("GBP", "EUR", "USD")
    ]
    known = {"GBP": 100_00, "EUR": 40_00, "USD": 0}
    credits_ = [
        {
            "currency": currency,
            "disposition": "stream",
            "nature": nature,
            "evidence_id": "E-07",
            "type": "other",
        }
        | {"amount_minor": minor, "least_minor": minor, "most_minor": minor, "may_be_twice_minor": 0}
        for currency, of_known in known.items()
        for nature, minor in ((KNOWN, of_known), (IRREGULAR, 100_00 - of_known))
    ]
    said = "".join(map(block_markup, coverage_section(rows, credits_).blocks))
    assert said.count("A stream is a series of credits from one payer") == 1
    assert "All of the 100.00 GBP in streams is of known nature." in said
    assert "Of the 100.00 EUR in streams, the nature of 40.00 EUR is known." in said
    assert "None of the 100.00 USD in streams is of known nature." in said


def test_red_flags_are_listed_from_the_most_serious() -> None:
    flags = [
        {"code": f"f{n}", "message": f"Flag {n}: seen", "severity": severity} | dict.fromkeys(("account_ids", "txn_ids", "evidence_ids"), ())
        for n, severity in enumerate(("review", "edd", "review", "escalate"))
    ]  # fmt: skip
    columns = ("account_id", "txn_id", "booked_on", "amount_minor", "currency", "evidence_id")
    shown, *_ = flags_section(flags, pd.DataFrame({name: ["1"] for name in columns}), ShortNames(())).blocks
    assert [row[0].text for row in shown.rows] == ["Flag 3", "Flag 1", "Flag 0", "Flag 2"]  # type: ignore[union-attr]


@pytest.mark.parametrize("basis", ["20% of the 5.00 GBP of credits is 1.00 GBP", None])
def test_how_a_limit_is_worked_out_is_said_where_the_limit_is(basis: str | None) -> None:
    flag = {"code": "f", "message": "Large: 1.00 GBP", "severity": "review", "limit_basis": basis} | dict.fromkeys(("account_ids", "txn_ids", "evidence_ids"), ())  # fmt: skip
    columns = ("account_id", "txn_id", "booked_on", "amount_minor", "currency", "evidence_id")
    section = flags_section([flag], pd.DataFrame({name: ["1"] for name in columns}), ShortNames(()))
    markup = "".join(map(block_markup, section.blocks))
    assert (f"The limit of “Large”: {basis}." in markup) == bool(basis)


def test_a_payment_behind_two_red_flags_is_listed_once_with_both() -> None:
    ids = {"account_ids": ["A", "A"], "txn_ids": ["t1", "t2"], "evidence_ids": ["E-07"]}
    flags = [
        {"code": f"f{n}", "message": f"Flag {n}: seen", "severity": "edd"}
        | ids
        | {"txn_ids": ["t1", f"t{n}"]}
        for n in (2, 3)
    ]
    rows = [
        {"account_id": "A", "txn_id": f"t{n}", "booked_on": date(2026, 1, n), "amount_minor": 100, "currency": "GBP", "evidence_id": "E-07", "counterparty_name": party, "merchant_name": merchant}
        for n, party, merchant in ((1, "K Ferrant", "Shop"), (2, None, "Shop"), (3, None, None))
    ]  # fmt: skip
    *_, shown = flags_section(flags, pd.DataFrame(rows), ShortNames(())).blocks
    assert isinstance(shown, Table)
    assert [(row[0].text, row[5].text) for row in shown.rows] == [
        ("Flag 2; Flag 3", "A t1"),
        ("Flag 2", "A t2"),
        ("Flag 3", "A t3"),
    ]
    assert [row[4].text for row in shown.rows] == ["K Ferrant", "Shop", "–"]


def test_a_payment_is_shown_with_each_red_flag_that_it_belongs_to_also_where_that_shows_only_the_largest() -> (
    None
):
    of = {"severity": "edd", "evidence_ids": ["E-07"]}
    many = {"code": "f1", "message": "Many: seen", "account_ids": ["A"] * 13, "txn_ids": [f"t{n:02}" for n in range(1, 14)]} | of  # fmt: skip
    one = {"code": "f2", "message": "One: seen", "account_ids": ["A"], "txn_ids": ["t01"]} | of
    rows = [
        {"account_id": "A", "txn_id": f"t{n:02}", "booked_on": date(2026, 1, n), "amount_minor": 100 * n, "currency": "GBP", "evidence_id": "E-07"}
        for n in range(1, 14)
    ]  # fmt: skip
    *_, shown = flags_section([many, one], pd.DataFrame(rows), ShortNames(())).blocks
    assert isinstance(shown, Table)
    assert [(row[0].text, row[5].text) for row in shown.rows][-1] == ("Many; One", "A t01")
    assert len(shown.rows) == 7


def test_what_is_known_only_of_refunds_is_not_called_known_without_that_word() -> None:
    natures = {KNOWN: 100, CASH_OR_NAMED: 900}
    said = "All of what is known (1.00 GBP) is refunds: the customer's own money coming back, and no source of wealth."
    assert said in Shares("GBP", natures, {"pattern": 100}, 0, refunds=(100, 100)).sentence
    assert (
        "0.40 GBP of what is known is refunds"
        in Shares("GBP", natures, {"pattern": 100}, 0, refunds=(40, 40)).sentence
    )
    assert "refunds" not in Shares("GBP", natures, {"pattern": 100}, 0).sentence


def test_a_share_that_is_under_a_tenth_of_a_percent_is_not_shown_as_nothing() -> None:
    shares = Shares("GBP", {KNOWN: 1, CASH_OR_NAMED: 99_999}, {"pattern": 1}, 0)
    assert shares.known_percent == "under 0.1%"
    assert [words.partition("% ")[0] for words, _ in shares.legend] == ["under 0.1", "over 99.9"]


def test_a_refund_to_an_account_of_somebody_else_is_not_called_the_customers_own_money() -> None:
    shares = Shares("GBP", {KNOWN: 100}, {"pattern": 100}, 0, refunds=(100, 100), is_of_customer=False)
    assert "is refunds: the account holder's own money coming back" in shares.sentence
    assert "customer's" not in shares.sentence


def test_the_chart_by_month_says_that_its_colours_are_not_those_of_page_one(contents: ReviewContents) -> None:
    """Several sources of one nature have several fills, and the bar on page one has the first."""
    figures = [block for block in contents.section("streams").blocks if isinstance(block, Figure)]
    assert (
        "each source in the colour that the key gives it. Page one has one colour for each nature instead."
        in figures[0].caption
    )


def test_the_list_of_findings_counts_what_one_cause_left_open_as_page_one_does() -> None:
    many = Unknown("The results are missing", ("A", "B"), ("R",), "edd", "MLRO", ("S1",), ("E-02",))
    assert "2 checks could not be evaluated" in many.text
    assert _unknown_row(many, frozenset(), {})[1].text == "2 checks: A; B"
    single = Unknown("The results are missing", ("A",), ("R",), "edd", "MLRO", ("S1",), ("E-02",))
    assert _unknown_row(single, frozenset(), {})[1].text == "A"
    titles = {("X-1", "A"), ("X-2", "B")}
    with_rules = replace(many, codes=("X-1", "X-2"))
    basis = {"X-1": "MLR 2017 reg. 28", "X-2": "MLR 2017 reg. 33"}
    said = "2 checks: A (X-1); B (X-2). Basis: MLR 2017 reg. 28 (X-1); MLR 2017 reg. 33 (X-2)"
    assert _unknown_row(with_rules, titles, basis)[1].text == said
    assert _unknown_row(replace(single, codes=("X-1",)), titles, basis)[1].text.endswith(
        "A (X-1). Basis: MLR 2017 reg. 28"
    )


def test_a_cause_of_several_sentences_is_not_continued_after_its_end() -> None:
    cause = "60.00 GBP of it is not known to be supported. A document has to show what it was"
    said = Unknown(cause, ("Support for payments",), "review", "", (), ("E-02",)).text
    assert said == f"{cause}. One check could not be evaluated: Support for payments (E-02)"


def test_one_check_that_could_not_be_evaluated_is_not_said_to_hold() -> None:
    single = Unknown(
        "The session status is 'pending'", ("Session complete",), "review", (), ("S1",), ("E-02",)
    )
    assert (
        single.text
        == "The session status is 'pending' (S1), so one check could not be evaluated: Session complete (E-02)"
    )


def test_a_session_and_its_evidence_are_not_two_brackets_in_a_row() -> None:
    cause = "The session's record does not give the identity confirmation"
    one = Unknown(cause, ("Identity confirmation",), "review", "", ("S1",), ("E-02",))
    assert one.text == f"{cause}: session S1 (E-02)"
    assert replace(one, sessions=("S1", "S2")).text == f"{cause}: sessions S1, S2 (E-02)"
    assert replace(one, sessions=()).text == f"{cause} (E-02)"


def test_what_could_not_be_evaluated_names_the_request_that_was_not_answered(
    contents: ReviewContents, specimen: Evidence
) -> None:
    """The findings that a missing answer left open rest on other evidence; the gap names the entry of the answer."""
    gaps = flatten(specimen).gaps
    checked = 0
    for one in contents.unknowns:
        entries = gaps.loc[gaps["message"].map(sentence_case) == one.cause, "evidence_id"].dropna()
        checked += len(entries)
        assert set(entries) <= set(one.evidence)
    assert checked


def test_a_long_value_is_cut_between_two_words() -> None:
    months = "Mar 2025 to Apr 2025, Jun 2025 to Jul 2025, Sep 2025 to October 2025"
    assert in_short(months) == "Mar 2025 to Apr 2025, Jun 2025 to Jul 2025, Sep 2025 to…"
    assert in_short("9" * 61) == "9" * 60 + "…"


def test_many_checks_of_one_cause_have_a_table_of_their_own_by_what_they_rest_on() -> None:
    codes = tuple(f"X-{n}" for n in range(1, 15))
    checks = tuple(f"Check {n}" for n in range(1, 15))
    many = Unknown("No results", checks, "review", "", ("S1",), ("E-01",), codes=codes)
    titles = frozenset(zip(codes, many.titles, strict=True))
    assert _unknown_row(many, titles, {})[1].text == "14 checks, in the table below"
    said, listed = _checks_of(many, titles, {"X-1": "MLR 2017 reg. 28", "X-3": "MLR 2017 reg. 28"})
    assert isinstance(said, Paragraph)
    assert said.text == "S1: No results. The 14 checks:"
    assert isinstance(listed, Table)
    assert [cell.text for cell in listed.rows[0]] == ["Check 1 (X-1); Check 3 (X-3)", "MLR 2017 reg. 28"]
    assert listed.rows[1][0].text.count("(X-") == 12
