"""The workspace: one database for everything that the interface cannot list.

The interface lists neither the sessions nor the payments of a customer. The register stores them, each with its source:
created here, announced by a webhook, imported, or made through the control API of an embedded service. The inbox stores
webhook deliveries, and turns them into work only when the service confirms them. `cases` and `decisions` are what people do,
`ledger` records it, and `verify_ledger` checks that record, also as a stand-alone program.
"""

from __future__ import annotations

from kycpack.workspace.cases import Cases as Cases
from kycpack.workspace.database import Workspace as Workspace
from kycpack.workspace.decisions import Decision as Decision
from kycpack.workspace.decisions import Disposition as Disposition
from kycpack.workspace.identity_marks import learn_identities as learn_identities
from kycpack.workspace.imports import ImportReport as ImportReport
from kycpack.workspace.imports import import_register as import_register
from kycpack.workspace.imports import import_risk_profiles as import_risk_profiles
from kycpack.workspace.inbox import Completion as Completion
from kycpack.workspace.inbox import Inbox as Inbox
from kycpack.workspace.inbox import InboxReport as InboxReport
from kycpack.workspace.keys import Keys as Keys
from kycpack.workspace.ledger import Ledger as Ledger
from kycpack.workspace.opened import OpenWorkspace as OpenWorkspace
from kycpack.workspace.opened import open_workspace as open_workspace
from kycpack.workspace.receiver import Limits as Limits
from kycpack.workspace.receiver import Receiver as Receiver
from kycpack.workspace.reconciler import ReconcileReport as ReconcileReport
from kycpack.workspace.reconciler import reconcile as reconcile
from kycpack.workspace.register import Register as Register
from kycpack.workspace.rows import LEARNED_FROM as LEARNED_FROM
from kycpack.workspace.rows import CustomerRow as CustomerRow
from kycpack.workspace.rows import IntentRow as IntentRow
from kycpack.workspace.rows import PaymentRow as PaymentRow
from kycpack.workspace.rows import SessionRow as SessionRow
from kycpack.workspace.runs import RunRow as RunRow
from kycpack.workspace.runs import Runs as Runs

__all__ = [
    "LEARNED_FROM",
    "Cases",
    "Completion",
    "CustomerRow",
    "Decision",
    "Disposition",
    "ImportReport",
    "Inbox",
    "InboxReport",
    "IntentRow",
    "Keys",
    "Ledger",
    "Limits",
    "OpenWorkspace",
    "PaymentRow",
    "Receiver",
    "ReconcileReport",
    "Register",
    "RunRow",
    "Runs",
    "SessionRow",
    "Workspace",
    "import_register",
    "import_risk_profiles",
    "learn_identities",
    "open_workspace",
    "reconcile",
]
