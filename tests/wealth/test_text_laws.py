"""Laws of texts: what changes nothing about the nature of a payment, and what a sender's words can never do."""

from __future__ import annotations

from typing import Any

import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kycpack.wealth import Wealth, derive

AS_OF = "2025-12-31"
PAYERS = (
    "",
    "TARVICK LTD",
    "ORBEN SUPPLIES",
    "MRS J SMITH",
    "P HILL",
    "HARTWELL SOLICITORS",
    "TESCO STORES",
    "GRÜNWALD GMBH",
)
TEXTS = (
    "SALARY MARCH", "NET PAY", "RENT FLAT 2", "DIVIDEND", "STATE PENSION", "DWP UC", "GEHALT", "MIETE", "RÜCKZAHLUNG", "ÜBERTRAG TAGESGELD",
    "VERGÜTUNG", "GIFT FROM MUM", "LOAN", "INSURANCE CLAIM 12", "HOUSE SALE", "INV 1042", "REFUND", "FROM SAVINGS", "COMPLETION 4 OAK RD", "KINDERGELD",
)  # fmt: skip
WORDS = ("SALARY", "DWP", "HMRC", "PENSION", "DIVIDEND", "RENT", "PAYROLL", "TESCO", "BET365", "CHILD BENEFIT", "LOAN", "REF 77", "THANKS", "GEHALT", "LTD")  # fmt: skip
WHAT = ["type", "evidence_level", "type_confidence"]

payments = st.tuples(
    st.sampled_from(PAYERS),
    st.sampled_from(TEXTS),
    st.sampled_from([1, 2, 4, 12]),
    st.integers(2_000, 900_000),
)


def frame_of(payer: str, text: str, count: int, amount: int) -> pd.DataFrame:
    days = pd.date_range("2025-01-28", periods=count, freq="28D")
    return pd.DataFrame(
        {
            "customer_id": "C1", "account_id": "A1", "txn_id": [f"T{number}" for number in range(count)], "booked_on": days,
            "amount_minor": [amount + number for number in range(count)], "currency": "GBP",
            "description_raw": f"{payer} {text}".strip(), "counterparty_name": payer or None,
        }
    )  # fmt: skip


def judged(frame: pd.DataFrame) -> list[Any]:
    wealth: Wealth = derive(frame, as_of=AS_OF)
    credits_ = wealth.credits.sort_values("txn_id")
    sure = sorted(wealth.streams["type_confidence"].astype(str))
    return [credits_[["type", "disposition", "evidence_level"]].astype(str).to_numpy().tolist(), sure]


@settings(max_examples=40, deadline=None)
@given(payments, st.sampled_from(["lower", "title", "swapcase"]))
def test_the_case_of_a_text_changes_nothing(payment: tuple[str, str, int, int], how: str) -> None:
    frame = frame_of(*payment)
    other = frame.assign(
        description_raw=getattr(frame["description_raw"].str, how)(),
        counterparty_name=getattr(frame["counterparty_name"].astype("str").str, how)()
        if payment[0]
        else None,
    )
    assert judged(frame) == judged(other)


@example(("", "INV 1042", 1, 2_000), " - ")
@settings(max_examples=40, deadline=None)
@given(payments, st.sampled_from(["  ", " \t", " - ", " * ", ", "]))
def test_spaces_and_punctuation_between_words_change_nothing(
    payment: tuple[str, str, int, int], between: str
) -> None:
    frame = frame_of(*payment)
    other = frame.assign(
        description_raw="  " + frame["description_raw"].str.replace(" ", between, regex=False) + " "
    )
    assert judged(frame) == judged(other)


@settings(max_examples=30, deadline=None)
@given(payments, st.randoms(), st.sampled_from(["zz", "0", "Q"]))
def test_the_order_of_rows_and_the_names_of_accounts_change_nothing(
    payment: tuple[str, str, int, int], random: Any, account: str
) -> None:
    frame = frame_of(*payment)
    order = list(range(len(frame)))
    random.shuffle(order)
    other = frame.iloc[order].assign(account_id=account).reset_index(drop=True)
    assert judged(frame) == judged(other)


@settings(max_examples=40, deadline=None)
@given(payments)
def test_umlauts_written_out_change_nothing(payment: tuple[str, str, int, int]) -> None:
    frame = frame_of(*payment)
    written_out = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE"})
    other = frame.assign(
        description_raw=frame["description_raw"].str.translate(written_out),
        counterparty_name=payment[0].translate(written_out) or None,
    )
    assert judged(frame) == judged(other)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["TARVICK LTD", "ORBEN SUPPLIES", "MRS J SMITH", "P HILL", "GRÜNWALD GMBH"]),
    st.lists(st.sampled_from([*TEXTS, *WORDS]), min_size=1, max_size=4),
    st.sampled_from([3, 6, 12]),
    st.integers(2_000, 900_000),
)
def test_no_words_of_an_unknown_payer_make_a_nature_sure(
    payer: str, words: list[str], count: int, amount: int
) -> None:
    frame = frame_of(payer, " ".join(words), count, amount)
    assert "high" not in set(derive(frame, as_of=AS_OF).streams["type_confidence"])
