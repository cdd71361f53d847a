"""`kycpack sign`: put the firm's signature under packs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson, settings
from kycpack.cli.terminal import print_json, say
from kycpack.cli.verify import find_packs


def sign(
    packs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PACK", help="Packs, folders of packs, or runs.", exists=True, file_okay=False
        ),
    ],
    key: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="PKCS#12 file with key and certificate.", exists=True, dir_okay=False
        ),
    ],
    passphrase: Annotated[
        str | None,
        typer.Option(
            metavar="PASSPHRASE",
            help="Passphrase of the key file. Leave it out to use KYCPACK_SIGNING_PASSPHRASE or to be asked.",
        ),
    ] = None,
    timestamps: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Address of a timestamp authority (RFC 3161). [env: KYCPACK_TIMESTAMP_URL]"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign packs and runs.

    Signs both PDFs of a pack (PAdES) and its list of all hashes (CMS); for a run, its manifest too. A pack with a
    defect is not signed. Needs the extra `signing`.
    """
    from kycpack.batch.run_manifest import RUN_MANIFEST, is_run
    from kycpack.batch.run_signing import sign_run
    from kycpack.pack.extra import signing_module

    signing = signing_module("signing")
    chosen = settings(signing_passphrase=passphrase, timestamp_url=timestamps)
    opened_by = chosen.signing_passphrase or typer.prompt("Passphrase", hide_input=True)
    loaded = signing.load_key(key, opened_by, timestamp_url=chosen.timestamp_url)
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
            for path in now:
                say(f"signed: {path}")
    if as_json:
        print_json({"signed": [str(pack) for pack in signed]})
