"""Questions to the customer that the money leaves open: each with its value, and none about what needs no explanation."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.judge.open_questions import open_questions, pay_beside_benefit
from kycpack.wealth.judge.statement import primary_source
from kycpack.wealth.judge.support import NOT_SHOWN, marks_of
from kycpack.wealth.thresholds import Thresholds

Ledger = Callable[..., pd.DataFrame]
Row = tuple[str, int, str]
AS_OF = "2025-12-31"
MONTHS = [f"2025-{month:02d}-25" for month in range(1, 13)]
FORTNIGHTS = [str(day.date()) for day in pd.date_range("2025-01-07", "2025-12-23", freq="14D")]


def asked(ledger: Ledger, *rows: Row, opening: int = 0, code: str = "") -> list[str]:
    """Return what is asked about a ledger whose running balance begins at an amount."""
    held, full = opening, []
    for day, minor, text in sorted(rows):
        held += minor
        more = {"balance_after_minor": held, "status": "booked", "evidence_id": "E-07"}
        full.append((day, minor, text, more | ({"bank_code": "INTE"} if "INTEREST" in text else {})))
    frame = ledger(*full).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of=AS_OF)
    found = open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
    return [one.message for one in found if not code or one.code == code]


SALARY = [(day, 200_000 + n, "TESCO STORES SALARY") for n, day in enumerate(MONTHS)]


@pytest.mark.parametrize(
    ("opening", "is_asked"), [(7_289_231, True), (1_000_000, True), (999_999, False), (0, False)]
)
def test_money_that_was_there_before_is_asked_about_with_its_value(
    ledger: Ledger, opening: int, *, is_asked: bool
) -> None:
    said = asked(ledger, *SALARY, opening=opening)
    expected = (
        f"{opening / 100:,.2f} GBP was in account A1 before the first transaction that was seen, on 25 Jan 2025: where it came from is not "
        "shown and has to be explained."
    )
    told = (
        f"{opening / 100:,.2f} GBP was in the linked accounts before the first transactions that were seen. The policy asks where such money "
        "came from if it is 10,000.00 GBP or more in all."
    )
    assert said == ([expected] if is_asked else [told] if opening else [])


@pytest.mark.parametrize(("interest", "is_asked"), [(22_500, True), (1_500, False)])
def test_interest_out_of_proportion_to_what_the_accounts_hold_is_asked_about(
    ledger: Ledger, interest: int, *, is_asked: bool
) -> None:
    """900 pounds a year on a balance of about 2,000; 60 pounds a year on the same."""
    spent = [
        (day, -interest, "CORNER BAKERY") for day in ("2025-04-01", "2025-07-01", "2025-10-01", "2025-12-31")
    ]
    paid = [
        (day, interest, "GROSS INTEREST") for day in ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-30")
    ]
    said = asked(ledger, *paid, *spent, opening=200_000, code="interest_above_balance")
    assert len(said) == is_asked
    if is_asked:
        assert said[0].startswith(
            "Interest of 900.00 GBP was paid in between 31 Mar 2025 and 31 Dec 2025, but the linked accounts held 2,"
        )
        assert said[0].endswith(" GBP on average in that time. What it is paid on has to be explained.")


@pytest.mark.parametrize(
    ("payer", "benefit"),
    [
        ("DWP ESA", "Employment and Support Allowance"),
        ("DWP JSA", "Jobseeker's Allowance"),
        ("DWP IS", "Income Support"),
        ("DWP UC", ""),
        ("DWP PIP", ""),
        ("DWP STATE PENSION", ""),
    ],
)
def test_wages_beside_a_benefit_for_people_who_do_not_work_are_a_question_and_no_flag(
    ledger: Ledger, payer: str, benefit: str
) -> None:
    paid = [(day, 18_060, payer) for day in FORTNIGHTS]
    said = asked(ledger, *SALARY, *paid)
    expected = (
        f"12 payments of wages, 24,000.66 GBP in all, came in between 25 Jan 2025 and 25 Dec 2025, while {benefit} was paid, "
        "an out-of-work benefit, which wages can end or reduce. This has to be explained."
    )
    assert said == ([expected] if benefit else [])
    assert derive(ledger(*SALARY, *paid), as_of=AS_OF).flags.empty


@pytest.mark.parametrize(("payer", "is_asked"), [("DWP ESA", True), ("DWP PIP", False)])
def test_a_statement_neither_presents_pay_that_is_asked_about_as_a_source_nor_says_that_it_is(
    ledger: Ledger, payer: str, *, is_asked: bool
) -> None:
    """The customer may read it, and others rely on it."""
    paid = [(day, 18_060, payer) for day in FORTNIGHTS]
    wealth = derive(ledger(*SALARY, *paid), as_of=AS_OF)
    source = wealth.statement("C1").primary_source
    assert source is not None
    assert source.type == ("state_benefit" if is_asked else "employment")
    assert "paid: the payments" not in str(source.context)
    said = "Larger in total, but not established from the data: employment"
    assert (said in str(source.context)) == is_asked
    sources = wealth.sources("C1")
    marks = marks_of(sources, primary_source(sources, "GBP"))
    assert marks == (NOT_SHOWN if is_asked else "",)


def test_wages_beside_a_benefit_cite_the_entries_of_all_payments_concerned(ledger: Ledger) -> None:
    paid = [(day, 18_060, "DWP ESA") for day in FORTNIGHTS]
    rows = sorted([*SALARY, *paid])
    frame = ledger(
        *((*row, {"status": "booked", "evidence_id": f"E-{7 + int(row[0][5:7]) // 4:02d}"}) for row in rows)
    )
    (question,) = pay_beside_benefit(derive(frame, as_of=AS_OF).credits)
    assert question.evidence_ids == ("E-07", "E-08", "E-09", "E-10")


def test_a_benefit_that_ended_before_the_wages_began_is_not_asked_about(ledger: Ledger) -> None:
    before = [(day, 18_060, "DWP JSA") for day in FORTNIGHTS[:8]]
    assert asked(ledger, *SALARY[5:], *before) == []


def test_a_benefit_that_ended_and_began_again_is_not_asked_about(ledger: Ledger) -> None:
    """Work between two times without work is what the benefit is for."""
    paid = [(day, 18_060, "DWP JSA") for day in (*FORTNIGHTS[:3], *FORTNIGHTS[-1:])]
    assert asked(ledger, *SALARY[2:11], *paid) == []


@pytest.mark.parametrize(
    ("unclear", "known", "is_asked"),
    [
        ((300_000, 900_000, 500_000), 0, True),
        ((800_000, 800_000, 800_067), 12, True),
        ((800_000, 800_000, 800_066), 12, False),
        ((50_000, 49_999), 0, False),
        ((50_000, 50_000), 0, True),
    ],
)
def test_credits_of_which_most_are_of_no_known_nature_are_asked_about_with_their_sum(
    ledger: Ledger, unclear: tuple[int, ...], known: int, *, is_asked: bool
) -> None:
    """More than half, and at least a thousand pounds; twelve months' pay comes to 24,000.66 pounds."""
    rows = [(day, minor, "QUORNDON 77/2") for day, minor in zip(FORTNIGHTS, unclear, strict=False)]
    said = asked(ledger, *SALARY[:known], *rows, code="nature_not_known")
    parts = sum(unclear), sum(unclear) + sum(minor for _, minor, _ in SALARY[:known])
    sums = " of ".join(f"{minor / 100:,.2f} GBP" for minor in parts)
    which = f"most of the credits is not established: {sums}"
    if not known:
        which = f"none of the credits is established: {parts[0] / 100:,.2f} GBP in all"
    expected = f"The source of {which}. The largest have to be explained."
    assert said == ([expected] if is_asked else [])


