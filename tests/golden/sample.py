"""The committed sample of a pack: `python tests/golden/sample.py` makes it anew, on purpose.

Making the picture of the first page needs poppler's `pdftoppm`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import read_order, write_pack

SAMPLE = Path(__file__).resolve().parents[2] / "reports" / "sample"
PACK = SAMPLE / "pack"


def make_pack(out: Path) -> Path:
    """Make the pack of the specimen customer in a folder."""
    index, order = asset_path("samples/evidence/index.json"), read_order(asset_path("samples/order.json"))
    result = write_pack(
        load_evidence(index.parent),
        out,
        as_of=order.as_of,
        case_id=order.case_id,
        prepared_by=order.prepared_by,
        reviewed_by=order.reviewed_by,
        country=order.country,
    )
    return result.path


def main() -> None:
    """Write `reports/sample/`: a whole pack, and a picture of its first page."""
    shutil.rmtree(SAMPLE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(make_pack(Path(scratch)), PACK)
    picture = str(SAMPLE / "review-page-1")
    command = [
        "pdftoppm",
        "-png",
        "-r",
        "75",
        "-f",
        "1",
        "-l",
        "1",
        "-singlefile",
        str(PACK / "data/report/review.pdf"),
        picture,
    ]
    subprocess.run(command, check=True)  # noqa: S603 - poppler, on a file of our own


if __name__ == "__main__":
    main()
