"""Whether a payment is supported: what has left again is not there, and a word is no proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.support import SENDER_RULE

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
SALARY = [
    (f"2025-{month:02d}-28", 200_000, "ACME LTD", {"bank_code": "PMNT-RCDT-SALA"}) for month in range(1, 13)
]
WILL = ("2025-06-05", 5_000_000, "ESTATE OF X", {"counterparty_name": "HOLT SOLICITORS"})
COMPLETION = {"bank_code": "SECU-CORP-DVCA"}


def with_balances(frame: pd.DataFrame, opening: int = 0) -> pd.DataFrame:
    ordered = frame.sort_values("booked_on", kind="stable")
    return ordered.assign(balance_after_minor=ordered["amount_minor"].cumsum() + opening).reset_index(
        drop=True
    )


def asked(wealth: Wealth, amount: str) -> Any:
    return wealth.sufficiency("C1", "P1", amount, "GBP")


def test_a_lump_sum_that_left_again_supports_nothing(ledger: Ledger) -> None:
    rows = [
        *SALARY,
        ("2025-05-05", 25_000_000, "ESTATE OF X"),
        ("2025-05-06", -25_000_000, "SMITH LAW HOUSE"),
    ]
    for frame in (ledger(*rows), with_balances(ledger(*rows))):
        found = asked(derive(frame, as_of=AS_OF), "200000.00")
        assert found.answer == "partly supported"
        assert found.supported_minor <= 2_400_000
        known = "balance_after_minor" in frame.columns
        assert found.bounds == (("at most", "at least") if known else ("at least", "up to"))


def test_a_lump_sum_counts_up_to_the_lowest_balance_since_it_arrived(ledger: Ledger) -> None:
    rows = [
        ("2025-01-05", 10_000_000, "BROKER", COMPLETION),
        ("2025-03-05", -9_000_000, "SOMEBODY"),
        ("2025-06-05", 9_000_000, "SOMEBODY ELSE"),
    ]
    found = asked(derive(with_balances(ledger(*rows)), as_of=AS_OF), "50000.00")
    assert (found.answer, found.supported_minor) == ("partly supported", 1_000_000)
    assert any("lowest balance" in line for line in found.assumptions)
    assert found.bounds == ("at most", "at least")


def test_a_lump_sum_that_is_still_there_supports_if_more_than_a_word_shows_it(ledger: Ledger) -> None:
    shown = ledger(("2025-01-05", 10_000_000, "BROKER", COMPLETION), ("2025-06-05", -100, "SHOP"))
    assert asked(derive(with_balances(shown), as_of=AS_OF), "80000.00").answer == "supported"
    word = ledger(
        ("2025-01-05", 10_000_000, "ESTATE OF X", {"counterparty_name": "HOLT SOLICITORS"}),
        ("2025-06-05", -100, "SHOP"),
    )
    found = asked(derive(with_balances(word), as_of=AS_OF), "80000.00")
    assert (found.answer, found.supported_minor) == ("cannot tell", 0)
    assert any("document" in line for line in found.basis)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("P HALLIDAY RENT", 95_000),
        ("ORBIS CONSULT OU INVOICE 4471", 900_000),
        ("NOVOTRADE LTD DIVIDEND", 250_000),
    ],
)
def test_words_that_a_sender_writes_freely_support_no_payment_however_often_they_come(
    ledger: Ledger, text: str, amount: int
) -> None:
    rows = [(f"2025-{month:02d}-01", amount, text) for month in range(1, 13)]
    found = asked(derive(ledger(*SALARY, *rows), as_of=AS_OF), "30000.00")
    assert (found.answer, found.supported_minor) == ("cannot tell", 2_400_000)
    assert any("supported only by the sender's words" in line for line in found.basis)
    assert f"{SENDER_RULE} What only the pattern of payments shows does not count." in found.assumptions[0]
    assert "credits whose nature is not established do not count either" in found.assumptions[0]


def test_words_are_not_named_where_only_the_pattern_shows_the_nature(ledger: Ledger) -> None:
    rows = [(f"2025-{month:02d}-01", 80_000, "P HALLIDAY") for month in range(1, 13)]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert wealth.streams["evidence_level"].tolist() == ["pattern"]
    found = asked(wealth, "9000.00")
    assert found.answer == "cannot tell"
    assert not any("words" in line for line in found.basis)
    assert (
        "Credits whose nature is supported only by the pattern of payments: 9,600.00 GBP, from 1 stream or single credit."
        in found.basis
    )
    mixed = asked(derive(ledger(*rows, WILL), as_of=AS_OF), "50000.00")
    assert (
        "Of the money that may still be in the accounts, up to 59,600.00 GBP is of a nature not proven: a document has to show what it was."
        in mixed.basis
    )


def test_without_balances_leftover_pay_is_not_put_down_to_a_lump_sum_that_has_left_again(
    ledger: Ledger,
) -> None:
    gone = ("2025-07-05", -5_000_000, "SMITH LAW HOUSE")
    rows = [*SALARY, WILL, gone]
    found = asked(derive(ledger(*rows), as_of=AS_OF), "20000.00")
    assert found.answer == "cannot tell"
    # Six payments came before the large debit, and six after it: the first six may have been spent, or the lump sum.
    assert (
        "12,000.00 GBP more may still be in the accounts, but without balances the data does not show whether it is evidenced income or "
        "money whose nature is supported only by the sender's words: a document has to show what it was."
        in found.basis
    )
    known = asked(derive(with_balances(ledger(*rows)), as_of=AS_OF), "20000.00")
    assert (known.answer, known.supported_minor) == ("supported", 2_000_000)


def test_savings_that_went_there_and_came_back_are_counted_once(ledger: Ledger) -> None:
    def supported(*rows: tuple[str, int, str]) -> int:
        return asked(derive(ledger(*SALARY, *rows), as_of=AS_OF), "90000.00").supported_minor

    there, back = (
        ("2025-01-10", -500_000, "NS&I PREMIUM BONDS"),
        ("2025-08-01", 500_000, "NS&I PREMIUM BONDS"),
    )
    assert supported() == 2_400_000
    assert supported(there, back) <= 2_400_000
    assert supported(there, ("2025-08-01", 700_000, back[2])) == supported(there, back) + 200_000
    assert supported(back) == 2_900_000  # saved before the data begins


def test_an_overdraft_is_not_the_customers_money(ledger: Ledger) -> None:
    rows = with_balances(ledger(*SALARY, ("2025-12-29", -2_600_000, "CAR DEALER")), opening=100_000)
    found = asked(derive(rows, as_of=AS_OF), "500.00")
    assert (found.answer, found.supported_minor) == ("not supported", 0)


def test_a_balance_that_was_asked_for_is_followed_back(ledger: Ledger) -> None:
    balances = pd.DataFrame(
        {"customer_id": ["C1"], "account_id": ["A1"], "current_minor": [150_000], "currency": ["GBP"]}
    )
    found = asked(derive(ledger(*SALARY), balances=balances, as_of=AS_OF), "24000.00")
    assert (found.answer, found.supported_minor) == ("partly supported", 150_000)


def test_money_that_went_to_an_own_account_that_is_not_linked_cannot_be_told(ledger: Ledger) -> None:
    rows = [*SALARY, ("2025-12-29", -2_000_000, "TRANSFER TO SAVINGS")]
    found = asked(derive(ledger(*rows), as_of=AS_OF), "20000.00")
    assert found.answer == "cannot tell"
    assert any("20,000.00 GBP went to own accounts that are not linked" in line for line in found.basis)


@pytest.mark.parametrize(
    ("day", "given", "held"),
    [("2025-12-28", 500, 500), ("2025-12-30", -70_000, 0), ("2025-12-27", 500, None)],
)
def test_a_later_balance_that_is_lower_shows_that_money_left(
    ledger: Ledger, day: str, given: int, held: int | None
) -> None:
    balances = pd.DataFrame({
        "customer_id": ["C1"], "account_id": ["A1"], "current_minor": [given], "currency": ["GBP"],
        "balance_at": pd.to_datetime([day], utc=True), "evidence_id": ["E"],
    })  # fmt: skip
    found = asked(derive(with_balances(ledger(*SALARY)), balances=balances, as_of="2026-01-31"), "24000.00")
    assert found.supported_minor == (2_400_000 if held is None else held)
    named = "a balance that the bank gave and running balances" if held is not None else "running balances"
    assert f"according to {named}: " in found.basis[1]


@pytest.mark.parametrize("known", [True, False])
def test_a_pending_payment_out_is_about_to_leave(ledger: Ledger, *, known: bool) -> None:
    """Its booked twin is deducted once."""
    booked = with_balances(ledger(*SALARY, ("2025-12-27", -400_000, "HALL MOTORS")))
    waiting = ledger(
        ("2025-12-26", -400_000, "HALL MOTORS", {"status": "pending"}),
        ("2025-12-29", -1_500_000, "ORR HOMES", {"status": "pending"}),
    ).assign(txn_id=["P1", "P2"])
    rows = pd.concat([booked if known else booked.drop(columns="balance_after_minor"), waiting])
    found = asked(derive(rows, as_of=AS_OF), "24000.00")
    assert (found.answer, found.supported_minor) == ("partly supported", 500_000)
    assert (
        "Payments out that are still pending count as gone, and are deducted in these figures: 15,000.00 GBP."
        in found.basis
    )


def test_a_pending_payment_to_an_own_account_that_is_not_linked_may_still_be_there(ledger: Ledger) -> None:
    waiting = ledger(("2025-12-29", -1_500_000, "TO MY SAVINGS", {"status": "pending"})).assign(txn_id="P1")
    found = asked(derive(pd.concat([ledger(*SALARY), waiting]), as_of=AS_OF), "24000.00")
    assert (found.answer, found.supported_minor) == ("cannot tell", 900_000)


HELD = ("2025-12-26", -500_000, "ORR HOMES", {"status": "pending", "txn_id": "P1"})
BOOKED = ("2025-12-28", -500_000, "ORR HOMES", {"txn_id": "B1"})


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([HELD], 1_900_000),
        ([HELD, HELD], 1_900_000),
        ([HELD, HELD, BOOKED], 1_900_000),
        ([HELD, (*HELD[:3], HELD[3] | {"txn_id": "P2"})], 1_400_000),  # two equal payments
    ],
)
@pytest.mark.parametrize("links", [("A1",), ("A1", "A2")])
def test_a_pending_payment_that_is_given_twice_leaves_once(
    ledger: Ledger, rows: list[Any], left: int, links: tuple[str, ...]
) -> None:
    """A second fetch gives it twice, and so do two links to one account."""
    frame = ledger(*((*row[:3], row[3] | {"account_id": link}) for link in links for row in (*SALARY, *rows)))
    accounts = pd.DataFrame({"customer_id": "C1", "account_id": [*links], "account_number": "11112222"})
    found = asked(derive(frame, accounts=accounts, as_of=AS_OF), "24000.00")
    assert found.supported_minor == left


@pytest.mark.parametrize(
    ("account", "text", "status", "left"),
    [
        ("A2", "TRANSFER FROM CURRENT", "pending", 2_400_000),
        ("A1", "TRANSFER FROM CURRENT", "pending", 900_000),
        ("A2", "TRANSFER FROM CURRENT", "booked", 900_000),  # counted there
        ("A2", "REFUND ORR HOMES", "pending", 900_000),
        ("A2", "ORR HOMES", "pending", 900_000),
    ],
)
def test_a_pending_transfer_to_a_linked_account_is_not_gone(
    ledger: Ledger, account: str, text: str, status: str, left: int
) -> None:
    frame = ledger(
        *SALARY,
        ("2025-01-02", 100, "SOMEBODY", {"account_id": "A2"}),
        ("2025-12-29", -1_500_000, "TRANSFER TO SAVINGS", {"status": "pending"}),
        ("2025-12-29", 1_500_000, text, {"status": status, "account_id": account}),
    )
    assert asked(derive(frame, as_of=AS_OF), "24000.00").supported_minor == left


def test_own_transfers_between_linked_accounts_are_no_spending(ledger: Ledger) -> None:
    rows = [
        *SALARY,
        ("2025-12-29", -2_000_000, "TRANSFER TO SAVINGS"),
        ("2025-12-29", 2_000_000, "TRANSFER FROM CURRENT", {"account_id": "A2"}),
    ]
    assert asked(derive(ledger(*rows), as_of=AS_OF), "20000.00").answer == "supported"


AMOUNTS = st.lists(st.integers(-300_000, 300_000).filter(bool), min_size=1, max_size=20)


@settings(max_examples=15)
@given(AMOUNTS, st.integers(1, 10**6))
def test_never_more_is_supported_than_was_held_and_the_two_parts_add_up(
    amounts: list[int], payment: int
) -> None:
    frame = pd.DataFrame(
        [
            {
                "customer_id": "C1",
                "account_id": "A1",
                "txn_id": f"T{number}",
                "booked_on": f"2025-{1 + number // 2:02d}-{10 + number % 2:02d}",
                "amount_minor": amount,
                "currency": "GBP",
                "description_raw": "ACME LTD",
                "bank_code": "PMNT-RCDT-SALA" if amount > 0 else None,
            }
            for number, amount in enumerate(amounts)
        ]
    )
    found = asked(derive(with_balances(frame), as_of=AS_OF), str(Decimal(payment).scaleb(-2)))
    assert found.supported_minor + found.shortfall_minor == payment
    assert found.supported_minor <= max(sum(amounts), 0)


def test_the_numbers_of_the_sentences_are_those_of_the_rows(ledger: Ledger) -> None:
    rows = [*SALARY, ("2025-06-15", -300_000, "SHOP"), ("2025-07-05", 500_000, "ESTATE OF X")]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    text = " ".join(asked(wealth, "30000.00").basis)
    money = re.findall(r"([\d,]+\.\d\d) GBP", text)
    income = 12 * 200_000
    left = income - 300_000
    assert [int(one.replace(",", "").replace(".", "")) for one in money] == [income, 300_000, left, 500_000]


def test_the_answer_is_the_same_beside_another_customer(ledger: Ledger) -> None:
    rows = [
        *SALARY,
        ("2025-03-03", 1_500_000, "ESTATE OF X"),
        ("2025-04-10", -900_000, "TO MY SAVINGS"),
        ("2025-06-05", -70_000, "SHOP"),
    ]
    frame = with_balances(ledger(*rows))
    both = pd.concat([frame, frame.assign(customer_id="C2", account_id="A9")], ignore_index=True)
    for amount in ("500.00", "20000.00", "90000.00"):
        alone, beside = (asked(derive(one, as_of=AS_OF), amount) for one in (frame, both))
        assert alone == beside


def linked_again(ledger: Ledger) -> pd.DataFrame:
    """A year of pay, and the same account linked a second time half way."""
    first = with_balances(
        ledger(*SALARY, *[(f"2025-{month:02d}-28", -50_000, "RENT") for month in range(1, 13)])
    )
    again = first[first["booked_on"] >= "2025-07-01"]
    return pd.concat([first, again.assign(account_id="A2", txn_id="R" + again["txn_id"])], ignore_index=True)


@pytest.mark.parametrize("numbers", [("****2222", "****2222"), ("11112222", "11112222"), None])
def test_money_in_an_account_that_may_be_linked_twice_supports_a_payment_once(
    ledger: Ledger, numbers: tuple[str, str] | None
) -> None:
    """12 credits of 2,000.00 less 12 of 500.00: 18,000.00 are held, however many links show them."""
    accounts = (
        None
        if numbers is None
        else pd.DataFrame({"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": numbers})
    )
    wealth = derive(linked_again(ledger), accounts=accounts, as_of=AS_OF)
    assert asked(wealth, "18000.00").answer == "supported"
    found = asked(wealth, "18000.01")
    assert (found.answer, found.supported_minor) == ("partly supported", 1_800_000)


def test_money_that_may_be_there_twice_is_named_beside_what_supports(ledger: Ledger) -> None:
    found = asked(derive(linked_again(ledger), as_of=AS_OF), "18000.00")
    assert "Credits that may be counted twice are left out: 12,000.00 GBP." in found.basis
    once = asked(derive(with_balances(ledger(*SALARY)), as_of=AS_OF), "18000.00")
    assert not any("twice" in line for line in once.basis)


@pytest.mark.parametrize(
    "beside",
    [
        [("2025-08-28", -70_000, "JOHN LEWIS"), ("2025-09-20", 70_000, "JOHN LEWIS REFUND")],
        [("2025-08-28", 200_000, "ACME LTD SALARY"), ("2025-09-02", -200_000, "ACME LTD SALARY RECALLED")],
    ],
)
def test_what_came_back_in_an_account_that_may_be_linked_twice_supports_nothing_more(
    ledger: Ledger, beside: list[tuple[str, int, str]]
) -> None:
    def supported(*rows: tuple[str, int, str]) -> int:
        rents = [(f"2025-{month:02d}-28", -50_000, "RENT") for month in range(1, 13)]
        first = ledger(*SALARY, *rents, *rows)
        both = pd.concat(
            [first, first.assign(account_id="A2", txn_id="R" + first["txn_id"])], ignore_index=True
        )
        return asked(derive(both, as_of=AS_OF), "90000.00").supported_minor

    assert supported(*beside) == supported()


def test_without_evidenced_income_no_sum_of_it_is_said_to_be_there(ledger: Ledger) -> None:
    rows = ledger(("2025-02-03", 900_000, "Q7 HOLDINGS"), ("2025-03-03", -100, "SHOP"))
    for frame in (rows, with_balances(rows)):
        first, second = asked(derive(frame, as_of=AS_OF), "500.00").basis
        assert first == "No evidenced income was seen from 3 Feb 2025 to 3 Mar 2025 (29 days)."
        assert "income" not in second


@pytest.mark.parametrize(
    ("text", "name", "answer"),
    [
        ("FASTER PAYMENT", "Jane Bloggs", "cannot tell"),
        ("JANE BLOGGS", None, "cannot tell"),
        ("J BLOGGS", None, "cannot tell"),
        ("TO SAVINGS", None, "cannot tell"),
        ("TRADING 212", None, "cannot tell"),
        ("HARGREAVES LANSDOWN ISA", "HARGREAVES LANSDOWN", "cannot tell"),
        ("NATIONAL SAVINGS INCOME BONDS DEPOSIT", None, "cannot tell"),
        # A bank named alone: into an account there, or for a debt to it.
        ("SPARKASSE KOELN", None, "cannot tell"),
        ("VOLKSBANK RHEIN RUHR EG", None, "cannot tell"),
        ("BARCLAYS BANK PLC 20-44-01", None, "cannot tell"),
        ("FASTER PAYMENT", "MARCUS GOLDMAN SACHS", "cannot tell"),
        # CREDIT in the name of a bank is not what it is paid for.
        ("ST CANICES CREDIT UNION", None, "cannot tell"),
        ("CREDIT MUTUEL DE VITRE", None, "cannot tell"),
        ("ALPINE STATE BANK", None, "cannot tell"),
        ("KASSELER SPARVEREIN", None, "cannot tell"),
        ("STADTSPARKASSE WEDEL", None, "cannot tell"),
        ("ST CANICES CREDIT UNION LOAN", None, "partly supported"),
        ("CREDIT MUTUEL ECHEANCE PRET", None, "partly supported"),
        ("HARBOUR THRIFT SHOP", None, "partly supported"),
        ("BARCLAYS MORTGAGE", None, "partly supported"),
        ("HALIFAX MORTGAGE 123", "HALIFAX", "partly supported"),
        ("BARCLAYCARD PAYMENT", None, "partly supported"),
        ("SPARKASSE DARLEHEN RATE", None, "partly supported"),
        ("LLOYDS BANK FEE", None, "partly supported"),
        ("CASH WITHDRAWAL BARCLAYS", None, "partly supported"),
        ("GA SPARKASSE KOELN", None, "partly supported"),
        ("BANK OF IRELAND LOAN REPAYMENT", None, "partly supported"),
        ("RABOBANK HYPOTHEEK", None, "partly supported"),
        ("BANCO SANTANDER HIPOTECA", None, "partly supported"),
        ("INTESA SANPAOLO MUTUO", None, "partly supported"),
        ("FASTER PAYMENT", "Peter Miller", "partly supported"),
        ("KITCHEN", "OAK KITCHENS LTD", "partly supported"),
    ],
)
def test_money_paid_to_the_customers_own_name_may_still_be_there(
    text: str, name: str | None, answer: str
) -> None:
    rows = [("ACME LTD SALARY", "ACME LTD", 2_000_00, f"2025-{month:02}-28") for month in range(1, 13)]
    rows.append((text, name, -20_000_00, "2025-12-30"))
    transactions = pd.DataFrame(
        [
            {
                "customer_id": "C",
                "account_id": "A",
                "txn_id": str(number),
                "booked_on": pd.Timestamp(booked),
                "amount_minor": amount,
                "currency": "GBP",
                "description_raw": description,
                "counterparty_name": party,
                "bank_code": "PMNT-RCDT-SALA" if amount > 0 else None,
            }
            for number, (description, party, amount, booked) in enumerate(rows)
        ]
    )
    customers = pd.DataFrame([{"customer_id": "C", "first_name": "Jane", "last_name": "Bloggs"}])
    wealth = derive(transactions, customers=customers, as_of="2026-01-05")
    found = wealth.sufficiency("C", None, Decimal(15_000), "GBP")
    assert found.answer == answer
    assert any("own accounts that are not linked" in one for one in found.basis) == (answer == "cannot tell")


def test_one_day_of_data_is_one_day(ledger: Ledger) -> None:
    found = derive(ledger(("2025-05-05", 500_000, "TESCO STORES SALARY")), as_of=AS_OF)
    basis = " ".join(found.sufficiency("C1", None, "100.00", "GBP").basis)
    assert "(1 day)" in basis


def test_money_that_a_red_flag_says_was_moved_on_is_not_still_there(ledger: Ledger) -> None:
    """The balance alone does not show which money left: the flag does."""
    moved = [
        (f"2025-{month:02d}-{day}", sign * 800_000, text)
        for month in (7, 8, 9)
        for day, sign, text in (("12", 1, "RIVERTON BOND REDEMPTION"), ("13", -1, "AURELIA HOLDINGS SA"))
    ]
    paid = [(*one, COMPLETION) if one[1] > 0 else one for one in moved]
    frame = with_balances(ledger(*SALARY, *paid), opening=9_000_000)
    wealth = derive(frame, as_of=AS_OF)
    through = wealth.transactions[
        wealth.transactions["description_raw"].isin([text for _, _, text, *_ in paid])
    ]
    flag = {"customer_id": "C1", "code": "pass_through", "currency": "GBP"}
    flag |= {"account_ids": list(through["account_id"]), "txn_ids": list(through["txn_id"])}
    found = asked(replace(wealth, flags=pd.DataFrame([flag])), "45000.00")
    assert (found.answer, found.supported_minor) == ("partly supported", 2_400_000)
    said = "24,000.00 GBP of the evidenced income counts as gone: a red flag says that it was moved on."
    assert said in found.basis
    assert any("up to 24,000.00 GBP may still be in the accounts" in line for line in found.basis)
    bare = asked(wealth, "45000.00")
    assert (bare.answer, bare.supported_minor) == ("supported", 4_500_000)
    assert not any("red flag" in line for line in bare.basis)
