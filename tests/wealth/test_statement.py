from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pandas as pd
import pytest

from kycpack.errors import InputError
from kycpack.models.json import dump_json, parse_json
from kycpack.models.money import format_minor
from kycpack.models.wealth import SourceOfWealth
from kycpack.wealth import derive
from kycpack.wealth.judge.support import MAIN_SOURCE_RULE

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31T09:30:00+01:00"


def pay(text: str, amount: int, count: int = 6, **extra: object) -> list[tuple[object, ...]]:
    ends = [
        "01-31",
        "02-28",
        "03-31",
        "04-30",
        "05-30",
        "06-30",
        "07-31",
        "08-29",
        "09-30",
        "10-31",
        "11-28",
        "12-31",
    ]
    return [(f"2025-{day}", amount + n, text, extra) for n, day in enumerate(ends[:count])]


def test_the_statement_has_the_interfaces_members(ledger: Ledger) -> None:
    customers = pd.DataFrame(
        {"customer_id": ["C1"], "first_name": ["Ada"], "last_name": ["Byron"], "city": [None]}
    )
    accounts = pd.DataFrame(
        {
            "customer_id": ["C1"],
            "account_id": ["A1"],
            "bank_name": ["Test Bank"],
            "holder_name": ["Ada Byron"],
            "account_number": ["****5678"],
            "sort_code": ["****33"],
            "currency": ["GBP"],
        }
    )
    balances = pd.DataFrame(
        {"customer_id": ["C1"], "account_id": ["A1"], "current_minor": [165_000], "currency": ["GBP"]}
    )
    frame = ledger(*pay("ACME LTD SALARY", 200_000, 12), *pay("BARROW RENT", 50_000, 4))
    document = derive(frame, customers, accounts, balances, as_of=AS_OF).statement("C1").wire()
    assert document["customer"] == {"firstName": "Ada", "lastName": "Byron"}
    assert document["accounts"][0] == {
        "account": {
            "bankName": "Test Bank",
            "accountHolderName": "Ada Byron",
            "accountNumber": "****5678",
            "sortCode": "****33",
            "currency": "GBP",
        },
        "currentBalance": Decimal("1650.00"),
        "dataAvailability": {"balanceAvailable": True, "transactionsAvailable": True},
    }
    assert document["generatedAt"] == "2025-12-31T08:30:00Z"
    primary = document["primarySource"]
    assert set(primary) == {"description", "amount", "frequency", "totalValue", "context", "type"}
    assert (primary["frequency"], primary["totalValue"]) == (12, Decimal("24000.66"))
    assert primary["amount"] == Decimal("2000.06")  # 2000.055
    assert primary["type"] == "employment"
    assert "not net worth" in primary["context"]
    assert [set(source) for source in document["additionalSources"]] == [
        {"description", "amount", "frequency", "totalValue", "type"}
    ]
    assert SourceOfWealth.read(parse_json(dump_json(document))).wire() == document


def test_without_eligible_sources_there_is_no_primary_one(ledger: Ledger) -> None:
    frame = ledger(
        *pay("ACME", 200_000),
        ("2025-03-03", 900_000, "QUICK LENDING LOAN"),
        ("2025-04-04", 30_000, "HMRC TAX REFUND"),
    )
    statement = derive(frame, as_of=AS_OF).statement("C1")
    assert statement.primary_source is None
    assert {str(source.type) for source in statement.additional_sources} == {"other", "loan", "tax_refund"}


def test_an_active_source_comes_before_a_larger_one_that_has_ceased(ledger: Ledger) -> None:
    frame = ledger(*pay("TESCO STORES SALARY", 500_000, 4), *pay("DWP STATE PENSION", 50_000, 12))
    statement = derive(frame, as_of=AS_OF).statement("C1")
    assert statement.primary_source is not None
    assert statement.primary_source.type == "state_benefit"
    assert (
        "Larger in total, but ceased: employment 20,000.06 GBP, last on " in statement.primary_source.context
    )


