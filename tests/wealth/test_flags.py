"""Red flags: what raises one, what does not, at which level, and in what time."""

from __future__ import annotations

import time
from dataclasses import fields

import pandas as pd
import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, movement, pay
from tests.wealth.money_patterns import DAYS, Diary

from kycpack.errors import PolicyError
from kycpack.triage import load_policy
from kycpack.wealth import derive
from kycpack.wealth.flag_levels import DEFAULT_LEVELS
from kycpack.wealth.given_thresholds import to_thresholds
from kycpack.wealth.judge.flags import FINDERS
from kycpack.wealth.judge.red_flags.life import Life
from kycpack.wealth.judge.red_flags.payment_words import topics_of
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds


def test_much_cash_gambling_and_crypto_ask_for_a_look(ledger: Ledger) -> None:
    rows = [
        *pay(),
        ("2025-05-05", 1_700_000, "CASH DEPOSIT"),
        ("2025-05-09", 600_000, "COINBASE PAYOUT"),
        ("2025-06-05", 600_000, "SKY BET WINNINGS"),
    ]
    found = codes(derive(ledger(*rows), as_of=AS_OF))
    assert {name: found.get(name) for name in ("cash_intensive", "crypto", "gambling")} == dict.fromkeys(
        ("cash_intensive", "crypto", "gambling"), "review"
    )


@pytest.mark.parametrize(
    "text", ["TRANSFER FROM SAVINGS D KHAN", "FROM SAVINGS", "BOND MATURITY", "ISA TRANSFER"]
)
def test_a_large_sum_that_is_savings_by_its_words_alone_is_looked_at(ledger: Ledger, text: str) -> None:
    found = derive(ledger(*pay(), ("2025-06-11", 8_500_000, text)), as_of=AS_OF).flags
    assert dict(zip(found["code"], found["severity"], strict=True)) == {"large_unexplained": "review"}
    assert "85,000.00 GBP on 11 Jun 2025" in found["message"].iloc[0]
    assert not codes(derive(ledger(*pay(), ("2025-06-11", 400_000, text)), as_of=AS_OF))


def test_money_that_goes_to_a_bookmaker_counts_as_much_as_what_comes_back(ledger: Ledger) -> None:
    """20,000 staked on pay of 24,000."""
    staked = [
        (f"2025-{month:02d}-{day:02d}", -50_000, "LADBROKES")
        for month in range(1, 11)
        for day in (3, 9, 16, 22)
    ]
    wealth = derive(ledger(*pay(), *staked), as_of=AS_OF)
    assert codes(wealth)["gambling_beyond_income"] == "edd"
    facts = wealth.flags[wealth.flags["code"] == "gambling_beyond_income"].iloc[0]["facts"]
    assert (facts["debits_minor"], facts["income_minor"]) == (2_000_000, 2_400_000)


@pytest.mark.parametrize("employer", ["BETFRED", "LADBROKES", "COINBASE"])
def test_wages_of_a_bookmaker_or_an_exchange_are_no_winnings(ledger: Ledger, employer: str) -> None:
    wages = [(f"2025-{month:02d}-28", 183_740, f"{employer} SALARY") for month in range(1, 13)]
    assert not codes(derive(ledger(*wages), as_of=AS_OF))
    staked = [(f"2025-{month:02d}-03", -150_000, employer) for month in range(1, 13)]
    assert "edd" in codes(derive(ledger(*wages, *staked), as_of=AS_OF)).values()


def test_a_bookmaker_that_no_list_has_is_known_by_the_last_word_of_its_name(ledger: Ledger) -> None:
    def staked_at(name: str) -> dict[str, str]:
        rows = [
            (f"2025-{month:02d}-09", -100_000, f"{name} DEPOSIT", {"counterparty_name": name})
            for month in range(1, 11)
        ]
        return codes(derive(ledger(*(pay()), *rows), as_of=AS_OF))

    assert staked_at("MARROWFEN BET")["gambling"] == "review"
    assert staked_at("THE GILT CASINO")["gambling"] == "review"
    assert "gambling" not in staked_at("ALPHA BET NURSERY")


