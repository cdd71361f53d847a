"""Every number and every window of a red flag's sentence follows from the transactions that it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from tests.wealth.flag_parts import Ledger, Stories, derived_kinds, pay
from tests.wealth.money_patterns import Diary
from tests.wealth.test_flags_causes import collection_sent_to_ever_new_people, collection_that_is_staked
from tests.wealth.test_flags_emptied import drained_after_a_trial, over_several_mules
from tests.wealth.test_flags_nights_away import takings_handed_over
from tests.wealth.test_flags_on_behalf import for_a_contractor
from tests.wealth.test_flags_takings_handed_on import cards_charged_for_cash

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.render.document_parts import Table
from kycpack.render.review.flagged import flags_section
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import Wealth, derive
from kycpack.wealth.flag_levels import DEFAULT_LEVELS
from kycpack.wealth.judge.red_flags.flag import FACTS, to_date
from kycpack.wealth.judge.red_flags.life import INCOME_TYPES

DECLARED = 900_000
_NUMBERS = re.compile(r"\d[\d,]*(?:\.\d+)? GBP|\d{1,2} [A-Z][a-z]{2} \d{4}|\d+%|\d+")


def of_all_credits(rows: pd.DataFrame, wealth: Wealth) -> dict[str, int]:
    """Return the facts that follow from all credits of a story."""
    counted = wealth.credits[~wealth.credits["disposition"].isin(["own_transfer", "refund"])]
    cash = counted["txn_id"].isin(rows[rows["description_raw"].str.contains("CASH")]["txn_id"])
    income = counted[counted["type"].isin(INCOME_TYPES) & ~counted["doubtful"] & ~cash]
    named_by = rows.set_index("txn_id")["description_raw"].str.split().str[:2].str.join(" ")
    open_ = counted[~counted["type"].isin(INCOME_TYPES) & ~cash].assign(
        payer=lambda some: some["txn_id"].map(named_by)
    )
    monthly = [
        some["amount_minor"].sum()
        for payer, some in open_[open_["payer"].str.endswith("GROUP")].groupby("payer")
        if some["booked_on"].diff().dt.days.dropna().between(25, 35).all()
    ]
    days = [day.toordinal() - 719_163 for day in pd.to_datetime(rows["booked_on"])]
    return {
        "observed_from_on": min(days),
        "observed_to_on": max(days),
        "regular_minor": int(sum(monthly)),
        "income_minor": int(income["amount_minor"].sum()),
        "all_credits_minor": int(counted["amount_minor"].sum()),
    }


def of_its_payments(mine: pd.DataFrame, whole: int) -> dict[str, int]:
    """Return the facts of a flag that follow from its transactions, and their share of all credits."""
    into, out = mine[mine["amount_minor"] > 0], mine[mine["amount_minor"] < 0]
    days = [day.date().toordinal() - 719_163 for day in mine["booked_on"]]
    return {
        "credits": len(into),
        "credits_minor": int(into["amount_minor"].sum()),
        "debits": len(out),
        "debits_minor": -int(out["amount_minor"].sum()),
        "accounts": mine.index.get_level_values(0).nunique(),
        "first_on": min(days),
        "last_on": max(days),
        "share_percent": round(100 * int(into["amount_minor"].sum()) / whole),
    }


def written_out(rows: pd.DataFrame) -> dict[str, str]:
    """Return the whole name for each payer's initial, where one whole name alone fits and neither is paid; every text of the patterns begins with both names."""
    names = {tuple(text.split()[:2]) for text in rows["description_raw"]}
    paid = {tuple(text.split()[:2]) for text in rows[rows["amount_minor"] < 0]["description_raw"]}
    whole = {name for name in names if len(name) > 1 and len(name[0]) > 1}
    fits = {name: [one for one in whole if (one[0][0], one[1]) == name] for name in names - whole}
    return {
        " ".join(name): " ".join(ones[0])
        for name, ones in fits.items()
        if len(ones) == 1 and paid.isdisjoint([name, ones[0]])
    }


def named(mine: pd.DataFrame, whole: dict[str, str]) -> dict[str, int]:
    """Return how many parties the texts name, each once in whatever spellings."""
    names = mine["description_raw"].str.split().str[:2].str.join(" ").replace(whole)
    into = mine["amount_minor"] > 0
    return {"payers": names[into].nunique(), "payees": names[~into].nunique()}