PERSON = [("2025-06-04", 1_000_000, "FROM A GRANTHAM"), ("2025-08-06", 1_200_000, "FROM A GRANTHAM")]


@pytest.mark.parametrize(
    ("single", "expected"),
    [
        (
            [("2025-06-04", 999_999, "FROM A GRANTHAM")],
            "The source of 9,999.99 GBP of 34,000.65 GBP of credits is not established. The policy asks about such credits if they are 1,000.00 GBP or more and more than half of the credits, or if a single one that is neither cash nor in a stream is 10,000.00 GBP or more.",
        ),
        (
            PERSON[:1],
            "The nature of a large credit is not established: 10,000.00 GBP on 4 Jun 2025. What it is has to be explained.",
        ),
        (
            PERSON,
            "The nature of large credits is not established: 12,000.00 GBP on 6 Aug 2025 and 10,000.00 GBP on 4 Jun 2025, both of one person. What they are has to be explained.",
        ),
        (
            [*PERSON[:1], ("2025-06-05", 29_400, "FROM B QUORN")],
            "The nature of a large credit is not established: 10,000.00 GBP on 4 Jun 2025, among credits of 10,294.00 GBP in all whose nature is not known. What it is has to be explained.",
        ),
    ],
)
def test_a_large_credit_of_no_established_nature_is_asked_about_where_most_credits_are_known(
    ledger: Ledger, single: list[Row], expected: str
) -> None:
    assert asked(ledger, *SALARY, *single) == [expected]


