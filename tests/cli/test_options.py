from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import typer

from kycpack.cli.options import read_age, read_as_of

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-31", datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC)),
        ("2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        ("2026-01-31T12:00:00.75+02:00", datetime(2026, 1, 31, 10, tzinfo=UTC)),
    ],
)
def test_a_date_is_its_end_and_an_instant_is_utc(text: str, moment: datetime) -> None:
    assert read_as_of(text) == moment


@pytest.mark.parametrize("text", ["", "2026-02-30", "yesterday", "2026-01-31T12:00:00", "31/01/2026"])
def test_what_could_mean_two_moments_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        read_as_of(text)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("90m", timedelta(minutes=90)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("2026-06-10", timedelta(hours=12)),
        ("2026-06-10T11:00:00Z", timedelta(hours=1)),
    ],
)
def test_an_age_is_counted_from_now(text: str, age: timedelta) -> None:
    assert read_age(text, NOW) == age


@pytest.mark.parametrize("text", ["", "7", "7w", "-1d", "2026-06-11", "2026-06-10T11:00:00"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        read_age(text, NOW)
