"""Listed members of the results that contradict each other are findings, and their innocent look-alikes are none."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage import Triage


def at_address(**members: Any) -> Triage:
    """A customer whose record and proof of address both have an address."""
    address = {**RECORD["address"], **members}
    return triage(
        record={**RECORD, "address": address}, results=put("address.extractedAddress", address, RESULTS)
    )


@pytest.mark.parametrize(
    ("city", "code", "country", "said"),
    [
        ("Aarhus", "SW1A 1AA", "DK", "Denmark"),
        ("Warszawa", "10115", "PL", "Poland"),
        ("Warszawa", "75008", "Poland", "Poland"),
        ("Berlin", "00-950", "DE", "Germany"),
        ("Berlin", "8000", "Deutschland", "Germany"),
        ("London", "10115", "GB", "United Kingdom"),
        ("London", "SW1A 1A", "GB", "United Kingdom"),
        ("Paris", "EC1A 1BB", "FRA", "France"),
        ("Wien", "80331", "AT", "Austria"),
        ("Wien", "1000-001", "AT", "Austria"),
        ("Zürich", "1017 AB", "CH", "Switzerland"),
        ("Amsterdam", "10115", "NL", "Netherlands"),
        ("Stockholm", "1234", "SE", "Sweden"),
        ("Lisboa", "28001", "PT", "Portugal"),
        ("Dublin", "1050", "IE", "Ireland"),
        ("Bucuresti", "10115", "RO", "Romania"),
        ("Toronto", "90210", "CA", "Canada"),
        ("Austin", "M5V 2T6", "US", "United States"),
        ("Sydney", "10115", "AU", "Australia"),
        ("Tokyo", "SW1A 1AA", "JP", "Japan"),
        ("Delhi", "10115", "IN", "India"),
        ("Singapore", "SE1 9GF", "SG", "Singapore"),
    ],
)
def test_a_post_code_of_another_countrys_form_is_a_finding(
    city: str, code: str, country: str, said: str
) -> None:
    made = at_address(city=city, postalCode=code, country=country)
    found = finding(made, "RES-5")
    assert level(made) != "approve"
    assert f"a post code whose form is not that of the address's country ({said}): '{code}' (E-" in found["sentence"]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "country"),
    [
        ("D-10115", "DE"), ("10115", "DE"), ("DE 10115", "Germany"), ("10115 Berlin", "DE"), ("L-1234", "LU"), ("LU1234", "LU"), ("1234", "LU"),
        ("sw1a1aa", "GB"), ("SW1A-1AA", "GB"), ("SW1A", "GB"), ("M1", "GB"), ("W1T 3", "GB"), ("GIR 0AA", "GB"), ("BFPO 57", "GB"), ("B1 1BB", "UK"), ("JE2 3AB", "GB"),
        ("JE2 3AB", "JE"), ("GX11 1AA", "GI"), ("00-950", "PL"), ("00 950", "PL"), ("00\u2013950", "PL"), ("PL-00-950", "PL"), ("1017AB", "NL"), ("1017 ab", "NL"),
        ("1017", "NL"), ("NL-1017 AB", "NL"), ("8000 Aarhus C", "DK"), ("DK-8000", "DK"), ("100", "FO"), ("111 22", "SE"), ("SE-11122", "SE"), ("S-111 22", "SE"),
        ("110 00", "CZ"), ("11000", "CZ"), ("GR-105 57", "GR"), ("LV-1010", "LV"), ("LT-01100", "LT"), ("MD-2001", "MD"), ("AD500", "AD"), ("MC-98000", "MC"),
        ("VLT 1117", "MT"), ("vlt1117", "MT"), ("D02 AF30", "IE"), ("D6W XY00", "IE"), ("d02af30", "IE"), ("Dublin 2", "IE"), ("1000-001", "PT"), ("1000001", "PT"),
        ("1000", "PT"), ("FI-00100", "FI"), ("97400", "FR"), ("75 008", "FR"), ("90210", "US"), ("90210-1234", "US"), ("902101234", "US"), ("CA 90210", "US"),
        ("M5V 2T6", "CA"), ("m5v2t6", "CA"), ("M5V", "CA"), ("NSW 2000", "AU"), ("6011", "NZ"), ("100-0001", "JP"), ("1000001", "JP"), ("〒100-0001", "JP"), ("１００−０００１", "JP"),
        ("110 001", "IN"), ("110001", "IN"), ("01310-100", "BR"), ("01310100", "BR"), ("8001", "ZA"), ("34000", "TR"), ("TR-34000", "TR"), ("6100000", "IL"), ("S 238801", "SG"),
        ("", "DE"), (None, "DE"), ("n/a", "DE"), ("unknown", "PL"), ("-", "PL"), ("***01", "PL"), ("KA01", "BB"), ("00000", "AE"), ("GA-184", "GH"), ("10115", "Utopia"),
    ],
)  # fmt: skip
def test_a_post_code_of_its_countrys_form_is_no_finding(code: str | None, country: str) -> None:
    assert finding(at_address(postalCode=code, country=country), "RES-5")["outcome"] == "CLEAR"


def with_document(kind: str, issuer: str, nationality: str) -> Triage:
    results = put("document.document.documentType", kind, RESULTS)
    results = put("document.document.issuingCountry", issuer, results)
    return triage(results=put("document.holder.nationality", nationality, results))


@pytest.mark.parametrize(
    ("kind", "issuer", "nationality", "said"),
    [
        ("national_identity_card", "FR", "ES", "France"),
        ("nationalIdentityCard", "FRA", "DZA", "France"),
        ("NATIONAL_ID", "DE", "TR", "Germany"),
        ("Personalausweis", "DEU", "AUT", "Germany"),
        ("identity_card", "PL", "UA", "Poland"),
        ("ID card", "Poland", "GB", "Poland"),
        ("Carte nationale d\u2019identité", "FR", "Portugal", "France"),
        ("Dowód osobisty", "PL", "BY", "Poland"),
        ("DNI", "ES", "MA", "Spain"),
        ("idCard", "NL", "SR", "Netherlands"),
        ("Cartão de Cidadão", "PT", "AO", "Portugal"),
        ("национальная identity card", "UA", "RU", "Ukraine"),
        ("national_identity_card", "BE", "FR", "Belgium"),
        ("Identiteitskaart", "BEL", "MA", "Belgium"),
    ],
)
def test_a_national_identity_card_of_another_state_is_a_finding(
    kind: str, issuer: str, nationality: str, said: str
) -> None:
    made = with_document(kind, issuer, nationality)
    found = finding(made, "RES-5")
    assert level(made) != "approve"
    assert f"a national identity card of another country ({said}) than the nationality: '{nationality}' (E-" in found["sentence"]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "issuer", "nationality", "said"),
    [
        ("passport", "GBR", "FRA", "United Kingdom"),
        ("Reisepass", "DE", "TR", "Germany"),
        ("PASSPORT", "IRL", "GBR", "Ireland"),
    ],
)
def test_a_passport_of_another_state_is_a_finding(
    kind: str, issuer: str, nationality: str, said: str
) -> None:
    made = with_document(kind, issuer, nationality)
    found = finding(made, "RES-5")
    assert level(made) == "review"
    assert f"a passport of another country ({said}) than the nationality: '{nationality}' (E-" in found["sentence"]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "issuer", "nationality"),
    [
        ("national_identity_card", "FR", "FRA"), ("national_identity_card", "FR", "France"), ("Personalausweis", "DE", "Deutschland"), ("identity_card", "DE", "D"),
        ("national_identity_card", "FR", "RE"), ("national_identity_card", "NL", "CW"), ("Cartão de Cidadão", "PT", "BR"), ("passport_card", "FR", "ES"),
        ("passport", "FR", "RE"), ("passport", "China", "HK"), ("passport", "GBR", "GBN"), ("passport", "GB", "British"), ("PASSPORT", "LV", "RU"), ("alien's passport", "EE", "RU"),
        ("refugee passport", "SE", "SY"), ("travel_document", "DE", "SY"), ("passport", "GB", "JE"),
        ("residence_permit", "FR", "DZ"), ("resident identity card", "PL", "UA"), ("Aufenthaltstitel", "DE", "TR"), ("foreigner's identity card", "TR", "SY"),
        ("Carte d'identité d'étranger", "FR", "DZ"), ("driving_licence", "DE", "PL"), ("national driving licence", "DE", "PL"),
        ("identity_card", "SG", "MY"), ("identity_card", "HK", "GB"), ("DNI", "AR", "BO"),
        ("national_identity_card", "FR", "française"), ("national_identity_card", "FR", ""), ("refugee identity card", "DE", "SY"), ("voter identity card", "PL", "UA"),
        ("Verblijfskaart", "BE", "MA"), ("Identiteitskaart voor vreemdelingen", "BE", "TR"), ("foreigner's identity card", "BEL", "CD"),
    ],
)  # fmt: skip
def test_another_document_or_another_states_card_for_residents_is_no_finding(
    kind: str, issuer: str, nationality: str
) -> None:
    rows = with_document(kind, issuer, nationality).findings
    assert set(rows.loc[rows["rule_id"] == "RES-5", "outcome"]) == {"CLEAR"}


def living_in(country: str, kind: str, issuer: str, nationality: str) -> Triage:
    address = {"addressLine1": "12 Long Road", "city": "Town", "country": country}
    results = put("document.document.documentType", kind, RESULTS)
    results = put("document.document.issuingCountry", issuer, results)
    results = put("document.holder.nationality", nationality, results)
    results = put("address.extractedAddress", {**address, "postalCode": ""}, results)
    return triage(record={**RECORD, "address": address}, results=results)


@pytest.mark.parametrize(
    ("home", "kind", "issuer", "nationality", "said"),
    [
        ("GB", "carta d'identità", "IT", "RO", "Italy"),
        ("France", "identity_card", "ITA", "SN", "Italy"),
        ("GB", "national_identity_card", "Sweden", "SO", "Sweden"),
        ("IE", "Emirates ID card", "AE", "IN", "United Arab Emirates"),
        ("GB", "national_id", "MT", "LY", "Malta"),
    ],
)
def test_a_residents_identity_card_of_a_foreigner_who_lives_elsewhere_is_a_finding(
    home: str, kind: str, issuer: str, nationality: str, said: str
) -> None:
    found = finding(living_in(home, kind, issuer, nationality), "RES-5")
    assert f"an identity card that a foreigner has only as a resident of {said}, where the proof of address is not: '{issuer}' (E-" in found["sentence"]  # fmt: skip


@pytest.mark.parametrize(
    ("home", "kind", "issuer", "nationality"),
    [
        ("IT", "carta d'identità", "IT", "RO"), ("Italia", "identity_card", "ITA", "SN"), ("GB", "carta d'identità", "IT", "IT"), ("GB", "carta d'identità", "IT", "italiana"),
        ("GB", "travel_document", "IT", "RO"), ("GB", "permesso di soggiorno", "IT", "RO"), ("somewhere", "identity_card", "IT", "RO"), ("AE", "emirates id card", "AE", "IN"), ("EE", "identity_card", "EE", "LV"),
        ("GB", "identity_card", "HK", "GB"), ("FI", "identity_card", "FI", "SE"),
    ],
)  # fmt: skip
def test_a_residents_identity_card_of_a_foreigner_who_lives_there_is_no_finding(
    home: str, kind: str, issuer: str, nationality: str
) -> None:
    assert finding(living_in(home, kind, issuer, nationality), "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    "line",
    [
        "PO Box 12", "P.O. Box 12", "p o box 4521", "P.O.B. 12", "PO Box No. 12", "P.O. Box #12", "GPO Box 9", "Post Office Box 7", "PO Box 30197, Nairobi", "PO Box", "Postfach 1234",
        "Postfach 12 34 56", "Postfach", "Boîte postale 45", "BP 123", "B.P. 123", "BP n° 123", "Case postale 12", "Apartado 45", "Apartado de Correos 45", "Apartado postal 7",
        "Casella postale 7", "Caixa Postal 120", "Skrytka pocztowa 12", "skr. poczt. 12", "Postbus 123", "Postboks 12 Sentrum", "Box 123", "Pf. 12", "а/я 12", "Τ.Θ. 1234",
        "Private Bag 12", "BP 12345", "B.P. 40012", "BP 12345, Lyon", "BP n° 40012", "Apartado 28080", "Postbus 12345", "Poštovní přihrádka 5",
    ],
)  # fmt: skip
def test_a_post_box_as_the_address_is_a_finding(line: str) -> None:
    made = at_address(addressLine1=line)
    sentences = made.findings[made.findings["rule_id"] == "RES-5"]["sentence"]
    assert level(made) != "approve"
    (said,) = [one for one in sentences if "a post box, which is not a home, as the address: '" in one]
    assert "(E-" in said


@pytest.mark.parametrize(
    "line",
    [
        "B.P. Smith, 4 High Street", "4 Box Lane", "Box Lane 4", "Box Lane", "Postfachweg 3", "Post Box Cottage", "The Old Post Office", "The Old Post Office, 3 High Street",
        "PO Box 12, 4 High Street", "4 High Street, PO Box 12", "Flat 2, PO Box 12", "BP 123, 12 rue de la Paix", "Rue de la Boîte 4", "Apartamento 45, Calle Mayor", "RR 2 Box 152",
        "Calle Mayor s/n, CP LS1 1AA", "Postbusweg 12", "12 Pobox Road", "Box Hill Road 9", "Boxgrove House", "Postboksveien 3", "1 Private Road", "Casella 7", "Via della Casella 7",
        "BP 12345, 4 rue du Port", "Rue BP Martin 12, 75008", "BP Service Station, 12345",
    ],
)  # fmt: skip
def test_a_home_with_a_word_like_a_post_box_is_no_finding(line: str) -> None:
    assert finding(at_address(addressLine1=line), "RES-5")["outcome"] == "CLEAR"


def test_a_home_in_the_second_line_is_a_home() -> None:
    made = at_address(addressLine1="PO Box 12", addressLine2="4 High Street")
    assert "post box" not in " ".join(made.findings["sentence"])


def test_the_post_code_with_its_sign_is_no_post_box() -> None:
    made = at_address(
        addressLine1="Calle Mayor s/n, CP 28001", city="Madrid", postalCode="28001", country="ES"
    )
    assert finding(made, "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("city", "country", "said"),
    [("Paris", "GB", "United Kingdom"), ("Moscow", "GB", "United Kingdom"), ("PARIS 15e", "Germany", "Germany"), ("Köln", "FRA", "France"), ("Wien", "DE", "Germany"), ("London", "FR", "France"), ("Mumbai", "IE", "Ireland"), ("New Delhi", "AE", "United Arab Emirates")],
)  # fmt: skip
def test_a_well_known_city_of_another_country_is_a_finding(city: str, country: str, said: str) -> None:
    found = finding(at_address(city=city, country=country, postalCode=""), "RES-5")
    assert f"a city that is not in the address's country ({said}): '{city}' (E-" in found["sentence"]


@pytest.mark.parametrize(
    ("city", "country"),
    [
        ("Paris", "US"), ("London", "CA"), ("Athens", "USA"), ("Bergen", "NL"), ("Bergen", "NO"), ("Köln", "DE"), ("Paris 15", "France"), ("Boston", "GB"), ("Perth", "GB"),
        ("Naples", "US"), ("Paris Street", "GB"), ("East London", "ZA"), ("London", "Utopia"), ("St Petersburg", "US"), ("Berlin", "Deutschland"), ("Valencia", "FR"), ("Londonderry", "GB"),
    ],
)  # fmt: skip
def test_a_city_in_its_country_and_its_namesakes_are_no_finding(city: str, country: str) -> None:
    assert finding(at_address(city=city, country=country, postalCode=""), "RES-5")["outcome"] == "CLEAR"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("c/o Smith, 4 High Street", "LS1 1AA", "an address in care of somebody else"), ("C/O J. Doe, 12 Park Road", "LS1 1AA", "an address in care of somebody else"),
        ("Care of Brown, 3 Low Street", "LS1 1AA", "an address in care of somebody else"), ("HMP Leeds, 2 Gloucester Terrace", "LS12 2TJ", "a prison"), ("HM Prison Wandsworth", "SW18 3HU", "a prison"),
        ("Mailbox 214, 4 High Street", "LS1 1AA", "a mail drop"), ("PMB 123, 4 High Street", "LS1 1AA", "a mail drop"), ("Mail Boxes Etc, 9 Station Road", "LS1 1AA", "a mail drop"), ("Packstation 145", "10115", "a mail drop"),
        ("27 Old Gloucester Street", "WC1N 3AX", "a mail drop"), ("71-75 Shelton Street, Covent Garden", "WC2H 9JQ", "a mail drop"), ("BM 4471", "WC1N 3XX", "a mail drop"), ("Virtual Office 12, 4 High Street", "LS1 1AA", "a mail drop"),
    ],
)  # fmt: skip
def test_an_address_at_which_nobody_lives_is_a_finding(line: str, code: str, said: str) -> None:
    country = "DE" if code.isdigit() else "GB"
    found = finding(at_address(addressLine1=line, postalCode=code, country=country), "RES-5")
    assert f"{said}, which is not a home, as the address: '{line}' (E-" in found["sentence"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("4 Mailbox Lane", "LS1 1AA"), ("The Mailbox, Wharfside Street", "LS1 1AA"), ("12 Prison Lane", "LS1 1AA"), ("The Old Prison, 4 Castle Road", "LS1 1AA"), ("27 Old Gloucester Street", "LS1 1AA"), ("29 Old Gloucester Street", "WC1N 3AF"),
        ("4 BM Street", "LS1 1AA"), ("12 Regusborough Way", "LS1 1AA"), ("Flat C, 4 O Street", "LS1 1AA"), ("4 Coe Street", "LS1 1AA"), ("Careof House, 4 High Street", "LS1 1AA"),
    ],
)  # fmt: skip
def test_a_home_with_a_name_like_a_mail_drop_is_no_finding(line: str, code: str) -> None:
    assert finding(at_address(addressLine1=line, postalCode=code), "RES-5")["outcome"] == "CLEAR"
