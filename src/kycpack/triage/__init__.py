"""Triage: policy, evaluation, consistency.

`policy` is a policy as data, `policy_file` reads it, `proving` runs its own tests. `gathering` turns frames into `facts`, `judging`
judges a condition over them, `outcomes` holds the floors, and `evaluate` makes findings and recommendations. `consistency`
compares what the sources tell of a person.
"""

from __future__ import annotations

from kycpack.triage.evaluate import Triage, evaluate
from kycpack.triage.policy import Policy
from kycpack.triage.policy_file import load_policy, read_policy
from kycpack.triage.proving import check_policy

__all__ = ["Policy", "Triage", "check_policy", "evaluate", "load_policy", "read_policy"]
