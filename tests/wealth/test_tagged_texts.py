"""What banks tag in a text: who pays, and what for."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth import derive
from kycpack.wealth.prepare.references import read_tags

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "VIRSEPARECU /FRM SARL MOREL /EID 12 /RNF SALAIRE MAI",
            "VIR SEPA RECU SARL MOREL MOTIF SALAIRE MAI",
        ),
        ("VIRINSTRECU /DE M DUPONT /MOTIF LOYER /REF NOTPROVIDED", "VIR INST RECU M DUPONT MOTIF LOYER"),
        ("VIR SEPA RECU /DE ACME SAS /MOTIF /REF SALAIRE", "VIR SEPA RECU ACME SAS MOTIF SALAIRE"),
        (
            "VIR INSTANTANE RECU DE: M DUPONT DATE: 2026-01-05 MOTIF: LOYER REF: 12",
            "VIR INSTANTANE RECU M DUPONT MOTIF LOYER",
        ),
        ("VIRCPTEACPTERECU", "VIR CPTE A CPTE RECU"),
        ("EREF+NOTPROVIDEDSVWZ+GEHALT 01/26", "SVWZ GEHALT 01/26"),
        ("EREF+12KREF+6SVWZ+LOHN JANUARABWA+MUELLER GMBH", "MUELLER GMBH SVWZ LOHN JANUAR"),
        ("EREF: 11-1 MREF: 41 SVWZ: Miete Januar", "SVWZ Miete Januar"),
        ("EREF+2024 Gehalt Januar", "SVWZ 2024 Gehalt Januar"),
        ("VIRGIN MEDIA REFUND: 12", "VIRGIN MEDIA REFUND: 12"),
        ("SALARY 1/2 DE: 3", "SALARY 1/2 DE: 3"),
        ("BIC+IBAN", "BIC+IBAN"),
        ("BANKCARD 8076 DES:MTOT DEP CO ID:BLUE OAK BBQ", "BANKCARD 8076 MOTIF MTOT DEP"),
        (
            "ORIG CO NAME:KAISER FDN ORIG ID:19 DESC DATE:0412 CO ENTRY DESCR:DIRECT DEPSEC:PPD",
            "KAISER FDN MOTIF DIRECT DEP",
        ),
    ],
)
def test_tags_are_read_as_what_they_are(text: str, read: str) -> None:
    assert read_tags(text) == read


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("VIRSEPARECU /DE SARL MOREL /MOTIF SALAIRE 01/26 /REF 12", "employment"),
        ("VIR SEPA RECU /FRM CAF DE PARIS /EID 12 /RNF PRESTATIONS", "state_benefit"),
        ("VIR INSTANTANE RECU DE: M JEAN DUPONT MOTIF: LOYER", "rental_income"),
        ("VIR RECU 12S DE: CPAM DE PARIS MOTIF: IJ MALADIE PROVENANCE: FRANCE", "state_benefit"),
        ("VIR INST RE SALAIRE AVRIL", "employment"),
        ("EREF+12KREF+6SVWZ+LOHN JANUARABWA+MUELLER GMBH", "employment"),
    ],
)
def test_what_is_tagged_as_the_purpose_decides(ledger: Ledger, text: str, type_: str) -> None:
    rows = [(f"2025-{month:02d}-27", 84_327, text) for month in range(1, 13)]
    streams = derive(ledger(*rows, currency="EUR"), country="FR", as_of="2025-12-31").streams
    assert streams["type"].tolist() == [type_]
    # April is a month here, and not the shop of that name.
    assert "AVRIL" not in text or streams["evidence_level"].tolist() == ["keyword"]


@given(st.text(alphabet="VIRDE MOTFSWZ+:/ 1"))
def test_no_text_makes_tags_more_than_it_is(text: str) -> None:
    assert len(read_tags(text)) <= len(text) + len("MOTIF CPTE A CPTE")
