"""Everyday payments that are not what one of their words suggests: cash from a machine, a card bill, a savings club, a collection."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.wealth import derive


@pytest.mark.parametrize("machine", ["HIGH ST", "MARKET SQ", "STALL STREET"])
def test_the_place_of_a_cash_machine_makes_nobody_a_trader(ledger: Ledger, machine: str) -> None:
    """What firms pay alongside a salary is a red flag if the customer has no costs; cash withdrawn is not a cost."""
    drawn = [(f"2025-{month:02d}-20", -12_000, f"CASH WITHDRAWAL ATM {machine}") for month in range(1, 13)]
    firms = [
        (f"2025-{month:02d}-{3 + month:02d}", 173_000 + 7_000 * month, f"{name} LTD", {"counterparty_name": f"{name} Ltd"})
        for month, name in zip((1, 2, 5, 6, 8, 9, 11), 4 * ("Cray Forge", "Dale Optics"), strict=False)
    ]  # fmt: skip
    found = codes(derive(ledger(*pay(), *drawn, *firms), as_of=AS_OF))
    assert found.get("firms_beside_salary") == "edd"


_STRANGERS = ("Lena Marsh", "Otto Quill", "Ruth Vance", "Sean Brody", "Ines Calder")


def test_a_card_bill_that_strangers_pay_one_after_another_is_moved_on(ledger: Ledger) -> None:
    """A card that is overpaid gives the money back as the bank's own; friends who went on a trip pay their shares of one bill."""
    sums = (180_000, 240_000, 315_000, 205_000, 270_000)
    days = [f"2025-05-{3 + 5 * place:02d}" for place in range(len(sums))]
    given = [
        (day, amount, name, {"counterparty_name": name})
        for day, amount, name in zip(days, sums, _STRANGERS, strict=True)
    ]
    each = [
        (f"{day[:-2]}{int(day[-2:]) + 1:02d}", -amount, "BARCLAYCARD", {"counterparty_name": "Barclaycard"})
        for day, amount in zip(days, sums, strict=True)
    ]
    at_once = [("2025-05-24", -sum(sums), "BARCLAYCARD", {"counterparty_name": "Barclaycard"})]
    for bill, found in ((each, True), (at_once, False)):
        flags = derive(ledger(*pay(), *given, *bill), as_of=AS_OF).flags
        passed = [one for one in flags.to_dict("records") if one["code"] == "pass_through"]
        assert bool(passed) == found
        for one in passed:
            assert one["facts"]["credits_minor"] == one["facts"]["debits_minor"] == sum(sums)


@pytest.mark.parametrize(
    "ways",
    [("BILL PAYMENT TO {}", "FPO {}", "{}"), ("UEBERWEISUNG {}", "ECHTZEITUEBERWEISUNG {}", "SEPA {}")],
)
def test_a_party_is_one_however_the_bank_says_that_it_was_paid(ledger: Ledger, ways: tuple[str, ...]) -> None:
    days = range(3, 24, 4)
    given = [
        (f"2025-05-{day:02d}", 150_000 + 1_000 * day, f"{name} SENT".upper(), {"counterparty_name": name})
        for day, name in zip(days, _STRANGERS, strict=False)
    ]
    sent = [
        (f"2025-05-{day + 1:02d}", -145_000 - 1_000 * day, ways[place % len(ways)].format("IVO KRANZ"))
        for place, day in enumerate(days[: len(given)])
    ]
    flags = derive(ledger(*pay(), *given, *sent), as_of=AS_OF).flags
    (passed,) = [one for one in flags.to_dict("records") if one["code"] == "pass_through"]
    assert (passed["facts"]["debits"], passed["facts"]["payees"]) == (len(sent), 1)


