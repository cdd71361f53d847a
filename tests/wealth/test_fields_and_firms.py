"""Fields of wires, firms that are called after what others pay, slips of cash, halves of pay, maintenance, and who writes of friends."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from tests.wealth.test_families_of_words import nature_of, paid

from kycpack.wealth import derive
from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.references import read_tags
from kycpack.wealth.prepare.text_reading import read_text

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "WIRE TYPE:WIRE IN DATE:041926 ORIG:ESTATE OF M TRELAWN ID:0044 OBI:DISTRIBUTION",
            "WIRE ESTATE OF M TRELAWN MOTIF DISTRIBUTION",
        ),
        (
            "FEDWIRE CREDIT VIA: CITIBANK/0210 B/O: HOLLIS TITLE CO BNF=JOHN ROE OBI=SALE 44 ELM",
            "FEDWIRE CREDIT HOLLIS TITLE CO MOTIF SALE 44 ELM",
        ),
        ("WIRE IN ORG: QUARRY LAW PLLC PMT DET: SETTLEMENT", "WIRE IN QUARRY LAW PLLC MOTIF SETTLEMENT"),
        ("DATE: 1204 REF: ORIGAMI SHOP", "DATE: 1204 REF: ORIGAMI SHOP"),
        ("TYPE: CARD ID: 4471 TESCO", "TYPE: CARD ID: 4471 TESCO"),
    ],
)
def test_the_fields_of_a_wire_are_read_as_payer_and_purpose(text: str, read: str) -> None:
    assert read_tags(text) == read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("WIRE TYPE:WIRE IN ORIG:ESTATE OF M TRELAWN ID:0044 OBI:DISTRIBUTION", "inheritance"),
        ("WIRE IN ORG: QUARRY LAW PLLC IOLTA OBI: SETTLEMENT 22 CV 114", "settlement"),
        ("WIRE TYPE:WIRE IN ORIG:ORCHARD MERIDIAN FZE OBI:DISTRIBUTION", "other"),
        ("WIRE IN ORIG:TAVROS SHIPPING LTD OBI:INHERITANCE", "other"),
    ],
)
def test_a_wire_is_what_its_payer_pays(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, amount=5_120_000)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CASH PAID IN BRANCH 40-11 RENT MONEY", "cash_deposit"),
        ("BAREINZAHLUNG GELDAUTOMAT FIL 12 MIETE", "cash_deposit"),
        ("VERSEMENT ESPECES GUICHET 0442 SALAIRE", "cash_deposit"),
        ("INGRESO EFECTIVO CAJERO 0442 NOMINA", "cash_deposit"),
        ("CASH IN TRANSIT CO LTD WAGES WK 12", "employment"),
        ("BRINKS CASH LOGISTICS SALARY", "employment"),
        ("CASH ACCESS UK LTD PAYROLL", "employment"),
    ],
)
def test_cash_is_cash_whatever_its_slip_says(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=6)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("REEMBOLSO SL ALQUILER LOCAL 3", "rental_income"),
        ("VIR REMBOURSEMENT SARL LOYER BUREAU", "rental_income"),
        ("RIMBORSO SRLS AFFITTI BREVI", "rental_income"),
        ("RIMBORSO ENEL ENERGIA SPA", "refund"),
        ("REFUND ASOS.COM LTD", "refund"),
        ("ERSTATTUNG MEDIAMARKT GMBH", "refund"),
    ],
)
def test_a_company_may_be_called_refund(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=6 if said != "refund" else 1, amount=4_812)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("TRANSF METADE DO SALARIO", "person_transfer"),
        ("TRANSFERENCIA MITAD DE LA NOMINA", "person_transfer"),
        ("VIR INST MOITIE DU SALAIRE", "person_transfer"),
        ("FP HALF MY WAGES", "person_transfer"),
        ("SALARIO DOMESTICA OUTUBRO", "employment"),
        ("NANNY WAGES JUNE", "employment"),
    ],
)
def test_a_person_who_hands_on_half_of_their_pay_is_no_employer(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, "T ARVELIM", count=6)) == said


def test_half_a_month_is_paid_by_an_employer(ledger: Ledger) -> None:
    assert nature_of(paid(ledger, "HALF MONTH SALARY KELDRICK JOINERY LTD", count=6)) == "employment"


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("FP LOAN FROM FRIEND", "VANTRO TRADING LTD", "other"),
        ("BONIFICO PRESTITO DA AMICO", "VALMARE SRLS", "other"),
        ("PRESTAMO DE UN AMIGO", "TORVALIA SL", "other"),
        ("LOAN 44712 FRIENDLY FINANCE LTD", "FRIENDLY FINANCE LTD", "loan"),
        ("TUITION LOAN HELP", "B TRUNDLE", "other"),
        ("TUITION", "B TRUNDLE", "self_employment"),
    ],
)
def test_a_company_is_no_friend_and_a_loan_no_work(ledger: Ledger, text: str, payer: str, said: str) -> None:
    assert nature_of(paid(ledger, text, payer)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CMG DWP CHILD MTCE 12007712", "person_transfer"),
        ("DWP CMS COLLECT AND PAY 44", "person_transfer"),
        ("STATE DISBURSEMENT UNIT CHILD SUPPORT 4471", "person_transfer"),
        ("DWP CHILD BENEFIT", "state_benefit"),
        ("UNTERHALTSVORSCHUSS JUGENDAMT KASSEL", "state_benefit"),
        ("VIR CAF ASF", "state_benefit"),
    ],
)
def test_maintenance_that_an_office_collects_is_no_benefit(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=6)) == said


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("BUERGERGELD MIETE UND REGELB.", "JOBCENTER LANDKREIS UELZEN"),
        ("WOHNGELD MIETE", "LANDKREIS UELZEN"),
        ("APL LOYER", "CAF"),
        ("VIR CAF ALLOCATION LOGEMENT LOYER", "CAF DU RHONE"),
    ],
)
def test_a_benefit_that_is_for_the_rent_is_a_benefit(ledger: Ledger, text: str, payer: str) -> None:
    assert nature_of(paid(ledger, text, payer, count=6)) == "state_benefit"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("LB CAMDEN HOUSING BEN LANDLORD 00771", "rental_income"),
        ("CAF APL BAILLEUR LOCATAIRE TRUMET", "rental_income"),
        ("VIR CAF AL TIERS PAYANT BAILLEUR 12", "rental_income"),
        ("LB CAMDEN HOUSING BENEFIT 00771", "state_benefit"),
        ("VIR CAF APL 0771", "state_benefit"),
    ],
)
def test_what_an_office_pays_a_landlord_is_rent(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=6)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DOORDASH INC CORP EMP PAYROLL", "employment"),
        ("LYFT INC EMP 00771 EDI", "employment"),
        ("UBER USA 6787 EDI PAYMNT", "self_employment"),
        ("JUST EAT COURIER PAY WK12", "self_employment"),
    ],
)
def test_platforms_have_employees_as_well(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=8, amount=301_255)) == said


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("WILLIAM HILL BUILDERS", None, "other"),
        ("WILLIAM HILL BUILDERS", "WILLIAM HILL BUILDERS", "other"),
        ("PADDY POWER ROOFING", "PADDY POWER ROOFING", "other"),
        ("COINBASE CATERING 771", None, "other"),
        ("WILLIAM HILL", "WILLIAM HILL PLC", "gambling"),
        ("WILLIAM HILL ORGANIZATION LTD", None, "gambling"),
        ("COINBASE 771", None, "crypto"),
    ],
)
def test_a_bookmakers_name_before_another_trade_is_somebody_elses(
    ledger: Ledger, text: str, payer: str | None, said: str
) -> None:
    extra = {"counterparty_name": payer} if payer else {}
    rows = ledger(*((f"2025-{month:02d}-17", 215_000, text, extra) for month in range(1, 7)))
    assert set(derive(rows, as_of="2025-12-31").credits["type"].fillna("other")) == {said}


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        ("POKER STOVE BBQ SUPPLY 0044 TX", False),
        ("KARTENZAHLUNG LOTTO BLUMEN 44", False),
        ("POS JACKPOT CAR WASH 44", False),
        ("CARD PURCHASE BINGO TOYS & BOOKS YORK", False),
        ("PAGAMENTO POS SISAL LOTTO ONLINE", True),
        ("CARD POKER ROOM 44", True),
        ("JACKPOT WINNINGS", True),
    ],
)
def test_shops_are_called_after_games(text: str, *, plays: bool) -> None:
    assert _says(text) == ("gambling" if plays else "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PAYMENT FROM CHK 7712 TO SAV LABELLED GIFT", "savings"),
        ("XFER FROM SAVINGS 0021 BIRTHDAY GIFT", "savings"),
        ("FROM A/C 20417755 SAVER VIA MOBILE", "savings"),
        ("GIFT FROM AUNT CHECKERS", "gift"),
    ],
)
def test_what_comes_from_ones_own_savings_is_no_gift(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, amount=61_230)) == said


@pytest.mark.parametrize(
    ("text", "payer", "amount", "said"),
    [
        ("CONSULTANCY INV 001", "BLUE ORCHARD SERVICES LLP", 1_000_000, "other"),
        ("INVOICE 44", "HARLEQUIN MERIDIAN LTD", 700_000, "other"),
        ("INTEREST ON DEPOSIT", "ALPINE CREST HOLDINGS LTD", 300_000, "other"),
        ("INVOICE 44 BATHROOM REFIT", "HARLEQUIN MERIDIAN LTD", 421_350, "self_employment"),
        ("INTEREST ON DEPOSIT", "ALPINE CREST HOLDINGS LTD", 3_127, "interest"),
    ],
)
def test_large_round_bills_and_interest_of_a_stranger_are_names(
    ledger: Ledger, text: str, payer: str, amount: int, said: str
) -> None:
    assert nature_of(paid(ledger, text, payer, amount=amount, count=6)) == said


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("BANK GIRO CREDIT REF MITIE FM LTD, 88120043 MITIE", "MITIE"),
        ("AJBELL SECURITIES WDL 70142", "AJ Bell"),
        ("MITIE AND HALL LTD", None),
        ("AJBELLWETHER SECURITIES", None),
    ],
)
def test_a_name_that_is_said_twice_or_joined_is_one(text: str, entity: str | None) -> None:
    found = load_entities().find(text, is_name=False)
    assert (found and found.name) == entity


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("VACP TREAS 310 XXVA BENEF", "VA", "state_benefit"),
        ("SSA TREAS 310 XXSOC SEC", "SSA", "state_benefit"),
        ("DWP UC 04471", "DEPARTMENT FOR WORK AND PENSIONS", "state_benefit"),
        ("VACP TREAS 310 XXVA BENEF", "QUILL TRADING LTD", "other"),
    ],
)
def test_a_payer_may_be_named_by_its_initials(ledger: Ledger, text: str, payer: str, said: str) -> None:
    assert nature_of(paid(ledger, text, payer, count=6)) == said


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("AWARD 22/4471", "CRIM INJ COMP AUTH", "settlement"),
        ("VIR INDEMNITES JUGEMENT PRUDHOMAL", "", "settlement"),
        ("EMPLOYMENT TRIBUNAL AWARD 2401177", "", "settlement"),
        ("RPS INSOLVENCY SVC RP14 44", "INSOLVENCY SERVICE", "state_benefit"),
        ("ABONO COMPENSACION ENDESA ENERGIA", "", "refund"),
        ("ERST. UEBERZ. BEITRAG", "", "refund"),
        ("QUIDCO PAYOUT 447120", "", "refund"),
        ("COUPON OBLIGATION 4,25% 2032", "", "investment_income"),
        ("COUPONS OAT JUIN X 40", "", "investment_income"),
        ("UITBETALING GEWERKTE UREN WK 12 HORECA BV", "", "employment"),
        ("FAMILIENKASSE KG 118FK KINDERGELD", "", "state_benefit"),
        ("WYPLATA LOTTO WYGRANA", "", "gambling"),
        ("OLX PRZESYLKA WYPLATA", "", "asset_sale"),
        ("WYPLATA 10/26 FABRYKA MEBLI", "", "employment"),
        ("VERS. CONTANTI SPORTELLO 0447", "", "cash_deposit"),
        ("RIMB. 730 AGENZIA ENTRATE", "", "tax_refund"),
        ("HVW WERKLOOSHEID 10/26", "", "state_benefit"),
        ("EMPLOYMENT TRIBUNAL ADVISERS LTD SALARY", "", "employment"),
        ("COUPON CATERING LTD WAGES", "", "employment"),
        ("FAMILIENKASSE KG NORD LOHN", "", "employment"),
    ],
)
def test_awards_coupons_and_hours_are_known(ledger: Ledger, text: str, payer: str, said: str) -> None:
    assert nature_of(paid(ledger, text, payer, count=6 if said == "employment" else 1, amount=61_247)) == said


def _says(text: str) -> str:
    lexicon = load_lexicon()
    words = lexicon.words_of([text])[0].split()
    return next((one.says for one in read_text(words, (), lexicon).counted if one.says == "gambling"), "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("KRAKEN TRAWLERS LTD", "other"),
        ("KRAKEN TRAWLERS", "other"),
        ("KRAKEN FISHING VESSELS", "other"),
        ("KRAKEN RUM CO", "other"),
        ("LADBROKES OSWESTRY", "gambling"),
        ("BETFRED MEMORIAL FUND", "other"),
        ("KRAKEN WITHDRAWAL X12", "crypto"),
        ("LADBROKES CORAL GROUP PLC", "gambling"),
        ("GRAND CASINO BADEN GMBH", "gambling"),
    ],
)
def test_a_word_of_its_own_before_the_legal_form_makes_a_brand_another_name(
    ledger: Ledger, text: str, said: str
) -> None:
    # On no calendar, on which a bookmaker pays its staff.
    rows = [(f"2025-{month:02d}-{1 + month * 7 % 27:02d}", 123_456, text) for month in range(1, 13)]
    assert set(derive(ledger(*rows), as_of="2025-12-31").credits["type"].fillna("other")) == {said}