def test_what_a_bookmaker_that_no_list_has_pays_back_is_counted_by_the_name_that_was_paid(
    ledger: Ledger,
) -> None:
    def said(*texts: str) -> str:
        rows = [
            (f"2025-{month:02d}-09", amount, text)
            for text, amount in zip(texts, (-100_000, 40_000), strict=False)
            for month in range(1, 11)
        ]
        found = derive(ledger(*pay(), *rows), as_of=AS_OF).flags
        return str(found["message"].iloc[0])

    both = said("MARROWFEN BET DEPOSIT", "MARROWFEN BET WITHDRAWAL")
    assert "10 payments out (10,000.00 GBP) and 10 credits in (4,000.00 GBP), between" in both
    alone = said("MARROWFEN BET DEPOSIT")
    assert "Gambling: 10 payments out (10,000.00 GBP), between" in alone


def test_a_single_large_unexplained_credit_is_flagged_and_more_than_a_years_income_more_so(
    ledger: Ledger,
) -> None:
    wealth = derive(ledger(*pay(), ("2025-07-08", 2_300_000, "SOMEBODY")), as_of=AS_OF)
    assert codes(wealth) == {"large_unexplained": "review"}
    assert wealth.flags["message"].tolist() == [
        "Large unexplained credit: 23,000.00 GBP on 8 Jul 2025 (the limit here is 10,000.00 GBP)"
    ]
    more = derive(ledger(*pay(), ("2025-07-08", 5_000_000, "OFFSHORE HOLDCO SERVICES")), as_of=AS_OF)
    assert codes(more) == {"unexplained_beyond_income": "edd"}


def test_a_credit_over_the_limit_and_clearly_over_a_years_income_needs_due_diligence(ledger: Ledger) -> None:
    """What is added because a year's income is estimated is added to the income alone, and not to the limit of the policy."""
    wages = [(f"2025-{month:02d}-27", 150_000, "ACME LTD SALARY") for month in range(1, 13)]
    for amount, level in ((2_400_000, "review"), (2_700_000, "edd")):
        flags = derive(ledger(*wages, ("2025-07-08", amount, "SOMEBODY")), as_of=AS_OF).flags
        assert flags["severity"].tolist() == [level]


@pytest.mark.parametrize("text", ["OFFSHORE HOLDCO SERVICES", "A GIFT FROM M NOVIK", "M NOVIK"])
def test_streams_of_no_established_nature_are_looked_at_as_unexplained_credits(
    ledger: Ledger, text: str
) -> None:
    rows = [(day, 5_000_000, text) for day in ("2025-02-11", "2025-05-29", "2025-09-03")]
    assert "unexplained_beyond_income" in codes(derive(ledger(*pay(), *rows), as_of=AS_OF))


def each_month(text: str, amount: int, day: int = 11, **more: object) -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-{day:02d}", amount, text, more) for month in range(1, 13)]


@pytest.mark.parametrize("with_pay", [False, True])
@pytest.mark.parametrize(
    "text", ["MRS T BELL", "ZORVIK HOLDCO SERVICES", "ZORVIK HOLDINGS LTD", "GIFT FROM BELL"]
)
def test_a_year_of_open_credits_from_one_payer_is_compared_with_the_income(
    ledger: Ledger, text: str, *, with_pay: bool
) -> None:
    rows = each_month(text, 830_000)
    wealth = derive(ledger(*rows, *(pay() if with_pay else [])), as_of=AS_OF)
    assert codes(wealth) == {"large_unexplained": "review"}
    assert "12 credits, 99,600.00 GBP in all" in wealth.flags["message"].iloc[0]


