"""A word for the state of a document is no name, no place and no number, in whatever member it stands."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RECORD
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank

MEMBERS = [
    "document.holder.birthName",
    "document.holder.maidenName",
    "document.holder.middleName",
    "document.holder.placeOfBirth",
    "document.holder.fathersName",
    "document.holder.placeOfBirth.city",
    "document.document.issuingAuthority",
    "document.document.placeOfIssue",
    "document.chip.placeOfBirth",
    "address.extractedAddress.addressLine2",
    "address.extractedAddress.county",
    "address.bill.supplier",
]
STATES = [
    "overprinted", "OVERPRINTED", "Illegible", "not readable", "Partly covered", "void", "Blank", "smudged", "scuffed and creased",
    "unleserlich", "illisible",
]  # fmt: skip


@pytest.mark.parametrize("path", MEMBERS)
@pytest.mark.parametrize("value", STATES)
def test_a_state_in_place_of_data_is_reviewed(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("value", ["washed out", "rubbed off", "behind a thumb"])
def test_a_description_that_nobody_listed_is_reviewed_in_place_of_a_name_or_a_place(value: str) -> None:
    for path in MEMBERS[:4]:
        assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("value", ["Void", "BLANK", "Sample"])
def test_somebody_with_such_a_name_is_looked_at(value: str) -> None:
    assert level(triage(results=put("document.holder.birthName", value))) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.birthName", "Kowalska"),
        ("document.holder.birthName", "GRANT"),
        ("document.holder.middleName", "Anne-Marie"),
        ("document.holder.middleName", "Amber"),
        ("document.holder.maidenName", "de la Cruz"),
        ("document.holder.placeOfBirth", "LEEDS"),
        ("document.holder.placeOfBirth", "Łódź"),
        ("document.document.issuingAuthority", "HM Passport Office"),
        ("document.document.placeOfIssue", "Leer"),
        ("address.extractedAddress.addressLine2", "Flat 2"),
        ("address.extractedAddress.county", "West Yorkshire"),
        ("address.bill.supplier", "Northern Water"),
    ],
)
def test_a_name_or_a_place_is_data(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"


IN_ORDER = [
    "legible", "Legible", "LEGIBLE", "readable", "clearly legible", "Legible text", "Captured", "EXTRACTED", "Present", "Provided", "on file", "Verified",
    "valid", "Ok", "clear", "Match", "Genuine", "complete", "lisible", "Lesbar", "yes",
]  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        *(
            path
            for path in MEMBERS
            if path.startswith(("document.holder.", "document.document.", "address.extracted"))
        ),
        "document.holder.personalNumber",
        "document.holder.nationalIdNumber",
        "document.document.issueDate",
        "document.document.dateOfIssue",
        "document.holder.sex",
        "document.holder.eyeColour",
        "address.extractedAddress.state",
    ],
)
@pytest.mark.parametrize("value", IN_ORDER)
def test_a_word_that_data_is_in_order_is_no_data(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    "path", ["document.chip.placeOfBirth", "document.mrz.surname", "address.bill.supplier"]
)
@pytest.mark.parametrize("value", ["legible", "Legible", "Captured", "Present", "intact"])
def test_in_another_reading_of_the_document_a_state_is_no_data_either(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.birthName", "Sharp"),
        ("document.holder.birthName", "GOOD"),
        ("document.holder.middleName", "Clear Water"),
        ("document.holder.placeOfBirth", "Reading"),
        ("document.holder.placeOfBirth", "Normal"),
        ("document.document.validity", "valid"),
        ("document.document.readability", "legible"),
        ("document.document.mrz", "readable"),
        ("document.holder.nameMatch", "match"),
        ("document.document.numberCheck", "valid"),
        ("document.holder.placeOfBirthCheck", "passed"),
        ("document.document.state", "valid"),
        ("document.chip.dateOfBirth", "match"),
    ],
)
def test_a_name_that_is_also_a_word_for_a_state_and_a_verdict_of_its_own_are_fine(
    path: str, value: str
) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize("path", MEMBERS[:4])
@pytest.mark.parametrize(
    "value",
    [
        "overwritten by hand", "(see page 4)", "XXXXX", "xxx", "????", "TEST", "OCR error", "Error", "Low Confidence", "Manual Review", "Mismatch", "Unclear Scan",
        "Under Sticker", "Not an authority", "not a name", "Information not on document", "Same As Above", "See Notes", "Ada Byr?n", "B*****", "{{placeOfBirth}}",
        "Redacted By Holder", "Out Of Frame", "Changed With Pen", "Different From MRZ", "Does Not Match", "Extraction Failed", "Requires Manual Check", "Wrong Font", "Matches MRZ",
    ],
)  # fmt: skip
def test_a_remark_in_place_of_a_name_or_a_place_is_reviewed(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    "value",
    [
        "Burnt Oak",
        "Broken Hill",
        "Marie Page",
        "Confidence",
        "Stamp",
        "Can",
        "Aaa Vi",
        "Ng",
        "O'Brien-Smith",
        "Paris 12",
        "St. Ives (Cornwall)",
        "Bad Homburg v. d. Höhe",
    ],
)
def test_a_name_with_a_word_for_a_state_in_it_is_a_name(value: str) -> None:
    assert level(triage(results=put("document.holder.placeOfBirth", value))) == "approve"
    assert level(triage(results=put("document.holder.birthName", value))) == "approve"


def test_a_number_is_no_name_of_a_person() -> None:
    assert level(triage(results=put("document.holder.birthName", "12345"))) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.data.placeOfBirth", "Reading"),
        ("document.data.placeOfBirth", "READING"),
        ("address.city", "Reading"),
        ("document.data.birthName", "Original"),
    ],
)
def test_a_town_or_a_person_may_be_called_as_what_needs_a_review(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"
    assert level(triage(results=put(path, value.lower()))) == "review"


OF_DATA = [
    "document.data.birthName",
    "document.data.placeOfBirth",
    "document.data.middleName",
    "document.data.dateOfIssue",
    "document.data.personalNumber",
    "document.data.eyeColour",
    "document.data.issuedBy",
    "document.data.religion",
    "document.fields.birthName",
    "document.extracted.fathersName",
    "document.chip.birthName",
    "identity.person.birthName",
    "address.data.street",
    "address.bill.supplier",
]


@pytest.mark.parametrize("path", OF_DATA)
@pytest.mark.parametrize("value", ["Valid", "valid", "Clear", "passed", "ok", "Verified", "approved"])
def test_a_good_verdict_in_place_of_data_is_reviewed_wherever_data_is_known(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize("path", OF_DATA)
@pytest.mark.parametrize("value", ["forged", "rejected", "suspected"])
def test_a_word_of_trouble_in_place_of_data_is_a_hit(path: str, value: str) -> None:
    made = triage(results=put(path, value))
    assert not made.findings[
        (made.findings["rule_id"] == "RES-2") & (made.findings["outcome"] == "HIT")
    ].empty


def test_a_word_for_good_quality_is_no_date_and_no_colour() -> None:
    for path in ("document.data.dateOfIssue", "document.data.eyeColour", "document.holder.religion"):
        assert level(triage(results=put(path, "Good"))) == "review"


@pytest.mark.parametrize("name", ["Valid", "VALID", "Clear", "Good", "Fine", "Pass", "Match"])
def test_somebody_whose_recorded_name_is_such_a_word_is_not_reviewed_for_it(name: str) -> None:
    results = put("document.holder.lastName", name)
    for path in ("document.data.birthName", "document.data.surname", "document.holder.birthName"):
        assert (
            level(triage(results=put(path, name, results), record={**RECORD, "lastName": name})) == "approve"
        )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.data.birthName", "Good"),
        ("document.data.birthName", "Fine"),
        ("document.data.placeOfBirth", "Reading"),
        ("document.data.placeOfBirth", "READING"),
        ("address.data.street", "Pass Road"),
        ("address.data.street", "Clear Lane"),
        ("address.bill.supplier", "Good Energy"),
        ("document.data.eyeColour", "green"),
        ("document.chip.dateOfBirth", "match"),
        ("document.data.nameMatch", "match"),
    ],
)
def test_data_beside_such_words_is_data(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    "path", ["document.data.birthName", "document.data.status", "document.holder.occupation"]
)
def test_such_a_name_excuses_no_verdict_elsewhere_and_no_other_word(path: str) -> None:
    results = put("document.holder.lastName", "Valid")
    record = {**RECORD, "lastName": "Valid"}
    assert level(triage(results=put(path, "rejected", results), record=record)) != "approve"
    assert level(triage(results=put("identity.person2.name", "Valid", results), record=record)) != "approve"


@pytest.mark.parametrize("path", ["document.data.documentNumber", "document.fields.documentNumber"])
@pytest.mark.parametrize("value", ["Valid", "passed", "ok"])
def test_a_number_that_is_said_to_be_valid_among_data_is_no_comparison(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "review"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("bureau.name", "match"),
        ("bureau.address", "match"),
        ("electoralRoll.address", "confirmed"),
        ("identity.address", "verified"),
        ("identity.phoneNumber", "verified"),
        ("contact.phoneNumber", "verified"),
        ("contact.emailAddress", "valid"),
        ("address.city", "match"),
        ("document.comparison.birthName", "match"),
        ("document.mrz.documentNumber", "valid"),
    ],
)
def test_what_a_register_or_a_comparison_says_of_a_detail_is_fine(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    "path", ["document.data.birthName", "document.birthName", "document.fields.placeOfBirth"]
)
@pytest.mark.parametrize("value", ["12345", "1", "XXXXX", "????", "OCR error", "Low Confidence Extraction"])
def test_a_mark_a_number_or_a_remark_is_no_name_wherever_data_is_known(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "review"


@pytest.mark.parametrize("path", ["document.holder.birthName", "document.data.placeOfBirth"])
@pytest.mark.parametrize("value", ["Bad", "Medium", "Deny", "Vérifié", "Verificado", "Unconfirmed"])
def test_a_grade_or_a_verdict_in_another_language_is_no_name(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "review"


@pytest.mark.parametrize("name", ["подделка", "偽造", "___", ""])
@pytest.mark.parametrize("value", ["1", "12345", "Void", "Leeds", True, 3, ["1"], {"a": "1"}])
def test_a_member_whose_name_has_no_latin_letters_is_reviewed_and_hides_nothing(
    name: str, value: object
) -> None:
    for path in ("document", "address", "document.holder", "document.chip"):
        assert rank(level(triage(results=put(f"{path}.{name}", value)))) >= rank("review")
