"""Triage: policy, evaluation, consistency.

`policy` is a policy as data, `policy_file` reads it, `policy_tests` runs its own tests, `vocabulary` has the word lists for
results documents, and `unlisted_leaves` reads the leaves that no rule lists. `observations` turns what the frames show into a
`case_file` for each customer, `conditions` reads conditions and evaluates them on it, `section_outcomes` and `rulings` make
findings, `supersession` lets a later session replace an unfinished one, and `evaluate` returns findings and recommendations.
`consistency` compares what the sources say about a person; `same_person` finds customers who share an identity document.
`policy_differences` describes rules and the differences between two policies in words, and `workload` estimates how much work
cases are.
"""

from kycpack.triage.customers.same_person import shared_documents
from kycpack.triage.diligence import read_risk_file
from kycpack.triage.evaluate import Triage, evaluate
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policy_file import default_policy_file, load_policy, read_policy, to_policy
from kycpack.triage.policy_tests import check_policy

__all__ = [
    "Policy",
    "Triage",
    "check_policy",
    "default_policy_file",
    "evaluate",
    "load_policy",
    "read_policy",
    "read_risk_file",
    "shared_documents",
    "to_policy",
]
