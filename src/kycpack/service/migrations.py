"""The numbered changes of the service's tables, applied in order when an older database is opened.

A new database is created from `schema` at once. A test checks that both ways lead to the same tables, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

from kycpack.errors import ServiceError
from kycpack.service import schema
from kycpack.storage.layout import Layout

MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE attempts ADD COLUMN closed_by VARCHAR(64)",
        "ALTER TABLE bank_accounts ADD COLUMN scope_ends_json TEXT",
        "CREATE INDEX customers_by_org ON customers (tenant_id, org_id, created_at, id)",
        "DROP INDEX customers_by_tenant",
        "CREATE INDEX customers_by_tenant ON customers (tenant_id, created_at, id)",
        "CREATE INDEX payments_by_tenant ON payments (tenant_id, created_at, id)",
        "CREATE INDEX payments_by_customer ON payments (customer_id)",
        "CREATE INDEX sessions_by_tenant ON sessions (tenant_id, created_at, id)",
        "DROP INDEX ix_deliveries_state",
        "CREATE INDEX deliveries_by_state ON deliveries (state, number)",
    ),
    3: (
        """
        CREATE TABLE mails (id VARCHAR(36) NOT NULL, tenant_id VARCHAR(36) NOT NULL, session_id VARCHAR(36) NOT NULL,
          kind VARCHAR(16) NOT NULL, recipient TEXT NOT NULL, first_name TEXT, base_url TEXT NOT NULL,
          state VARCHAR(16) NOT NULL, reason TEXT, created_at VARCHAR(24) NOT NULL, sent_at VARCHAR(24),
          PRIMARY KEY (id), FOREIGN KEY (tenant_id) REFERENCES tenants (id),
          FOREIGN KEY (session_id) REFERENCES sessions (id))
        """,
        "CREATE INDEX mails_by_state ON mails (state, created_at, id)",
    ),
    4: (
        "ALTER TABLE customers ADD COLUMN next_review_json TEXT",
        """
        CREATE TABLE scheduled (number {serial} NOT NULL, tenant_id VARCHAR(36) NOT NULL, kind VARCHAR(16) NOT NULL,
          subject_id VARCHAR(36) NOT NULL, body_json TEXT NOT NULL, due_at VARCHAR(24), state VARCHAR(16) NOT NULL,
          reason TEXT, created_at VARCHAR(24) NOT NULL, finished_at VARCHAR(24), PRIMARY KEY (number),
          FOREIGN KEY (tenant_id) REFERENCES tenants (id))
        """,
        "CREATE INDEX scheduled_by_state ON scheduled (state, due_at, number)",
        "CREATE INDEX scheduled_by_subject ON scheduled (subject_id, state)",
        """
        CREATE TABLE bank_conditions (bank_id TEXT NOT NULL, state VARCHAR(8) NOT NULL, seconds TEXT NOT NULL,
          PRIMARY KEY (bank_id))
        """,
        """
        CREATE TABLE snapshots (name VARCHAR(64) NOT NULL, created_at VARCHAR(24) NOT NULL, rows INTEGER NOT NULL,
          content {blob} NOT NULL, PRIMARY KEY (name))
        """,
        "UPDATE service_facts SET name = 'clock_offset_' WHERE name = 'clock_offset'",
    ),
}
"""Statements for both databases, by the version that they lead to; see `Layout.changes`."""

LAYOUT = Layout(
    owner="service",
    metadata=schema.metadata,
    facts=schema.facts,
    version=schema.VERSION,
    changes=MIGRATIONS,
    lock=0x6B7973,
    error=ServiceError,
)
"""The service's tables."""
