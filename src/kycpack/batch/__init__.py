"""Reviews of many customers, each in a separate process: run, resume, report."""

from __future__ import annotations

from kycpack.batch.executor import Task
from kycpack.batch.finished_run import FinishedRun, open_run
from kycpack.batch.jobs import Job, read_customer_ids
from kycpack.batch.policy_backtest import Backtest, backtest
from kycpack.batch.report import RunEntry, RunReport
from kycpack.batch.run import run_batch

__all__ = [
    "Backtest",
    "FinishedRun",
    "Job",
    "RunEntry",
    "RunReport",
    "Task",
    "backtest",
    "open_run",
    "read_customer_ids",
    "run_batch",
]
