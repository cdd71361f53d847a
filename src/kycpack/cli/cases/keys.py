"""`kycpack keys`: the people who may decide, their keys and their roles."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, WorkspacePlace, settings
from kycpack.cli.terminal import answer, answer_table

Name = Annotated[str, typer.Argument(metavar="PERSON", help="Name of the person, as set in KYCPACK_ANALYST.")]
Role = Annotated[str, typer.Argument(metavar="ROLE", help="administrator, MLRO or senior_manager.")]

keys = typer.Typer(
    name="keys",
    help="Manage people, their keys and their roles.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class Purpose(StrEnum):
    """What a new key is used to sign."""

    DECISIONS = "decisions"
    PACKS = "packs"


@keys.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new key's file; only you can read it.")],
    purpose: Annotated[
        Purpose, typer.Option("--for", metavar="USE", help="What the key signs.")
    ] = Purpose.DECISIONS,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="For packs: name of the signer in the certificate.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make a signing key.

    It is encrypted with KYCPACK_SIGNING_PASSPHRASE, if that is set.

    For decisions: give the public key to an administrator, who enrols you. For packs: makes a key for trying out
    signatures (PKCS#12, which needs the passphrase) and beside it, as .pem, the certificate to trust. A firm's real key
    comes from its own certificate authority.
    """
    if purpose is Purpose.PACKS:
        _new_pack_key(file, name, as_json=as_json)
        return
    from kycpack.workspace.entries.signing import make_key

    made = make_key(file, settings().signing_passphrase)
    answer(
        {"file": str(file), "public_key": made.public_key, "fingerprint": made.fingerprint},
        f"{file}: public key {made.public_key}, fingerprint {made.fingerprint}",
        as_json=as_json,
    )


def _new_pack_key(file: Path, name: str, *, as_json: bool) -> None:
    from kycpack.pack.signing_extra import signing_module

    if not name:
        raise typer.BadParameter("a key for packs needs --name, the signer's name in the certificate")
    trust = file.with_suffix(".pem")
    signing_module("trial_key").new_trial_key(
        file, trust, name=name, passphrase=settings().signing_passphrase, now=datetime.now(UTC)
    )
    document = {"file": str(file), "trust": str(trust)}
    answer(document, f"{file}: the certificate to trust is in {trust}", as_json=as_json)


@keys.command()
def enrol(
    name: Name,
    public_key: Annotated[
        str,
        typer.Option("--public-key", metavar="HEX", help="The public key that `kycpack keys new` showed."),
    ] = "",
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Enrol a person or their new key.

    The first person enrols themselves and becomes the administrator. Everybody else is enrolled by somebody else.
    """
    with opened(workspace, make=True) as work:
        work.keys.enrol(name, public_key)
    _done(f"{name} is enrolled", as_json=as_json)


@keys.command()
def revoke(name: Name, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Revoke a person's key.

    Earlier signatures with it stay valid.
    """
    with opened(workspace) as work:
        work.keys.revoke(name)
    _done(f"the key of {name} is revoked", as_json=as_json)


@keys.command()
def grant(name: Name, role: Role, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Grant a role to somebody else."""
    with opened(workspace) as work:
        work.keys.grant(name, role)
    _done(f"{name} holds the role {role}", as_json=as_json)


@keys.command()
def withdraw(name: Name, role: Role, workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Withdraw a role from a person."""
    with opened(workspace) as work:
        work.keys.withdraw(name, role)
    _done(f"{name} no longer holds the role {role}", as_json=as_json)


@keys.command("list")
def list_people(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """List who is enrolled."""
    with opened(workspace) as work:
        rows = work.keys.rows()
    table = [
        [row["name"], row["fingerprint"] or None, row["enrolled_by"], ", ".join(row["roles"]) or None]
        for row in rows
    ]
    columns = ("name", "fingerprint", "enrolled by", "roles")
    answer_table({"items": rows}, "People", columns, table, as_json=as_json)


def _done(line: str, *, as_json: bool) -> None:
    answer({"done": line}, line, as_json=as_json)
