"""The service's tables, which are the same on SQLite and PostgreSQL, and the numbered changes that lead to them.

Instants are text of fixed width that sorts by time. Columns named `*_json` contain JSON with exact numbers. A new database is created
from the tables at once; an older one is changed step by step. A test checks that both ways lead to the same tables.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from kycpack.errors import ServiceError
from kycpack.storage.layout import Layout

VERSION = 4

metadata = MetaData()

facts = Table(
    "service_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

tenants = Table(
    "tenants",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("name", Text, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("merchant_onboarded", Boolean, nullable=False),
    Column("created_at", String(24), nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id")),
    Column("permissions", Text, nullable=False),
    Column("areas", Text, nullable=False),
    Column("created_at", String(24), nullable=False),
)

key_secrets = Table(
    "key_secrets",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key_id", ForeignKey("keys.id"), nullable=False, index=True),
    Column("secret", Text, nullable=False),
    Column("created_at", String(24), nullable=False),
    Column("retired_at", String(24)),
)

nonces = Table(
    "nonces",
    metadata,
    Column("key_id", String(64), primary_key=True),
    Column("nonce", String(64), primary_key=True),
    Column("seen_at", BigInteger, nullable=False, index=True),
    sqlite_with_rowid=False,
)

customers = Table(
    "customers",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("org_id", Text),
    Column("first_name", Text),
    Column("last_name", Text),
    Column("email_address", Text),
    Column("date_of_birth", String(10)),
    Column("address_json", Text),
    Column("next_results_json", Text),
    Column("created_at", String(24), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Column("next_review_json", Text),
    Index("customers_by_tenant", "tenant_id", "created_at", "id"),
    Index("customers_by_org", "tenant_id", "org_id", "created_at", "id"),
)

payments = Table(
    "payments",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("customer_id", ForeignKey("customers.id")),
    Column("amount_minor", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("reference", Text, nullable=False),
    Column("description", Text),
    Column("ais_json", Text),
    Column("return_url", Text),
    Column("cancel_url", Text),
    Column("status", String(16), nullable=False),
    Column("created_at", String(24), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Index("payments_by_tenant", "tenant_id", "created_at", "id"),
    Index("payments_by_customer", "customer_id"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("payment_id", ForeignKey("payments.id"), nullable=False),
    Column("idempotency_hash", String(64)),
    Column("kind", String(8), nullable=False),
    Column("bank_id", Text),
    Column("action", String(32)),
    Column("status", String(16), nullable=False),
    Column("created_at", String(24), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Column("closed_by", String(64)),
    UniqueConstraint("payment_id", "idempotency_hash"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("customer_id", ForeignKey("customers.id"), nullable=False, index=True),
    Column("org_id", Text),
    Column("first_name", Text),
    Column("last_name", Text),
    Column("email_address", Text),
    Column("return_url", Text),
    Column("identity_json", Text, nullable=False),
    Column("ais_json", Text),
    Column("status", String(16), nullable=False),
    Column("attempt_count", Integer, nullable=False),
    Column("steps_json", Text, nullable=False),
    Column("results_json", Text),
    Column("identity_completed_at", String(24)),
    Column("ais_completed_at", String(24)),
    Column("created_at", String(24), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Column("expires_at", String(24), nullable=False),
    Index("sessions_by_tenant", "tenant_id", "created_at", "id"),
)

media = Table(
    "media",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("session_id", ForeignKey("sessions.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("type", String(32), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("content_type", String(64), nullable=False),
    Column("description", Text, nullable=False),
    Column("subject_json", Text, nullable=False),
    Column("content", LargeBinary),
)

bank_accounts = Table(
    "bank_accounts",
    metadata,
    Column("customer_id", ForeignKey("customers.id"), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("bank_id", Text, nullable=False),
    Column("bank_name", Text, nullable=False),
    Column("holder_name", Text, nullable=False),
    Column("account_number", Text),
    Column("sort_code", Text),
    Column("currency", String(3), nullable=False),
    Column("type", Text),
    Column("balance_json", Text),
    Column("scopes", Text, nullable=False),
    Column("granted_at", String(24), nullable=False),
    Column("expires_at", String(24), nullable=False),
    Column("scope_ends_json", Text),
)

transactions = Table(
    "transactions",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("tenant_id", String(36), nullable=False),
    Column("customer_id", String(36), nullable=False),
    Column("account_id", String(64), nullable=False),
    Column("booked_on", String(10), nullable=False),
    Column("record_json", Text, nullable=False),
    Index("transactions_by_account", "customer_id", "account_id", "booked_on", "number"),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("name", Text),
    Column("events", Text, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("created_at", String(24), nullable=False),
    Column("updated_at", String(24), nullable=False),
    Column("last_delivered_at", String(24)),
    Column("failures", Integer, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("webhook_id", ForeignKey("webhooks.id"), nullable=False),
    Column("session_id", ForeignKey("sessions.id"), nullable=False),
    Column("event", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("status", Integer),
    Column("reason", Text),
    Column("created_at", String(24), nullable=False),
    Column("sent_at", String(24)),
    Column("finished_at", String(24)),
    Index("deliveries_by_state", "state", "number"),
)

mails = Table(
    "mails",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("session_id", ForeignKey("sessions.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("recipient", Text, nullable=False),
    Column("first_name", Text),
    Column("base_url", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text),
    Column("created_at", String(24), nullable=False),
    Column("sent_at", String(24)),
    Index("mails_by_state", "state", "created_at", "id"),
)

scheduled = Table(
    "scheduled",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("tenant_id", ForeignKey("tenants.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("subject_id", String(36), nullable=False),
    Column("body_json", Text, nullable=False),
    Column("due_at", String(24)),
    Column("state", String(16), nullable=False),
    Column("reason", Text),
    Column("created_at", String(24), nullable=False),
    Column("finished_at", String(24)),
    Index("scheduled_by_state", "state", "due_at", "number"),
    Index("scheduled_by_subject", "subject_id", "state"),
)

bank_conditions = Table(
    "bank_conditions",
    metadata,
    Column("bank_id", Text, primary_key=True),
    Column("state", String(8), nullable=False),
    Column("seconds", Text, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("created_at", String(24), nullable=False),
    Column("rows", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)


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
    metadata=metadata,
    facts=facts,
    version=VERSION,
    changes=MIGRATIONS,
    lock=0x6B7973,
    error=ServiceError,
)
"""The service's tables."""
