"""What asks for an internal report stays in the full pack: nothing else that a run writes tells of it (tipping off)."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
from pypdf import PdfReader
from tests.cli.conftest import AS_OF
from tests.service.receiver import receiving

from kycpack.api import Client
from kycpack.service.loader import load_customer
from kycpack.synthetic import generate

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"
TELLING = ("int-1", "internal report", "internal_report", "nominated officer", "tipping", "s. 330")
ALERT = "import json, os, sys; open(sys.argv[1], 'w').write(json.dumps({k: v for k, v in os.environ.items() if k[:7] == 'KYCPACK'}))"


def _written(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the text of every file below a folder that is no part of a full pack, and of the customer's statement in each pack."""
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if path.name == "statement.pdf":
            yield str(place), " ".join(page.extract_text() for page in PdfReader(path).pages)
        # `frames` is the frames of all packs, one after the other.
        elif path.is_file() and not {"data", "frames"} & {*place.parts}:
            yield str(place), path.read_bytes().decode(errors="replace")


def test_nothing_that_a_run_writes_beside_the_packs_tells_of_an_internal_report(
    town: Town, tmp_path: Path
) -> None:
    command = shlex.join([sys.executable, "-c", ALERT, str(tmp_path / "alert.json")])
    out = tmp_path / "out"
    (plan,) = generate(1, 3, AS_OF, history_days=200, scenario="structuring").customers
    with (
        receiving() as receiver,
        Client(town.service.base_url, key_id=town.service.key_id, secret=town.service.secret) as client,
    ):
        client.webhooks.create(url=receiver.url, name="monitor")
        customer = load_customer(plan, town.target).customer_id
        deliveries = receiver.wait(1)
        answer = town.run(
            *("batch", customer, UNKNOWN, "--out", str(out), "--as-of", "2026-06-01", "--names"),
            *("--log-file", str(tmp_path / "log.jsonl"), "--metrics", str(tmp_path / "run.prom")),
            *("--on-failure", command),
        )
    findings = pq.read_table(out / customer / "data" / "frames" / "findings.parquet").to_pylist()
    (internal,) = [row for row in findings if row["internal"] and row["outcome"] == "HIT"]
    assert internal["rule_id"] == "INT-1"
    written = {
        **dict(_written(tmp_path)),
        "stdout": answer.stdout,
        "stderr": answer.stderr,
        "webhooks": json.dumps(deliveries),
    }
    files = {Path(name).name for name in written}
    assert {
        "index.html",
        "run.json",
        "log.jsonl",
        "run.prom",
        "alert.json",
        "statement.pdf",
        "webhooks",
    } <= files
    assert customer in written["out/run.json"]
    assert customer in written["log.jsonl"]
    for name, text in written.items():
        said = [word for word in (*TELLING, internal["sentence"].casefold()) if word in text.casefold()]
        assert not said, (name, said)
