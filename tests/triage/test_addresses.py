"""Addresses as a person and a utility bill write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.triage import addresses
from kycpack.triage.addresses import PostalAddress, compare_addresses

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