@pytest.mark.parametrize(
    "rows",
    [
        each_month("MRS T BELL", 90_000),  # parents of a student
        [
            row for name in ("K OSEI", "L BRANDT", "M DIAZ") for row in each_month(name, 75_000, day=1)
        ],  # flatmates
        [row for name in ("K OSEI", "L BRANDT", "M DIAZ") for row in each_month(name, 2_000)],  # a kitty
        [("2025-03-03", 1_500_000, "K OSEI")],  # a friend pays back
        each_month("ZORVIK HOLDINGS LTD", 290_000, day=28),  # pay that the text does not name
    ],
)
def test_ordinary_money_between_people_and_pay_without_a_word_are_not_asked_for_more(
    ledger: Ledger, rows: list[tuple[object, ...]]
) -> None:
    flags = derive(ledger(*pay(), *rows), as_of=AS_OF).flags
    assert not set(flags["severity"]) - {"review"}
    alone = derive(ledger(*rows), as_of=AS_OF).flags
    assert not set(alone["severity"]) - {"review"}


@pytest.mark.parametrize("with_pay", [False, True])
def test_a_sum_beyond_the_income_that_only_words_explain_is_looked_at(
    ledger: Ledger, *, with_pay: bool
) -> None:
    lump = ("2025-05-05", 24_000_000, "KARPOV SOLICITORS INHERITANCE")
    wealth = derive(ledger(lump, *(pay() if with_pay else [])), as_of=AS_OF)
    assert codes(wealth) == {"large_unexplained": "review"}
    assert wealth.flags["message"].tolist() == [
        "Large credit that only the sender explains: 240,000.00 GBP on 5 May 2025 (the limit here is 20,000.00 GBP)"
    ]
    coded = derive(ledger((*lump[:2], "BROKER", {"bank_code": "SECU-CORP-DVCA"})), as_of=AS_OF)
    assert coded.flags.empty


def paid(minor: int) -> list[tuple[object, ...]]:
    return [(day, minor, text) for day, _, text in pay()]


@pytest.mark.parametrize(
    ("years", "found"),
    [((830_000, 830_000), 2), ((830_000, 100_000), 1), ((100_000, 830_000), 2), ((100_000, 100_000), 0)],
)
def test_each_year_of_one_payer_above_the_limit_is_a_finding(
    ledger: Ledger, years: tuple[int, int], found: int
) -> None:
    rows = [
        (f"{year}-{month:02d}-11", minor, "MRS T BELL")
        for year, minor in zip((2024, 2025), years, strict=True)
        for month in range(1, 13)
    ]
    flags = derive(ledger(*rows, *pay()), as_of=AS_OF).flags
    told = flags[flags["message"].str.startswith("Much unexplained money from one payer")]
    assert len(told) == found
    ids = [txn for each in told["txn_ids"] for txn in each]
    assert len(ids) == len({*ids})


def test_every_time_that_a_large_credit_comes_in_parts_is_a_finding(ledger: Ledger) -> None:
    """Also beside a whole year that is one itself: what is in that is not told twice."""
    days = [f"2025-{month:02d}-{day:02d}" for month in (2, 9) for day in (3, 9, 21)]
    uneven = [(day, 450_000 + 100 * number, "QUORNDON 77/2") for number, day in enumerate(days)]
    later = [("2026-04-02", 700_000, "QUORNDON 77/2"), ("2026-04-09", 700_000, "QUORNDON 77/2")]
    rows = [*uneven, *later, *each_month("ACME LTD SALARY", 200_067)]
    flags = derive(ledger(*rows), as_of="2026-06-30").flags
    told = flags[flags["code"] == "large_unexplained"]
    assert sorted(told["message"].str.partition(":")[0]) == [
        "Large unexplained credit in parts",
        "Much unexplained money from one payer within a year",
    ]
    assert sum(map(len, told["txn_ids"])) == len(uneven) + len(later)
    half = [(day, 300_000 + 100 * number, "QUORNDON 77/2") for number, day in enumerate(days)]
    limit = {"large_credit": 8_000, "beyond_income_credit": 30_000}
    flags = derive(
        ledger(*half, *each_month("ACME LTD SALARY", 200_067)), thresholds=limit, as_of=AS_OF
    ).flags
    assert [len(ids) for ids in flags["txn_ids"]] == [3, 3]


