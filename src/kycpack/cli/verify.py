"""`kycpack verify`: are packs what they were when they were made?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.terminal import print_json, print_table, say

_MARKS = ("bagit.txt", "tagmanifest-sha256.txt", "data/manifest.json")


def verify(
    packs: Annotated[
        list[Path],
        typer.Argument(metavar="PACK", help="Packs, or folders of packs.", exists=True, file_okay=False),
    ],
    hashes_only: Annotated[
        bool, typer.Option("--hashes-only", help="Check hashes and structure, and open no file.")
    ] = False,
    trust: Annotated[
        Path | None,
        typer.Option(help="PEM file of the certificates you trust; get it from the firm, not from the pack."),
    ] = None,
    require_signature: Annotated[
        bool, typer.Option("--require-signature", help="A pack without a trusted signature has a defect.")
    ] = False,
    signer: Annotated[str | None, typer.Option(help="Who has to have signed, by common name.")] = None,
    ledger_anchor: Annotated[
        Path | None,
        typer.Option(
            help="File of anchors of the ledger; keep it apart from the packs.", exists=True, dir_okay=False
        ),
    ] = None,
    ledger_key: Annotated[
        list[str] | None, typer.Option(help="Fingerprint of the key that the ledger was founded with.")
    ] = None,
    full: Annotated[
        Path | None,
        typer.Option(
            "--full", help="The pack that a redacted copy was made from.", exists=True, file_okay=False
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Also write the answer as a page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check that packs are what they were.

    Every hash, files that should not be there, and that evidence, frames, figures, PDF, HTML, notebook and workbook agree. Says what these checks cannot show. Exit code 1 when a pack has a defect. Stock tools check the same hashes: sha256sum -c manifest-sha256.txt
    """
    from kycpack.pack import verify_pack
    from kycpack.pack.verification_page import verification_page
    from kycpack.workspace.ledger_files import read_anchors

    anchors = [] if ledger_anchor is None else read_anchors(ledger_anchor)
    found = [pack for place in packs for pack in find_packs(place)]
    answers = [
        (
            pack,
            verify_pack(
                pack,
                hashes_only=hashes_only,
                trust=trust,
                require_signature=require_signature,
                signer=signer,
                full=full,
                anchors=anchors,
                ledger_keys=ledger_key or (),
            ),
        )
        for pack in found
    ]
    if html is not None:
        html.write_text(verification_page(answers), encoding="utf-8")
    if as_json:
        print_json(
            {
                "ok": all(answer.ok for _, answer in answers),
                "items": [
                    {
                        "pack": str(pack),
                        "ok": answer.ok,
                        "checked": answer.checked,
                        "problems": list(answer.problems),
                        "not_shown": list(answer.not_shown),
                        "signatures": list(answer.signatures),
                    }
                    for pack, answer in answers
                ],
            }
        )
    else:
        rows = [
            (pack, "verified" if answer.ok else "DEFECT", answer.checked, len(answer.problems))
            for pack, answer in answers
        ]
        print_table("Packs", ("pack", "result", "checked#", "problems#"), rows)
        for pack, answer in answers:
            for problem in answer.problems:
                say(f"{pack}: {problem}")
        for sentence in dict.fromkeys(sentence for _, answer in answers for sentence in answer.not_shown):
            say(sentence)
    if not all(answer.ok for _, answer in answers):
        raise typer.Exit(1)


def find_packs(place: Path) -> list[Path]:
    """Return the packs at a place: itself, or those in the folder.

    Raises:
        typer.BadParameter: There is none.
    """
    if any((place / mark).is_file() for mark in _MARKS):
        return [place]
    # A pack that lost its declaration is still one, and has a defect.
    packs = sorted(
        {path.parents[len(Path(mark).parts) - 1] for mark in _MARKS for path in place.glob(f"*/{mark}")}
    )
    if not packs:
        raise typer.BadParameter(f"{place} is no pack and holds none (a pack has a bagit.txt)")
    return packs
