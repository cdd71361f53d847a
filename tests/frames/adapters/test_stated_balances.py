"""Opening and closing balances of MT940 and camt.053 show what is missing between and within statements."""

from __future__ import annotations

from typing import Any

import pytest

from kycpack.frames.adapters import read_statement
from kycpack.wealth import derive

IDS: dict[str, Any] = {"customer_id": "c1", "account_id": "a1"}


def mt940(*statements: tuple[int, str, str]) -> bytes:
    """Statements of one entry of 100.00 each: month, opening and closing balance."""
    return "".join(
        f":20:S\n:25:10020030/1234567\n:28C:{month}/1\n:60F:C25{month:02d}01EUR{opening}\n"
        f":61:25{month:02d}03{month:02d}03C100,00NTRFNONREF\n:86:PAY\n:62F:C25{month:02d}28EUR{closing}\n-\n"
        for month, opening, closing in statements
    ).encode()


def camt(*statements: tuple[int, str, str]) -> bytes:
    """The same as camt.053."""

    def balance(kind: str, amount: str) -> str:
        return (
            f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount.replace(',', '.')}</Amt>"
            "<CdtDbtInd>CRDT</CdtDbtInd></Bal>\n"
        )

    body = "".join(
        f"<Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>{balance('OPBD', opening)}"
        f"{balance('CLBD', closing)}<Ntry><Amt Ccy='EUR'>100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>"
        f"<BookgDt><Dt>2025-{month:02d}-03</Dt></BookgDt></Ntry></Stmt>\n"
        for month, opening, closing in statements
    )
    space = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"
    return f"<Document xmlns='{space}'><BkToCstmrStmt>\n{body}</BkToCstmrStmt></Document>".encode()


FORMATS = pytest.mark.parametrize(("layout", "file"), [("mt940", mt940), ("camt053", camt)])


@FORMATS
def test_statements_that_join_have_running_balances_and_no_breaks(layout: str, file: Any) -> None:
    read = read_statement(file((1, "0,00", "100,00"), (2, "100,00", "200,00")), layout, **IDS)
    assert read.rows["balance_after_minor"].tolist() == [10_000, 20_000]
    assert read.breaks == ()


@FORMATS
def test_a_statement_that_is_missing_is_a_break_and_a_hole(layout: str, file: Any) -> None:
    read = read_statement(file((1, "0,00", "100,00"), (3, "900,00", "1000,00")), layout, **IDS)
    (told,) = read.breaks
    assert "the balance is 100.00 EUR" in told
    assert "opens at 900.00 EUR" in told
    holes = derive(read.rows, as_of="2025-03-31").feed_holes
    assert holes["reason"].tolist() == ["the balances before and after do not join"]


@FORMATS
def test_a_closing_balance_that_the_entries_do_not_come_to_is_a_break(layout: str, file: Any) -> None:
    (told,) = read_statement(file((1, "0,00", "777,00")), layout, **IDS).breaks
    line = 7 if layout == "mt940" else 3
    assert told == (
        f"the closing balance on line {line} is 777.00 EUR, but the opening balance and the entries come to 100.00 EUR"
    )


@FORMATS
def test_ids_do_not_depend_on_the_balances(layout: str, file: Any) -> None:
    one = read_statement(file((1, "0,00", "100,00")), layout, **IDS).rows
    other = read_statement(file((1, "50,00", "150,00")), layout, **IDS).rows
    assert one["txn_id"].tolist() == other["txn_id"].tolist()
