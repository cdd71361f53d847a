"""What asks for an internal report stays in the full pack: nothing else that a run writes tells of it (tipping off).

The search is tried as well: a leak is put into each kind of output in turn, and is found in it.
"""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from pypdf import PdfReader
from tests.cli.conftest import AS_OF
from tests.service.receiver import receiving

from kycpack.api import Client
from kycpack.batch import run_results
from kycpack.batch.report import RunReport
from kycpack.cli import failure_command
from kycpack.cli.runs import batch, run_table
from kycpack.cli.runs.run_log import RunLog
from kycpack.cli.runs.run_metrics import RunMetrics
from kycpack.models.wealth import SourceOfWealth
from kycpack.render import render_statement_pdf
from kycpack.service.loader import load_customer
from kycpack.service.webhooks import sender
from kycpack.synthetic import generate

if TYPE_CHECKING:
    from tests.cli.conftest import Town

UNKNOWN = "00000000-0000-4000-8000-000000000000"
TELLING = (
    *("int-1", "internal report", "internal_report", "nominated officer", "tipping", "s. 330"),
    *("report to the nca", "national crime agency"),
)
HINT = re.compile(
    r"\b(?:mlro|nominated|suspic\w*|suspect\w*|flag\w*|alert\w*|screen\w*|sanction\w*|terror\w*|politically|pep|adverse|watch ?list\w*|match\w*|"
    r"escalat\w*|reject\w*|edd|enhanced|diligence|risk\w*|polic(?:y|ies)|rules?|findings?|triage|laundering|report(?:s|ed|ing)?|(?-i:(?!UTF)[A-Z]{3}-[0-9]))\b",
    re.IGNORECASE,
)
ALERT = "import json, os, sys; open(sys.argv[1], 'w').write(json.dumps({k: v for k, v in os.environ.items() if k[:7] == 'KYCPACK'}))"
LEAK = "Possible need for a report to the NCA, on which the nominated officer"


