"""Each cause of a gap, made to happen, stands in the pack as a sentence: in the PDF, on the page, and in the frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import pandas as pd
import pytest
from tests.pack.gap_scenarios import NOW, SCENARIOS, Provider

from kycpack.frames.gaps import GapCode
from kycpack.pack import write_pack
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import html_text, squeezed
from kycpack.service.embedded import EmbeddedService

QUARTERLY = (
    "No transactions of account **-**-33 ****5678 were seen in 14 months of the period that its data covers: Feb 2024 to Mar 2024, "
    "May 2024 to Jun 2024, Aug 2024 to Sep 2024, Nov 2024 to Dec 2024, Feb 2025 to Mar 2025, May 2025 to Jun 2025, "
    "Aug 2025 to Sep 2025. It has only 8 transactions in all, so that a month without one may be usual."
)
CAUSES: dict[GapCode, tuple[str, str]] = {
    "refused": ("never_answered", "The session's record was refused with status 403: fault"),
    "failed": ("never_answered", "The session's list of media failed with status 500: fault"),
    "timeout": ("never_answered", "The payment's record did not arrive in time"),
    "not_asked": ("never_answered", "What the register knows was not requested, because no register was given"),
    "no_accounts": ("never_answered", "No bank account is linked"),
    "risk_not_given": ("never_answered", "No customer risk file was given, so the risk rating, the purpose of the relationship"),
    "order_not_known": ("never_answered", "It is not known what was ordered: the register has no record of it."),
    "members_missing": ("never_answered", "Not in the results: number of screening matches"),
    "unprintable": ("never_answered", "The character U+A9B2 JAVANESE LETTER HA cannot be shown: no font has it, so a mark"),
    "not_listable": ("ordered_little", "The service cannot list all sessions and payments of a customer."),
    "not_ordered": ("ordered_little", "The document check was not ordered."),
    "section_missing": ("ordered_little", "The address check was ordered but has no result."),
    "standard_only": ("ordered_little", "Only standard screening was ordered: sanctions, without PEPs and adverse media."),
    "list_date_not_visible": ("ordered_little", "The date of the screening lists is not shown."),
    "matches_not_visible": ("ordered_little", "The service gives the number of matches but not the matches themselves."),
    "matches_not_listed": ("linked_twice", "The service counts 3 matches and lists 1 of them; the other 2 are not shown."),
    "screened_name_not_shown": ("linked_twice", "It is not shown which name was screened, and the names on the record, the document and the bank account differ, or one of them cannot be read."),
    "categories_not_seen": ("leaves_questions", "6 categories of screening are not in the results, so it is not known whether they were searched: Adverse media on crime; "),
    "address_date_not_shown": ("leaves_questions", "The name and the date on the proof of address are not in the results, only that the provider's check of its age says “clear”"),
    "address_name_not_shown": ("linked_twice", "The name on the proof of address is not in the results: whose document it is cannot be seen."),
    "monitoring_not_visible": ("ordered_little", "The service does not show whether monitoring is running."),
    "monitoring_not_ordered": ("ordered_little", "Monitoring was not ordered in this session. The MLRO decides whether to order it."),
    "account_limit": ("ordered_little", "The customer could link at most 3 accounts in this session."),
    "not_linked": ("ordered_little", "Accounts that the customer did not link cannot be seen."),
    "access_expired": ("ordered_little", "Access to account **-**-33 ****5678 expired on 28 Sep 2026."),
    "silent": ("ordered_little", "No transactions of account **-**-33 ****5678 were seen after 15 Oct 2025: it was quiet, or its data ends there."),
    "months_missing": ("ordered_little", QUARTERLY),
    "history_short": ("ordered_little", "The transactions of account **-**-33 ****9012 cover only 31 days, from 4 May 2026 to 4 Jun 2026."),
    "no_transactions": ("balance_only", "No transactions of account **-**-33 ****1234 were seen."),
    "may_be_one_account": ("linked_twice", "may be one account that was linked twice: 6 credits, 14,706.00 GBP in all, may be counted twice"),
    "opening_balance": ("leaves_questions", "before the first transaction that was seen, on 8 Jan 2026: where it came from is not shown and has to be explained."),
    "opening_below_limit": ("leaves_questions", "500.00 EUR was in the linked accounts before the first transactions that were seen. That is less than a tenth of"),
    "interest_above_balance": ("leaves_questions", "Interest of 2,000.00 GBP was paid in between 8 Jan 2026 and 22 Apr 2026, but the linked accounts held"),
    "nature_not_known": ("leaves_questions", "The source of most of the credits is not established: "),
    "nature_below_limit": ("leaves_questions", "The source of 20.00 EUR of 20.00 EUR of credits is not established. The policy asks about such credits if they are"),
    "nature_in_doubt": ("linked_twice", " of credits is not counted as known: the nature is stated, but the money is in accounts held by others"),
    "pay_beside_benefit": ("leaves_questions", "while Employment and Support Allowance was paid, an out-of-work benefit, which wages can end or reduce."),
    "payment_not_supported": ("linked_twice", ", 90,000.00 GBP: at least 89,990.00 GBP of it is not supported by what was observed."),
    "payee_not_known": ("linked_twice", ", 90,000.00 GBP: the record names no payee, and it has no description, so its purpose is not known."),
    "scope_missing": ("balance_only", "The bank access that was given does not include transactions"),
    "document_shared": ("balance_only", "shows the document of session"),
    "same_person": ("balance_only", "has the same name and date of birth"),
    "rejected_before": ("balance_only", "who has the same name and date of birth, was rejected by decision on 15 Jan 2026"),
    "decided_otherwise": ("balance_only", "who has the same name and date of birth, had a check rejected; this customer had none"),
    "wrong_subject": ("answered_oddly", "Transaction 4 is about another account and was left out"),
    "wrong_type": ("answered_oddly", "The date of birth is not what was expected: it is a number"),
    "given_twice": ("answered_oddly", "The outcome of the document check is given more than once; every value counts"),
    "amount_missing": ("answered_oddly", "The payment record has no readable amount"),
    "currency_missing": ("answered_oddly", "The bank account has no currency"),
    "token_expiry_missing": ("answered_oddly", "The date on which access ends is not given"),
    "account_repeated": ("answered_oddly", "was given more than once and is kept once"),
    "count_differs": ("answered_oddly", "Total says 7 bank accounts, and 3 were read"),
    "page_repeated": ("answered_oddly", "Page E-08 repeats page E-07: the transactions that belong there are missing"),
    "transaction_repeated": ("answered_oddly", "Transaction t1 was given more than once and is kept once"),
    "transaction_id_reused": ("answered_oddly", "The id t1 is on two different transactions; the second is t1#2"),
    "transaction_misfit": ("answered_oddly", "Transaction 3 of page E-07: its amount has a sign, but the indicator gives the direction"),
    "unreadable": ("stored_oddly", "The answer to source_of_wealth.get cannot be read: line 1, column 6: not JSON"),
    "not_downloaded": ("stored_oddly", "The file of media item not fetched is not in the evidence"),
    "account_not_listed": ("stored_oddly", "is not on the customer's list of bank accounts"),
    "other_currency": ("answered_oddly", "1 transaction is in EUR, but the list of accounts gives GBP; kept in EUR"),
    "more_not_read": ("stored_oddly", "There are more bank accounts than were read: the last page has hasMore"),
}  # fmt: skip
"""Where each cause is made to happen, and what the pack must say then."""


class Shown(NamedTuple):
    """What a pack says of what is missing."""

    pdf: str
    page: str
    rows: pd.DataFrame


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Shown]]:
    """Packs by scenario, each made when it is first asked for."""
    with EmbeddedService(clock=lambda: NOW) as service:

        @cache
        def of(scenario: str) -> Shown:
            folder: Path = tmp_path_factory.mktemp(scenario)
            evidence, as_of = SCENARIOS[scenario](Provider(service), folder)
            path = write_pack(evidence, folder, as_of=as_of).path
            pdf = read_pdf((path / "data/report/review.pdf").read_bytes(), "review.pdf").text
            page = html_text((path / "data/report/review.html").read_text(encoding="utf-8"))
            frames = [pd.read_parquet(path / f"data/frames/{name}.parquet") for name in ("gaps", "limits")]
            return Shown(_in_its_section(pdf), _in_its_section(page), pd.concat(frames))

        yield of


def _in_its_section(text: str) -> str:
    """Return what follows the last heading of the section, so that page one alone is not enough."""
    return text.partition("What was not requested, not answered or not understood")[2]


def test_every_cause_that_is_known_to_the_code_is_made_to_happen() -> None:
    of_decided_packs = {"values_not_at_hand"}  # test_decision_pack.py makes it happen
    assert {*CAUSES, *of_decided_packs} == set(get_args(GapCode))
    assert not of_decided_packs & {*CAUSES}


@pytest.mark.parametrize("code", CAUSES)
def test_a_cause_stands_in_the_pack_as_a_sentence(shown: Callable[[str], Shown], code: GapCode) -> None:
    scenario, sentence = CAUSES[code]
    pack = shown(scenario)
    said = pack.rows.loc[pack.rows["code"] == code, "message"]
    assert any(sentence[1:] in message for message in said)
    # The number of an entry is a link, so that blanks stand beside it.
    assert re.sub(r"\s", "", sentence) in re.sub(r"\s", "", pack.page)
    assert squeezed(sentence) in squeezed(pack.pdf)


def test_the_missing_months_of_an_account_are_one_sentence(shown: Callable[[str], Shown]) -> None:
    rows = shown("ordered_little").rows
    missing = rows[rows["code"] == "months_missing"]
    assert len(missing) == 1
    assert missing["message"].item() == QUARTERLY


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_cause_is_unknown_to_the_code(shown: Callable[[str], Shown], scenario: str) -> None:
    assert set(shown(scenario).rows["code"]) <= set(get_args(GapCode))
