"""MT940, camt.053 and OFX: signs, days, currencies, places, and files that mean harm."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from kycpack.errors import InputError, StatementFileError
from kycpack.frames.adapters import read_statement

IDS: dict[str, Any] = {"customer_id": "c1", "account_id": "a1"}

MT940 = """:20:STARTUMS
:25:10020030/1234567
:28C:00001/001
:60F:C250101EUR1000,00
:61:2501030103CR2310,45NTRFNONREF//B1
:86:166?00GUTSCHRIFT?20SVWZ+GEHALT?32CALDER GMBH?31DE123
:61:2501050106DR300,00NTRFREF1
:86:Rent
second line
:61:2501060106RC10,00NTRFREF1
:86:taken back
:61:2501070107RD5,00NTRFREF1
:86:debit taken back
:62F:C250107EUR3005,45
-
"""

CAMT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/>
<Stmt><Id>1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">2310.45</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><DtTm>2025-06-30T22:30:00Z</DtTm></BookgDt><ValDt><Dt>2025-07-01</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>SALA</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Calder GmbH</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE999</IBAN></Id></DbtrAcct>
</RltdPties><Purp><Cd>SALA</Cd></Purp><RmtInf><Ustrd>GEHALT</Ustrd><Ustrd>JUNI</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="JPY">300000</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><ValDt><Dt>2025-07-02</Dt></ValDt></Ntry>
</Stmt></BkToCstmrStmt></Document>
"""

