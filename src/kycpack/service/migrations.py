"""The numbered changes of the service's tables, applied in order when an older database is opened.

A new database is made from `schema` at once. A test holds that both ways lead to the same tables, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, inspect, select, text, update

from kycpack.errors import ServiceError
from kycpack.service import schema

_LOCK = 0x6B7973  # PostgreSQL's advisory lock while tables change; any number that others do not use

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
}
"""By the version that they lead to: statements that both databases understand."""


def migrate(connection: Connection) -> None:
    """Make the tables of a new database, or bring those of an older one up to date; within a writing transaction.

    Raises:
        ServiceError: It belongs to another program, or was written by a newer version.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = _version(connection)
    if version == schema.VERSION:
        return
    if version is None:
        schema.metadata.create_all(connection)
        connection.execute(insert(schema.facts).values(name="version", value=str(schema.VERSION)))
        return
    for number in range(version + 1, schema.VERSION + 1):
        for statement in MIGRATIONS[number]:
            connection.execute(text(statement))
    is_version = schema.facts.c.name == "version"
    connection.execute(update(schema.facts).where(is_version).values(value=str(schema.VERSION)))


def _version(connection: Connection) -> int | None:
    present = set(inspect(connection).get_table_names())
    if not present:
        return None
    if schema.facts.name not in present:
        raise ServiceError("the database holds tables of another program; give the service one of its own")
    held = connection.scalar(select(schema.facts.c.value).where(schema.facts.c.name == "version"))
    if not str(held).isdecimal() or not 1 <= int(str(held)) <= schema.VERSION:
        raise ServiceError(
            f"the database is of version {held or 'unknown'}, this service reads versions 1 to {schema.VERSION}; "
            "use the kycpack that wrote it, or another database"
        )
    return int(str(held))