def _text_of(name: str, content: bytes) -> str:
    """Return everything that can be read in a file: of a PDF its pages, its properties and what is attached, of an archive all parts."""
    if name.endswith(".pdf"):
        document = PdfReader(io.BytesIO(content))
        attached = [_text_of(one, part) for one, parts in document.attachments.items() for part in parts]
        pages = (" ".join(page.extract_text().split()) for page in document.pages)
        root = document.trailer["/Root"]
        described = root["/Metadata"].get_data().decode(errors="replace") if "/Metadata" in root else ""
        return " ".join([*pages, str(document.metadata), described, *attached])
    if name.endswith(".parquet"):
        return str(pq.read_table(io.BytesIO(content)).to_pylist())
    if name.endswith((".xlsx", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return " ".join(_text_of(one, archive.read(one)) for one in archive.namelist())
    return content.decode(errors="replace")


def _written(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the text of every file below a folder that is no part of a full pack, and of the customer's statement in each pack."""
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        # `frames` is the frames of all packs, one after the other; a customer's copy is theirs.
        of_the_firm = {"data", "frames"} & {*place.parts} and place.parts[0] != "copy"
        if path.is_file() and (path.name == "statement.pdf" or not of_the_firm):
            yield str(place), _text_of(path.name, path.read_bytes())


def _leaks(written: Mapping[str, str], sentence: str = LEAK) -> dict[str, list[str]]:
    """Return what tells of an internal report, by the output in which it stands."""
    words = (*TELLING, sentence.casefold())
    said = {name: [word for word in words if word in text.casefold()] for name, text in written.items()}
    return {name: found for name, found in said.items() if found}


def _run(town: Town, folder: Path) -> tuple[str, dict[str, str]]:
    """Make the pack of a customer with a red flag, and a copy for them; return the customer and all that was written or sent."""
    command = shlex.join([sys.executable, "-c", ALERT, str(folder / "alert.json")])
    out = folder / "out"
    (plan,) = generate(1, 3, AS_OF, history_days=200, scenario="structuring").customers
    with (
        receiving() as receiver,
        Client(town.service.base_url, key_id=town.service.key_id, secret=town.service.secret) as client,
    ):
        hook = client.webhooks.create(url=receiver.url, name="monitor")
        customer = load_customer(plan, town.target).customer_id
        deliveries = receiver.wait(1)
        answer = town.run(
            *("batch", customer, UNKNOWN, "--out", str(out), "--as-of", "2026-06-01", "--names"),
            *("--log-file", str(folder / "log.jsonl"), "--metrics", str(folder / "run.prom")),
            *("--on-failure", command),
        )
        client.webhooks.delete(hook.id)
    copy = town.run("redact", str(out / customer), "--profile", "customer", "--to", str(folder / "copy"))
    assert copy.exit_code == 0, copy.output
    said = {
        "stdout": answer.stdout + copy.stdout,
        "stderr": answer.stderr + copy.stderr,
        "webhooks": json.dumps(deliveries),
    }
    return customer, dict(_written(folder)) | said


def test_nothing_that_a_run_writes_beside_the_packs_tells_of_an_internal_report(
    town: Town, tmp_path: Path
) -> None:
    customer, written = _run(town, tmp_path)
    findings = pq.read_table(tmp_path / "out" / customer / "data" / "frames" / "findings.parquet").to_pylist()
    (internal,) = [row for row in findings if row["internal"] and row["outcome"] == "HIT"]
    assert internal["rule_id"] == "INT-1"
    assert {Path(name).name for name in written} >= {
        *("index.html", "summary.pdf", "run.json", "log.jsonl", "run.prom", "alert.json", "statement.pdf", "webhooks"),
    }  # fmt: skip
    assert any(name.startswith("copy/") for name in written)
    assert customer in written["out/run.json"]
    assert customer in written["log.jsonl"]
    assert _leaks(written, internal["sentence"]) == {}


def _given(town: Town, folder: Path, scenario: str) -> tuple[str, Path, dict[str, str]]:
    """Make the pack of a customer and everything that the customer may be given; return the level, the pack and the texts."""
    (plan,) = generate(1, 3, AS_OF, history_days=200, scenario=scenario).customers
    customer, out, copy = load_customer(plan, town.target).customer_id, folder / "out", folder / "copy"
    assert town.run("batch", customer, "--out", str(out), "--as-of", "2026-06-01").exit_code == 0
    answer = town.run("redact", str(out / customer), "--profile", "customer", "--to", str(copy))
    assert answer.exit_code == 0, answer.output
    with Client(town.service.base_url, key_id=town.service.key_id, secret=town.service.secret) as client:
        of_service = client.source_of_wealth.get(customer, format="pdf")
        in_json = client.source_of_wealth.get(customer)
    data = out / customer / "data"
    files = [path for path in copy.rglob("*") if path.is_file()]
    given = {str(path.relative_to(copy)): path.read_bytes() for path in files}
    given |= {"statement.pdf": (data / "report/statement.pdf").read_bytes(), "service.pdf": of_service}
    given |= {f"evidence/{path.name}": path.read_bytes() for path in (data / "evidence").glob("E-*.pdf")}
    texts = {name: f"{name} {_text_of(name, content)}" for name, content in given.items()}
    with zipfile.ZipFile(data / "workbook.xlsx") as book:
        texts["properties of the workbook"] = book.read("docProps/core.xml").decode()
    level = json.loads((data / "figures.json").read_bytes())["level"]
    return level, data, texts | {"service.json": in_json.model_dump_json()}


@pytest.mark.parametrize("scenario", ["rejected with a terror match", "structuring", "sanctions"])
def test_nothing_that_a_customer_may_be_given_hints_at_a_report_a_flag_or_the_mlro(
    town: Town, tmp_path: Path, scenario: str
) -> None:
    level, data, given = _given(town, tmp_path, scenario)
    assert level in {"edd", "escalate", "reject"}
    findings = pq.read_table(data / "frames/findings.parquet").to_pylist()
    against = [row for row in findings if row["outcome"] == "HIT"]
    assert against
    for name, text in given.items():
        # Documents stand in a folder of this name in every bag.
        assert HINT.findall(text.replace("report/copy.pdf", "")) == [], name
        assert [row["sentence"] for row in against if row["sentence"] in text] == [], name
    assert "statement.pdf" in given
    assert {name.partition("/")[0] for name in given} >= {
        "data",
        "bag-info.txt",
        "evidence",
        "service.pdf",
        "service.json",
    }


@pytest.mark.parametrize(
    "word",
    [
        "MLRO",
        "a red flag",
        "Sanctions list",
        "it was flagged",
        "suspicious",
        "Escalated",
        "EDD",
        "rule SAN-2",
        "level: reject",
    ],
)
def test_a_hint_in_what_a_customer_may_be_given_is_found(word: str) -> None:
    assert HINT.search(_text_of("statement.pdf", _statement("", f"Pay, {word}")))
    assert not HINT.search(_text_of("statement.pdf", _statement("", "Pay")))


def _changed(change: Callable[..., tuple[tuple[Any, ...], dict[str, Any]]], made: Callable[..., Any]) -> Any:
    """Return a function that does what another one does with other arguments."""

    def leaking(*given: Any, **named: Any) -> Any:
        new, renamed = change(*given, **named)
        return made(*new, **renamed)

    return leaking


def _leaking_metrics(self: RunMetrics, *given: Any, _lines: Any = RunMetrics._lines) -> Sequence[str]:
    return [*_lines(self, *given), "# INT-1\n"]


def _leaking_report(self: RunReport, _dump: Any = RunReport.dump) -> Iterator[bytes]:
    first, *rest = _dump(self)
    yield first.replace(b"{", b'{\n  "reason": "%s",' % LEAK.encode(), 1)
    yield from rest


_WHOLE = (_leaking_metrics, _leaking_report)
# What stands in each output when whoever writes it lets an internal finding through: where, the name that is changed, and how.
PLANTS: Mapping[str, tuple[Any, str, Callable[..., Any]]] = {
    "out/run.json": (RunReport, "dump", _leaking_report),
    "out/index.html": (
        run_results,
        "write_index",
        lambda out, report, pages: ((out, report, lambda *given: [(name, f"{page}<!-- {LEAK} -->") for name, page in pages(*given)]), {}),
    ),
    "out/summary.pdf": (run_results, "render_memo_pdf", lambda memo: ((replace(memo, title="Nominated officer"),), {})),
    "log.jsonl": (RunLog, "_write", lambda *given, **named: (given, named | {"rules": ["INT-1"]})),
    "run.prom": (RunMetrics, "_lines", _leaking_metrics),
    "alert.json": (failure_command, "environment_without_secrets", lambda **named: ((), named | {"KYCPACK_REASON": LEAK})),
    "stderr": (batch, "say", lambda *lines: ([f"{line}: internal_report" for line in lines], {})),
    "stdout": (run_table, "print_table", lambda title, *rest: ((f"{title}: INT-1", *rest), {})),
    "webhooks": (sender, "deliver", lambda url, payload, **named: ((url, json.dumps({**json.loads(payload), "why": LEAK}).encode()), named)),
}  # fmt: skip


def test_a_leak_in_each_output_of_a_run_is_found_in_it(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, name, change in PLANTS.values():
        made = getattr(place, name)
        monkeypatch.setattr(place, name, change if change in _WHOLE else _changed(change, made))
    _, written = _run(town, tmp_path)
    assert set(PLANTS) <= set(_leaks(written))
    # What was not touched is still silent: none of them is found by what stands in another one.
    assert not {
        name for name in _leaks(written) if name.startswith("copy/") or name.endswith("statement.pdf")
    }


def _statement(reference: str, context: str = "") -> bytes:
    source = {"description": "Pay", "amount": 1, "frequency": 1, "totalValue": 1, "context": context, "type": "employment"}  # fmt: skip
    body = {"customer": {"firstName": "A", "lastName": "B"}, "primarySource": source, "generatedAt": "2026-06-01T00:00:00Z"}  # fmt: skip
    return render_statement_pdf(SourceOfWealth.model_validate(body), reference=reference)


def _workbook(text: str) -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as book:
        book.add_worksheet().write(6, 1, text)
    return made.getvalue()


def _frame(text: str) -> bytes:
    made = io.BytesIO()
    pq.write_table(pa.table({"note": ["", text]}), made)
    return made.getvalue()


@pytest.mark.parametrize(
    ("place", "made"),
    [
        ("out/C/data/report/statement.pdf", _statement),
        ("out/C/data/report/statement.pdf", lambda text: _statement("", text)),
        ("copy/data/report/statement.pdf", _statement),
        ("copy/data/report/statement.xlsx", _workbook),
        ("copy/data/frames/credits.parquet", _frame),
        ("copy/data/manifest.json", lambda text: json.dumps({"about": text}).encode()),
        ("out/customers/2.html", str.encode),
    ],
)
def test_a_leak_is_found_in_what_a_customer_may_see_whatever_the_form_of_the_file(
    tmp_path: Path, place: str, made: Callable[[str], bytes]
) -> None:
    for text, expected in (("Nothing of note", {}), (LEAK, {place})):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made(text))
        assert set(_leaks(dict(_written(tmp_path)))) == set(expected)
