"""`kycpack service-keys`: the API keys of your own service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.service.serve import ServiceDatabase
from kycpack.cli.terminal import answer, answer_table
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from kycpack.service.database import Database
    from kycpack.service.keys import NewKey

service_keys = typer.Typer(
    name="service-keys",
    help="Manage the keys of your own service.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Key = Annotated[str, typer.Argument(metavar="KEY_ID", help="The key's id.")]
Permissions = Annotated[
    list[str] | None,
    typer.Option(
        "--permission", metavar="PERMISSION", help="A permission. May be repeated. Default: all permissions."
    ),
]
Areas = Annotated[
    list[str] | None,
    typer.Option("--area", metavar="AREA", help="An area. May be repeated. Default: all areas."),
]


@service_keys.command("list")
def list_known(db: ServiceDatabase, as_json: AsJson = False) -> None:
    """List the keys, without their secrets."""
    from kycpack.service.keys import list_keys

    with _open(db) as database, database.read() as connection:
        keys = list_keys(connection)
    columns = ("key", "tenant", "areas", "permissions", "live secrets#", "created")
    rows = [
        (
            key.key_id,
            key.tenant_id,
            " ".join(key.areas),
            " ".join(key.permissions),
            key.live_secrets,
            key.created,
        )
        for key in keys
    ]
    answer_table({"items": [asdict(key) for key in keys]}, "Keys", columns, rows, as_json=as_json)


@service_keys.command()
def create(
    db: ServiceDatabase,
    tenant: Annotated[
        str | None,
        typer.Option(
            "--tenant",
            metavar="ORGANISATION",
            help="The organisation that the key belongs to; none by default.",
        ),
    ] = None,
    permission: Permissions = None,
    area: Areas = None,
    as_json: AsJson = False,
) -> None:
    """Create a key and print its secret, once."""
    from kycpack.service.keys import AREAS, PERMISSIONS, create_key

    with _open(db) as database, database.write() as connection:
        key = create_key(
            connection,
            datetime.now(UTC),
            tenant_id=tenant,
            permissions=permission or PERMISSIONS,
            areas=area or AREAS,
        )
    _tell(key, as_json=as_json)


@service_keys.command()
def rotate(key: Key, db: ServiceDatabase, as_json: AsJson = False) -> None:
    """Add a secret to a key; old ones work until retired."""
    from kycpack.service.keys import rotate_secret

    with _open(db) as database, database.write() as connection:
        made = rotate_secret(connection, datetime.now(UTC), key)
    _tell(made, as_json=as_json)


@service_keys.command()
def retire(key: Key, db: ServiceDatabase, as_json: AsJson = False) -> None:
    """Retire all secrets of a key but the newest."""
    from kycpack.service.keys import retire_old_secrets

    with _open(db) as database, database.write() as connection:
        count = retire_old_secrets(connection, datetime.now(UTC), key)
    answer({"retired": count}, f"{count} secrets retired", as_json=as_json)


@service_keys.command()
def revoke(key: Key, db: ServiceDatabase, as_json: AsJson = False) -> None:
    """Revoke a key, so that it no longer gives any access."""
    from kycpack.service.keys import revoke_key

    with _open(db) as database, database.write() as connection:
        count = revoke_key(connection, datetime.now(UTC), key)
    answer({"revoked": count}, f"{count} secrets revoked", as_json=as_json)


@contextmanager
def _open(url: str) -> Iterator[Database]:
    from kycpack.service.database import Database

    path = url.removeprefix("sqlite:///")
    if (url != path or "://" not in url) and not Path(path).is_file():
        raise ConfigurationError(f"there is no service database at {path}; `kycpack serve --db` makes one")
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def _tell(key: NewKey, *, as_json: bool) -> None:
    title = "Keep the secret now: it is not shown again"
    answer_table(asdict(key), title, ("key", "secret"), [(key.key_id, key.secret)], as_json=as_json)
