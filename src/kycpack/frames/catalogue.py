"""The frames, column by column: what is promised to whoever opens one.

Source: interface.md, "Resources and their fields", for the members; ISO 20022 for bank codes and purposes.
"""

from __future__ import annotations

from kycpack.frames.column import Column, Dtype, Schema

CUSTOMER = Column("customer_id", "category", "the customer", required=True)
SESSION = Column("session_id", "category", "the onboard session", required=True)
ACCOUNT = Column("account_id", "category", "the bank account", required=True)
EVIDENCE = Column(
    "evidence_id", "string", "the entry of the customer's evidence this row was read from", required=True
)

SECTIONS = ("document", "address", "identity", "screening")

# Member of a results document (interface.md, "Onboard verification results") and its dtype in `results`.
RESULT_MEMBERS: dict[str, Dtype] = {
    "document.outcome": "category",
    "document.holder.firstName": "string",
    "document.holder.lastName": "string",
    "document.holder.dateOfBirth": "date",
    "document.holder.nationality": "string",
    "document.document.documentType": "string",
    "document.document.issuingCountry": "string",
    "document.document.documentNumber": "string",
    "document.document.expirationDate": "date",
    "document.contentAnalysis.dataIntegrity": "string",
    "document.contentAnalysis.expirationDateCheck": "string",
    "address.outcome": "category",
    "address.contentAnalysis.documentAgeOutcome": "string",
    "address.clientValidation.firstNameMatch": "string",
    "address.clientValidation.lastNameMatch": "string",
    "address.clientValidation.addressMatchOutcome": "string",
    "address.geoLocationAnalysis.ipInAddressCountry": "string",
    "address.geoLocationAnalysis.ipProximityToAddress": "string",
    "address.extractedAddress.addressLine1": "string",
    "address.extractedAddress.city": "string",
    "address.extractedAddress.postalCode": "string",
    "address.extractedAddress.country": "string",
    "identity.outcome": "category",
    "identity.faceAnalysis.facialSimilarity": "string",
    "identity.faceAnalysis.facialSimilarityScore": "Float64",
    "identity.authenticityAnalysis.livenessCheck": "string",
    "identity.authenticityAnalysis.livenessCheckScore": "Float64",
    "identity.integrityAnalysis.faceDetection": "string",
    "screening.outcome": "category",
    "screening.checkType": "string",
    "screening.matchCount": "Int64",
    "screening.summary.pep.level1": "string",
    "screening.summary.pep.level2": "string",
    "screening.summary.watchlist.sanctionsLists": "string",
    "screening.summary.watchlist.terror": "string",
    "screening.summary.adverseMedia.environmentProduction": "string",
    "screening.summary.adverseMedia.socialLabour": "string",
}


def result_column(path: str) -> str:
    """Return the column of `results` for a member's path, as in `document_holder_first_name`; dates end in `_on`."""
    return _snake(path) + ("_on" if RESULT_MEMBERS.get(path) == "date" else "")


def _snake(path: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in path).replace(".", "_")


IDENTITY_OPTIONS = (
    "identityCheck",
    "enhancedIdentityCheck",
    "documentCheck",
    "proofOfAddressCheck",
    "amlStandardScreening",
    "amlExtensiveScreening",
    "amlStandardMonitoring",
    "amlExtensiveMonitoring",
)
AIS_OPTIONS = ("accounts", "balances", "transactions")


RISK_FACTORS = ("country", "product", "channel", "purpose", "pep")
"""What the firm's own file says of a customer's risk; the register keeps it."""


def ordered_column(option: str) -> str:
    """Return the column of `sessions` that says whether an option was ordered, as in `ordered_document_check`."""
    return "ordered_" + _snake(option)


