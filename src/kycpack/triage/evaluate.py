"""Evaluating a policy: findings for every rule, and one recommendation per customer, which findings can only raise."""

from __future__ import annotations

import datetime as dt
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.models.arguments import require
from kycpack.models.cards import card
from kycpack.models.dates import day_words
from kycpack.models.instants import read_as_of
from kycpack.triage.case_file import CaseFile
from kycpack.triage.judge.findings import findings_frame, recommendations_frame
from kycpack.triage.judge.judgement import judge_case, recommend
from kycpack.triage.judge.supersession import Supersession, supersessions_frame
from kycpack.triage.levels import LEVELS
from kycpack.triage.observations.case_files import case_files
from kycpack.triage.observations.consistency import Comparison, compare_sources, consistency_frame
from kycpack.triage.observations.frame_rows import read_rows
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policy_file import to_policy


@dataclass(frozen=True, eq=False, repr=False)
class Triage:
    """The result of applying a policy to customers.

    Attributes:
        cases: What was observed about each customer.
        recommendations: One row per customer: customer_id, level, top_reason, reasons, fired, unknown, routes (the owners of every
            hit and every unknown), actions, not_looked_at, internal (rules that stay inside the firm), diligence,
            required_checks, next_review_on, and the policy's id, version and digest.
        compared: The pairs of sources that were compared.
        superseded: The sessions that a later one replaces.
        policy: The policy that was used.
        as_of: The instant as of which it was used.
    """

    cases: Sequence[CaseFile]
    recommendations: pd.DataFrame
    compared: Sequence[Comparison]
    superseded: Sequence[Supersession]
    policy: Policy
    as_of: dt.datetime

    def __repr__(self) -> str:
        levels = ", ".join(f"{level} {count}" for level, count in self._levels)
        return f"Triage(as of {day_words(self.as_of.date())}, customers {len(self.recommendations)}: {levels or 'none'})"

    def _repr_html_(self) -> str:
        outcomes = self.findings["outcome"].value_counts()
        rows = [
            *((level, count, "customers") for level, count in self._levels),
            *((str(outcome), int(count), "findings") for outcome, count in sorted(outcomes.items())),
        ]
        return card(
            repr(self),
            ("", "", ""),
            rows,
            notes=[f"Policy {self.policy.id} {self.policy.version}."],
            following=(
                ".recommendations",
                ".findings.query(\"outcome == 'HIT'\")",
                ".consistency",
                ".policy",
            ),
        )

    @cached_property
    def findings(self) -> pd.DataFrame:
        """One row for each rule and session, made when it is first used, since most of it is clear.

        A rule about the customer has one row per customer; a rule that reports each hit separately may have more. Columns
        as in `findings.Finding`.
        """
        return findings_frame(
            [
                finding
                for case in self.cases
                for finding in judge_case(self.policy, case, self.as_of.date(), with_clear=True).findings
            ]
        )

    @cached_property
    def consistency(self) -> pd.DataFrame:
        """One row for each pair of sources compared: customer_id, field, left, right, verdict, score, reason."""
        return consistency_frame(self.compared)

    @cached_property
    def supersessions(self) -> pd.DataFrame:
        """One row for each session that a later one replaces; columns as in `supersession.Supersession`."""
        return supersessions_frame(self.superseded)

    @property
    def _levels(self) -> list[tuple[str, int]]:
        counts = self.recommendations["level"].value_counts()
        return [(level, int(counts[level])) for level in LEVELS if level in counts]


def evaluate(
    frames: Frames,
    policy: Policy | Path | str | None = None,
    wealth: Any = None,
    *,
    as_of: dt.date | dt.datetime | str,
) -> Triage:
    """Return what a policy recommends for every customer of the frames.

    Args:
        frames: From `flatten`.
        policy: A policy or its file; None for the default policy of the package.
        wealth: From `derive`; without it, what the bank data shows is unknown.
        as_of: The instant of the review: a datetime with an offset, a date (its end, UTC), or either as text.

    Returns:
        Recommendations; findings, the consistency matrix and the replaced sessions become frames when they are first used.

    Raises:
        InputError: `as_of` is a text that is neither, or has no offset.
        PolicyError: The file is not a policy.
        TypeError: An argument is of another type.
    """
    require("frames", frames, Frames, "Frames, as `flatten` returns them")
    policy = to_policy(policy)
    moment = read_as_of(as_of)
    with _collector_paused():
        given = read_rows(frames)
        compared = compare_sources(given)
        cases = case_files(frames, given, wealth, compared, moment)
        recommended, superseded = recommend(policy, cases, moment.date())
    return Triage(
        cases=cases,
        recommendations=recommendations_frame(recommended),
        compared=compared,
        superseded=superseded,
        policy=policy,
        as_of=moment,
    )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause Python's garbage collector, which would visit the observations of many customers again and again.

    All of them are kept and they contain no cycles, so it would find nothing; it takes a fifth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
