"""The workspace: one database for everything that the interface cannot list.

The interface lists neither the sessions nor the payments of a customer. The register stores them, each with its source:
created here, announced by a webhook, imported, or made through the control API of an embedded service. The inbox stores
webhook deliveries, and turns them into work only when the service confirms them. `cases` are what people decide, `entries`
of the `ledger` record it, and `entries.verify_ledger` checks that record, also as a stand-alone program.
"""

from __future__ import annotations

from kycpack.workspace.cases.cases import Cases
from kycpack.workspace.cases.decisions import Decision, Disposition
from kycpack.workspace.database import Workspace
from kycpack.workspace.entries.keys import Keys
from kycpack.workspace.inbox.inbox import Completion, Inbox, InboxReport
from kycpack.workspace.inbox.receiver import Limits, Receiver
from kycpack.workspace.inbox.reconciler import ReconcileReport, reconcile
from kycpack.workspace.ledger.ledger import Ledger
from kycpack.workspace.opened import OpenWorkspace, open_workspace
from kycpack.workspace.register.identity_marks import learn_identities
from kycpack.workspace.register.imports import ImportReport, import_register, import_risk_profiles
from kycpack.workspace.register.register import Register
from kycpack.workspace.rows import LEARNED_FROM, CustomerRow, IntentRow, PaymentRow, SessionRow
from kycpack.workspace.runs import RunRow, Runs

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