_ALL = (
    Schema(
        "customers",
        ("customer_id",),
        (
            CUSTOMER,
            Column("tenant_id", "category", "owning organisation"),
            Column("org_id", "category", "the caller's branch"),
            Column("first_name", "string"),
            Column("last_name", "string"),
            Column("email_address", "string"),
            Column("date_of_birth_on", "date"),
            Column("address_line1", "string"),
            Column("address_line2", "string"),
            Column("city", "string"),
            Column("postal_code", "string"),
            Column("country", "category", "ISO 3166-1 alpha-2"),
            Column("created_at", "instant"),
            Column("updated_at", "instant"),
            *(
                Column(
                    f"risk_{factor}",
                    "string",
                    f"{factor} in the firm's file of risk; NA where it does not say",
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
            Column(
                "status", "category", "pending, inprogress, complete, expired; NA when it was not answered"
            ),
            Column("identity_completed", "boolean"),
            Column("identity_confirmed", "boolean"),
            Column("identity_completed_at", "instant"),
            Column("ais_completed", "boolean"),
            Column("ais_completed_at", "instant"),
            Column("created_at", "instant"),
            Column("updated_at", "instant"),
            Column("expires_at", "instant", "seven days after created_at"),
            Column("attempt_count", "Int64"),
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
            Column("account_limit", "Int64", "options.ais.accountLimit; NA is unlimited or not known"),
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
                "section", "category", "document, address, identity, screening, or a section nobody has seen"
            ),
            Column(
                "group", "category", "the members between section and check, joined by dots; empty for none"
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
            Column("score", "Float64", "the value where it is a number"),
            EVIDENCE,
        ),
    ),
    Schema(
        "screening",
        ("customer_id", "session_id", "path"),
        (
            CUSTOMER,
            SESSION,
            Column("category", "category", "pep, watchlist, adverseMedia, or one nobody has seen"),
            Column("item", "category", "as in level1, sanctionsLists"),
            Column("path", "category", required=True),
            Column("kind", "category", required=True),
            Column("value", "string"),
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
            Column("outcome", "category"),
            Column("document_type", "string"),
            Column("issuing_country", "string"),
            Column("document_number", "string"),
            Column("expires_on", "date"),
            Column("holder_first_name", "string"),
            Column("holder_last_name", "string"),
            Column("holder_date_of_birth_on", "date"),
            Column("holder_nationality", "string"),
            Column("address_line1", "string"),
            Column("city", "string"),
            Column("postal_code", "string"),
            Column("country", "string"),
            EVIDENCE,
        ),
    ),
    Schema(
        "media",
        ("customer_id", "session_id", "media_id"),
        (
            CUSTOMER,
            SESSION,
            Column("media_id", "string", required=True),
            Column("file_name", "string", "as the service named it; never a path"),
            Column("content_type", "category"),
            Column("description", "string"),
            Column("type", "category"),
            Column("downloaded", "boolean", "whether the file itself is in the evidence"),
            Column("size_bytes", "Int64"),
            Column("sha256", "string"),
            Column("file_evidence_id", "string", "the entry that holds the file"),
            EVIDENCE,
        ),
    ),
    Schema(
        "accounts",
        ("customer_id", "account_id"),
        (
            CUSTOMER,
            ACCOUNT,
            Column("bank_id", "category"),
            Column("bank_name", "category"),
            Column("holder_name", "string"),
            Column("account_number", "string", "masked by the service"),
            Column("sort_code", "string", "masked by the service"),
            Column("currency", "category", "ISO 4217"),
            Column("type", "category"),
            Column("scopes", "string", "granted scopes, joined by a space"),
            Column("token_expires_at", "instant"),
            EVIDENCE,
        ),
    ),
    Schema(
        "balances",
        ("customer_id", "account_id", "evidence_id"),
        (
            CUSTOMER,
            ACCOUNT,
            Column("current_minor", "Int64"),
            Column("available_minor", "Int64"),
            Column("currency", "category", "ISO 4217"),
            Column("balance_at", "instant"),
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
            Column("booked_on", "date", "bank-local; falls back to value_on", required=True),
            Column("value_on", "date", "bank-local"),
            Column("status", "category", "booked, pending, future, info, rejected", default="booked"),
            Column("amount_minor", "int64", "plus is into the account", required=True),
            Column("currency", "category", "ISO 4217", required=True),
            Column("balance_after_minor", "Int64"),
            Column("description_raw", "string", required=True),
            Column("counterparty_name", "string"),
            Column("merchant_name", "string"),
            Column("counterparty_account", "string", "masked or hashed"),
            Column("bank_code", "category", "ISO 20022 domain-family-subfamily, as in PMNT-RCDT-SALA"),
            Column("purpose", "category", "ISO 20022 purpose, as in SALA"),
            Column("mcc", "string", "merchant category code"),
            Column("proprietary_code", "string"),
            # Optional here: transactions of other sources reach `derive` without evidence.
            Column("evidence_id", "string", "the page this row was read from"),
        ),
    ),
    Schema(
        "payments",
        ("customer_id", "payment_id"),
        (
            CUSTOMER,
            Column("payment_id", "string", required=True),
            Column("state", "category", "as the service words it; NA when it was not answered"),
            Column("amount", "decimal", "as the service gave it", unit="major units of the currency"),
            Column("currency", "category", "NA: the interface does not promise one"),
            Column("amount_minor", "Int64", "NA without a currency"),
            Column("reference", "string"),
            Column("description", "string"),
            Column("requires_ais", "boolean", "whether it carries AIS requirements that take effect"),
            Column("use_verified_bank_account", "boolean"),
            Column("created_at", "instant"),
            Column("learned_from", "category"),
            EVIDENCE,
        ),
    ),
    Schema(
        "attempts",
        ("customer_id", "payment_id", "attempt_id"),
        (
            CUSTOMER,
            Column("payment_id", "string", required=True),
            Column("attempt_id", "string", required=True),
            Column("status", "category"),
            Column("method", "category", "bank or card, where it can be seen"),
            Column("bank_id", "category"),
            Column("required_action_type", "category"),
            Column("created_at", "instant"),
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
            Column("generated_at", "instant"),
            Column("first_name", "string"),
            Column("last_name", "string"),
            Column("city", "string"),
            Column("account_count", "Int64"),
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
            Column("payment_id", "string"),
            Column("position", "int64", "0 for the first in the statement", required=True),
            Column("role", "category", "primary or additional", required=True),
            Column("type", "category"),
            Column("description", "string"),
            Column("context", "string"),
            Column("amount", "decimal", "one payment", unit="major units"),
            Column("frequency", "Int64", "as given; its meaning is the issuer's"),
            Column("total_value", "decimal", unit="major units"),
            Column("currency", "category", "NA: the interface does not promise one"),
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
            Column("code", "category", required=True),
            Column("message", "string", required=True),
            EVIDENCE,
        ),
    ),
)

SCHEMAS: dict[str, Schema] = {schema.name: schema for schema in _ALL}
