"""`kycpack login`: storing the secret of an API key in the system's keyring."""

from __future__ import annotations

from typing import Annotated

import typer

from kycpack.cli.options import KeyId, settings
from kycpack.cli.terminal import ask_secret, say
from kycpack.settings import forget_secret, keep_secret


def login(
    key_id: KeyId = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the secret instead.")] = False,
) -> None:
    """Store the secret of an API key in the system's keyring.

    A prompt asks for the secret and does not show it. From then on KYCPACK_KEY_ID is enough: the secret need not be in a file,
    in the environment or in a notebook.
    """
    chosen = settings(key_id=key_id).key_id or typer.prompt("Key id", err=True)
    if remove:
        forget_secret(chosen)
        say(f"the secret of key {chosen} is no longer in the keyring")
        return
    secret = ask_secret("secret", "KYCPACK_SECRET").strip()
    if not secret:
        raise typer.BadParameter("the secret is empty", param_hint="secret")
    keep_secret(chosen, secret)
    say(f"the secret of key {chosen} is in the keyring; set KYCPACK_KEY_ID={chosen}")