@pytest.mark.parametrize(
    ("pay_minor", "thousands", "found"),
    [
        (
            200_000,
            (8, 12.5, 9.7, 14.9, 11),
            [5],
        ),  # none is large by itself, all are more than a year of income
        (400_067, (13, 0, 0, 12.5, 0), []),  # less than a year of income
        (400_067, (13, 12.5, 0, 0, 0), [2]),  # less than a month apart
    ],
)
def test_no_credit_is_too_large_to_be_added_up_and_too_small_to_be_large_itself(
    ledger: Ledger, pay_minor: int, thousands: tuple[float, ...], found: list[int]
) -> None:
    days = ("02-04", "02-25", "07-02", "08-21", "12-01")
    sent = [
        (f"2025-{day}", int(amount * 100_000), "PRIME BROKERS LTD CLAIM")
        for day, amount in zip(days, thousands, strict=True)
        if amount
    ]
    flags = derive(ledger(*each_month("ACME LTD SALARY", pay_minor), *sent), as_of=AS_OF).flags
    assert [len(ids) for ids in flags["txn_ids"][flags["code"] == "large_unexplained"]] == found


LENT = ("2025-05-05", 1_393_400, "PEAKSIDE LOANS LOAN")


@pytest.mark.parametrize(
    ("rows", "is_asked"),
    [
        ([*pay(), LENT], True),  # a third of all credits
        ([*pay(), (LENT[0], 999_900, LENT[2])], False),
        ([*paid(400_000), LENT], True),  # more than a fifth
        ([*paid(500_000), LENT], False),
        ([*paid(1_000_067), (LENT[0], 2_000_100, LENT[2])], True),  # twice `large_credit`
        ([*paid(1_000_067), (LENT[0], 1_999_900, LENT[2])], False),
        ([*pay(), (LENT[0], LENT[1], "BROKER", {"bank_code": "SECU-CORP-DVCA"})], False),
        ([*pay(), *each_month("BARROW FLAT 4 RENT", 1_050_00)], False),  # a habit
    ],
)
def test_what_the_sender_wrote_lifts_no_limit_for_a_large_credit(
    ledger: Ledger, rows: list[tuple[object, ...]], *, is_asked: bool
) -> None:
    """A single credit that only the sender's words name has the limit of one without."""
    wealth = derive(ledger(*rows), as_of=AS_OF)
    found = wealth.flags[wealth.flags["code"] == "large_unexplained"]
    assert found["severity"].tolist() == ["review"] * is_asked
    assert found["message"].str.startswith("Large credit that only the sender explains: ").all()


LARGE_PARTS = [
    (day, 1_200_000, "LENA DRURY")
    for day in ("2025-01-11", "2025-02-19", "2025-04-14", "2025-05-15", "2025-08-22", "2025-10-01")
]
LUMP = "is that, but at least 10,000.00 GBP and at most 20,000.00 GBP, so"


@pytest.mark.parametrize(
    ("rows", "basis"),
    [
        (
            [*paid(400_000), LENT],
            f"20% of the 61,934.00 GBP of credits, own transfers and refunds left out, is 12,386.80 GBP; the limit {LUMP} 12,386.80 GBP",
        ),
        (
            [*paid(1_000_067), ("2025-05-05", 2_100_000, "QUORNDON 77/2")],
            f"20% of the 141,008.04 GBP of credits, own transfers and refunds left out, is 28,201.60 GBP, rounded down; the limit {LUMP} 20,000.00 GBP",
        ),
        (
            [*pay(), *each_month("MRS T BELL", 830_000)],
            "24,000.00 GBP of established income in 351 days (11 Jan 2025 to 27 Dec 2025) is 24,957.26 GBP in 365 days, rounded down; the limit is that, but at least 25,000.00 GBP for credits that come often from a stranger, and at most 100,000.00 GBP, so 25,000.00 GBP",
        ),
        *(
            (
                [*pay(), *LARGE_PARTS, *more],
                "24,000.00 GBP of established income in 351 days (11 Jan 2025 to 27 Dec 2025) is 24,957.26 GBP in 365 days, rounded down; the limit is that, but at least 20,000.00 GBP for credits from a payer of whom nothing is known, no more than 5 of them under 10,000.00 GBP, and at most 100,000.00 GBP, so 24,957.26 GBP",
            )
            for more in ([], [("2025-11-20", 5_000, "LENA DRURY")])
        ),
    ],
)
def test_a_limit_that_depends_on_the_case_is_worked_out_in_words(
    ledger: Ledger, rows: list[tuple[object, ...]], basis: str
) -> None:
    flags = derive(ledger(*rows), as_of=AS_OF).flags
    found = flags[flags["code"] == "large_unexplained"]
    assert found["limit_basis"].tolist() == [basis]
    limit = basis.rpartition("so ")[2]
    assert f"(the limit here is {limit})" in found["message"].iloc[0]


