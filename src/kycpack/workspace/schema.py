"""The tables of the workspace.

Instants are text of a fixed width that ends in Z, so that both databases sort them alike.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

VERSION = 3
"""The version of these tables; `migrations` leads from each earlier one to it."""

metadata = MetaData()

meta = Table(
    "kycpack_workspace",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)

customers = Table(
    "customers",
    metadata,
    Column("customer_id", String, primary_key=True),
    Column("org_id", String),
    Column("learned_from", String, nullable=False),
    Column("learned_at", String, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("customer_id", String),  # a webhook does not name the customer of the session it announces
    Column("learned_from", String, nullable=False),
    Column("learned_at", String, nullable=False),
    Column("created_at", String),
    Column("ordered", Text),
    Column("status", String),
)
Index("sessions_by_customer", sessions.c.customer_id)

payments = Table(
    "payments",
    metadata,
    Column("payment_id", String, primary_key=True),
    Column("customer_id", String),  # a payment may be made without a customer
    Column("learned_from", String, nullable=False),
    Column("learned_at", String, nullable=False),
    Column("created_at", String),
)
Index("payments_by_customer", payments.c.customer_id)

intents = Table(
    "intents",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("intent_id", String, nullable=False, unique=True),
    Column("operation", String, nullable=False),
    Column("summary", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("subject_id", String),
    Column("note", Text, nullable=False),
    Column("made_at", String, nullable=False),
    Column("settled_at", String),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("received_at", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("state", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("worked_at", String),
    Column("sender", String),  # the address that it came from
    Column("session_id", String),  # what a held one names: the register does not know it yet
)
Index("deliveries_by_state", deliveries.c.state, deliveries.c.number)

completions = Table(
    "completions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("updated", String, nullable=False),
    Column("learned_from", String, nullable=False),
    Column("learned_at", String, nullable=False),
    Column("state", String, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("output_id", String, nullable=False),
    Column("output", Text, nullable=False),
    Column("identity", String, nullable=False),
    Column("options", Text, nullable=False),
    Column("as_of", String, nullable=False),
    Column("started_at", String, nullable=False),
    Column("finished_at", String),
    Column("state", String, nullable=False),
    Column("in_scope", Integer, nullable=False),
)
Index("runs_by_output", runs.c.output_id, runs.c.state)

run_customers = Table(
    "run_customers",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("customer_id", String, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("occasion", Text, nullable=False),
    Column("outcome", String),
    Column("entry", Text),
    Column("settled", String),  # when; empty while something has to be done again
    Column("attempts", Integer, nullable=False),
    Column("claimed_by", String),
    Column("claimed_until", String),
)
Index("run_customers_by_position", run_customers.c.run_id, run_customers.c.position)

packs = Table(
    "packs",
    metadata,
    Column("output_id", String, primary_key=True),
    Column("customer_id", String, primary_key=True),
    Column("entry", Text, nullable=False),
)