def test_a_payer_whose_text_ends_with_the_month_is_shown_without_it(ledger: Ledger) -> None:
    months = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN")
    rows = [
        (f"2025-{place:02d}-28", 1_000 + place, f"CREDIT INTEREST {name}")
        for place, name in enumerate(months, 1)
    ]
    cut = [
        (f"2025-{place:02d}-27", 200_000, f"TARN LTD WAGES {name[:2]}")
        for place, name in enumerate(months, 1)
    ]
    streams = derive(ledger(*rows, *cut, *pay("T MAY", 30_000)), as_of=AS_OF).streams
    assert set(streams["payer"]) == {"CREDIT INTEREST", "TARN LTD WAGES", "T MAY"}


def test_a_single_named_credit_is_a_source_of_frequency_one(ledger: Ledger) -> None:
    statement = derive(ledger(("2025-03-03", 9_000_000, "PREMIUM BONDS PRIZE NS&I")), as_of=AS_OF).statement(
        "C1"
    )
    assert statement.primary_source is not None
    assert (statement.primary_source.frequency, statement.primary_source.amount) == (1, Decimal("90000.00"))
    assert statement.primary_source.type == "investment_income"


def test_the_base_currency_is_the_one_with_most_credits_unless_it_is_given(ledger: Ledger) -> None:
    frame = ledger(*pay("ACME LTD SALARY", 200_000), *pay("TESCO STORES SALARY", 900_000, 4, currency="EUR"))
    wealth = derive(frame, as_of=AS_OF)
    of_pounds, of_euros = wealth.statement("C1"), wealth.statement("C1", base_currency="EUR")
    assert of_pounds.primary_source is not None
    assert of_euros.primary_source is not None
    assert of_pounds.primary_source.total_value == Decimal("12000.15")
    assert of_euros.primary_source.total_value == Decimal("36000.06")
    assert "EUR" in of_pounds.additional_sources[0].description


@pytest.mark.parametrize(
    ("of_pounds", "other", "of_other", "country", "expected"),
    [
        (100_000, "EUR", 400_000, "GB", "EUR"),
        (400_000, "EUR", 100_000, "GB", "GBP"),
        (100_000, "EUR", 120_000, "GB", "GBP"),  # worth more or less than 1,000.00 GBP, by the day's rate
        (100_000, "EUR", 120_000, "GB-SCT", "GBP"),
        (100_000, "EUR", 120_000, "gb", "GBP"),
        (100_000, "EUR", 120_000, "DE", "EUR"),
        (100_000, "ARS", 900_000, "GB", "GBP"),
        (100_000, "ARS", 900_000, "DE", "ARS"),  # no rate is known, and neither is the country's
    ],
)
def test_of_currencies_with_equally_many_credits_the_one_worth_more_is_the_base_else_the_one_at_home(
    ledger: Ledger, of_pounds: int, other: str, of_other: int, country: str, expected: str
) -> None:
    frame = ledger(*pay("ACME LTD SALARY", of_pounds), *pay("ZENITH SALARY", of_other, currency=other))
    wealth = derive(frame, as_of=AS_OF, country=country)
    assert wealth.base_currency("C1") == expected
    assert wealth.statement_currencies("C1")[0] == expected


def test_a_currency_without_decimals_keeps_whole_amounts(ledger: Ledger) -> None:
    statement = derive(ledger(*pay("会社 給与", 300_000, currency="JPY")), as_of=AS_OF).statement("C1")
    assert statement.primary_source is not None
    assert statement.primary_source.total_value == Decimal(1_800_015)
    assert statement.primary_source.amount == Decimal(300_003)  # 300002.5


def test_the_statement_of_a_payment_carries_its_amount(ledger: Ledger) -> None:
    wealth = derive(ledger(*pay("ACME LTD SALARY", 200_000)), as_of=AS_OF)
    assert wealth.statement("C1", payment=Decimal("12.50")).wire()["paymentAmount"] == Decimal("12.50")
    assert "paymentAmount" not in wealth.statement("C1").wire()


