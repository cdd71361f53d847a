"""Red flags on seeded patterns of laundering and of ordinary life that looks like it.

The patterns were written by an author who had not read the code; nothing is tuned on them. A pattern counts as found when the default policy,
given nothing but the red flags of its bank data, recommends enhanced due diligence or more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import sqrt

import pandas as pd
from tests.evaluate.blind.patterns import variants

from kycpack.triage import load_policy
from kycpack.triage.case_file import CaseFile, SessionFile
from kycpack.triage.judge.judgement import judge_case
from kycpack.triage.levels import highest, rank
from kycpack.triage.policies.policy import Policy
from kycpack.wealth import Wealth, derive

SEEDS = (5_150_221,)
_Z = 1.959964  # of a normal distribution, 95% on both sides

Variant = tuple[str, bool, pd.DataFrame, pd.DataFrame]


@dataclass(frozen=True)
class Judged:
    """A variant and what came of it.

    Args:
        kind: Kind of pattern.
        guilty: Whether it launders.
        level: What the policy recommends for its red flags.
        codes: The red flags.
    """

    kind: str
    guilty: bool
    level: str
    codes: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether the recommendation is enhanced due diligence or more."""
        return rank(self.level) >= rank("edd")


def judged(every: Iterable[Variant], policy: Policy | None = None) -> Iterator[Judged]:
    """Yield what the policy recommends for each variant.

    Args:
        every: Kind, whether it is guilty, transactions and accounts.
        policy: The default policy where None.
    """
    rules = policy or load_policy()
    for kind, guilty, transactions, accounts in every:
        as_of = transactions["booked_on"].max() + pd.Timedelta(days=1)
        wealth = derive(transactions, accounts=accounts, thresholds=rules.thresholds, as_of=as_of.date())
        yield Judged(kind, guilty, flag_level(wealth, rules), tuple(sorted(set(wealth.flags["code"]))))


def flag_level(wealth: Wealth, policy: Policy) -> str:
    """Return what a policy recommends for the red flags of one customer, and for nothing else."""
    case = CaseFile("customer", "E-01", sessions=[SessionFile("session", "E-02")])
    case.add("bank.expected", value=True)
    case.add("wealth.derived", "yes")
    for row in wealth.flags.to_dict("records"):
        case.add(f"wealth.flags.{row['code']}", str(row["severity"]), note=str(row["message"]))
    found = judge_case(policy, case, pd.Timestamp(wealth.generated_at).date()).findings
    mine = [one for one in found if str(one.path or "").startswith("wealth.flags.")]
    return highest(["approve", *(one.level for one in mine if one.outcome == "HIT")])


def pattern_figures(make: Callable[[int], Iterable[Variant]] = variants) -> Iterator[tuple[str, str]]:
    """Yield precision and recall with their intervals, recall by guilty kind, and false positives by innocent kind."""
    every = [one for seed in SEEDS for one in judged(make(seed))]
    guilty, innocent = [one for one in every if one.guilty], [one for one in every if not one.guilty]
    hits, false = sum(one.found for one in guilty), sum(one.found for one in innocent)
    yield "variants: guilty, innocent", f"{len(guilty)}, {len(innocent)}"
    yield "precision of enhanced due diligence", share_with_interval(hits, hits + false)
    yield "recall of enhanced due diligence", share_with_interval(hits, len(guilty))
    yield "innocent ones sent to enhanced due diligence", share_with_interval(false, len(innocent))
    some = sum(one.level != "approve" for one in innocent)
    yield "innocent ones with a red flag of any level", share_with_interval(some, len(innocent))
    for word, ones in (("found", guilty), ("falsely found", innocent)):
        for kind, rows in _by_kind(ones).items():
            codes = Counter(code for one in rows for code in one.codes)
            seen = ", ".join(f"{code} {count}" for code, count in codes.most_common(4))
            yield f"{word}: {kind}", f"{sum(one.found for one in rows)} of {len(rows)} ({seen or 'no flag'})"


def _by_kind(ones: Iterable[Judged]) -> dict[str, list[Judged]]:
    kinds: dict[str, list[Judged]] = defaultdict(list)
    for one in ones:
        kinds[one.kind].append(one)
    return dict(sorted(kinds.items()))


def share_with_interval(part: int, whole: int) -> str:
    """Return a share with the Wilson interval of 95%, in words.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference.
    """
    if not whole:
        return "none"
    share = part / whole
    spread = _Z * sqrt(share * (1 - share) / whole + _Z**2 / (4 * whole**2))
    middle, scale = share + _Z**2 / (2 * whole), 1 + _Z**2 / whole
    low, high = max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
    return f"{share:.2f} ({part} of {whole}; 95% interval {low:.2f} to {high:.2f})"
