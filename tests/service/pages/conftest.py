"""A person at a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.service.pages.person import Person
from tests.service.signed import Caller


@pytest.fixture
def person(call: Caller) -> Iterator[Person]:
    someone = Person(call.base_url)
    yield someone
    someone.http.close()
