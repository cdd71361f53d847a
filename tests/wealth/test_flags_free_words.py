"""What a payer can write freely takes no red flag away: whoever launders money chooses the text of each payment."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest
from tests.wealth.flag_parts import AS_OF, Ledger, codes, pay

from kycpack.assets import asset_yaml
from kycpack.wealth import derive

_STRANGERS = ("Lena Marsh", "Tidewell LLC", "Ruth Vance", "Kestrel Bay LLC", "Ines Calder", "Aurelia LLC")
_DAYS = ("02-03", "03-19", "04-27", "06-02", "07-14", "08-30")
_Rows = list[tuple[object, ...]]


def _is_edd(ledger: Ledger, stories: Sequence[_Rows]) -> list[bool]:
    """Return which of the stories, each of one customer, have a red flag that needs enhanced due diligence."""
    rows = pd.concat(
        [ledger(*pay(), *story).assign(customer_id=f"C{place:03d}") for place, story in enumerate(stories)],
        ignore_index=True,
    )
    flags = derive(rows, as_of=AS_OF).flags
    found = set(flags["customer_id"][flags["severity"] == "edd"])
    return [f"C{place:03d}" in found for place in range(len(stories))]


def _passed_on(payee: str, into: str = "", out: str = "") -> _Rows:
    """Return sums of strangers, each of which goes to one payee two days later."""
    rows: _Rows = []
    for place, (day, name) in enumerate(zip(_DAYS, _STRANGERS, strict=True)):
        amount = 300_000 + 41_000 * place
        later = f"2025-{day[:3]}{int(day[3:]) + (2 if int(day[3:]) < 29 else -2):02d}"
        first, last = sorted([f"2025-{day}", later])
        rows.append(
            (first, amount, f"FASTER PAYMENT FROM {name.upper()} {into}", {"counterparty_name": name})
        )
        rows.append(
            (last, -amount + 15_000, f"FASTER PAYMENT TO {payee.upper()} {out}", {"counterparty_name": payee})
        )
    return rows


@pytest.mark.parametrize(
    "topic", ["purchases", "trade", "property", "upkeep", "debited", "by_card", "card_first", "cash_out"]
)
def test_no_word_in_a_text_makes_a_purchase_or_a_withdrawal_of_money_that_is_moved_on(
    ledger: Ledger, topic: str
) -> None:
    words = ["", *asset_yaml("lexicon/red_flags.yaml")[topic]]
    found = _is_edd(ledger, [_passed_on("Merrow Solutions Ltd", out=word.upper()) for word in words])
    assert [word for word, is_edd in zip(words, found, strict=True) if not is_edd] == []


_OF_FAMILY = ("", "mum", "from dad", "husband", "my sister", "joint account", "bills", "household", "kitty")


@pytest.mark.parametrize("place", ["into", "out"])
def test_no_word_in_a_text_makes_family_of_those_among_whom_money_is_moved_on(
    ledger: Ledger, place: str
) -> None:
    """A relative with the customer's surname is family; whoever is called one in a text may be anybody."""
    stories = [_passed_on("Tariro Quayle", **{place: word.upper()}) for word in _OF_FAMILY]
    found = _is_edd(ledger, stories)
    assert [word for word, is_edd in zip(_OF_FAMILY, found, strict=True) if not is_edd] == []


def test_no_word_in_a_text_makes_family_of_whoever_gets_the_whole_of_a_wage(ledger: Ledger) -> None:
    """Wages of workers who do not hold their own accounts go on to whoever controls them."""
    sent = [
        [
            (f"2025-{month:02d}-28", -190_000 + 1_700 * month, f"FASTER PAYMENT TO IVO KRANZ {word.upper()}", {"counterparty_name": "Ivo Kranz"})
            for month in range(1, 13)
        ]
        for word in _OF_FAMILY
    ]  # fmt: skip
    assert _is_edd(ledger, sent) == [True] * len(_OF_FAMILY)


_NAMES = (
    "Grace Chapel",
    "Blue Hotel",
    "Alpha Motors Ltd",
    "Wessex Academy",
    "Vane Club",
    "Harte Conveyancing",
)


@pytest.mark.parametrize("name", _NAMES)
def test_a_name_explains_a_purchase_and_not_what_is_bought_whenever_money_comes_in(
    ledger: Ledger, name: str
) -> None:
    """A firm of any name may stand behind those who launder; a car or a trip that is paid for once out of a friend's money is ordinary."""
    once = [
        ("2025-04-02", 560_000, "FASTER PAYMENT FROM LENA MARSH", {"counterparty_name": "Lena Marsh"}),
        ("2025-04-06", -545_000, f"FASTER PAYMENT TO {name.upper()}", {"counterparty_name": name}),
    ]
    assert _is_edd(ledger, [_passed_on(name), once]) == [True, False]