def with_payments(rows: pd.DataFrame, wealth: Wealth) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Yield each flag of a story with the transactions that it names."""
    table = rows.set_index(["account_id", "txn_id"])
    for flag in wealth.flags.to_dict("records"):
        yield flag, table.loc[list(zip(flag["account_ids"], flag["txn_ids"], strict=True))]


def staked_a_little(d: Diary) -> None:
    for month in range(12):
        d.pay(month * 30.4 + 5, -290, "Marrowfen Bet", "STAKE")
    d.pay(200, 2600, "Marrowfen Bet", "WINNINGS")


def staked_and_returned(d: Diary) -> None:
    for number in range(6):
        d.pay(40 + 48 * number, -2000, "Marrowfen Bet", "DEPOSIT")
        d.pay(45 + 48 * number, 1900, "Marrowfen Bet", "WITHDRAWAL")


def account_opened_late(d: Diary) -> None:
    d.accounts.append("A2")
    for day in (200, 204):
        d.pay(day, 8_000, d.person(), "", account="A2")


def benefits_of_eight(d: Diary) -> None:
    for month in range(12):
        for number in range(8):
            d.pay(month * 30.4 + 2 * number, 410 + 37 * number, "DWP UC", f"CLAIM {number}")
            d.rows[-1]["counterparty_name"] = None


def sums_that_rise(d: Diary) -> None:
    name = d.person()
    for number in range(10):
        d.pay(40 + 25 * number, 250 * 1.35**number, name)


def earns_more_than_declared(d: Diary) -> None:
    d.salary(amount=3_000)


@pytest.fixture(scope="module")
def seldom_shown() -> Stories:
    """Kinds of flags, and sentences of them, that no other story shows."""
    stories = derived_kinds(
        [
            (make, True)
            for make in (
                staked_a_little,
                staked_and_returned,
                account_opened_late,
                benefits_of_eight,
                sums_that_rise,
                drained_after_a_trial,
                over_several_mules,
                takings_handed_over,
                cards_charged_for_cash,
                collection_sent_to_ever_new_people,
                collection_that_is_staked,
                for_a_contractor,
            )
        ],
        salary=2_500,
    )
    diary = Diary("declared")
    earns_more_than_declared(diary)
    rows, accounts = diary.frames()
    people = pd.DataFrame(
        {"customer_id": ["C1"], "declared_income_minor": [DECLARED], "declared_currency": ["GBP"]}
    )
    wealth = derive(rows, people, accounts=accounts, as_of="2026-06-27")
    return [*stories, ("earns_more_than_declared", True, rows, wealth)]


def assert_its_section_shows_its_payments(flag: dict[str, Any], mine: pd.DataFrame) -> None:
    """Each payment that decides stands in the section with its day, direction, amount and evidence; of many the largest."""
    given = mine.reset_index().assign(evidence_id="E-07")
    *_, shown = flags_section([flag], given, ShortNames(())).blocks
    assert isinstance(shown, Table)
    said = [tuple(cell.text for cell in row[1:4]) for row in shown.rows]
    due = [
        (
            day_words(row.booked_on.date()),
            "In" if row.amount_minor > 0 else "Out",
            format_minor(abs(row.amount_minor), "GBP"),
        )
        for row in given.itertuples()
    ]
    assert Counter(said) <= Counter(due)
    assert len(said) == (len(due) if len(due) <= 12 else 6)
    largest = max(given["amount_minor"].abs())
    assert format_minor(int(largest), "GBP") in {amount for _, _, amount in said}
    assert {row[6].text for row in shown.rows} == {"E-07"}


def test_every_number_of_every_flag_follows_from_its_transactions(
    made: Stories,
    kept: Stories,
    schemed: Stories,
    lost: Stories,
    entrusted: Stories,
    covered: Stories,
    held_in_trust: Stories,
    seldom_shown: Stories,
) -> None:
    """Every kind of flag that there is must be among the stories."""
    seen = set()
    for kind, _, rows, wealth in (
        *made, *kept, *schemed, *lost, *entrusted, *covered, *held_in_trust, *seldom_shown,
    ):  # fmt: skip
        everywhere, whole = of_all_credits(rows, wealth), written_out(rows)
        for flag, mine in with_payments(rows, wealth):
            seen.add(flag["code"])
            facts, own = flag["facts"], everywhere | of_its_payments(mine, everywhere["all_credits_minor"])
            assert len(set(zip(flag["account_ids"], flag["txn_ids"], strict=True))) == len(flag["txn_ids"])
            assert set(facts) <= set(FACTS)
            for name in set(facts) & set(own):
                assert facts[name] == own[name], (kind, flag["code"], name)
            assert 1 <= facts["payers"] <= max(own["credits"], 1) or not own["credits"]
            assert facts["payees"] <= own["debits"]
            if flag["code"] == "income_beyond_declared":
                assert facts["declared_minor"] == DECLARED
            for name, parties in named(mine, whole).items():
                assert facts[name] == parties, (kind, flag["code"], name)
            said = {
                *(format_minor(value, "GBP") for name, value in facts.items() if name.endswith("_minor")),
                *(day_words(to_date(value)) for name, value in facts.items() if name.endswith("_on")),
                *(f"{value}%" for name, value in facts.items() if name.endswith("_percent")),
                *(str(value) for value in facts.values()),
            }
            numbers = _NUMBERS.findall(flag["message"])
            assert numbers
            assert set(numbers) <= said, (kind, flag["message"])
            assert not flag["message"].endswith(".")
            assert {day_words(to_date(facts["first_on"])), day_words(to_date(facts["last_on"]))} <= set(
                numbers
            )
            assert any(number.endswith(" GBP") for number in numbers), (kind, flag["message"])
            assert_its_section_shows_its_payments(flag, mine)
            assert "no established nature" not in flag["message"]
    assert seen == set(DEFAULT_LEVELS)


def test_windows_of_sentences_hold_for_their_transactions(
    made: Stories,
    kept: Stories,
    schemed: Stories,
    lost: Stories,
) -> None:
    """The days that a sentence claims are those of its payments."""
    followed = {
        "pass_through",
        "sent_to_exchange",
        "cash_sent_on",
        "pay_returned",
        "pay_drawn",
        "loan_met_by_others",
        "collected_abroad",
        "savings_sent_away",
        "tax_refunds_shared",
    }
    for _, _, rows, wealth in (*made, *kept, *schemed, *lost):
        for flag, mine in with_payments(rows, wealth):
            window = flag["facts"].get("window_days")
            if flag["code"] in {"cash_structuring", "near_threshold", "gift_cards"} and window:
                assert (mine["booked_on"].max() - mine["booked_on"].min()).days < window
            if flag["code"] == "cash_in_pieces":
                assert mine.groupby("booked_on").size().min() >= flag["facts"]["limit_count"]
            if flag["code"] == "own_money_lent":
                assert (mine["booked_on"].max() - mine["booked_on"].min()).days <= window
            if flag["code"] == "answering_sums":
                into, out = mine[mine["amount_minor"] > 0], mine[mine["amount_minor"] < 0]
                for day in into["booked_on"]:
                    assert any(abs((other - day).days) <= window for other in out["booked_on"])
            if flag["code"] in followed:
                into, out = mine[mine["amount_minor"] > 0], mine[mine["amount_minor"] < 0]
                for day in into["booked_on"]:
                    assert any(0 <= (other - day).days <= window for other in out["booked_on"])


def test_strangers_of_a_sentence_pay_as_seldom_as_it_says_and_on_one_side_only(
    made: Stories, entrusted: Stories
) -> None:
    """How often a party appears is counted over everything that the customer paid and got."""
    seen = set()
    for _, _, rows, wealth in (*made, *entrusted):
        party = rows["description_raw"].str.split().str[:2].str.join(" ")
        into = rows["amount_minor"] > 0
        for flag, mine in with_payments(rows, wealth):
            if flag["code"] not in {"fan_in", "fan_out", "home_from_strangers"}:
                continue
            seen.add(flag["code"])
            out = flag["code"] == "fan_out"
            chosen = mine[(mine["amount_minor"] < 0) == out]
            named = chosen["description_raw"].str.split().str[:2].str.join(" ")
            times = party[into != out].value_counts()
            assert max(times[one] for one in named) <= flag["facts"]["limit_count"]
            assert f"no more than {flag['facts']['limit_count']} times" in flag["message"]
            assert not set(named) & set(party[into == out])
    assert {"fan_in", "fan_out"} <= seen


def test_parties_whose_names_begin_alike_are_counted_one_by_one(ledger: Ledger) -> None:
    """Estates, parishes and people with two first names share their first words."""
    surnames = [
        "Barker",
        "Tanner",
        "Osei",
        "Nowak",
        "Mensah",
        "Rossi",
        "Dunne",
        "Sharma",
        "Eze",
        "Haddad",
        "Murphy",
        "Gallagher",
        "Fletcher",
        "Ibrahim",
        "Wojcik",
    ]
    rows = [
        (
            f"2025-06-{day:02d}",
            61_300 + 700 * day,
            f"EST LATE {name.upper()} REF {day}",
            {"counterparty_name": f"Est Late {name}"},
        )
        for day, name in enumerate(surnames, start=1)
    ]
    flags = derive(ledger(*pay(), *rows), as_of="2025-12-31").flags
    counted = [
        facts["payers"]
        for facts, ids in zip(flags["facts"], flags["txn_ids"], strict=True)
        if len(ids) == len(rows)
    ]
    assert counted
    assert set(counted) == {len(surnames)}


@pytest.mark.parametrize(
    "other",
    ["Northwnd Trading Ltd", "NORTHWIND TRADIN", "NORTHWIND TRADING LIMITED", "northwind trading ltd"],
)
def test_a_firm_in_two_spellings_is_one_party(ledger: Ledger, other: str) -> None:
    """A number of parties counts a firm as the streams do."""
    names = ["Northwind Trading Ltd", other] * 2
    rows = [
        row
        for month, name in enumerate(names, start=4)
        for row in (
            (f"2025-{month:02d}-05", 900_000, "TRANSFER", {"counterparty_name": name}),
            (f"2025-{month:02d}-06", -880_000, "PAYMENT", {"counterparty_name": f"{name[:5]}e{name[5:]}"}),
        )
    ]
    wealth = derive(ledger(*pay(), *rows), as_of="2025-12-31")
    passed = wealth.flags[wealth.flags["code"] == "pass_through"].iloc[0]
    assert len(wealth.streams) == len({"ACME", "Northwind"})
    assert (passed["facts"]["payers"], passed["facts"]["payees"]) == (1, 1)
    assert "payments out to 1 party" in passed["message"]


def test_money_moved_on_to_several_parties_says_how_much_went_to_one(ledger: Ledger) -> None:
    def moved(*sums: int) -> str:
        rows = [
            row
            for month, minor in enumerate(sums, start=4)
            for row in (
                (f"2025-{month:02d}-05", minor + 10_000, "TRANSFER", {"counterparty_name": "NORTHWIND LTD"}),
                (f"2025-{month:02d}-06", -minor, "AURELIA" if month < 7 else "BELLOWS HARDWARE"),
            )
        ]
        flags = derive(ledger(*pay(), *rows), as_of="2025-12-31").flags
        return str(flags[flags["code"] == "pass_through"].iloc[0]["message"])

    assert "out to 2 parties (27,000.00 GBP, of which 24,000.00 GBP to one), each" in moved(
        *[800_000] * 3, 300_000
    )
    assert "out to 2 parties (48,000.00 GBP), each" in moved(*[800_000] * 6)


def test_spellings_of_one_stream_are_one_party_without_the_payment_that_connects_them(ledger: Ledger) -> None:
    """Credits of a flag may be some of a stream's; two names on one account are one payer too."""
    account = {"counterparty_account": "12345678"}
    rows = [
        row
        for month, name in ((4, "Marlow Freight Ltd"), (5, "Penwith Haulage Ltd"), (6, "Marlow Freight Ltd"))
        for row in (
            (f"2025-{month:02d}-05", 900_000, "TRANSFER", {"counterparty_name": name} | account),
            (f"2025-{month:02d}-06", -880_000, "PAYMENT", {"counterparty_name": f"Tessa Vane {month}"}),
        )
    ]
    flags = derive(ledger(*pay(), *rows), as_of="2025-12-31").flags
    assert {facts["payers"] for facts in flags["facts"] if facts["credits"] == len(rows) // 2} == {1}


def test_people_with_similar_names_are_several_parties(ledger: Ledger) -> None:
    names = ("Joan Harrison", "John Harrison", "Joan Garrison", "Ruth Pemberton")
    rows = [
        row
        for month, name in enumerate(names, start=4)
        for row in (
            (f"2025-{month:02d}-05", 900_000, "TRANSFER", {"counterparty_name": name}),
            (f"2025-{month:02d}-06", -880_000, "PAYMENT", {"counterparty_name": "Tessa Vane"}),
        )
    ]
    flags = derive(ledger(*pay(), *rows), as_of="2025-12-31").flags
    assert {facts["payers"] for facts in flags["facts"] if facts["credits"] == len(names)} == {len(names)}


def test_pay_that_only_its_words_show_is_not_proven_but_its_nature_is_established(ledger: Ledger) -> None:
    sent = ((f"2025-{month:02d}-15", -30_000 * month, "ZEBRA EXCHANGE LLC") for month in range(1, 13))
    flags = derive(ledger(*pay(), *sent), as_of="2025-12-31").flags
    (message,) = flags.loc[flags["code"] == "round_sums_abroad", "message"]
    assert "out of 12 credits whose nature is not proven" in message
