"""What a policy costs for a customer: alone, and many together, in CPU and in memory above their frames."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

from tests.bench.measure import Measurement, peak_bytes
from tests.triage.invented_customers import evidence

from kycpack.frames import flatten
from kycpack.synthetic import generate
from kycpack.triage import evaluate, load_policy
from kycpack.wealth import derive

CUSTOMERS = 1_000
_AS_OF = date(2026, 6, 1)
_ALONE = 15


def run() -> list[Measurement]:
    """Measure in a process of its own, since a process never says how much less it needs now."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        alone, together, findings, memory = pool.submit(_measured).result()
    name = f"evaluate, {CUSTOMERS:,} customers together"
    return [
        Measurement("evaluate, a customer alone", alone, None, "ms CPU", aim="5 ms"),
        Measurement(name, together, None, "ms CPU each", aim="0.6 ms"),
        Measurement(f"{name}, and their findings", findings, None, "ms CPU each"),
        Measurement(f"{name}, memory above the frames", memory, None, "KiB each", aim="20 KiB"),
    ]


def _measured() -> tuple[float, float, float, float]:
    policy = load_policy()
    people = [evidence(plan) for plan in generate(CUSTOMERS, 1, _AS_OF, history_days=60).customers]
    alone = []
    for one in people[:_ALONE]:
        frames = flatten(one)
        began = time.process_time()
        evaluate(frames, policy, as_of=_AS_OF)
        alone.append(1000 * (time.process_time() - began))
    frames = flatten(people)
    wealth = derive(frames.transactions, thresholds=policy.thresholds, as_of=_AS_OF)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak so far is forgotten
    before, began = peak_bytes(), time.process_time()
    made = evaluate(frames, policy, wealth=wealth, as_of=_AS_OF)
    took, peak = time.process_time() - began, peak_bytes() - before
    began = time.process_time()
    _ = made.findings
    each = 1000 / CUSTOMERS
    return (
        statistics.median(alone),
        each * took,
        each * (time.process_time() - began),
        peak / 1024 / CUSTOMERS,
    )