def test_a_large_credit_that_only_the_sender_names_is_asked_about_as_one_without_a_name(
    ledger: Ledger,
) -> None:
    how = "supported only by the sender's words"
    lent = ("2025-06-10", 1_000_000, "PEAKSIDE LOANS LOAN")
    (said,) = asked(ledger, *SALARY, lent)
    what = "The nature of a large credit is"
    assert said == f"{what} {how}: 10,000.00 GBP on 10 Jun 2025. What it is has to be explained."
    both = asked(ledger, *SALARY, lent, ("2025-06-04", 1_000_100, "FROM A GRANTHAM"))
    assert both == [
        f"The nature of large credits is not established or {how}: 10,001.00 GBP on 4 Jun 2025 and 10,000.00 GBP on 10 Jun 2025. What they are has to be explained."
    ]
    (below,) = asked(ledger, *SALARY, ("2025-06-10", 999_999, lent[2]))
    assert below.startswith("The source of 9,999.99 GBP of ")


def test_the_sum_of_what_is_not_known_is_that_of_page_one_in_each_currency_and_names_its_evidence(
    ledger: Ledger,
) -> None:
    """Also where it is below each limit, or where only a single credit of it is large."""
    small = [("2025-06-04", 50_000, "FROM A GRANTHAM"), ("2025-06-05", 30_000, "FROM B QUORN")]
    for single in ([], PERSON[:1]):
        frame = ledger(
            *[
                (day, minor, text, {"status": "booked", "balance_after_minor": None, "evidence_id": "E-07"})
                for day, minor, text in SALARY
            ],
            *[
                (day, minor, text, {"status": "booked", "balance_after_minor": None, "evidence_id": "E-08"})
                for day, minor, text in (*small, *single)
            ],
        ).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
        wealth = derive(frame, as_of=AS_OF)
        nature = wealth.nature(wealth.credits["customer_id"].iloc[0])
        unknown = int(nature.loc[nature["nature"] != "known", "total_minor"].sum())
        (one,) = open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
        assert (one.amount_minor, one.currency, one.evidence_ids) == (unknown, "GBP", ("E-08",))
        assert one.code == ("nature_not_known" if single else "nature_below_limit")


def test_money_that_was_there_before_in_an_account_with_little_is_not_left_out(ledger: Ledger) -> None:
    rows = [
        (
            day,
            200_000,
            "TESCO STORES SALARY",
            {
                "account_id": account,
                "balance_after_minor": held,
                "status": "booked",
                "evidence_id": f"E-{account}",
            },
        )
        for account, day, held in (("a1", "2025-06-04", 2_200_000), ("a2", "2025-06-05", 210_000))
    ]
    frame = ledger(*rows).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of=AS_OF)
    found = open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
    assert [
        (one.code, one.amount_minor, one.evidence_ids) for one in found if one.code.startswith("opening")
    ] == [
        ("opening_balance", 2_000_000, ("E-a1",)),
        ("opening_below_limit", 10_000, ("E-a2",)),
    ]


