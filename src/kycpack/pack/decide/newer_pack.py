"""What the pack of a case that a later run opened again keeps of that run's pack: its root, and the values that its findings rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import InputError, PackError
from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.rows import records
from kycpack.models.json import parse_json
from kycpack.models.listed import counted
from kycpack.pack.earlier_packs import pack_root
from kycpack.pack.order import NEWER_SCHEMA
from kycpack.render.review.compared_values import compared_values, values_of, with_values
from kycpack.render.review.short_names import account_numbers
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import HIT

_FRAMES = ("findings", "consistency", "accounts", "results")


def newer_pack(pack: Path) -> dict[str, Any]:
    """Return what the pack of a case that was opened again keeps of the pack of the run that did so.

    The ledger has the sentences of the findings and no personal data; here are the same sentences with the values. An account
    has its masked number, because the two packs may give one short name to different accounts.

    Args:
        pack: The folder of the pack of the later run.

    Raises:
        PackError: It cannot be read.
    """
    data = pack / "data"
    try:
        manifest = parse_json((data / "manifest.json").read_bytes())
        frames = {name: pd.read_parquet(data / "frames" / f"{name}.parquet") for name in _FRAMES}
        about = {name: manifest[name] for name in ("customer_id", "evidence_root")}
        said = dict(_with_values(frames))
    except (OSError, ValueError, KeyError, TypeError, InputError) as error:
        raise PackError(
            f"the pack {pack} of the later run cannot be read ({type(error).__name__}); `kycpack verify` says why"
        ) from None
    return {"schema": NEWER_SCHEMA, "root": pack_root(pack), **about, "sentences": said}


def _with_values(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the findings that are none of the firm's own, each with the same sentence and its values."""
    compared = compared_values(frames["consistency"], account_numbers(frames["accounts"]))
    matches = {
        str(row["session_id"]): int(str(row["screening_match_count"]))
        for row in records(frames["results"], "session_id", "screening_match_count")
        if not is_absent(row["screening_match_count"])
    }
    for row in records(standing(frames["findings"])):
        if str(row["outcome"]) != HIT or row["internal"]:
            continue
        values, count = values_of(row, compared), matches.get(text_of(row["session_id"], ""))
        sentence = str(row["sentence"])
        bare = CITED_AT_END.sub("", sentence)
        said = with_values(bare, values)
        if str(row["path"]).startswith("screening.summary.") and count is not None:
            counts = (
                f"count {counted(count, 'match', 'matches')}"
                if count
                else "name the category but count no match"
            )
            said = f"{bare}; the results {counts}"
        if said != bare:
            yield sentence, f"{said}{sentence[len(bare) :]}"
