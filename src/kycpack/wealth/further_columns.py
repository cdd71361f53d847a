"""The columns of the frames that are made from those of `flatten` and `derive`: by methods of `Wealth`, by `evaluate` and by `build_review`."""

from __future__ import annotations

from kycpack.frames.column import Column, Dtype, Schema

_CUSTOMER = Column("customer_id", "string", "the customer", required=True)
_CURRENCY = Column("currency", "string", "ISO 4217", required=True)
_MAJOR = "major units of the currency with most of the customer's credits"
_EVIDENCE_IDS = Column("evidence_ids", "object", "list of the evidence entries that show it", required=True)


def _text(name: str, doc: str, *, required: bool = True) -> Column:
    return Column(name, "string", doc, required=required)


def _number(name: str, doc: str, dtype: Dtype = "int64") -> Column:
    return Column(name, dtype, doc, required=dtype == "int64")


def _list(name: str, doc: str) -> Column:
    return Column(name, "object", f"list of {doc}", required=True)


def _major(name: str, doc: str) -> Column:
    return Column(name, "decimal", doc, unit=_MAJOR)


_OF_WEALTH = (
    Schema(
        "own_sources",
        ("source_id",),
        (
            _text("source_id", "the stream's id, or account/transaction of a single credit"),
            _CURRENCY,
            _text("type", "the kind of money, as in frame streams"),
            _number("count", "number of credits"),
            _number("total_minor", "sum of the credits"),
            _number("least_total_minor", "the sum without what may be counted twice and without what was, or may have been, taken back"),
            _number("most_total_minor", "the sum without what was taken back"),
            _number("may_be_twice_minor", "the part of the sum that may be counted twice"),
            _number("may_be_twice_count", "how many of its payments may be counted twice"),
            _number("amount_minor", "average credit"),
            _text("status", "as in frame streams; active for a single credit"),
            Column("first_on", "date", "date of the first credit", required=True),
            Column("last_on", "date", "date of the last credit", required=True),
            _text("cadence", "as in frame streams; irregular for a single credit"),
            _text("evidence_level", "the evidence for the type, as in frame streams"),
            _text("support", "what supports its nature: proven; or words or purpose, the sender's words or purpose code alone; pattern, that of the payments alone; or weak, not sure or contradicted"),
            Column("doubtful", "bool", "whether other evidence speaks against the type, or a check questions the pay", required=True),
            _text("held_by", "in whose name other accounts are into which some of it was paid; empty if all are in the customer's"),
            _text("description", "a summary in one sentence"),
        ),
    ),
    Schema(
        "nature",
        ("currency", "nature", "evidence_level"),
        (
            _CURRENCY,
            _text("nature", "known, regular_unknown, cash_or_named or irregular_unknown"),
            _text("evidence_level", "the evidence for a known nature; otherwise none"),
            _number("count", "number of credits, without own transfers"),
            _number("total_minor", "sum of these credits, without what was taken back"),
            _number("least_minor", "the same without what may be counted twice or may have been taken back"),
            Column("share", "Float64", "share of the customer's credits in this currency, without own transfers, 0 to 1", required=True),
        ),
    ),
    Schema(
        "joint_accounts",
        ("account_id",),
        (
            _text("account_id", "an account whose holder's name names several people"),
            _text("holder_name", "the holder's name, as the bank gives it"),
            _number("holder_count", "number of people in the name"),
        ),
    ),
)  # fmt: skip