@pytest.mark.parametrize(
    ("pounds", "euros", "codes"),
    [
        (
            2_000_000,
            224_793,
            ["opening_balance", "opening_balance"],
        ),  # a sum in euros beside a large one in pounds
        (2_000_000, 10_000, ["opening_below_limit", "opening_balance"]),
        (600_000, 600_000, ["opening_balance", "opening_balance"]),  # large only together
        (300_000, 300_000, ["opening_below_limit", "opening_below_limit"]),
    ],
)
def test_money_that_was_there_before_is_added_up_over_all_currencies(
    ledger: Ledger, pounds: int, euros: int, codes: list[str]
) -> None:
    rows = [
        (
            "2025-06-04",
            200_000,
            "TESCO STORES SALARY",
            {
                "account_id": code,
                "currency": code,
                "balance_after_minor": 200_000 + held,
                "status": "booked",
                "evidence_id": "E-07",
            },
        )
        for code, held in (("EUR", euros), ("GBP", pounds))
    ]
    frame = ledger(*rows).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of=AS_OF)
    found = open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
    said = [one for one in found if one.code.startswith("opening")]
    assert [one.code for one in said] == codes
    if codes[0] != codes[1]:
        assert "is less than a tenth of 11,668.61 EUR in each" in said[0].message


LIMIT = "under 10,000.00 GBP in all"


@pytest.mark.parametrize(
    ("held", "currency", "sums", "part", "least"),
    [
        (
            (434_543, 627_185),
            "GBP",
            "4,345.43 to 10,617.28",
            f"{LIMIT}, if accounts that may be one are one",
            434_543,
        ),
        ((434_543, 100_000), "GBP", "4,345.43 to 5,345.43", LIMIT, 434_543),
        (
            (5_000_000, 2_000_000),
            "GBP",
            "0.00 to 20,000.00",
            "nothing, if accounts that may be one are one",
            0,
        ),
        (
            (400_000, 300_000),
            "VES",
            "0.00 to 3,000.00",
            "nothing, if accounts that may be one are one",
            0,
        ),  # no rate is known
    ],
)
def test_money_that_was_there_before_in_an_account_that_may_be_another_is_given_as_a_range(
    ledger: Ledger, held: tuple[int, int], currency: str, sums: str, part: str, least: int
) -> None:
    rows = [
        (
            day,
            200_000 + at,
            "TESCO STORES SALARY",
            {
                "account_id": account,
                "txn_id": f"{account}-{at}",
                "currency": currency,
                "balance_after_minor": opening + sum(200_000 + each for each in range(at + 1)),
                "status": "booked",
                "evidence_id": f"E-{account}",
            },
        )
        for account, opening in zip(("A1", "A3"), held, strict=True)
        for at, day in enumerate(MONTHS)
    ]
    frame = ledger(*rows).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.credits["may_repeat_txn_id"].notna().any()
    found = open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
    (one,) = [each for each in found if each.code == "opening_below_limit"]
    which, why, shown = (
        (
            "the",
            "The policy asks where such money came from if it is 10,000.00 GBP or more in all.",
            ("E-A1",),
        )
        if least
        else ("further", "Whether it has to be explained depends on that.", ())
    )
    message = (
        f"{sums} {currency} was in {which} linked accounts before the first transactions that were seen: the larger sum counts A3 as well, which may be counted "
        f"already under another id. {why}"
    )
    most = least + held[1]
    assert one == ("opening_below_limit", "", message, (*shown, "E-A3"), most, currency, part, least)


def test_a_limit_in_another_currency_says_by_which_rate(ledger: Ledger) -> None:
    rows = [
        (
            day,
            200_000 + at,
            "TESCO STORES SALARY",
            {
                "currency": "EUR",
                "balance_after_minor": 50_000 + 200_000 * at,
                "status": "booked",
                "evidence_id": "E-07",
            },
        )
        for at, day in enumerate(MONTHS, 1)
    ]
    frame = ledger(*rows).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(frame, as_of=AS_OF)
    (said,) = [
        one.message
        for one in open_questions(frame, None, wealth.credits, wealth.streams, Thresholds())
        if one.code == "opening_below_limit"
    ]
    assert re.search(
        r"if it is [\d,.]+ EUR or more in all; thresholds in GBP are applied at the average exchange rate of \d{4} \(1 GBP as 1\.\d{10} EUR, the result rounded down; list of",
        said,
    )
