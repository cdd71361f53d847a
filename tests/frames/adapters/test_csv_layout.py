"""Every named layout reads a file made after its cited sample; a file of another bank is refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import ConfigurationError, InputError, StatementFileError
from kycpack.frames.adapters import list_layouts, read_export, read_statement
from kycpack.frames.adapters.csv_layout import load_layouts, read_layout

IDS: dict[str, Any] = {"customer_id": "c1", "account_id": "a1"}

# Invented rows in the form of the samples that the layouts cite: one purchase, one salary.
FILES = {
    "monzo": (
        "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,"
        "Address,Receipt,Description,Category split,Money Out,Money In\n"
        "tx_1,24/02/2025,17:44:34,Card payment,Corner Shop,☕,Eating out,-12.50,GBP,-12.50,GBP,,,,CORNER SHOP LONDON,,-12.50,\n"
        "tx_2,28/02/2025,09:00:00,Faster payment,Calder Textiles,,Income,2310.45,GBP,2310.45,GBP,SALARY,,,SALARY,,,2310.45\n"
    ),
    "starling": (
        "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n"
        "24/02/2025,Corner Shop,CORNER SHOP,CARD,-12.50,100.00,EATING_OUT,\n"
        "28/02/2025,Calder Textiles,SALARY,FASTER PAYMENT,2310.45,2410.45,INCOME,\n"
    ),
    "revolut": (
        "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
        "CARD_PAYMENT,Current,2025-02-23 12:16:54,2025-02-24 12:16:55,Corner Shop,-12.50,0.00,GBP,COMPLETED,100.00\n"
        "TRANSFER,Current,2025-02-28 08:11:42,2025-02-28 08:12:12,SALARY,2310.45,0.00,GBP,COMPLETED,2410.45\n"
    ),
    "natwest": (
        "Date, Type, Description, Value, Balance, Account Name, Account Number\n\n"
        '24/02/2025,POS,"\'CORNER SHOP, LONDON",-12.50,100.00,"\'A HOLDER","\'012345-01234567",\n'
        '28/02/2025,BAC,"\'CALDER TEXTILES SALARY",2310.45,2410.45,"\'A HOLDER","\'012345-01234567",\n'
    ),
    "hsbc-uk": (
        "Date,Type,Description,Amount,Balance\n28 Feb 2025,CR,CALDER TEXTILES SALARY,2310.45,2410.45\n"
        "24 Feb 2025,VIS,CORNER SHOP,-12.5,100.0"
    ),
    "nationwide": (
        '"Account Name:","FlexAccount ****12345"\n"Account Balance:","£2,410.45"\n"Available Balance: ","£2,410.45"\n\n'
        '"Date","Transaction type","Description","Paid out","Paid in","Balance"\n'
        '"24 Feb 2025","Visa purchase","CORNER SHOP","£12.50","","£100.00"\n'
        '"28 Feb 2025","Bank credit","CALDER TEXTILES SALARY","","£2,310.45","£2,410.45"\n'
    ),
    "santander-uk": (
        "From: 10/02/2025 to 28/02/2025\n\nAccount: 12345678\n\nDate: 28/02/2025\nDescription: CALDER TEXTILES: SALARY\n"
        "Amount: 2310.45 \nBalance: 2410.45 \n\nDate: 24/02/2025\nDescription: CORNER SHOP\nAmount: -12.50 \nBalance: 100.00 \n"
    ),
    "amex-uk": (
        "Date,Description,Amount,Extended Details,Appears On Your Statement As,Address,Town/City,Postcode,Country,Reference,Category\n"
        '24/02/2025,CORNER SHOP,12.50,"Goods\nand services",CORNER SHOP,"1 High St",LONDON,SW1A 1AA,UNITED KINGDOM,\'AT1\',Shop\n'
        "28/02/2025,PAYMENT RECEIVED,-2310.45,,PAYMENT RECEIVED,,,,,'AT2',\n"
    ),
    "chase-us-checking": (
        "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n"
        'DEBIT,02/24/2025,"CORNER SHOP",-12.50,DEBIT_CARD,100.00,,\n'
        'CREDIT,02/28/2025,"CALDER TEXTILES PAYROLL",2310.45,ACH_CREDIT, ,,\n'
    ),
    "chase-us-card": (
        "Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n"
        "02/23/2025,02/24/2025,CORNER SHOP,Food & Drink,Sale,-12.50,\n"
        "02/28/2025,02/28/2025,AUTOMATIC PAYMENT - THANK,,Payment,2310.45,\n"
    ),
    "bank-of-america": (
        'Description,,Summary Amt.\nBeginning balance as of 02/01/2025,,"112.50"\nTotal credits,,"2,310.45"\n'
        'Total debits,,"-12.50"\nEnding balance as of 02/28/2025,,"2,410.45"\n\nDate,Description,Amount,Running Bal.\n'
        '02/24/2025,"CORNER SHOP","-12.50","100.00"\n02/28/2025,"CALDER TEXTILES PAYROLL","2,310.45","2,410.45"\n'
    ),
    "sparkasse-mt940-csv": (
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";'
        '"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"\n'
        '"DE111";"24.02.25";"24.02.25";"KARTENZAHLUNG";"SVWZ+EINKAUF";"Bäckerei";"DE222";"ABCDEFGH";"-12,50";"EUR";"Umsatz gebucht"\n'
        '"DE111";"28.02.25";"28.02.25";"LOHN GEHALT";"SVWZ+GEHALT";"Calder GmbH";"DE333";"ABCDEFGH";"2.310,45";"EUR";"Umsatz gebucht"\n'
    ),
    "sparkasse-camt-csv": (
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";'
        '"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";'
        '"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"\n'
        '"DE111";"24.02.25";"24.02.25";"KARTENZAHLUNG";"EINKAUF";"";"";"";"";"";"";"Bäckerei";"DE222";"X";"-12,50";"EUR";"Umsatz gebucht"\n'
        '"DE111";"28.02.25";"28.02.25";"LOHN GEHALT";"GEHALT";"";"";"";"";"";"";"Calder";"DE333";"X";"2310,45";"EUR";"Umsatz gebucht"\n'
    ),
}
NAMED = sorted(FILES)


def test_every_layout_of_a_bank_has_its_file_here_and_cites_a_source() -> None:
    named = {name for name, layout in load_layouts().items() if layout.headers}
    assert named == set(FILES)
    assert all(layout.sources for layout in load_layouts().values() if layout.headers)
    assert {one.name for one in list_layouts()} >= {*FILES, "uk-csv", "mt940", "camt053", "ofx", "plaid"}


@pytest.mark.parametrize("name", NAMED)
def test_a_layout_reads_sign_date_amount_and_currency(name: str) -> None:
    result = read_statement(FILES[name].encode(), name, **IDS)
    rows = result.rows.sort_values("booked_on", ignore_index=True)
    assert result.count == len(rows) == 2
    assert rows["amount_minor"].tolist() == [-1250, 231045]
    assert [str(day.date()) for day in rows["booked_on"]] == ["2025-02-24", "2025-02-28"]
    country = load_layouts()[name].country
    assert set(rows["currency"]) == {{"GB": "GBP", "US": "USD", "DE": "EUR"}[country]}
    assert rows["description_raw"].str.len().min() > 3
    assert set(rows["status"]) == {"booked"}
    assert result.breaks == ()


@pytest.mark.parametrize("name", NAMED)
def test_the_file_of_another_bank_is_refused_with_both_headers(name: str) -> None:
    for other in NAMED:
        if other == name:
            continue
        with pytest.raises(StatementFileError) as caught:
            read_statement(FILES[other].encode(), name, **IDS)
        if name != "santander-uk":  # it has labels, and no header
            assert load_layouts()[name].headers[0][0] in str(caught.value)
        assert "Calder" not in str(caught.value)
        assert "HOLDER" not in str(caught.value)


def test_the_refusal_shows_what_the_file_has_and_what_the_layout_expects() -> None:
    with pytest.raises(StatementFileError) as caught:
        read_statement(FILES["chase-us-card"].encode(), "hsbc-uk", **IDS)
    message = str(caught.value)
    assert "The file has: Transaction Date, Post Date, Description" in message
    assert "The layout expects: Date, Type, Description, Amount, Balance" in message
    with pytest.raises(StatementFileError) as caught:
        read_statement(b"01/02/2025,MR A PERSON,10.00\n", "hsbc-uk", **IDS)
    assert "PERSON" not in str(caught.value)


def test_several_accounts_in_one_file_stay_apart_or_are_refused() -> None:
    other = FILES["natwest"].replace("012345-01234567", "012345-99999999").split("\n\n")[1]
    data = (FILES["natwest"] + other).encode()
    rows = read_statement(data, "natwest", customer_id="c1").rows
    assert rows["account_id"].nunique() == 2
    assert len(rows) == 4
    assert not rows["account_id"].str.contains("1234").any()
    with pytest.raises(InputError, match="contains 2 accounts"):
        read_statement(data, "natwest", **IDS)
    with pytest.raises(InputError, match="does not name its account"):
        read_statement(FILES["monzo"].encode(), "monzo", customer_id="c1")


def test_a_file_that_names_no_account_is_that_of_the_only_account() -> None:
    head, line = "Date,Account,Details,Amount", "01/06/2025,{},ACME,1.00"
    unnamed = "\n".join([head, line.format("")])
    partly = "\n".join([head, line.format("55667788"), line.format("")])
    rows = read_statement(unnamed.encode(), "uk-csv", customer_id="c1", only_account="a-1").rows
    assert rows["account_id"].tolist() == ["a-1"]
    named = read_statement(
        unnamed.replace(",,", ",7,").encode(), "uk-csv", customer_id="c1", only_account="a-1"
    )
    assert "a-1" not in named.rows["account_id"].tolist()
    monzo = read_statement(FILES["monzo"].encode(), "monzo", customer_id="c1", only_account="a-1").rows
    assert set(monzo["account_id"]) == {"a-1"}
    with pytest.raises(InputError, match="does not name its account"):
        read_statement(partly.encode(), "uk-csv", customer_id="c1", only_account="a-1")


@pytest.mark.parametrize(
    "headings", ["Account Number", "Sort Code,Account Number", "Account Name,IBAN", "Account"]
)
def test_a_file_whose_columns_go_by_name_keeps_its_accounts_apart(headings: str) -> None:
    """Each account has its own id, which reveals neither its number nor its holder."""
    filled = "30-11-22," if "," in headings else ""
    lines = [
        f"0{day}/06/2025,{filled}{account},ACME,{day}.00"
        for day, account in enumerate(["55667788", "J BLOGGS", "55667788"], 1)
    ]
    data = "\n".join([f"Date,{headings},Details,Amount", *lines]).encode()
    rows = read_statement(data, "uk-csv", customer_id="c1").rows
    assert rows.groupby("account_id")["amount_minor"].sum().tolist() in ([400, 200], [200, 400])
    assert not rows["account_id"].str.contains("5566|BLOGGS").any()
    with pytest.raises(InputError, match="contains 2 accounts"):
        read_statement(data, "uk-csv", **IDS)
    with pytest.raises(StatementFileError, match="2 accounts"):
        read_export(data, "uk-csv").to_bank_access_body(account_holder_name="J Bloggs", bank_name="A Bank")


def test_revolut_takes_the_fee_off_and_knows_what_is_pending() -> None:
    head = FILES["revolut"].split("\n")[0]
    data = (
        f"{head}\n"
        "ATM,Current,2025-02-24 12:16:54,2025-02-24 12:16:55,Cash,-100.00,2.00,GBP,COMPLETED,98.00\n"
        "CARD_PAYMENT,Current,2025-02-25 11:21:43,,store,-44.57,0.00,GBP,PENDING,\n"
        "TRANSFER,Current,2025-02-26 11:21:43,,nobody,-1.00,0.00,GBP,FLOATING,\n"
    ).encode()
    with pytest.raises(StatementFileError, match="statement:4: the status is not in the layout"):
        read_statement(data, "revolut", **IDS)
    result = read_statement(data, "revolut", **IDS, on_misfit="reject")
    assert result.rows["amount_minor"].tolist() == [-10200, -4457]
    assert result.rows["status"].tolist() == ["booked", "pending"]
    assert str(result.rows["booked_on"].iloc[1].date()) == "2025-02-25"
    assert result.rejects["place"].tolist() == ["statement:4"]
    assert result.count == 3


def test_a_balance_line_is_listed_and_is_no_transaction() -> None:
    data = FILES["bank-of-america"].replace(
        "Running Bal.\n", 'Running Bal.\n02/01/2025,"Beginning balance as of 02/01/2025",,"112.50"\n'
    )
    result = read_statement(data.encode(), "bank-of-america", **IDS)
    assert len(result.rows) == 2
    assert result.rejects["place"].tolist() == ["statement:8"]
    assert result.count == 3


def test_a_bank_id_given_twice_is_one_transaction_and_on_other_content_two() -> None:
    line = FILES["monzo"].strip().split("\n")[-1]
    data = FILES["monzo"] + line + "\n" + line.replace("2310.45", "10.00") + "\n"
    result = read_statement(data.encode(), "monzo", **IDS)
    assert result.rows["txn_id"].tolist() == ["tx_1", "tx_2", "tx_2#2"]
    assert result.rejects["reason"].tolist() == ["repeated under the same id"]
    assert result.rejects["place"].tolist() == ["statement:4"]


def test_one_id_on_very_many_rows_does_not_take_the_square_of_the_time() -> None:
    head = FILES["monzo"].split("\n")[0]
    lines = [f"tx_1,24/02/2025,10:00:00,Card,S{i},,E,-1.00,GBP,,,,,,D,,," for i in range(20_000)]
    started = time.process_time()
    result = read_statement("\n".join([head, *lines]).encode(), "monzo", **IDS)
    assert time.process_time() - started < 30
    assert result.rows["txn_id"].is_unique
    assert result.count == 20_000


def test_a_currency_column_decides_and_amounts_go_by_its_minor_units() -> None:
    data = (
        b"Date,Description,Amount,Currency\n"
        b'01/02/2025,Tokyo office,"300,000",JPY\n02/02/2025,Shop,-1.50,GBP\n03/02/2025,Kuwait,1.234,KWD\n'
    )
    rows = read_statement(data, "uk-csv", **IDS).rows
    assert rows["amount_minor"].tolist() == [300000, -150, 1234]
    assert rows["currency"].tolist() == ["JPY", "GBP", "KWD"]
    for bad, why in [
        (b"300.5,JPY", "more decimals than JPY"),
        (b"1.00,POUNDS", "not an ISO 4217"),
        (b"$1.00,GBP", "in GBP"),
    ]:
        with pytest.raises(StatementFileError, match=why) as caught:
            read_statement(b"Date,Description,Amount,Currency\n01/02/2025,x," + bad + b"\n", "uk-csv", **IDS)
        assert caught.value.place == "statement:2"


def test_the_callers_currency_must_agree_with_the_file() -> None:
    data = b"Date,Description,Amount,Currency\n01/02/2025,x,10,JPY\n"
    assert read_statement(data, "uk-csv", **IDS, currency="JPY").rows["amount_minor"].tolist() == [10]
    with pytest.raises(StatementFileError, match="the currency is JPY, not GBP"):
        read_statement(data, "uk-csv", **IDS, currency="GBP")
    with pytest.raises(StatementFileError, match="is in GBP, not USD"):
        read_statement(b"Date,Description,Amount\n01/02/2025,x,10\n", "uk-csv", **IDS, currency="USD")
    with pytest.raises(InputError, match="currency is not an ISO 4217 code"):
        read_statement(data, "uk-csv", **IDS, currency="YEN")


def test_a_file_of_two_currencies_has_no_sum_and_two_chains() -> None:
    data = (
        b"Date,Description,Amount,Balance,Currency\n"
        b"01/02/2025,a,10,110,JPY\n01/02/2025,b,1.00,51.00,GBP\n02/02/2025,c,10,120,JPY\n02/02/2025,d,1.00,60.00,GBP\n"
    )
    file = read_export(data, "uk-csv")
    with pytest.raises(StatementFileError, match="2 currencies"):
        file.credits_minor  # noqa: B018
    assert file.describe_breaks() == ("after line 3 the balance is 51.00 GBP, and line 5 opens at 59.00 GBP",)


HOSTILE = [
    (b"\xff\xfeD\x00a\x00t\x00e\x00", "NUL"),
    (b"Date,Description,Amount\n01/02/2025,\x81\xff,1.00\n", "neither UTF-8 nor Windows-1252"),
    (b'Date,Description,Amount\n01/02/2025,"' + b"x" * 200_000 + b'",1.00\n', "is not CSV"),
    (b'Date,Description,Amount\n01/02/2025,"x,1.00\n', "is not CSV"),
    (b"Date,Description,Amount\n01/02/2025,x,y,1.00\n", "4 fields where the header has 3"),
    (b"Date,Description,Amount\n01/02/2025,x,99999999999999999999.00\n", "not an amount"),
    (b"Date,Description,Amount\n01/02/2025,=cmd|x,NaN\n", "not an amount"),
    (b"", "has no column"),
]


@pytest.mark.parametrize(("data", "why"), HOSTILE)
def test_hostile_files_are_refused_by_name_and_line(data: bytes, why: str) -> None:
    with pytest.raises(StatementFileError, match=why) as caught:
        read_statement(data, "uk-csv", **IDS)
    assert caught.value.place.startswith("statement:")


def test_a_file_larger_than_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(StatementFileError, match=r"^huge\.csv: is larger than 256 MiB"):
        read_statement(path, "uk-csv", **IDS)


def test_a_byte_order_mark_and_quoted_newlines_are_read() -> None:
    data = '\ufeffDate,Description,Amount\r\n01/02/2025,"two\r\nlines",1.00\r\n31/02/2025,x,1.00\r\n'.encode()
    result = read_statement(data, "uk-csv", **IDS, on_misfit="reject")
    assert result.rows["description_raw"].tolist() == ["two\r\nlines"]
    assert result.rejects[["place", "reason"]].to_numpy().tolist() == [
        ["statement:4", "the date does not exist"]
    ]


@given(st.lists(st.tuples(st.text(max_size=8), st.text(alphabet="0123456789.,-£ x", max_size=8)), max_size=8))
def test_every_record_is_a_row_or_a_reject(cells: list[tuple[str, str]]) -> None:
    kept = [(text.replace("\0", ""), amount) for text, amount in cells]
    lines = ["01/02/2025," + ",".join('"' + cell.replace('"', '""') + '"' for cell in pair) for pair in kept]
    data = "\n".join(["Date,Description,Amount", *lines]).encode("utf-8", "replace")
    result = read_statement(data, "uk-csv", **IDS, on_misfit="reject")
    assert result.count == len(kept)
    assert result.rejects["place"].str.match(r"statement:\d+$").all()


def test_a_layout_that_contradicts_itself_is_refused() -> None:
    good = (
        "name: x\ntitle: x\ncountry: GB\nsources: [somewhere]\ndate_form: d/m/yyyy\ncurrency: GBP\nsign: plus is in\n"
        "headers: [[Date, What, Sum]]\ncolumns: {date: Date, description: What, amount: Sum}\n"
    )
    assert read_layout(good, "x.yaml").columns["amount"] == ("Sum",)
    for old, new, why in [
        ("sources: [somewhere]", "sources: []", "must cite a public source"),
        ("d/m/yyyy", "whenever", "no date form"),
        ("amount: Sum", "amount: Total", "a column that no header has"),
        ("currency: GBP\n", "", "neither a currency nor a column"),
        ("amount: Sum", "amount: Sum, colour: Date", "unknown roles"),
        ("sign:", "mood: good\nsign:", "mood"),
    ]:
        with pytest.raises(ConfigurationError, match=why):
            read_layout(good.replace(old, new), "x.yaml")


def test_the_page_about_statement_files_says_what_the_layouts_say() -> None:
    page = (Path(__file__).parents[3] / "docs" / "statement-files.md").read_text(encoding="utf-8")
    lines = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert set(lines) == {one.name for one in list_layouts()}
    for layout in load_layouts().values():
        line = lines[layout.name]
        assert f"| {layout.title} | {layout.date_form} | {layout.sign} |" in line
        assert (layout.currency or "its column") in line
        assert all(source.split(" ")[0] in line for source in layout.sources)
