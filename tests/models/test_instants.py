from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.instants import format_instant, parse_instant


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_a_timestamp_has_a_fixed_width_and_ends_in_z(instant: datetime) -> None:
    text = format_instant(instant)
    assert len(text) == len("2026-01-01T00:00:00.000Z")
    assert text.endswith("Z")
    assert abs(parse_instant(text) - instant).total_seconds() < 0.001


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00"]
)
def test_what_names_no_instant_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_instant(text)
