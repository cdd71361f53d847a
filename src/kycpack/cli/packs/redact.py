"""`kycpack redact`: a copy of a pack for a reader who may not see all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson, settings
from kycpack.cli.terminal import answer


def redact(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A pack.", exists=True, file_okay=False)],
    profile: Annotated[
        str, typer.Option("--profile", metavar="PROFILE", help="Who the copy is for: auditor or customer.")
    ],
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FOLDER", help="New folder for the copy."),
    ],
    as_json: AsJson = False,
) -> None:
    """Make a redacted copy of a pack.

    The copy shows what `data/redaction.yaml` allows for the profile. It proves that it equals the pack apart from the masked parts. A customer's copy contains nothing about screening, rules, level or decision. Check it with: kycpack verify --full PACK COPY

    Each copy is recorded beside the workspace by customer, profile and hash, so that an erasure can list the copies it did not reach.
    """
    from kycpack.models.instants import format_seconds
    from kycpack.models.json import parse_json
    from kycpack.pack.earlier_packs import pack_root
    from kycpack.pack.redact.redaction import redact_pack
    from kycpack.workspace.redaction_key import folder_of, redaction_key
    from kycpack.workspace.retention.copies import MadeCopy, note_copy

    folder = folder_of(settings())
    made = redact_pack(pack, to, profile, redaction_key(folder))
    customer_id = str(parse_json((pack / "data/manifest.json").read_bytes())["customer_id"])
    made_at = format_seconds(datetime.now(UTC))
    note_copy(folder, MadeCopy(customer_id, profile, pack_root(made), made_at))
    answer({"copy": str(made), "profile": profile}, f"the copy: {made}", as_json=as_json)
