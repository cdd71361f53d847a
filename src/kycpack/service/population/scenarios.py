"""What a customer can be: wealth, findings and the triage level that is meant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scenario:
    """A kind of customer.

    Args:
        name: Told in the truth.
        meant_level: Triage level it is built for.
        why: What should lead there.
        incomes: Names of `incomes.INCOMES`.
        events: Names of `events.EVENTS`.
        findings: Names of `findings.FINDINGS`.
        script: Script of the name; None draws one.
        pensioner: Of pension age.
        bank: Gives access to bank data.
        ending: How the session ends: complete, pending or expired.
        native_record: The record holds the name in its own script.
        monitoring: Ongoing monitoring is ordered too.
        payment_minor: Amount of a payment with AIS requirements; 0 for none.
        scopes: Scopes of the bank access.
        bank_holder: Account holder as the bank has it; the person themselves when empty.
        varied: Whether documents and banks spell the name in ways of their own.
        hostile: The name tries to break pages, notebooks, spreadsheets and terminals.
        weight: How often it is drawn, beyond the first twelve.
    """

    name: str
    meant_level: str
    why: str
    incomes: tuple[str, ...] = ("salary_monthly", "interest")
    events: tuple[str, ...] = ("own_transfers", "refunds")
    findings: tuple[str, ...] = ()
    script: str | None = None
    pensioner: bool = False
    bank: bool = True
    ending: str = "complete"
    native_record: bool = False
    monitoring: bool = False
    payment_minor: int = 0
    scopes: tuple[str, ...] = ("accounts", "balances", "transactions")
    bank_holder: str = ""
    varied: bool = False
    hostile: bool = False
    weight: int = 0


DEMO = (
    Scenario(
        "employee",
        "approve",
        "everything clear, salary and savings",
        script="latin",
        incomes=("salary_monthly", "interest"),
        payment_minor=150_000,
    ),
    Scenario(
        "pensioner",
        "approve",
        "everything clear, State Pension, private pension, dividends",
        incomes=("state_pension", "private_pension", "dividends", "interest"),
        script="greek",
        pensioner=True,
    ),
    Scenario(
        "freelancer in the news",
        "review",
        "adverse media about environment",
        incomes=("clients", "gig"),
        events=("own_transfers", "refunds", "gifts", "pending_twins", "not_booked"),
        findings=("media_environment",),
        script="latin",
    ),
    Scenario(
        "politically exposed landlord",
        "edd",
        "PEP level 2",
        incomes=("salary_monthly", "rent", "dividends"),
        events=("own_transfers", "refunds", "house_sale"),
        findings=("pep_level2",),
        script="arabic",
        native_record=True,
        payment_minor=8_500_000,
        monitoring=True,
    ),
    Scenario(
        "possible sanctions match",
        "escalate",
        "sanctions lists need attention",
        incomes=("salary_monthly",),
        events=("own_transfers", "refunds", "unexplained_lump", "gifts"),
        findings=("sanctions",),
        script="cyrillic",
        native_record=True,
    ),
    Scenario(
        "forged document",
        "reject",
        "the document was rejected",
        incomes=("wages_weekly",),
        events=("own_transfers", "cash_deposits", "loan"),
        findings=("document_rejected",),
        script="han",
        native_record=True,
    ),
    Scenario(
        "no bank data",
        "approve",
        "everything clear; bank access was never ordered",
        bank=False,
        script="latin",
    ),
    Scenario(
        "hostile name",
        "review",
        "the document is somebody else's by name",
        incomes=("salary_four_weekly",),
        findings=("other_holder",),
        script="latin",
        hostile=True,
    ),
    Scenario(
        "cash just below the threshold",
        "edd",
        "structured cash deposits, gambling",
        incomes=("wages_weekly", "regular_cash"),
        events=("structuring", "gambling", "own_transfers"),
        findings=("address_consider",),
        script="greek",
    ),
    Scenario(
        "new job, match without category",
        "review",
        "matches are counted though every category is clear",
        incomes=("job_change",),
        events=("own_transfers", "refunds", "relinked", "missing_months"),
        findings=("count_without_category",),
        script="latin",
    ),
    Scenario(
        "session not finished",
        "review",
        "the session is still pending",
        incomes=("salary_fortnightly", "benefits"),
        ending="pending",
        script="devanagari",
        native_record=True,
    ),
    Scenario(
        "rejected with a terror match",
        "reject",
        "document rejected, and a terror list needs attention, which must reach the MLRO",
        incomes=("gig",),
        events=("flatmate", "crypto", "pass_through", "euro_account"),
        findings=("document_rejected", "terror"),
        script="cyrillic",
    ),
)
"""The first twelve customers of every population."""

OTHERS = (
    Scenario("plain employee", "approve", "everything clear", varied=True, weight=24),
    Scenario(
        "plain employee, two jobs",
        "approve",
        "everything clear",
        incomes=("salary_monthly", "salary_four_weekly"),
        varied=True,
        weight=6,
    ),
    Scenario(
        "weekly worker",
        "approve",
        "everything clear",
        incomes=("wages_weekly", "benefits"),
        varied=True,
        weight=8,
    ),
    Scenario(
        "semi-monthly worker",
        "approve",
        "everything clear",
        incomes=("salary_semi_monthly", "interest"),
        varied=True,
        weight=4,
    ),
    Scenario(
        "changed jobs",
        "approve",
        "everything clear",
        incomes=("job_change", "interest"),
        varied=True,
        weight=6,
    ),
    Scenario(
        "plain pensioner",
        "approve",
        "everything clear",
        incomes=("state_pension", "private_pension", "interest"),
        pensioner=True,
        varied=True,
        weight=10,
    ),
    Scenario(
        "on benefits",
        "approve",
        "everything clear",
        incomes=("benefits", "parent_allowance"),
        varied=True,
        weight=8,
    ),
    Scenario(
        "landlord",
        "approve",
        "everything clear",
        incomes=("rent", "dividends", "interest"),
        varied=True,
        weight=6,
    ),
    Scenario("gig worker", "approve", "everything clear", incomes=("gig", "clients"), varied=True, weight=6),
    Scenario(
        "heir",
        "approve",
        "everything clear, a named inheritance",
        events=("own_transfers", "inheritance"),
        varied=True,
        weight=2,
    ),
    Scenario(
        "borrower",
        "approve",
        "everything clear, a loan",
        events=("own_transfers", "loan", "tax_refund"),
        varied=True,
        weight=3,
    ),
    Scenario("PEP 1", "edd", "PEP level 1", findings=("pep_level1",), varied=True, weight=2),
    Scenario(
        "PEP 3",
        "edd",
        "a PEP level that the interface does not list",
        findings=("pep_level3",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "PEP without bank data",
        "edd",
        "PEP, no source of wealth",
        findings=("pep_level2",),
        bank=False,
        varied=True,
        weight=1,
    ),
    Scenario(
        "sanctions",
        "escalate",
        "sanctions lists need attention",
        findings=("sanctions",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "other watchlist",
        "edd",
        "another watchlist needs attention",
        findings=("other_watchlist",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "media, labour",
        "review",
        "adverse media about labour",
        findings=("media_labour",),
        varied=True,
        weight=2,
    ),
    Scenario(
        "media, crime", "edd", "adverse media about crime", findings=("media_crime",), varied=True, weight=1
    ),
    Scenario("count missing", "review", "no match count", findings=("count_missing",), varied=True, weight=1),
    Scenario(
        "unknown words",
        "edd",
        "a word at PEP level 1 that nobody has seen, and sanctions not processed",
        findings=("unknown_words",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "no screening",
        "review",
        "ordered screening is absent",
        findings=("screening_missing",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "no address",
        "review",
        "ordered proof of address is absent",
        findings=("address_missing",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "liveness", "review", "identity has a warning", findings=("identity_warning",), varied=True, weight=1
    ),
    Scenario(
        "expired document",
        "review",
        "clear, though the document has expired",
        findings=("document_expired",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "expiring document",
        "review",
        "document expires soon",
        findings=("document_expires_soon",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "other birthday", "review", "birthdays differ", findings=("other_birthday",), varied=True, weight=1
    ),
    Scenario(
        "other address", "review", "addresses differ", findings=("other_address",), varied=True, weight=1
    ),
    Scenario(
        "high-risk country",
        "edd",
        "nationality on a high-risk list",
        findings=("high_risk_country",),
        varied=True,
        weight=1,
    ),
    Scenario("not finished", "review", "the session is pending", ending="pending", varied=True, weight=2),
    Scenario("expired session", "review", "the session has expired", ending="expired", varied=True, weight=2),
    Scenario(
        "accounts scope alone",
        "review",
        "bank access without balances and transactions",
        scopes=("accounts",),
        varied=True,
        weight=1,
    ),
    Scenario(
        "account of another",
        "review",
        "the bank account is somebody else's",
        bank_holder="T Quillfeather",
        varied=True,
        weight=1,
    ),
    Scenario("gambler", "review", "gambling", events=("gambling", "cash_deposits"), varied=True, weight=2),
    Scenario("crypto trader", "review", "crypto", events=("crypto", "own_transfers"), varied=True, weight=2),
    Scenario(
        "unexplained lump",
        "review",
        "one large credit that says nothing",
        events=("unexplained_lump",),
        varied=True,
        weight=2,
    ),
    Scenario(
        "pass-through", "edd", "money that leaves at once", events=("pass_through",), varied=True, weight=1
    ),
    Scenario(
        "structuring", "edd", "cash just below the threshold", events=("structuring",), varied=True, weight=1
    ),
)
"""Kinds of customers from the thirteenth on, by weight."""

EVALUATION_INCOMES = (
    (("salary_monthly", "interest"), 22),
    (("salary_monthly", "dividends"), 8),
    (("salary_fortnightly",), 8),
    (("salary_four_weekly", "interest"), 6),
    (("wages_weekly",), 3),
    (("wages_weekly", "benefits"), 9),
    (("salary_semi_monthly",), 5),
    (("job_change", "interest"), 9),
    (("state_pension", "private_pension", "interest"), 10),
    (("benefits", "parent_allowance"), 8),
    (("rent", "dividends", "interest"), 6),
    (("gig", "clients"), 5),
    (("salary_monthly", "salary_four_weekly", "rent"), 2),
)
"""Mixes of income in the evaluation profile, by weight."""

EVALUATION_EVENTS = {
    "own_transfers": 0.55,
    "refunds": 0.6,
    "returned_debits": 0.1,
    "gifts": 0.4,
    "flatmate": 0.08,
    "cash_deposits": 0.25,
    "regular_cash": 0.04,
    "loan": 0.08,
    "gambling": 0.05,
    "crypto": 0.04,
    "inheritance": 0.02,
    "house_sale": 0.01,
    "unexplained_lump": 0.04,
    "tax_refund": 0.08,
    "pending_twins": 0.3,
    "not_booked": 0.05,
    "relinked": 0.04,
    "euro_account": 0.03,
}
"""Share of customers of the evaluation profile to whom each event happens."""
