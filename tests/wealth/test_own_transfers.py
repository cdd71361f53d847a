"""Own money moving, told from income of the same amount."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
BLOGGS = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Joanna"], "last_name": ["Bloggs"]})


def moved_rows(
    into: str,
    out: str,
    month: int = 3,
    *,
    amount: int = 50_000,
    sent: int | None = None,
    days: int = 1,
    currency: str = "GBP",
) -> tuple[tuple[str, int, str, dict[str, str]], ...]:
    """A debit from A1 and a credit into A2 some days later."""
    return (
        (f"2025-{month:02d}-03", -(sent or amount), out, {"account_id": "A1"}),
        (f"2025-{month:02d}-{3 + days:02d}", amount, into, {"account_id": "A2", "currency": currency}),
    )


def moved(
    ledger: Ledger, into: str, out: str, *, customer: pd.DataFrame | None = BLOGGS, **change: object
) -> Wealth:
    """What is derived from one debit and one credit, of Joanna Bloggs where nobody else is named."""
    return derive(ledger(*moved_rows(into, out, **change)), customers=customer, as_of=AS_OF)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("into", "out"),
    [
        ("ACME LTD", "LANDLORD"),
        ("FASTER PAYMENT PETER SMITH", "STANDING ORDER GREEN GARAGE"),
        ("TRANSFER FROM PETER SMITH", "TRANSFER TO KATE JONES"),
        ("ACME LTD SALARY", "TRANSFER TO J BLOGGS"),
        ("TRANSFER", "FLOWER POT LTD"),
        ("FLOWER POT LTD", "ONLINE PAYMENT"),
        ("PETER SMITH", "J BLOGGS SAVINGS"),
        ("J BLOGGS LTD", "GREEN GARAGE"),
        ("JOANNA BLOGGS SALARY", "GREEN GARAGE"),
        ("ACME PAYMENTS J BLOGGS", "GREEN GARAGE"),
    ],
)
def test_where_somebody_else_is_named_it_is_no_own_transfer(ledger: Ledger, into: str, out: str) -> None:
    wealth = moved(ledger, into, out)
    assert wealth.credits["disposition"].tolist() == ["unexplained"] or wealth.credits["type"].tolist() == [
        "employment"
    ]
    assert not set(wealth.pairs["verdict"]) & {"certain", "probable"}


def test_pay_beside_rent_of_the_same_amount_and_day_is_pay(ledger: Ledger) -> None:
    rows = [
        row
        for month in range(1, 13)
        for row in (
            (f"2025-{month:02d}-28", 200_000, "ACME LTD", {"account_id": "A1"}),
            (f"2025-{month:02d}-28", -200_000, "LANDLORD", {"account_id": "A2"}),
        )
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert set(wealth.credits["disposition"]) == {"stream"}
    assert wealth.streams["total_minor"].tolist() == [2_400_000]


@pytest.mark.parametrize(
    ("into", "out"),
    [
        ("JOANNA BLOGGS", "ONLINE PAYMENT"),
        ("J BLOGGS", "TO SAVINGS"),
        ("MS J BLOGGS", "MARCUS"),
        ("BLOGGS J", "MONZO"),
        ("FASTER PAYMENT FROM JOANNA BLOGGS REF 123", "BILL PAYMENT TO MRS J BLOGGS"),
        ("CREDIT FROM CURRENT ACCOUNT", "JOANNA BLOGGS SAVINGS"),
    ],
)
def test_the_own_name_on_one_side_is_certain(ledger: Ledger, into: str, out: str) -> None:
    wealth = moved(ledger, into, out)
    assert wealth.pairs["verdict"].tolist() == ["certain"]
    assert wealth.credits["disposition"].tolist() == ["own_transfer"]


@pytest.mark.parametrize(
    ("into", "out"),
    [
        ("FROM SAVINGS", "HOLIDAY MONEY"),
        ("FROM EVERYDAY A/C", "TO JOB FUND"),
        ("FROM BILLS A/C", "KITTY"),
        ("PAYMENT RECEIVED - THANK YOU", "CARD BILL"),
        ("J BLOGGS MONTHLY SHARE", "STO JOINT A/C J BLOGGS"),
    ],
)
def test_an_own_account_beside_a_name_that_reads_like_nobody_is_probable(
    ledger: Ledger, into: str, out: str
) -> None:
    wealth = moved(ledger, into, out)
    assert wealth.pairs["verdict"].tolist() == ["probable"]
    assert wealth.credits["disposition"].tolist() == ["own_transfer"]


@pytest.mark.parametrize(
    ("change", "into", "out"),
    [
        ({"sent": 50_500}, "J BLOGGS", "TO SAVINGS"),
        ({"days": 7}, "J BLOGGS", "TO SAVINGS"),
        ({"days": 6}, "FROM SAVINGS", "TRANSFER"),
        ({"currency": "EUR", "amount": 58_000, "sent": 50_000, "days": 6}, "J BLOGGS", "JOANNA BLOGGS"),
        ({"currency": "EUR", "amount": 58_000, "sent": 50_000}, "J BLOGGS", "TO SAVINGS"),
        ({}, "FROM SAVINGS", "HALDANE ROOFING"),
    ],
)
def test_what_does_not_match_exactly_is_possible_and_stays_what_it_is(
    ledger: Ledger, change: dict[str, object], into: str, out: str
) -> None:
    wealth = moved(ledger, into, out, **change)  # type: ignore[arg-type]
    assert wealth.pairs["verdict"].tolist() == ["possible"]
    assert wealth.credits["disposition"].tolist() == ["unexplained"]
    assert wealth.credits["pair_txn_id"].tolist() == ["T0000"]


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("Jürgen", "Möller", "JUERGEN MOELLER"),
        ("Juergen", "Moeller", "J MÖLLER"),
        ("Niamh", "O'Hara", "N O HARA"),
        ("Pieter", "van der Velde", "P V D VELDE"),
        ("Anne Marie", "Clarke-Webb", "AM CLARKEWEBB"),
        ("Tunde", "Adeyemi", "MR T K ADEYEMI"),
        ("Tunde", "Adeyemi", "ADEYEMI TK"),
        ("Tunde", "Adeyemi", "TADEYEMI"),
        ("April", "Chase", "APRIL CHASE"),
        ("Işıl", "Yıldırım", "ISIL YILDIRIM"),
    ],
)
@pytest.mark.parametrize("side", ["into", "out"])
def test_an_own_name_is_known_however_a_bank_writes_it(
    ledger: Ledger, first: str, last: str, text: str, side: str
) -> None:
    customer = pd.DataFrame({"customer_id": ["C1"], "first_name": [first], "last_name": [last]})
    texts = {"into": "CREDIT", "out": "FASTER PAYMENT"} | {side: text}
    wealth = moved(ledger, **texts, customer=customer)
    assert wealth.credits["disposition"].tolist() == ["own_transfer"]


@pytest.mark.parametrize(
    "text", ["TUNDE ADEYEMI ROOF FUND", "T ADEYEMI & B ADEYEMI", "SOLA ADEYEMI T ADEYEMI"]
)
def test_an_own_name_among_other_words_is_possible(ledger: Ledger, text: str) -> None:
    customer = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Tunde"], "last_name": ["Adeyemi"]})
    wealth = moved(ledger, text, "BILL PAYMENT", customer=customer)
    assert wealth.pairs["verdict"].tolist() == ["possible"]
    assert wealth.credits["disposition"].tolist() == ["unexplained"]


@pytest.mark.parametrize(
    "text", ["ADEYEMI HOMES LTD", "T ADEYEMI LTD", "SOLA ADEYEMI", "ADEYEMI", "TK ADEBAYO"]
)
def test_a_name_that_shares_a_part_with_the_customers_is_somebody_elses(ledger: Ledger, text: str) -> None:
    customer = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Tunde"], "last_name": ["Adeyemi"]})
    wealth = moved(ledger, text, "BILL PAYMENT", customer=customer)
    assert not set(wealth.pairs["verdict"]) & {"certain", "probable", "possible"}


@pytest.mark.parametrize(
    ("change", "into", "out"),
    [
        ({"sent": 50_175}, "BLOGGS J", "BILL PAYMENT"),
        ({"sent": 50_175, "days": 6}, "CREDIT", "MS J BLOGGS"),
        ({"days": 7}, "INWARD PAYMENT", "BLOGGS JOANNA"),
        ({"days": 7}, "MARCUS", "STARLING"),
        ({"currency": "EUR", "amount": 58_000, "sent": 50_000}, "J BLOGGS", "INTERNATIONAL PAYMENT"),
        ({"currency": "EUR", "amount": 58_000, "sent": 50_000}, "WISE", "WISE PAYMENTS LTD"),
        ({"currency": "USD", "amount": 63_000, "sent": 50_000}, "FROM GBP ACCOUNT", "TO USD ACCOUNT"),
        ({"currency": "EUR", "amount": 58_000, "sent": 50_000}, "FX CONVERSION GBP EUR", "CURRENCY EXCHANGE"),
    ],
)
def test_late_reduced_and_changed_money_of_ones_own_is_never_a_source_of_known_nature(
    ledger: Ledger, change: dict[str, object], into: str, out: str
) -> None:
    months = [moved_rows(into, out, month, **change) for month in range(1, 13)]  # type: ignore[arg-type]
    wealth = derive(ledger(*(row for rows in months for row in rows)), customers=BLOGGS, as_of=AS_OF)
    assert wealth.credits["pair_txn_id"].notna().all()
    assert set(wealth.credits["disposition"]) == {"stream"}
    assert wealth.streams["type"].tolist() == ["other"]
    assert wealth.streams["evidence_level"].tolist() == ["none"]


@pytest.mark.parametrize(
    ("into", "out", "amount"),
    [
        ("KATE JONES", "MONZO", 58_000),
        ("WISE", "GREEN GARAGE", 58_000),
        ("WISE", "REVOLUT", 9_000),
        ("FASTER PAYMENT", "BILL PAYMENT", 58_000),
    ],
)
def test_an_amount_in_another_currency_is_no_own_transfer_without_a_word_for_it_or_at_no_rate_there_was(
    ledger: Ledger, into: str, out: str, amount: int
) -> None:
    assert moved(ledger, into, out, currency="EUR", amount=amount, sent=50_000).pairs.empty


@pytest.mark.parametrize(
    ("into", "out"),
    [
        ("J BLOGGS", "JOANNA BLOGGS EURO ACCOUNT"),
        ("FX GBP EUR J BLOGGS", "MS JOANNA BLOGGS"),
        ("BLOGGS JOANNA", "J BLOGGS"),
    ],
)
def test_money_changed_between_accounts_that_both_name_the_customer_is_their_own(
    ledger: Ledger, into: str, out: str
) -> None:
    months = [
        moved_rows(into, out, month, currency="EUR", amount=58_000 + month, sent=50_000)
        for month in range(1, 7)
    ]
    wealth = derive(ledger(*(row for rows in months for row in rows)), customers=BLOGGS, as_of=AS_OF)
    assert set(wealth.pairs["verdict"]) == {"certain"}
    assert set(wealth.credits["disposition"]) == {"own_transfer"}
    assert moved(ledger, into, out, currency="EUR", amount=90_000, sent=50_000).pairs.empty


@pytest.mark.parametrize(
    ("into", "own"),
    [
        ("PAYPAL EUROPE", True),
        ("REVOLUT", True),
        ("PAYPAL EUROPE GREEN GARAGE LTD", False),
        ("KATE JONES", False),
    ],
)
def test_what_a_wallet_sends_to_its_owner_names_only_the_wallet(
    ledger: Ledger, into: str, *, own: bool
) -> None:
    wealth = moved(ledger, into, "J BLOGGS")
    assert (wealth.credits["disposition"].tolist() == ["own_transfer"]) == own


def test_one_person_on_both_sides_may_be_the_customer_whose_name_is_not_known(ledger: Ledger) -> None:
    wealth = moved(ledger, "M OKONKWO", "MARY OKONKWO", days=6, customer=None)
    assert wealth.pairs["verdict"].tolist() == ["possible"]
    assert moved(ledger, "M OKONKWO", "MARY OKONKWO", customer=None).pairs["verdict"].tolist() == ["probable"]
    assert moved(ledger, "Işıl Yıldırım", "IŞIL YILDIRIM", customer=None).pairs["verdict"].tolist() == [
        "probable"
    ]


def test_two_halves_of_a_debit_are_possible(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", -100_000, "TRANSFER TO SAVINGS", {"account_id": "A1"}),
        ("2025-03-04", 60_000, "FROM CURRENT", {"account_id": "A2"}),
        ("2025-03-05", 40_000, "FROM CURRENT", {"account_id": "A2"}),
    )
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.pairs["verdict"].tolist() == ["possible", "possible"]
    assert wealth.credits["pair_txn_id"].tolist() == ["T0000", "T0000"]


@pytest.mark.parametrize(
    ("texts", "accounts", "found"),
    [
        (("FROM CURRENT", "FROM CURRENT", "FROM CURRENT"), ("A2", "A2", "A2"), True),
        (("DEPOSIT", "DEPOSIT", "DEPOSIT"), ("A2", "A2", "A2"), True),
        # Two parts before three, and no parts that somebody else pays, or that come into different accounts.
        (("GREEN GARAGE", "FROM CURRENT", "FROM CURRENT"), ("A2", "A2", "A2"), False),
        (("FROM CURRENT", "FROM CURRENT", "FROM CURRENT"), ("A2", "A3", "A2"), False),
    ],
)
def test_three_parts_of_a_debit_are_possible(
    ledger: Ledger, texts: tuple[str, ...], accounts: tuple[str, ...], *, found: bool
) -> None:
    frame = ledger(
        ("2025-03-03", -100_000, "TRANSFER TO SAVINGS", {"account_id": "A1"}),
        *(
            (f"2025-03-0{3 + at}", amount, text, {"account_id": account})
            for at, (amount, text, account) in enumerate(
                zip((50_500, 30_200, 19_300), texts, accounts, strict=True)
            )
        ),
    )
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.pairs["verdict"].tolist() == ["possible"] * 3 * found
    assert not set(wealth.credits["disposition"]) & {"own_transfer"}


def test_a_stream_says_how_many_of_its_credits_may_be_own_transfers(ledger: Ledger) -> None:
    rows = [
        row
        for month in range(1, 7)
        for row in (
            (f"2025-0{month}-03", -50_000, "TRANSFER TO SAVINGS", {"account_id": "A1"}),
            (f"2025-0{month}-03", 30_000, "FROM CURRENT", {"account_id": "A2"}),
            (f"2025-0{month}-03", 20_000, "FROM CURRENT", {"account_id": "A2"}),
            (f"2025-0{month}-28", 212_345, "ACME LTD SALARY", {"account_id": "A1"}),
        )
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    said = {row.payer: str(wealth.explain(row.stream_id)) for row in wealth.streams.itertuples()}
    of_all = "6 of the 6 credits may be transfers between the customer's own accounts and not income"
    assert [of_all in text for text in said.values()] == ["CURRENT" in payer for payer in said]


def test_a_round_through_three_accounts_is_found_whole(ledger: Ledger) -> None:
    rows = [
        row
        for month in range(1, 7)
        for out, into in (("A1", "A2"), ("A2", "A3"), ("A3", "A1"))
        for row in (
            (f"2025-0{month}-04", -50_000, "TRANSFER OUT", {"account_id": out}),
            (f"2025-0{month}-04", 50_000, "TRANSFER IN", {"account_id": into}),
        )
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert set(wealth.credits["disposition"]) == {"own_transfer"}
    assert wealth.credits["pair_txn_id"].is_unique


def test_an_own_number_beside_a_salary_is_not_enough(ledger: Ledger) -> None:
    accounts = pd.DataFrame({"customer_id": ["C1"], "account_id": ["A9"], "account_number": ["12345678"]})
    frame = ledger(("2025-03-03", 50_000, "ACME SALARY TO 12345678"))
    assert derive(frame, accounts=accounts, as_of=AS_OF).credits["disposition"].tolist() != ["own_transfer"]


@pytest.mark.parametrize("holders", ["MR T & MRS JOANNA BLOGGS", "BLOGGS T & BLOGGS J"])
def test_joint_holders_are_each_the_customer(ledger: Ledger, holders: str) -> None:
    accounts = pd.DataFrame({"customer_id": ["C1"], "account_id": ["A1"], "holder_name": [holders]})
    frame = ledger(
        ("2025-03-03", -50_000, "ONLINE", {"account_id": "A1"}),
        ("2025-03-03", 50_000, "J BLOGGS", {"account_id": "A2"}),
    )
    assert derive(frame, accounts=accounts, as_of=AS_OF).pairs["verdict"].tolist() == ["certain"]


@pytest.mark.parametrize(
    ("amounts", "disposition"),
    [((41_266, 38_820, 53_014, 47_191), "own_transfer"), ((40_000, 40_000, 40_000, 40_000), "stream")],
)
def test_a_card_whose_bills_another_account_pays_earns_nothing(
    ledger: Ledger, amounts: tuple[int, ...], disposition: str
) -> None:
    rows = [
        row
        for month, amount in enumerate(amounts, start=1)
        for row in (
            (f"2025-{month:02d}-28", -amount, "MERIDIAN CARD J BLOGGS", {"account_id": "A1"}),
            (f"2025-{month:02d}-28", amount, "MERIDIAN 4417", {"account_id": "A2"}),
        )
    ]
    wealth = derive(ledger(*rows), customers=BLOGGS, as_of=AS_OF)
    assert set(wealth.credits["disposition"]) == {disposition}


@pytest.mark.parametrize(("customers", "verdicts"), [(BLOGGS, ["contradicted"]), (None, ["possible"])])
def test_the_other_holder_of_a_joint_account_is_somebody_else_where_the_customer_is_known(
    ledger: Ledger, customers: pd.DataFrame | None, verdicts: list[str]
) -> None:
    accounts = pd.DataFrame(
        {"customer_id": ["C1"], "account_id": ["A1"], "holder_name": ["MS JOANNA BLOGGS AND MR B THORNLEY"]}
    )
    frame = ledger(
        ("2025-03-03", -50_000, "TO HALDANE ROOFING", {"account_id": "A1"}),
        ("2025-03-03", 50_000, "B THORNLEY", {"account_id": "A2"}),
    )
    assert (
        derive(frame, customers=customers, accounts=accounts, as_of=AS_OF).pairs["verdict"].tolist()
        == verdicts
    )


@pytest.mark.parametrize(
    ("sent_to", "verdict"),
    [
        ("IGOR VOLKOV", "possible"),
        ("HALDANE ROOFING LTD", "possible"),
        ("VODAFONE LTD BILL", "possible"),
        ("FP OUT", "certain"),
        ("TO SAVINGS", "certain"),
    ],
)
@pytest.mark.parametrize("number", [None, "70707099999999"])
def test_money_in_ones_own_name_is_not_what_left_for_somebody_else(
    ledger: Ledger, sent_to: str, verdict: str, number: str | None
) -> None:
    frame = ledger(
        ("2025-03-03", -41_500_00, sent_to, {"account_id": "A1"}),
        ("2025-03-03", 41_500_00, "JOANNA BLOGGS", {"account_id": "A2", "counterparty_account": number}),
    )
    wealth = derive(frame, customers=BLOGGS, as_of=AS_OF)
    assert wealth.pairs["verdict"].tolist() == [verdict]
    is_own = verdict == "certain"
    assert (wealth.credits["disposition"].iloc[0] == "own_transfer") == is_own
    assert int(wealth.flows["out_minor"].sum()) == (0 if is_own else 41_500_00)


def test_round_amounts_of_new_payers_are_not_eaten() -> None:
    random = np.random.default_rng(20)
    names = [
        f"{first} {last}"
        for first in ("Ada", "Ben", "Cleo", "Dev", "Eve")
        for last in ("Marsh", "Okoro", "Lindt", "Petrov", "Quay")
    ]
    rows = [
        {
            "customer_id": f"C{customer}",
            "account_id": f"A{random.integers(2)}",
            "txn_id": f"T{customer}-{number}",
            "booked_on": pd.Timestamp("2025-01-01") + pd.Timedelta(days=int(random.integers(300))),
            "amount_minor": int(sign * random.integers(1, 10) * 10_000),
            "currency": "GBP",
            "description_raw": f"{names[random.integers(len(names))]} {number}",
        }
        for customer in range(60)
        for number in range(40)
        for sign in (1 if number % 2 else -1,)
    ]
    credits_ = derive(pd.DataFrame(rows), as_of=AS_OF).credits
    eaten = credits_.loc[credits_["disposition"] == "own_transfer", "amount_minor"].sum()
    assert eaten <= 0.002 * credits_["amount_minor"].sum()


@pytest.mark.parametrize(
    ("into", "out", "found"),
    [
        ("J BLOGGS HOLIDAY FUND", "MISS J BLOGGS STO RAINY", "probable"),
        ("J BLOGGS PIGGY JAR", "MISS JOANNA BLOGGS RAINY", "probable"),
        ("J BLOGGS HOLIDAY FUND", "MISS K BLOGGS STO RAINY", "possible"),
        ("J BLOGGS HOLIDAY FUND", "GREEN GARAGE", "possible"),
    ],
)
def test_the_customer_among_other_words_on_both_sides_moves_own_money(
    ledger: Ledger, into: str, out: str, found: str
) -> None:
    wealth = moved(ledger, into, out)
    assert set(wealth.pairs["verdict"]) <= {found}
    assert (wealth.credits["disposition"] == "own_transfer").all() == (found == "probable")


@pytest.mark.parametrize(
    ("into", "out", "sent"),
    [
        ("J BLOGGS CHAPS LESS FEE 25.00", "CHAPS TO J BLOGGS", 52_500),
        ("BALANCE TRANSFER CURRENT ACCOUNT SWITCH", "BALANCE TRANSFER CURRENT ACCOUNT SWITCH", 50_000),
        ("PAYMENT RECEIVED - THANK YOU", "LUNAR CARD PAYMENT J BLOGGS", 50_000),
    ],
)
def test_words_for_a_fee_a_switch_or_thanks_name_nobody_else(
    ledger: Ledger, into: str, out: str, sent: int
) -> None:
    credits_ = moved(ledger, into, out, sent=sent).credits
    assert credits_["pair_txn_id"].notna().all()


BRANNIGAN = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Oluwaseun"], "last_name": ["Brannigan"]})
ROUTES = {
    "A-B": (("A1", "A2", 4),),
    "A-B-A": (("A1", "A2", 4), ("A2", "A1", 20)),
    "A-B-C-A": (("A1", "A2", 4), ("A2", "A3", 5), ("A3", "A1", 6)),
}


def moved_about(ledger: Ledger, text: str, route: str) -> Wealth:
    """What is derived from half a year of 1,300 a month that goes from account to account under one text."""
    rows = [
        (f"2025-{month:02d}-{day:02d}", sign * 130_000, text, {"account_id": account})
        for month in range(1, 7)
        for out, into, day in ROUTES[route]
        for sign, account in ((-1, out), (1, into))
    ]
    return derive(ledger(*rows), customers=BRANNIGAN, as_of=AS_OF)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("text", ["OLUWASEUN", "BRANNIGAN", "MR BRANNIGAN", "OB", "JOINT BILLS"])
def test_a_part_of_the_own_name_on_both_sides_is_an_own_transfer(
    ledger: Ledger, text: str, route: str
) -> None:
    wealth = moved_about(ledger, text, route)
    assert set(wealth.credits["disposition"]) == {"own_transfer"}
    assert wealth.credits["pair_txn_id"].is_unique
    assert wealth.flags.empty


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("text", ["HOUSEHOLD", "HOLIDAY FUND"])
def test_one_word_of_ones_own_on_both_sides_may_be_an_own_transfer_and_is_neither_a_refund_nor_a_round_trip(
    ledger: Ledger, text: str, route: str
) -> None:
    wealth = moved_about(ledger, text, route)
    assert set(wealth.credits["disposition"]) == {"stream"}
    assert wealth.credits["pair_txn_id"].notna().all()
    assert wealth.explained_share("C1", "GBP") == 0
    assert wealth.flags.empty


@pytest.mark.parametrize("text", ["VERITY FOODS LTD", "P HALLIDAY", "K BRANNIGAN", "BRANNIGAN LTD"])
def test_somebody_elses_name_on_both_sides_is_no_own_transfer_and_no_refund(
    ledger: Ledger, text: str
) -> None:
    wealth = moved_about(ledger, text, "A-B-C-A")
    assert not set(wealth.pairs["verdict"]) & {"certain", "probable"}
    assert not set(wealth.credits["disposition"]) & {"own_transfer", "refund"}
    assert ("round_trip" in set(wealth.flags["code"])) == ("BRANNIGAN" not in text)


def test_a_surname_that_also_pays_by_itself_is_a_relatives(ledger: Ledger) -> None:
    rows = [
        *moved_rows("BLOGGS", "BLOGGS"),
        ("2025-05-03", 31_000, "BLOGGS", {"account_id": "A2"}),
        ("2025-06-03", 32_000, "BLOGGS", {"account_id": "A2"}),
    ]
    wealth = derive(ledger(*rows), customers=BLOGGS, as_of=AS_OF)
    assert wealth.pairs["verdict"].tolist() == ["possible"]


@pytest.mark.parametrize(
    ("into", "out", "verdict"),
    [
        ("DEPOSIT", "CHEQUE 000871", "contradicted"),
        ("REF 99812", "CHQ 000871", "contradicted"),
        ("THANK YOU", "CHEQUE", "contradicted"),
        ("CHEQUE 100233", "CHEQUE 000871", "contradicted"),
        ("CHEQUE 100233", "FASTER PAYMENT", "contradicted"),
        ("DEPOSIT", "CASH WITHDRAWAL", "contradicted"),
        ("CHEQUE 000871", "CHEQUE 000871", "possible"),
        ("DEPOSIT", "FASTER PAYMENT", "possible"),
    ],
)
def test_a_cheque_or_cash_paid_out_is_no_transfer_and_what_names_nobody_only_a_possible_one(
    ledger: Ledger, into: str, out: str, verdict: str
) -> None:
    wealth = moved(ledger, into, out)
    assert wealth.pairs["verdict"].tolist() == [verdict]
    assert wealth.credits["disposition"].tolist() == ["unexplained"]
    assert wealth.credits["pair_txn_id"].notna().tolist() == [verdict == "possible"]


def test_different_amounts_that_all_go_from_one_account_to_the_other_are_own_transfers_without_a_name(
    ledger: Ledger,
) -> None:
    rows = [
        row
        for month, amount in enumerate((41_266, 38_820, 53_014, 47_191), start=1)
        for row in moved_rows("FASTER PAYMENT RECEIVED", "FASTER PAYMENT SENT", month, amount=amount)
    ]
    wealth = derive(ledger(*rows), customers=BLOGGS, as_of=AS_OF)
    assert set(wealth.credits["disposition"]) == {"own_transfer"}
