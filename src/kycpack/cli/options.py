"""Options that several commands share."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import kycpack as kp
from kycpack.errors import ConfigurationError, InputError
from kycpack.settings import Settings

_AGE = re.compile(r"(?P<count>[0-9]{1,5})(?P<unit>[mhd])")
_LATEST_TODAY = timedelta(days=1)  # it is tomorrow already in the east of the world
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Occasion(StrEnum):
    """The reason for a review."""

    ONBOARDING = "onboarding"
    PERIODIC_REVIEW = "periodic_review"
    EVENT = "event"


AsJson = Annotated[bool, typer.Option("--json", help="Write the answer as JSON to standard output.")]
CaseOccasion = Annotated[
    Occasion,
    typer.Option(
        "--occasion",
        metavar="OCCASION",
        help="onboarding, periodic_review or event. A customer has one case for each occasion.",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Address of the service. Default: KYCPACK_BASE_URL."),
]
KeyId = Annotated[
    str | None,
    typer.Option(
        "--key-id",
        metavar="KEY_ID",
        help="Id of the API key. Default: KYCPACK_KEY_ID. Its secret comes from KYCPACK_SECRET or the keyring.",
    ),
]
SignerName = Annotated[
    str | None,
    typer.Option(
        "--signer",
        metavar="MODULE:NAME",
        help="Function that signs requests the provider's way. Default: KYCPACK_SIGNER.",
    ),
]
WorkspacePlace = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        metavar="FILE|URL",
        help="The workspace database. Default: KYCPACK_WORKSPACE, then kycpack.db.",
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE|INSTANT",
        help="Date of the review (its end in UTC), or an ISO 8601 time with its offset. Default: now.",
    ),
]
PolicyArgument = Annotated[
    Path, typer.Argument(metavar="POLICY", help="A policy file.", exists=True, dir_okay=False)
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="Policy file. Default: the policy that comes with kycpack.",
        exists=True,
    ),
]
NotebookFile = Annotated[
    Path | None,
    typer.Option(
        "--notebook",
        metavar="NOTEBOOK",
        help="The firm's own review notebook. Default: the notebook that comes with kycpack.",
        exists=True,
        dir_okay=False,
    ),
]


def _read_country(given: str) -> str:
    from kycpack.models.bank_country import read_country

    try:
        return read_country(given)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


Country = Annotated[
    str,
    typer.Option(
        "--country",
        metavar="COUNTRY",
        callback=_read_country,
        help="Country whose bank holidays and words for income apply, as a two-letter code (ISO 3166-1).",
    ),
]

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        metavar="NUMBER",
        help="Customers reviewed at the same time. Default: the number of processors.",
    ),
]
LogFile = Annotated[
    Path | None,
    typer.Option(
        "--log-file",
        metavar="FILE",
        help="Append events to this file as JSON lines, with ids and outcomes only.",
    ),
]
ReceiverHost = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address to listen on. For any address other than the default, put a TLS proxy in front.",
    ),
]
FreePort = Annotated[
    int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="Port; 0 for a free one.")
]
AtOnce = Annotated[
    int,
    typer.Option(
        "--at-once",
        min=1,
        metavar="NUMBER",
        help="Maximum number of requests to the service at once, for all customers together.",
    ),
]
MemoryLimit = Annotated[
    int, typer.Option("--memory-limit", metavar="MB", min=256, help="Memory limit for one customer.")
]
USUAL_MEMORY_LIMIT = 4096
PerSecond = Annotated[
    float | None,
    typer.Option(
        "--per-second",
        min=0.01,
        metavar="NUMBER",
        help="Maximum number of requests to the service per second, for all customers together. Default: no limit.",
    ),
]


def settings(
    *,
    base_url: str | None = None,
    key_id: str | None = None,
    workspace: str | None = None,
    signer: str | None = None,
    signing_passphrase: str | None = None,
    timestamp_url: str | None = None,
) -> Settings:
    """Return the settings with the values from the command line."""
    return Settings.load(
        base_url=base_url,
        key_id=key_id,
        workspace=workspace,
        signer=signer,
        signing_passphrase=signing_passphrase,
        timestamp_url=timestamp_url,
    )


def require_usable(chosen: Settings) -> None:
    """Raise unless requests can be sent and signed with these settings; nothing is sent.

    Raises:
        ConfigurationError: The address, the key or the secret is missing or cannot be used; names the setting.
    """
    from kycpack.api.addresses import BaseUrl as Address
    from kycpack.models.signing import decode_secret

    chosen.require_credentials()
    try:
        Address(chosen.base_url).join("/", "")
    except ConfigurationError as error:
        raise ConfigurationError(f"base_url (KYCPACK_BASE_URL) cannot be used: {error}") from None
    if chosen.signer:
        return  # what it needs of a secret is its own affair
    try:
        decode_secret(chosen.secret)
    except ConfigurationError as error:
        raise ConfigurationError(f"secret (KYCPACK_SECRET or the keyring) cannot be used: {error}") from None


def client_of(chosen: Settings, **terms: Any) -> kp.Client:
    """Return a client with the address, key, secret and signer of the settings.

    Args:
        chosen: The settings.
        **terms: Other arguments of `Client`, such as `timeout`.

    Raises:
        ConfigurationError: Address, key or secret is missing or cannot be used.
    """
    require_usable(chosen)
    return kp.Client(
        chosen.base_url, key_id=chosen.key_id, secret=chosen.secret, signer=chosen.signer or None, **terms
    )


def read_as_of(text: str | None) -> datetime:
    """Return the as-of instant of a review.

    Args:
        text: ISO 8601 with an offset; a date, which means its last second in UTC; or None for now.

    Returns:
        The instant in UTC, in whole seconds.

    Raises:
        typer.BadParameter: The text is neither, or the day is in the future everywhere on earth.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    if text is None:
        return now
    from kycpack.models import instants

    try:
        moment = instants.read_as_of(text)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--as-of") from None
    if moment.date() > now.date() + _LATEST_TODAY:
        raise typer.BadParameter(
            f"{moment:%Y-%m-%d} is in the future: nothing is known of that day yet, and documents would count as expired",
            param_hint="--as-of",
        )
    return moment


def read_age(text: str, now: datetime) -> timedelta:
    """Return the maximum age of an answer.

    Args:
        text: An age such as 90m, 12h or 7d; an instant with its offset; or a date, which means its beginning in UTC.
        now: The current time, from which the age of an instant or a date is counted.

    Raises:
        typer.BadParameter: The text is none of these, or is in the future.
    """
    if age := _AGE.fullmatch(text):
        return timedelta(**{_UNITS[age["unit"]]: int(age["count"])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("not an age (12h, 7d), a date or an instant", param_hint="--since") from None
    if moment.tzinfo is None:
        if len(text) > len("2026-01-31"):
            raise typer.BadParameter("an instant needs its offset", param_hint="--since")
        moment = moment.replace(tzinfo=UTC)
    if moment > now:
        raise typer.BadParameter("the date is in the future", param_hint="--since")
    return now - moment
