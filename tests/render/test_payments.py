"""The pages on a payment agree with one another: what is not known is nowhere said to be so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pandas as pd
import pytest
from tests.render.specimen_review import AS_OF, words_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render.document_parts import Facts
from kycpack.render.html_sections import block_markup
from kycpack.render.review.bank_limits import COLUMNS
from kycpack.render.review.gaps import headlines
from kycpack.render.review.payments import Supported, _payers, payments_section, with_unsupported
from kycpack.render.review.short_names import ShortNames
from kycpack.triage.observations.bank_observations import _said_of
from kycpack.wealth import derive
from kycpack.wealth.judge.sufficiency import _BY_BALANCE, Sufficiency


def a_payment(answer: str, supported_minor: int) -> Supported:
    found = Sufficiency(
        customer_id="C-1",
        payment_id="pay_1",
        answer=answer,
        amount_minor=100_000,
        currency="GBP",
        supported_minor=supported_minor,
        shortfall_minor=100_000 - supported_minor,
        from_on=date(2026, 1, 1),
        to_on=date(2026, 6, 1),
        basis=("A document has to show what it was.",),
        source_ids=(),
        assumptions=(),
    )
    row = {
        "payment_id": "pay_1",
        "state": "created",
        "reference": "order-1",
        "description": None,
        "created_at": None,
        "evidence_id": "E-07",
        "amount": "1000.00",
        "amount_minor": 100_000,
        "currency": "GBP",
    }
    return Supported(row, "GBP", found)


@pytest.mark.parametrize(
    ("answer", "supported_minor", "said", "label"),
    [
        (
            "partly supported",
            40_000,
            "up to 600.00 GBP of it is not supported by what was observed.",
            "Shortfall, up to",
        ),
        ("not supported", 0, "none of it is supported by what was observed.", "Shortfall, up to"),
        (
            "cannot tell",
            40_000,
            "up to 600.00 GBP of it is not known to be supported by what was observed.",
            "Not known to be supported",
        ),
        (
            "cannot tell",
            0,
            "none of it is known to be supported by what was observed.",
            "Not known to be supported",
        ),
    ],
)
def test_a_payment_of_which_support_is_not_known_is_not_said_to_lack_it(
    answer: str, supported_minor: int, said: str, label: str
) -> None:
    payment = a_payment(answer, supported_minor)
    (message,) = with_unsupported(pd.DataFrame(columns=COLUMNS), (payment,))["message"]
    assert message.startswith(f"pay_1, 1,000.00 GBP: {said}")
    blocks = payments_section((payment,), ShortNames(())).blocks
    (shown,) = (block for block in blocks if isinstance(block, Facts))
    assert [name for name, _ in shown.pairs].count("Supported, at least") == 1
    assert dict(shown.pairs)[label].text == f"{(100_000 - supported_minor) / 100:,.2f} GBP"


def test_what_is_supported_is_a_maximum_where_balances_are_known() -> None:
    payment = a_payment("partly supported", 40_000)
    assert payment.sufficiency is not None
    by_balance = replace(payment, sufficiency=replace(payment.sufficiency, assumptions=(_BY_BALANCE,)))
    (message,) = with_unsupported(pd.DataFrame(columns=COLUMNS), (by_balance,))["message"]
    assert "at least 600.00 GBP of it is not supported" in message
    blocks = payments_section((by_balance,), ShortNames(())).blocks
    (shown,) = (block for block in blocks if isinstance(block, Facts))
    assert {"Supported, at most", "Shortfall, at least"} <= dict(shown.pairs).keys()


def test_a_payment_that_is_supported_in_full_has_no_shortfall() -> None:
    blocks = payments_section((a_payment("supported", 100_000),), ShortNames(())).blocks
    (shown,) = [block for block in blocks if isinstance(block, Facts)]
    said = {name: cell.text for name, cell in dict(shown.pairs).items()}
    assert said["Supported"] == "Fully supported"
    assert not any("hortfall" in name or "most" in name or text == "0.00" for name, text in said.items())


def test_the_sources_of_a_payment_are_named_by_their_payers(specimen: Evidence) -> None:
    frames = flatten(specimen)
    wealth = derive(frames.transactions, frames.customers, frames.accounts, frames.balances, as_of=AS_OF)
    customer = str(wealth.streams["customer_id"].iloc[0])
    stream, credit = wealth.streams.iloc[0], wealth.credits.iloc[0]
    ids = (stream["stream_id"], stream["stream_id"], f"{credit['account_id']}/{credit['txn_id']}")
    assert _payers(wealth, customer, ids) == tuple(dict.fromkeys((stream["payer"], credit["payer"])))
    twice = wealth.credits[wealth.credits["payer"] == credit["payer"]].iloc[:2]
    ids = tuple(f"{row['account_id']}/{row['txn_id']}" for row in twice.to_dict("records"))
    assert _payers(wealth, customer, ids) == (f"{credit['payer']} (2 sources)",)
    one = replace(a_payment("supported", 100_000), payers=("Acme Ltd", "Old Mill"))
    said = "".join(map(block_markup, payments_section((one,), ShortNames(())).blocks))
    assert "Based on what came from Acme Ltd and Old Mill." in said


def test_page_one_says_the_shortfall_of_a_payment() -> None:
    gaps = with_unsupported(pd.DataFrame(columns=list(COLUMNS)), (a_payment("cannot tell", 40_000),))
    (once,) = headlines(gaps, ShortNames(()), {})
    assert once.text == "Pay_1: 600.00 GBP not shown to be supported (E-07)"


@pytest.mark.parametrize(
    ("given", "shown"), [("Deposit for a flat", "Deposit for a flat"), (None, "None given")]
)
def test_a_payment_shows_its_description_and_that_the_service_names_no_payee(
    given: str | None, shown: str
) -> None:
    payment = a_payment("not supported", 0)
    said = words_of(
        payments_section(
            (replace(payment, payment={**payment.payment, "description": given}),), ShortNames(())
        )
    )
    assert shown in said
    assert said.count("The service's record of a payment names no payee.") == 1
    assert "names no payee" not in words_of(payments_section((), ShortNames(())))


@pytest.mark.parametrize(("answer", "supported_minor"), [("supported", 100_000), ("not supported", 0)])
def test_a_payment_that_is_supported_is_not_said_to_be_released(answer: str, supported_minor: int) -> None:
    said = words_of(payments_section((a_payment(answer, supported_minor),), ShortNames(())))
    assert ("It does not release the payment" in said) == (answer == "supported")


@pytest.mark.parametrize(
    ("answer", "supported_minor"),
    [("cannot tell", 40_000), ("cannot tell", 0), ("partly supported", 40_000), ("not supported", 0)],
)
def test_a_finding_and_a_gap_say_what_a_payment_lacks_in_the_same_words(
    answer: str, supported_minor: int
) -> None:
    payment = a_payment(answer, supported_minor)
    assert payment.sufficiency is not None
    (message,) = with_unsupported(pd.DataFrame(columns=list(COLUMNS)), (payment,))["message"]
    _, note = _said_of(payment.sufficiency, 1, "")
    of_gap, of_finding = (said.partition(": ")[2].removesuffix(".") for said in (message, note))
    assert of_gap == of_finding
