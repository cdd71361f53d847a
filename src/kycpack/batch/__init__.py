"""Reviews of many customers, each in a separate process: run, resume, report."""

from __future__ import annotations

from kycpack.batch.executor import Task as Task
from kycpack.batch.finished_run import FinishedRun as FinishedRun
from kycpack.batch.finished_run import open_run as open_run
from kycpack.batch.jobs import Job as Job
from kycpack.batch.jobs import read_customer_ids as read_customer_ids
from kycpack.batch.policy_backtest import Backtest as Backtest
from kycpack.batch.policy_backtest import backtest as backtest
from kycpack.batch.report import RunEntry as RunEntry
from kycpack.batch.report import RunReport as RunReport
from kycpack.batch.run import run_batch as run_batch

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
