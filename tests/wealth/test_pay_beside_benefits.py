"""Pay, and what may be pay, beside a benefit that limits work or earnings: asked about whatever the sender calls it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.assets import asset_yaml
from kycpack.wealth import derive
from kycpack.wealth.judge.open_questions import pay_beside_benefit
from kycpack.wealth.judge.pay_beside_benefits import questioned_pay

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2026-12-31"
WEEKS = [str(day.date()) for day in pd.date_range("2026-04-07", "2026-12-22", freq="7D")]
FORTNIGHTS = WEEKS[::2]
JSA = [(day, 18_060, "DWP JSA") for day in FORTNIGHTS]
OUT_OF_WORK = "while Jobseeker's Allowance was paid, an out-of-work benefit, which wages can end or reduce. This has to be explained."


def asked(ledger: Ledger, *rows: tuple[object, ...]) -> list[str]:
    return [one.message for one in pay_beside_benefit(derive(ledger(*rows), as_of=AS_OF).credits)]


@pytest.mark.parametrize("days", [WEEKS[1:], WEEKS[1::2], WEEKS[1::4], WEEKS[1::3][:3]])
def test_credits_of_no_established_nature_are_asked_about_and_not_called_wages(
    ledger: Ledger, days: list[str]
) -> None:
    (sentence,) = asked(ledger, *JSA, *((day, 61_000, "WINSTER LOGISTICS 4711") for day in days))
    paid = f"{len(days)} credits whose nature is not established, from 1 payer, {610 * len(days):,}.00 GBP in all, came in between "
    assert sentence.startswith(paid)
    assert sentence.endswith(OUT_OF_WORK)


@pytest.mark.parametrize(("last_seen", "is_ended"), [("2026-12-24", False), ("2026-12-25", True)])
def test_pay_after_the_last_payment_is_asked_about_until_the_benefit_has_ended(
    ledger: Ledger, last_seen: str, *, is_ended: bool
) -> None:
    """Its next payment may still come up to 45 days after the last one, on 9 Nov 2026."""
    benefit = [
        (str(day.date()), 18_060, "DWP JSA") for day in pd.date_range(end="2026-11-09", periods=9, freq="14D")
    ]
    wages = [(f"2026-{month}-27", 61_000, "TESCO STORES SALARY") for month in ("08", "09", "10", "11")]
    wealth = derive(ledger(*benefit, *wages, (last_seen, 100, "A GRANTHAM")), as_of=AS_OF)
    (question,) = pay_beside_benefit(wealth.credits)
    left_out = "(1 more payment of the same payer is not counted: 610.00 GBP on 27 Nov 2026, since the benefit ended, last paid on 9 Nov 2026)"
    assert (left_out in question.message) == is_ended
    assert int(questioned_pay(wealth.credits).sum()) == (3 if is_ended else 4)


def test_low_pay_after_the_last_payment_hides_no_pay_above_a_weekly_limit(ledger: Ledger) -> None:
    carers = [(day, 8_645, "DWP CA") for day in WEEKS[:-4]]
    high = [(day, 21_000, "TESCO STORES SALARY") for day in WEEKS[:-5]]
    low = [(day, 2_000, "TESCO STORES SALARY") for day in WEEKS[-5:]]
    (sentence,) = asked(ledger, *carers, *high, *low)
    assert "this comes to 210.00 GBP a week on average (" in sentence


def test_pay_at_other_times_than_the_benefit_is_named_with_its_days(ledger: Ledger) -> None:
    """A day before the benefit began is a question of its own for whoever reads it."""
    wages = [(day, 61_000, "TESCO STORES SALARY") for day in WEEKS[1:5]]
    (sentence,) = asked(ledger, *JSA, ("2026-04-06", 52_300, "TESCO STORES SALARY"), *wages)
    assert (
        "was paid (1 more payment of the same payer is not counted: 523.00 GBP on 6 Apr 2026, before the first payment of the benefit, on 7 Apr 2026), an out"
        in sentence
    )
    before = [(f"2026-0{month}-06", 52_300, "TESCO STORES SALARY") for month in (1, 2, 3, 4)]
    (sentence,) = asked(ledger, *JSA[:-3], *before, *wages, ("2026-12-30", 100, "TESCO STORES SALARY"))
    assert (
        "(5 more payments of the same payer are not counted: 2,093.00 GBP in all, between 6 Jan 2026 and 30 Dec 2026, before the first payment of the benefit, on "
        "7 Apr 2026 and since the benefit ended, last paid on 3 Nov 2026), an out" in sentence
    )


@pytest.mark.parametrize(
    ("text", "minor", "number"),
    [
        ("WINSTER LOGISTICS 4711", 61_000, 2),  # nobody pays again and again
        ("WINSTER LOGISTICS 4711", 1_999, 20),  # earnings of 20 pounds a week do not count
        ("FROM A GRANTHAM", 61_000, 20),  # a person
    ],
)
def test_what_is_hardly_pay_is_not_asked_about(ledger: Ledger, text: str, minor: int, number: int) -> None:
    assert asked(ledger, *JSA, *((day, minor, text) for day in WEEKS[1 : number + 1])) == []


@pytest.mark.parametrize("text", ["UBER PAYMENTS", "DELIVEROO", "BIRCHALL STUDIO INVOICE 22"])
def test_self_employed_work_is_asked_about(ledger: Ledger, text: str) -> None:
    paid = [(day, 41_000 + 731 * number, text) for number, day in enumerate(WEEKS[1:7])]
    (sentence,) = asked(ledger, *JSA, *paid)
    assert sentence.startswith(
        "6 payments for self-employed work or trade, 2,569.65 GBP in all, came in between "
    )


def test_each_kind_of_pay_is_named_for_itself(ledger: Ledger) -> None:
    rows = [
        *JSA,
        *((day, 50_000, "TESCO STORES SALARY") for day in WEEKS[1:5]),
        *((day, 40_000, "WINSTER LOGISTICS 4711") for day in WEEKS[1:6]),
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    (question,) = pay_beside_benefit(wealth.credits)
    assert question.message.startswith(
        "4 payments of wages, 2,000.00 GBP in all and 5 credits whose nature is not established, from 1 payer, 2,000.00 GBP in all, came in between "
    )
    assert int(questioned_pay(wealth.credits).sum()) == 9
    said = wealth.statement("C1").primary_source
    assert said is not None
    assert said.type == "state_benefit"
    assert "came in while" not in str(said.context)


def test_the_sum_of_a_question_is_the_one_worth_most_in_whatever_currency(ledger: Ledger) -> None:
    pounds = [(day, 200_000, "TESCO STORES SALARY") for day in WEEKS[1:4]]
    for minor, expected in ((200_000, (600_000, "GBP")), (70_000_000, (280_000_000, "JPY"))):
        yen = [
            (day, minor, "TESCO STORES SALARY", {"account_id": "A2", "currency": "JPY"}) for day in WEEKS[1:5]
        ]
        (question,) = pay_beside_benefit(derive(ledger(*JSA, *pounds, *yen), as_of=AS_OF).credits)
        assert (question.amount_minor, question.currency) == expected


def test_every_listed_name_of_an_out_of_work_benefit_is_known_as_one(ledger: Ledger) -> None:
    known = asset_yaml("lexicon/benefits_beside_pay.yaml")["out_of_work"]
    names = {word: benefit for benefit, words in known.items() for word in words}
    rows = [
        (day, minor, text, {"customer_id": name})
        for name in names
        for day in FORTNIGHTS
        for minor, text in (
            (18_060, "DWP NSJSA" if name == "nsjsa" else name.upper()),
            (50_000, "TESCO STORES SALARY"),
        )
    ]
    credits_ = derive(ledger(*rows), as_of=AS_OF).credits
    found = {str(name): [*pay_beside_benefit(mine)] for name, mine in credits_.groupby("customer_id")}
    unlike = {
        name
        for name, benefit in names.items()
        if [f"while {benefit} was paid" in one.message for one in found[name]] != [True]
    }
    assert unlike == set()


@pytest.mark.parametrize("text", ["DWP CA", "CARERS ALLOWANCE", "CARER SUPPORT PAYMENT"])
@pytest.mark.parametrize(
    ("pay", "step", "is_asked"),
    [(88_000, 1, True), (20_401, 1, True), (20_400, 1, False), (81_601, 4, True), (81_600, 4, False)],
)
def test_pay_above_the_weekly_limit_of_a_carers_benefit_is_asked_about(
    ledger: Ledger, text: str, pay: int, step: int, *, is_asked: bool
) -> None:
    rows = [
        *((day, 8_645, text) for day in WEEKS),
        *((day, pay, "TESCO STORES SALARY") for day in WEEKS[::step]),
    ]
    said = asked(ledger, *rows)
    assert len(said) == is_asked
    for sentence in said:
        assert (
            ", which allows earnings of 204.00 GBP a week at most, after deductions; this comes to "
            in sentence
        )
        assert f"{round(pay / step) / 100:,.2f} GBP a week on average (" in sentence


def test_a_few_weeks_of_pay_above_the_limit_are_asked_about(ledger: Ledger) -> None:
    carers = [(day, 8_645, "DWP CA") for day in WEEKS]
    for days, pay, is_asked in ((3, 30_000, True), (2, 30_000, True), (3, 20_400, False), (1, 90_000, False)):
        wages = [(day, pay, "TESCO STORES SALARY") for day in WEEKS[4 : 4 + days]]
        assert len(asked(ledger, *carers, *wages)) == is_asked, (days, pay)
    twice = [(day, 12_000, "TESCO STORES SALARY") for day in ("2026-05-05", "2026-05-06")]
    assert asked(ledger, *carers, *twice) == []


@pytest.mark.parametrize(("euros", "is_asked"), [(15_000, True), (6_000, False)])
def test_pay_in_two_currencies_is_held_against_a_weekly_limit_together(
    ledger: Ledger, euros: int, *, is_asked: bool
) -> None:
    """Each of them is below 204 pounds a week; 150 euros are about 128 pounds."""
    rows = [
        *((day, 8_645, "DWP CA") for day in WEEKS),
        *((day, 15_000, "TESCO STORES SALARY") for day in WEEKS),
        *((day, euros, "TESCO STORES SALARY", {"account_id": "A2", "currency": "EUR"}) for day in WEEKS),
    ]
    said = asked(ledger, *rows)
    assert len(said) == is_asked
    for sentence in said:
        assert "all currencies together at the exchange rates of the thresholds)" in sentence
        (average,) = re.findall(r"comes to ([\d,.]+) GBP a week on average", sentence)
        assert 270 < float(average) < 285


def test_each_day_has_the_limit_of_its_time_and_a_time_without_pay_lowers_no_average(ledger: Ledger) -> None:
    weeks = [str(day.date()) for day in pd.date_range("2025-09-01", "2026-09-28", freq="7D")]
    carers = [(day, 8_330, "DWP CA") for day in weeks]
    for number, pay, is_asked in ((30, 19_900, True), (57, 19_900, False), (57, 20_000, True)):
        days = sorted({*weeks[:number], weeks[-1]})
        said = asked(ledger, *carers, *((day, pay, "TESCO STORES SALARY") for day in days))
        assert len(said) == is_asked, (number, pay)
        if number == 57 and said:
            assert "earnings of 196.00 to 204.00 GBP a week" in said[0]


def test_limits_stand_in_order_of_their_days() -> None:
    for one in asset_yaml("lexicon/benefits_beside_pay.yaml")["earnings_limits"].values():
        assert [*one["a_week"]] == sorted(one["a_week"])


@pytest.mark.parametrize("gap", [0, 8])
def test_the_average_is_the_printed_sum_by_the_printed_weeks_and_what_came_at_other_times_is_told(
    ledger: Ledger, gap: int
) -> None:
    pay = [*WEEKS[:-2:2], *WEEKS[-2:-1]]
    if gap:
        pay = [day for number, day in enumerate(pay) if not 4 <= number < 4 + gap]
    rows = [
        *((day, 8_645, "DWP CA") for day in WEEKS),
        *(
            (day, 90_000 + 137 * number, "WINSTER LOGISTICS 4711")
            for number, day in enumerate(["2026-03-24", *pay])
        ),
    ]
    (sentence,) = asked(ledger, *rows)
    assert (
        "while Carer's Allowance was paid (1 more payment of the same payer is not counted: 900.00 GBP on 24 Mar 2026, before the first payment of the benefit, on 7 Apr 2026), "
        in sentence
    )
    shown = re.search(
        r"comes to ([\d,.]+) GBP a week on average \(([\d,.]+) GBP in the (\d+) weeks after the payment of (.+), up to (\d+ \w+ \d+)",
        sentence,
    )
    assert shown
    average, total, weeks = (float(one.replace(",", "")) for one in shown.groups()[:3])
    assert average == pytest.approx(total / weeks, abs=0.005)
    first, last = (pd.Timestamp(one) for one in shown.groups()[3:])
    assert [str(first.date()), str(last.date())] == [pay[0], pay[-1]]
    assert ("without times of more than 45 days" in sentence) == bool(gap)
    assert gap or (last - first).days == 7 * weeks
