"""The help of every command: its examples, as a person types them, and its arguments by name."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument

EXAMPLES: dict[str, tuple[str, ...]] = {
    "demo": ("kycpack demo", "kycpack demo --customers 3 --out reports/three"),
    "serve": (
        "kycpack serve",
        "kycpack serve --populate 50 --port 8080",
        "kycpack serve --db postgresql+psycopg://USER@HOST/kycpack_service",
    ),
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
    "watch": (
        "kycpack watch --out /srv/kycpack/reports",
        "kycpack watch --out /srv/kycpack/reports --every 30 --log-file /var/log/kycpack.jsonl",
        "kycpack watch --once --out /srv/kycpack/reports",
    ),
    "sign": (
        "kycpack sign reports/today/CUSTOMER_ID --key firm.p12",
        "kycpack sign reports/today --key firm.p12 --timestamps https://timestamp.example.com",
        "kycpack sign reports/today --pkcs11 libsofthsm2.so --token firm --label packs",
    ),
    "verify": (
        "kycpack verify reports/today",
        "kycpack verify reports/today/CUSTOMER_ID --require-signature --trust firm.pem",
    ),
    "replay": ("kycpack replay reports/today/CUSTOMER_ID", "kycpack replay reports/today"),
    "trace": (
        "kycpack trace reports/today/CUSTOMER_ID",
        "kycpack trace reports/today/CUSTOMER_ID 1,234.50",
        "kycpack trace reports/today/CUSTOMER_ID --check",
    ),
    "redact": ("kycpack redact reports/today/CUSTOMER_ID --profile auditor --to for-the-auditor",),
    "retain": (
        "kycpack retain --relationships relationships.csv --folder reports",
        "kycpack retain --relationships relationships.csv --folder reports --propose",
        "kycpack retain --relationships relationships.csv --folder reports --execute",
    ),
    "doctor": ("kycpack doctor", "kycpack doctor --out reports/nightly --json"),
    "wealth": (
        "kycpack wealth --transactions transactions.csv --as-of 2026-06-30",
        "kycpack wealth --transactions statement.csv --layout monzo",
        "kycpack wealth --layout list",
    ),
    "show": ("kycpack show CUSTOMER_ID", "kycpack show CUSTOMER_ID --run reports/demo --json"),
    "find": (
        "kycpack find",
        "kycpack find --pep --run reports/demo",
        "kycpack find --level edd --expiring 60",
    ),
    "login": ("kycpack login --key-id KEY_ID", "kycpack login --key-id KEY_ID --remove"),
    "lab": ("kycpack lab", "kycpack lab my-notebooks --no-browser"),
    "init": ("kycpack init", "kycpack init my-notebooks --workspace kycpack.db"),
    "curl-sign": (
        "kycpack curl-sign GET /v1/customers/CUSTOMER_ID",
        'kycpack curl-sign POST /v1/customers --data \'{"firstName": "Ann"}\'',
    ),
    "case": ("kycpack case import reports/today", "kycpack case queue", "kycpack case show CASE"),
    "case import": ("kycpack case import reports/today --occasion periodic_review",),
    "case list": ("kycpack case list", "kycpack case list --state second_review"),
    "case queue": ("kycpack case queue", "kycpack case queue --html queue.html --first 50"),
    "case show": ("kycpack case show CASE",),
    "case assign": ('kycpack case assign CASE "Anna Example"',),
    "case wait": ('kycpack case wait CASE --reason "Asked for a letter from the council"',),
    "case resume": ('kycpack case resume CASE --reason "The letter has arrived"',),
    "case snooze": ('kycpack case snooze CASE --until 2026-07-01 --reason "The register answers in July"',),
    "case check": ('kycpack case check CASE source_of_wealth --evidence "E-07, pay slips"',),
    "case decide": (
        (
            "kycpack case decide CASE --outcome approve --code FALSE-POSITIVE --finding F-1=false_positive"
            ' --evidence F-1=listing.json --text "F-1: the listed person was born in 1951."'
        ),
        'kycpack case decide CASE --outcome hold --code PRECAUTION --text "Held until the bank answers."',
    ),
    "case approve": (
        'kycpack case approve CASE --version 5 --text "Compared the list entry with the passport."',
        'kycpack case approve CASE --send-back --text "The date of birth is not cited."',
    ),
    "case reopen": ('kycpack case reopen CASE --reason "A newspaper article was found"',),
    "case duplicates": ("kycpack case duplicates reports/today",),
    "case pack": ("kycpack case pack CASE", "kycpack case pack CASE --packs reports/today"),
    "case sample": (
        "kycpack case sample draw RUN --size 60 --seed winter",
        "kycpack case sample show SAMPLE",
    ),
    "case sample draw": ("kycpack case sample draw RUN --size 60 --seed winter",),
    "case sample review": (
        'kycpack case sample review SAMPLE CUSTOMER_ID --verdict agrees --text "Read the pack; nothing against it"',
    ),
    "case sample show": ("kycpack case sample show SAMPLE",),
    "ledger": ("kycpack ledger verify", "kycpack ledger export case-2026 --case CASE"),
    "ledger list": ("kycpack ledger list", "kycpack ledger list --case CASE"),
    "ledger export": ("kycpack ledger export ledger-2026", "kycpack ledger export case-2026 --case CASE"),
    "ledger verify": ("kycpack ledger verify", "kycpack ledger verify --trust FINGERPRINT"),
    "ledger anchor": ("kycpack ledger anchor",),
    "keys": ("kycpack keys new my-key.pem", "kycpack keys list"),
    "keys new": ("kycpack keys new anna.pem", "kycpack keys new firm.p12 --for packs --name 'Example Bank'"),
    "keys enrol": ('kycpack keys enrol "Anna Example" --public-key HEX',),
    "keys revoke": ('kycpack keys revoke "Anna Example"',),
    "keys grant": ('kycpack keys grant "Mia Officer" MLRO',),
    "keys withdraw": ('kycpack keys withdraw "Mia Officer" MLRO',),
    "keys list": ("kycpack keys list",),
    "internal-report": ("kycpack internal-report log reports.jsonl",),
    "internal-report key": ("kycpack internal-report key mlro.pem",),
    "internal-report setup": ("kycpack internal-report setup reports.jsonl --public-key HEX",),
    "internal-report add": ("kycpack internal-report add reports.jsonl CUSTOMER_ID < text.txt",),
    "internal-report read": ("kycpack internal-report read reports.jsonl --key mlro.pem",),
    "internal-report log": ("kycpack internal-report log reports.jsonl",),
    "runs": ("kycpack runs list", "kycpack runs retry RUN"),
    "runs list": ("kycpack runs list",),
    "runs show": ("kycpack runs show RUN",),
    "runs failed": ("kycpack runs failed RUN --json",),
    "runs retry": ("kycpack runs retry RUN",),
    "register": ("kycpack register import sessions.csv", "kycpack register list CUSTOMER_ID"),
    "register import": ("kycpack register import sessions.csv",),
    "register risk": ("kycpack register risk risk.csv",),
    "register fetch": ("kycpack register fetch", "kycpack register fetch --org-id branch-1"),
    "register list": ("kycpack register list", "kycpack register list --intents"),
    "register resolve": (
        'kycpack register resolve INTENT --made ID --note "Seen in the provider\'s console"',
        "kycpack register resolve INTENT --nothing",
    ),
    "inbox": ("kycpack inbox serve", "kycpack inbox work"),
    "inbox serve": ("kycpack inbox serve --port 8090",),
    "inbox work": ("kycpack inbox work", "kycpack inbox work --no-reconcile"),
    "inbox list": ("kycpack inbox list",),
    "policy": ("kycpack policy check policy.yaml", "kycpack policy diff before.yaml now.yaml"),
    "policy check": ("kycpack policy check policy.yaml",),
    "policy explain": ("kycpack policy explain PEP-1 --run reports/today",),
    "policy diff": ("kycpack policy diff before.yaml now.yaml",),
    "policy backtest": ("kycpack policy backtest before.yaml now.yaml reports/today --out memo",),
    "policy approve": ('kycpack policy approve policy.yaml --text "Agreed in the meeting of 3 June"',),
    "policy withdraw": ('kycpack policy withdraw policy.yaml --text "Replaced by version 2"',),
    "policy list": ("kycpack policy list",),
    "service-keys": (
        "kycpack service-keys list --db sqlite:///kycpack-service.db",
        "kycpack service-keys rotate KEY_ID --db sqlite:///kycpack-service.db",
    ),
    "service-keys list": ("kycpack service-keys list --db sqlite:///kycpack-service.db",),
    "service-keys create": (
        "kycpack service-keys create --db sqlite:///kycpack-service.db --permission read_customer",
    ),
    "service-keys rotate": ("kycpack service-keys rotate KEY_ID --db sqlite:///kycpack-service.db",),
    "service-keys retire": ("kycpack service-keys retire KEY_ID --db sqlite:///kycpack-service.db",),
    "service-keys revoke": ("kycpack service-keys revoke KEY_ID --db sqlite:///kycpack-service.db",),
}
"""The examples, by the words that name the command or the group of commands."""


def epilog_of(name: str) -> str | None:
    """Return the examples of a command as the help shows them; None if there are none.

    Args:
        name: The words that name the command or the group, such as `case decide`.
    """
    lines = EXAMPLES.get(name)
    return None if lines is None else "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


class _NamedArgument(TyperArgument):
    """An argument that help shows as `CASE` or `[CUSTOMER]...`, without the Python type of its value."""

    def _usage_display_name(self) -> str:
        name = self.display_name_raw
        return (name if self.required else f"[{name}]") + ("" if self.nargs == 1 else "...")

    def display_type_rich(self, ctx: Any) -> str | None:
        del ctx
        return None


def complete_help(command: Any, name: str = "") -> None:
    """Add examples and named arguments to the help of a command and of every command below it.

    Args:
        command: A typer command; it is changed in place.
        name: The words that name it, such as `case decide`; empty for the application itself.
    """
    command.epilog = epilog_of(name) or command.epilog
    command.params = [_named(each) for each in command.params]
    for word, below in getattr(command, "commands", {}).items():
        complete_help(below, f"{name} {word}".strip())


def _named(parameter: Any) -> Any:
    if not isinstance(parameter, TyperArgument):
        return parameter
    named = _NamedArgument.__new__(_NamedArgument)
    vars(named).update(vars(parameter))
    return named
