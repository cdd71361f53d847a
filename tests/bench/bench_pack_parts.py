"""What a pack costs in CPU, part by part, as a batch makes it: each in a process forked from one with the imports done.

CPU time is that of the process and its children. The peer is papermill's own engine on the same notebook with the same
outputs, in the same run; it starts a kernel for each notebook.
"""

from __future__ import annotations

import multiprocessing
import resource
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import papermill
from tests.bench.demo_customer import collect_evidence
from tests.bench.measure import Measurement

from kycpack.assets import notebook_path
from kycpack.batch.fingerprint import fingerprint
from kycpack.evidence import load_evidence
from kycpack.frames import flatten
from kycpack.frames.plain_table import plain_table
from kycpack.pack import write_pack
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.compute.review import Review, order_of
from kycpack.pack.notebooks.engine import IN_PLACE
from kycpack.render import cover_lines, render_review_pdf, render_workbook
from kycpack.render.review.contents import CasePeople
from kycpack.triage import evaluate, load_policy
from kycpack.wealth import derive

_TODAY = date(2026, 6, 30)
_AS_OF = "2026-06-30T12:00:00Z"
_KEY = bytes(32)
_ROUNDS = 30
_PRELOAD = [__name__, "kycpack.batch.executor", "kycpack.batch.review_task", "kycpack.pack.preload"]

Parts = dict[str, float]


def run() -> list[Measurement]:
    """Measure each part, the whole, and the peer, in milliseconds of CPU; medians, each round in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        collect_evidence(place / "evidence", _TODAY)
        (parts,) = _medians(place, _parts)
        whole, peer = (one["CPU"] for one in _medians(place, _whole, _peer))
    rest = whole - sum(parts.values())
    lines = [Measurement(f"pack, {name}", cost, None, "ms CPU") for name, cost in parts.items()]
    return [
        *lines,
        Measurement("pack, notebook engine, page, hashing and the rest", rest, None, "ms CPU"),
        Measurement(
            "pack, all of it",
            whole,
            peer,
            "ms CPU",
            "papermill's own engine, the same notebook and outputs",
            "450 ms, at most 0.083 of the peer",
        ),
    ]


def _medians(place: Path, *works: Callable[[Path], Parts]) -> list[Parts]:
    """Return the medians of each work, done in turn, so that a machine that becomes slower does so for all."""
    found = [[_forked(work, place) for work in works] for _ in range(_ROUNDS + 1)][1:]
    return [
        {name: statistics.median(one[name] for one in of_work) for name in of_work[0]}
        for of_work in zip(*found, strict=True)
    ]


def _forked(work: Callable[[Path], Parts], place: Path) -> Parts:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(sender, work, place))
    process.start()
    sender.close()
    parts: Parts = receiver.recv()
    process.join()
    return parts


def _answer(sender: Connection, work: Callable[[Path], Parts], place: Path) -> None:
    sender.send(work(place))


def _cpu_ms() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return 1000 * (own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime)


def _parts(place: Path) -> Parts:
    """Make the parts of a review one after another, in the order in which the notebook does."""
    parts: Parts = {}

    @contextmanager
    def part(name: str) -> Iterator[None]:
        began = _cpu_ms()
        yield
        parts[name] = _cpu_ms() - began

    with part("policy"):
        policy = load_policy(None)
    with part("evidence"):
        evidence = load_evidence(place / "evidence")
    order = order_of(evidence, as_of=_AS_OF, case_id=None, prepared_by=None, reviewed_by=None, country="GB")
    with part("flatten"):
        frames = flatten(evidence)
    with part("fingerprint"):
        fingerprint(
            frames,
            policy_digest=policy.digest,
            code_digest="",
            country="GB",
            people=("", ""),
            occasion="onboarding",
        )
    with part("derive"):
        wealth = derive(
            frames.transactions,
            customers=frames.customers,
            accounts=frames.accounts,
            balances=frames.balances,
            country=order.country,
            thresholds=policy.thresholds,
            as_of=order.instant,
        )
    with part("evaluate"):
        triage = evaluate(frames, policy, wealth=wealth, as_of=order.instant)
    review = Review(evidence, frames, wealth, triage, policy, order.instant, CasePeople(order.case_id), order)
    with part("contents"):
        contents = review.contents
    with part("notebook's sections"):
        _display(review)
    with part("Parquet"):
        tables = {name: plain_table(frame) for name, frame in review.tables.items()}
        for table in tables.values():
            table_bytes(table.arrow)
    with part("workbook"):
        render_workbook(tables.items(), as_of=review.as_of, about=cover_lines(contents))
    with part("review.pdf"):
        render_review_pdf(contents)
    with part("statement.pdf"):
        review.statement_pdf()
    return parts


def _display(review: Review) -> None:
    shown: list[Any] = [review.summary, *(review.section(one.key) for one in review.contents.sections)]
    for one in shown:
        one._repr_html_()


def _whole(place: Path) -> Parts:
    """Make a pack as the task of a batch does, and count all that its process has cost since it was forked."""
    evidence = load_evidence(place / "evidence")
    policy = load_policy(None)
    fingerprint(
        flatten(evidence),
        policy_digest=policy.digest,
        code_digest="",
        country="GB",
        people=("", ""),
        occasion="onboarding",
    )
    with tempfile.TemporaryDirectory() as out:
        write_pack(evidence, out, policy=policy, as_of=_AS_OF, engine=IN_PLACE, redaction_key=_KEY)
        return {"CPU": _cpu_ms()}  # a batch keeps its packs


def _peer(place: Path) -> Parts:
    began = _cpu_ms()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        shutil.copytree(place / "evidence", out / "evidence")
        evidence = load_evidence(out / "evidence")
        order = order_of(
            evidence, as_of=_AS_OF, case_id=None, prepared_by=None, reviewed_by=None, country="GB"
        )
        (out / "order.json").write_bytes(order.dump())
        began = _cpu_ms()
        papermill.execute_notebook(
            str(notebook_path("customer_review.ipynb")),
            str(out / "executed.ipynb"),
            parameters={"evidence_path": "evidence", "order_path": "order.json", "output_path": "."},
            cwd=str(out),
            kernel_name="python3",
            progress_bar=False,
        )
        if not (out / "report" / "review.pdf").is_file():
            raise RuntimeError("papermill's own engine did not write the documents")
        return {"CPU": _cpu_ms() - began}
