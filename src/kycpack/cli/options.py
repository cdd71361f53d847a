"""Options that several commands have."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kycpack.settings import Settings

AsJson = Annotated[bool, typer.Option("--json", help="Answer with JSON on standard output.")]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="Address of the service; else KYCPACK_BASE_URL.")
]
KeyId = Annotated[
    str | None,
    typer.Option(
        "--key-id", help="Id of the API key; else KYCPACK_KEY_ID. Its secret: KYCPACK_SECRET or keyring."
    ),
]
WorkspacePlace = Annotated[
    str | None,
    typer.Option(
        "--workspace", help="The workspace database, path or URL; else KYCPACK_WORKSPACE or kycpack.db."
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        help="The moment the review speaks of, ISO 8601 with its offset, or a date; now by default.",
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy", help="The triage policy; the one that comes with kycpack by default.", exists=True
    ),
]
Country = Annotated[
    str, typer.Option("--country", help="Whose holidays and words for income, ISO 3166-1 alpha-2.")
]


def settings(
    *, base_url: str | None = None, key_id: str | None = None, workspace: str | None = None
) -> Settings:
    """Return the settings with what the command line gave."""
    from kycpack.settings import Settings  # noqa: PLC0415 - read when a command runs, not for `--help`

    return Settings.load(base_url=base_url, key_id=key_id, workspace=workspace)


def read_as_of(text: str | None) -> datetime:
    """Return the moment a review speaks of.

    Args:
        text: ISO 8601 with an offset; a date, which means its last second in UTC; or None for now.

    Returns:
        UTC, whole seconds.

    Raises:
        typer.BadParameter: It is neither.
    """
    if text is None:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        if len(text) == len("2026-01-31"):
            return datetime.combine(date.fromisoformat(text), time(23, 59, 59), tzinfo=UTC)
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("not a date or an instant of ISO 8601", param_hint="--as-of") from None
    if moment.tzinfo is None:
        raise typer.BadParameter(
            "an instant needs its offset, as in 2026-01-31T12:00:00Z", param_hint="--as-of"
        )
    return moment.astimezone(UTC).replace(microsecond=0)