@pytest.mark.parametrize(("pays_in", "found"), [(True, False), (False, True)])
def test_the_members_of_a_savings_club_are_not_paid_out_of_the_salary(
    ledger: Ledger, *, pays_in: bool, found: bool
) -> None:
    """Each month one of eight gets what all have paid in; pay that goes to people who put nothing in is moved on."""
    names = [f"{first} {last}" for first in ("LENA", "OTTO") for last in ("MARSH", "QUILL", "VANCE", "BRODY")]
    rows: list[tuple[object, ...]] = []
    for month in range(1, 13):
        if pays_in:
            rows += [
                (f"2025-{month:02d}-27", 21_500 + 100 * (place % 2), name) for place, name in enumerate(names)
            ]
        rows.append((f"2025-{month:02d}-28", -172_000, names[month % len(names)]))
    wages = [(f"2025-{month:02d}-27", 200_000, "ACME LTD SALARY") for month in range(1, 13)]
    assert ("pass_through" in codes(derive(ledger(*wages, *rows), as_of=AS_OF))) == found


@pytest.mark.parametrize(
    ("payee", "found"),
    [
        ("ST MARK CHURCH", False),
        ("PARISH OF ST MARK", False),
        ("AL NOOR MOSQUE", False),
        ("GURDWARA LEAMORE", False),
        ("KIRCHENGEMEINDE ST MARKUS", False),
        ("HILLTOP PTA", False),
        ("PAVEL NOWAK", True),
        ("HILLTOP TRADING", True),
    ],
)
def test_a_collection_that_goes_to_the_congregation_or_the_school_is_not_moved_on(
    ledger: Ledger, payee: str, *, found: bool
) -> None:
    """Whoever banks the collection of a congregation passes it on, whatever its faith; a person or a firm that gets the same is another thing."""
    rows: list[tuple[object, ...]] = []
    for month in range(1, 13):
        rows += [
            (f"2025-{month:02d}-{day:02d}", 23_000 + 370 * day, "CASH PAID IN COLLECTION")
            for day in (2, 9, 16, 23)
        ]
        rows.append((f"2025-{month:02d}-26", -109_000 - 60 * month, payee, {"counterparty_name": payee}))
    given = codes(derive(ledger(*pay(), *rows), as_of=AS_OF))
    assert ("edd" in given.values()) == found, given


@pytest.mark.parametrize(
    ("bought", "found"), [("PAYSAFECARD", True), ("AMAZON GIFT CARD", True), ("CURRYS", False)]
)
def test_cash_that_becomes_vouchers_is_moved_on_and_what_is_bought_with_it_is_not(
    ledger: Ledger, bought: str, *, found: bool
) -> None:
    """Whoever has the number of a voucher has the money, even if it was paid for by card."""
    rows: list[tuple[object, ...]] = []
    for place in range(8):
        rows += [
            (f"2025-{2 + place:02d}-06", 61_000 + 3_000 * place, "CASH PAID IN"),
            (f"2025-{2 + place:02d}-08", -60_000 - 3_000 * place, bought, {"bank_code": "PMNT-CCRD-POSD"}),
        ]
    assert ("pass_through" in codes(derive(ledger(*pay(), *rows), as_of=AS_OF))) == found


@pytest.mark.parametrize(
    ("payee", "text", "found"), [("IVO KRANZ", "", True), ("FOXLEY LETTINGS", "RENT", False)]
)
def test_weekly_pay_that_is_sent_on_is_moved_on_as_monthly_pay_is(
    ledger: Ledger, payee: str, text: str, *, found: bool
) -> None:
    """An account with a courier's platform can be lent to somebody who may not work: what comes each week goes to that person."""
    weeks = pd.date_range("2025-02-07", periods=20, freq="7D")
    rows: list[tuple[object, ...]] = []
    for place, day in enumerate(weeks):
        sum_ = 46_000 + 3_700 * (place % 5)
        rows.append((f"{day:%Y-%m-%d}", sum_, "ACME COURIERS LTD WAGES"))
        sent = -25_000 if text else -int(sum_ * 0.92)
        rows.append(
            (
                f"{day + pd.Timedelta(days=1):%Y-%m-%d}",
                sent,
                f"{payee} {text}".strip(),
                {"counterparty_name": payee},
            )
        )
    assert ("pass_through" in codes(derive(ledger(*rows), as_of=AS_OF))) == found
