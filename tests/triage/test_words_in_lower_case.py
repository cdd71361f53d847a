"""Words in small letters alone describe something: they are no name, no town and no title, whatever their member is called."""

from __future__ import annotations

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("geolocation.city", "unsuccessful"),
        ("geolocation.city", "не пройдено"),
        ("phone.country", "hacked"),
        ("bank.ibanCountry", "borrowed"),
        ("document.classification.country", "illegible"),
        ("document.photo.url", "illegible"),
        ("document.chip.publisher", "home made"),
        ("network.address", "из другой страны"),
        ("device.agent", "remote control tool"),
    ],
)
def test_a_description_is_reviewed(path: str, value: str) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("geolocation.city", "Leeds"),
        ("phone.country", "gb"),
        ("phone.country", "United Kingdom"),
        ("bank.ibanCountry", "GB"),
        ("document.classification.country", "gbr"),
        ("document.image.url", "https://media.example.test/front"),
        ("browser.userAgent", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)"),
        ("document.chip.publisher", "Home Office"),
        ("network.address", "203.0.113.7"),
    ],
)
def test_a_name_or_a_code_is_data(path: str, value: str) -> None:
    assert level(triage(results=put(path, value))) == "approve"
