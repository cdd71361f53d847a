"""`kycpack sign`: signing packs and runs with the firm's key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson, settings
from kycpack.cli.packs.verify import find_packs
from kycpack.cli.terminal import ask_secret, print_json, say


def sign(
    packs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PACK", help="Packs, folders of packs, or runs.", exists=True, file_okay=False
        ),
    ],
    passphrase: Annotated[
        str | None,
        typer.Option(
            metavar="PASSPHRASE",
            help="Passphrase of the key file, or PIN of the token. Leave it out to use KYCPACK_SIGNING_PASSPHRASE or to be asked.",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="PKCS#12 file with key and certificate.", exists=True, dir_okay=False
        ),
    ] = None,
    pkcs11: Annotated[
        Path | None,
        typer.Option(
            metavar="LIBRARY",
            help="PKCS#11 module of a token, instead of --key.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    token: Annotated[str, typer.Option(metavar="LABEL", help="Label of the token.")] = "",
    label: Annotated[
        str, typer.Option(metavar="LABEL", help="Label of the key and its certificate in the token.")
    ] = "",
    timestamps: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Address of a timestamp authority (RFC 3161). [env: KYCPACK_TIMESTAMP_URL]"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign packs and runs.

    Signs both PDFs of a pack (PAdES), a statement of the code and the inputs that it was made from (in-toto), and the
    pack's list of hashes (CMS). For a run, also signs the manifest. A pack with a defect is not signed. Needs the extra
    `signing`, and `pkcs11` for a key in a token.
    """
    from kycpack.batch.run_manifest import RUN_MANIFEST, is_run
    from kycpack.batch.run_signing import sign_run
    from kycpack.pack.signing_extra import signing_module

    signing = signing_module("signing")
    chosen = settings(signing_passphrase=passphrase, timestamp_url=timestamps)
    if (key is None) == (pkcs11 is None):
        raise typer.BadParameter("give either --key or --pkcs11")
    if pkcs11 is not None and not (token and label):
        raise typer.BadParameter("--pkcs11 needs --token and --label")
    opened_by = chosen.signing_passphrase or ask_secret("passphrase", "KYCPACK_SIGNING_PASSPHRASE")
    if pkcs11 is None:
        loaded = signing.load_key(key, opened_by, timestamp_url=chosen.timestamp_url)
    else:
        loaded = signing.load_token_key(pkcs11, token, label, opened_by, timestamp_url=chosen.timestamp_url)
    signed: list[Path] = []
    for place in packs:
        if is_run(place):
            now = [*sign_run(place, loaded), place / RUN_MANIFEST]
        else:
            now = find_packs(place)
            for pack in now:
                signing.sign_pack(pack, loaded)
        signed += now
        if not as_json:
            say(*(f"signed: {path}" for path in now))
    if as_json:
        print_json({"signed": [str(pack) for pack in signed]})
