"""Small statements of each kind that a reader of bank data gets wrong, and what has to be said of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

AS_OF = "2025-12-31"
OWNER = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Oluwaseun"], "last_name": ["Brannigan"]})
JOINT = pd.DataFrame(
    {"customer_id": ["C1"], "account_id": ["A1"], "holder_name": ["Mr O Brannigan & Ms D Falk"]}
)
Row = tuple[str, float, str, dict[str, Any]]
Holds = Callable[[Wealth], Any]


def frame(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "customer_id": "C1", "account_id": "A1", "txn_id": f"T{number:04d}", "booked_on": day,
                "amount_minor": round(amount * 100), "currency": "GBP", "description_raw": text,
            } | more
            for number, (day, amount, text, more) in enumerate(rows)
        ]
    )  # fmt: skip


def on(day: str, amount: float, text: str, **more: Any) -> list[Row]:
    return [(day, amount, text, more)]


def monthly(day: int, count: int, amount: float, text: str, start: int = 1, **more: Any) -> list[Row]:
    rows: list[Row] = []
    for month in range(start, start + count):
        last = pd.Timestamp(2025, month, 1).days_in_month
        rows.append((f"2025-{month:02d}-{min(day, last):02d}", amount, text, more))
    return rows


def every(days: int, count: int, amount: float, text: str, start: str = "2025-01-03") -> list[Row]:
    return [
        (str(day.date()), amount, text, {}) for day in pd.date_range(start, periods=count, freq=f"{days}D")
    ]


def spending(account: str = "A1") -> list[Row]:
    shops = ("CORNER SHOP", "TRAMLINES TRAVEL", "BAKEHOUSE", "HEAT AND LIGHT")
    days = pd.date_range("2025-01-02", "2025-12-29", freq="4D")
    return [
        (str(day.date()), -(11.13 + number % 37), shops[number % 4], {"account_id": account})
        for number, day in enumerate(days)
    ]


def moved(
    out: str, into: str, sent: float, came: float | None = None, days: int = 0, day: int = 9, path: str = "A1 A2",
    currencies: str = "GBP GBP",
) -> list[Row]:  # fmt: skip
    """Six months of a debit and a credit in another account."""
    accounts, money = path.split(), currencies.split()
    rows: list[Row] = []
    for month in range(1, 7):
        first = pd.Timestamp(2025, month, day)
        later = first + pd.Timedelta(days=days)
        rows.append((str(first.date()), -sent, out, {"account_id": accounts[0], "currency": money[0]}))
        rows.append(
            (
                str(later.date()), sent if came is None else came, into,
                {"account_id": accounts[1], "currency": money[1]},
            )
        )  # fmt: skip
    return rows


def without(rows: list[Row], first: str, last: str) -> list[Row]:
    return [row for row in rows if not first <= row[0] <= last]


def known(wealth: Wealth) -> dict[str, float]:
    """Sums of the credits whose nature is said, by type, in major units."""
    credits_ = wealth.credits
    said = credits_[
        credits_["disposition"].isin(["stream", "one_off"]) & credits_["type"].ne("other").fillna(False)
    ]
    return {str(name): int(total) / 100 for name, total in said.groupby("type")["amount_minor"].sum().items()}


def disposed(wealth: Wealth) -> dict[str, int]:
    return wealth.credits["disposition"].value_counts().to_dict()


def counts(wealth: Wealth) -> list[int]:
    return sorted(wealth.streams["count"].tolist())


def flags(wealth: Wealth) -> set[str]:
    return set(wealth.flags["code"])


def is_own(wealth: Wealth) -> bool:
    """Every credit is an own transfer or names the debit it may belong with, and none is a source of another nature."""
    found = set(disposed(wealth)) == {"own_transfer"} or bool(wealth.credits["pair_txn_id"].notna().all())
    return found and set(known(wealth)) <= {"savings"}


def becomes(count: int, cadence: str, earlier: str | None = None) -> Holds:
    def holds(wealth: Wealth) -> bool:
        if len(wealth.streams) != 1 or wealth.credits["bonus"].any():
            return False
        stream = wealth.streams.iloc[0]
        return bool(
            (stream["count"], stream["cadence"]) == (count, cadence)
            and (earlier is None or stream["earlier_cadence"] == earlier)
            and stream["next_on"] > stream["last_on"]
        )

    return holds


def is_known(**natures: float) -> Holds:
    return lambda wealth: known(wealth) == natures


def says(words: str) -> Holds:
    return lambda wealth: any(words in wealth.explain(one) for one in wealth.streams["stream_id"])


def not_supported_by_more_than(amount: str, most_minor: int) -> Holds:
    def holds(wealth: Wealth) -> bool:
        found = wealth.sufficiency("C1", "P1", amount, "GBP")
        return found.answer != "supported" and found.supported_minor <= most_minor

    return holds


def numbers(*given: str) -> dict[str, pd.DataFrame]:
    ids = [f"A{number + 1}" for number in range(len(given))]
    return {"accounts": pd.DataFrame({"customer_id": "C1", "account_id": ids, "account_number": given})}


ROUND = [("A1 A2", 9), ("A2 A3", 10), ("A3 A1", 12)]
PAY = monthly(28, 12, 2_000, "ACUMEN LTD", bank_code="PMNT-RCDT-SALA")
WAGES = "PELLOW CARE LTD WAGES"
HAULAGE = "SANDBACH HAULAGE LTD PAY"
MILLS = monthly(25, 12, 2_280, "CALDER MILLS LTD SALARY")
KITCHEN = on("2025-01-15", -9_000, "KITCHEN STUDIO NORTH")
NAMED: dict[str, Any] = {"customers": OWNER}

OWN: list[tuple[list[Row], dict[str, Any]]] = [
    (moved("O BRANNIGAN EURO", "BRANNIGAN OLUWASEUN", 700, 812.4, 1, currencies="GBP EUR"), NAMED),
    (moved("WISE PAYMENTS LIMITED", "WISE EUROPE SA", 1_250, 1_441.9, 2, currencies="GBP EUR"), {}),
    (moved("EXCHANGED TO EUR", "EXCHANGED FROM GBP", 333, 380.11, currencies="GBP EUR"), {}),
    (moved("SENT TO WISE", "WISE US INC", 1_000, 780, 1, currencies="USD GBP"), {}),
    (moved("TRANSFER TO BRANNIGAN O", "BRANNIGAN O", 900, 875, 2), NAMED),
    (moved("SEND MONEY OLUWASEUN BRANNIGAN", "OLUWASEUN BRANNIGAN", 1_500, 1_494.75), NAMED),
    (moved("TO SAVINGS", "O BRANNIGAN", 420, 417.5, 4), NAMED),
    (moved("TRANSFER TO OWN ACCOUNT", "TRANSFER FROM OWN ACCOUNT", 640, days=7), {}),
    (moved("MONZO", "MR O BRANNIGAN", 275, days=7), NAMED),
    (moved("UMBUCHUNG TAGESGELD", "UMBUCHUNG GIROKONTO", 300, currencies="EUR EUR"), {"country": "DE"}),
    (
        moved("VIREMENT VERS LIVRET A", "VIREMENT DEPUIS COMPTE COURANT", 250, currencies="EUR EUR"),
        {"country": "FR"},
    ),
    ([row for path, day in ROUND for row in moved("TRANSFER", "TRANSFER", 800, day=day, path=path)], {}),
    (
        [row for path, day in ROUND for row in moved("O BRANNIGAN", "BRANNIGAN O", 2_500, day=day, path=path)],
        NAMED,
    ),
    *[
        ([row for path, day in ROUND for row in moved(text, text, 1_130, day=day, path=path)], {})
        for text in ("RENT", "SALARY", "RENT FLAT 4")
    ],
    (moved("PENSION", "PENSION", 640, days=1), NAMED),
    (
        on("2025-05-02", -3_000, "TO SAVER")
        + on("2025-05-02", 1_500, "FROM CURRENT", account_id="A2")
        + on("2025-05-03", 1_500, "FROM CURRENT", account_id="A2"),
        {},
    ),
    (
        on("2025-06-12", -1_200, "TRANSFER TO MARCUS")
        + on("2025-06-12", -800, "TRANSFER TO MARCUS")
        + on("2025-06-13", 2_000, "O BRANNIGAN", account_id="A2"),
        NAMED,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "given"), OWN)
def test_ones_own_money_is_no_income_however_it_travels(rows: list[Row], given: dict[str, Any]) -> None:
    assert is_own(derive(frame(rows), as_of=AS_OF, **given))


@pytest.mark.parametrize(
    "rows",
    [
        monthly(1, 12, 2_000, "TRENTHAM ENGINEERING LTD")
        + monthly(1, 12, -2_000, "MRS OKAFOR RENT", account_id="A2"),
        monthly(26, 12, 1_180, "KELLAWAY PRINT WAGES")
        + monthly(27, 12, -1_180, "AMERICAN EXPRESS", account_id="A2"),
        moved("COUNCIL TAX", "NORDWIND GMBH GEHALT", 1_000, 1_150, 1, currencies="GBP EUR"),
        moved("BILLS", "J BRANNIGAN", 900),
        moved("RENT MRS OKAFOR", "RENT", 1_130),
        monthly(1, 12, 900, "RENT") + monthly(2, 6, -900, "RENT", account_id="A2"),
    ],
)
def test_where_somebody_else_pays_it_is_no_own_transfer(rows: list[Row]) -> None:
    wealth = derive(frame(rows), customers=OWNER, as_of=AS_OF)
    assert "own_transfer" not in disposed(wealth)
    assert wealth.credits["pair_txn_id"].isna().all()


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        (every(7, 18, 412, WAGES, "2025-01-02") + every(7, 17, 412, WAGES, "2025-05-13"), becomes(35, "weekly", "weekly")),
        (every(7, 22, 455, WAGES) + monthly(28, 7, 1_971.67, WAGES, 6), becomes(29, "monthly", "weekly")),
        (every(14, 10, 900, HAULAGE) + every(28, 8, 1_800, HAULAGE, "2025-06-13"), becomes(18, "four_weekly", "fortnightly")),
        (every(28, 6, 1_700, HAULAGE) + monthly(25, 7, 1_841.67, HAULAGE, 6), becomes(13, "monthly", "four_weekly")),
        (monthly(28, 6, 2_000, HAULAGE) + every(7, 26, 461.54, HAULAGE, "2025-07-04"), becomes(32, "weekly", "monthly")),
        (every(14, 9, 830, HAULAGE, "2025-01-09") + every(14, 9, 830, HAULAGE, "2025-05-22"), becomes(18, "fortnightly")),
        (monthly(25, 5, 2_120, HAULAGE) + monthly(10, 7, 2_120, HAULAGE, 6), becomes(12, "monthly", "monthly")),
        (monthly(31, 7, 2_120.5, HAULAGE) + monthly(12, 5, 2_120.5, HAULAGE, 8), becomes(12, "monthly", "monthly")),
        (monthly(28, 7, 1_500, HAULAGE) + monthly(28, 5, 2_400, HAULAGE, 8), becomes(12, "monthly")),
        (monthly(28, 6, 2_310, "BIRCHWOOD LTD SALARY") + monthly(28, 6, 2_310, "OAKFIELD GROUP LTD SALARY", 7), says("under a new name")),
        (every(7, 20, 512.3, "TIDEWATER FISH WAGES") + every(7, 20, 512.3, "NEREUS FOODS WAGES", "2025-05-23"), says("under a new name")),
        (monthly(28, 6, 2_500, HAULAGE) + monthly(28, 6, 2_700, HAULAGE, 7), says("Since 28 Jul 2025 every payment has been larger")),
        (monthly(28, 4, 2_600, HAULAGE) + monthly(28, 4, 900, HAULAGE, 5) + monthly(28, 4, 2_600, HAULAGE, 9), says("A dip")),
        ([row for row in monthly(20, 12, 212.4, "FABER MUSIC ROYALTIES") if int(row[0][5:7]) % 2], says("every two months")),
        ([row for row in monthly(5, 12, 1_500, "T ADEWALE RENT 2 MONTHS") if not int(row[0][5:7]) % 2], says("every two months")),
    ],
)  # fmt: skip
def test_a_stream_that_changes_stays_one_and_says_so(rows: list[Row], holds: Holds) -> None:
    assert holds(derive(frame(rows), as_of=max(row[0] for row in rows)))


def test_a_thirteenth_salary_is_pay_of_the_employer_who_pays_every_month() -> None:
    rows = monthly(25, 12, 2_400, "FENWICK GMBH GEHALT") + on(
        "2025-11-25", 2_400, "FENWICK GMBH WEIHNACHTSGELD"
    )
    assert known(derive(frame(rows), country="DE", as_of=AS_OF)) == {"employment": 31_200.0}


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        (monthly(28, 12, 2_140, "STANWAY LTD SALARY") + on("2025-07-28", 2_140, "STANWAY LTD SALARY") + on("2025-07-29", -2_140, "STANWAY LTD SALARY RECALLED"), is_known(employment=25_680.0)),
        (monthly(28, 12, 2_140, "STANWAY LTD SALARY") + on("2025-08-28", 2_140, "STANWAY LTD SALARY") + on("2025-09-03", -2_140, "STANWAY LTD"), is_known(employment=25_680.0)),
        (monthly(15, 6, 780, "PARISH COUNCIL WAGES") + on("2025-05-16", -780, "BACS RECALL PARISH COUNCIL"), is_known(employment=3_900.0)),
        (monthly(30, 6, 2_600, "KRAUS GMBH GEHALT") + on("2025-07-01", -2_600, "RUECKBUCHUNG KRAUS GMBH GEHALT"), is_known(employment=13_000.0)),
        (on("2025-05-02", 4_000, "CHEQUE 000123") + on("2025-05-07", -4_000, "UNPAID CHEQUE 000123"), lambda wealth: set(disposed(wealth)) == {"refund"}),
        (monthly(1, 6, -850, "SO MRS FINNEGAN") + on("2025-04-02", 850, "RETURNED SO MRS FINNEGAN"), lambda wealth: disposed(wealth) == {"refund": 1}),
        (KITCHEN + on("2025-11-15", 9_000, "KITCHEN STUDIO NORTH REFUND"), lambda wealth: "refund" not in disposed(wealth)),
        (on("2025-11-15", 14_000, "REFUND AVON TRAVEL CLUB LTD"), lambda wealth: "refund" not in disposed(wealth)),
        (on("2025-05-15", -400, "SKYWARD HOLIDAYS") + on("2025-06-15", 7_400, "SKYWARD HOLIDAYS REFUND"), lambda wealth: "refund" not in disposed(wealth)),
        (on("2025-05-15", -240, "ZALANDO") + on("2025-05-21", 240, "ZALANDO RETOURE"), lambda wealth: disposed(wealth) == {"refund": 1} and not flags(wealth)),
        (on("2025-05-15", -1_899, "DFS FURNITURE") + on("2025-06-02", 1_899, "DFS FURNITURE"), lambda wealth: disposed(wealth) == {"refund": 1} and not flags(wealth)),
        (on("2025-02-15", -1_260, "RYANAIR") + on("2025-04-10", 1_260, "RYANAIR"), lambda wealth: not flags(wealth)),
    ],
)  # fmt: skip
def test_what_goes_back_is_netted_and_a_late_refund_is_not_believed(rows: list[Row], holds: Holds) -> None:
    assert holds(derive(frame(rows), as_of=AS_OF))


@pytest.mark.parametrize(
    ("rows", "found", "filled"),
    [
        (without(MILLS + spending(), "2025-03-20", "2025-04-29"), ["hole"], 10),
        ([row for row in MILLS if row[0][5:7] not in ("04", "05")] + spending(), [], 10),
        (without(MILLS + spending(), "2025-06-20", "2025-08-01") + spending("A2"), ["hole"], 10),
    ],
)
def test_a_hole_in_the_feed_is_no_unpaid_leave(rows: list[Row], found: list[str], filled: int) -> None:
    wealth = derive(frame(rows), as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == found
    assert (wealth.streams["filled_count"].iloc[0], wealth.streams["silent_count"].iloc[0] > 0) == (
        filled,
        bool(found),
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (monthly(28, 12, 1_900, "MARLOW BUILDERS LTD") + monthly(28, 12, 700, "MARLOWE BUILDERS LTD"), [12, 12]),
        (monthly(28, 12, 1_900, "KESTREL CARE NORTH LTD SALARY") + monthly(28, 12, 1_900, "KESTREL CARE SOUTH LTD SALARY"), [12, 12]),
        (every(7, 40, 310, "BRAMLEY TAXIS") + every(7, 40, 275, "BRAMLEYS TAXIS"), [40, 40]),
        (every(14, 13, 256.9, "DWP ESA 0012345") + every(28, 7, 434.2, "DWP PIP 0012345", "2025-07-11"), [7, 13]),
        (every(14, 10, 169.6, "DWP JSA") + monthly(20, 6, 393.45, "DWP UNIVERSAL CREDIT", 7), [6, 10]),
        (every(14, 26, 181.1, "DWP ESA") + every(28, 13, 110.4, "DWP PIP"), [13, 26]),
        (monthly(28, 12, 2_500, "KINGSMEAD LTD") + [(f"2025-{month:02d}-11", 31.2 + 7 * month, "KINGSMEAD LTD EXPENSES", {}) for month in range(1, 13)], [12, 12]),
    ],
)  # fmt: skip
def test_two_series_are_two_streams(rows: list[Row], expected: list[int]) -> None:
    assert counts(derive(frame(rows), as_of=AS_OF)) == expected


@pytest.mark.parametrize(
    ("pay", "pension"),
    [
        (monthly(28, 12, 2_050, "UNILEVER UK LTD SALARY"), monthly(28, 12, 610, "UNILEVER UK PENSION FUND")),
        (monthly(28, 12, 2_050, "LEEDS CITY COUNCIL PAYROLL"), monthly(18, 12, 610, "LEEDS CITY COUNCIL PENSIONS")),
        (monthly(27, 12, 2_050, "NHS LOTHIAN SALARY"), monthly(19, 12, 610, "NHS PENSIONS")),
    ],
)  # fmt: skip
def test_a_firms_pay_and_its_pension_are_two(pay: list[Row], pension: list[Row]) -> None:
    assert known(derive(frame(pay + pension), as_of=AS_OF)) == {"employment": 24_600.0, "pension": 7_320.0}


@pytest.mark.parametrize(
    ("given", "least", "total"),
    [
        (numbers("20-11-22 55667788", "GB33BUKB20112255667788"), 21_000, 21_000),
        (numbers("****1234", "****9876"), 42_000, 42_000),
        (numbers("****1234", "****1234"), 21_000, 42_000),
    ],
)
def test_one_account_linked_twice_counts_once_and_two_count_twice(
    given: dict[str, Any], least: int, total: int
) -> None:
    rows = monthly(28, 12, 1_750, "HOLT LTD SALARY") + monthly(
        28, 12, 1_750, "Holt Ltd. Salary", account_id="A2"
    )
    stream = derive(frame(rows), as_of=AS_OF, **given).streams.iloc[0]
    assert (stream["least_total_minor"], stream["total_minor"]) == (least * 100, total * 100)


def test_pending_rows_are_linked_with_their_booked_twins_and_joint_accounts_are_named() -> None:
    rows = on("2025-06-01", 1_640, "PENDING: HOLT", status="pending") + on(
        "2025-06-02", 1_640, "HOLT LTD SALARY BACS", status="booked"
    )
    wealth = derive(frame(rows), as_of=AS_OF)
    assert (len(wealth.credits), wealth.set_aside["kept_txn_id"].tolist()) == (1, ["T0001"])
    assert says("is a joint account")(derive(frame(MILLS), accounts=JOINT, as_of=AS_OF))


@pytest.mark.parametrize(
    ("holder", "said"), [("Mr O Brannigan & Ms D Falk", True), ("Mr O Brannigan", False)]
)
def test_the_statement_says_that_an_account_is_joint_without_naming_the_other_holder(
    holder: str,
    said: bool,  # noqa: FBT001
) -> None:
    wealth = derive(frame(MILLS), customers=OWNER, accounts=JOINT.assign(holder_name=holder), as_of=AS_OF)
    context = wealth.statement("C1").context
    assert context is not None
    assert ("Account A1 is a joint account:" in context) is said
    assert "Falk" not in context


@pytest.mark.parametrize(
    "rows",
    [
        PAY + on("2025-06-02", 180_000, "ESTATE OF W FINCH DECD") + on("2025-06-03", -180_000, "HARDING CONVEYANCING"),
        PAY + on("2025-06-02", 100_000, "ESTATE OF W FINCH DECD") + [row for day in range(1, 11) for row in on(f"2025-07-{day:02d}", -10_000, "MR K LOWE")],
        PAY + on("2025-04-02", 140_000, "MUM AND DAD GIFT") + on("2025-04-04", -140_000, "MR V STEIN"),
    ],
)  # fmt: skip
def test_a_lump_sum_that_left_again_is_not_there(rows: list[Row]) -> None:
    assert not_supported_by_more_than("90000.00", 2_400_000)(derive(frame(rows), as_of=AS_OF))


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (PAY + monthly(3, 12, -1_666, "BETFRED ONLINE"), "gambling"),
        (PAY + monthly(5, 12, -1_500, "WILLIAM HILL") + monthly(6, 12, 1_300, "WILLIAM HILL WITHDRAWAL"), "gambling"),
        (PAY + [row for name in ("BET365", "32RED", "SKY VEGAS", "888SPORT") for row in monthly(5, 12, -400, name)], "gambling"),
        (PAY + monthly(6, 10, -1_500, "KRAKEN EXCHANGE"), "crypto"),
        (PAY + [row for name in ("MOONPAY", "GEMINI", "BINANCE") for row in monthly(6, 12, -500, name)], "crypto"),
        (PAY + on("2025-03-06", 12_000, "BITSTAMP EUROPE") + on("2025-03-08", -11_900, "BITSTAMP EUROPE"), "crypto"),
    ],
)  # fmt: skip
def test_gambling_and_crypto_count_in_and_out(rows: list[Row], kind: str) -> None:
    assert any(code.startswith(kind) for code in flags(derive(frame(rows), as_of=AS_OF)))


@pytest.mark.parametrize(
    "rows",
    [
        monthly(17, 12, 9_500, "TRIDENT GLOBAL HOLDINGS"),
        monthly(4, 12, 9_000, "V KASPAROV GIFT"),
        on("2025-02-11", 42_000, "OFFSHORE MARITIME HOLDCO")
        + on("2025-05-19", 42_000, "OFFSHORE MARITIME HOLDCO")
        + on("2025-10-02", 42_000, "OFFSHORE MARITIME HOLDCO"),
        on("2024-12-20", 18_000, "R PEMBERTON") + on("2025-12-19", 33_000, "R PEMBERTON"),
        on("2025-04-20", 48_000, "A KOWALCZYK GIFT"),
    ],
)  # fmt: skip
def test_much_money_of_unknown_nature_is_unexplained_and_flagged(rows: list[Row]) -> None:
    wealth = derive(frame(rows + spending()), as_of=AS_OF)
    assert not wealth.explained_share("C1", "GBP")
    assert flags(wealth)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("ENTERPRISE RENT A CAR SALARY", "employment"),
        ("HOLLOWAY LETTINGS LTD WAGES", "employment"),
        ("DWP PAYROLL NET PAY", "employment"),
        ("SOCIAL FUND PARTNERS LTD PAYROLL", "employment"),
        ("STUDENT LOANS CO LTD NET PAY", "employment"),
        ("D OSEI LOAN REPAYMENT", "person_transfer"),
        ("CROSS PENS & INK LTD", "other"),
    ],
)
def test_a_firms_name_does_not_say_what_it_pays(text: str, type_: str) -> None:
    streams = derive(frame(monthly(28, 12, 1_830, text)), as_of=AS_OF).streams
    assert streams["type"].tolist() == [type_]
