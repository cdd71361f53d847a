"""`kycpack sign`: put the firm's signature under packs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson
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
        str,
        typer.Option(
            envvar="KYCPACK_SIGNING_PASSPHRASE",
            prompt=True,
            hide_input=True,
            metavar="PASSPHRASE",
            help="Passphrase of the key file.",
        ),
    ],
    timestamps: Annotated[
        str,
        typer.Option(
            metavar="URL", envvar="KYCPACK_TIMESTAMP_URL", help="Address of a timestamp authority (RFC 3161)."
        ),
    ] = "",
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
    loaded = signing.load_key(key, passphrase, timestamp_url=timestamps)
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
