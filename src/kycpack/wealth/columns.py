"""The columns of the frames that `derive` makes: what each is, and in which unit."""

from __future__ import annotations

from kycpack.frames.column import Column, Dtype, Schema

_CUSTOMER = Column("customer_id", "string", "the customer", required=True)
_ACCOUNT = Column("account_id", "string", "the account", required=True)
_TXN = Column("txn_id", "string", "the transaction; unique within its account only", required=True)
_BOOKED = Column("booked_on", "date", "when the bank booked it", required=True)
_CURRENCY = Column("currency", "string", "ISO 4217", required=True)
_CREDIT = (
    _CUSTOMER,
    _ACCOUNT,
    _TXN,
    _BOOKED,
    Column("amount_minor", "int64", "what was paid in", required=True),
    _CURRENCY,
)
_LEVEL = "what the type rests on: code, entity, purpose, keyword, pattern, or none"
_DOUBTFUL = "whether something speaks against the type"
_CONFIDENCE = "high, medium or low: "


def _count(name: str, doc: str) -> Column:
    return Column(name, "int64", doc, required=True)


def _minor(name: str, doc: str, dtype: Dtype = "int64") -> Column:
    return Column(name, dtype, doc, required=dtype == "int64")


def _text(name: str, doc: str, *, required: bool = True) -> Column:
    return Column(name, "string", doc, required=required)