def test_a_customer_without_credits_has_an_empty_statement_and_an_unknown_one_none(ledger: Ledger) -> None:
    customers = pd.DataFrame(
        {"customer_id": ["C2"], "first_name": ["Bo"], "last_name": ["Li"], "city": ["York"]}
    )
    wealth = derive(ledger(("2025-01-31", 1, "A")), customers, as_of=AS_OF)
    assert wealth.statement("C2").wire() == {
        "customer": {"firstName": "Bo", "lastName": "Li", "city": "York"},
        "accounts": [],
        "primarySource": None,
        "additionalSources": [],
        "generatedAt": "2025-12-31T08:30:00Z",
    }
    with pytest.raises(InputError, match="customer"):
        wealth.statement("C3")


def test_every_source_leads_to_its_transactions(ledger: Ledger) -> None:
    wealth = derive(
        ledger(*pay("ACME LTD SALARY", 200_000), ("2025-03-03", 9_000_000, "ESTATE OF X")), as_of=AS_OF
    )
    for source in wealth.sources("C1").itertuples():
        rows = wealth.credits[wealth.credits["stream_id"] == source.source_id]
        if rows.empty:
            account, txn = source.source_id.split("/")
            rows = wealth.credits[
                (wealth.credits["account_id"] == account) & (wealth.credits["txn_id"] == txn)
            ]
        assert rows["amount_minor"].sum() == source.total_minor


def test_an_explanation_says_what_was_seen_and_what_would_corroborate_it(ledger: Ledger) -> None:
    wealth = derive(ledger(*pay("ACME LTD SALARY", 200_000)), as_of=AS_OF)
    text = wealth.explain(wealth.streams["stream_id"].iloc[0])
    for part in (
        "6 credits from ACME LTD SALARY",
        "monthly (last working day)",
        "6 of 6 expected payments were seen",
        "payslips",
        "not net worth",
    ):
        assert part in text
    with pytest.raises(InputError, match="stream"):
        wealth.explain("S-none")