def test_a_new_account_that_takes_most_of_the_money_is_flagged(ledger: Ledger) -> None:
    new = [
        ("2025-10-05", 900_000, "SOMEBODY", {"account_id": "A2"}),
        ("2025-10-09", 700_000, "OTHER", {"account_id": "A2"}),
    ]
    assert codes(derive(ledger(*pay(), *new), as_of=AS_OF))["activity_spike"] == "review"


def test_an_account_that_was_quiet_and_takes_large_credits_is_awakened(ledger: Ledger) -> None:
    rows = [
        ("2025-01-05", 4_000, "SOMEBODY", {"account_id": "A2"}),
        ("2025-09-05", 400_000, "VEGA TRADING LTD", {"account_id": "A2"}),
        ("2025-09-19", 300_000, "K DORAN", {"account_id": "A2"}),
    ]
    wealth = derive(ledger(*pay(), *rows), as_of=AS_OF)
    flag = wealth.flags[wealth.flags["code"] == "dormant_account"].iloc[0]
    assert flag["facts"]["quiet_days"] == 243
    assert flag["account_ids"] == ["A2", "A2"]


def test_credits_far_above_the_declared_income_are_flagged_only_where_one_was_declared(
    ledger: Ledger,
) -> None:
    rows = ledger(*pay())
    people = pd.DataFrame(
        {"customer_id": ["C1"], "declared_income_minor": [900_000], "declared_currency": ["GBP"]}
    )
    assert codes(derive(rows, customers=people, as_of=AS_OF)) == {"income_beyond_declared": "edd"}
    assert not codes(derive(rows, as_of=AS_OF))


def test_an_ordinary_customer_has_no_flag(ledger: Ledger) -> None:
    spent = [(f"2025-{month:02d}-15", -150_000, f"SHOP {month}") for month in range(1, 13)]
    assert derive(ledger(*pay(), *spent), as_of=AS_OF).flags.empty


def test_order_of_rows_changes_no_flag() -> None:
    diary = Diary("order")
    diary.salary()
    diary.live()
    for name in diary.people(15):
        diary.pay(diary.day(200, 230), 520, name)
    rows, accounts = diary.frames()
    flags = derive(rows, accounts=accounts, as_of="2026-06-27").flags
    mixed = derive(rows.sample(frac=1, random_state=3), accounts=accounts, as_of="2026-06-27").flags
    assert len(flags) == 1
    pd.testing.assert_frame_equal(flags, mixed)
    assert len(rows) > DAYS / 3


def test_a_policy_sets_the_level_of_each_kind_and_can_let_none_pass(ledger: Ledger) -> None:
    rows = ledger(*pay(), ("2025-07-08", 2_300_000, "SOMEBODY"))
    told = derive(rows, thresholds={"levels": {"large_unexplained": "edd"}}, as_of=AS_OF)
    assert codes(told) == {"large_unexplained": "edd"}
    for wrong in ({"large_unexplained": "approve"}, {"odd": "edd"}, "edd"):
        with pytest.raises(PolicyError):
            derive(rows, thresholds={"levels": wrong}, as_of=AS_OF)
    assert set(DEFAULT_LEVELS.values()) == {"review", "edd"}


