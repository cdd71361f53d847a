"""`kycpack replay`: making packs again from their own content, and comparing."""

from __future__ import annotations

from typing import Annotated

import typer

from kycpack.cli.options import AsJson, NotebookFile
from kycpack.cli.packs.verify import as_named, find_packs, local_places
from kycpack.cli.terminal import answer_table


def replay(
    packs: Annotated[
        list[str],
        typer.Argument(metavar="PACK", help="Packs, or folders of packs; also by URL."),
    ],
    notebook: NotebookFile = None,
    as_json: AsJson = False,
) -> None:
    """Make packs again and compare.

    Works offline, from the evidence, policy and order inside each pack. Says "identical", or names the figures that
    differ and exits with 1. The packs are not changed, and no code from them is run.
    """
    from kycpack.pack import replay_pack

    with local_places(packs) as places:
        answers = [
            (as_named(pack, places), replay_pack(pack, notebook=notebook))
            for place in places
            for pack in find_packs(place)
        ]
    same = all(answer.identical for _, answer in answers)
    items = [
        {"pack": pack, "identical": answer.identical, "differences": list(answer.differences)}
        for pack, answer in answers
    ]
    answer_table(
        {"identical": same, "items": items},
        "Replayed",
        ("pack", "result"),
        [(pack, "identical" if answer.identical else "DIFFERENT") for pack, answer in answers],
        *(f"{pack}: {difference}" for pack, answer in answers for difference in answer.differences),
        as_json=as_json,
    )
    if not same:
        raise typer.Exit(1)
