"""A name that a member gives in another script, language or reading is compared with the holder's, wherever its variant stands in the path."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

GIVEN = [
    "document.holder.firstNameLatin", "document.holder.first_name_latin", "document.holder.firstName_en", "document.holder.givenNamesLatin", "document.holder.givenNameAscii",
    "document.holder.names.native.first", "document.holder.firstLatinName", "document.holder.vorname", "document.holder.prénom", "person.imię", "identity.person.mrzGivenNames",
    "document.holder.name.latin.given", "document.holder.firstNameKana", "extra.person.firstNameLatin", "document.holder.firstNameLatin1",
]  # fmt: skip
FAMILY = [
    "document.mrzSurname", "document.document.mrzSurname", "identity.person.surnameMrz", "document.ocr.surnameOcr", "document.holder.surnameLocal", "document.holder.lastNameNative",
    "document.holder.lastNameTransliterated", "document.holder.nachname", "document.holder.apellidos", "document.holder.names.en.last", "document.holder.lastName_native",
]  # fmt: skip
WHOLE = [
    "document.holder.fullNameEnglish", "document.holder.nameNative", "document.holder.nameLatin1", "document.nameTransliterated", "document.holder.name.cyrillic",
    "document.holder.names.latin", "person.fullNameCyrillic", "address.proofOfAddress.name", "proofOfAddress.name", "address.proof.name", "address.bill.name",
    "address.utilityBill.name", "document.holder.native.name", "document.holder.nombreCompleto", "address.bankStatement.name",
]  # fmt: skip


@pytest.mark.parametrize(
    ("paths", "ours", "other", "detail"),
    [
        (GIVEN, "Ada", "Bob", "given name"),
        (FAMILY, "Byron", "Smith", "family name"),
        (WHOLE, "Ada Byron", "Bob Smith", "name"),
    ],
)
def test_a_variant_of_a_name_is_compared(paths: list[str], ours: str, other: str, detail: str) -> None:
    for path in paths:
        assert level(triage(results=put(path, ours))) == "approve", path
        made = triage(results=put(path, other))
        assert level(made) == "review", path
        assert f"another {detail} " in finding(made, "RES-5")["sentence"], path


def test_a_name_in_another_script_is_the_same_name_or_another() -> None:
    assert level(triage(results=put("document.holder.nameNative", "Ада Байрон"))) == "approve"
    assert level(triage(results=put("document.holder.nameNative", "Иван Петров"))) == "review"
    holder = {**RESULTS["document"]["holder"], "nativeScript": {"script": "Cyrl", "firstName": "Ада"}}
    assert level(triage(results=put("document.holder", holder))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.holder.birthName", "Smith"),
        ("address.proofOfAddress.name", "Utility bill"),
        ("address.bill.name", "council tax bill"),
        ("document.document.localName", "Führerschein"),
    ],
)
def test_what_is_no_name_of_the_holder_now_is_not_compared(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("weiblich", "approve"),
        ("F", "approve"),
        ("жіноча", "approve"),
        ("männlich", "review"),
        ("M", "review"),
    ],
)
def test_a_sex_in_another_language_is_compared(value: str, expected: str) -> None:
    results = put("document.holder.sex", "F")
    assert level(triage(results=put("document.holder.genderLocal", value, results))) == expected