def test_the_default_policy_names_every_threshold_of_red_flags_and_every_kind() -> None:
    told = to_thresholds(load_policy().thresholds)
    assert told == DEFAULT_THRESHOLDS
    dispositions = {"small_credit", "small_gift", "refund_days", "refund_by_word", "payers"}
    assert {one.name for one in fields(Thresholds)} - dispositions == set(load_policy().thresholds)
    assert set(load_policy().thresholds["levels"]) == set(DEFAULT_LEVELS)


def test_strangers_who_pay_for_a_home_are_flagged_and_one_helper_is_none(ledger: Ledger) -> None:
    given = [
        ("2025-06-02", 900_000, "GORAN WHITLOCK"),
        ("2025-06-09", 700_000, "PETRA ODUYA"),
        ("2025-06-20", 800_000, "IVO CASTELLAN"),
    ]
    paid = [("2025-07-01", -2_600_000, "HOLLIS CONVEYANCING LLP DEPOSIT")]
    assert codes(derive(ledger(*[*pay(), *given, *paid]), as_of=AS_OF))["home_from_strangers"] == "edd"
    assert "home_from_strangers" not in codes(derive(ledger(*[*pay(), given[0], *paid]), as_of=AS_OF))


LAWYERS = [
    "HOLLIS CONVEYANCING LLP",
    "NOTARE DR WEBER UND KROLL",
    "NOTARIN A WEBER ANDERKONTO",
    "NOTARANDERKONTO DR WEBER",
    "OFFICE NOTARIAL DUVAL",
    "SCP DUVAL NOTAIRES",
    "KEYSTONE TITLE COMPANY",
    "LAKESIDE TITLE CO",
    "PINE RIDGE ESCROW",
]


@pytest.mark.parametrize("payer", LAWYERS)
def test_money_of_a_house_that_comes_through_a_lawyer_or_escrow_is_reviewed(
    ledger: Ledger, payer: str
) -> None:
    found = codes(derive(ledger(*pay(), ("2025-06-20", 21_000_000, payer)), as_of=AS_OF))
    assert (found["large_unexplained"], "unexplained_beyond_income" in found) == ("review", False)


@pytest.mark.parametrize("payee", LAWYERS)
def test_a_home_is_paid_for_through_lawyers_and_escrow_of_every_country(ledger: Ledger, payee: str) -> None:
    given = [
        ("2025-06-02", 900_000, "GORAN WHITLOCK"),
        ("2025-06-09", 700_000, "PETRA ODUYA"),
        ("2025-06-20", 800_000, "IVO CASTELLAN"),
    ]
    rows = [*pay(), *given, ("2025-07-01", -2_600_000, payee)]
    assert codes(derive(ledger(*rows), as_of=AS_OF))["home_from_strangers"] == "edd"


@pytest.mark.parametrize(
    "payer", ["WEBER UND KROLL HOLZ GMBH", "KEYSTONE TIMBER COMPANY", "LAKESIDE METAL CO"]
)
def test_money_of_any_other_firm_beyond_a_years_income_is_more_serious(ledger: Ledger, payer: str) -> None:
    found = codes(derive(ledger(*pay(), ("2025-06-20", 21_000_000, payer)), as_of=AS_OF))
    assert found["unexplained_beyond_income"] == "edd"


def life_of(count: int) -> Life:
    """Return payments of one customer in which everybody may be a stranger, spread over a year."""
    movements = [
        movement(
            20_000 + number * 365 // count,
            100_000 + 37 * number % 800_000,
            f"P {number % 97}",
            is_credit=number % 2 == 0,
        )
        for number in range(count)
    ]
    return Life(
        "GBP", [one._replace(txn_id=str(index)) for index, one in enumerate(movements)], DEFAULT_THRESHOLDS
    )


def test_finding_flags_takes_time_in_proportion_to_the_payments_even_of_one_customer() -> None:
    """Four times the payments may take eight times as long, not sixteen."""

    def seconds(count: int) -> float:
        life = life_of(count)
        began = time.process_time()
        for finder in FINDERS:
            list(finder.find(life))
        return time.process_time() - began

    seconds(500)
    assert min(seconds(8_000) for _ in range(2)) <= 8 * max(min(seconds(2_000) for _ in range(3)), 0.02)