def test_the_context_of_a_single_credit_speaks_of_one_payment(ledger: Ledger) -> None:
    frame = ledger(("2025-06-06", 15_000_000, "PREMIUM BONDS PRIZE NS&I"))
    primary = derive(frame, as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert primary.context.startswith("1 payment observed on 6 Jun 2025, 150,000.00 GBP. ")


def test_the_context_gives_the_days_of_the_payments_and_not_of_the_whole_data(ledger: Ledger) -> None:
    frame = ledger(("2025-06-06", 15_000_000, "PREMIUM BONDS PRIZE NS&I"), *pay("CORNER SHOP", 900))
    primary = derive(frame, as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert primary.context.startswith("1 payment observed on 6 Jun 2025, ")


def test_the_context_names_larger_cash_and_totals_in_other_currencies(ledger: Ledger) -> None:
    frame = ledger(
        *pay("ACME LTD SALARY", 100_000),
        *pay("CASH DEPOSIT", 500_000),
        *pay("GALERIE SALARY", 70_000, currency="EUR", account_id="A2"),
    )
    wealth = derive(frame, as_of=AS_OF)
    primary = wealth.statement("C1", base_currency="GBP").primary_source
    assert primary is not None
    assert primary.type == "employment"
    assert "not eligible as the main source: cash deposits 30,000.15 GBP." in primary.context
    assert (
        "Sources in other currencies are listed separately and not compared with it: employment 4,200.15 EUR."
        in primary.context
    )
    assert wealth.statement_currencies("C1", "GBP") == ("GBP", "EUR", "GBP")


def test_the_context_names_the_largest_source_of_each_other_currency(ledger: Ledger) -> None:
    frame = ledger(
        *pay("ACME LTD SALARY", 100_000),
        *pay("GALERIE SALARY", 700_000, currency="EUR", account_id="A2"),
        *pay("MIETE WOHNUNG RENT", 50_000, currency="EUR", account_id="A2"),
    )
    primary = derive(frame, as_of=AS_OF).statement("C1", base_currency="GBP").primary_source
    assert primary is not None
    assert primary.context is not None
    assert (
        "not compared with it: 45,000.30 EUR, of which the largest is employment 42,000.15 EUR."
        in primary.context
    )


def test_the_context_names_an_unexplained_sum_that_is_larger_than_the_main_source(ledger: Ledger) -> None:
    salary = pay("ACME LTD SALARY", 100_000)
    beside = [("2025-03-04", 9_000_000, "TRF 8812")]
    for more, named in ((beside, True), ([("2025-03-04", 400_000, "TRF 8812")], False)):
        wealth = derive(ledger(*salary, *more), as_of=AS_OF)
        assert "unexplained" in set(wealth.credits["disposition"])
        primary = wealth.statement("C1", base_currency="GBP").primary_source
        assert primary is not None
        assert primary.type == "employment"
        said = "not eligible as the main source: credits whose nature is not established 90,000.00 GBP."
        assert (said in primary.context) is named


def test_the_context_names_the_largest_single_credits_whose_nature_is_not_established(
    ledger: Ledger,
) -> None:
    salary = pay("ACME LTD SALARY", 200_000, 12)
    single = ("2025-03-04", 1_234_500, "ZORVIK TRADING LTD")
    primary = derive(ledger(*salary, single), as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert (
        " Single credit outside the listed sources whose nature is not established: 12,345.00 GBP on 4 Mar 2025. "
        in primary.context
    )
    names = ("QUORNE", "HALBIX", "TREFANT", "MOLDEC")
    others = [(f"2025-0{n}-17", n * 200_000, f"{name} LTD") for n, name in enumerate(names, 4)]
    euros = ("2025-09-09", 999_900, "SOMEBODY", {"currency": "EUR", "account_id": "A2"})
    primary = derive(ledger(*salary, single, *others, euros), as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert (
        "Single credits outside the listed sources whose nature is not established: the largest of 5 are 14,000.00 GBP on 17 Jul 2025, "
        "12,345.00 GBP on 4 Mar 2025 and 12,000.00 GBP on 17 Jun 2025; 9,999.00 EUR on 9 Sep 2025."
        in primary.context
    )
    alone = derive(ledger(*salary), as_of=AS_OF).statement("C1").primary_source
    assert alone is not None
    assert "not established" not in alone.context


def test_cash_that_is_less_than_the_main_source_is_said_to_be_no_source(ledger: Ledger) -> None:
    cash = [
        (f"2025-{day}", 20_000 + 1_000 * n, "CASH DEPOSIT")
        for n, day in enumerate(["01-09", "02-03", "05-30"])
    ]
    primary = (
        derive(ledger(*pay("ACME LTD SALARY", 200_000), *cash), as_of=AS_OF).statement("C1").primary_source
    )
    assert primary is not None
    assert "Cash of 630.00 GBP that was paid in now and then is not counted as a source." in primary.context
    alone = derive(ledger(*pay("ACME LTD SALARY", 200_000)), as_of=AS_OF).statement("C1").primary_source
    assert alone is not None
    assert "Cash" not in alone.context


def test_a_statement_without_a_main_source_has_a_context_that_names_the_sums(ledger: Ledger) -> None:
    days = ["01-09", "02-03", "03-30", "04-02", "05-19", "06-21", "09-11"]
    cash = [(f"2025-{day}", 100_000 + 37_000 * n, "CASH DEPOSIT") for n, day in enumerate(days)]
    stated = derive(ledger(*cash), as_of=AS_OF).statement("C1")
    assert stated.primary_source is None
    assert stated.wire()["context"] == (
        f"{MAIN_SOURCE_RULE} Observed, but not eligible as the main source: cash deposits 14,770.00 GBP. "
        "Observed credits, not net worth; not corroborated by documents."
    )
    single = ("2025-03-04", 1_234_500, "ZORVIK TRADING LTD", {"currency": "EUR", "account_id": "A2"})
    doubtful = pay("O BRANNIGAN SALARY", 200_000, 12)
    stated = derive(ledger(*cash, single, *doubtful), OWNER, as_of=AS_OF).statement("C1")
    assert stated.primary_source is None
    assert stated.context is not None
    assert (
        "cash deposits 14,770.00 GBP; credits whose nature is not established 12,345.00 EUR. "
        "Observed, but not established from the data: employment 24,000.66 GBP." in stated.context
    )
    assert "established: 12,345.00 EUR on 4 Mar 2025." in stated.context
    assert (
        "context" not in derive(ledger(*pay("ACME LTD SALARY", 200_000)), as_of=AS_OF).statement("C1").wire()
    )


def test_a_source_that_has_ceased_says_since_when_and_when_the_next_payment_was_expected(
    ledger: Ledger,
) -> None:
    frame = ledger(*pay("TESCO STORES SALARY", 500_000, 4), *pay("DWP STATE PENSION", 50_000, 12))
    (ceased,) = derive(frame, as_of=AS_OF).statement("C1").additional_sources
    assert (
        "up to 30 Apr 2025 were seen, but the next one, expected on 30 May 2025, was not seen, nor any later one; employment"
        in str(ceased.description)
    )
    assert "last on" not in str(ceased.description)


def test_the_context_names_cash_that_is_paid_in_now_and_then(ledger: Ledger) -> None:
    days = ["01-09", "02-03", "03-30", "04-02", "05-19", "06-21", "09-11"]
    cash = [(f"2025-{day}", 100_000 + 37_000 * n, "CASH DEPOSIT") for n, day in enumerate(days)]
    unknown = ("2025-03-04", 400_000, "TRF 8812")
    wealth = derive(ledger(*pay("ACME LTD SALARY", 100_000), *cash, unknown), as_of=AS_OF)
    assert set(wealth.credits.loc[wealth.credits["type"] == "cash_deposit", "disposition"]) == {"unexplained"}
    primary = wealth.statement("C1").primary_source
    assert primary is not None
    assert (
        "Larger in total when added together, but not eligible as the main source: cash deposits 14,770.00 GBP (more than the main source even on its own), "
        "credits whose nature is not established 4,000.00 GBP." in primary.context
    )


def test_the_context_names_credits_in_other_currencies_that_are_not_in_a_source(ledger: Ledger) -> None:
    frame = ledger(
        *pay("ACME LTD SALARY", 100_000),
        ("2025-03-04", 9_000_000, "TRF 8812", {"currency": "EUR", "account_id": "A2"}),
    )
    primary = derive(frame, as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert (
        "Not in a source, in other currencies: credits whose nature is not established 90,000.00 EUR."
        in primary.context
    )
    assert "not eligible" not in primary.context


def test_an_identical_source_in_another_currency_is_equal_and_not_only_ours(ledger: Ledger) -> None:
    frame = ledger(
        *pay("ACME LTD SALARY", 100_000, 12), *pay("GALERIE SALARY", 70_000, currency="EUR", account_id="A2")
    )
    wealth = derive(frame, as_of=AS_OF)
    assert set(wealth.reconcile("C1", wealth.statement("C1"))["verdict"]) == {"equal"}


@pytest.mark.parametrize(
    ("amounts", "median"),
    [((100, 201, 301, 900), 251), ((100, 201, 302, 900), 252), ((100, 200, 301, 900), 251)],
)
def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two(
    ledger: Ledger, amounts: tuple[int, ...], median: int
) -> None:
    rows = [(f"2025-0{month}-05", amount, "ACME LTD SALARY") for month, amount in enumerate(amounts, 1)]
    assert derive(ledger(*rows), as_of=AS_OF).streams["median_minor"].tolist() == [median]


def test_an_account_that_two_answers_list_stands_once(ledger: Ledger) -> None:
    account = {"customer_id": "C1", "account_id": "A1", "bank_name": "Old Bank"}
    accounts = pd.DataFrame([account, account | {"bank_name": "New Bank"}])
    frame = ledger(*pay("ACME LTD SALARY", 100_000))
    found = derive(frame, accounts=accounts, as_of=AS_OF).statement("C1").accounts
    assert [item.account.bank_name for item in found] == ["New Bank"]


def test_a_statement_says_that_two_links_are_one_account(ledger: Callable[..., pd.DataFrame]) -> None:
    once = ledger(*[(f"2025-{month:02d}-28", 200_000, "TESCO STORES SALARY") for month in range(1, 13)])
    again = once.assign(account_id="A2", txn_id="R" + once["txn_id"])
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": "11112222", "sort_code": "010203"}
    )
    both = derive(pd.concat([once, again], ignore_index=True), accounts=accounts, as_of="2025-12-31")
    primary = both.statement("C1").primary_source
    assert primary is not None
    assert (
        "Accounts A1 and A2 are two links to one account: 12 credits of 24,000.00 GBP in all, which both list, are counted once."
        in primary.context
    )
    alone = derive(once, as_of="2025-12-31").statement("C1").primary_source
    assert alone is not None
    assert "two links" not in alone.context


OWNER = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Oluwaseun"], "last_name": ["Brannigan"]})


@pytest.mark.parametrize("text", ["O BRANNIGAN SALARY", "MR IVAN GROMOV SALARY"])
def test_a_source_that_other_evidence_contradicts_is_never_the_primary_one(ledger: Ledger, text: str) -> None:
    alone = derive(ledger(*pay(text, 200_000, 12)), OWNER, as_of=AS_OF)
    assert alone.streams["doubtful"].tolist() == [True]
    assert alone.statement("C1").primary_source is None
    frame = ledger(*pay(text, 200_000, 12), *pay("DWP STATE PENSION", 60_000, 12))
    primary = derive(frame, OWNER, as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert primary.type == "state_benefit"
    assert "Larger in total, but not established from the data: employment 24,000.66 GBP." in primary.context


@pytest.mark.parametrize(
    "text",
    [
        "ACME, which other evidence contradicts; LTD SALARY",
        "MR IVAN GROMOV, which other evidence contradicts SALARY",
    ],
)
def test_the_name_of_a_payer_is_never_shortened_by_words_that_the_product_uses_too(
    ledger: Ledger, text: str
) -> None:
    statement = derive(ledger(*pay(text, 200_000, 12)), OWNER, as_of=AS_OF).statement("C1")
    (source,) = [*statement.additional_sources, *filter(None, [statement.primary_source])]
    assert source.description.startswith(f"12 credits from {text}, monthly")
    assert not source.description.endswith("contradicts")


def test_pay_that_was_overpaid_and_taken_back_is_said_with_both_totals(ledger: Ledger) -> None:
    rows = [
        (f"2025-{month:02d}-28", 290_000 if month == 5 else 200_000, "TESCO STORES SALARY")
        for month in range(1, 13)
    ]
    wealth = derive(ledger(*rows, ("2025-06-06", -90_000, "TESCO STORES SALARY OVERPAID")), as_of=AS_OF)
    primary = wealth.statement("C1").primary_source
    assert primary is not None
    assert primary.description.endswith("; 900.00 GBP of it was taken back")
    assert primary.context.startswith(
        "12 payments observed from 28 Jan 2025 to 28 Dec 2025, 24,000.00 GBP net, 24,900.00 GBP paid in, monthly"
    )
    assert "24,000.00 GBP net: 900.00 GBP was taken back." in primary.context
    said = wealth.explain(wealth.streams["stream_id"].iloc[0])
    assert "Total 24,000.00 GBP net, 24,900.00 GBP paid in (900.00 GBP of it was taken back); median" in said


def test_money_that_may_be_counted_twice_is_a_range_everywhere_and_never_of_a_sure_type(
    ledger: Ledger,
) -> None:
    rows = pay("ACME LTD SALARY", 200_000, 12, bank_code="PMNT-RCDT-SALA")
    again = [(*row[:3], {**row[3], "account_id": "A2"}) for row in rows]
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": ["****4411", "XXXX4411"]}
    )
    wealth = derive(ledger(*rows, *again), accounts=accounts, as_of=AS_OF)
    (stream,) = wealth.streams.to_dict("records")
    assert (stream["type_confidence"], stream["confidence"]) == ("medium", "medium")
    assert (stream["least_total_minor"], stream["total_minor"]) == (2_400_066, 4_800_132)
    assert stream["next_minor"] == 200_010
    said = wealth.explain(stream["stream_id"])
    assert "Total 24,000.66 to 48,001.32 GBP (24,000.66 GBP of it may be counted twice)" in said
    assert (
        "between 2,000.10 GBP and 4,000.20 GBP a month (between 6,000.30 GBP and 12,000.60 GBP in 6 payments, some of which may be counted twice"
        in said
    )
    assert "with a payment, without what may be counted twice." in said
    primary = wealth.statement("C1").primary_source
    assert primary is not None
    assert "At least 24,000.66 GBP: 24,000.66 GBP may be counted twice." in primary.context
    assert "24,000.66 to 48,001.32 GBP in all" in primary.context
    assert "48,001.32 GBP in all" not in primary.context.replace("24,000.66 to 48,001.32", "")
    assert wealth.statement_totals("C1") == ((Decimal("24000.66"), Decimal("48001.32")),)
    assert wealth.statement_counts("C1") == ((12, 24),)
    assert primary.total_value == Decimal("48001.32")


@pytest.mark.parametrize(
    ("other", "main", "said"),
    [
        (
            pay("ZENITH SALARY", 300_000, 12, bank_code="PMNT-RCDT-SALA", account_id="A3"),
            "36000.66",
            "Perhaps larger in total, but not certain, so that which source is the main one is not settled: employment 24,000.66 to 48,001.32 GBP.",
        ),
        (
            pay("ZENITH SALARY", 500_000, 6, bank_code="PMNT-RCDT-SALA", account_id="A3"),
            "48001.32",
            "Perhaps larger in total, but ceased: employment 30,000.15 GBP, last on 30 Jun 2025.",
        ),
        (
            pay("ZENITH SALARY", 900_000, 6, bank_code="PMNT-RCDT-SALA", account_id="A3"),
            "48001.32",
            "Larger in total, but ceased: employment 54,000.15 GBP, last on 30 Jun 2025.",
        ),
    ],
)
def test_a_source_that_may_be_larger_than_the_main_one_is_named_with_the_reason(
    ledger: Ledger, other: list[tuple[object, ...]], main: str, said: str
) -> None:
    rows = pay("ACME LTD SALARY", 200_000, 12, bank_code="PMNT-RCDT-SALA")
    again = [(*row[:3], {**row[3], "account_id": "A2"}) for row in rows]
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": ["****4411", "XXXX4411"]}
    )
    days = pd.date_range("2025-01-02", "2025-12-30", freq="3D")
    spent = [(str(day.date()), -1_000, "SHOP", {"account_id": "A3"}) for day in days]
    primary = (
        derive(ledger(*rows, *again, *other, *spent), accounts=accounts, as_of=AS_OF)
        .statement("C1")
        .primary_source
    )
    assert primary is not None
    assert primary.total_value == Decimal(main)
    assert said in primary.context


def test_interest_is_not_said_to_come_from_its_own_booking_text(ledger: Ledger) -> None:
    said = derive(ledger(*pay("GROSS INTEREST", 2_000, 12)), as_of=AS_OF).streams["description"].iloc[0]
    assert said.startswith("12 credits booked as GROSS INTEREST, monthly")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            ["FREELANCE INVOICE 1182 STUDIO"],
            "Observed, but not established from the data: self-employment 24,000.66 GBP.",
        ),
        (["BARROW RENT"], "Observed, but not established from the data: rental income 24,000.66 GBP."),
        (["COINBASE PAYOUT"], "Observed, but not eligible as the main source: crypto-assets 24,000.66 GBP."),
        (
            ["BARROW RENT", "COINBASE PAYOUT"],
            "Observed, but not eligible as the main source: crypto-assets 24,000.66 GBP. Observed, but not established from the data: rental income 24,000.66 GBP.",
        ),
    ],
)
def test_what_the_review_does_not_take_as_shown_is_not_the_main_source(
    ledger: Ledger, texts: list[str], said: str
) -> None:
    wealth = derive(ledger(*(row for text in texts for row in pay(text, 200_000, 12))), as_of=AS_OF)
    stated = wealth.statement("C1")
    assert stated.primary_source is None
    assert stated.context is not None
    assert stated.context.startswith(
        "A main source has to be of a kind that shows where the money comes from"
    )
    assert said in stated.context
    with_pay = derive(
        ledger(
            *pay("TESCO STORES SALARY", 100_000, 12),
            *(row for text in texts for row in pay(text, 200_000, 12)),
        ),
        as_of=AS_OF,
    ).statement("C1")
    assert with_pay.primary_source is not None
    assert with_pay.primary_source.type == "employment"
    assert said.replace("Observed", "Larger in total") in with_pay.primary_source.context


