"""The numbered changes to the workspace's tables, applied in order when an older workspace is opened.

A new workspace is created directly from `schema`. A test checks that both ways give the same tables, on SQLite and on
PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import Connection

from kycpack.errors import WorkspaceError
from kycpack.storage.layout import Layout, missing_columns
from kycpack.workspace import schema


def _counted(column: str, sign: str) -> str:
    """Return the statement that counts a piece of JSON in the findings of each case.

    Quotation marks within values are escaped, so it is found only in names and whole values.
    """
    counted = f"(length(findings) - length(replace(findings, '{sign}', ''))) / {len(sign)}"
    return f"UPDATE cases SET {column} = {counted}"  # noqa: S608 - made of the words above


MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE deliveries ADD COLUMN sender VARCHAR",
        "ALTER TABLE deliveries ADD COLUMN session_id VARCHAR",
    ),
    3: (
        """
        CREATE TABLE runs (run_id VARCHAR NOT NULL, output_id VARCHAR NOT NULL, output TEXT NOT NULL,
          identity VARCHAR NOT NULL, options TEXT NOT NULL, as_of VARCHAR NOT NULL, started_at VARCHAR NOT NULL,
          finished_at VARCHAR, state VARCHAR NOT NULL, in_scope INTEGER NOT NULL, PRIMARY KEY (run_id))
        """,
        "CREATE INDEX runs_by_output ON runs (output_id, state)",
        """
        CREATE TABLE run_customers (run_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, position INTEGER NOT NULL,
          occasion TEXT NOT NULL, outcome VARCHAR, entry TEXT, settled VARCHAR, attempts INTEGER NOT NULL,
          claimed_by VARCHAR, claimed_until VARCHAR, PRIMARY KEY (run_id, customer_id))
        """,
        "CREATE INDEX run_customers_by_position ON run_customers (run_id, position)",
        """
        CREATE TABLE packs (output_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, entry TEXT NOT NULL,
          PRIMARY KEY (output_id, customer_id))
        """,
    ),
    4: (
        """
        CREATE TABLE ledger_entries (seq INTEGER NOT NULL, prev VARCHAR NOT NULL, digest VARCHAR NOT NULL,
          hash VARCHAR NOT NULL, key VARCHAR, signature VARCHAR, PRIMARY KEY (seq))
        """,
        """
        CREATE TABLE ledger_payloads (seq INTEGER NOT NULL, kind VARCHAR NOT NULL, case_id VARCHAR,
          salt VARCHAR NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (seq))
        """,
        "CREATE INDEX ledger_payloads_by_case ON ledger_payloads (case_id, seq)",
        "CREATE INDEX ledger_payloads_by_kind ON ledger_payloads (kind, seq)",
        """
        CREATE TABLE cases (case_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, occasion VARCHAR NOT NULL,
          state VARCHAR NOT NULL, version INTEGER NOT NULL, entries INTEGER NOT NULL, level VARCHAR NOT NULL,
          top_reason TEXT NOT NULL, run_id VARCHAR NOT NULL, evidence_root VARCHAR NOT NULL,
          policy_digest VARCHAR NOT NULL, opened_at VARCHAR NOT NULL, changed_at VARCHAR NOT NULL, due_on VARCHAR,
          assignee VARCHAR, snoozed_until VARCHAR, effect VARCHAR, outcome VARCHAR, decision_id VARCHAR,
          reopens_on VARCHAR, closed_at VARCHAR, findings TEXT NOT NULL, PRIMARY KEY (case_id))
        """,
        "CREATE INDEX cases_by_customer ON cases (customer_id)",
        "CREATE INDEX cases_by_state ON cases (state)",
        """
        CREATE TABLE cleared_customers (run_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL,
          evidence_root VARCHAR NOT NULL, policy_digest VARCHAR NOT NULL, PRIMARY KEY (run_id, customer_id))
        """,
        "CREATE TABLE rationales (decision_id VARCHAR NOT NULL, digest VARCHAR NOT NULL, PRIMARY KEY (decision_id))",
        "CREATE INDEX rationales_by_digest ON rationales (digest)",
        """
        CREATE TABLE policies (digest VARCHAR NOT NULL, policy_id VARCHAR NOT NULL, version VARCHAR NOT NULL,
          source {blob} NOT NULL, state VARCHAR NOT NULL, PRIMARY KEY (digest))
        """,
    ),
    5: (
        "ALTER TABLE cases ADD COLUMN finding_count INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE cases ADD COLUMN open_count INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE cases ADD COLUMN unknown_count INTEGER DEFAULT 0 NOT NULL",
        _counted("finding_count", '"finding_id": "'),
        _counted("open_count", '"disposition": ""'),
        _counted("unknown_count", '"outcome": "UNKNOWN"'),
        """
        CREATE TABLE due_dates (customer_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, subject VARCHAR NOT NULL,
          due_at VARCHAR NOT NULL, PRIMARY KEY (customer_id, kind, subject))
        """,
    ),
    6: (
        "ALTER TABLE cleared_customers ADD COLUMN stratum VARCHAR DEFAULT 'not known' NOT NULL",
        """
        CREATE TABLE samples (sample_id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, seed VARCHAR NOT NULL,
          drawn_at VARCHAR NOT NULL, PRIMARY KEY (sample_id))
        """,
        """
        CREATE TABLE sampled_customers (sample_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL,
          stratum VARCHAR NOT NULL, verdict VARCHAR, reviewed_by VARCHAR, reviewed_at VARCHAR,
          PRIMARY KEY (sample_id, customer_id))
        """,
    ),
    7: (
        """
        CREATE TABLE risk_profiles (customer_id VARCHAR NOT NULL, profile TEXT NOT NULL, read_at VARCHAR NOT NULL,
          PRIMARY KEY (customer_id))
        """,
        """
        CREATE TABLE document_marks (mark VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, session_id VARCHAR NOT NULL,
          PRIMARY KEY (mark, customer_id, session_id))
        """,
        "CREATE INDEX document_marks_by_customer ON document_marks (customer_id)",
    ),
    8: (
        """
        CREATE TABLE identity_marks (mark VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, session_id VARCHAR NOT NULL,
          kind VARCHAR NOT NULL, PRIMARY KEY (mark, customer_id, session_id))
        """,
        "CREATE INDEX identity_marks_by_customer ON identity_marks (customer_id)",
        """
        INSERT INTO identity_marks (mark, customer_id, session_id, kind)
          SELECT mark, customer_id, session_id, 'document' FROM document_marks
        """,
        "DROP TABLE document_marks",
        """
        CREATE TABLE alike_customers (customer_id VARCHAR NOT NULL, other_customer_id VARCHAR NOT NULL,
          grounds TEXT NOT NULL, PRIMARY KEY (customer_id, other_customer_id))
        """,
        "CREATE INDEX alike_customers_by_other ON alike_customers (other_customer_id)",
        """
        CREATE TABLE seen_customers (customer_id VARCHAR NOT NULL, created_at VARCHAR NOT NULL,
          checks VARCHAR NOT NULL, PRIMARY KEY (customer_id))
        """,
    ),
    9: (
        "ALTER TABLE cases ADD COLUMN due_kind VARCHAR",
        """
        UPDATE cases SET due_kind = (SELECT MIN(kind) FROM due_dates WHERE due_dates.customer_id = cases.customer_id
          AND substr(due_dates.due_at, 1, 10) = cases.due_on AND kind <> 'next_review')
        """,
    ),
}
"""Statements by the version that they lead to, valid in both databases; see `Layout.changes`."""

LAYOUT = Layout(
    owner="workspace",
    metadata=schema.metadata,
    facts=schema.meta,
    version=schema.VERSION,
    changes=MIGRATIONS,
    lock=0x6B7963,
    error=WorkspaceError,
    shares=True,
)
"""The workspace's tables."""


def check_tables(connection: Connection) -> None:
    """Raise an error if the workspace lacks a table or a column.

    Raises:
        WorkspaceError: Names what is missing.
    """
    missing = missing_columns(connection, LAYOUT)
    if missing:
        raise WorkspaceError(
            f"the workspace lacks {', '.join(missing)}: something else has changed it; restore a backup, or give another "
            "workspace and fill it with `kycpack register import` and `kycpack register fetch`"
        )
