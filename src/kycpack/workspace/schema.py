"""The tables of the workspace.

Instants are texts of fixed width that end in Z, so that both databases sort them the same way.
"""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

VERSION = 9
"""The version of these tables; `migrations` updates earlier versions to it."""

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
    Column("customer_id", String),  # a payment may have no customer
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
    Column("sender", String),  # the sender's address
    Column("session_id", String),  # the session of a held delivery, which is not in the register yet
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
    Column("settled", String),  # when; empty while the customer has to be processed again
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

ledger_entries = Table(
    "ledger_entries",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("prev", String, nullable=False),
    Column("digest", String, nullable=False),  # salted hash of the payload
    Column("hash", String, nullable=False),
    Column("key", String),  # fingerprint of the signing key
    Column("signature", String),
)

ledger_payloads = Table(  # separate from the chain, so that payloads can be erased
    "ledger_payloads",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("case_id", String),
    Column("salt", String, nullable=False),
    Column("payload", Text, nullable=False),
)
Index("ledger_payloads_by_case", ledger_payloads.c.case_id, ledger_payloads.c.seq)
Index("ledger_payloads_by_kind", ledger_payloads.c.kind, ledger_payloads.c.seq)

cases = Table(
    "cases",
    metadata,
    Column("case_id", String, primary_key=True),
    Column("customer_id", String, nullable=False),
    Column("occasion", String, nullable=False),
    Column("state", String, nullable=False),
    Column("version", Integer, nullable=False),  # increases with each change
    Column("entries", Integer, nullable=False),  # in the ledger
    Column("level", String, nullable=False),
    Column("top_reason", Text, nullable=False),
    Column("run_id", String, nullable=False),
    Column("evidence_root", String, nullable=False),
    Column("policy_digest", String, nullable=False),
    Column("opened_at", String, nullable=False),
    Column("changed_at", String, nullable=False),
    Column("due_on", String),
    Column("due_kind", String),  # the kind of date
    Column("assignee", String),
    Column("snoozed_until", String),
    Column("effect", String),  # a hold or an escalation in force
    Column("outcome", String),  # last decision
    Column("decision_id", String),
    Column("reopens_on", String),  # end of an override
    Column("closed_at", String),
    Column("findings", Text, nullable=False),
    # Counts of findings, so that a long queue need not read them.
    Column("finding_count", Integer, nullable=False, server_default="0"),
    Column("open_count", Integer, nullable=False, server_default="0"),
    Column("unknown_count", Integer, nullable=False, server_default="0"),
)
Index("cases_by_customer", cases.c.customer_id)
Index("cases_by_state", cases.c.state)

due_dates = Table(
    "due_dates",
    metadata,
    Column("customer_id", String, primary_key=True),
    Column("kind", String, primary_key=True),
    Column("subject", String, primary_key=True),
    Column("due_at", String, nullable=False),
)

risk_profiles = Table(  # what the firm's own file says about a customer
    "risk_profiles",
    metadata,
    Column("customer_id", String, primary_key=True),
    Column("profile", Text, nullable=False),
    Column("read_at", String, nullable=False),
)

identity_marks = (
    Table(  # keyed digests of documents, people and accounts; never the numbers and names themselves
        "identity_marks",
        metadata,
        Column("mark", String, primary_key=True),
        Column("customer_id", String, primary_key=True),
        Column("session_id", String, primary_key=True),
        Column("kind", String, nullable=False),
    )
)
Index("identity_marks_by_customer", identity_marks.c.customer_id)

alike_customers = Table(  # pairs found by comparing names; the smaller id first
    "alike_customers",
    metadata,
    Column("customer_id", String, primary_key=True),
    Column("other_customer_id", String, primary_key=True),
    Column("grounds", Text, nullable=False),
)
Index("alike_customers_by_other", alike_customers.c.other_customer_id)

seen_customers = Table(
    "seen_customers",
    metadata,
    Column("customer_id", String, primary_key=True),
    Column("created_at", String, nullable=False),
    Column("checks", String, nullable=False),
)

cleared_customers = Table(  # recommended approve, without a person's decision
    "cleared_customers",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("customer_id", String, primary_key=True),
    Column("evidence_root", String, nullable=False),
    Column("policy_digest", String, nullable=False),
    Column(
        "stratum", String, nullable=False, server_default="not known"
    ),  # the level of due diligence that was needed
)

samples = Table(  # samples of the customers cleared without a person's decision
    "samples",
    metadata,
    Column("sample_id", String, primary_key=True),
    Column("run_id", String, nullable=False),
    Column("seed", String, nullable=False),
    Column("drawn_at", String, nullable=False),
)

sampled_customers = Table(
    "sampled_customers",
    metadata,
    Column("sample_id", String, primary_key=True),
    Column("customer_id", String, primary_key=True),
    Column("stratum", String, nullable=False),
    Column("verdict", String),  # agrees or disagrees; empty until reviewed
    Column("reviewed_by", String),
    Column("reviewed_at", String),
)

rationales = Table(
    "rationales",
    metadata,
    Column("decision_id", String, primary_key=True),
    Column("digest", String, nullable=False),
)
Index("rationales_by_digest", rationales.c.digest)

policies = Table(
    "policies",
    metadata,
    Column("digest", String, primary_key=True),
    Column("policy_id", String, nullable=False),
    Column("version", String, nullable=False),
    Column("source", LargeBinary, nullable=False),
    Column("state", String, nullable=False),  # seen, approved, withdrawn
)
