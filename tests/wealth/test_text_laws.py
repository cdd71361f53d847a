"""Laws of texts: what changes nothing about the nature of a payment, and what a sender's words can never do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
from hypothesis import Phase, example, given, settings
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

# A difference names its customer: to look for a shorter example would take minutes.
PHASES = (Phase.explicit, Phase.generate)

Payment = tuple[str, str, int, int]
payment = st.tuples(
    st.sampled_from(PAYERS),
    st.sampled_from(TEXTS),
    st.sampled_from([1, 2, 4, 12]),
    st.integers(2_000, 900_000),
)


def some(*of_each: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Ten customers, derived at once: a customer's answers are the same beside others (`test_blocks.py`)."""
    return st.lists(st.tuples(*of_each), min_size=10, max_size=10)


def frame_of(customer: int, payer: str, text: str, count: int, amount: int) -> pd.DataFrame:
    days = pd.date_range("2025-01-28", periods=count, freq="28D")
    return pd.DataFrame(
        {
            "customer_id": f"C{customer}", "account_id": "A1", "txn_id": [f"T{number}" for number in range(count)], "booked_on": days,
            "amount_minor": [amount + number for number in range(count)], "currency": "GBP",
            "description_raw": f"{payer} {text}".strip(), "counterparty_name": payer,
        }
    )  # fmt: skip


def frames_of(payments: list[Payment]) -> pd.DataFrame:
    return pd.concat([frame_of(customer, *one) for customer, one in enumerate(payments)], ignore_index=True)


def derived(frame: pd.DataFrame) -> Wealth:
    return derive(frame.replace({"counterparty_name": {"": None}}), as_of=AS_OF)


def judged(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Return by customer what is said of each credit, and how sure each nature is."""
    wealth = derived(frame)
    credits_ = wealth.credits.sort_values(["customer_id", "txn_id"])
    return {
        customer: [
            mine[["type", "disposition", "evidence_level"]].astype(str).to_numpy().tolist(),
            sorted(
                wealth.streams.loc[wealth.streams["customer_id"] == customer, "type_confidence"].astype(str)
            ),
        ]
        for customer, mine in credits_.groupby("customer_id", observed=True)
    }


def changed(frame: pd.DataFrame, how: Mapping[str, Callable[[str], str]], *names: str) -> pd.DataFrame:
    """Return a frame in which columns of each customer are changed as is given for the customer."""
    return frame.assign(
        **{
            name: [
                how[customer](text) for customer, text in zip(frame["customer_id"], frame[name], strict=True)
            ]
            for name in names
        }
    )


@settings(max_examples=4, deadline=None, phases=PHASES)
@given(some(payment, st.sampled_from([str.lower, str.title, str.swapcase])))
def test_the_case_of_a_text_changes_nothing(given_: list[tuple[Payment, Callable[[str], str]]]) -> None:
    frame = frames_of([one for one, _ in given_])
    how = {f"C{customer}": one for customer, (_, one) in enumerate(given_)}
    assert judged(frame) == judged(changed(frame, how, "description_raw", "counterparty_name"))


@example([(("", "INV 1042", 1, 2_000), " - ")])
@settings(max_examples=4, deadline=None, phases=PHASES)
@given(some(payment, st.sampled_from(["  ", " \t", " - ", " * ", ", "])))
def test_spaces_and_punctuation_between_words_change_nothing(given_: list[tuple[Payment, str]]) -> None:
    frame = frames_of([one for one, _ in given_])
    how = {
        f"C{customer}": lambda text, between=between: f"  {text.replace(' ', between)} "
        for customer, (_, between) in enumerate(given_)
    }
    assert judged(frame) == judged(changed(frame, how, "description_raw"))


@settings(max_examples=3, deadline=None, phases=PHASES)
@given(some(payment), st.randoms(), st.sampled_from(["zz", "0", "Q"]))
def test_the_order_of_rows_and_the_names_of_accounts_change_nothing(
    given_: list[tuple[Payment]], random: Any, account: str
) -> None:
    frame = frames_of([one for (one,) in given_])
    order = list(range(len(frame)))
    random.shuffle(order)
    assert judged(frame) == judged(frame.iloc[order].assign(account_id=account).reset_index(drop=True))


@settings(max_examples=4, deadline=None, phases=PHASES)
@given(some(payment))
def test_umlauts_written_out_change_nothing(given_: list[tuple[Payment]]) -> None:
    frame = frames_of([one for (one,) in given_])
    written_out = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE"})
    how = {f"C{customer}": lambda text: text.translate(written_out) for customer in range(len(given_))}
    assert judged(frame) == judged(changed(frame, how, "description_raw", "counterparty_name"))


@settings(max_examples=6, deadline=None, phases=PHASES)
@given(
    some(
        st.sampled_from(["TARVICK LTD", "ORBEN SUPPLIES", "MRS J SMITH", "P HILL", "GRÜNWALD GMBH"]),
        st.lists(st.sampled_from([*TEXTS, *WORDS]), min_size=1, max_size=4).map(" ".join),
        st.sampled_from([3, 6, 12]),
        st.integers(2_000, 900_000),
    )
)
def test_no_words_of_an_unknown_payer_make_a_nature_sure(given_: list[Payment]) -> None:
    assert "high" not in set(derived(frames_of(given_)).streams["type_confidence"])