def test_cash_that_goes_to_ever_new_firms_is_moved_on_also_if_one_is_called_a_supplier(
    ledger: Ledger,
) -> None:
    """One purchase makes nobody a trader, whose takings pay for stock."""
    firms = (
        "Corvane Partners",
        "Inchmore Solutions",
        "Merrow Supplies",
        "Bexhill Services",
        "Jarrow Partners",
    )
    rows: _Rows = []
    for month, firm in enumerate(firms, 2):
        amount = 300_000 + 31_000 * month
        rows.append((f"2025-{month:02d}-05", amount, "CASH PAID IN HIGH ST"))
        rows.append(
            (
                f"2025-{month:02d}-08",
                -amount + 20_000,
                f"FASTER PAYMENT TO {firm.upper()}",
                {"counterparty_name": firm},
            )
        )
    assert "pass_through" in set(derive(ledger(*pay(), *rows), as_of=AS_OF).flags["code"])


def test_what_a_mother_and_a_father_send_a_student_for_rent_is_not_moved_on(ledger: Ledger) -> None:
    """Parents may have another surname; a word is believed of two payers, and not of every one."""
    rows: _Rows = []
    for place, month in enumerate((1, 4, 9)):
        sent = [("Carol Finch", "MUM UNI"), ("Peter Wynn", "DAD")]
        rows += [
            (f"2025-{month:02d}-18", 297_000 + 1_700 * place, f"FASTER PAYMENT FROM {name.upper()} {word}", {"counterparty_name": name})
            for name, word in sent
        ]  # fmt: skip
        for payee, amount in (("Campus Living", 280_000), ("Northern University", 305_000)):
            rows.append(
                (
                    f"2025-{month:02d}-20",
                    -amount,
                    f"FASTER PAYMENT TO {payee.upper()}",
                    {"counterparty_name": payee},
                )
            )
    assert _is_edd(ledger, [rows]) == [False]


def test_a_funeral_that_a_family_pays_for_together_is_bought(ledger: Ledger) -> None:
    rows: _Rows = [
        (
            "2025-06-03",
            160_000,
            f"FASTER PAYMENT FROM {name.upper()} FUNERAL",
            {"counterparty_name": name},
        )
        for name in ("Ann Poole", "Sid Poole", "May Trask")
    ]
    for payee, is_edd in (("Vale Funeralcare", False), ("Vale Partners", True)):
        text = f"FASTER PAYMENT TO {payee.upper()} FUNERAL"
        paid = ("2025-06-09", -450_000, text, {"counterparty_name": payee})
        assert _is_edd(ledger, [[*rows, paid]]) == [is_edd]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("HOUSE DEPOSIT FROM MUM", "large_unexplained"),
        ("MUM", "large_unexplained"),
        ("HOUSE DEPOSIT GIFT", "unexplained_beyond_income"),
    ],
)
def test_a_relative_is_named_within_the_words_for_a_gift_as_well(
    ledger: Ledger, text: str, level: str
) -> None:
    rows = [*pay(), ("2025-06-10", 3_400_000, text, {"counterparty_name": "Petra Sorensen"})]
    assert level in codes(derive(ledger(*rows), as_of=AS_OF))


_EIGHT_SURNAMES = ("Hartwell", "Okonjo", "Castellan", "Drury", "Quinlan", "Faraday", "Iwata", "Thorne")


@pytest.mark.parametrize(
    ("rents", "is_edd"),
    [
        ([(month, 80_000) for month in range(1, 13)], False),
        ([(month, 80_000) for month in range(10, 13)], True),
        ([(month, 40_000 if month < 10 else 80_000) for month in range(1, 13)], True),
    ],
)
def test_rent_that_was_always_paid_moves_no_collected_money_on(
    ledger: Ledger, rents: list[tuple[int, int]], *, is_edd: bool
) -> None:
    """Forty friends give for a funeral; who is paid first, or paid more, when they have given may be handed the money."""
    named = [f"{first} {last}" for first in ("Ann", "Bea", "Cal", "Dan", "Eve") for last in _EIGHT_SURNAMES]
    rows: _Rows = [
        (f"2025-09-{26 + at % 4}", 9_000, "RIP", {"counterparty_name": name}) for at, name in enumerate(named)
    ]
    rows += [
        ("2025-10-03", -180_000, "INVOICE", {"counterparty_name": "Harbour Funerals"}),
        ("2025-10-03", -72_000, "", {"counterparty_name": "Airport Cargo"}),
        ("2025-10-03", -100_000, "INTL PAYMENT FOR THE CHILDREN", {"counterparty_name": "Kofi Lindgren"}),
    ]
    rows += [
        (f"2025-{month:02d}-02", -rent, "RENT", {"counterparty_name": "Tess Marsh"}) for month, rent in rents
    ]
    assert ("fan_in" in codes(derive(ledger(*pay(), *rows), as_of=AS_OF))) == is_edd


def test_a_payer_called_mum_hides_no_one_else(ledger: Ledger) -> None:
    """Two of six strangers are called parents; what the others sent is still moved on."""
    rows = _passed_on("Merrow Solutions Ltd")
    for place, word in ((0, "MUM"), (4, "DAD")):
        day, amount, text, names = rows[place]
        rows[place] = (day, amount, f"{text}{word}", names)
    assert _is_edd(ledger, [rows]) == [True]
