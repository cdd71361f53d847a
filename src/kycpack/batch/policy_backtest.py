"""Backtest of a policy on reviewed customers: whose level changes, by which rule, and how much work it causes.

Two policies judge again the evidence in the packs of finished runs, as of the instant of each pack.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.batch.finished_run import FinishedRun, open_run
from kycpack.batch.policy_sample import sample_below_line
from kycpack.errors import InputError, KycpackError
from kycpack.evidence import Evidence, load_evidence
from kycpack.frames import flatten
from kycpack.models.arguments import require_each
from kycpack.models.cards import card
from kycpack.pack.order import Order, read_order
from kycpack.triage import Policy, Triage, evaluate
from kycpack.triage.customers.duplicates import PastDecision
from kycpack.triage.customers.workload import Workload, read_workload
from kycpack.triage.levels import HIT, LEVELS, OF_SECTION, UNKNOWN, rank
from kycpack.triage.policies.policy_differences import PolicyDifference, policy_differences
from kycpack.triage.policy_file import to_policy
from kycpack.wealth import derive
from kycpack.workspace.cases.case_records import findings_of

CHANGES = ("softer", "harder", "other findings", "same")
"""The possible changes for a customer: a lower level, a higher level, the same level for other findings, or no change."""

INTERNAL = "an internal rule"
_CUSTOMERS = (
    "customer_id", "run_id", "as_of", "level_before", "level_now", "change", "because", "case_before", "case_now",
    "decided", "pack",
)  # fmt: skip
_RULES = ("rule_id", "title", "hits_before", "hits_now", "unknown_before", "unknown_now", "harder", "softer")
_WORK = ("level", "cases_before", "cases_now", "minutes_before", "minutes_now")


@dataclass(frozen=True, eq=False, repr=False)
class Backtest:
    """The results of two policies for the same customers.

    Attributes:
        before: The first policy.
        now: The second policy.
        differences: The differences between the texts of the policies.
        as_of: The latest instant of the reviews; None if none could be judged.
        customers: One row per customer: customer_id, run_id, as_of, level_before, level_now, change (one of `CHANGES`), because
            (ids of the rules that decide the change), case_before and case_now (whether a case is opened), decided (a person's
            decision; empty without one) and pack.
        moves: The number of customers for each pair of levels: level_before, level_now, customers.
        rules: One row per rule that hits, is unknown, or decides a move: rule_id, title, hits_before, hits_now,
            unknown_before, unknown_now (numbers of customers), harder and softer (number of customers whose move it decides).
        work: One row per level: level, cases_before, cases_now, minutes_before, minutes_now.
        workload: The minutes per case that the work is calculated with.
        sample: Customers below the line of the second policy, drawn by the seed: stratum, customer_id, verdict.
        below_line: The result of the sample, with exact intervals; columns as in `Samples.result`.
        confidence: Confidence level of the intervals, 0..1.
        seed: Seed of the sample.
        not_tested: Customers who could not be judged: run_id, customer_id, why.
        earlier_reviews: Number of reviews left out because there is a later one of the same customer.
    """

    before: Policy
    now: Policy
    differences: tuple[PolicyDifference, ...]
    as_of: dt.datetime | None
    customers: pd.DataFrame
    moves: pd.DataFrame
    rules: pd.DataFrame
    work: pd.DataFrame
    workload: Workload
    sample: pd.DataFrame
    below_line: pd.DataFrame
    confidence: float
    seed: str
    not_tested: pd.DataFrame
    earlier_reviews: int

    @property
    def moved(self) -> pd.DataFrame:
        """The customers whose level changes: softer first, then harder, and within each the largest step first."""
        found = self.customers[self.customers["change"].isin(["softer", "harder"])]
        step = found["level_now"].map(rank).astype("int64") - found["level_before"].map(rank).astype("int64")
        place = pd.DataFrame({"softer": step > 0, "step": -step.abs(), "id": found["customer_id"]})
        return found.loc[place.sort_values(["softer", "step", "id"]).index].reset_index(drop=True)

    def cases(self, which: str) -> int:
        """Return how many cases a policy opens; `which` is `before` or `now`."""
        return int(self.customers[f"case_{which}"].sum())

    def minutes(self, which: str) -> int:
        """Return the minutes of work for the cases that a policy opens; `which` is `before` or `now`."""
        return int(self.work[f"minutes_{which}"].sum())

    def count(self, change: str) -> int:
        """Return how many customers have a change; `change` is one of `CHANGES`."""
        return int((self.customers["change"] == change).sum())

    def __repr__(self) -> str:
        return (
            f"Backtest({self.before.id} {self.before.version} against {self.now.id} {self.now.version}: "
            f"{len(self.customers)} customers, {self.count('softer')} softer, {self.count('harder')} harder, "
            f"{len(self.not_tested)} not tested)"
        )

    def _repr_html_(self) -> str:
        rows = [(change, self.count(change), "customers") for change in CHANGES]
        rows += [("cases before", self.cases("before"), ""), ("cases now", self.cases("now"), "")]
        rows.append(("not tested", len(self.not_tested), "customers"))
        return card(
            repr(self),
            ("", "", ""),
            rows,
            following=(".moved", ".rules", ".work", ".below_line", ".differences"),
        )


@dataclass(frozen=True, slots=True)
class _Review:
    """One pack of a run: its evidence, and what it was ordered with."""

    run_id: str
    customer_id: str
    pack: Path
    evidence: Evidence
    order: Order


def backtest(  # noqa: PLR0913 - two policies, the runs they judge, and the settings of the sample
    before: Policy | Path | str,
    now: Policy | Path | str,
    runs: Sequence[FinishedRun | Path | str],
    *,
    sample_size: int = 60,
    seed: str = "backtest",
    verdicts: Mapping[str, str] | None = None,
    decisions: Mapping[str, PastDecision] | None = None,
    workload: Workload | None = None,
    confidence: float = 0.95,
) -> Backtest:
    """Judge the customers of finished runs by two policies and compare the results.

    Args:
        before: The first policy, or its file.
        now: The second policy, or its file.
        runs: Finished runs, or their folders. For a customer in several runs, the latest review counts.
        sample_size: How many customers below the line of the second policy are drawn for a person to check.
        seed: Seed of the sample; the same seed draws the same customers.
        verdicts: People's verdicts on customers of the sample, by customer id: `agrees` (no case was needed) or `disagrees`.
        decisions: People's earlier decisions, by customer id, as returned by `Cases.past_decisions`.
        workload: Minutes per case; None for the planning assumption that comes with kycpack.
        confidence: Confidence level of the intervals, between 0 and 1.

    Returns:
        The customers, moves, rules, work and sample; the same arguments give the same result.

    Raises:
        InputError: No run is given, a run is given twice, a number is out of range, or a verdict is about a customer who is
            not in the sample.
        PolicyError: A policy cannot be read or fails its own tests.
        TypeError: A policy or a run has the wrong type.
    """
    first, second = to_policy(before), to_policy(now)
    require_each("runs", runs, (FinishedRun, Path, str), "a list of finished runs or their folders")
    if sample_size < 1:
        raise InputError("expected at least 1", place="sample_size")
    if not 0 < confidence < 1:
        raise InputError("expected a share between 0 and 1", place="confidence")
    reviews, missing, earlier = _reviews(_opened(runs))
    rows: list[dict[str, Any]] = []
    counts: dict[str, Counter[str]] = {}
    instants: list[dt.datetime] = []
    for review in reviews:
        try:
            judged = _judged(review, first, second)
        except KycpackError as error:
            missing.append((review.run_id, review.customer_id, str(error)))
            continue
        _count(counts, *judged)
        rows.append(_customer(review, *judged, decisions or {}))
        instants.append(review.order.instant)
    customers = _customers_frame(rows)
    load = workload or read_workload()
    sample, below = sample_below_line(customers, sample_size, seed, verdicts or {}, confidence)
    return Backtest(
        before=first,
        now=second,
        differences=policy_differences(first, second),
        as_of=max(instants, default=None),
        customers=customers.drop(columns="rules"),
        moves=_moves(customers),
        rules=_rules(first, second, counts, customers),
        work=_work(customers, load),
        workload=load,
        sample=sample,
        below_line=below,
        confidence=confidence,
        seed=seed,
        not_tested=pd.DataFrame(sorted(missing), columns=["run_id", "customer_id", "why"]),
        earlier_reviews=earlier,
    )


def _opened(runs: Iterable[FinishedRun | Path | str]) -> list[FinishedRun]:
    given = [each if isinstance(each, FinishedRun) else open_run(each) for each in runs]
    if not given:
        raise InputError("give one finished run or more", place="runs")
    ids = [run.run_id for run in given]
    if len(set(ids)) < len(ids):
        raise InputError("a run is given twice", place="runs")
    return given


def _reviews(runs: Sequence[FinishedRun]) -> tuple[list[_Review], list[tuple[str, str, str]], int]:
    """Return the latest review of each customer, the reviews that could not be opened, and the number of earlier reviews."""
    found: dict[str, list[_Review]] = {}
    missing: list[tuple[str, str, str]] = []
    for run in runs:
        for customer_id, entry in run.entries.items():
            if not entry.pack:
                missing.append((run.run_id, customer_id, f"no pack: {entry.outcome}"))
                continue
            run.fetch(entry.customer_id)
            pack = run.path / entry.pack
            try:
                review = _opened_pack(run.run_id, customer_id, pack)
            except (KycpackError, OSError):
                missing.append((run.run_id, customer_id, "its pack cannot be read"))
                continue
            found.setdefault(customer_id, []).append(review)
    latest = [max(each, key=lambda one: one.order.instant) for _, each in sorted(found.items())]
    # A customer without a pack in a later run is judged by the earlier review, and is also listed as not tested.
    return latest, missing, sum(map(len, found.values())) - len(latest)


def _opened_pack(run_id: str, customer_id: str, pack: Path) -> _Review:
    evidence = load_evidence(pack / "data" / "evidence")
    if evidence.customer_id != customer_id:
        raise InputError("belongs to a different customer than the run says", place=customer_id)
    return _Review(run_id, customer_id, pack, evidence, read_order(pack / "data" / "order.json"))


def _judged(review: _Review, first: Policy, second: Policy) -> tuple[Triage, Triage]:
    frames = flatten(review.evidence)
    as_of = review.order.instant
    made: list[Triage] = []
    wealth = None
    for policy in (first, second):
        if wealth is None or policy.thresholds != first.thresholds:
            wealth = derive(
                frames.transactions,
                customers=frames.customers,
                accounts=frames.accounts,
                balances=frames.balances,
                country=review.order.country,
                thresholds=policy.thresholds,
                as_of=as_of,
            )
        made.append(evaluate(frames, policy, wealth=wealth, as_of=as_of))
    return made[0], made[1]


def _standing(triage: Triage) -> dict[str, tuple[int, frozenset[tuple[str, str]]]]:
    """Return, by rule, the rank of its most severe finding in force, and the outcome and path of each finding in force."""
    found: dict[str, tuple[int, frozenset[tuple[str, str]]]] = {}
    for row in triage.findings.to_dict("records"):
        if row["outcome"] in {HIT, UNKNOWN} and not isinstance(row["superseded_by"], str):
            hardest, seen = found.get(row["rule_id"], (0, frozenset()))
            what = seen | {(str(row["outcome"]), str(row["path"]))}
            found[row["rule_id"]] = (max(hardest, rank(row["level"])), what)
    return found


def _customer(
    review: _Review, before: Triage, now: Triage, decisions: Mapping[str, PastDecision]
) -> dict[str, Any]:
    levels = [str(each.recommendations["level"].iloc[0]) for each in (before, now)]
    change, rules = _change(_standing(before), _standing(now), *map(rank, levels))
    both = [rule for policy in (before.policy, now.policy) for rule in policy.rules]
    internal = {rule.id for rule in both if rule.internal}
    if change in {"softer", "harder"}:
        # A rule about the level only follows from other rules, so it is named only if no other rule is.
        late = {rule.id for rule in both if rule.about_level}
        rules = [rule for rule in rules if rule not in late] or rules
    decided = decisions.get(review.customer_id)
    return {
        "customer_id": review.customer_id,
        "run_id": review.run_id,
        "as_of": review.order.as_of,
        "level_before": levels[0],
        "level_now": levels[1],
        "change": change,
        "because": list(dict.fromkeys(INTERNAL if rule in internal else rule for rule in rules)),
        "case_before": _has_case(before, levels[0]),
        "case_now": _has_case(now, levels[1]),
        "decided": "" if decided is None else decided.outcome,
        "pack": str(review.pack),
        "rules": rules,
    }


def _change(
    old: Mapping[str, tuple[int, frozenset[tuple[str, str]]]],
    new: Mapping[str, tuple[int, frozenset[tuple[str, str]]]],
    was: int,
    is_now: int,
) -> tuple[str, list[str]]:
    """Return the change for a customer, and the rules that decide it.

    A rule decides a higher level if it gives that level and gave a lower one before. It decides a lower level if it gave the
    earlier level and gives a lower one now.
    """
    if is_now > was:
        return "harder", [
            rule for rule, (level, _) in new.items() if level == is_now and old.get(rule, (0,))[0] < level
        ]
    if is_now < was:
        return "softer", [
            rule for rule, (level, _) in old.items() if level == was and new.get(rule, (0,))[0] < level
        ]
    others = [rule for rule in dict.fromkeys((*old, *new)) if old.get(rule) != new.get(rule)]
    return ("other findings" if others else "same"), others


def _has_case(triage: Triage, level: str) -> bool:
    return level != LEVELS[0] or bool(
        findings_of(triage.findings.to_dict("records"), triage.policy.decisions)
    )


def _count(counts: dict[str, Counter[str]], before: Triage, now: Triage) -> None:
    """Count, by rule, the customers for whom it hits or is unknown."""
    for which, triage in (("before", before), ("now", now)):
        for rule_id, (_, seen) in _standing(triage).items():
            outcomes = {outcome for outcome, _ in seen}
            counter = counts.setdefault(rule_id, Counter())
            counter[f"hits_{which}"] += HIT in outcomes
            counter[f"unknown_{which}"] += UNKNOWN in outcomes


def _customers_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=[*_CUSTOMERS, "rules"])
    return frame.astype({"case_before": "bool", "case_now": "bool"})


def _moves(customers: pd.DataFrame) -> pd.DataFrame:
    counts = Counter(zip(customers["level_before"], customers["level_now"], strict=True))
    rows = [(was, is_now, counts[was, is_now]) for was in LEVELS for is_now in LEVELS if counts[was, is_now]]
    return pd.DataFrame(rows, columns=["level_before", "level_now", "customers"])


def _rules(
    first: Policy, second: Policy, counts: Mapping[str, Counter[str]], customers: pd.DataFrame
) -> pd.DataFrame:
    titles = {rule.id: rule.title for policy in (first, second) for rule in policy.rules}
    decides: dict[str, Counter[str]] = {}
    for change, rules in zip(customers["change"], customers["rules"], strict=True):
        for rule_id in rules:
            decides.setdefault(rule_id, Counter())[change] += 1
    order = {rule_id: place for place, rule_id in enumerate(titles)}
    ids = sorted({*counts, *decides}, key=lambda each: (order.get(each, -1), each))
    rows = [
        {
            "rule_id": each,
            "title": titles.get(
                each, "Outcome of a section" if each.startswith(OF_SECTION) else "The policy's own dates"
            ),
            **{name: counts.get(each, Counter())[name] for name in _RULES[2:6]},
            **{change: decides.get(each, Counter())[change] for change in ("harder", "softer")},
        }
        for each in ids
    ]
    return pd.DataFrame(rows, columns=list(_RULES))


def _work(customers: pd.DataFrame, workload: Workload) -> pd.DataFrame:
    rows = []
    for level in LEVELS:
        cases = [
            int((customers[f"case_{which}"] & (customers[f"level_{which}"] == level)).sum())
            for which in ("before", "now")
        ]
        rows.append((level, *cases, *(count * workload.minutes[level] for count in cases)))
    return pd.DataFrame(rows, columns=list(_WORK)).astype(dict.fromkeys(_WORK[1:], "int64"))
