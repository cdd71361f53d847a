from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import InputError
from kycpack.models.instants import (
    format_instant,
    format_microseconds,
    format_seconds,
    parse_instant,
    read_as_of,
)

END_OF_DAY = datetime(2026, 6, 30, 23, 59, 59, tzinfo=UTC)


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_a_timestamp_has_a_fixed_width_and_ends_in_z(instant: datetime) -> None:
    text = format_instant(instant)
    assert len(text) == len("2026-01-01T00:00:00.000Z")
    assert text.endswith("Z")
    assert abs(parse_instant(text) - instant).total_seconds() < 0.001


def test_an_instant_of_another_zone_is_written_in_utc() -> None:
    local = datetime(2026, 6, 30, 14, 0, 7, 123_456, tzinfo=timezone(timedelta(hours=2)))
    assert format_seconds(local) == "2026-06-30T12:00:07Z"
    assert format_instant(local) == "2026-06-30T12:00:07.123Z"
    assert format_microseconds(local) == "2026-06-30T12:00:07.123456Z"


@pytest.mark.parametrize("write", [format_seconds, format_instant, format_microseconds])
def test_a_time_without_an_offset_is_not_written(write: Callable[[datetime], str]) -> None:
    with pytest.raises(InputError, match="offset"):
        write(datetime(2026, 6, 30))  # noqa: DTZ001 - what is to be refused


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00"]
)
def test_what_names_no_instant_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_instant(text)


@pytest.mark.parametrize(
    "value", ["2026-06-30", date(2026, 6, 30), "2026-06-30T23:59:59Z", pd.Timestamp(END_OF_DAY)]
)
def test_a_bare_date_means_the_end_of_that_day_however_it_is_given(value: date | str) -> None:
    assert read_as_of(value) == END_OF_DAY


def test_an_instant_of_another_zone_is_read_in_utc_and_whole_seconds() -> None:
    east = datetime(2026, 7, 1, 0, 59, 59, 999, tzinfo=timezone(timedelta(hours=1)))
    assert read_as_of(east) == END_OF_DAY
    assert read_as_of(east).isoformat() == "2026-06-30T23:59:59+00:00"


@pytest.mark.parametrize("value", ["", "soon", "2026-02-30", "2026-06-30T12:00:00", datetime(2026, 6, 30)])  # noqa: DTZ001
def test_what_is_not_a_date_or_has_no_offset_is_refused_with_its_place(value: str | datetime) -> None:
    with pytest.raises(InputError) as error:
        read_as_of(value)
    assert error.value.place == "as_of"


@pytest.mark.parametrize("value", [None, 20260630, pd.NaT])
def test_a_wrong_type_says_what_is_wanted(value: object) -> None:
    with pytest.raises(TypeError, match="a date, a datetime with an offset, or ISO 8601 text"):
        read_as_of(value)  # type: ignore[arg-type]
