"""What page one lists as not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

import pandas as pd
import pytest
from tests.render.specimen_review import inputs_of
from tests.render.test_gap_duties import DAY, FOUND, UNKNOWN, gaps_of, one, unasked
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.evidence import NO_STATEMENT, OUTCOMES
from kycpack.frames.gaps import STANDING_GAPS, GapCode
from kycpack.frames.rows import rows
from kycpack.render import build_contents
from kycpack.render.document_parts import Table
from kycpack.render.review.check_counts import unevaluated_cell
from kycpack.render.review.gap_duties import duties_of
from kycpack.render.review.gap_titles import LIMITS, title_of
from kycpack.render.review.gaps import (
    Headline,
    checks_beside,
    count_cell,
    headlines,
    limits_line,
    limits_section,
    of_customer,
    of_service,
)
from kycpack.render.review.reasons import Unknown
from kycpack.render.review.short_names import ShortNames
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios
from kycpack.triage.judge.findings import Finding, findings_frame


def test_a_check_that_could_not_be_evaluated_is_named_beside_the_gaps_and_is_none_of_them() -> None:
    names, findings = ShortNames(()), findings_frame([Finding(**FOUND | UNKNOWN)])
    one = Unknown("More came in than is shown", ("Months",), "edd", ("MLRO",), (), ("E-07",))
    (beside,) = checks_beside(gaps_of(), names, (one,))
    assert unevaluated_cell((one,), findings, (beside,)).text == (
        "1 of 1 check could not be evaluated: Months (see “Why”)"
    )
    other = replace(one, titles=("Cash", "Gifts"))
    assert unevaluated_cell((one, other), findings, (beside,)).text == (
        "3 of 1 check could not be evaluated: Months; Cash; Gifts (see “Findings”)"
    )
    assert headlines(gaps_of(), names, {}) == ()
    gap = gaps_of("silent", message="More came in than is shown.", number="40")
    assert checks_beside(gap, names, (one,)) == ()
    (line,) = headlines(gap, names, {})
    assert line.text == "A1: no transactions in the last 40 days (E-07)"


def test_a_check_is_among_the_gaps_already_if_it_is_about_the_payment_and_not_if_it_only_names_an_amount() -> (
    None
):
    gap = gaps_of(
        "payment_not_supported", area="payment", subject="P1", evidence_id="E-09", amount_minor="1000"
    )
    cause = "Income of 500.00 GBP cannot be told from gifts"
    one = Unknown(
        cause, ("Source of wealth",), "edd", "MLRO", (), ("E-07",), paths=frozenset({"wealth.source_found"})
    )
    assert checks_beside(gap, ShortNames(()), (one,)) == (one,)
    about = replace(one, cause="The papers are missing", paths=frozenset({"wealth.payment_support"}))
    assert checks_beside(gap, ShortNames(()), (about,)) == ()
    (payment,) = headlines(gap, ShortNames(()), {})
    assert payment.text == "P1: 10.00 GBP not shown to be supported (E-09)"


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_the_gaps_and_limits_that_page_one_counts_are_the_rows_of_the_table(kind: str) -> None:
    contents = build_contents(inputs_of(evidence_of(one(kind), with_statement=True), DAY))
    (table,) = [block for block in contents.section("limits").blocks if isinstance(block, Table)]
    said = contents.not_known.text
    counts = [int(number) for number in re.findall(r"(\d+) (?:gap|limit)s?", said)]
    assert sum(counts) == len(table.rows), said
    (line,) = [each.text for each in contents.missing if " of the service: " in each.text]
    assert line.startswith(f"{counts[1]} limit")
    nobodys = [
        row[1].text for row in table.rows if row[2].text.startswith("No action: a limit of the service")
    ]
    assert len(nobodys) == counts[1]
    assert line.count(";") + 1 == len({*nobodys})
    of_matches = LIMITS["list_date_not_visible"], LIMITS["matches_not_visible"]
    is_gap = any("who was matched, and on which list" in each.text for each in contents.missing)
    assert not (is_gap and any(words in line for words in of_matches))


def test_the_limits_of_the_service_are_those_of_the_pack() -> None:
    assert [*LIMITS] == [*STANDING_GAPS]
    every = gaps_of(*STANDING_GAPS, "silent")
    (line,) = limits_line(of_service(every))
    assert line.text.startswith("5 limits of the service: it does not show ")
    assert all(words in line.text for words in LIMITS.values())
    (line,) = limits_line(of_service(every, "MLRO"))
    assert line.text == (
        "3 limits of the service: it does not show if monitoring runs; unlinked accounts; sessions and payments whose ids we lack"
    )
    assert limits_line(of_service(gaps_of("silent"))) == ()
    assert count_cell(of_customer(every), of_service(every), 2).text == "1 gap, 2 checks, 5 limits"
    assert count_cell(of_customer(every, "MLRO"), of_service(every, "MLRO")).text == "3 gaps, 3 limits"


def test_no_limit_of_the_service_is_counted_as_a_gap_unless_somebody_acts_on_it() -> None:
    every = gaps_of(*STANDING_GAPS, "silent")
    assert [*of_customer(every)["code"]] == ["silent"]
    assert [*of_customer(every, "MLRO")["code"]] == ["list_date_not_visible", "matches_not_visible", "silent"]


def test_gaps_that_somebody_acts_on_come_first_and_of_one_kind_the_sum_of_all_is_shown() -> None:
    small = gaps_of("opening_balance", subject="A2", amount_minor="990000")
    gaps = pd.concat([gaps_of("account_repeated", amount_minor=None), small, gaps_of("opening_balance")])
    mlro = gaps_of("monitoring_not_ordered", area="monitoring", amount_minor=None)
    said = [line.text for line in headlines(pd.concat([gaps, mlro]), ShortNames(()), {})]
    assert said == [
        "Monitoring not ordered (E-07)",
        "A1 and A2: source of the first 82,792.31 GBP not shown (E-07): 2 gaps",
        "Bank account given twice, kept once (E-07)",
    ]


def test_sums_of_two_currencies_are_not_compared_and_stand_in_two_lines() -> None:
    euros = gaps_of("nature_not_known", subject="C1", amount_minor="100", currency="EUR", evidence_id="")
    gaps = pd.concat([euros, gaps_of("nature_not_known", subject="C1", evidence_id="")])
    said = [line.text for line in headlines(gaps, ShortNames(()), {})]
    assert said == [
        "Source of 1.00 EUR of credits not established",
        "Source of 72,892.31 GBP of credits not established",
    ]


def test_the_list_of_matches_that_the_mlro_has_to_settle_stands_at_the_very_top_and_is_counted_else() -> None:
    hidden = gaps_of(
        "list_date_not_visible",
        "matches_not_visible",
        area="screening",
        number="2",
        amount_minor=None,
        currency=None,
    )
    gaps = pd.concat([gaps_of("monitoring_not_ordered", area="monitoring"), hidden])
    said = [line.text for line in headlines(gaps, ShortNames(()), {}, matches="MLRO")]
    assert said == [
        "Not shown for 2 matches: who was matched, and on which list and date (E-07): 2 gaps",
        "Monitoring not ordered (E-07)",
    ]
    (monitoring,) = headlines(of_customer(gaps), ShortNames(()), {})
    assert monitoring.text == "Monitoring not ordered (E-07)"


@pytest.mark.parametrize("code", get_args(GapCode))
def test_every_gap_has_a_short_title_that_fits_in_two_lines_of_page_one(code: GapCode) -> None:
    most = {"number": "1000", "amount_minor": "99999999999", "subject": "A19", "evidence_id": "E-107"}
    for part in ("", "A18", "register.same_person" if code in OUTCOMES else "screening"):
        one = gaps_of(code, **most, part=part)
        title = title_of([*rows(one)], ShortNames(()))
        assert "(E-107)" in title
        assert title == title_of([*rows(one.assign(message="Other words"))], ShortNames(()))
        assert len(title) <= 101
        several = title_of(
            [*rows(pd.concat([one.assign(subject=f"A1{at}") for at in range(9)]))], ShortNames(())
        )
        assert several.endswith(": 9 gaps")
        assert len(several) <= 130


def test_what_cannot_be_counted_on_page_one_is_not_counted() -> None:
    (line,) = headlines(gaps_of("matches_not_listed", area="screening"), ShortNames(()), {})
    assert line.text == "Matches listed, their number not known (E-07)"
    (line,) = headlines(gaps_of("risk_not_given", cause="incomplete"), ShortNames(()), {})
    assert line.text == "Customer risk file incomplete (E-07)"


def test_a_pack_of_very_many_kinds_of_gaps_still_has_a_page_one() -> None:
    codes = [code for code in get_args(GapCode) if code not in STANDING_GAPS]
    said = headlines(gaps_of(*codes), ShortNames(()), {})
    assert len(said) == 40
    assert (
        said[-1].text == f"{len(codes) - counted_in(said[:-1])} further gaps in “What this pack cannot show”"
    )
    assert counted_in(said) == len(codes)


_COUNTS = (
    r": (\d+) gaps$",
    r"(\d+) gaps? of",
    r"^(\d+) further gap",
)


def counted_in(lines: Sequence[Headline]) -> int:
    """Return for how many gaps the lines stand, as a reader counts them: the number that a line says, or one."""
    found = 0
    for line in lines:
        if line.gaps:
            said = next((hit for each in _COUNTS if (hit := re.search(each, line.text))), None)
            found += int(said[1]) if said else 1
    return found


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_the_lines_of_page_one_add_up_to_the_gaps_of_its_heading(kind: str) -> None:
    day = datetime(2026, 6, 1, 12, tzinfo=UTC)
    (plan,) = generate(1, 7, day.date(), history_days=120, scenario=kind).customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), day))
    assert made.not_known.text.startswith(f"{counted_in(made.missing)} gaps, ")
    assert made.gap_count == sum(line.gaps for line in made.missing)
    assert not any(line.text.startswith("Not evaluated: ") for line in made.missing)


def test_an_account_that_is_not_linked_and_bank_access_that_was_not_ordered_are_one_line() -> None:
    gaps = pd.concat(
        [
            gaps_of("no_accounts", evidence_id="E-05", amount_minor=None, currency=None),
            gaps_of("not_ordered", part="bank", subject="S1", amount_minor=None, currency=None),
        ]
    )
    (line,) = headlines(gaps, ShortNames(()), {})
    assert line.text == "No bank account linked, and bank access not ordered (E-05, E-07): 2 gaps"
    assert line.gaps == 2


def test_a_title_says_which_cause_stands_behind_its_code() -> None:
    statement = "source_of_wealth.get"
    for gaps, said in (
        (unasked(statement, "not_found", "refused", 404), "Not found: the service's own statement (E-07)"),
        (unasked("payments.get", "not_found", "refused", 404), "Not found: the payment's record (E-07)"),
        (unasked(statement, "forbidden", "refused", 403), "Refused: the service's own statement (E-07)"),
        (
            unasked(statement, NO_STATEMENT, form="pdf"),
            "Not requested, because the statement was not found: the service's own statement as PDF (E-07)",
        ),
        (
            unasked("payments.get", "no payment of this customer is known"),
            "No payment known, so no record of one requested (E-07)",
        ),
        (gaps_of("currency_missing", area="statement"), "The service's statement gives no currency (E-07)"),
        (gaps_of("currency_missing"), "A1: no currency given (E-07)"),
        (
            gaps_of("opening_below_limit", part="under 80,000.00 GBP in all"),
            "Where 72,892.31 GBP held at the start came from (below the limit: under 80,000.00 GBP in all) (E-07)",
        ),
        (
            gaps_of("pay_beside_benefit"),
            "72,892.31 GBP of pay or pay-like credits alongside a benefit that limits earnings (E-07)",
        ),
    ):
        (line,) = headlines(gaps, ShortNames(()), {})
        assert line.text == said
    both = pd.concat(
        [
            unasked(statement, "not_found", "refused", 404),
            unasked(statement, "forbidden", "refused", 403),
        ]
    )
    assert [line.text.partition(":")[0] for line in headlines(both, ShortNames(()), {})] == [
        "Not found",
        "Refused",
    ]


@pytest.mark.parametrize("code", get_args(GapCode))
def test_no_title_has_a_hole_where_a_number_a_sum_or_a_part_is_not_known(code: GapCode) -> None:
    full = {"number": "2", "amount_minor": "100", "part": "A2"}
    for missing in ({}, {"number": None}, {"amount_minor": None}, {"part": ""}, dict.fromkeys(full)):
        title = title_of([*rows(gaps_of(code, **full | missing))], ShortNames(()))
        assert not re.search(r"  |\{|None|nan|\bof of|first not|\( |: \(|the \(", title), title


def test_a_line_of_several_accounts_names_each_with_the_sum_and_the_evidence_of_all() -> None:
    months = [
        gaps_of("months_missing", subject=f"A{n}", number=str(n), evidence_id=f"E-0{n}") for n in (2, 1)
    ]
    (line,) = headlines(pd.concat(months), ShortNames(()), {})
    assert line.text == "A1 and A2: no transactions in 1 to 2 months (E-01, E-02): 2 gaps"
    twice = [
        gaps_of("may_be_one_account", subject=of, part=other, message=of, amount_minor="100")
        for of, other in (("A1", "A3"), ("A2", "A4"))
    ]
    assert [line.text for line in headlines(pd.concat(twice), ShortNames(()), {})] == [
        "A1 and A3 may be one account: 1.00 GBP may be counted twice (E-07)",
        "A2 and A4 may be one account: 1.00 GBP may be counted twice (E-07)",
    ]


def test_page_one_and_the_table_name_the_evidence_that_the_sentence_of_a_gap_names() -> None:
    gaps = gaps_of("opening_below_limit", message="Held before (E-07 to E-09, E-16).")
    (line,) = headlines(gaps, ShortNames(()), {})
    assert line.text.endswith("(below the limit) (E-07 to E-09, E-16)")
    (listed,) = (block for block in limits_section(gaps, ShortNames(())).blocks if isinstance(block, Table))
    assert [row[-1].text for row in listed.rows] == ["E-07 to E-09, E-16"]


def test_a_line_of_some_gaps_of_a_code_counts_only_those() -> None:
    both = [
        gaps_of("refused", cause=cause, part="payments.get", evidence_id="E-07")
        for cause in ("", "not_found")
    ]
    for line in headlines(pd.concat(both), ShortNames(()), {}):
        assert len({*line.origins[0].rows["cause"]}) == 1


def test_credits_of_no_established_source_are_titled_by_the_range_of_their_sum() -> None:
    for least, said in (("41800", "418.00 to 478.00"), ("0", "0.00 to 478.00"), (None, "478.00")):
        gaps = gaps_of("nature_not_known", amount_minor="47800", least_minor=least)
        (line,) = headlines(gaps, ShortNames(()), {})
        assert line.text == f"Source of {said} GBP of credits not established (E-07)"
        assert {origin.columns for origin in line.origins} >= {("amount_minor",), ("least_minor",)}


def test_a_sum_held_before_in_an_account_that_may_be_another_is_titled_by_its_range() -> None:
    limit = "under 10,000.00 GBP in all, if accounts that may be one are one"
    gaps = gaps_of("opening_below_limit", part=limit, amount_minor="1061728", least_minor="434543")
    (line,) = headlines(gaps, ShortNames(()), {})
    assert line.text == (
        "Where 4,345.43 to 10,617.28 GBP held at the start came from (below the limit: under 10,000.00 GBP in all, if accounts that may be one are one) (E-07)"
    )
    (duty,) = duties_of(gaps)
    assert (
        duty.text
        == "No action: it is less than the policy asks about; if the accounts that may be one are two, the customer is asked"
    )
    (duty,) = duties_of(gaps.assign(part="under 10,000.00 GBP in all"))
    assert duty.text == "No action: it is less than the policy asks about"
