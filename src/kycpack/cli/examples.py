"""Examples for the help of each command, as a person types them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "demo": ("kycpack demo", "kycpack demo --customers 3 --out reports/three"),
    "serve": ("kycpack serve", "kycpack serve --populate 50 --port 8080"),
    "collect": (
        "kycpack collect CUSTOMER_ID --out evidence",
        "kycpack collect CUSTOMER_ID --out evidence --since 12h",
    ),
    "review": (
        "kycpack review evidence/CUSTOMER_ID --out packs",
        "kycpack review evidence/CUSTOMER_ID --as-of 2026-06-30 --policy policy.yaml",
    ),
    "batch": (
        "kycpack batch CUSTOMER_ID --out reports/today",
        "kycpack batch --customers customers.csv --out reports/today --workers 4",
        "kycpack batch --all --out reports/today",
        "kycpack batch --all --out reports/today --log-file batch.jsonl --on-failure './alert.sh operations'",
    ),
    "sign": ("kycpack sign reports/today/CUSTOMER_ID --key firm.p12",),
    "verify": (
        "kycpack verify reports/today",
        "kycpack verify reports/today/CUSTOMER_ID --require-signature --trust firm.pem",
    ),
    "replay": ("kycpack replay reports/today/CUSTOMER_ID",),
    "trace": ("kycpack trace reports/today/CUSTOMER_ID",),
    "redact": ("kycpack redact reports/today/CUSTOMER_ID --profile auditor --to for-the-auditor",),
    "doctor": ("kycpack doctor", "kycpack doctor --out reports/nightly --json"),
    "wealth": ("kycpack wealth --transactions transactions.csv --as-of 2026-06-30",),
    "show": ("kycpack show CUSTOMER_ID", "kycpack show CUSTOMER_ID --run reports/demo --json"),
    "find": (
        "kycpack find",
        "kycpack find --pep --run reports/demo",
        "kycpack find --level edd --expiring 60",
    ),
    "login": ("kycpack login --key-id KEY_ID", "kycpack login --key-id KEY_ID --remove"),
    "lab": ("kycpack lab", "kycpack lab my-notebooks --no-browser"),
    "init": ("kycpack init", "kycpack init my-notebooks --workspace kycpack.db"),
    "curl-sign": ("kycpack curl-sign GET /v1/customers/CUSTOMER_ID",),
    "case": (
        "kycpack case import reports/today",
        "kycpack case queue",
        "kycpack case show CASE",
    ),
    "ledger": ("kycpack ledger verify", "kycpack ledger export ledger.jsonl --case CASE"),
    "keys": ("kycpack keys new my-key.pem", "kycpack keys list"),
    "internal-report": ("kycpack internal-report log reports.jsonl",),
    "runs": ("kycpack runs list", "kycpack runs retry RUN"),
    "register": ("kycpack register import sessions.csv", "kycpack register list CUSTOMER_ID"),
    "inbox": ("kycpack inbox serve", "kycpack inbox work"),
    "policy": ("kycpack policy check policy.yaml",),
    "service-keys": ("kycpack service-keys list", "kycpack service-keys rotate KEY_ID"),
}
"""By name of the command, or of the group of commands."""


def epilog_of(name: str) -> str | None:
    """Return the examples of a command as the help shows them; None where there are none.

    Args:
        name: The command or the group.
    """
    lines = EXAMPLES.get(name)
    return None if lines is None else "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
