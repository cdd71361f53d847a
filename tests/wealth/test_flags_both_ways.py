"""A bank that writes no name in a field of its own says from whom money came and to whom it goes in a sentence: it is one party."""

from __future__ import annotations

import pytest
from tests.wealth.flag_parts import Ledger, codes, pay

from kycpack.wealth import derive

_INVESTORS = (
    "BAPTISTE VASSEUR",
    "REMI LECLERCQ",
    "SOLENE RENAUD",
    "GERARD KLEIN",
    "HUGO GAUTHIER",
    "LOIC LEBRUN",
    "DIDIER PERRIN",
)


@pytest.mark.parametrize(
    ("came", "went"),
    [
        ("Virement reçu de {}, placement", "Virement émis vers {}, rendement"),
        ("VIR SEPA RECU /DE {} /MOTIF PLACEMENT", "VIR SEPA EMIS /POUR {} /MOTIF RENDEMENT"),
        ("GUTSCHR. UEBERWEISUNG {} ANLAGE", "ONLINE-UEBERWEISUNG AN {} RENDITE"),
        ("ECHTZEIT-GUTSCHRIFT VON {} ANLAGE", "ECHTZEIT-UEBERWEISUNG {} RENDITE"),
    ],
)
def test_returns_to_those_who_paid_in_are_found_in_whatever_sentence(
    ledger: Ledger, came: str, went: str
) -> None:
    rows = []
    for number, name in enumerate(_INVESTORS):
        lump = 500_000 + 50_000 * number
        rows.append((f"2025-02-{number + 2:02d}", lump, came.format(name)))
        rows += [
            (f"2025-{month:02d}-{number + 2:02d}", -lump * 8 // 100, went.format(name))
            for month in range(3, 9)
        ]
    assert codes(derive(ledger(*pay(), *rows), as_of="2025-12-31"))["returns_out_of_deposits"] == "edd"


def test_cash_from_a_british_cash_machine_is_no_stake(ledger: Ledger) -> None:
    """A bookmaker in Germany has the name that stands on cash machines in Britain."""
    rows = [(f"2025-{month:02d}-{day}", -25_000, f"CASHPOINT EXETER {day}") for month in range(1, 13) for day in (11, 18, 24)]  # fmt: skip
    assert not codes(derive(ledger(*pay(), *rows), as_of="2025-12-31"))


@pytest.mark.parametrize("text", ["CASHPOINT SPORTWETTEN GMBH", "CASHPOINT MALTA LTD"])
def test_the_bookmaker_of_that_name_is_still_known(ledger: Ledger, text: str) -> None:
    rows = [(f"2025-{month:02d}-{day}", -25_000, text) for month in range(1, 13) for day in (11, 18, 24)]
    assert "gambling" in codes(derive(ledger(*pay(), *rows), as_of="2025-12-31"))