def test_small_sums_that_show_no_source_are_one_sum_beside_the_main_source(ledger: Ledger) -> None:
    frame = ledger(
        *pay("TESCO STORES SALARY", 100_000, 12),
        *pay("CASH DEPOSIT", 70_000, 12),
        *pay("COINBASE PAYOUT", 70_000, 12),
    )
    primary = derive(frame, as_of=AS_OF).statement("C1").primary_source
    assert primary is not None
    assert (
        "Larger in total when added together, but not eligible as the main source: cash deposits 8,400.66 GBP, crypto-assets 8,400.66 GBP."
        in primary.context
    )


def test_the_numbers_of_payments_are_in_the_order_of_the_statement_in_any_base_currency(
    ledger: Ledger,
) -> None:
    euros = pay("ZENITH SALARY", 100_000, 6, currency="EUR", account_id="A2")
    wealth = derive(ledger(*pay("ACME LTD SALARY", 200_000, 12), *euros), as_of=AS_OF)
    assert wealth.statement_counts("C1") == ((12, 12), (6, 6))
    assert wealth.statement_counts("C1", "EUR") == ((6, 6), (12, 12))


def test_pay_into_an_account_in_another_name_is_not_the_main_source(ledger: Ledger) -> None:
    """Whose income it is, the data does not show; the statement says whose account it is."""
    rows = pay("ACME LTD SALARY", 200_000, 12)
    mine = derive(ledger(*rows), as_of=AS_OF)
    theirs = replace(mine, in_other_names={"A1": "Alice Oakenshaw"})
    assert mine.statement("C1").primary_source is not None
    stated = theirs.statement("C1")
    assert stated.primary_source is None
    assert stated.context is not None
    assert "Observed, but not established from the data: employment 24,000.66 GBP." in stated.context
    (source,) = stated.additional_sources
    assert str(source.description).endswith("; paid into an account in the name “Alice Oakenshaw”")
    assert theirs.statement_currencies("C1") == ("GBP",)