_ALL = (
    Schema(
        "credits",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            _text("disposition", "where it is counted: stream, own_transfer, refund, one_off, small_other or unexplained"),
            _text("stream_id", "its stream; NA outside streams", required=False),
            _text("pair_txn_id", "the debit that it belongs to, or may belong to", required=False),
            _text("type", "what kind of money it is; other where the evidence does not say"),
            _text("evidence_level", _LEVEL),
            _text("reason", "why it has its disposition and its type, in words"),
            _text("evidence_key", "the pieces of evidence, in frame evidence"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            _text("payer", "who paid, as the bank writes it; NA where the text names nobody", required=False),
            _text("payer_key", "the payer in normal form: what streams are gathered by", required=False),
            Column("bonus", "bool", "whether it is a bonus, commission or back pay", required=True),
            _text("evidence_id", "the entry of the customer's evidence the transaction was read from", required=False),
            _text("may_repeat_txn_id", "a credit of another account that it may repeat; both are counted", required=False),
        ),
    ),
    Schema(
        "streams",
        ("stream_id",),
        (
            _text("stream_id", "the stream; the same for the same customer, payer and currency"),
            _CUSTOMER,
            _CURRENCY,
            _text("payer", "who pays, as the bank writes it", required=False),
            _text("type", "what kind of money it is; other where the evidence does not say"),
            _text("evidence_level", _LEVEL),
            _text("cadence", "weekly, fortnightly, four_weekly, semi_monthly, monthly, quarterly, semi_annual, annual or irregular"),
            Column("cadence_score", "float64", "how well the best calendar fits, 0 to 1", required=True),
            Column("cadence_margin", "float64", "by how much it fits better than the next best, 0 to 1", required=True),
            _count("count", "its credits"),
            _minor("total_minor", "their sum"),
            _minor("amount_minor", "their average"),
            _minor("median_minor", "their median"),
            Column("first_on", "date", "the first credit", required=True),
            Column("last_on", "date", "the last credit", required=True),
            Column("next_on", "date", "when the next one is expected; NA where none is"),
            _text("status", "early (too few payments to say), active, late, ceased, or unknown where the data ends too soon"),
            _text("confidence", _CONFIDENCE + "the stream as a whole"),
            _text("type_confidence", _CONFIDENCE + "its type alone"),
            _text("cadence_confidence", _CONFIDENCE + "its calendar alone"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            _text("pattern", "the pattern of amounts and dates that gave the type; empty where none did"),
            _text("description", "all of this in a sentence"),
            Column("ambiguous", "bool", "whether two calendars fit nearly as well; more history is needed", required=True),
            _text("amount_class", "how its amounts vary: fixed, stable, variable or erratic"),
            _count("bonus_count", "how many of its credits are a bonus"),
            _text("follows_stream_id", "the pay that ended where this one began", required=False),
            Column("follows_alike", "bool", "whether it goes on with the calendar and nearly the amount of that one", required=True),
            _count("expected_count", "payments that its calendar expects from the first to the last"),
            Column("calendar_changed_on", "date", "the first payment of a new calendar; NA where it did not change"),
            _text("earlier_cadence", "the cadence before that day", required=False),
            _count("filled_count", "expected payments that were seen"),
            _count("silent_count", "expected payments that fall into a hole of the feed"),
            _minor("latest_minor", "the last credit"),
            _minor("next_minor", "the median of the last three credits, where a next one is expected", "Int64"),
            _minor("monthly_3_minor", "a month of the last 3 months; NA without as much history", "Int64"),
            _minor("monthly_12_minor", "a month of the last 12 months; NA without as much history", "Int64"),
            _text("trend", "how the last 3 months differ from the last 12: rising, falling or level", required=False),
            Column("data_to_on", "date", "the last day on which the customer's accounts show anything", required=True),
            _minor("least_total_minor", "the sum without credits that may repeat another one"),
        ),
    ),
    Schema(
        "evidence",
        ("evidence_key", "number"),
        (
            _text("evidence_key", "one combination of evidence, as in frame credits"),
            _count("number", "1 for its first piece"),
            _text("what", "what was seen"),
            _text("says", "the type, or the kind of payer, that it speaks for"),
            _text("force", "decides, supports, contradicts, hints or not counted"),
            _text("place", "where it was seen"),
        ),
    ),
    Schema(
        "coverage",
        ("customer_id", "currency", "disposition"),
        (
            _CUSTOMER,
            _CURRENCY,
            _text("disposition", "a disposition of credits; or duplicate and pending, which are set aside"),
            _count("count", "credits with it"),
            _minor("total_minor", "their sum"),
            Column("share", "Float64", "of all credits that are not set aside, 0 to 1; NA for those that are"),
        ),
    ),
    Schema(
        "set_aside",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            _text("disposition", "duplicate or pending"),
            _text("kept_account_id", "the account of the credit that counts in its place", required=False),
            _text("kept_txn_id", "that credit", required=False),
        ),
    ),
    Schema(
        "pairs",
        (),
        (
            _CUSTOMER,
            _CURRENCY,
            _minor("amount_minor", "what went out of one account and into another"),
            _text("credit_account_id", "the account it came into"),
            _text("credit_txn_id", "the credit"),
            Column("credit_on", "date", "when the credit was booked", required=True),
            _text("debit_account_id", "the account it left"),
            _text("debit_txn_id", "the debit"),
            Column("debit_on", "date", "when the debit was booked", required=True),
            _text("verdict", "certain or probable (an own transfer), possible, ambiguous, or contradicted"),
        ),
    ),
    Schema(
        "feed_holes",
        (),
        (
            _CUSTOMER,
            _ACCOUNT,
            Column("from_on", "date", "the last transaction before it", required=True),
            Column("to_on", "date", "the first one after it", required=True),
            Column("days", "int64", "how long it is", required=True, unit="days"),
            _count("usual_count", "transactions that are usual in as many days"),
            _text("verdict", "hole, or possible"),
            _text("reason", "why, in words"),
        ),
    ),
    Schema(
        "flows",
        ("customer_id", "currency"),
        (
            _CUSTOMER,
            _CURRENCY,
            _minor("in_minor", "money in, own transfers left out"),
            _minor("out_minor", "money out, own transfers left out"),
            Column("first_on", "date", "the first transaction", required=True),
            Column("last_on", "date", "the last transaction", required=True),
        ),
    ),
    Schema(
        "flags",
        (),
        (
            _CUSTOMER,
            _text("code", "the kind of red flag"),
            _text("severity", "the level that the policy gives to the kind"),
            _text("message", "what was seen, in a sentence"),
            _CURRENCY,
            Column("facts", "object", "the numbers of the sentence by name", required=True),
            Column("txn_ids", "object", "list of the transactions that raised it", required=True),
            Column("account_ids", "object", "list of their accounts, in the same order", required=True),
            Column("evidence_ids", "object", "list of the entries of evidence they were read from", required=True),
        ),
    ),
)  # fmt: skip

DERIVED: dict[str, Schema] = {schema.name: schema for schema in _ALL}