OFX = """OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP
<BANKACCTFROM><BANKID>123456<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20250101<DTEND>20250201
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20250630233000[0:GMT]<TRNAMT>2310.45<FITID>a<NAME>Calder &amp; Co<MEMO>SALARY</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250105<TRNAMT>-12.50<FITID>b<NAME>Shop<BANKACCTTO><ACCTID>87654321</BANKACCTTO></STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""


def test_mt940_marks_give_the_direction_and_field_60_the_currency() -> None:
    rows = read_statement(MT940.encode(), "mt940", **IDS).rows
    assert rows["amount_minor"].tolist() == [231045, -30000, -1000, 500]
    assert set(rows["currency"]) == {"EUR"}
    assert [str(day.date()) for day in rows["booked_on"]][:2] == ["2025-01-03", "2025-01-06"]
    assert str(rows["value_on"].iloc[1].date()) == "2025-01-05"
    assert rows["counterparty_name"].iloc[0] == "CALDER GMBH"
    assert rows["description_raw"].tolist()[:2] == ["GEHALT", "Rent second line"]
    yen = MT940.replace("EUR1000,00", "JPY1000,").replace("2310,45", "2310,")
    assert read_statement(yen.encode(), "mt940", **IDS).rows["amount_minor"].iloc[0] == 2310


def test_mt940_names_the_line_of_what_does_not_fit(caplog: pytest.LogCaptureFixture) -> None:
    broken = MT940.replace(":61:2501050106DR300,00NTRFREF1", ":61:25PRIVATE PERSON")
    with caplog.at_level(logging.DEBUG), pytest.raises(StatementFileError, match="statement:7: field 61"):
        read_statement(broken.encode(), "mt940", **IDS)
    assert "PRIVATE" not in caplog.text
    result = read_statement(broken.encode(), "mt940", **IDS, on_misfit="reject")
    assert result.rejects["place"].tolist() == ["statement:7"]
    assert result.count == 4
    assert result.rows["amount_minor"].tolist() == [231045, -1000, 500]


def test_mt940_keeps_statements_of_two_accounts_apart() -> None:
    second = MT940.replace("1234567", "7654321").replace("EUR", "GBP")
    rows = read_statement((MT940 + second).encode(), "mt940", customer_id="c1").rows
    assert rows.groupby("account_id", observed=True)["currency"].unique().map(list).tolist() in (
        [["EUR"], ["GBP"]],
        [["GBP"], ["EUR"]],
    )
    assert not rows["account_id"].astype(str).str.contains("1234567").any()
    with pytest.raises(InputError, match="contains 2 accounts"):
        read_statement((MT940 + second).encode(), "mt940", **IDS)


def test_camt_takes_direction_currency_codes_and_parties() -> None:
    result = read_statement(CAMT.encode(), "camt053", **IDS)
    first, second = result.rows.to_dict("records")
    assert (first["amount_minor"], first["currency"], first["bank_code"]) == (231045, "EUR", "PMNT-RCDT-SALA")
    assert (first["counterparty_name"], first["purpose"], first["txn_id"]) == ("Calder GmbH", "SALA", "R1")
    assert first["description_raw"] == "GEHALT JUNI"
    assert "DE999" not in first["counterparty_account"]
    assert (second["amount_minor"], second["currency"], second["status"]) == (-300000, "JPY", "pending")


@pytest.mark.parametrize(
    ("data", "layout", "stamp", "other", "zone"),
    [
        (CAMT, "camt053", "2025-06-30T22:30:00Z", "9999-12-31T23:30:00Z", "Europe/Berlin"),
        (OFX, "ofx", "20250630233000[0:GMT]", "00010101003000[+2:EET]", "Europe/London"),
    ],
)
def test_an_instant_beyond_the_calendar_is_a_reject_and_stops_nothing(
    data: str, layout: str, stamp: str, other: str, zone: str
) -> None:
    whole = read_statement(data.encode(), layout, **IDS, zone=zone, on_misfit="reject")
    file = data.replace(stamp, other, 1)
    result = read_statement(file.encode(), layout, **IDS, zone=zone, on_misfit="reject")
    assert len(result.rows) == len(whole.rows) - 1
    assert result.rejects["reason"].tolist()[0] == "the date does not exist"


def test_an_instant_falls_on_the_banks_own_day_where_the_zone_is_given() -> None:
    def day(data: str, layout: str, zone: str | None) -> str:
        rows = read_statement(data.encode(), layout, **IDS, zone=zone).rows
        return str(rows["booked_on"].iloc[0].date())

    assert day(CAMT, "camt053", "Europe/Berlin") == "2025-07-01"
    assert day(CAMT, "camt053", None) == "2025-06-30"
    assert day(OFX, "ofx", "Europe/London") == "2025-07-01"
    assert day(OFX, "ofx", None) == "2025-06-30"
    with pytest.raises(InputError, match="zone is not a name"):
        day(CAMT, "camt053", "Mars/Olympus")
    with pytest.raises(InputError, match="zone is not a name"):
        day(CAMT, "camt053", "../../etc/passwd")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('Ccy="JPY"', 'Ccy="YEN"', "Amt has no ISO 4217 currency"),
        ("300000", "300000.5", "more decimals than JPY"),
        ("300000", "-300000", "Amt has a sign"),
        ("DBIT", "OUT", "neither CRDT nor DBIT"),
        ("PDNG", "MAYBE", "Sts is not a status"),
        ("2025-07-02", "2025-02-31", "ValDt is not a date"),
    ],
)
def test_a_camt_entry_that_does_not_fit_is_named_by_its_line(old: str, new: str, why: str) -> None:
    data = CAMT.replace(old, new).encode()
    with pytest.raises(StatementFileError, match=why) as caught:
        read_statement(data, "camt053", **IDS)
    assert caught.value.place == "statement:9"
    result = read_statement(data, "camt053", **IDS, on_misfit="reject")
    assert (len(result.rows), result.rejects["place"].tolist()) == (1, ["statement:9"])


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    "<Document>&c;</Document>"
)
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]><Document>&x;</Document>'
)


@pytest.mark.parametrize("layout", ["camt053", "ofx"])
@pytest.mark.parametrize("data", [LAUGHS, OUTSIDE, '<!DOCTYPE x SYSTEM "http://192.0.2.1/x.dtd"><OFX></OFX>'])
def test_entities_and_document_types_are_refused(layout: str, data: str) -> None:
    with pytest.raises(StatementFileError, match="document type or entities"):
        read_statement(data.encode(), layout, **IDS)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<a>" * 100_000, "nested deeper"),
        (b"<Document>", "not well-formed"),
        (b"\x00\x01", "not well-formed"),
        (b"", "not well-formed"),
        (b"<Document/>", r"is not a camt\.053"),
        (CAMT.replace("utf-8", "no-such").replace("UTF-8", "no-such").encode(), "not well-formed"),
    ],
)
def test_xml_that_is_no_statement_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(StatementFileError, match=why):
        read_statement(data, "camt053", **IDS)


def test_ofx_reads_sgml_and_xml_alike() -> None:
    rows = read_statement(OFX.encode(), "ofx", **IDS).rows
    assert rows["amount_minor"].tolist() == [231045, -1250]
    assert rows["txn_id"].tolist() == ["a", "b"]
    assert rows["description_raw"].iloc[0] == "Calder & Co SALARY"
    assert rows["counterparty_account"].notna().tolist() == [False, True]
    xml = OFX.split("\n\n", 1)[1]
    for tag in (
        "CURDEF",
        "BANKID",
        "ACCTID",
        "ACCTTYPE",
        "TRNTYPE",
        "DTPOSTED",
        "TRNAMT",
        "FITID",
        "NAME",
        "MEMO",
    ):
        parts = xml.split(f"<{tag}>")
        xml = parts[0] + "".join(
            f"<{tag}>{part.split('<')[0].strip()}</{tag}><{part.split('<', 1)[1]}" for part in parts[1:]
        )
    head = '<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="220"?>\n'
    again = read_statement((head + xml).encode(), "ofx", **IDS).rows
    assert again.to_dict("records") == rows.to_dict("records")


def test_ofx_names_the_line_and_a_file_that_is_cut_off() -> None:
    broken = OFX.replace("-12.50", "12,5O")
    with pytest.raises(StatementFileError, match="statement:9: TRNAMT is not an amount"):
        read_statement(broken.encode(), "ofx", **IDS)
    cut = read_statement(OFX[: OFX.index("<NAME>Shop")].encode(), "ofx", **IDS, on_misfit="reject")
    assert (len(cut.rows), cut.rejects["place"].tolist()) == (1, ["statement:9"])
    with pytest.raises(StatementFileError, match="is not an OFX file"):
        read_statement(b"hello", "ofx", **IDS)
    with pytest.raises(StatementFileError, match="the currency is GBP, not EUR"):
        read_statement(OFX.encode(), "ofx", **IDS, currency="EUR")


@pytest.mark.parametrize(
    ("aggregate", "currency", "minor"),
    [
        ("<CURRENCY><CURRATE>0.75<CURSYM>USD</CURRENCY>", "USD", -1250),
        ("<CURRENCY><CURRATE>0.75</CURRATE><CURSYM>USD</CURSYM></CURRENCY>", "USD", -1250),
        ("<CURRENCY><CURRATE>1<CURSYM>GBP</CURRENCY>", "GBP", -1250),
        ("<CURRENCY><CURRATE>0.75<CURSYM>usd</CURRENCY>", "USD", -1250),
        ("<CURRENCY><CURRATE>2.1<CURSYM>BHD</CURRENCY>", "BHD", -12500),
        ("<ORIGCURRENCY><CURRATE>0.75<CURSYM>USD</ORIGCURRENCY>", "GBP", -1250),
    ],
)
def test_ofx_keeps_an_amount_in_the_currency_it_is_in(aggregate: str, currency: str, minor: int) -> None:
    foreign = OFX.replace("<NAME>Shop", f"{aggregate}<NAME>Shop")
    for data in (foreign, foreign.replace("<CURDEF>GBP", "<CURDEF>gbp")):
        rows = read_statement(data.encode(), "ofx", **IDS, currency="GBP").rows
        assert rows["currency"].tolist() == ["GBP", currency]
        assert rows["amount_minor"].tolist() == [231045, minor]


@pytest.mark.parametrize(
    ("aggregate", "why"),
    [
        ("<CURRENCY><CURRATE>0.75</CURRENCY>", "CURSYM in CURRENCY is not an ISO 4217 currency"),
        ("<CURRENCY><CURRATE>0.75<CURSYM>XXX</CURRENCY>", "CURSYM in CURRENCY is not an ISO 4217 currency"),
        ("<CURRENCY><CURRATE>150<CURSYM>JPY</CURRENCY>", "more decimals than JPY has"),
        (
            "<ORIGCURRENCY><CURSYM>USD</ORIGCURRENCY><CURRENCY><CURSYM>EUR</CURRENCY>",
            "both CURRENCY and ORIGCURRENCY",
        ),
    ],
)
def test_ofx_names_the_line_of_an_amount_in_no_known_currency(aggregate: str, why: str) -> None:
    foreign = OFX.replace("<NAME>Shop", f"{aggregate}<NAME>Shop")
    with pytest.raises(StatementFileError, match=f"statement:9: .*{why}"):
        read_statement(foreign.encode(), "ofx", **IDS)


def test_the_callers_currency_must_agree() -> None:
    for data, layout in ((MT940, "mt940"), (CAMT, "camt053")):
        with pytest.raises(StatementFileError, match="the currency is EUR, not GBP"):
            read_statement(data.encode(), layout, **IDS, currency="GBP")


def test_nothing_in_a_file_gives_no_rows() -> None:
    empty = MT940.split(":61:", maxsplit=1)[0]
    assert read_statement(empty.encode(), "mt940", **IDS).count == 0
    with pytest.raises(StatementFileError, match=r"is not an MT940 file"):
        read_statement(b"nothing", "mt940", **IDS)