_OF_TRIAGE = (
    Schema(
        "recommendations",
        ("customer_id",),
        (
            _CUSTOMER,
            _text("level", "the recommended level: the highest of any finding that still applies"),
            _text("top_reason", "the first reason, with any that is escalated to the MLRO; or that no finding stands against approval, and whether the risk file is complete"),
            _list("reasons", "the reasons, one sentence each, the highest level first"),
            _list("fired", "the rules that were hit, without those that stay inside the firm"),
            _list("unknown", "the rules that could not be evaluated, without those that stay inside the firm"),
            _list("routes", "the owners of every hit and every unknown"),
            _list("actions", "what has to be done"),
            _list("not_looked_at", "titles of the rules that do not apply"),
            _list("internal", "the rules that stay inside the firm: never for the customer, a webhook or a log"),
            _text("diligence", "how much due diligence the policy asks for"),
            _list("required_checks", "the checks that this due diligence requires"),
            Column("next_review_on", "string", "when the next review is due", required=True, unit="date, YYYY-MM-DD"),
            _text("policy_id", "id of the policy"),
            _text("policy_version", "version of the policy"),
            _text("policy_digest", "SHA-256 of the policy"),
        ),
    ),
    Schema(
        "findings",
        (),
        (
            _CUSTOMER,
            _text("session_id", "the session; NA for a rule about the customer", required=False),
            _text("rule_id", "the rule"),
            _text("outcome", "HIT, UNKNOWN, CLEAR or NOT_APPLICABLE"),
            _text("level", "the level that it raises the recommendation to"),
            _text("owner", "who works on it"),
            _text("action", "what has to be done; empty for nothing"),
            Column("internal", "bool", "whether it stays inside the firm: never for the customer, a webhook or a log", required=True),
            _text("title", "what was checked, in a few words"),
            _text("reason", "one sentence with the value and the evidence"),
            _text("sentence", "the same sentence as reason"),
            _text("cause", "why it is UNKNOWN, one sentence; empty otherwise; findings with the same cause belong together"),
            _text("basis", "the law, guidance or standard behind the rule"),
            _text("path", "what was checked, for programs"),
            _text("value", "the value, for programs; NA if there is none", required=False),
            _EVIDENCE_IDS,
            _text("superseded_by", "the later session that replaces it; NA if it still applies", required=False),
        ),
    ),
    Schema(
        "consistency",
        (),
        (
            _CUSTOMER,
            _text("field", "name, date_of_birth, address or town"),
            _text("left", "the first source: record, document, address, bank or statement; with an id if there are several"),
            _text("right", "the second source"),
            _text("verdict", "equal, similar, different, missing or unreadable"),
            Column("score", "Float64", "likeness, 0 to 1; NA if a value is missing"),
            _text("reason", "the reason for the verdict, in words"),
            _text("kinds", "how the two differ although they agree, separated by commas; empty if they are the same text, or different"),
            _EVIDENCE_IDS,
            _text("left_value", "what was compared; NA if the source has no value", required=False),
            _text("right_value", "the same for the second source", required=False),
        ),
    ),
    Schema(
        "supersessions",
        ("customer_id", "session_id"),
        (
            _CUSTOMER,
            _text("session_id", "the session that is replaced"),
            _text("superseded_by", "the later session"),
            _text("kind", "complete if a complete session replaces an unfinished one; renewal if a document was renewed"),
            _number("attempts", "number of sessions up to and including the later one"),
            _list("gave_way", "the rules whose findings were dropped"),
            _text("sentence", "what happened, in words"),
            _EVIDENCE_IDS,
        ),
    ),
)  # fmt: skip

_OF_REVIEW = (
    Schema(
        "limits",
        (),
        (
            _CUSTOMER,
            _text("subject", "the id it is about"),
            _text("area", "as in frame gaps"),
            _text("code", "what kind of limit, for programs; stable"),
            _text("message", "what the bank data does not show, as a sentence"),
            _text("evidence_id", "the evidence entry it was read from; empty if it was read from none"),
            _text("part", "as in frame gaps"),
            _text("cause", "as in frame gaps"),
            _number("number", "as in frame gaps", "Int64"),
            _number("amount_minor", "as in frame gaps", "Int64"),
            _text("currency", "as in frame gaps", required=False),
            _number("least_minor", "as in frame gaps", "Int64"),
        ),
    ),
    Schema(
        "sufficiency",
        ("payment_id",),
        (
            _CUSTOMER,
            _text("payment_id", "the payment"),
            _text("answer", "supported, partly supported, not supported or cannot tell"),
            _number("amount_minor", "amount of the payment"),
            _CURRENCY,
            _number("supported_minor", "the part of it that is supported: at most so much where balances are known, because other money is taken to have been spent first, and otherwise at least so much"),
            _number("shortfall_minor", "the rest"),
            Column("from_on", "date", "first day of the data used; NA if there is none"),
            Column("to_on", "date", "last day of the data used; NA if there is none"),
            _list("basis", "what supports the payment and what does not, one sentence each"),
            _list("source_ids", "the streams and single credits that were used"),
            _list("assumptions", "what was assumed, one sentence each"),
        ),
    ),
    Schema(
        "reconciliation",
        ("evidence_id", "position"),
        (
            _CUSTOMER,
            _text("evidence_id", "the evidence entry of the service's statement"),
            _number("position", "the row's place in the comparison with this statement, from 0", "Int64"),
            _text("verdict", "equal, explained, unexplained, only_ours or only_theirs"),
            _text("our_source_id", "our source, as in frame own_sources; NA without one", required=False),
            _number("their_position", "place of the source in their statement, the main source being 0; NA without one", "Int64"),
            _text("our_type", "our kind of money; NA without our source", required=False),
            _text("their_type", "their kind of money; NA without their source", required=False),
            _major("our_amount", "our average credit"),
            _major("their_amount", "their amount; a statement does not state its currency"),
            _number("our_frequency", "number of credits that we observed", "Int64"),
            _number("their_frequency", "frequency in their statement", "Int64"),
            _major("our_total", "our sum"),
            _major("their_total", "their total"),
            _major("difference", "our total minus theirs; NA if only one side has the source"),
            _text("explanation", "the reason for the verdict, in words"),
        ),
    ),
)  # fmt: skip

FURTHER: dict[str, Schema] = {schema.name: schema for schema in (*_OF_WEALTH, *_OF_TRIAGE, *_OF_REVIEW)}
MADE_BY = {
    **{schema.name: "a method of `Wealth`" for schema in _OF_WEALTH},
    **{schema.name: "`kp.evaluate`" for schema in _OF_TRIAGE},
    **{schema.name: "`kp.build_review`" for schema in _OF_REVIEW},
    "own_sources": "`Wealth.sources(customer_id)`, and written into each pack",
    "nature": "`Wealth.nature(customer_id)`",
    "joint_accounts": "`Wealth.joint_accounts(customer_id)`",
}
"""What makes each of these frames, for the dictionary's page."""
