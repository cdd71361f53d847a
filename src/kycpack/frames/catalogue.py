"""The schemas of the frames, column by column.

Source: interface.md, "Resources and their fields", for the members; ISO 20022 for bank codes and purposes.
"""

from __future__ import annotations

from kycpack.frames.answer_members import (
    AIS_OPTIONS,
    IDENTITY_OPTIONS,
    RESULT_MEMBERS,
    RISK_FACTORS,
    ordered_column,
    result_column,
)
from kycpack.frames.column import Column, Schema

CUSTOMER = Column("customer_id", "category", "the customer", required=True)
SESSION = Column("session_id", "category", "the onboard session", required=True)
ACCOUNT = Column("account_id", "category", "the bank account", required=True)
EVIDENCE = Column(
    "evidence_id", "string", "the entry of the customer's evidence this row was read from", required=True
)

_ALL = (
    Schema(
        "customers",
        ("customer_id",),
        (
            CUSTOMER,
            Column("tenant_id", "category", "owning organisation"),
            Column("org_id", "category", "the caller's branch"),
            Column("first_name", "string", "given name in the customer record"),
            Column("last_name", "string", "family name; NA if the record has none"),
            Column("email_address", "string", "the customer's e-mail address at the service"),
            Column("date_of_birth_on", "date", "in the customer record; the document has its own"),
            Column("address_line1", "string", "first line of the home address"),
            Column("address_line2", "string", "second line, if there is one"),
            Column("city", "string", "town of the home address"),
            Column("postal_code", "string", "as written; the form differs by country"),
            Column("country", "category", "ISO 3166-1 alpha-2"),
            Column("created_at", "instant", "when the record was created"),
            Column("updated_at", "instant", "when the record was last changed"),
            *(
                Column(
                    f"risk_{factor}",
                    "string",
                    f"{factor} in the firm's risk file; NA if it is not given",
                )
                for factor in RISK_FACTORS
            ),
            EVIDENCE,
        ),
    ),
    Schema(
        "sessions",
        ("customer_id", "session_id"),
        (
            CUSTOMER,
            SESSION,
            Column("status", "category", "pending, inprogress, complete, expired; NA if there was no answer"),
            Column("identity_completed", "boolean", "whether the customer finished the identity part"),
            Column(
                "identity_confirmed",
                "boolean",
                "progress.identity.confirmed as given; the interface does not define it",
            ),
            Column("identity_completed_at", "instant", "when the identity part was finished"),
            Column("ais_completed", "boolean", "whether the customer has given access to a bank account"),
            Column("ais_completed_at", "instant", "when access was given"),
            Column("created_at", "instant", "when the session was ordered"),
            Column("updated_at", "instant", "when its status last changed"),
            Column("expires_at", "instant", "seven days after created_at"),
            Column("attempt_count", "Int64", "how many times the customer started it"),
            Column(
                "learned_from",
                "category",
                "how the register learned of it: created, webhook, import, control",
            ),
            Column("order_known", "boolean", "whether the register knows what was ordered"),
            *(
                Column(ordered_column(option), "boolean", f"options.identity.{option}")
                for option in IDENTITY_OPTIONS
            ),
            *(Column(f"ordered_ais_{option}", "boolean", f"options.ais.{option}") for option in AIS_OPTIONS),
            Column("account_limit", "Int64", "options.ais.accountLimit; NA means unlimited or not known"),
            EVIDENCE,
        ),
    ),
    Schema(
        "results",
        ("customer_id", "session_id"),
        (
            CUSTOMER,
            SESSION,
            *(Column(result_column(path), dtype, path) for path, dtype in RESULT_MEMBERS.items()),
            EVIDENCE,
        ),
    ),
    Schema(
        "checks",
        ("customer_id", "session_id", "path"),
        (
            CUSTOMER,
            SESSION,
            Column(
                "section",
                "category",
                "document, address, identity, screening, or a section not known to kycpack",
            ),
            Column(
                "group",
                "category",
                "the members between section and check, joined by dots; empty if there are none",
            ),
            Column("check", "category", "the last member of the path"),
            Column("path", "category", "the whole path, as in screening.summary.pep.level1", required=True),
            Column(
                "kind",
                "category",
                "string, boolean, number, null, list, object, or unreadable (the value then says why)",
                required=True,
            ),
            Column("value", "string", "as text, raw; NA for null"),
            Column("score", "Float64", "the value, if it is a number"),
            EVIDENCE,
        ),
    ),
    Schema(
        "screening",
        ("customer_id", "session_id", "path"),
        (
            CUSTOMER,
            SESSION,
            Column(
                "category", "category", "pep, watchlist, adverseMedia, or a category not known to kycpack"
            ),
            Column("item", "category", "as in level1, sanctionsLists"),
            Column("path", "category", "the whole path, as in screening.summary.pep.level1", required=True),
            Column("kind", "category", "JSON type of the value, as in `checks`", required=True),
            Column("value", "string", "the provider's word or number, as text, raw"),
            EVIDENCE,
        ),
    ),
    Schema(
        "documents",
        ("customer_id", "session_id", "kind"),
        (
            CUSTOMER,
            SESSION,
            Column("kind", "category", "identity or proof_of_address", required=True),
            Column("outcome", "category", "the provider's word for the check of this document"),
            Column("document_type", "string", "kind of document, in the provider's words"),
            Column("issuing_country", "string", "country that issued it, as given"),
            Column("document_number", "string", "number printed on it"),
            Column("expires_on", "date", "last day on which it is valid; NA for a proof of address"),
            Column("holder_first_name", "string", "given name on the document"),
            Column("holder_last_name", "string", "family name on the document"),
            Column("holder_date_of_birth_on", "date", "birth date on the document"),
            Column("holder_nationality", "string", "nationality on the document, as given"),
            Column("address_line1", "string", "first line of the address read from a proof of address"),
            Column("city", "string", "town of that address"),
            Column("postal_code", "string", "postal code of that address, as written"),
            Column("country", "string", "country of that address, as given"),
            EVIDENCE,
        ),
    ),
    Schema(
        "media",
        ("customer_id", "session_id", "media_id"),
        (
            CUSTOMER,
            SESSION,
            Column("media_id", "string", "id of the file at the service", required=True),
            Column("file_name", "string", "as the service named it; never a path"),
            Column("content_type", "category", "MIME type, as in image/jpeg"),
            Column("description", "string", "what the service says the file shows"),
            Column("type", "category", "kind of file, in the service's words"),
            Column("downloaded", "boolean", "whether the file itself is in the evidence"),
            Column("size_bytes", "Int64", "size of the file as given by the service"),
            Column("sha256", "string", "hash of the file that was received"),
            Column("file_evidence_id", "string", "the evidence entry with the file"),
            EVIDENCE,
        ),
    ),
    Schema(
        "accounts",
        ("customer_id", "account_id"),
        (
            CUSTOMER,
            ACCOUNT,
            Column("bank_id", "category", "id of the bank in the list of banks"),
            Column("bank_name", "category", "name of the bank"),
            Column("holder_name", "string", "name of the account holder, as given by the bank"),
            Column("account_number", "string", "masked by the service"),
            Column("sort_code", "string", "masked by the service"),
            Column("currency", "category", "ISO 4217"),
            Column("type", "category", "kind of account, in the bank's words"),
            Column("scopes", "string", "granted scopes, joined by a space"),
            Column("token_expires_at", "instant", "when the customer's permission to read the account ends"),
            EVIDENCE,
        ),
    ),
    Schema(
        "balances",
        ("customer_id", "account_id", "evidence_id"),
        (
            CUSTOMER,
            ACCOUNT,
            Column("current_minor", "Int64", "balance of booked transactions; below zero means overdrawn"),
            Column(
                "available_minor",
                "Int64",
                "what can be spent, including an agreed overdraft if the bank counts it",
            ),
            Column("currency", "category", "ISO 4217"),
            Column("balance_at", "instant", "the time of the balance"),
            EVIDENCE,
        ),
    ),
    Schema(
        "transactions",
        ("customer_id", "account_id", "txn_id"),
        (
            CUSTOMER,
            ACCOUNT,
            Column("txn_id", "string", "unique within an account", required=True),
            Column("booked_on", "date", "booking date at the bank; value_on if there is none", required=True),
            Column("value_on", "date", "bank-local"),
            Column("status", "category", "booked, pending, future, info, rejected", default="booked"),
            Column("amount_minor", "int64", "plus is into the account", required=True),
            Column("currency", "category", "ISO 4217", required=True),
            Column(
                "balance_after_minor",
                "Int64",
                "balance of the account after this row; NA if the bank gives none",
            ),
            Column("description_raw", "string", "the bank's text, unchanged", required=True),
            Column("counterparty_name", "string", "who paid or was paid, as given by the bank"),
            Column("merchant_name", "string", "the merchant, if the provider recognised one"),
            Column("counterparty_account", "string", "masked or hashed"),
            Column("bank_code", "category", "ISO 20022 domain-family-subfamily, as in PMNT-RCDT-SALA"),
            Column("purpose", "category", "ISO 20022 purpose, as in SALA"),
            Column("mcc", "string", "merchant category code"),
            Column("proprietary_code", "string", "the bank's own code for the kind of transaction"),
            # Optional here: transactions from other sources reach `derive` without evidence.
            Column("evidence_id", "string", "the page this row was read from"),
        ),
    ),
    Schema(
        "payments",
        ("customer_id", "payment_id"),
        (
            CUSTOMER,
            Column("payment_id", "string", "the payment", required=True),
            Column("state", "category", "as given by the service; NA if there was no answer"),
            Column("amount", "decimal", "as given by the service", unit="major units of the currency"),
            Column("currency", "category", "NA: the interface does not guarantee one"),
            Column("amount_minor", "Int64", "NA without a currency"),
            Column("reference", "string", "the caller's reference"),
            Column("description", "string", "what the payer is shown"),
            Column("requires_ais", "boolean", "whether it carries AIS requirements that take effect"),
            Column(
                "use_verified_bank_account",
                "boolean",
                "whether the payer must pay from an account verified through AIS",
            ),
            Column("created_at", "instant", "when the payment was created"),
            Column(
                "learned_from",
                "category",
                "how the register learned of it: created, webhook, import, control",
            ),
            EVIDENCE,
        ),
    ),
    Schema(
        "attempts",
        ("customer_id", "payment_id", "attempt_id"),
        (
            CUSTOMER,
            Column("payment_id", "string", "the payment it tries to settle", required=True),
            Column("attempt_id", "string", "the attempt", required=True),
            Column("status", "category", "as given by the service"),
            Column("method", "category", "bank or card, if known"),
            Column("bank_id", "category", "bank of the attempt, as in the list of banks"),
            Column("required_action_type", "category", "what the payer has to do next, as in bank_redirect"),
            Column("created_at", "instant", "when the attempt was made"),
            EVIDENCE,
        ),
    ),
    Schema(
        "statements",
        ("customer_id", "evidence_id"),
        (
            CUSTOMER,
            Column("payment_id", "string", "NA for the statement without a payment"),
            Column("format", "category", "json or pdf", required=True),
            Column("generated_at", "instant", "when the service made the statement"),
            Column("first_name", "string", "given name in the statement"),
            Column("last_name", "string", "family name in the statement"),
            Column("city", "string", "town in the statement"),
            Column("account_count", "Int64", "how many bank accounts the statement is based on"),
            Column("source_count", "Int64", "primary and additional"),
            Column(
                "payment_amount", "decimal", "as given", unit="major units; the interface has no currency"
            ),
            EVIDENCE,
        ),
    ),
    Schema(
        "sources",
        ("customer_id", "evidence_id", "position"),
        (
            CUSTOMER,
            Column(
                "payment_id", "string", "the payment the statement is about; NA for the statement without one"
            ),
            Column("position", "int64", "0 for the first in the statement", required=True),
            Column("role", "category", "primary or additional", required=True),
            Column(
                "type", "category", "kind of source, in the issuer's words; the interface lists no values"
            ),
            Column("description", "string", "the issuer's description of the source"),
            Column("context", "string", "the issuer's explanation"),
            Column("amount", "decimal", "one payment", unit="major units"),
            Column("frequency", "Int64", "as given; the issuer defines its meaning"),
            Column(
                "total_value", "decimal", "sum of the source over the period, as given", unit="major units"
            ),
            Column("currency", "category", "NA: the interface does not guarantee one"),
            EVIDENCE,
        ),
    ),
    Schema(
        "gaps",
        (),
        (
            CUSTOMER,
            Column("subject", "string", "the id it is about", required=True),
            Column(
                "area",
                "category",
                "customer, session, screening, bank, payment, statement, media, register, monitoring",
                required=True,
            ),
            Column("code", "category", "what kind of gap, for programs; stable", required=True),
            Column("message", "string", "what is not known, as a sentence", required=True),
            EVIDENCE,
            Column(
                "part",
                "string",
                "what is missing of it, for programs: an operation, a section of results, another account, a document",
                required=True,
            ),
            Column(
                "cause",
                "string",
                "why, for programs, where the code alone does not say what has to be done: blocked, no_statement, not_found, below_limit, incomplete",
                required=True,
            ),
            Column("number", "Int64", "how many are missing or not shown, such as months or matches"),
            Column(
                "amount_minor",
                "Int64",
                "the largest sum that it may be about, minor units",
                unit="minor units",
            ),
            Column("currency", "category", "of amount_minor"),
            Column(
                "least_minor",
                "Int64",
                "the least sum that it may be about, minor units; NA where that is amount_minor",
                unit="minor units",
            ),
        ),
    ),
)

SCHEMAS: dict[str, Schema] = {schema.name: schema for schema in _ALL}