def test_pay_of_which_a_part_goes_to_an_account_in_another_name_is_not_the_main_source(
    ledger: Ledger,
) -> None:
    *mine, last = pay("ACME LTD SALARY", 200_000, 12)
    wealth = derive(ledger(*mine, (*last[:3], {"account_id": "A2"})), as_of=AS_OF)
    stated = replace(wealth, in_other_names={"A2": "Alice Oakenshaw"}).statement("C1")
    assert stated.primary_source is None
    said = "; partly paid into an account in the name “Alice Oakenshaw”"
    assert said in str(stated.additional_sources[0].description)


def test_what_has_no_established_nature_is_one_sum(ledger: Ledger) -> None:
    """Transfers from persons and small credits, as on page one: of two figures under one name, one is false."""
    persons = [(f"2025-{month:02d}-09", 30_011 + month, "MR IVAN GROMOV") for month in range(1, 13)]
    frame = ledger(
        *pay("KX HOLDINGS", 90_017, 12),
        *persons,
        ("2025-03-04", 1_234_500, "ZORVIK TRADING LTD"),
        ("2025-06-09", 2_200, "TRF 8812"),
    )
    wealth = derive(frame, as_of=AS_OF)
    assert {"other", "person_transfer"} <= set(wealth.streams["type"])
    (described,) = wealth.streams.loc[wealth.streams["type"] == "person_transfer", "description"]
    assert described.endswith("; transfers from persons, nature not established")
    assert "small_other" in set(wealth.credits["disposition"])
    natures = wealth.nature("C1").groupby("nature")["total_minor"].sum()
    unknown = format_minor(int(natures["regular_unknown"] + natures["irregular_unknown"]), "GBP")
    stated = wealth.statement("C1")
    assert stated.context is not None
    assert f"credits whose nature is not established {unknown}." in stated.context
    assert "transfers from persons" not in stated.context.removeprefix(MAIN_SOURCE_RULE)
    assert "established: 12,345.00 GBP on 4 Mar 2025, beside a small one of 22.00 GBP." in stated.context
