"""Addresses as a person and a utility bill write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, RESULTS
from tests.triage.test_evaluate import changed, level, triage

from kycpack.triage.addresses import address_likeness as addresses
from kycpack.triage.addresses.address_likeness import PostalAddress, compare_addresses
from kycpack.triage.likeness import WORDS, Likeness

HOME = PostalAddress("12 High Street", "Leeds", "LS1 1AA", "GB")


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (PostalAddress("12 HIGH ST", "LEEDS", "ls11aa", "gb"), "equal"),
        (PostalAddress("12 Hihg Street", "Leeds", "LS1 1AA", "GB"), "similar"),
        (PostalAddress("Flat 3, 12 High Street", "Leeds", "LS1 1AA", "GB"), "similar"),
        (PostalAddress("12 High Street", "Leeds", None, "GB"), "similar"),
        (PostalAddress("14 High Street", "Leeds", "LS1 1AA", "GB"), "different"),
        (PostalAddress("12 High Street", "Leeds", "LS1 1AB", "GB"), "different"),
        (PostalAddress("12 High Street", "Leeds", "LS1 1AA", "US"), "different"),
        (PostalAddress("9 Low Road", "York", "YO1 1AA", "GB"), "different"),
    ],
)
def test_verdicts(other: PostalAddress, verdict: str) -> None:
    assert compare_addresses(HOME, other).verdict == verdict
    assert compare_addresses(other, HOME).verdict == verdict


parts = st.none() | st.text(max_size=12)


@given(
    st.builds(PostalAddress, parts, parts, parts, parts), st.builds(PostalAddress, parts, parts, parts, parts)
)
def test_any_text_gives_a_verdict(one: PostalAddress, other: PostalAddress) -> None:
    found = compare_addresses(one, other)
    verdict, score, reason = found.verdict, found.score, found.reason
    assert verdict in {"equal", "similar", "different"}
    assert 0 <= score <= 1
    assert reason


def _line(text: str) -> PostalAddress:
    return PostalAddress(text, None, None, None)


@pytest.mark.parametrize(
    ("left", "right", "verdict", "kinds"),
    [
        ("Flat 1, 2 High Street, Leeds LS1 1AA", "Flat 2, 1 High Street, Leeds LS1 1AA", "different", ()),
        ("Flat 4, 2 High Street, Leeds LS1 1AA", "Flat 5, 2 High Street, Leeds LS1 1AA", "different", ()),
        ("Linzer Gasse 5/3/12, 1100 Wien", "Linzer Gasse 5/12/3, 1100 Wien", "different", ()),
        ("Linzer Gasse 5/3/12, 1100 Wien", "LINZER GASSE 5 / 3 / 12, 1100 Wien", "equal", ("format",)),
        ("5-9-22 Lake Road, Hyderabad 500001", "5-22-9 Lake Road, Hyderabad 500001", "different", ()),
        ("30 Soi 12 Rama 3 Road, Bangkok", "30 Soi 3 Rama 12 Road, Bangkok", "different", ()),
        ("PO Box 12, Leeds LS1 1AA", "12 Station Road, Leeds LS1 1AA", "different", ()),
        ("12 High Street, Leeds LS1 1AA", "12 Low Street, Leeds LS1 1AA", "different", ()),
        ("Floor 2, 6 Tower Road, Leeds", "Floor 6, 2 Tower Road, Leeds", "different", ()),
        ("12 High Street, Leeds, GB", "12 High Street, Leeds, United Kingdom", "equal", ("format",)),
        ("12 High Street, Leeds, England", "12 High Street, Leeds, UK", "equal", ("format",)),
        ("Leeds LS1 1AA, 12 High Street", "12 High Street, Leeds LS1 1AA", "equal", ("format",)),
        ("Leeds", "Leeds", "similar", ("place_only",)),
        ("Leeds", "12 High Street, Leeds", "similar", ("missing_part", "number_missing", "place_only")),
        ("Bahnhofstraße 7, 80331 München", "Bahnhofstr. 7, 80331 Munich", "equal", ("format",)),
        ("5 St John's Road, Bath", "5 Saint John's Rd, Bath", "equal", ("format",)),
        ("5 St. Johns Road, Bath", "5 Saint Marys Road, Bath", "different", ()),
        ("12 High Street, Leeds LS1 1AA", "12 Hihg Street, Leeds LS1 1AA", "similar", ("slip",)),
        ("The Old School, 12 Green Lane", "12 The Old School, Green Lane", "similar", ("number_role",)),
        ("The Old School, 12 Green Lane", "12 The Old School Green Lane", "similar", ("number_role",)),
        ("The Old School 12, Green Lane", "The Old School, 12 Green Lane", "similar", ("number_role",)),
        ("12 Elm Court, Green Lane", "12 Green Lane", "similar", ("missing_part", "number_role")),
        ("The Old School, 12 Green Lane", "12 Green Ln, Old School", "equal", ("format",)),
        ("The Old School, 12 Green Lane", "Old School, 12, Green Lane", "equal", ("format",)),
        ("Rue de la Paix 12, 75002 Paris", "12 rue de la Paix, 75002 Paris", "equal", ("format",)),
        ("12 Avenida Central, Madrid", "12 Central Avenue, Madrid", "equal", ("format",)),
        ("4/2 High Street, Edinburgh", "Flat 2, 4 High Street, Edinburgh", "similar", ("number_role",)),
        ("4/2 High Street, Edinburgh", "2/4 High Street, Edinburgh", "similar", ("number_role",)),
        ("2/4 High Street, Edinburgh", "Flat 2, 4 High Street, Edinburgh", "similar", ("number_role",)),
        ("4/2 High Street, Edinburgh", "4 / 2 High St, Edinburgh", "equal", ("format",)),
        ("4/2 High Street, Edinburgh", "Flat 3, 4 High Street, Edinburgh", "different", ()),
        ("4/2 High Street, Edinburgh", "4 High Street, Edinburgh", "similar", ("number_missing",)),
        ("2/1, 4 High Street, Glasgow", "Flat 2/1, 4 High Street, Glasgow", "equal", ("format",)),
        ("2/1, 4 High Street, Glasgow", "Flat 1/2, 4 High Street, Glasgow", "different", ()),
        ("ul. Długa 12/4, Kraków, PL", "ul. Długa 12 m. 4, Kraków, PL", "equal", ("format",)),
    ],
)
def test_numbers_keep_their_role(left: str, right: str, verdict: str, kinds: tuple[str, ...]) -> None:
    for found in (compare_addresses(_line(left), _line(right)), compare_addresses(_line(right), _line(left))):
        assert (found.verdict, found.kinds) == (verdict, kinds)


@pytest.mark.parametrize("country", ["GB", "GBR", "UK", "United Kingdom", "England", "great britain"])
def test_spellings_of_one_country(country: str) -> None:
    other = PostalAddress(HOME.line, HOME.city, HOME.postal_code, country)
    assert compare_addresses(HOME, other).verdict == "equal"


LEEDS = ("2 High Street", "Leeds", "LS1 1AA", "GB")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (("2 Low Street", "Leeds", "LS1 1AA", "GB"), "another street"),
        (("2 High Street", "York", "LS1 1AA", "GB"), "another town"),
        (("2 Low Street", "York", "LS1 1AA", "GB"), "another street and town"),
        (("3 High Street", "Leeds", "LS1 1AA", "GB"), "another house number"),
        (("2 High Street", "Leeds", None, "GB"), "only one has a postal code"),
        (("Flat 4, 2 High Street", "Leeds", "LS1 1AA", "GB"), "only one has a flat"),
        (("High Street", "Leeds", None, "GB"), "only one has a postal code and a house number"),
        (
            ("2 high st", "LEEDS", "LS1 1AA", "GB"),
            "the same apart from case, accents, order and abbreviations",
        ),
    ],
)
def test_the_reason_says_which_part_differs(other: tuple[str | None, ...], reason: str) -> None:
    for found in (
        compare_addresses(PostalAddress(*LEEDS), PostalAddress(*other)),
        compare_addresses(PostalAddress(*other), PostalAddress(*LEEDS)),
    ):
        assert found.reason.split(";")[0] == reason


@pytest.mark.parametrize(
    ("second", "other", "verdict", "reason"),
    [
        ("Flat 22", LEEDS, "similar", "only one has a flat"),
        ("Flat 22, Elm House", LEEDS, "similar", "only one has a flat"),
        ("2nd floor", LEEDS, "similar", "only one has a floor"),
        ("PO Box 7", LEEDS, "similar", "only one has a PO box"),
        ("Holbeck", LEEDS, "equal", None),
        ("Flat 22", ("Flat 22, 2 High St", "Leeds", "LS1 1AA", "GB"), "equal", None),
        ("Flat 22", ("Flat 7, 2 High Street", "Leeds", "LS1 1AA", "GB"), "different", "another flat"),
        ("Flat 22", ("3 High Street", "Leeds", "LS1 1AA", "GB"), "different", "another house number"),
        ("Holbeck", ("2 High Street, Headingley", "Leeds", "LS1 1AA", "GB"), "similar", None),
        ("Holbeck", ("Flat 7, 2 High Street", "Leeds", "LS1 1AA", "GB"), "similar", "only one has a flat"),
    ],
)
def test_a_second_line_counts_where_the_other_source_contradicts_it(
    second: str, other: tuple[str, str, str, str], verdict: str, reason: str | None
) -> None:
    full = PostalAddress(*LEEDS, second_line=second)
    for found in (
        compare_addresses(full, PostalAddress(*other)),
        compare_addresses(PostalAddress(*other), full),
    ):
        assert found.verdict == verdict
        assert reason is None or found.reason.split("; it")[0].startswith(reason)


def test_the_same_text_is_the_same_address_without_being_read_only_where_reading_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = (
        "12 High Street", "12 A", "7 Dublin 2", "1 AB1 2CD", "12 GB, GB", "12 United Kingdom", "3 B.P. 4", "5 PO Box 9", "8 bis", "9 nd Street",
        "1 floor", "12 flat b", "12 The", "12 High Street #3", "1234 Zuerich", "12345 Berlin", "12-345 Lodz", "High Street", "", "12", "12 -", "12 路",
    )  # fmt: skip
    places = (
        ("Leeds", "LS1 1AA", "GB"),
        (None, "LS1", None),
        ("Leeds", " ", "GB"),
        ("", "-", None),
        ("12", "12", "12"),
    )
    alone = [PostalAddress(line, *place, second) for line in lines for place in places for second in (None, "Flat 22", "GB")]  # fmt: skip
    found = [compare_addresses(one, one) for one in alone]
    assert {verdict for verdict, *_ in found} == {"equal", "similar", "different"}
    monkeypatch.setattr(addresses, "_is_of_a_house", lambda _: False)
    assert found == [compare_addresses(one, one) for one in alone]


@pytest.mark.parametrize("form", ["Flat 4, 12 High Street", "12 High Street, Flat 4", "12 High Street"])
def test_a_flat_that_only_one_names_has_a_kind_of_its_own_and_never_reads_as_equal(form: str) -> None:
    second = "Flat 4" if form == "12 High Street" else None
    for left, right in (
        (HOME._replace(line=form, second_line=second), HOME),
        (HOME, HOME._replace(line=form, second_line=second)),
    ):
        found = compare_addresses(left, right)
        assert (found.verdict, found.score, found.reason) == ("similar", 0.95, "only one has a flat")
        assert found.kinds == ("number_missing",)


def test_two_flats_in_the_second_lines_are_two_addresses() -> None:
    found = compare_addresses(HOME._replace(second_line="Flat 4"), HOME._replace(second_line="Flat 5"))
    assert (found.verdict, found.reason) == ("different", "another flat")
    same = compare_addresses(HOME._replace(second_line="Flat 4"), HOME._replace(second_line="Apt 4"))
    assert same.verdict == "equal"


def test_a_postal_code_or_a_town_that_is_missing_is_no_missing_number() -> None:
    found = compare_addresses(HOME._replace(postal_code=None), HOME._replace(city=None))
    assert "number_missing" not in found.kinds


@pytest.mark.parametrize(
    ("line", "city", "code", "country"),
    [
        ("Rose Cottage", "Hexham", "NE46 4QR", "GB"),
        ("Rose Cottage, Gallows Bank", "Hexham", "NE46 4QR", "United Kingdom"),
        ("Les Ormes, La Route de la Haule", "St Peter", "JE3 7AH", "JE"),
        ("Knockbrack", "Letterkenny", "F92 K7X4", "IE"),
        ("The Old Rectory", "Diss", "IP22 1AA", "GB"),
    ],
)
def test_a_house_without_a_number_is_equal_to_itself(line: str, city: str, code: str, country: str) -> None:
    one = PostalAddress(line, city, code, country)
    assert compare_addresses(one, one).verdict == "equal"
    assert compare_addresses(one, one._replace(line=line.upper(), city=city.upper())).verdict == "equal"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PostalAddress("Leeds", "Leeds", "LS1 1AA", "GB"),) * 2,
        (PostalAddress("High Street", "Leeds", "LS1 1AA", "GB"),) * 2,
        (PostalAddress("Headingley", "Leeds", "LS1 1AA", "GB"),) * 2,
        (PostalAddress("Rose Cottage", "Hexham", None, "GB"),) * 2,
        (PostalAddress("Rose Cottage", "Lyon", "69001", "FR"),) * 2,
        (PostalAddress("Rose Cottage", "Hexham", "NE46 4QR", "GB"), PostalAddress("Ivy Cottage", "Hexham", "NE46 4QR", "GB")),
        (PostalAddress("Rose Cottage", "Hexham", "NE46 4QR", "GB"), PostalAddress("Rose Cottage", "Hexham", "NE46 4QS", "GB")),
        (PostalAddress("Rose Cottage", "Hexham", "NE46 4QR", "GB"), PostalAddress("Hexham", "Hexham", "NE46 4QR", "GB")),
    ],
)  # fmt: skip
def test_a_street_a_place_or_another_house_without_a_number_is_not(
    one: PostalAddress, other: PostalAddress
) -> None:
    found = compare_addresses(one, other)
    assert found.verdict == "different" or "place_only" in found.kinds


@pytest.mark.parametrize(
    ("line", "second", "verdict"),
    [
        ("Birchwood", "14 Linn Brae", "equal"),
        ("Bryn Awel", "Heol y Dderwen", "equal"),
        ("Birchwood", "Aberdeen", "similar"),
        ("High Street", "14 Linn Brae", "similar"),
        ("Birchwood", "Flat 2", "similar"),
    ],
)
def test_a_street_in_the_second_line_shows_that_the_first_names_a_house(
    line: str, second: str, verdict: str
) -> None:
    proof = PostalAddress(line, "Aberdeen", "AB15 9EL", "GB")
    for found in (
        compare_addresses(proof._replace(second_line=second), proof),
        compare_addresses(proof, proof._replace(second_line=second)),
    ):
        assert found.verdict == verdict


@pytest.mark.parametrize(
    ("one", "other", "kind", "reason"),
    [
        ("9 The Grove", "9 Grove Lane", "street_word", None),
        ("9 The Limes", "9 Limes Avenue", "street_word", None),
        ("9 Castle Street", "9 Castle Street Mews", "street_word", None),
        ("9 Elm Tree Road", "9 Elm Road", "street_word", None),
        ("9 Bridge Road", "9 Old Bridge Road", "street_word", None),
        ("9 Queen Street", "9 Queen Street West", "street_word", None),
        ("9 Abbey Road", "9 Abbey Road Villas", "street_word", None),
        ("9 East Hill Road", "9 Hill Road East", "order", None),
        ("9 Park Avenue", "9 Avenue Park", "order", None),
        ("Green House, 9 Green Lane", "9 Green House, Green Lane", "number_role", "a number is with a different part"),
        ("The Old Chapel, 9 Chapel Lane", "9 The Old Chapel, Chapel Lane", "number_role", "a number is with a different part"),
        ("9 Elm Road", "never 9 Elm Road", "denied", None),
        ("9 Elm Road", "9 Elm Road (vacated)", "denied", None),
        ("9 Elm Road", "formerly of 9 Elm Road", "denied", None),
        ("9 Elm Road", "9 Elm Road, verzogen", "denied", None),
        ("9 Elm Road", "c/o Haddad, 9 Elm Road", "mail_drop", "only one is an address in care of somebody else"),
        ("9 Elm Road", "HMP Elm, 9 Elm Road", "mail_drop", "only one is a prison"),
        ("Flat 4, 9 Elm Road", "Room 4, 9 Elm Road", "number_role", "one has a flat where the other has a room"),
        ("Flat 4, 9 Elm Road", "9 Elm Road, 4th floor", "number_role", "one has a flat where the other has a floor"),
        ("Flat 4, 9 Elm Road", "Unit 4, 9 Elm Road", "number_role", "one has a flat where the other has a unit"),
        ("Suite 4, 9 Elm Road", "Unit 4, 9 Elm Road", "number_role", "one has a suite where the other has a unit"),
        ("9-11 Elm Road", "9 Elm Road", "number_role", "only one has a range of house numbers"),
        ("10 Elm Road", "9-11 Elm Road", "number_role", "only one has a range of house numbers"),
    ],
)  # fmt: skip
def test_addresses_of_one_post_code_that_may_be_two_places_say_why(
    one: str, other: str, kind: str, reason: str | None
) -> None:
    for found in (_in_leeds(one, other), _in_leeds(other, one)):
        assert (found.verdict, found.kinds) == ("similar", (kind,))
        assert found.reason == (reason or WORDS[kind])


def _in_leeds(one: str, other: str) -> Likeness:
    return compare_addresses(HOME._replace(line=one), HOME._replace(line=other))


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Second Floor Flat, 9 Elm Road", "Ground Floor Flat, 9 Elm Road", "another floor"),
        ("Basement Flat, 9 Elm Road", "Top Floor Flat, 9 Elm Road", "another floor"),
        ("Holly Cottage, Mill Lane", "Fern Cottage, Mill Lane", "another house name"),
        ("The Old Barn, 9 Mill Lane", "The New Barn, 9 Mill Lane", "another house name"),
        ("9 Elm Road, Holbeck", "9 Elm Road, Headingley", "another house name or district"),
        ("9-11 Elm Road", "13 Elm Road", "another house number"),
        ("9-11 Elm Road", "9-13 Elm Road", "another house number"),
    ],
)
def test_another_floor_house_or_district_is_not_called_another_street(
    one: str, other: str, reason: str
) -> None:
    for found in (_in_leeds(one, other), _in_leeds(other, one)):
        assert (found.verdict, found.reason) == ("different", reason)


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("9 Elm Road", "9 Elm Road, Headingley", ("missing_part",)),
        ("9 Elm Road", "Holly Cottage, 9 Elm Road", ("missing_part",)),
        ("9 Elm Road", "Elm Cottage, 9 Elm Road", ("missing_part",)),
        ("9 Elm Road Headingley", "9 Elm Road", ("missing_part",)),
        ("9 Elm Road Headingley", "9 Elm Road, Headingley", ("format",)),
        ("9 The Grove", "9 Grove", ("format",)),
        ("9 - 11 Elm Road", "9\u201311 Elm Rd", ("format",)),
        ("First Floor Flat, 9 Elm Road", "1st Floor, 9 Elm Road", ("format",)),
        ("Apt 4, 9 Elm Road", "Flat 4, 9 Elm Road", ("format",)),
    ],
)
def test_a_district_a_house_name_or_another_form_asks_for_no_look(
    one: str, other: str, kinds: tuple[str, ...]
) -> None:
    for found in (_in_leeds(one, other), _in_leeds(other, one)):
        assert found.kinds == kinds


@pytest.mark.parametrize(
    ("one", "other", "verdict", "reason"),
    [
        (("Calle Luna 9, 3º C", "Madrid", "28004", "ES"), ("Calle Luna 9, 3º D", "Madrid", "28004", "ES"), "different", "another flat"),
        (("Calle Luna 9, 3º izq", "Madrid", "28004", "ES"), ("Calle Luna 9, 3º dcha.", "Madrid", "28004", "ES"), "different", "another flat"),
        (("Calle Luna 9, 3º C", "Madrid", "28004", "ES"), ("C. Luna 9, planta 3, piso C", "Madrid", "28004", "ES"), "equal", None),
        (("Laan 9", "Den Bosch", "5211 AA", "NL"), ("Laan 9", "'s-Hertogenbosch", "5211AA", "NL"), "equal", None),
        (("Laan 9", "'s-Gravenhage", "2511 AA", "NL"), ("Laan 9", "The Hague", "2511AA", "NL"), "equal", None),
        (("9 Main St", "Mesa", "85201", "US"), ("9 Main Street", "Mesa", "85201-1234", "US"), "equal", None),
        (("9 Main St", "Mesa", "85201-4321", "US"), ("9 Main Street", "Mesa", "85201-1234", "US"), "different", "another postal code"),
        (("9 Main St Unit 4", "Mesa", "85201", "US"), ("9 Main St Apt 4", "Mesa", "85201", "US"), "equal", None),
        (("9 Main St Ste 4", "Mesa", "85201", "US"), ("9 Main St Apt 4", "Mesa", "85201", "US"), "similar", "one has a flat where the other has a suite"),
    ],
)  # fmt: skip
def test_forms_of_other_countries(
    one: tuple[str, ...], other: tuple[str, ...], verdict: str, reason: str | None
) -> None:
    for found in (
        compare_addresses(PostalAddress(*one), PostalAddress(*other)),
        compare_addresses(PostalAddress(*other), PostalAddress(*one)),
    ):
        assert found.verdict == verdict
        assert reason is None or found.reason == reason


@pytest.mark.parametrize("second", ["(previous)", "c/o Haddad", "HMP Elm"])
def test_a_second_line_that_denies_the_address_is_not_left_out(second: str) -> None:
    assert compare_addresses(HOME._replace(second_line=second), HOME).verdict == "similar"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("12 High Street, Holbeck", "approve"),
        ("12 High Street Mews", "review"),
        ("not 12 High Street", "review"),
        ("Room 3, 12 High Street", "approve"),
    ],
)
def test_a_proof_of_address_that_may_be_of_another_place_is_reviewed(line: str, expected: str) -> None:
    address = RECORD["address"] | {"addressLine1": "12 High Street"}
    extracted = RESULTS["address"]["extractedAddress"] | {"addressLine1": line}
    made = triage(
        record=RECORD | {"address": address}, results=changed("address.extractedAddress", extracted)
    )
    assert level(made) == expected