def test_a_word_for_a_card_counts_where_a_card_payment_begins() -> None:
    said = topics_of(["visa tesco stores", "j holt visa class"])
    assert ["card_first" in one for one in said] == [True, False]
    assert not any("by_card" in one for one in said)


@pytest.mark.parametrize("bill", ["BILLS", "JOINT COSTS"])
def test_a_person_who_shares_the_home_is_no_firm_beside_the_salary(ledger: Ledger, bill: str) -> None:
    shared = [
        row
        for month in range(1, 12)
        for row in (
            (f"2025-{month:02d}-02", 70_000, "SULEMAN TOMLIN RENT HALF"),
            (f"2025-{month:02d}-06", 7_100 + 310 * month, f"SULEMAN TOMLIN {bill}"),
        )
    ]
    assert "firms_beside_salary" not in codes(derive(ledger(*pay(), *shared), as_of=AS_OF))


@pytest.mark.parametrize(("parts", "minor"), [(14, 99_000), (4, 350_000), (2, 600_000)])
def test_a_large_credit_is_found_though_it_is_sent_in_parts(ledger: Ledger, parts: int, minor: int) -> None:
    sent = [(f"2025-05-{day:02d}", minor, "UGO APPLEGARTH") for day in range(3, 3 + parts)]
    [flag] = derive(ledger(*pay(), *sent), as_of=AS_OF).flags.to_dict("records")
    assert flag["code"] == "large_unexplained"
    assert flag["facts"]["credits_minor"] == parts * minor
    small = [(day, 50_000, text) for day, _, text in sent]
    assert "large_unexplained" not in codes(derive(ledger(*pay(), *small), as_of=AS_OF))


def test_what_comes_when_a_salary_has_ended_is_not_beside_it(ledger: Ledger) -> None:
    days = ("06-11", "06-30", "08-04", "08-19", "10-13", "11-24")
    from_firm = [
        (f"2025-{day}", 391_710 + 40_013 * number, "ORRERY PARTS LTD") for number, day in enumerate(days)
    ]
    beside = derive(ledger(*pay(), *from_firm), as_of=AS_OF)
    after = derive(ledger(*pay()[:4], *from_firm), as_of=AS_OF)
    assert "firms_beside_salary" in codes(beside)
    assert "firms_beside_salary" not in codes(after)


def test_the_wage_of_an_account_that_is_linked_twice_is_no_second_business_with_the_employer(
    ledger: Ledger,
) -> None:
    wage = [
        (f"2025-{month:02d}-27", 280_000 + 97 * month, "VELLING MOTORS LTD SALARY") for month in range(1, 11)
    ]
    again = [(*row, {"account_id": "A2"}) for row in wage]
    assert "employer_as_customer" not in codes(derive(ledger(*wage, *again), as_of=AS_OF))
    sold = [
        (f"2025-{month:02d}-12", 90_000 + 7_311 * month, "VELLING MOTORS LTD INVOICE", {"account_id": "A2"})
        for month in range(1, 11)
    ]
    assert "employer_as_customer" in codes(derive(ledger(*wage, *sold), as_of=AS_OF))


def test_a_wage_that_moves_to_another_account_is_no_second_business_with_the_employer(ledger: Ledger) -> None:
    wage = [
        (f"2025-{month:02d}-27", 280_000 + 97 * month, "VELLING MOTORS LTD SALARY") for month in range(1, 11)
    ]
    new = [(*row, {"account_id": "A2"}) for row in wage]
    # The data of the second link begin months after those of the first.
    assert "employer_as_customer" not in codes(derive(ledger(*wage, *new[6:]), as_of=AS_OF))
    assert "employer_as_customer" not in codes(derive(ledger(*wage[:6], *new[6:]), as_of=AS_OF))
    second = [(row[0].replace("-27", "-12"), row[1] + 5_000, *row[2:]) for row in new]
    assert "employer_as_customer" in codes(derive(ledger(*wage, *second), as_of=AS_OF))
